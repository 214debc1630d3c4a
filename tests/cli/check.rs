//! `hitstop check` from a shell: output and exit status.

use crate::shell::{BULLET, CLEAN, RECORDED, folder, hitstop, status, stderr, stdout, text_of};
use serde_json::{Value, json};
use std::path::PathBuf;

#[test]
fn an_expected_finding_is_printed_and_does_not_fail() {
    let output = hitstop(&["check", BULLET]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    for wanted in [
        "Tunnels",
        "bullet → paper",
        "(expected)",
        "C01 too fast for too thin",
        "substeps 122 (detected from 61)",
        "0.7417",
    ] {
        assert!(text.contains(wanted), "{wanted} is not in:\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "no colour codes in a pipe");
}

/// The names of evidence are those of JSON: only --verbose prints them.
#[test]
fn the_evidence_is_printed_on_demand() {
    let names = ["limit_seen", "missed_share", "half_width", "proof"];
    for (arguments, printed) in [
        (&["check", RECORDED][..], false),
        (&["check", RECORDED, "--verbose"], true),
        (&["check", RECORDED, "-v"], true),
    ] {
        let text = stdout(&hitstop(arguments));
        assert!(text.contains("fix  "), "{text}");
        let found = names.iter().filter(|name| text.contains(*name)).count();
        let wanted = if printed { 3 } else { 0 };
        assert!(found >= wanted && (printed || found == 0), "{text}");
    }
}

#[test]
fn findings_of_a_log_are_status_1_and_its_clean_twin_is_status_0() {
    assert_eq!(status(&hitstop(&["check", RECORDED])), 1);
    let clean = hitstop(&["check", CLEAN]);
    assert_eq!(status(&clean), 0, "{}", stdout(&clean));
    assert_eq!(
        status(&hitstop(&["check", RECORDED, "--fail-on", "none"])),
        0
    );
    assert_eq!(
        status(&hitstop(&["check", RECORDED, "--fail-on", "BadNumber"])),
        0
    );
    assert_eq!(
        status(&hitstop(&[
            "check",
            RECORDED,
            "--fail-on",
            "badnumber,tunnels"
        ])),
        1
    );
}

/// Three balls of radius 0.1 m cross a wall 0.2 m thick, from which a push leads back up to 0.2 m a frame; they move 0.5, 0.7 and 0.9 m.
/// A fourth has another mask, and its name has a control character.
const THREE_AND_ONE: &str = r#"Scene(version: 1, name: "x", dt: 0.01, frames: 2, objects: [
    (name: "ball 1", shape: Sphere(radius: 0.1), position: (-0.25, 0.0, 0.0), velocity: (50.0, 0.0, 0.0)),
    (name: "ball 2", shape: Sphere(radius: 0.1), position: (-0.35, 1.0, 0.0), velocity: (70.0, 0.0, 0.0)),
    (name: "ball 3", shape: Sphere(radius: 0.1), position: (-0.45, 2.0, 0.0), velocity: (90.0, 0.0, 0.0)),
    (name: "m\u{1b}[31m", shape: Sphere(radius: 0.1), position: (-0.45, 3.0, 0.0), velocity: (90.0, 0.0, 0.0), mask: 2),
    (name: "wall", shape: Box(half_extents: (0.1, 9.0, 9.0)), motion: Fixed),
])"#;

#[test]
fn the_changes_that_fix_most_follow_the_findings() {
    let folder = folder(&[("four.ron", THREE_AND_ONE)]);
    let path = text_of(folder.path().join("four.ron"));
    let text = stdout(&hitstop(&["check", &path]));
    let block = concat!(
        "\n  What would fix most\n",
        "    continuous detection on ball *  fixes  3 of 4 (75 %)\n",
        "    5 substeps                      fix    3 of 4 (75 %)\n",
        "    a thickness of 1.61 m for wall  fixes  3 of 4 (75 %)\n",
        "    4 substeps                      fix    2 of 4 (50 %)\n",
        "    None of these fixes: C18 layers and masks (1)\n",
    );
    assert!(text.contains(block), "{text}");
    assert!(!stdout(&hitstop(&["check", BULLET])).contains("fix most"));

    let json = |jobs| {
        stdout(&hitstop(&[
            "check", "--format", "json", "--jobs", jobs, &path,
        ]))
    };
    assert_eq!(json("1"), json("2"));
    let report: Value = serde_json::from_str(&json("1")).unwrap();
    let rows = report["level_fixes"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    let four = &rows[3];
    let wanted = serde_json::json!({
        "what": "substeps", "value": 4, "unit": "", "object": "", "fixed": four["fixed"], "stays": four["stays"],
        "text": "4 substeps fix 2 of 4 findings (50 %)."
    });
    assert_eq!(*four, wanted);
    let names = |indices: &Value| -> Vec<String> {
        let indices = indices.as_array().unwrap().iter();
        let name = |index: &Value| &report["findings"][index.as_u64().unwrap() as usize]["a"];
        let mut names: Vec<_> = indices.map(|index| name(index).to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&four["fixed"]), [r#""ball 1""#, r#""ball 2""#]);
    assert_eq!(names(&four["stays"])[0], r#""ball 3""#);
    assert_eq!(rows[0]["what"], "continuous_detection");
    assert!(rows[0]["value"].is_null());
    let single = stdout(&hitstop(&["check", "--format", "json", BULLET]));
    let single: Value = serde_json::from_str(&single).unwrap();
    assert_eq!(single["level_fixes"], serde_json::json!([]));
}

#[test]
fn every_file_of_a_folder_is_checked_and_replayed_logs_once() {
    let output = hitstop(&["check", "scenes"]);
    assert_eq!(status(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("scenes/warehouse.ron") && text.contains(BULLET),
        "{text}"
    );
    assert!(
        !text.contains(RECORDED),
        "the log is judged through the scene that replays it"
    );
}

#[test]
fn json_has_one_object_per_file_with_the_documented_fields() {
    let output = hitstop(&["check", "--format", "json", BULLET, RECORDED]);
    let text = stdout(&output);
    let reports: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(reports.len(), 2);
    let bullet = &reports[0];
    assert_eq!(bullet["file"], BULLET);
    for field in [
        "name",
        "frames",
        "objects",
        "pairs_swept",
        "findings",
        "expectations",
    ] {
        assert!(!bullet[field].is_null(), "{field} is not in {bullet}");
    }
    let finding = &bullet["findings"][0];
    assert_eq!(finding["kind"], "Tunnels");
    assert_eq!(finding["cause"], "C01");
    assert_eq!(
        (&finding["a"], &finding["b"]),
        (&Value::from("bullet"), &Value::from("paper"))
    );
    let close =
        |value: &Value, wanted: f64| (value.as_f64().unwrap() - wanted).abs() < 1e-3 * wanted;
    assert!(close(&finding["fraction"], 0.741_75));
    assert!(close(&finding["time"], 0.012_362_5));
    for (name, wanted) in [
        ("displacement", 6.6667),
        ("limit_seen", 0.11),
        ("limit_side", 0.055),
        ("missed_share", 0.9835),
    ] {
        assert!(
            close(&finding["evidence"][name], wanted),
            "{name} of {finding}"
        );
    }
    assert_eq!(bullet["schema"], 6);
    assert_eq!(bullet["units"], json!({"length": 1.0, "up": "y"}));
    let fix = |what: &str| {
        let fixes = finding["fixes"].as_array().unwrap();
        let found = fixes.iter().find(|fix| fix["what"] == what);
        found.unwrap_or_else(|| panic!("no {what} in {finding}"))
    };
    let substeps = serde_json::json!({"what": "substeps", "holds": 122, "detects": 61, "unit": ""});
    assert_eq!(*fix("substeps"), substeps);
    // 0.055 m and 0.11 m in a sixtieth of a second; for the others the same limits of 6.667 m a frame.
    // Each less a thousandth.
    let step = 400.0 / 60.0 / 0.999;
    for (what, unit, holds, detects) in [
        ("max_speed", "m/s", 0.999 * 3.3, 0.999 * 6.6),
        ("max_dt", "s", 0.999 * 0.055 / 400.0, 0.999 * 0.11 / 400.0),
        ("min_radius", "m", step - 0.005, 0.5 * (step - 0.01)),
    ] {
        let fix = fix(what);
        assert!(
            close(&fix["holds"], holds) && close(&fix["detects"], detects),
            "{fix}"
        );
        assert_eq!(fix["unit"], unit);
    }
    // The same fields for every combination of options.
    assert_eq!(finding.get("what_if"), Some(&Value::Null));
    assert_eq!(bullet["expectations"][0]["passed"], true);
}

/// Half of the phases of the weaker value go through, so it must not come first.
#[test]
fn the_holding_value_comes_first_in_every_format() {
    for format in ["text", "json", "junit", "sarif"] {
        let output = stdout(&hitstop(&["check", "--format", format, BULLET]));
        let output = output.split_whitespace().collect::<Vec<_>>().join(" ");
        for (held, detected) in [
            (
                "Use 122 substeps, at most 3.29 m/s, or a sweep.",
                "From 61 substeps on it is detected",
            ),
            match format {
                "json" => ("\"holds\":122", "\"detects\":61"),
                _ => ("substeps 122", "(detected from 61)"),
            },
        ] {
            let place = |part: &str| {
                let place = output.find(part);
                place.unwrap_or_else(|| panic!("no \"{part}\" in {format}: {output}"))
            };
            assert!(place(held) < place(detected), "{format}");
        }
    }
}

#[test]
fn times_are_printed_only_on_request() {
    let report = |arguments: &[&str]| -> Value {
        let arguments = [&["check", "--format", "json", BULLET], arguments].concat();
        serde_json::from_str(&stdout(&hitstop(&arguments))).unwrap()
    };
    assert!(report(&[]).get("seconds").is_none());
    assert!(report(&["--timing"])["seconds"].as_f64().unwrap() > 0.0);
    let text = stdout(&hitstop(&["check", "--timing", BULLET]));
    assert!(text.trim_end().ends_with(" s"), "{text}");
}

#[test]
fn several_files_end_with_a_summary() {
    let last = |arguments: &[&str]| {
        let text = stdout(&hitstop(&[&["check"], arguments].concat()));
        text.trim_end()
            .lines()
            .last()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(last(&[BULLET, CLEAN]), "2 files, 1 finding, 1 expected");
    assert_eq!(
        last(&[CLEAN, "scenes/bullet_swept.ron"]),
        "2 files, nothing found"
    );
    assert!(
        last(&[BULLET]).contains("sweep"),
        "one file has a line of its own"
    );
    let list = folder(&[]);
    let list = text_of(list.path().join("known.json"));
    let total = |arguments: &[&str]| last(&[&[RECORDED, BULLET], arguments].concat());
    let found = total(&[]);
    let number = |text: &str, word: &str| -> usize {
        let part = text.split(", ").find(|part| part.ends_with(word));
        let part = part.unwrap_or_else(|| panic!("no {word} in {text}"));
        part.split(' ').next().unwrap().parse().unwrap()
    };
    let all = number(&found, "findings");
    assert_eq!(number(&found, "new"), all - 1, "{found}");
    let known = total(&["--write-baseline", &list]);
    assert_eq!(
        known,
        format!("2 files, {all} findings, 1 expected, {} known", all - 1)
    );
}

#[test]
fn detection_and_frames_change_the_findings() {
    let count = |arguments: &[&str]| {
        let mut all = vec!["check", "--format", "json"];
        all.extend(arguments);
        let report: Value = serde_json::from_str(&stdout(&hitstop(&all))).unwrap();
        report["findings"].as_array().unwrap().len()
    };
    assert_eq!(count(&[BULLET]), 1);
    assert_eq!(count(&[BULLET, "--detection", "sweep"]), 0);
    assert_eq!(count(&[BULLET, "--frames", "1..3"]), 0);
    assert_eq!(count(&[BULLET, "--frames", "..0"]), 1);
    // A recording is what it is.
    let notice = "--detection says nothing about this file";
    for (file, is_said) in [(RECORDED, true), (BULLET, false)] {
        let output = hitstop(&["check", file, "--detection", "sweep"]);
        assert_eq!(stderr(&output).contains(notice), is_said, "{file}");
    }
}

#[test]
fn frames_beyond_the_level_are_status_2_and_not_clean() {
    let output = hitstop(&["check", BULLET, "--frames", "1000..2000"]);
    assert_eq!((status(&output), stdout(&output).as_str()), (2, ""));
    assert!(
        stderr(&output).contains("--frames begins with 1000, but the level's frames are 0 to"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn quiet_prints_only_failures() {
    let output = hitstop(&["check", "--quiet", BULLET, CLEAN]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, ""));
    assert!(!stdout(&hitstop(&["check", "--quiet", RECORDED])).is_empty());
}

#[test]
fn a_failed_expectation_prints_expected_and_got() {
    let text = std::fs::read_to_string(BULLET)
        .unwrap()
        .replace("fraction: 0.74175", "fraction: 0.5");
    let folder = folder(&[("wrong.ron", &text)]);
    let output = hitstop(&["check", &text_of(folder.path())]);
    assert_eq!(status(&output), 1);
    let text = stdout(&output);
    assert!(
        text.contains("FAIL")
            && text.contains("expected: bullet hits paper in frame 0 at fraction 0.5 ±")
            && text.contains("got:      fraction 0.7417"),
        "{text}"
    );
}

#[test]
fn unusable_input_is_status_2_with_help() {
    let broken = "Scene(\n    version: 1,\n    dt: 0.01\n    frames: 10,\n)";
    let negative = "Scene(version: 1, name: \"x\", dt: 0.01, frames: 2, objects: [\n (name: \"a\", shape: Sphere(radius: -1.0)),\n (name: \"a\", shape: Mesh(file: \"none.obj\")),\n])";
    let folder = folder(&[
        ("empty.ron", ""),
        ("broken.ron", broken),
        ("negative.ron", negative),
        ("empty.jsonl", ""),
        (
            "header_only.jsonl",
            "{\"hitstop\": 1, \"dt\": 0.1, \"objects\": []}\n",
        ),
        ("picture.png", "not a level"),
    ]);
    let at = |name: &str| text_of(folder.path().join(name));
    for (file, wanted) in [
        (at("missing.ron"), vec!["missing.ron"]),
        (at("empty.ron"), vec!["empty.ron"]),
        (at("broken.ron"), vec!["broken.ron", "4"]),
        (at("negative.ron"), vec!["radius", "none.obj", "\"a\""]),
        (at("empty.jsonl"), vec!["empty.jsonl"]),
        (at("header_only.jsonl"), vec!["frame"]),
        (at("picture.png"), vec![".ron", ".jsonl", ".csv"]),
    ] {
        let output = hitstop(&["check", &file]);
        let printed = stderr(&output);
        assert_eq!(status(&output), 2, "{file}: {printed}");
        assert_eq!(stdout(&output), "", "{file}");
        for wanted in wanted {
            assert!(
                printed.contains(wanted),
                "{file}: {wanted} is not in:\n{printed}"
            );
        }
    }
}

#[test]
fn a_folder_without_levels_is_status_2() {
    let folder = folder(&[("notes.txt", "nothing here")]);
    let output = hitstop(&["check", &text_of(folder.path())]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("no scene"), "{}", stderr(&output));
}

#[test]
fn one_bad_file_does_not_hide_the_reports_of_the_others() {
    let folder = folder(&[("broken.ron", "Scene(")]);
    let output = hitstop(&["check", &text_of(folder.path()), BULLET]);
    assert_eq!(status(&output), 2);
    assert!(stdout(&output).contains(BULLET));
    assert!(stderr(&output).contains("broken.ron"));
}

#[test]
fn a_bad_line_of_a_log_is_skipped() {
    let lines = [
        r#"{"hitstop": 1, "dt": 0.1, "objects": [{"id": 0, "name": "ball", "shape": {"sphere": {"radius": 0.1}}}]}"#,
        r#"{"frame": 0, "bodies": [{"id": 0, "p": [0, 0, 0]}]}"#,
        r#"{"frame": 1, "bodies": [{"id": 0, "p": [0, 0"#,
        r#"{"frame": 2, "bodies": [{"id": 0, "p": [0, 0, 2]}]}"#,
    ];
    let folder = folder(&[("half.jsonl", &lines.join("\n"))]);
    let file = text_of(folder.path().join("half.jsonl"));
    let output = hitstop(&["check", &file]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let printed = stdout(&output) + &stderr(&output);
    assert!(printed.contains(":3"), "{printed}");
}

#[test]
fn a_mesh_file_converts_to_a_scene_that_can_be_checked() {
    let folder = folder(&[]);
    let scene = text_of(folder.path().join("room.ron"));
    let output = hitstop(&["convert", "scenes/meshes/room.obj", &scene]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = std::fs::read_to_string(&scene).unwrap();
    assert!(text.contains("shape: Mesh(vertices: ["), "{text}");
    assert_eq!(status(&hitstop(&["check", &scene])), 0);
    let output = hitstop(&["convert", "scenes/meshes/room.obj", &scene, "--frame", "1"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("a mesh file has no frames"));
}

#[test]
fn a_log_converts_to_csv_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    let (csv, jsonl, scene) = (path("a.csv"), path("b.jsonl"), path("c.ron"));
    for (from, to) in [(PathBuf::from(RECORDED), &csv), (csv.clone(), &jsonl)] {
        let output = hitstop(&["convert", &text_of(from), &text_of(to)]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
    }
    assert!(std::fs::read_to_string(&csv).unwrap().starts_with("frame,"));
    let checked = hitstop(&["check", "--fail-on", "none", &text_of(&jsonl)]);
    assert_eq!(status(&checked), 0, "{}", stderr(&checked));
    let output = hitstop(&["convert", RECORDED, &text_of(&scene), "--frame", "3"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let expects = std::fs::read_to_string(&scene).unwrap().contains("expect:");
    assert_eq!(stderr(&output).contains("expects nothing"), !expects);
    assert!(std::fs::read_to_string(&scene).unwrap().contains("Scene("));
}

/// Of a level in pixels with y down, what a table has no place for; of one in metres with y up neither.
#[test]
fn a_table_names_the_unit_and_the_axes_that_it_loses() {
    let log = |units: &str| {
        format!(
            "{{\"hitstop\":1,\"flat\":true,\"dt\":0.1{units},\"objects\":[{{\"id\":0,\"shape\":{{\"circle\":{{\"radius\":1}}}}}}]}}\n\
             {{\"frame\":0,\"bodies\":[{{\"id\":0,\"p\":[0,0]}}]}}\n{{\"frame\":1,\"bodies\":[{{\"id\":0,\"p\":[1,0]}}]}}\n"
        )
    };
    let pixels = log(r#","unit":"px","up":"-y""#);
    let files = folder(&[("px.jsonl", &pixels), ("m.jsonl", &log(""))]);
    let at = |name: &str| text_of(files.path().join(name));
    let losses = ["does not keep: the unit px", "does not keep: the axes"];
    for (from, to, is_lost) in [
        ("px.jsonl", "px.csv", true),
        ("px.jsonl", "px.parquet", false),
        ("m.jsonl", "m.csv", false),
    ] {
        let output = hitstop(&["convert", &at(from), &at(to)]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        for loss in losses {
            assert_eq!(stderr(&output).contains(loss), is_lost, "{to}: {loss}");
        }
    }
}

/// A log of Unreal: centimetres, z up, left-handed, so that the recorder negates y. A ball of 25 cm crosses a wall 20 cm thick at x = 0.
const UNREAL: &str = concat!(
    r#"{"hitstop": 1, "dt": 0.1, "up": "z", "length": 0.01, "mirrored": "y", "objects": ["#,
    r#"{"id": 0, "name": "ball", "shape": {"sphere": {"radius": 25}}}, "#,
    r#"{"id": 1, "name": "wall", "motion": "fixed", "shape": {"box": {"half_extents": [10, 500, 300]}}}]}"#,
    "\n",
    r#"{"frame": 18000, "t": 300, "bodies": [{"id": 0, "p": [-100, -150, 200]}]}"#,
    "\n",
    r#"{"frame": 18001, "t": 300.1, "bodies": [{"id": 0, "p": [300, -150, 200]}]}"#,
    "\n"
);

#[test]
fn json_has_the_units_and_axes_of_the_log() {
    let folder = folder(&[("unreal.jsonl", UNREAL)]);
    let at = |name: &str| text_of(folder.path().join(name));
    let out = at("out.jsonl");
    hitstop(&["check", &at("unreal.jsonl"), "--out", &out]);
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let written = std::fs::read_to_string(&out).unwrap();
    let report = read(&written);
    assert_eq!(
        report["units"],
        json!({"length": 0.01, "up": "z", "mirrored": "y"})
    );
    let near = |value: &Value, wanted: f64| (value.as_f64().unwrap() - wanted).abs() < 1e-6;
    let is_right = |report: &Value| {
        let finding = &report["findings"][0];
        // The ball touches the wall at x = -10 cm, 150 cm to the right: after 65 of 400 cm.
        for (place, wanted) in [-10.0, 150.0, 200.0].into_iter().enumerate() {
            assert!(near(&finding["point"][place], wanted), "{finding}");
        }
        assert!(near(&finding["normal"][0], -1.0), "{finding}");
        assert!(near(&finding["fraction"], 65.0 / 400.0), "{finding}");
        assert!(near(&finding["time"], 300.01625), "{finding}");
        assert!(
            near(&finding["evidence"]["displacement"], 400.0),
            "{finding}"
        );
        assert!(near(&finding["evidence"]["speed"], 4000.0), "{finding}");
        let mut fixes = finding["fixes"].as_array().unwrap().iter();
        let speed = fixes.find(|fix| fix["what"] == "max_speed").unwrap();
        assert_eq!(speed["unit"], "cm/s");
        // An overlap test detects steps of up to 70 cm, 700 cm/s.
        let detects = speed["detects"].as_f64().unwrap();
        assert!((detects - 700.0).abs() < 7.0, "{speed}");
    };
    is_right(&report);
    let text = stdout(&hitstop(&["check", &at("unreal.jsonl")]));
    assert!(text.contains("(radius 25 cm) moves 400 cm"), "{text}");
    // Read and written again, they are the same.
    let again = at("again.jsonl");
    let output = hitstop(&["merge", &out, "--out", &again]);
    assert!(status(&output) != 2, "{}", stderr(&output));
    is_right(&read(&std::fs::read_to_string(&again).unwrap()));
}

/// From JSON Lines to JSON Lines nothing is lost: the lines are the same, compressed or not.
#[test]
fn a_converted_log_keeps_its_lines() {
    let log = concat!(
        r#"{"hitstop": 1, "name": "f32", "dt": 0.0166667, "up": "z", "length": 0.01, "scalar": "f32", "x": {"map": "e1m1"}, "objects": [{"id": 7, "name": "ball", "shape": {"sphere": {"radius": 0.1}}}]}"#,
        "\n",
        r#"{"frame": 0, "bodies": [{"id": 7, "p": [0.1, 0.2, 0.3]}], "x": {"fps": 60}}"#,
        "\n",
        r#"{"frame": 1, "bodies": [{"id": 7, "p": [0.15, 0.2, 0.3]}]}"#,
        "\n"
    );
    let folder = folder(&[("a.jsonl", log)]);
    let at = |name: &str| text_of(folder.path().join(name));
    for (from, to) in [
        ("a.jsonl", "b.jsonl.zst"),
        ("b.jsonl.zst", "c.jsonl.gz"),
        ("c.jsonl.gz", "d.jsonl"),
    ] {
        let output = hitstop(&["convert", &at(from), &at(to)]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let said = format!("{to}: the same lines, 1 frame of 1 object");
        assert!(stderr(&output).contains(&said), "{}", stderr(&output));
    }
    assert_eq!(std::fs::read_to_string(at("d.jsonl")).unwrap(), log);
    let output = hitstop(&["convert", &at("a.jsonl"), &at("e.csv")]);
    let said = "e.csv: 1 frame of 1 object, in metres with Y up; ids count from 0";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
}

#[test]
fn an_impossible_conversion_is_status_2_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    for (from, to) in [
        ("missing.jsonl", text_of(&out)),
        (RECORDED, text_of(folder.path().join("out.xyz"))),
    ] {
        let output = hitstop(&["convert", from, &to]);
        assert_eq!(status(&output), 2, "{}", stderr(&output));
        assert!(!stderr(&output).is_empty());
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn wrong_arguments_are_status_2_and_help_is_status_0() {
    for arguments in [
        &["check"][..],
        &["check", BULLET, "--format", "yaml"],
        &["check", BULLET, "--frames", "9..1"],
    ] {
        assert_eq!(status(&hitstop(arguments)), 2, "{arguments:?}");
    }
    let misspelt = hitstop(&["chekc", "scenes"]);
    assert_eq!(status(&misspelt), 2);
    let words = stderr(&misspelt);
    assert!(words.contains("did you mean `hitstop check`"), "{words}");
    let help = hitstop(&["--help"]);
    assert_eq!(status(&help), 0);
    assert!(stdout(&help).contains("check") && stdout(&help).contains("convert"));
}

#[test]
fn without_a_display_the_first_level_is_reported_instead() {
    let output = hitstop(&[]);
    assert_eq!(status(&output), 1, "{}{}", stdout(&output), stderr(&output));
    assert!(stderr(&output).contains("window"));
    assert!(stdout(&output).contains("Tunnels"));
    let output = hitstop(&[BULLET]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("bullet → paper"));
}

/// The excerpt was looked for in the working directory.
#[test]
fn an_error_in_a_referenced_log_or_mesh_is_shown_in_that_file() {
    let scene = r#"Scene(version: 1, name: "x", dt: 0.1, frames: 2, recording: "run.jsonl")"#;
    let level = r#"Scene(version: 1, name: "x", dt: 0.1, frames: 2, objects: [(name: "m", shape: Mesh(file: "m.obj"))])"#;
    let folder = folder(&[
        ("x.ron", scene),
        ("run.jsonl", "{\"hitstop\": 1, \"dt\": oops}\n"),
        ("mesh.ron", level),
        ("m.obj", "v 0 0 0\nv 1 0 sideways\n"),
    ]);
    for (file, names, excerpt) in [
        ("x.ron", "run.jsonl", "\"dt\": oops"),
        ("mesh.ron", "m.obj", "v 1 0 sideways"),
    ] {
        let output = hitstop(&["check", &text_of(folder.path().join(file))]);
        let printed = stderr(&output);
        assert_eq!(status(&output), 2, "{printed}");
        assert!(printed.contains(excerpt), "{file}: {printed}");
        let path = text_of(folder.path().join(names));
        assert!(
            printed.contains(&path),
            "{file}: {path} is not in:\n{printed}"
        );
    }
}

/// A recorder with wrong ids leaves nothing to judge, which is no clean level.
#[test]
fn a_log_of_one_state_is_status_2() {
    let folder = folder(&[(
        "lost.jsonl",
        concat!(
            "{\"hitstop\":1,\"dt\":0.1,\"objects\":[{\"id\":0,\"name\":\"ball\",\"shape\":{\"sphere\":{\"radius\":1}}}]}\n",
            "{\"frame\":0,\"bodies\":[{\"id\":7,\"p\":[0,0,0]}]}\n",
            "{\"frame\":1,\"bodies\":[{\"id\":0,\"p\":[1,0,0]}]}\n",
        ),
    )]);
    let output = hitstop(&["check", &text_of(folder.path().join("lost.jsonl"))]);
    assert_eq!(status(&output), 2, "{}", stdout(&output));
    let errors = stderr(&output);
    assert!(errors.contains("single state"), "{errors}");
    assert!(
        errors.contains("has the id 7"),
        "the unknown id is reported too: {errors}"
    );
}

/// Frames without a time keep the header's: 8 m/s stays 8 m/s in the CSV.
#[test]
fn a_log_without_times_keeps_its_dt_in_csv() {
    let lines = (0..4).map(|frame| {
        let x = f64::from(frame) * 0.1;
        format!("{{\"frame\":{frame},\"bodies\":[{{\"id\":0,\"p\":[{x},0,0]}}]}}\n")
    });
    let header = "{\"hitstop\":1,\"dt\":0.0125,\"objects\":[{\"id\":0,\"name\":\"ball\",\"shape\":{\"sphere\":{\"radius\":1}}}]}\n";
    let log: String = std::iter::once(header.to_owned()).chain(lines).collect();
    let folder = folder(&[("in.jsonl", &log)]);
    let (from, to) = (
        folder.path().join("in.jsonl"),
        folder.path().join("out.csv"),
    );
    let output = hitstop(&["convert", &text_of(&from), &text_of(&to)]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(!stderr(&output).contains("dt"), "{}", stderr(&output));
    let rows = std::fs::read_to_string(&to).unwrap();
    let times = rows
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(1).unwrap());
    let times: Vec<f64> = times.map(|time| time.parse().unwrap()).collect();
    assert_eq!(times.len(), 4);
    for (frame, time) in (0..).zip(times) {
        assert!(
            (time - 0.0125 * f64::from(frame)).abs() < 1e-15,
            "{frame}: {time}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn unwritable_output_is_reported() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_hitstop"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["check", RECORDED])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("standard output"),
        "{}",
        stderr(&output)
    );
}

/// In centimetres: a ball of radius 50 that moves 28 a frame, and is stopped at a wall 20 thick. The limit is 50 + 20 / 2.
const CLOSE: &str = concat!(
    r#"{"hitstop":1,"dt":0.02,"length":0.01,"objects":[{"id":0,"name":"ball","shape":{"sphere":{"radius":50}}},{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[10,900,900]}}}]}"#,
    "\n",
    r#"{"frame":100,"bodies":[{"id":0,"p":[-108,0,0],"v":[1400,0,0]}]}"#,
    "\n",
    r#"{"frame":101,"bodies":[{"id":0,"p":[-80,0,0],"v":[1400,0,0]}]}"#,
    "\n",
    r#"{"frame":102,"bodies":[{"id":0,"p":[-60,0,0],"v":[0,0,0]}]}"#,
    "\n",
);

#[test]
fn the_closest_call_is_printed_on_demand_and_can_fail_a_run() {
    let folder = folder(&[("close.jsonl", CLOSE)]);
    let path = text_of(folder.path().join("close.jsonl"));
    let run = |more: &[&str]| hitstop(&[&["check", &path], more].concat());
    assert!(!stdout(&run(&[])).contains("Closest calls"));
    let text = stdout(&run(&["--margins"]));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = "the closest call is ball at wall, 47 % of the limit in frame 1 (101 in the log): 28 cm of 60 cm; at 25 Hz all pairs would hold";
    assert!(words.contains(line), "{text}");
    let value: Value =
        serde_json::from_str(&stdout(&run(&["--margins", "--format", "json"]))).unwrap();
    let pair = &value["margins"]["pairs"][0];
    assert!(
        (pair["share"].as_f64().unwrap() - 28.0 / 60.0).abs() < 1e-9,
        "{pair}"
    );
    assert!(
        (pair["limit"].as_f64().unwrap() - 60.0).abs() < 1e-9,
        "{pair}"
    );
    for (gate, wanted) in [("margin>0.6", 0), ("margin>0.4", 1), ("none,margin>0.4", 1)] {
        assert_eq!(status(&run(&["--fail-on", gate])), wanted, "{gate}");
    }
    let wrong = run(&["--fail-on", "margin>40"]);
    assert_eq!(status(&wrong), 2);
    assert!(stderr(&wrong).contains("from 0 to 1"), "{}", stderr(&wrong));
}
