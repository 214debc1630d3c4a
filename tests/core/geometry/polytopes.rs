//! Boxes, triangles, segments and meshes: contact, sweep and gap against closed forms, against each other, and against
//! oracles that look nothing like the code.

use glam::{DQuat, DVec3};
use hitstop::core::query::polytope::{
    Polytope, contact_mesh_mesh, contact_polytope_mesh, contact_polytope_polytope, gap_mesh_mesh,
    gap_polytope_mesh, gap_polytope_polytope, sweep_mesh_mesh, sweep_polytope_mesh,
    sweep_polytope_polytope,
};
use hitstop::core::query::{Contact, Feature, SweepOutcome};
use hitstop::core::shape::{Facing, Mesh, Obb, Pose, Segment, Triangle};
use proptest::prelude::*;

const STILL: DVec3 = DVec3::ZERO;

fn cuboid(center: [f64; 3], half: [f64; 3]) -> Polytope {
    turned(center.into(), half.into(), DQuat::IDENTITY)
}

fn turned(center: DVec3, half_extents: DVec3, rotation: DQuat) -> Polytope {
    Polytope::from_obb(&Obb {
        center,
        half_extents,
        rotation,
    })
}

fn triangle(corners: [[f64; 3]; 3], facing: Facing) -> Polytope {
    let [a, b, c] = corners.map(DVec3::from);
    Polytope::from_triangle(&Triangle { a, b, c, facing })
}

fn segment(a: [f64; 3], b: [f64; 3]) -> Polytope {
    let (a, b) = (a.into(), b.into());
    Polytope::from_segment(&Segment { a, b })
}

fn contact(a: &Polytope, b: &Polytope) -> Option<Contact> {
    contact_polytope_polytope(a, b, &mut ())
}

fn sweep(a: &Polytope, d: [f64; 3], b: &Polytope, e: [f64; 3]) -> SweepOutcome {
    sweep_polytope_polytope(a, d.into(), b, e.into(), &mut ())
}

fn gap(a: &Polytope, b: &Polytope) -> f64 {
    gap_polytope_polytope(a, b, &mut ()).unwrap().distance
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
    assert!(contact(&at(1.5_f64.next_up()), &floor).is_none());
    close(gap(&at(1.75), &floor), 0.25);
    let touching = contact(&at(1.5), &floor).unwrap();
    assert_eq!((touching.depth, touching.normal), (0.0, DVec3::Y));
    same(touching.point, [0.5, 1.0, 0.0]);
    assert_eq!(touching.feature_a, Feature::Face(2));
    assert_eq!(touching.feature_b, Feature::Face(3));
    let deep = contact(&at(1.25), &floor).unwrap();
    assert_eq!((deep.depth, deep.normal), (0.25, DVec3::Y));
    close(gap(&at(1.25), &floor), -0.25);
}

#[test]
fn box_on_box_edges_crossed() {
    // One edge up, along x; one edge down, along z.
    let quarter = std::f64::consts::FRAC_PI_4;
    let reach = 0.5_f64.sqrt();
    let low = turned(DVec3::ZERO, CUBE.into(), DQuat::from_rotation_x(quarter));
    let at = |y: f64| turned(DVec3::Y * y, CUBE.into(), DQuat::from_rotation_z(quarter));
    assert!(contact(&at(2.0 * reach + 1e-12), &low).is_none());
    close(gap(&at(2.0 * reach + 0.5), &low), 0.5);
    let deep = contact(&at(2.0 * reach - 0.1), &low).unwrap();
    close(deep.depth, 0.1);
    same(deep.normal, [0.0, 1.0, 0.0]);
    same(deep.point, [0.0, reach, 0.0]);
    assert!(matches!(deep.feature_a, Feature::Edge(edge) if edge / 4 == 2));
    assert!(matches!(deep.feature_b, Feature::Edge(edge) if edge / 4 == 0));
}

#[test]
fn box_on_box_vertex_to_vertex() {
    let (a, b) = (cuboid([0.0; 3], CUBE), cuboid([2.0, 3.0, 3.0], CUBE));
    // The corners are (1, 2, 2) apart.
    let found = gap_polytope_polytope(&a, &b, &mut ()).unwrap();
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
    let reach = 0.75_f64.sqrt();
    let at = |y: f64| turned(DVec3::new(0.3, y, 0.2), CUBE.into(), turn);
    close(gap(&at(reach + 0.25), &floor), 0.25);
    let deep = contact(&at(reach - 0.25), &floor).unwrap();
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
    // Hypotenuse x + y = 1 at y = 0.2, seen along its normal.
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
    let SweepOutcome::Misses { by, .. } = sweep(&square, [2.0, -2.0, 0.0], &platform, [0.0; 3])
    else {
        panic!("it must pass by");
    };
    // The corner's path x + y = 2.03 passes (1, 1) at 0.03 along both axes.
    close(by, 0.03 / 2_f64.sqrt());
}

#[test]
fn every_outcome_has_its_name() {
    let cube = cuboid([0.0; 3], CUBE);
    let from = |center: [f64; 3], d: [f64; 3]| sweep(&cuboid(center, CUBE), d, &cube, [0.0; 3]);
    assert_eq!(
        from([0.75, 0.0, 0.0], [9.0, 0.0, 0.0]),
        SweepOutcome::Overlapping { depth: 0.25 }
    );
    assert_eq!(
        from([2.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        SweepOutcome::Receding
    );
    assert_eq!(
        from([2.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        SweepOutcome::Receding
    );
    assert_eq!(from([2.0, 0.0, 0.0], [-0.5, 0.0, 0.0]), SweepOutcome::Later);
    // Contact at exactly the end belongs to the next frame, which finds it at its start.
    assert_eq!(from([2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), SweepOutcome::Later);
    assert_eq!(
        from([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0])
            .impact()
            .unwrap()
            .fraction,
        0.0
    );
    assert_eq!(
        from([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        SweepOutcome::Receding
    );
    assert_eq!(
        from([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        SweepOutcome::Receding
    );
    // Over the top with nothing between, and with a quarter of a metre.
    assert_eq!(
        from([-3.0, 1.0, 0.0], [8.0, 0.0, 0.0]),
        SweepOutcome::Grazes { fraction: 0.25 }
    );
    match from([-3.0, 1.25, 0.0], [8.0, 0.0, 0.0]) {
        SweepOutcome::Misses { by, fraction } => {
            assert_eq!(by, 0.25);
            assert!((0.25..=0.5).contains(&fraction));
        }
        other => panic!("{other:?}"),
    }
    // Corner past corner: closest at (1, 0) to (0, 1), half way.
    match from([3.0, -1.0, 0.0], [-4.0, 4.0, 0.0]) {
        SweepOutcome::Grazes { fraction } => close(fraction, 0.5),
        other => panic!("{other:?}"),
    }
    let nan = cuboid([f64::NAN, 0.0, 0.0], CUBE);
    assert_eq!(
        sweep(&nan, [1.0, 0.0, 0.0], &cube, [0.0; 3]),
        SweepOutcome::Receding
    );
    assert!(contact(&nan, &cube).is_none());
    assert!(gap_polytope_polytope(&nan, &cube, &mut ()).is_none());
}

#[test]
fn thin_things_are_crossed() {
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
    // Mostly behind: still pushed toward the front, or sideways, never back.
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
    assert_eq!(
        sweep(&at(-2.5), up, &front, [0.0; 3]),
        SweepOutcome::Receding
    );
    // The triangle as the first body, moving the other way.
    assert!(sweep(&front, up, &at(2.5), [0.0; 3]).impact().is_some());
    assert_eq!(
        sweep(&front, down, &at(-2.5), [0.0; 3]),
        SweepOutcome::Receding
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
fn degenerate_bodies_give_numbers() {
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
            if let Some(found) = gap_polytope_polytope(a, b, &mut ()) {
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
                    SweepOutcome::Misses { by, fraction } => {
                        assert!(by > 0.0 && by.is_finite() && (0.0..1.0).contains(&fraction));
                    }
                    SweepOutcome::Overlapping { depth } => assert!(depth > 0.0),
                    _ => {}
                }
            }
        }
    }
}

fn vector(reach: f64) -> impl Strategy<Value = DVec3> {
    [-reach..reach, -reach..reach, -reach..reach].prop_map(DVec3::from)
}

#[derive(Clone, Copy, Debug)]
enum Body {
    Box(Obb),
    Triangle(Triangle),
    Segment(Segment),
}

impl Body {
    fn at(self, pose: &Pose) -> Polytope {
        match self {
            Self::Box(obb) => turned(
                pose.point(obb.center),
                obb.half_extents,
                (pose.rotation * obb.rotation).normalize(),
            ),
            Self::Triangle(triangle) => Polytope::from_triangle(&triangle.transformed(pose)),
            Self::Segment(segment) => Polytope::from_segment(&segment.transformed(pose)),
        }
    }

    fn still(self) -> Polytope {
        self.at(&Pose::IDENTITY)
    }

    fn by(self, displacement: DVec3) -> Polytope {
        self.at(&Pose::at(displacement))
    }
}

fn body() -> impl Strategy<Value = Body> {
    let rotation = prop_oneof![
        Just(DQuat::IDENTITY),
        vector(3.0).prop_map(DQuat::from_scaled_axis)
    ];
    prop_oneof![
        (vector(2.0), vector(1.0), rotation).prop_map(|(center, half, rotation)| Body::Box(Obb {
            center,
            half_extents: half.abs(),
            rotation
        })),
        [vector(2.0), vector(2.0), vector(2.0)].prop_map(|[a, b, c]| Body::Triangle(Triangle {
            a,
            b,
            c,
            facing: Facing::Both
        })),
        [vector(2.0), vector(2.0)].prop_map(|[a, b]| Body::Segment(Segment { a, b })),
    ]
}

proptest! {
    #[test]
    fn a_push_parts_and_no_other_direction_is_shorter(a in body(), b in body(), ways in prop::collection::vec(vector(1.0), 20)) {
        let Some(found) = contact(&a.still(), &b.still()) else { return Ok(()) };
        let parted = a.by(found.normal * (found.depth + 1e-9));
        prop_assert!(contact(&parted, &b.still()).is_none(), "{found:?}");
        for way in ways.into_iter().filter_map(DVec3::try_normalize) {
            let shorter = a.by(way * (found.depth - 1e-7).max(0.0) * 0.999);
            prop_assert!(found.depth < 1e-6 || contact(&shorter, &b.still()).is_some(), "{way}");
        }
        // The point lies on b, and on a once a is pushed out.
        let at = Polytope::from_segment(&Segment { a: found.point, b: found.point });
        prop_assert!(gap(&at, &b.still()).abs() < 1e-6, "{found:?}");
        prop_assert!(gap(&at, &a.by(found.push())).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn swapping_turns_the_answers_around(a in body(), b in body(), d in vector(6.0)) {
        let (p, q) = (a.still(), b.still());
        match (contact(&p, &q), contact(&q, &p)) {
            (Some(one), Some(other)) => prop_assert!((one.depth - other.depth).abs() < 1e-8),
            (one, other) => prop_assert_eq!(one.is_some(), other.is_some()),
        }
        prop_assert!((gap(&p, &q) - gap(&q, &p)).abs() < 1e-8);
        let one = sweep_polytope_polytope(&p, d, &q, STILL, &mut ());
        let other = sweep_polytope_polytope(&q, STILL, &p, d, &mut ());
        prop_assert_eq!(one.name(), other.name());
        if let (Some(one), Some(other)) = (one.impact(), other.impact()) {
            prop_assert!((one.fraction - other.fraction).abs() < 1e-9);
            prop_assert!(one.point.distance(other.point) < 1e-5 || gap(&a.by(d * one.fraction), &q).abs() < 1e-9);
        }
    }

    #[test]
    fn moving_the_world_changes_nothing(a in body(), b in body(), d in vector(6.0), shift in vector(1e4), turn in vector(3.0)) {
        let pose = Pose { position: shift, rotation: DQuat::from_scaled_axis(turn) };
        let (p, q) = (a.still(), b.still());
        let (moved_p, moved_q) = (a.at(&pose), b.at(&pose));
        prop_assert!((gap(&p, &q) - gap(&moved_p, &moved_q)).abs() < 1e-8);
        let one = sweep_polytope_polytope(&p, d, &q, STILL, &mut ());
        let other = sweep_polytope_polytope(&moved_p, pose.vector(d), &moved_q, STILL, &mut ());
        // A hit by less than rounding may become a miss by less than rounding.
        if let (SweepOutcome::Hits(one), SweepOutcome::Hits(other)) = (one, other) {
            prop_assert!((one.fraction - other.fraction).abs() < 1e-6);
        }
        if let (SweepOutcome::Misses { by, .. }, SweepOutcome::Misses { by: other, .. }) = (one, other) {
            prop_assert!((by - other).abs() < 1e-6);
        }
    }

    #[test]
    fn a_sweep_is_what_fine_sampling_sees(a in body(), b in body(), d in vector(8.0), e in vector(2.0)) {
        let outcome = sweep_polytope_polytope(&a.still(), d, &b.still(), e, &mut ());
        let at = |fraction: f64| gap(&a.by(d * fraction), &b.by(e * fraction));
        let samples: Vec<f64> = (0..=400).map(|i| at(f64::from(i) / 400.0)).collect();
        let least = samples.iter().copied().fold(f64::INFINITY, f64::min);
        let step = (d - e).length() / 400.0;
        match outcome {
            SweepOutcome::Hits(impact) => {
                prop_assert!(at(impact.fraction).abs() < 1e-8, "gap at impact {}", at(impact.fraction));
                let before = (impact.fraction * 400.0 - 1e-6).floor().max(0.0) as usize;
                prop_assert!(samples[..before].iter().all(|&gap| gap > 0.0), "seen earlier");
                let then = a.by(d * impact.fraction);
                let on = Polytope::from_segment(&Segment { a: impact.point, b: impact.point });
                prop_assert!(gap(&on, &then).abs() < 1e-5, "point off a by {}", gap(&on, &then));
                prop_assert!(gap(&on, &b.by(e * impact.fraction)).abs() < 1e-5);
                prop_assert!((d - e).dot(impact.normal) < 0.0, "the normal is not against the motion");
            }
            SweepOutcome::Misses { by, fraction } => {
                prop_assert!(least >= by - 1e-9, "{least} under {by}");
                prop_assert!(least <= by + step);
                prop_assert!((at(fraction) - by).abs() < 1e-9);
            }
            SweepOutcome::Receding => prop_assert!(samples[0] >= 0.0 && (least - samples[0]).abs() < 1e-9),
            SweepOutcome::Later => prop_assert!((least - samples[400]).abs() < 1e-9 && least >= 0.0),
            SweepOutcome::Overlapping { depth } => prop_assert!((samples[0] + depth).abs() < 1e-12),
            SweepOutcome::Grazes { fraction } => prop_assert!(at(fraction).abs() < 1e-9),
        }
    }

    #[test]
    fn a_gap_is_reached_and_no_lesser_one_is_sampled(a in body(), b in body(), shares in prop::collection::vec([0.0..1.0, 0.0..1.0, 0.0..1.0, 0.0..1.0, 0.0..1.0, 0.0..1.0], 50)) {
        let found = gap_polytope_polytope(&a.still(), &b.still(), &mut ()).unwrap();
        prop_assert!((found.point_a.distance(found.point_b) - found.distance.abs()).abs() < 1e-9);
        if found.distance > 0.0 {
            for [s, t, u, v, w, x] in shares {
                let away = inside(a, s, t, u).distance(inside(b, v, w, x));
                prop_assert!(away >= found.distance - 1e-9);
            }
        }
    }

    #[test]
    fn a_mesh_is_its_triangles(a in body(), corners in prop::collection::vec(vector(3.0), 3..12), d in vector(9.0), place in vector(50.0), turn in vector(3.0)) {
        let count = corners.len() as u32;
        let triangles: Vec<[u32; 3]> = (0..count - 2).map(|i| [i, i + 1, i + 2]).collect();
        let mesh = Mesh::new(corners, triangles.clone(), Facing::Both).unwrap();
        let pose = Pose { position: place, rotation: DQuat::from_scaled_axis(turn) };
        let mover = a.at(&Pose { position: place + turn, rotation: DQuat::IDENTITY });
        let each: Vec<Polytope> = (0..triangles.len() as u32)
            .map(|index| Polytope::from_triangle(&mesh.triangle(index).transformed(&pose)))
            .collect();

        let deepest = each.iter().filter_map(|b| contact(&mover, b)).map(|c| c.depth).fold(-1.0, f64::max);
        let found = contact_polytope_mesh(&mover, &mesh, &pose, &mut ());
        prop_assert!((found.map_or(-1.0, |c| c.depth) - deepest).abs() < 1e-8);
        prop_assert!(found.is_none_or(|c| (contact(&mover, &each[c.triangle.unwrap() as usize]).unwrap().depth - deepest).abs() < 1e-8));

        let least = each.iter().map(|b| gap(&mover, b)).fold(f64::INFINITY, f64::min);
        prop_assert!((gap_polytope_mesh(&mover, &mesh, &pose, &mut ()).unwrap().distance - least).abs() < 1e-8);

        let outcome = sweep_polytope_mesh(&mover, d, &mesh, &pose, STILL, &mut ());
        let ones: Vec<SweepOutcome> = each.iter().map(|b| sweep_polytope_polytope(&mover, d, b, STILL, &mut ())).collect();
        let overlaps = ones.iter().any(|one| matches!(one, SweepOutcome::Overlapping { .. }));
        let first = ones.iter().filter_map(SweepOutcome::impact).map(|hit| hit.fraction).fold(2.0, f64::min);
        match outcome {
            SweepOutcome::Overlapping { .. } => prop_assert!(overlaps),
            SweepOutcome::Hits(impact) => {
                prop_assert!((impact.fraction - first).abs() < 1e-7 && !overlaps);
                let b = each[impact.triangle.unwrap() as usize];
                let point = Polytope::from_segment(&Segment { a: impact.point, b: impact.point });
                prop_assert!(gap(&point, &b).abs() < 1e-5);
            }
            _ => prop_assert!(first > 1.0 && !overlaps, "{outcome:?}"),
        }
    }

    #[test]
    fn two_meshes_are_all_their_triangles(corners in prop::collection::vec(vector(3.0), 4..8), others in prop::collection::vec(vector(3.0), 4..8), d in vector(9.0), place in vector(6.0), turn in vector(3.0)) {
        let strip = |corners: Vec<DVec3>| {
            let triangles = (0..corners.len() as u32 - 2).map(|i| [i, i + 1, i + 2]).collect();
            Mesh::new(corners, triangles, Facing::Both).unwrap()
        };
        let (mesh, other) = (strip(corners), strip(others));
        let pose = Pose { position: place, rotation: DQuat::from_scaled_axis(turn) };
        let still = Pose::IDENTITY;
        let each: Vec<Polytope> = (0..other.triangles().len() as u32).map(|i| Polytope::from_triangle(&other.triangle(i))).collect();
        let depth = each.iter().filter_map(|a| contact_polytope_mesh(a, &mesh, &pose, &mut ())).map(|c| c.depth).fold(-1.0, f64::max);
        let found = contact_mesh_mesh(&other, &still, &mesh, &pose, &mut ());
        prop_assert!((found.map_or(-1.0, |c| c.depth) - depth).abs() < 1e-8);
        let least = each.iter().map(|a| gap_polytope_mesh(a, &mesh, &pose, &mut ()).unwrap().distance).fold(f64::INFINITY, f64::min);
        prop_assert!((gap_mesh_mesh(&other, &still, &mesh, &pose, &mut ()).unwrap().distance - least).abs() < 1e-8);
        let first = each.iter().filter_map(|a| sweep_polytope_mesh(a, d, &mesh, &pose, STILL, &mut ()).impact().map(|hit| hit.fraction)).fold(2.0, f64::min);
        match sweep_mesh_mesh(&other, &still, d, &mesh, &pose, STILL, &mut ()) {
            SweepOutcome::Overlapping { .. } => prop_assert!(depth > 0.0),
            SweepOutcome::Hits(impact) => prop_assert!((impact.fraction - first).abs() < 1e-7),
            outcome => prop_assert!(first > 1.0, "{outcome:?} {first}"),
        }
    }
}

/// Some point of a body.
fn inside(body: Body, s: f64, t: f64, u: f64) -> DVec3 {
    match body {
        Body::Box(obb) => {
            let share = DVec3::new(s, t, u) * 2.0 - DVec3::ONE;
            obb.center + obb.rotation * (obb.half_extents * share)
        }
        Body::Triangle(triangle) => {
            let (s, t) = if s + t > 1.0 {
                (1.0 - s, 1.0 - t)
            } else {
                (s, t)
            };
            triangle.a + (triangle.b - triangle.a) * s + (triangle.c - triangle.a) * t
        }
        Body::Segment(segment) => segment.a + (segment.b - segment.a) * s,
    }
}
