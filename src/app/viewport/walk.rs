//! Walking: the picture is what the camera sees, keys and mouse become strides. A text field keeps its keys.

use super::Viewport;
use super::orbit::Orbit;
use crate::app::command::Command;
use crate::app::command::arguments::WalkInput;
use crate::core::shape::Pose;
use egui::viewport::CursorGrab;
use egui::{Key, Response, Ui, ViewportCommand};
use glam::DVec3;

/// Radians for a point of mouse movement.
const TURN: f64 = 0.0022;
/// The hidden pointer is brought back to the middle from so far, points.
const STRAY: f32 = 80.0;

/// Where the pointer is kept while somebody walks: macOS can only lock it, X11 only confine it.
const GRAB: CursorGrab = if cfg!(target_os = "macos") {
    CursorGrab::Locked
} else {
    CursorGrab::Confined
};

/// One pass of a walk, seen from its camera.
pub fn steer(
    viewport: &mut Viewport,
    ui: &Ui,
    (response, pose): (&Response, &Pose),
    commands: &mut Vec<Command>,
) {
    let ctx = ui.ctx();
    if viewport.before_walk.is_none() {
        viewport.before_walk = Some(viewport.goal());
        viewport.glide = None;
        ctx.send_viewport_cmd(ViewportCommand::CursorGrab(GRAB));
        ctx.send_viewport_cmd(ViewportCommand::CursorVisible(false));
        // No button keeps the keys.
        ctx.memory_mut(|memory| {
            if let Some(focused) = memory.focused() {
                memory.surrender_focus(focused);
            }
        });
    }
    viewport.orbit = Orbit::through(pose);
    let middle = response.rect.center();
    let away = |at: egui::Pos2| at.distance(middle) > STRAY;
    if ui
        .input(|input| input.pointer.latest_pos())
        .is_some_and(away)
    {
        ctx.send_viewport_cmd(ViewportCommand::CursorPosition(middle));
    }
    // A window that lost its keys hands the pointer back.
    if ui.input(|input| !input.focused) {
        commands.push(Command::SelectNothing);
    }
    let typing = ctx.egui_wants_keyboard_input();
    let stride = ui.input(|input| {
        let axis = |ahead: Key, back: Key| {
            let down = |key| !typing && !input.modifiers.command && input.key_down(key);
            f64::from(i8::from(down(ahead)) - i8::from(down(back)))
        };
        let moved = input.pointer.motion().unwrap_or_default();
        WalkInput {
            direction: DVec3::new(
                axis(Key::D, Key::A),
                axis(Key::E, Key::Q),
                -axis(Key::W, Key::S),
            ),
            turn: [-f64::from(moved.x) * TURN, -f64::from(moved.y) * TURN],
            seconds: f64::from(input.stable_dt.min(0.1)),
            fast: input.modifiers.shift,
        }
    });
    commands.push(Command::WalkInput(stride));
    // Held keys make no events of their own.
    ctx.request_repaint();
}

/// After the last pass of a walk: the view before it, and the pointer.
pub fn leave(viewport: &mut Viewport, ui: &Ui) {
    if let Some(before) = viewport.before_walk.take() {
        let ctx = ui.ctx();
        ctx.send_viewport_cmd(ViewportCommand::CursorGrab(CursorGrab::None));
        ctx.send_viewport_cmd(ViewportCommand::CursorVisible(true));
        viewport.go(before, true);
    }
}
