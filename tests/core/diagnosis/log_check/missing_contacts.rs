//! Overlaps of which a log with contacts has none.

use super::report;
use crate::common::findings::{close, evidence, headline};
use hitstop::core::diagnose::{Cause, Kind};

const FLOOR: &str = r#"{"id":0,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[5,0.5,5]}},"position":[0,-0.5,0]}"#;
const BALL: &str = r#"{"id":1,"name":"ball","shape":{"sphere":{"radius":0.5}}}"#;

/// The ball is apart, then up to 0.25 m deep in three states. An empty list of contacts says that the engine made none; without one the
/// log says nothing. The ball is named first, as the floor cannot move.
#[test]
fn an_empty_list_of_contacts_counts_as_logged() {
    let log = |contacts: &str| {
        let state = |y: f64| format!(r#""bodies":[{{"id":1,"p":[0.3,{y},0.2]}}]{contacts}"#);
        let lines = [0.75, 0.375, 0.25, 0.375, 0.75].map(state);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        report("", &[FLOOR, BALL], &lines)
    };
    let all = log(r#","contacts":[]"#);
    let found = headline(&all, Cause::Bits);
    assert_eq!((found.a.as_str(), found.b.as_str()), ("ball", "floor"));
    close(evidence(found, "unreported_depth"), 0.25, 1e-9);
    assert_eq!(found.normal, [0.0, 1.0, 0.0]);
    close(found.point[0], 0.3, 1e-9);
    close(found.point[2], 0.2, 1e-9);
    assert_eq!(log("").findings, []);
}

/// A push of the ball in one of these states says that the engine noticed the overlap; one of another body says nothing.
#[test]
fn a_push_stands_for_a_contact() {
    let other = BALL.replace("1", "2").replace("ball", "other");
    for (pushed, expected) in [(None, 1), (Some(1), 0), (Some(2), 1)] {
        let lines = [0.75, 0.375, 0.25, 0.375, 0.75].map(|y| {
            let push = pushed.filter(|_| y == 0.25);
            let push = push.map(|id| format!(r#"{{"id":{id},"push":[0,0.01,0]}}"#));
            format!(
                r#""bodies":[{{"id":1,"p":[0.3,{y},0.2]}},{{"id":2,"p":[3,3,3]}}],"contacts":[],"pushes":[{}]"#,
                push.unwrap_or_default()
            )
        });
        let all = report(
            "",
            &[FLOOR, BALL, &other],
            &lines.each_ref().map(String::as_str),
        );
        let found = all.findings.iter();
        let missing = found.filter(|found| found.cause == Cause::Bits).count();
        assert_eq!(missing, expected, "{pushed:?}: {:#?}", all.findings);
    }
}

/// The ball rises to 0.25 m into the ledge and falls back: it came along the way in which the ledge lets it pass. Against it, the contact is
/// missing.
#[test]
fn what_comes_along_one_way_has_no_contact() {
    let log = |way: f64| {
        let ledge = format!(
            r#"{{"id":0,"name":"ledge","motion":"fixed","shape":{{"box":{{"half_extents":[5,0.5,5]}}}},"position":[0,0.5,0],"one_way":[0,{way},0]}}"#
        );
        let state = |y: f64| format!(r#""bodies":[{{"id":1,"p":[0.3,{y},0.2]}}],"contacts":[]"#);
        let lines = [-0.75, -0.375, -0.25, -0.375, -0.75].map(state);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        report("", &[&ledge, BALL], &lines)
    };
    assert_eq!(log(1.0).findings, []);
    let against = log(-1.0);
    let found = headline(&against, Cause::Bits);
    close(evidence(found, "unreported_depth"), 0.25, 1e-9);
}

/// Of two bodies the one that travels farther is named first, whatever their order in the log.
#[test]
fn the_body_that_travels_farther_is_named_first() {
    for [slow, fast] in [[0, 1], [1, 0]] {
        let body = |id: u32, name: &str| {
            format!(r#"{{"id":{id},"name":"{name}","shape":{{"sphere":{{"radius":0.5}}}}}}"#)
        };
        let mut bodies = [(slow, body(slow, "slow")), (fast, body(fast, "fast"))];
        bodies.sort();
        let state = |x: f64| {
            format!(
                r#""bodies":[{{"id":{slow},"p":[{},0,0]}},{{"id":{fast},"p":[{x},0,0]}}],"contacts":[]"#,
                0.01 * x
            )
        };
        let lines = [1.25, 0.75, 0.625, 0.75, 1.25].map(state);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let all = report("", &[&bodies[0].1, &bodies[1].1], &lines);
        let found = headline(&all, Cause::Bits);
        assert_eq!((found.a.as_str(), found.b.as_str()), ("fast", "slow"));
        assert_eq!(found.normal, [1.0, 0.0, 0.0]);
    }
}

/// Overlaps of 0.25 m are not missing where the engine leaves 0.25 m alone, nor of two that sleep.
#[test]
fn overlaps_within_the_margin_or_asleep_need_no_contact() {
    let other = BALL.replace("1", "2").replace("ball", "other");
    let log = |header: &str, asleep: [bool; 2]| {
        let state = |x: f64| {
            let [one, two] = asleep;
            format!(
                r#""bodies":[{{"id":1,"p":[{x},0,0],"asleep":{one}}},{{"id":2,"p":[0,0,0],"asleep":{two}}}],"contacts":[]"#
            )
        };
        let lines = [1.25, 0.875, 0.75, 0.875, 1.25].map(state);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let floor = FLOOR.replace("-0.5", "-9");
        report(header, &[&floor, BALL, &other], &lines)
            .findings
            .len()
    };
    for (header, asleep, expected) in [
        ("", [false, false], 1),
        ("", [true, false], 1),
        ("", [true, true], 0),
        (r#","margin":0.1"#, [false, false], 1),
        (r#","margin":0.3"#, [false, false], 0),
    ] {
        assert_eq!(log(header, asleep), expected, "{header} {asleep:?}");
    }
}

/// A plank of 2 m passes a plate, a closed mesh, at 60 degrees, and hangs in it by its upper end: its centre is 0.5 m below the plate, and it touches the
/// lower side from the front. Engines that collide from the front have a contact, whichever of its two quaternions the log gives.
#[test]
fn a_tilted_body_in_the_front_of_a_closed_mesh_lacks_its_contact() {
    let corners = (0..8).map(|k| [8 * (k & 1) - 4, (k >> 1 & 1) - 1, 8 * (k >> 2) - 4]);
    let corners: Vec<[f64; 3]> = corners
        .map(|[x, y, z]| [f64::from(x), 0.25 * f64::from(y), f64::from(z)])
        .collect();
    let triangles = [
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
    ];
    let plate = format!(
        r#"{{"id":0,"name":"plate","motion":"fixed","shape":{{"mesh":{{"vertices":{corners:?},"triangles":{triangles:?}}}}}}}"#
    );
    let plank = r#"{"id":1,"name":"plank","shape":{"box":{"half_extents":[1,0.1,0.1]}}}"#;
    for sign in [1.0, -1.0] {
        let (sin, cos) = (-30.0_f64).to_radians().sin_cos();
        let q = [0.0, 0.0, sign * sin, sign * cos];
        let lines = [1.3, -0.75]
            .map(|y| format!(r#""bodies":[{{"id":1,"p":[0,{y},0],"q":{q:?}}}],"contacts":[]"#));
        let all = report("", &[&plate, plank], &[&lines[0], &lines[1]]);
        let found = headline(&all, Cause::Bits);
        assert_eq!(found.kind, Kind::WrongSide);
        let end = 60.0_f64.to_radians().sin() + 0.1 * 0.5;
        close(evidence(found, "unreported_depth"), end - 0.5, 1e-9);
    }
}
