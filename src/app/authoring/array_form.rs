//! Many of the selected objects, set out in an order.

use super::change::{Array, Change};
use super::forms::{self, Kind, form, row};
use crate::app::command::Command;
use crate::core::replay::ObjectId;
use egui::{CollapsingHeader, Id, RichText, Ui};
use glam::DVec3;

/// Draws the fields of an array of what is selected, and its button.
pub fn show(ui: &mut Ui, selected: &[ObjectId], commands: &mut Vec<Command>) {
    CollapsingHeader::new(RichText::new("Array").strong())
        .default_open(false)
        .show_unindented(ui, |ui| {
            let key = Id::unique("array of objects");
            let kept = ui.data_mut(|data| data.get_temp::<Array>(key));
            let mut array = kept.unwrap_or(Array::Row {
                count: 5,
                step: DVec3::X,
            });
            form(ui, "array", |ui| fields(ui, &mut array));
            ui.data_mut(|data| data.insert_temp(key, array));
            let more = array.offsets().len() * selected.len();
            let text = format!("Add {}", crate::app::text::count(more, "copy").replace("copys", "copies"));
            let button = ui.add_enabled(more > 0, egui::Button::new(text));
            let help = "Copies of the selected objects, each under a name of its own; one undo takes them back";
            if button.on_hover_text(help).clicked() {
                commands.push(Command::Edit(Change::Array(selected.to_vec(), array)));
            }
        });
}

fn fields(ui: &mut Ui, array: &mut Array) {
    let kinds = [
        Array::Row {
            count: 5,
            step: DVec3::X,
        },
        Array::Grid {
            columns: 3,
            rows: 3,
            spacing: 1.0,
        },
        Array::Ring {
            count: 8,
            radius: 2.0,
        },
        Array::Random {
            count: 10,
            reach: 3.0,
            seed: 1,
        },
    ];
    let place = |array: &Array| match array {
        Array::Row { .. } => 0,
        Array::Grid { .. } => 1,
        Array::Ring { .. } => 2,
        Array::Random { .. } => 3,
    };
    let was = place(array);
    let mut kind = was;
    row(ui, "order", "How the copies are set out", |ui| {
        let choices = [
            (0, "row", "Each as far from the one before"),
            (1, "grid", "Rows of rows on the ground"),
            (2, "ring", "Around the first one"),
            (
                3,
                "random",
                "Anywhere near; the same seed gives the same places",
            ),
        ];
        forms::choice(ui, "array order", &mut kind, &choices);
    });
    if kind != was {
        *array = kinds[kind];
    }
    let count = |ui: &mut Ui, count: &mut u32| {
        row(ui, "count", "How many", |ui| {
            forms::whole(ui, "array count", count, 1, 10_000)
        });
    };
    let metres = |ui: &mut Ui, name: &str, value: &mut f64| {
        row(ui, name, "Metres", |ui| {
            forms::number(ui, &format!("array {name}"), value, Kind::positive("m"));
        });
    };
    match array {
        Array::Row { count: many, step } => {
            count(ui, many);
            row(ui, "step", "From one to the next", |ui| {
                forms::vector(ui, "array step", step, Kind::any("m"));
            });
        }
        Array::Grid {
            columns,
            rows,
            spacing,
        } => {
            row(ui, "columns", "Along x", |ui| {
                forms::whole(ui, "array columns", columns, 1, 100)
            });
            row(ui, "rows", "Along z", |ui| {
                forms::whole(ui, "array rows", rows, 1, 100)
            });
            metres(ui, "spacing", spacing);
        }
        Array::Ring {
            count: many,
            radius,
        } => {
            count(ui, many);
            metres(ui, "radius", radius);
        }
        Array::Random {
            count: many,
            reach,
            seed,
        } => {
            count(ui, many);
            metres(ui, "reach", reach);
            row(ui, "seed", "Another seed, other places", |ui| {
                let mut small = u32::try_from(*seed).unwrap_or(u32::MAX);
                forms::whole(ui, "array seed", &mut small, 0, u32::MAX);
                *seed = small.into();
            });
        }
    }
}
