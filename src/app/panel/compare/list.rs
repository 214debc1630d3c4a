//! The objects that differ, by their first difference.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::style;
use crate::app::theme::Palette;
use crate::app::{text, text_focus, widget};
use crate::core::replay::compare::{Comparison, ObjectDifference};
use egui::accesskit::Role;
use egui::{
    Align2, Rect, RichText, ScrollArea, Sense, TextEdit, TextStyle, Ui, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;
use std::sync::Arc;

/// Height of an object, points.
const ROW: f32 = 38.0;
/// Objects from which on a filter is of use.
const FILTER_FROM: usize = 6;

/// The list's own state: the filter, and which rows pass it.
#[derive(Default)]
pub struct List {
    filter: String,
    shown: Vec<usize>,
    /// What `shown` was made for.
    of: Option<(Arc<Comparison>, String)>,
}

impl List {
    /// Draws the list into a height.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        room: f32,
        model: &Model,
        found: &Arc<Comparison>,
        commands: &mut Vec<Command>,
    ) {
        if found.objects.is_empty() {
            let help = "Every object stands where it stands in the other.";
            widget::empty_state(ui, icons::ICON_CHECK_CIRCLE, "Nothing differs", help);
            return;
        }
        let top = ui.cursor().top();
        if found.objects.len() >= FILTER_FROM {
            self.field(ui);
        }
        self.choose(found);
        if self.shown.is_empty() {
            ui.label(RichText::new("No name of an object that differs contains this.").weak());
            return;
        }
        let room = room - (ui.cursor().top() - top);
        let wanted = self.shown.len() as f32 * ROW + 4.0;
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ScrollArea::vertical()
                .id_salt("differences")
                .max_height(wanted.min(room.max(ROW)))
                .auto_shrink([false, false])
                .show_rows(ui, ROW, self.shown.len(), |ui, range| {
                    for &index in &self.shown[range] {
                        row(ui, model, index, &found.objects[index], commands);
                    }
                });
        });
    }

    fn field(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            let clear = !self.filter.is_empty();
            let width = ui.available_width() - if clear { 32.0 } else { 0.0 };
            let field = TextEdit::singleline(&mut self.filter)
                .hint_text("Filter what differs by name")
                .desired_width(width)
                .margin(vec2(8.0, 3.0));
            let response = ui.add(field);
            text_focus::restore_at_escape(&response, &mut self.filter);
            let name = "Show all that differ";
            if clear && widget::icon_button(ui, icons::ICON_CLOSE, name, "", false).clicked() {
                self.filter.clear();
            }
        });
    }

    /// The rows that pass the filter; made anew only when something changed.
    fn choose(&mut self, found: &Arc<Comparison>) {
        let filter = self.filter.trim().to_lowercase();
        if let Some((of, by)) = &self.of
            && Arc::ptr_eq(of, found)
            && *by == filter
        {
            return;
        }
        self.shown = (0..found.objects.len())
            .filter(|&index| found.objects[index].name.to_lowercase().contains(&filter))
            .collect();
        self.of = Some((Arc::clone(found), filter));
    }
}

fn row(
    ui: &mut Ui,
    model: &Model,
    index: usize,
    row: &ObjectDifference,
    commands: &mut Vec<Command>,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let session = model.session.as_ref();
    let chosen = session.and_then(|session| session.compare.chosen());
    let on = chosen == Some(row.subject);
    let first = row.first_text();
    let name = format!("{}, {first}", row.name);
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, on, &name));
    paint(ui, rect, response.hovered(), on, row);
    let mut help = first;
    let largest = row.largest_text();
    if !largest.is_empty() {
        help = format!("{help}\nlargest {largest}");
    }
    if row.states > 0 {
        help = format!(
            "{help}\n{} differ",
            text::count(row.states as usize, "state")
        );
    }
    if let Some(frame) = row.motion_from {
        help = format!("{help}\nvelocity, spin or a flag differ from frame {frame} on");
    }
    if row.other_shape {
        help.push_str("\nthe shapes are not the same");
    }
    if response.on_hover_text(help).clicked() {
        commands.push(Command::SelectDifference(index));
    }
}

fn paint(ui: &Ui, rect: Rect, hovered: bool, on: bool, row: &ObjectDifference) {
    let Some(painter) = widget::row_ground(ui, rect, hovered, on) else {
        return;
    };
    let visuals = ui.visuals();
    let palette = Palette::of(visuals);
    let (strong, weak) = if on {
        let color = visuals.selection.stroke.color;
        (color, color)
    } else {
        (palette.text, palette.text_weak)
    };
    let (left, right) = (rect.left() + 8.0, rect.right() - 8.0);
    let (upper, lower) = (rect.top() + 11.0, rect.bottom() - 10.0);
    let at_right = |y: f32, words: String, color| {
        painter
            .text(
                pos2(right, y),
                Align2::RIGHT_CENTER,
                words,
                style::small(),
                color,
            )
            .left()
    };
    let whole = row.first_text();
    // `frame 12: 0.5 m apart` in two places of the row.
    let (when, what) = whole.split_once(": ").unwrap_or(("", &whole));
    let when = at_right(upper, when.to_owned(), weak);
    let largest = row.largest_position.map(|peak| (peak, "m"));
    let largest = largest.or(row.largest_rotation.map(|peak| (peak, "rad")));
    let largest = largest.map_or(String::new(), |(peak, unit)| {
        format!("up to {}", text::with_unit(peak.value, unit))
    });
    let largest = at_right(lower, largest, if on { strong } else { palette.other });
    let body = TextStyle::Body.resolve(ui.style());
    let cut = |end: f32, y: f32, text: &str, font, color| {
        let room = end - 10.0 - left;
        widget::line(&painter, pos2(left, y), room, text, font, color);
    };
    cut(when, upper, &row.name, body, strong);
    cut(largest, lower, what, style::small(), weak);
}
