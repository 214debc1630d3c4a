//! Walk mode: the viewport shows the view of the level's camera, which keys and mouse move. A focused text field keeps its keys.

use super::Viewport;
use super::orbit::Orbit;
use crate::app::command::Command;
use crate::app::command::arguments::WalkInput;
use crate::app::keys::Keys;
use crate::core::shape::Pose;
use egui::viewport::CursorGrab;
use egui::{Key, Response, Ui, ViewportCommand};
use glam::DVec3;

/// Rotation per point of mouse movement, radians.
const ROTATION: f64 = 0.0022;
/// Distance from the centre at which the hidden pointer is moved back to it, points.
const MAX_OFFSET: f32 = 80.0;

/// How the pointer is kept in the window: macOS can only lock it, X11 only confine it.
const GRAB: CursorGrab = if cfg!(target_os = "macos") {
    CursorGrab::Locked
} else {
    CursorGrab::Confined
};

/// Handles one pass in walk mode: sets the view to the camera's, and adds the command that moves it.
pub fn steer(
    viewport: &mut Viewport,
    ui: &Ui,
    (response, pose): (&Response, &Pose),
    commands: &mut Vec<Command>,
) {
    let ctx = ui.ctx();
    if viewport.before_walk.is_none() {
        viewport.before_walk = Some(viewport.goal());
        viewport.animation = None;
        ctx.send_viewport_cmd(ViewportCommand::CursorGrab(GRAB));
        ctx.send_viewport_cmd(ViewportCommand::CursorVisible(false));
        // A focused button would take the keys.
        ctx.memory_mut(|memory| {
            if let Some(focused) = memory.focused() {
                memory.surrender_focus(focused);
            }
        });
    }
    viewport.orbit = Orbit::from_camera(pose);
    let center = response.rect.center();
    let off_center = |at: egui::Pos2| at.distance(center) > MAX_OFFSET;
    if ui
        .input(|input| input.pointer.latest_pos())
        .is_some_and(off_center)
    {
        ctx.send_viewport_cmd(ViewportCommand::CursorPosition(center));
    }
    // A window without focus releases the pointer.
    if ui.input(|input| !input.focused) {
        commands.push(Command::SelectNothing);
    }
    let typing = ctx.egui_wants_keyboard_input();
    let held = Keys::held(ctx);
    let walk_input = ui.input(|input| {
        let axis = |ahead: Key, back: Key| {
            let down = |key| !typing && !input.modifiers.command && held.contains(&key);
            f64::from(i8::from(down(ahead)) - i8::from(down(back)))
        };
        let moved = input.pointer.motion().unwrap_or_default();
        WalkInput {
            direction: DVec3::new(
                axis(Key::D, Key::A),
                axis(Key::E, Key::Q),
                -axis(Key::W, Key::S),
            ),
            turn: [
                -f64::from(moved.x) * ROTATION,
                -f64::from(moved.y) * ROTATION,
            ],
            seconds: f64::from(input.stable_dt.min(0.1)),
            fast: input.modifiers.shift,
        }
    });
    commands.push(Command::WalkInput(walk_input));
    // Held keys send no events.
    ctx.request_repaint();
}

/// Restores the view and the pointer after the last pass in walk mode.
pub fn end_walk(viewport: &mut Viewport, ui: &Ui) {
    if let Some(before) = viewport.before_walk.take() {
        let ctx = ui.ctx();
        ctx.send_viewport_cmd(ViewportCommand::CursorGrab(CursorGrab::None));
        ctx.send_viewport_cmd(ViewportCommand::CursorVisible(true));
        viewport.move_to(before, true);
    }
}
