//! Commands of the comparison with another replay.

use crate::app::model::Dialog;
use crate::app::model::{Effect, Model};

/// Shows the dialog for the file to compare with.
pub(super) fn show_file_dialog(model: &mut Model) {
    if model.session.is_some() {
        model.effects.push(Effect::OpenDialog(Dialog::Compare));
    }
}

/// Selects an object of the list of differences, by its index.
pub(super) fn select(model: &mut Model, index: usize) {
    model.go_to_difference(index);
}

/// Closes the comparison; the previous run is kept.
pub(super) fn stop(model: &mut Model) {
    if let Some(session) = &mut model.session {
        session.compare.stop(&mut model.jobs);
    }
}
