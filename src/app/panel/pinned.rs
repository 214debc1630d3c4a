//! The Pinned panel: the numbers of the pinned objects and pairs at the playhead.

use crate::app::command::Command;
use crate::app::model::document::Document;
use crate::app::model::{Model, Session};
use crate::app::theme::Palette;
use crate::app::widget;
use crate::core::replay::now::{Now, ObjectNow, PairNow};
use crate::core::replay::{ObjectId, Subject};
use crate::core::scene::UserUnits;
use egui::accesskit::Role;
use egui::{Align, Label, Layout, RichText, ScrollArea, Sense, Ui, WidgetInfo};
use egui_material_icons::icons;

/// Draws the panel.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(Session { document, pins, .. }) = &model.session else {
        return;
    };
    if pins.list().is_empty() {
        let help = "Select an object or a pair and press P to keep its numbers here and its lane in the timeline.";
        widget::empty_state(ui, icons::ICON_KEEP, "No pins", help);
        return;
    }
    ScrollArea::vertical()
        .id_salt("pinned")
        .auto_shrink(false)
        .show(ui, |ui| {
            for (subject, now) in pins.numbers() {
                ui.push_id(subject, |ui| {
                    card(ui, model, document, subject, now, commands);
                });
                ui.add_space(4.0);
            }
        });
}

fn card(
    ui: &mut Ui,
    model: &Model,
    document: &Document,
    subject: Subject,
    now: Option<&Now>,
    commands: &mut Vec<Command>,
) {
    let name = model.subject_name(subject);
    widget::card(ui, |ui| {
        ui.horizontal(|ui| {
            let lane = model.lanes().iter().position(|one| *one == subject);
            let color = Palette::of(ui.visuals()).line(lane.unwrap_or(0));
            let (dot, _) = ui.allocate_exact_size(egui::Vec2::splat(10.0), Sense::hover());
            ui.painter().circle_filled(dot.center(), 4.0, color);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let unpin = format!("Unpin {name}");
                if widget::icon_button(ui, icons::ICON_CLOSE, &unpin, "", false).clicked() {
                    commands.push(Command::PinSubject(subject));
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let label = Label::new(RichText::new(&name).strong())
                        .truncate()
                        .sense(Sense::click());
                    let response = ui.add(label);
                    let what = format!("Pinned {name}");
                    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &what));
                    if response.on_hover_text("Click to select").clicked() {
                        commands.push(match subject {
                            Subject::Pair(a, b) => Command::SelectPair(a, b),
                            Subject::Object(id) => Command::Select(Some(id)),
                            Subject::Level => return,
                        });
                    }
                });
            });
        });
        numbers(ui, document, now);
    });
}

fn numbers(ui: &mut Ui, document: &Document, now: Option<&Now>) {
    let units = document.units();
    let name = |id: ObjectId| {
        let object = document.replay().objects().get(id as usize);
        object.map_or("?", |object| object.name.as_str())
    };
    match now {
        None => {
            ui.label(RichText::new("Stepping…").weak());
        }
        Some(Now::Absent(absent)) => {
            let names: Vec<&str> = absent.iter().map(|id| name(*id)).collect();
            let text = match names[..] {
                [one] => format!("{one} is not present at this frame"),
                _ => format!("{} are not present at this frame", names.join(" and ")),
            };
            ui.label(RichText::new(text).weak());
        }
        Some(Now::Object(object)) => of_object(ui, object, &name, units),
        Some(Now::Pair(pair)) => of_pair(ui, pair, units),
    }
}

fn speed(value: Option<f64>, units: UserUnits) -> String {
    value.map_or("unknown".to_owned(), |speed| units.speed(speed))
}

fn of_object<'n>(
    ui: &mut Ui,
    object: &ObjectNow,
    name: &dyn Fn(ObjectId) -> &'n str,
    units: UserUnits,
) {
    widget::facts(ui, "object", |ui| {
        widget::fact(ui, "position", units.place(object.position, 1.0));
        widget::fact(ui, "speed", speed(object.speed, units));
        let impact = match object.impact {
            Some((fraction, other)) => format!("{fraction:.6}, {}", name(other)),
            None => "none".to_owned(),
        };
        widget::fact(ui, "impact", impact);
        widget::fact(ui, "pushed", units.length(object.push));
    });
}

fn of_pair(ui: &mut Ui, pair: &PairNow, units: UserUnits) {
    widget::facts(ui, "pair", |ui| {
        match pair.gap {
            Some(gap) if gap < 0.0 => {
                widget::fact(ui, "depth", units.length(-gap));
            }
            Some(gap) => widget::fact(ui, "gap", units.length(gap)),
            None => widget::fact(ui, "gap", "not defined for these shapes"),
        }
        widget::fact(ui, "relative speed", speed(pair.speed, units));
        let impact = pair
            .impact
            .map_or("none".to_owned(), |fraction| format!("{fraction:.6}"));
        widget::fact(ui, "impact", impact);
        widget::fact(ui, "pushed", units.length(pair.push));
    });
}
