//! Cylinders, cones, hulls, rounded boxes, compounds and height fields in scenes and logs: read, written, swept, diagnosed.

use crate::common::levels::{diagnosed, log_of, opened, scene_of};
use hitstop::core::diagnose::{Cause, Kind};
use hitstop::core::level::Level;
use hitstop::core::scene::{self, MemoryFolder};

/// Each shape as in a scene and as in a log, and the distance of its surface from its origin along -X, metres.
const SHAPES: [(&str, &str, f64); 8] = [
    (
        "Cylinder(half_height: 1.0, radius: 0.5)",
        r#"{"cylinder":{"half_height":1,"radius":0.5}}"#,
        0.5,
    ),
    // The side is at half of the radius at the height of the path, halfway up.
    (
        "Cone(half_height: 1.0, radius: 0.5)",
        r#"{"cone":{"half_height":1,"radius":0.5}}"#,
        0.25,
    ),
    (
        "Box(half_extents: (0.2, 1.0, 1.0), radius: 0.1)",
        r#"{"box":{"half_extents":[0.2,1,1],"radius":0.1}}"#,
        0.3,
    ),
    (
        "ConvexHull(points: [(-0.5, 0, 0), (0.5, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)])",
        r#"{"convex_hull":{"points":[[-0.5,0,0],[0.5,0,0],[0,-1,0],[0,1,0],[0,0,-1],[0,0,1]]}}"#,
        0.5,
    ),
    (
        "ConvexHull(points: [(-0.5, 0, 0), (0.5, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)], radius: 0.25)",
        r#"{"convex_hull":{"points":[[-0.5,0,0],[0.5,0,0],[0,-1,0],[0,1,0],[0,0,-1],[0,0,1]],"radius":0.25}}"#,
        0.75,
    ),
    (
        "Capsule(half_height: 1.0, radius: 0.5)",
        r#"{"capsule":{"half_height":1,"radius":0.5}}"#,
        0.5,
    ),
    (
        "Compound([(shape: Sphere(radius: 0.5))])",
        r#"{"compound":[{"shape":{"sphere":{"radius":0.5}}}]}"#,
        0.5,
    ),
    // The path passes beside the ball; the box, rotated by a right angle, is across it.
    (
        "Compound([(shape: Sphere(radius: 0.5), position: (0, 2, 0)), (shape: Box(half_extents: (1, 1, 0.2)), position: (-1, 0, 0), rotation: Euler(y: 90))])",
        r#"{"compound":[{"shape":{"sphere":{"radius":0.5}},"position":[0,2,0]},{"shape":{"box":{"half_extents":[1,1,0.2]}},"position":[-1,0,0],"rotation":[0,0.7071067811865476,0,0.7071067811865476]}]}"#,
        1.2,
    ),
];

/// A ball of radius 0.1 that flies along X through the shape at the origin, from -5 to 5 within a frame.
fn stepped(shape: &str, expect: &str) -> Level {
    let ball = r#"(name: "ball", shape: Sphere(radius: 0.1), position: (-5, 0, 0), velocity: (100, 0, 0))"#;
    let solid = format!(r#"(name: "solid", shape: {shape}, motion: Fixed)"#);
    let fields = format!("dt: 0.1, frames: 1, expect: [{expect}]");
    opened("x.ron", scene_of(&fields, &[ball, &solid]))
}

#[test]
fn a_ball_that_passes_through_is_found_with_its_time_of_impact() {
    for (text, line, surface) in SHAPES {
        let level = stepped(text, "");
        let report = diagnosed(&level);
        let finding = &report.findings[0];
        assert_eq!(
            (finding.kind, finding.cause),
            (Kind::Tunnels, Cause::TooFast),
            "{text}"
        );
        if !text.starts_with("Cone") && !text.starts_with("ConvexHull") {
            let fraction = (5.0 - surface - 0.1) / 10.0;
            assert!(
                (finding.fraction - fraction).abs() < 1e-9,
                "{text}: {}",
                finding.fraction
            );
        }
        let body = r#"{"id":1,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
        let solid = format!(r#"{{"id":2,"name":"solid","motion":"fixed","shape":{line}}}"#);
        let at = |x: f64| format!(r#""bodies":[{{"id":1,"p":[{x},0,0]}}]"#);
        let log = opened("x.jsonl", log_of("", &[body, &solid], &[at(-5.0), at(5.0)]));
        let logged = diagnosed(&log);
        assert_eq!(logged.findings[0].kind, Kind::Tunnels, "{line}");
        assert_eq!(logged.findings[0].fraction, finding.fraction, "{line}");
    }
}

/// The ball hits the side of the cone where their distance is its radius. The side is slanted by atan(0.5 / 2): the ball touches it when its
/// centre is 0.1 / cos of that from the side along X.
#[test]
fn a_cone_is_hit_on_its_slanted_side() {
    let lean = 0.25_f64.atan();
    let fraction = (5.0 - 0.25 - 0.1 / lean.cos()) / 10.0;
    let finding = &diagnosed(&stepped(SHAPES[1].0, "")).findings[0];
    assert!(
        (finding.fraction - fraction).abs() < 1e-9,
        "{}",
        finding.fraction
    );
}

/// The tip of a hull on the path is hit by the ball's front: at the sum of both radii.
#[test]
fn a_hull_is_hit_on_its_tip() {
    for (text, surface) in [(SHAPES[3].0, 0.5), (SHAPES[4].0, 0.75)] {
        let finding = &diagnosed(&stepped(text, "")).findings[0];
        let fraction = (5.0 - surface - 0.1) / 10.0;
        assert!(
            (finding.fraction - fraction).abs() < 1e-9,
            "{text}: {}",
            finding.fraction
        );
    }
}

#[test]
fn every_shape_round_trips_in_a_scene() {
    let field = "HeightField(heights: [[0, 0.5, 0], [0, 1, 0], [0, 0, 0.25]], cell: (1, 2))";
    let texts = SHAPES.iter().map(|(text, ..)| *text).chain([field]);
    for text in texts {
        let level = stepped(text, "");
        let written = scene::write(level.replay.scene());
        let read = scene::parse(&written, "x.ron", &MemoryFolder::default()).unwrap();
        assert_eq!(**level.replay.scene(), read, "{written}");
        assert!(
            written.contains(text.split('(').next().unwrap()),
            "{written}"
        );
    }
}

/// A ball dropped on a height field is found beneath it a frame later.
#[test]
fn a_height_field_is_a_surface() {
    let ball = r#"(name: "ball", shape: Sphere(radius: 0.1), position: (0.2, 3, 0.3), velocity: (0, -100, 0))"#;
    let field = r#"(name: "ground", shape: HeightField(heights: [[1, 1, 1], [1, 1, 1]], cell: (2, 3)), motion: Fixed)"#;
    let level = opened("x.ron", scene_of("dt: 0.1, frames: 1", &[ball, field]));
    let finding = &diagnosed(&level).findings[0];
    assert_eq!(finding.kind, Kind::Tunnels);
    assert!(
        (finding.fraction - 0.19).abs() < 1e-12,
        "{}",
        finding.fraction
    );
}

/// A cell of 2 by 2 m with heights 0 at its main corners and 1 at the others: its centre is at 0 if it is split along the main diagonal,
/// and at 1 along the other. A ball of radius 0.1 that rises from 0.5 touches only the second, from below: its faces fall from the
/// ridge by 1 m in the square root of 2, so that the centre is 0.1 / cos = 0.1 * sqrt(1.5) below.
#[test]
fn the_diagonal_of_a_height_field_decides_what_is_hit() {
    let ball = r#"(name: "ball", shape: Sphere(radius: 0.1), position: (0, 0.5, 0), velocity: (0, 100, 0))"#;
    let line = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let at = |y: f64| format!(r#""bodies":[{{"id":0,"p":[0,{y},0]}}]"#);
    let ridge = 0.1 * (0.5 - 0.1 * 1.5_f64.sqrt());
    for (name, word, fraction) in [
        ("", "", None),
        (", diagonal: Main", r#","diagonal":"main""#, None),
        (", diagonal: Anti", r#","diagonal":"anti""#, Some(ridge)),
    ] {
        let field = format!(
            r#"(name: "ground", shape: HeightField(heights: [[0, 1], [1, 0]], cell: (2, 2){name}), motion: Fixed)"#
        );
        let level = opened("x.ron", scene_of("dt: 0.1, frames: 1", &[ball, &field]));
        let written = scene::write(level.replay.scene());
        let read = scene::parse(&written, "x.ron", &MemoryFolder::default()).unwrap();
        assert_eq!(**level.replay.scene(), read, "{written}");
        assert_eq!(written.contains("diagonal: Anti"), fraction.is_some());
        let ground = format!(
            r#"{{"id":1,"name":"ground","motion":"fixed","shape":{{"height_field":{{"heights":[[0,1],[1,0]],"cell":[2,2]{word}}}}}}}"#
        );
        let log = opened(
            "x.jsonl",
            log_of("", &[line, &ground], &[at(0.5), at(10.5)]),
        );
        for level in [level, log] {
            let found = diagnosed(&level).findings.first().map(|it| it.fraction);
            assert_eq!(found.is_some(), fraction.is_some(), "{name}");
            let off = found.unwrap_or(0.0) - fraction.unwrap_or(0.0);
            assert!(off.abs() < 1e-12, "{name}: {found:?}");
        }
    }
}

#[test]
fn a_radius_of_zero_is_a_sharp_box_or_hull() {
    for (rounded, sharp) in [(SHAPES[2].0, 0.2), (SHAPES[4].0, 0.5)] {
        let zero = rounded
            .replace("radius: 0.1)", "radius: 0)")
            .replace("radius: 0.25)", "radius: 0)");
        let finding = &diagnosed(&stepped(&zero, "")).findings[0];
        let fraction = (5.0 - sharp - 0.1) / 10.0;
        assert!((finding.fraction - fraction).abs() < 1e-9, "{zero}");
    }
}

#[test]
fn invalid_shapes_are_refused_with_a_reason() {
    for (shape, reason) in [
        ("Cylinder(half_height: 0, radius: 1)", "half height"),
        ("Cone(half_height: 1, radius: -1)", "radius"),
        (
            "ConvexHull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)])",
            "plane",
        ),
        (
            "ConvexHull(points: [(0, 0, 0), (1, 0, 0)])",
            "4 to 1024 points",
        ),
        (
            "ConvexHull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1e300)])",
            "too large",
        ),
        ("HeightField(heights: [[0, 0]], cell: (1, 1))", "two rows"),
        ("HeightField(heights: [[0, 0], [0]], cell: (1, 1))", "row 1"),
        (
            "HeightField(heights: [[0, 0], [0, 0]], cell: (0, 1))",
            "size of a cell",
        ),
        ("Compound([])", "1 to 256 parts"),
        (
            "Compound([(shape: Compound([(shape: Sphere(radius: 1))]))])",
            "list the inner parts in the outer compound",
        ),
        (
            "Compound([(shape: Plane(normal: (0, 1, 0)))])",
            "an object of its own with the same `body`",
        ),
        (
            "Compound([(shape: Mesh(file: \"x.obj\"))])",
            "write a ConvexHull",
        ),
        ("Compound([(shape: Sphere(radius: 0))])", "radius"),
        (
            "Compound([(shape: Sphere(radius: 1), rotation: Quat(0, 0, 0, 0))])",
            "zero quaternion",
        ),
        (
            "Compound([(shape: Sphere(radius: 1), places: (0, 0, 0))])",
            "`position`",
        ),
    ] {
        let object = format!(r#"(name: "x", shape: {shape})"#);
        let text = scene_of("dt: 0.1, frames: 1", &[&object]);
        let problems = scene::parse(&text, "x.ron", &MemoryFolder::default()).unwrap_err();
        assert!(problems.to_string().contains(reason), "{shape}: {problems}");
        assert_eq!(problems.0.len(), 1, "{shape}: {problems}");
    }
}

/// Finding of a dumbbell in a frame, moved along X from -1 by this much: balls of radius 0.2 at x = -1 and 1 of it.
fn dumbbell(displacement: f64, middle: &str) -> Option<(Kind, String)> {
    let shape = format!(
        "Compound([(shape: Sphere(radius: 0.2), position: (-1, 0, 0)), (shape: Sphere(radius: 0.2), position: (1, 0, 0)){middle}])"
    );
    let speed = displacement * 10.0;
    let body = format!(
        r#"(name: "dumbbell", shape: {shape}, position: (-1.6, 0, 0), velocity: ({speed}, 0, 0))"#
    );
    let wall = r#"(name: "wall", shape: Box(half_extents: (0.05, 2, 2)), motion: Fixed)"#;
    let level = opened("x.ron", scene_of("dt: 0.1, frames: 1", &[&body, wall]));
    let report = diagnosed(&level);
    let finding = report.findings.first()?;
    Some((finding.kind, finding.text.clone()))
}

/// The front ball goes through the wall, and the rest of the body is held or not.
#[test]
fn a_part_that_passes_is_held_by_one_that_touches() {
    // Both balls are past the wall: -2.6 + 6 and -0.6 + 6.
    let (kind, text) = dumbbell(6.0, "").unwrap();
    assert_eq!(kind, Kind::Tunnels);
    assert!(text.contains("part 1 (Sphere) of dumbbell"), "{text}");
    // The front ball is past, the other has not arrived: the response does not act.
    assert_eq!(dumbbell(1.5, "").unwrap().0, Kind::Tunnels);
    // The other ball overlaps the wall from the near side: its push-out leads back.
    assert_eq!(dumbbell(2.4, ""), None);
    // The other ball overlaps the wall from the far side: its push-out leads on.
    assert_eq!(dumbbell(2.75, "").unwrap().0, Kind::WrongSide);
    // A bar between the balls is in the wall; its shortest push-out is sideways or along the path, so there is no finding.
    let bar = ", (shape: Box(half_extents: (1, 0.1, 0.1)))";
    assert_eq!(dumbbell(1.5, bar).map(|(kind, _)| kind), None);
}

/// Two slabs back to back are one wall of twice the thickness, also of different heights; apart, each is a wall of its own.
#[test]
fn parts_that_touch_are_one_wall() {
    let judged = |(second, height): (f64, f64), displacement: f64| {
        let wall = format!(
            r#"(name: "wall", shape: Compound([(shape: Box(half_extents: (0.5, 9, 9)), position: (0.5, 0, 0)), (shape: Box(half_extents: (0.5, {height}, 9)), position: ({second}, 0, 0))]), motion: Fixed)"#
        );
        let speed = displacement * 10.0;
        let ball = format!(
            r#"(name: "ball", shape: Sphere(radius: 0.2), position: (-1, 0, 0), velocity: ({speed}, 0, 0))"#
        );
        let level = opened("x.ron", scene_of("dt: 0.1, frames: 1", &[&ball, &wall]));
        diagnosed(&level)
            .findings
            .first()
            .map(|finding| finding.kind)
    };
    // Before the middle of both, 1 m in.
    assert_eq!(judged((1.5, 9.0), 1.9), None);
    // In the second slab, nearer to the first: the push out of both is 0.8 m on and 1.6 m back.
    assert_eq!(judged((1.5, 9.0), 2.4), Some(Kind::WrongSide));
    // In the second, which is lower, and nearer to its far face, after contact with both all along.
    assert_eq!(judged((1.5, 8.0), 2.9), Some(Kind::WrongSide));
    // Past both.
    assert_eq!(judged((1.5, 9.0), 4.0), Some(Kind::Tunnels));
    // The second slab is a metre behind the first: the ball is through the first, although the second holds it.
    assert_eq!(judged((2.5, 9.0), 3.1), Some(Kind::Tunnels));
}

/// A ball at rest on the floor of a compound of boxes goes through a wall of it.
#[test]
fn contact_with_one_part_does_not_excuse_another() {
    let room = r#"(name: "room", shape: Compound([
        (shape: Box(half_extents: (9, 0.5, 9)), position: (0, -0.5, 0)),
        (shape: Box(half_extents: (0.05, 3, 9)), position: (3, 3, 0)),
    ]), motion: Fixed)"#;
    let ball = r#"(name: "ball", shape: Sphere(radius: 0.2), position: (0, 0.2, 0), velocity: (50, 0, 0))"#;
    let level = opened("x.ron", scene_of("dt: 0.1, frames: 1", &[ball, room]));
    let finding = &diagnosed(&level).findings[0];
    assert_eq!(finding.kind, Kind::Tunnels);
    assert!(
        finding.text.contains("part 1 (Box) of room"),
        "{}",
        finding.text
    );
    assert!((finding.fraction - 2.75 / 5.0).abs() < 1e-9);
}

/// A ball of 0.5 m passes 0.45 m from the upright edge of a post, at (1, 1): it cuts the corner. Where it is on the floor of the same compound it
/// is in contact all along, and no test misses it.
#[test]
fn a_cut_corner_beside_a_contact_is_no_event() {
    for (floor, kinds) in [(-9.0, &[Kind::Clips][..]), (-0.5, &[])] {
        let room = format!(
            r#"(name: "room", shape: Compound([
                (shape: Box(half_extents: (9, 0.5, 9)), position: (0, {floor}, 0)),
                (shape: Box(half_extents: (1, 3, 1)), position: (0, 3, 0)),
            ]), motion: Fixed)"#
        );
        // Half of 1.8 m before the nearest point, along (1, 0, -1).
        let near = 1.0 + 0.45 / 2_f64.sqrt();
        let half = 0.9 / 2_f64.sqrt();
        let ball = format!(
            r#"(name: "ball", shape: Sphere(radius: 0.5), position: ({}, 0.5, {}), velocity: ({speed}, 0, -{speed}))"#,
            near - half,
            near + half,
            speed = 20.0 * half
        );
        let level = opened("x.ron", scene_of("dt: 0.1, frames: 1", &[&ball, &room]));
        let report = diagnosed(&level);
        let found: Vec<Kind> = report.findings.iter().map(|found| found.kind).collect();
        assert_eq!(found, kinds, "floor at {floor}: {:#?}", report.findings);
    }
}

/// A ball enters the round part of a top from -X, short of its middle and past it. That the top spins by nearly half a turn meanwhile turns no side of
/// that part.
#[test]
fn the_spin_of_a_round_part_has_no_effect() {
    for spin in [0, 30] {
        let top = format!(
            r#"(name: "top", shape: Compound([
                (shape: Sphere(radius: 1)), (shape: Sphere(radius: 0.1), position: (0, 0, 1.5)),
            ]), motion: Kinematic, spin: (0, 0, {spin}))"#
        );
        for (speed, kinds) in [(10, &[][..]), (20, &[Kind::WrongSide])] {
            let ball = format!(
                r#"(name: "ball", shape: Sphere(radius: 0.2), position: (-1.5, 0, 0), velocity: ({speed}, 0, 0))"#
            );
            let level = opened("x.ron", scene_of("dt: 0.1, frames: 1", &[&ball, &top]));
            let report = diagnosed(&level);
            let found: Vec<Kind> = report.findings.iter().map(|found| found.kind).collect();
            assert_eq!(found, kinds, "{spin} {speed}: {:#?}", report.findings);
        }
    }
}
