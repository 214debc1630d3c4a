//! The engine's logged data compared with the exact result: ghosts, and their clean neighbours. Numbers by hand.

use crate::common::findings::{SAFE, evidence, fix};
use crate::common::levels::{diagnosed, log_of, opened};
use hitstop::core::diagnose::what_if::session::WhatIfSession;
use hitstop::core::diagnose::what_if::what_if;
use hitstop::core::diagnose::{
    Cause, Finding, Kind, Options, Report, SceneSelection, diagnose, minimal_scene,
};
use hitstop::core::level;
use hitstop::core::scene::{Expectation, MemoryFolder, write};

/// A log of 60 frames a second: the header's other fields, its objects, and one line a frame.
fn report(header: &str, objects: &[&str], frames: &[&str]) -> Report {
    let level = opened("log.jsonl", log_of(header, objects, frames));
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    diagnosed(&level)
}

fn phantoms(report: &Report) -> Vec<&Finding> {
    let phantom = |finding: &&Finding| finding.kind == Kind::Phantom;
    report.findings.iter().filter(phantom).collect()
}

#[track_caller]
fn close(got: f64, want: f64) {
    crate::common::findings::close(got, want, 1e-9);
}

const BALL: &str = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.5}}}"#;
const FLOOR: &str = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[5,0.5,5]}},"position":[0,-0.5,0]}"#;

fn body(at: [f64; 3], v: Option<[f64; 3]>) -> String {
    let v = v.map_or(String::new(), |v| format!(",\"v\":{v:?}"));
    format!("{{\"id\":0,\"p\":{at:?}{v}}}")
}

fn frame(at: [f64; 3], v: Option<[f64; 3]>, more: &str) -> String {
    format!("\"bodies\":[{}]{more}", body(at, v))
}

fn contact(depth: f64) -> String {
    format!(r#","contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":[0,1,0],"depth":{depth}}}]"#)
}

/// The ball's lowest point is 0.03 m above the floor before the step and 0.03 + 1/60 after it; it gained 1 m/s upward. Along
/// its old velocity (6, 0, 0) it stays 0.03 m above; back from its end along (6, 1, 0) it is 0.03 m above at the start.
#[test]
fn a_contact_that_kicks_a_ball_that_would_have_passed_is_a_ghost() {
    for depth in [-0.03, 0.0, 0.01] {
        let frames = [
            frame([0.0, 0.53, 0.0], Some([6.0, 0.0, 0.0]), ""),
            frame(
                [0.1, 0.53 + 1.0 / 60.0, 0.0],
                Some([6.0, 1.0, 0.0]),
                &contact(depth),
            ),
        ];
        let report = report("", &[BALL, FLOOR], &[&frames[0], &frames[1]]);
        let found = phantoms(&report);
        assert_eq!(found.len(), 1, "{depth}: {:#?}", report.findings);
        assert_eq!(found[0].cause.id(), "C11");
        assert_eq!(
            (found[0].a.as_str(), found[0].b.as_str()),
            ("ball", "floor")
        );
        assert_eq!(
            (found[0].frame, found[0].last_frame, found[0].fraction),
            (0, 0, 1.0)
        );
        close(evidence(found[0], "logged_depth"), depth);
        close(evidence(found[0], "exact_gap"), 0.03);
        close(evidence(found[0], "speed_change"), 1.0);
        // 2 % of the radius, and 8 roundings of an f32 at the largest coordinate (0.53 + 1/60).
        let rounding = 8.0 * f64::from(f32::EPSILON) * (0.53 + 1.0 / 60.0);
        close(evidence(found[0], "tolerance"), 0.01 + rounding);
        close(fix(found[0], "max_margin"), 0.03);
        for part in ["ball", "floor", "0.03 m", "1 m/s"] {
            assert!(
                found[0].text.contains(part),
                "{part} is not in {}",
                found[0].text
            );
        }
    }
}

/// The same frames without an effect: a contact before the touch is accepted; a depth is only judged beyond 0.02 m.
#[test]
fn a_contact_without_effect_is_a_ghost_only_at_positive_depth() {
    let cases = [
        (0.53, 0.0, 1),
        (0.53, 0.2, 1),
        (0.53, -0.03, 0),
        (0.515, 0.0, 0),
        (0.505, 0.0, 0),
    ];
    for (height, depth, expected) in cases {
        for velocity in [None, Some([6.0, 0.0, 0.0])] {
            let frames = [
                frame([0.0, height, 0.0], velocity, ""),
                frame([0.1, height, 0.0], velocity, &contact(depth)),
            ];
            let report = report("", &[BALL, FLOOR], &[&frames[0], &frames[1]]);
            assert_eq!(
                phantoms(&report).len(),
                expected,
                "{height} {depth}: {:#?}",
                report.findings
            );
        }
    }
}

/// Down at 6 m/s from 0.05 m above, up again at 6 m/s: both ends are 0.05 m clear, and so is the line between them.
#[test]
fn a_bounce_inside_a_frame_is_supported_by_the_velocities() {
    let frames = [
        frame([0.0, 0.55, 0.0], Some([0.0, -6.0, 0.0]), ""),
        frame([0.0, 0.55, 0.0], Some([0.0, 6.0, 0.0]), &contact(0.0)),
    ];
    let report = report("", &[BALL, FLOOR], &[&frames[0], &frames[1]]);
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
}

/// A ghost over four frames is one finding of a range.
#[test]
fn a_ghost_that_lasts_is_one_finding() {
    let lines: Vec<String> = (0..5)
        .map(|number| frame([f64::from(number), 0.6, 0.0], None, &contact(0.0)))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let report = report("", &[BALL, FLOOR], &lines);
    let found = phantoms(&report);
    assert_eq!(found.len(), 1, "{:#?}", report.findings);
    assert_eq!((found[0].frame, found[0].last_frame), (0, 3));
    close(evidence(found[0], "exact_gap"), 0.1);
}

const WALL: &str = r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,1,1]}},"position":[2.1,0,0]}"#;

fn still(more: &str) -> [String; 3] {
    let line = |more: &str| frame([0.0; 3], None, more);
    [line(""), line(more), line("")]
}

fn query_report(query: &str) -> Report {
    let lines = still(&format!(r#","queries":[{query}]"#));
    report("", &[BALL, WALL], &[&lines[0], &lines[1], &lines[2]])
}

/// The wall's face is at x = 2. A ball of 0.2 from 0 to 4 stops at 1.8, 0.45 of its path; a ray from 0 to 5 hits it at 0.4.
#[test]
fn correct_query_results_are_no_findings() {
    for query in [
        r#"{"kind":"sweep","id":0,"from":[0,0,0],"to":[4,0,0],"radius":0.2,"hit":{"id":1,"fraction":0.45,"normal":[-1,0,0]}}"#,
        // A millimetre short, and a normal of 10 degrees: sin 10 = 0.1736.
        r#"{"kind":"sweep","id":0,"from":[0,0,0],"to":[4,0,0],"radius":0.2,"hit":{"id":1,"fraction":0.44975,"normal":[-0.9848,0.1736,0]}}"#,
        r#"{"kind":"ray","from":[0,0,0],"to":[5,0,0],"hit":{"id":1,"fraction":0.4,"normal":[-1,0,0]}}"#,
        r#"{"kind":"ray","from":[0,0,0],"to":[0,5,0],"hit":null}"#,
        // Within 0.005 m of the edge at y = 1, either result is accepted.
        r#"{"kind":"ray","from":[0,0.996,0],"to":[5,0.996,0],"hit":null}"#,
        r#"{"kind":"ray","from":[0,1.004,0],"to":[5,1.004,0],"hit":{"id":1,"fraction":0.4,"normal":[-1,0,0]}}"#,
        // It ends 0.004 m inside the face.
        r#"{"kind":"ray","from":[0,0,0],"to":[2.004,0,0],"hit":null}"#,
        // From inside, engines differ; and its filter leaves the wall's layer out.
        r#"{"kind":"ray","from":[2.1,0,0],"to":[5,0,0],"hit":null}"#,
        r#"{"kind":"ray","from":[0,0,0],"to":[5,0,0],"mask":2,"hit":null}"#,
    ] {
        let report = query_report(query);
        // The ray passes the ball's own position, which only a ray without an object hits, from inside.
        assert!(
            phantoms(&report).is_empty(),
            "{query}: {:#?}",
            report.findings
        );
    }
}

#[test]
fn a_wrong_query_result_has_both_values() {
    let missed = query_report(
        r#"{"kind":"sweep","id":0,"from":[0,0,0],"to":[4,0,0],"radius":0.2,"hit":null}"#,
    );
    let found = phantoms(&missed);
    assert_eq!(found.len(), 1, "{:#?}", missed.findings);
    assert_eq!((found[0].cause.id(), found[0].frame), ("C22", 0));
    assert_eq!((found[0].a.as_str(), found[0].b.as_str()), ("ball", "wall"));
    close(evidence(found[0], "exact_fraction"), 0.45);
    close(evidence(found[0], "query_length"), 4.0);

    // 0.5 of 5 m is 2.5, half a metre behind the face at 2.
    let late = query_report(
        r#"{"kind":"ray","id":0,"from":[0,0,0],"to":[5,0,0],"hit":{"id":1,"fraction":0.5,"normal":[-1,0,0]}}"#,
    );
    let found = phantoms(&late);
    assert_eq!(found.len(), 1, "{:#?}", late.findings);
    close(evidence(found[0], "logged_fraction"), 0.5);
    close(evidence(found[0], "exact_fraction"), 0.4);
    close(evidence(found[0], "off_by"), 0.5);
    // min(0.005, 0.1 * 0.1) for the wall's inner radius of 0.1, and f32 at 5 m.
    let slop = 0.005 + 8.0 * f64::from(f32::EPSILON) * 5.0;
    close(evidence(found[0], "tolerance_fraction"), slop / 5.0);
    close(found[0].point[0], 2.0);

    // Parallel to the wall's top at y = 1, 0.5 above it.
    let ghost = query_report(
        r#"{"kind":"ray","id":0,"from":[0,1.5,0],"to":[5,1.5,0],"hit":{"id":1,"fraction":0.4}}"#,
    );
    let found = phantoms(&ghost);
    assert_eq!(found.len(), 1, "{:#?}", ghost.findings);
    close(evidence(found[0], "exact_gap"), 0.5);

    // (-0.6, 0.8, 0) against (-1, 0, 0): acos 0.6.
    let turned = query_report(
        r#"{"kind":"ray","id":0,"from":[0,0,0],"to":[5,0,0],"hit":{"id":1,"fraction":0.4,"normal":[-0.6,0.8,0]}}"#,
    );
    let found = phantoms(&turned);
    assert_eq!(found.len(), 1, "{:#?}", turned.findings);
    close(
        evidence(found[0], "normal_angle_degrees"),
        0.6f64.acos().to_degrees(),
    );
}

/// A push out of a floor that is 0.1 deep, partly or wholly, is valid; one without overlap, one that is five times
/// too long and one along the floor are not.
#[test]
fn pushes_need_an_overlap() {
    let cases = [
        (0.4, [0.0, 0.1, 0.0], None),
        (0.4, [0.0, 0.02, 0.0], None),
        (0.6, [0.0, 0.2, 0.0], Some(("C11", 0.1))),
        (0.4, [0.0, 0.5, 0.0], Some(("C22", 0.0))),
        (0.4, [0.3, 0.0, 0.0], Some(("C22", 0.0))),
    ];
    for (height, push, wanted) in cases {
        let end = [push[0], height + push[1], 0.0];
        let lines = [
            frame([0.0, height, 0.0], None, ""),
            frame(
                end,
                None,
                &format!(r#","pushes":[{{"id":0,"push":{push:?}}}]"#),
            ),
        ];
        let report = report("", &[BALL, FLOOR], &[&lines[0], &lines[1]]);
        let found = phantoms(&report);
        assert_eq!(
            found.len(),
            usize::from(wanted.is_some()),
            "{height} {push:?}: {:#?}",
            report.findings
        );
        if let Some((cause, gap)) = wanted {
            assert_eq!(found[0].cause.id(), cause);
            assert_eq!(found[0].b, "floor");
            close(evidence(found[0], "exact_gap"), gap);
            close(evidence(found[0], "push"), push[0] + push[1]);
            if cause == "C22" {
                close(evidence(found[0], "exact_depth"), 0.1);
            }
        }
    }
}

fn bundled(name: &str) -> Report {
    let folder = hitstop::bundled::folder();
    let level = level::open_in(&folder, name, &()).unwrap_or_else(|problems| panic!("{problems}"));
    diagnose(&level, &Options::default(), &()).expect("not cancelled")
}

/// By hand: 2 m a frame at 60 frames a second are 120 m/s of the 400 m/s commanded.
#[test]
fn a_capped_speed_carries_both_speeds() {
    let capped = bundled("speed_clamp.ron");
    close(evidence(&capped.findings[0], "commanded_speed"), 400.0);
    close(evidence(&capped.findings[0], "capped_speed"), 120.0);
    close(fix(&capped.findings[0], "speed_cap"), 400.0);
    let free = bundled("speed_clamp_clean.ron");
    assert!(
        free.findings[0]
            .also
            .iter()
            .all(|cause| cause.id() != "C15")
    );
}

/// By hand: Jolt sweeps a ball of radius 0.2 from 0.75 * 0.2 = 0.15 m a step on; at 6 m/s and 60 frames a second it moves 0.1.
#[test]
fn a_threshold_is_compared_with_the_bodys_own_step() {
    let slow = bundled("ccd_threshold.ron");
    close(evidence(&slow.findings[0], "own_step"), 0.1);
    close(evidence(&slow.findings[0], "ccd_threshold"), 0.15);
    assert_eq!(slow.findings[0].cause.id(), "C19");
    let fast = bundled("ccd_threshold_clean.ron");
    let causes = |report: &Report| {
        report.findings[0]
            .also
            .iter()
            .any(|cause| cause.id() == "C19")
    };
    assert!(fast.findings[0].cause.id() != "C19" && !causes(&fast));
}

/// By hand: bits 01 and 10; the wall's mask 10 lacks the bullet's 01, and 10 | 01 = 3.
#[test]
fn bits_are_printed_and_fixed() {
    let masks = bundled("masks.ron");
    let found = &masks.findings[0];
    for (name, value) in [
        ("layer_a", 1.0),
        ("mask_a", 2.0),
        ("layer_b", 2.0),
        ("mask_b", 2.0),
    ] {
        close(evidence(found, name), value);
    }
    close(fix(found, "mask"), 3.0);
    assert!(
        found.text.contains("the mask of wall (0x2) lacks bit 0"),
        "{}",
        found.text
    );
}

/// By hand: a runner of radius 0.1 at 1 m a frame is certain to be detected up to 0.2 + 0.2; 60 % of phases are missed; 1 - 0.2 m is
/// thick enough, and a thousandth more of its way.
#[test]
fn a_sensor_has_the_numbers_of_the_passing_body() {
    let found = &bundled("sensor.ron").findings[0];
    assert_eq!(found.cause.id(), "C20");
    close(evidence(found, "limit_seen"), 0.4);
    close(evidence(found, "missed_share"), 0.6);
    close(fix(found, "min_thickness"), 1.0 / SAFE - 0.2);
}

#[test]
fn units_are_named_with_their_length() {
    let found = &bundled("units.ron").findings[0];
    close(evidence(found, "gravity"), 981.0);
    close(fix(found, "length"), 0.01);
    assert!(
        bundled("units_clean.ron")
            .findings
            .iter()
            .all(|found| found.cause.id() != "C16")
    );
    // Balls of 50 m under 9.81 m/s² are no metres either; a scale that mirrors, one that is uneven, a margin of 20 %.
    let shot = |header: &str, ball: &str, wall: &str| {
        let at = |x: f64| format!(r#""bodies":[{{"id":0,"p":[{x},0,0]}}]"#);
        let lines = [at(-400.0), at(400.0)];
        report(header, &[ball, wall], &[&lines[0], &lines[1]])
    };
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,100,100]}}}"#;
    let earth = r#","gravity":[0,-9.81,0]"#;
    let has_units = |report: &Report| {
        let found = &report.findings[0];
        found.cause.id() == "C16" || found.also.iter().any(|cause| cause.id() == "C16")
    };
    let ball = |radius: f64, more: &str| {
        format!(r#"{{"id":0,"name":"ball","shape":{{"sphere":{{"radius":{radius}}}}}{more}}}"#)
    };
    let large = shot(earth, &ball(25.0, ""), wall);
    close(evidence(&large.findings[0], "body_size"), 50.0);
    assert_eq!(large.findings[0].cause.id(), "C16");
    assert!(!has_units(&shot(earth, &ball(2.5, ""), wall)));
    assert!(!has_units(&shot(
        earth,
        &ball(2.5, r#","scale":[2,2,2]"#),
        wall
    )));
    assert!(has_units(&shot(
        earth,
        &ball(2.5, r#","scale":[2,2,2.1]"#),
        wall
    )));
    assert!(has_units(&shot(
        earth,
        &ball(2.5, r#","scale":[2,2,-2]"#),
        wall
    )));
    let skin = shot(
        r#","gravity":[0,-9.81,0],"margin":0.5"#,
        &ball(2.5, ""),
        wall,
    );
    close(evidence(&skin.findings[0], "margin"), 0.5);
    let margin = &skin.findings[0].reasons.last().unwrap().fixes[0];
    assert_eq!(margin.what.name(), "max_margin");
    close(margin.holds.unwrap(), 0.05);
    assert!(!has_units(&shot(
        r#","gravity":[0,-9.81,0],"margin":0.05"#,
        &ball(2.5, ""),
        wall
    )));
}

/// A ball of radius 0.1 moves 4 m through a wall 0.2 m thick in one frame of four substeps of 1 m. An overlap test detects
/// 0.2 + 2 * 0.1 m of its path, and the push leads back up to 0.1 + 0.1 m.
#[test]
fn a_frame_of_substeps_is_tested_at_the_end_of_each() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,2,2]}}}"#;
    let crossing = |from: f64, more: &str| {
        let lines = [
            frame([from, 0.0, 0.0], None, ""),
            frame([from + 4.0, 0.0, 0.0], None, more),
        ];
        report("", &[ball, wall], &[&lines[0], &lines[1]])
    };
    let found = |from: f64| {
        let all = crossing(from, r#","substeps":4"#).findings;
        assert_eq!(all.len(), 1, "{from}: {all:#?}");
        all.into_iter().next().unwrap()
    };
    // The first substep ends at 0.3, clear of the wall.
    let missed = found(-0.7);
    assert_eq!((missed.kind, missed.cause), (Kind::Tunnels, Cause::TooFast));
    close(missed.fraction, 0.5 / 4.0);
    close(evidence(&missed, "displacement"), 1.0);
    close(evidence(&missed, "substeps"), 4.0);
    let step = 1.0 / 240.0;
    let limits = |what: &str| {
        let fix = missed.fixes.iter().find(|fix| fix.what.name() == what);
        let fix = fix.expect(what);
        [fix.holds.unwrap(), fix.detects.unwrap()]
    };
    for (what, holds, detects) in [
        // 20 and 10 are exactly at the limits, which suggested values stay a thousandth below.
        ("substeps", 21.0, 11.0),
        ("max_speed", 0.1998 / step, 0.3996 / step),
        ("max_dt", 0.1998 * 4.0 * step, 0.3996 * 4.0 * step),
    ] {
        let [held, detected] = limits(what);
        close(held, holds);
        close(detected, detects);
    }
    assert!(
        missed.text.contains("21 substeps instead of 4") && missed.text.contains("in this substep"),
        "{}",
        missed.text
    );
    // It ends at 0.05, past the centre.
    assert_eq!(found(-0.95).cause, Cause::WrongSide);
    // It ends at -0.05: detected in time, and let through by the response.
    assert_eq!(found(-1.05).cause, Cause::LetThrough);
    for from in [-0.7, -0.95, -1.05] {
        assert_eq!(crossing(from, "").findings[0].cause, Cause::TooFast);
    }
}

/// What-if counts from the substeps that the log has, and a scene of the frame has a frame for each.
#[test]
fn what_if_and_minimal_scenes_have_the_substeps_of_the_log() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,2,2]}}}"#;
    let lines = [
        frame([-1.7, 0.0, 0.0], None, ""),
        frame([2.3, 0.0, 0.0], None, r#","substeps":4"#),
    ];
    let level = opened(
        "log.jsonl",
        log_of("", &[ball, wall], &[&lines[0], &lines[1]]),
    );
    let found = &diagnosed(&level).findings[0];
    let varied = what_if(&level.replay, found, &()).unwrap();
    let steps = varied
        .changes
        .iter()
        .find(|change| change.what.name() == "substeps");
    let steps = steps.unwrap();
    assert_eq!(steps.before, 4.0);
    assert_eq!(steps.holds.as_ref().unwrap().after, 20.0);
    assert_eq!(steps.detects.as_ref().unwrap().after, 10.0);
    let session = WhatIfSession::of(&level.replay, found).unwrap();
    let now = session.at(&session.recorded()).unwrap();
    assert_eq!(now.values.substeps, 4);
    // It touches at 1.5 of 4 m.
    close(now.values.phase, 1.5 / 4.0);
    close(now.numbers.step, 1.0);
    close(now.numbers.displacement, 4.0);
    assert_eq!(now.numbers.to_resolve.substeps, Some(20.0));
    let (scene, notices) = minimal_scene(&level, 0, SceneSelection::Finding(found), &()).unwrap();
    assert!(notices.is_empty(), "{notices:?}");
    assert_eq!(scene.frames, 4);
    assert!(
        matches!(
            &scene.expect[0].expectation,
            Expectation::Finds { frame: Some(1), .. }
        ),
        "{:?}",
        scene.expect
    );
}

/// A ball that rolls over the seam of two boxes at 5 m/s gets 1 m/s upward from a contact on it whose normal leans back by 20
/// degrees. Where the second box is 5 cm lower, turned away or 5 cm apart, the edge is real.
#[test]
fn the_seam_of_two_boxes_is_an_internal_edge() {
    let cube = |id: u32, x: f64, y: f64, more: &str| {
        format!(
            r#"{{"id":{id},"name":"box {id}","shape":{{"box":{{"half_extents":[1,1,1]}}}},"position":[{x},{y},0]{more}}}"#
        )
    };
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let (sine, cosine) = 20.0_f64.to_radians().sin_cos();
    let rolls = |left: &str, right: &str, [x, y]: [f64; 2]| {
        let contact = format!(
            r#","contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":[{x},{y},0],"depth":0}}]"#
        );
        let lines = [
            frame([-0.03, 0.1, 0.0], Some([5.0, 0.0, 0.0]), ""),
            frame([0.05, 0.11, 0.0], Some([4.7, 1.0, 0.0]), &contact),
        ];
        report("", &[ball, left, right], &[&lines[0], &lines[1]]).findings
    };
    let fixed = r#","motion":"fixed""#;
    let left = cube(1, -1.0, -1.0, fixed);
    let leaning = [-sine, cosine];
    let seam = rolls(&left, &cube(2, 1.0, -1.0, fixed), leaning);
    assert_eq!(seam.len(), 1, "{seam:#?}");
    assert_eq!(
        (seam[0].cause, seam[0].b.as_str()),
        (Cause::InternalEdge, "box 1")
    );
    close(evidence(&seam[0], "tilt"), 20.0_f64.to_radians());
    close(evidence(&seam[0], "bend"), 0.0);
    let is_seam = |right: &str, normal: [f64; 2]| {
        let found = rolls(&left, right, normal);
        found.iter().any(|one| one.cause == Cause::InternalEdge)
    };
    // Of another width, but in the same plane.
    assert!(is_seam(
        &cube(2, 2.0, -1.0, fixed).replace("[1,1,1]", "[2,1,3]"),
        leaning
    ));
    for right in [
        cube(2, 1.0, -1.05, fixed),
        cube(2, 1.05, -1.0, fixed),
        cube(
            2,
            1.0,
            -1.0,
            r#","motion":"fixed","rotation":[0,0,0.1,0.994987437]"#,
        ),
    ] {
        assert!(!is_seam(&right, leaning), "{right}");
    }
    // The normal of the face.
    assert!(!is_seam(&cube(2, 1.0, -1.0, fixed), [0.0, 1.0]));
}

/// A shot at a wall, and two bullets head on, in logs that name their engine.
#[test]
fn the_advice_names_the_setting_of_the_engine() {
    let object = |id: u32, more: &str| {
        format!(r#"{{"id":{id},"name":"o{id}","shape":{{"sphere":{{"radius":0.1}}}}{more}}}"#)
    };
    let crossing = |engine: &str, moves: &str, speed: f64| {
        let [one, other] = [object(0, ""), object(1, moves)];
        let at = |x: f64, y: f64| {
            format!(r#""bodies":[{{"id":0,"p":[{x},0,0]}},{{"id":1,"p":[{y},0,0]}}]"#)
        };
        let lines = [at(-1.0, 0.0), at(1.0, -speed)];
        let header = format!(r#","engine":"{engine}""#);
        let all = report(&header, &[&one, &other], &[&lines[0], &lines[1]]).findings;
        assert_eq!(all.len(), 1, "{all:#?}");
        all[0].text.clone()
    };
    let fixed = r#","motion":"fixed""#;
    for (engine, says) in [
        ("Box2D", "a sweep. In Box2D, `isBullet` sweeps o0."),
        (
            "pybullet",
            "In Bullet, `setCcdMotionThreshold` with `setCcdSweptSphereRadius` sweeps o0.",
        ),
        ("godot", "In Godot, `continuous_cd` sweeps o0."),
        ("jolt", "In Jolt, `EMotionQuality::LinearCast` sweeps o0."),
        (
            "PhysX",
            "In PhysX, `PxRigidBodyFlag::eENABLE_CCD` sweeps o0.",
        ),
        ("rapier", "In rapier, `ccd_enabled` sweeps o0."),
        (
            "unity",
            "In Unity, `collisionDetectionMode = ContinuousDynamic` sweeps o0.",
        ),
    ] {
        let text = crossing(engine, fixed, 0.0);
        assert!(text.contains(says), "{engine}: {text}");
    }
    let none = crossing("mujoco", fixed, 0.0);
    assert!(!none.contains("sweep"), "{none}");
    for engine in ["", "my engine"] {
        let text = crossing(engine, fixed, 0.0);
        assert!(
            text.contains("or a sweep.") && !text.contains(" In "),
            "{text}"
        );
    }
    let both = crossing("rapier", "", 1.0);
    let alone = "`ccd_enabled` sweeps o0 and o1 against the other where it begins the step, which misses such hits.";
    assert!(both.contains(alone), "{both}");
    let relative = crossing("physx", "", 1.0);
    assert!(
        relative.contains("`PxRigidBodyFlag::eENABLE_CCD` sweeps o0 and o1."),
        "{relative}"
    );
}

/// A ball of radius 0.1 and a wall 0.2 m thick: the push leads back up to 0.2 m into it. Half of it may pass before the contact
/// acts, where a step is shorter; the rest is left to a spring, which stops a speed v within v times its time constant.
#[test]
fn a_contact_that_gives_way_has_a_time_constant_that_holds() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,2,2]}}}"#;
    let back = r#","contacts":[{"a":0,"b":1,"point":[-0.1,0,0],"normal":[-1,0,0],"depth":0.01}]"#;
    let found = |header: &str, states: &[(f64, f64)], last: &str| {
        let lines = states.iter().enumerate().map(|(index, (x, v))| {
            let more = if index + 1 == states.len() { last } else { "" };
            frame([*x, 0.0, 0.0], Some([*v, 0.0, 0.0]), more)
        });
        let lines: Vec<String> = lines.collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let all = report(header, &[ball, wall], &lines).findings;
        assert_eq!(all.len(), 1, "{all:#?}");
        all.into_iter().next().unwrap()
    };
    let time = |finding: &Finding| {
        assert_eq!(
            (finding.kind, finding.cause),
            (Kind::Sinks, Cause::LetThrough)
        );
        assert_eq!(finding.fixes.len(), 1, "{:?}", finding.fixes);
        let fix = &finding.fixes[0];
        assert_eq!(fix.what.name(), "max_contact_time");
        let with = fix.with.as_ref().and_then(|with| with.holds);
        (fix.holds.unwrap(), with)
    };
    // 15 m/s, 0.25 m a frame: in contact for one state only, 0.01 m deep.
    let fast = [(-0.44, 15.0), (-0.19, 15.0), (0.03, 13.2)];
    assert_eq!(found("", &fast, "").cause, Cause::WrongSide);
    let soft = found("", &fast, back);
    let (holds, substeps) = time(&soft);
    close(holds, 0.0999 / 15.0);
    assert_eq!(substeps, Some(3.0));
    assert!(
        soft.text.contains("at most 6.66 ms") && soft.text.contains("together with 3 substeps"),
        "{}",
        soft.text
    );
    // Pressed on by gravity: v t + g t^2 is the room.
    let (holds, _) = time(&found(r#","gravity":[9.81,0,0]"#, &fast, back));
    close(15.0 * holds + 9.81 * holds * holds, 0.0999);
    // 5.99 m/s, 0.1 m a frame: short enough.
    let slow = [(-0.25, 5.99), (-0.15, 5.99), (-0.06, 5.4), (0.02, 4.8)];
    let (holds, substeps) = time(&found("", &slow, back));
    close(holds, (0.1998 - 5.99 / 60.0) / 5.99);
    assert_eq!(substeps, None);
}

#[test]
fn missing_log_data_is_listed() {
    let ids = |report: &Report| {
        let mut ids: Vec<&str> = report
            .not_judged
            .iter()
            .filter_map(|one| Some(one.cause?.id()))
            .collect();
        ids.sort();
        ids
    };
    let lines = [frame([0.0; 3], None, ""), frame([0.0; 3], None, "")];
    let bare = report("", &[BALL], &[&lines[0], &lines[1]]);
    for id in ["C11", "C13", "C15", "C16", "C18", "C19", "C22"] {
        assert!(ids(&bare).contains(&id), "{id}: {:?}", bare.not_judged);
    }
    let text =
        r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.5}},"ccd":true,"layer":1,"mask":1}"#;
    let query = r#","queries":[{"kind":"ray","from":[0,9,0],"to":[5,9,0],"hit":null}],"pushes":[{"id":0,"push":[0,0,0]}]"#;
    let lines = [
        frame([0.0; 3], Some([0.0; 3]), ""),
        frame([0.0; 3], Some([0.0; 3]), query),
    ];
    let full = report(
        r#","gravity":[0,-9.81,0]"#,
        &[text],
        &[&lines[0], &lines[1]],
    );
    let ours = ["C11", "C13", "C15", "C16", "C18", "C19", "C22"];
    assert!(
        ids(&full).iter().all(|id| !ours.contains(id)),
        "{:?}",
        full.not_judged
    );
    assert_eq!(bundled("masks.ron").not_judged, []);
    // A gravity of zero is given.
    let weightless = report(r#","gravity":[0,0,0]"#, &[BALL], &[&lines[0], &lines[1]]);
    assert!(!ids(&weightless).contains(&"C16"));
    let floor = r#"{"id":1,"name":"floor","shape":{"plane":{"normal":[0,1,0],"offset":-0.5}},"motion":"fixed"}"#;
    let lines = [
        frame([0.0; 3], None, &contact(0.0)),
        frame([0.0; 3], None, ""),
    ];
    let touched = report("", &[BALL, floor], &[&lines[0], &lines[1]]);
    let own = |report: &Report| {
        let mut all = report.not_judged.iter();
        all.find(|one| one.cause == Some(Cause::OwnQuery))
            .unwrap()
            .why
            .clone()
    };
    assert!(own(&touched).ends_with("the normals of its contacts were judged"));
    assert!(own(&bare).ends_with("none of the engine's queries"));
    let json = serde_json::to_value(&bare).unwrap();
    assert!(
        json["not_judged"][0]["log"]
            .as_str()
            .unwrap()
            .contains("`v` per body")
    );
}

/// A good log of a real engine has none of this.
#[test]
fn the_recorded_warehouses_have_no_phantoms() {
    for name in [
        "recordings/warehouse.jsonl",
        "recordings/warehouse_ccd.jsonl",
    ] {
        assert!(phantoms(&bundled(name)).is_empty(), "{name}");
    }
}

/// A wrong logged value becomes a scene with our result, which reads back to the same.
#[test]
fn a_phantom_becomes_a_scene_with_the_exact_result() {
    for (name, expectation) in [
        ("speculative_ghost.ron", "NeverTouches"),
        ("own_query.ron", "Hit"),
    ] {
        let folder = hitstop::bundled::folder();
        let level = level::open_in(&folder, name, &()).unwrap();
        let report = diagnose(&level, &Options::default(), &()).unwrap();
        assert!(!phantoms(&report).is_empty());
        for finding in phantoms(&report) {
            let (scene, notices) =
                minimal_scene(&level, finding.frame, SceneSelection::Finding(finding), &())
                    .unwrap();
            assert!(notices.is_empty(), "{notices:?}");
            assert_eq!(scene.objects.len(), 2);
            assert!(scene.notes.contains(&finding.text), "{}", scene.notes);
            assert_eq!(scene.expect.len(), 1);
            assert!(
                format!("{:?}", scene.expect[0].expectation).starts_with(expectation),
                "{:?}",
                scene.expect
            );
            let text = write(&scene);
            let folder = MemoryFolder {
                files: [("made.ron".to_owned(), text.into_bytes())].into(),
            };
            let made = level::open_in(&folder, "made.ron", &())
                .unwrap_or_else(|problems| panic!("{problems}"));
            let again = diagnose(&made, &Options::default(), &()).unwrap();
            assert!(
                again.expectations.iter().all(|held| held.passed),
                "{:?}",
                again.expectations
            );
            assert!(again.findings.is_empty(), "{:#?}", again.findings);
        }
    }
}

/// A log may contain a wall that is larger than a scene may; the scene leaves it out with a notice.
#[test]
fn a_shape_too_large_for_a_scene_is_left_out_of_the_minimal_one() {
    let text = r#"{"hitstop":1,"dt":0.1,"objects":[{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}},{"id":1,"name":"wall","shape":{"box":{"half_extents":[0.05,1,6.7e24]}},"motion":"fixed"}]}
{"frame":0,"bodies":[{"id":0,"p":[-1,0,0]}]}
{"frame":1,"bodies":[{"id":0,"p":[1,0,0]}]}
"#;
    let level = opened("log.jsonl", text.to_owned());
    let (scene, notices) = minimal_scene(&level, 0, SceneSelection::Neighbourhood, &()).unwrap();
    assert!(
        notices
            .iter()
            .any(|notice| notice.what.contains("\"wall\" is left out")),
        "{notices:?}"
    );
    opened("made.ron", write(&scene));
}

/// The pair of a finding alone: two objects of the sixteen, and the same finding, expected.
#[test]
fn a_pair_becomes_a_scene_that_repeats_its_finding() {
    let folder = hitstop::bundled::folder();
    let level = level::open_in(&folder, "recordings/warehouse.jsonl", &()).unwrap();
    let named = |name: &str| level.replay.object_named(name).unwrap();
    let pair = SceneSelection::Pair(named("bullet 120 m/s"), named("thin wall"));
    let (scene, notices) = minimal_scene(&level, 4, pair, &()).unwrap();
    assert!(notices.is_empty(), "{notices:?}");
    let names: Vec<&str> = scene
        .objects
        .iter()
        .map(|object| object.name.as_str())
        .collect();
    assert_eq!(names, ["thin wall", "bullet 120 m/s"]);
    assert!(
        matches!(scene.expect.iter().map(|expected| &expected.expectation).collect::<Vec<_>>()[..], [Expectation::Finds { kind, frame: Some(0), .. }] if kind == "Tunnels")
    );
    // Two that do not collide in that frame: the result is that they never touch.
    let pair = SceneSelection::Pair(named("crate 1"), named("thin wall"));
    let (scene, _) = minimal_scene(&level, 4, pair, &()).unwrap();
    assert!(
        matches!(
            scene
                .expect
                .iter()
                .map(|expected| &expected.expectation)
                .collect::<Vec<_>>()[..],
            [Expectation::NeverTouches { .. }]
        ),
        "{:?}",
        scene.expect
    );
}

/// A box of half 0.25 by 0.5 by 0.5, turned by a right angle about Z so that it is 0.5 wide along X, swept from -4 to 4 onto a wall
/// whose face is at -1: it hits at (3 - 0.5) / 8. A capsule of half height 1 and radius 0.25 along Y hits at (3 - 0.25) / 8.
#[test]
fn sweeps_of_boxes_and_capsules_are_repeated() {
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[1,2,2]}}}"#;
    let turned = r#""shape":{"box":{"half_extents":[0.25,0.5,0.5]}},"q":[0,0,0.7071067811865476,0.7071067811865476]"#;
    let capsule = r#""shape":{"capsule":{"half_height":1,"radius":0.25}}"#;
    let level = |swept: &str, y: f64, hit: &str| {
        let query = format!(
            r#","queries":[{{"kind":"sweep","from":[-4,{y},0],"to":[4,{y},0],{swept},"hit":{hit}}}]"#
        );
        let far = [0.0, 9.0, 0.0];
        let lines = [frame(far, None, ""), frame(far, None, &query)];
        opened(
            "log.jsonl",
            log_of("", &[BALL, wall], &[&lines[0], &lines[1]]),
        )
    };
    let judged = |swept: &str, y: f64, hit: &str| {
        let level = level(swept, y, hit);
        assert!(level.notices.is_empty(), "{:?}", level.notices);
        diagnosed(&level).findings
    };
    let hit = |fraction: f64| format!(r#"{{"id":1,"fraction":{fraction},"normal":[-1,0,0]}}"#);
    for (swept, exact, kind) in [
        (turned, 2.5 / 8.0, "sweep (Box) of 8 m"),
        (capsule, 2.75 / 8.0, "sweep (Capsule) of 8 m"),
    ] {
        assert_eq!(judged(swept, 0.0, &hit(exact)), [], "{swept}");
        // The face of the wall instead of that of the swept shape.
        let late = &judged(swept, 0.0, &hit(3.0 / 8.0))[0];
        assert_eq!(late.cause, Cause::OwnQuery);
        close(evidence(late, "exact_fraction"), exact);
        assert!(late.text.contains(kind), "{}", late.text);
        let missed = judged(swept, 0.0, "null");
        close(evidence(&missed[0], "exact_fraction"), exact);
    }
    // The box is 0.25 high after its turn, the capsule 1.25: over the wall's top at 2.
    for (swept, clear) in [(turned, 0.25), (capsule, 1.25)] {
        assert_eq!(judged(swept, 2.0 + clear + 0.1, "null"), []);
        let ghost = judged(swept, 2.0 + clear + 0.1, &hit(0.3));
        close(evidence(&ghost[0], "exact_gap"), 0.1);
    }
    // The case as a scene has the swept shape.
    let level_of_ghost = level(turned, 0.0, "null");
    let found = &diagnosed(&level_of_ghost).findings[0];
    let (scene, _) =
        minimal_scene(&level_of_ghost, 0, SceneSelection::Finding(found), &()).unwrap();
    assert_eq!(scene.objects[0].shape.kind_name(), "Box");
    assert_eq!(scene.expect.len(), 1);
    let refused = level(r#""shape":{"plane":{"normal":[0,1,0]}}"#, 0.0, "null");
    let notice = refused.notices[0].to_string();
    assert!(notice.contains("a query sweeps a convex shape"), "{notice}");
}

/// In three frames a contact of a ball 4.5 m above the floor, and its ray that hits the floor at 0.9 of its path instead of 0.5.
#[test]
fn two_phantoms_of_one_pair_in_each_frame_are_two_findings() {
    let ray = r#","queries":[{"kind":"ray","id":0,"from":[0,5,0],"to":[0,-5,0],"hit":{"id":1,"fraction":0.9}}]"#;
    let first = frame([0.0, 5.0, 0.0], None, "");
    let line = frame([0.0, 5.0, 0.0], None, &(contact(0.0) + ray));
    let found = report("", &[BALL, FLOOR], &[&first, &line, &line, &line]).findings;
    let mut seen: Vec<_> = found
        .iter()
        .map(|found| (found.cause, found.frame, found.last_frame))
        .collect();
    seen.sort();
    assert_eq!(seen, [(Cause::Ghost, 0, 2), (Cause::OwnQuery, 0, 2)]);
}
