//! The Messages panel: the log of all messages since the window opened, oldest first.

use crate::app::command::Command;
use crate::app::list_row::ListRow;
use crate::app::model::Model;
use crate::app::model::messages::{Message, Messages, Severity};
use crate::app::style::{self, ROW};
use crate::app::theme::Palette;
use crate::app::{edited_fields, text, widget};
use egui::accesskit::Role;
use egui::{
    Align, Button, Color32, Frame, Label, Layout, Panel, RichText, ScrollArea, TextStyle, Ui,
    WidgetInfo,
};
use egui_material_icons::{MaterialIcon, icons};
use std::collections::BTreeSet;
use std::time::Duration;

/// The state of the panel: the filter and the listed messages.
#[derive(Default)]
pub struct Log {
    filter: String,
    hidden: BTreeSet<Severity>,
    selected: Option<u64>,
    /// The indices of the messages that pass the filter.
    listed: Vec<usize>,
    /// The key that `listed` was made for.
    key: Option<ListKey>,
}

/// The key of the cached list.
#[derive(PartialEq)]
struct ListKey {
    filter: String,
    hidden: BTreeSet<Severity>,
    messages: usize,
    count: (u64, u32),
}

impl Log {
    /// Draws the log.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let messages = &model.messages;
        if messages.log().is_empty() {
            widget::empty_state(
                ui,
                icons::ICON_NOTES,
                "No messages",
                "Messages about loading, diagnosis and saving are kept here.",
            );
            return;
        }
        self.bar(ui, model, commands);
        self.update_list(messages);
        if self.listed.is_empty() {
            let help = "No message of the selected kinds contains this text.";
            widget::empty_state(ui, icons::ICON_FILTER_LIST_OFF, "No matches", help);
            return;
        }
        self.detail(ui, messages, commands);
        self.rows(ui, messages);
    }

    fn bar(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let messages = &model.messages;
        ui.horizontal(|ui| {
            for severity in Severity::ALL {
                let of_kind = |message: &&Message| message.severity == severity;
                let count = messages.log().iter().filter(of_kind).count();
                self.toggle(ui, severity, count);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                widget::command_button(ui, &Command::ClearLog, model, commands);
                let name = "Copy the listed messages";
                if widget::icon_button(ui, icons::ICON_CONTENT_COPY, name, "", false).clicked() {
                    commands.push(Command::CopyText(self.as_text(messages)));
                }
                let (name, width) = ("Filter messages", ui.available_width().min(260.0));
                let response = edited_fields::line(ui, &mut self.filter, name, name, width);
                response.on_hover_text("List only messages with this text");
            });
        });
    }

    /// A button that lists messages of a kind or hides them.
    fn toggle(&mut self, ui: &mut Ui, severity: Severity, count: usize) {
        let on = !self.hidden.contains(&severity);
        let label = format!("{} {}", severity.label(), text::grouped(count));
        let mut label = RichText::new(label).font(style::small());
        if !on {
            label = label.weak();
        }
        let response = ui.add(Button::new(label).small().selected(on));
        let name = format!("List messages: {}", severity.label());
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &name));
        let help = if on { "Hide these" } else { "List these" };
        if response.on_hover_text(help).clicked() && !self.hidden.remove(&severity) {
            self.hidden.insert(severity);
        }
    }

    /// Updates the list if the messages or the filter changed.
    fn update_list(&mut self, messages: &Messages) {
        let key = ListKey {
            filter: self.filter.trim().to_lowercase(),
            hidden: self.hidden.clone(),
            messages: messages.log().len(),
            count: messages.count(),
        };
        if self.key.as_ref() == Some(&key) {
            return;
        }
        let log = messages.log().iter().enumerate();
        self.listed = log
            .filter(|(_, message)| !key.hidden.contains(&message.severity))
            .filter(|(_, message)| message.text().to_lowercase().contains(&key.filter))
            .map(|(index, _)| index)
            .collect();
        self.key = Some(key);
    }

    fn as_text(&self, messages: &Messages) -> String {
        let listed = self.listed.iter().filter_map(|&at| messages.log().get(at));
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
                for message in listed.filter_map(|&at| messages.log().get(at)) {
                    let selected = self.selected == Some(message.id);
                    if row(ui, message, selected) {
                        self.selected = (!selected).then_some(message.id);
                    }
                }
            });
    }

    /// The full text of the selected message.
    fn detail(&self, ui: &mut Ui, messages: &Messages, commands: &mut Vec<Command>) {
        let mut latest = messages.log().iter().rev();
        let Some(message) = latest.find(|message| Some(message.id) == self.selected) else {
            return;
        };
        Panel::bottom("selected message")
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
                        let strong = ui.visuals().strong_text_color();
                        let what = widget::marked(ui, &problem.what, TextStyle::Body, strong);
                        ui.add(Label::new(what).wrap());
                        let location = RichText::new(message.location()).monospace().weak();
                        ui.add(Label::new(location).wrap());
                        if !problem.help.is_empty() {
                            let color = ui.visuals().text_color();
                            let help = widget::marked(ui, &problem.help, TextStyle::Body, color);
                            ui.add(Label::new(help).wrap());
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

/// Draws a row. Returns true when it is clicked.
fn row(ui: &mut Ui, message: &Message, selected: bool) -> bool {
    let text = text::prose(&message.text());
    let line = text.split_once(": ").map_or(&*text, |(_, rest)| rest);
    let (icon, color) = severity_icon(message.severity, Palette::of(ui.visuals()));
    let row = ListRow {
        text: line,
        name: Some(&text),
        selected,
        time: Some(&clock(message.at)),
        icon: Some((icon, Some(color))),
        ..ListRow::default()
    };
    row.show(ui).on_hover_text(&text).clicked()
}

fn severity_icon(severity: Severity, palette: &Palette) -> (MaterialIcon, Color32) {
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
