//! Broken logs: usable lines are kept, and errors are reported with their line.

use crate::common::cancelled::Cancelled;
use crate::common::levels::{bodies_at, bodies_of, opened};
use hitstop::convert::{Part, convert};
use hitstop::core::diagnose::{Options, Report, diagnose};
use hitstop::core::file::Opened;
use hitstop::core::level::{self, ReadOptions};
use hitstop::core::log::{self, Format};
use hitstop::core::problem::{Problem, Problems};
use hitstop::core::replay::Recording;
use hitstop::core::scene::{Folder, MemoryFolder};
use std::path::Path;

const HEADER: &str = r#"{"hitstop":1,"dt":0.5,"objects":[{"id":7,"name":"ball","shape":{"sphere":{"radius":0.5}}}]}"#;

fn read(format: Format, text: &[u8]) -> Result<Recording, Problems> {
    let folder = MemoryFolder::default();
    log::read(
        format,
        text,
        text.len() as u64,
        "run.log",
        None,
        &folder,
        &(),
    )
}

fn frame(number: u32) -> String {
    format!(r#"{{"frame":{number},"bodies":[{{"id":7,"p":[{number},0,0]}}]}}"#)
}

#[test]
fn only_the_bad_line_is_skipped() {
    let table = [
        ("{\"frame\":1,\"bodies\":[", "ends before", "cut off"),
        ("nonsense", "expected", "no JSON"),
        (
            r#"{"frame":1,"bodies":[{"id":99,"p":[0,0,0]}]}"#,
            "id 99",
            "unknown body",
        ),
        (
            r#"{"frame":1,"bodies":[{"id":7,"p":"here"}]}"#,
            "invalid type",
            "wrong type",
        ),
        (
            r#"{"frame":1,"bodies":[{"id":7,"p":[0,0]}]}"#,
            "two numbers are a point of a flat level",
            "two numbers",
        ),
        (r#"{"frame":1,"bodys":[]}"#, "`bodies`", "unknown field"),
        (
            r#"{"frame":0,"bodies":[]}"#,
            "must rise",
            "the same number again",
        ),
        (
            "[0,1,2]",
            "a frame is an object: {\"frame\": 0,",
            "a list for a frame",
        ),
        (
            r#"{"frame":1,"bodies":[],"pushes":[[7,1]]}"#,
            "an object, {..}, belongs here, not a list",
            "a list for a push",
        ),
        (
            r#"{"frame":1,"bodies":[{"id":7,"pos":[0,0,0]}]}"#,
            "the field `p` is missing, and `pos` is not known",
            "another name",
        ),
        (
            r#"{"frame":1,"bodies":[{"id":7,"position":[0,0,0],"velocity":[0,0,0]}]}"#,
            "the field `p` is missing, and `position` is not known",
            "the name of an object's place",
        ),
        (
            r#"{"frame":1,"bodies":[{"id":7,"colour":3}]}"#,
            "missing field `p`",
            "a field that is left out",
        ),
        (
            r#"{"frame":-1,"bodies":[]}"#,
            "invalid value",
            "a negative number",
        ),
        (
            r#"{"bodies":[{"id":7,"p":[0,0,0]}]}"#,
            "no `frame`",
            "no number",
        ),
        (
            r#"{"frame":1,"bodies":[{"id":7,"p":[0,0,0]},{"id":7,"p":[1,0,0]}]}"#,
            "twice",
            "a body twice",
        ),
        (
            r#"{"frame":1,"bodies":[],"contacts":[{"a":7,"b":8,"point":[0,0,0],"normal":[0,0,0],"depth":0}]}"#,
            "id 8",
            "unknown in a contact",
        ),
        ("\u{0}\u{1}\u{2}", "expected value", "control characters"),
    ];
    for (bad, expected, why) in table {
        let text = format!("{HEADER}\n{}\n{bad}\n{}\n", frame(0), frame(2));
        let recording = read(Format::JsonLines, text.as_bytes()).unwrap();
        let numbers: Vec<u64> = recording.frames.iter().map(|frame| frame.number).collect();
        assert_eq!(numbers, [0, 2], "{why}");
        assert_eq!(
            recording.data.totals().bodies,
            2,
            "{why}: nothing of the line is left"
        );
        assert_eq!(recording.frames[1].dt, 1.0, "{why}: two frames of time");
        let [notice] = &recording.notices[..] else {
            panic!("{why}: {:?}", recording.notices);
        };
        assert_eq!(notice.at.unwrap().line, 3, "{why}");
        assert!(notice.what.contains(expected), "{why}: {}", notice.what);
    }
}

#[test]
fn a_line_of_invalid_utf8_is_skipped() {
    let mut text = format!("{HEADER}\n{}\n", frame(0)).into_bytes();
    text.extend(b"{\"frame\":1,\"bodies\":[],\"\xFF\xFE\":1}\n");
    text.extend(frame(2).as_bytes());
    let recording = read(Format::JsonLines, &text).unwrap();
    assert_eq!(recording.frames.len(), 2);
    assert_eq!(recording.notices.len(), 1);
}

#[test]
fn many_bad_lines_are_counted() {
    let text = format!("{HEADER}\n{}\n{}", frame(0), "bad\n".repeat(5000));
    let recording = read(Format::JsonLines, text.as_bytes()).unwrap();
    assert_eq!(recording.notices.len(), 101);
    assert!(recording.notices[100].what.contains("4900 more"));
}

#[test]
fn unusable_input_is_refused_with_a_reason() {
    let object = |shape: &str| format!(r#"{{"hitstop":1,"objects":[{{"id":1,"shape":{shape}}}]}}"#);
    let table: Vec<(String, &str, &str)> = vec![
        (String::new(), "empty", "nothing"),
        ("\n\n".into(), "empty", "blank lines"),
        (frame(0), "not a header", "a frame first"),
        ("[1,2]".into(), "not a JSON object", "no object"),
        ("hello".into(), "not a JSON object", "no JSON"),
        ("{\n\"hitstop\":1}".into(), "one line each", "a header over lines"),
        (r#"{"hitstop":2}"#.into(), "version 2", "another version"),
        (r#"{"schema":1,"findings":[]}"#.into(), "a result of `hitstop check`", "a result"),
        (r#"{"hitstop":1,"objets":[]}"#.into(), "did you mean `objects`?", "an unknown field"),
        (HEADER.into(), "no frame", "a header alone"),
        (format!("{HEADER}\nbad\n"), "no frame", "no good frame"),
        (r#"{"hitstop":1,"dt":0}"#.into(), "(write the length of a frame:", "no time"),
        (r#"{"hitstop":1,"length":-1}"#.into(), "`length`", "negative units"),
        (object(r#"{"sphere":{"radius":-1}}"#), "radius", "negative radius"),
        (object(r#"{"sphere":{"radius":NaN}}"#), "radius", "no radius"),
        (object(r#"{"box":{"half_extents":[1,-1,1]}}"#), "half_extents", "negative box"),
        (object(r#"{"plane":{"normal":[0,0,0]}}"#), "normal", "no normal"),
        (object(r#"{"mesh":{"file":"gone.obj"}}"#), "gone.obj", "missing mesh"),
        (object(r#"{"mesh":{"file":"../up.obj"}}"#), "up.obj", "a mesh outside"),
        (object(r#"{"mesh":{}}"#), "either", "an empty mesh"),
        (object(r#"{"mesh":{"vertices":[[0,0,0]],"triangles":[[0,1,2]]}}"#), "object 1", "a bad index"),
        (object(r#"{"torus":{"radius":1}}"#), "there is no shape `torus` (shapes are sphere, box,", "an unknown shape"),
        (object(r#"{"Box":{"half_extents":[1,1,1]}}"#), "there is no shape `Box` (did you mean `box`?", "a shape as a scene has it"),
        (object(r#"{"ConvexHull":{"points":[]}}"#), "did you mean `convex_hull`?", "one of two words"),
        (object(r#"{"cube":{"size":1}}"#), "did you mean `box`?", "a shape of another program"),
        (object(r#"{"cylinder":{"radius":1}}"#), "half_height", "a cylinder without a height"),
        (r#"{"hitstop":1,"objects":[{"id":1,"shape":{"sphere":{"radius":1}}},{"id":1,"shape":{"sphere":{"radius":1}}}]}"#.into(), "taken", "an id twice"),
        ("\u{feff}".into(), "empty", "a byte order mark alone"),
    ];
    for (text, expected, why) in table {
        let problems = read(Format::JsonLines, text.as_bytes()).expect_err(why);
        assert!(problems.to_string().contains(expected), "{why}: {problems}");
    }
    let utf16 = b"\xFF\xFE{\0\"\0";
    let problems = read(Format::JsonLines, utf16).unwrap_err();
    assert!(problems.to_string().contains("UTF-16"), "{problems}");
    assert!(
        read(Format::Csv, utf16)
            .unwrap_err()
            .to_string()
            .contains("UTF-16")
    );
}

#[test]
fn all_errors_of_a_header_are_reported_at_once() {
    let text = r#"{"hitstop":1,"dt":-1,"objects":[{"id":1,"shape":{"sphere":{"radius":-1}}},{"id":2,"shape":{"sphere":{"radius":0}},"mass":0}]}"#;
    let problems = read(Format::JsonLines, text.as_bytes()).unwrap_err();
    assert_eq!(problems.0.len(), 4, "{problems}");
}

#[test]
fn duplicate_names_are_numbered_with_a_notice() {
    let text = format!(
        "{}\n{}\n",
        r#"{"hitstop":1,"dt":1,"objects":[{"id":7,"name":"a","shape":{"sphere":{"radius":1}}},{"id":8,"name":"a","motion":"fixed","shape":{"sphere":{"radius":1}}}]}"#,
        frame(0)
    );
    let recording = read(Format::JsonLines, text.as_bytes()).unwrap();
    assert_eq!(recording.objects[1].name, "a (2)");
    assert_eq!(recording.notices.len(), 1);
}

#[test]
fn bad_rows_of_a_csv() {
    let text = "frame,time,name,px,py,pz,vx,vy,vz,radius\n\
        0,0.0,a,0,0,0,,,,1\n\
        x,0.1,a,0,0,0,,,,1\n\
        1,0.1,,0,0,0,,,,1\n\
        1,0.1,a,here,0,0,,,,1\n\
        1,0.1,a,0,0,,,,,1\n\
        1,0.1,a,0,0,0,1,,,1\n\
        1,0.1,a,0,0,0,,,,-1\n\
        1,0.1\n\
        2,0.2,a,NaN,-inf,0,1,2,3,1\n\
        2,0.2,a,5,5,5,,,,1\n";
    let recording = read(Format::Csv, text.as_bytes()).unwrap();
    let lines: Vec<usize> = recording
        .notices
        .iter()
        .map(|n| n.at.unwrap().line)
        .collect();
    assert_eq!(lines, [3, 4, 5, 6, 7, 8, 9, 11], "{:?}", recording.notices);
    assert_eq!(recording.frames.len(), 2);
    assert!(bodies_of(&recording)[1].pose.position.x.is_nan());
}

#[test]
fn a_csv_without_its_columns_lists_them() {
    let problems = read(Format::Csv, b"frame,px\n0,1\n").unwrap_err();
    let text = problems.to_string();
    assert!(
        text.contains("missing: py, pz; there are: frame, px"),
        "{text}"
    );
    assert!(text.contains("needed are"), "{text}");
    assert!(
        read(Format::Csv, b"")
            .unwrap_err()
            .to_string()
            .contains("empty")
    );
    let bare = read(Format::Csv, b"frame,name,px,py,pz\n0,a,0,0,0\n").unwrap();
    let notices: Vec<&str> = bare.notices.iter().map(|notice| &*notice.what).collect();
    assert!(
        notices
            .iter()
            .any(|what| what.contains("no shape is given for a")),
        "{notices:?}"
    );
    assert!(
        notices.iter().any(|what| what.contains("last 0.01666")),
        "{notices:?}"
    );
}

#[test]
fn reading_a_long_log_can_be_cancelled() {
    let frames: String = (0..5000).map(|number| frame(number) + "\n").collect();
    let text = format!("{HEADER}\n{frames}");
    let folder = MemoryFolder::default();
    let result = log::read(
        Format::JsonLines,
        text.as_bytes(),
        0,
        "a",
        None,
        &folder,
        &Cancelled,
    );
    assert!(result.unwrap_err().to_string().contains("cancelled"));
}

#[test]
fn unreadable_files_have_a_reason_in_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str| {
        level::open(&folder.path().join(name), &())
            .unwrap_err()
            .to_string()
    };
    std::fs::write(folder.path().join("notes.txt"), "x").unwrap();
    std::fs::write(folder.path().join("latin.ron"), b"Scene(name: \"\xE9\")").unwrap();
    assert!(open("gone.jsonl").contains("no such file"));
    assert!(open("").contains("folder"));
    assert!(open("notes.txt").contains(".txt"));
    assert!(open("latin.ron").contains("UTF-8"));
}

#[test]
fn conversions_round_trip_and_give_a_scene() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/recordings/warehouse.jsonl");
    convert(
        &log,
        &at("a.jsonl"),
        &Part::Whole,
        &ReadOptions::default(),
        &(),
    )
    .unwrap();
    convert(
        &at("a.jsonl"),
        &at("b.jsonl"),
        &Part::Whole,
        &ReadOptions::default(),
        &(),
    )
    .unwrap();
    let bytes = |name: &str| std::fs::read(at(name)).unwrap();
    assert_eq!(bytes("a.jsonl"), bytes("b.jsonl"));
    let losses = convert(
        &at("a.jsonl"),
        &at("a.csv"),
        &Part::Whole,
        &ReadOptions::default(),
        &(),
    )
    .unwrap();
    assert!(
        losses
            .notices
            .iter()
            .any(|loss| loss.what.contains("contacts"))
    );
    assert_eq!(level::open(&at("a.csv"), &()).unwrap().replay.frames(), 180);
    convert(
        &at("a.jsonl"),
        &at("a.ron"),
        &Part::Whole,
        &ReadOptions::default(),
        &(),
    )
    .unwrap();
    assert_eq!(level::open(&at("a.ron"), &()).unwrap().replay.frames(), 180);

    // The 60 m/s bullet passes the thin wall in frame 8.
    convert(
        &at("a.jsonl"),
        &at("frame.ron"),
        &Part::Frame(8),
        &ReadOptions::default(),
        &(),
    )
    .unwrap();
    let scene = level::open(&at("frame.ron"), &()).unwrap().replay;
    let whole = level::open(&log, &()).unwrap().replay;
    let place = |replay: &hitstop::core::replay::Replay, frame| {
        let ball = replay.object_named("bullet 60 m/s").unwrap();
        replay.state(frame).body(ball).unwrap().pose.position
    };
    assert_eq!(place(&scene, 0), place(&whole, 8));
    assert!((place(&scene, 1) - place(&whole, 9)).length() < 1e-12);
    assert!(scene.object_named("thin wall").is_some());
    assert!(!scene.scene().expect.is_empty(), "it says what it shows");
}

#[test]
fn invalid_conversions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(
        at("a.jsonl"),
        format!("{HEADER}\n{}\n{}\n", frame(0), frame(1)),
    )
    .unwrap();
    let refused = |output: &str, part: &Part| {
        convert(
            &at("a.jsonl"),
            &at(output),
            part,
            &ReadOptions::default(),
            &(),
        )
        .unwrap_err()
        .to_string()
    };
    assert!(refused("a.jsonl", &Part::Whole).contains("input and output are the same file"));
    assert!(refused("a.txt", &Part::Whole).contains("unsupported output format"));
    assert!(refused("b.csv", &Part::Frame(1)).contains("a frame can only"));
    assert!(refused("b.ron", &Part::Frame(9)).contains("no frame 9"));
    assert!(refused("gone/b.csv", &Part::Whole).contains("folder"));
    assert!(!at("b.ron").exists() && !at("b.csv").exists());
}

/// Past the edge of a wall and back down behind it: the path never hits it, but the chord from the second state to the
/// fourth leads straight through.
fn around_the_wall(camera: bool) -> Vec<String> {
    let header = r#"{"hitstop":1,"dt":0.1,"objects":[
        {"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}},
        {"id":1,"name":"wall","shape":{"box":{"half_extents":[0.05,1,1]}},"motion":"fixed"}]}"#;
    let path = [(-2, 0), (-1, 0), (0, 3), (1, 0), (2, 0)];
    let frames = path.into_iter().enumerate().map(|(number, (x, y))| {
        if camera {
            return format!(r#"{{"frame":{number},"bodies":[],"camera":{{"p":[{x},{y},0]}}}}"#);
        }
        format!(r#"{{"frame":{number},"bodies":[{{"id":0,"p":[{x},{y},0]}}]}}"#)
    });
    let header = header.replace('\n', " ");
    [header].into_iter().chain(frames).collect()
}

fn diagnosed(file: &str, text: String) -> Report {
    let mut folder = MemoryFolder::default();
    folder.files.insert(file.into(), text.into_bytes());
    let level = level::open_in(&folder, file, &()).unwrap();
    diagnose(&level, &Options::default(), &()).unwrap()
}

fn kinds(report: &Report) -> Vec<&str> {
    report.findings.iter().map(|f| f.kind.name()).collect()
}

/// A line that was left out became one long frame with a straight path, and so a false `Tunnels`.
#[test]
fn no_findings_across_a_skipped_line() {
    let lines = around_the_wall(false);
    let clean = diagnosed("a.jsonl", lines.join("\n"));
    assert_eq!((kinds(&clean), clean.notices.len()), (vec![], 0));
    for bad in [
        "{\"frame\":2,\"bodies\":[",
        "nonsense",
        r#"{"frame":2,"bodies":[{"id":5,"p":[0,0,0]}]}"#,
    ] {
        let mut lines = lines.clone();
        lines[3] = bad.into();
        let report = diagnosed("a.jsonl", lines.join("\n"));
        assert_eq!(kinds(&report), Vec::<&str>::new(), "{bad}");
        assert_eq!(report.notices.len(), 1, "{:?}", report.notices);
    }
    let mut lines = lines;
    lines.remove(3);
    let report = diagnosed("a.jsonl", lines.join("\n"));
    assert_eq!(kinds(&report), Vec::<&str>::new());
    let [notice] = &report.notices[..] else {
        panic!("{:?}", report.notices);
    };
    assert!(notice.contains("between 1 and 3"), "{notice}");
    // The engine may set it in the log.
    let report_with = |gap: &str| {
        let mut lines = lines.clone();
        lines[3] = lines[3].replace("\"bodies\"", &format!("\"gap\":{gap},\"bodies\""));
        diagnosed("a.jsonl", lines.join("\n"))
    };
    assert_eq!(kinds(&report_with("false")), ["Tunnels"]);
    let report = report_with("true");
    assert_eq!((kinds(&report), report.notices.len()), (vec![], 0));
}

#[test]
fn no_findings_across_a_skipped_row() {
    let scene = r#"Scene(version: 1, name: "x", dt: 0.1, frames: 4, recording: "a.csv", objects: [
        (name: "ball", shape: Sphere(radius: 0.1)),
        (name: "wall", shape: Box(half_extents: (0.05, 1.0, 1.0)), motion: Fixed)])"#;
    let report = |rows: &str| {
        let mut folder = MemoryFolder::default();
        folder
            .files
            .insert("a.csv".into(), rows.as_bytes().to_vec());
        folder
            .files
            .insert("a.ron".into(), scene.as_bytes().to_vec());
        let level = level::open_in(&folder, "a.ron", &()).unwrap();
        diagnose(&level, &Options::default(), &()).unwrap()
    };
    let by_frame = "frame,name,px,py,pz\n0,ball,-2,0,0\n1,ball,-1,0,0\n2,ball,?,3,0\n3,ball,1,0,0\n4,ball,2,0,0\n";
    let by_time = "time,name,px,py,pz\n0,ball,-2,0,0\n0.1,ball,-1,0,0\n0.2,ball,?,3,0\n0.3,ball,1,0,0\n0.4,ball,2,0,0\n";
    for rows in [by_frame, by_time] {
        let report = report(rows);
        assert_eq!(kinds(&report), Vec::<&str>::new(), "{rows}");
        assert!(
            report.notices.iter().any(|notice| notice.contains(":4")),
            "{:?}",
            report.notices
        );
    }
    // Without the bad row, only the frame number shows the gap.
    assert_eq!(
        kinds(&report(&by_frame.replace("2,ball,?,3,0\n", ""))),
        Vec::<&str>::new()
    );
}

#[test]
fn no_camera_findings_across_a_gap_or_cut() {
    let lines = around_the_wall(true);
    let mut gap = lines.clone();
    gap.remove(3);
    assert_eq!(
        kinds(&diagnosed("a.jsonl", gap.join("\n"))),
        Vec::<&str>::new()
    );
    // The same flight with consecutive numbers: through the wall, except for a cut.
    let through = |cut: &str| {
        let mut lines = lines.clone();
        lines[3] = format!(r#"{{"frame":2,"bodies":[],"camera":{{"p":[1,0,0]{cut}}}}}"#);
        kinds(&diagnosed("a.jsonl", lines.join("\n"))).len()
    };
    assert_eq!(through(""), 1);
    assert_eq!(through(r#","teleported":false"#), 1);
    assert_eq!(through(r#","teleported":true"#), 0);
}

#[test]
fn a_log_of_every_fourth_frame_has_a_notice_and_no_gaps() {
    let frames: Vec<String> = (0..5).map(|index| frame(4 * index)).collect();
    let text = format!("{HEADER}\n{}\n", frames.join("\n"));
    let recording = read(Format::JsonLines, text.as_bytes()).unwrap();
    assert!(recording.frames.iter().all(|frame| !frame.gap));
    let [notice] = &recording.notices[..] else {
        panic!("{:?}", recording.notices);
    };
    assert!(notice.what.contains("one in 4"), "{notice}");
}

/// The `dt` of a line is the time since the frame before it, even when that one is left out.
#[test]
fn the_time_across_a_gap_is_the_sum() {
    let line = |number: u32| frame(number).replace("\"bodies\"", "\"dt\":0.25,\"bodies\"");
    let text = format!("{HEADER}\n{}\n{}\nbad\n{}\n", line(0), line(1), line(3));
    let recording = read(Format::JsonLines, text.as_bytes()).unwrap();
    let dts: Vec<f64> = recording.frames.iter().map(|frame| frame.dt).collect();
    assert_eq!(dts, [0.25, 0.25, 0.75]);
    let gaps: Vec<bool> = recording.frames.iter().map(|frame| frame.gap).collect();
    assert_eq!(gaps, [false, false, true]);
}

/// The search for a free name began at 2 for each: 40,000 objects of one name took minutes.
#[test]
fn many_objects_of_one_name_are_numbered_quickly() {
    let count = 40_000;
    let object =
        |id: u32| format!(r#"{{"id":{id},"name":"b","shape":{{"sphere":{{"radius":1}}}}}}"#);
    let objects: Vec<String> = (0..count).map(object).collect();
    let text = format!(
        r#"{{"hitstop":1,"dt":1,"objects":[{}]}}"#,
        objects.join(",")
    );
    let text = format!("{text}\n{}\n", r#"{"frame":0,"bodies":[]}"#);
    let recording = read(Format::JsonLines, text.as_bytes()).unwrap();
    assert_eq!(
        recording.objects[count as usize - 1].name,
        format!("b ({count})")
    );
    // A name that exists already is not given again.
    let taken = text.replacen(r#""name":"b""#, r#""name":"b (2)""#, 1);
    let recording = read(Format::JsonLines, taken.as_bytes()).unwrap();
    assert_eq!(recording.objects[2].name, "b (3)");
    let mut names: Vec<&str> = recording.objects.iter().map(|o| &*o.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count as usize);
}

/// Fixed objects that appear late got a body in every later frame: memory for their number times that of the frames.
#[test]
fn late_fixed_objects_use_no_memory_per_frame() {
    let object = |id: u32| {
        format!(
            r#"{{"id":{id},"name":"crate {id}","motion":"fixed","shape":{{"sphere":{{"radius":1}}}}}}"#
        )
    };
    let objects: Vec<String> = (100..3100).map(object).collect();
    let frames: String = (1..3000).map(|number| frame(number) + "\n").collect();
    let text = format!(
        "{HEADER}\n{}\n{{\"spawn\":[{}]}}\n{frames}",
        frame(0),
        objects.join(",")
    );
    let recording = read(Format::JsonLines, text.as_bytes()).unwrap();
    assert_eq!(recording.data.totals().bodies, 3000);
    assert_eq!(bodies_at(&recording, 0).len(), 1);
    assert_eq!(bodies_at(&recording, 1).len(), 3001);
}

/// Files that can be read as streams only; `endless.ron` never ends.
struct Streams(MemoryFolder);

impl Folder for Streams {
    fn open(&self, path: &str) -> Result<Opened<'_>, Problem> {
        if path == "endless.ron" {
            return Ok(Opened {
                input: Box::new(std::io::BufReader::new(std::io::repeat(b' '))),
                length: u64::MAX,
                file: None,
            });
        }
        self.0.open(path)
    }

    fn shown(&self, path: &str) -> String {
        format!("here/{path}")
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        panic!("{path} is read whole");
    }
}

#[test]
fn a_referenced_log_is_read_as_a_stream_and_reported_with_its_path() {
    let scene = r#"Scene(version: 1, name: "x", dt: 0.1, frames: 2, recording: "logs/a.jsonl")"#;
    let header = HEADER.replace("0.5", "0.125");
    let log = format!("{header}\n{}\nbad\n{}\n", frame(0), frame(2));
    let mut files = MemoryFolder::default();
    files.files.insert("levels/a.ron".into(), scene.into());
    files.files.insert("levels/logs/a.jsonl".into(), log.into());
    let level = level::open_in(&Streams(files), "levels/a.ron", &()).unwrap();
    assert_eq!(level.replay.frames(), 1);
    let [notice] = &level.notices[..] else {
        panic!("{:?}", level.notices);
    };
    assert_eq!(notice.file, "here/levels/logs/a.jsonl");
}

#[test]
fn an_endless_scene_is_refused_at_the_size_limit() {
    let folder = Streams(MemoryFolder::default());
    let problems = level::open_in(&folder, "endless.ron", &()).unwrap_err();
    assert!(
        problems.to_string().contains("larger than 64 MiB"),
        "{problems}"
    );
}

/// An engine that wrote `"hp"` for each body lost its whole log.
#[test]
fn unknown_fields_skip_no_line() {
    let header = r#"{"hitstop":1,"dt":0.5,"x":{"build":7},"objects":[{"id":7,"name":"ball","hp":3,"x":[1],"shape":{"sphere":{"radius":0.5}}},{"id":8,"hp":3,"shape":{"sphere":{"radius":0.5}},"position":[9,0,0],"motion":"fixed"}]}"#;
    let frame = |number: u32| {
        format!(
            r#"{{"frame":{number},"fps":60,"x":{{"a":[]}},"bodies":[{{"hp":{{"now":[1]}},"id":7,"x":1,"p":[{number},0,0],"vel":[1,0,0]}}],"contacts":[{{"a":7,"b":8,"point":[0,0,0],"normal":[1,0,0],"depth":0,"force":2,"x":0}}],"pushes":[{{"id":7,"push":[0,0,0],"by":8}}],"queries":[{{"kind":"ray","from":[0,0,0],"to":[1,0,0],"label":1,"hit":{{"id":8,"fraction":1,"face":2}}}}],"camera":{{"p":[0,0,0],"fov":60}}}}"#
        )
    };
    let text = format!("{header}\n{}\n{}\n", frame(0), frame(1));
    let recording = read(Format::JsonLines, text.as_bytes()).unwrap();
    assert_eq!(recording.objects.len(), 2);
    let totals = recording.data.totals();
    assert_eq!((recording.frames.len(), totals.bodies), (2, 2));
    assert_eq!((totals.contacts, totals.queries), (2, 2));
    let notices: Vec<String> = recording.notices.iter().map(ToString::to_string).collect();
    let wanted = [
        ("1:1", "`hp` of an object"),
        ("2:1", "`fps` of a frame"),
        ("2:1", "`hp` of a body"),
        ("2:1", "`vel` of a body"),
        ("2:1", "`force` of a contact"),
        ("2:1", "`by` of a push"),
        ("2:1", "`label` of a query"),
        ("2:1", "`face` of a hit"),
        ("2:1", "`fov` of a camera"),
    ];
    assert_eq!(notices.len(), wanted.len(), "{notices:#?}");
    for (line, name) in wanted {
        let found = notices.iter().find(|one| one.contains(name));
        assert!(
            found.is_some_and(|one| one.contains(line)),
            "{name}: {notices:#?}"
        );
    }
    assert!(
        notices.iter().all(|one| one.contains("into the field `x`")),
        "{notices:#?}"
    );
}

/// C, C#, GDScript and Bullet write all bits as -1, and all but the third as -5.
#[test]
fn a_mask_of_minus_one_is_all_bits() {
    for (written, wanted) in [
        ("-1", u32::MAX),
        ("-5", !4),
        ("4294967295", u32::MAX),
        ("0", 0),
    ] {
        let header = HEADER.replace(
            "\"shape\"",
            &format!("\"layer\":2,\"mask\":{written},\"shape\""),
        );
        let query = format!(r#"{{"kind":"ray","from":[0,0,0],"to":[1,0,0],"mask":{written}}}"#);
        let line = frame(0).replace("\"bodies\"", &format!("\"queries\":[{query}],\"bodies\""));
        let text = format!("{header}\n{line}\n");
        let recording = read(Format::JsonLines, text.as_bytes()).unwrap();
        assert!(recording.notices.is_empty(), "{:?}", recording.notices);
        assert_eq!(
            (recording.objects[0].layer, recording.objects[0].mask),
            (2, wanted)
        );
        assert_eq!(recording.query(0).unwrap().mask, Some(wanted));
    }
    for bad in ["-2147483649", "4294967296", "1.5", "\"all\""] {
        let header = HEADER.replace("\"shape\"", &format!("\"mask\":{bad},\"shape\""));
        let problems = read(Format::JsonLines, header.as_bytes()).unwrap_err();
        assert_eq!(problems.0[0].at.unwrap().line, 1, "{bad}: {problems}");
        assert!(
            problems.to_string().contains("-1 for all"),
            "{bad}: {problems}"
        );
    }
}

/// Findings had negative times where `t` decreases.
#[test]
fn decreasing_times_are_ignored() {
    let header = r#"{"hitstop":1,"dt":0.5,"objects":[{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}},{"id":1,"name":"wall","shape":{"box":{"half_extents":[0.05,1,1]}},"motion":"fixed"}]}"#;
    for times in [
        [1.0, 0.9, 0.8, 0.7, 0.6],
        [0.0, 0.5, 1.0, 0.2, 0.7],
        [0.0, 0.5, 0.5, 1.0, 1.5],
    ] {
        let frames = times.iter().enumerate().map(|(number, time)| {
            let x = number as f64 * 0.5 - 1.25;
            format!(r#"{{"frame":{number},"t":{time},"bodies":[{{"id":0,"p":[{x},0,0]}}]}}"#)
        });
        let lines: Vec<String> = [header.to_owned()].into_iter().chain(frames).collect();
        let report = diagnosed("a.jsonl", lines.join("\n"));
        // The ball touches where its centre is 0.15 m before the wall's: at x = -0.15, from -0.25 on.
        let [finding] = &report.findings[..] else {
            panic!("{times:?}: {:?}", kinds(&report));
        };
        assert_eq!(finding.frame, 2, "{times:?}");
        assert!(
            (finding.time - (2.0 + 0.1 / 0.5) * 0.5).abs() < 1e-9,
            "{}",
            finding.time
        );
    }
}

/// Counts the reports, and cancels once `limit` bytes are read.
struct Counted {
    reports: std::sync::atomic::AtomicU64,
    done: std::sync::atomic::AtomicU64,
    limit: u64,
}

impl hitstop::core::progress::Progress for Counted {
    fn report(&self, done: u64, _total: u64) {
        use std::sync::atomic::Ordering::Relaxed;
        self.reports.fetch_add(1, Relaxed);
        self.done.store(done, Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.done.load(std::sync::atomic::Ordering::Relaxed) >= self.limit
    }
}

/// Progress was reported every 256 lines: a log of 61 lines of 7 MB each could not be cancelled.
#[test]
fn progress_and_cancelling_follow_bytes_not_lines() {
    let long = " ".repeat(1 << 20);
    let lines: String = (0..4).map(|number| frame(number) + &long + "\n").collect();
    let json = format!("{HEADER}\n{lines}");
    let rows: String = (0..4)
        .map(|number| format!("{number},a,{long}0,0,0\n"))
        .collect();
    let csv = format!("frame,name,px,py,pz\n{rows}");
    for (format, text) in [(Format::JsonLines, json), (Format::Csv, csv)] {
        let run = |limit: u64| {
            let counted = Counted {
                reports: 0.into(),
                done: 0.into(),
                limit,
            };
            let folder = MemoryFolder::default();
            let bytes = text.len() as u64;
            let result = log::read(format, text.as_bytes(), bytes, "a", None, &folder, &counted);
            (
                result,
                counted.reports.into_inner(),
                counted.done.into_inner(),
            )
        };
        let (result, reports, done) = run(u64::MAX);
        assert_eq!(result.unwrap().frames.len(), 4, "{format:?}");
        assert_eq!(done, text.len() as u64);
        // Every few hundred kilobytes of the four megabytes.
        assert!((8..=64).contains(&reports), "{format:?}: {reports}");
        let (result, _, done) = run(1 << 19);
        assert!(result.unwrap_err().to_string().contains("cancelled"));
        assert!(
            done <= 1 << 20,
            "{format:?}: cancelled within the first long line, at {done}"
        );
    }
}

/// An input that fails after some bytes: once as a disk does, once as a recording that is cut off.
struct Failing<'b> {
    bytes: &'b [u8],
    kind: std::io::ErrorKind,
}

impl std::io::Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.bytes.read(buffer)? {
            0 => Err(self.kind.into()),
            read => Ok(read),
        }
    }
}

/// A read error in the middle of a log was a notice once, and the run was green.
#[test]
fn a_log_that_cannot_be_read_to_its_end_is_an_error() {
    use std::io::{BufReader, ErrorKind};
    let json = [HEADER, &frame(0), &frame(1), ""].join("\n");
    let csv = "frame,time,name,px,py,pz\n0,0,a,0,0,0\n1,1,a,0,0,0\n".to_owned();
    let folder = MemoryFolder::default();
    for (format, text) in [(Format::JsonLines, json), (Format::Csv, csv)] {
        let read = |kind: ErrorKind, length: usize| {
            let input = BufReader::new(Failing {
                bytes: text.as_bytes(),
                kind,
            });
            log::read(format, input, length as u64, "run.log", None, &folder, &())
        };
        for kind in [
            ErrorKind::Other,
            ErrorKind::PermissionDenied,
            ErrorKind::StaleNetworkFileHandle,
        ] {
            let problems = read(kind, 0).unwrap_err().to_string();
            assert!(problems.contains("the log cannot be read"), "{problems}");
        }
        let kept = read(ErrorKind::UnexpectedEof, 0).unwrap();
        assert_eq!(kept.frames.len(), 2, "{format:?}");
        // A file that is shorter than the system says.
        let short = log::read(
            format,
            text.as_bytes(),
            text.len() as u64 + 9,
            "run.log",
            None,
            &folder,
            &(),
        );
        let problems = short.unwrap_err().to_string();
        assert!(problems.contains("bytes are there"), "{problems}");
    }
}

/// A ball that moves 3 m/s along x and turns 2 rad/s about z, with its velocities times a factor.
fn moving_ball(of_velocity: f64, of_spin: f64) -> String {
    let mut text = HEADER.replace("0.5,\"objects", "0.02,\"objects");
    for frame in 0..20 {
        let time = f64::from(frame) * 0.02;
        // Half the angle of 2 rad/s.
        let (sin, cos) = time.sin_cos();
        let (x, v, w) = (3.0 * time, 3.0 * of_velocity, 2.0 * of_spin);
        text.push_str(&format!(
            "\n{{\"frame\":{frame},\"bodies\":[{{\"id\":7,\"p\":[{x},0,0],\"q\":[0,0,{sin},{cos}],\"v\":[{v},0,0],\"w\":[0,0,{w}]}}]}}"
        ));
    }
    text
}

#[test]
fn velocities_of_another_unit_have_a_notice() {
    let table = [
        (1.0, 1.0, "", ""),
        (1.9, 0.6, "", ""),
        (0.02, 1.0, "`v` are 0.02 times", "divide them by the time"),
        (100.0, 1.0, "`v` are 100 times", "centimetres per second"),
        (3.6, 1.0, "`v` are 3.6 times", "kilometres per hour"),
        (7.0, 1.0, "`v` are 7 times", "log them per second"),
        (1.0, 57.29578, "`w` are 57.3 times", "degrees per second"),
        (1.0, 0.02, "`w` are 0.02 times", "divide them by the time"),
    ];
    for (of_velocity, of_spin, what, help) in table {
        let level = opened("run.jsonl", moving_ball(of_velocity, of_spin));
        let told = level
            .notices
            .iter()
            .find(|it| it.what.contains("times as fast"));
        let told = told.map(|it| (it.what.clone(), it.help.clone()));
        assert_eq!(told.is_some(), !what.is_empty(), "{what} {told:?}");
        let Some((said, way_out)) = told else {
            continue;
        };
        assert!(
            said.contains(what) && way_out.contains(help),
            "{said} {way_out}"
        );
    }
}

/// A flat log of a ball that falls from rest, and a bar that turns by 3 units of angle a second.
fn falling(gravity: f64, fall: f64, of_angle: f64) -> String {
    let mut text = format!(
        r#"{{"hitstop":1,"dt":0.02,"flat":true,"gravity":[0,{gravity}],"objects":[{{"id":0,"name":"ball","shape":{{"circle":{{"radius":0.5}}}}}},{{"id":1,"name":"bar","motion":"kinematic","shape":{{"box":{{"half_extents":[2,0.1]}}}}}}]}}"#
    );
    for frame in 0..20 {
        let time = f64::from(frame) * 0.02;
        let (y, angle) = (0.5 * fall * time * time, 3.0 * of_angle * time);
        text.push_str(&format!(
            "\n{{\"frame\":{frame},\"bodies\":[{{\"id\":0,\"p\":[0,{y}]}},{{\"id\":1,\"p\":[9,9],\"q\":{angle},\"w\":3}}]}}"
        ));
    }
    text
}

#[test]
fn a_fall_against_gravity_and_angles_in_degrees_have_a_notice() {
    let degrees = 180.0 / std::f64::consts::PI;
    let table = [
        (falling(-9.81, -9.81, 1.0), None),
        // A balloon.
        (falling(-9.81, 2.0, 1.0), None),
        (falling(-9.81, 9.81, 1.0), Some("fall against gravity")),
        (
            falling(-9.81, -9.81, degrees),
            Some("57.3 times as fast as `w`"),
        ),
    ];
    for (text, wanted) in table {
        let level = opened("run.jsonl", text);
        let told: Vec<&str> = level.notices.iter().map(|it| &*it.what).collect();
        match wanted {
            None => assert_eq!(told, [""; 0]),
            Some(words) => assert!(told.len() == 1 && told[0].contains(words), "{told:?}"),
        }
    }
}
