//! A finding at every starting phase, and the smallest changes that make it vanish.

use crate::app::model::asked::Answer;
use crate::app::style;
use crate::app::text;
use crate::app::theme::{Palette, Surfaces};
use crate::core::diagnose::Kind;
use crate::core::diagnose::phase_sweep::PhaseSweep;
use crate::core::diagnose::what_if::{Change, Threshold};
use egui::accesskit::Role;
use egui::{Grid, ProgressBar, Rect, RichText, Sense, Ui, WidgetInfo, vec2};

const BAR: f32 = 14.0;

/// Draws the answer, or how far it has come.
pub fn show(ui: &mut Ui, answer: &Answer, share: Option<f32>) {
    match answer {
        Answer::Working => {
            let bar = ProgressBar::new(share.unwrap_or(0.0)).desired_height(8.0);
            let response = ui.add(bar);
            response.widget_info(|| {
                WidgetInfo::labeled(Role::ProgressIndicator, true, "Asking what if")
            });
        }
        Answer::Known(answer) => {
            phases(ui, &answer.phases);
            ui.add_space(4.0);
            if let Some(with) = &answer.with {
                ui.label(RichText::new(format!("Together with {with}:")).weak());
            }
            table(ui, &answer.changes);
        }
        Answer::NoStart => {
            let text = "It began in overlap, and its way back leads to no clear start.";
            ui.label(RichText::new(text).weak());
        }
        Answer::Fault(fault) => {
            let text = format!("This is internal error: {fault}");
            ui.colored_label(Palette::of(ui.visuals()).bad, text);
        }
    }
}

/// A bar of all starting phases: held, pushed out on the wrong side, not seen.
fn phases(ui: &mut Ui, sweep: &PhaseSweep) {
    let counts = &sweep.counts;
    let palette = Palette::of(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), BAR), Sense::hover());
    let parts = [
        (counts.resolved(), palette.good),
        (counts.wrong_side, palette.kind(Kind::WrongSide)),
        (counts.clipped, palette.kind(Kind::Clips)),
        (counts.missed, palette.kind(Kind::Tunnels)),
    ];
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 3.0, Surfaces::of(ui.visuals()).sunken);
    let mut left = rect.left();
    for (count, color) in parts {
        let width = rect.width() * counts.share(count) as f32;
        let part = Rect::from_min_size(egui::pos2(left, rect.top()), vec2(width, rect.height()));
        painter.rect_filled(part, 0.0, color);
        left += width;
    }
    let name = format!("Starting phases: {}", counts.summary());
    response.widget_info(|| WidgetInfo::labeled(Role::Meter, true, &name));
    response.on_hover_text(sweep.closed_sentence());
    ui.label(RichText::new(counts.summary()).font(style::small()).weak());
}

fn table(ui: &mut Ui, changes: &[Change]) {
    Grid::new("what if")
        .num_columns(4)
        .spacing(vec2(10.0, 3.0))
        .striped(true)
        .show(ui, |ui| {
            for head in ["change", "now", "held from", "detected from"] {
                ui.label(RichText::new(head).weak());
            }
            ui.end_row();
            for change in changes {
                row(ui, change);
                ui.end_row();
            }
        });
}

fn row(ui: &mut Ui, change: &Change) {
    ui.label(text::words(change.what.short_name()));
    ui.label(RichText::new(change.value(change.before)).monospace());
    if change.detects.is_none() {
        let label = ui.label(RichText::new("no change helps").weak());
        label.on_hover_text(&*change.why_not);
        return;
    }
    for (enough, word) in [(&change.holds, "held"), (&change.detects, "detected")] {
        let Some(enough) = enough else {
            ui.label(RichText::new("never").weak());
            continue;
        };
        let text = match enough.below {
            Some(_) => change.value(enough.after),
            None => "already".to_owned(),
        };
        let label = ui.label(RichText::new(text).monospace());
        label.on_hover_text(proof(change, enough, word));
    }
}

/// What the overlap test says at the value, just short of it, and in the scene stepped anew.
fn proof(change: &Change, enough: &Threshold, word: &str) -> String {
    let mut text = format!(
        "At {}: {}.",
        change.value(enough.after),
        enough.at_after.summary()
    );
    if let Some(short) = &enough.at_below {
        text.push_str(&format!("\nJust short of it: {}.", short.summary()));
    }
    match enough.replayed {
        Some(true) => {
            text.push_str("\nThe scene, stepped anew with it, does not have the finding.")
        }
        Some(false) => text.push_str(&format!(
            "\nThe scene, stepped anew with it, still is not {word} somewhere."
        )),
        None => {}
    }
    text
}
