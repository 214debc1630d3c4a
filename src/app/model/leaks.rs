//! The places where movers pass the fixed surfaces of the level, searched by a background job.

use super::job::{JobKind, SessionDone};
use super::{Effect, Model, Session};
use crate::core::leaks::{self, Leaks, Mover, Options};
use crate::core::shape::Aabb;
use glam::DVec3;
use std::sync::Arc;

/// How much of the surroundings of a place is shown, as a multiple of the mover's size (no unit).
const AROUND: f64 = 6.0;

/// What is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaksForm {
    /// A mover in each line, as on the command line; none for the level's own moving bodies.
    pub movers: String,
    /// Steps of the engine in a frame.
    pub substeps: u32,
    /// Random shots of each mover.
    pub trials: u32,
    /// The movers start where the selected object is.
    pub starts_at_selected: bool,
}

impl Default for LeaksForm {
    fn default() -> Self {
        Self {
            movers: String::new(),
            substeps: 1,
            trials: 20_000,
            starts_at_selected: false,
        }
    }
}

/// The latest search.
#[derive(Default)]
pub struct LeaksView {
    found: Option<Result<Arc<Leaks>, String>>,
    /// The chosen place.
    pub chosen: Option<usize>,
}

impl LeaksView {
    /// The result of the latest search, or why there is none.
    pub fn result(&self) -> Option<Result<&Arc<Leaks>, &str>> {
        let found = self.found.as_ref()?;
        Some(found.as_ref().map_err(String::as_str))
    }

    /// The places.
    pub fn found(&self) -> Option<&Arc<Leaks>> {
        self.result()?.ok()
    }

    /// Stores the result of a search; `None` of one that was stopped.
    pub(super) fn take(&mut self, found: Option<Result<Leaks, String>>) {
        if let Some(found) = found {
            self.found = Some(found.map(Arc::new));
            self.chosen = None;
        }
    }
}

impl Model {
    /// Starts the search.
    pub(in crate::app) fn look_for_leaks(&mut self) {
        let units = self.units();
        let Some(Session {
            document,
            leaks_form: form,
            derived,
            ..
        }) = &mut self.session
        else {
            return;
        };
        let lines = form.movers.lines().filter(|line| !line.trim().is_empty());
        let stated: Result<Vec<Mover>, String> =
            lines.map(|line| Mover::parse(line, units)).collect();
        let stated = match stated {
            Ok(stated) => stated,
            Err(why) => return derived.leaks.take(Some(Err(why))),
        };
        let selected = self.selection.objects().first();
        let selected = selected.and_then(|id| document.replay().body(0, *id));
        let start = selected.filter(|_| form.starts_at_selected);
        let options = Options {
            movers: stated,
            dt: None,
            substeps: form.substeps,
            trials: form.trials,
            seed: 1,
            start: start.map(|body| body.pose.position),
        };
        let level = document.level.clone();
        self.jobs.start(JobKind::Leaks, move |job| {
            let search = || -> Result<Option<Leaks>, String> {
                let movers = match options.movers.is_empty() {
                    true => leaks::movers_of(&level.replay)?,
                    false => options.movers.clone(),
                };
                let options = Options { movers, ..options };
                leaks::find(&level, &options, job)
            };
            SessionDone::Leaks(search().transpose())
        });
    }

    /// Chooses a place: selects the object that the mover passes, and moves the view there.
    pub(in crate::app) fn show_leak(&mut self, index: usize) {
        let Some(leaks) = self.session.as_mut().map(|it| &mut it.derived.leaks) else {
            return;
        };
        let Some(found) = leaks.found().map(Arc::clone) else {
            return;
        };
        let Some(leak) = found.places.get(index) else {
            return;
        };
        leaks.chosen = Some(index);
        let size = found.movers[leak.mover].shape.reach();
        let around = DVec3::splat(AROUND * size.unwrap_or(1.0));
        self.selection.set([leak.object_id]);
        self.effects.push(Effect::LookAt(Aabb {
            min: leak.point - around,
            max: leak.point + around,
        }));
        self.update_subjects();
    }
}
