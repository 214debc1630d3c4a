//! Many of the selected objects, set out in an order.

use super::forms::{self, Kind, form, row};
use crate::app::command::Command;
use crate::core::edit::{Array, Change};
use crate::core::replay::ObjectId;
use egui::{Align, CollapsingHeader, Context, Id, RichText, Ui};
use glam::DVec3;

/// How high the form is unfolded, points, at most.
const TALL: f32 = 180.0;

/// In what order the copies are set out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each as far from the one before.
    Row,
    /// Rows of rows on the ground.
    Grid,
    /// Around the first one.
    Ring,
    /// Anywhere near.
    Random,
}

impl Order {
    fn of(array: &Array) -> Self {
        match array {
            Array::Row { .. } => Self::Row,
            Array::Grid { .. } => Self::Grid,
            Array::Ring { .. } => Self::Ring,
            Array::Random { .. } => Self::Random,
        }
    }

    /// What stands in the form first.
    fn array(self) -> Array {
        match self {
            Self::Row => Array::Row {
                count: 5,
                step: DVec3::X,
            },
            Self::Grid => Array::Grid {
                columns: 3,
                rows: 3,
                spacing: 1.0,
            },
            Self::Ring => Array::Ring {
                count: 8,
                radius: 2.0,
            },
            Self::Random => Array::Random {
                count: 10,
                reach: 3.0,
                seed: 1,
            },
        }
    }
}

/// The form as it was left.
fn kept() -> Id {
    Id::unique("array of objects")
}

/// It is to be opened and brought into sight.
fn called() -> Id {
    Id::unique("array is called")
}

/// The form comes into sight, set to an order; the numbers of that order stay as they were left.
pub fn begin(ctx: &Context, order: Order) {
    ctx.data_mut(|data| {
        let array = data.get_temp::<Array>(kept());
        if array.is_none_or(|array| Order::of(&array) != order) {
            data.insert_temp(kept(), order.array());
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
            let mut array = left.unwrap_or(Order::Row.array());
            form(ui, "array", |ui| fields(ui, &mut array));
            ui.data_mut(|data| data.insert_temp(kept(), array));
            let more = array.offsets().len() * selected.len();
            let text = format!("Add {}", crate::app::text::count_of(more, "copy", "copies"));
            let button = ui.add_enabled(more > 0, egui::Button::new(text));
            let help = "Copies of the selected objects, each under a name of its own; one undo takes them back";
            if button.on_hover_text(help).clicked() {
                commands.push(Command::Edit(Change::Array(selected.to_vec(), array)));
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
    let was = Order::of(array);
    let mut order = was;
    row(ui, "order", "How the copies are set out", |ui| {
        let choices = [
            (Order::Row, "row", "Each as far from the one before"),
            (Order::Grid, "grid", "Rows of rows on the ground"),
            (Order::Ring, "ring", "Around the first one"),
            (
                Order::Random,
                "random",
                "Anywhere near; the same seed gives the same places",
            ),
        ];
        forms::choice(ui, "array order", &mut order, &choices);
    });
    if order != was {
        *array = order.array();
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
