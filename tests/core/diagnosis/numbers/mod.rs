//! Every number of a finding, worked out by hand, for every cause.
//!
//! A number that a finding carries and that is not in its table here fails the test: nothing is told that nobody checked. And
//! [`CHECKED`] holds that no cause, and no name of a number that the source can write, is left out.

mod claims;
mod filters;
mod pairs;
mod single;
mod surfaces;

use crate::common::sentences::check_report;
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Finding, Fix, Kind, Options, Report, diagnose};
use hitstop::core::level::Level;
use hitstop::core::replay::{Body, RecordedFrame, Recording, Replay};
use hitstop::core::scene::{Movement, Object, Scene};
use hitstop::core::shape::{Pose, Shape};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A sixteenth of a second, so that most numbers are short.
const DT: f64 = 0.0625;

fn scene(objects: Vec<Object>) -> Scene {
    Scene {
        dt: DT,
        frames: 2,
        ..Scene::new("numbers", objects)
    }
}

fn ball(name: &str, radius: f64, x: f64, speed: f64) -> Object {
    let mut ball = Object::new(name, Shape::Sphere { radius }, DVec3::new(x, 0.0, 0.0));
    ball.velocity.x = speed;
    ball
}

fn slab(half: f64, x: f64) -> Object {
    let half_extents = DVec3::new(half, 50.0, 50.0);
    fixed(Shape::Box { half_extents }, x)
}

fn fixed(shape: Shape, x: f64) -> Object {
    let mut object = Object::new("wall", shape, DVec3::new(x, 0.0, 0.0));
    object.movement = Movement::Fixed;
    object
}

fn report(replay: Replay) -> Report {
    let level = Level {
        file: "numbers.ron".into(),
        replay: Arc::new(replay),
        notices: Vec::new(),
    };
    let report = diagnose(&level, &Options::default(), &()).expect("nobody cancels");
    check_report(&report);
    report
}

/// The only finding of a stepped scene.
fn only(scene: Scene) -> Finding {
    one(&report(Replay::stepped(Arc::new(scene))))
}

fn one(report: &Report) -> Finding {
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    report.findings[0].clone()
}

/// Seconds of a frame, and each body's place along x with its speed if the log says.
type State = (f64, Vec<(f64, Option<f64>)>);

/// A log of positions along x and, where given, speeds; one list a state, with the seconds that lead to it.
fn recording(objects: Vec<Object>, states: &[State]) -> Recording {
    let mut recording = Recording {
        name: "log".into(),
        dt: DT,
        objects,
        ..Recording::default()
    };
    for (number, (dt, bodies)) in states.iter().enumerate() {
        let from = recording.bodies.len();
        for (object, (x, speed)) in (0..).zip(bodies) {
            let mut body = Body::new(object, Pose::at(DVec3::new(*x, 0.0, 0.0)));
            body.velocity = speed.map(|speed| DVec3::new(speed, 0.0, 0.0));
            recording.bodies.push(body);
        }
        recording.frames.push(RecordedFrame {
            number: number as u64,
            time: None,
            dt: *dt,
            gap: false,
            bodies: from..recording.bodies.len(),
            contacts: 0..0,
            pushes: 0..0,
            queries: 0..0,
            camera: None,
        });
    }
    recording
}

fn judged(recording: Recording) -> Report {
    let scene = Arc::new(scene(Vec::new()));
    report(Replay::recorded(scene, Arc::new(recording)))
}

fn logged(objects: Vec<Object>, states: &[State]) -> Report {
    judged(recording(objects, states))
}

/// The finding of a cause, and there is one.
#[track_caller]
fn headed(report: &Report, cause: Cause) -> Finding {
    let mut found = report.findings.iter().filter(|found| found.cause == cause);
    let first = found.next();
    let first = first.unwrap_or_else(|| panic!("no {}: {:#?}", cause.id(), report.findings));
    assert_eq!(found.count(), 0, "{:#?}", report.findings);
    first.clone()
}

/// What [`check`] was asked about: causes, and the names of numbers.
#[derive(Default)]
struct Asked {
    causes: BTreeSet<Cause>,
    names: BTreeSet<String>,
}

thread_local! {
    static ASKED: RefCell<Asked> = RefCell::default();
}

/// A fix by hand: its name, the value from which it holds, the one from which it is only detected, the unit.
type Hand = (&'static str, f64, Option<f64>, &'static str);

/// Holds all numbers of a finding against a table: evidence, then fixes.
#[track_caller]
fn check(
    finding: &Finding,
    what: (Kind, Cause, &[Cause]),
    evidence: &[(&str, f64)],
    fixes: &[Hand],
) {
    ASKED.with_borrow_mut(|asked| {
        asked.causes.insert(what.1);
        asked.causes.extend(what.2);
        asked
            .names
            .extend(evidence.iter().map(|(name, _)| name.to_string()));
    });
    assert_eq!((finding.kind, finding.cause), (what.0, what.1));
    assert_eq!(finding.also, what.2, "also");
    let near = |got: f64, want: f64| (got - want).abs() <= 1e-9 * want.abs().max(1.0);
    for (name, got) in &finding.evidence {
        let hand = evidence.iter().find(|(known, _)| known == name);
        let (_, want) = hand.unwrap_or_else(|| panic!("{name} = {got} was not checked by hand"));
        assert!(near(*got, *want), "{name}: got {got}, by hand {want}");
    }
    assert_eq!(finding.evidence.len(), evidence.len(), "{finding:#?}");
    let with = |fix| std::iter::successors(Some(fix), |fix: &&Fix| fix.with.as_deref());
    let told: Vec<&Fix> = finding.fixes.iter().flat_map(with).collect();
    for fix in &told {
        let hand = fixes.iter().find(|(known, ..)| *known == fix.what.name());
        let (_, holds, detects, unit) =
            hand.unwrap_or_else(|| panic!("{fix:?} was not checked by hand"));
        let held = fix.holds.expect("a value holds");
        assert!(near(held, *holds), "{fix:?}: by hand {holds}");
        assert_eq!(fix.detects.is_some(), detects.is_some(), "{fix:?}");
        for (got, want) in fix.detects.iter().zip(detects) {
            assert!(near(*got, *want), "{fix:?}: by hand {want}");
        }
        assert_eq!(fix.what.unit(), *unit);
    }
    assert_eq!(told.len(), fixes.len(), "{:?}", finding.fixes);
}

/// The numbers of the usual event: a ball of 0.25 m steps 4 m at 64 m/s through half a metre, and ends 1/32 m and some
/// sixteenths of a metre past the touch. They are worked out at [`pairs::c01_too_fast_for_too_thin`]; `rest` comes on top.
fn through(rest: &[(&'static str, f64)]) -> Vec<(&'static str, f64)> {
    let mut evidence = vec![
        ("displacement", 4.0),
        ("limit_seen", 1.0),
        ("limit_side", 0.5),
        ("missed_share", 0.75),
        ("wrong_side_share", 0.125),
        ("travel", 4.0),
        ("speed", 64.0),
        ("radius", 0.25),
        ("thickness", 0.5),
        ("dt", DT),
        ("phases", 64.0),
        ("phase_missed_share", 48.0 / 64.0),
        ("phase_wrong_side_share", 8.0 / 64.0),
    ];
    evidence.extend(rest);
    evidence
}

/// What fixes the usual event, and `rest` on top: steps of half a metre hold it, steps of a metre are only detected. A step of 4 m
/// is held by `2 (4 - 0.25)` of thickness or a radius of `4 - 0.5 / 2`, and detected from `4 - 2 * 0.25` or `(4 - 0.5) / 2` on.
fn through_fixes(rest: &[Hand]) -> Vec<Hand> {
    let mut fixes = vec![
        ("substeps", 8.0, Some(4.0), ""),
        ("max_speed", 8.0, Some(16.0), "m/s"),
        ("max_dt", 0.5 / 64.0, Some(1.0 / 64.0), "s"),
        ("min_thickness", 7.5, Some(3.5), "m"),
        ("min_radius", 3.75, Some(1.75), "m"),
    ];
    fixes.extend(rest);
    fixes
}

/// A cause with the tests of its numbers.
type Held = (Cause, &'static [fn()]);

/// Every cause, and what holds its numbers.
const CHECKED: [Held; 25] = [
    (Cause::TOO_FAST, &[pairs::c01_too_fast_for_too_thin]),
    (Cause::SWEPT_ALONE, &[pairs::c02_each_swept_alone]),
    (Cause::FAST_OBSTACLE, &[pairs::c03_a_fast_obstacle]),
    (Cause::ROTATION, &[surfaces::c04_a_blade_that_turns]),
    (
        Cause::WRONG_SIDE,
        &[pairs::c05_pushed_out_on_the_wrong_side],
    ),
    (
        Cause::NEXT_WALL,
        &[
            surfaces::c06_pushed_through_the_next_wall,
            surfaces::c06_pushed_through_another_wall_of_the_same_mesh,
            claims::c06_a_logged_push_into_a_wall,
        ],
    ),
    (Cause::HIDDEN_SPEED, &[surfaces::c07_hidden_speed]),
    (Cause::FACING, &[pairs::c08_from_behind]),
    (
        Cause::GAP,
        &[
            surfaces::c09_an_open_seam,
            surfaces::c09_a_sliver,
            claims::c09_an_overlap_that_the_log_does_not_report,
            claims::c09_a_touch_that_the_log_does_not_tell,
        ],
    ),
    (
        Cause::INTERNAL_EDGE,
        &[
            surfaces::c10_an_internal_edge,
            claims::c10_a_logged_contact_on_an_internal_edge,
            claims::c10_a_logged_push_off_an_internal_edge,
        ],
    ),
    (
        Cause::GHOST,
        &[claims::c11_a_logged_contact, claims::c11_a_logged_push],
    ),
    (Cause::INITIAL_OVERLAP, &[pairs::c12_initial_overlap]),
    (
        Cause::TELEPORT,
        &[pairs::c13_a_teleport_and_a_body_driven_by_position],
    ),
    (Cause::DT_SPIKE, &[pairs::c14_a_dt_spike]),
    (Cause::SPEED_CLAMP, &[filters::c15_a_capped_speed]),
    (
        Cause::UNITS,
        &[
            filters::c16_gravity_in_centimetres,
            filters::c16_bodies_of_another_order,
            filters::c16_a_scale_and_a_margin,
        ],
    ),
    (
        Cause::FAR_FROM_ORIGIN,
        &[
            surfaces::c17_far_from_the_origin,
            surfaces::c17_of_what_is_no_ball,
        ],
    ),
    (Cause::BITS, &[filters::c18_one_side_excludes]),
    (Cause::CCD, &[filters::c19_below_the_threshold_and_off]),
    (Cause::SENSOR, &[filters::c20_a_sensor]),
    (Cause::LET_THROUGH, &[pairs::c21_let_through]),
    (
        Cause::OWN_QUERY,
        &[
            claims::c22_a_query_that_hits_and_one_that_misses,
            claims::c22_another_fraction_and_another_normal,
            claims::c22_a_push_that_is_too_long,
            claims::c22_a_contact_with_another_normal,
        ],
    ),
    (Cause::CAMERA, &[single::c23_the_camera]),
    (Cause::NOT_A_NUMBER, &[single::c24_not_a_number]),
    (Cause::VISUAL_ONLY, &[surfaces::c25_seen_and_not_suffered]),
];

/// A new cause, or a new number of an old one, is not forgotten: each test above is run again, and must have held its cause.
#[test]
fn every_cause_and_every_number_is_in_a_table() {
    for cause in Cause::ALL {
        let Some((_, tests)) = CHECKED.iter().find(|(known, _)| *known == cause) else {
            panic!("the numbers of {} are checked nowhere", cause.id());
        };
        for test in *tests {
            ASKED.with_borrow_mut(|asked| asked.causes.clear());
            test();
            let held = ASKED.with_borrow(|asked| asked.causes.contains(&cause));
            assert!(held, "a test of {} does not hold it", cause.id());
        }
    }
    let checked = ASKED.with_borrow(|asked| asked.names.clone());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core/diagnose");
    let mut files: Vec<_> = [
        "starts_inside",
        "bad_number",
        "logged_number",
        "camera",
        "phase_sweep",
    ]
    .map(|name| source.join(format!("{name}.rs")))
    .into();
    let causes = std::fs::read_dir(source.join("cause")).unwrap();
    files.extend(causes.map(|entry| entry.unwrap().path()));
    let mut written = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let no_table = |line: &&str| !line.starts_with("const ");
        let code: Vec<&str> = code.lines().filter(no_table).collect();
        written.extend(numbers_in(&code.join("\n")));
    }
    assert!(written.len() > 50, "{written:?}");
    let forgotten: Vec<_> = written.difference(&checked).collect();
    assert!(forgotten.is_empty(), "checked nowhere: {forgotten:?}");
}

/// The names of the numbers that a piece of source puts into evidence: the first of a pair, `("name", value)`.
fn numbers_in(code: &str) -> Vec<String> {
    let pieces: Vec<&str> = code.split("(\"").collect();
    let name = |pair: &[&str]| {
        let call = pair[0].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '!');
        let (name, rest) = pair[1].split_once('"')?;
        let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        (!call && plain && rest.starts_with(", ")).then(|| name.to_owned())
    };
    pieces.windows(2).filter_map(name).collect()
}
