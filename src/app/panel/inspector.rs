//! The Inspector panel: values and fields of the selected finding, pair and objects.

mod finding;
mod in_build;
mod object;
mod pair;
mod relevant_fields;
mod strip;
mod what_if;

use crate::app::authoring::array_form::ArrayForm;
use crate::app::authoring::scene_form;
use crate::app::command::Command;
use crate::app::keyboard_focus;
use crate::app::model::{JobKind, Model, Session};
use crate::app::widget;
use crate::core::edit::ArrayLayout;
use crate::core::replay::ObjectId;
use egui::{CollapsingHeader, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

/// The inspector, of the selected objects and finding, or of the scene.
#[derive(Default)]
pub struct Inspector {
    array: ArrayForm,
    /// The document, finding and objects of the last pass.
    shown: Option<(String, Option<usize>, Vec<ObjectId>)>,
}

impl Inspector {
    /// Shows the form of an array of the selected objects.
    pub fn show_array_form(&mut self, layout: ArrayLayout) {
        self.array.begin(layout);
    }

    /// Draws the inspector.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(Session {
            document, derived, ..
        }) = &model.session
        else {
            return;
        };
        if model.selection.objects().is_empty()
            && model.finding().is_none()
            && model.scene_doc().is_some()
        {
            let area = ScrollArea::vertical().id_salt("scene").auto_shrink(false);
            area.show(ui, |ui| {
                scene_form::show(ui, model, commands);
                keyboard_focus::follow(ui);
            });
            return;
        }
        if model.selection.objects().is_empty() && model.finding().is_none() {
            let help = "Click a finding, or an object in the list or in the viewport. Ctrl+click a second one to see the pair.";
            widget::empty_state(
                ui,
                icons::ICON_ARROW_SELECTOR_TOOL,
                "Nothing selected",
                help,
            );
            return;
        }
        let mut area = ScrollArea::vertical()
            .id_salt("inspector")
            .auto_shrink(false);
        if self.is_changed(model) {
            area = area.vertical_scroll_offset(0.0);
        }
        area.show(ui, |ui| {
            if let Some(finding) = model.selected_finding() {
                finding::show(ui, model, finding, commands);
                if relevant_fields::any(model) {
                    section(ui, "Relevant fields", true, |ui| {
                        relevant_fields::show(ui, model, commands);
                    });
                }
                if let Some(search) = &derived.what_if_search {
                    let share = model.jobs.progress(JobKind::SearchWhatIf).flatten();
                    section(ui, "What if", true, |ui| {
                        what_if::show(ui, search.state(), share, model.units())
                    });
                }
                ui.add_space(6.0);
            }
            if let Some(pair) = &derived.pair {
                section(ui, "Pair in this frame", true, |ui| {
                    pair::show(ui, document, pair, commands);
                });
            }
            let alone = derived.pair.is_none();
            for &id in model.selection.objects().iter().rev().take(8) {
                if let Some(object) = document.replay().objects().get(id as usize) {
                    section(ui, &object.name, alone, |ui| {
                        object::show(ui, model, document, (id, object), commands);
                    });
                }
            }
            let scene = model.scene_doc().map(|scene_doc| &scene_doc.scene);
            let selected = model.selection.objects();
            if !selected.is_empty() && scene.is_some_and(|scene| scene.recording.is_none()) {
                self.array.ui(ui, selected, commands);
            }
            keyboard_focus::follow(ui);
        });
    }

    /// Returns true if the inspected finding or selection has changed since the last pass.
    fn is_changed(&mut self, model: &Model) -> bool {
        let name = model.document().map(|one| one.source.name());
        let objects = model.selection.objects().to_vec();
        let shown = name.map(|name| (name, model.finding(), objects));
        let before = std::mem::replace(&mut self.shown, shown);
        before != self.shown
    }
}

fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(title).strong())
        // An object that was collapsed among others opens when it is selected alone.
        .id_salt(("section", title, open))
        .default_open(open)
        .show_unindented(ui, add);
    ui.add_space(4.0);
}
