//! The loop: a band at the bottom of the ruler that can be dragged by its ends or as a whole.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::text::moment_text;
use crate::app::theme::Surfaces;
use crate::app::time_map::TimeMap;
use egui::{CursorIcon, Rangef, Rect, Response, Sense, Ui, WidgetInfo};

const HEIGHT: f32 = 9.0;
const HANDLE: f32 = 9.0;

/// Draws the loop, if looping is on, and handles drags. `grabbed` is the frames from its start to the pointer while it is dragged
/// as a whole.
pub fn show(
    ui: &mut Ui,
    map: &TimeMap,
    ruler: Rect,
    model: &Model,
    grabbed: &mut f64,
    commands: &mut Vec<Command>,
) {
    if !model.playback.looping() {
        return;
    }
    let (from, to) = model.playback.loop_bounds();
    let edge = ruler.x_range();
    let inside = |x: f32| x.clamp(edge.min, edge.max);
    let rows = Rangef::new(ruler.bottom() - HEIGHT, ruler.bottom());
    let (left, right) = (map.x(from), map.x(to));
    let band = Rect::from_x_y_ranges(inside(left)..=inside(right), rows);
    let id = ui.scope_id().with("loop");
    let whole = ui.interact(band, id, Sense::drag());
    let handle = |x: f32| Rect::from_x_y_ranges(x - HANDLE * 0.5..=x + HANDLE * 0.5, rows);
    let mut ends = [("Loop start", left, from), ("Loop end", right, to)].map(|(name, x, at)| {
        let visible = edge.contains(x);
        let rect = if visible { handle(x) } else { Rect::NOTHING };
        let response = ui.interact(rect, id.with(name), Sense::drag());
        response.widget_info(|| WidgetInfo::slider(true, at, name));
        response
    });
    paint(ui, band, &ends, &whole);
    let frames = f64::from(model.playback.frames());
    // Snaps to whole frames, unless frames are wide.
    let wide = f64::from(map.rect.width()) / map.span > 60.0;
    let snap = |at: f64| if wide { at } else { at.round() };
    let pointer = |response: &Response| {
        let at = response
            .interact_pointer_pos()
            .filter(|_| response.dragged() || response.drag_stopped())?;
        Some(snap(map.position(at.x)).clamp(0.0, frames))
    };
    let set = if let Some(at) = pointer(&ends[0]) {
        Some((at, to)).filter(|_| at < to)
    } else if let Some(at) = pointer(&ends[1]) {
        Some((from, at)).filter(|_| from < at)
    } else {
        dragged(&whole, map, (from, to), frames, grabbed, &snap)
    };
    if let Some((start, end)) = set.filter(|set| *set != (from, to)) {
        commands.push(Command::SetLoop(start, end));
    }
    for end in &mut ends {
        *end = end.clone().on_hover_cursor(CursorIcon::ResizeHorizontal);
    }
    let Some(document) = model.document() else {
        return;
    };
    let replay = document.replay();
    let text = format!(
        "Loop: {} to {}",
        moment_text(replay, from),
        moment_text(replay, to)
    );
    let [start, end] = ends;
    for response in [start, end, whole] {
        response.on_hover_text(&text);
    }
}

/// The start and end of a loop that is dragged as a whole.
fn dragged(
    whole: &Response,
    map: &TimeMap,
    (from, to): (f64, f64),
    frames: f64,
    grabbed: &mut f64,
    snap: &dyn Fn(f64) -> f64,
) -> Option<(f64, f64)> {
    let at = whole.interact_pointer_pos()?;
    let pointer = map.position(at.x);
    if whole.drag_started() {
        *grabbed = pointer - from;
    }
    let length = to - from;
    let start = snap(pointer - *grabbed).clamp(0.0, frames - length);
    let dragged = whole.dragged() || whole.drag_stopped();
    dragged.then_some((start, start + length))
}

fn paint(ui: &Ui, band: Rect, ends: &[Response; 2], whole: &Response) {
    let color = Surfaces::of(ui.visuals()).link;
    let lit = whole.hovered() || whole.dragged();
    let strength = if lit { 0.75 } else { 0.5 };
    let line = band.with_min_y(band.bottom() - 5.0);
    ui.painter()
        .rect_filled(line, 2.0, color.gamma_multiply(strength));
    for end in ends {
        let lit = end.hovered() || end.dragged();
        let width = if lit { 5.0 } else { 3.0 };
        let handle = Rect::from_center_size(end.rect.center(), egui::vec2(width, HEIGHT));
        ui.painter().rect_filled(handle, 1.5, color);
    }
}
