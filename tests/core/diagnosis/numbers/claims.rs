//! What a log claims itself: contacts, pushes and queries.

use super::{DT, Recording, ball, check, fixed, headed, judged, recording, slab};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Finding, Kind};
use hitstop::core::replay::{LoggedContact, LoggedHit, LoggedPush, LoggedQuery, QueryKind};
use hitstop::core::shape::{Facing, Mesh, Shape};
use std::sync::Arc;

/// Roundings of an `f32` that positions may be off by, as a share of the largest coordinate.
const ROUNDING: f64 = 8.0 * f32::EPSILON as f64;

/// A ball of 0.25 m along x, and a wall of half a metre at a place; one state a place of the ball.
fn level(xs: &[f64], wall: f64) -> Recording {
    let states = xs.iter().map(|x| (DT, vec![(*x, None), (wall, None)]));
    let states: Vec<_> = states.collect();
    recording(
        vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, wall)],
        &states,
    )
}

/// The finding of a cause, with a line's contacts, pushes and queries in every state after the first.
fn claimed(
    mut level: Recording,
    contacts: &[LoggedContact],
    pushes: &[LoggedPush],
    queries: &[LoggedQuery],
    cause: Cause,
) -> Finding {
    for state in 1..level.frames.len() {
        let of = |from: usize, more: usize| from..from + more;
        level.frames[state].contacts = of(level.contacts.len(), contacts.len());
        level.frames[state].pushes = of(level.pushes.len(), pushes.len());
        level.frames[state].queries = of(level.queries.len(), queries.len());
        level.contacts.extend(contacts);
        level.pushes.extend(pushes);
        level.queries.extend(queries);
    }
    headed(&judged(level), cause)
}

fn contact(normal: DVec3, depth: f64) -> LoggedContact {
    LoggedContact {
        a: 0,
        b: 1,
        point: DVec3::ZERO,
        normal,
        depth,
    }
}

fn push(x: f64) -> LoggedPush {
    LoggedPush {
        object: 0,
        push: DVec3::new(x, 0.0, 0.0),
    }
}

/// Pushed 1.25 m along x from 0, into a wall that begins at 1.25: the ball has 1 m of room, and is 0.25 m deep after it.
#[test]
pub fn c06_a_logged_push_into_a_wall() {
    let found = claimed(
        level(&[0.0, 1.25], 1.5),
        &[],
        &[push(1.25)],
        &[],
        Cause::NEXT_WALL,
    );
    check(
        &found,
        (Kind::Phantom, Cause::NEXT_WALL, &[]),
        &[("push", 1.25), ("room", 1.0), ("depth_after", 0.25)],
        &[("max_push", 1.0, None, "m")],
    );
}

/// 1/16 m deep in two states, then behind the wall; both lines have a contact, of the ball with another wall far away.
#[test]
pub fn c09_an_overlap_that_the_log_does_not_report() {
    let mut other = slab(0.25, 90.0);
    other.name = "other".into();
    let objects = vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 0.0), other];
    let xs = [-0.4375, -0.4375, 1.5625];
    let states = xs.map(|x| (DT, vec![(x, None), (0.0, None), (90.0, None)]));
    let wrong = LoggedContact {
        b: 2,
        ..contact(DVec3::NEG_X, -1.0)
    };
    let found = claimed(recording(objects, &states), &[wrong], &[], &[], Cause::GAP);
    check(
        &found,
        (Kind::Sinks, Cause::GAP, &[Cause::LET_THROUGH]),
        &[
            ("displacement", 2.0),
            ("limit_seen", 1.0),
            ("limit_side", 0.5),
            ("missed_share", 0.5),
            ("wrong_side_share", 0.25),
            ("travel", 2.0),
            ("speed", 32.0),
            ("radius", 0.25),
            ("thickness", 0.5),
            ("dt", DT),
            ("depth", 0.0625),
            ("frames_in_contact", 2.0),
            ("unreported_depth", 0.0625),
            ("logged_contacts", 2.0),
        ],
        &[
            ("substeps", 4.0, Some(2.0), ""),
            ("max_speed", 8.0, Some(16.0), "m/s"),
            ("max_dt", 0.5 / 32.0, Some(1.0 / 32.0), "s"),
        ],
    );
}

/// 1/8, 1/4 and 1/8 m deep in the wall, having been apart; the only contact in the log is of the ball with another wall.
#[test]
pub fn c09_a_touch_that_the_log_does_not_tell() {
    let mut other = slab(0.25, 90.0);
    other.name = "other".into();
    let objects = vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 0.0), other];
    let xs = [-0.75, -0.375, -0.25, -0.375, -0.75];
    let states = xs.map(|x| (DT, vec![(x, None), (0.0, None), (90.0, None)]));
    let mut level = recording(objects, &states);
    level.contacts.push(LoggedContact {
        b: 2,
        ..contact(DVec3::NEG_X, -1.0)
    });
    level.frames[4].contacts = 0..1;
    let found = headed(&judged(level), Cause::GAP);
    assert_eq!(found.frame, 2);
    check(
        &found,
        (Kind::Phantom, Cause::GAP, &[]),
        &[("unreported_depth", 0.25), ("logged_contacts", 1.0)],
        &[],
    );
}

/// On the diagonal of a flat floor, with a normal of 3, 4, 5 off its own; 0.125 m deep.
#[test]
pub fn c10_a_logged_contact_on_an_internal_edge() {
    let at = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    let corners = vec![at(-9.0, -9.0), at(9.0, -9.0), at(9.0, 9.0), at(-9.0, 9.0)];
    let floor = Mesh::new(corners, vec![[0, 2, 1], [0, 3, 2]], Facing::Both).unwrap();
    let mut mover = ball("ball", 0.25, 0.0, 0.0);
    mover.pose.position.y = 0.125;
    let floor = fixed(Shape::Mesh(Arc::new(floor)), 0.0);
    let states = [0.0, 0.0].map(|x| (DT, vec![(x, None), (0.0, None)]));
    let mut level = recording(vec![mover, floor], &states);
    for body in level.bodies.iter_mut().filter(|body| body.object == 0) {
        body.pose.position.y = 0.125;
    }
    let tilted = contact(DVec3::new(-0.6, 0.8, 0.0), 0.125);
    let found = claimed(level, &[tilted], &[], &[], Cause::INTERNAL_EDGE);
    check(
        &found,
        (Kind::Phantom, Cause::INTERNAL_EDGE, &[]),
        &[
            ("tilt", 0.6_f64.asin()),
            ("bend", 0.0),
            ("depth", 0.125),
            ("sideways", 0.125 * 0.6),
        ],
        &[],
    );
}

/// Two halves of a floor along x = 0. From the edge to the middle of a ball of 0.25 m at (-0.06, 0.175) it is 0.185 m, tilted by
/// 12 to 35: pushed off it by 0.065 m. In the log a push has a direction, and no point.
#[test]
pub fn c10_a_logged_push_off_an_internal_edge() {
    let at = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    let corners = vec![at(0.0, 9.0), at(9.0, 0.0), at(0.0, -9.0), at(-9.0, 0.0)];
    let floor = Mesh::new(corners, vec![[0, 1, 2], [2, 3, 0]], Facing::Both).unwrap();
    let floor = fixed(Shape::Mesh(Arc::new(floor)), 0.0);
    let states = [0.0, 0.0].map(|x| (DT, vec![(x, None), (0.0, None)]));
    let mut level = recording(vec![ball("ball", 0.25, 0.0, 0.0), floor], &states);
    let (length, way) = (0.065, DVec3::new(-12.0, 35.0, 0.0) / 37.0);
    level.bodies[0].pose.position = DVec3::new(-0.06, 0.5, 0.0);
    level.bodies[2].pose.position = DVec3::new(-0.06, 0.175, 0.0) + way * length;
    let off = LoggedPush {
        object: 0,
        push: way * length,
    };
    let found = claimed(level, &[], &[off], &[], Cause::INTERNAL_EDGE);
    check(
        &found,
        (Kind::Phantom, Cause::INTERNAL_EDGE, &[]),
        &[
            ("tilt", (12.0_f64 / 35.0).atan()),
            ("bend", 0.0),
            ("depth", length),
            ("sideways", length * 12.0 / 37.0),
        ],
        &[],
    );
}

/// Half a metre before a wall at 4, with a contact that claims to be 1/8 m deep, and that stops the ball dead from 8 m/s: half a
/// metre is what its way of the next frame would have taken. 2 % of the radius is allowed, and what an f32 rounds of 4 m.
#[test]
pub fn c11_a_logged_contact() {
    let states = [(3.0, Some(4.0)), (3.0, Some(0.0)), (3.0, Some(0.0))];
    let states = states.map(|(x, speed)| (DT, vec![(x, speed), (4.0, None)]));
    let mut level = recording(
        vec![ball("ball", 0.25, 0.0, 0.0), slab(0.25, 4.0)],
        &states[..2],
    );
    level.frames[1].contacts = 0..1;
    level.contacts.push(contact(DVec3::NEG_X, 0.125));
    let found = headed(&judged(level), Cause::GHOST);
    check(
        &found,
        (Kind::Phantom, Cause::GHOST, &[]),
        &[
            ("logged_depth", 0.125),
            // 0.5 m from state to state; on with 4 m/s, a quarter of a metre less.
            ("exact_gap", 0.25),
            ("tolerance", 0.02 * 0.25 + ROUNDING * 4.0),
            ("speed_change", 4.0),
        ],
        &[("max_margin", 0.25, None, "m")],
    );
}

/// Pushed back by a metre, half a metre and more away from all there is.
#[test]
pub fn c11_a_logged_push() {
    // From 0 to -1, pushed there: from 3.5 m before the wall to 4.5.
    let found = claimed(
        level(&[0.0, -1.0], 4.0),
        &[],
        &[push(-1.0)],
        &[],
        Cause::GHOST,
    );
    check(
        &found,
        (Kind::Phantom, Cause::GHOST, &[]),
        &[("push", 1.0), ("exact_gap", 3.5)],
        &[],
    );
}

fn query(kind: QueryKind, radius: f64, hit: Option<(f64, Option<DVec3>)>) -> LoggedQuery {
    LoggedQuery {
        kind,
        object: None,
        from: DVec3::new(-4.0, 0.0, 0.0),
        to: DVec3::new(4.0, 0.0, 0.0),
        radius,
        mask: None,
        hit: hit.map(|(fraction, normal)| LoggedHit {
            object: 1,
            fraction,
            normal,
        }),
    }
}

/// A wall from -0.25 to 0.25, asked from -4 to 4. The ball of the level is out of the way.
fn asked(query: LoggedQuery) -> Finding {
    let mut level = level(&[0.0, 0.0], 0.0);
    for body in level.bodies.iter_mut().filter(|body| body.object == 0) {
        body.pose.position.y = 90.0;
    }
    claimed(level, &[], &[], &[query], Cause::OWN_QUERY)
}

/// A ball of 0.25 m meets the wall after 3.5 of 8 m. It may be off by 5 mm, and by what an f32 rounds of 4 m.
#[test]
pub fn c22_a_query_that_hits_and_one_that_misses() {
    let tolerance = 0.005 + ROUNDING * 4.0;
    check(
        &asked(query(QueryKind::Sweep, 0.25, None)),
        (Kind::Phantom, Cause::OWN_QUERY, &[]),
        &[
            ("exact_fraction", 3.5 / 8.0),
            ("tolerance_fraction", tolerance / 8.0),
            ("query_length", 8.0),
        ],
        &[],
    );
    // Past the wall's side, which is 50 m away: from 50.75 on 0.5 m are clear of a ball of 0.25 m.
    let mut aside = query(QueryKind::Sweep, 0.25, Some((0.5, None)));
    (aside.from.z, aside.to.z) = (50.75, 50.75);
    check(
        &asked(aside),
        (Kind::Phantom, Cause::OWN_QUERY, &[]),
        &[
            ("logged_fraction", 0.5),
            ("exact_gap", 0.5),
            ("tolerance", 0.005 + ROUNDING * 50.75),
            ("query_length", 8.0),
        ],
        &[],
    );
}

/// 1 m too late; in the right place with a normal of 3, 4, 5.
#[test]
pub fn c22_another_fraction_and_another_normal() {
    let found = asked(query(QueryKind::Ray, 0.0, Some((4.75 / 8.0, None))));
    check(
        &found,
        (Kind::Phantom, Cause::OWN_QUERY, &[]),
        &[
            ("logged_fraction", 4.75 / 8.0),
            ("exact_fraction", 3.75 / 8.0),
            ("off_by", 1.0),
            ("tolerance_fraction", (0.005 + ROUNDING * 4.0) / 8.0),
            ("query_length", 8.0),
        ],
        &[],
    );
    let tilted = DVec3::new(-0.8, 0.6, 0.0);
    let found = asked(query(QueryKind::Ray, 0.0, Some((3.75 / 8.0, Some(tilted)))));
    check(
        &found,
        (Kind::Phantom, Cause::OWN_QUERY, &[]),
        &[
            ("exact_fraction", 3.75 / 8.0),
            ("normal_angle_degrees", 0.6_f64.asin().to_degrees()),
            ("query_length", 8.0),
        ],
        &[],
    );
}

/// In touch with the wall, whose normal is -x; the log's is 3, 4, 5 off it.
#[test]
pub fn c22_a_contact_with_another_normal() {
    let tilted = contact(DVec3::new(-0.8, 0.6, 0.0), 0.0);
    let found = claimed(
        level(&[-0.5, -0.5], 0.0),
        &[tilted],
        &[],
        &[],
        Cause::OWN_QUERY,
    );
    check(
        &found,
        (Kind::Phantom, Cause::OWN_QUERY, &[]),
        &[
            ("normal_angle_degrees", 0.6_f64.asin().to_degrees()),
            ("logged_depth", 0.0),
        ],
        &[],
    );
}

/// 1/8 m deep in the wall, and pushed 2 m along it: that takes nothing off the depth.
#[test]
pub fn c22_a_push_that_is_too_long() {
    let mut level = level(&[-0.375, -0.375], 0.0);
    level.bodies[2].pose.position.y = 2.0;
    let along = LoggedPush {
        object: 0,
        push: DVec3::new(0.0, 2.0, 0.0),
    };
    let found = claimed(level, &[], &[along], &[], Cause::OWN_QUERY);
    check(
        &found,
        (Kind::Phantom, Cause::OWN_QUERY, &[]),
        &[("push", 2.0), ("exact_gap", 0.0), ("exact_depth", 0.125)],
        &[],
    );
}
