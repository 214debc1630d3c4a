//! What changed since the run before.

use crate::app::command::Command;
use crate::app::model::{Model, Session};
use crate::app::theme::Palette;
use crate::app::{style, widget};
use crate::core::diagnose::Kind;
use egui::{Button, RichText, ScrollArea, Ui};

/// The token of the filter that lists new findings.
const NEW: &str = "new";
/// Height of the list of fixed findings, points.
const LIST: f32 = 240.0;

/// Draws `1 fixed, 0 new, 3 unchanged` after a reload or an edit.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some((session, changes)) = model
        .session
        .as_ref()
        .and_then(|session: &Session| Some((session, session.changes.as_ref()?)))
    else {
        return;
    };
    let palette = Palette::of(ui.visuals());
    let number = |count: usize, word: &str, color| {
        RichText::new(format!("{count} {word}"))
            .font(style::small())
            .color(if count == 0 { palette.text_weak } else { color })
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(
            RichText::new("Since the check before:")
                .font(style::small())
                .weak(),
        );
        let fixed = session.fixed_findings();
        ui.add_enabled_ui(!fixed.is_empty(), |ui| {
            let menu = ui.menu_button(
                number(fixed.len(), "fixed", palette.good),
                widget::content(|ui| {
                    ScrollArea::vertical().max_height(LIST).show(ui, |ui| {
                        for finding in &fixed {
                            ui.label(finding.line());
                        }
                    });
                }),
            );
            widget::describe(&menu.response, "Opens the list of the fixed findings");
        });
        let filter = &model.ui_state.findings.filter;
        let on = filter == NEW;
        let text = number(changes.new.len(), NEW, palette.kind(Kind::Tunnels));
        let button = Button::new(text).small().selected(on);
        let help = "List only the new findings; a second click lists all";
        let enabled = on || !changes.new.is_empty();
        if ui
            .add_enabled(enabled, button)
            .on_hover_text(help)
            .clicked()
        {
            let text = if on { "" } else { NEW };
            commands.push(Command::FilterFindings(text.to_owned()));
        }
        ui.label(number(changes.unchanged, "unchanged", palette.text));
    });
}
