//! The ruler: the frames, the playhead, and marks for findings, bookmarks and keyframes.

use super::marks::PICK_RADIUS;
use super::{MARGIN, keyframes, loop_range, marks};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::style;
use crate::app::text::{moment_text, prose};
use crate::app::theme::{Palette, Surfaces};
use crate::app::time_map::TimeMap;
use crate::app::widget;
use crate::core::scene::Bookmark;
use egui::{Align2, Rangef, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

/// Least and greatest height, points.
const HEIGHTS: (f32, f32) = (27.0, 54.0);
const SCALE: f32 = 20.0;

/// Draws the ruler, at most so high, and handles clicks, drags and the wheel. `grabbed` is of a drag of the loop.
pub fn show(
    ui: &mut Ui,
    height: f32,
    model: &Model,
    document: &Document,
    grabbed: &mut f64,
    commands: &mut Vec<Command>,
) -> (TimeMap, Response) {
    let height = height.clamp(HEIGHTS.0, HEIGHTS.1);
    let size = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let position = model.playback.playhead().position();
    response.widget_info(|| WidgetInfo::slider(true, position, "Timeline"));
    widget::describe(
        &response,
        "All frames with their findings; drag to move the playhead, scroll to zoom",
    );
    let map = TimeMap::of(model, rect.shrink2(vec2(MARGIN, 0.0)));
    map.zoom_and_pan(ui, &response, commands);
    let hovered = response
        .hover_pos()
        .and_then(|at| marks::nearest(&map, model, at.x));
    match hovered {
        Some(index) if response.clicked() => commands.push(Command::SelectFinding(index)),
        _ => map.seek(ui, &response, model, hovered.is_none(), commands),
    }
    if ui.is_rect_visible(rect) {
        paint(ui, &map, model, document, hovered);
    }
    loop_range::show(ui, &map, rect, model, grabbed, commands);
    keyframes::show(ui, &map, rect, model, document, commands);
    let tip = tip(&map, model, document, hovered, &response);
    if let Some(tip) = tip {
        response.clone().on_hover_text_at_pointer(tip);
    }
    (map, response)
}

/// The tooltip of the finding or bookmark under the pointer.
fn tip(
    map: &TimeMap,
    model: &Model,
    document: &Document,
    hovered: Option<usize>,
    response: &Response,
) -> Option<String> {
    if let Some(index) = hovered
        && let Some(finding) = document.findings().get(index)
    {
        let (kind, cause) = (finding.kind.name(), finding.cause.title());
        let text = format!("{kind}: {cause}\n{}", prose(&finding.text));
        let list = model.finding_list();
        let others = list.and_then(|list| marks::column_text(map, list, index));
        return Some(others.map_or(text.clone(), |others| format!("{others}\n\n{text}")));
    }
    let pointer = response.hover_pos()?.x;
    let close = |bookmark: &&Bookmark| {
        let at = f64::from(bookmark.frame) + bookmark.fraction;
        (map.x(at) - pointer).abs() <= PICK_RADIUS
    };
    let session = model.session.as_ref()?;
    let bookmark = session.bookmarks.list().iter().find(close)?;
    let moment = moment_text(
        document.replay(),
        f64::from(bookmark.frame) + bookmark.fraction,
    );
    Some(format!("Bookmark, {moment}\n{}", bookmark.note))
}

fn paint(ui: &Ui, map: &TimeMap, model: &Model, document: &Document, hovered: Option<usize>) {
    let (palette, surfaces) = (Palette::of(ui.visuals()), Surfaces::of(ui.visuals()));
    let painter = ui.painter();
    let rect = map.rect.expand2(vec2(MARGIN, 0.0));
    painter.rect_filled(rect, 4.0, surfaces.sunken);
    let playhead = model.playback.playhead();
    let clipped = painter.with_clip_rect(rect);
    // The current frame, and its part before the playhead.
    let (left, right) = (
        map.x(f64::from(playhead.frame)),
        map.x(f64::from(playhead.frame) + 1.0),
    );
    let cell = Rect::from_x_y_ranges(left..=right.max(left + 1.0), rect.y_range());
    clipped.rect_filled(cell, 0.0, surfaces.stripe);
    let passed = cell.with_max_x(map.x(playhead.position()));
    clipped.rect_filled(passed, 0.0, palette.playhead.gamma_multiply(0.12));
    scale(&clipped, map, rect, document, ui.visuals());
    bookmarks(&clipped, map, rect, model, palette);
    let top = rect.top() + SCALE + 4.0;
    let area = Rect::from_x_y_ranges(rect.x_range(), top..=(rect.bottom() - 11.0).max(top));
    marks::paint(&clipped, map, area, model, hovered, palette);
    if let Some(pointed) = model.time.pointed {
        let line = Stroke::new(1.0, palette.text_weak);
        clipped.vline(map.x(pointed), rect.y_range(), line);
    }
    playhead_line(&clipped, map.x(playhead.position()), rect, palette);
}

/// Draws ticks at round numbers of frames, as close as their labels allow.
fn scale(
    painter: &egui::Painter,
    map: &TimeMap,
    rect: Rect,
    document: &Document,
    visuals: &egui::Visuals,
) {
    let (palette, surfaces) = (Palette::of(visuals), Surfaces::of(visuals));
    let replay = document.replay();
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
    // Round are the numbers of the log where they rise by one, else ours.
    let (first, last) = (replay.number(0), replay.frames().saturating_sub(1));
    let offset = match replay.number(last) == first + u64::from(last) {
        true => first as f64,
        false => 0.0,
    };
    let first_at = |step: f64| ((map.from + offset) / step).floor() * step - offset;
    let ticks = |step: f64, height: f32| {
        let mut at = first_at(step);
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
    let label = |at: f64| match at >= 0.0 && offset == 0.0 {
        true => replay.number(at as u32).to_string(),
        false => format!("{:.0}", at + offset),
    };
    let mut at = first_at(step);
    while at <= map.from + map.span && map.x(at) + 20.0 < rect.right() {
        painter.text(
            pos2(map.x(at) + 4.0, rect.top() + 8.0),
            Align2::LEFT_CENTER,
            label(at),
            style::small(),
            palette.text_weak,
        );
        at += step;
    }
}

fn bookmarks(painter: &egui::Painter, map: &TimeMap, rect: Rect, model: &Model, palette: &Palette) {
    let session = model.session.as_ref();
    let list = session.map_or(&[][..], |session| session.bookmarks.list());
    for bookmark in list {
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
