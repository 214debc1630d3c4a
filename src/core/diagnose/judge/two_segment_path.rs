//! Recheck of a logged event on a path of two straight segments.
//!
//! A log has poses at frame ends, and the path between them is assumed straight. For a body that was hit inside the
//! frame it is not: the logged velocities give the corner, forward from the start with the old one and backward from
//! the end with the new one. An event that this path does not confirm is not reported.

use super::compound_parts;
use super::event::{JudgeStats, PairEvent};
use super::overlap_depth;
use super::pair::{Pair, Side};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::swing;
use crate::core::query::closest_point::closest_point_on_segment;
use crate::core::replay::{BodyState, Frame, FrameState, ObjectId};
use crate::core::shape::{Motion, Pose, Segment};
use glam::DVec3;

/// How far apart the way forward from a frame's start and the way back from its end may be at the corner, as a share of the
/// change of the step there (no unit).
///
/// Gravity and drag inside the frame, and logs whose velocities are half a step off, leave some of it. Larger, and velocities
/// that do not explain the travel bend it all the same; smaller, and honest bounces count as crossings.
const BEND_MISFIT: f64 = 0.25;

/// How far a path with one corner leaves its chord at most, as a share of the change of the step at the corner (no unit).
///
/// Exact: with the corner at the share t it is t (1 - t) of the change. Smaller, and bends that matter are taken for straight.
const BEND_REACH: f64 = 0.25;

/// A path of two straight pieces.
struct PathCorner {
    /// Fraction of the frame at the corner.
    at: f64,
    corner: DVec3,
}

/// Whether the path of the logged velocities holds such an event too. True where it has no corner.
pub fn confirms<'r>(frame: &Frame, pair: &Pair<'r>, event: &PairEvent) -> bool {
    if event.kind == Kind::BadNumber {
        return true;
    }
    let slop = pair.slop;
    let corner = |side: &Side<'_>| corner(frame, side.id, &side.motion, slop);
    let corners = [corner(&pair.mover), corner(&pair.obstacle)];
    if corners.iter().all(Option::is_none) {
        return true;
    }
    let mut times = vec![0.0, 1.0];
    times.extend(corners.iter().flatten().map(|corner| corner.at));
    times.sort_by(f64::total_cmp);
    let part = |span: &[f64]| {
        let on = |side: &Side<'r>, corner: &Option<PathCorner>| {
            let motion = Motion {
                start: along(&side.motion, corner, span[0]),
                end: along(&side.motion, corner, span[1]),
            };
            side.on(motion, span[1] - span[0])
        };
        Pair {
            mover: on(&pair.mover, &corners[0]),
            obstacle: on(&pair.obstacle, &corners[1]),
            ..*pair
        }
    };
    let parts = || times.windows(2).map(part);
    // A corner inside the other splits one crossing into two collisions, neither of which need be an event. At a bounce the path is
    // deepest at the corner, and only touches there.
    let depth_at = |part: Pair<'_>| part.contact_at_end().map(|contact| contact.depth);
    let before = parts().take(times.len() - 2);
    let deepest = before.filter_map(depth_at).reduce(f64::max);
    let is_inside = deepest.is_some_and(|depth| {
        depth > slop || parts().any(|part| overlap_depth::exceeds(&part, (0.0, 1.0), slop))
    });
    is_inside
        || parts().any(|part| {
            compound_parts::judge(&part, &mut JudgeStats::default())
                .is_some_and(|event| event.kind != Kind::BadNumber)
        })
}

fn along(motion: &Motion, corner: &Option<PathCorner>, share: f64) -> Pose {
    let straight = motion.pose(share);
    let Some(corner) = corner else {
        return straight;
    };
    let position = if share <= corner.at {
        motion.start.position.lerp(corner.corner, share / corner.at)
    } else {
        corner
            .corner
            .lerp(motion.end.position, (share - corner.at) / (1.0 - corner.at))
    };
    Pose {
        position,
        ..straight
    }
}

/// The corner of a body's path; `None` when the path is nearly straight, or the velocities do not explain the travel.
fn corner(frame: &Frame, id: ObjectId, motion: &Motion, slop: f64) -> Option<PathCorner> {
    let step = |state: &FrameState| Some(state.body(id)?.velocity? * frame.dt);
    let (before, after) = (step(&frame.start)?, step(&frame.end)?);
    let turn = after - before;
    // A path with one corner leaves its chord by at most a quarter of the turn.
    if !turn.is_finite() || BEND_REACH * turn.length() <= slop {
        return None;
    }
    let (start, end) = (motion.start.position, motion.end.position);
    // start + before * at = end - after * (1 - at), in the least squares.
    let at = (start + after - end).dot(turn) / turn.length_squared();
    // Engines that move a body by its new velocity leave the corner at the start.
    if !(at > 0.0 && at < 1.0) || at * (1.0 - at) * turn.length() <= slop {
        return None;
    }
    let (forward, backward) = (start + before * at, end - after * (1.0 - at));
    let explained = forward.distance(backward) <= BEND_MISFIT * turn.length();
    explained.then(|| PathCorner {
        at,
        corner: forward.midpoint(backward),
    })
}

/// How far the paths of a pair may bend from the assumed ones by the change of their logged velocities and spins, metres: as far as the corner that
/// explains the travel, else most with a kink half-way.
pub fn bend(frame: &Frame, pair: &Pair<'_>) -> f64 {
    let change = |id: ObjectId, of: fn(&BodyState) -> Option<DVec3>| {
        let change = of(frame.end.body(id)?)? - of(frame.start.body(id)?)?;
        Some(change).filter(|change| change.is_finite())
    };
    let bend = |side: &Side<'_>| {
        let (id, motion) = (side.id, &side.motion);
        let spin = change(id, |body| body.spin);
        let turn = spin.and_then(|spin| swing(side.shape, &motion.start, spin));
        let turn = turn.unwrap_or(0.0);
        let travel = change(id, |body| body.velocity).map_or(0.0, DVec3::length);
        let straight =
            by_one_velocity(frame, id, motion, pair.slop) || !by_both_velocities(frame, id, motion);
        let travel = if straight { 0.0 } else { travel };
        BEND_REACH * frame.dt * (travel + turn)
    };
    bend(&pair.mover) + bend(&pair.obstacle)
}

/// Whether a body travels as one of its two velocities says, to within the slop.
fn by_one_velocity(frame: &Frame, id: ObjectId, motion: &Motion, slop: f64) -> bool {
    let velocities = [&frame.start, &frame.end].map(|state| state.body(id)?.velocity);
    velocities
        .into_iter()
        .flatten()
        .any(|velocity| (velocity * frame.dt).distance(motion.displacement()) <= slop)
}

/// Whether a body travels as its first velocity for a part of the frame and its second for the rest; velocities of another point of the body
/// say nothing of its path.
fn by_both_velocities(frame: &Frame, id: ObjectId, motion: &Motion) -> bool {
    let step = |state: &FrameState| Some(state.body(id)?.velocity? * frame.dt);
    let steps = step(&frame.start).zip(step(&frame.end));
    steps.is_some_and(|(before, after)| {
        let between = Segment {
            a: before,
            b: after,
        };
        let travel = motion.displacement();
        let nearest = closest_point_on_segment(travel, &between).0;
        nearest.distance(travel) <= BEND_MISFIT * before.distance(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::replay::{BodyState, FrameMotion, StartBoxes};
    use std::sync::Arc;

    fn state(position: DVec3, velocity: DVec3) -> Arc<FrameState> {
        let body = BodyState {
            pose: Pose::at(position),
            velocity: Some(velocity),
            spin: None,
            asleep: false,
            teleported: false,
        };
        Arc::new([(0, body)].into_iter().collect())
    }

    /// A ball flies straight; the other falls 2 m and comes back in the same second: 8 m/s of change, a quarter of which it leaves its chord.
    #[test]
    fn the_path_of_the_one_that_bounces_is_bent() {
        use crate::core::replay::Replay;
        use crate::core::scene::{Object, Scene};
        use crate::core::shape::Shape;
        let ball = |x: f64| Object::new("ball", Shape::Sphere { radius: 0.5 }, DVec3::X * x);
        let replay = Replay::stepped(Scene::new("test", vec![ball(0.0), ball(9.0)]).into());
        let body = |x: f64, velocity: DVec3| BodyState {
            pose: Pose::at(DVec3::X * x),
            velocity: Some(velocity),
            spin: None,
            asleep: false,
            teleported: false,
        };
        let state = |x: f64, speed: f64| {
            let bodies = [(0, body(x, DVec3::X)), (1, body(9.0, DVec3::Y * speed))];
            Arc::new(bodies.into_iter().collect::<FrameState>())
        };
        let frame = Frame {
            start: state(0.0, -4.0),
            end: state(1.0, 4.0),
            ..still_frame()
        };
        let on = |from: f64, to: f64| Motion {
            start: Pose::at(DVec3::X * from),
            end: Pose::at(DVec3::X * to),
        };
        let interval = (0.0, 1.0, on(0.0, 1.0), on(9.0, 9.0));
        let pair = Pair::new(&replay, (0, 1), interval).unwrap();
        assert_eq!(pair.mover.id, 0);
        assert_eq!(bend(&frame, &pair), 2.0);
    }

    fn still_frame() -> Frame {
        Frame {
            number: 0,
            dt: 1.0,
            start: Arc::default(),
            end: Arc::default(),
            motion: FrameMotion::Segments(Vec::new()),
            phases: Vec::new(),
            camera: None,
            gave_up: false,
            start_boxes: StartBoxes::default(),
        }
    }

    fn bend_of(start: (DVec3, DVec3), end: (DVec3, DVec3)) -> Option<PathCorner> {
        let frame = Frame {
            start: state(start.0, start.1),
            end: state(end.0, end.1),
            ..still_frame()
        };
        let motion = Motion {
            start: Pose::at(start.0),
            end: Pose::at(end.0),
        };
        corner(&frame, 0, &motion, 0.01)
    }

    /// Down 1 m at 4 m/s, then up 1.5 m at 2 m/s: the corner is after a quarter of the second.
    #[test]
    fn a_bounce_has_its_corner_where_it_happened() {
        let start = (DVec3::Y, DVec3::new(2.0, -4.0, 0.0));
        let end = (DVec3::new(2.0, 1.5, 0.0), DVec3::new(2.0, 2.0, 0.0));
        let found = bend_of(start, end).unwrap();
        assert!((found.at - 0.25).abs() < 1e-12);
        assert!(found.corner.distance(DVec3::new(0.5, 0.0, 0.0)) < 1e-12);
    }

    #[test]
    fn free_flight_and_unexplained_travel_are_straight() {
        let v = DVec3::new(100.0, 0.0, 0.0);
        assert!(bend_of((DVec3::ZERO, v), (v, v)).is_none());
        let fall = DVec3::new(0.0, -0.02, 0.0);
        assert!(bend_of((DVec3::ZERO, v), (v, v + fall)).is_none());
        // Twice as far as either velocity: no corner explains it.
        assert!(bend_of((DVec3::ZERO, DVec3::X), (DVec3::Z * 9.0, DVec3::Y)).is_none());
    }
}
