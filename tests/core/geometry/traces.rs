//! The steps that queries trace: their names in order and their numbers. Tracing changes no answer.

use crate::common::random::Random;
use crate::common::samples::{at, ball, cube, floor, ground, mesh, rod, segment};
use crate::common::steps::{close, names, number};
use glam::{DQuat, DVec2, DVec3};
use hitstop::core::bounds::{SphereTree, sweep_sphere_tree};
use hitstop::core::diagnose::explain::sentence_of;
use hitstop::core::query::closest_point::*;
use hitstop::core::query::contact::contact_aabb_aabb;
use hitstop::core::query::distance::*;
use hitstop::core::query::overlap::*;
use hitstop::core::query::polytope::sweep_obb_obb;
use hitstop::core::query::probe::{MAX_PROBE_PUSHES, ProbeMode, STANDARD_PROBE, probe};
use hitstop::core::query::ruler::{measure_point_point, measure_shapes};
use hitstop::core::query::turning::{Turning, sweep_turning};
use hitstop::core::query::{
    PlanedTriangle, Steps, contact, gap, gap_traced, nearest_on_any, overlaps, overlaps_traced,
    ray_cast, ray_cast_planed_triangle, ray_cast_traced, ray_cast_triangle, sweep, sweep_probe,
};
use hitstop::core::shape::{
    Aabb, Capsule, Facing, Motion, Obb, Plane, Pose, Segment, Shape, Sphere, Triangle,
};
use std::f64::consts::FRAC_PI_4;
use std::path::Path;

/// The answer of a query, and the steps it traces.
fn traced<R>(query: impl FnOnce(&mut Steps) -> R) -> (R, Steps) {
    let mut steps = Steps::default();
    let answer = query(&mut steps);
    (answer, steps)
}

/// Returns the answer of a query, which must trace the expected steps: "Squared squared=25, .., Distance" is a step with a number, any
/// number of others, and a last one.
#[track_caller]
fn expect<R>(expected: &str, query: impl FnOnce(&mut Steps) -> R) -> R {
    fn matches(names: &[&str], expected: &[&str]) -> bool {
        match (names, expected) {
            ([], []) => true,
            (_, ["..", rest @ ..]) if matches(names, rest) => true,
            ([_, names @ ..], ["..", ..]) => matches(names, expected),
            ([name, names @ ..], [first, rest @ ..]) => name == first && matches(names, rest),
            _ => false,
        }
    }
    let (answer, steps) = traced(query);
    let mut wanted = Vec::new();
    for step in expected.split(", ") {
        let (step, numbers) = match step.find('=') {
            Some(first) => step.split_at(step[..first].rfind(' ').unwrap()),
            None => (step, ""),
        };
        wanted.push(step);
        for part in numbers.split_whitespace() {
            let (name, value) = part.split_once('=').unwrap();
            close(number(&steps, step, name), value.parse().unwrap());
        }
    }
    let names = names(&steps);
    assert!(
        matches(&names, &wanted),
        "got {names:?}, expected {wanted:?}"
    );
    answer
}

/// An array of rows: values, and the steps that they must lead to.
macro_rules! rows {
    ($($($value:expr),+ => $steps:expr;)+) => { [$(($($value),+, &*$steps)),+] };
}

/// Queries with the steps and the answer that each must give.
macro_rules! queries {
    ($($steps:expr => $answer:expr, |$trace:ident| $query:expr;)+) => {
        $(assert_eq!(expect($steps, |$trace| $query), $answer, "{}", $steps);)+
    };
}

const STILL: Pose = Pose::IDENTITY;

const UNIT: Aabb = Aabb {
    min: DVec3::NEG_ONE,
    max: DVec3::ONE,
};

const UNIT_BOX: Obb = Obb {
    center: DVec3::ZERO,
    half_extents: DVec3::ONE,
    rotation: DQuat::IDENTITY,
};

const ROD: Capsule = Capsule {
    segment: Segment {
        a: DVec3::NEG_X,
        b: DVec3::X,
    },
    radius: 0.25,
};

fn sphere(x: f64, radius: f64) -> Sphere {
    let center = at(x, 0.0, 0.0);
    Sphere { center, radius }
}

fn above(y: f64) -> Pose {
    Pose::at(at(0.0, y, 0.0))
}

fn vertical(x: f64, from: f64, to: f64) -> Segment {
    let (a, b) = (at(x, from, 0.0), at(x, to, 0.0));
    Segment { a, b }
}

fn slab(facing: Facing) -> Shape {
    Shape::Triangle(floor(facing))
}

fn line() -> Shape {
    Shape::Segment(segment())
}

fn heap() -> Shape {
    Shape::Mesh(mesh())
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

#[test]
fn contacts() {
    // Beside the corner no axis separates, and the closest point decides.
    let beside = Pose::at(DVec3::splat(1.9));
    let separated = format!("AxisEarlyOut, Separated distance={}", 0.9 * 3.0_f64.sqrt());
    let turned = |y: f64| Pose {
        position: at(0.1, y, 0.0),
        rotation: DQuat::from_rotation_y(0.4),
    };
    let face = "PlaneDistance, NearestFace, Overlapping depth=0.25";
    for (a, pose, b, expected) in rows! {
        ball(1.0), above(0.75), ball(0.5) => "Overlapping depth=0.75";
        ball(1.0), above(0.75), ground() => "Overlapping depth=0.25";
        ball(1.0), above(0.75), line() => "ClosestOnSegment, Overlapping depth=0.25";
        ball(1.0), above(0.75), rod() => "ClosestOnSegment, Overlapping depth=0.5";
        ball(1.0), above(0.75), slab(Facing::Both) => face;
        ball(1.0), above(0.75), heap() => format!("TrianglesTested, DeepestTriangle, {face}");
        ball(1.0), above(1.75), cube() => "AxisEarlyOut y=0.75, Overlapping";
        ball(1.0), above(2.5), cube() => "AxisEarlyOut, SeparatedOnAxis distance=1.5";
        ball(1.0), beside, cube() => separated;
        ball(1.0), above(-0.5), slab(Facing::Front) => "PlaneDistance, BehindOneSided";
        ball(1.0), STILL, ball(1.0) => "Overlapping, FallbackNormal";
        ball(1.0), Pose::at(DVec3::NAN), ball(1.0) => "BadNumber";
        cube(), turned(1.75), cube() => "face axis, face axis, face axis, .., least push depth=0.25 y=1";
        cube(), turned(2.5), cube() => ".., separating axis y=1";
        rod(), above(0.9), cube() => ".., least push depth=0.1, .., Overlapping depth=0.35";
    } {
        let (a, b) = (a.placed(&pose), b.placed(&STILL));
        expect(expected, |trace| contact(&a, &b, trace));
    }
    let one = Aabb {
        min: DVec3::ZERO,
        max: DVec3::ONE,
    };
    expect("OverlapPerAxis, LeastOverlap depth=1.25", |trace| {
        contact_aabb_aabb(&one, &one.grown(0.25), trace)
    });
}

/// From 2 above, 2 down: a ball of radius 0.5 hits what ends at y = 0 after 0.75.
#[test]
fn sweeps() {
    let fall = Motion {
        start: above(2.0),
        end: STILL,
    };
    let small = Shape::Box {
        half_extents: DVec3::splat(0.5),
    };
    let on_face = "Start, OnFace, Hits fraction=0.75";
    for (shape, other, expected) in rows! {
        ball(0.5), ball(0.5) => "Parabola, Hits fraction=0.5";
        ball(0.5), ground() => on_face;
        ball(0.5), line() => "Start, OnEdge, Hits fraction=0.75";
        ball(0.5), rod() => "Start, OnEdge, Hits fraction=0.625";
        ball(0.5), cube() => "Start, OnFace, Hits fraction=0.25";
        ball(0.5), slab(Facing::Both) => on_face;
        ball(0.5), slab(Facing::Front) => format!("PlaneDistance, {on_face}");
        ball(0.5), heap() => format!("TrianglesTested, EarliestTriangle, {on_face}");
        rod(), cube() => "Start, .., Hits fraction=0.375";
        rod(), slab(Facing::Both) => "Start, .., Hits fraction=0.875";
        rod(), rod() => "Start, .., Hits fraction=0.75";
        rod(), slab(Facing::Front) => "PlaneDistances, ..";
        rod(), heap() => "TrianglesTested, EarliestTriangle, Start, ..";
        cube(), ground() => "DeepestVertex, Hits";
        small, cube() => ".., no motion along the axis, .., Hits fraction=0.25 y=1, ..";
    } {
        let query = |trace: &mut Steps| sweep(&shape, &fall, &other, &Motion::still(STILL), trace);
        expect(expected, query);
        if matches!(shape, Shape::Sphere { .. }) {
            let steps = traced(query).1.0;
            let mut numbers = steps.iter().flat_map(|step| &step.numbers);
            // The bound of rounding below which exact arithmetic decides; larger for a slim triangle.
            let noise = numbers.find(|(name, _)| *name == "noise").unwrap().1;
            assert!(noise > 0.0 && noise < 1e-12, "{noise}");
        }
    }
    let (mesh, ball) = (mesh(), sphere(0.0, 0.5));
    let tree = (&*mesh, &SphereTree::new(&mesh));
    expect("SphereTree spheres=1 triangles=2, ..", |trace| {
        let up = above(2.0);
        let drop = fall.displacement();
        let still = Pose::at(-up.position);
        sweep_sphere_tree(&ball, drop, tree, &still, DVec3::ZERO, trace)
    });
}

/// Two cubes, 1 apart, close by 4; turned by 45 degrees one reaches sqrt(2), and 2 - sqrt(2) is between them.
#[test]
fn the_last_axis_of_moving_boxes_to_overlap_is_the_hit() {
    for (angle, fraction) in [(0.0, 0.25), (FRAC_PI_4, (2.0 - 2.0_f64.sqrt()) / 4.0)] {
        let mover = Obb {
            center: at(3.0, 0.0, 0.0),
            rotation: DQuat::from_rotation_y(angle),
            ..UNIT_BOX
        };
        let step = at(-4.0, 0.0, 0.0);
        let query = |trace: &mut Steps| sweep_obb_obb(&mover, step, &UNIT_BOX, DVec3::ZERO, trace);
        let outcome = expect(&format!(".., Hits fraction={fraction} x=1, .."), query);
        close(outcome.impact().unwrap().fraction, fraction);
        let steps = traced(query).1.0;
        let numbers = steps.iter().flat_map(|step| &step.numbers);
        let begins = numbers.filter(|(name, _)| *name == "begin");
        let last = begins.fold(f64::NEG_INFINITY, |last, (_, begin)| last.max(*begin));
        close(last, fraction);
    }
}

#[test]
fn distances() {
    let (point, flat) = (at(2.0, 3.0, 6.0), DVec2::new(4.0, 5.0));
    // 3, 4 beyond the end of the segment.
    let beyond = at(4.0, 4.0, 0.0);
    let plane = Plane {
        normal: DVec3::Y,
        offset: 1.0,
    };
    queries! {
        "Differences x=3, Squared squared=25, Distance" => 5.0, |trace| distance_point_point_2d(DVec2::ONE, flat, trace);
        "Differences, Squared, Distance distance=7" => 7.0, |trace| distance_point_point(DVec3::ZERO, point, trace);
        ".., BeyondRadius distance=-1" => 0.0, |trace| distance_point_sphere(point, &sphere(0.0, 8.0), trace);
        "ClosestOnSegment share=1, Differences, Squared, Distance" => 5.0, |trace| distance_point_segment(beyond, &segment(), trace);
        ".., BeyondRadius distance=4.75" => 4.75, |trace| distance_point_capsule(beyond, &ROD, trace);
        "BeyondFaces x=4 z=-1, .." => 5.0, |trace| distance_point_aabb(at(5.0, 4.0, 0.0), &UNIT, trace);
        "PlaneDistance distance=-1, .." => 0.0, |trace| distance_point_plane(DVec3::ZERO, &plane, trace);
    }
}

#[test]
fn closest_points() {
    let (a, b) = (DVec3::X, DVec3::X);
    expect("ClosestOnSegment share=0.75", |trace| {
        closest_point_on_segment_traced(at(0.5, 3.0, 0.0), &segment(), trace)
    });
    expect("ClosestOnSegment, SegmentIsPoint", |trace| {
        closest_point_on_segment_traced(DVec3::ZERO, &Segment { a, b }, trace)
    });
    // At right angles, 2 above each other: the middle of one over the quarter of the other.
    let across = Segment {
        a: at(-0.5, 2.0, -1.0),
        b: at(-0.5, 2.0, 1.0),
    };
    let shares = expect(
        "ClosestOfSegments s=0.5 t=0.25 distance=2 cross=4, ..",
        |trace| closest_points_of_segments_traced(&across, &segment(), trace),
    );
    assert_eq!(shares, (0.5, 0.25));
    let triangle = floor(Facing::Both);
    let collinear = Triangle {
        c: at(-2.0, 0.0, 1.0),
        ..triangle
    };
    for (point, triangle, expected) in rows! {
        at(0.0, 2.0, 0.0), triangle => "PlaneDistance distance=2, NearestFace number=0 distance=2";
        // Beyond the edge from (4, 0, -4) to (-4, 0, -4), and beyond the corner (0, 0, 6).
        at(0.0, 3.0, -8.0), triangle => "PlaneDistance distance=3, NearestEdge number=2 distance=5";
        at(0.0, 3.0, 10.0), triangle => "PlaneDistance distance=3, NearestVertex number=1 distance=5";
        DVec3::ZERO, collinear => "DegenerateTriangle, ..";
    } {
        expect(expected, |trace| {
            closest_point_on_triangle_traced(point, &triangle, trace)
        });
    }
    expect("BeyondFaces x=2 z=1, ..", |trace| {
        closest_point_on_aabb_traced(at(3.0, 0.0, -2.0), &UNIT, trace)
    });
    let diamond = Obb {
        rotation: DQuat::from_rotation_z(FRAC_PI_4),
        ..UNIT_BOX
    };
    expect(
        &format!("BeyondFaces x={}, ..", 4.5_f64.sqrt() - 1.0),
        |trace| closest_point_on_obb_traced(at(0.0, 3.0, 0.0), &diamond, trace),
    );
}

#[test]
fn nearest_points() {
    for (y, shape, distance, expected) in rows! {
        2.5, ball(0.5), Some(2.0) => "NearestPoint distance=2";
        2.5, cube(), Some(1.5) => "BeyondFaces, NearestFace distance=1.5";
        2.5, line(), Some(2.5) => "ClosestOnSegment, NearestEdge distance=2.5";
        2.5, rod(), Some(2.25) => "ClosestOnSegment, NearestEdge distance=2.25";
        2.5, slab(Facing::Front), Some(2.5) => "PlaneDistance, NearestFace distance=2.5";
        2.5, ground(), Some(2.5) => "NearestFace distance=2.5";
        2.5, heap(), Some(2.5) => "NearestTriangle, NearestFace distance=2.5";
        -2.5, slab(Facing::Front), None => "PlaneDistance, BehindOneSided";
        0.0, ball(1.0), Some(-1.0) => "NearestPoint, FallbackNormal";
    } {
        let (placed, point) = (shape.placed(&STILL), at(0.0, y, 0.0));
        let found = expect(expected, |trace| nearest_on_any(point, &placed, trace));
        assert_eq!(
            found.map(|nearest| nearest.distance),
            distance,
            "{expected}"
        );
    }
}

#[test]
fn gaps() {
    let (flat, front) = (slab(Facing::Both), slab(Facing::Front));
    let nowhere = Pose::at(DVec3::NAN);
    // From a height above the other: the gap is what is left. All but capsules among themselves name a nearest feature.
    for (shape, pose, other, gap, expected) in rows! {
        ball(1.0), above(2.5), &ball(0.5), Some(1.0) => "NearestPoint, Gap distance=1";
        ball(1.0), above(2.5), &cube(), Some(0.5) => "BeyondFaces, .., NearestFace, .., Gap distance=0.5";
        ball(1.0), above(2.5), &line(), Some(1.5) => "ClosestOnSegment, .., NearestEdge, .., Gap distance=1.5";
        ball(1.0), above(2.5), &heap(), Some(1.5) => ".., NearestTriangle, .., Gap distance=1.5";
        cube(), above(2.5), &ball(1.0), Some(0.5) => "BeyondFaces, .., NearestFace, .., Gap distance=0.5";
        cube(), above(2.5), &ground(), Some(1.5) => "DeepestVertex, .., NearestVertex, .., Gap distance=1.5";
        rod(), above(2.5), &rod(), Some(2.0) => ".., ClosestOfSegments, .., Gap distance=2";
        rod(), above(2.5), &line(), Some(2.25) => ".., ClosestOfSegments, .., Gap distance=2.25";
        rod(), above(2.5), &cube(), Some(1.25) => ".., separating axis, .., Gap distance=1.25";
        rod(), above(2.5), &flat, Some(2.25) => ".., separating axis, .., Gap distance=2.25";
        rod(), above(2.5), &heap(), Some(2.25) => ".., NearestTriangle, .., Gap distance=2.25";
        cube(), above(2.5), &cube(), Some(0.5) => ".., separating axis, .., Gap distance=0.5";
        cube(), above(4.5), &cube(), Some(2.5) => ".., SpheresApart, .., Gap distance=2.5";
        cube(), above(2.5), &flat, Some(1.5) => ".., separating axis, .., Gap distance=1.5";
        cube(), above(2.5), &heap(), Some(1.5) => ".., NearestTriangle, .., Gap distance=1.5";
        heap(), above(3.5), &cube(), Some(1.5) => ".., NearestTriangle, .., Gap distance=1.5";
        heap(), above(3.5), &heap(), Some(2.5) => ".., OwnTriangle, .., Gap distance=2.5";
        ball(1.0), above(1.0), &ball(0.5), Some(-0.5) => "NearestPoint, Overlapping depth=0.5";
        ball(1.0), nowhere, &ball(0.5), None => "BadNumber";
        ground(), STILL, &ground(), None => "TwoPlanes";
        ball(1.0), above(-2.5), &front, None => ".., BehindOneSided";
        rod(), above(-2.5), &front, None => ".., BehindOneSided";
        cube(), above(-2.5), &front, None => ".., BehindOneSided";
    } {
        let (a, b) = (shape.placed(&pose), other.placed(&STILL));
        let query = |trace: &mut Steps| gap_traced(&a, &b, trace);
        let found = expect(expected, query).map(|gap| gap.distance);
        let what = format!("{} over {}", shape.kind_name(), other.kind_name());
        let off = found.unwrap_or(0.0) - gap.unwrap_or(0.0);
        assert!(
            found.is_some() == gap.is_some() && off.abs() < 1e-12,
            "{what}: {found:?}"
        );
        let names = names(&traced(query).1);
        let nearest = names.iter().any(|name| name.starts_with("Nearest"));
        let rods = names.contains(&"ClosestOfSegments");
        assert!(
            nearest || rods || gap.is_none(),
            "{what}: no feature in {names:?}"
        );
    }
}

#[test]
fn overlap_tests() {
    let beside = Aabb {
        min: at(1.5, -1.0, -1.0),
        max: at(2.0, 1.0, 1.0),
    };
    let (one, two, four) = (sphere(0.0, 1.0), sphere(4.0, 2.0), sphere(4.0, 4.0));
    queries! {
        // 3, 4: a distance of 5 is not beyond a radius of 5. Rounding could decide it.
        "Differences, Squared, Squares limit=25, DecidedExactly, Overlaps" => true, |trace| overlaps_point_sphere(at(3.0, 4.0, 0.0), &sphere(0.0, 5.0), trace);
        "Squares squared=16 limit=9, Apart" => false, |trace| overlaps_sphere_sphere(&one, &two, trace);
        "BeyondFaces x=-0.5, Overlaps" => true, |trace| overlaps_point_aabb(at(0.5, 0.0, 0.0), &UNIT, trace);
        "BeyondFaces x=0.5, .." => false, |trace| overlaps_aabb_aabb(&UNIT, &beside, trace);
        ".., Squares squared=9, .." => false, |trace| overlaps_sphere_aabb(&two, &UNIT, trace);
        "BeyondFaces, Squares, Overlaps" => true, |trace| overlaps_sphere_obb(&four, &UNIT_BOX, trace);
        "BeyondFaces, DecidedExactly, Overlaps" => true, |trace| overlaps_point_obb(DVec3::X, &UNIT_BOX, trace);
        ".., Separated distance=0.25, Apart" => false, |trace| overlaps_point_capsule(at(0.0, 0.5, 0.0), &ROD, trace);
        // Any two shapes: the steps of their contact.
        ".., least push depth=0.25, .." => true, |trace| { let (cube, there) = (cube(), above(1.75)); overlaps_traced(&cube.placed(&there), &cube.placed(&STILL), trace) };
    }
}

#[test]
fn rulers() {
    let (yz, zx) = (160.0_f64.sqrt(), 153.0_f64.sqrt());
    let expected = format!("Differences, Distance distance=13, InPlanes xy=5 yz={yz} zx={zx}");
    let ruler = expect(&expected, |trace| {
        measure_point_point(DVec3::ONE, at(4.0, 5.0, 13.0), trace)
    });
    close(ruler.in_xy, 5.0);
    let (one, above) = (ball(1.0), above(4.0));
    let expected = "NearestPoint, Gap, Differences y=-2, Distance, InPlanes";
    expect(expected, |trace| {
        measure_shapes(&one.placed(&above), &one.placed(&STILL), trace)
    });
}

#[test]
fn rays() {
    let down = vertical(0.0, 3.0, -3.0);
    let out = vertical(0.0, 0.0, 4.0);
    let third = 1.0 / 3.0;
    let on_cube = format!("RayStart, OnFace, Hits fraction={third} back=0");
    let on_rod = format!("RayStart, OnEdge, Hits fraction={} back=0", 2.75 / 6.0);
    let crossed = "PlaneDistances, EdgeSigns, Hits fraction=0.5 back=0";
    let of_mesh = format!("TrianglesTested, EarliestTriangle, {crossed}");
    for (way, shape, fraction, expected) in rows! {
        down, ball(1.5), Some(0.25) => "RayStart distance=1.5, OnRound, Hits fraction=0.25 back=0";
        down, cube(), Some(third) => on_cube;
        down, rod(), Some(2.75 / 6.0) => on_rod;
        down, ground(), Some(0.5) => "PlaneDistances, Hits fraction=0.5 back=0";
        down, slab(Facing::Front), Some(0.5) => crossed;
        down, heap(), Some(0.5) => of_mesh;
        out, ball(1.0), Some(0.25) => ".., Hits fraction=0.25 back=1";
        down, ball(4.0), None => "RayStart, RayEnd distance=-1, StaysInside";
        down, line(), None => "SegmentHasNoSurface";
        vertical(0.0, 5.0, 3.0), ball(1.0), None => "RayStart, BeyondEnd fraction=2";
        vertical(2.0, 5.0, -5.0), ball(1.0), None => "RayStart, PassesBy";
        out, ball(f64::NAN), None => "BadNumber";
        vertical(0.0, 1.0, 0.5), slab(Facing::Both), None => "PlaneDistances, NoCrossing";
    } {
        let query = |trace: &mut Steps| ray_cast_traced(&way, &shape, &STILL, trace);
        let found = expect(expected, query).map(|hit| hit.fraction);
        let off = found.unwrap_or(0.0) - fraction.unwrap_or(0.0);
        assert!(
            found.is_some() == fraction.is_some() && off.abs() < 1e-12,
            "{expected}"
        );
    }
    // The triangle is at z = 0 from -4 to 6: 0.4 of b, and 0.3 of a and c each.
    let (_, steps) = traced(|trace| ray_cast_traced(&down, &slab(Facing::Both), &STILL, trace));
    for (corner, weight) in [("weight a", 0.3), ("weight b", 0.4), ("weight c", 0.3)] {
        close(number(&steps, "Hits", corner), weight);
    }
}

#[test]
fn probes() {
    let one_line = &STANDARD_PROBE[..1];
    // The line along x extends to 0.5; the wall is 0.3 ahead, so 0.2 poke through. The diagonals extend to 0.4. From +0.5 to -0.5 the
    // wall is hit at 0.2: the start is pulled back.
    let pulled =
        "LinePokesThrough line=0, .., Hits fraction=0.2, .., PullsStartBack length=0.2 x=-0.2";
    let in_order =
        format!("LinesTested lines=1 triangles=1, .., {pulled}, ProbeEnds pushes=1 x=-0.2");
    let lines = STANDARD_PROBE.len();
    let deepest = format!(
        "LinesTested lines={lines} triangles=1, .., {pulled}, .., NothingPokesThrough, ProbeEnds pushes=1 x=-0.2"
    );
    // Between two walls 0.9 apart a line of 1 is pushed to and fro by 0.1 forever.
    let walls = [wall(0.45), wall(-0.45)];
    let gives_up = format!(".., GivesUp max_iterations={MAX_PROBE_PUSHES}, ..");
    for (lines, walls, mode, hits, expected) in rows! {
        one_line, &[wall(0.3)][..], ProbeMode::InOrder, 1 => in_order;
        &STANDARD_PROBE, &[wall(0.3)], ProbeMode::Deepest, 1 => deepest;
        &STANDARD_PROBE, &[wall(0.7)], ProbeMode::InOrder, 0 => "LinesTested, ProbeEnds pushes=0";
        one_line, &walls, ProbeMode::Deepest, MAX_PROBE_PUSHES => gives_up;
    } {
        let query = |trace: &mut Steps| probe(DVec3::ZERO, lines, walls, mode, trace);
        assert_eq!(expect(expected, query).hits.len(), hits, "{expected}");
        if hits == 1 {
            let noise = number(&traced(query).1, "PullsStartBack", "noise");
            assert!(noise > 0.0 && noise < 1e-12, "{noise}");
        }
    }
}

#[test]
fn swept_cameras() {
    let radius = 0.32_f64.sqrt();
    let walls = [wall(3.0), wall(1.0)];
    let (from, to) = (at(-1.0, 0.0, 0.0), at(7.0, 0.0, 0.0));
    let camera = |from, to, expected: &str| {
        let query = |trace: &mut Steps| sweep_probe(from, to, &STANDARD_PROBE, &walls, trace);
        expect(expected, query).passes_unseen()
    };
    let expected = format!(
        "CameraWay length=8 reach={radius}, .., WayGoesThrough triangle=1, .., Hits fraction=0.25, .., \
         BallComesTo triangle=1, .., NothingPokesThrough, ProbeEnds"
    );
    assert!(camera(from, to, &expected));
    camera(from, to, &format!(".., Start gap={}, ..", 2.0 - radius));
    assert!(!camera(from, from, ".., WayIsFree, .., BallIsFree, .."));
    camera(DVec3::NAN, to, "BadNumber");
}

/// A blade 3 long and 0.04 thick turns by 1 towards a post of radius 0.1 at 1 m, 0.5 ahead.
#[test]
fn turning_shapes() {
    let blade = Shape::Box {
        half_extents: at(1.5, 0.1, 0.02),
    };
    let rotation = DQuat::from_rotation_y(1.0);
    let turn = Turning::of(&Motion {
        start: STILL,
        end: Pose { rotation, ..STILL },
    });
    let post = DQuat::from_rotation_y(0.5) * DVec3::X;
    let touch = 0.5 - 0.12_f64.asin();
    let touches = format!(".., PartsAt fraction={}, ..", 1.0 - touch);
    let first = format!(".., FirstTouch apart={touch}, ..");
    for (shape, post, expected) in rows! {
        &blade, post => touches;
        &blade, post => first;
        &blade, post => ".., FastestGap depth=0.002, ..";
        &blade, DVec3::X * 9.0 => "FastestGap, NeverDeeper";
        &ground(), post => "NoBoundOnTheGap";
    } {
        let still = Turning::of(&Motion::still(Pose::at(post)));
        let query =
            |trace: &mut Steps| sweep_turning(shape, &turn, &ball(0.1), &still, 0.002, trace);
        let found = expect(expected, query);
        assert_eq!(found.is_some(), expected.starts_with(".."), "{expected}");
    }
}

/// On the same pair of shapes, at random places.
#[test]
fn tracing_changes_no_bit_of_an_answer() {
    let mut random = Random(20_261);
    let triangles = [Facing::Front, Facing::Both].map(slab);
    let solids = [ball(0.75), cube(), line(), rod(), ground(), heap()];
    let shapes = [&triangles[..], &solids].concat();
    for case in 0..24 {
        let pose = |random: &mut Random| Pose {
            position: random.point(3.0),
            rotation: DQuat::from_scaled_axis(random.point(2.0)),
        };
        let (from, to) = (pose(&mut random), pose(&mut random));
        // Now and then something exact, coincident, or not a number.
        let (from, to) = match case % 8 {
            0 => (STILL, Pose::at(random.grid(3))),
            1 => (from, from),
            2 => (Pose::at(DVec3::NAN), to),
            _ => (from, to),
        };
        for a in &shapes {
            for b in &shapes {
                same_of_pair(a, &from, b, &to);
            }
            same_of_place(a, &to, from.position, random.point(4.0));
        }
    }
}

fn same_of_pair(a: &Shape, from: &Pose, b: &Shape, to: &Pose) {
    let (p, q) = (a.placed(from), b.placed(to));
    same(
        |trace| contact(&p, &q, trace),
        |trace| contact(&p, &q, trace),
    );
    same(|trace| gap_traced(&p, &q, trace), |_| gap(&p, &q));
    same(|trace| overlaps_traced(&p, &q, trace), |_| overlaps(&p, &q));
    same(
        |trace| measure_shapes(&p, &q, trace),
        |trace| measure_shapes(&p, &q, trace),
    );
    let way = Motion {
        start: *from,
        end: Pose {
            position: to.position,
            ..*from
        },
    };
    let still = Motion::still(STILL);
    same(
        |trace| sweep(a, &way, b, &still, trace),
        |trace| sweep(a, &way, b, &still, trace),
    );
}

fn same_of_place(shape: &Shape, pose: &Pose, a: DVec3, b: DVec3) {
    let placed = shape.placed(pose);
    same(
        |trace| nearest_on_any(a, &placed, trace),
        |trace| nearest_on_any(a, &placed, trace),
    );
    let way = Segment { a, b };
    same(
        |trace| ray_cast_traced(&way, shape, pose, trace),
        |_| ray_cast(&way, shape, pose),
    );
    same(
        |trace| closest_point_on_segment_traced(b, &way, trace),
        |_| closest_point_on_segment(b, &way),
    );
    same(
        |trace| closest_points_of_segments_traced(&way, &segment(), trace),
        |_| closest_points_of_segments(&way, &segment()),
    );
    let triangle = floor(Facing::Both).transformed(pose);
    same(
        |trace| closest_point_on_triangle_traced(a, &triangle, trace),
        |_| closest_point_on_triangle(a, &triangle),
    );
    let obb = Obb {
        center: pose.position,
        half_extents: DVec3::ONE,
        rotation: pose.rotation,
    };
    same(
        |trace| closest_point_on_obb_traced(a, &obb, trace),
        |_| closest_point_on_obb(a, &obb),
    );
    same(
        |trace| overlaps_point_obb(a, &obb, trace),
        |trace| overlaps_point_obb(a, &obb, trace),
    );
    let planed = PlanedTriangle::of(&triangle);
    let (with_plane, steps) = traced(|trace| ray_cast_planed_triangle(&way, &planed, trace));
    let (without, expected) = traced(|trace| ray_cast_triangle(&way, &triangle, trace));
    assert_eq!(
        format!("{with_plane:?} {steps:?}"),
        format!("{without:?} {expected:?}")
    );
    assert!(
        with_plane.is_none() || (way.a.is_finite() && way.b.is_finite()),
        "{way:?}"
    );
    let triangles = [triangle, wall(b.x)];
    for mode in [ProbeMode::InOrder, ProbeMode::Deepest] {
        same(
            |trace| probe(a, &STANDARD_PROBE, &triangles, mode, trace),
            |trace| probe(a, &STANDARD_PROBE, &triangles, mode, trace),
        );
    }
    same(
        |trace| sweep_probe(a, b, &STANDARD_PROBE, &triangles, trace),
        |trace| sweep_probe(a, b, &STANDARD_PROBE, &triangles, trace),
    );
}

/// Every bit is in the text: numbers are written so that they read back as they were, the sign of zero included.
#[track_caller]
fn same<R: std::fmt::Debug>(
    query: impl FnOnce(&mut Steps) -> R,
    untraced: impl FnOnce(&mut ()) -> R,
) {
    let (answer, steps) = traced(query);
    assert_eq!(
        format!("{answer:?}"),
        format!("{:?}", untraced(&mut ())),
        "{steps:?}"
    );
    for step in &steps.0 {
        // A step without words is shown by its name: `NearestEdge` is "Nearest edge: ...".
        let name = step.name.chars().flat_map(|letter| {
            let space = letter.is_uppercase().then_some(' ');
            space.into_iter().chain(letter.to_lowercase())
        });
        let (name, sentence) = (String::from_iter(name), sentence_of(step).to_lowercase());
        let rest = sentence.strip_prefix(name.trim_start());
        let by_name = rest.is_some_and(|rest| rest.starts_with([':', '.']));
        assert!(!by_name, "no words for {step:?}: {sentence}");
        assert!(sentence.ends_with('.'), "{sentence}");
    }
}

/// Every public query takes a trace, or has a form that does.
#[test]
fn every_query_takes_a_trace() {
    let operations = [
        "contact_",
        "gap",
        "sweep",
        "ray_cast",
        "overlaps",
        "distance_",
        "closest_point",
        "probe",
        "measure_",
        "nearest_on_any",
    ];
    let mut sources = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core/query")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // Batches answer alone: the traced path with the same verdicts explains them.
            if path.is_dir() && !path.ends_with("batch") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                sources.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    let text = sources.concat();
    let mut found = 0;
    for (place, _) in text.match_indices("\npub fn ") {
        let signature = text[place + 8..].split('{').next().unwrap();
        let name = signature.split(['(', '<']).next().unwrap();
        if !operations
            .iter()
            .any(|operation| name.starts_with(operation))
        {
            continue;
        }
        found += 1;
        let takes = signature.contains("&mut impl Trace");
        let has_form = text.contains(&format!("\npub fn {name}_traced("));
        assert!(takes || has_form, "{name} cannot be traced");
    }
    assert!(found > 50, "{found} queries are found");
}
