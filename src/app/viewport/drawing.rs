//! Drawing of new objects in a flat level: circles and boxes by a drag, polygons and chains by clicks on their corners.

use super::view::View;
use super::{Viewport, ViewportInput};
use crate::app::authoring::{Drawn, Snap, Tool};
use crate::app::command::Command;
use crate::app::theme::Palette;
use crate::core::edit::Edit;
use crate::core::scene::{MeshSource, Movement, Object};
use crate::core::shape::{ChainFacing, Shape};
use egui::{CursorIcon, Key, Painter, PointerButton, Pos2, Rect, Response, Stroke, Ui};
use glam::{DVec2, DVec3};

/// Distance from its first corner within which a click closes an outline, points.
const CLOSING: f64 = 10.0;

/// Length below which a drag is a click, points: nothing is drawn by one.
const LEAST: f64 = 4.0;

/// Draws with the tool. Returns true while it has the pointer.
pub fn interact(
    viewport: &mut Viewport,
    ui: &Ui,
    response: &Response,
    (input, view): (&ViewportInput<'_>, &View),
    commands: &mut Vec<Command>,
) -> bool {
    let drawn = input.editing.and_then(|editing| match editing.tools.tool {
        Tool::Draw(drawn) if input.is_flat() => Some((drawn, editing.tools)),
        _ => None,
    });
    let Some((drawn, tools)) = drawn else {
        viewport.drawn_points.clear();
        return false;
    };
    let (pointer, inverted) = ui.input(|input| {
        let at = input.pointer.interact_pos().or(input.pointer.hover_pos());
        (at, input.modifiers.command)
    });
    let snaps = tools.snaps(inverted) == Some(Snap::Grid);
    let in_plane = |at: Pos2| {
        let at = at - response.rect.min;
        let at = DVec2::new(f64::from(at.x), f64::from(at.y));
        let ray = view.ray(at, view.distance() * 1e4);
        let share = ray.a.z / (ray.a.z - ray.b.z);
        let point = ray.a.lerp(ray.b, share).truncate();
        let step = if snaps { tools.step } else { digits(view) };
        point.is_finite().then(|| (point / step).round() * step)
    };
    if response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    }
    // Esc drops what is begun.
    if !viewport.drawn_points.is_empty()
        && let Some(index) = commands.iter().position(|it| *it == Command::SelectNothing)
    {
        commands.remove(index);
        viewport.drawn_points.clear();
        return true;
    }
    let at = pointer.and_then(in_plane);
    viewport.drawn_to = at;
    // Also where the pointer is elsewhere.
    if ui.input(|input| input.key_pressed(Key::Enter)) {
        end(viewport, drawn, false, commands);
    }
    let Some(at) = at else {
        return !viewport.drawn_points.is_empty();
    };
    let is_far = |from: DVec2, least: f64| {
        let apart = from.distance(at);
        apart / view.metres_per_point(at.extend(0.0)) > least
    };
    if drawn.is_dragged() {
        if response.drag_started_by(PointerButton::Primary) {
            let origin = ui.input(|input| input.pointer.press_origin());
            viewport.drawn_points = origin.and_then(in_plane).into_iter().collect();
        }
        let Some(&from) = viewport.drawn_points.first() else {
            return response.contains_pointer();
        };
        if !ui.input(|input| input.pointer.primary_down()) {
            viewport.drawn_points.clear();
            let shape = is_far(from, LEAST)
                .then(|| dragged(drawn, from, at))
                .flatten();
            commands.extend(shape.map(|(shape, at)| add(drawn, shape, at)));
        }
        return true;
    }
    let first = viewport.drawn_points.first().copied();
    let closes =
        first.is_some_and(|first| !is_far(first, CLOSING)) && viewport.drawn_points.len() >= 3;
    if response.clicked_by(PointerButton::Primary)
        && !closes
        && viewport.drawn_points.last() != Some(&at)
    {
        viewport.drawn_points.push(at);
    }
    if closes && response.clicked_by(PointerButton::Primary) || response.double_clicked() {
        end(viewport, drawn, closes, commands);
    }
    response.contains_pointer()
}

/// Ends an outline of clicked corners.
fn end(viewport: &mut Viewport, drawn: Drawn, closes: bool, commands: &mut Vec<Command>) {
    if drawn.is_dragged() {
        return;
    }
    let points = std::mem::take(&mut viewport.drawn_points);
    let shape = clicked(drawn, &points, closes);
    commands.extend(shape.map(|(shape, at)| add(drawn, shape, at)));
}

/// A length with one digit that is at most a point of the screen: coordinates have no digits below it.
fn digits(view: &View) -> f64 {
    let point = view.metres_per_point(view.target);
    10_f64.powf(point.log10().floor())
}

/// The shape of a drag, and its place.
fn dragged(drawn: Drawn, from: DVec2, to: DVec2) -> Option<(Shape, DVec2)> {
    match drawn {
        Drawn::Circle => Some((Shape::circle(from.distance(to)), from)),
        Drawn::Box => {
            let half = (to - from).abs() * 0.5;
            (half.min_element() > 0.0).then(|| (Shape::rectangle(half, 0.0), from.midpoint(to)))
        }
        Drawn::Polygon | Drawn::Chain => None,
    }
}

/// The shape of clicked corners, and its place.
fn clicked(drawn: Drawn, points: &[DVec2], is_closed: bool) -> Option<(Shape, DVec2)> {
    match drawn {
        Drawn::Polygon => {
            let (low, high) = points.iter().fold(
                (points.first().copied()?, DVec2::splat(f64::NEG_INFINITY)),
                |(low, high), point| (low.min(*point), high.max(*point)),
            );
            let middle = low.midpoint(high);
            let corners: Vec<DVec2> = points.iter().map(|point| *point - middle).collect();
            let (shape, _) = Shape::polygon(&corners, 0.0).ok()?;
            Some((shape, middle))
        }
        Drawn::Chain => {
            let chain = Shape::chain(points, is_closed, ChainFacing::Both).ok()?;
            Some((chain, DVec2::ZERO))
        }
        Drawn::Circle | Drawn::Box => None,
    }
}

/// Adds the drawn object: a circle moves, what is drawn otherwise is a part of the level.
fn add(drawn: Drawn, shape: Shape, at: DVec2) -> Command {
    let mesh = matches!(shape, Shape::Mesh(_)).then_some(MeshSource::Inline);
    let object = Object {
        mesh,
        movement: match drawn {
            Drawn::Circle => Movement::Velocity,
            Drawn::Box | Drawn::Polygon | Drawn::Chain => Movement::Fixed,
        },
        ..Object::new(drawn.name(), shape, at.extend(0.0))
    };
    Command::Edit(Edit::Add(vec![object]))
}

/// Paints what is being drawn.
pub fn paint(
    viewport: &Viewport,
    painter: &Painter,
    rect: Rect,
    (input, view): (&ViewportInput<'_>, &View),
    palette: &Palette,
) {
    let Some(Tool::Draw(drawn)) = input.editing.map(|editing| editing.tools.tool) else {
        return;
    };
    let Some(to) = viewport.drawn_to else { return };
    let on_screen = |point: DVec2| {
        let at: DVec3 = point.extend(0.0);
        let at = view.project(at).unwrap_or(DVec2::ZERO);
        rect.min + egui::vec2(at.x as f32, at.y as f32)
    };
    let stroke = Stroke::new(1.5, palette.selected);
    let points: Vec<Pos2> = viewport
        .drawn_points
        .iter()
        .map(|at| on_screen(*at))
        .collect();
    let Some(&from) = points.first() else {
        return;
    };
    let end = on_screen(to);
    match drawn {
        Drawn::Circle => {
            painter.circle_stroke(from, from.distance(end), stroke);
        }
        Drawn::Box => {
            let area = Rect::from_two_pos(from, end);
            painter.rect_stroke(area, 0.0, stroke, egui::StrokeKind::Middle);
        }
        Drawn::Polygon | Drawn::Chain => {
            let lines = points.windows(2).map(|ends| [ends[0], ends[1]]);
            let last = points.last().map(|last| [*last, end]);
            for line in lines.chain(last) {
                painter.line_segment(line, stroke);
            }
            for point in &points {
                painter.circle_filled(*point, 3.0, palette.selected);
            }
        }
    }
}
