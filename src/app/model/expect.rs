//! Adding expectations to the scene.

use super::messages::Severity;
use super::{Model, Session};
use crate::core::edit::Edit;
use crate::core::problem::Problem;
use crate::core::scene::Expectation;

impl Model {
    /// Adds an expectation to the scene; adds a message for a recording.
    pub fn expect(&mut self, wanted: Expectation) {
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        let known = &document.level.replay.scene().expect;
        let refused = if known.iter().any(|one| one.expectation == wanted) {
            Some((
                "the scene already has this expectation",
                "its result is in the list of expectations",
            ))
        } else if document.scene_doc.is_none() {
            Some((
                "a recording has no expectations: they need a scene",
                "save this frame as a scene: Findings > Save frame as test scene (Ctrl+Shift+S); `hitstop convert LOG SCENE.ron` makes one of the whole log",
            ))
        } else {
            None
        };
        match refused {
            Some((what, help)) => {
                let problem = Problem::new(document.source.name(), what, help);
                self.messages.add(Severity::Notice, problem);
            }
            None => self.edit(Edit::AddExpectation(wanted)),
        }
    }
}
