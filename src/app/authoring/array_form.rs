//! The form of an array of the selected objects.

use super::forms::{self, Kind, form, row};
use crate::app::command::Command;
use crate::core::edit::{Array, ArrayLayout, Edit};
use crate::core::replay::ObjectId;
use egui::{Align, CollapsingHeader, Context, Id, RichText, Ui};

/// How high the form is unfolded, points, at most.
const TALL: f32 = 180.0;

/// The form as it was left.
fn kept() -> Id {
    Id::unique("array of objects")
}

/// It is to be opened and brought into sight.
fn called() -> Id {
    Id::unique("array is called")
}

/// The form comes into sight, set to a layout; the numbers of that layout stay as they were left.
pub fn begin(ctx: &Context, layout: ArrayLayout) {
    ctx.data_mut(|data| {
        let array = data.get_temp::<Array>(kept());
        if array.is_none_or(|array| array.layout() != layout) {
            data.insert_temp(kept(), layout.example());
        }
        data.insert_temp(called(), true);
    });
}

/// Draws the fields of an array of what is selected, and its button.
pub fn show(ui: &mut Ui, selected: &[ObjectId], commands: &mut Vec<Command>) {
    let is_called = ui.data_mut(|data| data.remove_temp::<bool>(called()).is_some());
    let shown = CollapsingHeader::new(RichText::new("Array").strong())
        .default_open(false)
        .open(is_called.then_some(true))
        .show_unindented(ui, |ui| {
            let left = ui.data_mut(|data| data.get_temp::<Array>(kept()));
            let mut array = left.unwrap_or(ArrayLayout::Row.example());
            form(ui, "array", |ui| fields(ui, &mut array));
            ui.data_mut(|data| data.insert_temp(kept(), array));
            let more = array.offsets().len() * selected.len();
            let text = format!("Add {}", crate::app::text::count_of(more, "copy", "copies"));
            let button = ui.add_enabled(more > 0, egui::Button::new(text));
            let help = "Copies of the selected objects, each under a name of its own; one undo takes them back";
            if button.on_hover_text(help).clicked() {
                commands.push(Command::Edit(Edit::Array(selected.to_vec(), array)));
            }
        });
    if is_called {
        // As it unfolds; the button at its end is what one came for.
        let rect = shown
            .header_response
            .rect
            .with_max_y(shown.header_response.rect.bottom() + TALL);
        ui.scroll_to_rect(rect, Some(Align::Min));
    }
}

fn fields(ui: &mut Ui, array: &mut Array) {
    let was = array.layout();
    let mut layout = was;
    row(ui, "order", "How the copies are set out", |ui| {
        let choices = [
            (ArrayLayout::Row, "row", "Each as far from the one before"),
            (ArrayLayout::Grid, "grid", "Rows of rows on the ground"),
            (ArrayLayout::Ring, "ring", "Around the first one"),
            (
                ArrayLayout::Random,
                "random",
                "Anywhere near; the same seed gives the same places",
            ),
        ];
        forms::choice(ui, "array order", &mut layout, &choices);
    });
    if layout != was {
        *array = layout.example();
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
