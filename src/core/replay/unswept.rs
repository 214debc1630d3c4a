//! Impacts that the sweep of a frame cannot find: those that rotation causes, and those of the camera's path.

use super::history::candidates;
use super::{Frame, ObjectId, Replay};
use crate::core::query::turning::{Turning, sweep_turning};
use crate::core::query::{self, RayHit, SweepOutcome, Trace};
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Motion, Pose, Segment, Shape};
use crate::core::tolerance::TOUCHING;
use glam::DVec3;

/// An impact inside a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnsweptImpact {
    /// `None` is the camera.
    pub a: Option<ObjectId>,
    /// The other object.
    pub b: ObjectId,
    /// Fraction of the frame.
    pub fraction: f64,
}

/// The impacts of a frame that its sweep does not find, by fraction.
///
/// Of a pair that rotates, those where a sweep with the rotation of the start misses; of the camera, each surface that its path
/// crosses before the probe acts.
pub fn unswept_impacts(replay: &Replay, frame: &Frame) -> Vec<UnsweptImpact> {
    let mut impacts = by_rotation(replay, frame);
    impacts.extend(by_camera(replay, frame));
    impacts.sort_by(|one, other| one.fraction.total_cmp(&other.fraction));
    impacts
}

/// Returns false where a cheap test excludes such impacts.
pub fn may_have_unswept_impacts(frame: &Frame) -> bool {
    let turns = |id: ObjectId| {
        let segments = frame.segments(id);
        segments.iter().any(|segment| segment.motion.turns())
    };
    frame.camera.is_some() || candidates(frame).any(|(a, b)| turns(a) || turns(b))
}

fn by_rotation(replay: &Replay, frame: &Frame) -> Vec<UnsweptImpact> {
    let objects = replay.objects();
    let mut impacts = Vec::new();
    for (a, b) in candidates(frame) {
        let (Some(one), Some(other)) = (objects.get(a as usize), objects.get(b as usize)) else {
            continue;
        };
        let (shape_a, shape_b) = (&one.shape, &other.shape);
        for (from, to, motion_a, motion_b) in frame.straight_intervals(a, b) {
            let sweep = query::sweep(shape_a, &motion_a, shape_b, &motion_b, &mut ());
            let (start_a, start_b) = (motion_a.start, motion_b.start);
            let gap = query::gap(&shape_a.placed(&start_a), &shape_b.placed(&start_b));
            let is_apart = gap.is_some_and(|gap| gap.distance > TOUCHING);
            if !sweep.rotation_ignored || sweep.outcome != SweepOutcome::Misses || !is_apart {
                continue;
            }
            let seconds = frame.dt * (to - from);
            let turning = |id: ObjectId, shape: &Shape, motion: &Motion| {
                let spin = frame.start.body(id).and_then(|body| body.spin);
                let turn = spin.map(|spin| spin * seconds);
                turning_of(shape, motion, turn.filter(|turn| *turn != DVec3::ZERO))
            };
            let (a_turns, b_turns) = (
                turning(a, shape_a, &motion_a),
                turning(b, shape_b, &motion_b),
            );
            let hit = sweep_turning(shape_a, &a_turns, shape_b, &b_turns, TOUCHING, &mut ());
            impacts.extend(hit.map(|hit| UnsweptImpact {
                a: Some(a),
                b,
                fraction: from + hit.fraction * (to - from),
            }));
        }
    }
    impacts
}

/// A motion with its rotation, by the turn if it is known; a ball's rotation has no effect.
fn turning_of(shape: &Shape, motion: &Motion, turn: Option<DVec3>) -> Turning {
    match turn {
        _ if shape.is_ball() => Turning::of(&motion.with_rotation_held()),
        Some(turn) => Turning::with_turn(motion, turn),
        None => Turning::of(motion),
    }
}

fn by_camera(replay: &Replay, frame: &Frame) -> Vec<UnsweptImpact> {
    let Some((path, _)) = frame.camera.filter(|(path, _)| is_finite(path)) else {
        return Vec::new();
    };
    let crossings = frame.start.ids().iter().filter_map(|&id| {
        let object = &replay.objects()[id as usize];
        let carried = carrier(frame, id, object)?;
        let hit = crosses(&path, object, &carried, &mut ())?;
        Some(UnsweptImpact {
            a: None,
            b: id,
            fraction: hit.fraction,
        })
    });
    crossings.collect()
}

/// Motion of a surface over the frame; `None` for objects that the camera ignores.
pub fn carrier(frame: &Frame, id: ObjectId, object: &Object) -> Option<Motion> {
    if object.sensor || object.movement == Movement::Velocity {
        return None;
    }
    let segments = frame.segments(id);
    let carried = Motion {
        start: segments.first()?.motion.start,
        end: segments.last()?.motion.end,
    };
    is_finite(&carried).then_some(carried)
}

fn is_finite(motion: &Motion) -> bool {
    motion.start.is_finite() && motion.end.is_finite()
}

/// Where the camera's path, in the surface's frame of reference, crosses the surface.
pub fn crosses(
    path: &Motion,
    object: &Object,
    carried: &Motion,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    let segment = Segment {
        a: carried.start.point_to_local(path.start.position),
        b: carried.end.point_to_local(path.end.position),
    };
    let hit = query::ray_cast_traced(&segment, &object.shape, &Pose::IDENTITY, trace)?;
    // Half-open like every sweep: what is only reached at the end belongs to the next frame.
    (hit.fraction < 1.0).then_some(hit)
}
