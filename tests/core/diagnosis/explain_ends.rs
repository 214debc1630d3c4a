//! The explanation of pairs without a path to sweep (absent, teleported, the same object), and of the camera and an object.

use crate::common::levels::{log_of, opened, scene_of};
use glam::DVec3;
use hitstop::core::diagnose::explain::{
    CameraExplanation, Ending, Explanation, Presence, explain, explain_camera,
};
use hitstop::core::level::Level;

const BALL: &str = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.5}}}"#;
const POST: &str = r#"{"id":1,"name":"post","motion":"fixed","shape":{"sphere":{"radius":1}}}"#;
const GUEST: &str = r#"{"id":2,"name":"guest","mask":0,"shape":{"sphere":{"radius":0.5}}}"#;

/// Ball at x, frame by frame: absent without a number; the rest of its fields after it.
fn recorded(ball: &[Option<(f64, &str)>]) -> Level {
    let frames: Vec<String> = ball
        .iter()
        .map(|at| match at {
            Some((x, more)) => format!(r#""bodies":[{{"id":0,"p":[{x},0,0]{more}}}]"#),
            None => r#""bodies":[]"#.to_owned(),
        })
        .collect();
    opened("x.jsonl", log_of("", &[BALL, POST, GUEST], &frames))
}

fn explanation(level: &Level, frame: u32, a: u32, b: u32) -> Explanation {
    explain(&level.replay, &level.replay.frame(frame), a, b)
}

/// All sentences after the first.
#[track_caller]
fn assert_all_after_first(sentences: &[String], expected: &[&str]) {
    assert_eq!(sentences[1..], *expected);
}

#[track_caller]
fn assert_contains(sentences: &[String], expected: &[&str]) {
    for sentence in expected {
        let found = sentences.iter().any(|one| one == sentence);
        assert!(found, "missing: {sentence}\n{sentences:#?}");
    }
}

#[test]
fn appearing_objects_have_no_path() {
    let level = recorded(&[None, Some((-4.0, "")), Some((-3.0, "")), None, None]);
    let comes = explanation(&level, 0, 0, 1);
    assert_eq!(
        comes.presence,
        [Presence::Appears(DVec3::X * -4.0), Presence::Travels]
    );
    assert_eq!(comes.ending, Ending::Absent(true, false));
    assert_all_after_first(
        &comes.sentences(),
        &[
            "`ball` appears at the end of this frame, at (-4, 0, 0): it has no path to sweep.",
            "An overlap test at the end of the frame finds nothing: they are 2.5 m apart.",
        ],
    );
    let there = explanation(&level, 1, 0, 1);
    assert_eq!(there.presence, [Presence::Travels; 2]);
    let leaves = explanation(&level, 2, 1, 0);
    assert_all_after_first(
        &leaves.sentences(),
        &[
            "`ball` is at (-3, 0, 0) when this frame starts, and absent when it ends: it has no path to sweep.",
            "An overlap test at the start of the frame finds nothing: they are 1.5 m apart.",
        ],
    );
    assert_all_after_first(
        &explanation(&level, 3, 0, 1).sentences(),
        &["`ball` is absent in this frame."],
    );
}

#[test]
fn a_teleport_is_explained_with_both_overlap_tests() {
    // From 2.5 m of clearance before the post into it by 0.25.
    let level = recorded(&[Some((-4.0, "")), Some((1.25, r#","teleported":true"#))]);
    let jump = explanation(&level, 0, 0, 1);
    assert_eq!(
        jump.presence[0],
        Presence::Teleported {
            from: DVec3::X * -4.0,
            to: DVec3::X * 1.25
        }
    );
    assert_all_after_first(
        &jump.sentences(),
        &[
            "`ball` was teleported by 5.25 m, from (-4, 0, 0) to (1.25, 0, 0): there is no path to sweep.",
            "An overlap test at the start of the frame finds nothing: they are 2.5 m apart.",
            "An overlap test at the end of the frame finds an overlap of 0.25 m, with a push along (1, 0, 0).",
        ],
    );
    // The same path with frames missing in between.
    let text = log_of("", &[BALL, POST], &[r#""bodies":[{"id":0,"p":[-4,0,0]}]"#])
        + "{\"frame\":1,\"bodies\":[{\"id\":0,\"p\":[-3,0,0]}]}\n"
        + "{\"frame\":7,\"bodies\":[{\"id\":0,\"p\":[3,0,0]}]}\n";
    let level = opened("x.jsonl", text);
    assert_contains(
        &explanation(&level, 1, 0, 1).sentences(),
        &[
            "Frames are missing here: the path of `ball` from (-3, 0, 0) to (3, 0, 0), 6 m away, is unknown, so nothing is swept.",
        ],
    );
}

#[test]
fn one_object_twice_and_objects_that_do_not_exist_are_no_pair() {
    let level = recorded(&[Some((-4.0, "")), Some((-3.0, ""))]);
    let itself = explanation(&level, 0, 0, 0);
    assert_eq!(itself.ending, Ending::NoPair);
    assert_all_after_first(&itself.sentences(), &["Both are the same object."]);
    let nobody = explanation(&level, 0, 0, 99);
    assert_eq!(nobody.presence[1], Presence::Unknown);
    assert_all_after_first(
        &nobody.sentences(),
        &[
            "There is no object 99 in this level.",
            "A pair needs two existing objects.",
        ],
    );
    let sentences = explanation(&level, 0, 99, 0).sentences();
    assert_all_after_first(
        &sentences,
        &[
            "There is no object 99 in this level.",
            "A pair needs two existing objects.",
        ],
    );
    assert!(explanation(&level, 0, 99, 99).sentences().len() == 3);
}

#[test]
fn masks_of_absent_objects_are_explained() {
    let level = recorded(&[Some((-4.0, "")), Some((-3.0, ""))]);
    assert_all_after_first(
        &explanation(&level, 0, 0, 2).sentences(),
        &[
            "`guest` is absent in this frame.",
            "The pair is masked: the mask of `guest` has no layer of `ball`.",
        ],
    );
}

/// A camera that moves by `step` along -z in a frame, from 1 m before a wall 0.2 thick; its probe extends 0.5 ahead.
fn camera(step: f64, probe: &str, more: &str) -> CameraExplanation {
    let wall = format!(
        r#"(name: "wall", shape: Box(half_extents: (2, 2, 0.1)), position: (0, 0, -1.1), motion: Fixed{more})"#
    );
    let camera = format!(
        "dt: 1, frames: 2, camera: (position: (0, 0, 0), look_at: (0, 0, -1), motion: Velocity((0, 0, -{step:?})), probe: {probe})"
    );
    let level = opened("x.ron", scene_of(&camera, &[&wall]));
    explain_camera(&level.replay, &level.replay.frame(0), 0)
}

#[test]
fn a_camera_that_is_too_fast_for_its_probe() {
    let explanation = camera(4.0, "Standard", "");
    // The near face is 1 of 4 ahead.
    let hit = explanation.path.unwrap();
    assert!((hit.fraction - 0.25).abs() < 1e-12);
    assert!(explanation.probe.as_ref().unwrap().answer.hits.is_empty());
    assert_contains(
        &explanation.sentences(),
        &[
            "In frame 0 (1 s), the camera and `wall` (box).",
            "The camera moves 4 m, from (0, 0, 0) to (0, 0, -4).",
            "The segment starts 1 m outside the surface.",
            "It hits the surface at 0.25 of its length, from the front.",
            "The camera path crosses `wall` at 0.25 of the frame (0.25 s), from outside.",
            // Its longest line is (0.4, 0, 0.4).
            "A sphere of the probe's length around it, swept against `wall`, gives Hits:",
            "At the start they are 0.434 m apart; along the normal the motion brings them 4 m closer. The error bound is 1.07e-14 m.",
            "At the end of the path its probe, 0.566 m long, is tested against `wall` alone:",
            "The probe pushes nothing.",
            "So the probe does not detect the surface that the camera crossed.",
        ],
    );
}

#[test]
fn a_camera_that_its_probe_stops() {
    // At -0.7 the line along z crosses the face at -1 by 0.2.
    let explanation = camera(0.7, "Lines([(0, 0, 0.5)])", "");
    assert_eq!(explanation.path, None);
    assert!((explanation.pushed - DVec3::Z * 0.2).length() < 1e-12);
    assert_contains(
        &explanation.sentences(),
        &[
            "It hits no surface.",
            "The camera path does not cross `wall`.",
            "Its end is pulled back to the surface: a push of 0.2 m, (0, 0, 0.2).",
            "In this frame the camera was pushed by 0.2 m, (0, 0, 0.2), to (0, 0, -0.5).",
        ],
    );
}

#[test]
fn ignored_cameras_and_objects() {
    let sensor = camera(4.0, "Standard", ", sensor: true");
    assert_contains(
        &sensor.sentences(),
        &["The camera ignores `wall`, which is a sensor or dynamic."],
    );
    assert_contains(
        &camera(4.0, "Off", "").sentences(),
        &["The camera has no probe."],
    );
    let level = recorded(&[Some((-4.0, "")), Some((-3.0, ""))]);
    let none = explain_camera(&level.replay, &level.replay.frame(0), 0);
    assert_all_after_first(
        &none.sentences(),
        &["The camera has no path in this frame: it is absent or teleported."],
    );
    let text = scene_of(
        "dt: 1, frames: 2, camera: (position: (0, 0, 0), look_at: (0, 0, -1))",
        &[],
    );
    let level = opened("x.ron", text);
    let nobody = explain_camera(&level.replay, &level.replay.frame(0), 7);
    assert_contains(
        &nobody.sentences(),
        &["There is no object 7 in this level."],
    );
}

/// The near plane, 0.1 ahead, crosses the face where the eye stops 0.05 before it.
#[test]
fn a_near_plane_that_pokes_through() {
    let explanation = camera(0.95, "Off", "");
    assert!(explanation.path.is_none());
    let hit = explanation.near.unwrap();
    assert!((hit.point.z + 1.0).abs() < 1e-12);
    let sentences = explanation.sentences();
    assert!(
        sentences
            .iter()
            .any(|one| one.starts_with("At the end of the frame its near plane cuts through at ("))
    );
}
