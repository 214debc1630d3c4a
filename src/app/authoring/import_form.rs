//! The dialog for importing a mesh file: its content and the options.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::{text, widget};
use crate::core::import::ImportAs;
use crate::core::shape::Facing;
use egui::{Context, Id, Key, Modal, RichText, ScrollArea, Ui};

/// Draws the dialog while a file is being imported.
pub fn show(ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
    let Some(import) = model.import() else {
        return;
    };
    let answer = Modal::new(Id::unique("import")).show(ctx, |ui| {
        ui.set_width(440.0);
        let name = import
            .path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let title = format!("Import {}", name.unwrap_or_default());
        ui.label(RichText::new(title).strong().size(16.0));
        ui.add_space(4.0);
        let geometry = &import.geometry;
        for (wanted, words, help) in [
            (
                ImportAs::Colliders,
                "its colliders",
                "What the file marks as colliders, by name or by extension",
            ),
            (
                ImportAs::Parts,
                "an object for each part",
                "Every node with a mesh, at its position",
            ),
            (
                ImportAs::OneMesh,
                "one mesh",
                "All triangles; where meshes are marked as colliders, those alone",
            ),
        ] {
            let count = geometry.count(wanted);
            let triangles = text::count(geometry.triangles(wanted), "triangle");
            let words = format!("As {words}: {}, {triangles}", text::count(count, "object"));
            ui.add_enabled_ui(count > 0, |ui| {
                let choice = widget::outlined(ui, |ui| ui.radio(import.wanted == wanted, words));
                if choice.on_hover_text(help).clicked() {
                    commands.push(Command::SetImportOptions(wanted, import.facing));
                }
            });
        }
        let mut front = import.facing == Facing::Front;
        let help = "From behind, things pass through its triangles";
        let text = "Solid from the front only";
        if widget::outlined(ui, |ui| ui.checkbox(&mut front, text))
            .on_hover_text(help)
            .changed()
        {
            let facing = if front { Facing::Front } else { Facing::Both };
            commands.push(Command::SetImportOptions(import.wanted, facing));
        }
        notices(
            ui,
            geometry
                .notices
                .iter()
                .map(|notice| notice.what.as_str())
                .collect(),
        );
        widget::dialog_buttons(ui, |ui| {
            if ui.add(widget::primary_button(ui, "Import")).clicked() {
                commands.push(Command::CloseImport(true));
            }
            if ui.button("Cancel").clicked() {
                commands.push(Command::CloseImport(false));
            }
        });
    });
    if answer.should_close() || ctx.input(|input| input.key_pressed(Key::Escape)) {
        commands.push(Command::CloseImport(false));
    }
}

/// Parts of the file that cannot be imported as they are.
fn notices(ui: &mut Ui, notices: Vec<&str>) {
    if notices.is_empty() {
        return;
    }
    ui.add_space(4.0);
    ScrollArea::vertical()
        .max_height(120.0)
        .show_rows(ui, 18.0, notices.len(), |ui, range| {
            for notice in &notices[range] {
                ui.add(egui::Label::new(RichText::new(*notice).weak()).truncate());
            }
        });
}
