//! Solids that touch: a floor that is cut in two is judged as one, and the way out of one solid does not lead into the next.

use crate::common::findings::{close, fix, headline};
use crate::common::levels::{ball, diagnosed, fixed, fixed_box, level_of};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Kind, Report};
use hitstop::core::replay::Replay;
use hitstop::core::scene::{Movement, Object, Response, Scene};
use hitstop::core::shape::Shape;
use std::sync::Arc;

const DT: f64 = 0.0625;

fn stepped(objects: Vec<Object>) -> Report {
    let scene = Scene {
        dt: DT,
        frames: 1,
        response: Response::Ignore,
        ..Scene::new("cut", objects)
    };
    diagnosed(&level_of(Replay::stepped(Arc::new(scene))))
}

/// The same object of its own: fixed boxes that touch are one solid.
fn apart(object: Object) -> Object {
    Object {
        movement: Movement::Kinematic,
        ..object
    }
}

/// A floor of 0.2 m, of one slab or of two with a seam at x = 0. A ball of 0.1 m flies through it from 0.5 m above to 0.5 m below, 2 m along it,
/// and crosses the seam above it, in it or below it: it tunnels once, wherever the seam is. (Exactly at an edge it may be of both.)
#[test]
fn a_seam_changes_nothing_of_a_passage() {
    let slab = |name: &str, from: f64, to: f64| {
        let (half, middle) = (0.5 * (to - from), 0.5 * (to + from));
        fixed_box(name, [half, 0.1, 2.0], [middle, 0.0, 0.0])
    };
    for along in [2.0, -2.0] {
        for step in -8..=8 {
            let middle = 0.01 + 0.05 * f64::from(step);
            let from = DVec3::new(middle - 0.5 * along, 0.5, 0.0);
            let way = DVec3::new(along, -1.0, 0.0);
            let kinds = |floor: Vec<Object>| {
                let ball = ball("ball", 0.1, from, way / DT);
                let report = stepped([vec![ball], floor].concat());
                let kinds = report.findings.iter().map(|it| it.kind);
                kinds.collect::<Vec<_>>()
            };
            let (left, right) = (slab("left", -9.0, 0.0), slab("right", 0.0, 9.0));
            assert_eq!(kinds(vec![slab("floor", -9.0, 9.0)]), [Kind::Tunnels]);
            for right in [right.clone(), apart(right)] {
                // It may touch an edge beside that as well.
                let mut found = kinds(vec![left.clone(), right]);
                found.retain(|kind| *kind != Kind::Clips);
                assert_eq!(found, [Kind::Tunnels], "{along} {middle}");
            }
        }
    }
}

/// A ball of 0.25 m begins 0.15 m off the middle of a wall of 1 m, toward a face that a block covers. The shortest free way is back through the
/// middle: 0.15 + 0.5 + 0.25 m; the other sides are 2 m from the middle.
#[test]
fn a_body_that_begins_in_a_wall_leaves_it_on_the_free_side() {
    for axis in DVec3::AXES {
        for sign in [1.0, -1.0] {
            let covered = sign * axis;
            let half = DVec3::splat(2.0) - 1.5 * axis;
            let objects = vec![
                ball("ball", 0.25, 0.15 * covered, DVec3::ZERO),
                fixed_box("wall", half, DVec3::ZERO),
                apart(fixed_box("block", [2.0; 3], 2.5 * covered)),
            ];
            let report = stepped(objects);
            let found = headline(&report, Cause::InitialOverlap);
            assert_eq!((found.kind, &*found.b), (Kind::StartsInside, "wall"));
            close(fix(found, "separation"), 0.9, 1e-9);
        }
    }
}

/// A ball of 0.25 m begins half a metre from the middle of a larger one of 1 m, not along an axis: 0.75 m away from the middle it is free. Along x alone
/// it would take the root of 1.25^2 - 0.4^2, less 0.3 m.
#[test]
fn the_way_out_of_a_ball_is_away_from_its_middle() {
    let objects = vec![
        ball("ball", 0.25, [0.3, 0.4, 0.0], DVec3::ZERO),
        fixed("rock", Shape::Sphere { radius: 1.0 }, DVec3::ZERO),
    ];
    let report = stepped(objects);
    let found = headline(&report, Cause::InitialOverlap);
    close(fix(found, "separation"), 0.75, 1e-9);
}

/// A ball of 0.1 m ends 0.8 m below the top of a block and 0.15 m from its side: the shortest way out is sideways, where the next block, which is no part of
/// it, begins. Alone, or with a gap that the ball fits into, the push leads out.
#[test]
fn a_push_into_the_next_block_is_no_way_out() {
    let block = |name: &str, x: f64| fixed_box(name, [1.0, 1.0, 2.0], [x, -1.0, 0.0]);
    let falls = |others: Vec<Object>| {
        let ball = ball("ball", 0.1, [-0.15, 0.5, 0.0], DVec3::Y * (-1.3 / DT));
        let report = stepped([vec![ball, block("block", -1.0)], others].concat());
        let kinds = report.findings.iter().map(|it| (it.kind, it.b.clone()));
        kinds.collect::<Vec<_>>()
    };
    assert_eq!(falls(vec![]), []);
    assert_eq!(falls(vec![apart(block("next", 1.3))]), []);
    let next = apart(block("next", 1.0));
    assert_eq!(falls(vec![next]), [(Kind::WrongSide, "block".to_owned())]);
}
