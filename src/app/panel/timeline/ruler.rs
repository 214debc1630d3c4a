//! The ruler: all frames, the findings as marks, the playhead with its fraction.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::style;
use crate::app::theme::{Palette, Surfaces};
use crate::core::diagnose::Finding;
use egui::{
    Align2, PointerButton, Rangef, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};

const HEIGHT: f32 = 52.0;
const SCALE: f32 = 20.0;
/// How near a finding's mark a click must be, points.
const NEAR: f32 = 5.0;
/// The ruler never shows less than this part of a frame.
const SHORTEST: f64 = 0.05;

/// The one map from frames (with fraction) to x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Map {
    /// The ruler's place on the screen.
    pub rect: Rect,
    /// Frames at the left edge.
    from: f64,
    /// Frames across the width, > 0.
    span: f64,
}

impl Map {
    /// Where a position in frames stands on the screen.
    pub fn x(&self, position: f64) -> f32 {
        let share = (position - self.from) / self.span;
        (f64::from(self.rect.left()) + share * f64::from(self.rect.width())) as f32
    }

    /// The position in frames of a place on the screen.
    pub fn position(&self, x: f32) -> f64 {
        let share = f64::from(x - self.rect.left()) / f64::from(self.rect.width().max(1.0));
        self.from + share * self.span
    }
}

/// Which part of time is shown.
#[derive(Default)]
pub struct Ruler {
    /// From and span in frames; `None` shows everything.
    shown: Option<(f64, f64)>,
    of: Option<(String, u32)>,
    /// Where the playhead was in the last pass.
    last: f64,
}

impl Ruler {
    /// Draws the ruler, and turns clicks, drags and the wheel into commands and zoom.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        model: &Model,
        document: &Document,
        commands: &mut Vec<Command>,
    ) -> Map {
        let of = Some((document.source.name(), model.playback.frames()));
        if self.of != of {
            self.of = of;
            self.shown = None;
        }
        let size = vec2(ui.available_width(), HEIGHT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let position = model.playback.playhead().position();
        response.widget_info(|| WidgetInfo::slider(true, position, "Timeline"));
        let frames = f64::from(model.playback.frames());
        self.follow(model, frames);
        self.zoom_and_pan(ui, &response, rect, frames);
        let map = self.map(rect, frames);
        let near = response
            .hover_pos()
            .and_then(|at| nearest(&map, model, document.findings(), at.x));
        seek(ui, &response, &map, model, near, commands);
        if ui.is_rect_visible(rect) {
            paint(ui, &map, model, document, near);
        }
        if let Some(finding) = near.and_then(|index| document.findings().get(index)) {
            response.on_hover_text_at_pointer(format!(
                "{}: {}\n{}",
                finding.kind.name(),
                finding.cause.title(),
                finding.text
            ));
        }
        map
    }

    fn map(&self, rect: Rect, frames: f64) -> Map {
        let (from, span) = self.shown.unwrap_or((0.0, frames));
        let rect = rect.shrink2(vec2(10.0, 0.0));
        Map { rect, from, span }
    }

    /// When the playhead leaves what is shown, a zoomed ruler turns its page.
    fn follow(&mut self, model: &Model, frames: f64) {
        let at = model.playback.playhead().position();
        let moved = std::mem::replace(&mut self.last, at) != at;
        let Some((from, span)) = self.shown else {
            return;
        };
        if moved && !(from..=from + span).contains(&at) {
            self.show(at - 0.1 * span, span, frames);
        }
    }

    fn zoom_and_pan(&mut self, ui: &Ui, response: &Response, rect: Rect, frames: f64) {
        let map = self.map(rect, frames);
        if let Some(at) = response.hover_pos() {
            let (scroll, zoom) = ui.input(|i| (i.smooth_scroll_delta(), i.zoom_delta()));
            let factor = (f64::from(-scroll.y) * 0.004).exp() / f64::from(zoom);
            if factor != 1.0 {
                let center = map.position(at.x);
                let span = (map.span * factor).clamp(SHORTEST.min(frames), frames);
                let share = (center - map.from) / map.span;
                self.show(center - share * span, span, frames);
            }
            if scroll.x != 0.0 {
                let moved = f64::from(scroll.x / map.rect.width()) * map.span;
                self.show(map.from - moved, map.span, frames);
            }
        }
        if response.dragged_by(PointerButton::Middle) {
            let moved = f64::from(response.drag_delta().x / map.rect.width()) * map.span;
            self.show(map.from - moved, map.span, frames);
        }
        if response.double_clicked() {
            self.shown = None;
        }
    }

    fn show(&mut self, from: f64, span: f64, frames: f64) {
        self.shown = if span >= frames {
            None
        } else {
            Some((from.clamp(0.0, frames - span), span))
        };
    }
}

fn seek(
    ui: &Ui,
    response: &Response,
    map: &Map,
    model: &Model,
    near: Option<usize>,
    commands: &mut Vec<Command>,
) {
    if let Some(index) = near
        && response.clicked()
    {
        commands.push(Command::SelectFinding(index));
        return;
    }
    let primary = ui.input(|input| input.pointer.primary_down());
    let held = response.dragged_by(PointerButton::Primary)
        || (response.is_pointer_button_down_on() && primary && near.is_none());
    let pointer = response.interact_pointer_pos();
    if let Some(at) = pointer.filter(|_| held || response.clicked()) {
        let frames = model.playback.frames();
        let position = map.position(at.x).clamp(0.0, f64::from(frames));
        if position != model.playback.playhead().position() {
            let frame = (position.floor() as u32).min(frames - 1);
            commands.push(Command::Seek {
                frame,
                fraction: position - f64::from(frame),
            });
        }
    }
}

fn position_of(finding: &Finding) -> f64 {
    f64::from(finding.frame) + finding.fraction
}

/// The listed finding whose mark is near a place; the selected one first.
fn nearest(map: &Map, model: &Model, findings: &[Finding], x: f32) -> Option<usize> {
    let distance = |index: usize| (map.x(position_of(&findings[index])) - x).abs();
    (0..findings.len())
        .filter(|&index| !model.look.hidden_kinds.contains(&findings[index].kind))
        .filter(|&index| distance(index) <= NEAR)
        .min_by(|&a, &b| {
            let order = distance(a).total_cmp(&distance(b));
            order.then((model.finding != Some(a)).cmp(&(model.finding != Some(b))))
        })
}

fn paint(ui: &Ui, map: &Map, model: &Model, document: &Document, near: Option<usize>) {
    let (palette, surfaces) = (Palette::of(ui.visuals()), Surfaces::of(ui.visuals()));
    let painter = ui.painter();
    let rect = map.rect.expand2(vec2(10.0, 0.0));
    painter.rect_filled(rect, 4.0, surfaces.sunken);
    let playhead = model.playback.playhead();
    let clipped = painter.with_clip_rect(rect);
    // The current frame, and the part of it that has passed.
    let (left, right) = (
        map.x(f64::from(playhead.frame)),
        map.x(f64::from(playhead.frame) + 1.0),
    );
    let cell = Rect::from_x_y_ranges(left..=right.max(left + 1.0), rect.y_range());
    clipped.rect_filled(cell, 0.0, surfaces.stripe);
    let passed = cell.with_max_x(map.x(playhead.position()));
    clipped.rect_filled(passed, 0.0, palette.playhead.gamma_multiply(0.12));
    if model.playback.looping() {
        let (from, to) = model.playback.loop_bounds();
        let band = Rect::from_x_y_ranges(
            map.x(from)..=map.x(to),
            Rangef::new(rect.bottom() - 4.0, rect.bottom()),
        );
        clipped.rect_filled(band, 2.0, surfaces.link.gamma_multiply(0.7));
    }
    scale(&clipped, map, rect, palette, surfaces);
    bookmarks(&clipped, map, rect, document, palette);
    marks(&clipped, map, rect, model, document, near, palette);
    playhead_line(&clipped, map.x(playhead.position()), rect, palette);
}

/// Ticks at round numbers of frames, as close as their labels allow.
fn scale(painter: &egui::Painter, map: &Map, rect: Rect, palette: &Palette, surfaces: &Surfaces) {
    let per_frame = f64::from(map.rect.width()) / map.span;
    let step = [1, 2, 5]
        .into_iter()
        .cycle()
        .zip(0..)
        .map(|(digit, index)| f64::from(digit) * 10_f64.powi(index / 3))
        .find(|step| step * per_frame >= 56.0)
        .unwrap_or(1.0);
    let baseline = rect.top() + SCALE;
    let line = Stroke::new(1.0, surfaces.line);
    painter.hline(rect.x_range(), baseline, line);
    let ticks = |step: f64, height: f32| {
        let mut at = (map.from / step).floor() * step;
        while at <= map.from + map.span {
            let x = map.x(at);
            painter.vline(x, Rangef::new(baseline - height, baseline), line);
            at += step;
        }
    };
    let minor = (step / 5.0).max(1.0);
    if minor * per_frame >= 5.0 {
        ticks(minor, 4.0);
    }
    ticks(step, 9.0);
    if step == 1.0 && per_frame >= 300.0 {
        ticks(0.1, 3.0);
    }
    let mut at = (map.from / step).floor() * step;
    while at <= map.from + map.span && map.x(at) + 20.0 < rect.right() {
        painter.text(
            pos2(map.x(at) + 4.0, rect.top() + 8.0),
            Align2::LEFT_CENTER,
            format!("{at:.0}"),
            style::small(),
            palette.text_weak,
        );
        at += step;
    }
}

fn bookmarks(
    painter: &egui::Painter,
    map: &Map,
    rect: Rect,
    document: &Document,
    palette: &Palette,
) {
    for bookmark in &document.replay().scene().bookmarks {
        let x = map.x(f64::from(bookmark.frame) + bookmark.fraction);
        let top = rect.top() + 1.0;
        let flag = vec![
            pos2(x - 3.5, top),
            pos2(x + 3.5, top),
            pos2(x + 3.5, top + 8.0),
            pos2(x, top + 5.0),
            pos2(x - 3.5, top + 8.0),
        ];
        painter.add(Shape::line(flag, Stroke::new(1.2, palette.velocity)));
    }
}

fn marks(
    painter: &egui::Painter,
    map: &Map,
    rect: Rect,
    model: &Model,
    document: &Document,
    near: Option<usize>,
    palette: &Palette,
) {
    let (top, bottom) = (rect.top() + SCALE + 4.0, rect.bottom() - 6.0);
    let mut last = f32::NEG_INFINITY;
    for (index, finding) in document.findings().iter().enumerate() {
        let big = model.finding == Some(index) || near == Some(index);
        let hidden = model.look.hidden_kinds.contains(&finding.kind);
        let x = map.x(position_of(finding));
        // Marks on the same column of pixels are one.
        let same = !big && (x - last).abs() < 0.5;
        if hidden || same || !rect.x_range().contains(x) {
            continue;
        }
        last = x;
        let color = palette.kind(finding.kind);
        let width = if big { 3.0 } else { 2.0 };
        painter.vline(x, Rangef::new(top, bottom), Stroke::new(width, color));
        let radius = if big { 5.0 } else { 3.5 };
        painter.circle_filled(pos2(x, top + 3.0), radius, color);
        if big {
            let ring = Stroke::new(1.5, palette.text);
            painter.circle_stroke(pos2(x, top + 3.0), radius + 1.0, ring);
        }
    }
}

fn playhead_line(painter: &egui::Painter, x: f32, rect: Rect, palette: &Palette) {
    let color = palette.playhead;
    painter.vline(x, rect.y_range(), Stroke::new(1.5, color));
    let top = rect.top();
    let head = vec![
        pos2(x - 6.0, top),
        pos2(x + 6.0, top),
        pos2(x + 6.0, top + 6.0),
        pos2(x, top + 12.0),
        pos2(x - 6.0, top + 6.0),
    ];
    painter.add(Shape::convex_polygon(head, color, Stroke::NONE));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_and_its_inverse_agree() {
        let map = Map {
            rect: Rect::from_min_size(pos2(10.0, 0.0), vec2(400.0, 50.0)),
            from: 20.0,
            span: 8.0,
        };
        assert_eq!(map.x(20.0), 10.0);
        assert_eq!(map.x(24.0), 210.0);
        assert_eq!(map.position(410.0), 28.0);
        assert_eq!(map.position(map.x(23.25)), 23.25);
    }

    #[test]
    fn zooming_stays_inside_the_level() {
        let mut ruler = Ruler::default();
        ruler.show(-5.0, 10.0, 60.0);
        assert_eq!(ruler.shown, Some((0.0, 10.0)));
        ruler.show(58.0, 10.0, 60.0);
        assert_eq!(ruler.shown, Some((50.0, 10.0)));
        ruler.show(3.0, 60.0, 60.0);
        assert_eq!(ruler.shown, None);
    }
}
