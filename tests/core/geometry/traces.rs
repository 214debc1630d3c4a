//! The steps that queries trace, with their numbers and sentences. Tracing changes no result.

use crate::common::random::{Random, is_full, rounds};
use crate::common::samples::{at, ball, cube, floor, ground, mesh, rod, segment};
use crate::common::sentences::check_item;
use crate::common::steps::{close, step, traced};
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::explain::sentence_of;
use hitstop::core::query::probe::{MAX_PROBE_PUSHES, ProbeMode, STANDARD_PROBE, probe};
use hitstop::core::query::ruler::{measure_point_point, measure_shapes};
use hitstop::core::query::turning::{Turning, sweep_turning};
use hitstop::core::query::{
    Feature, Role, Step, Steps, SweepOutcome, closest_approach, contact, gap, gap_traced, ray_cast,
    ray_cast_traced, ray_cast_triangle, sweep, sweep_probe,
};
use hitstop::core::scene::UserUnits;
use hitstop::core::shape::{
    Cone, Cylinder, Facing, Motion, Pose, RoundedBox, Segment, Shape, SolidShape, Triangle,
};
use std::f64::consts::FRAC_PI_4;

const STILL: Pose = Pose::IDENTITY;

fn above(y: f64) -> Pose {
    Pose::at(at(0.0, y, 0.0))
}

fn slab(facing: Facing) -> Shape {
    Shape::Triangle(floor(facing))
}

fn heap() -> Shape {
    Shape::Mesh(mesh())
}

fn cylinder() -> Shape {
    Shape::Solid(SolidShape::Cylinder(Cylinder {
        half_height: 0.5,
        radius: 0.75,
    }))
}

/// One shape of every kind; a one-sided triangle is a kind of its own.
fn shapes() -> Vec<Shape> {
    vec![
        ball(0.75),
        cube(),
        Shape::Segment(segment()),
        rod(),
        slab(Facing::Both),
        slab(Facing::Front),
        cylinder(),
        Shape::Solid(SolidShape::Cone(Cone {
            half_height: 0.5,
            radius: 0.75,
        })),
        Shape::Solid(SolidShape::RoundedBox(RoundedBox {
            half_extents: DVec3::splat(0.5),
            radius: 0.25,
        })),
        ground(),
        heap(),
    ]
}

/// Normal to x.
fn wall(x: f64) -> Triangle {
    Triangle {
        a: at(x, -50.0, -50.0),
        b: at(x, -50.0, 50.0),
        c: at(x, 50.0, 0.0),
        facing: Facing::Both,
    }
}

fn contact_steps(a: &Shape, pose: Pose, b: &Shape) -> Vec<Step> {
    traced(|trace| contact(&a.placed(&pose), &b.placed(&STILL), trace)).1
}

/// Starts 2 above the other, and moves straight down by 2.
fn fall_steps(a: &Shape, b: &Shape) -> Vec<Step> {
    let fall = Motion {
        start: above(2.0),
        end: STILL,
    };
    traced(|trace| sweep(a, &fall, b, &Motion::still(STILL), trace)).1
}

/// 2 apart at the start, radii 0.5 each, 2 down: f(t) = 4 t^2 - 8 t + 3, so b = -4, D = 16 - 12 = 4, and the hit is at 3 / (2 + 4).
#[test]
fn two_spheres_trace_their_parabola() {
    let steps = fall_steps(&ball(0.5), &ball(0.5));
    let numbers = step!(steps, Step::Parabola { a, b, c, gap, radii } => [a, b, c, gap, radii]);
    for (got, expected) in numbers.into_iter().zip([4.0, -4.0, 3.0, 1.0, 1.0]) {
        close(got, expected);
    }
    close(step!(steps, Step::Discriminant { value } => value), 4.0);
    close(step!(steps, Step::Hits { fraction } => fraction), 0.5);
    let steps = contact_steps(&ball(1.0), STILL, &ball(1.0));
    assert_eq!(
        step!(steps, Step::FallbackNormal { normal } => normal),
        DVec3::Y
    );
    let steps = contact_steps(&ball(1.0), Pose::at(DVec3::NAN), &ball(1.0));
    assert_eq!(steps, [Step::BadNumber]);
}

/// Beside a corner of the cube no axis separates, and the closest point decides.
#[test]
fn a_sphere_and_a_box_trace_how_far_the_centre_is_beyond_the_faces() {
    let steps = contact_steps(&ball(1.0), Pose::at(DVec3::splat(1.9)), &cube());
    let by = step!(steps, Step::BeyondFaces { by, radius: 1.0 } => by);
    assert!(by.distance(DVec3::splat(0.9)) < 1e-12);
    let corner = Feature::Vertex(7);
    let away = 0.9 * 3.0_f64.sqrt();
    close(
        step!(steps, Step::Nearest { feature, distance } if feature == corner => distance),
        away,
    );
    close(
        step!(steps, Step::Separated { distance } => distance),
        away - 1.0,
    );
    // 2 above the centre, 1 above the upper face, radius 0.5: 0.5 of 2.
    let steps = fall_steps(&ball(0.5), &cube());
    close(step!(steps, Step::Start { gap, .. } => gap), 0.5);
    close(step!(steps, Step::Start { approach, .. } => approach), 2.0);
    let bound = step!(steps, Step::Start { bound, .. } => bound);
    assert!(bound > 0.0 && bound < 1e-12, "{bound}");
    close(step!(steps, Step::Hits { fraction } => fraction), 0.25);
    assert_eq!(
        step!(steps, Step::HitsFeature { feature } => feature),
        Feature::Face(3)
    );
}

/// At right angles, 2 above each other: the centre of one over a quarter of the other.
#[test]
fn two_segments_trace_their_closest_points() {
    let across = Shape::Segment(Segment {
        a: at(-0.5, 2.0, -1.0),
        b: at(-0.5, 2.0, 1.0),
    });
    let steps = contact_steps(&across, STILL, &Shape::Segment(segment()));
    let closest = step!(steps, Step::ClosestOfSegments { s, t, distance } => [s, t, distance]);
    for (got, expected) in closest.into_iter().zip([0.5, 0.25, 2.0]) {
        close(got, expected);
    }
}

/// Two cubes, one above the other by 1.75, overlap by 0.25; by 2.5, the axis separates by 0.5.
#[test]
fn two_boxes_trace_their_axes() {
    let turned = |y: f64| Pose {
        position: at(0.1, y, 0.0),
        rotation: DQuat::from_rotation_y(0.4),
    };
    let steps = contact_steps(&cube(), turned(1.75), &cube());
    let axes = |edges: bool| move |step: &&Step| matches!(step, Step::Axis { edges: of, .. } if *of == edges);
    assert_eq!(steps.iter().filter(axes(false)).count(), 6);
    // Of nine cross products of edges the one of both y axes is zero.
    assert_eq!(steps.iter().filter(axes(true)).count(), 8);
    let (axis, depth) = step!(steps, Step::LeastOverlap { axis, depth } => (axis, depth));
    assert!(axis.distance(DVec3::Y) < 1e-12);
    close(depth, 0.25);
    let steps = contact_steps(&cube(), turned(2.5), &cube());
    let (axis, gap) = step!(steps, Step::SeparatingAxis { axis, gap } => (axis, gap));
    assert!(axis.distance(DVec3::Y) < 1e-12);
    close(gap, 0.5);
}

/// Cubes one on the other, exactly: their distance is none, and no depth.
#[test]
fn a_distance_of_zero_is_traced_as_a_distance() {
    let steps =
        traced(|trace| gap_traced(&cube().placed(&above(2.0)), &cube().placed(&STILL), trace)).1;
    assert_eq!(step!(steps, Step::Separated { distance } => distance), 0.0);
}

/// A ball at rest on the ground, and a cylinder on a cube, slide; rounding tilts their path by less than the error bound, which is no approach.
#[test]
fn what_rests_and_slides_is_traced_as_receding() {
    for (body, height, support) in [(ball(0.5), 0.5, ground()), (cylinder(), 1.5, cube())] {
        let slide = Motion {
            start: above(height),
            end: Pose::at(at(1.0, height.next_down(), 0.0)),
        };
        let still = Motion::still(STILL);
        let (sweep, steps) = traced(|trace| sweep(&body, &slide, &support, &still, trace));
        assert_eq!(sweep.outcome, SweepOutcome::Misses);
        close(step!(steps, Step::Receding { approach } => approach), 0.0);
    }
}

/// Two cubes, 1 apart, close by 4; rotated by 45 degrees one extends to sqrt(2), and 2 - sqrt(2) is between them.
#[test]
fn the_last_axis_of_moving_boxes_to_overlap_is_the_hit() {
    for (angle, fraction) in [(0.0, 0.25), (FRAC_PI_4, (2.0 - 2.0_f64.sqrt()) / 4.0)] {
        let start = Pose {
            position: at(3.0, 0.0, 0.0),
            rotation: DQuat::from_rotation_y(angle),
        };
        let end = Pose {
            position: at(-1.0, 0.0, 0.0),
            ..start
        };
        let (motion, still) = (Motion { start, end }, Motion::still(STILL));
        let (_, steps) = traced(|trace| sweep(&cube(), &motion, &cube(), &still, trace));
        let begins = steps.iter().filter_map(|step| match *step {
            Step::SweptAxis { begin, .. } => Some(begin),
            _ => None,
        });
        close(begins.fold(f64::NEG_INFINITY, f64::max), fraction);
        close(step!(steps, Step::Hits { fraction } => fraction), fraction);
    }
}

/// The rod lies 2.5 above the centre of the cube: its core is 1.5 above the face, and its radius 0.25.
#[test]
fn closest_points_of_cores_and_the_advance_to_a_hit_are_traced() {
    let steps = contact_steps(&rod(), above(2.5), &cube());
    let (iterations, distance, normal) = step!(
        steps,
        Step::ClosestPoints { iterations, distance, normal } => (iterations, distance, normal)
    );
    assert!(iterations > 0);
    close(distance, 1.5);
    assert!(normal.distance(DVec3::Y) < 1e-12);
    close(step!(steps, Step::Separated { distance } => distance), 1.25);
    // From 2: 0.75 to go of 2.
    let steps = fall_steps(&rod(), &cube());
    close(step!(steps, Step::Start { gap, .. } => gap), 0.75);
    close(
        step!(steps, Step::Advance { fraction, .. } => fraction),
        0.375,
    );
    close(
        step!(steps, Step::Advance { distance, .. } => distance),
        0.0,
    );
    close(step!(steps, Step::Hits { fraction } => fraction), 0.375);
    // A cylinder half a metre high on the cube, 0.25 below its upper face.
    let steps = contact_steps(&cylinder(), above(1.25), &cube());
    let (depth, normal) = step!(steps, Step::Penetration { depth, normal, .. } => (depth, normal));
    close(depth, 0.25);
    assert!(normal.distance(DVec3::Y) < 1e-9);
}

/// Of the two triangles of the heap the upper one, at y = 0, decides.
#[test]
fn the_deciding_triangle_of_a_mesh_is_traced() {
    let part = |steps: &[Step]| step!(steps, Step::Part { index, role, .. } => (index, role));
    let steps = contact_steps(&ball(1.0), above(0.75), &heap());
    assert_eq!(part(&steps), (0, Role::Deepest));
    close(step!(steps, Step::Overlapping { depth } => depth), 0.25);
    let (a, b) = (ball(1.0), heap());
    let (a, b) = (a.placed(&above(2.5)), b.placed(&STILL));
    let steps = traced(|trace| gap_traced(&a, &b, trace)).1;
    assert_eq!(part(&steps), (0, Role::Nearest));
    close(step!(steps, Step::Separated { distance } => distance), 1.5);
    let steps = fall_steps(&ball(0.5), &heap());
    assert_eq!(part(&steps), (0, Role::Earliest));
    close(step!(steps, Step::Hits { fraction } => fraction), 0.75);
    assert!(step!(steps, Step::PartsTested { count } => count) >= 1);
    // A ball of 2.5 m begins half a metre deep.
    let steps = fall_steps(&ball(2.5), &heap());
    assert_eq!(part(&steps), (0, Role::Deepest));
    close(step!(steps, Step::Overlapping { depth } => depth), 0.5);
}

#[test]
fn a_one_sided_triangle_is_traced() {
    let front = slab(Facing::Front);
    assert_eq!(
        contact_steps(&ball(1.0), above(-0.5), &front),
        [Step::BehindOneSided]
    );
    let steps = contact_steps(&ball(1.0), above(0.75), &front);
    close(
        step!(steps, Step::PlaneDistance { distance } => distance),
        0.75,
    );
    close(step!(steps, Step::Overlapping { depth } => depth), 0.25);
    // It passes the plane before the edge from (4, 0, -4) to (-4, 0, -4), and would touch that edge from behind.
    let motion = Motion {
        start: Pose::at(at(0.0, 0.1, -6.0)),
        end: Pose::at(at(0.0, -0.9, -2.0)),
    };
    let still = Motion::still(STILL);
    let steps = traced(|trace| sweep(&ball(0.5), &motion, &front, &still, trace)).1;
    assert!(step!(steps, Step::FallsBehindOneSided { fraction } => fraction) > 0.1);
}

#[test]
fn rays_trace_planes_edges_and_the_hit() {
    let down = Segment {
        a: at(0.0, 3.0, 0.0),
        b: at(0.0, -3.0, 0.0),
    };
    let steps = |shape: &Shape| traced(|trace| ray_cast_traced(&down, shape, &STILL, trace)).1;
    // From 3 to -3: a ball of 1.5 at 1.5 of 6, the triangle halfway.
    let of_ball = steps(&ball(1.5));
    close(step!(of_ball, Step::RayStart { distance } => distance), 1.5);
    close(
        step!(of_ball, Step::RayHit { fraction, back: false } => fraction),
        0.25,
    );
    for shape in [slab(Facing::Both), heap()] {
        let of_triangle = steps(&shape);
        let ends = step!(of_triangle, Step::PlaneDistances { from, to } => [from, to]);
        assert!(ends[0] > 0.0 && ends[1] == -ends[0], "{ends:?}");
        // It crosses at z = 0 of -4 to 6: 0.4 of b, and 0.3 of a and c each.
        let volumes = step!(of_triangle, Step::EdgeSigns { volumes } => volumes);
        let weights = volumes / (volumes.x + volumes.y + volumes.z);
        assert!(weights.distance(at(0.3, 0.4, 0.3)) < 1e-12, "{weights}");
        close(
            step!(of_triangle, Step::RayHit { fraction, .. } => fraction),
            0.5,
        );
    }
    assert_eq!(steps(&Shape::Segment(segment())), [Step::NoSurface]);
}

/// The line along x extends to 0.5; the wall is 0.3 ahead, so 0.2 of it are beyond. Between two walls 0.9 apart a line of 1 is pushed
/// back and forth.
#[test]
fn probes_trace_their_pushes() {
    let one_line = &STANDARD_PROBE[..1];
    let run = |walls: &[Triangle]| {
        traced(|trace| probe(DVec3::ZERO, one_line, walls, ProbeMode::Deepest, trace)).1
    };
    let steps = run(&[wall(0.3)]);
    assert_eq!(
        step!(steps, Step::LinesTested { lines, triangles } => (lines, triangles)),
        (1, 1)
    );
    close(step!(steps, Step::LinePush { push, .. } => push.x), -0.2);
    close(
        step!(steps, Step::ProbeEnds { pushes: 1, push } => push.x),
        -0.2,
    );
    let steps = run(&[wall(0.45), wall(-0.45)]);
    let pushes = step!(steps, Step::GivesUp { pushes } => pushes);
    assert_eq!(pushes as usize, MAX_PROBE_PUSHES);
}

#[test]
fn a_ruler_traces_its_lengths() {
    let (ruler, steps) = traced(|trace| measure_point_point(DVec3::ONE, at(4.0, 5.0, 13.0), trace));
    close(ruler.distance, 13.0);
    close(step!(steps, Step::Distance { distance } => distance), 13.0);
    let planes = step!(steps, Step::InPlanes { xy, yz, zx } => [xy, yz, zx]);
    for (got, square) in planes.into_iter().zip([25.0_f64, 160.0, 153.0]) {
        close(got, square.sqrt());
    }
}

/// A blade 3 long and 0.04 thick rotates by 1 toward a post of radius 0.1 at 1 m, 0.5 ahead: they touch while less than asin(0.12) is
/// between them.
#[test]
fn rotating_shapes_trace_touch_and_exit() {
    let blade = Shape::Box {
        half_extents: at(1.5, 0.1, 0.02),
    };
    let rotation = DQuat::from_rotation_y(1.0);
    let turn = Turning::of(&Motion {
        start: STILL,
        end: Pose { rotation, ..STILL },
    });
    let steps = |post: DVec3| {
        let still = Turning::of(&Motion::still(Pose::at(post)));
        traced(|trace| sweep_turning(&blade, &turn, &ball(0.1), &still, 0.002, trace)).1
    };
    let ahead = steps(DQuat::from_rotation_y(0.5) * DVec3::X);
    let touch = 0.5 - 0.12_f64.asin();
    let first = step!(ahead, Step::FirstTouch { fraction } => fraction);
    let parts = step!(ahead, Step::PartsAt { fraction } => fraction);
    assert!((first - touch).abs() < 1e-9 && (parts - (1.0 - touch)).abs() < 1e-9);
    let far = steps(DVec3::X * 9.0);
    close(step!(far, Step::NeverDeeper { depth, .. } => depth), 0.002);
}

/// Pairs of every kind at random poses: every query has steps, every step a sentence, and the result is the same without a trace.
#[test]
fn tracing_changes_no_bit_of_a_result() {
    let mut random = Random(20_261);
    let shapes = shapes();
    for case in 0..rounds(40) {
        let pose = |random: &mut Random| Pose {
            position: random.point(3.0),
            rotation: DQuat::from_scaled_axis(random.point(2.0)),
        };
        let (from, to) = (pose(&mut random), pose(&mut random));
        // Of every eight, one exact, one coincident, one not a number.
        let (from, to) = match case % 8 {
            0 => (STILL, Pose::at(random.grid(3))),
            1 => (from, from),
            2 => (Pose::at(DVec3::NAN), to),
            _ => (from, to),
        };
        for (row, a) in shapes.iter().enumerate() {
            for (column, b) in shapes.iter().enumerate() {
                // Every second pair in turn, of all samples every one.
                if is_full() || (row + column + case) % 2 == 0 {
                    compare_pair(a, &from, b, &to);
                }
            }
            compare_rays(a, &to, from.position, random.point(4.0));
        }
    }
}

fn compare_pair(a: &Shape, from: &Pose, b: &Shape, to: &Pose) {
    let (p, q) = (a.placed(from), b.placed(to));
    compare(
        |trace| contact(&p, &q, trace),
        |trace| contact(&p, &q, trace),
    );
    compare(|trace| gap_traced(&p, &q, trace), |_| gap(&p, &q));
    compare(
        |trace| measure_shapes(&p, &q, trace),
        |trace| measure_shapes(&p, &q, trace),
    );
    let motion = Motion {
        start: *from,
        end: Pose {
            position: to.position,
            ..*from
        },
    };
    let still = Motion::still(STILL);
    compare(
        |trace| sweep(a, &motion, b, &still, trace),
        |trace| sweep(a, &motion, b, &still, trace),
    );
    let (approach, steps) = traced(|trace| closest_approach(a, &motion, b, &still, trace));
    let untraced = closest_approach(a, &motion, b, &still, &mut ());
    same(&approach, &untraced, &steps);
    // Without a distance there is nothing to trace.
    assert!(approach.is_none() || !steps.is_empty());
    let [turning, rest] = [&motion, &still].map(Turning::of);
    compare(
        |trace| sweep_turning(a, &turning, b, &rest, 0.05, trace),
        |trace| sweep_turning(a, &turning, b, &rest, 0.05, trace),
    );
}

fn compare_rays(shape: &Shape, pose: &Pose, a: DVec3, b: DVec3) {
    let ray = Segment { a, b };
    compare(
        |trace| ray_cast_traced(&ray, shape, pose, trace),
        |_| ray_cast(&ray, shape, pose),
    );
    let triangle = floor(Facing::Both).transformed(pose);
    compare(
        |trace| ray_cast_triangle(&ray, &triangle, trace),
        |trace| ray_cast_triangle(&ray, &triangle, trace),
    );
    let triangles = [triangle, wall(b.x)];
    for mode in [ProbeMode::InOrder, ProbeMode::Deepest] {
        compare(
            |trace| probe(a, &STANDARD_PROBE, &triangles, mode, trace),
            |trace| probe(a, &STANDARD_PROBE, &triangles, mode, trace),
        );
    }
    compare(
        |trace| sweep_probe(a, b, &STANDARD_PROBE, &triangles, trace),
        |trace| sweep_probe(a, b, &STANDARD_PROBE, &triangles, trace),
    );
}

#[track_caller]
fn compare<R: std::fmt::Debug>(
    query: impl FnOnce(&mut Steps) -> R,
    untraced: impl FnOnce(&mut ()) -> R,
) {
    let (result, steps) = traced(query);
    same(&result, &untraced(&mut ()), &steps);
    assert!(!steps.is_empty(), "{result:?}");
}

/// Every bit is in the text: numbers are written so that they read back exactly, including the sign of zero.
#[track_caller]
fn same<R: std::fmt::Debug>(result: &R, untraced: &R, steps: &[Step]) {
    assert_eq!(format!("{result:?}"), format!("{untraced:?}"), "{steps:?}");
    for step in steps {
        let sentence = sentence_of(step, UserUnits::default());
        check_item(&sentence);
        assert!(sentence.ends_with('.'), "{sentence}");
    }
}
