//! On which side of a moving wall a body ends, and where the corners of a camera's picture are.

use crate::common::levels::{ball, diagnosed, fixed, fixed_box, level_of, log_of, opened};
use glam::DVec3;
use hitstop::core::diagnose::{Kind, Report};
use hitstop::core::query::probe::ProbeMode;
use hitstop::core::replay::Replay;
use hitstop::core::scene::{Camera, CameraMovement, Movement, Object, Probe, Scene};
use hitstop::core::shape::{Pose, Shape};
use std::sync::Arc;

const DT: f64 = 0.0625;

fn once(scene: Scene) -> Report {
    let scene = Scene {
        dt: DT,
        frames: 1,
        ..scene
    };
    diagnosed(&level_of(Replay::stepped(Arc::new(scene))))
}

/// A wall of half a metre goes on by 1 m. A ball of 0.25 m from 2 m before its middle ends clear behind it, or short of its middle, from where the
/// shortest push leads back; or it meets one that comes.
#[test]
fn a_body_passes_a_wall_where_the_wall_is_at_the_end() {
    let kinds = |travel: f64, wall: f64| {
        let wall = Object {
            movement: Movement::Kinematic,
            velocity: DVec3::new(wall / DT, 0.0, 0.0),
            ..fixed_box("wall", [0.25, 50.0, 50.0], DVec3::ZERO)
        };
        let ball = ball("ball", 0.25, [-2.0, 0.0, 0.0], [travel / DT, 0.0, 0.0]);
        let report = once(Scene::new("wall", vec![ball, wall]));
        let kinds = report.findings.iter().map(|found| found.kind);
        kinds.collect::<Vec<_>>()
    };
    // At 1.6, of a wall from 0.75 to 1.25.
    assert_eq!(kinds(3.6, 1.0), [Kind::Tunnels]);
    // At 0.9, 0.1 m before its middle.
    assert_eq!(kinds(2.9, 1.0), []);
    // At 1.1, 0.1 m behind it.
    assert_eq!(kinds(3.1, 1.0), [Kind::WrongSide]);
    // At -0.9 and -1.1, of a wall from -1.25 to -0.75.
    assert_eq!(kinds(1.1, -1.0), [Kind::WrongSide]);
    assert_eq!(kinds(0.9, -1.0), []);
}

/// A picture as high as it is wide, of 90 degrees: its corners are 0.1 m to each side and 0.1 m ahead. A pebble at one of them is cut by it.
#[test]
fn a_surface_at_any_corner_of_the_picture_is_seen_from_behind() {
    let camera = || Camera {
        pose: Pose::IDENTITY,
        movement: CameraMovement::Velocity(DVec3::ZERO),
        probe: Probe::Off,
        probe_mode: ProbeMode::InOrder,
        near: 0.1,
        fov: 90_f64.to_radians(),
        aspect: 1.0,
    };
    let cut = |at: [f64; 3]| {
        let pebble = fixed("pebble", Shape::Sphere { radius: 0.01 }, at);
        let report = once(Scene {
            camera: Some(camera()),
            ..Scene::new("camera", vec![pebble])
        });
        let kinds = report.findings.iter().map(|found| found.kind);
        kinds.collect::<Vec<_>>() == [Kind::CameraCrosses]
    };
    for (x, y) in [(0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1)] {
        // A little nearer, so that the corner itself is behind the surface.
        assert!(cut([0.99 * x, 0.99 * y, -0.099]), "{x}, {y}");
        assert!(!cut([1.2 * x, 1.2 * y, -0.1]), "{x}, {y}");
    }
}

/// A camera at no place crosses nothing, though the wall is where it was.
#[test]
fn a_camera_without_a_place_crosses_nothing() {
    let wall =
        r#"{"id":0,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[1,1,1]}}}"#;
    let ball = r#"{"id":1,"name":"ball","shape":{"sphere":{"radius":0.5}}}"#;
    let crosses = |places: [&str; 3]| {
        let lines = places
            .map(|x| format!(r#""bodies":[{{"id":1,"p":[9,9,9]}}],"camera":{{"p":[{x},0,0]}}"#));
        let report = diagnosed(&opened("a.jsonl", log_of("", &[wall, ball], &lines)));
        let mut found = report.findings.iter();
        found.any(|found| found.kind == Kind::CameraCrosses)
    };
    assert!(crosses(["-3", "3", "4"]));
    assert!(!crosses(["-3", "NaN", "NaN"]));
    assert!(!crosses(["NaN", "3", "4"]));
    assert!(!crosses(["-3", "NaN", "3"]));
}

/// A body that appears in a wall is found where its frame begins; in the last state, at the end of the frame before it.
#[test]
fn an_overlap_in_the_last_state_is_at_the_end_of_the_last_frame() {
    let wall =
        r#"{"id":0,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[1,1,1]}}}"#;
    let ball = |id: u32| {
        format!(r#"{{"id":{id},"name":"ball {id}","shape":{{"sphere":{{"radius":0.5}}}}}}"#)
    };
    for (state, at) in [(0, (0, 0.0)), (2, (2, 0.0)), (3, (2, 1.0))] {
        let lines: Vec<String> = (0..4)
            .map(|line| {
                let new = if line >= state {
                    r#",{"id":2,"p":[1.3,0,0]}"#
                } else {
                    ""
                };
                format!(r#""bodies":[{{"id":1,"p":[9,9,9]}}{new}]"#)
            })
            .collect();
        let level = opened("a.jsonl", log_of("", &[wall, &ball(1), &ball(2)], &lines));
        let report = diagnosed(&level);
        let places = report
            .findings
            .iter()
            .map(|it| (it.kind, it.frame, it.fraction));
        let places: Vec<_> = places.collect();
        assert_eq!(places, [(Kind::StartsInside, at.0, at.1)], "state {state}");
    }
}

/// A ball of 0.5 m begins 0.2 m deep in the front of a one-sided mesh, or as deep behind it: a slope of the mesh that is farther away, and faces
/// away, says nothing of that.
#[test]
fn a_body_is_in_front_of_the_nearest_triangle() {
    let floor = [[-5, 0, -5], [-5, 0, 5], [5, 0, -5]];
    // In the plane x - y = 6; the ball is within its bounds, 5.9 m behind it.
    let away = [[-4, -10, -9], [16, 10, -9], [6, 0, 20]];
    let vertices = [floor, away].concat();
    let mesh = format!(
        r#"{{"id":0,"name":"mesh","motion":"fixed","shape":{{"mesh":{{"vertices":{vertices:?},"triangles":[[3,4,5],[0,1,2]],"facing":"front"}}}}}}"#
    );
    let ball = r#"{"id":1,"name":"ball","shape":{"sphere":{"radius":0.5}}}"#;
    for (y, expected) in [(0.3, vec![Kind::StartsInside]), (-0.3, vec![])] {
        let line = format!(r#""bodies":[{{"id":1,"p":[-2,{y},-2]}}]"#);
        let level = opened("a.jsonl", log_of("", &[&mesh, ball], &[&line, &line]));
        let report = diagnosed(&level);
        let kinds = report.findings.iter().map(|found| found.kind);
        assert_eq!(kinds.collect::<Vec<_>>(), expected, "{y}");
    }
}
