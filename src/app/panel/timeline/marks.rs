//! The marks of findings on the ruler: pins, or a histogram while there are too many for pins.

use crate::app::model::Model;
use crate::app::model::finding_list::FindingList;
use crate::app::text;
use crate::app::theme::Palette;
use crate::app::time_map::TimeMap;
use crate::core::diagnose::Kind;
use egui::{Painter, Rangef, Rect, Stroke, pos2, vec2};

/// The pick radius of a mark, points.
pub const PICK_RADIUS: f32 = 5.0;
/// Width of a column of the histogram, points.
const COLUMN: f32 = 8.0;
/// With more findings in a column pins would overlap.
const MOST_PINS: u32 = 3;
/// The lowest part of a column, points.
const LOWEST: f32 = 2.0;

/// The columns that have listed findings, from left to right, with the number of each kind.
type Columns = Vec<(i32, [u32; Kind::ALL.len()])>;

fn sum(counts: &[u32; Kind::ALL.len()]) -> u32 {
    counts.iter().sum()
}

fn column_of(map: &TimeMap, x: f32) -> i32 {
    ((x - map.rect.left()) / COLUMN).floor() as i32
}

/// The listed findings in the order of time: of each its index, the place of its mark, and its kind.
fn listed(map: &TimeMap, list: &FindingList) -> impl Iterator<Item = (usize, f32, Kind)> {
    let of_report = &list.of_report;
    let listed = of_report.by_time.iter().copied();
    listed.filter(|index| list.contains(*index)).map(|index| {
        let (at, kind) = of_report.moments[index];
        (index, map.x(at), kind)
    })
}

/// The histogram; `None` while there is room for a pin of each finding.
fn columns(map: &TimeMap, area: Rect, list: &FindingList) -> Option<Columns> {
    let mut columns = Columns::new();
    for (_, x, kind) in listed(map, list) {
        if area.x_range().contains(x) {
            let column = column_of(map, x);
            if columns.last().is_none_or(|(last, _)| *last != column) {
                columns.push((column, Default::default()));
            }
            if let Some((_, counts)) = columns.last_mut() {
                counts[kind as usize] += 1;
            }
        }
    }
    let is_crowded = |(_, counts): &(i32, [u32; Kind::ALL.len()])| sum(counts) > MOST_PINS;
    columns.iter().any(is_crowded).then_some(columns)
}

/// The number of findings of each kind in the column of a finding; `None` while there is no histogram.
pub fn column_text(map: &TimeMap, list: &FindingList, index: usize) -> Option<String> {
    let columns = columns(map, map.rect, list)?;
    let (at, _) = list.of_report.moments.get(index)?;
    let column = column_of(map, map.x(*at));
    let (_, counts) = columns.iter().find(|(at, _)| *at == column)?;
    let number = sum(counts) as usize;
    let of_kinds = Kind::ALL
        .iter()
        .zip(counts)
        .filter(|(_, count)| **count > 0);
    let kinds: Vec<String> = of_kinds
        .map(|(kind, count)| format!("{} {count}", kind.name()))
        .collect();
    let number = text::count(number, "finding");
    Some(format!(
        "{number} here: {}; scroll to zoom in",
        kinds.join(", ")
    ))
}

/// The listed finding with the mark closest to an x; the selected one if several are equally close.
pub fn nearest(map: &TimeMap, model: &Model, x: f32) -> Option<usize> {
    let distances =
        listed(map, model.finding_list()?).map(|(index, at, _)| (index, (at - x).abs()));
    let near = distances.filter(|(_, distance)| *distance <= PICK_RADIUS);
    let (index, _) = near.min_by(|(a, one), (b, other)| {
        let order = one.total_cmp(other);
        order.then((model.finding() != Some(*a)).cmp(&(model.finding() != Some(*b))))
    })?;
    Some(index)
}

/// Draws the marks of the listed findings.
pub fn paint(
    painter: &Painter,
    map: &TimeMap,
    area: Rect,
    model: &Model,
    hovered: Option<usize>,
    palette: &Palette,
) {
    let Some(list) = model.finding_list() else {
        return;
    };
    let (selected, columns) = (model.finding(), columns(map, area, list));
    let pin = |index: usize, big: bool| {
        let (at, kind) = list.of_report.moments[index];
        let x = map.x(at);
        if area.x_range().contains(x) {
            pin(painter, x, area, big, palette.kind(kind), palette);
        }
    };
    match &columns {
        Some(columns) => histogram(painter, map, area, columns, palette),
        None => {
            let mut last = f32::NEG_INFINITY;
            for (index, x, _) in listed(map, list) {
                // Marks in the same column of pixels are drawn once.
                if x - last >= 0.5 {
                    last = x;
                    pin(index, false);
                }
            }
        }
    }
    let big = selected.into_iter().chain(hovered);
    big.filter(|index| list.contains(*index))
        .for_each(|index| pin(index, true));
}

fn pin(painter: &Painter, x: f32, area: Rect, big: bool, color: egui::Color32, palette: &Palette) {
    let (width, radius) = if big { (3.0, 5.0) } else { (2.0, 3.5) };
    let top = pos2(x, area.top() + 3.0);
    let range = Rangef::new(area.top(), area.bottom());
    painter.vline(x, range, Stroke::new(width, color));
    painter.circle_filled(top, radius, color);
    if big {
        let ring = Stroke::new(1.5, palette.text);
        painter.circle_stroke(top, radius + 1.0, ring);
    }
}

/// Draws a column of stacked kinds for each part of the ruler; the highest has the height of the area.
fn histogram(painter: &Painter, map: &TimeMap, area: Rect, columns: &Columns, palette: &Palette) {
    let highest = columns
        .iter()
        .map(|(_, counts)| sum(counts))
        .max()
        .unwrap_or(0)
        .max(1) as f32;
    for (column, counts) in columns {
        let left = map.rect.left() + *column as f32 * COLUMN;
        let mut bottom = area.bottom();
        for (kind, &count) in Kind::ALL
            .iter()
            .zip(counts)
            .filter(|(_, count)| **count > 0)
        {
            let height = (area.height() * count as f32 / highest).max(LOWEST);
            let corner = pos2(left, bottom - height);
            let part = Rect::from_min_size(corner, vec2(COLUMN - 1.0, height));
            painter.rect_filled(part, 0.0, palette.kind(*kind));
            bottom -= height;
        }
    }
}
