//! The scene that is written.

use crate::app::authoring::Tools;
use crate::app::dock::Pane;
use crate::app::model::messages::Severity;
use crate::app::model::{Effect, Model};
use crate::core::edit::{ArrayLayout, Edit, toggle_camera};
use crate::core::problem::Problem;
use crate::core::replay::ObjectId;

/// Changes the selected objects, if there are any.
pub(super) fn on_selected(model: &mut Model, change: impl FnOnce(Vec<ObjectId>) -> Edit) {
    let selected = model.selection.objects().to_vec();
    if !selected.is_empty() {
        model.edit(change(selected));
    }
}

/// Opens the form of an array of the selected objects, set to an order.
pub(super) fn set_out(model: &mut Model, order: ArrayLayout) {
    let Some(authored) = model.authored() else {
        return;
    };
    let refused = if authored.scene.recording.is_some() {
        Some(("poses come from a log: it has no copies", ""))
    } else if model.selection.objects().is_empty() {
        Some(("nothing is selected", "select what is to be copied"))
    } else {
        None
    };
    match refused {
        Some((what, help)) => {
            let problem = Problem::new("array", what, help);
            model.messages.add(Severity::Notice, problem);
        }
        None => {
            model.show_pane(Pane::Inspector);
            model.effects.push(Effect::SetOut(order));
        }
    }
}

/// Changes how the tools work, from run to run.
pub(super) fn change_tools(model: &mut Model, change: impl FnOnce(&mut Tools)) {
    change(&mut model.settings.tools);
    model.save_settings();
}

/// Gives the scene a camera, unless it has one, and shows its panel.
pub(super) fn add_camera(model: &mut Model) {
    let scene = model.authored().map(|authored| &authored.scene);
    let Some(scene) = scene.filter(|scene| scene.recording.is_none() && scene.camera.is_none())
    else {
        return;
    };
    let (_, change) = toggle_camera(scene);
    model.edit(change);
    super::view::show_pane(model, Pane::Camera);
}

/// Asks for a tag, which only a scene has, or stops asking.
pub(super) fn ask_tag(model: &mut Model, asked: bool) {
    model.look.tagging = asked && model.authored().is_some();
}
