//! The stepper of scenes, used for every frame and every seek.

pub mod camera;
mod mover;
mod narrow;
mod near;
mod overlap;
mod pending_impact;
mod plan;
mod push_out;
mod respond;
mod sweep;

pub use narrow::{OBJECTS_PER_THREAD, WHOLE_ADVANCE, whole_step};
pub use plan::{body_at, first_state, keyframe_body};

use super::{FrameState, MotionSegments, Phase};
use crate::core::scene::{Detection, Movement, Scene};

/// Frames of gravity: a bounce with restitution below 1 that closes slower than this many of them comes to rest.
///
/// One frame's fall is the closing speed of something that lies still, so without it nothing ever lies still; at 2 the
/// highest bounce given up is two frames of fall high.
const REST_FRAMES: f64 = 2.0;

/// Result of one step.
#[derive(Debug)]
pub struct Stepped {
    /// The state after it.
    pub end: FrameState,
    /// Motion segments by object; only with `detail`.
    pub segments: Vec<MotionSegments>,
    /// Phases from `Start` to the last push; only with `detail`.
    pub phases: Vec<Phase>,
    /// True when some object was stopped for too many impacts.
    pub gave_up: bool,
}

/// State `number` to state `number + 1`. `detail` adds segments and phases; the state's bits do not depend on it.
pub fn step(scene: &Scene, start: &FrameState, number: u32, detail: bool) -> Stepped {
    let travels = plan::plan(scene, start, number);
    let mut stepped = match scene.detection {
        Detection::Overlap => overlap::step(scene, &travels, detail),
        Detection::Sweep => sweep::step(scene, &travels, detail),
    };
    // Keyframed bodies show the velocity of the interval to come, like every other body before gravity acts.
    for (object, id) in scene.objects.iter().zip(0..) {
        if let (Movement::Keyframes(keyframes), Some(body)) =
            (&object.movement, stepped.end.body_mut(id))
        {
            *body = keyframe_body(keyframes, number + 1, scene.dt, object.pose);
        }
    }
    stepped
}

/// Closing speed below which a bounce that loses energy comes to rest, metres per second.
fn rest_speed(scene: &Scene) -> f64 {
    REST_FRAMES * scene.gravity.length() * scene.dt
}
