//! The data set of docs/record/conformance: what recorders write for the same calls.

use crate::hitstop_log;
use crate::recorders::{counts, is_there, run};
use hitstop::core::level;
use hitstop::core::log::{Header, Recorder, Scalar, Snapshot};
use hitstop::core::replay::Joint;
use hitstop::core::scene::{Axis, LengthName, Units};
use serde_json::Value;
use std::fs::{self, File};
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

/// Numbers and lists of the data set, for the recorder to write.
impl hitstop_log::Json for Value {
    fn append(&self, text: &mut String) {
        match self {
            Self::Number(it) if it.is_f64() => real(self).append(text),
            Self::String(it) => it.append(text),
            Self::Array(it) => it.append(text),
            it => text.push_str(&it.to_string()),
        }
    }
}

fn any(it: &Value) -> &Value {
    it
}

fn text(it: &Value) -> &str {
    it.as_str().unwrap()
}

fn real(it: &Value) -> f64 {
    it.as_f64().unwrap()
}

fn truth(it: &Value) -> bool {
    it.as_bool().unwrap()
}

fn whole(it: &Value) -> u32 {
    u32::try_from(it.as_u64().unwrap()).unwrap()
}

fn items(it: &Value) -> &[Value] {
    it.as_array().map_or(&[], Vec::as_slice)
}

/// Calls the method of each field that is there.
macro_rules! call {
    ($on:expr, $from:expr, $($method:ident: $read:expr),*) => {{
        let mut on = $on;
        $(
            if let Some(it) = $from.get(stringify!($method)) {
                on = on.$method($read(it));
            }
        )*
        on
    }};
}

fn shape_of(value: &Value) -> hitstop_log::Shape {
    use hitstop_log::Shape;
    let (kind, it) = value.as_object().unwrap().iter().next().unwrap();
    let shape = match kind.as_str() {
        "sphere" => Shape::sphere(&it["radius"]),
        "circle" => Shape::circle(&it["radius"]),
        "box" => Shape::cuboid(&it["half_extents"]),
        "capsule" => Shape::capsule(&it["a"], &it["b"], &it["radius"]),
        "cylinder" => Shape::cylinder(&it["half_height"], &it["radius"]),
        "cone" => Shape::cone(&it["half_height"], &it["radius"]),
        "convex_hull" => Shape::convex_hull(&it["points"]),
        "polygon" => Shape::polygon(&it["points"]),
        "segment" => Shape::segment(&it["a"], &it["b"]),
        "chain" => Shape::chain(&it["points"]),
        "triangle" => Shape::triangle(&it["a"], &it["b"], &it["c"]),
        "plane" => Shape::plane(&it["normal"], &it["offset"]),
        "mesh" => Shape::mesh(&it["vertices"], &it["triangles"]),
        "height_field" => Shape::height_field(&it["heights"], &it["cell"]),
        _ => {
            let part = |it: &'_ Value| {
                let pose = [&it["position"], &it["rotation"]];
                (shape_of(&it["shape"]), pose[0].clone(), pose[1].clone())
            };
            Shape::compound(&items(it).iter().map(part).collect::<Vec<_>>())
        }
    };
    let is_rounded = ["box", "convex_hull", "polygon"].contains(&kind.as_str());
    let shape = match it.get("radius") {
        Some(radius) if is_rounded => shape.rounded(radius),
        _ => shape,
    };
    let shape = call!(shape, it, facing: text);
    let shape = match it.get("loop") {
        Some(_) => shape.closed(),
        None => shape,
    };
    match it.get("diagonal") {
        Some(_) => shape.anti_diagonal(),
        None => shape,
    }
}

fn object_of(it: &Value) -> hitstop_log::Object {
    use hitstop_log::{Motion, Object};
    let motion = |it: &Value| match text(it) {
        "fixed" => Motion::Fixed,
        "kinematic" => Motion::Kinematic,
        _ => Motion::Dynamic,
    };
    let object = Object::new(text(&it["name"]), shape_of(&it["shape"]));
    call!(object, it, motion: motion, position: any, rotation: any, mass: any, ccd: truth,
        layer: whole, mask: whole, body: any, scale: any, sensor: truth, character: truth,
        one_way: any, color: any, tags: any)
}

fn header_of(it: &Value) -> hitstop_log::Header {
    let header = hitstop_log::Header::new(text(&it["engine"]), hitstop_log::Scalar::F32);
    let lens = &it["lens"];
    let header = header.lens(
        real(&lens["near"]),
        real(&lens["fov"]),
        real(&lens["aspect"]),
    );
    call!(header, it, name: text, dt: real, flat: truth, up: text, unit: text, length: real,
        gravity: any, margin: any, ccd_threshold: any, build: text, joints: any)
}

/// What the program says for itself.
fn call_notes(log: &mut hitstop_log::Recorder, frame: &Value) {
    use hitstop_log::Level;
    let level = |it: &Value| match text(it) {
        "debug" => Level::Debug,
        "warning" => Level::Warning,
        "error" => Level::Error,
        _ => Level::Info,
    };
    for it in items(&frame["log"]) {
        let line = log.message(it.as_str().unwrap_or_else(|| text(&it["text"])));
        call!(line, it, id: whole, level: level);
    }
    for it in items(&frame["values"]) {
        let value = match it["text"].as_str() {
            Some(state) => log.value(text(&it["name"]), state),
            None => log.value(text(&it["name"]), &it["value"]),
        };
        call!(value, it, id: whole);
    }
    for it in items(&frame["marks"]) {
        let mark = log.mark(&it["points"]);
        call!(mark, it, name: text, id: whole, radius: any, color: any);
    }
    for it in items(&frame["moves"]) {
        let sweep = |it: &Value| {
            let sweep = hitstop_log::Sweep::new(text(&it["kind"]), &it["from"], &it["to"]);
            call!(sweep, it, wish: any, hit: hit_of)
        };
        let sweeps: Vec<_> = items(&it["sweeps"]).iter().map(sweep).collect();
        let made = log.moved(whole(&it["id"]), &it["from"], &it["wish"], &it["to"]);
        call!(made, it, grounded: truth, up: any, max_slope: any, max_step: any, snap: any,
            skin: any, sweeps: |_| sweeps.as_slice());
    }
}

fn hit_of(it: &Value) -> hitstop_log::Hit {
    let hit = hitstop_log::Hit::new(whole(&it["id"]));
    call!(hit, it, fraction: any, normal: any, point: any)
}

fn call_frame(log: &mut hitstop_log::Recorder, frame: &Value) {
    for it in items(&frame["bodies"]) {
        let body = log.body(whole(&it["id"]), &it["p"]);
        call!(body, it, q: any, v: any, w: any, asleep: truth, teleported: truth);
    }
    if frame.get("contacts").is_some() {
        log.lists_contacts();
    }
    for it in items(&frame["contacts"]) {
        let [a, b] = ["a", "b"].map(|name| whole(&it[name]));
        let contact = log.contact(a, b, &it["point"], &it["normal"], &it["depth"]);
        call!(contact, it, impulse: any);
    }
    for it in items(&frame["pushes"]) {
        log.push(whole(&it["id"]), &it["push"]);
    }
    for it in items(&frame["queries"]) {
        let hit = (!it["hit"].is_null()).then(|| hit_of(&it["hit"]));
        let query = log.query(text(&it["kind"]), &it["from"], &it["to"], hit);
        call!(query, it, id: whole, radius: any, shape: shape_of, q: any, mask: whole, tag: text);
    }
    for it in items(&frame["joints"]) {
        log.joint(whole(&it[0]), whole(&it[1]));
    }
    if let Some(it) = frame.get("camera") {
        call!(log.camera(&it["p"], &it["q"]), it, push: any, teleported: truth);
    }
    if let Some(count) = frame.get("substeps") {
        log.substeps(whole(count));
    }
    if frame.get("gap").is_some() {
        log.gap();
    }
    call_notes(log, frame);
    log.frame(real(&frame["t"])).unwrap();
}

#[test]
fn the_file_for_rust_conforms() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("run.jsonl");
    for name in LEVELS {
        let level = fs::read_to_string(level_of(name)).unwrap();
        let level: Value = serde_json::from_str(&level).unwrap();
        let header = header_of(&level["header"]);
        let mut recorders = [
            hitstop_log::Recorder::open(&log, header.clone()).unwrap(),
            hitstop_log::Recorder::keep(1.0, header),
        ];
        for recorder in &mut recorders {
            for step in items(&level["steps"]) {
                for it in items(&step["add"]) {
                    recorder.add(object_of(it));
                }
                for it in items(&step["ignore"]) {
                    recorder.ignore(whole(&it[0]), whole(&it[1]));
                }
                for it in items(&step["remove"]) {
                    recorder.remove(whole(it));
                }
                call_frame(recorder, &step["frame"]);
            }
        }
        let [file, kept] = recorders;
        file.close().unwrap();
        assert_conforms(&log, name);
        kept.save(File::create(&log).unwrap()).unwrap();
        assert_conforms(&log, name);
    }
}

/// The program in docs/record.md, compiled without this crate.
#[test]
fn the_program_in_rust_records() {
    if !is_there("rustc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(docs.join("record.md")).unwrap();
    let program = page.split("```rust\nmod hitstop_log;").nth(1).unwrap();
    let program = program.split("```").next().unwrap();
    fs::write(at("main.rs"), format!("mod hitstop_log;{program}")).unwrap();
    fs::copy(docs.join("record/hitstop_log.rs"), at("hitstop_log.rs")).unwrap();
    run(Command::new("rustc")
        .args(["--edition", "2021", "-D", "warnings", "-o"])
        .args([at("program"), at("main.rs")]));
    run(Command::new(at("program")).current_dir(folder.path()));
    let (frames, objects, contacts) = counts(&at("run.jsonl"));
    assert_eq!((frames, objects), (121, 3));
    assert!(contacts > 30, "{contacts}");
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
