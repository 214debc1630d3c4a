//! Commands that edit the scene.

use crate::app::authoring::Tools;
use crate::app::dock::Pane;
use crate::app::model::{Effect, Model};
use crate::core::edit::{ArrayLayout, Edit, toggle_camera};
use crate::core::replay::ObjectId;

/// Edits the selected objects, if there are any.
pub(super) fn on_selected(model: &mut Model, change: impl FnOnce(Vec<ObjectId>) -> Edit) {
    let selected = model.selection.objects().to_vec();
    if !selected.is_empty() {
        model.edit(change(selected));
    }
}

/// Shows the form for an array of the selected objects, in this layout.
pub(super) fn show_array_form(model: &mut Model, order: ArrayLayout) {
    model.show_pane(Pane::Inspector);
    model.effects.push(Effect::ShowArrayForm(order));
}

/// Changes the settings of the tools and saves them.
pub(super) fn change_tools(model: &mut Model, change: impl FnOnce(&mut Tools)) {
    change(&mut model.settings.tools);
    model.save_settings();
}

/// Gives the scene a camera, unless it has one, and shows its panel.
pub(super) fn add_camera(model: &mut Model) {
    let scene = model.scene_doc().map(|scene_doc| &scene_doc.scene);
    let Some(scene) = scene.filter(|scene| scene.recording.is_none() && scene.camera.is_none())
    else {
        return;
    };
    let (_, change) = toggle_camera(scene);
    model.edit(change);
    super::view::show_pane(model, Pane::Camera);
}

/// Shows or hides the prompt for a tag; a recording has no tags.
pub(super) fn show_tag_prompt(model: &mut Model, shown: bool) {
    model.ui_state.tagging = shown && model.scene_doc().is_some();
}
