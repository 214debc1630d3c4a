//! Excluded pairs: the ignore list, parts of one body, joints. Each level has a ball that passes a thin wall within a
//! frame, which is a finding unless the pair is exempt.

use crate::common::levels::{diagnosed, log_of, opened, scene_of};
use glam::DVec3;
use hitstop::core::diagnose::explain::{Ending, candidates_of, explain};
use hitstop::core::level::Level;
use hitstop::core::log::{self, Format, Header, Recorder};
use hitstop::core::replay::{Body, Joint, Phase};
use hitstop::core::scene::UserUnits;
use hitstop::core::scene::{self, Exemption, MemoryFolder, Object};
use hitstop::core::shape::{Capsule, Pose, Segment, Shape};

/// A scene of the ball and the wall, with more fields of the scene and of both objects.
fn stepped(fields: &str, of_both: &str) -> Level {
    let ball = format!(
        "(name: \"ball\", shape: Sphere(radius: 0.1), position: (-5, 0, 0), velocity: (100, 0, 0){of_both})"
    );
    let wall =
        format!("(name: \"wall\", shape: Box(half_extents: (0.01, 1, 1)), motion: Fixed{of_both})");
    let fields = format!("dt: 0.1, frames: 1{fields}");
    opened("x.ron", scene_of(&fields, &[&ball, &wall]))
}

/// The same as a log: the ids are 10 and 20.
fn recorded(header: &str, of_both: &str, frame: &str) -> Level {
    let ball =
        format!(r#"{{"id":10,"name":"ball","shape":{{"sphere":{{"radius":0.1}}}}{of_both}}}"#);
    let wall = format!(
        r#"{{"id":20,"name":"wall","motion":"fixed","shape":{{"box":{{"half_extents":[0.01,1,1]}}}}{of_both}}}"#
    );
    let at = |x: f64| format!(r#""bodies":[{{"id":10,"p":[{x},0,0]}}]{frame}"#);
    opened(
        "x.jsonl",
        log_of(header, &[&ball, &wall], &[at(-5.0), at(5.0)]),
    )
}

#[test]
fn untested_pairs_are_not_reported_and_have_a_reason() {
    let table = [
        ("a scene", stepped("", ""), None),
        (
            "ignored",
            stepped(", ignore: [(\"wall\", \"ball\")]", ""),
            Some(Exemption::Ignored),
        ),
        (
            "one body",
            stepped("", ", body: \"door\""),
            Some(Exemption::SameBody),
        ),
        ("a log", recorded("", "", ""), None),
        (
            "ignored",
            recorded(r#","ignore":[[20,10]]"#, "", ""),
            Some(Exemption::Ignored),
        ),
        (
            "one body",
            recorded("", r#","body":3"#, ""),
            Some(Exemption::SameBody),
        ),
        (
            "a group",
            recorded("", r#","group":3"#, ""),
            Some(Exemption::SameBody),
        ),
        (
            "a named body",
            recorded("", r#","body":"door""#, ""),
            Some(Exemption::SameBody),
        ),
        (
            "always joined",
            recorded(r#","joints":[[10,20]]"#, "", ""),
            Some(Exemption::Joined),
        ),
        (
            "joined",
            recorded("", "", r#","joints":[[20,10]]"#),
            Some(Exemption::Joined),
        ),
    ];
    for (name, level, exemption) in table {
        let frame = level.replay.frame(0);
        let [candidate] = &candidates_of(&level.replay, &frame, 0)[..] else {
            panic!("{name}: another object");
        };
        let report = diagnosed(&level);
        let pairs = frame.phases.iter().find_map(|phase| match phase {
            Phase::Candidates { pairs } => Some(pairs.len()),
            _ => None,
        });
        assert_eq!(candidate.filter.exemption, exemption, "{name}");
        assert_eq!(report.findings.is_empty(), exemption.is_some(), "{name}");
        assert_eq!(pairs, Some(usize::from(exemption.is_none())), "{name}");
        let counted = report.not_judged.iter().map(|one| &*one.why);
        let counted: Vec<&str> = counted.filter(|why| why.starts_with("1 pair")).collect();
        let why = exemption.map(|exemption| match exemption {
            Exemption::Ignored => "1 pair on the ignore list",
            Exemption::SameBody => "1 pair of parts of one body",
            Exemption::Joined => "1 pair that a joint connects",
        });
        assert_eq!(counted, why.as_slice(), "{name}");
        let Some(exemption) = exemption else { continue };
        assert_eq!(candidate.ending, Ending::Masked, "{name}");
        assert_eq!(
            candidate.summary(UserUnits::default()).1,
            exemption.reason(),
            "{name}"
        );
        let text = explain(&level.replay, &frame, 0, 1).sentences().join(" ");
        assert!(text.contains("The pair is not tested:"), "{name}: {text}");
    }
}

#[test]
fn parts_of_two_bodies_collide() {
    let level = stepped("", "");
    let mut scene = (**level.replay.scene()).clone();
    scene.objects[0].body = Some("one".into());
    scene.objects[1].body = Some("other".into());
    assert!(
        !diagnosed(&level.with_scene(scene.into()))
            .findings
            .is_empty()
    );
}

#[test]
fn a_joint_applies_only_in_the_frames_that_list_it() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.01,1,1]}}}"#;
    let at = |x: f64, more: &str| format!(r#""bodies":[{{"id":0,"p":[{x},0,0]}}]{more}"#);
    let joined = r#","joints":[[0,1]],"substeps":4"#;
    let frames = [at(-5.0, joined), at(5.0, ""), at(-5.0, ""), at(5.0, "")];
    let level = opened("x.jsonl", log_of("", &[ball, wall], &frames));
    let frames: Vec<u32> = diagnosed(&level)
        .findings
        .iter()
        .map(|it| it.frame)
        .collect();
    assert_eq!(frames, [1, 2]);
    let recording = level.replay.recording().unwrap();
    assert_eq!(recording.joints, [Joint::between(0, 1, 0..1)]);
    assert_eq!(recording.substeps, [(0, 4)]);
}

#[test]
fn logs_are_written_back_with_their_pairs() {
    let header = r#","ignore":[[0,2],[2,1]],"joints":[[1,0]]"#;
    let object = |id: u32, more: &str| {
        format!(
            r#"{{"id":{id},"name":"o{id}","shape":{{"capsule":{{"half_height":0.5,"radius":0.25}}}}{more}}}"#
        )
    };
    let objects = [
        object(0, ""),
        object(1, r#","body":7"#),
        object(2, r#","body":"07""#),
    ];
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let frame = r#""bodies":[{"id":0,"p":[0,0,0]},{"id":1,"p":[9,0,0]},{"id":2,"p":[0,9,0]}],"substeps":2,"joints":[[2,0]]"#;
    let text = log_of(header, &objects, &[frame, frame]);
    let read = |text: &str| {
        let folder = MemoryFolder::default();
        log::read(
            Format::JsonLines,
            text.as_bytes(),
            0,
            "a",
            None,
            &folder,
            &(),
        )
        .unwrap()
    };
    let recording = read(&text);
    assert_eq!(recording.notices, []);
    assert_eq!(recording.objects[0].ignores, ["o2"]);
    assert_eq!(recording.objects[2].ignores, ["o1"]);
    let upright = Segment {
        a: DVec3::Y * -0.5,
        b: DVec3::Y * 0.5,
    };
    let capsule = Capsule {
        segment: upright,
        radius: 0.25,
    };
    assert_eq!(recording.objects[0].shape, Shape::Capsule(capsule));
    let mut written = Vec::new();
    log::write(Format::JsonLines, &recording, &mut written).unwrap();
    let written = String::from_utf8(written).unwrap();
    assert_eq!(read(&written), recording, "{written}");
    for part in [
        r#""ignore":[[0,2],[2,1]]"#,
        r#""joints":[[0,1]]"#,
        r#""joints":[[0,2]]"#,
        r#""substeps":2"#,
        r#""body":7"#,
        r#""body":"07""#,
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
}

#[test]
fn missing_ids_are_reported() {
    let object = r#"{"id":0,"name":"a","shape":{"sphere":{"radius":1}}}"#;
    let frame = r#""bodies":[{"id":0,"p":[0,0,0]}]"#;
    let bad = format!(r#"{frame},"joints":[[0,8]]"#);
    let text = log_of(r#","ignore":[[0,7]]"#, &[object], &[frame, &bad, frame]);
    let level = opened("x.jsonl", text);
    let lines: Vec<_> = level
        .notices
        .iter()
        .map(|it| it.at.map(|at| at.line))
        .collect();
    assert_eq!(lines[..2], [Some(3), Some(1)], "{:?}", level.notices);
    assert!(level.notices[1].what.contains("`ignore`") && level.notices[1].what.contains("id 7"));
}

#[test]
fn scenes_are_written_back_with_their_pairs() {
    let level = stepped(", ignore: [(\"wall\", \"ball\")]", ", body: \"door\"");
    let scene = level.replay.scene();
    let text = scene::write(scene);
    assert!(text.contains("ignore: [(\"wall\", \"ball\")]"), "{text}");
    assert!(text.contains("body: \"door\""), "{text}");
    let again = scene::parse(&text, "x.ron", &MemoryFolder::default()).unwrap();
    assert_eq!(again, **scene);
}

#[test]
fn missing_names_are_reported_at_their_position() {
    let objects = ["(name: \"ball\", shape: Sphere(radius: 1))"];
    let table = [
        (
            "[(\"ball\", \"boll\")]",
            "there is no object `boll`",
            "did you mean `ball`?",
        ),
        (
            "[(\"ball\", \"ball\")]",
            "paired with itself",
            "name two objects",
        ),
    ];
    for (pairs, what, help) in table {
        let text = scene_of(&format!("dt: 1, frames: 1, ignore: {pairs}"), &objects);
        let problems = scene::parse(&text, "x.ron", &MemoryFolder::default()).unwrap_err();
        let [problem] = &problems.0[..] else {
            panic!("{problems}");
        };
        assert!(
            problem.what.contains(what) && problem.help == help,
            "{problem}"
        );
        let second = text.find(pairs).unwrap() + "[(\"ball\", ".len();
        assert_eq!(problem.at.unwrap().column, second + 1, "{problem}");
    }
}

#[test]
fn a_capsule_is_two_ends_or_a_half_height_along_the_up_axis() {
    let scene = |units: &str, capsule: &str| {
        let object = format!("(name: \"c\", shape: Capsule({capsule}))");
        let text = scene_of(&format!("dt: 1, frames: 1{units}"), &[&object]);
        scene::parse(&text, "x.ron", &MemoryFolder::default())
    };
    for units in ["", ", units: (length: 0.5, up: Z)"] {
        let metres = if units.is_empty() { 1.0 } else { 0.5 };
        let parsed = scene(units, "half_height: 2, radius: 1").unwrap();
        let half = DVec3::Y * (2.0 * metres);
        let segment = Segment { a: -half, b: half };
        let capsule = Capsule {
            segment,
            radius: metres,
        };
        assert_eq!(parsed.objects[0].shape, Shape::Capsule(capsule));
        let again = scene::parse(&scene::write(&parsed), "x.ron", &MemoryFolder::default());
        assert_eq!(again.unwrap(), parsed);
    }
    for (capsule, expected) in [
        ("half_height: -1, radius: 1", "must not be negative"),
        (
            "a: (0, 0, 0), half_height: 1, radius: 1",
            "two ends, or a half height",
        ),
        ("a: (0, 0, 0), radius: 1", "two ends, or a half height"),
        ("radius: 1", "two ends, or a half height"),
        (
            "half_hieght: 1, radius: 1",
            "`half_hieght` is not a field of Capsule",
        ),
    ] {
        let problems = scene("", capsule).unwrap_err().to_string();
        assert!(problems.contains(expected), "{capsule}: {problems}");
    }
}

#[test]
fn a_scene_knows_the_names_of_logs_and_of_other_programs() {
    for (object, expected) in [
        ("shape: box(half_extents: (1, 1, 1))", "did you mean `Box`?"),
        (
            "shape: convex_hull(points: [])",
            "did you mean `ConvexHull`?",
        ),
        (
            "shape: Cube(half_extents: (1, 1, 1))",
            "did you mean `Box`?",
        ),
        ("shape: Ball(radius: 1)", "did you mean `Sphere`?"),
        (
            "shape: Sphere(radius: 1), pos: (1, 0, 0)",
            "did you mean `position`?",
        ),
        (
            "shape: Sphere(radius: 1), vel: (1, 0, 0)",
            "did you mean `velocity`?",
        ),
    ] {
        let text = scene_of("dt: 1, frames: 1", &[&format!("(name: \"c\", {object})")]);
        let problems = scene::parse(&text, "x.ron", &MemoryFolder::default()).unwrap_err();
        assert!(
            problems.to_string().contains(expected),
            "{object}: {problems}"
        );
    }
}

/// Objects that are added after the first frame list others and are listed by others; an id that is never added is ignored.
#[test]
fn the_recorder_writes_ignored_pairs_of_objects_that_come_late() {
    let mut recorder = Recorder::new(Vec::new(), Header::default()).unwrap();
    let object = |name: &str, ignores: &[&str]| Object {
        ignores: ignores.iter().map(|&name| name.to_owned()).collect(),
        ..Object::new(name, Shape::Sphere { radius: 1.0 }, DVec3::ZERO)
    };
    let first = recorder
        .add_object(object("first", &["later", "never"]))
        .unwrap();
    recorder
        .frame(0.0, &[Body::new(first, Pose::IDENTITY)])
        .unwrap();
    let later = recorder.add_object(object("later", &[])).unwrap();
    let last = recorder
        .add_object(object("last", &["first", "later"]))
        .unwrap();
    let bodies = [first, later, last].map(|id| Body::new(id, Pose::IDENTITY));
    recorder.frame(0.1, &bodies).unwrap();
    let text = String::from_utf8(recorder.finish().unwrap()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(!lines[0].contains("ignore"), "{text}");
    assert!(
        lines[2].contains(r#""ignore":[[0,1],[2,0],[2,1]]"#),
        "{text}"
    );
    let level = opened("a.jsonl", text.clone());
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    let recording = level.replay.recording().unwrap();
    assert_eq!(recording.objects[0].ignores, ["later"]);
    assert_eq!(recording.objects[2].ignores, ["first", "later"]);
    assert!(diagnosed(&level).findings.is_empty());
}

/// Two doors of which one moves: no engine reports that their sensors overlap, and neither does a finding.
#[test]
fn pairs_of_two_sensors_are_counted() {
    let counted = |level: &Level| {
        let report = diagnosed(level);
        assert!(report.findings.is_empty());
        let all = report.not_judged.iter().map(|one| one.why.to_string());
        all.filter(|why| why.contains("sensors"))
            .collect::<Vec<_>>()
    };
    let both = stepped("", ", sensor: true");
    assert_eq!(counted(&both), ["1 pair of two sensors"]);
    let mut scene = (**both.replay.scene()).clone();
    scene.objects.rebuild(|objects| drop(objects.remove(0)));
    assert!(counted(&both.with_scene(scene.into())).is_empty());
}
