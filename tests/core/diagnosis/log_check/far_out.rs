//! Logs of engines in single precision, so far out that neighbouring numbers are coarse. Positions are exact `f32` numbers.

use super::{phantoms, report};
use crate::common::findings::{close, evidence, fix, headline};
use hitstop::core::diagnose::{Cause, Kind};

const SINGLE: &str = r#","scalar":"f32""#;
const BALL: &str = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.2}}}"#;

fn line(at: [f64; 3], v: [f64; 3], more: &str) -> String {
    format!(r#""bodies":[{{"id":0,"p":{at:?},"v":{v:?}}}]{more}"#)
}

/// At 2^22 - 2 numbers are 0.25 m apart, and 0.1 m a frame are lost, while the ball breathes on its floor by some roundings. Along z, where it is at 0,
/// nothing is lost, and a step of 0.25 m is not.
#[test]
fn a_step_that_rounding_takes_on_one_axis_is_found_whatever_the_others_do() {
    let floor = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[20,0.5,20]}},"position":[4194304,-0.5,0]}"#;
    let contact =
        r#","contacts":[{"a":0,"b":1,"point":[4194302,0,0],"normal":[-2e-8,1,0],"depth":0}]"#;
    let lines = |v: [f64; 3], step: f64| {
        let lines = (0..40).map(|k| {
            let y = if k % 2 == 0 {
                0.20000001788139343
            } else {
                0.19999998807907104
            };
            line([4_194_290.0 + step * f64::from(k), y, 0.0], v, contact)
        });
        lines.collect::<Vec<_>>()
    };
    let of = |lines: &[String]| {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        report(SINGLE, &[BALL, floor], &lines)
    };
    let frozen = of(&lines([6.0, -1.8e-6, 0.0], 0.0));
    let found = headline(&frozen, Cause::FarFromOrigin);
    assert_eq!(
        (found.kind, found.frame, found.last_frame),
        (Kind::BadNumber, 0, 38)
    );
    close(evidence(found, "f32_step"), 0.25, 0.0);
    close(evidence(found, "own_step"), 0.1, 1e-12);
    close(fix(found, "max_coordinate"), 32768.0, 0.0);
    // The contacts that touch it do not hold it.
    assert!(phantoms(&frozen).is_empty(), "{:#?}", frozen.findings);
    let is_found = |lines: &[String]| {
        let all = of(lines).findings;
        all.iter().any(|found| found.cause == Cause::FarFromOrigin)
    };
    assert!(!is_found(&lines([15.0, 0.0, 0.0], 0.25)));
    assert!(!is_found(&lines([0.0, 0.0, 6.0], 0.0)));
}

/// A ball of 4.28 m/s goes by steps of 0.5 m there. Near the origin 0.5 m is seven times what that speed explains.
#[test]
fn a_step_of_the_numbers_is_no_teleport() {
    for (origin, cause) in [(4_194_306.0, Cause::FarFromOrigin), (0.0, Cause::Teleport)] {
        let wall = format!(
            r#"{{"id":1,"name":"wall","motion":"fixed","shape":{{"box":{{"half_extents":[0.1,2,2]}}}},"position":[{origin},0,0]}}"#
        );
        let at = |x: f64, v: f64| line([origin + x, 0.0, 0.0], [v, 0.0, 0.0], "");
        let lines = [at(-0.5, 4.28), at(0.0, 4.28), at(0.0, 0.0)];
        let all = report(SINGLE, &[BALL, &wall], &[&lines[0], &lines[1], &lines[2]]).findings;
        let passes = all.iter().find(|found| found.kind == Kind::WrongSide);
        let passes = passes.unwrap_or_else(|| panic!("{all:#?}"));
        assert_eq!(passes.cause, cause, "{passes:#?}");
    }
}

/// A ball rests 0.05 m deep, 0.03 m more than the engine leaves alone. A fifth of that is 0.006 m, and the numbers are 2^-6 m apart. Another one is
/// deeper by 2^-6 m: a fifth of its 0.046 m is more than half of that, and not lost.
#[test]
fn a_push_that_rounding_takes_is_named() {
    let header = format!(r#"{SINGLE},"engine":"Jolt","margin":0.02"#);
    for (origin, more, cause) in [
        (262_144.0, 0.0, Cause::FarFromOrigin),
        (262_144.0, 0.015625, Cause::LetThrough),
        (0.0, 0.0, Cause::LetThrough),
    ] {
        let wall = format!(
            r#"{{"id":1,"name":"wall","motion":"fixed","shape":{{"box":{{"half_extents":[0.1,2,2]}}}},"position":[{origin},0,0]}}"#
        );
        let contact = format!(
            r#","contacts":[{{"a":0,"b":1,"point":[{},0,0],"normal":[-1,0,0],"depth":{}}}]"#,
            origin - 0.1,
            0.05 + more
        );
        let lines: Vec<String> = (0..40)
            .map(|k| match k {
                0 => line([origin - 0.5, 0.0, 0.0], [15.0, 0.0, 0.0], ""),
                _ => line([origin - 0.25 + more, 0.0, 0.0], [0.0; 3], &contact),
            })
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let all = report(&header, &[BALL, &wall], &lines).findings;
        assert_eq!(all.len(), 1, "{all:#?}");
        assert_eq!((all[0].kind, all[0].cause), (Kind::Sinks, cause));
        let says = match cause {
            _ if more > 0.0 => "the response let it through.",
            Cause::FarFromOrigin => "It stays 0.05 m deep: a push of 0.006 m is lost in rounding.",
            _ => {
                "In Jolt, for smaller steps raise `inCollisionSteps` of `PhysicsSystem::Update`; bodies rest as deep as `mPenetrationSlop` (0.02 m)."
            }
        };
        assert!(all[0].text.contains(says), "{}", all[0].text);
    }
}

/// A ball that rests as deep as bodies do at the margin is in by some roundings of its position more; 1 mm more is no rounding.
#[test]
fn the_margin_has_the_rounding_of_the_numbers() {
    let header = format!(r#"{SINGLE},"margin":0.04"#);
    let wall = r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,1,2]}},"position":[0,1,0]}"#;
    // Deep by 0.3 - 0.24, half more than the margin, and four units in the last place, 1.5e-8 m each; and by 0.061 m.
    for (x, count) in [(-0.239_999_94, 0), (-0.239, 1)] {
        let x = f64::from(x as f32);
        let lines: Vec<String> = (0..40)
            .map(|k| match k {
                0 => line([-0.5, 1.0, 0.0], [6.0, 0.0, 0.0], ""),
                _ => line([x, 1.0, 0.0], [0.0; 3], ""),
            })
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let all = report(&header, &[BALL, wall], &lines).findings;
        assert_eq!(all.len(), count, "{x}: {all:#?}");
    }
}

/// A ball passes over a beam, 0.011 m deep: more than 2 % of its radius. Numbers of single precision as large as 10^5 are exact to 0.0119 m.
#[test]
fn an_overlap_that_is_the_rounding_of_the_numbers_is_no_finding() {
    for (origin, count) in [(0.0, 1), (100_000.0, 0)] {
        let beam = format!(
            r#"{{"id":1,"name":"beam","motion":"fixed","shape":{{"box":{{"half_extents":[0.25,0.5,2]}}}},"position":[{origin},-0.5,0]}}"#
        );
        let at = |x: f64| line([origin + x, 0.189, 0.0], [240.0, 0.0, 0.0], "");
        let all = report(SINGLE, &[BALL, &beam], &[&at(-2.0), &at(2.0)]).findings;
        assert_eq!(all.len(), count, "{origin}: {all:#?}");
    }
}
