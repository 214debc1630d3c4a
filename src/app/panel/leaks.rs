//! The Leaks panel: what may move in the level and how fast, and where it passes the fixed surfaces.

use crate::app::command::Command;
use crate::app::command::arguments::Output;
use crate::app::model::JobKind;
use crate::app::model::leaks::{LeaksForm, LeaksView};
use crate::app::model::{Model, Session};
use crate::app::{edited_fields, keyboard_focus, number_field, style, text};
use crate::core::leaks::{Leak, Leaks, Reachability};
use crate::core::scene::UserUnits;
use egui::{Button, CollapsingHeader, Label, RichText, ScrollArea, Ui};

/// Most random shots of a mover.
const MOST_TRIALS: u32 = 10_000_000;
/// Most steps of a frame, as on the command line.
const MOST_SUBSTEPS: u32 = 10_000;
/// Places that are listed, the worst first.
const LISTED: usize = 200;
/// Height of the unfolded list of what was not searched, points.
const NOTES: f32 = 72.0;

/// Draws the form, and below it the places of the latest search.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(Session {
        leaks_form: form,
        derived,
        ..
    }) = &model.session
    else {
        return;
    };
    let area = ScrollArea::vertical().id_salt("leaks").auto_shrink(false);
    area.show(ui, |ui| {
        contents(ui, model, (form, &derived.leaks), commands);
        keyboard_focus::follow(ui);
    });
}

fn contents(
    ui: &mut Ui,
    model: &Model,
    (form, leaks): (&LeaksForm, &LeaksView),
    commands: &mut Vec<Command>,
) {
    let mut edited = form.clone();
    let starts = fields(ui, model, &mut edited);
    if edited != *form {
        commands.push(Command::SetLeaksForm(edited));
    }
    if starts {
        commands.push(Command::LookForLeaks);
    }
    ui.separator();
    let searches = model.jobs.is_running(JobKind::Leaks);
    match leaks.result() {
        _ if searches => {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label("Shooting the movers at each surface…");
            });
        }
        None => {
            ui.add(Label::new(RichText::new("Looks for the places where a mover passes a fixed surface between two overlap tests, or through a gap, at up to its speed, before a player does.").weak()).wrap());
        }
        Some(Err(why)) => {
            let why = RichText::new(text::prose(why)).color(ui.visuals().warn_fg_color);
            ui.add(Label::new(why).wrap());
        }
        Some(Ok(found)) => places(ui, model.units(), (found, leaks.chosen), commands),
    }
}

/// Returns true when the search is started.
fn fields(ui: &mut Ui, model: &Model, form: &mut LeaksForm) -> bool {
    let hint = "player: capsule 0.3 0.9, up to 12 m/s";
    let help = "Without one: the level's own moving bodies.\nShapes: sphere R, capsule R HALF_HEIGHT, box X Y Z (half extents), cylinder R HALF_HEIGHT, in the level's unit.";
    let title = RichText::new("Movers, one a line");
    ui.label(title.font(style::small()).weak())
        .on_hover_text(help);
    let rows = form.movers.lines().count().clamp(1, 4);
    edited_fields::lines(ui, &mut form.movers, "Movers", hint, rows).on_hover_text(help);
    ui.horizontal_wrapped(|ui| {
        ui.label("Substeps");
        number_field::whole(ui, "Substeps", &mut form.substeps, 1, MOST_SUBSTEPS);
        ui.label("Random shots");
        number_field::whole(ui, "Random shots", &mut form.trials, 0, MOST_TRIALS);
    });
    let is_on = form.starts_at_selected || !model.selection.objects().is_empty();
    let start = egui::Checkbox::new(&mut form.starts_at_selected, "Start at the selected object");
    ui.add_enabled(is_on, start).on_hover_text(
        "What the movers reach from there comes first, and what leads out of it before that",
    );
    let can_start = !model.jobs.is_running(JobKind::Leaks);
    let button = ui.add_enabled(can_start, Button::new("Look for leaks"));
    button
        .on_hover_text("In the level as it is in its first state")
        .clicked()
}

fn places(
    ui: &mut Ui,
    units: UserUnits,
    (leaks, chosen): (&Leaks, Option<usize>),
    commands: &mut Vec<Command>,
) {
    for (index, mover) in leaks.movers.iter().enumerate() {
        let holds = leaks.holds(index);
        let verdict = match (holds < mover.speed, leaks.unconfirmed) {
            (true, _) => format!("held up to {}", units.speed(holds)),
            (false, 0) => format!("held up to its {}", units.speed(mover.speed)),
            (false, _) => "held where diagnosis agrees".to_owned(),
        };
        let shots = text::count(leaks.shots[index], "shot");
        ui.add(Label::new(format!("{}: {verdict}; {shots}", mover.name)).wrap());
    }
    let mut notes: Vec<String> = leaks
        .meshes
        .iter()
        .chain(&leaks.left_out)
        .cloned()
        .collect();
    notes.extend(leaks.unconfirmed_text());
    if !notes.is_empty() {
        let title = RichText::new(text::count(notes.len(), "note")).font(style::small());
        CollapsingHeader::new(title)
            .id_salt("leak notes")
            .show_unindented(ui, |ui| {
                ScrollArea::vertical().max_height(NOTES).show(ui, |ui| {
                    for note in &notes {
                        ui.add(Label::new(RichText::new(note).font(style::small())).wrap());
                    }
                });
            });
    }
    if leaks.places.is_empty() {
        return;
    }
    let save = ui.button("Save the shots…");
    let help = "A frame each, as a recording: to open, to check and to keep as a test";
    if save.on_hover_text(help).clicked() {
        commands.push(Command::OutputDialog(Output::Shots));
    }
    ui.add_space(4.0);
    for (index, leak) in leaks.places.iter().enumerate().take(LISTED) {
        let button = Button::selectable(chosen == Some(index), line(leak, units)).truncate();
        let help = format!(
            "Detected up to {}. {}",
            units.speed(leak.detects),
            leak.finding.text
        );
        if ui.add(button).on_hover_text(help).clicked() {
            commands.push(Command::ShowLeak(index));
        }
    }
    if leaks.places.len() > LISTED {
        let more = text::count(leaks.places.len() - LISTED, "more place");
        ui.weak(format!("{more}: all are in the saved shots."));
    }
}

/// `thin wall: held up to 7.2 m/s (C01), leads out`.
fn line(leak: &Leak, units: UserUnits) -> String {
    let reach = leak.reach.and_then(Reachability::words);
    let reach = reach.map_or_else(String::new, |words| format!(", {words}"));
    let (holds, cause) = (units.speed(leak.holds), leak.finding.cause.id());
    format!("{}: held up to {holds} ({cause}){reach}", leak.object)
}
