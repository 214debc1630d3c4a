//! What distances, closest points, gaps, overlap tests, rulers, rays and probes say of themselves; and that every query can be
//! told, and answers the same when it is.

use crate::common::random::Random;
use crate::common::samples::{at, ball, cube, floor, ground, mesh, rod, segment};
use crate::common::steps::{close, names, number};
use glam::{DQuat, DVec2, DVec3};
use hitstop::core::diagnose::explain::sentence_of;
use hitstop::core::query::closest_point::*;
use hitstop::core::query::distance::*;
use hitstop::core::query::overlap::*;
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
use std::path::Path;

/// The steps of a query, and its answer.
fn told<R>(query: impl FnOnce(&mut Steps) -> R) -> (R, Steps) {
    let mut steps = Steps::default();
    let answer = query(&mut steps);
    (answer, steps)
}

const UNIT: Aabb = Aabb {
    min: DVec3::NEG_ONE,
    max: DVec3::ONE,
};

#[test]
fn distances_tell_their_differences_squares_and_roots() {
    let flat = (DVec2::new(1.0, 1.0), DVec2::new(4.0, 5.0));
    let (distance, steps) = told(|trace| distance_point_point_2d(flat.0, flat.1, trace));
    assert_eq!(names(&steps), ["Differences", "Squared", "Distance"]);
    assert_eq!(
        (distance, number(&steps, "Squared", "squared")),
        (5.0, 25.0)
    );
    assert_eq!(number(&steps, "Differences", "x"), 3.0);
    let (distance, steps) =
        told(|trace| distance_point_point(DVec3::ZERO, at(2.0, 3.0, 6.0), trace));
    assert_eq!(
        (distance, number(&steps, "Distance", "distance")),
        (7.0, 7.0)
    );
    // 3, 4 beyond the end.
    let point = at(4.0, 4.0, 0.0);
    let (distance, steps) = told(|trace| distance_point_segment(point, &segment(), trace));
    let expected = ["ClosestOnSegment", "Differences", "Squared", "Distance"];
    assert_eq!(names(&steps), expected);
    assert_eq!(
        (distance, number(&steps, "ClosestOnSegment", "share")),
        (5.0, 1.0)
    );
    let rod = Capsule {
        segment: segment(),
        radius: 0.25,
    };
    let (distance, steps) = told(|trace| distance_point_capsule(point, &rod, trace));
    assert_eq!(
        (distance, names(&steps).last()),
        (4.75, Some(&"BeyondRadius"))
    );
    assert_eq!(number(&steps, "BeyondRadius", "distance"), 4.75);
    let (distance, steps) = told(|trace| {
        let sphere = Sphere {
            center: DVec3::ZERO,
            radius: 8.0,
        };
        distance_point_sphere(at(2.0, 3.0, 6.0), &sphere, trace)
    });
    assert_eq!(
        (distance, number(&steps, "BeyondRadius", "distance")),
        (0.0, -1.0)
    );
    let beside = at(5.0, 4.0, 0.0);
    let (distance, steps) = told(|trace| distance_point_aabb(beside, &UNIT, trace));
    assert_eq!((distance, number(&steps, "BeyondFaces", "x")), (5.0, 4.0));
    assert_eq!(number(&steps, "BeyondFaces", "z"), -1.0);
    let plane = Plane {
        normal: DVec3::Y,
        offset: 1.0,
    };
    let (distance, steps) = told(|trace| distance_point_plane(DVec3::ZERO, &plane, trace));
    assert_eq!(
        (distance, number(&steps, "PlaneDistance", "distance")),
        (0.0, -1.0)
    );
}

#[test]
fn closest_points_tell_their_feature() {
    let (_, steps) =
        told(|trace| closest_point_on_segment_traced(at(0.5, 3.0, 0.0), &segment(), trace));
    assert_eq!(names(&steps), ["ClosestOnSegment"]);
    close(number(&steps, "ClosestOnSegment", "share"), 0.75);
    let dot = Segment {
        a: DVec3::X,
        b: DVec3::X,
    };
    let (_, steps) = told(|trace| closest_point_on_segment_traced(DVec3::ZERO, &dot, trace));
    assert_eq!(names(&steps), ["ClosestOnSegment", "SegmentIsPoint"]);
    // At right angles, 2 above each other: the middle of one over the quarter of the other.
    let across = Segment {
        a: at(-0.5, 2.0, -1.0),
        b: at(-0.5, 2.0, 1.0),
    };
    let (shares, steps) =
        told(|trace| closest_points_of_segments_traced(&across, &segment(), trace));
    assert_eq!(shares, (0.5, 0.25));
    for (name, expected) in [("s", 0.5), ("t", 0.25), ("distance", 2.0), ("cross", 4.0)] {
        close(number(&steps, "ClosestOfSegments", name), expected);
    }
    let triangle = floor(Facing::Both);
    for (point, step, which, distance) in [
        (at(0.0, 2.0, 0.0), "NearestFace", 0.0, 2.0),
        // Beyond the edge from (4, 0, -4) to (-4, 0, -4), and beyond the corner (0, 0, 6).
        (at(0.0, 3.0, -8.0), "NearestEdge", 2.0, 5.0),
        (at(0.0, 3.0, 10.0), "NearestVertex", 1.0, 5.0),
    ] {
        let (_, steps) = told(|trace| closest_point_on_triangle_traced(point, &triangle, trace));
        assert_eq!(names(&steps), ["PlaneDistance", step]);
        close(number(&steps, "PlaneDistance", "distance"), point.y);
        close(number(&steps, step, "number"), which);
        close(number(&steps, step, "distance"), distance);
    }
    let line = Triangle {
        c: at(-2.0, 0.0, 1.0),
        ..triangle
    };
    let (_, steps) = told(|trace| closest_point_on_triangle_traced(DVec3::ZERO, &line, trace));
    assert_eq!(names(&steps)[0], "DegenerateTriangle");
    let (_, steps) = told(|trace| closest_point_on_aabb_traced(at(3.0, 0.0, -2.0), &UNIT, trace));
    close(number(&steps, "BeyondFaces", "x"), 2.0);
    close(number(&steps, "BeyondFaces", "z"), 1.0);
    let diamond = Obb {
        center: DVec3::ZERO,
        half_extents: DVec3::ONE,
        rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4),
    };
    let (_, steps) = told(|trace| closest_point_on_obb_traced(at(0.0, 3.0, 0.0), &diamond, trace));
    close(number(&steps, "BeyondFaces", "x"), 4.5_f64.sqrt() - 1.0);
}

/// From 2.5 above, and what each shape says of the point there: its steps, its distance.
#[test]
fn the_nearest_point_of_every_shape_is_told() {
    for (shape, expected, distance) in [
        (ball(0.5), vec!["NearestPoint"], 2.0),
        (cube(), vec!["BeyondFaces", "NearestFace"], 1.5),
        (
            Shape::Segment(segment()),
            vec!["ClosestOnSegment", "NearestEdge"],
            2.5,
        ),
        (rod(), vec!["ClosestOnSegment", "NearestEdge"], 2.25),
        (
            Shape::Triangle(floor(Facing::Front)),
            vec!["PlaneDistance", "NearestFace"],
            2.5,
        ),
        (ground(), vec!["NearestFace"], 2.5),
        (
            Shape::Mesh(mesh()),
            vec!["NearestTriangle", "NearestFace"],
            2.5,
        ),
    ] {
        let placed = shape.placed(&Pose::IDENTITY);
        let (nearest, steps) = told(|trace| nearest_on_any(at(0.0, 2.5, 0.0), &placed, trace));
        assert_eq!(names(&steps), expected, "{}", shape.kind_name());
        close(nearest.unwrap().distance, distance);
        close(
            number(&steps, expected.last().unwrap(), "distance"),
            distance,
        );
    }
    let front = Shape::Triangle(floor(Facing::Front));
    let placed = front.placed(&Pose::IDENTITY);
    let (nothing, steps) = told(|trace| nearest_on_any(at(0.0, -2.5, 0.0), &placed, trace));
    assert_eq!(
        (nothing, names(&steps)),
        (None, vec!["PlaneDistance", "BehindOneSided"])
    );
    let one = ball(1.0);
    let placed = one.placed(&Pose::IDENTITY);
    let (_, steps) = told(|trace| nearest_on_any(DVec3::ZERO, &placed, trace));
    assert_eq!(names(&steps), ["NearestPoint", "FallbackNormal"]);
}

#[test]
fn the_gap_of_every_pair_is_told() {
    let (unit, half) = (ball(1.0), ball(0.5));
    let (thin, flat, heap) = (
        Shape::Segment(segment()),
        Shape::Triangle(floor(Facing::Both)),
        Shape::Mesh(mesh()),
    );
    // From a height above the other: the gap is what is left.
    for (shape, other, height, first, gap) in [
        (&unit, &half, 2.5, "NearestPoint", 1.0),
        (&unit, &cube(), 2.5, "BeyondFaces", 0.5),
        (&unit, &thin, 2.5, "ClosestOnSegment", 1.5),
        (&unit, &heap, 2.5, "NearestTriangle", 1.5),
        (&cube(), &unit, 2.5, "BeyondFaces", 0.5),
        (&cube(), &ground(), 2.5, "DeepestVertex", 1.5),
        (&rod(), &rod(), 2.5, "ClosestOfSegments", 2.0),
        (&rod(), &thin, 2.5, "ClosestOfSegments", 2.25),
        (&rod(), &cube(), 2.5, "separating axis", 1.25),
        (&rod(), &flat, 2.5, "separating axis", 2.25),
        (&rod(), &heap, 2.5, "NearestTriangle", 2.25),
        (&cube(), &cube(), 2.5, "separating axis", 0.5),
        (&cube(), &cube(), 4.5, "SpheresApart", 2.5),
        (&cube(), &flat, 2.5, "separating axis", 1.5),
        (&cube(), &heap, 2.5, "NearestTriangle", 1.5),
        (&heap, &cube(), 3.5, "NearestTriangle", 1.5),
        (&heap, &heap, 3.5, "OwnTriangle", 2.5),
    ] {
        let what = format!("{} over {}", shape.kind_name(), other.kind_name());
        let pose = Pose::at(at(0.0, height, 0.0));
        let (a, b) = (shape.placed(&pose), other.placed(&Pose::IDENTITY));
        let (found, steps) = told(|trace| gap_traced(&a, &b, trace));
        let found = found.unwrap_or_else(|| panic!("{what}: {steps:?}"));
        close(found.distance, gap);
        let told = names(&steps);
        assert!(told.contains(&first), "{what}: {told:?}");
        assert_eq!(told.last(), Some(&"Gap"), "{what}");
        close(number(&steps, "Gap", "distance"), gap);
        if !matches!(
            (shape, other),
            (Shape::Capsule(_), Shape::Capsule(_) | Shape::Segment(_))
        ) {
            let nearest = told.iter().any(|name| name.starts_with("Nearest"));
            assert!(nearest, "{what} names its feature: {told:?}");
        }
    }
    let deep = ball(1.0);
    let (a, b) = (
        deep.placed(&Pose::at(DVec3::Y)),
        half.placed(&Pose::IDENTITY),
    );
    let (found, steps) = told(|trace| gap_traced(&a, &b, trace));
    assert_eq!(found.unwrap().distance, -0.5);
    assert_eq!(names(&steps), ["NearestPoint", "Overlapping"]);
    assert_eq!(number(&steps, "Overlapping", "depth"), 0.5);
    let nowhere = Pose::at(DVec3::NAN);
    let (found, steps) = told(|trace| gap_traced(&unit.placed(&nowhere), &b, trace));
    assert_eq!((found, names(&steps)), (None, vec!["BadNumber"]));
    let plane = ground();
    let plane = plane.placed(&Pose::IDENTITY);
    let (found, steps) = told(|trace| gap_traced(&plane, &plane, trace));
    assert_eq!((found, names(&steps)), (None, vec!["TwoPlanes"]));
    let front = Shape::Triangle(floor(Facing::Front));
    let below = Pose::at(at(0.0, -2.5, 0.0));
    for shape in [&unit, &rod(), &cube()] {
        let front = front.placed(&Pose::IDENTITY);
        let (found, steps) = told(|trace| gap_traced(&shape.placed(&below), &front, trace));
        assert_eq!(
            (found, names(&steps).last()),
            (None, Some(&"BehindOneSided"))
        );
    }
}

#[test]
fn overlap_tests_tell_their_squares_and_their_axes() {
    let ball = |x: f64, radius: f64| Sphere {
        center: at(x, 0.0, 0.0),
        radius,
    };
    // 3, 4: a distance of 5 is no farther than a radius of 5. Rounding could decide it.
    let (inside, steps) =
        told(|trace| overlaps_point_sphere(at(3.0, 4.0, 0.0), &ball(0.0, 5.0), trace));
    assert!(inside);
    let exactly = [
        "Differences",
        "Squared",
        "Squares",
        "DecidedExactly",
        "Overlaps",
    ];
    assert_eq!(names(&steps), exactly);
    assert_eq!(number(&steps, "Squares", "limit"), 25.0);
    let (apart, steps) =
        told(|trace| overlaps_sphere_sphere(&ball(0.0, 1.0), &ball(4.0, 2.0), trace));
    assert!(!apart);
    assert_eq!(names(&steps), ["Squares", "Apart"]);
    assert_eq!(number(&steps, "Squares", "squared"), 16.0);
    assert_eq!(number(&steps, "Squares", "limit"), 9.0);
    let (inside, steps) = told(|trace| overlaps_point_aabb(at(0.5, 0.0, 0.0), &UNIT, trace));
    assert!(inside);
    assert_eq!(names(&steps), ["BeyondFaces", "Overlaps"]);
    assert_eq!(number(&steps, "BeyondFaces", "x"), -0.5);
    let beside = Aabb {
        min: at(1.5, -1.0, -1.0),
        max: at(2.0, 1.0, 1.0),
    };
    let (overlap, steps) = told(|trace| overlaps_aabb_aabb(&UNIT, &beside, trace));
    assert_eq!((overlap, number(&steps, "BeyondFaces", "x")), (false, 0.5));
    let (overlap, steps) = told(|trace| overlaps_sphere_aabb(&ball(4.0, 2.0), &UNIT, trace));
    assert_eq!(
        (overlap, number(&steps, "Squares", "squared")),
        (false, 9.0)
    );
    let obb = Obb {
        center: DVec3::ZERO,
        half_extents: DVec3::ONE,
        rotation: DQuat::IDENTITY,
    };
    let (overlap, steps) = told(|trace| overlaps_sphere_obb(&ball(4.0, 4.0), &obb, trace));
    assert!(overlap);
    assert_eq!(names(&steps), ["BeyondFaces", "Squares", "Overlaps"]);
    let (overlap, steps) = told(|trace| overlaps_point_obb(DVec3::X, &obb, trace));
    assert!(overlap);
    assert_eq!(names(&steps), ["BeyondFaces", "DecidedExactly", "Overlaps"]);
    let rod = Capsule {
        segment: segment(),
        radius: 0.25,
    };
    let (overlap, steps) = told(|trace| overlaps_point_capsule(at(0.0, 0.5, 0.0), &rod, trace));
    assert_eq!((overlap, names(&steps).last()), (false, Some(&"Apart")));
    close(number(&steps, "Separated", "distance"), 0.25);
    // Any two shapes: what a contact tells.
    let (cube, still) = (cube(), Pose::IDENTITY);
    let there = Pose::at(at(0.0, 1.75, 0.0));
    let (overlap, steps) =
        told(|trace| overlaps_traced(&cube.placed(&there), &cube.placed(&still), trace));
    assert!(overlap);
    close(number(&steps, "least push", "depth"), 0.25);
}

#[test]
fn a_ruler_tells_its_parts() {
    let (ruler, steps) = told(|trace| measure_point_point(DVec3::ONE, at(4.0, 5.0, 13.0), trace));
    assert_eq!(names(&steps), ["Differences", "Distance", "InPlanes"]);
    close(number(&steps, "Distance", "distance"), 13.0);
    close(number(&steps, "InPlanes", "xy"), 5.0);
    close(number(&steps, "InPlanes", "yz"), 160.0_f64.sqrt());
    close(number(&steps, "InPlanes", "zx"), 153.0_f64.sqrt());
    close(ruler.in_xy, 5.0);
    let (one, still) = (ball(1.0), Pose::IDENTITY);
    let above = Pose::at(at(0.0, 4.0, 0.0));
    let (_, steps) = told(|trace| measure_shapes(&one.placed(&above), &one.placed(&still), trace));
    let expected = ["NearestPoint", "Gap", "Differences", "Distance", "InPlanes"];
    assert_eq!(names(&steps), expected);
    close(number(&steps, "Differences", "y"), -2.0);
}

/// Straight down, from 3 above to 3 below.
fn down(shape: &Shape) -> (Option<f64>, Steps) {
    let way = Segment {
        a: at(0.0, 3.0, 0.0),
        b: at(0.0, -3.0, 0.0),
    };
    let (hit, steps) = told(|trace| ray_cast_traced(&way, shape, &Pose::IDENTITY, trace));
    (hit.map(|hit| hit.fraction), steps)
}

#[test]
fn a_ray_tells_where_it_starts_and_what_it_meets() {
    let solid = |part| vec!["RayStart", part, "Hits"];
    for (shape, expected, fraction) in [
        (ball(1.5), solid("OnRound"), 0.25),
        (cube(), solid("OnFace"), 2.0 / 6.0),
        (rod(), solid("OnEdge"), 2.75 / 6.0),
        (ground(), vec!["PlaneDistances", "Hits"], 0.5),
        (
            Shape::Triangle(floor(Facing::Front)),
            vec!["PlaneDistances", "EdgeSigns", "Hits"],
            0.5,
        ),
        (
            Shape::Mesh(mesh()),
            vec![
                "TrianglesTested",
                "EarliestTriangle",
                "PlaneDistances",
                "EdgeSigns",
                "Hits",
            ],
            0.5,
        ),
    ] {
        let (found, steps) = down(&shape);
        assert_eq!(names(&steps), expected, "{}", shape.kind_name());
        close(found.unwrap(), fraction);
        close(number(&steps, "Hits", "fraction"), fraction);
        assert_eq!(number(&steps, "Hits", "back"), 0.0);
    }
    // The middle of the triangle's height: 0.4 of a and c each (from z = -4 to 6, at 0), 0.4 of b: sums to one.
    let (_, steps) = down(&Shape::Triangle(floor(Facing::Both)));
    for (corner, weight) in [("weight a", 0.3), ("weight b", 0.4), ("weight c", 0.3)] {
        close(number(&steps, "Hits", corner), weight);
    }
    assert_eq!(number(&down(&ball(1.5)).1, "RayStart", "distance"), 1.5);
    let (nothing, steps) = down(&ball(4.0));
    assert_eq!(nothing, None);
    assert_eq!(names(&steps), ["RayStart", "RayEnd", "StaysInside"]);
    assert_eq!(number(&steps, "RayEnd", "distance"), -1.0);
    let (nothing, steps) = down(&Shape::Segment(segment()));
    assert_eq!(
        (nothing, names(&steps)),
        (None, vec!["SegmentHasNoSurface"])
    );
    let still = Pose::IDENTITY;
    let short = Segment {
        a: at(0.0, 5.0, 0.0),
        b: at(0.0, 3.0, 0.0),
    };
    let (nothing, steps) = told(|trace| ray_cast_traced(&short, &ball(1.0), &still, trace));
    assert_eq!(
        (nothing, names(&steps)),
        (None, vec!["RayStart", "BeyondEnd"])
    );
    close(number(&steps, "BeyondEnd", "fraction"), 2.0);
    let beside = Segment {
        a: at(2.0, 5.0, 0.0),
        b: at(2.0, -5.0, 0.0),
    };
    let (nothing, steps) = told(|trace| ray_cast_traced(&beside, &ball(1.0), &still, trace));
    assert_eq!(
        (nothing, names(&steps)),
        (None, vec!["RayStart", "PassesBy"])
    );
    let inside = Segment {
        a: DVec3::ZERO,
        b: at(0.0, 4.0, 0.0),
    };
    let (out, steps) = told(|trace| ray_cast_traced(&inside, &ball(1.0), &still, trace));
    close(out.unwrap().fraction, 0.25);
    assert_eq!(number(&steps, "Hits", "back"), 1.0);
    let (nothing, steps) = told(|trace| ray_cast_traced(&inside, &ball(f64::NAN), &still, trace));
    assert_eq!((nothing, names(&steps)), (None, vec!["BadNumber"]));
}

/// Across x.
fn wall(x: f64) -> Triangle {
    Triangle {
        a: at(x, -50.0, -50.0),
        b: at(x, -50.0, 50.0),
        c: at(x, 50.0, 0.0),
        facing: Facing::Both,
    }
}

#[test]
fn a_probe_tells_which_line_pokes_through_what_and_how_it_is_pulled_back() {
    // The line along x reaches 0.5; the wall stands 0.3 ahead, so 0.2 poke through. Its diagonals reach 0.4.
    for (mode, lines) in [
        (ProbeMode::InOrder, &STANDARD_PROBE[..1]),
        (ProbeMode::Deepest, &STANDARD_PROBE),
    ] {
        let (answer, steps) = told(|trace| probe(DVec3::ZERO, lines, &[wall(0.3)], mode, trace));
        assert_eq!(answer.hits.len(), 1, "{mode:?}");
        assert_eq!(number(&steps, "LinesTested", "lines"), lines.len() as f64);
        assert_eq!(number(&steps, "LinesTested", "triangles"), 1.0);
        assert_eq!(number(&steps, "LinePokesThrough", "line"), 0.0);
        // From +0.5 to -0.5 the wall is met at 0.2: the start is pulled back.
        close(number(&steps, "Hits", "fraction"), 0.2);
        close(number(&steps, "PullsStartBack", "length"), 0.2);
        close(number(&steps, "PullsStartBack", "x"), -0.2);
        let noise = number(&steps, "PullsStartBack", "noise");
        assert!(noise > 0.0 && noise < 1e-12, "{noise}");
        assert_eq!(number(&steps, "ProbeEnds", "pushes"), 1.0);
        close(number(&steps, "ProbeEnds", "x"), -0.2);
        let ends = names(&steps).contains(&"NothingPokesThrough");
        assert_eq!(ends, mode == ProbeMode::Deepest);
    }
    let (_, steps) = told(|trace| {
        probe(
            DVec3::ZERO,
            &STANDARD_PROBE,
            &[wall(0.7)],
            ProbeMode::InOrder,
            trace,
        )
    });
    assert_eq!(names(&steps), ["LinesTested", "ProbeEnds"]);
    assert_eq!(number(&steps, "ProbeEnds", "pushes"), 0.0);
    // Between two walls 0.9 apart a line of 1 is pushed to and fro by 0.1 forever.
    let walls = [wall(0.45), wall(-0.45)];
    let (answer, steps) = told(|trace| {
        probe(
            DVec3::ZERO,
            &STANDARD_PROBE[..1],
            &walls,
            ProbeMode::Deepest,
            trace,
        )
    });
    assert_eq!(answer.hits.len(), MAX_PROBE_PUSHES);
    let limit = MAX_PROBE_PUSHES as f64;
    assert_eq!(number(&steps, "GivesUp", "max_iterations"), limit);
}

#[test]
fn a_swept_camera_tells_its_way_its_ball_and_its_probe() {
    let reach = 0.32_f64.sqrt();
    let walls = [wall(3.0), wall(1.0)];
    let (from, to) = (at(-1.0, 0.0, 0.0), at(7.0, 0.0, 0.0));
    let (seen, steps) = told(|trace| sweep_probe(from, to, &STANDARD_PROBE, &walls, trace));
    assert!(seen.passes_unseen());
    close(number(&steps, "CameraWay", "length"), 8.0);
    close(number(&steps, "CameraWay", "reach"), reach);
    assert_eq!(number(&steps, "WayGoesThrough", "triangle"), 1.0);
    close(number(&steps, "Hits", "fraction"), 0.25);
    assert_eq!(number(&steps, "BallComesTo", "triangle"), 1.0);
    close(number(&steps, "Start", "gap"), 2.0 - reach);
    assert_eq!(
        names(&steps)[names(&steps).len() - 2..],
        ["NothingPokesThrough", "ProbeEnds"]
    );
    let (_, steps) = told(|trace| sweep_probe(from, from, &STANDARD_PROBE, &walls, trace));
    for free in ["WayIsFree", "BallIsFree"] {
        assert!(names(&steps).contains(&free), "{steps:?}");
    }
    let (_, steps) = told(|trace| sweep_probe(DVec3::NAN, to, &STANDARD_PROBE, &walls, trace));
    assert_eq!(names(&steps), ["BadNumber"]);
}

#[test]
fn what_turns_tells_when_it_touches() {
    // A blade 3 long and 0.04 thick turns by 1 towards a post of radius 0.1 at 1 m, 0.5 ahead.
    let blade = Shape::Box {
        half_extents: at(1.5, 0.1, 0.02),
    };
    let turned = Pose {
        rotation: DQuat::from_rotation_y(1.0),
        ..Pose::IDENTITY
    };
    let turn = Turning::of(&Motion {
        start: Pose::IDENTITY,
        end: turned,
    });
    let post_at = DQuat::from_rotation_y(0.5) * DVec3::X;
    let still = Turning::of(&Motion::still(Pose::at(post_at)));
    let post = ball(0.1);
    let (_, steps) = told(|trace| sweep_turning(&blade, &turn, &post, &still, 0.002, trace));
    let touch = 0.5 - 0.12_f64.asin();
    close(number(&steps, "FirstTouch", "apart"), touch);
    close(number(&steps, "PartsAt", "fraction"), 1.0 - touch);
    assert_eq!(number(&steps, "FastestGap", "depth"), 0.002);
    let far = Turning::of(&Motion::still(Pose::at(DVec3::X * 9.0)));
    let (nothing, steps) = told(|trace| sweep_turning(&blade, &turn, &post, &far, 0.002, trace));
    assert!(nothing.is_none());
    assert_eq!(names(&steps), ["FastestGap", "NeverDeeper"]);
    let plane = ground();
    let (_, steps) = told(|trace| sweep_turning(&plane, &turn, &post, &still, 0.0, trace));
    assert_eq!(names(&steps), ["NoBoundOnTheGap"]);
}

/// Told or not, every query answers with the same bits: on the same pair of shapes, at random places.
#[test]
fn told_or_not_the_answer_is_the_same_bit_for_bit() {
    let mut random = Random(20_261);
    let shapes = [
        ball(0.75),
        cube(),
        Shape::Segment(segment()),
        rod(),
        Shape::Triangle(floor(Facing::Front)),
        Shape::Triangle(floor(Facing::Both)),
        ground(),
        Shape::Mesh(mesh()),
    ];
    for case in 0..24 {
        let pose = |random: &mut Random| Pose {
            position: random.point(3.0),
            rotation: DQuat::from_scaled_axis(random.point(2.0)),
        };
        let (from, to) = (pose(&mut random), pose(&mut random));
        // Now and then something exact, coincident, or not a number.
        let (from, to) = match case % 8 {
            0 => (Pose::IDENTITY, Pose::at(random.grid(3))),
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
    let still = Motion::still(Pose::IDENTITY);
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
    let (with_plane, steps) = told(|trace| ray_cast_planed_triangle(&way, &planed, trace));
    let (without, expected) = told(|trace| ray_cast_triangle(&way, &triangle, trace));
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
    heard: impl FnOnce(&mut Steps) -> R,
    unheard: impl FnOnce(&mut ()) -> R,
) {
    let (answer, steps) = told(heard);
    let (heard, unheard) = (format!("{answer:?}"), format!("{:?}", unheard(&mut ())));
    assert_eq!(heard, unheard, "{steps:?}");
    for step in &steps.0 {
        // A step without words is told by its name: `NearestEdge` is "Nearest edge: ...".
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

/// No query is left out: each takes a trace, or has a form that does, and so will those that are still to be written.
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
