//! The map of dt against speed: what an overlap test says in every cell, the limits as lines, the sliders as a point.

use crate::app::command::Command;
use crate::app::model::what_if::Bench;
use crate::app::style;
use crate::app::text;
use crate::app::theme::{Palette, Surfaces, readable};
use crate::app::widget;
use crate::core::diagnose::phase_sweep::PhaseOutcome;
use crate::core::diagnose::what_if::Parameter;
use crate::core::diagnose::what_if::map::{Map, Phases};
use crate::core::diagnose::what_if::session::Values;
use egui::accesskit::Role;
use egui::{
    Align2, Color32, Painter, Pos2, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

/// Room for the axes' words, points: left, below.
const AXES: (f32, f32) = (48.0, 32.0);
/// A region smaller than this share of the cells has no word in it.
const WORTH_A_WORD: usize = 30;

/// A logarithmic axis: a value to a place, and back.
#[derive(Clone, Copy, Debug)]
struct Axis {
    low: f64,
    high: f64,
    /// Points, where `low` and where `high` are.
    from: f32,
    to: f32,
}

impl Axis {
    fn place(&self, value: f64) -> f32 {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        egui::lerp(self.from..=self.to, share as f32)
    }

    fn value(&self, place: f32) -> f64 {
        let share = f64::from((place - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.low * (self.high / self.low).powf(share)
    }

    /// Round numbers inside: 1, 2 and 5 of each power of ten, or the powers alone where there are many.
    fn marks(&self) -> Vec<f64> {
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

/// Where the map lies on the screen, and its axes.
struct Plane {
    field: Rect,
    /// Seconds.
    x: Axis,
    /// Metres per second.
    y: Axis,
}

impl Plane {
    fn of(rect: Rect, bench: &Bench) -> Option<Self> {
        let range = |what| bench.trial().range(what).ok();
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

    fn place(&self, values: &Values) -> Pos2 {
        pos2(self.x.place(values.dt), self.y.place(values.speed))
    }

    fn values(&self, bench: &Bench, place: Pos2) -> Values {
        bench.trial().checked(Values {
            dt: self.x.value(place.x),
            speed: self.y.value(place.y),
            ..*bench.values()
        })
    }
}

/// Draws the map with its switch and its legend.
pub fn show(ui: &mut Ui, bench: &Bench, commands: &mut Vec<Command>) {
    switch(ui, bench, commands);
    let width = ui.available_width();
    let size = vec2(width, (width * 0.62).clamp(150.0, 340.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let Some(plane) = Plane::of(rect, bench) else {
        return;
    };
    if ui.is_rect_visible(rect) {
        let painter = ui.painter_at(rect);
        cells(ui, &painter, plane.field, bench);
        axes(ui, &painter, &plane);
        limits(ui, &painter.with_clip_rect(plane.field), bench, &plane);
        points(ui, &painter, bench, &plane);
    }
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::Image, true, "Map of dt against speed");
        info.current_text_value = Some(told(bench, bench.values()));
        info
    });
    if let Some(place) = widget::dragged_to(&response) {
        commands.push(Command::SetWhatIfValues(plane.values(bench, place)));
    }
    let inside = |place: &Pos2| plane.field.contains(*place);
    if let Some(place) = response.hover_pos().filter(inside) {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Crosshair);
        let text = told(bench, &plane.values(bench, place));
        response.on_hover_text_at_pointer(text);
    }
    legend(ui, bench.map());
}

/// Which phases the map stands for.
fn switch(ui: &mut Ui, bench: &Bench, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("dt against speed").strong());
        for (phases, word, help) in [
            (
                Phases::Worst,
                "every phase",
                "The worst of all starting phases: what cannot be trusted to luck",
            ),
            (Phases::This, "this phase", "The phase of the slider alone"),
        ] {
            let on = bench.phases() == phases;
            let response = ui.selectable_label(on, RichText::new(word).font(style::small()));
            let name = format!("Map of {word}");
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, &name));
            if response.on_hover_text(help).clicked() && !on {
                commands.push(Command::SetWhatIfPhases(phases));
            }
        }
        if bench.is_mapping() {
            ui.spinner();
        }
    });
}

/// A place of the map in words, with the verdict exactly there.
fn told(bench: &Bench, values: &Values) -> String {
    let place = format!(
        "dt {} ms, speed {} m/s",
        text::number(values.dt * 1e3),
        text::number(values.speed)
    );
    match bench.trial().verdict(values, bench.phases()) {
        Some(outcome) => format!("{place}: {}", outcome.name()),
        None => place,
    }
}

fn cells(ui: &Ui, painter: &Painter, field: Rect, bench: &Bench) {
    let ground = Surfaces::of(ui.visuals()).sunken;
    painter.rect_filled(field, 0.0, ground);
    let Some(map) = bench.map() else {
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
            // Half a point over, so that no seam shows between rows.
            let run = run.expand2(vec2(0.0, 0.25)).intersect(field);
            painter.rect_filled(run, 0.0, muted(ui, outcome));
            from = until;
        }
    }
    for outcome in PhaseOutcome::ALL {
        word(painter, field, map, outcome);
    }
    // That of the values before, while the new one is being made.
    if bench.is_mapping() {
        painter.rect_filled(field, 0.0, ground.gamma_multiply(0.45));
    }
}

/// The colour of a region, light enough for black words and lines.
fn muted(ui: &Ui, outcome: PhaseOutcome) -> Color32 {
    let color = Palette::of(ui.visuals()).outcome(outcome);
    color.lerp_to_gamma(
        Color32::WHITE,
        if ui.visuals().dark_mode { 0.1 } else { 0.35 },
    )
}

/// The name of a region, in its middle, so that nobody needs its colour.
fn word(painter: &Painter, field: Rect, map: &Map, outcome: PhaseOutcome) {
    let columns = map.dts.len();
    let all: Vec<usize> = (0..map.cells.len())
        .filter(|&index| map.cells[index] == outcome)
        .collect();
    if all.len() * WORTH_A_WORD < map.cells.len() {
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
    let words = painter.layout_no_wrap(outcome.name().to_owned(), font, Color32::BLACK);
    // A stripe may be narrower than its name.
    let first = (row as usize).min(map.speeds.len() - 1) * columns;
    let own = map.cells[first..first + columns]
        .iter()
        .filter(|cell| **cell == outcome);
    if own.count() as f32 / columns as f32 * field.width() > words.size().x + 8.0 {
        painter.galley(at - 0.5 * words.size(), words, Color32::BLACK);
    }
}

fn axes(ui: &Ui, painter: &Painter, plane: &Plane) {
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
    for mark in x.marks() {
        let at = x.place(mark);
        painter.line_segment(
            [pos2(at, field.bottom()), pos2(at, field.bottom() + 3.0)],
            tick,
        );
        if at - last > 30.0 {
            let word = text::significant(mark * 1e3, 6);
            painter.text(
                pos2(at, field.bottom() + 4.0),
                Align2::CENTER_TOP,
                word,
                style::small(),
                color,
            );
            last = at;
        }
    }
    let below = pos2(field.center().x, field.bottom() + 17.0);
    painter.text(below, Align2::CENTER_TOP, "dt, ms", style::small(), color);
    let mut last = f32::INFINITY;
    for mark in y.marks() {
        let at = y.place(mark);
        painter.line_segment([pos2(field.left() - 3.0, at), pos2(field.left(), at)], tick);
        if last - at > 13.0 {
            let word = text::significant(mark, 6);
            painter.text(
                pos2(field.left() - 5.0, at),
                Align2::RIGHT_CENTER,
                word,
                style::small(),
                color,
            );
            last = at;
        }
    }
    let galley = painter.layout_no_wrap("speed, m/s".into(), style::small(), color);
    let beside = pos2(
        field.left() - AXES.0,
        field.center().y + galley.size().x * 0.5,
    );
    let words = egui::epaint::TextShape::new(beside, galley, color)
        .with_angle(-std::f32::consts::FRAC_PI_2);
    painter.add(words);
}

/// Where a step is as long as a limit: straight on axes like these.
fn limits(ui: &Ui, painter: &Painter, bench: &Bench, plane: &Plane) {
    let Plane { x, y, .. } = plane;
    let Some(tried) = bench.tried() else {
        return;
    };
    let ink = Surfaces::of(ui.visuals()).sunken;
    for limit in [tried.numbers.limit_seen, tried.numbers.limit_side] {
        let Some(product) = bench.trial().product_at(tried, limit, bench.phases()) else {
            continue;
        };
        let ends = [x.low, x.high].map(|dt| pos2(x.place(dt), y.place(product / dt)));
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

/// As recorded a ring, and the sliders a filled point with cross hairs.
fn points(ui: &Ui, painter: &Painter, bench: &Bench, plane: &Plane) {
    let ink = Color32::BLACK;
    let was = plane.place(&bench.before().values);
    painter.circle_stroke(was, 6.0, Stroke::new(3.5, Color32::WHITE));
    painter.circle_stroke(was, 6.0, Stroke::new(1.5, ink));
    let now = plane.place(bench.values());
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
            // Most findings cut no corner.
            let there = map.is_some_and(|map| map.cells.contains(&outcome));
            if !there && outcome == PhaseOutcome::Clipped {
                continue;
            }
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().rect(
                rect,
                2.0,
                muted(ui, outcome),
                Stroke::new(1.0, surfaces.line),
                egui::StrokeKind::Inside,
            );
            let color = readable(palette.text_weak, ground);
            let text = RichText::new(outcome.name())
                .font(style::small())
                .color(color);
            ui.label(text).on_hover_text(outcome.help());
        }
        let text = "ring: recorded, point: now, dashes: the limits";
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
    fn a_place_leads_back_to_its_value() {
        let axis = axis(1e-5, 0.1);
        assert!(
            (axis.place(1e-3) - 200.0).abs() < 1e-3,
            "the geometric middle"
        );
        for value in [1e-5, 3e-4, 0.1] {
            let back = axis.value(axis.place(value));
            assert!((back / value - 1.0).abs() < 1e-5, "{value} {back}");
        }
        assert_eq!(axis.value(1e9), 0.1);
    }

    #[test]
    fn marks_are_round_and_inside() {
        assert_eq!(axis(0.9, 21.0).marks(), [1.0, 2.0, 5.0, 10.0, 20.0]);
        let many = axis(1e-5, 1.0).marks();
        assert_eq!(many.len(), 6, "{many:?}");
    }
}
