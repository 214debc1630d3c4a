//! The dialog for importing a mesh file: its content and the options.

use crate::app::command::Command;
use crate::app::model::Model;
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
        // A glTF file is in metres with Y up.
        let is_free = import
            .path
            .extension()
            .unwrap_or_default()
            .eq_ignore_ascii_case("obj");
        let reason = (!is_free).then_some("glTF files are in metres with Y up");
        if let Some(units) = units(ui, import.units, reason) {
            commands.push(Command::SetImportUnits(units));
        }
        if let Some(size) = import.size {
            let [x, y, z] = size.to_array().map(text::metres);
            ui.label(format!("Size: {x} wide, {y} high, {z} deep"));
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
        let tooltip = "Add the objects to the scene (Enter)";
        if let Some(take) = confirm(ui, "Import", tooltip, true) {
            commands.push(Command::CloseImport(take));
        }
    });
    if answer.should_close() || ctx.input(|input| input.key_pressed(Key::Escape)) {
        commands.push(Command::CloseImport(false));
    }
}

/// The buttons of a form; returns true for the primary one or Enter, false for Cancel.
pub(super) fn confirm(ui: &mut Ui, text: &str, tooltip: &str, enabled: bool) -> Option<bool> {
    let mut reply = None;
    widget::dialog_buttons(ui, |ui| {
        let button = ui.add_enabled(enabled, widget::primary_button(ui, text));
        let button = button
            .on_hover_text(tooltip)
            .on_disabled_hover_text(tooltip);
        let entered = ui.input(|input| input.key_pressed(Key::Enter));
        // Enter on a focused button presses that one.
        let entered = entered && ui.memory(|memory| memory.focused().is_none());
        if button.clicked() || (entered && enabled) {
            reply = Some(true);
        }
        if ui.button("Cancel").clicked() {
            reply = Some(false);
        }
    });
    reply
}

/// The unit and the up axis of a file; returns the chosen ones. `reason` is why there is no choice.
pub(super) fn units(ui: &mut Ui, units: Units, reason: Option<&str>) -> Option<Units> {
    let mut chosen = None;
    let mut option = |ui: &mut Ui, text: &str, name: &str, wanted: Units| {
        let on = units == wanted;
        let enabled = reason.is_none() || on;
        let response = ui.add_enabled(enabled, Button::selectable(on, text));
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, enabled, on, name));
        let response = response.on_disabled_hover_text(reason.unwrap_or_default());
        if response.clicked() {
            chosen = Some(wanted);
        }
    };
    ui.horizontal(|ui| {
        ui.label("Unit");
        for (text, length) in [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("inch", 0.0254)] {
            let wanted = Units { length, ..units };
            option(ui, text, &format!("Unit {text}"), wanted);
        }
        ui.add_space(12.0);
        ui.label("Up");
        for (text, up) in [("Y", Axis::Y), ("Z", Axis::Z)] {
            let wanted = Units { up, ..units };
            option(ui, text, &format!("{text} up"), wanted);
        }
    });
    chosen
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
