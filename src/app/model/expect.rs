//! Adding to what a scene expects.

use super::Model;
use super::messages::Severity;
use crate::app::jobs::{self, Job, Source};
use crate::core::log::Format;
use crate::core::problem::Problem;
use crate::core::scene::Expectation;
use std::path::Path;

impl Model {
    /// Adds to what the scene expects, in its own file, and reads it again; says why where there is no scene to add it to.
    pub fn expect(&mut self, wanted: Expectation) {
        let Some(document) = &self.document else {
            return;
        };
        let source = document.source.clone();
        let known = &document.level.replay.scene().expect;
        let refused = match &source {
            _ if known.iter().any(|one| one.claim == wanted) => Some((
                "the scene expects this already",
                "its result is in the list of expectations",
            )),
            Source::Bundled(_) => Some((
                "a bundled level cannot be changed",
                "save a copy of its scene, and open that",
            )),
            Source::File(path) if Format::of_path(path).is_some() => Some((
                "a recording holds no expectations: they need a scene",
                "make one that replays it with `hitstop convert LOG SCENE.ron`, and open that",
            )),
            Source::File(_) => None,
        };
        match (refused, source) {
            (Some((what, mend)), source) => {
                let problem = Problem::new(source.name(), what, mend);
                self.messages.add(Severity::Notice, problem);
            }
            (None, Source::File(path)) if self.expecting.is_none() => {
                let job = jobs::add_expectation(path.clone(), wanted, self.wake.clone());
                self.expecting = Some((path, job));
            }
            // One change of the file at a time.
            (None, _) => {}
        }
    }

    /// Takes a change of the scene's file when it is done, and reads the file again.
    pub(super) fn take_expectation(&mut self) {
        let outcome = self.expecting.as_ref().and_then(|(_, job)| Job::poll(job));
        let (Some(outcome), Some((path, _))) = (outcome, &self.expecting) else {
            return;
        };
        let path = path.clone();
        self.expecting = None;
        match outcome {
            Ok(Ok(())) => self.read_again(&path),
            Ok(Err(problems)) => self.complain(problems),
            Err(fault) => self.own_fault(&path.display().to_string(), &fault),
        }
    }

    /// Reads a changed file again, when it is still the one that is open.
    fn read_again(&mut self, path: &Path) {
        let source = Source::File(path.to_path_buf());
        let open = self.document.as_ref().map(|document| &document.source);
        if open == Some(&source) {
            self.open(source);
        }
    }
}
