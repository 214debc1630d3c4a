//! The History panel: the edits of the scene.

use crate::app::command::Command;
use crate::app::list_row::ListRow;
use crate::app::model::Model;
use crate::app::style::ROW;
use crate::app::widget;
use egui::{ScrollArea, Ui};
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
    let row = ListRow {
        text,
        selected: index == done,
        dimmed: index > done,
        ..ListRow::default()
    };
    let help = "Undo or redo up to this edit";
    if row.show(ui).on_hover_text(help).clicked() {
        commands.push(Command::GoInHistory(index));
    }
}
