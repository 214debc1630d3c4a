//! Why the camera went through an object, or did not: its way, its near plane and its probe against what is selected.

use super::{cause, heading, line, told};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::widget;
use crate::core::diagnose::explain::CameraExplanation;
use crate::core::diagnose::{Finding, Kind};
use egui::{ScrollArea, Ui};

pub fn show(ui: &mut Ui, model: &Model, story: &CameraExplanation, commands: &mut Vec<Command>) {
    ScrollArea::vertical()
        .id_salt("explain camera")
        .auto_shrink(false)
        .show(ui, |ui| {
            let title = format!("camera and {}, frame {}", story.name, story.frame);
            let sentences = story.sentences();
            heading(ui, &title, &sentences, commands);
            if story.camera_motion.is_some() && !story.unheeded && !story.path_steps.0.is_empty() {
                verdicts(ui, story);
            }
            if let Some(finding) = finding_of(model, story) {
                cause(ui, finding);
            }
            ui.add_space(6.0);
            told(ui, &sentences);
        });
}

/// What each look of the camera at the object says, one under the other.
fn verdicts(ui: &mut Ui, story: &CameraExplanation) {
    widget::card(ui, |ui| {
        egui::Grid::new("camera verdicts")
            .num_columns(2)
            .spacing([14.0, 4.0])
            .show(ui, |ui| {
                for (what, summary) in story.summaries() {
                    line(ui, what, summary);
                }
            });
    });
}

/// The finding of the camera and this object in this frame: the selected one, else the first.
fn finding_of<'m>(model: &'m Model, story: &CameraExplanation) -> Option<&'m Finding> {
    let is_of = |finding: &&Finding| {
        finding.kind == Kind::CameraCrosses
            && finding.frame == story.frame
            && finding.object_b == Some(story.object)
    };
    let document = model.document()?;
    model
        .selected_finding()
        .filter(is_of)
        .or_else(|| document.findings().iter().find(is_of))
}
