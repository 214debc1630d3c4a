//! The selected finding with its numbers changed by hand, while the panel for that is open.

use super::job::{JobKind, Jobs, SessionDone};
use crate::core::diagnose::Finding;
use crate::core::diagnose::what_if::comparison::comparison_text;
use crate::core::diagnose::what_if::map::{Map, Phases};
use crate::core::diagnose::what_if::session::{Values, WhatIfOutcome, WhatIfSession};
use crate::core::replay::Replay;
use std::sync::Arc;

/// Columns and rows of the map.
pub const CELLS: (usize, usize) = (96, 64);

/// A finding on the bench.
pub struct WhatIf {
    /// Its place in the report.
    pub finding: usize,
    state: State,
}

enum State {
    Preparing,
    Ready(Box<Bench>),
    /// Luck does not decide it, or it leads back to no clear start.
    Unable,
    Fault(String),
}

/// What the panel shows.
pub struct Bench {
    trial: Arc<WhatIfSession>,
    values: Values,
    before: Arc<WhatIfOutcome>,
    tried: Option<Arc<WhatIfOutcome>>,
    phases: Phases,
    map: Option<Arc<Map>>,
    /// What the map was made for, or is being made for.
    mapped: Option<(Values, Phases)>,
    is_mapping: bool,
}

/// How far it has come.
pub enum Stage<'a> {
    /// The frame is being judged.
    Preparing,
    /// Here it is.
    Ready(&'a Bench),
    /// It cannot be tried.
    Unable,
    /// A fault of the program.
    Fault(&'a str),
}

impl WhatIf {
    /// Begins with the values of the level.
    pub fn start(index: usize, finding: &Finding, replay: &Arc<Replay>, jobs: &mut Jobs) -> Self {
        let (finding, replay) = (finding.clone(), Arc::clone(replay));
        jobs.start(JobKind::PrepareWhatIf, move |_| {
            let session = WhatIfSession::of(&replay, &finding);
            SessionDone::PrepareWhatIf(session.map(Box::new))
        });
        Self {
            finding: index,
            state: State::Preparing,
        }
    }

    /// How far it has come.
    pub fn stage(&self) -> Stage<'_> {
        match &self.state {
            State::Preparing => Stage::Preparing,
            State::Ready(bench) => Stage::Ready(bench),
            State::Unable => Stage::Unable,
            State::Fault(fault) => Stage::Fault(fault),
        }
    }

    /// The bench, when it is ready.
    pub fn bench(&self) -> Option<&Bench> {
        match &self.state {
            State::Ready(bench) => Some(bench),
            _ => None,
        }
    }

    /// The finding is ready to be tried.
    pub(super) fn prepared(&mut self, session: Option<Box<WhatIfSession>>) {
        self.state = session
            .and_then(|session| Bench::new(*session))
            .map_or(State::Unable, |bench| State::Ready(Box::new(bench)));
    }

    /// Takes a map.
    pub(super) fn mapped(&mut self, map: Option<Map>) {
        if let State::Ready(bench) = &mut self.state {
            bench.is_mapping = false;
            bench.map = map.map(Arc::new);
        }
    }

    /// A job failed.
    pub(super) fn failed(&mut self, fault: String) {
        self.state = State::Fault(fault);
    }

    /// Starts the map for the present values, unless it is there.
    pub(super) fn draw_map(&mut self, jobs: &mut Jobs) {
        if let State::Ready(bench) = &mut self.state {
            bench.draw_map(jobs);
        }
    }

    /// Tries other values.
    pub fn set(&mut self, values: Values) {
        if let State::Ready(bench) = &mut self.state {
            bench.set(values);
        }
    }

    /// The values of the level again.
    pub fn reset(&mut self) {
        if let State::Ready(bench) = &mut self.state {
            bench.set(bench.trial.recorded());
        }
    }

    /// Which phases the map stands for.
    pub fn map_phases(&mut self, phases: Phases) {
        if let State::Ready(bench) = &mut self.state {
            bench.phases = phases;
        }
    }
}

impl Bench {
    fn new(trial: WhatIfSession) -> Option<Self> {
        let values = trial.recorded();
        let before = Arc::new(trial.at(&values)?);
        Some(Self {
            values: before.values,
            tried: Some(Arc::clone(&before)),
            before,
            trial: Arc::new(trial),
            phases: Phases::default(),
            map: None,
            mapped: None,
            is_mapping: false,
        })
    }

    fn set(&mut self, values: Values) {
        let values = self.trial.checked(values);
        if values != self.values {
            self.values = values;
            self.tried = self.trial.at(&values).map(Arc::new);
        }
    }

    fn draw_map(&mut self, jobs: &mut Jobs) {
        let wanted = (self.map_values(), self.phases);
        if self.mapped == Some(wanted) {
            return;
        }
        self.mapped = Some(wanted);
        self.is_mapping = true;
        let (session, (values, phases)) = (Arc::clone(&self.trial), wanted);
        jobs.start(JobKind::MapWhatIf, move |job| {
            SessionDone::MapWhatIf(session.map(&values, phases, CELLS, job))
        });
    }

    /// The values that the map depends on: dt and speed are its axes, and a worst phase is not one's own.
    fn map_values(&self) -> Values {
        let recorded = self.trial.recorded();
        Values {
            dt: recorded.dt,
            speed: recorded.speed,
            phase: match self.phases {
                Phases::This => self.values.phase,
                Phases::Worst => recorded.phase,
            },
            ..self.values
        }
    }

    /// Where the values may go.
    pub fn trial(&self) -> &WhatIfSession {
        &self.trial
    }

    /// As the sliders stand.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Do they stand elsewhere than in the level?
    pub fn is_changed(&self) -> bool {
        self.values != self.before.values
    }

    /// With the level's own values.
    pub fn before(&self) -> &WhatIfOutcome {
        &self.before
    }

    /// With the values of the sliders; `None` when the changed shapes do not fit before the touch.
    pub fn tried(&self) -> Option<&Arc<WhatIfOutcome>> {
        self.tried.as_ref()
    }

    /// All values and results, to paste into a report.
    pub fn comparison_text(&self, title: &str) -> String {
        let after = self.tried.as_deref();
        comparison_text(title, &self.before, &self.values, after)
    }

    /// Which phases the map stands for.
    pub fn phases(&self) -> Phases {
        self.phases
    }

    /// The last map that was made.
    pub fn map(&self) -> Option<&Map> {
        self.map.as_deref()
    }

    /// Is another one being made?
    pub fn is_mapping(&self) -> bool {
        self.is_mapping
    }
}
