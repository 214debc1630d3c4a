//! The output of `check` for other programs, validated against its schemas by independent libraries.

use crate::json_schema;
use crate::shell::{BULLET, CLEAN, RECORDED, folder, hitstop, status, stderr, stdout, text_of};
use serde_json::Value;
use std::collections::BTreeSet;

/// A level whose names are hostile to XML and HTML, with a finding, a held, a failed, a known and a fixed expectation.
const HOSTILE: &str = r#"Scene(version: 1, name: "a <b> & \"c\" \u{1}", dt: 0.016666666666666666, frames: 2,
    objects: [
        (name: "<script>alert('x')</script>", shape: Sphere(radius: 0.05), position: (-5.0, 1.0, 0.0), velocity: (400.0, 0.0, 0.0)),
        (name: "wall & ]]> \u{1}", shape: Box(half_extents: (0.005, 1.0, 1.0)), position: (0.0, 1.0, 0.0), motion: Fixed),
    ],
    expect: [
        Touches(a: "<script>alert('x')</script>", b: "wall & ]]> \u{1}"),
        NoFindings(kind: Tunnels),
        NeverTouches(a: "<script>alert('x')</script>", b: "wall & ]]> \u{1}", expected_to_fail: "bug <7>"),
        NoFindings(kind: Sinks, expected_to_fail: "bug 8"),
    ])"#;

fn sarif_of(arguments: &[&str]) -> (i32, Value) {
    let mut all = vec!["check", "--format", "sarif"];
    all.extend(arguments);
    let output = hitstop(&all);
    let log = serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| {
        panic!("{error}: {}{}", stdout(&output), stderr(&output));
    });
    (status(&output), log)
}

fn sarif_errors(log: &Value) -> Vec<String> {
    let text = include_str!("schemas/sarif-2.1.0.json");
    json_schema::errors(&serde_json::from_str(text).unwrap(), log)
}

fn junit_of(arguments: &[&str]) -> (i32, String) {
    let mut all = vec!["check", "--format", "junit"];
    all.extend(arguments);
    let output = hitstop(&all);
    (status(&output), stdout(&output))
}

fn junit_errors(text: &str) -> Vec<String> {
    let schema = uppsala::parse(include_str!("schemas/junit.xsd")).unwrap();
    let validator = uppsala::XsdValidator::from_schema(&schema).unwrap();
    let document = match uppsala::parse(text) {
        Ok(document) => document,
        Err(error) => return vec![error.to_string()],
    };
    let errors = validator.validate(&document);
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn the_validators_reject_invalid_documents() {
    let (_, log) = sarif_of(&[BULLET]);
    for (pointer, field) in [
        ("", "version"),
        ("/runs/0", "tool"),
        ("/runs/0/results/0", "message"),
    ] {
        let mut broken = log.clone();
        let object = broken.pointer_mut(pointer).unwrap();
        object.as_object_mut().unwrap().remove(field).unwrap();
        assert!(!sarif_errors(&broken).is_empty(), "without {field}");
    }
    let mut broken = log.clone();
    broken["runs"][0]["results"][0]["level"] = Value::from("loud");
    assert!(!sarif_errors(&broken).is_empty());
    let (_, text) = junit_of(&[BULLET]);
    for (right, wrong) in [
        ("<testcase name=", "<testcase nome="),
        ("<testsuite name=", "<testsuite loud=\"1\" name="),
        ("</testsuites>", ""),
    ] {
        assert!(text.contains(right));
        assert!(
            !junit_errors(&text.replacen(right, wrong, 1)).is_empty(),
            "{wrong}"
        );
    }
}

/// Every kind of input, and its exit status.
fn with_every_input(check: impl Fn(&[&str], i32)) {
    let hostile = folder(&[
        ("hostile <&>.ron", HOSTILE),
        ("broken.ron", "Scene(\n  oops"),
    ]);
    let hostile = text_of(hostile.path());
    for (arguments, wanted) in [
        (vec!["scenes"], 0),
        (vec![RECORDED], 1),
        (vec![CLEAN], 0),
        (vec![hostile.as_str()], 2),
        (vec!["no_such_file.ron"], 2),
    ] {
        check(&arguments, wanted);
    }
}

/// The published schema, of everything that a report can hold.
#[test]
fn every_scene_and_log_gives_valid_json() {
    let schema: Value =
        serde_json::from_str(include_str!("../../docs/report.schema.json")).unwrap();
    let json = |more: &[&str]| stdout(&hitstop(&[&["check", "--format", "json"], more].concat()));
    let text = json(&["--timing", "--margins", "scenes"]) + &json(&["--what-if", BULLET]);
    let reports: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(reports.len() > 80);
    for report in &reports {
        let errors = json_schema::errors(&schema, report);
        assert_eq!(errors, [""; 0], "{}", report["file"]);
    }
    let has_margin = |report: &&Value| report.pointer("/margins/pairs/0").is_some();
    assert!(reports.iter().any(|report| has_margin(&report)));
    let has_finding = |report: &&Value| report.pointer("/findings/0").is_some();
    let mut broken = reports.iter().find(has_finding).unwrap().clone();
    broken["findings"][0]["color"] = Value::from("red");
    broken["findings"][0]["kind"] = Value::from("Melts");
    assert_eq!(json_schema::errors(&schema, &broken).len(), 2);
}

#[test]
fn every_scene_and_log_gives_valid_sarif() {
    with_every_input(|arguments, wanted| {
        let (status, log) = sarif_of(arguments);
        assert_eq!(status, wanted, "{arguments:?}");
        assert_eq!(sarif_errors(&log), [""; 0], "{arguments:?}");
    });
}

#[test]
fn a_sarif_result_has_position_cause_and_fix() {
    let finds = "Finds(kind: Tunnels, cause: C01, a: \"bullet\", b: \"paper\", frame: 0),";
    let text = std::fs::read_to_string(BULLET).unwrap();
    assert!(text.contains(finds) && text.contains("fraction: 0.74175"));
    let text = text
        .replace(finds, "")
        .replace("fraction: 0.74175", "fraction: 0.5");
    let folder = folder(&[("shot.ron", &text)]);
    let path = text_of(folder.path().join("shot.ron"));
    let (status, log) = sarif_of(&[&path]);
    assert_eq!(status, 1);
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 26);
    let finding = results.iter().find(|one| one["ruleId"] == "C01").unwrap();
    let rule = &rules[finding["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!(rule["id"], "C01");
    assert!(
        rule["help"]["markdown"]
            .as_str()
            .unwrap()
            .contains("docs/causes.md#c01")
    );
    let message = finding["message"]["text"].as_str().unwrap();
    assert!(
        message.contains("substeps 122 (detected from 61)")
            && message.contains("Tunnels in frame 0"),
        "{message}"
    );
    assert_eq!(finding["level"], "error");
    let line_of =
        |needle: &str| 1 + text.lines().position(|line| line.contains(needle)).unwrap() as u64;
    let place = &finding["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], line_of("(name: \"bullet\""));
    assert!(
        place["artifactLocation"]["uri"]
            .as_str()
            .unwrap()
            .ends_with("/shot.ron")
    );
    let other = &finding["relatedLocations"][0]["physicalLocation"]["region"];
    assert_eq!(other["startLine"], line_of("(name: \"paper\""));
    let logical: Vec<&str> = finding["locations"][0]["logicalLocations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["fullyQualifiedName"].as_str().unwrap())
        .collect();
    assert_eq!(logical[..2], ["bullet", "paper"]);
    assert!(
        logical[2].starts_with("frame 0/fraction 0.7417"),
        "{logical:?}"
    );
    let failed = results
        .iter()
        .find(|one| one["ruleId"] == "expectation")
        .unwrap();
    assert_eq!(
        failed["locations"][0]["physicalLocation"]["region"]["startLine"],
        line_of("fraction: 0.5")
    );
    assert!(
        failed["message"]["text"]
            .as_str()
            .unwrap()
            .contains("Got: fraction 0.7417")
    );
}

#[test]
fn sarif_fingerprints_are_unique_and_stable() {
    let run = |jobs: &str| sarif_of(&["--jobs", jobs, RECORDED, "scenes"]).1;
    let log = run("1");
    assert_eq!(log, run("5"), "with any number of jobs");
    let results = log["runs"][0]["results"].as_array().unwrap();
    let print = |one: &Value| one["partialFingerprints"]["hitstop/v1"].to_string();
    let unique: BTreeSet<String> = results.iter().map(print).collect();
    assert!(results.len() > 10);
    assert_eq!(unique.len(), results.len());
}

#[test]
fn expected_findings_are_suppressed_in_sarif() {
    let (_, log) = sarif_of(&[BULLET]);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(
        (&result["kind"], &result["level"]),
        (&Value::from("informational"), &Value::from("none"))
    );
    assert_eq!(result["suppressions"][0]["kind"], "inSource");
}

#[test]
fn every_scene_and_log_gives_valid_junit() {
    with_every_input(|arguments, wanted| {
        let (status, text) = junit_of(arguments);
        assert_eq!(status, wanted, "{arguments:?}");
        assert_eq!(junit_errors(&text), [""; 0], "{arguments:?}\n{text}");
    });
}

/// Name and outcome of each case.
fn cases(text: &str) -> Vec<(String, &'static str)> {
    let document = uppsala::parse(text).unwrap();
    let cases = document.get_elements_by_tag_name("testcase");
    let name = |id| {
        document
            .element(id)
            .unwrap()
            .get_attribute("name")
            .unwrap()
            .to_owned()
    };
    let outcome = |id| {
        let inside = |tag: &str| {
            document.children(id).iter().any(|child| {
                document
                    .element(*child)
                    .is_some_and(|element| element.name.local_name == tag)
            })
        };
        ["failure", "error", "skipped"]
            .into_iter()
            .find(|tag| inside(tag))
            .unwrap_or("passed")
    };
    cases
        .into_iter()
        .map(|id| (name(id), outcome(id)))
        .collect()
}

#[test]
fn junit_has_a_case_for_each_kind_and_expectation() {
    let folder = folder(&[("hostile.ron", HOSTILE)]);
    let path = text_of(folder.path().join("hostile.ron"));
    let (status, text) = junit_of(&[&path]);
    assert_eq!(status, 1);
    let cases = cases(&text);
    let of = |needle: &str| {
        let found: Vec<_> = cases
            .iter()
            .filter(|(name, _)| name.starts_with(needle))
            .collect();
        assert_eq!(found.len(), 1, "{needle} in {cases:?}");
        found[0].1
    };
    assert_eq!(of("no Tunnels"), "failure");
    assert_eq!(of("no Sinks"), "passed");
    assert_eq!(of("no BadNumber"), "passed");
    assert_eq!(of("Touches(a: \"<script>"), "passed");
    assert_eq!(of("NoFindings(kind: Tunnels)"), "failure");
    assert_eq!(of("NeverTouches("), "skipped");
    assert_eq!(of("NoFindings(kind: Sinks, expected"), "failure");
    let (status, text) = junit_of(&[&path, "--fail-on", "none"]);
    assert_eq!(status, 1, "expectations fail all the same");
    assert!(self::cases(&text).contains(&("no Tunnels".to_owned(), "skipped")));
    let (_, text) = junit_of(&[BULLET]);
    assert!(
        self::cases(&text).contains(&("no Tunnels".to_owned(), "passed")),
        "it is expected"
    );
}

#[test]
fn an_unreadable_file_is_an_error_in_both_formats() {
    let folder = folder(&[("broken.ron", "Scene(\n  oops")]);
    let path = text_of(folder.path().join("broken.ron"));
    let (code, text) = junit_of(&[&path, BULLET]);
    assert_eq!(code, 2);
    assert!(cases(&text).contains(&("it can be read".to_owned(), "error")));
    assert!(
        text.contains("bullet_through_paper"),
        "the others are reported"
    );
    let (code, log) = sarif_of(&[&path, BULLET]);
    assert_eq!(code, 2);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["level"], "error");
    assert_eq!(
        notification["locations"][0]["physicalLocation"]["region"]["startLine"],
        2
    );
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 1);
}

/// 40 balls in one place, awake in a scene and asleep in a log: one finding and one notice, in each form.
#[test]
fn a_pile_is_one_finding_and_a_parked_pool_one_notice_in_every_format() {
    use std::fmt::Write as _;
    let (mut scene, mut log) = (String::new(), String::new());
    scene += "Scene(version: 1, name: \"x\", dt: 0.02, frames: 1, objects: [";
    log += "{\"hitstop\":1,\"dt\":0.02,\"objects\":[";
    let mut bodies = String::new();
    for id in 0..40 {
        let comma = if id > 0 { "," } else { "" };
        write!(scene, "(name: \"b{id}\", shape: Sphere(radius: 0.1)),").unwrap();
        let shape = "\"shape\":{\"sphere\":{\"radius\":0.1}}";
        write!(log, "{comma}{{\"id\":{id},\"name\":\"b{id}\",{shape}}}").unwrap();
        write!(
            bodies,
            "{comma}{{\"id\":{id},\"p\":[0,0,0],\"asleep\":true}}"
        )
        .unwrap();
    }
    scene += "])";
    writeln!(log, "]}}").unwrap();
    for frame in 0..2 {
        writeln!(log, "{{\"frame\":{frame},\"bodies\":[{bodies}]}}").unwrap();
    }
    let folder = folder(&[("pile.ron", &scene), ("pool.jsonl", &log)]);
    for format in ["text", "json", "junit", "sarif"] {
        for (file, wanted) in [("pile.ron", 1), ("pool.jsonl", 0)] {
            let path = text_of(folder.path().join(file));
            let fails = ["--fail-on", "StartsInside"];
            let output = hitstop(&["check", &path, "--format", format, fails[0], fails[1]]);
            let text = stdout(&output) + &stderr(&output);
            assert_eq!(status(&output), wanted, "{format} {file}: {text}");
            assert!(text.contains("40 bodies"), "{format} {file}: {text}");
            assert!(
                text.contains("b0, b1, b2 and 37 more"),
                "{format} {file}: {text}"
            );
            assert!(!text.contains("b20"), "{format} {file}: {text}");
        }
    }
    for file in ["pile.ron", "pool.jsonl"] {
        let path = text_of(folder.path().join(file));
        let page = text_of(folder.path().join("page.html"));
        hitstop(&["report", &path, "--out", &page]);
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains("40 bodies"), "{file}");
    }
}

/// Seven balls of 0.25 m fly along x through a wall at x = 0, 4 m a frame, in the frame from x = -1 on: that of the line 18003, at 300.3 s. They touch the
/// wall after 0.65 m.
#[test]
fn every_format_gives_the_log_s_own_numbers_and_times() {
    let mut log = r#"{"hitstop": 1, "dt": 0.1, "objects": [{"id": 7, "name": "wall", "motion": "fixed", "shape": {"box": {"half_extents": [0.1, 9, 90]}}}"#.to_owned();
    for ball in 0..7 {
        log += &format!(
            r#", {{"id": {ball}, "name": "ball {ball}", "shape": {{"sphere": {{"radius": 0.25}}}}}}"#
        );
    }
    log += "]}\n";
    for frame in 0..8 {
        let bodies: Vec<String> = (0..7)
            .map(|ball| {
                format!(
                    r#"{{"id": {ball}, "p": [{}, 0, {}]}}"#,
                    4 * frame - 13,
                    9 * ball
                )
            })
            .collect();
        let (number, time) = (18000 + frame, 300.0 + 0.1 * f64::from(frame));
        log += &format!(
            "{{\"frame\": {number}, \"t\": {time}, \"bodies\": [{}]}}\n",
            bodies.join(", ")
        );
    }
    let files = folder(&[("run.jsonl", &log)]);
    let path = text_of(files.path().join("run.jsonl"));
    let page = text_of(files.path().join("run.html"));
    let text = stdout(&hitstop(&["check", &path]));
    assert!(
        text.contains("frame 3 (18003 in the log) at 0.1625, 300.3163 s"),
        "{text}"
    );
    assert!(
        text.contains("with wall, 7 objects in frame 3 (18003 in the log)"),
        "{text}"
    );
    let (_, cases) = junit_of(&[&path]);
    assert!(
        cases.contains("frame 3 (18003 in the log) at 0.163, 300.3163 s: C01"),
        "{cases}"
    );
    let (_, log) = sarif_of(&[&path]);
    let result = &log["runs"][0]["results"][0];
    let message = result["message"]["text"].as_str().unwrap();
    assert!(
        message.contains("in frame 3 (18003 in the log) at fraction 0.163, 300.3163 s:"),
        "{message}"
    );
    let logical = &result["locations"][0]["logicalLocations"][2]["fullyQualifiedName"];
    assert!(
        logical.as_str().unwrap().starts_with("frame 18003/"),
        "{logical}"
    );
    hitstop(&["report", &path, "--out", &page]);
    let page = std::fs::read_to_string(page).unwrap();
    for part in [
        "Frame 3 (18003 in the log) at 0.1625 of the frame · 300.3163 s",
        "over frame 3 (18003 in the log)</title>",
        "wall in frame 3 (18003 in the log)</title>",
    ] {
        assert!(page.contains(part), "{part}");
    }
}
