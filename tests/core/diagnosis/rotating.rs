//! Bodies that rotate within a frame, from logs of their poses and spins.

use crate::common::findings::{close, evidence, fix, headline};
use crate::common::levels::{diagnosed, log_of, opened};
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::{Cause, Kind, Report};
use std::f64::consts::PI;

const DT: f64 = 1.0 / 60.0;

/// A frame of a body (object 0) that turns about Y by an angle, with the spins that are logged at its start and end.
fn turned(objects: &[&str], angle: f64, spins: [f64; 2]) -> Report {
    let DQuat { x, y, z, w } = DQuat::from_rotation_y(angle);
    let state = |q: [f64; 4], spin: f64| {
        format!(r#""bodies":[{{"id":0,"p":[0,0,0],"q":{q:?},"v":[0,0,0],"w":[0,{spin:?},0]}}]"#)
    };
    let frames = [
        state([0.0, 0.0, 0.0, 1.0], spins[0]),
        state([x, y, z, w], spins[1]),
    ];
    diagnosed(&opened(
        "x.jsonl",
        log_of(r#","gravity":[0,0,0]"#, objects, &frames),
    ))
}

fn is_a_missed_rotation(report: &Report) -> bool {
    let found: Vec<_> = report
        .findings
        .iter()
        .map(|found| (found.kind, found.cause))
        .collect();
    found == [(Kind::Tunnels, Cause::Rotation)]
}

/// A blade 3 m long and 6 mm thick runs up within the frame. Engines turn it by the spin at the end, so that the spin at the start
/// falls short of the turn by as much as the spin grows; it passes a cable of 4 mm halfway, whatever is logged.
#[test]
fn a_blade_whose_spin_grows_within_the_frame_tunnels() {
    for angle in [0.03, 0.06, 0.1] {
        let at = DQuat::from_rotation_y(0.5 * angle) * DVec3::X * 1.4;
        let cable = format!(
            r#"{{"id":1,"name":"cable","shape":{{"capsule":{{"half_height":1,"radius":0.004}}}},"motion":"fixed","position":{:?}}}"#,
            at.to_array()
        );
        let blade = r#"{"id":0,"name":"blade","shape":{"box":{"half_extents":[1.5,0.05,0.003]}}}"#;
        for short in [0.0, 0.005, 0.015, 0.0195, 0.029] {
            let spins = [(angle - short) / DT, angle / DT];
            let report = turned(&[blade, &cable], angle, spins);
            assert!(
                is_a_missed_rotation(&report),
                "{angle} {short}: {report:#?}"
            );
        }
    }
}

/// The rim is measured from the axis: however far a blade extends along it, its corners are hypot(1.5, 0.003) m off.
#[test]
fn a_blade_that_is_deep_along_its_axis_has_the_same_rim() {
    let angle = 0.1;
    let at = DQuat::from_rotation_y(0.5 * angle) * DVec3::X * 1.4;
    let cable = format!(
        r#"{{"id":1,"name":"cable","shape":{{"capsule":{{"half_height":1,"radius":0.004}}}},"motion":"fixed","position":{:?}}}"#,
        at.to_array()
    );
    let reports = [0.05, 20.0].map(|depth| {
        let blade = format!(
            r#"{{"id":0,"name":"blade","shape":{{"box":{{"half_extents":[1.5,{depth},0.003]}}}}}}"#
        );
        turned(&[&blade, &cable], angle, [angle / DT; 2])
    });
    let substeps = reports.map(|report| {
        let found = headline(&report, Cause::Rotation);
        close(evidence(found, "reach"), 1.5_f64.hypot(0.003), 1e-9);
        close(evidence(found, "swing"), angle * 1.5_f64.hypot(0.003), 1e-9);
        fix(found, "substeps")
    });
    assert_eq!(substeps[0], substeps[1]);
}

/// An arm on one side of the hub passes a post at a right angle, by a turn just below and above a half; the spin is known to 1e-7 rad.
#[test]
fn an_arm_that_turns_by_about_half_a_turn_tunnels() {
    let arm = r#"{"id":0,"name":"arm","shape":{"compound":[{"shape":{"box":{"half_extents":[0.7,0.1,0.02]}},"position":[0.8,0,0]}]}}"#;
    let post = r#"{"id":1,"name":"post","shape":{"sphere":{"radius":0.05}},"motion":"fixed","position":[0,0,-1]}"#;
    for over in [-0.004, -1e-7, 0.0, 1e-7, 1e-6, 0.004] {
        for known in [-0.004, -1e-7, 1e-7, 0.004] {
            let report = turned(&[arm, post], PI + over, [(PI + known) / DT; 2]);
            assert!(is_a_missed_rotation(&report), "{over} {known}: {report:#?}");
        }
    }
}

/// A blade 2 cm thick turns by 1.5 rad about its fixed centre, over a ball of 6 cm that rests beside its tip: its path is the turn itself, however far
/// the ball's centre is beside the plane of the blade.
#[test]
fn a_blade_that_turns_in_place_cuts_a_ball_beside_its_plane() {
    let blade = r#"{"id":0,"name":"blade","motion":"kinematic","shape":{"box":{"half_extents":[0.7,0.01,0.05]}}}"#;
    for (y, kind) in [(0.0, Kind::Tunnels), (0.03, Kind::Clips)] {
        // 0.75 rad around the blade, 0.5 m out.
        let (x, z) = (0.5 * 0.75_f64.cos(), -0.5 * 0.75_f64.sin());
        let ball = format!(
            r#"{{"id":1,"name":"ball","motion":"fixed","shape":{{"sphere":{{"radius":0.06}}}},"position":[{x},{y},{z}]}}"#
        );
        let found = turned(&[blade, &ball], 1.5, [90.0; 2]).findings;
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.kind, found.cause))
            .collect();
        assert_eq!(found, [(kind, Cause::Rotation)], "{y}");
    }
}

/// An arm turns by 0.6 rad in a frame, 36 rad/s, but its angle is set: its spin is logged as 0. A ball that touches it is pushed by 0.01 m,
/// and ends 1.1 sin 0.6 - 0.2 cos 0.6 = 0.46 m behind it. Another ball stays where it is.
#[test]
fn an_arm_whose_angle_is_set_is_a_rotation_that_is_ignored() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.15}}}"#;
    let arm = r#"{"id":1,"name":"arm","motion":"kinematic","shape":{"box":{"half_extents":[1.5,0.04,1]}}}"#;
    let state = |at: [f64; 2], angle: f64| {
        let (z, w) = (0.5 * angle).sin_cos();
        format!(
            r#""bodies":[{{"id":0,"p":[{},{},0],"v":[0,0,0],"w":[0,0,0]}},{{"id":1,"p":[0,0,0],"q":[0,0,{z},{w}],"v":[0,0,0],"w":[0,0,0]}}]"#,
            at[0], at[1]
        )
    };
    for (from, to) in [([1.1, 0.1899], [1.1, 0.2]), ([1.1, 0.3], [1.1, 0.3])] {
        let frames = [state(from, 0.0), state(to, 0.6)];
        let log = log_of(r#","gravity":[0,0,0]"#, &[ball, arm], &frames);
        let report = diagnosed(&opened("x.jsonl", log));
        let found = headline(&report, Cause::Rotation);
        assert_eq!(found.kind, Kind::Tunnels);
        assert!(found.also.contains(&Cause::Teleport), "{:?}", found.also);
        assert!(
            found.text.starts_with("arm turns by 34.4"),
            "{}",
            found.text
        );
        assert!(!found.text.contains("ball moves"), "{}", found.text);
        close(fix(found, "drive_spin"), 36.0, 1e-9);
        close(evidence(found, "turn"), 0.6, 1e-9);
    }
}

/// A box at the end of an arm of 10 m passes a ball of 2 cm beside its inner end. The centre is 1.5 mm in the box, or beside it: less than the 3 mm by
/// which a chord of the ball's path, a 31st of 1.5 rad, leaves the arc.
#[test]
fn an_arm_passes_a_centre_that_the_chords_of_its_path_miss() {
    let at = DQuat::from_rotation_y(0.75) * DVec3::X * 10.0;
    let ball = format!(
        r#"{{"id":1,"name":"ball","motion":"fixed","shape":{{"sphere":{{"radius":0.02}}}},"position":{:?}}}"#,
        at.to_array()
    );
    for (inside, kind) in [(0.0015, Kind::Tunnels), (-0.0015, Kind::Clips)] {
        let arm = format!(
            r#"{{"id":0,"name":"arm","motion":"kinematic","shape":{{"compound":[{{"shape":{{"box":{{"half_extents":[0.25,0.1,0.05]}}}},"position":[{},0,0]}}]}}}}"#,
            10.25 - inside
        );
        let found = turned(&[&arm, &ball], 1.5, [90.0; 2]).findings;
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.kind, found.cause))
            .collect();
        assert_eq!(found, [(kind, Cause::Rotation)], "{inside}");
    }
}

/// A deck, a plane, tilts away below a ball by 0.2 rad: as it lies at first the ball's path goes 0.3 m into it, and in the end the ball is 0.88 m above it.
/// A turning plane has no exact sweep, so that nothing is proven, and that is said.
#[test]
fn a_hit_that_only_the_first_rotation_makes_is_a_notice() {
    let deck = r#"{"id":9,"name":"deck","motion":"kinematic","shape":{"plane":{"normal":[0,1,0],"offset":0}}}"#;
    for (balls, says) in [
        (1, "1 possible crossing is"),
        (2, "2 possible crossings are"),
    ] {
        let mut objects = vec![deck.to_owned()];
        objects.extend((0..balls).map(|id| {
            format!(r#"{{"id":{id},"name":"ball {id}","shape":{{"sphere":{{"radius":0.2}}}}}}"#)
        }));
        let frames = [(-5.0, 0.3, 0.0_f64), (5.0, -0.1, -0.2)].map(|(x, y, angle)| {
            let (z, w) = (0.5 * angle).sin_cos();
            let mut bodies = vec![format!(r#"{{"id":9,"p":[0,0,0],"q":[0,0,{z},{w}]}}"#)];
            bodies
                .extend((0..balls).map(|id| format!(r#"{{"id":{id},"p":[{x},{y},{}]}}"#, 3 * id)));
            format!("\"bodies\":[{}]", bodies.join(","))
        });
        let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
        let log = log_of(r#","gravity":[0,0,0]"#, &objects, &frames);
        let report = diagnosed(&opened("x.jsonl", log));
        assert_eq!(report.findings, []);
        let mut notices = report.notices.iter();
        assert!(
            notices.any(|notice| notice.starts_with(says)),
            "{:?}",
            report.notices
        );
    }
}
