//! The marks of findings on the ruler: pins, or a histogram while there are too many for pins.

use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::text;
use crate::app::theme::Palette;
use crate::app::time_map::TimeMap;
use crate::core::diagnose::{Finding, Kind};
use egui::{Painter, Rangef, Rect, Stroke, pos2, vec2};
use std::collections::BTreeMap;

/// The pick radius of a mark, points.
pub const PICK_RADIUS: f32 = 5.0;
/// Width of a column of the histogram, points.
const COLUMN: f32 = 8.0;
/// With more findings in a column pins would overlap.
const MOST_PINS: u32 = 3;
/// The lowest part of a column, points.
const LOWEST: f32 = 2.0;

/// The visible listed findings by column and kind.
type Columns = BTreeMap<i32, [u32; Kind::ALL.len()]>;

fn position_of(finding: &Finding) -> f64 {
    f64::from(finding.frame) + finding.fraction
}

fn column_of(map: &TimeMap, finding: &Finding) -> i32 {
    ((map.x(position_of(finding)) - map.rect.left()) / COLUMN).floor() as i32
}

/// The histogram; `None` while there is room for a pin of each finding.
fn columns(map: &TimeMap, area: Rect, model: &Model, findings: &[Finding]) -> Option<Columns> {
    let mut columns = Columns::new();
    let listed = findings.iter().enumerate();
    for (_, finding) in listed.filter(|(index, _)| model.lists(*index)) {
        if area.x_range().contains(map.x(position_of(finding))) {
            let counts = columns.entry(column_of(map, finding)).or_default();
            counts[finding.kind as usize] += 1;
        }
    }
    let is_crowded = |counts: &[u32; Kind::ALL.len()]| counts.iter().sum::<u32>() > MOST_PINS;
    columns.values().any(is_crowded).then_some(columns)
}

/// The number of findings of each kind in the column of a finding; `None` while there is no histogram.
pub fn column_text(
    map: &TimeMap,
    model: &Model,
    findings: &[Finding],
    finding: &Finding,
) -> Option<String> {
    let columns = columns(map, map.rect, model, findings)?;
    let counts = columns.get(&column_of(map, finding))?;
    let number = counts.iter().sum::<u32>() as usize;
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
pub fn nearest(map: &TimeMap, model: &Model, findings: &[Finding], x: f32) -> Option<usize> {
    let distance = |index: usize| (map.x(position_of(&findings[index])) - x).abs();
    (0..findings.len())
        .filter(|&index| model.lists(index))
        .filter(|&index| distance(index) <= PICK_RADIUS)
        .min_by(|&a, &b| {
            let order = distance(a).total_cmp(&distance(b));
            order.then((model.finding() != Some(a)).cmp(&(model.finding() != Some(b))))
        })
}

/// Draws the marks of the listed findings.
pub fn paint(
    painter: &Painter,
    map: &TimeMap,
    area: Rect,
    model: &Model,
    document: &Document,
    hovered: Option<usize>,
    palette: &Palette,
) {
    let findings = document.findings();
    let is_big = |index: usize| model.finding() == Some(index) || hovered == Some(index);
    let columns = columns(map, area, model, findings);
    if let Some(columns) = &columns {
        histogram(painter, map, area, columns, palette);
    }
    let mut last = f32::NEG_INFINITY;
    for (index, finding) in findings.iter().enumerate() {
        let x = map.x(position_of(finding));
        // Marks in the same column of pixels are drawn once.
        let same = (x - last).abs() < 0.5;
        let shown = is_big(index) || columns.is_none() && !same;
        if !shown || !model.lists(index) || !area.x_range().contains(x) {
            continue;
        }
        last = x;
        pin(
            painter,
            x,
            area,
            is_big(index),
            palette.kind(finding.kind),
            palette,
        );
    }
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
    let sum = |counts: &[u32; Kind::ALL.len()]| counts.iter().sum::<u32>();
    let highest = columns.values().map(sum).max().unwrap_or(0).max(1) as f32;
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
