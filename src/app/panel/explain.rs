//! Why the selected pair met or did not: the story of the frame, read out, with the two tests side by side and the mend.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::{text, widget};
use crate::core::diagnose::explain::{Ending, Explanation, Outcome, OverlapTest};
use crate::core::diagnose::{Finding, Fix};
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

mod camera;

/// Draws the panel.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(derived) = model.derived() else {
        return;
    };
    if let Some(story) = &derived.camera_explanation {
        camera::show(ui, model, story, commands);
        return;
    }
    let Some(pair) = &derived.pair else {
        if let Some(finding) = model.selected_finding() {
            alone(ui, finding, commands);
            return;
        }
        let help = "Select two objects (Ctrl+click adds one), or click a finding: every step of their test in this frame is told here.";
        widget::empty_state(ui, icons::ICON_HELP, "Why, and why not", help);
        return;
    };
    let story = &pair.explanation;
    ScrollArea::vertical()
        .id_salt("explain")
        .auto_shrink(false)
        .show(ui, |ui| {
            let [a, b] = &story.names;
            let title = format!("{a} and {b}, frame {}", story.frame);
            let sentences = story.sentences();
            heading(ui, &title, &sentences, commands);
            verdicts(ui, story);
            if let Some(finding) = finding_of(model, story) {
                cause(ui, finding);
            }
            ui.add_space(6.0);
            told(ui, &sentences);
        });
}

/// A finding that no second object is in: what it says itself.
fn alone(ui: &mut Ui, finding: &Finding, commands: &mut Vec<Command>) {
    let area = ScrollArea::vertical().id_salt("alone").auto_shrink(false);
    area.show(ui, |ui| {
        let title = format!("{}, frame {}", finding.a, finding.frame);
        heading(ui, &title, std::slice::from_ref(&finding.text), commands);
        cause(ui, finding);
    });
}

fn heading(ui: &mut Ui, title: &str, sentences: &[String], commands: &mut Vec<Command>) {
    widget::heading(ui, title, |ui| {
        let (name, help) = ("Copy the story", "Every sentence, to paste into a report");
        if widget::icon_button(ui, icons::ICON_CONTENT_COPY, name, help, false).clicked() {
            commands.push(Command::CopyText(sentences.join("\n")));
        }
    });
}

/// What the overlap test says at both ends, beside what the sweep says of the way between.
fn verdicts(ui: &mut Ui, story: &Explanation) {
    let palette = Palette::of(ui.visuals());
    let [start, end] = &story.end_tests;
    widget::card(ui, |ui| {
        egui::Grid::new("verdicts")
            .num_columns(2)
            .spacing([14.0, 4.0])
            .show(ui, |ui| {
                for (when, look) in [("at the start", start), ("at the end", end)] {
                    let (color, words) = looked(palette, look.as_ref());
                    line(ui, &format!("Overlap test {when}"), color, &words);
                }
                let (color, words) = ended(palette, story);
                line(ui, "Sweep over the frame", color, &words);
            });
    });
}

fn line(ui: &mut Ui, what: &str, color: Color32, words: &str) {
    ui.label(RichText::new(what).weak());
    ui.add(egui::Label::new(RichText::new(words).strong().color(color)).wrap());
    ui.end_row();
}

fn looked(palette: &Palette, look: Option<&OverlapTest>) -> (Color32, String) {
    match look {
        None => (palette.text_weak, "not both present".to_owned()),
        Some(look) => match (&look.contact, look.gap) {
            (Some(contact), _) if contact.depth == 0.0 => (palette.bad, "touching".to_owned()),
            (Some(contact), _) => {
                let depth = text::with_unit(contact.depth, "m");
                (palette.bad, format!("overlap, {depth} deep"))
            }
            (None, Some(gap)) => {
                let gap = text::with_unit(gap, "m");
                (palette.good, format!("nothing, {gap} apart"))
            }
            (None, None) => (
                palette.text_weak,
                "nothing: behind what is one-sided".to_owned(),
            ),
        },
    }
}

fn ended(palette: &Palette, story: &Explanation) -> (Color32, String) {
    let metres = |length| text::with_unit(length, "m");
    match story.ending {
        Ending::NoPair => (palette.text_weak, "no pair".to_owned()),
        Ending::Absent(..) => (palette.text_weak, "not both present".to_owned()),
        Ending::Masked => (
            palette.text_weak,
            match story.filter.exemption {
                Some(exemption) => format!("not tested: {}", exemption.reason()),
                None => "forbidden by layers and masks".to_owned(),
            },
        ),
        Ending::LeftOut => (palette.good, "left out by the broad phase".to_owned()),
        Ending::Swept(outcome) => match outcome {
            Outcome::Hits(impact) => (
                palette.ghost_impact,
                format!("hits at {:.6}", impact.fraction),
            ),
            Outcome::Overlapping { depth } => (
                palette.bad,
                format!("overlaps by {} at the start", metres(depth)),
            ),
            Outcome::Misses { by, fraction } => (
                palette.good,
                format!("misses by {} at {fraction:.4}", metres(by)),
            ),
            Outcome::Grazes { fraction } => (palette.good, format!("grazes at {fraction:.6}")),
            Outcome::Later => (palette.good, "later than this frame".to_owned()),
            Outcome::Receding => (palette.good, "not approaching".to_owned()),
        },
    }
}

/// The finding of this pair in this frame: the selected one, else the first.
fn finding_of<'m>(model: &'m Model, story: &Explanation) -> Option<&'m Finding> {
    let is_of = |finding: &&Finding| {
        finding.frame == story.frame && finding.is_about(story.a) && finding.is_about(story.b)
    };
    let document = model.document()?;
    model
        .selected_finding()
        .filter(is_of)
        .or_else(|| document.findings().iter().find(is_of))
}

fn cause(ui: &mut Ui, finding: &Finding) {
    let palette = Palette::of(ui.visuals());
    ui.add_space(6.0);
    widget::card(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let kind = RichText::new(finding.kind.name()).strong();
            ui.label(kind.color(palette.kind(finding.kind)));
            let title = format!("{} {}", finding.cause.id(), finding.cause.title());
            ui.label(RichText::new(title).strong());
        });
        ui.label(&finding.text);
        let fixes: Vec<String> = finding.fixes.iter().map(Fix::to_string).collect();
        if !fixes.is_empty() {
            ui.label(RichText::new(format!("Suggested fixes: {}", fixes.join(", "))).weak());
        }
    });
}

/// The sentences, one a line, numbered in the order of happening.
fn told(ui: &mut Ui, sentences: &[String]) {
    for (index, sentence) in sentences.iter().enumerate() {
        ui.horizontal_top(|ui| {
            let number = RichText::new(format!("{}", index + 1)).weak().monospace();
            ui.add_sized([18.0, 16.0], egui::Label::new(number));
            let words = with_names(ui, sentence);
            ui.add(egui::Label::new(words).wrap());
        });
    }
}

/// A sentence with the names that it has between backticks in strong words instead.
fn with_names(ui: &Ui, sentence: &str) -> LayoutJob {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let plain = TextFormat::simple(font.clone(), ui.visuals().text_color());
    let strong = TextFormat::simple(font, ui.visuals().strong_text_color());
    let mut job = LayoutJob::default();
    // A name with a backtick of its own: as it is.
    if !sentence.matches('`').count().is_multiple_of(2) {
        job.append(sentence, 0.0, plain);
        return job;
    }
    for (index, part) in sentence.split('`').enumerate() {
        let format = if index % 2 == 1 { &strong } else { &plain };
        job.append(part, 0.0, format.clone());
    }
    job
}
