//! The map of dt against speed: the outcome of an overlap test in every cell, the limits as lines, the sliders as a point.

use crate::app::command::Command;
use crate::app::model::what_if::WhatIfState;
use crate::app::style;
use crate::app::text;
use crate::app::theme::{Palette, Surfaces, readable};
use crate::app::widget;
use crate::core::diagnose::phase_sweep::PhaseOutcome;
use crate::core::diagnose::what_if::Parameter;
use crate::core::diagnose::what_if::map::Map;
use crate::core::diagnose::what_if::session::{Phases, Values};
use crate::core::scene::UserUnits;
use egui::accesskit::Role;
use egui::{
    Align2, Color32, Painter, Pos2, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

/// Space for the labels of the axes, points: left, below.
const AXES: (f32, f32) = (48.0, 32.0);
/// Least size of a region with a label: one part in this many of the cells.
const LABEL_FRACTION: usize = 30;

/// A logarithmic axis: maps values to screen positions.
#[derive(Clone, Copy, Debug)]
struct Axis {
    low: f64,
    high: f64,
    /// Screen position of `low` and of `high`, points.
    from: f32,
    to: f32,
}

impl Axis {
    fn position(&self, value: f64) -> f32 {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        egui::lerp(self.from..=self.to, share as f32)
    }

    fn value(&self, position: f32) -> f64 {
        let share = f64::from((position - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.low * (self.high / self.low).powf(share)
    }

    /// Round values in the range: 1, 2 and 5 of each power of ten, or only the powers where there are many.
    fn ticks(&self) -> Vec<f64> {
        let powers = (self.low.log10().floor() as i32)..=(self.high.log10().ceil() as i32);
        let digits: &[f64] = if powers.clone().count() > 4 {
            &[1.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        powers
            .flat_map(|power| digits.iter().map(move |digit| digit * 10_f64.powi(power)))
            .filter(|mark| (self.low..=self.high).contains(mark))
            .collect()
    }
}

/// Screen rectangle of the map, and its axes.
struct Plane {
    field: Rect,
    /// Seconds.
    x: Axis,
    /// Metres per second.
    y: Axis,
}

impl Plane {
    fn of(rect: Rect, state: &WhatIfState) -> Option<Self> {
        let range = |what| state.session().range(what).ok();
        let (dts, speeds) = (range(Parameter::Dt)?, range(Parameter::Speed)?);
        let field = Rect::from_min_max(
            pos2(rect.left() + AXES.0, rect.top() + 4.0),
            pos2(rect.right() - 6.0, rect.bottom() - AXES.1),
        );
        let axis = |(low, high): (f64, f64), from: f32, to: f32| Axis {
            low,
            high,
            from,
            to,
        };
        Some(Self {
            field,
            x: axis(dts, field.left(), field.right()),
            y: axis(speeds, field.bottom(), field.top()),
        })
    }

    fn point(&self, values: &Values) -> Pos2 {
        pos2(self.x.position(values.dt), self.y.position(values.speed))
    }

    fn values(&self, state: &WhatIfState, point: Pos2) -> Values {
        state.session().checked(Values {
            dt: self.x.value(point.x),
            speed: self.y.value(point.y),
            ..*state.values()
        })
    }
}

/// Draws the map with its phase selector and its legend.
pub fn show(ui: &mut Ui, state: &WhatIfState, units: UserUnits, commands: &mut Vec<Command>) {
    phase_selector(ui, state, commands);
    let width = ui.available_width();
    let size = vec2(width, (width * 0.62).clamp(150.0, 340.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let Some(plane) = Plane::of(rect, state) else {
        return;
    };
    if ui.is_rect_visible(rect) {
        let painter = ui.painter_at(rect);
        cells(ui, &painter, &plane, state);
        axes(ui, &painter, &plane, units);
        limits(ui, &painter.with_clip_rect(plane.field), state, &plane);
        points(ui, &painter, state, &plane);
    }
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::Image, true, "Map of dt against speed");
        info.current_text_value = Some(hover_text(state, state.values(), units));
        info
    });
    if let Some(point) = widget::dragged_to(&response) {
        commands.push(Command::SetWhatIfValues(plane.values(state, point)));
    }
    let inside = |point: &Pos2| plane.field.contains(*point);
    if let Some(point) = response.hover_pos().filter(inside) {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Crosshair);
        let text = hover_text(state, &plane.values(state, point), units);
        response.on_hover_text_at_pointer(text);
    }
    legend(ui, state.map());
}

/// Draws the selector of the phases that the map shows.
fn phase_selector(ui: &mut Ui, state: &WhatIfState, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("dt against speed").strong());
        for (phases, label, help) in [
            (
                Phases::Worst,
                "every phase",
                "The worst outcome of all starting phases",
            ),
            (Phases::This, "this phase", "The phase of the slider alone"),
        ] {
            let on = state.phases() == phases;
            let response = ui.selectable_label(on, RichText::new(label).font(style::small()));
            let name = format!("Map of {label}");
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, &name));
            if response.on_hover_text(help).clicked() && !on {
                commands.push(Command::SetWhatIfPhases(phases));
            }
        }
        if state.is_mapping() {
            ui.spinner();
        }
    });
}

/// Values and outcome at a position of the map, as text.
fn hover_text(state: &WhatIfState, values: &Values, units: UserUnits) -> String {
    let values_text = format!(
        "dt {} ms, speed {}",
        text::number(values.dt * 1e3),
        units.speed(values.speed)
    );
    match state.session().verdict(values, state.phases()) {
        Some(outcome) => format!("{values_text}: {}", outcome.name()),
        None => values_text,
    }
}

fn cells(ui: &Ui, painter: &Painter, plane: &Plane, state: &WhatIfState) {
    let field = plane.field;
    let ground = Surfaces::of(ui.visuals()).sunken;
    painter.rect_filled(field, 0.0, ground);
    let Some(map) = state.map() else {
        return;
    };
    let (columns, rows) = (map.dts.len(), map.speeds.len());
    let (wide, high) = (field.width() / columns as f32, field.height() / rows as f32);
    for row in 0..rows {
        let bottom = field.bottom() - row as f32 * high;
        let mut from = 0;
        while from < columns {
            let outcome = map.cells[row * columns + from];
            let same = (from..columns).take_while(|at| map.cells[row * columns + at] == outcome);
            let until = from + same.count();
            let run = Rect::from_min_max(
                pos2(field.left() + from as f32 * wide, bottom - high),
                pos2(field.left() + until as f32 * wide, bottom),
            );
            // Half a point larger, so that no seam shows between rows.
            let run = run.expand2(vec2(0.0, 0.25)).intersect(field);
            painter.rect_filled(run, 0.0, region_color(ui, outcome));
            from = until;
        }
    }
    for outcome in PhaseOutcome::ALL {
        region_label(painter, (plane, state), map, outcome);
    }
    // The map of the previous values, while the new one is being computed.
    if state.is_mapping() {
        painter.rect_filled(field, 0.0, ground.gamma_multiply(0.45));
    }
}

/// The colour of a region, light enough for black text and lines.
fn region_color(ui: &Ui, outcome: PhaseOutcome) -> Color32 {
    let color = Palette::of(ui.visuals()).outcome(outcome);
    color.lerp_to_gamma(
        Color32::WHITE,
        if ui.visuals().dark_mode { 0.1 } else { 0.35 },
    )
}

/// Radius of the points with their edge, points of the screen.
const POINT: f32 = 9.0;

/// Draws the name of a region at its centroid, or above a point that is there, so that it can be read without its colour.
fn region_label(
    painter: &Painter,
    (plane, state): (&Plane, &WhatIfState),
    map: &Map,
    outcome: PhaseOutcome,
) {
    let field = plane.field;
    let columns = map.dts.len();
    let all: Vec<usize> = (0..map.cells.len())
        .filter(|&index| map.cells[index] == outcome)
        .collect();
    if all.len() * LABEL_FRACTION < map.cells.len() {
        return;
    }
    let count = all.len() as f32;
    let column = all
        .iter()
        .map(|index| (index % columns) as f32 + 0.5)
        .sum::<f32>()
        / count;
    let row = all
        .iter()
        .map(|index| (index / columns) as f32 + 0.5)
        .sum::<f32>()
        / count;
    let rows = map.speeds.len() as f32;
    let at = pos2(
        field.left() + field.width() * column / columns as f32,
        field.bottom() - field.height() * row / rows,
    );
    let font = egui::FontId::proportional(12.5);
    let label = painter.layout_no_wrap(outcome.name().to_owned(), font, Color32::BLACK);
    // A stripe may be narrower than its name.
    let first = (row as usize).min(map.speeds.len() - 1) * columns;
    let own = map.cells[first..first + columns]
        .iter()
        .filter(|cell| **cell == outcome);
    if own.count() as f32 / columns as f32 * field.width() > label.size().x + 8.0 {
        let mut place = Rect::from_center_size(at, label.size());
        for values in [&state.recorded().values, state.values()] {
            let point = plane.point(values);
            if place.expand(POINT).contains(point) {
                place = place.translate(vec2(0.0, point.y - POINT - place.bottom()));
            }
        }
        painter.galley(place.min, label, Color32::BLACK);
    }
}

fn axes(ui: &Ui, painter: &Painter, plane: &Plane, units: UserUnits) {
    let Plane { field, x, y } = plane;
    let palette = Palette::of(ui.visuals());
    let color = palette.text_weak;
    let tick = Stroke::new(1.0, color);
    painter.rect_stroke(
        *field,
        0.0,
        Stroke::new(1.0, Surfaces::of(ui.visuals()).line),
        egui::StrokeKind::Outside,
    );
    let mut last = f32::NEG_INFINITY;
    for mark in x.ticks() {
        let at = x.position(mark);
        painter.line_segment(
            [pos2(at, field.bottom()), pos2(at, field.bottom() + 3.0)],
            tick,
        );
        if at - last > 30.0 {
            let label = text::significant(mark * 1e3, 6);
            painter.text(
                pos2(at, field.bottom() + 4.0),
                Align2::CENTER_TOP,
                label,
                style::small(),
                color,
            );
            last = at;
        }
    }
    let below = pos2(field.center().x, field.bottom() + 17.0);
    painter.text(below, Align2::CENTER_TOP, "dt, ms", style::small(), color);
    let mut last = f32::INFINITY;
    for mark in y.ticks() {
        let at = y.position(mark);
        painter.line_segment([pos2(field.left() - 3.0, at), pos2(field.left(), at)], tick);
        if last - at > 13.0 {
            let label = text::significant(units.value(mark, "m/s"), 6);
            painter.text(
                pos2(field.left() - 5.0, at),
                Align2::RIGHT_CENTER,
                label,
                style::small(),
                color,
            );
            last = at;
        }
    }
    let galley = painter.layout_no_wrap(
        format!("speed, {}", units.unit("m/s")),
        style::small(),
        color,
    );
    let beside = pos2(
        field.left() - AXES.0,
        field.center().y + galley.size().x * 0.5,
    );
    let label = egui::epaint::TextShape::new(beside, galley, color)
        .with_angle(-std::f32::consts::FRAC_PI_2);
    painter.add(label);
}

/// Draws the lines on which the travel per step equals a limit: straight on logarithmic axes.
fn limits(ui: &Ui, painter: &Painter, state: &WhatIfState, plane: &Plane) {
    let Plane { x, y, .. } = plane;
    let Some(changed) = state.changed() else {
        return;
    };
    let ink = Surfaces::of(ui.visuals()).sunken;
    for limit in [changed.numbers.limit_seen, changed.numbers.limit_side] {
        let Some(product) = state.session().product_at(changed, limit, state.phases()) else {
            continue;
        };
        let ends = [x.low, x.high].map(|dt| pos2(x.position(dt), y.position(product / dt)));
        if ends
            .iter()
            .all(|end| end.x.is_finite() && end.y.is_finite())
        {
            painter.extend(egui::Shape::dashed_line(
                &ends,
                Stroke::new(1.4, ink),
                5.0,
                3.0,
            ));
        }
    }
}

/// Draws the recorded values as a ring, and those of the sliders as a point with cross hairs.
fn points(ui: &Ui, painter: &Painter, state: &WhatIfState, plane: &Plane) {
    let ink = Color32::BLACK;
    let recorded = plane.point(&state.recorded().values);
    painter.circle_stroke(recorded, 6.0, Stroke::new(3.5, Color32::WHITE));
    painter.circle_stroke(recorded, 6.0, Stroke::new(1.5, ink));
    let now = plane.point(state.values());
    let field = plane.field;
    let hair = Stroke::new(1.0, ink.gamma_multiply(0.55));
    painter.line_segment(
        [pos2(now.x, field.top()), pos2(now.x, field.bottom())],
        hair,
    );
    painter.line_segment(
        [pos2(field.left(), now.y), pos2(field.right(), now.y)],
        hair,
    );
    painter.circle(
        now,
        4.5,
        Palette::of(ui.visuals()).playhead,
        Stroke::new(1.5, ink),
    );
}

fn legend(ui: &mut Ui, map: Option<&Map>) {
    let palette = Palette::of(ui.visuals());
    let ground = ui.visuals().panel_fill;
    let surfaces = Surfaces::of(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        for outcome in PhaseOutcome::ALL {
            // Most findings have no clipped corner.
            let occurs = map.is_some_and(|map| map.cells.contains(&outcome));
            if !occurs && outcome == PhaseOutcome::Clipped {
                continue;
            }
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().rect(
                rect,
                2.0,
                region_color(ui, outcome),
                Stroke::new(1.0, surfaces.line),
                egui::StrokeKind::Inside,
            );
            let color = readable(palette.text_weak, ground);
            let text = RichText::new(outcome.name())
                .font(style::small())
                .color(color);
            ui.label(text).on_hover_text(outcome.help());
        }
        let text = "Ring: recorded, point: now, dashes: limits";
        ui.label(RichText::new(text).font(style::small()).weak());
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(low: f64, high: f64) -> Axis {
        Axis {
            low,
            high,
            from: 50.0,
            to: 350.0,
        }
    }

    #[test]
    fn positions_map_back_to_values() {
        let axis = axis(1e-5, 0.1);
        assert!(
            (axis.position(1e-3) - 200.0).abs() < 1e-3,
            "the geometric mean"
        );
        for value in [1e-5, 3e-4, 0.1] {
            let back = axis.value(axis.position(value));
            assert!((back / value - 1.0).abs() < 1e-5, "{value} {back}");
        }
        assert_eq!(axis.value(1e9), 0.1);
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(axis(0.9, 21.0).ticks(), [1.0, 2.0, 5.0, 10.0, 20.0]);
        let many = axis(1e-5, 1.0).ticks();
        assert_eq!(many.len(), 6, "{many:?}");
    }
}
