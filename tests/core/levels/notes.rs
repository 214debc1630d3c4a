//! What the recorded program says for itself (its log, values, marks), what it calls its queries, its impulses, and joints that go on.

use glam::DVec3;
use hitstop::core::file::CacheFolder;
use hitstop::core::level::{self, KeptLog, ReadOptions};
use hitstop::core::log::{self, Format};
use hitstop::core::replay::engine_log::engine_log;
use hitstop::core::replay::history::{History, Quantity};
use hitstop::core::replay::{
    Joint, LoggedNote, NoteKind, NoteLevel, NoteMark, NoteValue, Recording, Replay, Subject,
};
use hitstop::core::scene::MemoryFolder;
use hitstop::core::shape::{Shape, SolidShape};
use std::sync::Arc;

const OBJECTS: &str = r#""objects":[{"id":7,"name":"ball","shape":{"sphere":{"radius":0.5}}},{"id":3,"name":"wall","shape":{"box":{"half_extents":[1,2,3]}},"motion":"fixed","position":[9,0,0]}]"#;

fn read(header: &str, frames: &[&str]) -> Recording {
    let mut text = format!("{{\"hitstop\":1,\"dt\":0.5{header},{OBJECTS}}}\n");
    for (number, frame) in frames.iter().enumerate() {
        text += &format!("{{\"frame\":{number},\"bodies\":[{{\"id\":7,\"p\":[0,0,0]}}]{frame}}}\n");
    }
    let (folder, length) = (MemoryFolder::default(), text.len() as u64);
    log::read(
        Format::JsonLines,
        text.as_bytes(),
        length,
        "test",
        None,
        &folder,
        &(),
    )
    .unwrap()
}

fn replayed(frames: &[&str]) -> Arc<Replay> {
    let mut text = Vec::new();
    log::write(Format::JsonLines, &read("", frames), &mut text).unwrap();
    let folder = MemoryFolder {
        files: [("a.jsonl".to_owned(), text)].into(),
    };
    level::open_in(&folder, "a.jsonl", &()).unwrap().replay
}

fn note(object: Option<u32>, text: &str, kind: NoteKind) -> LoggedNote {
    let text = text.to_owned();
    LoggedNote { object, text, kind }
}

/// In centimetres with z up: points and radii are converted, values are the program's own.
#[test]
fn lines_values_and_marks_are_read() {
    let frame = r#","marks":[{"points":[[100,200,300],[0,0,50]],"name":"path","id":7,"radius":25,"color":[1,2,255],"x":1},{"points":[[0,0,0]]}],"log":["dash",{"text":"no ground","id":3,"level":"WARN"}],"values":[{"name":"stamina","id":7,"value":0.5},{"name":"lit","value":true},{"name":"state","text":"idle"},{"name":"ratio","value":NaN}]"#;
    let recording = read(r#","up":"z","unit":"cm""#, &["", frame]);
    assert!(recording.notices.is_empty(), "{:?}", recording.notices);
    assert!(recording.data.notes(0).is_empty());
    let notes = recording.data.notes(1);
    let point = |points: Vec<DVec3>, radius, color| {
        NoteKind::Mark(NoteMark {
            points,
            radius,
            color,
        })
    };
    let wanted = [
        note(None, "dash", NoteKind::Line(NoteLevel::Info)),
        note(Some(1), "no ground", NoteKind::Line(NoteLevel::Warning)),
        note(Some(0), "stamina", NoteKind::Value(NoteValue::Number(0.5))),
        note(None, "lit", NoteKind::Value(NoteValue::Flag(true))),
        note(
            None,
            "state",
            NoteKind::Value(NoteValue::Text("idle".into())),
        ),
    ];
    assert_eq!(notes[..5], wanted);
    assert!(matches!(notes[5].kind, NoteKind::Value(NoteValue::Number(ratio)) if ratio.is_nan()));
    // (x, y, z) with z up is (x, z, -y).
    let path = vec![DVec3::new(1.0, 3.0, -2.0), DVec3::new(0.0, 0.5, 0.0)];
    let wanted = [
        note(Some(0), "path", point(path, 0.25, Some([1, 2, 255]))),
        note(None, "", point(vec![DVec3::ZERO], 0.0, None)),
    ];
    assert_eq!(notes[6..], wanted);
    assert_eq!(recording.data.totals().notes, 8);
}

/// Nothing is judged by them: whatever is written there, the frame stays, and one notice says what was left out.
#[test]
fn no_note_costs_a_frame() {
    let table = [
        (r#""log":"dash""#, "a list is expected", 0),
        (r#""log":{"text":"dash"}"#, "a list is expected", 0),
        (
            r#""log":[1,null,["a"]]"#,
            "a line of `log` cannot be read",
            0,
        ),
        (
            r#""log":[{"level":"info"}]"#,
            "a line of `log` cannot be read",
            0,
        ),
        (r#""log":[{"text":"a","level":"loud"}]"#, "", 1),
        (
            r#""log":[{"text":"a","id":99},{"text":"b","id":99}]"#,
            "id 99",
            2,
        ),
        (
            r#""log":[{"text":"a","speed":1}]"#,
            "`speed` of a line of `log`",
            1,
        ),
        (r#""values":{"fps":60}"#, "a list is expected", 0),
        (r#""values":[{"value":1}]"#, "a value cannot be read", 0),
        (
            r#""values":[{"name":"a","value":[1]}]"#,
            "a value cannot be read",
            0,
        ),
        (r#""values":[{"name":"a","value":null}]"#, "", 1),
        (r#""values":[{"name":"a"}]"#, "", 1),
        (r#""marks":[{"points":[]}]"#, "a mark cannot be read", 0),
        (
            r#""marks":[{"points":[[1,2]]}]"#,
            "a mark cannot be read",
            0,
        ),
        (r#""marks":[{"name":"a"}]"#, "a mark cannot be read", 0),
        (r#""marks":[{"points":"here"}]"#, "a mark cannot be read", 0),
        (
            r#""marks":[{"points":[[NaN,0,0]],"color":[256,0,0]}]"#,
            "",
            1,
        ),
        (
            r#""marks":[{"points":[[0,0,0]],"color":"red","radius":-1}]"#,
            "",
            1,
        ),
        (r#""image":["a.png"]"#, "picture of a frame is left out", 0),
        (r#""image":"../a.png""#, "leaves the scene's folder", 0),
        (
            r#""moves":[{"id":7,"from":[0,0,0],"wish":[1e300,0,0],"to":[0,0,0]}]"#,
            "a move cannot be read",
            0,
        ),
        (r#""moves":{}"#, "a list is expected", 0),
        (r#""moves":[{"id":7}]"#, "a move cannot be read", 0),
        (
            r#""moves":[{"id":99,"from":[0,0,0],"wish":[0,0,0],"to":[0,0,0]}]"#,
            "a move cannot be read",
            0,
        ),
        (
            r#""moves":[{"id":7,"from":[0,0,0],"wish":[0,0,0],"to":[0,0,0],"sweeps":[{"kind":"a","from":[0,0,0],"to":[0,0,0],"hit":{"id":99}}]}]"#,
            "a move cannot be read",
            0,
        ),
        (
            r#""moves":[{"id":7,"from":[NaN,0,0],"wish":[0,0,0],"to":[0,0,0],"sweeps":[{"kind":"a","from":[0,0,0],"to":[0,0,0],"hit":{"id":3,"normal":[NaN,0,0]}}]}]"#,
            "",
            1,
        ),
        (
            r#""contacts":[{"a":7,"b":3,"point":[0,0,0],"normal":[1,0,0],"depth":0,"impulse":[1,2]}]"#,
            "",
            0,
        ),
        (
            r#""queries":[{"kind":"ray","from":[0,0,0],"to":[1,0,0],"tag":5,"hit":null}]"#,
            "",
            0,
        ),
    ];
    for (field, notice, count) in table {
        let frame = format!(",{field}");
        let recording = read("", &["", &frame, &frame, ""]);
        assert_eq!(
            (recording.frames.len(), recording.unread),
            (4, 0),
            "{field}"
        );
        let notes = recording.data.notes(2).len();
        assert_eq!(notes, count, "{field}: {:?}", recording.notices);
        let notices: Vec<String> = recording.notices.iter().map(ToString::to_string).collect();
        match notice {
            "" => assert!(notices.is_empty(), "{field}: {notices:?}"),
            _ => {
                assert_eq!(notices.len(), 1, "{field}: {notices:?}");
                assert!(notices[0].contains(notice), "{field}: {notices:?}");
                assert!(notices[0].contains("3:1"), "{field}: the line: {notices:?}");
            }
        }
    }
}

#[test]
fn what_is_kept_of_notes_is_bounded() {
    let lines = vec!["\"a\""; 1500].join(",");
    let long = "é".repeat(2000);
    let points = vec!["[0,0,0]"; 300].join(",");
    let frame = format!(
        ",\"log\":[{lines}],\"values\":[{{\"name\":\"{long}\",\"text\":\"{long}\"}}],\"marks\":[{{\"points\":[{points}]}}]"
    );
    let recording = read("", &[&frame]);
    let notes = recording.data.notes(0);
    assert_eq!(notes.len(), 1024 + 2);
    let said: Vec<_> = recording.notices.iter().map(|it| &it.what).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("476 more are left out"), "{said:?}");
    assert_eq!(notes[1024].text.chars().count(), 1001);
    let NoteKind::Value(NoteValue::Text(text)) = &notes[1024].kind else {
        panic!("{:?}", notes[1024]);
    };
    assert_eq!(text.chars().count(), 1001);
    let NoteKind::Mark(mark) = &notes[1025].kind else {
        panic!("{:?}", notes[1025]);
    };
    assert_eq!(mark.points.len(), 256);
    let tagged = |tag: String| {
        format!(r#"{{"kind":"ray","from":[0,0,0],"to":[1,0,0],"tag":"{tag}","hit":null}}"#)
    };
    let many: Vec<String> = (0..1100).map(|number| tagged(number.to_string())).collect();
    let frame = format!(
        ",\"queries\":[{},{}]",
        tagged("long ".repeat(99)),
        many.join(",")
    );
    let recording = read("", &[&frame]);
    let data = recording.data.at(0);
    assert_eq!(data.queries.len(), 1101);
    let first = data.queries[0].tag.as_ref().unwrap();
    assert_eq!(first.chars().count(), 64);
    let tags = data.queries.iter().filter(|query| query.tag.is_some());
    assert_eq!(tags.count(), 1024);
    assert_eq!(recording.notices.len(), 1, "{:?}", recording.notices);
}

#[test]
fn the_list_has_states_that_change_and_marks_that_appear() {
    let frame = |state: &str, mark: &str| {
        format!(
            ",\"values\":[{{\"name\":\"state\",\"text\":\"{state}\"}},{{\"name\":\"n\",\"value\":1}}]{mark}"
        )
    };
    let mark = r#","marks":[{"points":[[0,0,0]],"name":"goal"}]"#;
    let frames = [
        frame("a", mark),
        frame("a", mark),
        frame("b", ""),
        frame("b", mark),
    ];
    let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
    let replay = replayed(&frames);
    let list = engine_log(&replay, |_| true, &()).unwrap();
    let rows: Vec<_> = list
        .rows
        .iter()
        .map(|row| (row.state, row.text.as_str()))
        .collect();
    let wanted = [
        (0, "state is a"),
        (0, "mark \"goal\""),
        (2, "state is b"),
        (3, "mark \"goal\""),
    ];
    assert_eq!(rows, wanted);
    // 20,000 are listed, the others counted.
    let lines = vec!["\"a\""; 1000].join(",");
    let frame = format!(",\"log\":[{lines}]");
    let replay = replayed(&vec![frame.as_str(); 21]);
    let list = engine_log(&replay, |_| true, &()).unwrap();
    assert_eq!((list.rows.len(), list.more), (20_000, 1000));
    // The kinds are of all.
    assert_eq!(list.kinds, [list.rows[0].kind.bit(); 21]);
    assert_eq!(list.rows.last().unwrap().state, 19);
}

#[test]
fn values_have_a_history_of_their_object_or_of_the_level() {
    let values = |fuel: f64, lit: bool| {
        format!(
            r#","values":[{{"name":"fuel","id":7,"value":{fuel}}},{{"name":"lit","value":{lit}}},{{"name":"state","text":"a"}}]"#
        )
    };
    let frames = [
        values(4.0, false),
        values(3.0, true),
        String::new(),
        values(1.0, true),
    ];
    let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
    let replay = replayed(&frames);
    let names: Vec<&str> = replay
        .quantities()
        .skip_while(|quantity| !matches!(quantity, Quantity::Value(_)))
        .map(|quantity| replay.quantity_name(quantity))
        .collect();
    assert_eq!(names, ["fuel", "lit"], "texts are no numbers");
    let runs = |subject, quantity| {
        let mut history = History::new(subject);
        for frame in 0..replay.frames() {
            history.add(&replay, &replay.frame(frame));
        }
        let series = history.series(quantity).map(|series| series.runs.clone());
        series.unwrap_or_default()
    };
    let fuel = runs(Subject::Object(0), Quantity::Value(0));
    assert_eq!(fuel, [vec![[0.0, 4.0], [1.0, 3.0]], vec![[3.0, 1.0]]]);
    let lit = runs(Subject::Level, Quantity::Value(1));
    assert_eq!(lit, [vec![[0.0, 0.0], [1.0, 1.0]], vec![[3.0, 1.0]]]);
    assert!(runs(Subject::Object(1), Quantity::Value(0)).is_empty());
}

/// Also where it is kept for the next time, in a file whose other parts are a log without any of it.
#[test]
fn a_kept_recording_has_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let all = r#","joints":[[7,3]],"contacts":[{"a":7,"b":3,"point":[0,0,0],"normal":[1,0,0],"depth":0,"impulse":2}],"queries":[{"kind":"ray","tag":"ground","from":[0,0,0],"to":[1,0,0],"hit":null}],"log":["a"],"values":[{"name":"fuel","value":1},{"name":"tick","value":7}],"marks":[{"points":[[0,0,0]]}],"image":"shots/1.png""#;
    let mut text = Vec::new();
    log::write(
        Format::JsonLines,
        &read("", &[all, all, "", all]),
        &mut text,
    )
    .unwrap();
    std::fs::write(&path, text).unwrap();
    let level = level::open(&path, &()).unwrap();
    let kept = KeptLog::of(&path, &ReadOptions::default()).unwrap();
    let cache = CacheFolder::new(folder.path().join("cache"), u64::MAX);
    assert!(kept.keep(&level, &cache, &()).unwrap());
    let again = kept.reopen(&cache).unwrap();
    let (again, level) = (again.replay.recording(), level.replay.recording());
    assert!(again == level);
    let again = again.unwrap();
    assert_eq!(again.value_names, ["fuel", "tick"]);
    let ticks: Vec<_> = again.frames.iter().map(|frame| frame.tick).collect();
    assert_eq!(ticks, [Some(7), Some(7), None, Some(7)]);
    let states: Vec<_> = again
        .images
        .iter()
        .map(|image| (image.state, &*image.file))
        .collect();
    assert_eq!(states, [0, 1, 3].map(|state| (state, "shots/1.png")));
}

/// In centimetres, 250 kg cm/s are 2.5 kg m/s.
#[test]
fn impulses_are_read_in_the_units_of_the_log() {
    let contact =
        |more: &str| format!(r#"{{"a":7,"b":3,"point":[0,0,0],"normal":[1,0,0],"depth":0{more}}}"#);
    let contacts = [contact(""), contact(",\"impulse\":250"), contact("")].join(",");
    let recording = read(
        r#","unit":"cm""#,
        &["", &format!(",\"contacts\":[{contacts}]")],
    );
    let data = recording.data.events(1);
    let known: Vec<_> = (0..4).map(|number| data.contacts.impulse(number)).collect();
    assert_eq!(known, [None, Some(2.5), None, None]);
}

/// 6,000 sweeps of one hull took 500 MB.
#[test]
fn sweeps_of_one_shape_share_it() {
    let hull = r#"{"convex_hull":{"points":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}}"#;
    let query = format!(
        r#","queries":[{{"kind":"sweep","from":[0,0,0],"to":[1,0,0],"shape":{hull},"hit":null}}]"#
    );
    let recording = read("", &[&query, &query]);
    let hulls: Vec<_> = [0, 1]
        .into_iter()
        .map(|frame| {
            match &recording.data.at(frame).queries[0]
                .shape
                .as_ref()
                .unwrap()
                .shape
            {
                Shape::Solid(SolidShape::Hull(hull)) => Arc::clone(hull),
                other => panic!("{other:?}"),
            }
        })
        .collect();
    assert!(Arc::ptr_eq(&hulls[0], &hulls[1]));
}

/// Recorders repeat every joint in every line.
#[test]
fn a_joint_that_goes_on_is_kept_once() {
    let joined = r#","joints":[[7,3]]"#;
    let recording = read(
        "",
        &[joined, joined, "", joined, r#","joints":[[3,7],[7,3]]"#],
    );
    let states = [Joint::between(0, 1, 0..2), Joint::between(0, 1, 3..5)];
    assert_eq!(recording.joints, states);
    // Of the states before and after a frame one is enough.
    let known: Vec<bool> = (0..5)
        .map(|frame| recording.are_joined(frame, 1, 0))
        .collect();
    let states = [true, true, true, true, true];
    assert_eq!(known, states);
    let recording = read("", &[joined, "", "", "", joined]);
    let known: Vec<bool> = (0..5)
        .map(|frame| recording.are_joined(frame, 0, 1))
        .collect();
    assert_eq!(known, [true, false, false, true, true]);
    assert!(!recording.are_joined(0, 0, 0));
    let recording = read(r#","joints":[[7,3]]"#, &[joined, "", joined]);
    assert_eq!(recording.joints, [Joint::always(0, 1)]);
    let mut bytes = Vec::new();
    let recording = read("", &[joined, joined, "", joined]);
    log::write(Format::JsonLines, &recording, &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let lines: Vec<bool> = text
        .lines()
        .skip(1)
        .map(|line| line.contains("\"joints\":[[0,1]]"))
        .collect();
    assert_eq!(lines, [true, true, false, true]);
}
