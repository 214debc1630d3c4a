//! Two replays compared: every number from a closed form, or from a loop over all states.

use crate::common::cancelled::Cancelled;
use crate::common::levels::{add_frame, log_of, opened, recording_of};
use glam::DVec3;
use hitstop::core::level::open_in;
use hitstop::core::replay::compare::{
    Alignment, Comparison, DifferenceKind, FirstDifference, LargestDifference, Matching, Settings,
    Subject, Tolerance, beside, compare, growth,
};
use hitstop::core::replay::{Body, Replay};
use hitstop::core::scene::{Detection, DiskFolder, MemoryFolder, Object, Scene, parse};
use hitstop::core::shape::{Pose, Shape};
use std::sync::Arc;

const LOOSE: Settings = Settings {
    tolerance: Tolerance {
        position: 1e-9,
        rotation: 1e-9,
    },
    alignment: None,
    offset: 0.0,
};

/// A level without gravity; `head` may set the steps, `objects` is RON.
fn level(head: &str, objects: &str) -> Replay {
    let text = format!("Scene(version: 1, name: \"test\", {head}, objects: [{objects}])");
    let folder = DiskFolder { root: ".".into() };
    let scene = parse(&text, "test.ron", &folder).unwrap_or_else(|problems| panic!("{problems}"));
    Replay::stepped(Arc::new(scene))
}

fn ball(name: &str, x: f64, speed: f64) -> String {
    format!(
        "(name: \"{name}\", shape: Sphere(radius: 0.5), position: ({x:?}, 0.0, 0.0), velocity: ({speed:?}, 0.0, 0.0)),"
    )
}

/// 64 frames of 1/64 s: every product and sum of the tests is exact.
const STEPS: &str = "dt: 0.015625, frames: 64, response: Ignore";

fn exact(a: &Replay, b: &Replay) -> Comparison {
    compare(("a", a), ("b", b), &Settings::default(), &()).unwrap()
}

fn one(comparison: &Comparison) -> (FirstDifference, &Subject) {
    assert_eq!(comparison.objects.len(), 1, "{:?}", comparison.objects);
    let row = &comparison.objects[0];
    (row.first.unwrap(), &row.subject)
}

fn metres(first: &FirstDifference) -> f64 {
    match first.kind {
        DifferenceKind::Apart(apart) => apart.position.unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_velocity_difference_grows_linearly_with_time() {
    let a = level(STEPS, &(ball("still", 9.0, 0.0) + &ball("ball", 0.0, 1.0)));
    let b = level(STEPS, &(ball("still", 9.0, 0.0) + &ball("ball", 0.0, 1.5)));
    let found = exact(&a, &b);
    assert!(!found.equal);
    assert_eq!((found.states, found.same_objects), (65, 1));
    let (first, subject) = one(&found);
    assert_eq!(*subject, Subject::Name { a: 1, b: 1 });
    assert_eq!((first.frame, first.time), (1, 1.0 / 64.0));
    assert_eq!(metres(&first), 0.5 / 64.0);
    let row = &found.objects[0];
    let peak = LargestDifference {
        value: 0.5,
        frame: 64,
    };
    assert_eq!(row.largest_position, Some(peak));
    assert_eq!(row.largest_rotation, None);
    assert_eq!((row.states, row.motion_from), (64, Some(0)));
    let hashes = found.hashes.as_ref().unwrap();
    assert_eq!((hashes.equal, hashes.first_different), (0, Some(0)));

    let points = growth(&a, &b, found.aligned_by.exact(), *subject, &()).unwrap();
    assert_eq!(points.len(), 65);
    for (point, frame) in points.iter().zip(0..) {
        let apart = point.apart.unwrap();
        assert_eq!(point.frame, frame);
        assert_eq!(apart.position, Some(0.5 * f64::from(frame) / 64.0));
        assert_eq!(apart.rotation, Some(0.0));
    }
}

#[test]
fn the_first_difference_is_where_the_tolerance_is_exceeded() {
    let a = level(STEPS, &ball("ball", 0.0, 1.0));
    let b = level(STEPS, &ball("ball", 0.0, 1.5));
    let within = |position| {
        let tolerance = Tolerance {
            position,
            rotation: 0.0,
        };
        let settings = Settings { tolerance, ..LOOSE };
        compare(("a", &a), ("b", &b), &settings, &()).unwrap()
    };
    // n / 128 m apart at frame n.
    assert_eq!(one(&within(20.0 / 128.0)).0.frame, 21);
    let all = within(0.5);
    assert!(all.equal && all.objects.is_empty(), "{:?}", all.objects);
    assert_eq!(
        all.hashes.unwrap().first_different,
        Some(0),
        "said all the same"
    );
}

#[test]
fn two_runs_of_a_scene_are_equal() {
    let objects = ball("one", -3.0, 4.0) + &ball("two", 3.0, -4.0);
    let text = "dt: 0.0166, frames: 120, response: Bounce(restitution: 0.5), detection: Sweep";
    let found = exact(&level(text, &objects), &level(text, &objects));
    assert!(found.equal);
    assert_eq!((found.states, found.same_objects), (121, 2));
    let hashes = found.hashes.as_ref().unwrap();
    assert_eq!((hashes.equal, hashes.first_different), (121, None));
    assert_eq!(
        found.verdict(),
        "Equal: every bit is the same in 121 states."
    );
}

#[test]
fn an_angle_difference_grows_with_the_difference_of_the_spins() {
    let wheel = |spin: f64| {
        let object = format!(
            "(name: \"wheel\", shape: Box(half_extents: (1.0, 0.1, 1.0)), spin: (0.0, {spin:?}, 0.0)),"
        );
        level(STEPS, &object)
    };
    let (a, b) = (wheel(1.0), wheel(1.25));
    let found = exact(&a, &b);
    let row = &found.objects[0];
    let points = growth(&a, &b, found.aligned_by.exact(), row.subject, &()).unwrap();
    for point in &points {
        let apart = point.apart.unwrap();
        let wanted = 0.25 * f64::from(point.frame) / 64.0;
        assert!(
            (apart.rotation.unwrap() - wanted).abs() < 1e-12,
            "{point:?}"
        );
        assert_eq!(apart.position, Some(0.0));
    }
    let peak = row.largest_rotation.unwrap();
    assert!(peak.frame == 64 && (peak.value - 0.25).abs() < 1e-12);
    assert_eq!(row.largest_position, None);
}

/// 8 m a frame from x = -12: overlap tests never detect it, and it is at 4 m at frame 2; the sweep stops it at the paper's face,
/// at x = -0.625.
#[test]
fn overlap_and_sweep_differ_from_the_first_undetected_hit_on() {
    let paper = "(name: \"paper\", shape: Box(half_extents: (0.125, 2.0, 2.0)), motion: Fixed),";
    let steps = "dt: 0.0625, frames: 6, response: Stop, detection: Overlap";
    let overlap = level(steps, &(ball("bullet", -12.0, 128.0) + paper));
    let sweep = overlap.with_detection(Detection::Sweep);
    let found = exact(&overlap, &sweep);
    let (first, _) = one(&found);
    assert_eq!(first.frame, 2);
    assert!((metres(&first) - 4.625).abs() < 1e-6);
    let row = &found.objects[0];
    let points = growth(&overlap, &sweep, found.aligned_by.exact(), row.subject, &()).unwrap();
    for point in &points[2..] {
        let apart = point.apart.unwrap().position.unwrap();
        let wanted = 4.625 + 8.0 * f64::from(point.frame - 2);
        assert!((apart - wanted).abs() < 1e-6, "{point:?}");
    }
    let hashes = found.hashes.unwrap();
    assert_eq!(&hashes.same[..3], [true, true, false]);
}

#[test]
fn half_the_step_is_compared_by_time_in_both_directions() {
    let long = level(STEPS, &ball("ball", 0.0, 1.0));
    let short = level(
        "dt: 0.0078125, frames: 128, response: Ignore",
        &ball("ball", 0.0, 1.0),
    );
    for (a, b, states) in [(&long, &short, 65), (&short, &long, 129)] {
        let found = exact(a, b);
        assert_eq!((found.aligned_by, found.states), (Alignment::Time, states));
        assert_eq!((found.first_other_dt, found.other_length), (Some(0), false));
        assert_eq!(found.hashes, None);
        assert_eq!((found.same_objects, found.objects.len()), (1, 0));
        assert!(!found.equal, "the steps are not the same");
        assert!(compare(("a", a), ("b", b), &LOOSE, &()).unwrap().equal);
    }
    // Frame by frame one is twice as fast as the other: n / 128 m apart at frame n.
    let by_frame = Settings {
        alignment: Some(Alignment::Frame),
        ..Settings::default()
    };
    let found = compare(("long", &long), ("short", &short), &by_frame, &()).unwrap();
    let (first, _) = one(&found);
    assert_eq!((first.frame, metres(&first)), (1, 1.0 / 128.0));
    assert!(found.other_length);
}

#[test]
fn equal_steps_written_differently_are_compared_frame_by_frame() {
    let with = |dt: &str| {
        let head = format!("dt: {dt}, frames: 40, response: Ignore");
        level(&head, &ball("ball", 0.0, 0.0))
    };
    let (exactly, rounded, other) = (
        with("0.016666666666666666"),
        with("0.0166667"),
        with("0.0167"),
    );
    let found = exact(&exactly, &rounded);
    assert_eq!(
        (found.aligned_by, found.first_other_dt),
        (Alignment::Frame, Some(0))
    );
    assert!(!found.equal && found.objects.is_empty());
    assert!(
        compare(("a", &exactly), ("b", &rounded), &LOOSE, &())
            .unwrap()
            .equal
    );
    assert_eq!(exact(&exactly, &other).aligned_by, Alignment::Time);
}

#[test]
fn runs_are_compared_up_to_the_end_of_the_shorter_one() {
    let with = |frames: u32| {
        let head = format!("dt: 0.5, frames: {frames}, response: Ignore");
        level(&head, &ball("ball", 0.0, 1.0))
    };
    let (short, long) = (with(10), with(25));
    for (a, b) in [(&short, &long), (&long, &short)] {
        let found = exact(a, b);
        assert_eq!((found.states, found.other_length), (11, true));
        assert!(!found.equal && found.objects.is_empty());
        assert!(
            found
                .notes()
                .iter()
                .any(|note| note.contains("Only the first 11 states"))
        );
    }
}

#[test]
fn states_are_aligned_by_frame_or_time() {
    let long = level(
        "dt: 0.5, frames: 4, response: Ignore",
        &ball("ball", 0.0, 1.0),
    );
    let short = level(
        "dt: 0.125, frames: 10, response: Ignore",
        &ball("ball", 0.0, 1.0),
    );
    let by_time = |at| beside(&long, &short, Alignment::Time.exact(), at);
    assert_eq!(by_time((0, 0.0)), Some((0, 0.0)));
    assert_eq!(by_time((1, 0.0)), Some((4, 0.0)));
    assert_eq!(by_time((1, 0.375)), Some((5, 0.5)));
    assert_eq!(
        by_time((2, 0.5)),
        Some((10, 0.0)),
        "its last state, at 1.25 s"
    );
    assert_eq!(by_time((2, 0.75)), None);
    let by_frame = |at| beside(&short, &long, Alignment::Frame.exact(), at);
    assert_eq!(by_frame((3, 0.25)), Some((3, 0.25)));
    assert_eq!(by_frame((3, 1.0)), Some((4, 0.0)), "its last state");
    assert_eq!(by_frame((4, 0.0)), Some((4, 0.0)));
    assert_eq!(by_frame((4, 0.25)), None);
}

/// A log of a ball with a tick in each frame but the first, from one number on; its x by tick.
fn ticking(first: i64, x: impl Fn(i64) -> f64) -> Arc<Replay> {
    let mut log = r#"{"hitstop":1,"dt":0.5,"objects":[{"id":0,"name":"ball","shape":{"sphere":{"radius":1}}}]}"#.to_owned();
    for frame in 0..20 {
        let (tick, value) = (first + frame, x(first + frame));
        let values = match frame {
            0 => String::new(),
            _ => format!(r#","values":[{{"name":"tick","value":{tick}}}]"#),
        };
        log += &format!(
            "\n{{\"frame\":{frame},\"bodies\":[{{\"id\":0,\"p\":[{value},0,0]}}]{values}}}"
        );
    }
    let folder = MemoryFolder {
        files: [("a.jsonl".to_owned(), log.into_bytes())].into(),
    };
    open_in(&folder, "a.jsonl", &()).unwrap().replay
}

/// The client begins eight ticks after the server, and is 0.25 m off from tick 15 on.
#[test]
fn a_server_and_a_client_are_aligned_by_tick() {
    let server = ticking(100, |tick| tick as f64);
    let same = ticking(108, |tick| tick as f64);
    let off = ticking(108, |tick| {
        tick as f64 + if tick < 115 { 0.0 } else { 0.25 }
    });
    let found = exact(&server, &same);
    assert_eq!((found.aligned_by, found.states), (Alignment::Tick, 12));
    assert!(found.equal && !found.other_length, "{found:?}");
    let found = exact(&server, &off);
    let first = found.first.as_ref().unwrap();
    assert_eq!((first.frame, first.tick), (15, Some(115)));
    assert_eq!(
        first.sentence(),
        "First difference at frame 15, tick 115: position of ball, 0.25 m apart."
    );
    let differing = (0..20).map(|frame| frame >= 15);
    assert!(
        found.differing.iter().copied().eq(differing),
        "{:?}",
        found.differing
    );
    // The other way round, and each moment with one that is two ticks later.
    let first = exact(&off, &server).first.unwrap();
    assert_eq!((first.frame, first.tick), (7, Some(115)));
    let shifted = ticking(110, |tick| tick as f64 - 2.0);
    let settings = Settings {
        offset: 2.0,
        ..Settings::default()
    };
    let found = compare(("a", &server), ("b", &shifted), &settings, &()).unwrap();
    assert!(found.equal && found.states == 12, "{found:?}");
    let notes = found.notes();
    assert!(
        notes
            .iter()
            .any(|note| note == "B is compared 2 ticks later."),
        "{notes:?}"
    );
}

#[test]
fn an_offset_in_frames_or_seconds_shifts_the_second() {
    let replay = level(
        "dt: 0.5, frames: 4, response: Ignore",
        &ball("ball", 0.0, 1.0),
    );
    let at = |alignment, offset, at| beside(&replay, &replay, Matching { alignment, offset }, at);
    assert_eq!(at(Alignment::Frame, 2.0, (1, 0.25)), Some((3, 0.25)));
    assert_eq!(at(Alignment::Frame, 1.5, (1, 0.75)), Some((3, 0.25)));
    assert_eq!(
        at(Alignment::Frame, -2.0, (1, 0.0)),
        None,
        "it has not begun"
    );
    assert_eq!(at(Alignment::Frame, -0.5, (1, 0.0)), Some((0, 0.5)));
    assert_eq!(at(Alignment::Frame, 1.0, (3, 0.5)), None, "it has ended");
    assert_eq!(at(Alignment::Time, 0.75, (1, 0.0)), Some((2, 0.5)));
    assert_eq!(at(Alignment::Time, -0.75, (1, 0.0)), None);
}

/// A recording of balls: for each frame, the balls present and their x.
fn recording(names: &[&str], frames: &[&[(u32, f64)]]) -> Replay {
    let objects = names
        .iter()
        .map(|name| Object::new(*name, Shape::Sphere { radius: 0.5 }, DVec3::ZERO));
    let mut recording = recording_of(0.5, objects.collect());
    for bodies in frames {
        let body = |&(id, x): &(u32, f64)| Body::new(id, Pose::at(DVec3::X * x));
        add_frame(&mut recording, 0.5, bodies.iter().map(body));
    }
    let scene = Scene::new("test", Vec::new());
    Replay::recorded(Arc::new(scene), Arc::new(recording))
}

#[test]
fn objects_are_matched_by_name_then_by_position_and_the_rest_is_one_sided() {
    let a = recording(
        &["twin", "old", "gone", "twin"],
        &[&[(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0)]],
    );
    let b = recording(
        &["twin", "new", "twin", "late"],
        &[&[(0, 0.0), (1, 1.0), (2, 4.0), (3, 5.0)]],
    );
    let found = exact(&a, &b);
    let rows: Vec<(&str, Subject, String)> = found
        .objects
        .iter()
        .map(|row| (row.name.as_str(), row.subject, row.first_text(found.units)))
        .collect();
    // The first twins are equal; `old` became `new` at the same position; the second twins differ by 1 m.
    assert_eq!(found.same_objects, 2);
    assert_eq!(
        rows,
        [
            (
                "gone",
                Subject::OnlyA { a: 2 },
                "frame 0: only in A".to_owned()
            ),
            (
                "twin",
                Subject::Name { a: 3, b: 2 },
                "frame 0: 1 m apart".to_owned()
            ),
            (
                "late",
                Subject::OnlyB { b: 3 },
                "frame 0: only in B".to_owned()
            ),
        ]
    );
    assert_eq!(found.hashes, None, "other objects have other hashes");
}

#[test]
fn a_late_object_differs_until_it_appears() {
    let a = recording(&["ball"], &[&[(0, 1.0)], &[(0, 1.0)], &[(0, 1.0)], &[]]);
    let b = recording(&["ball"], &[&[(0, 1.0)], &[], &[(0, 1.0)], &[(0, 1.0)]]);
    let found = exact(&a, &b);
    let (first, _) = one(&found);
    assert_eq!(
        (first.frame, first.time, first.kind),
        (1, 0.5, DifferenceKind::OnlyA)
    );
    assert_eq!(found.objects[0].states, 2);
    let points = growth(
        &a,
        &b,
        found.aligned_by.exact(),
        found.objects[0].subject,
        &(),
    )
    .unwrap();
    let there: Vec<bool> = points.iter().map(|point| point.apart.is_some()).collect();
    assert_eq!(there, [true, false, true, false]);
}

#[test]
fn non_finite_differences_are_reported_without_numbers() {
    let a = recording(&["ball"], &[&[(0, 1.0)], &[(0, f64::NAN)], &[(0, 3.0)]]);
    let b = recording(&["ball"], &[&[(0, 1.0)], &[(0, 2.0)], &[(0, 2.0)]]);
    assert!(exact(&a, &a).equal, "the same bits");
    let found = exact(&a, &b);
    let row = &found.objects[0];
    assert_eq!(
        row.first_text(found.units),
        "frame 1: a position is not finite"
    );
    assert_eq!(row.largest_position.unwrap().value, 1.0);
    let json = serde_json::to_value(&found).unwrap();
    assert!(json["objects"][0]["first"]["position"].is_null());
}

/// The numbers of two logs in pixels, as those have them: 3.5 px and 120 px/s.
#[test]
fn a_comparison_has_the_units_of_its_logs() {
    let log = |x: f64, v: f64| {
        let object = r#"{"id":0,"name":"ball","shape":{"circle":{"radius":5}}}"#;
        let line = |x: f64, v: f64| format!(r#""bodies":[{{"id":0,"p":[{x},0],"v":[{v},0]}}]"#);
        let lines = [line(100.0, 60.0), line(x, v)];
        let header = r#","flat":true,"unit":"px","up":"-y""#;
        let text = log_of(header, &[object], &[&lines[0], &lines[1]]);
        opened("log.jsonl", text).replay
    };
    for (x, v, field, text) in [
        (104.5, 60.0, "position", "3.5 px apart"),
        (101.0, 180.0, "velocity", "120 px/s apart"),
    ] {
        let found = exact(&log(101.0, 60.0), &log(x, v));
        let first = found.first.as_ref().unwrap();
        assert_eq!((first.field, &*first.text), (field, text));
        let row = &found.objects[0];
        if field == "position" {
            let first = row.first_text(found.units);
            assert_eq!(first, "frame 1: 3.5 px apart");
            assert_eq!(row.largest_text(found.units), "3.5 px at frame 1");
        }
    }
}

#[test]
fn another_shape_at_the_same_position_is_a_difference() {
    let sphere = |radius: f64| {
        let object = format!("(name: \"ball\", shape: Sphere(radius: {radius:?})),");
        level(STEPS, &object)
    };
    let found = exact(&sphere(0.5), &sphere(0.25));
    assert!(!found.equal);
    let row = &found.objects[0];
    assert!(row.other_shape && row.first.is_none());
    assert_eq!(row.first_text(found.units), "another shape, the same poses");
    assert!(
        compare(("a", &sphere(0.5)), ("b", &sphere(0.5)), &LOOSE, &())
            .unwrap()
            .equal
    );
}

#[test]
fn the_camera_is_compared_too() {
    let with = |speed: f64| {
        let head = format!(
            "{STEPS}, camera: (position: (0.0, 0.0, 9.0), look_at: (0.0, 0.0, 0.0), motion: Velocity(({speed:?}, 0.0, 0.0)))"
        );
        level(&head, &ball("ball", 0.0, 0.0))
    };
    let found = exact(&with(0.0), &with(2.0));
    let (first, subject) = one(&found);
    assert_eq!(*subject, Subject::Camera);
    assert_eq!((first.frame, metres(&first)), (1, 2.0 / 64.0));
    assert_eq!(found.objects[0].name, "the camera");
    assert!(exact(&with(2.0), &with(2.0)).equal);
}

#[test]
fn a_comparison_can_be_cancelled() {
    let a = level(STEPS, &ball("ball", 0.0, 1.0));
    let settings = Settings::default();
    assert!(compare(("a", &a), ("a", &a), &settings, &Cancelled).is_none());
    let subject = Subject::Name { a: 0, b: 0 };
    assert!(growth(&a, &a, Alignment::Frame.exact(), subject, &Cancelled).is_none());
}

/// Random recordings with bodies that appear and disappear, against a loop over every state of every object.
#[test]
fn every_row_agrees_with_brute_force() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % limit
    };
    let names = ["a", "b", "c", "d", "e", "f"];
    for round in 0..60 {
        let mut make = || {
            let frames: Vec<Vec<(u32, f64)>> = (0..8)
                .map(|_| {
                    let there = (0..6).filter(|_| below(8) > 0).collect::<Vec<u32>>();
                    there
                        .into_iter()
                        .map(|id| (id, (below(40) / 13) as f64))
                        .collect()
                })
                .collect();
            let frames: Vec<&[(u32, f64)]> = frames.iter().map(Vec::as_slice).collect();
            recording(&names, &frames)
        };
        let (a, b) = (make(), make());
        let found = exact(&a, &b);
        let mut wanted: Vec<(u32, u32, u32, f64)> = Vec::new();
        for id in 0..6_u32 {
            let pose = |replay: &Replay, frame| replay.state(frame).body(id).map(|body| body.pose);
            let differing: Vec<u32> = (0..8)
                .filter(|&frame| pose(&a, frame) != pose(&b, frame))
                .collect();
            let apart = (0..8).filter_map(|frame| {
                Some((pose(&a, frame)?.position - pose(&b, frame)?.position).length())
            });
            let largest = apart.fold(0.0, f64::max);
            if let Some(&first) = differing.first() {
                wanted.push((first, id, differing.len() as u32, largest));
            }
        }
        wanted.sort_by_key(|&(first, id, ..)| (first, id));
        let rows: Vec<(u32, u32, u32, f64)> = found
            .objects
            .iter()
            .map(|row| {
                let largest = row.largest_position.map_or(0.0, |peak| peak.value);
                (
                    row.first.unwrap().frame,
                    row.subject.a().unwrap(),
                    row.states,
                    largest,
                )
            })
            .collect();
        assert_eq!(rows, wanted, "round {round}");
    }
}

#[test]
fn a_long_curve_is_thinned_and_keeps_its_peak() {
    let frames: Vec<[(u32, f64); 1]> = (0..10_000)
        .map(|frame| [(0, f64::from(u8::from(frame == 7_001)))])
        .collect();
    let still: Vec<[(u32, f64); 1]> = vec![[(0, 0.0)]; 10_000];
    let as_frames = |frames: &[[(u32, f64); 1]]| {
        let frames: Vec<&[(u32, f64)]> = frames.iter().map(|frame| &frame[..]).collect();
        recording(&["ball"], &frames)
    };
    let (a, b) = (as_frames(&frames), as_frames(&still));
    let points = growth(
        &a,
        &b,
        Alignment::Frame.exact(),
        Subject::Name { a: 0, b: 0 },
        &(),
    )
    .unwrap();
    assert!(points.len() <= 4096, "{}", points.len());
    let peak = points
        .iter()
        .find(|point| point.apart.unwrap().position == Some(1.0));
    assert_eq!(peak.map(|point| point.frame), Some(7_001));
}
