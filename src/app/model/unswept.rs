//! Impacts of the shown frame that its sweep cannot find, computed by a background job.

use super::Model;
use super::job::{JobKind, Jobs, SessionDone};
use super::playback::stops::{Stop, stops};
use crate::core::replay::unswept::{UnsweptImpact, may_have_unswept_impacts, unswept_impacts};
use crate::core::replay::{Frame, Replay};
use std::sync::Arc;

/// The impacts of the latest frame that they were computed for.
#[derive(Default)]
pub struct UnsweptView {
    found: Option<(Arc<Frame>, Vec<UnsweptImpact>)>,
    /// True after a failure: the job is not started again for this scene.
    has_failed: bool,
}

impl UnsweptView {
    /// The impacts of a frame; empty until they are computed.
    pub fn of(&self, frame: &Arc<Frame>) -> &[UnsweptImpact] {
        match &self.found {
            Some((of, impacts)) if Arc::ptr_eq(of, frame) => impacts,
            _ => &[],
        }
    }

    /// Stores the impacts of a frame.
    pub(super) fn take(&mut self, of: Arc<Frame>, impacts: Vec<UnsweptImpact>) {
        self.found = Some((of, impacts));
    }

    /// Stores that the job failed.
    pub(super) fn failed(&mut self) {
        self.has_failed = true;
    }

    /// Starts the job for a frame, unless its impacts are known.
    pub(super) fn request(&mut self, replay: &Arc<Replay>, frame: &Arc<Frame>, jobs: &mut Jobs) {
        let known = self.found.as_ref().map(|(of, _)| of);
        if known.is_some_and(|of| Arc::ptr_eq(of, frame)) || self.has_failed {
            return;
        }
        if !may_have_unswept_impacts(frame) {
            self.take(Arc::clone(frame), Vec::new());
            return;
        }
        // One job at a time; the latest request comes next.
        if jobs.is_running(JobKind::Unswept) {
            return;
        }
        let (replay, frame) = (Arc::clone(replay), Arc::clone(frame));
        jobs.start(JobKind::Unswept, move |_| {
            let impacts = unswept_impacts(&replay, &frame);
            SessionDone::Unswept(frame, impacts)
        });
    }
}

impl Model {
    /// The stops of the shown frame.
    pub fn stops(&self) -> Vec<Stop> {
        self.session.as_ref().map_or_else(Vec::new, |session| {
            let frame = session.document.frame();
            stops(&frame.phases, session.derived.unswept.of(frame))
        })
    }
}
