//! What was just said, over the picture: errors until they are dismissed, all else for as long as it takes to read.
//!
//! Drawn here and not by a library of toasts, as those paint past the accessibility tree.

use crate::app::command::Command;
use crate::app::dock::Pane;
use crate::app::model::Model;
use crate::app::model::messages::{Message, Severity};
use crate::app::theme::{Palette, Surfaces};
use crate::app::widget;
use egui::accesskit::Live;
use egui::{Align, Align2, Area, Context, Frame, Id, Layout, Order, RichText, Ui};
use egui_material_icons::icons;
use std::collections::BTreeMap;

/// More than these would cover the picture: the rest is a line with their number.
const MOST: usize = 4;
const WIDTH: f32 = 460.0;
/// Seconds that a message stands, and for each letter of it, and at most.
const STANDS: (f64, f64, f64) = (3.0, 0.045, 12.0);

/// When each message that passes began to be seen, seconds of the window's clock.
#[derive(Default)]
pub struct Toasts {
    since: BTreeMap<u64, f64>,
}

impl Toasts {
    /// Draws what stands, and dismisses what has stood long enough.
    pub fn show(&mut self, ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
        let standing = model.messages.shown();
        if standing.is_empty() {
            self.since.clear();
            return;
        }
        let area = Area::new(Id::unique("toasts"))
            .order(Order::Foreground)
            .anchor(Align2::CENTER_TOP, [0.0, 44.0])
            .show(ctx, |ui| {
                // A small window goes on being seen beside them.
                ui.set_max_width(WIDTH.min(ctx.content_rect().width() * 0.4));
                // Latest first: that is the one somebody waits for.
                for message in standing.iter().rev().take(MOST) {
                    toast(ui, message, commands);
                }
                if standing.len() > 1 {
                    others(ui, model, commands);
                }
            });
        // Whoever points at them reads them.
        self.pass(ctx, standing, area.response.contains_pointer(), commands);
    }

    fn pass(&mut self, ctx: &Context, standing: &[Message], held: bool, to: &mut Vec<Command>) {
        let now = ctx.input(|input| input.time);
        self.since
            .retain(|id, _| standing.iter().any(|message| message.id == *id));
        // Also those that are only counted: many notices pass together, not in turn.
        for message in standing.iter().filter(|said| !said.severity.stays()) {
            let since = self.since.entry(message.id).or_insert(now);
            if held {
                *since = now;
            }
            let left = stands(message) - (now - *since);
            if left <= 0.0 {
                to.push(Command::DismissMessage(message.id));
            } else {
                ctx.request_repaint_after_secs(left as f32);
            }
        }
    }
}

/// Seconds that a message takes to be read.
fn stands(message: &Message) -> f64 {
    let problem = &message.problem;
    let letters = [&problem.what, &problem.help, &problem.file].map(|text| text.chars().count());
    let (least, each, most) = STANDS;
    (least + each * letters.iter().sum::<usize>() as f64).min(most)
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
            ui.set_width(WIDTH - 22.0);
            ui.horizontal_top(|ui| {
                ui.label(icon.rich_text().size(18.0).color(color));
                ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                    buttons(ui, message, commands);
                    ui.with_layout(Layout::top_down(Align::Min), |ui| words(ui, message));
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

fn words(ui: &mut Ui, message: &Message) {
    let problem = &message.problem;
    let what = match message.times {
        1 => problem.what.clone(),
        times => format!("{} ({times} times)", problem.what),
    };
    // In line with the icon and the buttons beside it.
    ui.add_space(4.0);
    let said = ui.label(RichText::new(what).strong());
    let live = match message.severity {
        Severity::Error => Live::Assertive,
        _ => Live::Polite,
    };
    // Who listens to the window instead of looking at it hears it when it appears.
    ui.ctx()
        .accesskit_node_builder(said.id, |node| node.set_live(live));
    if !problem.file.is_empty() {
        ui.label(RichText::new(message.place()).monospace().weak());
    }
    if !problem.help.is_empty() {
        ui.label(&problem.help);
    }
}

/// The line below several: how many more there are, where all of them stand, and a way to be rid of them.
fn others(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let more = model.messages.shown().len().saturating_sub(MOST);
    let surfaces = Surfaces::of(ui.visuals());
    Frame::new()
        .fill(surfaces.raised)
        .stroke(egui::Stroke::new(1.0, surfaces.line))
        .corner_radius(6)
        .inner_margin(6)
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                if more > 0 {
                    ui.label(RichText::new(format!("and {more} more")).weak());
                }
                // The log is a panel: there is none on the start page.
                if model.session.is_some() {
                    show_all(ui, model, commands);
                }
                let all = ui.button("Dismiss all");
                if all.on_hover_text("They stay in the log").clicked() {
                    commands.push(Command::DismissAllMessages);
                }
            });
        });
}

fn show_all(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let log = ui.button("Show all messages");
    if log.on_hover_text("Everything that was said").clicked() {
        // It may be in front already.
        if !model.shows(Pane::Messages) {
            commands.push(Command::TogglePane(Pane::Messages));
        }
        commands.push(Command::DismissAllMessages);
    }
}
