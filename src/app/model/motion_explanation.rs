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

    /// Stores that the user asks for the explanation of an object, which the panel shows before any other.
    pub(in crate::app) fn ask(&mut self, object: ObjectId) {
        self.asked = Some(object);
    }

    /// Forgets of which object the user asked.
    pub(in crate::app) fn unask(&mut self) {
        self.asked = None;
    }

    /// Stores a finished explanation.
    pub(super) fn take(&mut self, place: (ObjectId, u32), found: Option<MotionExplanation>) {
        self.known = Some((place, found));
    }

    /// Stores that the job failed.
    pub(super) fn failed(&mut self) {
        self.has_failed = true;
    }

    /// Starts following an object back from a state, unless it is known.
    pub(super) fn request(&self, replay: &Arc<Replay>, place: (ObjectId, u32), jobs: &mut Jobs) {
        let is_known = self
            .known
            .as_ref()
            .is_some_and(|(known, _)| *known == place);
        // One job at a time; the latest request comes next.
        if is_known || self.has_failed || jobs.is_running(JobKind::ExplainMotion) {
            return;
        }
        let replay = Arc::clone(replay);
        jobs.start(JobKind::ExplainMotion, move |_| {
            SessionDone::ExplainMotion(place, explain_motion(&replay, place.0, place.1))
        });
    }
}
