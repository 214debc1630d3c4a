//! Shapes that turn while they travel: by how much they turn, and when they meet.

use crate::common::random::Random;
use crate::common::rounds;
use glam::{DMat3, DQuat, DVec3};
use hitstop::core::query::turning::{Turning, TurningHit, sweep_turning};
use hitstop::core::shape::{Cone, Motion, Pose, Shape, SolidShape};
use std::f64::consts::{FRAC_1_SQRT_2, PI, TAU};

fn spinning(turn: f64) -> Turning {
    let motion = Motion {
        start: Pose::IDENTITY,
        end: Pose {
            position: DVec3::ZERO,
            rotation: DQuat::from_rotation_y(turn),
        },
    };
    Turning::with_turn(&motion, DVec3::Y * turn)
}

/// A blade 3 m long and 4 cm thick around its middle, and a post of radius 0.1 at 1 m, 0.5 rad ahead.
fn blade_and_post(turn: f64, ahead: f64) -> Option<TurningHit> {
    let blade = Shape::Box {
        half_extents: DVec3::new(1.5, 0.1, 0.02),
    };
    let post = Shape::Sphere { radius: 0.1 };
    let at = DQuat::from_rotation_y(ahead) * DVec3::X;
    let still = Turning::of(&Motion::still(Pose::at(at)));
    sweep_turning(&blade, &spinning(turn), &post, &still, 0.002, &mut ())
}

/// The blade's flank touches when the post's middle is 0.12 m from its middle plane: asin(0.12 / 1) before it.
#[test]
fn a_blade_meets_a_post_that_its_ends_do_not_touch() {
    let hit = blade_and_post(1.0, 0.5).unwrap();
    let half = 0.12_f64.asin();
    assert!((hit.fraction - (0.5 - half)).abs() < 1e-12, "{hit:?}");
    assert!((hit.exit.unwrap() - (0.5 + half)).abs() < 1e-12, "{hit:?}");
    let toward_blade = DQuat::from_rotation_y(0.5 - half) * DVec3::Z;
    assert!(
        hit.contact.normal.abs_diff_eq(toward_blade, 1e-6),
        "{hit:?}"
    );
}

#[test]
fn a_blade_that_stops_short_meets_nothing() {
    assert_eq!(blade_and_post(0.37, 0.5), None);
    assert!(blade_and_post(0.385, 0.5).is_some_and(|hit| hit.exit.is_none()));
}

/// Three quarters of a turn one way is a quarter the other way by the shortest arc; the spin says which.
#[test]
fn more_than_half_a_turn_is_followed() {
    let turn = 1.5 * PI;
    let hit = blade_and_post(turn, 0.5).unwrap();
    assert!(
        (hit.fraction - (0.5 - 0.12_f64.asin()) / turn).abs() < 1e-12,
        "{hit:?}"
    );
    let by_shortest = Turning::with_turn(&spinning(turn).motion, DVec3::Y * 7.0);
    assert!(
        (by_shortest.turn.y + 0.5 * PI).abs() < 1e-12,
        "{by_shortest:?}"
    );
}

/// A turn that is known to 0.015 rad still leads exactly to the end, at a constant rate: nothing moves faster than the turn says.
#[test]
fn a_turn_that_falls_short_of_the_end_is_made_exact() {
    for (turn, known) in [(0.06, 0.045), (0.019, 0.0005), (0.01, 0.0), (5.0, 4.985)] {
        let exact = Turning::with_turn(&spinning(turn).motion, DVec3::Y * known);
        assert!((exact.turn - DVec3::Y * turn).length() < 1e-13, "{exact:?}");
        let last = exact.pose(1.0 - 1e-9).rotation;
        let end = exact.motion.end.rotation;
        assert!(last.mul_vec3(DVec3::X).distance(end * DVec3::X) < 1e-8);
    }
}

/// Just above half a turn the shortest arc leads the other way round; the known turn, just below, says which way.
#[test]
fn near_half_a_turn_the_known_way_round_is_followed() {
    for over in [-0.01, -1e-7, 0.0, 1e-7, 1e-6, 0.01] {
        let turning = Turning::with_turn(&spinning(PI + over).motion, DVec3::Y * (PI - 1e-7));
        assert!((turning.turn - DVec3::Y * (PI + over)).length() < 1e-13);
        let halfway = turning.pose(0.5).rotation;
        let right = DQuat::from_rotation_y(0.5 * (PI + over));
        let off = (halfway * DVec3::X).distance(right * DVec3::X);
        assert!(off < 1e-13, "{turning:?}");
    }
}

/// After a whole turn the body is back at its start, and the shortest arc has no axis.
#[test]
fn a_whole_turn_is_followed() {
    for off in [0.0, 1e-15, 1e-3] {
        let end = DQuat::from_rotation_x(off);
        let motion = Motion {
            start: Pose::IDENTITY,
            end: Pose {
                rotation: end,
                ..Pose::IDENTITY
            },
        };
        let turning = Turning::with_turn(&motion, DVec3::Y * TAU);
        assert_eq!(turning.turn, DVec3::Y * TAU);
        let back = Turning::with_turn(&motion, DVec3::ZERO);
        assert!((back.turn - DVec3::X * off).length() < 1e-18 + 1e-13 * off);
    }
}

/// A ball that passes a still one turns as it likes: the answer is that of the exact sweep, 0.25 (1 m apart at 4 m a frame).
#[test]
fn without_a_turn_it_agrees_with_the_exact_sweep() {
    let ball = Shape::Sphere { radius: 0.5 };
    let motion = Motion {
        start: Pose::at(DVec3::new(-2.0, 0.0, 0.0)),
        end: Pose::at(DVec3::new(2.0, 0.0, 0.0)),
    };
    let still = Turning::of(&Motion::still(Pose::IDENTITY));
    let hit = sweep_turning(&ball, &Turning::of(&motion), &ball, &still, 0.01, &mut ()).unwrap();
    assert!((hit.fraction - 0.25).abs() < 1e-12, "{hit:?}");
    assert!((hit.exit.unwrap() - 0.75).abs() < 1e-12, "{hit:?}");
}

/// The rim of a cone comes down on the edge of a box. The normal is square to the edge and to the tangent of the rim there, whatever
/// rounding makes of a touch; the tangent lies in the plane of (1, -1, 0) and the edge, so that the normal is (1, 1, 0).
#[test]
fn a_rim_that_touches_an_edge_has_the_normal_of_both() {
    let block = Shape::Box {
        half_extents: DVec3::ONE,
    };
    let (radius, half_height) = (0.4, 0.3);
    let cone = Shape::Solid(SolidShape::Cone(Cone {
        radius,
        half_height,
    }));
    let normal = DVec3::new(1.0, 1.0, 0.0) * FRAC_1_SQRT_2;
    let along = DVec3::new(1.0, -1.0, 0.0) * FRAC_1_SQRT_2;
    let random = &mut Random(11);
    for round in 0..rounds(400) {
        let angle = random.range(-1.2, 1.2);
        let tangent = along * angle.cos() + DVec3::Z * angle.sin();
        let across = tangent.cross(normal);
        // From the middle of the lower rim to the touch, and along the axis.
        let outward = (across - normal) * FRAC_1_SQRT_2;
        let axis = (across + normal) * FRAC_1_SQRT_2;
        let touch = DVec3::new(1.0, 1.0, random.range(-0.8, 0.8));
        let local = Pose {
            position: touch - outward * radius + axis * half_height,
            rotation: DQuat::from_mat3(&DMat3::from_cols(tangent, axis, tangent.cross(axis))),
        };
        let world = random.pose(5.0);
        let there = world.then(&local);
        let (normal, touch) = (world.vector(normal), world.point(touch));
        let (turn, way) = (random.direction(), normal * -random.range(2.0, 4.0));
        let share = random.range(0.2, 0.8);
        let at = |fraction: f64| Pose {
            position: there.position + way * (fraction - share),
            rotation: DQuat::from_scaled_axis(turn * (fraction - share)) * there.rotation,
        };
        let motion = Motion {
            start: at(0.0),
            end: at(1.0),
        };
        let turning = Turning::with_turn(&motion, turn);
        let still = Turning::of(&Motion::still(world));
        let hit = sweep_turning(&cone, &turning, &block, &still, 1e-3, &mut ()).unwrap();
        let contact = hit.contact;
        assert!((hit.fraction - share).abs() < 1e-9, "{round}: {hit:?}");
        assert!(contact.normal.distance(normal) < 1e-5, "{round}: {hit:?}");
        assert!(contact.point.distance(touch) < 1e-5, "{round}: {hit:?}");
    }
}
