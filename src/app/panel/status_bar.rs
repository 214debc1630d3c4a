//! The status bar: the time, the counts of the level, and the background job.

use crate::app::command::Command;
use crate::app::dock::Pane;
use crate::app::model::document::Document;
use crate::app::model::{JobKind, Model};
use crate::app::theme::Palette;
use crate::app::{text, widget};
use crate::core::number;
use crate::core::scene::Detection;
use egui::{Align, Button, Layout, ProgressBar, RichText, Ui, UiBuilder};

/// The width of the counts, points.
const COUNTS: f32 = 480.0;

/// Draws the status bar.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 14.0;
        match model.document() {
            Some(document) => time(ui, model, document),
            None => {
                ui.label(RichText::new("Open a level, or drop a file here").weak());
            }
        }
        // With its own id, so that a click is not lost when the items on the left change.
        let right = UiBuilder::new()
            .id_salt("right")
            .layout(Layout::right_to_left(Align::Center));
        ui.scope_builder(right, |ui| {
            work(ui, model, commands);
            errors(ui, model, commands);
            // A narrow window shows only the time.
            if let Some(document) = model.document()
                && ui.available_width() > COUNTS
            {
                counts(ui, document);
            }
        });
    });
}

fn time(ui: &mut Ui, model: &Model, document: &Document) {
    let playhead = model.playback.playhead();
    let replay = document.replay();
    let time = replay.start_time()
        + replay.time(playhead.frame)
        + playhead.fraction * replay.dt(playhead.frame);
    let mono = |text: String| RichText::new(text).monospace();
    ui.label(mono(format!(
        "frame {} + {:.4}",
        replay.number(playhead.frame),
        playhead.fraction
    )))
    .on_hover_text("Frame and fraction");
    ui.label(mono(format!("{time:.4} s")))
        .on_hover_text("Time, as the log counts it");
    ui.label(mono(format!(
        "dt {} ms",
        number::significant(replay.dt(playhead.frame) * 1e3, 4)
    )))
    .on_hover_text("Length of this frame");
    if document.is_stepping_slowly() {
        ui.spinner();
        ui.label("Stepping…");
    }
    if document.frame().gave_up {
        ui.colored_label(ui.visuals().warn_fg_color, "Too many impacts in this frame")
            .on_hover_text("The limit of impacts per frame was reached; the rest of the frame was stepped without impacts");
    }
}

fn counts(ui: &mut Ui, document: &Document) {
    let replay = document.replay();
    let detection = match (replay.recording(), replay.scene().detection) {
        (Some(_), _) => "recorded",
        (None, Detection::Overlap) => "overlap test",
        (None, Detection::Sweep) => "sweep",
    };
    ui.label(RichText::new(detection).weak())
        .on_hover_text("The collision detection of this level");
    ui.label(RichText::new(text::count(replay.objects().len(), "object")).weak());
    if let Some(report) = &document.report {
        let pairs = text::count(report.pairs_swept as usize, "pair");
        let swept = ui.label(RichText::new(format!("{pairs} swept")).weak());
        if let Some(seconds) = report.seconds {
            swept.on_hover_text(format!("in {} s", text::number(seconds)));
        }
        let palette = Palette::of(ui.visuals());
        let findings = text::count(report.findings.total(), "finding");
        let is_clear = report.findings.iter().all(|finding| finding.expected);
        let is_judged = document.is_diagnosed() && report.not_judged.is_empty();
        let color = match (is_clear, is_judged) {
            (false, _) => palette.bad,
            (true, false) => ui.visuals().warn_fg_color,
            (true, true) => palette.good,
        };
        ui.colored_label(color, findings);
        let failed = report.expectations.iter().filter(|one| !one.passed).count();
        if failed > 0 {
            let failed = format!("{} failed", text::count(failed, "expectation"));
            ui.colored_label(palette.bad, failed)
                .on_hover_text("The Findings panel lists the expectations");
        }
    }
}

/// The number of errors that are not dismissed; a click opens the Messages panel.
fn errors(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let shown = model.messages.shown().iter();
    let count = shown.filter(|message| message.severity.stays()).count();
    if count == 0 || model.session.is_none() {
        return;
    }
    let color = Palette::of(ui.visuals()).bad;
    let text = RichText::new(text::count(count, "error")).color(color);
    let button = ui.add(Button::new(text).small().frame_when_inactive(false));
    if button.on_hover_text("Show all messages").clicked() && !model.shows(Pane::Messages) {
        commands.push(Command::TogglePane(Pane::Messages));
    }
}

fn work(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(job) = model.shown_jobs().next() else {
        return;
    };
    let stop = match job.kind {
        JobKind::Find => Command::StopFind,
        _ => Command::StopJob,
    };
    widget::command_button(ui, &stop, model, commands);
    // A bar that moves would draw the window without end while nothing happens.
    if !job.waits {
        let bar = match job.share {
            Some(share) => ProgressBar::new(share).text(format!("{:.0} %", share * 100.0)),
            None => ProgressBar::new(0.0).animate(true),
        };
        ui.add(bar.desired_width(120.0).desired_height(14.0));
    }
    ui.label(job.text);
}
