//! Pairs that the engine does not test, in logs without layers.

use super::{FLOOR, report};
use crate::common::levels::{diagnosed, opened};
use hitstop::core::diagnose::{Cause, Finding, Kind};

const CRATE: &str = r#"{"id":0,"name":"crate","shape":{"box":{"half_extents":[0.3,0.3,0.3]}}}"#;
const EARTH: &str = r#","gravity":[0,-9.81,0]"#;

/// The states of a crate that falls from a height, its acceleration inside the floor being a share of gravity.
fn fall(share: f64, has_velocities: bool, more: &str) -> Vec<String> {
    fall_behind(0.0, share, has_velocities, more)
}

/// The same in steps that go by an earlier velocity than that at their end: by 1 that at their start, by 0.5 the mean of the two.
fn fall_behind(behind: f64, share: f64, has_velocities: bool, more: &str) -> Vec<String> {
    let (mut y, mut v) = (1.2, 0.0);
    let states = (0..60).map(|_| {
        let velocity = if has_velocities {
            format!(r#","v":[0,{v},0]"#)
        } else {
            String::new()
        };
        let line = format!(r#""bodies":[{{"id":0,"p":[0,{y},0]{velocity}}}]{more}"#);
        let gained = -9.81 / 60.0 * if y < 0.3 { share } else { 1.0 };
        v += gained;
        y += (v - behind * gained) / 60.0;
        line
    });
    states.collect()
}

fn found(header: &str, objects: &[&str], lines: &[String]) -> Finding {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let all = report(header, objects, &lines).findings;
    assert_eq!(all.len(), 1, "{all:#?}");
    all.into_iter().next().unwrap()
}

#[test]
fn a_free_fall_through_a_body_is_a_pair_that_the_engine_does_not_test() {
    for has_velocities in [true, false] {
        for (share, cause) in [
            (1.0, Cause::Bits),
            // Damping of 5 %, as Jolt has it at 10 m/s.
            (0.95, Cause::Bits),
            (0.5, Cause::LetThrough),
            (0.0, Cause::LetThrough),
        ] {
            let found = found(EARTH, &[CRATE, FLOOR], &fall(share, has_velocities, ""));
            assert_eq!(
                (found.kind, found.cause),
                (Kind::Sinks, cause),
                "{share} of gravity"
            );
        }
    }
    // Without gravity in the log, nothing is known of a fall.
    let unknown = found("", &[CRATE, FLOOR], &fall(1.0, true, ""));
    assert_eq!(unknown.cause, Cause::LetThrough);
}

/// Engines step by the velocity at the end of a step, at its start, or by their mean. A step by none of them is not that of a free body.
#[test]
fn a_free_fall_goes_by_one_of_the_velocities_of_a_step_or_their_mean() {
    for (behind, cause) in [
        (0.0, Cause::Bits),
        (0.5, Cause::Bits),
        (1.0, Cause::Bits),
        (2.0, Cause::LetThrough),
    ] {
        let lines = fall_behind(behind, 1.0, true, "");
        let found = found(EARTH, &[CRATE, FLOOR], &lines);
        assert_eq!((found.kind, found.cause), (Kind::Sinks, cause), "{behind}");
    }
}

#[test]
fn an_empty_list_of_contacts_is_a_pair_that_the_engine_does_not_test() {
    let found = found(
        EARTH,
        &[CRATE, FLOOR],
        &fall(0.5, true, r#","contacts":[]"#),
    );
    assert_eq!((found.kind, found.cause), (Kind::Sinks, Cause::Bits));
    assert!(
        found.text.contains("lists contacts and has none"),
        "{}",
        found.text
    );
}

/// A crate falls into the floor without a contact, and lands in it half a second later: until then the engine had none.
#[test]
fn a_contact_that_comes_later_explains_no_fall() {
    for contacts in [r#","contacts":[]"#, ""] {
        let mut lines = fall(1.0, true, contacts);
        let is_inside = |line: &String| line.contains(r#""p":[0,-0.3"#);
        let landed = lines.iter().position(is_inside).unwrap();
        lines.truncate(landed + 3);
        let contact =
            r#","contacts":[{"a":0,"b":1,"point":[0,-0.7,0],"normal":[0,1,0],"depth":0.1}]"#;
        for _ in 0..9 {
            lines.push(format!(
                r#""bodies":[{{"id":0,"p":[0,-0.35,0],"v":[0,0,0]}}]{contact}"#
            ));
        }
        let found = found(EARTH, &[CRATE, FLOOR], &lines);
        assert_eq!(
            (found.kind, found.cause),
            (Kind::Sinks, Cause::Bits),
            "{}",
            found.text
        );
        assert!(
            !found.text.contains("The engine had the contact") && found.text.contains("`one_way`"),
            "{}",
            found.text
        );
    }
}

/// A crate that lies on the floor drops through it, or is hit by 3 m/s from above: only the first falls from rest by gravity alone.
#[test]
fn a_body_that_is_pressed_into_what_it_lies_on_does_not_fall_freely() {
    for (hit, cause) in [(0.0, Cause::Bits), (3.0, Cause::LetThrough)] {
        let (mut y, mut v) = (0.3, 0.0);
        let states = (0..40).map(|k| {
            let line = format!(r#""bodies":[{{"id":0,"p":[0,{y},0],"v":[0,{v},0]}}]"#);
            v -= match k {
                0..3 => 0.0,
                3 => hit + 9.81 / 60.0,
                _ => 9.81 / 60.0,
            };
            y += v / 60.0;
            line
        });
        let found = found(EARTH, &[CRATE, FLOOR], &states.collect::<Vec<_>>());
        assert_eq!((found.kind, found.cause), (Kind::Sinks, cause), "{hit} m/s");
    }
}

/// A velocity that grows while the position stands still is no fall.
#[test]
fn a_body_that_is_held_by_its_position_does_not_fall() {
    let lines = (0..12).map(|k| {
        let v = -9.81 / 60.0 * f64::from(k);
        let y = if k < 11 { 0.28 } else { -1.4 };
        format!(r#""bodies":[{{"id":0,"p":[0,{y},0],"v":[0,{v},0]}}]"#)
    });
    let lines: Vec<String> = lines.collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let report = report(EARTH, &[CRATE, FLOOR], &lines);
    assert!(
        report
            .findings
            .iter()
            .all(|found| found.cause != Cause::Bits),
        "{:#?}",
        report.findings
    );
}

/// No engine makes contacts of a kinematic body with a fixed one, so that a missing one says nothing.
#[test]
fn a_kinematic_body_needs_no_contact_with_a_fixed_one() {
    let player = r#"{"id":0,"name":"player","motion":"kinematic","layer":1,"mask":1,"shape":{"sphere":{"radius":0.3}}}"#;
    for contacts in [r#","contacts":[]"#, ""] {
        let found = found(EARTH, &[player, FLOOR], &fall(0.0, true, contacts));
        assert_ne!(found.cause, Cause::Gap, "{}", found.text);
        assert_ne!(found.cause, Cause::Bits, "{}", found.text);
        assert!(!found.text.contains("broad-phase"), "{}", found.text);
    }
}

/// A lift of 0.2 m is moved to 5 cm inside a ball that rides on it. With a list of contacts the pair is one that engines do not test; without, no
/// setting of the engine helps.
#[test]
fn two_kinematic_bodies_have_no_solver() {
    let player =
        r#"{"id":0,"name":"player","motion":"kinematic","shape":{"sphere":{"radius":0.3}}}"#;
    let lift =
        r#"{"id":1,"name":"lift","motion":"kinematic","shape":{"box":{"half_extents":[2,0.1,2]}}}"#;
    for (contacts, cause) in [(r#","contacts":[]"#, Cause::Bits), ("", Cause::LetThrough)] {
        let line = |k: u32| {
            let y = 0.05 * f64::from(k);
            let above = if k == 0 { 0.5 } else { 0.35 };
            format!(
                r#""bodies":[{{"id":0,"p":[0,{},0]}},{{"id":1,"p":[0,{y},0]}}]{contacts}"#,
                y + above
            )
        };
        let lines: Vec<String> = (0..45).map(line).collect();
        let found = found(r#","engine":"rapier""#, &[player, lift], &lines);
        assert_eq!((found.kind, found.cause), (Kind::Sinks, cause));
        let text = &found.text;
        assert!(text.contains("controller has to sweep each move"), "{text}");
        assert!(
            !text.contains("Look for a wrong layer") && !text.contains("natural_frequency"),
            "{text}"
        );
    }
}

/// The borders of a strip are closer together than the ball is wide, but its triangles lie between them; those of a crack face each other.
#[test]
fn the_outer_border_of_a_sheet_is_no_gap() {
    let ball = r#"{"id":0,"name":"crate","shape":{"sphere":{"radius":0.5}}}"#;
    let strip = |z: f64, width: f64, first: u32| {
        let corners = [[-5.0, z], [5.0, z], [5.0, z + width], [-5.0, z + width]];
        let vertices = corners.map(|[x, z]| format!("[{x},0,{z}]")).join(",");
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner| first + corner);
        (vertices, format!("[{a},{c},{b}],[{a},{d},{c}]"))
    };
    let mesh = |strips: &[(String, String)]| {
        let list = |of: fn(&(String, String)) -> &String| {
            let parts: Vec<&str> = strips.iter().map(|strip| of(strip).as_str()).collect();
            parts.join(",")
        };
        format!(
            r#"{{"id":1,"name":"floor","motion":"fixed","shape":{{"mesh":{{"vertices":[{}],"triangles":[{}]}}}}}}"#,
            list(|strip| &strip.0),
            list(|strip| &strip.1)
        )
    };
    let lines: Vec<String> = [2.0, -2.0]
        .map(|y| format!(r#""bodies":[{{"id":0,"p":[0,{y},0.25]}}]"#))
        .to_vec();
    // Passed beside its border, at 0.05 m from it, and through a crack of 0.1 m.
    let sheet = mesh(&[strip(-0.4, 0.6, 0)]);
    assert_eq!(found("", &[ball, &sheet], &lines).cause, Cause::TooFast);
    let crack = mesh(&[strip(-3.0, 3.2, 0), strip(0.3, 3.0, 4)]);
    assert_eq!(found("", &[ball, &crack], &lines).cause, Cause::Gap);
    // Two borders of a strip that a capsule passes obliquely, as wide as the strip.
    let strip = r#"{"id": 4, "name": "obstacle e", "shape": {"height_field": {"heights": [[0.09, 0.01], [0.03, 0.05], [-0.1, 0.04], [-0.06, 0.1]], "cell": [0.26, 0.23]}}, "motion": "fixed", "position": [1.91, 1.85, -37.73], "rotation": [0.0, 0.7071067811865476, 0.0, 0.7071067811865476]}"#;
    let capsule = r#"{"id": 7, "name": "mover b", "shape": {"capsule": {"a": [0.21, -0.25, -0.25], "b": [-0.53, -0.49, 0.22], "radius": 0.32}}, "motion": "dynamic"}"#;
    let lines = [
        r#""bodies":[{"id": 7, "p": [3.53, -7.48, -42.12], "q": [0.0, 0.7071067811865476, 0.0, 0.7071067811865476]}]"#,
        r#""bodies":[{"id": 7, "p": [0.04, 11.74, -33.12], "q": [0.0, 0.7071067811865476, 0.0, 0.7071067811865476]}]"#,
    ];
    let lines: Vec<String> = lines.map(str::to_owned).to_vec();
    assert_eq!(found("", &[strip, capsule], &lines).cause, Cause::TooFast);
}

/// A ball in a room of one closed mesh, whose triangles collide from outside only, touches none of them at first, and falls out through the floor at
/// y = -1.5 by 0.05 m a frame: from -1.48 to -1.53 in frame 29.
#[test]
fn a_ball_within_a_mesh_that_faces_outward_falls_out_from_behind() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.3}}}"#;
    let room = r#"{"id":1,"name":"room","motion":"fixed","shape":{"mesh":{"vertices":[[-2,-1.5,-2],[-2,-1.5,2],[-2,1.5,-2],[-2,1.5,2],[2,-1.5,-2],[2,-1.5,2],[2,1.5,-2],[2,1.5,2]],"triangles":[[0,1,3],[0,3,2],[4,6,7],[4,7,5],[0,4,5],[0,5,1],[2,3,7],[2,7,6],[0,2,6],[0,6,4],[1,5,7],[1,7,3]],"facing":"front"}}}"#;
    for contacts in [r#","contacts":[]"#, ""] {
        let states = (0..50).map(|k| {
            let y = -0.03 - 0.05 * f64::from(k);
            format!(r#""bodies":[{{"id":0,"p":[0.3,{y},0.7],"v":[0,-3,0]}}]{contacts}"#)
        });
        let found = found("", &[ball, room], &states.collect::<Vec<_>>());
        assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::Facing));
        assert_eq!(found.frame, 29);
    }
}

/// A player of 0.8 m falls freely through a ledge of 0.2 m: what is said of it, with more fields of the ledge and of both.
fn through_a_ledge(ledge: &str, both: &str) -> String {
    let mut log = format!(
        "{{\"hitstop\": 1, \"flat\": true, \"dt\": 0.02, \"gravity\": [0, -10], \"objects\": [{{\"id\": 0, \"name\": \"player\", \"shape\": {{\"box\": {{\"half_extents\": [0.4, 0.4]}}}}{both}}}, {{\"id\": 1, \"name\": \"ledge\", \"motion\": \"fixed\", \"shape\": {{\"box\": {{\"half_extents\": [2, 0.1]}}}}{ledge}{both}}}]}}\n"
    );
    let (mut y, mut v) = (1.0, -3.0);
    for frame in 0..20 {
        log += &format!(
            "{{\"frame\": {frame}, \"bodies\": [{{\"id\": 0, \"p\": [0, {y}], \"v\": [0, {v}]}}], \"contacts\": []}}\n"
        );
        v -= 10.0 * 0.02;
        y += v * 0.02;
    }
    let report = diagnosed(&opened("ledge.jsonl", log));
    let [finding] = &report.findings[..] else {
        panic!("{:?}", report.findings);
    };
    assert_eq!((finding.kind.name(), finding.cause.id()), ("Sinks", "C18"));
    finding.text.clone()
}

#[test]
fn advice_is_of_what_the_log_does_not_have() {
    let plain = through_a_ledge("", "");
    assert!(
        plain.contains("Look for a wrong layer") && plain.contains("`one_way`"),
        "{plain}"
    );
    let with_bits = through_a_ledge("", ", \"layer\": 1, \"mask\": 1");
    assert!(
        with_bits.contains("although layers and masks allow it")
            && !with_bits.contains("wrong layer"),
        "{with_bits}"
    );
    let one_way = through_a_ledge(", \"one_way\": [0, 1]", "");
    assert!(
        one_way.contains("still lets the body pass the one-way platform")
            && !one_way.contains("`one_way`"),
        "{one_way}"
    );
}
