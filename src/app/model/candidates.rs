//! Candidate pairs of the selected object in the shown frame, listed by a background job.

use super::document::new_revision;
use super::job::{JobKind, Jobs, SessionDone};
use crate::core::diagnose::explain::{Candidate, candidates_of};
use crate::core::replay::{Frame, ObjectId, Replay};
use std::sync::Arc;

/// An object's candidates in one frame.
pub struct List {
    /// Unique for every list.
    pub revision: u64,
    /// The object whose candidates are listed.
    pub of: ObjectId,
    /// Number of the frame.
    pub frame: u32,
    /// Candidates, nearest first.
    pub candidates: Vec<Candidate>,
}

/// The latest list of candidates.
#[derive(Default)]
pub struct CandidatesView {
    list: Option<List>,
    /// True after a failure: the job is not started again for this scene.
    has_failed: bool,
}

impl CandidatesView {
    /// The latest list; the previous one while a new one is being made.
    pub fn list(&self) -> Option<&List> {
        self.list.as_ref()
    }

    /// Stores a finished list.
    pub(super) fn take(&mut self, of: ObjectId, frame: u32, candidates: Vec<Candidate>) {
        self.list = Some(List {
            revision: new_revision(),
            of,
            frame,
            candidates,
        });
    }

    /// Stores that the job failed.
    pub(super) fn failed(&mut self) {
        self.has_failed = true;
    }

    /// Starts listing the candidates of an object in a frame, unless they are listed.
    pub(super) fn request(
        &self,
        replay: &Arc<Replay>,
        frame: &Arc<Frame>,
        of: ObjectId,
        jobs: &mut Jobs,
    ) {
        let listed = self.list.as_ref().map(|list| (list.of, list.frame));
        // One job at a time; the latest request comes next.
        let listed = listed == Some((of, frame.number)) || self.has_failed;
        if listed || jobs.is_running(JobKind::Candidates) {
            return;
        }
        let (replay, frame) = (Arc::clone(replay), Arc::clone(frame));
        jobs.start(JobKind::Candidates, move |_| {
            SessionDone::Candidates(of, frame.number, candidates_of(&replay, &frame, of))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::job::JobDone;
    use super::*;
    use crate::app::test_levels::{level, sphere, wall};
    use glam::DVec3;

    #[test]
    fn candidates_of_the_requested_object_are_listed() {
        let replay = level(
            1.0,
            [
                sphere("ball", 0.5, DVec3::new(-5.0, 0.0, 0.0), DVec3::X * 10.0),
                wall("near", DVec3::ONE, DVec3::ZERO),
                wall("far", DVec3::ONE, DVec3::Z * 40.0),
            ],
        );
        let frame = replay.frame(0);
        let mut view = CandidatesView::default();
        let mut jobs = Jobs::new(Arc::new(|| ()));
        while view.list().is_none() {
            view.request(&replay, &frame, 0, &mut jobs);
            if let Some(JobDone::OfSession(SessionDone::Candidates(of, frame, candidates))) =
                jobs.receive().and_then(|one| one.result.ok())
            {
                view.take(of, frame, candidates);
            }
            std::thread::yield_now();
        }
        let list = view.list().unwrap();
        let names: Vec<&str> = list
            .candidates
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!((list.of, list.frame), (0, 0));
        assert_eq!(names, ["near", "far"]);
    }
}
