//! Why the selected object is where it is, found by a background job.

use super::job::{JobKind, Jobs, SessionDone};
use crate::core::explain_motion::{MotionExplanation, explain_motion};
use crate::core::replay::{ObjectId, Replay};
use std::sync::Arc;

/// The latest explanation.
#[derive(Default)]
pub struct MotionExplanationView {
    /// The object and the state, with what was found; `None` where the object is not there.
    known: Option<((ObjectId, u32), Option<MotionExplanation>)>,
    /// The object of which the user asked for it.
    asked: Option<ObjectId>,
    /// The object that the latest job follows back.
    followed: Option<ObjectId>,
    /// True after a failure: the job is not started again for this scene.
    has_failed: bool,
}

impl MotionExplanationView {
    /// The explanation of an object, without findings: that of another state while a new one is being made.
    pub fn of(&self, object: ObjectId) -> Option<&MotionExplanation> {
        let (place, found) = self.known.as_ref()?;
        found.as_ref().filter(|_| place.0 == object)
    }

    /// Returns true for the object of which the user asked for it.
    pub fn is_asked(&self, object: ObjectId) -> bool {
        self.asked == Some(object)
    }

    /// Stores that the user asks for the explanation of an object, which the panel shows before any other. A stopped one is started again.
    pub(in crate::app) fn ask(&mut self, object: ObjectId) {
        self.asked = Some(object);
        self.known = self.known.take().filter(|(_, found)| found.is_some());
    }

    /// Forgets of which object the user asked.
    pub(in crate::app) fn unask(&mut self) {
        self.asked = None;
    }

    /// Stores a finished explanation; `None` also of a stopped one, which is not started again by itself.
    pub(super) fn take(&mut self, place: (ObjectId, u32), found: Option<MotionExplanation>) {
        self.known = Some((place, found));
    }

    /// Stores that the job failed.
    pub(super) fn failed(&mut self) {
        self.has_failed = true;
    }

    /// Starts following an object back from a state, unless it is known.
    pub(super) fn request(
        &mut self,
        replay: &Arc<Replay>,
        place: (ObjectId, u32),
        jobs: &mut Jobs,
    ) {
        let is_known = self
            .known
            .as_ref()
            .is_some_and(|(known, _)| *known == place);
        // One job at a time: the latest state of an object comes next, another object replaces it.
        let is_followed = self.followed == Some(place.0) && jobs.is_running(JobKind::ExplainMotion);
        if is_known || self.has_failed || is_followed {
            return;
        }
        self.followed = Some(place.0);
        let replay = Arc::clone(replay);
        jobs.start(JobKind::ExplainMotion, move |job| {
            SessionDone::ExplainMotion(place, explain_motion(&replay, place.0, place.1, job))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{level, sphere};
    use glam::DVec3;

    #[test]
    fn a_stopped_one_is_started_again_when_it_is_asked_for() {
        let replay = level(0.5, [sphere("ball", 1.0, DVec3::ZERO, DVec3::X)]);
        let mut jobs = Jobs::new(Arc::new(|| {}));
        let mut view = MotionExplanationView::default();
        let mut is_started = |view: &mut MotionExplanationView| {
            jobs.drop(JobKind::ExplainMotion);
            view.request(&replay, (0, 2), &mut jobs);
            jobs.is_running(JobKind::ExplainMotion)
        };
        assert!(is_started(&mut view));
        view.take((0, 2), None);
        assert!(!is_started(&mut view));
        view.ask(0);
        assert!(is_started(&mut view));
    }
}
