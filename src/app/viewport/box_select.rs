//! Shift and a drag: everything whose middle lies in the box is selected; with Ctrl, besides what was.

use super::view::View;
use super::{Viewport, ViewportInput};
use crate::app::command::Command;
use crate::app::theme::Palette;
use crate::app::view_state::Layer;
use crate::core::replay::ObjectId;
use crate::core::shape::Shape;
use egui::{CursorIcon, Painter, PointerButton, Rect, Response, Stroke, StrokeKind, Ui};

/// Begins, draws out and ends the box. True while it is drawn out.
pub fn work(
    viewport: &mut Viewport,
    ui: &Ui,
    response: &Response,
    (input, view): (&ViewportInput<'_>, &View),
    commands: &mut Vec<Command>,
) -> bool {
    let (origin, at, modifiers) = ui.input(|input| {
        let pointer = &input.pointer;
        (
            pointer.press_origin(),
            pointer.latest_pos(),
            input.modifiers,
        )
    });
    if response.drag_started_by(PointerButton::Primary) && modifiers.shift {
        viewport.boxed = origin.map(|origin| [origin, origin]);
    }
    let Some([from, to]) = viewport.boxed else {
        return false;
    };
    let at = at.unwrap_or(to);
    viewport.boxed = Some([from, at]);
    // Esc lets go of it.
    if let Some(index) = commands.iter().position(|c| *c == Command::SelectNothing) {
        commands.remove(index);
        viewport.boxed = None;
        return true;
    }
    ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    if !ui.input(|input| input.pointer.primary_down()) {
        viewport.boxed = None;
        let area = Rect::from_two_pos(from, at).translate(-response.rect.min.to_vec2());
        let objects = inside(input, view, area);
        commands.push(Command::SelectMany(objects, modifiers.command));
    }
    true
}

/// Who is drawn and has its middle in a part of the picture, points from its corner.
fn inside(input: &ViewportInput<'_>, view: &View, area: Rect) -> Vec<ObjectId> {
    let objects = input.replay.objects().iter().zip(0..);
    let found = objects.filter(|(object, id)| {
        let drawn = input
            .layers
            .shows(Layer::Shapes, input.selection.contains(*id));
        // What has no end has no middle.
        let ends = !matches!(object.shape, Shape::Plane(_));
        let pose = input.pose(*id).filter(|_| drawn && ends);
        let middle = object.shape.centroid();
        let place = pose.and_then(|pose| view.project(pose.point(middle)));
        place.is_some_and(|at| area.contains(egui::pos2(at.x as f32, at.y as f32)))
    });
    found.map(|(_, id)| id).collect()
}

/// Draws the box.
pub fn paint(viewport: &Viewport, painter: &Painter, palette: &Palette) {
    if let Some([from, at]) = viewport.boxed {
        let area = Rect::from_two_pos(from, at);
        painter.rect_filled(area, 0.0, palette.selected.gamma_multiply(0.12));
        let style = Stroke::new(1.2, palette.selected);
        painter.rect_stroke(area, 0.0, style, StrokeKind::Inside);
    }
}
