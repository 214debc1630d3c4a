//! Logged contacts of bodies that turn between two states, or are moved by their position.

use super::{phantoms, report};

fn bar(id: u32, motion: &str) -> String {
    format!(
        r#"{{"id":{id},"name":"bar {id}","motion":"{motion}","shape":{{"capsule":{{"a":[-1,0,0],"b":[1,0,0],"radius":0.1}}}}}}"#
    )
}

/// Two bars of 1.1 m to each side lie above each other, 0.3 m apart. The end of one that turns by an angle about its length across travels by at most
/// that many radians: together they may have touched if that is more than the gap.
#[test]
fn the_swings_of_both_bodies_may_close_a_gap() {
    for (turns, expected) in [
        ([0.0, 0.0], 1),
        ([0.1, 0.0], 1),
        ([0.0, 0.1], 1),
        ([0.2, 0.2], 0),
        ([0.4, 0.0], 0),
        ([0.0, 0.4], 0),
    ] {
        let line = |share: f64, more: &str| {
            let body = |id: u32, y: f64, turn: f64| {
                let (sin, cos) = (0.5 * share * turn).sin_cos();
                format!(r#"{{"id":{id},"p":[0,{y},0],"q":[0,{sin},0,{cos}]}}"#)
            };
            let [one, other] = [body(0, 0.0, turns[0]), body(1, 0.5, turns[1])];
            format!(r#""bodies":[{one},{other}]{more}"#)
        };
        let contact =
            r#","contacts":[{"a":1,"b":0,"point":[0,0.25,0],"normal":[0,1,0],"depth":0.01}]"#;
        let lines = [line(0.0, ""), line(1.0, contact)];
        let bars = [bar(0, "dynamic"), bar(1, "dynamic")];
        let all = report("", &[&bars[0], &bars[1]], &[&lines[0], &lines[1]]);
        assert_eq!(
            phantoms(&all).len(),
            expected,
            "{turns:?}: {:#?}",
            all.findings
        );
    }
}

/// A lift rises from 2 m below a crate that goes up by 2 m as well: where the lift ends is where the crate began. An engine that moves kinematic bodies
/// first has a contact there, and none of two that it moves together.
#[test]
fn a_kinematic_body_may_meet_the_other_where_that_began() {
    for (motion, expected) in [("kinematic", 0), ("dynamic", 1)] {
        let line = |y: f64, more: &str| {
            let above = y + 2.0;
            format!(
                r#""bodies":[{{"id":0,"p":[0,{y},0],"v":[0,120,0]}},{{"id":1,"p":[0,{above},0],"v":[0,120,0]}}]{more}"#
            )
        };
        let contact = r#","contacts":[{"a":1,"b":0,"point":[0,2,0],"normal":[0,1,0],"depth":0.2}]"#;
        let lines = [line(0.0, ""), line(2.0, contact)];
        let bars = [bar(0, motion), bar(1, "dynamic")];
        let all = report("", &[&bars[0], &bars[1]], &[&lines[0], &lines[1]]);
        assert_eq!(
            phantoms(&all).len(),
            expected,
            "{motion}: {:#?}",
            all.findings
        );
    }
}
