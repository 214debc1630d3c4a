//! The values of the selected finding.

use super::section;
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::{text, widget};
use crate::core::diagnose::{Finding, Fix};
use egui::{RichText, Ui};
use egui_material_icons::icons;

/// Draws the finding with its fixes and its evidence.
pub fn show(ui: &mut Ui, model: &Model, finding: &Finding, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    widget::heading(ui, "Finding", |ui| {
        widget::command_button(ui, &Command::ExpectFinding, model, commands);
        widget::command_button(ui, &Command::CopyFinding, model, commands);
        widget::command_button(ui, &Command::SaveFrameAs, model, commands);
    });
    widget::card(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let kind = RichText::new(finding.kind.name()).strong();
            ui.label(kind.color(palette.kind(finding.kind)));
            ui.label(RichText::new(finding.cause.title()).strong());
            ui.label(RichText::new(finding.cause.id()).weak());
            if finding.expected {
                ui.colored_label(palette.good, "expected")
                    .on_hover_text("The scene expects this finding");
            }
        });
        ui.add_space(2.0);
        ui.label(&finding.text);
        if !finding.also.is_empty() {
            let also: Vec<String> = finding
                .also
                .iter()
                .map(|cause| format!("{} {}", cause.id(), cause.title()))
                .collect();
            let label = ui.label(RichText::new(format!("Also: {}", also.join(", "))).weak());
            let reasons: Vec<&str> = finding
                .reasons
                .iter()
                .map(|why| why.text.as_str())
                .collect();
            if !reasons.is_empty() {
                label.on_hover_text(reasons.join("\n\n"));
            }
        }
    });
    if !finding.fixes.is_empty() {
        section(ui, "Suggested fixes", true, |ui| {
            fixes(ui, finding, commands)
        });
    }
    if !finding.evidence.is_empty() {
        section(ui, "Evidence", true, |ui| {
            widget::facts(ui, "evidence", |ui| {
                for (key, value) in &finding.evidence {
                    widget::fact(ui, &text::words(key.name()), key.text(*value));
                }
            });
        });
    }
}

/// Draws the values of the fixes, each with a copy button, and in weak text the values that only detect.
fn fixes(ui: &mut Ui, finding: &Finding, commands: &mut Vec<Command>) {
    for fix in &finding.fixes {
        one_fix(ui, fix, commands);
        if let Some(with) = &fix.with {
            ui.label(RichText::new("Together with").weak());
            one_fix(ui, with, commands);
        }
    }
}

fn one_fix(ui: &mut Ui, fix: &Fix, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        let label = text::words(fix.what.name());
        if let Some(value) = fix.holds {
            let name = format!("Copy {label}");
            let help = format!("{} = {value}", fix.what.name());
            if widget::icon_button(ui, icons::ICON_CONTENT_COPY, &name, &help, false).clicked() {
                commands.push(Command::CopyText(value.to_string()));
            }
        }
        ui.label(RichText::new(label).weak());
        let holds = fix
            .held_text()
            .unwrap_or_else(|| "no value holds".to_owned());
        ui.label(RichText::new(holds).monospace());
        if let Some(detected) = fix.detected_text() {
            let help =
                "From this value on the hit is detected, but the push-out may be on the far side";
            ui.label(RichText::new(detected).weak()).on_hover_text(help);
        }
    });
}
