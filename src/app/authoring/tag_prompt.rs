//! The prompt for groups: tags that objects share.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::{text, widget};
use crate::core::scene::Objects;
use egui::accesskit::Role;
use egui::{Context, Id, Key, Modal, RichText, TextEdit, Ui, WidgetInfo};
use std::collections::BTreeMap;

/// Greatest number of groups that are listed.
const MOST: usize = 40;

/// The prompt for a group, with the typed tag.
#[derive(Default)]
pub struct TagPrompt {
    word: String,
}

impl TagPrompt {
    /// Draws the prompt while it is open.
    pub fn ui(&mut self, ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
        let Some(scene_doc) = model.scene_doc().filter(|_| model.ui_state.tagging) else {
            return;
        };
        let objects = &scene_doc.scene.objects;
        let chosen = model.selection.objects().len();
        let answer = Modal::new(Id::unique("tag")).show(ctx, |ui| {
            ui.set_width(360.0);
            let title = match chosen {
                0 => "Groups".to_owned(),
                _ => format!("Group {}", text::count(chosen, "object")),
            };
            ui.label(RichText::new(title).strong().size(16.0));
            ui.label("The objects of a group have the same tag.");
            ui.add_space(6.0);
            if chosen > 0 {
                word(ui, &mut self.word, commands);
            }
            groups(ui, objects, commands);
            widget::dialog_buttons(ui, |ui| {
                if ui.button("Close the groups").clicked() {
                    commands.push(Command::ShowTagPrompt(false));
                }
            });
        });
        if answer.should_close() {
            commands.push(Command::ShowTagPrompt(false));
        }
    }
}

/// The field for a new tag.
fn word(ui: &mut Ui, text: &mut String, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let field = TextEdit::singleline(text)
            .hint_text("a tag for the selected objects")
            .desired_width(230.0);
        let response = ui.add(field);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "tag"));
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let button = ui.button("Add tag");
        if (entered || button.clicked()) && !text.trim().is_empty() {
            commands.push(Command::Tag(text.trim().to_owned()));
            commands.push(Command::ShowTagPrompt(false));
            text.clear();
        }
        if !response.has_focus() && ui.memory(|memory| memory.focused().is_none()) {
            response.request_focus();
        }
    });
}

/// The groups of the scene: a click selects one.
fn groups(ui: &mut Ui, objects: &Objects, commands: &mut Vec<Command>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in objects.iter().flat_map(|object| &object.tags) {
        *counts.entry(tag).or_default() += 1;
    }
    if counts.is_empty() {
        ui.weak("There is no group yet.");
        return;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by(|one, other| text::by_name(one.0, other.0));
    ui.add_space(6.0);
    ui.weak("Select a group:");
    ui.horizontal_wrapped(|ui| {
        for (tag, count) in counts.into_iter().take(MOST) {
            let text = format!("{tag}  {count}");
            let button = ui.button(text);
            let name = format!("Select group {tag}");
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if button.clicked() {
                commands.push(Command::SelectTag(tag.to_owned()));
                commands.push(Command::ShowTagPrompt(false));
            }
        }
    });
}
