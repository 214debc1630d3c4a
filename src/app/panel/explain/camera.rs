//! The explanation of the camera and the selected object: its path, its near plane and its probe.

use super::{cause, heading, line, sentence_list};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::widget;
use crate::core::diagnose::explain::CameraExplanation;
use crate::core::diagnose::{Finding, Kind};
use egui::{ScrollArea, Ui};

pub fn show(
    ui: &mut Ui,
    model: &Model,
    explanation: &CameraExplanation,
    commands: &mut Vec<Command>,
) {
    ScrollArea::vertical()
        .id_salt("explain camera")
        .auto_shrink(false)
        .show(ui, |ui| {
            let title = format!(
                "camera and {}, frame {}",
                explanation.name, explanation.frame
            );
            let sentences = explanation.sentences();
            heading(ui, &title, &sentences, commands);
            if explanation.camera_motion.is_some()
                && !explanation.unheeded
                && !explanation.path_steps.0.is_empty()
            {
                results(ui, explanation);
            }
            if let Some(finding) = finding_of(model, explanation) {
                cause(ui, finding, explanation.units);
            }
            ui.add_space(6.0);
            sentence_list(ui, &sentences);
        });
}

/// Draws the result of each test of the camera.
fn results(ui: &mut Ui, explanation: &CameraExplanation) {
    widget::card(ui, |ui| {
        egui::Grid::new("camera verdicts")
            .num_columns(2)
            .spacing([14.0, 4.0])
            .show(ui, |ui| {
                for (what, summary) in explanation.summaries() {
                    line(ui, what, summary);
                }
            });
    });
}

/// The finding of the camera and this object in this frame: the selected one, else the first.
fn finding_of<'m>(model: &'m Model, explanation: &CameraExplanation) -> Option<&'m Finding> {
    let is_of = |finding: &&Finding| {
        finding.kind == Kind::CameraCrosses
            && finding.frame == explanation.frame
            && finding.object_b == Some(explanation.object)
    };
    let document = model.document()?;
    model
        .selected_finding()
        .filter(is_of)
        .or_else(|| document.findings().iter().find(is_of))
}
