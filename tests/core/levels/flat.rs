//! Flat levels in files: what they mean, and what is said of what is neither flat nor of space.

use crate::common::levels::opened;
use glam::{DVec2, DVec3};
use hitstop::core::diagnose::{Options, SceneSelection, diagnose, minimal_scene};
use hitstop::core::log::{self, Format, Header, Recorder};
use hitstop::core::replay::{Body, Replay};
use hitstop::core::scene::{self, Axis, LengthName, MemoryFolder, Object, Units};
use hitstop::core::shape::{ChainFacing, Pose, Shape};
use std::f64::consts::FRAC_PI_2;

/// A browser game: pixels, y downward. The ball falls by 10 m/s², turns clockwise on the screen, and passes the fence, 8 px wide.
const GAME: &str = r#"{"hitstop": 1, "flat": true, "unit": "px", "up": "-y", "dt": 0.1, "gravity": [0, 1000], "objects": [{"id": 0, "name": "ball", "shape": {"circle": {"radius": 4}}}, {"id": 1, "name": "fence", "motion": "fixed", "shape": {"box": {"half_extents": [4, 100]}}, "position": [200, 100]}, {"id": 2, "name": "ground", "motion": "fixed", "shape": {"chain": {"points": [[0, 300], [400, 300]], "facing": "left"}}}]}
{"frame": 0, "bodies": [{"id": 0, "p": [140, 100], "v": [800, 0], "q": 0.5, "w": 2}]}
{"frame": 1, "bodies": [{"id": 0, "p": [220, 100], "v": [800, 0], "q": 0.7, "w": 2}]}
"#;

fn problems(text: &str) -> String {
    let folder = MemoryFolder::default();
    let size = text.len() as u64;
    let read = log::read(
        Format::JsonLines,
        text.as_bytes(),
        size,
        "a.jsonl",
        None,
        &folder,
        &(),
    );
    match read {
        Ok(recording) => recording.notices.iter().map(ToString::to_string).collect(),
        Err(problems) => problems.to_string(),
    }
}

fn object<'r>(replay: &'r Replay, name: &str) -> &'r Object {
    let id = replay.object_named(name).expect("it is there");
    &replay.objects()[id as usize]
}

#[test]
fn a_log_in_pixels_with_y_downward_is_in_metres_with_y_upward() {
    let level = opened("game.jsonl", GAME.to_owned());
    let replay = &level.replay;
    let state = replay.state(0);
    let ball = state.body(0).expect("the ball is there");
    assert_eq!(ball.pose.position, DVec3::new(140.0 * 0.01, -1.0, 0.0));
    assert_eq!(ball.velocity, Some(DVec3::new(8.0, 0.0, 0.0)));
    // Clockwise on the screen, where a positive angle turns x toward y, which is down.
    let along = ball.pose.rotation * DVec3::X;
    let (sin, cos) = 0.5_f64.sin_cos();
    assert!(along.distance(DVec3::new(cos, -sin, 0.0)) < 1e-15);
    assert_eq!(ball.spin, Some(DVec3::new(0.0, 0.0, -2.0)));
    let recording = replay.recording().expect("a log");
    assert_eq!(recording.gravity, Some(DVec3::new(0.0, -10.0, 0.0)));
    // The left of (1, 0) is (0, 1) in the numbers of the log, which is down on the screen.
    let ground = &object(replay, "ground").shape;
    let points = [DVec2::new(0.0, -3.0), DVec2::new(4.0, -3.0)];
    assert_eq!(
        ground.as_chain(),
        Some((points.to_vec(), false, ChainFacing::Right))
    );
    // It is told in pixels, with two numbers.
    let units = replay.units();
    assert_eq!(units.length(0.04), "4 px");
    assert_eq!(units.speed(8.0), "800 px/s");
    assert_eq!(units.point(DVec3::new(1.4, -1.0, 0.0)), "(140, 100)");
}

#[test]
fn a_finding_of_a_flat_level_is_a_flat_scene() {
    let level = opened("game.jsonl", GAME.to_owned());
    let report = diagnose(&level, &Options::default(), &()).expect("not cancelled");
    let [finding] = &report.findings[..] else {
        panic!("{:?}", report.findings);
    };
    assert_eq!(
        (finding.kind.name(), finding.cause.id()),
        ("Tunnels", "C01")
    );
    // 80 px a frame, and the fence with the ball is 16 px wide.
    assert!(
        finding.text.contains("moves 80 px in this frame"),
        "{}",
        finding.text
    );
    let selection = SceneSelection::Finding(finding);
    let (small, _) = minimal_scene(&level, 0, selection, &()).expect("there is a frame");
    let text = scene::write(&small);
    for part in [
        "flat: true",
        "units: (name: Px, up: MinusY)",
        "Circle(radius: 4.0)",
        "Box(half_extents: (4.0, 100.0)), position: (200.0, 100.0)",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let again = scene::parse(&text, "small.ron", &MemoryFolder::default()).expect("it is valid");
    assert_eq!(again.units, small.units);
}

#[test]
fn what_is_tried_first_works_or_says_what_to_write() {
    let header = |flat: &str, shape: &str| {
        format!(
            "{{\"hitstop\": 1, {flat}\"dt\": 0.1, \"objects\": [{{\"id\": 0, \"name\": \"one\", \"shape\": {shape}}}]}}\n"
        )
    };
    let frame = |body: &str| format!("{{\"frame\": 0, \"bodies\": [{{\"id\": 0, {body}}}]}}\n");
    let ball = header("", r#"{"sphere": {"radius": 1}}"#);
    let flat_ball = header("\"flat\": true, ", r#"{"circle": {"radius": 1}}"#);
    let place = frame(r#""p": [0, 0, 0]"#);
    for (text, said) in [
        // In space.
        (
            header("", r#"{"circle": {"radius": 1}}"#) + &place,
            "flat: true",
        ),
        (
            header("", r#"{"polygon": {"points": [[0, 0], [1, 0], [0, 1]]}}"#) + &place,
            "flat: true",
        ),
        (
            header("", r#"{"chain": {"points": [[0, 0], [1, 0]]}}"#) + &place,
            "flat: true",
        ),
        (
            header("", r#"{"box": {"half_extents": [1, 1]}}"#) + &place,
            "flat: true",
        ),
        (
            header("", r#"{"rect": {"half_extents": [1, 1]}}"#) + &place,
            "did you mean `box`?",
        ),
        (
            header(
                "",
                r#"{"convex_hull": {"points": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]}}"#,
            ) + &place,
            "in a flat level a Polygon",
        ),
        (ball.clone() + &frame(r#""p": [0, 0]"#), "flat: true"),
        (
            ball.clone() + &frame(r#""p": [0, 0, 0], "q": 0.5"#),
            "the angle of a flat level",
        ),
        (
            ball + &frame(r#""p": [0, 0, 0], "w": 0.5"#),
            "the angular velocity of a flat level",
        ),
        // In the plane.
        (
            flat_ball.clone() + &frame(r#""p": [0, 0, 1]"#),
            "the third number of a point is 0",
        ),
        (
            flat_ball.clone() + &frame(r#""p": [0, 0], "q": [1, 0, 0, 0]"#),
            "an angle in radians",
        ),
        (
            flat_ball + &frame(r#""p": [0, 0], "w": [1, 0, 0]"#),
            "is one number",
        ),
        (
            header(
                "\"flat\": true, ",
                r#"{"cylinder": {"radius": 1, "half_height": 1}}"#,
            ),
            "write a box or a polygon",
        ),
        (
            header("\"flat\": true, ", r#"{"box": {"half_extents": [1, 0]}}"#),
            "a line is a segment",
        ),
        (
            header(
                "\"flat\": true, ",
                r#"{"polygon": {"points": [[0, 0], [1, 0]]}}"#,
            ),
            "two are a segment or a capsule",
        ),
        (
            header(
                "\"flat\": true, ",
                r#"{"polygon": {"points": [[0, 0], [1, 1], [1, 0], [0, 1]]}}"#,
            ),
            "crosses itself",
        ),
        (
            header(
                "\"flat\": true, ",
                r#"{"chain": {"points": [[0, 0], [0, 0]]}}"#,
            ),
            "points 0 and 1 are one",
        ),
        (
            header(
                "\"flat\": true, \"up\": \"z\", ",
                r#"{"circle": {"radius": 1}}"#,
            ),
            "write \"y\", or \"-y\"",
        ),
    ] {
        let problems = problems(&text);
        assert!(problems.contains(said), "{said} of {text}: {problems}");
    }
}

/// With a third number of 0, a quaternion about z, and the names of space, it is the same level.
#[test]
fn a_flat_log_with_three_numbers_is_the_same() {
    let deep = GAME
        .replace("[140, 100]", "[140, 100, 0]")
        .replace("[800, 0]", "[800, 0, 0]")
        .replace("\"w\": 2", "\"w\": [0, 0, 2]")
        .replace("\"circle\"", "\"sphere\"");
    let (one, other) = (opened("a.jsonl", GAME.to_owned()), opened("a.jsonl", deep));
    assert_eq!(one.replay.objects(), other.replay.objects());
    assert_eq!(one.replay.state(0), other.replay.state(0));
}

/// A log has what the engine computed; a scene is written by hand.
#[test]
fn a_spin_that_is_no_number_is_one_of_logs() {
    let log = GAME.replace("\"w\": 2", "\"w\": \"NaN\"");
    let level = opened("a.jsonl", log);
    let spin = level.replay.state(0).body(0).unwrap().spin.unwrap();
    assert!(spin.z.is_nan());
    for (spin, is_right) in [("2.0", true), ("\"NaN\"", false)] {
        let text = format!(
            "Scene(version: 1, flat: true, name: \"f\", dt: 1, frames: 1, objects: [(name: \"o\", shape: Circle(radius: 1), spin: {spin})])"
        );
        let scene = scene::parse(&text, "f.ron", &MemoryFolder::default());
        assert_eq!(scene.is_ok(), is_right, "{spin}");
    }
}

#[test]
fn a_recorder_writes_flat_levels_and_refuses_what_is_not_flat() {
    let header = Header {
        units: Units {
            flat: true,
            up: Axis::MinusY,
            name: Some(LengthName::Px),
            length: 0.01,
        },
        gravity: Some(DVec3::new(0.0, 981.0, 0.0)),
        ..Header::default()
    };
    let mut recorder = Recorder::new(Vec::new(), header).unwrap();
    let crate_shape = Shape::rectangle(DVec2::new(16.0, 8.0), 0.0);
    let id = recorder
        .add_object(Object::new("crate", crate_shape, DVec3::ZERO))
        .unwrap();
    let deep = Shape::Box {
        half_extents: DVec3::ONE,
    };
    let pillar = hitstop::core::shape::SolidShape::Cylinder(hitstop::core::shape::Cylinder {
        half_height: 1.0,
        radius: 1.0,
    });
    let refused = recorder.add_object(Object::new("pillar", Shape::Solid(pillar), DVec3::ZERO));
    assert!(refused.unwrap_err().to_string().contains("Shape::circle"));
    recorder
        .add_object(Object::new("deep", deep, DVec3::ZERO))
        .unwrap();
    let turned = Pose {
        position: DVec3::new(10.0, 20.0, 0.0),
        rotation: glam::DQuat::from_rotation_z(FRAC_PI_2),
    };
    recorder.frame(0.0, &[Body::new(id, turned)]).unwrap();
    let text = String::from_utf8(recorder.finish().unwrap()).unwrap();
    for part in [
        r#""flat":true,"up":"-y","unit":"px""#,
        r#""gravity":[0,981]"#,
        r#"{"box":{"half_extents":[16,8]}}"#,
        r#""p":[10,20],"q":1.5707963267948966"#,
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}
