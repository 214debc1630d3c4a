//! Contact, sweep and gap of boxes, triangles and segments against closed forms.

use super::exact::placed::{contact_placed as contact, moving, sweep_placed};
use glam::{DQuat, DVec3};
use hitstop::core::query::{self, ClosestApproach, Feature, SweepOutcome, closest_approach};
use hitstop::core::shape::{Facing, Obb, Placed, Segment, Sphere, Triangle};

type Body = Placed<'static>;

fn cuboid(center: [f64; 3], half: [f64; 3]) -> Body {
    turned(center.into(), half.into(), DQuat::IDENTITY)
}

fn turned(center: DVec3, half_extents: DVec3, rotation: DQuat) -> Body {
    Placed::Obb(Obb {
        center,
        half_extents,
        rotation,
    })
}

fn triangle(corners: [[f64; 3]; 3], facing: Facing) -> Body {
    let [a, b, c] = corners.map(DVec3::from);
    Placed::Triangle(Triangle { a, b, c, facing })
}

fn segment(a: [f64; 3], b: [f64; 3]) -> Body {
    let (a, b) = (a.into(), b.into());
    Placed::Segment(Segment { a, b })
}

fn sweep(a: &Body, d: [f64; 3], b: &Body, e: [f64; 3]) -> SweepOutcome {
    sweep_placed(a, d.into(), b, e.into())
}

/// The closest approach of a, which moves, to b.
fn approach(a: &Body, d: [f64; 3], b: &Body) -> ClosestApproach {
    let (one, other) = (moving(a, d.into()), moving(b, DVec3::ZERO));
    closest_approach(&one.0, &one.1, &other.0, &other.1, &mut ()).unwrap()
}

fn gap(a: &Body, b: &Body) -> f64 {
    query::gap(a, b).unwrap().distance
}

#[track_caller]
fn close(value: f64, expected: f64) {
    assert!(
        (value - expected).abs() < 1e-12,
        "{value} instead of {expected}"
    );
}

#[track_caller]
fn same(value: DVec3, expected: [f64; 3]) {
    let expected = DVec3::from(expected);
    assert!(
        value.distance(expected) < 1e-9,
        "{value} instead of {expected}"
    );
}

const CUBE: [f64; 3] = [0.5, 0.5, 0.5];
const UNIT: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn box_on_box_face() {
    let floor = cuboid([0.0; 3], [2.0, 1.0, 2.0]);
    let at = |y: f64| cuboid([0.5, y, 0.0], CUBE);
    assert!(contact(&at(1.5 + 1e-12), &floor).is_none());
    close(gap(&at(1.75), &floor), 0.25);
    let touching = contact(&at(1.5), &floor).unwrap();
    assert_eq!((touching.depth, touching.normal), (0.0, DVec3::Y));
    same(touching.point, [0.5, 1.0, 0.0]);
    assert_eq!(touching.feature_a, Feature::Face(2));
    assert_eq!(touching.feature_b, Feature::Face(3));
    let deep = contact(&at(1.25), &floor).unwrap();
    assert_eq!((deep.depth, deep.normal), (0.25, DVec3::Y));
    let inside = query::gap(&at(1.25), &floor).unwrap();
    close(inside.distance, -0.25);
    same(inside.point_a, [0.5, 0.75, 0.0]);
    same(inside.point_b, [0.5, 1.0, 0.0]);
    // Over a corner of the floor: the middle of what the faces share, from 1.75 to 2 and from 1.25 to 2.
    let over = contact(&cuboid([2.25, 1.5, 1.75], CUBE), &floor).unwrap();
    same(over.point, [1.875, 1.0, 1.625]);
}

#[test]
fn box_on_box_edges_crossed() {
    // One edge up, along x; one edge down, along z.
    let quarter = std::f64::consts::FRAC_PI_4;
    let extent = 0.5_f64.sqrt();
    let low = turned(DVec3::ZERO, CUBE.into(), DQuat::from_rotation_x(quarter));
    let at = |y: f64| turned(DVec3::Y * y, CUBE.into(), DQuat::from_rotation_z(quarter));
    assert!(contact(&at(2.0 * extent + 1e-12), &low).is_none());
    close(gap(&at(2.0 * extent + 0.5), &low), 0.5);
    let deep = contact(&at(2.0 * extent - 0.1), &low).unwrap();
    close(deep.depth, 0.1);
    same(deep.normal, [0.0, 1.0, 0.0]);
    same(deep.point, [0.0, extent, 0.0]);
    assert!(matches!(deep.feature_a, Feature::Edge(edge) if edge / 4 == 2));
    assert!(matches!(deep.feature_b, Feature::Edge(edge) if edge / 4 == 0));
}

#[test]
fn box_on_box_vertex_to_vertex() {
    let (a, b) = (cuboid([0.0; 3], CUBE), cuboid([2.0, 3.0, 3.0], CUBE));
    // The corners are (1, 2, 2) apart.
    let found = query::gap(&a, &b).unwrap();
    close(found.distance, 3.0);
    same(found.point_a, [0.5, 0.5, 0.5]);
    same(found.point_b, [1.5, 2.5, 2.5]);
    let corner = contact(&a, &cuboid([1.0, 1.0, 1.0], CUBE)).unwrap();
    assert_eq!(corner.depth, 0.0);
    same(corner.point, [0.5, 0.5, 0.5]);
}

#[test]
fn corner_down_on_a_face() {
    // A cube on its corner reaches down by half its diagonal.
    let turn = DQuat::from_rotation_arc(DVec3::ONE / 3_f64.sqrt(), DVec3::Y);
    let floor = cuboid([0.0, -1.0, 0.0], [4.0, 1.0, 4.0]);
    let extent = 0.75_f64.sqrt();
    let at = |y: f64| turned(DVec3::new(0.3, y, 0.2), CUBE.into(), turn);
    close(gap(&at(extent + 0.25), &floor), 0.25);
    let deep = contact(&at(extent - 0.25), &floor).unwrap();
    close(deep.depth, 0.25);
    same(deep.point, [0.3, 0.0, 0.2]);
    assert_eq!(deep.feature_a, Feature::Vertex(0));
    assert_eq!(deep.feature_b, Feature::Face(3));
}

#[test]
fn triangles_across_and_in_one_plane() {
    let flat = triangle(UNIT, Facing::Both);
    let across = |x: f64| {
        triangle(
            [[x, 0.2, -1.0], [x, 0.2, 1.0], [x + 2.0, 0.2, 0.0]],
            Facing::Both,
        )
    };
    assert!(contact(&flat, &across(0.81)).is_none());
    // Hypotenuse x + y = 1 at y = 0.2, along its normal.
    let deep = contact(&flat, &across(0.7)).unwrap();
    assert!(deep.depth <= 0.1 && deep.depth > 0.0);
    let beside = |x: f64| triangle(UNIT.map(|[px, py, pz]| [px + x, py, pz]), Facing::Both);
    assert!(contact(&flat, &beside(1.5)).is_none());
    close(gap(&flat, &beside(1.5)), 0.5);
    assert_eq!(contact(&flat, &beside(1.0)).unwrap().depth, 0.0);
    assert_eq!(contact(&flat, &beside(0.25)).unwrap().depth, 0.0);
}

#[test]
fn segments_crossed_parallel_collinear() {
    let x = segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    for (other, expected) in [
        (segment([0.0, -1.0, 0.5], [0.0, 1.0, 0.5]), 0.5),
        (segment([0.5, 0.25, 0.0], [4.0, 0.25, 0.0]), 0.25),
        (segment([3.0, 0.0, 0.0], [4.0, 0.0, 0.0]), 2.0),
        (segment([4.0, 4.0, 0.0], [4.0, 4.0, 0.0]), 5.0),
    ] {
        assert!(contact(&x, &other).is_none());
        close(gap(&x, &other), expected);
        close(gap(&other, &x), expected);
    }
    for touching in [
        segment([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]),
        segment([1.0, 0.0, 0.0], [2.0, 0.0, 0.0]),
        segment([0.5, 0.0, 0.0], [0.5, 0.0, 0.0]),
    ] {
        assert_eq!(contact(&x, &touching).unwrap().depth, 0.0);
        close(gap(&touching, &x), 0.0);
    }
}

/// A segment without length is a point: it passes a segment as a ball without radius does, and one beside it misses.
#[test]
fn a_segment_without_length_passes_like_a_point() {
    let still = segment([-1.0, 0.5, 2.0], [3.0, 0.5, 2.0]);
    for (z, passes) in [(2.0, true), (2.5, false)] {
        let point = Placed::Sphere(Sphere {
            center: DVec3::new(1.0, -1.0, z),
            radius: 0.0,
        });
        let short = segment([1.0, -1.0, z], [1.0, -1.0, z]);
        for moves in [&point, &short] {
            for outcome in [
                sweep(moves, [0.0, 2.0, 0.0], &still, [0.0; 3]),
                sweep(&still, [0.0, -2.0, 0.0], moves, [0.0; 3]),
            ] {
                match outcome {
                    SweepOutcome::Grazes { fraction } if passes => close(fraction, 0.75),
                    other => assert_eq!((other, passes), (SweepOutcome::Misses, false)),
                }
            }
        }
    }
}

#[test]
fn segment_through_a_box() {
    let cube = cuboid([0.0; 3], CUBE);
    let through = segment([0.3, -2.0, 0.0], [0.3, 2.0, 0.0]);
    let deep = contact(&through, &cube).unwrap();
    close(deep.depth, 0.2);
    same(deep.normal, [1.0, 0.0, 0.0]);
    close(gap(&segment([2.0, 2.0, 0.0], [3.0, 0.5, 0.0]), &cube), {
        // Corner (0.5, 0.5) to the line through (2, 2) and (3, 0.5) is beyond its ends: to (2, 2) it is not.
        let (p, d) = (DVec3::new(0.5, 0.5, 0.0), DVec3::new(1.0, -1.5, 0.0));
        let t = ((p - DVec3::new(2.0, 2.0, 0.0)).dot(d) / d.length_squared()).clamp(0.0, 1.0);
        p.distance(DVec3::new(2.0, 2.0, 0.0) + d * t)
    });
}

#[test]
fn known_sweeps() {
    // (-1) and 1 at +-2 a frame: 1 metre between faces, 4 a frame.
    let left = cuboid([-1.0, 0.0, 0.0], CUBE);
    let hit = sweep(
        &left,
        [2.0, 0.0, 0.0],
        &cuboid([1.0, 0.0, 0.0], CUBE),
        [-2.0, 0.0, 0.0],
    );
    let impact = hit.impact().unwrap();
    assert_eq!((impact.fraction, impact.normal), (0.25, DVec3::NEG_X));
    same(impact.point, [0.0, 0.0, 0.0]);
    // From -6 at 480/s against 1 at -120/s: 6 metres at 10.. the published case is 10/21.
    let far = cuboid([-6.0, 0.0, 0.0], CUBE);
    let hit = sweep(
        &far,
        [5.25, 0.0, 0.0],
        &cuboid([0.0, 0.0, 0.0], CUBE),
        [-5.25, 0.0, 0.0],
    );
    close(hit.impact().unwrap().fraction, 10.0 / 21.0);
    // At an angle: x closes last.
    let angled = cuboid([2.0, 0.0, -2.0], CUBE);
    let hit = sweep(&angled, [-2.0, 0.0, 4.0], &cuboid([0.0; 3], CUBE), [0.0; 3]);
    let impact = hit.impact().unwrap();
    assert_eq!((impact.fraction, impact.normal), (0.5, DVec3::X));
}

#[test]
fn the_ghost_platform_is_not_touched() {
    let square = cuboid([0.015, 2.515, 0.0], [0.25, 0.25, 0.0]);
    let platform = cuboid([0.0, 0.9, 0.0], [1.0, 0.1, 0.0]);
    // Sixteen frames of (0.125, -0.125) in one: it passes the platform's corner (1, 1) at its own (-0.25, -0.25).
    let passing = sweep(&square, [2.0, -2.0, 0.0], &platform, [0.0; 3]);
    assert_eq!(passing, SweepOutcome::Misses);
    let by = approach(&square, [2.0, -2.0, 0.0], &platform).distance;
    // The corner's path x + y = 2.03 passes (1, 1) at 0.03 along both axes.
    close(by, 0.03 / 2_f64.sqrt());
}

#[test]
fn every_sweep_outcome_occurs() {
    let cube = cuboid([0.0; 3], CUBE);
    let from = |center: [f64; 3], d: [f64; 3]| sweep(&cuboid(center, CUBE), d, &cube, [0.0; 3]);
    assert_eq!(
        from([0.75, 0.0, 0.0], [9.0, 0.0, 0.0]),
        SweepOutcome::Overlapping { depth: 0.25 }
    );
    assert_eq!(from([2.0, 0.0, 0.0], [1.0, 0.0, 0.0]), SweepOutcome::Misses);
    assert_eq!(from([2.0, 0.0, 0.0], [0.0, 0.0, 0.0]), SweepOutcome::Misses);
    assert_eq!(
        from([2.0, 0.0, 0.0], [-0.5, 0.0, 0.0]),
        SweepOutcome::Misses
    );
    // Contact at exactly the end belongs to the next frame, which finds it at its start.
    assert_eq!(
        from([2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        SweepOutcome::Misses
    );
    assert_eq!(
        from([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0])
            .impact()
            .unwrap()
            .fraction,
        0.0
    );
    assert_eq!(from([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), SweepOutcome::Misses);
    assert_eq!(from([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), SweepOutcome::Misses);
    // Over the top at a gap of zero, and of a quarter of a metre.
    assert_eq!(
        from([-3.0, 1.0, 0.0], [8.0, 0.0, 0.0]),
        SweepOutcome::Grazes { fraction: 0.25 }
    );
    let over = [8.0, 0.0, 0.0];
    assert_eq!(from([-3.0, 1.25, 0.0], over), SweepOutcome::Misses);
    let passing = approach(&cuboid([-3.0, 1.25, 0.0], CUBE), over, &cube);
    close(passing.distance, 0.25);
    assert!((0.25..=0.5).contains(&passing.fraction));
    // Receding shapes are nearest at the start, closing ones at the end.
    for (step, distance, fraction) in [([1.0, 0.0, 0.0], 1.0, 0.0), ([-0.5, 0.0, 0.0], 0.5, 1.0)] {
        let found = approach(&cuboid([2.0, 0.0, 0.0], CUBE), step, &cube);
        close(found.distance, distance);
        assert_eq!(found.fraction, fraction);
    }
    // Corner past corner: closest at (1, 0) to (0, 1), half way.
    match from([3.0, -1.0, 0.0], [-4.0, 4.0, 0.0]) {
        SweepOutcome::Grazes { fraction } => close(fraction, 0.5),
        other => panic!("{other:?}"),
    }
    let nan = cuboid([f64::NAN, 0.0, 0.0], CUBE);
    assert_eq!(
        sweep(&nan, [1.0, 0.0, 0.0], &cube, [0.0; 3]),
        SweepOutcome::Misses
    );
    assert!(contact(&nan, &cube).is_none());
    assert!(query::gap(&nan, &cube).is_none());
}

#[test]
fn sweeps_through_thin_shapes_hit() {
    let wall = triangle(
        [[0.0, -9.0, -9.0], [0.0, 9.0, -9.0], [0.0, 0.0, 9.0]],
        Facing::Both,
    );
    let bullets = [
        segment([-2.0, 0.0, 0.0], [-2.0, 0.0, 0.0]),
        segment([-3.0, 0.0, 0.0], [-2.0, 0.0, 0.0]),
        segment([-2.0, -1.0, 0.0], [-2.0, 1.0, 0.0]),
        triangle(
            [[-2.0, -1.0, 0.0], [-2.0, 1.0, 0.0], [-2.0, 0.0, 1.0]],
            Facing::Both,
        ),
        cuboid([-2.0, 0.0, 0.0], [0.0, 0.5, 0.5]),
        cuboid([-3.0, 0.0, 0.0], [1.0, 0.5, 0.5]),
    ];
    for bullet in &bullets {
        let hit = sweep(bullet, [8.0, 0.0, 0.0], &wall, [0.0; 3]);
        let impact = hit.impact().unwrap_or_else(|| panic!("{bullet:?} {hit:?}"));
        assert_eq!((impact.fraction, impact.normal), (0.25, DVec3::NEG_X));
        // The same from the wall's side.
        let hit = sweep(&wall, [0.0; 3], bullet, [8.0, 0.0, 0.0]);
        assert_eq!(hit.impact().unwrap().normal, DVec3::X);
    }
}

#[test]
fn one_sided_triangles() {
    // Front toward +z.
    let front = triangle(UNIT, Facing::Front);
    let at = |z: f64| cuboid([0.2, 0.2, z], [0.1, 0.1, 0.5]);
    assert!(contact(&at(-0.6), &front).is_none());
    assert!(contact(&at(-0.5), &front).is_none(), "touching from behind");
    assert_eq!(contact(&at(0.5), &front).unwrap().depth, 0.0);
    // Mostly behind: still pushed toward the front, or sideways, never backward.
    let deep = contact(&at(-0.4), &front).unwrap();
    assert!(deep.normal.z >= -1e-9, "{deep:?}");
    let wide = cuboid([0.2, 0.2, -0.9], [4.0, 4.0, 1.0]);
    let deep = contact(&wide, &front).unwrap();
    close(deep.depth, 1.9);
    same(deep.normal, [0.0, 0.0, 1.0]);
    let down = [0.0, 0.0, -4.0];
    let up = [0.0, 0.0, 4.0];
    close(
        sweep(&at(2.5), down, &front, [0.0; 3])
            .impact()
            .unwrap()
            .fraction,
        0.5,
    );
    assert_eq!(sweep(&at(-2.5), up, &front, [0.0; 3]), SweepOutcome::Misses);
    // The triangle as the first body, moving the other way.
    assert!(sweep(&front, up, &at(2.5), [0.0; 3]).impact().is_some());
    assert_eq!(
        sweep(&front, down, &at(-2.5), [0.0; 3]),
        SweepOutcome::Misses
    );
}

#[test]
fn a_stack_at_rest_is_pushed_along_its_faces() {
    for yaw in [0.0, 0.3, 0.785, 1.2] {
        for tilt in [0.0, 1e-13, -3e-12, 1e-11] {
            let rotation = DQuat::from_rotation_y(yaw) * DQuat::from_rotation_x(tilt);
            let upper = turned(DVec3::new(0.1, 1.0 - 1e-9, 0.05), CUBE.into(), rotation);
            let found = contact(&upper, &cuboid([0.0; 3], CUBE)).unwrap();
            assert!(found.normal.distance(DVec3::Y) < 1e-10, "{found:?}");
            assert!(found.depth < 2e-9);
            assert!(matches!(found.feature_b, Feature::Face(3)), "{found:?}");
            assert!(matches!(found.feature_a, Feature::Face(2)), "{found:?}");
        }
    }
}

#[test]
fn degenerate_bodies_give_finite_results() {
    let bodies = [
        cuboid([0.0; 3], [0.0; 3]),
        cuboid([0.0; 3], [1.0, 0.0, 0.0]),
        cuboid([0.0; 3], [1.0, 0.0, 1.0]),
        cuboid([0.5, 0.0, 0.0], CUBE),
        triangle([[0.0; 3], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]], Facing::Front),
        triangle([[1.0, 2.0, 3.0]; 3], Facing::Both),
        triangle(UNIT, Facing::Both),
        segment([0.0; 3], [0.0; 3]),
        segment([0.0; 3], [0.0, 0.0, 1e-300]),
        segment([0.0; 3], [0.0, 2.0, 0.0]),
        triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.5, 1e-17, 0.0]], Facing::Both),
    ];
    let moves = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, -3.0, 0.0], [1.0, 2.0, 3.0]];
    for a in &bodies {
        for b in &bodies {
            if let Some(found) = contact(a, b) {
                assert!(found.depth >= 0.0 && found.depth.is_finite());
                assert!((found.normal.length() - 1.0).abs() < 1e-12);
                assert!(found.point.is_finite());
            }
            if let Some(found) = query::gap(a, b) {
                assert!(found.distance.is_finite());
                assert!(found.point_a.is_finite() && found.point_b.is_finite());
            }
            for d in moves {
                match sweep(a, d, b, [0.0; 3]) {
                    SweepOutcome::Hits(impact) => {
                        assert!((0.0..1.0).contains(&impact.fraction));
                        assert!(impact.point.is_finite());
                        assert!((impact.normal.length() - 1.0).abs() < 1e-12);
                    }
                    SweepOutcome::Overlapping { depth } => assert!(depth > 0.0),
                    _ => {}
                }
            }
        }
    }
}
