//! The values of the selected finding.

use super::{section, strip};
use crate::app::command::Command;
use crate::app::help_topics::HelpPage;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::{style, text, widget};
use crate::core::diagnose::what_if::Parameter;
use crate::core::diagnose::{Finding, Fix};
use egui::{Grid, RichText, Ui, vec2};
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
            let id = ui.link(finding.cause.id());
            if id.on_hover_text("Explain this cause in the help").clicked() {
                commands.push(Command::Help(HelpPage::Cause(finding.cause)));
            }
            if finding.expected {
                ui.colored_label(palette.good, "expected")
                    .on_hover_text("The scene expects this finding");
            }
        });
        strip::show(ui, finding);
        if !finding.fixes.is_empty() {
            ui.add_space(6.0);
            ui.label(RichText::new("Suggested fixes").strong());
            fixes(ui, finding, commands);
        }
        ui.add_space(6.0);
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

/// Draws a table of the fixes: the value that holds, the weaker one that only detects, and buttons to try and to copy the first.
fn fixes(ui: &mut Ui, finding: &Finding, commands: &mut Vec<Command>) {
    let table = Grid::new("fixes")
        .num_columns(4)
        .spacing(vec2(10.0, 2.0))
        .striped(true);
    table.show(ui, |ui| {
        for head in ["change", "holds at", "detects at", ""] {
            ui.label(RichText::new(head).font(style::small()).weak());
        }
        ui.end_row();
        for fix in &finding.fixes {
            one_fix(ui, fix, "", commands);
            if let Some(with) = &fix.with {
                one_fix(ui, with, "together with ", commands);
            }
        }
    });
}

fn one_fix(ui: &mut Ui, fix: &Fix, before: &str, commands: &mut Vec<Command>) {
    let name = text::words(fix.what.name());
    ui.label(format!("{before}{name}"));
    let holds = fix.held_text();
    ui.label(RichText::new(holds.as_deref().unwrap_or("no value")).monospace());
    match fix.detects {
        Some(value) => {
            let value = text::with_unit(value, fix.what.unit());
            let help =
                "From this value on the hit is detected, but the push-out may be on the far side";
            let label = ui.label(RichText::new(value).monospace().weak());
            label.on_hover_text(help);
        }
        None => {
            ui.label("");
        }
    }
    ui.horizontal(|ui| {
        let Some(value) = fix.held() else {
            return;
        };
        let parameter = fix.detects.and(Parameter::of_limit(fix.what));
        if let Some(parameter) = parameter {
            let help = "Set this value in the What-if panel and show its outcome";
            let icon = icons::ICON_EXPERIMENT;
            if widget::icon_button(ui, icon, &format!("Try {name}"), help, false).clicked() {
                commands.push(Command::TryFix(parameter, value));
            }
        }
        let help = format!("{} = {value}", fix.what.name());
        let icon = icons::ICON_CONTENT_COPY;
        if widget::icon_button(ui, icon, &format!("Copy {name}"), &help, false).clicked() {
            commands.push(Command::CopyText(value.to_string()));
        }
    });
    ui.end_row();
}
