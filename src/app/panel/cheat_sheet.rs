//! Every key, and what the mouse does.

use crate::app::command::{Command, Group, TABLE};
use crate::app::model::Model;
use crate::app::widget;
use egui::{Align2, Context, Grid, RichText, ScrollArea, Ui, Window};

/// What the mouse does in the picture and on the timeline.
const MOUSE: [(&str, &str); 10] = [
    ("Left drag", "turn the view"),
    ("Shift + left drag", "select what is in the box"),
    ("Middle drag", "move the view"),
    ("Wheel", "closer, farther"),
    ("Right held", "fly with W A S D Q E"),
    ("Click", "select"),
    ("Ctrl+click", "add to the selection"),
    ("Drag on the ruler", "move through time"),
    ("Wheel on the ruler", "zoom into time"),
    ("Drag on the gap plot", "move inside the frame"),
];

/// Points around the columns: the title, margins, and a border of the window behind.
const FRAME: f32 = 90.0;

/// Width of all columns beside each other, points; a narrower window scrolls them.
const COLUMNS: f32 = 1240.0;

/// Draws the cheat-sheet when it is open.
pub fn show(ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
    let mut open = model.look.cheat_sheet;
    Window::new("Keyboard and mouse")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ctx, |ui| {
            // A low window scrolls; rows are as high as their text, so that most need not.
            ui.spacing_mut().interact_size.y = 0.0;
            let room = ctx.content_rect().size();
            let height = (room.y - FRAME).max(100.0);
            let wide = (room.x - FRAME).clamp(200.0, COLUMNS);
            ScrollArea::both()
                .max_width(wide)
                .min_scrolled_width(wide)
                .max_height(height)
                .min_scrolled_height(height)
                .show(ui, columns);
        });
    if open != model.look.cheat_sheet {
        commands.push(Command::ToggleCheatSheet);
    }
}

/// Columns of about the same height.
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
            for (action, effect) in MOUSE {
                row(ui, action, effect);
            }
        });
}

fn row(ui: &mut Ui, keys: &str, what: &str) {
    ui.label(RichText::new(keys).monospace().weak());
    ui.label(what);
    ui.end_row();
}
