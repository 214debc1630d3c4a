//! The bodies that ended outside of the fixed world, each with the finding that let it out.

use crate::app::command::Command;
use crate::app::{style, text, widget};
use crate::core::diagnose::Outside;
use egui::{CollapsingHeader, Frame, Panel, RichText, ScrollArea, Ui};

/// Height of the unfolded list, points.
const HEIGHT: f32 = 96.0;
/// In a panel lower than this it is hidden, points.
const LOW: f32 = 220.0;

/// Draws a line at the bottom that unfolds: a click on a body goes to the finding that let it out, or to the body where it ended.
pub fn show(ui: &mut Ui, outside: &[Outside], commands: &mut Vec<Command>) {
    if outside.is_empty() || ui.available_height() < LOW {
        return;
    }
    let bodies = text::count_of(outside.len(), "body", "bodies");
    let font = style::small();
    Panel::bottom("ended outside")
        .frame(Frame::NONE)
        .show_separator_line(false)
        .show(ui, |ui| {
            let title = widget::header_title(ui, &format!("{bodies} ended outside"), &font);
            let header = CollapsingHeader::new(RichText::new(title).font(font));
            header.show_unindented(ui, |ui| {
                let area = ScrollArea::vertical().max_height(HEIGHT);
                let row = ui.text_style_height(&egui::TextStyle::Body);
                area.show_rows(ui, row, outside.len(), |ui, rows| {
                    for body in &outside[rows] {
                        one(ui, body, commands);
                    }
                });
            });
        });
}

fn one(ui: &mut Ui, body: &Outside, commands: &mut Vec<Command>) {
    let line = format!("{}: {}", body.object, body.how());
    let line = RichText::new(line).font(style::small());
    let link = ui.add(egui::Link::new(line));
    if !link.clicked() {
        return;
    }
    match (body.finding, body.id) {
        (Some(index), _) => commands.push(Command::SelectFinding(index)),
        (None, Some(id)) => {
            commands.push(Command::Select(Some(id)));
            commands.push(Command::Seek {
                frame: body.last_state,
                fraction: 0.0,
            });
            commands.push(Command::FrameSelection);
        }
        (None, None) => {}
    }
}
