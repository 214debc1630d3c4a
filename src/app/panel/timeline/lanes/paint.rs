//! Paints the lanes.

use super::Dot;
use crate::app::model::Model;
use crate::app::theme::{Palette, Surfaces};
use crate::app::time_map::TimeMap;
use crate::core::replay::Subject;
use crate::core::replay::history::{History, Quantity, Span};
use egui::{Color32, Painter, Rangef, Rect, Shape, Stroke, Ui, pos2};

/// Marks closer than this are drawn once, points: less than half of a mark.
pub const APART: f32 = 3.0;

/// Paints a lane, as far as its history is known.
pub fn lane(
    ui: &Ui,
    rect: Rect,
    map: &TimeMap,
    model: &Model,
    (history, known_frames): (Option<&History>, u32),
    dots: &[Dot],
) {
    let (palette, surfaces) = (Palette::of(ui.visuals()), Surfaces::of(ui.visuals()));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 3.0, surfaces.sunken);
    let playhead = model.playback.playhead();
    let frame = f64::from(playhead.frame);
    let cell = Rect::from_x_y_ranges(map.x(frame)..=map.x(frame + 1.0), rect.y_range());
    painter.rect_filled(cell, 0.0, surfaces.stripe);
    if let Some(history) = history {
        if history.subject == Subject::Level {
            level(&painter, rect, map, history, palette);
        } else {
            subject(&painter, rect, map, history, palette, surfaces);
        }
    }
    if known_frames < model.playback.frames() {
        // The history is still being computed.
        let left = map.x(f64::from(known_frames)).max(rect.left());
        let rest = rect.with_min_x(left);
        painter.rect_filled(rest, 3.0, surfaces.panel.gamma_multiply(0.8));
    }
    let mut last = f32::NEG_INFINITY;
    for dot in dots {
        let x = map.x(dot.at);
        let big = model.finding() == Some(dot.index);
        if !big && x - last < APART {
            continue;
        }
        last = x;
        let center = pos2(x, rect.center().y);
        painter.circle_filled(center, if big { 5.0 } else { 3.5 }, palette.kind(dot.kind));
        if big {
            painter.circle_stroke(center, 6.0, Stroke::new(1.5, palette.text));
        }
    }
    times(&painter, rect, map, model, palette);
}

/// Paints the pointed time and the playhead.
fn times(painter: &Painter, rect: Rect, map: &TimeMap, model: &Model, palette: &Palette) {
    if let Some(pointed) = model.time.pointed {
        let line = Stroke::new(1.0, palette.text_weak.gamma_multiply(0.7));
        painter.vline(map.x(pointed), rect.y_range(), line);
    }
    let line = Stroke::new(1.5, palette.playhead);
    let at = model.playback.playhead().position();
    painter.vline(map.x(at), rect.y_range(), line);
}

/// Paints a lane of marks, in the order of time.
pub fn ticks(
    ui: &Ui,
    rect: Rect,
    map: &TimeMap,
    model: &Model,
    marks: impl Iterator<Item = (f64, Color32)>,
) {
    let (palette, surfaces) = (Palette::of(ui.visuals()), Surfaces::of(ui.visuals()));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 3.0, surfaces.sunken);
    let mut last = (f32::NEG_INFINITY, Color32::TRANSPARENT);
    for (at, color) in marks {
        let x = map.x(at);
        if x - last.0 >= APART || color != last.1 {
            last = (x, color);
            painter.vline(x, rect.shrink(3.0).y_range(), Stroke::new(2.0, color));
        }
    }
    times(&painter, rect, map, model, palette);
}

fn subject(
    painter: &Painter,
    rect: Rect,
    map: &TimeMap,
    history: &History,
    palette: &Palette,
    surfaces: &Surfaces,
) {
    let y = |from: f32, to: f32| {
        let at = |fraction: f32| rect.top() + fraction * rect.height();
        Rangef::new(at(from), at(to))
    };
    spans(painter, map, &history.present, y(0.2, 0.8), surfaces.widget);
    let touching = palette.contact.gamma_multiply(0.55);
    spans(painter, map, &history.contacts, y(0.32, 0.68), touching);
    events(map, &history.pushes, APART, |x| {
        painter.vline(x, y(0.68, 1.0), Stroke::new(1.5, palette.push));
    });
    events(map, &history.impacts, APART, |x| {
        painter.vline(x, y(0.1, 0.9), Stroke::new(2.0, palette.ghost_impact));
        let top = rect.top() + 1.0;
        let head = vec![pos2(x - 3.5, top), pos2(x + 3.5, top), pos2(x, top + 5.0)];
        let color = palette.ghost_impact;
        painter.add(Shape::convex_polygon(head, color, Stroke::NONE));
    });
    events(map, &history.teleports, APART, |x| {
        let (center, size) = (rect.center().y, 5.0);
        let diamond = vec![
            pos2(x - size, center),
            pos2(x, center - size),
            pos2(x + size, center),
            pos2(x, center + size),
        ];
        let stroke = Stroke::new(1.5, palette.ghost_end);
        painter.add(Shape::convex_polygon(diamond, surfaces.sunken, stroke));
    });
}

/// Draws the length of each frame, scaled to the longest, and marks missing frames.
fn level(painter: &Painter, rect: Rect, map: &TimeMap, history: &History, palette: &Palette) {
    spans(
        painter,
        map,
        &history.missing,
        rect.y_range(),
        palette.bad.gamma_multiply(0.6),
    );
    let runs = history.series(Quantity::Dt).map_or(&[][..], |dt| &dt.runs);
    let values = runs.iter().flatten().map(|point| point[1]);
    let longest = values.fold(0.0, f64::max);
    if longest <= 0.0 {
        return;
    }
    let height = f64::from(rect.height() - 4.0);
    let y = |dt: f64| rect.bottom() - 2.0 - (dt.max(0.0) / longest * height) as f32;
    for run in runs {
        let first = run.partition_point(|point| point[0] < map.from);
        let last = run.partition_point(|point| point[0] <= map.to());
        let shown = &run[first.saturating_sub(1)..(last + 1).min(run.len())];
        let points = thinned(shown, map);
        let line: Vec<_> = points.map(|[at, dt]| pos2(map.x(at), y(dt))).collect();
        painter.add(Shape::line(line, Stroke::new(1.2, palette.velocity)));
    }
}

/// The first, lowest, highest and last point of each column of pixels.
fn thinned<'p>(points: &'p [[f64; 2]], map: &TimeMap) -> impl Iterator<Item = [f64; 2]> + 'p {
    let map = *map;
    let column = move |point: &[f64; 2]| map.x(point[0]).floor();
    let groups = points.chunk_by(move |a, b| column(a) == column(b));
    groups.flat_map(|group| {
        let order = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        let (low, high) = (group.iter().min_by(order), group.iter().max_by(order));
        let (first, last) = (group.first(), group.last());
        let mut few: Vec<[f64; 2]> = [first, low, high, last]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        few.sort_by(|a, b| a[0].total_cmp(&b[0]));
        few
    })
}

fn spans(painter: &Painter, map: &TimeMap, spans: &[Span], y: Rangef, color: Color32) {
    let first = spans.partition_point(|span| span.to < map.from);
    let last = spans.partition_point(|span| span.from <= map.to());
    let mut drawn = f32::NEG_INFINITY;
    for span in spans.get(first..last).unwrap_or_default() {
        let (left, right) = (map.x(span.from), map.x(span.to));
        // At least 1.5 points wide; spans in the same pixel are drawn once.
        let right = right.max(left + 1.5);
        if right <= drawn + 0.5 {
            continue;
        }
        let band = Rect::from_x_y_ranges(left.max(drawn)..=right, y);
        painter.rect_filled(band, 1.0, color);
        drawn = right;
    }
}

fn events(map: &TimeMap, times: &[f64], distance: f32, mut draw: impl FnMut(f32)) {
    let first = times.partition_point(|at| *at < map.from);
    let mut last = f32::NEG_INFINITY;
    for at in times[first..].iter().take_while(|at| **at <= map.to()) {
        let x = map.x(*at);
        if x - last >= distance {
            draw(x);
            last = x;
        }
    }
}
