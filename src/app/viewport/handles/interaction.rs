//! Handles as widgets with names, and the drags that turn them into commands.

use super::drag::{DragModifiers, HandleDrag};
use super::layout::layout_handles;
use super::{Handle, HandleLayout, handle_at};
use crate::app::command::Command;
use crate::app::viewport::view::View;
use crate::app::viewport::{Viewport, ViewportInput};
use crate::app::widget::content;
use egui::accesskit::Role;
use egui::{CursorIcon, PointerButton, Pos2, Rect, Response, Sense, Ui, Vec2, WidgetInfo};
use glam::DVec2;

/// Width of a handle's widget, points.
const WIDGET_SIZE: f32 = 18.0;

/// Adds the widgets of all handles, and handles their drags. Returns true while one is dragged.
pub fn interact(
    viewport: &mut Viewport,
    ui: &Ui,
    response: &Response,
    input: &ViewportInput<'_>,
    view: &View,
    commands: &mut Vec<Command>,
) -> bool {
    let layouts = layout_handles(input, view);
    let corner = response.rect.min;
    let to_local = |at: Pos2| DVec2::new(f64::from(at.x - corner.x), f64::from(at.y - corner.y));
    let (mut hovered, mut pressed) = (None, None);
    for layout in &layouts {
        let widget = widget(ui, response, layout);
        if widget.hovered() {
            hovered = Some(layout.handle);
        }
        if widget.drag_started_by(PointerButton::Primary) {
            pressed = Some(layout.handle);
        }
        if viewport.drag.is_none() {
            widget.on_hover_ui(content(|ui| {
                let (name, help) = layout.handle.name_and_help();
                ui.strong(name);
                ui.weak(help);
            }));
        }
    }
    // A line can be dragged anywhere, not only at its widget.
    if hovered.is_none() && response.hovered() {
        let at = response.hover_pos().map(to_local);
        hovered = at.and_then(|at| handle_at(&layouts, at));
    }
    let origin = ui.input(|input| input.pointer.press_origin()).map(to_local);
    if response.drag_started_by(PointerButton::Primary) {
        pressed = pressed.or_else(|| handle_at(&layouts, origin?));
    }
    if let (Some(handle), Some(at)) = (pressed, origin) {
        viewport.drag = HandleDrag::new(handle, input, view, at);
    }
    let dragged = viewport.drag.as_ref().map(|drag| drag.handle);
    viewport.highlighted = dragged.or(hovered);
    if viewport.highlighted.is_some() {
        ui.ctx().set_cursor_icon(match viewport.drag {
            Some(_) => CursorIcon::Grabbing,
            None => CursorIcon::Grab,
        });
    }
    continue_drag(viewport, ui, input, to_local, commands)
}

/// Continues a drag; returns false if there is none.
fn continue_drag(
    viewport: &mut Viewport,
    ui: &Ui,
    input: &ViewportInput<'_>,
    to_local: impl Fn(Pos2) -> DVec2,
    commands: &mut Vec<Command>,
) -> bool {
    let Some(drag) = &mut viewport.drag else {
        return false;
    };
    let (at, down, modifiers) = ui.input(|input| {
        let pointer = &input.pointer;
        let down = pointer.primary_down();
        (pointer.latest_pos(), down, input.modifiers)
    });
    // Esc cancels the drag and keeps the selection.
    let escape = commands.iter().position(|c| *c == Command::SelectNothing);
    if let Some(index) = escape {
        commands.remove(index);
        if drag.has_changed() && !drag.cancelled {
            commands.push(Command::Undo);
        }
        drag.cancelled = true;
    }
    let modifiers = DragModifiers {
        ctrl: modifiers.command,
        shift: modifiers.shift,
        alt: modifiers.alt,
    };
    if let (Some(at), Some(editing), false) = (at, input.editing, drag.cancelled) {
        let edit = drag.move_to(to_local(at), editing.tools, modifiers);
        commands.extend(edit.map(Command::Edit));
    }
    if !down {
        viewport.drag = None;
    }
    true
}

/// Adds the widget of a handle, for the pointer, assistive technology and tests.
fn widget(ui: &Ui, response: &Response, layout: &HandleLayout) -> Response {
    let at = Vec2::new(layout.anchor.x as f32, layout.anchor.y as f32);
    let rect = Rect::from_center_size(response.rect.min + at, Vec2::splat(WIDGET_SIZE));
    let id = response.id.with(("handle", layout.handle));
    let widget = ui.interact(rect, id, Sense::click_and_drag());
    widget.widget_info(|| {
        let (name, _) = layout.handle.name_and_help();
        WidgetInfo::labeled(Role::GraphicsObject, true, name)
    });
    widget
}

impl Handle {
    /// The axis whose colour it has.
    pub fn axis(self) -> Option<usize> {
        match self {
            Self::MoveAlong(axis)
            | Self::MoveAcross(axis)
            | Self::RotateAround(axis)
            | Self::ScaleAlong(axis) => Some(axis),
            _ => None,
        }
    }
}
