//! Errors and notices, over the picture, until they are dismissed.

use crate::app::command::Command;
use crate::app::model::messages::{Message, Severity};
use crate::app::theme::Palette;
use crate::app::widget;
use egui::{Align, Context, Layout, RichText, ScrollArea, Ui, Window};
use egui_material_icons::icons;

/// Draws the messages, if there are any.
pub fn show(ctx: &Context, messages: &[Message], commands: &mut Vec<Command>) {
    if messages.is_empty() {
        return;
    }
    let errors = messages
        .iter()
        .any(|message| message.severity == Severity::Error);
    Window::new(if errors { "Problems" } else { "Notices" })
        .id(egui::Id::unique("problems"))
        .anchor(egui::Align2::CENTER_TOP, [0.0, 44.0])
        .collapsible(false)
        .resizable(false)
        .default_width(560.0)
        .show(ctx, |ui| {
            let height = (ctx.content_rect().height() * 0.5).max(120.0);
            ScrollArea::vertical().max_height(height).show(ui, |ui| {
                // Latest first: that is the one somebody waits for.
                for message in messages.iter().rev() {
                    one(ui, message, commands);
                }
            });
            if messages.len() > 1 {
                ui.separator();
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.button("Dismiss all").clicked() {
                        commands.push(Command::DismissAllMessages);
                    }
                });
            }
        });
}

fn one(ui: &mut Ui, message: &Message, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    let (icon, color) = match message.severity {
        Severity::Error => (icons::ICON_ERROR, palette.bad),
        Severity::Notice => (icons::ICON_INFO, palette.text_weak),
    };
    let problem = &message.problem;
    ui.horizontal_top(|ui| {
        ui.label(icon.rich_text().size(18.0).color(color));
        ui.vertical(|ui| {
            ui.set_width((ui.available_width() - 34.0).max(200.0));
            ui.label(RichText::new(&problem.what).strong());
            let place = match problem.at {
                Some(place) => format!(
                    "{}, line {}, column {}",
                    problem.file, place.line, place.column
                ),
                None => problem.file.clone(),
            };
            ui.label(RichText::new(place).monospace().weak());
            if !problem.mend.is_empty() {
                ui.label(&problem.mend);
            }
        });
        let name = format!("Dismiss: {}", problem.what);
        if widget::icon_button(ui, icons::ICON_CLOSE, &name, "", false).clicked() {
            commands.push(Command::DismissMessage(message.id));
        }
    });
    ui.add_space(4.0);
}
