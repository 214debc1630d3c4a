//! Mouse and keyboard input: moves the view, and selects objects.

use super::body_spheres::BodySpheres;
use super::picking;
use super::renderer::Slot;
use super::section::CutPlane;
use super::view::{Projection, View};
use super::{Viewport, ViewportInput};
use crate::app::command::Command;
use crate::app::keys::Keys;
use crate::app::view_state::Switch;
use crate::app::widget;
use egui::{CursorIcon, Event, Key, MouseWheelSource, MouseWheelUnit, PointerButton, Response, Ui};
use glam::{DVec2, DVec3};

/// Wheel movement for a zoom by e, points.
const WHEEL: f64 = 350.0;

/// Rotates, pans, zooms and flies. `busy`: the primary button drags something else.
pub fn steer(viewport: &mut Viewport, ui: &Ui, response: &Response, busy: bool) {
    let drag = response.drag_delta();
    let drag = DVec2::new(f64::from(drag.x), f64::from(drag.y));
    let size = viewport.size();
    if drag != DVec2::ZERO {
        viewport.animation = None;
    }
    let shift = ui.input(|input| input.modifiers.shift);
    // A trackpad has no middle button.
    let pans = ui.input(|input| input.modifiers.command);
    let pans = pans && !busy && response.dragged_by(PointerButton::Primary);
    // A flat level is moved as a drawing; with Alt it is turned.
    let is_drawing = viewport.is_flat && !ui.input(|input| input.modifiers.alt);
    let pans = pans || is_drawing && !busy && response.dragged_by(PointerButton::Primary);
    let pans = pans || is_drawing && response.dragged_by(PointerButton::Secondary);
    if response.dragged_by(PointerButton::Middle) || pans {
        viewport.orbit.pan(drag, size);
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    } else if response.dragged_by(PointerButton::Primary) && !busy {
        viewport.orbit.rotate(drag);
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    } else if response.dragged_by(PointerButton::Secondary) {
        viewport.orbit.look_around(drag);
        fly(viewport, ui, shift);
        ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    }
    // A handle under the pointer does not take the wheel.
    if response.contains_pointer() {
        scroll(viewport, ui, response);
    }
}

fn fly(viewport: &mut Viewport, ui: &Ui, fast: bool) {
    let held = Keys::held(ui.ctx());
    let down = |key: Key| held.contains(&key);
    let (direction, seconds) = ui.input(|input| {
        let axis = |ahead: Key, back: Key| f64::from(i8::from(down(ahead)) - i8::from(down(back)));
        let direction = DVec3::new(
            axis(Key::D, Key::A),
            axis(Key::E, Key::Q),
            -axis(Key::W, Key::S),
        );
        (direction, f64::from(input.stable_dt.min(0.1)))
    });
    if direction != DVec3::ZERO {
        viewport.animation = None;
        viewport.orbit.fly(direction, seconds, fast);
    }
    // Held keys send no events.
    ui.ctx().request_repaint();
}

/// Zooms by the wheel, and by two fingers that move apart; two fingers that move together pan.
fn scroll(viewport: &mut Viewport, ui: &Ui, response: &Response) {
    let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
    if let Some(is_trackpad) = ui.input(|input| input.events.iter().rev().find_map(of_trackpad)) {
        viewport.trackpad = is_trackpad;
    }
    let mut wheel = f64::from(scroll.y);
    if viewport.trackpad && scroll != egui::Vec2::ZERO {
        wheel = 0.0;
        viewport.animation = None;
        let drag = DVec2::new(f64::from(scroll.x), f64::from(scroll.y));
        viewport.orbit.pan(drag, viewport.size());
    }
    let factor = (wheel / WHEEL).exp() * f64::from(pinch);
    if factor == 1.0 {
        return;
    }
    viewport.animation = None;
    let cursor = response.hover_pos().unwrap_or(response.rect.center()) - response.rect.min;
    let cursor = DVec2::new(f64::from(cursor.x), f64::from(cursor.y));
    viewport.orbit.zoom(factor, cursor, viewport.size());
}

/// Whether a scroll is of a trackpad, `None` for other events. Where the system does not say so, a wheel turns by lines and fingers move by points.
fn of_trackpad(event: &Event) -> Option<bool> {
    let Event::MouseWheel { unit, source, .. } = event else {
        return None;
    };
    Some(match source {
        MouseWheelSource::Trackpad | MouseWheelSource::Momentum => true,
        MouseWheelSource::Wheel => false,
        MouseWheelSource::Unknown => *unit == MouseWheelUnit::Point,
    })
}

/// Highlights, names and selects the object under the pointer.
pub fn hover_and_click(
    viewport: &mut Viewport,
    ui: &Ui,
    response: &Response,
    input: &ViewportInput<'_>,
    (view, cut, spheres): (&View, Option<&CutPlane>, &mut Option<BodySpheres>),
    commands: &mut Vec<Command>,
) {
    // In walk mode the pointer is hidden.
    if input.walk.is_some() {
        (viewport.hovered, viewport.cursor) = (None, None);
        return;
    }
    let cursor = response
        .hover_pos()
        .filter(|_| response.hovered() && !response.dragged())
        .or_else(|| {
            response
                .interact_pointer_pos()
                .filter(|_| response.clicked())
        })
        .map(|at| at - response.rect.min)
        .map(|at| DVec2::new(f64::from(at.x), f64::from(at.y)));
    let shown = viewport.overlay_cache.as_ref();
    let shows_same = shown.is_some_and(|drawn| drawn.view == *view && drawn.key.matches(input));
    let moves = shown.is_some_and(|drawn| !drawn.key.has_same_time(input));
    let rests = ui.input(|input| input.pointer.delta() == egui::Vec2::ZERO);
    if cursor.is_some() && moves && rests && !response.clicked() {
        // Nothing is looked for in every frame of a playing level; what is under the pointer is shown when the level rests.
        (viewport.hovered, viewport.cursor) = (None, None);
        ui.ctx().request_repaint();
    } else if !shows_same || viewport.cursor != cursor || response.clicked() {
        let picked = cursor.and_then(|at| picking::pick(input, (view, spheres), at, cut));
        viewport.hovered = picked.map(|(object, _)| object);
        viewport.cursor = cursor;
        if let Some((_, point)) =
            picked.filter(|_| response.clicked() && input.layers.has(Switch::Measure))
        {
            viewport.measured.truncate(viewport.measured.len() % 2);
            viewport.measured.push(point);
        }
    }
    let under = viewport.hovered;
    if input.layers.has(Switch::Measure) {
        ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        return;
    }
    if response.clicked() {
        let add = ui.input(|input| input.modifiers.command || input.modifiers.shift);
        match (under, add) {
            (Some(id), true) => commands.push(Command::ToggleSelect(id)),
            (None, true) => {}
            (under, false) => commands.push(Command::Select(under)),
        }
    }
    if response.double_clicked() && under.is_some() {
        commands.push(Command::FrameSelection);
    }
    let Some(object) = under.and_then(|id| input.replay.objects().get(id as usize)) else {
        return;
    };
    ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    response
        .clone()
        .on_hover_ui_at_pointer(widget::content(|ui| {
            ui.strong(&object.name);
            ui.weak(shape_and_movement(object));
        }));
}

/// Shape and movement of an object, as in "Sphere, moving".
fn shape_and_movement(object: &crate::core::scene::Object) -> String {
    use crate::core::scene::Movement;
    let moves = match object.movement {
        Movement::Velocity => "moving",
        Movement::Kinematic => "kinematic",
        Movement::Fixed => "fixed",
        Movement::Keyframes(_) => "keyframed",
    };
    let sensor = if object.sensor { ", sensor" } else { "" };
    format!("{}, {moves}{sensor}", object.shape.kind_name())
}

/// Sets the name and the value for assistive technology and for tests.
pub fn describe(response: &Response, slot: Slot, view: &View, is_cut: bool) {
    let value = || {
        let eye = view.eye;
        format!(
            "looking at {:.3} {:.3} {:.3} from {:.3} {:.3} {:.3}, {}{}",
            view.target.x,
            view.target.y,
            view.target.z,
            eye.x,
            eye.y,
            eye.z,
            if is_cut { "cut open, " } else { "" },
            if matches!(view.projection, Projection::Orthographic { .. }) {
                "orthographic"
            } else {
                "perspective"
            }
        )
    };
    let name = match slot {
        Slot { level: 1, .. } => "Viewport of B",
        Slot { index: 1, .. } => "Second viewport",
        _ => "Viewport",
    };
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::accesskit::Role::GraphicsObject, true, name);
        info.current_text_value = Some(value());
        info
    });
}
