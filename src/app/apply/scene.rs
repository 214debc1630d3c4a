//! Commands that edit the scene.

use crate::app::authoring::Tools;
use crate::app::dock::Pane;
use crate::app::model::{Effect, Field, Model};
use crate::core::edit::{ArrayLayout, Edit, toggle_camera};
use crate::core::replay::ObjectId;

/// Edits the selected objects.
pub(super) fn on_selected(model: &mut Model, change: impl FnOnce(Vec<ObjectId>) -> Edit) {
    model.edit(change(model.selection.objects().to_vec()));
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

/// Gives the scene a camera and shows its panel.
pub(super) fn add_camera(model: &mut Model) {
    let Some(scene_doc) = model.scene_doc() else {
        return;
    };
    let (_, change) = toggle_camera(&scene_doc.scene);
    model.edit(change);
    super::view::show_pane(model, Pane::Camera);
}

/// Focuses the name of the latest of the selected objects, in the inspector.
pub(super) fn rename(model: &mut Model) {
    model.show_pane(Pane::Inspector);
    model.effects.push(Effect::Focus(Field::Name));
}
