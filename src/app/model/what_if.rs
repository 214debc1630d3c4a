//! The What-if panel's state: the selected finding with changed values.

use super::job::{JobKind, Jobs, SessionDone};
use crate::core::diagnose::Finding;
use crate::core::diagnose::what_if::comparison::comparison_text;
use crate::core::diagnose::what_if::map::Map;
use crate::core::diagnose::what_if::session::{Phases, Values, WhatIfOutcome, WhatIfSession};
use crate::core::replay::Replay;
use crate::core::scene::UserUnits;
use std::sync::Arc;

/// Columns and rows of the map.
pub const CELLS: (usize, usize) = (96, 64);

/// The What-if of a finding.
pub struct WhatIf {
    /// Index of the finding in the report.
    pub finding: usize,
    state: State,
}

enum State {
    Preparing,
    Ready(Box<WhatIfState>),
    /// The What-if does not apply, or the pair overlaps from the start.
    Unable,
    Fault(String),
}

/// Values, outcomes and map of a prepared What-if.
pub struct WhatIfState {
    session: Arc<WhatIfSession>,
    values: Values,
    recorded: Arc<WhatIfOutcome>,
    changed: Option<Arc<WhatIfOutcome>>,
    phases: Phases,
    map: Option<Arc<Map>>,
    /// Values and phases of the map that was computed, or is being computed.
    mapped: Option<(Values, Phases)>,
    is_mapping: bool,
}

/// State of the What-if, for the panel.
pub enum Stage<'a> {
    /// The job that prepares it is running.
    Preparing,
    /// It is ready.
    Ready(&'a WhatIfState),
    /// It is not available for this finding.
    Unable,
    /// An internal error.
    Fault(&'a str),
}

impl WhatIf {
    /// Starts the job that prepares the What-if, with the values of the level.
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

    /// State of the What-if.
    pub fn stage(&self) -> Stage<'_> {
        match &self.state {
            State::Preparing => Stage::Preparing,
            State::Ready(ready) => Stage::Ready(ready),
            State::Unable => Stage::Unable,
            State::Fault(fault) => Stage::Fault(fault),
        }
    }

    /// The values and outcomes, when prepared.
    pub fn ready(&self) -> Option<&WhatIfState> {
        match &self.state {
            State::Ready(ready) => Some(ready),
            _ => None,
        }
    }

    /// Handles the result of the preparation.
    pub(super) fn prepared(&mut self, session: Option<Box<WhatIfSession>>) {
        self.state = session
            .and_then(|session| WhatIfState::new(*session))
            .map_or(State::Unable, |ready| State::Ready(Box::new(ready)));
    }

    /// Stores a map.
    pub(super) fn mapped(&mut self, map: Option<Map>) {
        if let State::Ready(ready) = &mut self.state {
            ready.is_mapping = false;
            ready.map = map.map(Arc::new);
        }
    }

    /// Stores that a job failed.
    pub(super) fn failed(&mut self, fault: String) {
        self.state = State::Fault(fault);
    }

    /// Starts the map for the present values, unless it is computed.
    pub(super) fn draw_map(&mut self, jobs: &mut Jobs) {
        if let State::Ready(ready) = &mut self.state {
            ready.draw_map(jobs);
        }
    }

    /// Sets the values.
    pub fn set(&mut self, values: Values) {
        if let State::Ready(ready) = &mut self.state {
            ready.set(values);
        }
    }

    /// Resets the values to those of the level.
    pub fn reset(&mut self) {
        if let State::Ready(ready) = &mut self.state {
            ready.set(ready.session.recorded());
        }
    }

    /// Sets the phases that the map shows.
    pub fn map_phases(&mut self, phases: Phases) {
        if let State::Ready(ready) = &mut self.state {
            ready.phases = phases;
        }
    }
}

impl WhatIfState {
    fn new(session: WhatIfSession) -> Option<Self> {
        let values = session.recorded();
        let recorded = Arc::new(session.at(&values)?);
        Some(Self {
            values: recorded.values,
            changed: Some(Arc::clone(&recorded)),
            recorded,
            session: Arc::new(session),
            phases: Phases::default(),
            map: None,
            mapped: None,
            is_mapping: false,
        })
    }

    fn set(&mut self, values: Values) {
        let values = self.session.checked(values);
        if values != self.values {
            self.values = values;
            self.changed = self.session.at(&values).map(Arc::new);
        }
    }

    fn draw_map(&mut self, jobs: &mut Jobs) {
        let wanted = (self.map_values(), self.phases);
        if self.mapped == Some(wanted) {
            return;
        }
        self.mapped = Some(wanted);
        self.is_mapping = true;
        let (session, (values, phases)) = (Arc::clone(&self.session), wanted);
        jobs.start(JobKind::MapWhatIf, move |job| {
            SessionDone::MapWhatIf(session.map(&values, phases, CELLS, job))
        });
    }

    /// The values that the map depends on: dt and speed are its axes, and the worst phase does not depend on the slider.
    fn map_values(&self) -> Values {
        let recorded = self.session.recorded();
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

    /// The prepared session, with the ranges of the values.
    pub fn session(&self) -> &WhatIfSession {
        &self.session
    }

    /// The values of the sliders.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns true if the values differ from the level's.
    pub fn is_changed(&self) -> bool {
        self.values != self.recorded.values
    }

    /// The outcome with the level's own values.
    pub fn recorded(&self) -> &WhatIfOutcome {
        &self.recorded
    }

    /// The outcome with the values of the sliders; `None` when the changed shapes overlap from the start.
    pub fn changed(&self) -> Option<&Arc<WhatIfOutcome>> {
        self.changed.as_ref()
    }

    /// All values and outcomes as text, for a report.
    pub fn comparison_text(&self, title: &str, units: UserUnits) -> String {
        let after = self.changed.as_deref();
        comparison_text(title, &self.recorded, &self.values, after, units)
    }

    /// The phases that the map shows.
    pub fn phases(&self) -> Phases {
        self.phases
    }

    /// The last map that was computed.
    pub fn map(&self) -> Option<&Map> {
        self.map.as_deref()
    }

    /// Returns true while a map is being computed.
    pub fn is_mapping(&self) -> bool {
        self.is_mapping
    }
}
