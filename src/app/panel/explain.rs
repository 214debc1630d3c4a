//! The Explanation panel: every step of the selected pair's test in the frame, the results and the cause.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::{keyboard_focus, text, widget};
use crate::core::diagnose::Finding;
use crate::core::diagnose::explain::{Explanation, OverlapTest, Summary};
use crate::core::scene::UserUnits;
use egui::{RichText, ScrollArea, TextStyle, Ui};
use egui_material_icons::icons;

mod camera;
mod motion;

/// Draws the panel.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(derived) = model.derived() else {
        return;
    };
    if let [object] = *model.selection.objects()
        && derived.motion.is_asked(object)
    {
        return motion::of_object(ui, model, &derived.motion, object, commands);
    }
    if let Some(view) = &derived.camera_view {
        camera::show(ui, model, &view.explanation, commands);
        return;
    }
    let Some(pair) = &derived.pair else {
        if let Some(finding) = model.selected_finding() {
            single_object(ui, finding, model.units(), commands);
            return;
        }
        if let [object] = *model.selection.objects() {
            return motion::of_object(ui, model, &derived.motion, object, commands);
        }
        let help = "Select an object to see why it is where it is, or two (Ctrl+click adds one) or a finding to see every step of their test in this frame.";
        widget::empty_state(ui, icons::ICON_HELP, "Nothing to explain", help);
        return;
    };
    let explanation = &pair.explanation;
    ScrollArea::vertical()
        .id_salt("explain")
        .auto_shrink(false)
        .show(ui, |ui| {
            let [a, b] = &explanation.names;
            let title = format!("{a} and {b}, frame {}", explanation.number);
            let sentences = explanation.sentences();
            heading(ui, &title, &sentences, commands);
            results(ui, explanation);
            if let Some(finding) = finding_of(model, explanation) {
                cause(ui, finding, explanation.units);
            }
            ui.add_space(6.0);
            sentence_list(ui, &sentences);
            keyboard_focus::follow(ui);
        });
}

/// Draws a finding of a single object.
fn single_object(ui: &mut Ui, finding: &Finding, units: UserUnits, commands: &mut Vec<Command>) {
    let area = ScrollArea::vertical().id_salt("alone").auto_shrink(false);
    area.show(ui, |ui| {
        let title = format!("{}, frame {}", finding.a, finding.number());
        heading(ui, &title, std::slice::from_ref(&finding.text), commands);
        cause(ui, finding, units);
    });
}

fn heading(ui: &mut Ui, title: &str, sentences: &[String], commands: &mut Vec<Command>) {
    widget::heading(ui, title, |ui| {
        let (name, help) = ("Copy explanation", "Copy all sentences, for a report");
        if widget::icon_button(ui, icons::ICON_CONTENT_COPY, name, help, false).clicked() {
            commands.push(Command::CopyText(sentences.join("\n")));
        }
    });
}

/// Draws the results of the overlap tests at both ends and of the sweep.
fn results(ui: &mut Ui, explanation: &Explanation) {
    let [start, end] = &explanation.end_tests;
    widget::card(ui, |ui| {
        egui::Grid::new("verdicts")
            .num_columns(2)
            .spacing([14.0, 4.0])
            .show(ui, |ui| {
                for (when, test) in [("at the start", start), ("at the end", end)] {
                    let summary = OverlapTest::summary(test.as_ref(), explanation.units);
                    line(ui, &format!("Overlap test {when}"), summary);
                }
                line(ui, "Sweep over the frame", explanation.summary());
            });
    });
}

fn line(ui: &mut Ui, test: &str, (severity, result): Summary) {
    let color = Palette::of(ui.visuals()).severity(severity);
    ui.label(RichText::new(test).weak());
    ui.add(egui::Label::new(RichText::new(result).strong().color(color)).wrap());
    ui.end_row();
}

/// The finding of this pair in this frame: the selected one, else the first.
fn finding_of<'m>(model: &'m Model, explanation: &Explanation) -> Option<&'m Finding> {
    let is_of = |finding: &&Finding| {
        finding.frame == explanation.frame
            && finding.is_about(explanation.a)
            && finding.is_about(explanation.b)
    };
    let document = model.document()?;
    model
        .selected_finding()
        .filter(is_of)
        .or_else(|| document.findings().iter().find(is_of))
}

fn cause(ui: &mut Ui, finding: &Finding, units: UserUnits) {
    let palette = Palette::of(ui.visuals());
    ui.add_space(6.0);
    widget::card(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let kind = RichText::new(finding.kind.name()).strong();
            ui.label(kind.color(palette.kind(finding.kind)));
            let title = format!("{} {}", finding.cause.id(), finding.cause.title());
            ui.label(RichText::new(title).strong());
        });
        let color = ui.visuals().text_color();
        ui.label(widget::marked(ui, &finding.text, TextStyle::Body, color));
        let fixes: Vec<String> = finding.fixes.iter().map(|fix| fix.text(units)).collect();
        if !fixes.is_empty() {
            let text = format!("Suggested fixes: {}", fixes.join(", "));
            ui.label(RichText::new(text::prose(&text)).weak());
        }
    });
}

/// Draws the sentences, numbered in order of time.
fn sentence_list(ui: &mut Ui, sentences: &[String]) {
    for (index, sentence) in sentences.iter().enumerate() {
        ui.horizontal_top(|ui| {
            let number = RichText::new(format!("{}", index + 1)).weak().monospace();
            ui.add_sized([18.0, 16.0], egui::Label::new(number));
            let color = ui.visuals().text_color();
            let text = widget::marked(ui, sentence, TextStyle::Body, color);
            ui.add(egui::Label::new(text).wrap());
        });
    }
}
