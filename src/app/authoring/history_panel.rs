//! The History panel: the edits of the scene.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::style::ROW;
use crate::app::widget;
use egui::accesskit::Role;
use egui::{ScrollArea, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};
use egui_material_icons::icons;

/// Draws the list of edits.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(scene_doc) = model.scene_doc() else {
        let help = "Recordings are read-only. Save a frame as a test scene to edit it.";
        widget::empty_state(ui, icons::ICON_HISTORY, "No scene", help);
        return;
    };
    let (names, done) = scene_doc.history.names();
    if names.is_empty() {
        let help = "Edits of the scene are listed here. Click one to undo or redo up to it.";
        widget::empty_state(ui, icons::ICON_HISTORY, "No changes yet", help);
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true);
    area.show_rows(ui, ROW, names.len() + 1, |ui, range| {
        for index in range {
            let text = match index.checked_sub(1) {
                Some(change) => names[change],
                None => "As opened",
            };
            row(ui, index, text, done, commands);
        }
    });
}

fn row(ui: &mut Ui, index: usize, text: &str, done: usize, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let here = index == done;
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, here, text));
    if let Some(painter) = widget::row_background(ui, rect, response.hovered(), here) {
        let visuals = ui.visuals();
        let color = match index {
            _ if here => visuals.selection.stroke.color,
            index if index < done => visuals.text_color(),
            _ => visuals.weak_text_color(),
        };
        let font = TextStyle::Body.resolve(ui.style());
        let at = pos2(rect.left() + 8.0, rect.center().y);
        widget::line(&painter, at, rect.width() - 12.0, text, font, color);
    }
    if response
        .on_hover_text("Undo or redo up to this edit")
        .clicked()
    {
        commands.push(Command::GoInHistory(index));
    }
}
