//! The scene that is written.

use crate::app::authoring::{Change, Tools};
use crate::app::model::Model;
use crate::core::replay::ObjectId;

/// Changes the selected objects, if there are any.
pub(super) fn on_selected(model: &mut Model, change: impl FnOnce(Vec<ObjectId>) -> Change) {
    let selected = model.selection.objects().to_vec();
    if !selected.is_empty() {
        model.edit(change(selected));
    }
}

/// Changes how the tools work, from run to run.
pub(super) fn change_tools(model: &mut Model, change: impl FnOnce(&mut Tools)) {
    change(&mut model.settings.tools);
    model.save_settings();
}

/// Asks for a tag, which only a scene has, or stops asking.
pub(super) fn ask_tag(model: &mut Model, asked: bool) {
    model.look.tagging = asked && model.authored().is_some();
}
