//! The fields of the scene and its objects that matter for the selected finding, at hand to be changed.

use crate::app::authoring::marks::Marks;
use crate::app::authoring::{object_form, scene_form};
use crate::app::command::Command;
use crate::app::model::Model;
use egui::{RichText, Ui};

/// Is there any such field?
pub fn any(model: &Model) -> bool {
    let finding = model.selected_finding();
    let any = finding.is_some_and(|finding| !finding.cause.relevant_fields().is_empty());
    any && model.authored().is_some()
}

/// Draws them.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let (Some(finding), Some(authored)) = (model.selected_finding(), model.authored()) else {
        return;
    };
    let steps = authored.scene.recording.is_none();
    for id in [finding.object_a, finding.object_b].into_iter().flatten() {
        let object = authored.scene.objects.get(id as usize);
        let Some(object) = object.filter(|_| steps) else {
            continue;
        };
        let marks = Marks::of_object(Some(finding), id, object).alone();
        if !marks.any() {
            continue;
        }
        ui.label(RichText::new(&object.name).strong());
        marks.over(ui, |ui| object_form::show_marked(ui, id, object, commands));
        ui.add_space(4.0);
    }
    scene_form::show_marked(ui, model, commands);
}
