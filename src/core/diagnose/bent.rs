//! A log gives poses at frame ends; the way between is assumed straight. Where a body was struck inside the frame it was
//! not, and the logged velocities tell the corner: forward from the start with the old one, backward from the end with the new.
//! What such a path does not show when it is judged piece by piece is not proven, and is not reported.

use super::finding::Kind;
use super::pair::{self, Event, Pair, Tally};
use crate::core::query;
use crate::core::replay::{Frame, FrameState, ObjectId};
use crate::core::shape::{Motion, Pose};
use crate::core::tolerance::{BEND_MISFIT, BEND_REACH};
use glam::DVec3;

/// A path of two straight pieces.
struct Bend {
    /// Share of the frame at the corner.
    at: f64,
    corner: DVec3,
}

/// Does the path that the velocities tell, piece by piece, hold such an event too? True where they tell nothing else.
pub(super) fn confirms(frame: &Frame, pair: &Pair<'_>, event: &Event) -> bool {
    if event.kind == Kind::BadNumber {
        return true;
    }
    let slop = pair.slop();
    let bend_a = bend(frame, pair.a, &pair.motion_a, slop);
    let bend_b = bend(frame, pair.b, &pair.motion_b, slop);
    if bend_a.is_none() && bend_b.is_none() {
        return true;
    }
    let mut times = vec![0.0, 1.0];
    times.extend(bend_a.as_ref().map(|bend| bend.at));
    times.extend(bend_b.as_ref().map(|bend| bend.at));
    times.sort_by(f64::total_cmp);
    // A corner inside the other splits one passage into two collisions, of which neither need be an event.
    let overlaps_at = |share: f64| {
        let a = along(&pair.motion_a, &bend_a, share);
        let b = along(&pair.motion_b, &bend_b, share);
        query::contact(&pair.shape_a.placed(&a), &pair.shape_b.placed(&b), &mut ())
            .is_some_and(|contact| contact.depth > slop)
    };
    let corners = &times[1..times.len() - 1];
    if corners.iter().any(|&corner| overlaps_at(corner)) {
        return true;
    }
    times.windows(2).any(|span| {
        let piece = |motion: &Motion, bend: &Option<Bend>| Motion {
            start: along(motion, bend, span[0]),
            end: along(motion, bend, span[1]),
        };
        let piece = Pair {
            motion_a: piece(&pair.motion_a, &bend_a),
            motion_b: piece(&pair.motion_b, &bend_b),
            turn_a: pair.turn_a * (span[1] - span[0]),
            turn_b: pair.turn_b * (span[1] - span[0]),
            ..*pair
        };
        pair::judge(&piece, &mut Tally::default())
            .is_some_and(|event| event.kind != Kind::BadNumber)
    })
}

fn along(motion: &Motion, bend: &Option<Bend>, share: f64) -> Pose {
    let straight = motion.pose(share);
    let Some(bend) = bend else {
        return straight;
    };
    let position = if share <= bend.at {
        motion.start.position.lerp(bend.corner, share / bend.at)
    } else {
        bend.corner
            .lerp(motion.end.position, (share - bend.at) / (1.0 - bend.at))
    };
    Pose {
        position,
        ..straight
    }
}

/// The corner of one body's path; `None` when it is straight enough, or the velocities do not explain the travel.
fn bend(frame: &Frame, id: ObjectId, motion: &Motion, slop: f64) -> Option<Bend> {
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
    if !(at > 0.0 && at < 1.0) {
        return None;
    }
    let (forward, backward) = (start + before * at, end - after * (1.0 - at));
    let explained = forward.distance(backward) <= BEND_MISFIT * turn.length();
    explained.then(|| Bend {
        at,
        corner: forward.midpoint(backward),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::replay::BodyState;
    use std::sync::Arc;

    fn state(position: DVec3, velocity: DVec3) -> Arc<FrameState> {
        let body = BodyState {
            pose: Pose::at(position),
            velocity: Some(velocity),
            spin: None,
            asleep: false,
            teleported: false,
        };
        Arc::new(FrameState {
            bodies: vec![Some(body)],
        })
    }

    fn bend_of(start: (DVec3, DVec3), end: (DVec3, DVec3)) -> Option<Bend> {
        let frame = Frame {
            number: 0,
            dt: 1.0,
            start: state(start.0, start.1),
            end: state(end.0, end.1),
            legs: Vec::new(),
            phases: Vec::new(),
            camera: None,
            gave_up: false,
        };
        let motion = Motion {
            start: Pose::at(start.0),
            end: Pose::at(end.0),
        };
        bend(&frame, 0, &motion, 0.01)
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
        // Twice as far as either velocity tells: no corner explains it.
        assert!(bend_of((DVec3::ZERO, DVec3::X), (DVec3::Z * 9.0, DVec3::Y)).is_none());
    }
}
