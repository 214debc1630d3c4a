//! `hitstop why`: its output, in the units of the file, and what it cannot use.

use crate::shell::{folder, hitstop, status, stderr, stdout, text_of};
use serde_json::{Value, json};

/// In centimetres, with z up: a ball flies at 60 cm a frame along x, and is thrown up by the ground.
const LOG: &str = r#"{"hitstop": 1, "name": "log", "dt": 0.1, "length": 0.01, "up": "z", "gravity": [0, 0, 0], "objects": [{"id": 0, "name": "ball", "shape": {"sphere": {"radius": 10}}}, {"id": 1, "name": "ground", "shape": {"box": {"half_extents": [500, 500, 10]}}, "motion": "fixed", "position": [0, 0, -20]}]}
{"frame": 7, "bodies": [{"id": 0, "p": [0, 0, 60], "v": [600, 0, -600]}]}
{"frame": 8, "bodies": [{"id": 0, "p": [60, 0, 0], "v": [600, 0, -600]}]}
{"frame": 9, "bodies": [{"id": 0, "p": [120, 0, 60], "v": [600, 0, 600]}]}
"#;

fn why(file: &str, more: &[&str]) -> std::process::Output {
    hitstop(&[&["why", file, "--no-progress"], more].concat())
}

#[test]
fn the_numbers_are_in_the_units_of_the_file() {
    let files = folder(&[("a.jsonl", LOG)]);
    let file = text_of(files.path().join("a.jsonl"));
    let found = why(&file, &["ball"]);
    assert_eq!(status(&found), 0, "{}", stderr(&found));
    let text = stdout(&found);
    let change = "its velocity changes by 1200 cm/s along (0, 0, 1)";
    assert!(
        text.contains("in contact with ground") && text.contains(change),
        "{text}"
    );
    let found: Value =
        serde_json::from_str(&stdout(&why(&file, &["ball", "--format", "json"]))).unwrap();
    assert_eq!(found["at"], json!([120.0, 0.0, 60.0]));
    let link = &found["links"][0];
    assert_eq!(link["reason"], json!({"contact": ["ground"]}));
    assert_eq!((&link["frame"], &link["log_frame"]), (&json!(1), &json!(8)));
    assert_eq!(link["moved"], json!([60.0, 0.0, 60.0]));
    assert_eq!(link["before"], json!([600.0, 0.0, -600.0]));
    assert_eq!(found["units"]["up"], "z");
}

#[test]
fn an_object_or_a_frame_that_is_not_there_is_named() {
    let files = folder(&[("a.jsonl", LOG)]);
    let file = text_of(files.path().join("a.jsonl"));
    for (arguments, what) in [
        (&["bal"][..], "did you mean \"ball\"?"),
        (&["ball", "--frame", "3"], "the states are 0 to 2"),
    ] {
        let found = why(&file, arguments);
        assert_eq!(status(&found), 2);
        assert!(stderr(&found).contains(what), "{}", stderr(&found));
    }
}
