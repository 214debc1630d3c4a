//! What changed the motion of the selected object, found by background jobs.

use super::job::{JobContext, JobKind, Jobs, SessionDone};
use crate::core::explain_motion::{MotionChange, MotionExplanation, explain_motion, last_change};
use crate::core::replay::{ObjectId, Replay};
use std::sync::Arc;

/// An object and a state.
pub type ObjectAt = (ObjectId, u32);

/// What is found of an object at a state by following it back.
struct Followed<T> {
    /// The latest result; `None` where there is none.
    known: Option<(ObjectAt, Option<T>)>,
    /// The object of the latest job.
    object: Option<ObjectId>,
    /// True after a failure: the job is not started again for this scene.
    has_failed: bool,
}

impl<T> Default for Followed<T> {
    fn default() -> Self {
        Self {
            known: None,
            object: None,
            has_failed: false,
        }
    }
}

impl<T> Followed<T> {
    /// Starts a job, unless its result is known. One runs at a time: the latest state of an object comes next, another object replaces it.
    fn request<F>(&mut self, kind: JobKind, at: ObjectAt, jobs: &mut Jobs, work: F)
    where
        F: FnOnce(&JobContext) -> SessionDone + Send + 'static,
    {
        let is_known = self.known.as_ref().is_some_and(|(known, _)| *known == at);
        let is_followed = self.object == Some(at.0) && jobs.is_running(kind);
        if is_known || self.has_failed || is_followed {
            return;
        }
        self.object = Some(at.0);
        jobs.start(kind, work);
    }
}

/// The latest explanation and the latest change of the selected object.
#[derive(Default)]
pub struct MotionExplanationView {
    explanation: Followed<MotionExplanation>,
    change: Followed<MotionChange>,
    /// The object of which the user asked for the explanation.
    asked: Option<ObjectId>,
}

impl MotionExplanationView {
    /// The explanation of an object, without findings: that of another state while a new one is being made.
    pub fn of(&self, object: ObjectId) -> Option<&MotionExplanation> {
        let (at, found) = self.explanation.known.as_ref()?;
        found.as_ref().filter(|_| at.0 == object)
    }

    /// The latest change of an object before a state; `None` while it is searched, `Some(None)` where there is none.
    pub fn change(&self, at: ObjectAt) -> Option<Option<&MotionChange>> {
        let (known, found) = self.change.known.as_ref()?;
        (*known == at).then_some(found.as_ref())
    }

    /// Returns true for the object of which the user asked for it.
    pub fn is_asked(&self, object: ObjectId) -> bool {
        self.asked == Some(object)
    }

    /// Stores that the user asks for the explanation of an object, which the panel shows before any other. A stopped one is started again.
    pub(in crate::app) fn ask(&mut self, object: ObjectId) {
        self.asked = Some(object);
        let known = &mut self.explanation.known;
        *known = known.take().filter(|(_, found)| found.is_some());
    }

    /// Forgets of which object the user asked.
    pub(in crate::app) fn unask(&mut self) {
        self.asked = None;
    }

    /// Stores a finished explanation; `None` also of a stopped one, which is not started again by itself.
    pub(super) fn take(&mut self, at: ObjectAt, found: Option<MotionExplanation>) {
        self.explanation.known = Some((at, found));
    }

    /// Stores the latest change of an object before a state.
    pub(super) fn take_change(&mut self, at: ObjectAt, found: Option<MotionChange>) {
        self.change.known = Some((at, found));
    }

    /// Stores that a job failed.
    pub(super) fn failed(&mut self, kind: JobKind) {
        match kind {
            JobKind::LastChange => self.change.has_failed = true,
            _ => self.explanation.has_failed = true,
        }
    }

    /// Starts following an object back from a state, unless its explanation is known.
    pub(super) fn request(&mut self, replay: &Arc<Replay>, at: ObjectAt, jobs: &mut Jobs) {
        let replay = Arc::clone(replay);
        let kind = JobKind::ExplainMotion;
        self.explanation.request(kind, at, jobs, move |job| {
            SessionDone::ExplainMotion(at, explain_motion(&replay, at.0, at.1, job))
        });
    }

    /// Starts the search for the latest change of an object before a state, unless it is known.
    pub(super) fn request_change(&mut self, replay: &Arc<Replay>, at: ObjectAt, jobs: &mut Jobs) {
        let replay = Arc::clone(replay);
        self.change
            .request(JobKind::LastChange, at, jobs, move |job| {
                SessionDone::LastChange(at, last_change(&replay, at.0, at.1, job))
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
