//! Every cause has a bundled level that shows it and a similar one that must have no finding.

use crate::common::findings::{close, evidence, headline};
use crate::common::levels::{diagnosed, log_of, opened, scene_of};
use hitstop::core::diagnose::{Cause, Finding, Kind, Report};
use hitstop::core::level;
use std::path::Path;

/// Cause, the scene that shows it, and its clean neighbour.
const SHOWN: [(&str, &str, &str); 25] = [
    ("C01", "bullet_through_paper", "bullet_swept"),
    ("C02", "crossing_shots", "bullet_through_paper"),
    ("C03", "fast_paddle", "slow_paddle"),
    ("C04", "spinning_blade", "spinning_blade_small_steps"),
    ("C05", "past_the_middle", "past_the_middle_swept"),
    (
        "C06",
        "pushed_into_the_next_wall",
        "pushed_short_of_the_next_wall",
    ),
    ("C07", "hidden_speed", "hidden_speed_removed"),
    ("C08", "back_face", "back_face_two_sided"),
    ("C09", "open_seam", "welded_seam"),
    ("C10", "internal_edge", "internal_edge_merged"),
    ("C11", "speculative_ghost", "speculative_ghost_clean"),
    ("C12", "starts_inside", "starts_in_its_skin"),
    ("C13", "driven_by_position", "driven_by_velocity"),
    ("C14", "dt_spike", "dt_steady"),
    ("C15", "speed_clamp", "speed_clamp_clean"),
    ("C16", "units", "units_clean"),
    ("C17", "far_from_origin", "near_the_origin"),
    ("C18", "masks", "masks_clean"),
    ("C19", "ccd_threshold", "ccd_threshold_clean"),
    ("C20", "sensor", "sensor_clean"),
    ("C21", "let_through", "lifted_off"),
    ("C22", "own_query", "own_query_clean"),
    ("C23", "camera_without_a_probe", "camera_corridor"),
    ("C24", "coincident", "almost_coincident"),
    ("C25", "late_but_returned", "late_and_through"),
];

fn scene(name: &str) -> Report {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{name}.ron"));
    diagnosed(&level::open(&path, &()).unwrap_or_else(|problems| panic!("{problems}")))
}

/// A scene of objects, each a line of RON.
fn stepped(fields: &str, objects: &[&str]) -> Report {
    diagnosed(&opened("x.ron", scene_of(fields, objects)))
}

/// A log of 60 frames a second of a ball (object 0) and other objects.
fn logged(objects: &[&str], frames: &[&str]) -> Report {
    diagnosed(&opened("x.jsonl", log_of("", objects, frames)))
}

fn has(report: &Report, cause: Cause) -> bool {
    let mut findings = report.findings.iter();
    findings.any(|finding| finding.cause == cause || finding.also.contains(&cause))
}

#[test]
fn every_cause_has_a_scene_and_a_clean_neighbour() {
    for cause in Cause::ALL {
        let id = cause.id();
        let Some((_, shows, neighbour)) = SHOWN.iter().find(|(known, ..)| *known == id) else {
            panic!("{id} has no scene that shows it");
        };
        let shown = scene(shows);
        // A cause that only adds to another (a capped speed) is listed after it.
        let names = |found: &&Finding| found.cause == cause || found.also.contains(&cause);
        assert!(
            shown
                .findings
                .iter()
                .filter(names)
                .any(|found| found.expected),
            "{shows} does not expect {id}: {:#?}",
            shown.findings
        );
        let clean = scene(neighbour);
        assert!(
            !has(&clean, cause),
            "{neighbour} reports {id}: {:#?}",
            clean.findings
        );
    }
}

fn blade_and_ball(spin: f64, dt: f64, ahead: f64, frames: u32) -> Report {
    let (sine, cosine) = ahead.sin_cos();
    let blade = format!(
        "(name: \"blade\", shape: Box(half_extents: (1.5, 0.1, 0.02)), spin: (0.0, {spin:?}, 0.0), motion: Kinematic)"
    );
    let ball = format!(
        "(name: \"ball\", shape: Sphere(radius: 0.1), position: ({cosine:?}, 0.0, {:?}))",
        -sine
    );
    stepped(
        &format!("dt: {dt:?}, frames: {frames}, response: Ignore"),
        &[&blade, &ball],
    )
}

/// With the substeps and the spin of the fixes, no phase of the blade is missed or pushed out on the far side.
#[test]
fn the_fixes_of_a_blade_hold() {
    let dt = 1.0 / 60.0;
    for phase in 0..12 {
        let ahead = 0.13 + 0.06 * f64::from(phase);
        for (spin, dt, frames) in [(60.0, dt / 9.0, 9), (60.0 * 0.12_f64.asin(), dt, 9)] {
            let report = blade_and_ball(spin, dt, ahead, frames);
            let missed = report
                .findings
                .iter()
                .filter(|found| matches!(found.kind, Kind::Tunnels | Kind::Clips));
            assert_eq!(
                missed.count(),
                0,
                "{spin} rad/s, {dt} s, {ahead} rad: {:#?}",
                report.findings
            );
        }
    }
}

/// An arm from 1 m to 1.4 m, and its hub at the origin; half a radian ahead of it, a one-sided sheet.
fn arm_and_sheet(spin: f64, front: bool) -> Report {
    let arm = format!(
        "(name: \"arm\", shape: Capsule(a: (1.0, 0.0, 0.0), b: (1.4, 0.0, 0.0), radius: 0.05), spin: (0.0, {spin:?}, 0.0), motion: Kinematic)"
    );
    let (sine, cosine) = 0.5_f64.sin_cos();
    // The order a, b, c makes its front face the arm.
    let at = |out: f64, up: f64| format!("({:?}, {up:?}, {:?})", out * cosine, -out * sine);
    let (a, mut b, mut c) = (at(0.2, -2.0), at(4.0, -2.0), at(0.2, 4.0));
    if !front {
        std::mem::swap(&mut b, &mut c);
    }
    let sheet =
        format!("(name: \"sheet\", shape: Triangle(a: {a}, b: {b}, c: {c}, facing: Front))");
    stepped("dt: 0.0625, frames: 1, response: Ignore", &[&arm, &sheet])
}

/// By a radian a frame the arm swings through the front; by a quarter it does not reach it; from behind the cause is the facing.
#[test]
fn an_arm_swings_through_the_front_of_a_sheet() {
    let through = arm_and_sheet(16.0, true);
    let found = headline(&through, Cause::Rotation);
    assert_eq!(found.kind, Kind::Tunnels);
    // The nearest of it is the inner end, 0.05 m off the sheet where its angle to it is asin(0.05 / 1).
    close(found.fraction, 0.5 - 0.05_f64.asin(), 1e-6);
    close(evidence(found, "turn"), 1.0, 1e-9);
    assert_eq!(arm_and_sheet(4.0, true).findings, []);
    let behind = arm_and_sheet(16.0, false);
    assert!(!has(&behind, Cause::Rotation), "{:#?}", behind.findings);
    assert!(has(&behind, Cause::Facing), "{:#?}", behind.findings);
}

/// The arm starts 5 mm deep in a slab of 2 cm, its inner end 5.5 cm off the middle plane, and swings on through it, or away.
#[test]
fn an_arm_in_contact_swings_on_through_a_slab() {
    let report = |spin: f64| {
        let arm = format!(
            "(name: \"arm\", shape: Capsule(a: (1.0, 0.0, 0.0), b: (1.4, 0.0, 0.0), radius: 0.05), rotation: Euler(y: {:?}), spin: (0.0, {spin:?}, 0.0))",
            -0.055_f64.asin().to_degrees()
        );
        let slab = "(name: \"slab\", shape: Box(half_extents: (3.0, 3.0, 0.01)), motion: Fixed)";
        stepped("dt: 0.0625, frames: 1, response: Ignore", &[&arm, slab])
    };
    let sinks = |report: &Report| {
        let mut found = report.findings.iter();
        found.find(|found| found.kind == Kind::Sinks).cloned()
    };
    let through = sinks(&report(16.0)).expect("it comes out on the far side");
    assert!(through.also.contains(&Cause::Rotation), "{through:#?}");
    let reason = through
        .reasons
        .iter()
        .find(|reason| reason.cause == Cause::Rotation);
    let text = &reason.expect("with its numbers").text;
    assert!(text.contains("they touch when the frame begins"), "{text}");
    assert!(!has(&report(-16.0), Cause::Rotation));
    assert!(sinks(&report(-16.0)).is_none());
}

/// Swept without rotation, the crate would land on its face first; its corner arrives earlier. It passes nothing, so there is no finding.
#[test]
fn a_detected_rotation_is_no_finding() {
    let floor = "(name: \"floor\", shape: Box(half_extents: (9.0, 0.5, 9.0)), position: (0.0, -0.5, 0.0), motion: Fixed)";
    for spin in [1.0, 7.0, 20.0] {
        let crate_ = format!(
            "(name: \"crate\", shape: Box(half_extents: (0.5, 0.5, 0.5)), position: (0.0, 1.2, 0.0), spin: ({spin:?}, 0.3, {spin:?}), velocity: (1.0, -6.0, 0.0))"
        );
        let report = stepped(
            "dt: 0.016666666666666666, frames: 40, response: Slide",
            &[&crate_, floor],
        );
        assert_eq!(report.findings, [], "{spin}");
    }
}

const BALL: &str = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.5}}}"#;
const BOX: &str = r#"{"id":1,"name":"box","motion":"fixed","shape":{"box":{"half_extents":[0.5,2,2]}},"position":[2,0,0]}"#;

/// A logged push of 1.2 m from 0: the box begins at 1.5, the ball is in contact at 1 and 0.2 m deep at the end.
#[test]
fn a_logged_push_into_a_wall_is_a_phantom() {
    let frames = |push: f64| {
        [
            r#""bodies":[{"id":0,"p":[0,0,0]}]"#.to_owned(),
            format!(
                r#""bodies":[{{"id":0,"p":[{push},0,0]}}],"pushes":[{{"id":0,"push":[{push},0,0]}}]"#
            ),
        ]
    };
    let report = |push: f64| {
        let frames = frames(push);
        logged(&[BALL, BOX], &[&frames[0], &frames[1]])
    };
    let into = report(1.2);
    let found = headline(&into, Cause::NextWall);
    assert_eq!((found.kind, found.b.as_str()), (Kind::Phantom, "box"));
    assert_eq!(found.normal, [-1.0, 0.0, 0.0]);
    // In contact, and a hundredth of the radius deep as engines rest.
    for push in [1.0, 1.005] {
        assert!(!has(&report(push), Cause::NextWall), "{push}");
    }
}

/// 0.1635 m/s a frame: 55 of them at the start of frame 55, and 23 of them 32 states earlier, which is the length of the search.
#[test]
fn hidden_speed_by_hand() {
    let report = scene("hidden_speed");
    let found = headline(&report, Cause::HiddenSpeed);
    assert_eq!((found.kind, found.frame), (Kind::Sinks, 55));
    assert!(found.also.contains(&Cause::LetThrough), "{:?}", found.also);
    close(evidence(found, "blocked_frames"), 32.0, 0.0);
    close(evidence(found, "hidden_speed"), 55.0 * 9.81 / 60.0, 1e-9);
    close(
        evidence(found, "hidden_speed_before"),
        23.0 * 9.81 / 60.0,
        1e-9,
    );
    // The others have their own numbers.
    let reason = found
        .reasons
        .iter()
        .find(|reason| reason.cause == Cause::LetThrough);
    assert!(
        reason.is_some_and(|reason| reason.text.contains("the response let it through")),
        "{:?}",
        found.reasons
    );
}

/// The same fall in a log with velocities: three frames of growth are hidden speed, two are a solver's ripple. Of a floor that is moved by its
/// position nothing is known.
#[test]
fn hidden_speed_in_a_log_takes_three_frames() {
    const FLOOR: &str = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[9,0.25,9]}},"position":[0,-0.25,0]}"#;
    let moved = FLOOR.replace("fixed", "kinematic");
    for (blocked, floor, expected) in [(2, FLOOR, false), (3, FLOOR, true), (3, &moved, false)] {
        let mut frames: Vec<String> = (0..=blocked)
            .map(|frame| {
                format!(
                    r#""bodies":[{{"id":0,"p":[0,0.5,0],"v":[0,{},0]}},{{"id":1,"p":[0,-0.25,0]}}]"#,
                    -50 - 10 * frame
                )
            })
            .collect();
        frames.push(
            r#""bodies":[{"id":0,"p":[0,-1.1,0],"v":[0,-100,0]},{"id":1,"p":[0,-0.25,0]}]"#
                .to_owned(),
        );
        let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
        let report = logged(&[BALL, floor], &frames);
        assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
        assert_eq!(
            has(&report, Cause::HiddenSpeed),
            expected,
            "{:#?}",
            report.findings
        );
    }
}

/// The ball lies 0.1 m deep in the box for two states and leaves behind. The log has a contact, of the ball with something else.
#[test]
fn an_overlap_without_a_logged_contact() {
    const OTHER: &str = r#"{"id":2,"name":"other","motion":"fixed","shape":{"sphere":{"radius":1}},"position":[0,-9,0]}"#;
    let contact = |with: u32| {
        format!(
            r#","contacts":[{{"a":0,"b":{with},"point":[1.5,0,0],"normal":[-1,0,0],"depth":0.1}}]"#
        )
    };
    for (with, expected) in [(2, true), (1, false)] {
        let frames = [1.0, 1.1, 1.1, 3.2]
            .map(|x: f64| format!(r#""bodies":[{{"id":0,"p":[{x},0,0]}}]{}"#, contact(with)));
        let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
        let report = logged(&[BALL, BOX, OTHER], &frames);
        assert_eq!(
            has(&report, Cause::Bits),
            expected,
            "{:#?}",
            report.findings
        );
        if expected {
            let found = headline(&report, Cause::Bits);
            assert_eq!(found.kind, Kind::Sinks);
            assert!(found.text.contains("the engine does not test the pair"));
            // Where the bits allow the pair, it was tested.
            let layered = BALL.replace("\"id\":0", "\"id\":0,\"layer\":1,\"mask\":1");
            let report = logged(&[&layered, BOX, OTHER], &frames);
            assert_eq!(headline(&report, Cause::Gap).kind, Kind::Sinks);
        }
    }
}

/// The same with a closed mesh of the box, of which the ball is outside: its centre is ahead of the face.
#[test]
fn an_overlap_with_the_outside_of_a_closed_mesh_is_not_excused() {
    const OTHER: &str = r#"{"id":2,"name":"other","motion":"fixed","shape":{"sphere":{"radius":1}},"position":[0,-9,0]}"#;
    let mesh = r#"{"id":1,"name":"box","motion":"fixed","position":[2,0,0],"shape":{"mesh":{"vertices":[[-0.5,-2,-2],[0.5,-2,-2],[0.5,2,-2],[-0.5,2,-2],[-0.5,-2,2],[0.5,-2,2],[0.5,2,2],[-0.5,2,2]],"triangles":[[0,2,1],[0,3,2],[4,5,6],[4,6,7],[0,1,5],[0,5,4],[3,7,6],[3,6,2],[0,4,7],[0,7,3],[1,2,6],[1,6,5]]}}}"#;
    let contact = r#","contacts":[{"a":0,"b":2,"point":[0,-8,0],"normal":[0,1,0],"depth":0.1}]"#;
    let frames = [1.0, 1.1, 1.1, 3.2]
        .map(|x: f64| format!(r#""bodies":[{{"id":0,"p":[{x},0,0]}}]{contact}"#));
    let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
    let report = logged(&[BALL, mesh, OTHER], &frames);
    assert!(has(&report, Cause::Bits), "{:#?}", report.findings);
}

/// A ball at rest on the floor where the log begins, as one of the last seconds does; its contact ends in frame 92, and it falls through.
#[test]
fn a_body_that_rests_when_the_log_begins_and_then_falls_through_is_found() {
    let contact = r#","contacts":[{"a":1,"b":0,"point":[0,0,0],"normal":[0,1,0],"depth":0.001}]"#;
    let frames: Vec<String> = [0.499, 0.499, 0.499, 0.45, 0.3, 0.0, -0.3, -0.6, -0.9]
        .iter()
        .zip(0..)
        .map(|(y, index)| {
            let contact = if index < 3 { contact } else { "" };
            let number = index + 90;
            format!(r#"{{"frame":{number},"bodies":[{{"id":1,"p":[0,{y},0]}}]{contact}}}"#)
        })
        .collect();
    let level = |begin: usize| {
        let objects = [
            r#"{"id":0,"name":"floor","motion":"fixed","shape":{"plane":{"normal":[0,1,0],"offset":0}},"layer":1,"mask":1}"#,
            r#"{"id":1,"name":"ball","shape":{"sphere":{"radius":0.5}},"layer":1,"mask":1}"#,
        ];
        let header = format!(
            r#"{{"hitstop":1,"dt":0.1,"objects":[{}]}}"#,
            objects.join(",")
        );
        opened(
            "log.jsonl",
            format!("{header}\n{}", frames[begin..].join("\n")),
        )
    };
    let report = diagnosed(&level(0));
    let found = headline(&report, Cause::Gap);
    assert_eq!(
        (found.kind, found.frame, found.log_frame),
        (Kind::Sinks, 6, Some(96))
    );
    assert!(
        found
            .text
            .contains("no contact of this pair after frame 2 (92 in the log)"),
        "{}",
        found.text
    );
    // One that begins deep in the floor was placed there.
    let report = diagnosed(&level(4));
    assert_eq!(report.findings.total(), 1);
    assert_eq!(report.findings[0].kind, Kind::StartsInside);
}

/// The ball touches the box from 1.0 to 3.0 and passes its centre at 2.0; the log's only contact is of two others.
#[test]
fn an_overlap_without_a_logged_contact_and_its_crossing_are_one_finding() {
    let other =
        |id: u32| format!(r#"{{"id":{id},"name":"o{id}","shape":{{"sphere":{{"radius":0.5}}}}}}"#);
    let contacts = r#"{"id":2,"p":[0,9,0]},{"id":3,"p":[0,10,0]}],"contacts":[{"a":2,"b":0,"point":[0,8,0],"normal":[0,1,0],"depth":-1}]"#;
    let slow = [0.8, 1.1, 1.2, 1.4, 1.7, 2.1, 2.6, 3.2];
    let back_first = [
        0.8, 1.1, 1.2, 1.1, 0.8, 0.8, 1.1, 1.2, 1.4, 1.7, 2.1, 2.6, 3.2,
    ];
    let stays = [0.8, 1.1, 1.2, 1.4, 1.4, 1.4];
    let table: [(&[f64], Vec<_>); 4] = [
        (&slow, vec![(Kind::Sinks, 4)]),
        (&[0.8, 2.1, 2.2, 2.3, 2.4], vec![(Kind::WrongSide, 0)]),
        (&back_first, vec![(Kind::Phantom, 2), (Kind::Sinks, 9)]),
        (&stays, vec![(Kind::Phantom, 2)]),
    ];
    for (path, expected) in table {
        let line = |x: &f64| format!(r#""bodies":[{{"id":0,"p":[{x},0,0]}},{contacts}"#);
        let frames: Vec<String> = path.iter().map(line).collect();
        let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
        let report = logged(&[BALL, BOX, &other(2), &other(3)], &frames);
        let found = report.findings.iter();
        let kinds: Vec<_> = found.map(|found| (found.kind, found.frame)).collect();
        assert_eq!(kinds, expected, "{path:?}: {:#?}", report.findings);
        assert!(
            report
                .findings
                .iter()
                .all(|found| found.cause == Cause::Bits)
        );
    }
}

/// Forty balls through one floor are one group; two that go through something else are separate rows.
#[test]
fn similar_findings_are_one_group() {
    let mut objects: Vec<String> = (0..40)
        .map(|index| format!("(name: \"ball {index}\", shape: Sphere(radius: 0.1), position: ({index}.0, 1.0, 0.0), velocity: (0.0, -120.0, 0.0))"))
        .collect();
    objects.extend([50.0, 51.0].map(|x: f64| format!("(name: \"shot {x}\", shape: Sphere(radius: 0.1), position: ({x:?}, 1.0, 0.0), velocity: (0.0, -120.0, 0.0))")));
    objects.push(
        "(name: \"floor\", shape: Box(half_extents: (45.0, 0.05, 1.0)), motion: Fixed)".to_owned(),
    );
    objects.push("(name: \"shelf\", shape: Box(half_extents: (3.0, 0.05, 1.0)), position: (50.0, 0.0, 0.0), motion: Fixed)".to_owned());
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let report = stepped(
        "dt: 0.016666666666666666, frames: 1, response: Ignore",
        &objects,
    );
    assert_eq!(report.findings.len(), 42);
    assert_eq!(report.groups.len(), 1, "{:#?}", report.groups);
    let group = &report.groups[0];
    assert_eq!(
        (group.kind, group.cause, group.b.as_str()),
        (Kind::Tunnels, Cause::TooFast, "floor")
    );
    assert_eq!(
        (group.count, group.movers, group.members.len()),
        (40, 40, 40)
    );
    assert!(
        group
            .members
            .iter()
            .all(|member| report.findings[*member].b == "floor")
    );
    assert!(group.members.is_sorted());
}

/// The command line prints the first of a group and one line for the others; JSON has all of them, and the group.
#[test]
fn a_group_is_one_line_and_stays_complete_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sinking.ron");
    let balls: Vec<String> = (0..30)
        .map(|index| format!("(name: \"ball {index}\", shape: Sphere(radius: 0.1), position: ({index}.0, 1.0, 0.0), velocity: (0.0, -120.0, 0.0))"))
        .collect();
    let text = format!(
        "Scene(version: 1, name: \"x\", dt: 0.016666666666666666, frames: 1, response: Ignore, objects: [{}, (name: \"floor\", shape: Box(half_extents: (45.0, 0.05, 1.0)), motion: Fixed)])",
        balls.join(", ")
    );
    std::fs::write(&file, text).unwrap();
    let check = |format: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_hitstop"))
            .args(["check", "--no-progress", "--format", format])
            .arg(&file)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let text = check("text");
    assert_eq!(text.matches("Tunnels  ball").count(), 1, "{text}");
    assert!(
        text.contains(
            "and 29 more findings like it: Tunnels C01 with floor, 30 objects in frame 0"
        ),
        "{text}"
    );
    assert!(text.contains("30 findings"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&check("json")).unwrap();
    assert_eq!(json["findings"].as_array().unwrap().len(), 30);
    assert_eq!(json["groups"][0]["count"], 30);
    assert_eq!(json["groups"][0]["cause"], "C01");
    assert_eq!(json["groups"][0]["members"].as_array().unwrap().len(), 30);
}

/// The push out of the wall leads through the sheet; through one that only detects it may.
#[test]
fn a_push_into_the_next_wall_names_the_first() {
    let report = |sheet: &str| {
        let ball = "(name: \"ball\", shape: Sphere(radius: 0.1), position: (-1.0, 0.0, 0.0), velocity: (61.2, 0.0, 0.0))";
        let wall = "(name: \"wall\", shape: Box(half_extents: (0.1, 1.0, 1.0)), motion: Fixed)";
        let sheet = format!(
            "(name: \"sheet\", shape: Box(half_extents: (0.01, 1.0, 1.0)), position: (0.16, 0.0, 0.0), motion: Fixed{sheet})"
        );
        stepped(
            "dt: 0.016666666666666666, frames: 1, response: Push",
            &[ball, wall, &sheet],
        )
    };
    // It ends 0.02 m past the middle of the wall, is pushed to 0.2 m, and out of the sheet to 0.27 m.
    let solid = report("");
    let text = &headline(&solid, Cause::NextWall).text;
    assert!(
        text.starts_with("ball is pushed 0.25 m out of wall, and"),
        "{text}"
    );
    assert!(!has(&report(", sensor: true"), Cause::NextWall));
}

/// Two balls of 0.5 m, the way of one 0.6 m beside the other: they overlap over a chord of 1.6 of 4 m, of which 0.8 along the normal count: 1.28 m. As a
/// ball and a slab of 1 m it would be 2 m.
#[test]
fn a_limit_of_a_part_says_so() {
    let ball = "(name: \"ball\", shape: Sphere(radius: 0.5), position: (-2.0, 0.6, 0.0), velocity: (64.0, 0.0, 0.0))";
    let post = "(name: \"post\", shape: Sphere(radius: 0.5), motion: Fixed)";
    let report = stepped("dt: 0.0625, frames: 1, response: Ignore", &[ball, post]);
    let text = &headline(&report, Cause::TooFast).text;
    let says = "only up to 1.28 m along the part that its path cuts";
    assert!(text.contains(says), "{text}");
    let wall = "(name: \"wall\", shape: Box(half_extents: (0.25, 9.0, 9.0)), motion: Fixed)";
    let report = stepped("dt: 0.0625, frames: 1, response: Ignore", &[ball, wall]);
    let text = &headline(&report, Cause::TooFast).text;
    assert!(!text.contains("along the part"), "{text}");
}

/// A slower turn of one of two that turn is no fix.
#[test]
fn only_what_alone_turns_has_a_greatest_spin() {
    let spins = |other: f64| {
        let blade = "(name: \"blade\", shape: Box(half_extents: (1.5, 0.1, 0.02)), spin: (0.0, 60.0, 0.0), motion: Kinematic)";
        let crate_ = format!(
            "(name: \"crate\", shape: Box(half_extents: (0.1, 0.1, 0.1)), position: (0.87, 0.0, -0.48), spin: (0.0, {other:?}, 0.0))"
        );
        let report = stepped(
            "dt: 0.016666666666666666, frames: 1, response: Ignore",
            &[blade, &crate_],
        );
        let found = headline(&report, Cause::Rotation);
        found.fixes.iter().any(|fix| fix.what.name() == "max_spin")
    };
    assert!(spins(0.0));
    assert!(!spins(6.0));
}

/// Squares across x at these places, of which none is thick.
fn sheets(places: &[f64]) -> String {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for (x, first) in places.iter().zip((0..).step_by(4)) {
        vertices.extend([
            [*x, -2.0, -2.0],
            [*x, 2.0, -2.0],
            [*x, 2.0, 2.0],
            [*x, -2.0, 2.0],
        ]);
        triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    format!(
        r#"{{"id":1,"name":"sheets","motion":"fixed","shape":{{"mesh":{{"vertices":{vertices:?},"triangles":{triangles:?}}}}}}}"#
    )
}

/// A push of 3 m out of the sheet at 0.4 leads through those at -1 and -2: the ball of 0.5 m is free for half a metre.
#[test]
fn a_push_through_several_walls_of_a_mesh_is_free_up_to_the_first() {
    for places in [[0.4, -1.0, -2.0], [-2.0, -1.0, 0.4]] {
        let frames = [
            r#""bodies":[{"id":0,"p":[0,0.1,0.2]}]"#,
            r#""bodies":[{"id":0,"p":[-3,0.1,0.2]}],"pushes":[{"id":0,"push":[-3,0,0]}]"#,
        ];
        let report = logged(&[BALL, &sheets(&places)], &frames);
        let found = headline(&report, Cause::NextWall);
        assert_eq!(found.kind, Kind::Tunnels);
        close(evidence(found, "room"), 0.5, 1e-6);
    }
}

/// Two sheets 0.2 m apart are as thick for a ball of 0.5 m, and one has no thickness.
#[test]
fn a_surface_says_its_thickness_where_it_has_one() {
    for (places, says) in [
        (&[0.0, 0.2][..], "sheets (0.2 m thick)"),
        (&[0.0], "sheets (a surface without thickness)"),
    ] {
        let frames =
            [-3.0, 3.0].map(|x: f64| format!(r#""bodies":[{{"id":0,"p":[{x},0.1,0.2]}}]"#));
        let report = logged(&[BALL, &sheets(places)], &[&frames[0], &frames[1]]);
        let text = &headline(&report, Cause::TooFast).text;
        assert!(text.contains(says), "{text}");
    }
}

/// A dumbbell of two balls of 0.25 m, one of them 0.04 m lower, ends with both of them past the middle of a plate and in it: each is pushed out of its
/// far side, and the other one does not hold it.
#[test]
fn two_parts_on_the_far_side_are_on_the_wrong_side() {
    let ball =
        |x: f64, y: f64| format!("(shape: Sphere(radius: 0.25), position: ({x:?}, {y:?}, 0.0))");
    let dumbbell = format!(
        "(name: \"dumbbell\", shape: Compound([{}, {}]), position: (0.0, 0.85, 0.0), velocity: (0.0, -16.0, 0.0))",
        ball(-1.0, 0.02),
        ball(1.0, -0.02)
    );
    let plate = "(name: \"plate\", shape: Box(half_extents: (9.0, 0.1, 9.0)), motion: Fixed)";
    let report = stepped(
        "dt: 0.0625, frames: 1, response: Ignore",
        &[&dumbbell, plate],
    );
    let kinds: Vec<Kind> = report.findings.iter().map(|found| found.kind).collect();
    assert_eq!(kinds, [Kind::WrongSide], "{:#?}", report.findings);
}

/// Near the tip of an octahedron, whose faces are twice the root of a third of a metre apart, a small ball goes through less of it. What it has to pass is the
/// width of the whole.
#[test]
fn a_tip_is_as_thick_as_the_whole() {
    let points = "(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)";
    let hull = format!("(name: \"tip\", shape: ConvexHull(points: [{points}]), motion: Fixed)");
    // Against the normal of the face of +x, +y and +z, 0.9 m up, 3 m a frame.
    let ball = "(name: \"ball\", shape: Sphere(radius: 0.01), position: (1.05, 1.9, 1.05), velocity: (-32.0, -32.0, -32.0))";
    let report = stepped("dt: 0.0625, frames: 1, response: Ignore", &[ball, &hull]);
    let text = &headline(&report, Cause::TooFast).text;
    assert!(text.contains("tip (1.15 m thick)"), "{text}");
}
