//! Why the camera went through an object, or did not: its way, its near plane and its probe against what is selected.

use super::{cause, heading, line, told};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::{text, widget};
use crate::core::diagnose::explain::CameraExplanation;
use crate::core::diagnose::explain::Outcome;
use crate::core::diagnose::{Finding, Kind};
use egui::{Color32, ScrollArea, Ui};

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
    let palette = Palette::of(ui.visuals());
    let lines = [
        ("Its way", way(palette, story)),
        ("A ball of its probe's reach", ball(palette, story)),
        ("Its near plane at the end", near(palette, story)),
        ("Its probe at the end", probe(palette, story)),
    ];
    widget::card(ui, |ui| {
        egui::Grid::new("camera verdicts")
            .num_columns(2)
            .spacing([14.0, 4.0])
            .show(ui, |ui| {
                for (what, (color, words)) in lines {
                    line(ui, what, color, &words);
                }
            });
    });
}

fn way(palette: &Palette, story: &CameraExplanation) -> (Color32, String) {
    match &story.path {
        Some(hit) => (palette.bad, format!("goes through at {:.6}", hit.fraction)),
        None => (palette.good, "stays outside".to_owned()),
    }
}

fn ball(palette: &Palette, story: &CameraExplanation) -> (Color32, String) {
    let metres = |length| text::with_unit(length, "m");
    match story.ball.as_ref().map(|(outcome, _)| *outcome) {
        Some(Outcome::Hits(hit)) => (palette.ghost_impact, format!("hits at {:.6}", hit.fraction)),
        Some(Outcome::Overlapping { depth }) => {
            let words = format!("overlaps by {} at the start", metres(depth));
            (palette.bad, words)
        }
        Some(Outcome::Misses { by, .. }) => (palette.good, format!("misses by {}", metres(by))),
        Some(Outcome::Grazes { .. }) => (palette.good, "grazes".to_owned()),
        Some(Outcome::Later) => (palette.good, "later than this frame".to_owned()),
        Some(Outcome::Receding) => (palette.good, "not approaching".to_owned()),
        None => (palette.text_weak, "no probe, no reach".to_owned()),
    }
}

fn near(palette: &Palette, story: &CameraExplanation) -> (Color32, String) {
    match &story.near {
        Some(hit) => (
            palette.bad,
            format!("pokes through at {}", text::vector(hit.point)),
        ),
        None => (palette.good, "is clear".to_owned()),
    }
}

fn probe(palette: &Palette, story: &CameraExplanation) -> (Color32, String) {
    let Some(look) = &story.probe else {
        return (palette.text_weak, "there is none".to_owned());
    };
    match look.answer.hits.len() {
        0 if story.path.is_some() => (palette.bad, "sees nothing of it".to_owned()),
        0 => (palette.good, "meets nothing".to_owned()),
        hits => {
            let push = text::with_unit(look.answer.push.length(), "m");
            (
                palette.good,
                format!("{}, push {push}", text::count(hits, "hit")),
            )
        }
    }
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
