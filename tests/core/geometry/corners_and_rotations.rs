//! Cut corners, triangles of meshes, and rotating bodies: regressions found by the measurement of docs/accuracy.md, by hand.

use crate::common::levels::{add_frame, diagnosed, level_of, recording_of};
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::{Finding, Kind};
use hitstop::core::replay::{Body, Replay};
use hitstop::core::scene::{Movement, Object, Response, Scene};
use hitstop::core::shape::{Capsule, Facing, Mesh, Pose, Segment, Shape};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

const fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn turned(position: DVec3, angle: f64) -> Pose {
    Pose {
        position,
        rotation: DQuat::from_rotation_z(angle),
    }
}

/// Shape, and pose at the start and at the end of a single frame, of each object. The second is fixed.
fn findings(things: [(Shape, Pose, Pose); 2]) -> Vec<Finding> {
    let object = |(number, (shape, start, _)): (usize, &(Shape, Pose, Pose))| Object {
        movement: [Movement::Velocity, Movement::Fixed][number].clone(),
        ..Object::new(number.to_string(), shape.clone(), start.position)
    };
    let objects = things.iter().enumerate().map(object).collect();
    let mut recording = recording_of(1.0, objects);
    let (from, to) = things
        .map(|(_, start, end)| (start, end))
        .into_iter()
        .unzip();
    for poses in [from, to] as [Vec<Pose>; 2] {
        let bodies = (0..)
            .zip(poses)
            .map(|(number, pose)| Body::new(number, pose));
        add_frame(&mut recording, 1.0, bodies);
    }
    let scene = Scene {
        dt: 1.0,
        frames: 1,
        response: Response::Ignore,
        ..Scene::new("by hand", Vec::new())
    };
    let replay = Replay::recorded(Arc::new(scene), Arc::new(recording));
    diagnosed(&level_of(replay)).findings.into()
}

fn kinds(things: [(Shape, Pose, Pose); 2]) -> Vec<Kind> {
    findings(things)
        .iter()
        .map(|finding| finding.kind)
        .collect()
}

fn still(shape: Shape, pose: Pose) -> (Shape, Pose, Pose) {
    (shape, pose, pose)
}

fn cube() -> Shape {
    Shape::Box {
        half_extents: DVec3::ONE,
    }
}

fn mesh(corners: &[[DVec3; 3]]) -> Shape {
    let vertices = corners.concat();
    let triangles =
        (0..corners.len() as u32).map(|index| [0, 1, 2].map(|corner| 3 * index + corner));
    let mesh = Mesh::new(vertices, triangles.collect(), Facing::Both);
    Shape::Mesh(Arc::new(mesh.expect("finite")))
}

/// Down through the top at a slant of 3 in 350, and out through the flank: 1.5 cm deep halfway, 3 cm just before the end. Two hundredths
/// of the cube's half are the limit.
#[test]
fn a_corner_is_as_deep_as_its_deepest_point() {
    // At 0.35 top and bottom hit, 2 apart; at 0.7 the flanks separate, 2 apart.
    let y = |slope: f64| move |share: f64| 2.0 - slope * (share - 0.35);
    let way = |y: &dyn Fn(f64) -> f64| {
        let pose = |share: f64| Pose::at(at(-5.0 + 10.0 * share, y(share), 0.0));
        [
            (cube(), pose(0.0), pose(1.0)),
            still(cube(), Pose::IDENTITY),
        ]
    };
    let found = findings(way(&y(0.03 / 0.35)));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, Kind::Clips);
    assert!((found[0].fraction - 0.35).abs() < 1e-9);
    // At half the slope it is 1.5 cm deep, and no finding.
    assert!(kinds(way(&y(0.015 / 0.35))).is_empty());
}

/// One ledge is grazed by a hundredth of the ball, the next of the same mesh is cut by a tenth.
#[test]
fn every_cut_corner_of_a_mesh_is_tested() {
    let ledge = |x: f64, y: f64| [at(x, y, -1.0), at(x, y, 1.0), at(x + 1.0, y, 0.0)];
    let ball = |ledges: &[[DVec3; 3]]| {
        let shape = Shape::Sphere { radius: 1.0 };
        let pose = |x: f64| Pose::at(at(x, 0.99, 0.0));
        kinds([
            (shape, pose(-2.0), pose(4.6)),
            still(mesh(ledges), Pose::IDENTITY),
        ])
    };
    assert_eq!(ball(&[ledge(0.0, 0.0), ledge(3.0, 0.09)]), [Kind::Clips]);
    assert!(ball(&[ledge(0.0, 0.0), ledge(3.0, 0.0)]).is_empty());
}

/// A long box, pierced by a fin, slides off it sideways. Its centre passes the fin's plane, but leaves through no side that faces the start.
/// The fin's own centre leaves the box through its floor, which has no meaning for the mesh that the fin belongs to.
#[test]
fn a_triangle_of_a_mesh_has_no_centre() {
    let fin = [at(0.0, 0.0, -1.0), at(0.0, 0.0, 1.0), at(0.0, 0.3, 0.0)];
    let far = fin.map(|corner| corner + at(0.0, -50.0, 0.0));
    let half_extents = at(2.0, 0.1, 0.1);
    let found = kinds([
        (
            Shape::Box { half_extents },
            Pose::at(at(-1.5, 0.0, 0.0)),
            Pose::at(at(4.0, 0.5, 0.0)),
        ),
        still(mesh(&[fin, far]), Pose::IDENTITY),
    ]);
    // It started inside, a tenth of a metre deep: that is the only finding.
    assert_eq!(found, [Kind::StartsInside]);
}

/// A ball that overlaps another slides off sideways, a metre and more from its centre. The spin of the other changes nothing.
#[test]
fn spin_does_not_change_a_ball() {
    let ball = || Shape::Sphere { radius: 1.0 };
    for angle in [0.0, 2.1, -2.1] {
        let found = kinds([
            (
                ball(),
                Pose::at(at(1.2, 0.0, 0.0)),
                Pose::at(at(0.9, 10.0, 0.0)),
            ),
            (ball(), turned(DVec3::ZERO, 0.0), turned(DVec3::ZERO, angle)),
        ]);
        assert_eq!(found, [Kind::StartsInside], "{angle}");
    }
}

/// A blade with a ball on it rotates a quarter about its own centre: in the blade's frame the ball moves from above to below.
#[test]
fn a_blade_rotating_through_a_ball_is_detected() {
    let ball = Shape::Sphere { radius: 0.1 };
    let blade = Shape::Box {
        half_extents: at(1.0, 0.02, 0.5),
    };
    // A hundredth of a metre deep: a tenth of the ball.
    let lies = Pose::at(at(0.6, 0.11, 0.0));
    let turns = |angle: f64| {
        kinds([
            still(ball.clone(), lies),
            (
                blade.clone(),
                turned(DVec3::ZERO, 0.0),
                turned(DVec3::ZERO, angle),
            ),
        ])
    };
    assert_eq!(turns(FRAC_PI_2), [Kind::StartsInside, Kind::Sinks]);
    // In the other direction the blade does not touch it.
    assert_eq!(turns(-FRAC_PI_2), [Kind::StartsInside]);
}

/// The point of contact rotates with the log, past the ball's centre; the ball stays on top.
#[test]
fn a_ball_on_a_rolling_log_does_not_sink() {
    let log = Shape::Capsule(Capsule {
        segment: Segment {
            a: DVec3::NEG_Z,
            b: DVec3::Z,
        },
        radius: 1.0,
    });
    for angle in [0.5, 1.0, 1.8, 3.0] {
        let rests = Pose::at(at(0.0, 1.3 - 0.001, 0.0));
        let found = kinds([
            still(Shape::Sphere { radius: 0.3 }, rests),
            (
                log.clone(),
                turned(DVec3::ZERO, 0.0),
                turned(DVec3::ZERO, angle),
            ),
        ]);
        assert!(found.is_empty(), "{angle}: {found:?}");
    }
}
