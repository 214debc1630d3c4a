//! The cheat sheet: all keyboard shortcuts and mouse actions.

use crate::app::command::Command;
use crate::app::entry::{Group, TABLE};
use crate::app::model::Model;
use crate::app::widget;
use egui::{Align2, Context, Grid, RichText, ScrollArea, Ui, Window};

/// The mouse actions in the viewport, on the timeline and in the gap plot.
const MOUSE: [(&str, &str); 12] = [
    ("Left drag", "Orbit the view"),
    ("Shift + left drag", "Box select"),
    ("Middle drag, or Ctrl+drag", "Pan the view"),
    ("Wheel", "Zoom the view"),
    ("Two fingers on a trackpad", "Pan the view"),
    ("Pinch, or Ctrl + two fingers", "Zoom the view"),
    ("Right held", "Fly with W A S D Q E"),
    ("Click", "Select"),
    ("Ctrl+click", "Add to the selection"),
    ("Drag on the ruler", "Move the playhead"),
    ("Wheel on the ruler", "Zoom the time axis"),
    ("Drag on the gap plot", "Move inside the frame"),
];

/// The space around the columns, points: the title, margins, and a border to the window.
const FRAME: f32 = 90.0;

/// The width of all columns, points; a narrower window scrolls them.
const COLUMNS: f32 = 1240.0;

/// Draws the cheat sheet if it is open.
pub fn show(ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
    let mut open = model.ui_state.cheat_sheet;
    Window::new("Keyboard and mouse")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ctx, |ui| {
            // Rows are as high as their text, so that most windows need no scrolling.
            ui.spacing_mut().interact_size.y = 0.0;
            let window = ctx.content_rect().size();
            let height = (window.y - FRAME).max(100.0);
            let width = (window.x - FRAME).clamp(200.0, COLUMNS);
            ScrollArea::both()
                .max_width(width)
                .min_scrolled_width(width)
                .max_height(height)
                .min_scrolled_height(height)
                .show(ui, columns);
        });
    if open != model.ui_state.cheat_sheet {
        commands.push(Command::ToggleCheatSheet);
    }
}

/// Draws the groups in columns of about the same height.
fn columns(ui: &mut Ui) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 28.0;
        for groups in [
            &[Group::Time][..],
            &[Group::File, Group::New, Group::Edit, Group::Selection],
            &[Group::Findings, Group::Compare, Group::Camera, Group::Help],
            &[Group::View],
        ] {
            ui.vertical(|ui| {
                for &group in groups {
                    keys_of(ui, group);
                }
                if groups.contains(&Group::Help) {
                    mouse(ui);
                }
            });
        }
    });
}

fn keys_of(ui: &mut Ui, group: Group) {
    let entries = || {
        TABLE
            .iter()
            .filter(|entry| entry.group == group && !entry.keys.is_empty())
    };
    ui.label(RichText::new(group.title()).strong());
    Grid::new(group.title())
        .num_columns(2)
        .spacing([14.0, 3.0])
        .show(ui, |ui| {
            for entry in entries() {
                let keys: Vec<String> = entry
                    .keys
                    .iter()
                    .map(|keys| widget::keys_text(ui, keys))
                    .collect();
                row(ui, &keys.join("   "), entry.text);
            }
        });
    ui.add_space(10.0);
}

fn mouse(ui: &mut Ui) {
    ui.label(RichText::new("Mouse").strong());
    Grid::new("mouse")
        .num_columns(2)
        .spacing([14.0, 3.0])
        .show(ui, |ui| {
            for (input, action) in MOUSE {
                row(ui, input, action);
            }
        });
}

fn row(ui: &mut Ui, keys: &str, action: &str) {
    ui.label(RichText::new(keys).monospace().weak());
    ui.label(action);
    ui.end_row();
}
