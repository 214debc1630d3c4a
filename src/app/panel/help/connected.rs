//! What has arrived of the program that is being connected, and what its log lacks.

use crate::app::command::Command;
use crate::app::help_topics::{CONNECT, HelpPage, TOPICS, Topic};
use crate::app::model::Model;
use crate::app::source::Source;
use crate::app::theme::Palette;
use crate::app::{text, widget};
use egui::{Label, RichText, Ui};
use egui_material_icons::icons;
use std::collections::BTreeMap;

/// Draws the steps, done or not.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let is_listening = model.is_listening();
    let received = model
        .document()
        .filter(|document| matches!(document.source, Source::Live(_)));
    let objects = received.map_or(0, |document| document.replay().objects().len());
    let recording = received.and_then(|document| document.replay().recording());
    let frames = recording.map_or(0, |recording| recording.frames.len());
    let findings = received.map_or(0, |document| document.findings().len());
    let count = |number: usize, one| match number {
        0 => String::new(),
        _ => format!(": {}", text::count(number, one)),
    };
    let steps = [
        (
            is_listening || received.is_some(),
            "Listening on port 9740".to_owned(),
        ),
        (
            objects > 0,
            format!("Connected, the header is read{}", count(objects, "object")),
        ),
        (
            frames > 0,
            format!("The first frame{}", count(frames, "frame")),
        ),
        (
            findings > 0,
            format!("The first finding{}", count(findings, "finding")),
        ),
    ];
    for (is_done, step) in steps {
        ui.horizontal(|ui| tick(ui, is_done, &step));
    }
    if !is_listening && received.is_none() {
        widget::command_button(ui, &Command::Listen, model, commands);
    }
    let report = received.and_then(|document| document.report.as_ref());
    let lacking = report.map_or(&[][..], |report| &report.not_judged);
    // By what to log: the causes that are judged with it.
    let mut by_field: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in lacking {
        if let Some(cause) = one.cause {
            by_field.entry(&one.log).or_default().push(cause.id());
        }
    }
    if !by_field.is_empty() {
        ui.add_space(6.0);
        ui.label(RichText::new("What the log lacks, and the causes that need it").strong());
        for (field, causes) in by_field {
            let line = format!("{}: {}", text::prose(field), causes.join(", "));
            ui.add(Label::new(line).wrap());
        }
    }
    ui.add_space(6.0);
    let of_engine = |(_, topic): &(usize, &Topic)| topic.book == CONNECT && topic.title != CONNECT;
    ui.horizontal_wrapped(|ui| {
        for (index, topic) in TOPICS.iter().enumerate().filter(of_engine) {
            if ui.button(topic.title).clicked() {
                commands.push(Command::Help(HelpPage::Topic(index)));
            }
        }
    });
    ui.separator();
}

/// A line of a list of steps, with a tick where it is done.
pub fn tick(ui: &mut Ui, is_done: bool, step: &str) {
    let palette = Palette::of(ui.visuals());
    let (icon, color) = match is_done {
        true => (icons::ICON_CHECK_CIRCLE, palette.good),
        false => (icons::ICON_RADIO_BUTTON_UNCHECKED, palette.text_weak),
    };
    ui.label(icon.rich_text().size(16.0).color(color));
    let state = if is_done { "done" } else { "not yet" };
    let label = ui.label(step);
    widget::describe(&label, &format!("{step}, {state}"));
}
