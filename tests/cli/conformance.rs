//! The data set of docs/record/conformance: what recorders write for the same calls.

use crate::recorders::{is_there, run};
use hitstop::core::level;
use hitstop::core::log::{Header, Recorder, Scalar, Snapshot};
use hitstop::core::replay::Joint;
use hitstop::core::scene::{Axis, LengthName, Units};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether two values are equal, whole numbers with the same ones written with a point.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let has = |(name, value): (&String, &Value)| {
                b.get(name).is_some_and(|other| is_same(value, other))
            };
            a.len() == b.len() && a.iter().all(has)
        }
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// What comes before the names of both files of a level, in space and in the plane.
const LEVELS: [&str; 2] = ["", "flat_"];

fn level_of(name: &str) -> PathBuf {
    conformance(&format!("{name}level.json"))
}

/// Compares a log with that of docs/record/conformance, value for value.
fn assert_conforms(log: &Path, name: &str) {
    let lines = |path: &Path| -> Vec<Value> {
        let text = fs::read_to_string(path).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let expected = conformance(&format!("{name}expected.jsonl"));
    let (written, expected) = (lines(log), lines(&expected));
    assert_eq!(written.len(), expected.len());
    for (number, (written, expected)) in written.iter().zip(&expected).enumerate() {
        assert!(
            is_same(written, expected),
            "{name} line {}: {written}\nexpected: {expected}",
            number + 1
        );
    }
}

fn conformance(file: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("docs/record/conformance").join(file)
}

#[test]
fn the_conformance_logs_are_read_whole() {
    for (log, objects) in [("expected.jsonl", 18), ("flat_expected.jsonl", 16)] {
        let level = level::open(&conformance(log), &()).unwrap();
        assert!(level.notices.is_empty(), "{:?}", level.notices);
        let recording = level.replay.recording().unwrap();
        let counts = (recording.objects.len(), recording.frames.len());
        assert_eq!(counts, (objects, 6), "{log}");
        let of = |ignores: &[String]| ignores.len();
        let ignored: usize = recording.objects.iter().map(|it| of(&it.ignores)).sum();
        assert_eq!(ignored, 5, "two of the header, two of a spawn, one alone");
    }
}

#[test]
fn the_rust_recorder_conforms() {
    let units = Units {
        length: 0.01,
        up: Axis::Z,
        ..Units::default()
    };
    rust_conforms("", r#""up":"z","length":0.01,"#, units);
    let units = Units {
        length: 0.03125,
        up: Axis::MinusY,
        name: Some(LengthName::Px),
        flat: true,
    };
    rust_conforms("flat_", r#""up":"-y","unit":"px","length":0.03125,"#, units);
}

/// `written` are the units in the header of the log.
fn rust_conforms(name: &str, written: &str, units: Units) {
    let read = |file: &str| fs::read_to_string(conformance(&format!("{name}{file}"))).unwrap();
    let folder = tempfile::tempdir().unwrap();
    // Its numbers are metres with Y up: as they are written.
    let metres = folder.path().join("metres.jsonl");
    let text = read("expected.jsonl").replacen(written, "", 1);
    fs::write(&metres, text).unwrap();
    let level = level::open(&metres, &()).unwrap();
    let recording = level.replay.recording().unwrap();
    let joints_at = |frame: Option<usize>| -> Vec<[u32; 2]> {
        let is_there = |it: &&Joint| match frame {
            None => it.is_always(),
            Some(frame) => !it.is_always() && (it.from..it.until).contains(&frame),
        };
        let all = recording.joints.iter().filter(is_there);
        all.map(|it| [it.a, it.b]).collect()
    };
    let header = Header {
        name: recording.name.clone(),
        build: recording.build.clone(),
        dt: recording.dt,
        mirrored: None,
        units,
        gravity: recording.gravity,
        scalar: Scalar::F32,
        engine: recording.engine.clone(),
        lens: recording.lens,
        joints: joints_at(None),
    };
    let steps: Value = serde_json::from_str(&read("level.json")).unwrap();
    let mut objects = recording.objects.iter();
    let mut recorder = Recorder::new(Vec::new(), header).unwrap();
    for (index, step) in steps["steps"].as_array().unwrap().iter().enumerate() {
        let list = |name: &str| step[name].as_array().cloned().unwrap_or_default();
        for object in objects.by_ref().take(list("add").len()) {
            let mut object = object.clone();
            object.ignores.clear();
            recorder.add_object(object).unwrap();
        }
        for pair in list("ignore") {
            let [a, b] = [0, 1].map(|at| pair[at].as_u64().unwrap() as u32);
            recorder.ignore(a, b).unwrap();
        }
        for id in list("remove") {
            recorder.remove(id.as_u64().unwrap() as u32).unwrap();
        }
        let data = recording.data.at(index);
        let substeps = recording.substeps.iter().find(|it| it.0 == index);
        let snapshot = Snapshot {
            time: recording.frames[index].time,
            gap: recording.frames[index].gap,
            bodies: &data.bodies,
            joints: &joints_at(Some(index)),
            substeps: substeps.map(|it| it.1),
            contacts: &data.contacts,
            lists_contacts: !step["frame"]["contacts"].is_null(),
            impulses: data.contacts.impulses(),
            pushes: &data.pushes,
            queries: &data.queries,
            notes: &data.notes,
            camera: recording.frames[index].camera,
            ..Snapshot::default()
        };
        recorder.snapshot(&snapshot).unwrap();
    }
    let log = folder.path().join("run.jsonl");
    fs::write(&log, recorder.finish().unwrap()).unwrap();
    assert_conforms(&log, name);
}

#[test]
fn the_cpp_headers_conform() {
    if !is_there("c++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (program, log) = (
        folder.path().join("program"),
        folder.path().join("run.jsonl"),
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    run(Command::new("c++")
        .args(["-std=c++11", "-Wall", "-Wextra", "-pedantic", "-I"])
        .arg(root.join("docs/record"))
        .arg("-o")
        .arg(&program)
        .arg(root.join("tests/cli/stubs/conformance.cpp")));
    for name in LEVELS {
        run(Command::new(&program).arg(level_of(name)).arg(&log));
        assert_conforms(&log, name);
    }
}

#[test]
fn the_python_recorder_conforms() {
    if !is_there("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("run.jsonl");
    let code = r#"
import json, sys
from hitstop_log import Recorder, body, contact, sweep

with open(sys.argv[1], encoding="utf-8") as file:
    level = json.load(file)
log = Recorder(sys.argv[2], **level["header"])
for step in level["steps"]:
    for fields in step.get("add", []):
        log.add(**fields)
    for pair in step.get("ignore", []):
        log.ignore(*pair)
    for number in step.get("remove", []):
        log.remove(number)
    frame = step["frame"]
    frame["bodies"] = [body(it.pop("id"), **it) for it in frame["bodies"]]
    if "contacts" in frame:
        frame["contacts"] = [contact(**it) for it in frame["contacts"]]
    for line in frame.pop("log", []):
        line = {"text": line} if isinstance(line, str) else line
        log.log(line.pop("text"), line.pop("id", None), **line)
    for it in frame.pop("values", []):
        log.value(it["name"], it["text"] if "text" in it else it["value"], it.get("id"))
    for mark in frame.pop("marks", []):
        log.mark(mark.pop("points"), object=mark.pop("id", None), **mark)
    for move in frame.pop("moves", []):
        parts = [{"start": it.pop("from"), "end": it.pop("to"), **it} for it in move.pop("sweeps", [])]
        for part in parts:
            hit = part.pop("hit", {})
            part.update({"hit": hit.pop("id", None), **hit})
        log.move(move.pop("id"), move.pop("from"), move.pop("wish"), move.pop("to"), sweeps=[sweep(**it) for it in parts], **move)
    log.frame(**frame)
log.close()
"#;
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/record");
    for name in LEVELS {
        let mut python = Command::new("python3");
        python.arg("-c").arg(code).arg(level_of(name)).arg(&log);
        python.env("PYTHONPATH", &modules);
        run(python.env("PYTHONDONTWRITEBYTECODE", "1"));
        assert_conforms(&log, name);
    }
}
