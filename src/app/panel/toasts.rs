//! Notifications over the viewport: errors until they are dismissed, others for the time it takes to read them.
//!
//! Drawn here because the libraries for toasts are not accessible.

use crate::app::command::Command;
use crate::app::dock::Pane;
use crate::app::model::Model;
use crate::app::model::messages::{Message, Severity};
use crate::app::theme::{Palette, Surfaces};
use crate::app::widget;
use egui::accesskit::Live;
use egui::{Align, Align2, Area, Context, Frame, Id, Layout, Order, RichText, TextStyle, Ui, vec2};
use egui_material_icons::icons;
use std::collections::BTreeMap;

/// The number of notifications shown, so that they do not cover the viewport; the others are counted.
const MAX_SHOWN: usize = 4;
const WIDTH: f32 = 460.0;
/// The time that a notification is shown, seconds: at least, per letter, and at most.
const DURATION: (f64, f64, f64) = (3.0, 0.045, 12.0);

/// The time at which each notification was shown, seconds of the window's clock.
#[derive(Default)]
pub struct Toasts {
    since: BTreeMap<u64, f64>,
}

impl Toasts {
    /// Draws the notifications and dismisses those that were shown long enough.
    pub fn show(&mut self, ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
        let shown = model.messages.shown();
        if shown.is_empty() {
            self.since.clear();
            return;
        }
        let view = model.dock.rect(Pane::Viewport);
        let is_docked = model.session.is_some() && !model.ui_state.panels_hidden;
        let window = ctx
            .content_rect()
            .with_max_y(ctx.content_rect().bottom() - 30.0);
        let view = view.filter(|_| is_docked).unwrap_or(window);
        let area = Area::new(Id::unique("toasts"))
            .order(Order::Foreground)
            // In a corner, so that they do not cover the middle of the view.
            .pivot(Align2::RIGHT_BOTTOM)
            .fixed_pos(view.right_bottom() - vec2(10.0, 10.0))
            .show(ctx, |ui| {
                // Most of a small window stays visible.
                ui.set_max_width(WIDTH.min(ctx.content_rect().width() * 0.4));
                // Latest first.
                for message in shown.iter().rev().take(MAX_SHOWN) {
                    toast(ui, message, commands);
                }
                if shown.len() > 1 {
                    footer(ui, model, commands);
                }
            });
        // They do not fade while the pointer is on them.
        self.dismiss_old(ctx, shown, area.response.contains_pointer(), commands);
    }

    fn dismiss_old(
        &mut self,
        ctx: &Context,
        shown: &[Message],
        hovered: bool,
        commands: &mut Vec<Command>,
    ) {
        let now = ctx.input(|input| input.time);
        self.since
            .retain(|id, _| shown.iter().any(|message| message.id == *id));
        // Also those that are only counted, so that many notices fade together.
        for message in shown.iter().filter(|message| !message.severity.stays()) {
            let since = self.since.entry(message.id).or_insert(now);
            if hovered {
                *since = now;
            }
            let left = duration(message) - (now - *since);
            if left <= 0.0 {
                commands.push(Command::DismissMessage(message.id));
            } else {
                ctx.request_repaint_after_secs(left as f32);
            }
        }
    }
}

/// The time that a notification is shown, seconds.
fn duration(message: &Message) -> f64 {
    let problem = &message.problem;
    let letters = [&problem.what, &problem.help, &problem.file].map(|text| text.chars().count());
    let (least, per_letter, most) = DURATION;
    (least + per_letter * letters.iter().sum::<usize>() as f64).min(most)
}

fn toast(ui: &mut Ui, message: &Message, commands: &mut Vec<Command>) {
    let surfaces = Surfaces::of(ui.visuals());
    let palette = Palette::of(ui.visuals());
    let (icon, color) = match message.severity {
        Severity::Error => (icons::ICON_ERROR, palette.bad),
        Severity::Notice => (icons::ICON_INFO, palette.text_weak),
        Severity::Done => (icons::ICON_CHECK_CIRCLE, palette.good),
    };
    let shadow = ui.visuals().popup_shadow;
    Frame::new()
        .fill(surfaces.raised)
        .stroke(egui::Stroke::new(1.0, surfaces.line))
        .corner_radius(6)
        .shadow(shadow)
        .inner_margin(10)
        .show(ui, |ui| {
            ui.set_width(ui.available_width().min(WIDTH - 22.0));
            ui.horizontal_top(|ui| {
                ui.label(icon.rich_text().size(18.0).color(color));
                ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                    buttons(ui, message, commands);
                    ui.with_layout(Layout::top_down(Align::Min), |ui| {
                        text(ui, message);
                        open_button(ui, message, commands);
                    });
                });
            });
        });
}

fn buttons(ui: &mut Ui, message: &Message, commands: &mut Vec<Command>) {
    let what = &message.problem.what;
    let dismiss = format!("Dismiss: {what}");
    if widget::icon_button(ui, icons::ICON_CLOSE, &dismiss, "", false).clicked() {
        commands.push(Command::DismissMessage(message.id));
    }
    if message.severity == Severity::Error {
        let copy = format!("Copy: {what}");
        if widget::icon_button(ui, icons::ICON_CONTENT_COPY, &copy, "", false).clicked() {
            commands.push(Command::CopyText(message.text()));
        }
    }
}

/// The button that opens the saved level.
fn open_button(ui: &mut Ui, message: &Message, commands: &mut Vec<Command>) {
    if let Some(path) = &message.opens {
        let help = "Open this file in place of the level";
        if ui.button("Open it").on_hover_text(help).clicked() {
            commands.push(Command::DismissMessage(message.id));
            commands.push(Command::Open(path.clone()));
        }
    }
}

fn text(ui: &mut Ui, message: &Message) {
    let problem = &message.problem;
    let what = match message.times {
        1 => problem.what.clone(),
        times => format!("{} ({times} times)", problem.what),
    };
    // Aligned with the icon and the buttons.
    ui.add_space(4.0);
    let strong = ui.visuals().strong_text_color();
    let label = ui.label(widget::marked(ui, &what, TextStyle::Body, strong));
    let live = match message.severity {
        Severity::Error => Live::Assertive,
        _ => Live::Polite,
    };
    // Screen readers read it when it appears.
    ui.ctx()
        .accesskit_node_builder(label.id, |node| node.set_live(live));
    if !problem.file.is_empty() {
        ui.label(RichText::new(message.location()).monospace().weak());
    }
    if !problem.help.is_empty() {
        let color = ui.visuals().text_color();
        ui.label(widget::marked(ui, &problem.help, TextStyle::Body, color));
    }
}

/// The line below several notifications: the number of hidden ones, and buttons for all.
fn footer(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let more = model.messages.shown().len().saturating_sub(MAX_SHOWN);
    let surfaces = Surfaces::of(ui.visuals());
    Frame::new()
        .fill(surfaces.raised)
        .stroke(egui::Stroke::new(1.0, surfaces.line))
        .corner_radius(6)
        .inner_margin(6)
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                if more > 0 {
                    ui.label(RichText::new(format!("{more} more")).weak());
                }
                // The start page has no Messages panel.
                if model.session.is_some() {
                    show_all(ui, model, commands);
                }
                let all = ui.button("Dismiss all");
                if all.on_hover_text("The Messages panel keeps them").clicked() {
                    commands.push(Command::DismissAllMessages);
                }
            });
        });
}

fn show_all(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let log = ui.button("Show all messages");
    if log.on_hover_text("Open the Messages panel").clicked() {
        // The panel may be in front already.
        if !model.shows(Pane::Messages) {
            commands.push(Command::TogglePane(Pane::Messages));
        }
        commands.push(Command::DismissAllMessages);
    }
}
