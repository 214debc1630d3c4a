//! What the runs of the user's own build say of a finding.

use crate::app::command::Command;
use crate::app::model::tuning::Tuning;
use crate::app::model::{JobKind, Model};
use crate::app::theme::Palette;
use crate::app::{style, widget};
use crate::core::diagnose::{Finding, Quantity};
use crate::core::number::seconds;
use crate::run::{Batch, Failure, Row, Search, Tuned};
use egui::accesskit::Role;
use egui::{Button, Grid, Label, ProgressBar, RichText, Ui, WidgetInfo, vec2};
use std::collections::BTreeSet;

/// The search whose result is shown beside a fix: the last that found a value, as pairs come after single parameters.
fn search_of(tuned: &Tuned, what: Quantity) -> Option<&Search> {
    let is_it = |search: &&Search| Quantity::named(&search.parameter) == Some(what);
    let searches = || tuned.searches.iter().filter(is_it);
    let found = searches().rfind(|search| search.found.is_some());
    found.or_else(|| searches().next())
}

/// What the runs of a finding say, if they are made.
pub fn tuned<'m>(model: &'m Model, finding: &Finding) -> Option<&'m Tuned> {
    let outcome = model.tuning_of(finding)?.outcome.as_ref()?;
    outcome
        .as_ref()
        .ok()
        .filter(|tuned| !tuned.searches.is_empty())
}

/// Draws the confirmed value of a quantity, with that word where no heading has it.
pub fn confirmed(ui: &mut Ui, tuned: &Tuned, what: Quantity, has_heading: bool) {
    let palette = Palette::of(ui.visuals());
    let Some(search) = search_of(tuned, what) else {
        ui.label("");
        return;
    };
    let (text, color) = match search.found_row() {
        Some(row) if !row.is_confirmed() => (short(row), palette.bad),
        Some(row) => (short(row), palette.good),
        None if search.monotone.is_some() => ("no value".to_owned(), palette.bad),
        None => ("stopped".to_owned(), ui.visuals().weak_text_color()),
    };
    let is_confirmed = search.found_row().is_none_or(Row::is_confirmed);
    let word = match (has_heading, is_confirmed) {
        (false, true) => "confirmed ",
        (false, false) => "not confirmed ",
        (true, _) => "",
    };
    let text = format!("{word}{text}");
    let text = RichText::new(text).monospace().color(color);
    let label = ui.add(Label::new(text).extend());
    if let Some(text) = search.text(0) {
        label.on_hover_text(text);
    }
}

/// `8: 0 of 64`.
fn short(row: &Row) -> String {
    let Row { value, batch, .. } = row;
    format!("{value}: {} of {}", batch.with_finding, batch.runs)
}

/// Draws the button, the progress, and what the runs say.
pub fn show(ui: &mut Ui, model: &Model, finding: &Finding, commands: &mut Vec<Command>) {
    let tuning = model.tuning_of(finding);
    ui.add_space(4.0);
    match tuning.is_some_and(|tuning| tuning.outcome.is_none()) {
        true => progress(ui, model, commands),
        false => button(ui, model, commands),
    }
    let Some(Tuning {
        command,
        outcome: Some(outcome),
        ..
    }) = tuning
    else {
        return;
    };
    ui.add_space(4.0);
    let title = ui.label(RichText::new("In your build").strong());
    title.on_hover_text(&command.line);
    match outcome {
        Ok(tuned) => runs(ui, tuned),
        Err(failure) => failed(ui, "", failure),
    }
}

fn button(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(entry) = Command::TuneInBuild.entry() else {
        return;
    };
    let why_not = entry.unavailable(model);
    let text = (entry.icon.rich_text().size(15.0), entry.text);
    let button = ui.add_enabled(why_not.is_none(), Button::new(text));
    button.widget_info(|| WidgetInfo::labeled(Role::Button, why_not.is_none(), entry.text));
    let button = button.on_hover_text(entry.tooltip);
    let button = button.on_disabled_hover_text(why_not.unwrap_or_default());
    if button.clicked() {
        commands.push(entry.command.clone());
    }
}

fn progress(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let share = model.jobs.progress(JobKind::Tune).flatten();
    ui.horizontal(|ui| {
        widget::icon_command(ui, &Command::StopTuning, false, commands);
        let bar = ProgressBar::new(share.unwrap_or(0.0)).desired_height(8.0);
        let response = ui.add(bar);
        response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, "Running"));
    });
    if let Some(text) = model.tuning_text() {
        ui.label(RichText::new(text).font(style::small()).weak());
    }
}

/// Draws the tables of the runs, and what went wrong in them.
fn runs(ui: &mut Ui, tuned: &Tuned) {
    if tuned.cancelled {
        ui.label(RichText::new("Stopped: the rest is not known.").weak());
    }
    if let Some(what) = tuned.nothing_to_tune(0) {
        ui.label(what);
    }
    let mut said = BTreeSet::new();
    if let (true, Some(base)) = (tuned.searches.is_empty(), &tuned.base) {
        if tuned.first.is_some() || base.batch.errors > 0 {
            ui.label(base.batch.text());
        }
        failures(ui, base, &mut said);
    }
    for (index, search) in tuned.searches.iter().enumerate() {
        let with = search.with.iter();
        let with = with.map(|(name, value)| format!(" with {name} {value}"));
        let title = format!("{}{}", search.parameter, with.collect::<String>());
        ui.add_space(2.0);
        ui.label(RichText::new(title).strong());
        table(ui, index, &search.rows);
        if search.monotone == Some(false) {
            ui.label(Search::NOT_MONOTONE);
        }
        if let Some(text) = search.text(0) {
            let palette = Palette::of(ui.visuals());
            let found = search.found_row();
            let color = match found.is_some_and(Row::is_confirmed) {
                true => palette.good,
                false => palette.bad,
            };
            ui.colored_label(color, text);
            if found.is_some_and(|row| !row.batch.new_kinds.is_empty()) {
                ui.colored_label(palette.bad, Search::NEW_KINDS);
            }
        }
        if let Some(text) = search.hung_text() {
            ui.label(text);
        }
        for row in &search.rows {
            failures(ui, row, &mut said);
        }
    }
    for note in &tuned.notes {
        ui.label(note);
    }
}

fn table(ui: &mut Ui, index: usize, rows: &[Row]) {
    let has_errors = rows.iter().any(|row| row.batch.errors > 0);
    let table = Grid::new(("runs", index))
        .spacing(vec2(10.0, 2.0))
        .striped(true);
    table.show(ui, |ui| {
        let heads = ["value", "with finding", "time", "no result"];
        let shown = if has_errors { 4 } else { 3 };
        for head in &heads[..shown] {
            ui.label(RichText::new(*head).font(style::small()).weak());
        }
        ui.end_row();
        for Row { value, batch, .. } in rows {
            let Batch {
                runs,
                errors,
                with_finding,
                new_kinds,
                ..
            } = batch;
            let time = batch.seconds.map_or_else(|| "-".to_owned(), seconds);
            let cells = [
                value.clone(),
                format!("{with_finding} of {runs}"),
                time,
                errors.to_string(),
            ];
            for cell in &cells[..shown] {
                ui.label(RichText::new(cell).monospace());
            }
            let kinds = new_kinds.iter();
            let kinds = kinds.map(|(kind, runs)| format!("{} in {runs}", kind.name()));
            let kinds: Vec<String> = kinds.collect();
            if !kinds.is_empty() {
                ui.label(format!("new: {}", kinds.join(", ")));
            }
            ui.end_row();
        }
    });
}

/// Draws why runs of a value have no result; what was said of another value is not repeated.
fn failures<'r>(ui: &mut Ui, row: &'r Row, said: &mut BTreeSet<&'r str>) {
    for failure in row.batch.distinct_failures() {
        if said.insert(&failure.what) {
            failed(ui, &row.value, failure);
        }
    }
}

/// Draws why a run has no result, with the last lines that the program printed.
fn failed(ui: &mut Ui, value: &str, failure: &Failure) {
    let color = Palette::of(ui.visuals()).bad;
    let colon = if value.is_empty() { "" } else { ": " };
    ui.colored_label(color, format!("{value}{colon}{}", failure.what));
    if !failure.last_lines.is_empty() {
        let lines = RichText::new(failure.last_lines.join("\n"));
        let lines = lines.font(style::mono()).weak();
        ui.label(lines);
    }
}
