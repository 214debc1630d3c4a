//! Editable fields of the scene and its objects that are relevant to the selected finding.

use crate::app::authoring::marks::Marks;
use crate::app::authoring::{object_form, scene_form};
use crate::app::command::Command;
use crate::app::model::Model;
use egui::{RichText, Ui};

/// Returns true if there is a relevant field.
pub fn any(model: &Model) -> bool {
    let finding = model.selected_finding();
    let any = finding.is_some_and(|finding| !finding.cause.relevant_fields().is_empty());
    any && model.scene_doc().is_some()
}

/// Draws the fields.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let (Some(finding), Some(scene_doc)) = (model.selected_finding(), model.scene_doc()) else {
        return;
    };
    let steps = scene_doc.scene.recording.is_none();
    for id in [finding.object_a, finding.object_b].into_iter().flatten() {
        let object = scene_doc.scene.objects.get(id as usize);
        let Some(object) = object.filter(|_| steps) else {
            continue;
        };
        let marks = Marks::of_object(Some(finding), id, object).alone();
        if !marks.any() {
            continue;
        }
        ui.label(RichText::new(&object.name).strong());
        object_form::show_marked(ui, &marks, id, object, commands);
        ui.add_space(4.0);
    }
    scene_form::show_marked(ui, model, commands);
}
