//! The level held against another replay.

use crate::app::model::Dialog;
use crate::app::model::{Effect, Model};

/// Asks for the file to hold the level against.
pub(super) fn ask_for_file(model: &mut Model) {
    if model.session.is_some() {
        model.effects.push(Effect::Ask(Dialog::Compare));
    }
}

/// Selects an object of those that differ, by hand.
pub(super) fn select(model: &mut Model, index: usize) {
    model.go_to_difference(index);
}

/// Ends the comparison; an earlier run stays.
pub(super) fn stop(model: &mut Model) {
    if let Some(session) = &mut model.session {
        session.compare.stop(&mut model.jobs);
    }
}
