//! The log: everything that was said since the window opened, in the order of time.

use crate::app::command::Command;
use crate::app::model::messages::{Message, Messages, Severity};
use crate::app::style::{self, ROW};
use crate::app::theme::Palette;
use crate::app::{text, text_focus, widget};
use egui::accesskit::Role;
use egui::{
    Align, Button, Color32, Frame, Label, Layout, Panel, Rect, RichText, ScrollArea, Sense,
    TextEdit, TextStyle, Ui, WidgetInfo, pos2, vec2,
};
use egui_material_icons::{MaterialIcon, icons};
use std::collections::BTreeSet;
use std::time::Duration;

/// Where a row's words begin, points: after the time and the mark.
const WORDS: f32 = 78.0;

/// The log's own state: what it lists.
#[derive(Default)]
pub struct Log {
    filter: String,
    hidden: BTreeSet<Severity>,
    chosen: Option<u64>,
    /// Places of the messages that pass, and what they were chosen for.
    listed: Vec<usize>,
    of: Option<Of>,
}

/// What a list was made for.
#[derive(PartialEq)]
struct Of {
    filter: String,
    hidden: BTreeSet<Severity>,
    said: usize,
    count: (u64, u32),
}

impl Log {
    /// Draws the log.
    pub fn ui(&mut self, ui: &mut Ui, messages: &Messages, commands: &mut Vec<Command>) {
        if messages.said().is_empty() {
            widget::empty_state(
                ui,
                icons::ICON_NOTES,
                "Nothing was said yet",
                "What the window tells you is kept here: open a level, and it says what it read.",
            );
            return;
        }
        self.bar(ui, messages, commands);
        self.choose(messages);
        if self.listed.is_empty() {
            let help = "No message of the chosen kinds contains this text.";
            widget::empty_state(ui, icons::ICON_FILTER_LIST_OFF, "Nothing passes", help);
            return;
        }
        self.detail(ui, messages, commands);
        self.rows(ui, messages);
    }

    fn bar(&mut self, ui: &mut Ui, messages: &Messages, commands: &mut Vec<Command>) {
        ui.horizontal(|ui| {
            for severity in Severity::ALL {
                let of = messages.said().iter();
                let count = of.filter(|said| said.severity == severity).count();
                self.switch(ui, severity, count);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                widget::command_button(ui, &Command::ClearLog, true, false, commands);
                let name = "Copy the listed messages";
                if widget::icon_button(ui, icons::ICON_CONTENT_COPY, name, "", false).clicked() {
                    commands.push(Command::CopyText(self.as_text(messages)));
                }
                let field = TextEdit::singleline(&mut self.filter)
                    .hint_text("Filter messages")
                    .desired_width(ui.available_width().min(260.0))
                    .margin(vec2(8.0, 3.0));
                let response = ui.add(field);
                response.widget_info(|| {
                    let mut info = WidgetInfo::text_edit(true, "", &self.filter, "");
                    info.label = Some("Filter messages".to_owned());
                    info
                });
                text_focus::restore_at_escape(&response, &mut self.filter);
                response.on_hover_text("List only messages with this text");
            });
        });
    }

    /// Lists messages of a kind, or leaves them out.
    fn switch(&mut self, ui: &mut Ui, severity: Severity, count: usize) {
        let on = !self.hidden.contains(&severity);
        let label = format!("{} {}", severity.label(), text::grouped(count as u64));
        let mut label = RichText::new(label).font(style::small());
        if !on {
            label = label.weak();
        }
        let response = ui.add(Button::new(label).small().selected(on));
        let name = format!("List messages: {}", severity.label());
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &name));
        let help = if on {
            "Leave these out"
        } else {
            "List these again"
        };
        if response.on_hover_text(help).clicked() && !self.hidden.remove(&severity) {
            self.hidden.insert(severity);
        }
    }

    /// The messages that pass; made anew only when there are others or the filter changed.
    fn choose(&mut self, messages: &Messages) {
        let of = Of {
            filter: self.filter.trim().to_lowercase(),
            hidden: self.hidden.clone(),
            said: messages.said().len(),
            count: messages.count(),
        };
        if self.of.as_ref() == Some(&of) {
            return;
        }
        let said = messages.said().iter().enumerate();
        self.listed = said
            .filter(|(_, said)| !of.hidden.contains(&said.severity))
            .filter(|(_, said)| said.text().to_lowercase().contains(&of.filter))
            .map(|(place, _)| place)
            .collect();
        self.of = Some(of);
    }

    fn as_text(&self, messages: &Messages) -> String {
        let listed = self.listed.iter().filter_map(|&at| messages.said().get(at));
        listed
            .map(|message| format!("{} {}\n", clock(message.at), message.text()))
            .collect()
    }

    fn rows(&mut self, ui: &mut Ui, messages: &Messages) {
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical()
            .auto_shrink(false)
            .stick_to_bottom(true)
            .show_rows(ui, ROW, self.listed.len(), |ui, range| {
                let listed = self.listed[range].iter();
                for message in listed.filter_map(|&at| messages.said().get(at)) {
                    let chosen = self.chosen == Some(message.id);
                    if row(ui, message, chosen) {
                        self.chosen = (!chosen).then_some(message.id);
                    }
                }
            });
    }

    /// The chosen message, whole.
    fn detail(&self, ui: &mut Ui, messages: &Messages, commands: &mut Vec<Command>) {
        let chosen = messages.said().iter().rev();
        let Some(message) = chosen.into_iter().find(|said| Some(said.id) == self.chosen) else {
            return;
        };
        Panel::bottom("chosen message")
            .frame(Frame::new().inner_margin(4))
            .show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    let name = "Copy this message";
                    if widget::icon_button(ui, icons::ICON_CONTENT_COPY, name, "", false).clicked()
                    {
                        commands.push(Command::CopyText(message.text()));
                    }
                    ui.vertical(|ui| {
                        let problem = &message.problem;
                        ui.add(Label::new(RichText::new(&problem.what).strong()).wrap());
                        let place = RichText::new(message.place()).monospace().weak();
                        ui.add(Label::new(place).wrap());
                        if !problem.help.is_empty() {
                            ui.add(Label::new(&problem.help).wrap());
                        }
                    });
                });
            });
    }
}

/// Minutes and seconds since the window opened: `3:07`.
fn clock(at: Duration) -> String {
    format!("{}:{:02}", at.as_secs() / 60, at.as_secs() % 60)
}

/// True when it is clicked.
fn row(ui: &mut Ui, message: &Message, chosen: bool) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let text = message.text();
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, chosen, &text));
    paint_row(ui, rect, response.hovered(), chosen, message, &text);
    response.on_hover_text(&text).clicked()
}

fn paint_row(ui: &Ui, rect: Rect, hovered: bool, chosen: bool, message: &Message, text: &str) {
    let Some(painter) = widget::row_ground(ui, rect, hovered, chosen) else {
        return;
    };
    let palette = Palette::of(ui.visuals());
    let (icon, color) = mark(message.severity, palette);
    let y = rect.center().y;
    let time = pos2(rect.left() + 44.0, y);
    painter.text(
        time,
        egui::Align2::RIGHT_CENTER,
        clock(message.at),
        style::mono(),
        palette.text_weak,
    );
    painter.text(
        pos2(rect.left() + 61.0, y),
        egui::Align2::CENTER_CENTER,
        icon.codepoint,
        egui::FontId::new(15.0, icon.font_family()),
        color,
    );
    let words = match text.split_once(": ") {
        Some((_, words)) => words,
        None => text,
    };
    let font = TextStyle::Body.resolve(ui.style());
    let strong = if chosen {
        ui.visuals().selection.stroke.color
    } else {
        palette.text
    };
    let width = rect.width() - WORDS - 4.0;
    let left = pos2(rect.left() + WORDS, y);
    widget::line(&painter, left, width, words, font, strong);
}

fn mark(severity: Severity, palette: &Palette) -> (MaterialIcon, Color32) {
    match severity {
        Severity::Error => (icons::ICON_ERROR, palette.bad),
        Severity::Notice => (icons::ICON_INFO, palette.text_weak),
        Severity::Done => (icons::ICON_CHECK_CIRCLE, palette.good),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_counts_minutes() {
        assert_eq!(clock(Duration::from_secs_f64(187.9)), "3:07");
        assert_eq!(clock(Duration::ZERO), "0:00");
        assert_eq!(clock(Duration::from_secs(6000)), "100:00");
    }
}
