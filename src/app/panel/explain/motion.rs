//! Why the selected object is where it is: what changed its motion, the newest first.

use super::heading;
use crate::app::command::Command;
use crate::app::keyboard_focus;
use crate::app::model::Model;
use crate::app::style;
use crate::app::theme::Palette;
use crate::core::explain_motion::{MotionExplanation, MotionReason};
use egui::{Label, Link, RichText, ScrollArea, Ui};

/// Draws the explanation: a click on the frames of a link goes there, one on a finding selects it.
pub fn show(ui: &mut Ui, model: &Model, found: &MotionExplanation, commands: &mut Vec<Command>) {
    let Some(document) = model.document() else {
        return;
    };
    let (replay, units) = (document.replay(), document.units());
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
            let mut text = RichText::new(link.sentence(units));
            if link.reason == MotionReason::Unexplained {
                text = text.color(ui.visuals().warn_fg_color);
            }
            ui.add(Label::new(text).wrap());
            ui.add_space(4.0);
        }
        if explanation.cut {
            ui.weak("What was before is not listed.");
        }
        keyboard_focus::follow(ui);
    });
}
