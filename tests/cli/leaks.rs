//! `hitstop leaks`: what it prints and writes, and its exit status.

use crate::shell::{folder, hitstop, status, stderr, stdout, text_of};
use serde_json::Value;

const WALL: &str = "(version: 1, name: \"wall\", dt: 0.016666666666666666, frames: 1, objects: [
    (name: \"thin\\u{1b}[31m\", shape: Box(half_extents: (0.02, 2.0, 2.0)), position: (0.0, 0.0, 0.0), motion: Fixed),
])";

fn leaks(file: &str, more: &[&str]) -> std::process::Output {
    hitstop(&[&["leaks", file, "--no-progress", "--trials", "500"], more].concat())
}

#[test]
fn the_weakest_place_decides_the_exit_status() {
    let files = folder(&[("wall.ron", WALL)]);
    let file = text_of(files.path().join("wall.ron"));
    let mover = |speed: &str| format!("ball: sphere 0.1, up to {speed} m/s");
    let at =
        |speed: &str, more: &[&str]| leaks(&file, &[&["--mover", &mover(speed)], more].concat());
    let found = at("30", &[]);
    assert_eq!(status(&found), 1);
    let text = stdout(&found);
    assert!(text.contains("held up to 7.2 m/s; weakest: thin"), "{text}");
    assert!(text.contains("C01") && !text.contains('\u{1b}'), "{text}");
    assert_eq!(status(&at("7", &[])), 0);
    assert_eq!(status(&at("30", &["--at-least", "7.1"])), 0);
    assert_eq!(status(&at("30", &["--at-least", "7.3"])), 1);
    assert_eq!(status(&at("28", &["--substeps", "4"])), 0);
    assert_eq!(status(&at("14", &["--dt", "1/120"])), 0);
    let json: Value = serde_json::from_str(&stdout(&at("30", &["--format", "json"]))).unwrap();
    let place = &json["places"][0];
    assert!(
        (place["holds"].as_f64().unwrap() - 7.2).abs() < 1e-6,
        "{place}"
    );
    assert_eq!(place["kind"], "Tunnels");
}

#[test]
fn shots_are_written_as_a_log_and_as_scenes_that_have_the_findings() {
    let files = folder(&[("wall.ron", WALL)]);
    let path = |name: &str| text_of(files.path().join(name));
    let mover = ["--mover", "ball: sphere 0.1, up to 30 m/s"];
    for out in ["shots.jsonl", "shots"] {
        let made = leaks(
            &path("wall.ron"),
            &[&mover[..], &["--out", &path(out)]].concat(),
        );
        assert_eq!(status(&made), 1, "{}", stderr(&made));
    }
    for file in ["shots.jsonl", "shots/leak_001.ron"] {
        let checked = hitstop(&[
            "check",
            &path(file),
            "--format",
            "json",
            "--fail-on",
            "none",
        ]);
        let report: Value = serde_json::from_str(&stdout(&checked)).unwrap();
        assert_eq!(report["findings"][0]["kind"], "Tunnels", "{file}");
    }
}

#[test]
fn the_guide_prints_what_the_program_does() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = std::fs::read_to_string(root.join("docs/guide.md")).unwrap();
    let (_, block) = guide
        .split_once("$ hitstop leaks scenes/warehouse.ron")
        .unwrap();
    let (_, lines) = block.split_once('\n').unwrap();
    let (lines, _) = lines.split_once("```").unwrap();
    let level = text_of(root.join("scenes/warehouse.ron"));
    let printed = stdout(&leaks(
        &level,
        &["--mover", "player: sphere 0.2, up to 60 m/s"],
    ));
    for line in lines.lines().filter(|line| *line != "..") {
        assert!(printed.contains(line), "{line} is not in {printed}");
    }
}

#[test]
fn what_cannot_be_used_is_an_error() {
    let files = folder(&[("wall.ron", WALL)]);
    let file = text_of(files.path().join("wall.ron"));
    let ball = "ball: sphere 0.1, up to 30";
    for (more, says) in [
        (&[][..], "gives no mover"),
        (&["--mover", "ball"], "no name before a colon"),
        (
            &["--mover", ball, "--start", "0,0,0"],
            "not free at the start",
        ),
        (
            &["--mover", ball, "--start", "0,0"],
            "not free at the start",
        ),
        (&["--mover", ball, "--start", "a"], "invalid place"),
        (&["--mover", ball, "--dt", "1/0"], "invalid time"),
        (&["--mover", ball, "--substeps", "0"], "--substeps"),
        (&["--mover", ball, "--out", "shots.ron"], "not of a scene"),
    ] {
        let made = leaks(&file, more);
        assert_eq!(status(&made), 2, "{more:?}: {}", stdout(&made));
        assert!(stderr(&made).contains(says), "{more:?}: {}", stderr(&made));
    }
}
