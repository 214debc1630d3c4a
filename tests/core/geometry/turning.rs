//! Sweeps of shapes that turn, against samples of their gap and by hand.

use crate::common::random::Random;
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::query::gap;
use hitstop::core::query::turning::{Turning, TurningHit, sweep_turning};
use hitstop::core::shape::{
    Capsule, Compound, CompoundPart, Cylinder, Facing, Motion, Plane, Pose, Segment, Shape,
    SolidShape, Triangle,
};
use std::sync::Arc;

/// From one place to another, turned by a rotation vector on the way.
fn turning([from, to]: [DVec3; 2], rotation: DQuat, turn: DVec3) -> Turning {
    let motion = Motion {
        start: Pose {
            position: from,
            rotation,
        },
        end: Pose {
            position: to,
            rotation: DQuat::from_scaled_axis(turn) * rotation,
        },
    };
    Turning::with_turn(&motion, turn)
}

fn still(position: DVec3) -> Turning {
    Turning::of(&Motion::still(Pose::at(position)))
}

fn capsule(a: DVec3, b: DVec3, radius: f64) -> Shape {
    let segment = Segment { a, b };
    Shape::Capsule(Capsule { segment, radius })
}

/// An arm of 2 m and 0.1 m radius swings over a floor, straight down at a quarter of its way: it is lowest there, and its lower end is at 2 cos of what is
/// left of the turn, and the radius.
#[test]
fn the_end_of_an_arm_dips_into_a_floor() {
    let arm = capsule(DVec3::ZERO, DVec3::NEG_Y * 2.0, 0.1);
    let floors = [
        Shape::Plane(Plane {
            normal: DVec3::Y,
            offset: 0.0,
        }),
        Shape::Triangle(Triangle {
            a: DVec3::new(-9.0, 0.0, -9.0),
            b: DVec3::new(0.0, 0.0, 18.0),
            c: DVec3::new(9.0, 0.0, -9.0),
            facing: Facing::Both,
        }),
        Shape::Box {
            half_extents: DVec3::new(9.0, 0.0, 9.0),
        },
    ];
    for floor in &floors {
        for turn in [-2.5, -1.5, 1.0, 2.0, 3.0] {
            for height in [2.099, 2.09, 2.07] {
                let start = DQuat::from_rotation_z(-0.25 * turn);
                let swings = turning([DVec3::Y * height; 2], start, DVec3::Z * turn);
                let at = still(DVec3::ZERO);
                let found = sweep_turning(&arm, &swings, floor, &at, 0.0, &mut ());
                let half = ((height - 0.1) / 2.0).acos() / turn.abs();
                let case = format!("{floor:?} {turn} {height}: {found:?}");
                let found = found.unwrap_or_else(|| panic!("{case}"));
                assert!((found.fraction - (0.25 - half)).abs() < 1e-9, "{case}");
                let exit = found.exit.unwrap_or_else(|| panic!("{case}"));
                assert!((exit - (0.25 + half)).abs() < 1e-9, "{case}");
            }
            let start = DQuat::from_rotation_z(-0.25 * turn);
            let swings = turning([DVec3::Y * 2.101; 2], start, DVec3::Z * turn);
            let found = sweep_turning(&arm, &swings, floor, &still(DVec3::ZERO), 0.0, &mut ());
            assert_eq!(found, None, "{floor:?} {turn}");
        }
    }
}

/// A ball at the end of an arm of 2 m turns by 3 radians past a row of posts, 0.25 apart from 0.5 on. They touch while their centres, on one circle,
/// are within 0.2 m: 2 asin(0.2 / 4) before and after each post. The exit is that of the first.
#[test]
fn a_ball_on_an_arm_leaves_the_first_of_a_row_of_posts() {
    let ball = |angle: f64| CompoundPart {
        shape: Shape::Sphere { radius: 0.1 },
        pose: Pose::at(DQuat::from_rotation_y(angle) * DVec3::X * 2.0),
    };
    let compound = |parts| Shape::Compound(Arc::new(Compound::new(parts).unwrap()));
    let arm = compound(vec![ball(0.0)]);
    let posts = (0..10).map(|k| ball(0.5 + 0.25 * f64::from(k)));
    let posts = compound(posts.collect());
    let turn = 3.0;
    let turns = turning([DVec3::ZERO; 2], DQuat::IDENTITY, DVec3::Y * turn);
    let half = 2.0 * 0.05_f64.asin();
    for depth in [0.0, 0.05, 0.19] {
        let hit = sweep_turning(&arm, &turns, &posts, &still(DVec3::ZERO), depth, &mut ());
        let hit = hit.unwrap();
        assert!(
            (hit.fraction - (0.5 - half) / turn).abs() < 1e-12,
            "{hit:?}"
        );
        let exit = hit.exit.unwrap();
        assert!((exit - (0.5 + half) / turn).abs() < 1e-12, "{hit:?}");
    }
}

fn shape(random: &mut Random) -> Shape {
    let end = random.point(1.5);
    match random.below(5) {
        0 => Shape::Sphere {
            radius: random.range(0.02, 0.3),
        },
        1 => Shape::Box {
            half_extents: DVec3::new(
                random.range(0.02, 0.1),
                random.range(0.02, 0.3),
                random.range(0.5, 1.5),
            ),
        },
        2 => capsule(DVec3::ZERO, end, random.range(0.02, 0.2)),
        3 => Shape::Solid(SolidShape::Cylinder(Cylinder {
            half_height: random.range(0.02, 1.0),
            radius: random.range(0.05, 0.3),
        })),
        _ => Shape::Triangle(Triangle {
            a: end,
            b: random.point(1.5),
            c: random.point(1.5),
            facing: Facing::Both,
        }),
    }
}

/// Every 500th of the motion: no sample before the touch overlaps, nor any without a touch, and all do from there to the exit. Both travel, often with
/// opposite displacements, and one or both turn.
#[test]
fn a_turning_sweep_agrees_with_samples_of_the_gap() {
    const SAMPLES: u32 = 500;
    const ROUNDING: f64 = 1e-8;
    let (mut hits, mut exits) = (0, 0);
    let count = rounds(3000);
    for seed in 0..count {
        let random = &mut Random(seed);
        let (a, b) = (shape(random), shape(random));
        let (between, displacement) = (random.point(1.0), random.point(2.0));
        let other = match random.below(3) {
            0 => -displacement,
            1 => DVec3::ZERO,
            _ => random.point(2.0),
        };
        let mut part = |from: DVec3, displacement: DVec3, turns: bool| {
            let turn = random.direction() * random.range(0.1, 3.0);
            let turn = if turns { turn } else { DVec3::ZERO };
            let start = random.rotation();
            turning([from, from + displacement], start, turn)
        };
        let one = part(between - displacement, displacement, true);
        let two = part(-other, other, seed % 2 == 0);
        let gap_at = |fraction: f64| {
            let (pose_a, pose_b) = (one.pose(fraction), two.pose(fraction));
            gap(&a.placed(&pose_a), &b.placed(&pose_b))
                .unwrap()
                .distance
        };
        if gap_at(0.0) <= 0.0 {
            continue;
        }
        let found = sweep_turning(&a, &one, &b, &two, 0.0, &mut ());
        let (touch, exit) = match found {
            Some(TurningHit { fraction, exit, .. }) => (fraction, exit.unwrap_or(1.0)),
            None => (1.0, 1.0),
        };
        for sample in 0..=SAMPLES {
            let at = f64::from(sample) / f64::from(SAMPLES);
            let distance = gap_at(at);
            let case = || format!("seed {seed}, {distance} at {at}: {found:?}");
            assert!(at > touch || distance > -ROUNDING, "{}", case());
            let inside = touch < at && at < exit;
            assert!(!inside || distance < ROUNDING, "{}", case());
        }
        if let Some(hit) = found {
            hits += 1;
            assert!(
                gap_at(hit.fraction).abs() < ROUNDING,
                "seed {seed}: {hit:?}"
            );
            if let Some(exit) = hit.exit {
                exits += 1;
                assert!(gap_at(exit).abs() < ROUNDING, "seed {seed}: {hit:?}");
            }
        }
    }
    assert!(hits > count / 10 && exits > count / 20, "{hits} {exits}");
}

/// About an axis through its origin no point of a box of 3, 4 and 12 is farther off than a corner, whether it is one box or two halves; a ball beside the
/// axis is as far as its centre and its radius.
#[test]
fn the_reach_about_an_axis_is_that_of_the_farthest_point() {
    let half = |x: f64| CompoundPart {
        shape: Shape::Box {
            half_extents: DVec3::new(1.5, 4.0, 12.0),
        },
        pose: Pose::at(DVec3::X * x),
    };
    let compound = |parts| Shape::Compound(Arc::new(Compound::new(parts).unwrap()));
    let whole = Shape::Box {
        half_extents: DVec3::new(3.0, 4.0, 12.0),
    };
    for shape in [whole, compound(vec![half(-1.5), half(1.5)])] {
        for (axis, reach) in [
            (DVec3::X, 4.0_f64.hypot(12.0)),
            (DVec3::Y * 2.0, 3.0_f64.hypot(12.0)),
            (DVec3::NEG_Z, 5.0),
        ] {
            let found = shape.reach_about(axis).unwrap();
            assert!((found - reach).abs() < 1e-12, "{shape:?} {axis}: {found}");
        }
    }
    let ball = CompoundPart {
        shape: Shape::Sphere { radius: 0.5 },
        pose: Pose::at(DVec3::new(3.0, 4.0, 12.0)),
    };
    let found = compound(vec![ball]).reach_about(DVec3::Z).unwrap();
    assert!((found - 5.5).abs() < 1e-12, "{found}");
}
