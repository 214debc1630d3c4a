//! How the findings of the two levels differ.

use crate::app::command::Command;
use crate::app::model::compare::Other;
use crate::app::model::{JobKind, Model};
use crate::app::theme::{Palette, readable};
use crate::app::{style, widget};
use crate::core::diagnose::Finding;
use egui::{Color32, RichText, ScrollArea, Ui};

/// Height of a list of findings, points.
const LIST: f32 = 240.0;

/// Draws the numbers of the findings in one level alone and in both, with their lists. A click on one of the open level goes to it.
pub fn show(ui: &mut Ui, model: &Model, other: &Other, commands: &mut Vec<Command>) {
    let Some(session) = &model.session else {
        return;
    };
    let reports = session.document.report.as_ref().zip(other.report.as_ref());
    let Some(((here, there), changes)) = reports.zip(session.compare.changes()) else {
        if model.jobs.is_running(JobKind::DiagnoseOther) {
            let text = RichText::new("Diagnosing the other level\u{2026}");
            ui.label(text.font(style::small()).weak());
        }
        return;
    };
    let palette = Palette::of(ui.visuals());
    let word =
        |count: usize, text: &str| RichText::new(format!("{count} {text}")).font(style::small());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new("Findings:").font(style::small()).strong());
        let only_here = changes.new.iter();
        let only_here: Vec<_> = only_here
            .map(|&at| (Some(at), &here.findings[at]))
            .collect();
        let text = word(only_here.len(), "only in A");
        list(ui, text, palette.moving, &only_here, commands);
        let only_there = changes.fixed.iter();
        let only_there: Vec<_> = only_there.map(|&at| (None, &there.findings[at])).collect();
        let text = word(only_there.len(), "only in B");
        list(ui, text, palette.other, &only_there, commands);
        ui.label(word(changes.unchanged, "in both"));
    });
}

/// A button that opens a list of findings; those with an index can be selected.
fn list(
    ui: &mut Ui,
    title: RichText,
    color: Color32,
    findings: &[(Option<usize>, &Finding)],
    commands: &mut Vec<Command>,
) {
    let color = readable(color, ui.visuals().panel_fill);
    ui.add_enabled_ui(!findings.is_empty(), |ui| {
        let menu = ui.menu_button(
            title.color(color),
            widget::content(|ui| {
                ScrollArea::vertical().max_height(LIST).show(ui, |ui| {
                    for &(index, finding) in findings {
                        let text = finding.line();
                        match index {
                            None => drop(ui.label(text)),
                            Some(index) if ui.button(text).clicked() => {
                                commands.push(Command::SelectFinding(index));
                            }
                            Some(_) => {}
                        }
                    }
                });
            }),
        );
        widget::describe(&menu.response, "Opens the list of these findings");
    });
}
