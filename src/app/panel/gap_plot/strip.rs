//! The whole frame as a strip, with the lens on it.

use crate::app::theme::{Palette, Surfaces};
use crate::app::widget;
use crate::view::gap_curve::GapCurve;
use egui::epaint::PathShape;
use egui::{CursorIcon, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use std::ops::RangeInclusive;

const HEIGHT: f32 = 22.0;
/// The least width of the lens on the strip, points.
const MIN_WIDTH: f32 = 5.0;

/// Draws the strip; a drag moves the lens. `grabbed` is the fraction from its start to the pointer.
pub fn show(
    ui: &mut Ui,
    curve: &GapCurve,
    here: Option<f64>,
    lens: &mut RangeInclusive<f64>,
    grabbed: &mut f64,
) {
    let size = vec2(ui.available_width(), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let inner = rect.shrink2(vec2(6.0, 3.0));
    let x = |fraction: f64| inner.left() + fraction as f32 * inner.width();
    let (from, to) = (*lens.start(), *lens.end());
    let middle = 0.5 * (from + to);
    response.widget_info(|| WidgetInfo::slider(true, middle, "Lens on the frame"));
    let help = "The whole frame, with the part that is shown below; drag to move it";
    widget::describe(&response, help);
    if let Some(pointer) = widget::dragged_to(&response) {
        let at = f64::from((pointer.x - inner.left()) / inner.width().max(1.0));
        if ui.input(|input| input.pointer.primary_pressed()) {
            let marked = (x(from) - MIN_WIDTH)..=(x(to) + MIN_WIDTH);
            let is_on_lens = marked.contains(&pointer.x);
            *grabbed = if is_on_lens { at } else { middle } - from;
        }
        let start = (at - *grabbed).clamp(0.0, 1.0 - (to - from));
        *lens = start..=(start + (to - from));
    }
    paint(ui, rect, inner, curve, here, lens);
    response
        .on_hover_cursor(CursorIcon::ResizeHorizontal)
        .on_hover_text(help);
}

fn paint(
    ui: &Ui,
    rect: Rect,
    inner: Rect,
    curve: &GapCurve,
    here: Option<f64>,
    lens: &RangeInclusive<f64>,
) {
    let (palette, surfaces) = (Palette::of(ui.visuals()), Surfaces::of(ui.visuals()));
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 4.0, surfaces.stripe);
    let gaps = || curve.samples.iter().map(|[_, gap]| *gap);
    let low = gaps().fold(0.0, f64::min);
    let range = gaps().fold(0.0, f64::max) - low;
    let x = |fraction: f64| inner.left() + fraction as f32 * inner.width();
    let y = |gap: f64| {
        let share = if range > 0.0 {
            (gap - low) / range
        } else {
            0.0
        };
        inner.bottom() - share as f32 * inner.height()
    };
    let zero = Stroke::new(1.0, palette.contact.gamma_multiply(0.6));
    painter.hline(inner.x_range(), y(0.0), zero);
    let points: Vec<Pos2> = curve
        .samples
        .iter()
        .map(|[at, gap]| pos2(x(*at), y(*gap)))
        .collect();
    painter.add(PathShape::line(points, Stroke::new(1.2, palette.velocity)));
    let (left, right) = (x(*lens.start()), x(*lens.end()));
    let spare = 0.5 * (MIN_WIDTH - (right - left)).max(0.0);
    let marked = Rect::from_x_y_ranges(left - spare..=right + spare, rect.y_range());
    painter.rect_filled(marked, 2.0, surfaces.link.gamma_multiply(0.25));
    let stroke = Stroke::new(1.0, surfaces.link);
    painter.rect_stroke(marked, 2.0, stroke, StrokeKind::Inside);
    if let Some(fraction) = here {
        let stroke = Stroke::new(1.5, palette.playhead);
        painter.vline(x(fraction), rect.y_range(), stroke);
    }
}
