//! The dialog for importing a mesh file: its content and the options.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::import::Import;
use crate::app::{text, widget};
use crate::core::import::ImportAs;
use crate::core::scene::{Axis, Units};
use crate::core::shape::Facing;
use egui::accesskit::Role;
use egui::{Button, Context, Id, Key, Modal, RichText, ScrollArea, Ui, WidgetInfo};

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
        units(ui, import, commands);
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
            let confirm = ui.add(widget::primary_button(ui, "Import"));
            let confirm = confirm.on_hover_text("Add the objects to the scene (Enter)");
            let entered = ui.input(|input| input.key_pressed(Key::Enter));
            // Enter on a focused button presses that one.
            if confirm.clicked() || entered && ui.memory(|memory| memory.focused().is_none()) {
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

/// The unit and the up axis of the file, and its size in them.
fn units(ui: &mut Ui, import: &Import, commands: &mut Vec<Command>) {
    let name = import.path.extension().unwrap_or_default();
    // A glTF file is in metres with Y up.
    let is_free = name.eq_ignore_ascii_case("obj");
    let reason = "glTF files are in metres with Y up";
    let mut option = |ui: &mut Ui, text: &str, name: &str, units: Units| {
        let on = import.units == units;
        let enabled = is_free || on;
        let response = ui.add_enabled(enabled, Button::selectable(on, text));
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, enabled, on, name));
        if response.on_disabled_hover_text(reason).clicked() {
            commands.push(Command::SetImportUnits(units));
        }
    };
    ui.horizontal(|ui| {
        ui.label("Unit");
        for (text, length) in [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("inch", 0.0254)] {
            let units = Units {
                length,
                ..import.units
            };
            option(ui, text, &format!("Unit {text}"), units);
        }
        ui.add_space(12.0);
        ui.label("Up");
        for (text, up) in [("Y", Axis::Y), ("Z", Axis::Z)] {
            let units = Units { up, ..import.units };
            option(ui, text, &format!("{text} up"), units);
        }
    });
    if let Some(size) = import.size {
        let [x, y, z] = size.to_array().map(text::metres);
        ui.label(format!("Size: {x} wide, {y} high, {z} deep"));
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
