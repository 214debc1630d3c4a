//! The moves of a character as its controller made them, as a list.

use super::style;
use crate::core::explain_move::{MoveExplanation, MoveReason};
use crate::core::replay::Replay;
use egui::{Label, RichText, Ui};

/// Draws the moves of a frame: what was asked, each sweep with what it met and why that stopped it, and what is wrong before and after.
pub fn logged_moves(ui: &mut Ui, replay: &Replay, moves: &[MoveExplanation]) {
    let reason = |ui: &mut Ui, reason: &MoveReason| {
        let color = ui.visuals().warn_fg_color;
        let text = RichText::new(reason.text(replay)).color(color);
        ui.indent("reason", |ui| ui.add(Label::new(text).wrap()));
    };
    for explanation in moves {
        let asks = format!("It {}.", explanation.summary);
        ui.add(Label::new(asks).wrap());
        for (number, step) in (1..).zip(&explanation.steps) {
            ui.horizontal_top(|ui| {
                let number = RichText::new(number.to_string()).font(style::small());
                ui.add_sized([18.0, 16.0], Label::new(number.weak()));
                ui.add(Label::new(&step.text).wrap());
            });
            if let Some(found) = &step.reason {
                reason(ui, found);
            }
        }
        for found in &explanation.reasons {
            reason(ui, found);
        }
        ui.add_space(4.0);
    }
}
