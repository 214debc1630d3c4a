//! Box selection: Shift and a drag select the objects with their centre in the box; with Ctrl they are added to the selection.

use super::view::View;
use super::{Viewport, ViewportInput};
use crate::app::command::Command;
use crate::app::theme::Palette;
use crate::core::replay::ObjectId;
use crate::core::shape::Shape;
use egui::{CursorIcon, Painter, PointerButton, Rect, Response, Stroke, StrokeKind, Ui};

/// Begins, resizes and ends the box. Returns true while it is dragged.
pub fn interact(
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
        viewport.selection_box = origin.map(|origin| [origin, origin]);
    }
    let Some([from, to]) = viewport.selection_box else {
        return false;
    };
    let at = at.unwrap_or(to);
    viewport.selection_box = Some([from, at]);
    // Esc cancels it.
    if let Some(index) = commands.iter().position(|c| *c == Command::SelectNothing) {
        commands.remove(index);
        viewport.selection_box = None;
        return true;
    }
    ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    if !ui.input(|input| input.pointer.primary_down()) {
        viewport.selection_box = None;
        let area = Rect::from_two_pos(from, at).translate(-response.rect.min.to_vec2());
        let objects = objects_inside(input, view, area);
        commands.push(Command::SelectMany(objects, modifiers.command));
    }
    true
}

/// The drawn objects with their centre in an area of the viewport, points from its corner.
fn objects_inside(input: &ViewportInput<'_>, view: &View, area: Rect) -> Vec<ObjectId> {
    let objects = input.replay.objects().iter().zip(0..);
    let found = objects.filter(|(object, id)| {
        // A plane is unbounded and has no centre.
        let bounded = !matches!(object.shape, Shape::Plane(_));
        let shown = input.shows_body(*id) && !input.visibility.locks(*id);
        let pose = input.pose(*id).filter(|_| bounded && shown);
        let center = object.shape.centroid();
        let position = pose.and_then(|pose| view.project(pose.point(center)));
        position.is_some_and(|at| area.contains(egui::pos2(at.x as f32, at.y as f32)))
    });
    found.map(|(_, id)| id).collect()
}

/// Draws the box.
pub fn paint(viewport: &Viewport, painter: &Painter, palette: &Palette) {
    if let Some([from, at]) = viewport.selection_box {
        let area = Rect::from_two_pos(from, at);
        painter.rect_filled(area, 0.0, palette.selected.gamma_multiply(0.12));
        let style = Stroke::new(1.2, palette.selected);
        painter.rect_stroke(area, 0.0, style, StrokeKind::Inside);
    }
}
