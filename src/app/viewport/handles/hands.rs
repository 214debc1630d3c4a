//! Handles as widgets: each has its name and can be gripped, and what is gripped becomes a command.

use super::drag::{Grip, Held};
use super::lay::lay;
use super::{Handle, Laid, under};
use crate::app::command::Command;
use crate::app::viewport::view::View;
use crate::app::viewport::{Viewport, ViewportInput};
use egui::accesskit::Role;
use egui::{CursorIcon, PointerButton, Pos2, Rect, Response, Sense, Ui, Vec2, WidgetInfo};
use glam::DVec2;

/// A handle's own place, points.
const KNOB: f32 = 18.0;

/// Lays the handles of a moment over the picture, and drags what is gripped. True while the primary button is at work here.
pub fn work(
    viewport: &mut Viewport,
    ui: &Ui,
    response: &Response,
    input: &ViewportInput<'_>,
    view: &View,
    commands: &mut Vec<Command>,
) -> bool {
    let laid = lay(input, view);
    let corner = response.rect.min;
    let place = |at: Pos2| DVec2::new(f64::from(at.x - corner.x), f64::from(at.y - corner.y));
    let (mut hovered, mut gripped) = (None, None);
    for laid in &laid {
        let knob = widget(ui, response, laid);
        if knob.hovered() {
            hovered = Some(laid.handle);
        }
        if knob.drag_started_by(PointerButton::Primary) {
            gripped = Some(laid.handle);
        }
        if viewport.grip.is_none() {
            knob.on_hover_ui(|ui| {
                let (name, help) = laid.handle.words();
                ui.strong(name);
                ui.weak(help);
            });
        }
    }
    // A line is gripped anywhere, not only where its widget is.
    if hovered.is_none() && response.hovered() {
        let at = response.hover_pos().map(place);
        hovered = at.and_then(|at| under(&laid, at));
    }
    let origin = ui.input(|input| input.pointer.press_origin()).map(place);
    if response.drag_started_by(PointerButton::Primary) {
        gripped = gripped.or_else(|| under(&laid, origin?));
    }
    if let (Some(handle), Some(at)) = (gripped, origin) {
        viewport.grip = Grip::new(handle, input, view, at);
    }
    viewport.hot = viewport.grip.as_ref().map(|grip| grip.handle).or(hovered);
    if viewport.hot.is_some() {
        ui.ctx().set_cursor_icon(match viewport.grip {
            Some(_) => CursorIcon::Grabbing,
            None => CursorIcon::Grab,
        });
    }
    go_on(viewport, ui, input, place, commands)
}

/// The drag that goes on, if one does.
fn go_on(
    viewport: &mut Viewport,
    ui: &Ui,
    input: &ViewportInput<'_>,
    place: impl Fn(Pos2) -> DVec2,
    commands: &mut Vec<Command>,
) -> bool {
    let Some(grip) = &mut viewport.grip else {
        return false;
    };
    let (at, down, modifiers) = ui.input(|input| {
        let pointer = &input.pointer;
        let down = pointer.primary_down();
        (pointer.latest_pos(), down, input.modifiers)
    });
    // Esc takes it back, and nothing else.
    let escape = commands.iter().position(|c| *c == Command::SelectNothing);
    if let Some(index) = escape {
        commands.remove(index);
        if grip.has_changed() && !grip.spent {
            commands.push(Command::Undo);
        }
        grip.spent = true;
    }
    let held = Held {
        ctrl: modifiers.command,
        shift: modifiers.shift,
        alt: modifiers.alt,
    };
    if let (Some(at), Some(editing), false) = (at, input.editing, grip.spent) {
        let change = grip.drag(place(at), editing.tools, held);
        commands.extend(change.map(Command::Edit));
    }
    if !down {
        viewport.grip = None;
    }
    true
}

/// The widget of a handle: what assistive technology, tests and the pointer find.
fn widget(ui: &Ui, response: &Response, laid: &Laid) -> Response {
    let at = Vec2::new(laid.anchor.x as f32, laid.anchor.y as f32);
    let rect = Rect::from_center_size(response.rect.min + at, Vec2::splat(KNOB));
    let id = response.id.with(("handle", laid.handle));
    let knob = ui.interact(rect, id, Sense::click_and_drag());
    knob.widget_info(|| WidgetInfo::labeled(Role::GraphicsObject, true, laid.handle.words().0));
    knob
}

impl Handle {
    /// The axis it is drawn in the colour of.
    pub fn axis(self) -> Option<usize> {
        match self {
            Self::MoveAlong(axis)
            | Self::MoveAcross(axis)
            | Self::TurnAround(axis)
            | Self::ScaleAlong(axis) => Some(axis),
            _ => None,
        }
    }
}
