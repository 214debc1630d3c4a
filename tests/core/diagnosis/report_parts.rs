//! What a report says besides the values of its findings.

use crate::common::levels::{ball, diagnosed, fixed_box, level_of, log_of, opened, scene_of};
use glam::DVec3;
use hitstop::core::diagnose::explain::candidates_of;
use hitstop::core::diagnose::what_if::{Parameter, applies_to, what_if};
use hitstop::core::diagnose::{
    Kind, Options, Quantity, Report, SceneSelection, diagnose, expected_finding, inline_meshes,
    minimal_scene,
};
use hitstop::core::level::Level;
use hitstop::core::replay::Replay;
use hitstop::core::scene::{Expectation, MeshSource, Movement, Object, Scene};
use std::sync::Arc;

const DT: f64 = 0.0625;

fn stepped(frames: u32, objects: Vec<Object>, expect: Vec<Expectation>) -> Level {
    level_of(Replay::stepped(Arc::new(Scene {
        dt: DT,
        frames,
        expect: expect.into_iter().map(Into::into).collect(),
        ..Scene::new("parts", objects)
    })))
}

/// A ball of 0.25 m at 64 m/s, 4 m a frame, through half a metre of wall in frame 0.
fn shot(frames: u32, expect: Vec<Expectation>) -> Level {
    let wall = fixed_box("wall", [0.25, 50.0, 50.0], DVec3::ZERO);
    let ball = ball("ball", 0.25, [-2.53125, 0.0, 0.0], [64.0, 0.0, 0.0]);
    stepped(frames, vec![ball, wall], expect)
}

fn part(level: &Level, frames: std::ops::RangeInclusive<u32>) -> Report {
    let options = Options {
        frames: Some(frames),
        ..Options::default()
    };
    diagnose(level, &options, &()).expect("not cancelled")
}

/// Where a body ends is known of a whole level only.
#[test]
fn a_part_of_a_level_has_no_bodies_that_end_outside() {
    let floor =
        r#"{"id":0,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[5,0.02,5]}}}"#;
    let ball = r#"{"id":1,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let frames = [1.0, 0.4, -0.2, -0.8, -1.4, -2.0]
        .map(|y| format!(r#""bodies":[{{"id":1,"p":[0,{y},0]}}]"#));
    let level = opened("a.jsonl", log_of("", &[floor, ball], &frames));
    assert_eq!(diagnosed(&level).outside.len(), 1);
    assert_eq!(part(&level, 0..=2).outside.len(), 0);
    assert_eq!(part(&level, 2..=4).outside.len(), 0);
}

/// It names both objects, so that it holds for this pair and for no other.
#[test]
fn an_expectation_made_from_a_finding_names_its_objects() {
    let report = diagnosed(&shot(1, Vec::new()));
    let expectation = expected_finding(&report.findings[0]);
    let Expectation::Finds { a, b, .. } = &expectation else {
        panic!("{expectation:?}");
    };
    let names = [a, b].map(|name| name.as_deref());
    assert_eq!(names, [Some("ball"), Some("wall")]);
    let outcome = |expectation| {
        let report = diagnosed(&shot(1, vec![expectation]));
        (report.expectations[0].passed, report.findings[0].expected)
    };
    assert_eq!(outcome(expectation.clone()), (true, true));
    let Expectation::Finds {
        kind, cause, frame, ..
    } = expectation
    else {
        unreachable!();
    };
    let of_wall = Expectation::Finds {
        kind,
        cause,
        a: Some("wall".into()),
        b: Some("wall".into()),
        frame,
    };
    assert_eq!(outcome(of_wall), (false, false));
}

/// Frames 0 to 4 have the states 0 to 5.
#[test]
fn a_position_is_judged_up_to_the_state_after_the_last_frame() {
    let results = |frame: u32| {
        let is = DVec3::new(-2.53125 + 4.0 * f64::from(frame), 0.0, 0.0);
        let expectation = Expectation::Position {
            object: "ball".into(),
            frame,
            is,
            tolerance: 1e-9,
        };
        let report = part(&shot(8, vec![expectation]), 0..=4);
        report.expectations[0].got.contains("skipped")
    };
    assert!(!results(0));
    assert!(!results(5));
    assert!(results(6));
    assert!(results(7));
}

/// Of three moving sensors and a fixed one: three pairs of the moving ones, and three with the fixed one.
#[test]
fn each_pair_of_two_sensors_is_counted_once() {
    let sensor = |index: u32| Object {
        sensor: true,
        movement: match index {
            0 => Movement::Fixed,
            _ => Movement::Velocity,
        },
        ..ball("s", 0.25, [2.0 * f64::from(index), 0.0, 0.0], DVec3::ZERO)
    };
    let objects = (0..4).map(|index| Object {
        name: format!("sensor {index}"),
        ..sensor(index)
    });
    let report = diagnosed(&stepped(1, objects.collect(), Vec::new()));
    let why = report.not_judged.iter().map(|one| one.why.to_string());
    let why: Vec<String> = why.filter(|why| why.contains("sensors")).collect();
    assert_eq!(why, ["6 pairs of two sensors"]);
}

/// The first object has the others in reach as well as the others have it.
#[test]
fn every_other_object_is_a_candidate() {
    let objects = [0.0, 1.0, 3.0].map(|x| ball("b", 0.25, [x, 0.0, 0.0], DVec3::ZERO));
    let named = objects.into_iter().zip(["a", "b", "c"]);
    let named = named.map(|(object, name)| Object {
        name: name.into(),
        ..object
    });
    let level = stepped(1, named.collect(), Vec::new());
    let frame = level.replay.frame(0);
    let others = |id: u32| {
        let found = candidates_of(&level.replay, &frame, id);
        found.iter().map(|it| it.object).collect::<Vec<_>>()
    };
    // By distance: 1 m and 3 m, 1 m and 2 m, 2 m and 3 m.
    assert_eq!([others(0), others(1), others(2)], [[1, 2], [0, 2], [1, 0]]);
}

/// Another start of the frame, or a smaller step, changes nothing of a body that begins in another.
#[test]
fn only_what_depends_on_the_phase_has_a_what_if() {
    let inside = vec![
        ball("ball", 0.25, [-0.3, 0.0, 0.0], DVec3::ZERO),
        fixed_box("wall", [0.25, 50.0, 50.0], DVec3::ZERO),
    ];
    for (level, kind) in [
        (shot(1, Vec::new()), Kind::Tunnels),
        (stepped(1, inside, Vec::new()), Kind::StartsInside),
    ] {
        let report = diagnosed(&level);
        let [found] = &report.findings[..] else {
            panic!("{:#?}", report.findings);
        };
        assert_eq!(found.kind, kind);
        assert_eq!(applies_to(found), kind == Kind::Tunnels, "{kind:?}");
        let varied = what_if(&level.replay, found, &());
        assert_eq!(varied.is_some(), kind == Kind::Tunnels, "{kind:?}");
    }
}

/// Indices are below the number of findings, in the order and in groups alike.
#[test]
fn a_stored_report_with_an_index_beyond_its_findings_is_not_consistent() {
    let report = diagnosed(&shot(1, Vec::new()));
    assert_eq!(report.findings.len(), 1);
    assert!(report.is_consistent());
    for (index, expected) in [(0, true), (1, false), (2, false)] {
        let mut changed = report.clone();
        changed.order = vec![index];
        assert_eq!(changed.is_consistent(), expected, "{index}");
    }
}

/// Balls that go through one floor in frames 2 to 7, the last first.
#[test]
fn a_group_lasts_from_its_first_frame_to_its_last() {
    // Those of 4 m a frame that begin 4 m higher pass a frame later.
    let mut objects: Vec<String> = [7, 6, 5, 4, 3, 2]
        .iter()
        .enumerate()
        .map(|(x, frame)| {
            let y = 2.5 + 4.0 * f64::from(*frame);
            format!("(name: \"ball {x}\", shape: Sphere(radius: 0.25), position: ({x}.0, {y:?}, 0.0), velocity: (0.0, -64.0, 0.0))")
        })
        .collect();
    objects.push(
        "(name: \"floor\", shape: Box(half_extents: (45.0, 0.25, 9.0)), motion: Fixed)".to_owned(),
    );
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let fields = "dt: 0.0625, frames: 9, response: Ignore";
    let report = diagnosed(&opened("x.ron", scene_of(fields, &objects)));
    let [group] = &report.groups[..] else {
        panic!("{:#?}", report.groups);
    };
    assert_eq!((group.count, group.frame, group.last_frame), (6, 2, 7));
}

/// What stands still in the level does so in the scene of a finding, and is as fixed as before.
#[test]
fn a_fixed_wall_is_fixed_in_a_minimal_scene() {
    let level = shot(1, Vec::new());
    let report = diagnosed(&level);
    for selection in [
        SceneSelection::Neighbourhood,
        SceneSelection::Finding(&report.findings[0]),
    ] {
        let (scene, _) = minimal_scene(&level, 0, selection, &()).unwrap();
        let movements: Vec<_> = scene.objects.iter().map(|it| &it.movement).collect();
        assert_eq!(movements, [&Movement::Velocity, &Movement::Fixed]);
    }
}

/// Each quantity that a change of a parameter would be a limit on, whether the obstacle moves or not.
#[test]
fn each_limit_belongs_to_its_parameter() {
    for parameter in Parameter::ALL {
        for both_move in [false, true] {
            let found = Parameter::of_limit(parameter.limit(both_move));
            assert_eq!(found, Some(parameter), "{both_move}");
        }
    }
    assert_eq!(Parameter::of_limit(Quantity::MaxContactTime), None);
}

/// A scene is run with the value of a change; a log cannot be.
#[test]
fn only_a_scene_is_run_with_the_changes_of_a_what_if() {
    let objects = [
        r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.25}}}"#,
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.25,9,9]}}}"#,
    ];
    let frames = [-2.5, 1.5].map(|x| format!(r#""bodies":[{{"id":0,"p":[{x},0,0]}}]"#));
    for (level, is_run) in [
        (shot(1, Vec::new()), true),
        (opened("a.jsonl", log_of("", &objects, &frames)), false),
    ] {
        let report = diagnosed(&level);
        let varied = what_if(&level.replay, &report.findings[0], &()).unwrap();
        let changes = varied.changes.iter();
        let values = changes.flat_map(|change| [change.holds, change.detects]);
        let mut values = values.flatten().peekable();
        assert!(values.peek().is_some());
        assert_eq!(values.any(|value| value.replayed.is_some()), is_run);
    }
}

/// A body without a size says nothing of the unit of a level, however many there are.
#[test]
fn bodies_without_a_size_have_no_unit() {
    let line = |x: f64| {
        format!(
            "(name: \"line {x}\", shape: Segment(a: (0.0, -1.0, 0.0), b: (0.0, 1.0, 0.0)), position: ({x:?}, 0.0, 0.0))"
        )
    };
    let lines = [10.0, 20.0, 30.0].map(line);
    let ball = "(name: \"ball\", shape: Sphere(radius: 2.5))";
    let objects = [ball, &lines[0], &lines[1], &lines[2]];
    let fields = "dt: 0.0625, frames: 1, gravity: (0.0, -9.81, 0.0)";
    let report = diagnosed(&opened("x.ron", scene_of(fields, &objects)));
    assert_eq!(report.findings, []);
    let mut told = report.notices.iter();
    assert!(
        !told.any(|notice| notice.contains("gravity is")),
        "{:?}",
        report.notices
    );
}

/// Without its files a scene has its meshes in its text; other shapes stay as they are.
#[test]
fn meshes_of_files_are_written_into_a_scene() {
    let sources = [
        Some(MeshSource::File("level.obj".into())),
        Some(MeshSource::Inline),
        None,
    ];
    let objects = sources.map(|mesh| Object {
        mesh,
        ..ball("b", 0.25, DVec3::ZERO, DVec3::ZERO)
    });
    let mut scene = Scene::new("meshes", objects.to_vec());
    inline_meshes(&mut scene);
    let all = scene.objects.iter().map(|object| object.mesh.clone());
    let expected = [Some(MeshSource::Inline), Some(MeshSource::Inline), None];
    assert_eq!(all.collect::<Vec<_>>(), expected);
}
