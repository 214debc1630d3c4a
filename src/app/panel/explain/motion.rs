//! Why the selected object is where it is: what changed its motion, the newest first.

use super::heading;
use crate::app::command::Command;
use crate::app::keyboard_focus;
use crate::app::logged_moves::logged_moves;
use crate::app::model::motion_explanation::MotionExplanationView;
use crate::app::model::{JobKind, Model};
use crate::app::theme::Palette;
use crate::app::{style, widget};
use crate::core::explain_motion::{MotionExplanation, MotionLink, MotionReason};
use crate::core::replay::{ObjectId, Replay};
use egui::{Label, Link, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

/// The most other objects that a link of the chain names.
const MAX_OTHERS: usize = 16;

/// Draws the explanation of an object, or why there is none.
pub fn of_object(
    ui: &mut Ui,
    model: &Model,
    view: &MotionExplanationView,
    object: ObjectId,
    commands: &mut Vec<Command>,
) {
    if let Some(found) = view.of(object) {
        return show(ui, model, found, commands);
    }
    let (title, help) = match model.jobs.is_running(JobKind::ExplainMotion) {
        true => (
            "Following it back…",
            "The status bar shows the progress and can stop it.",
        ),
        false => (
            "No explanation",
            "The object is not present at this frame, playback is running, or the search was stopped. \"Why is it here?\" starts it again.",
        ),
    };
    widget::empty_state(ui, icons::ICON_HELP, title, help);
}

/// Draws the explanation: a click on the frames of a link goes there, one on a finding selects it, one on another object explains that one.
fn show(ui: &mut Ui, model: &Model, found: &MotionExplanation, commands: &mut Vec<Command>) {
    let Some(document) = model.document() else {
        return;
    };
    let replay = document.replay();
    // Of the latest diagnosis, which may have others than the one before.
    let explanation = found.clone().with_findings(document.findings());
    let area = ScrollArea::vertical().id_salt("motion").auto_shrink(false);
    area.show(ui, |ui| {
        let number = replay.number(explanation.state);
        let title = format!("Why {} is here, frame {number}", explanation.object);
        let lines: Vec<String> = explanation
            .text(replay)
            .lines()
            .map(str::to_owned)
            .collect();
        heading(ui, &title, &lines, commands);
        if let Some(derived) = model.derived() {
            logged_moves(ui, replay, derived.moves.list());
        }
        for link in &explanation.links {
            ui.horizontal_wrapped(|ui| {
                let frames = link.frames(replay);
                let frames = RichText::new(frames).font(style::small());
                if ui
                    .add(Link::new(frames))
                    .on_hover_text("Go there")
                    .clicked()
                {
                    commands.push(Command::Seek {
                        frame: link.frame,
                        fraction: 0.0,
                    });
                }
                for index in &link.findings {
                    let finding = format!("finding {}", index + 1);
                    let color = Palette::of(ui.visuals()).kind(document.findings()[*index].kind);
                    let finding = RichText::new(finding).font(style::small()).color(color);
                    if ui.add(Link::new(finding)).clicked() {
                        commands.push(Command::SelectFinding(*index));
                    }
                }
            });
            sentence(ui, replay, link, commands);
            ui.add_space(4.0);
        }
        if explanation.cut {
            ui.weak("Earlier steps are not listed.");
        }
        keyboard_focus::follow(ui);
    });
}

/// Draws the sentence of a link, the other objects as links to their own explanation.
fn sentence(ui: &mut Ui, replay: &Replay, link: &MotionLink, commands: &mut Vec<Command>) {
    let (others, effect) = (link.reason.others(), link.effect(replay.units()));
    if others.is_empty() {
        let mut text = RichText::new(link.reason.text().to_owned() + &effect);
        if matches!(
            link.reason,
            MotionReason::Unexplained | MotionReason::AgainstGravity
        ) {
            text = text.color(ui.visuals().warn_fg_color);
        }
        ui.add(Label::new(text).wrap());
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.label(format!("{} ", link.reason.text()));
        let shown = &others[..others.len().min(MAX_OTHERS)];
        for (index, other) in shown.iter().enumerate() {
            let Some(object) = replay.objects().get(*other as usize) else {
                continue;
            };
            if index > 0 {
                ui.label(", ");
            }
            let name = ui.add(Link::new(&*object.name));
            if name.on_hover_text("Explain it there").clicked() {
                commands.push(Command::Explain(*other, link.frame));
            }
        }
        if others.len() > shown.len() {
            ui.label(format!(" and {} more", others.len() - shown.len()));
        }
        ui.label(effect);
    });
}
