//! Frames of several substeps.

use super::{close, frame, report};
use crate::common::findings::evidence;
use crate::common::levels::{diagnosed, log_of, opened};
use hitstop::core::diagnose::what_if::session::WhatIfSession;
use hitstop::core::diagnose::what_if::what_if;
use hitstop::core::diagnose::{Cause, Kind, SceneSelection, minimal_scene};
use hitstop::core::scene::Expectation;

/// A ball of radius 0.1 moves 4 m through a wall 0.2 m thick in one frame of four substeps of 1 m. An overlap test detects
/// 0.2 + 2 * 0.1 m of its path, and the push leads back up to 0.1 + 0.1 m.
#[test]
fn a_frame_of_substeps_is_tested_at_the_end_of_each() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,2,2]}}}"#;
    let crossing_in = |engine: &str, from: f64, more: &str| {
        let lines = [
            frame([from, 0.0, 0.0], None, ""),
            frame([from + 4.0, 0.0, 0.0], None, more),
        ];
        report(engine, &[ball, wall], &[&lines[0], &lines[1]])
    };
    let crossing = |from: f64, more: &str| crossing_in("", from, more);
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
    // Those of Box2D 3 and Box3D only solve what one test found: as without substeps, and the advice is about steps.
    for engine in [
        r#","engine":"Box2D 3.1""#,
        r#","engine":"box2d","engine_version":"3.2""#,
        r#","engine":"box3d""#,
    ] {
        let solved = crossing_in(engine, -0.95, r#","substeps":4"#);
        let solved = &solved.findings[0];
        assert_eq!((solved.kind, solved.cause), (Kind::Tunnels, Cause::TooFast));
        close(evidence(solved, "displacement"), 4.0);
        let says = "Use 21 steps of 1/1260 s,";
        assert!(solved.text.contains(says), "{engine}: {}", solved.text);
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
