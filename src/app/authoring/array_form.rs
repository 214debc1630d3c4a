//! The form of an array of the selected objects.

use super::forms::{Kind, Rows, form};
use crate::app::command::Command;
use crate::core::edit::{Array, ArrayLayout, Edit};
use crate::core::replay::ObjectId;
use egui::{Align, CollapsingHeader, RichText, Ui};

/// Greatest height of the unfolded form, points.
const TALL: f32 = 180.0;

/// The form and its values.
pub struct ArrayForm {
    array: Array,
    /// Opens the form and scrolls to it.
    open: bool,
}

impl Default for ArrayForm {
    fn default() -> Self {
        Self {
            array: ArrayLayout::Row.example(),
            open: false,
        }
    }
}

impl ArrayForm {
    /// Shows the form with a layout; the numbers of the same layout stay.
    pub fn begin(&mut self, layout: ArrayLayout) {
        if self.array.layout() != layout {
            self.array = layout.example();
        }
        self.open = true;
    }

    /// Draws the fields of an array of the selected objects, and its button.
    pub fn ui(&mut self, ui: &mut Ui, selected: &[ObjectId], commands: &mut Vec<Command>) {
        let is_called = std::mem::take(&mut self.open);
        let shown = CollapsingHeader::new(RichText::new("Array").strong())
            .default_open(false)
            .open(is_called.then_some(true))
            .show_unindented(ui, |ui| {
                form(ui, "array", |rows| fields(rows, &mut self.array));
                let more = self.array.offsets().len() * selected.len();
                let text = format!("Add {}", crate::app::text::count_of(more, "copy", "copies"));
                let button = ui.add_enabled(more > 0, egui::Button::new(text));
                let help = "Copies of the selected objects, with new names; one undo removes them";
                if button.on_hover_text(help).clicked() {
                    let edit = Edit::Array(selected.to_vec(), self.array);
                    commands.push(Command::Edit(edit));
                }
            });
        if is_called {
            // The form is still unfolding; its button is at the end.
            let bottom = shown.header_response.rect.bottom() + TALL;
            let rect = shown.header_response.rect.with_max_y(bottom);
            ui.scroll_to_rect(rect, Some(Align::Min));
        }
    }
}

fn fields(rows: &mut Rows<'_>, array: &mut Array) {
    rows.prefix = "array ".to_owned();
    let was = array.layout();
    let mut layout = was;
    let random = "Random positions; the same seed gives the same ones";
    let choices = [
        (ArrayLayout::Row, "row", "Equal steps"),
        (ArrayLayout::Grid, "grid", "Rows of rows on the ground"),
        (ArrayLayout::Ring, "ring", "Around the first one"),
        (ArrayLayout::Random, "random", random),
    ];
    rows.choice("order", "The layout of the copies", &mut layout, &choices);
    if layout != was {
        *array = layout.example();
    }
    if let Array::Row { count, .. } | Array::Ring { count, .. } | Array::Random { count, .. } =
        array
    {
        rows.whole("count", "How many", count, 1, 10_000);
    }
    let length = Kind::positive("m");
    match array {
        Array::Row { step, .. } => {
            rows.vector("step", "From one to the next", step, Kind::any("m"));
        }
        Array::Grid {
            columns,
            rows: lines,
            spacing,
        } => {
            rows.whole("columns", "Along x", columns, 1, 100);
            rows.whole("rows", "Along z", lines, 1, 100);
            rows.number("spacing", "Metres", spacing, length);
        }
        Array::Ring { radius, .. } => rows.number("radius", "Metres", radius, length),
        Array::Random { reach, seed, .. } => {
            rows.number("reach", "Metres", reach, length);
            let mut small = u32::try_from(*seed).unwrap_or(u32::MAX);
            let help = "The seed of the random positions";
            rows.whole("seed", help, &mut small, 0, u32::MAX);
            *seed = small.into();
        }
    }
}
