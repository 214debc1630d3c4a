//! A finding at every starting phase, and the smallest changes that make it vanish.

use crate::app::model::what_if_search::SearchState;
use crate::app::style;
use crate::app::text;
use crate::app::theme::{Palette, Surfaces};
use crate::core::diagnose::Kind;
use crate::core::diagnose::phase_sweep::PhaseSweep;
use crate::core::diagnose::what_if::{Change, Threshold};
use crate::core::scene::UserUnits;
use egui::accesskit::Role;
use egui::{Grid, ProgressBar, Rect, RichText, Sense, Ui, WidgetInfo, vec2};

const BAR: f32 = 14.0;

/// Draws the limits, or the progress of the search.
pub fn show(ui: &mut Ui, state: &SearchState, share: Option<f32>, units: UserUnits) {
    match state {
        SearchState::Working => {
            let bar = ProgressBar::new(share.unwrap_or(0.0)).desired_height(8.0);
            let response = ui.add(bar);
            response.widget_info(|| {
                WidgetInfo::labeled(Role::ProgressIndicator, true, "Searching limits")
            });
        }
        SearchState::Known(limits) => {
            phases(ui, &limits.phases);
            ui.add_space(4.0);
            if let Some(with) = &limits.with {
                ui.label(RichText::new(format!("Together with {}:", with.text(units))).weak());
            }
            table(ui, &limits.changes, units);
        }
        SearchState::NoStart => {
            let text = "Not available: the two overlap from the start.";
            ui.label(RichText::new(text).weak());
        }
        SearchState::Fault(fault) => {
            let text = format!("Internal error (please report it): {fault}");
            ui.colored_label(Palette::of(ui.visuals()).bad, text);
        }
    }
}

/// Draws a bar of all starting phases by outcome: resolved, wrong side, clipped, missed.
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

fn table(ui: &mut Ui, changes: &[Change], units: UserUnits) {
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
                row(ui, change, units);
                ui.end_row();
            }
        });
}

fn row(ui: &mut Ui, change: &Change, units: UserUnits) {
    ui.label(text::words(change.what.short_name()));
    ui.label(RichText::new(change.value(change.before, units)).monospace());
    if change.detects.is_none() {
        let label = ui.label(RichText::new("no change helps").weak());
        label.on_hover_text(&*change.why_not);
        return;
    }
    for (limit, word) in [(&change.holds, "held"), (&change.detects, "detected")] {
        let Some(limit) = limit else {
            ui.label(RichText::new("no value").weak());
            continue;
        };
        let text = match limit.below {
            Some(_) => change.value(limit.after, units),
            None => "already".to_owned(),
        };
        let label = ui.label(RichText::new(text).monospace());
        label.on_hover_text(proof(change, limit, word, units));
    }
}

/// The outcomes at the value, just below it, and in the scene stepped again.
fn proof(change: &Change, limit: &Threshold, word: &str, units: UserUnits) -> String {
    let mut text = format!(
        "At {}: {}.",
        change.value(limit.after, units),
        limit.at_after.summary()
    );
    if let Some(short) = &limit.at_below {
        text.push_str(&format!("\nJust below it: {}.", short.summary()));
    }
    match limit.replayed {
        Some(true) => {
            text.push_str("\nStepped again with it, the scene does not have the finding.")
        }
        Some(false) => text.push_str(&format!(
            "\nStepped again with it, the scene still has a phase that is not {word}."
        )),
        None => {}
    }
    text
}
