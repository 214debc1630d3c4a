//! `hitstop compare` from a shell.

use crate::shell::{BULLET, CLEAN, RECORDED, folder, hitstop, status, stderr, stdout, text_of};
use serde_json::Value;
use std::path::PathBuf;
use tempfile::TempDir;

fn scene(dt: f64, frames: u32, speed: f64) -> String {
    format!(
        r#"Scene(version: 1, name: "x", dt: {dt:?}, frames: {frames}, objects: [
            (name: "still", shape: Sphere(radius: 1.0), position: (0.0, 9.0, 0.0)),
            (name: "ball", shape: Sphere(radius: 1.0), velocity: ({speed:?}, 0.0, 0.0)),
        ])"#
    )
}

/// Two scenes whose balls are 0.5 n / 64 m apart at frame n.
fn two() -> (TempDir, String, String) {
    let folder = folder(&[
        ("a.ron", &scene(0.015625, 64, 1.0)),
        ("b.ron", &scene(0.015625, 64, 1.5)),
    ]);
    let path = |name: &str| text_of(folder.path().join(name));
    let (a, b) = (path("a.ron"), path("b.ron"));
    (folder, a, b)
}

#[test]
fn equal_levels_are_status_0_and_different_ones_status_1() {
    let same = hitstop(&["compare", BULLET, BULLET]);
    assert_eq!(status(&same), 0, "{}", stderr(&same));
    assert!(stdout(&same).contains("Equal: every bit is the same"));
    let (_folder, a, b) = two();
    let other = hitstop(&["compare", &a, &b]);
    assert_eq!(status(&other), 1, "{}", stderr(&other));
    let text = stdout(&other);
    for wanted in [
        "ball  frame 1: 0.00781 m apart",
        "largest 0.5 m at frame 64",
        "1 of 2 objects differ, the first at frame 1",
        "First difference at frame 0: velocity of ball, 0.5 m/s apart.",
        "State hashes: equal in 0 of 65 states, first different at frame 0.",
    ] {
        assert!(text.contains(wanted), "{wanted} is not in:\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "no colour codes in a pipe");
    assert_eq!(stderr(&other), "");
}

#[test]
fn tolerances_decide_equality() {
    let (_folder, a, b) = two();
    let of = |tolerance: &str| hitstop(&["compare", &a, &b, "--tolerance", tolerance]);
    assert_eq!(status(&of("0.5")), 0);
    let text = stdout(&of("0.25"));
    assert!(text.contains("the first at frame 33"), "{text}");
    for wrong in ["-1", "nan", "much"] {
        let output = hitstop(&["compare", &a, &b, &format!("--tolerance={wrong}")]);
        assert_eq!(status(&output), 2, "{wrong}");
        assert!(stderr(&output).contains("invalid tolerance"));
    }
}

#[test]
fn json_has_the_values_of_the_text() {
    let (_folder, a, b) = two();
    let output = hitstop(&["compare", &a, &b, "--format", "json"]);
    assert_eq!(status(&output), 1);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["equal"], false);
    assert_eq!(
        (&json["a"]["name"], &json["b"]["name"]),
        (&a.into(), &b.into())
    );
    assert_eq!(
        (&json["states"], &json["aligned_by"]),
        (&65.into(), &"frame".into())
    );
    assert_eq!(json["same_objects"], 1);
    let first = &json["first"];
    assert_eq!(
        (&first["frame"], &first["object"]),
        (&0.into(), &"ball".into())
    );
    assert_eq!(
        (&first["field"], &first["text"]),
        (&"velocity".into(), &"0.5 m/s apart".into())
    );
    let sentence = "First difference at frame 0: velocity of ball, 0.5 m/s apart.";
    assert_eq!(json["first_text"], sentence);
    assert_eq!(json["hashes"]["first_different"], 0);
    let ball = &json["objects"][0];
    assert_eq!(
        (&ball["name"], &ball["matched"]),
        (&"ball".into(), &"name".into())
    );
    assert_eq!(ball["first"]["frame"], 1);
    assert_eq!(ball["first"]["what"], "apart");
    assert_eq!(ball["first"]["position"], 0.0078125);
    assert_eq!(ball["largest_position"]["value"], 0.5);
    assert_eq!(ball["motion_from"], 0);
}

#[test]
fn different_steps_are_compared_by_time_with_a_note() {
    let folder = folder(&[
        ("a.ron", &scene(0.015625, 64, 1.0)),
        ("b.ron", &scene(0.03125, 32, 1.0)),
    ]);
    let path = |name: &str| text_of(folder.path().join(name));
    let (a, b) = (path("a.ron"), path("b.ron"));
    let output = hitstop(&["compare", &a, &b]);
    assert_eq!(status(&output), 1, "the steps differ");
    let text = stdout(&output);
    assert!(text.contains("States are compared by time"), "{text}");
    assert!(
        text.contains("Every object is the same in 65 states"),
        "{text}"
    );
    let loose = hitstop(&["compare", &a, &b, "--tolerance", "1e-9", "--angle", "1e-9"]);
    assert_eq!(status(&loose), 0, "{}", stdout(&loose));
    let by_frame = hitstop(&["compare", &a, &b, "--by", "frame"]);
    assert!(stdout(&by_frame).contains("Only the first 33 states could be compared"));
}

#[test]
fn two_recordings_are_compared() {
    let output = hitstop(&["compare", RECORDED, CLEAN]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert_eq!(status(&hitstop(&["compare", RECORDED, RECORDED])), 0);
}

/// The bullet passes the paper between two frames; the sweep detects it, and the scene's response then acts.
#[test]
fn a_scene_is_compared_with_its_other_detection() {
    let output = hitstop(&["compare", BULLET, "--other-detection"]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("with Sweep"), "{text}");
    assert!(text.contains("bullet  frame 1:"), "{text}");
    let recorded = hitstop(&["compare", RECORDED, "--other-detection"]);
    assert_eq!(status(&recorded), 2);
    assert!(stderr(&recorded).contains("a recording cannot be re-run"));
}

#[test]
fn unreadable_input_is_status_2_with_its_name() {
    let output = hitstop(&["compare", BULLET, "scenes/gone.ron"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("gone.ron") && stdout(&output).is_empty());
    assert_eq!(status(&hitstop(&["compare", BULLET])), 2, "against what?");
    assert!(PathBuf::from(BULLET).exists());
}

/// `hitstop A B` opened A alone, and said nothing of B.
#[test]
fn two_files_without_a_window_are_compared() {
    let (_folder, a, b) = two();
    let output = hitstop(&[&a, &b]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert!(stdout(&output).contains("ball  frame 1: 0.00781 m apart"));
    assert!(stderr(&output).contains("These are the differences instead"));
}
