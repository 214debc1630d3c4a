//! Every candidate of the selected object in the shown frame, asked for beside the window.

use super::document::new_revision;
use crate::app::jobs::{Job, Wake};
use crate::core::diagnose::explain::{Candidate, candidates_of};
use crate::core::replay::{Frame, ObjectId, Replay};
use std::sync::Arc;

/// An object's candidates in one frame.
pub struct List {
    /// Another number for every list.
    pub revision: u64,
    /// Whose.
    pub of: ObjectId,
    /// In which frame.
    pub frame: u32,
    /// Nearest first.
    pub candidates: Vec<Candidate>,
}

/// The list at hand, and the one being made.
#[derive(Default)]
pub struct CandidatesView {
    list: Option<List>,
    asking: Option<(ObjectId, u32, Job<Vec<Candidate>>)>,
}

impl CandidatesView {
    /// The latest list; that of the frame or object before while a new one is being made.
    pub fn list(&self) -> Option<&List> {
        self.list.as_ref()
    }

    /// Nothing is known any more.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes what was asked, and asks for an object in a frame if that is not at hand.
    ///
    /// # Errors
    /// When asking failed, which is internal error.
    pub fn look(
        &mut self,
        replay: &Arc<Replay>,
        frame: &Arc<Frame>,
        of: ObjectId,
        wake: &Wake,
    ) -> Result<(), String> {
        if let Some((of, frame, job)) = &self.asking
            && let Some(outcome) = job.poll()
        {
            let (of, frame) = (*of, *frame);
            self.asking = None;
            let candidates = outcome?;
            self.list = Some(List {
                revision: new_revision(),
                of,
                frame,
                candidates,
            });
        }
        let wanted = (of, frame.number);
        let at_hand = self.list.as_ref().map(|list| (list.of, list.frame));
        // One at a time: what was asked last is asked next.
        if at_hand != Some(wanted) && self.asking.is_none() {
            let (replay, frame) = (Arc::clone(replay), Arc::clone(frame));
            let number = frame.number;
            let job = Job::start(wake.clone(), move |_| candidates_of(&replay, &frame, of));
            self.asking = Some((of, number, job));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{level, sphere, wall};
    use glam::DVec3;

    #[test]
    fn the_list_of_the_wanted_object_arrives() {
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
        let wake: Wake = Arc::new(|| {});
        while view.list().is_none() {
            view.look(&replay, &frame, 0, &wake).unwrap();
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
