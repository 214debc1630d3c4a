//! Shapes that are very wide, or whose points lie far from their own origin: they are judged as the same shapes elsewhere.

use glam::DVec3;
use hitstop::core::query::{SweepOutcome, sweep};
use hitstop::core::shape::{ConvexHull, Cylinder, Feature, Motion, Pose, Shape, Solid, SolidShape};
use std::sync::Arc;

/// The hull of a box's corners around a local point.
fn hull_of_box(half: DVec3, middle: DVec3) -> ConvexHull {
    let corner = |index: usize| {
        let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
        middle + half * DVec3::new(side(0), side(1), side(2))
    };
    ConvexHull::new((0..8).map(corner).collect(), 0.0).unwrap()
}

fn solid(hull: ConvexHull) -> Shape {
    Shape::Solid(SolidShape::Hull(Arc::new(hull)))
}

/// Falls from 1 m above the middle of a plate to 2.5 m below it: it touches when its lower end is at the plate's top.
#[track_caller]
fn falls_through(body: &Shape, below: f64, offset: DVec3, plate: &Shape, top: f64) {
    let at = |y: f64| Pose::at(DVec3::new(0.3, y, 0.2) - offset);
    let motion = Motion {
        start: at(1.0),
        end: at(-2.5),
    };
    let still = Motion::still(Pose::IDENTITY);
    let exact = (1.0 - below - top) / 3.5;
    let there = sweep(body, &motion, plate, &still, &mut ()).outcome;
    let back = sweep(plate, &still, body, &motion, &mut ()).outcome;
    for outcome in [there, back] {
        let SweepOutcome::Hits(impact) = outcome else {
            panic!("{outcome:?}");
        };
        assert!(
            (impact.fraction - exact).abs() < 1e-11,
            "{impact:?} {exact}"
        );
        assert!(impact.normal.y.abs() > 1.0 - 1e-9, "{impact:?}");
    }
}

#[test]
fn a_body_does_not_graze_a_wide_plate_that_it_passes() {
    let half = DVec3::splat(0.01);
    let bodies = [
        Shape::Box { half_extents: half },
        solid(hull_of_box(half, DVec3::ZERO)),
        Shape::Solid(SolidShape::Cylinder(Cylinder {
            half_height: 0.01,
            radius: 0.01,
        })),
    ];
    for wide in [10.0, 5e3, 1e4, 2e4, 1e5, 1e6] {
        let plates = [
            solid(hull_of_box(DVec3::new(wide, 0.0025, wide), DVec3::ZERO)),
            Shape::Box {
                half_extents: DVec3::new(wide, 0.0025, wide),
            },
            Shape::Solid(SolidShape::Cylinder(Cylinder {
                half_height: 0.0025,
                radius: wide,
            })),
        ];
        for body in &bodies {
            for plate in &plates {
                falls_through(body, 0.01, DVec3::ZERO, plate, 0.0025);
            }
        }
    }
}

#[test]
fn points_far_from_their_origin_do_not_make_a_hit_a_graze() {
    let plate = hull_of_box(DVec3::new(0.1, 0.001, 0.1), DVec3::new(0.3, 0.0, 0.2));
    let plate = solid(plate);
    for far in [0.0, 10.0, 1e3, 2e3, 1e5] {
        let offset = DVec3::new(far, -far, 0.5 * far);
        let dart = solid(hull_of_box(DVec3::splat(0.003), offset));
        falls_through(&dart, 0.003, offset, &plate, 0.001);
    }
}

/// A corner of a cube that is tilted by 1e-4 touches with that corner alone, and the sphere around it is that of the cube, wherever its
/// points lie.
#[test]
fn points_far_from_their_origin_do_not_change_a_hull() {
    let tilted = DVec3::new(1e-4, 1.0, 1e-4);
    for far in [0.0, 1e3, 1e5] {
        let middle = DVec3::new(far, far, -far);
        let hull = hull_of_box(DVec3::ONE, middle);
        assert_eq!(hull.feature(tilted).feature, Feature::Vertex(7), "{far}");
        assert!((hull.outer_radius() - 3.0_f64.sqrt()).abs() < 1e-9, "{far}");
        assert_eq!((hull.faces().len(), hull.edges().len()), (6, 12), "{far}");
    }
}
