//! The direction of a push is undefined where a continuum of pushes is equally short, by one rule for all shapes; a tie of some faces is not.

use glam::{DQuat, DVec3};
use hitstop::core::query::contact;
use hitstop::core::shape::{
    Capsule, Cone, ConvexHull, Cylinder, Pose, RoundedBox, Segment, Shape, SolidShape,
};
use std::sync::Arc;

fn solid(solid: SolidShape) -> Shape {
    Shape::Solid(solid)
}

/// Round about Y.
fn round() -> Vec<(&'static str, Shape)> {
    let up = DVec3::Y * 0.8;
    vec![
        ("ball", Shape::Sphere { radius: 0.5 }),
        (
            "capsule",
            Shape::Capsule(Capsule {
                segment: Segment { a: -up, b: up },
                radius: 0.4,
            }),
        ),
        (
            "cylinder",
            solid(SolidShape::Cylinder(Cylinder {
                half_height: 0.9,
                radius: 0.4,
            })),
        ),
        (
            "cone",
            solid(SolidShape::Cone(Cone {
                half_height: 1.5,
                radius: 0.3,
            })),
        ),
    ]
}

/// Not round: their least pushes are those of faces.
fn flat() -> Vec<(&'static str, Shape)> {
    let half = DVec3::new(0.4, 0.9, 0.4);
    let prism = |sides: u32| {
        let corner = |index: u32| {
            let angle = f64::from(index / 2) * std::f64::consts::TAU / f64::from(sides);
            let y = if index.is_multiple_of(2) { 0.9 } else { -0.9 };
            DVec3::new(0.4 * angle.cos(), y, 0.4 * angle.sin())
        };
        let points = (0..2 * sides).map(corner).collect();
        solid(SolidShape::Hull(Arc::new(
            ConvexHull::new(points, 0.0).unwrap(),
        )))
    };
    vec![
        ("box", Shape::Box { half_extents: half }),
        (
            "rounded box",
            solid(SolidShape::RoundedBox(RoundedBox {
                half_extents: half,
                radius: 0.1,
            })),
        ),
        ("prism", prism(6)),
        ("fine prism", prism(100)),
    ]
}

fn is_undefined(one: &Shape, at: &Pose, other: &Shape, there: &Pose) -> bool {
    let found = [(one, at, other, there), (other, there, one, at)].map(|(a, p, b, q)| {
        let found = contact(&a.placed(p), &b.placed(q), &mut ()).unwrap();
        assert!((found.normal.length() - 1.0).abs() < 1e-12);
        let moved = Pose {
            position: p.position + found.push() * (1.0 + 1e-6),
            ..*p
        };
        let left = contact(&a.placed(&moved), &b.placed(q), &mut ());
        assert!(left.is_none(), "{found:?} leaves {left:?}");
        found.fallback
    });
    assert_eq!(found[0], found[1], "{one:?} {other:?}");
    found[0]
}

fn poses() -> Vec<Pose> {
    let turns = [DVec3::ZERO, DVec3::new(0.3, -0.7, 1.1), DVec3::X * 1.5];
    let place = |turn| Pose {
        position: DVec3::new(0.5, -0.25, 0.75),
        rotation: DQuat::from_scaled_axis(turn),
    };
    turns.map(place).to_vec()
}

#[test]
fn coincident_and_coaxial_round_shapes_have_no_direction() {
    for pose in poses() {
        for (first, one) in &round() {
            for (second, other) in &round() {
                assert!(
                    is_undefined(one, &pose, other, &pose),
                    "{first} in {second} at {pose:?}"
                );
                // Aside, the direction is defined; turned about the axis, it is not.
                let aside = pose.then(&Pose::at(DVec3::X * 0.01));
                assert!(
                    !is_undefined(one, &aside, other, &pose),
                    "{first} beside the axis of {second}"
                );
                let turned = Pose {
                    rotation: pose.rotation * DQuat::from_rotation_y(0.9),
                    ..pose
                };
                assert!(is_undefined(one, &turned, other, &pose), "{first} {second}");
            }
        }
    }
}

#[test]
fn ties_of_faces_are_directions() {
    for pose in poses() {
        for (first, one) in &flat() {
            for (second, other) in round().iter().chain(&flat()) {
                assert!(
                    !is_undefined(one, &pose, other, &pose),
                    "{first} in {second} at {pose:?}"
                );
            }
        }
    }
}

/// Crossing capsules part to either side of both; overlapping ones of one line have a ring of pushes.
#[test]
fn crossing_capsules_have_two_directions_and_parallel_ones_a_ring() {
    let capsule = Shape::Capsule(Capsule {
        segment: Segment {
            a: DVec3::NEG_Y,
            b: DVec3::Y,
        },
        radius: 0.1,
    });
    for angle in [0.01, 0.5, 1.5] {
        let crossing = Pose {
            rotation: DQuat::from_rotation_z(angle),
            ..Pose::IDENTITY
        };
        assert!(!is_undefined(
            &capsule,
            &crossing,
            &capsule,
            &Pose::IDENTITY
        ));
    }
    let along = Pose::at(DVec3::Y * 0.7);
    assert!(is_undefined(&capsule, &along, &capsule, &Pose::IDENTITY));
}
