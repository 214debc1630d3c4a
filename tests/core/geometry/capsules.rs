//! Capsules against every shape: closed forms, and spheres along the core.

use crate::common::random::Random;
use crate::common::rounds;
use crate::common::steps::traced;
use glam::DVec3;
use hitstop::core::query::{Feature, Step, SweepOutcome, closest_approach, contact, gap, sweep};
use hitstop::core::shape::{
    Capsule, Facing, Mesh, Motion, Placed, Plane, Pose, Segment, Shape, Sphere, Triangle,
};
use std::mem::discriminant;
use std::sync::Arc;

fn capsule(a: DVec3, b: DVec3, radius: f64) -> Shape {
    Shape::Capsule(Capsule {
        segment: Segment { a, b },
        radius,
    })
}

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn moving(start: DVec3, displacement: DVec3) -> Motion {
    Motion {
        start: Pose::at(start),
        end: Pose::at(start + displacement),
    }
}

fn still() -> Motion {
    Motion::still(Pose::IDENTITY)
}

fn random_triangle(random: &mut Random, facing: Facing) -> Triangle {
    Triangle {
        a: random.point(1.5),
        b: random.point(1.5),
        c: random.point(1.5),
        facing,
    }
}

fn random_mesh(random: &mut Random, facing: Facing) -> Shape {
    let vertices: Vec<DVec3> = (0..12).map(|_| random.point(1.5)).collect();
    let triangles = (0..4).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Shape::Mesh(Arc::new(Mesh::new(vertices, triangles, facing).unwrap()))
}

/// Two-sided shapes to test a capsule against, with their poses.
fn shapes(random: &mut Random) -> Vec<(Shape, Pose)> {
    let half_extents = random.point(1.2).abs();
    let radius = random.unit();
    let normal = random.point(1.0).try_normalize().unwrap_or(DVec3::Y);
    let turned = |random: &mut Random| Pose {
        position: random.point(0.5),
        rotation: random.rotation(),
    };
    vec![
        (Shape::Box { half_extents }, turned(random)),
        (
            Shape::Triangle(random_triangle(random, Facing::Both)),
            turned(random),
        ),
        (random_mesh(random, Facing::Both), turned(random)),
        (Shape::Sphere { radius }, turned(random)),
        (
            capsule(random.point(1.0), random.point(1.0), radius),
            turned(random),
        ),
        (
            Shape::Segment(Segment {
                a: random.point(1.0),
                b: random.point(1.0),
            }),
            turned(random),
        ),
        (
            Shape::Plane(Plane {
                normal,
                offset: -1.0,
            }),
            Pose::IDENTITY,
        ),
    ]
}

/// The least gap of spheres along a core; `front` leaves out centres behind a plane.
fn gap_by_spheres(
    core: &Segment,
    radius: f64,
    other: &Placed<'_>,
    front: impl Fn(DVec3) -> bool,
) -> f64 {
    const COUNT: u32 = 2000;
    (0..=COUNT)
        .map(|step| core.a.lerp(core.b, f64::from(step) / f64::from(COUNT)))
        .filter(|center| front(*center))
        .filter_map(|center| gap(&Placed::Sphere(Sphere { center, radius }), other))
        .map(|gap| gap.distance)
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn an_upright_capsule_falls_on_a_box() {
    // Lower end of the core at 2, radius 0.25, top of the box at 0.5: 1.25 to go of 2.5.
    let falling = capsule(at(0.0, 2.0, 0.0), at(0.0, 3.0, 0.0), 0.25);
    let ground = Shape::Box {
        half_extents: at(2.0, 0.5, 2.0),
    };
    let motion = moving(at(0.3, 0.0, -0.2), at(0.0, -2.5, 0.0));
    let result = sweep(&falling, &motion, &ground, &still(), &mut ());
    let impact = *result.outcome.impact().unwrap();
    assert!((impact.fraction - 0.5).abs() < 1e-15);
    assert_eq!(impact.normal, DVec3::Y);
    assert!(impact.point.distance(at(0.3, 0.5, -0.2)) < 1e-15);
    assert_eq!(
        (impact.feature_a, impact.feature_b),
        (Feature::Vertex(0), Feature::Face(3))
    );
    assert!(!result.rotation_ignored);
}

#[test]
fn a_capsule_across_an_edge_is_hit_between_the_corners() {
    // The core lies along z across the edge of a box along x: edge against core, which only a cross product detects.
    let slope = at(0.0, 1.0, 1.0) / 2f64.sqrt();
    let lying = capsule(slope * -2.0, slope * 2.0, 0.1);
    let edge = Shape::Box {
        half_extents: at(3.0, 1.0, 1.0),
    };
    // The edge runs along x at y = 1, z = -1; the core is perpendicular to the push-out.
    let out = at(0.0, 1.0, -1.0) / 2f64.sqrt();
    let start = at(0.7, 1.0, -1.0) + out * 1.1;
    let result = sweep(&lying, &moving(start, -out * 2.0), &edge, &still(), &mut ());
    let impact = *result.outcome.impact().unwrap();
    assert!((impact.fraction - 0.5).abs() < 1e-14, "{impact:?}");
    assert!(impact.normal.distance(out) < 1e-14);
    assert!(impact.point.distance(at(0.7, 1.0, -1.0)) < 1e-14);
    assert_eq!(
        (impact.feature_a, impact.feature_b),
        (Feature::Edge(0), Feature::Edge(1))
    );
}

#[test]
fn a_pierced_box_pushes_by_core_and_radius() {
    // The core is 0.3 below the top: out by 0.3 and the radius.
    let through = capsule(at(-5.0, 0.7, 0.0), at(5.0, 0.7, 0.0), 0.2);
    let cube = Shape::Box {
        half_extents: DVec3::ONE,
    };
    let (a, b) = (
        through.placed(&Pose::IDENTITY),
        cube.placed(&Pose::IDENTITY),
    );
    let found = contact(&a, &b, &mut ()).unwrap();
    assert!((found.push() - at(0.0, 0.5, 0.0)).length() < 1e-15);
    assert!((gap(&a, &b).unwrap().distance + 0.5).abs() < 1e-15);
    let other_way = contact(&b, &a, &mut ()).unwrap();
    assert!((other_way.push() + at(0.0, 0.5, 0.0)).length() < 1e-15);
}

#[test]
fn the_gap_is_the_least_of_the_spheres_along_the_core() {
    let mut random = Random(0x5eed);
    for round in 0..rounds(150) {
        let (a, b) = (random.point(2.0), random.point(2.0));
        let core = Segment { a, b };
        let radius = random.unit() * 0.5;
        let shape = capsule(a, b, radius);
        for (other, pose) in shapes(&mut random) {
            let other_placed = other.placed(&pose);
            let placed = shape.placed(&Pose::IDENTITY);
            let found = gap(&placed, &other_placed).unwrap();
            let sampled = gap_by_spheres(&core, radius, &other_placed, |_| true);
            let name = other.kind_name();
            // Deeper than the radius the whole core has to be pushed out, not one sphere.
            if sampled > -radius + 1e-2 || matches!(other, Shape::Sphere { .. } | Shape::Plane(_)) {
                let step = a.distance(b) / 2000.0;
                assert!(
                    found.distance <= sampled + 1e-12 && found.distance >= sampled - step,
                    "{name} {round}: {} {sampled}",
                    found.distance
                );
            } else {
                assert!(found.distance <= sampled + 1e-12, "{name} {round}");
            }
            let detected = contact(&placed, &other_placed, &mut ());
            assert_eq!(detected.is_some(), found.distance <= 0.0, "{name} {round}");
            let back = gap(&other_placed, &placed).unwrap();
            assert!((back.distance - found.distance).abs() < 1e-12, "{name}");
            if found.distance > 0.0 {
                let between = found.point_a.distance(found.point_b);
                assert!((between - found.distance).abs() < 1e-12, "{name} {round}");
            }
        }
    }
}

#[test]
fn a_capsule_without_length_is_a_sphere() {
    let mut random = Random(4242);
    for round in 0..rounds(400) {
        let radius = random.unit() * 0.6 + 0.01;
        let (ball, point) = (
            Shape::Sphere { radius },
            capsule(DVec3::ZERO, DVec3::ZERO, radius),
        );
        let start = random.point(3.0);
        let motion = moving(start, -start * 2.0 + random.point(1.0));
        let one_sided = Shape::Triangle(random_triangle(&mut random, Facing::Front));
        let mut others = shapes(&mut random);
        others.push((one_sided, Pose::IDENTITY));
        for (other, pose) in others {
            let name = other.kind_name();
            let there = Motion::still(pose);
            let one = sweep(&ball, &motion, &other, &there, &mut ()).outcome;
            let two = sweep(&point, &motion, &other, &there, &mut ()).outcome;
            match (one, two) {
                (SweepOutcome::Hits(one), SweepOutcome::Hits(two)) => {
                    assert!((one.fraction - two.fraction).abs() < 1e-9, "{name} {round}");
                }
                (one, two) => assert_eq!(
                    discriminant(&one),
                    discriminant(&two),
                    "{name} {round}: {one:?} {two:?}"
                ),
            }
            let approach =
                |shape: &Shape| closest_approach(shape, &motion, &other, &there, &mut ());
            match (approach(&ball), approach(&point)) {
                (Some(one), Some(two)) => {
                    let apart = (one.distance - two.distance).abs();
                    assert!(apart < 1e-9, "{name} {round}: {one:?} {two:?}");
                }
                (one, two) => assert_eq!(one, two, "{name} {round}"),
            }
            let placed = other.placed(&pose);
            let touch =
                |shape: &Shape| contact(&shape.placed(&Pose::at(start * 0.3)), &placed, &mut ());
            let (one, two) = (touch(&ball), touch(&point));
            assert_eq!(one.is_some(), two.is_some(), "{name} {round}");
            if let (Some(one), Some(two)) = (one, two) {
                assert!((one.depth - two.depth).abs() < 1e-12, "{name} {round}");
            }
        }
    }
}

/// Strictly in front of a triangle's plane, or in it.
fn in_front(triangle: &Triangle) -> impl Fn(DVec3) -> bool {
    let (a, normal) = (triangle.a, triangle.normal().unwrap());
    move |point| (point - a).dot(normal) >= -1e-12
}

#[test]
fn a_one_sided_triangle_collides_only_with_centres_in_front() {
    let mut random = Random(31337);
    let (mut detected, mut apart) = (0, 0);
    for round in 0..rounds(1500) {
        let (a, b) = (random.point(1.2), random.point(1.2));
        let (core, radius) = (Segment { a, b }, random.unit() * 0.5);
        let triangle = random_triangle(&mut random, Facing::Front);
        let other = Placed::Triangle(triangle);
        let found = gap(&capsule(a, b, radius).placed(&Pose::IDENTITY), &other);
        let sampled = gap_by_spheres(&core, radius, &other, in_front(&triangle));
        match found {
            None => assert!(
                sampled == f64::INFINITY || sampled > -1e-3,
                "{round} {sampled}"
            ),
            Some(found) if sampled > -radius + 1e-2 => {
                detected += 1;
                let step = a.distance(b) / 500.0;
                assert!(
                    (found.distance - sampled).abs() < step,
                    "{round}: {} {sampled}",
                    found.distance
                );
            }
            Some(found) => {
                apart += 1;
                assert!(found.distance <= sampled + 1e-2, "{round}");
            }
        }
    }
    assert!(
        detected > rounds(500) && apart > rounds(50),
        "{detected} {apart}"
    );
}

/// Cut off by the triangle's plane beside the triangle: the shortest push leads straight sideways, which rounding may tilt backward.
#[test]
fn a_capsule_beside_a_one_sided_triangle_is_pushed_sideways() {
    let triangle = Placed::Triangle(Triangle {
        a: at(-1.071083751236102, 0.2599831408762414, -0.9527689020059464),
        b: at(
            -0.9104766582359344,
            1.1229141452813023,
            -0.27792183645776625,
        ),
        c: at(0.6199724172424768, 1.2140599783630739, -0.7628337154927289),
        facing: Facing::Front,
    });
    let a = at(
        -0.45842690938304786,
        0.7034292320368754,
        -1.1086390136070425,
    );
    let b = at(
        -0.1940613004885141,
        -0.10995212879126992,
        0.25990019771004746,
    );
    let radius = 0.05059345737466914;
    let distance = |shape: &Shape| {
        gap(&shape.placed(&Pose::IDENTITY), &triangle)
            .unwrap()
            .distance
    };
    let from_core = distance(&Shape::Segment(Segment { a, b }));
    assert!(from_core > 0.04);
    assert!((distance(&capsule(a, b, radius)) - (from_core - radius)).abs() < 1e-12);
}

#[test]
fn a_sweep_at_a_one_sided_triangle_agrees_with_the_gap_in_front() {
    let mut random = Random(99);
    let (mut hits, mut crossings) = (0, 0);
    for round in 0..rounds(2000) {
        let shape = capsule(
            random.point(1.2),
            random.point(1.2),
            random.unit() * 0.3 + 0.02,
        );
        let triangle = random_triangle(&mut random, Facing::Front);
        let Some(normal) = triangle.normal() else {
            continue;
        };
        let start = random.point(2.5);
        let mut step = -start * 1.5 + random.point(1.0);
        // Only motion into the front: a part that comes through the plane from behind is no impact.
        if step.dot(normal) > 0.0 {
            step = -step;
        }
        let motion = moving(start, step);
        let other = Shape::Triangle(triangle);
        let gap_at = |t: f64| {
            gap(
                &shape.placed(&motion.pose(t)),
                &other.placed(&Pose::IDENTITY),
            )
            .map_or(f64::INFINITY, |gap| gap.distance)
        };
        let sampled: Vec<f64> = (0..=300).map(|i| gap_at(f64::from(i) / 300.0)).collect();
        let least = sampled.iter().copied().fold(f64::INFINITY, f64::min);
        let (result, steps) = traced(|trace| sweep(&shape, &motion, &other, &still(), trace));
        let behind = |step: &Step| matches!(step, Step::FallsBehindOneSided { .. });
        crossings += u32::from(steps.iter().any(behind));
        match result.outcome {
            SweepOutcome::Hits(impact) => {
                hits += 1;
                assert!(
                    gap_at(impact.fraction).abs() < 1e-7,
                    "{round} {impact:?} {}",
                    gap_at(impact.fraction)
                );
                let before = (impact.fraction * 300.0).floor() as usize;
                assert!(sampled[..before].iter().all(|gap| *gap > -1e-9), "{round}");
            }
            SweepOutcome::Overlapping { depth } => {
                assert!((gap_at(0.0) + depth).abs() < 1e-9, "{round}");
            }
            outcome => assert!(least > -1e-9, "{round}: {outcome:?} {least}"),
        }
    }
    assert!(hits > rounds(200) && crossings > 0, "{hits} {crossings}");
}

#[test]
fn a_capsule_far_from_the_origin_hits_on_the_same_feature() {
    let far = at(1e6, -1e6, 1e6);
    let falling = capsule(at(-0.5, 0.0, 0.0), at(0.5, 0.0, 0.0), 0.125);
    let cube = Shape::Box {
        half_extents: DVec3::ONE,
    };
    let motion = moving(far + at(0.0, 2.125, 0.0), at(0.0, -2.0, 0.0));
    let there = Motion::still(Pose::at(far));
    let impact = *sweep(&falling, &motion, &cube, &there, &mut ())
        .outcome
        .impact()
        .unwrap();
    assert!((impact.fraction - 0.5).abs() < 1e-9);
    assert_eq!(impact.feature_a, Feature::Edge(0));
}
