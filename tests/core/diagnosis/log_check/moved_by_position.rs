//! Displacements that velocities do not explain: teleports, bodies driven by position, and pushes by solvers and other bodies.

use super::report;
use crate::common::findings::{close, evidence, fix};
use hitstop::core::diagnose::{Cause, Finding, Kind};

const WALL: &str =
    r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,2,2]}}}"#;
const CRATE: &str = r#"{"id":0,"name":"crate","shape":{"box":{"half_extents":[0.3,0.3,0.3]}}}"#;

fn player(motion: &str) -> String {
    format!(
        r#"{{"id":2,"name":"player","motion":"{motion}","shape":{{"sphere":{{"radius":0.3}}}}}}"#
    )
}

/// Lines of objects 0 and 2, each a position and a velocity along x.
fn lines(states: &[[(f64, f64); 2]]) -> Vec<String> {
    let body =
        |id: u32, (x, v): (f64, f64)| format!(r#"{{"id":{id},"p":[{x},0,0],"v":[{v},0,0]}}"#);
    let line = |[one, other]: &[(f64, f64); 2]| {
        format!(r#""bodies":[{},{}]"#, body(0, *one), body(2, *other))
    };
    states.iter().map(line).collect()
}

fn of_the_crate(objects: &[&str], lines: &[String]) -> Finding {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let all = report("", objects, &lines).findings;
    let mut found = all
        .iter()
        .filter(|found| found.a == "crate" && found.b != "player");
    let first = found.next().unwrap_or_else(|| panic!("{all:#?}"));
    first.clone()
}

/// A crate between a wall and a player that comes on by 0.1 m a frame. The solver pushes it by its position, and its velocity stays 0.
#[test]
fn the_body_that_pushes_another_through_a_wall_is_named() {
    for (speed, says) in [
        (6.0, "which is moved 0.1 m"),
        (0.0, "moved by its position"),
    ] {
        let player = player("kinematic");
        let states: Vec<[(f64, f64); 2]> = (0..9)
            .map(|k| {
                let at = -1.2 + 0.1 * f64::from(k);
                [((at + 0.55).max(-0.4), 0.0), (at, speed)]
            })
            .collect();
        let found = of_the_crate(&[CRATE, WALL, &player], &lines(&states));
        assert_eq!(
            (found.kind, found.cause),
            (Kind::Sinks, Cause::NextWall),
            "{found:#?}"
        );
        assert!(
            found.text.contains("pushed into wall by player") && found.text.contains(says),
            "{}",
            found.text
        );
        assert!(!found.also.contains(&Cause::Teleport));
    }
}

/// A player carries a crate through a wall, by 1 m in a frame. One that bodies can push in turn carries it only where it is deep in it.
#[test]
fn a_body_that_can_be_pushed_carries_another_by_a_deep_contact() {
    for (motion, depth, carries) in [
        ("kinematic", 0.05, true),
        ("kinematic", 0.001, true),
        ("dynamic", 0.05, true),
        ("dynamic", 0.001, false),
    ] {
        let states = [-1.05, -0.05].map(|at: f64| [(at + 0.6 - depth, 0.0), (at, 60.0)]);
        let found = of_the_crate(&[CRATE, WALL, &player(motion)], &lines(&states));
        assert_eq!(found.kind, Kind::Tunnels);
        let says = found.text.contains("pushed into wall by player");
        assert_eq!(says, carries, "{motion} {depth}: {found:#?}");
    }
}

/// The engine stops a crate deep in a wall, and ejects it on the far side, by 0.45 m in a frame and without a velocity.
#[test]
fn a_push_along_the_normal_of_a_contact_is_no_teleport() {
    let states = [
        (-0.5, 12.0),
        (-0.3, 12.0),
        (-0.1, 12.0),
        (-0.05, 0.0),
        (0.4, 0.0),
    ];
    let lines = |normal: [f64; 3]| {
        let contact = format!(
            r#","contacts":[{{"a":0,"b":1,"point":[0.1,0,0],"normal":{normal:?},"depth":0.35}}]"#
        );
        let line = |(x, v): (f64, f64)| {
            let more = if x > 0.0 { &*contact } else { "" };
            format!(r#""bodies":[{{"id":0,"p":[{x},0,0],"v":[{v},0,0]}}]{more}"#)
        };
        states.map(line).to_vec()
    };
    let pushed = of_the_crate(&[CRATE, WALL], &lines([1.0, 0.0, 0.0]));
    assert_eq!(
        (pushed.kind, pushed.cause),
        (Kind::Sinks, Cause::LetThrough)
    );
    assert!(!pushed.also.contains(&Cause::Teleport), "{pushed:#?}");
    let jumps = of_the_crate(&[CRATE, WALL], &lines([0.0, 1.0, 0.0]));
    assert_eq!((jumps.kind, jumps.cause), (Kind::Sinks, Cause::Teleport));
}

/// 1 m by a velocity of 60 m/s, and 0.15 m by the push of the engine out of the far side: the speed is that of the log, also where the velocity
/// is the new one. A displacement that a velocity explains has one speed. A push may lead aside by up to 2 % of the displacement.
#[test]
fn the_speed_in_a_sentence_is_without_the_push_of_the_engine() {
    let ball = r#"{"id":0,"name":"crate","shape":{"sphere":{"radius":0.1}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.02,2,2]}}}"#;
    for (v, start, end, says) in [
        (
            [60.0, 60.0],
            -0.6,
            [0.55, 0.0],
            "moves 1.15 m in this frame (1 m of it by its speed of 60 m/s, the rest by a push)",
        ),
        (
            [300.0, 300.0],
            -2.6,
            [2.55, 0.06],
            "moves 5.15 m in this frame (5 m of it by its speed of 300 m/s, the rest by a push)",
        ),
        (
            [300.0, 300.0],
            -2.6,
            [2.55, 0.15],
            "moves 5.15 m in this frame (309 m/s)",
        ),
        (
            [60.0, 69.0],
            -0.6,
            [0.55, 0.0],
            "moves 1.15 m in this frame (69 m/s)",
        ),
        (
            [60.0, 60.0],
            -0.6,
            [0.4, 0.0],
            "moves 1 m in this frame (60 m/s)",
        ),
    ] {
        let lines = [([start, 0.0], v[0]), (end, v[1])]
            .map(|([x, y], v)| format!(r#""bodies":[{{"id":0,"p":[{x},{y},0],"v":[{v},0,0]}}]"#));
        let found = of_the_crate(&[ball, wall], &lines);
        assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::TooFast));
        assert!(found.text.contains(says), "{}", found.text);
    }
}

/// A game sets a velocity for the step, which the log has from its end on: a ball of 0.5 m moves 1 m by 60 m/s and 0.15 m by a push. Both what was logged before
/// the step and after leave no more than it takes to be out of the wall.
#[test]
fn a_velocity_that_a_game_sets_is_the_speed_of_the_step() {
    let ball = r#"{"id":0,"name":"crate","shape":{"sphere":{"radius":0.5}}}"#;
    for (v, says) in [
        ([0.0, 60.0], "(1 m of it by its speed of 60 m/s, the rest"),
        ([60.0, 0.0], "(1 m of it by its speed of 60 m/s, the rest"),
        ([0.0, 69.0], "in this frame (69 m/s)"),
    ] {
        let lines = [(-1.0, v[0]), (0.15, v[1])]
            .map(|(x, v)| format!(r#""bodies":[{{"id":0,"p":[{x},0,0],"v":[{v},0,0]}}]"#));
        let found = of_the_crate(&[ball, WALL], &lines);
        assert_eq!(
            (found.kind, found.cause),
            (Kind::WrongSide, Cause::WrongSide)
        );
        assert!(found.text.contains(says), "{}", found.text);
    }
}

/// A crate of 0.6 m rests against a wall of 0.2 m, and a dash of one step carries its centre past: to where it overlaps the wall by 0.05 m from behind, which a
/// test at the frame's end detects. A wall that it is clear of at the end is missed from 0.8 m on, the width of both.
#[test]
fn a_dash_out_of_a_resting_contact_is_not_missed_where_the_end_detects_it() {
    let contact = |normal: f64, depth: f64| {
        format!(
            r#","contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":[{normal},0,0],"depth":{depth}}}]"#
        )
    };
    for (end, cause) in [
        (0.35, Cause::LetThrough),
        (0.4005, Cause::LetThrough),
        (0.451, Cause::TooFast),
    ] {
        for of_the_log in [false, true] {
            let line = |(x, v): (f64, f64)| {
                let overlap = 0.4 - x.abs();
                let more = match of_the_log && overlap > 0.0 {
                    true => contact(x.signum(), overlap),
                    false => String::new(),
                };
                format!(r#""bodies":[{{"id":0,"p":[{x},0,0],"v":[{v},0,0]}}]{more}"#)
            };
            let speed = (end + 0.399) * 60.0;
            let states = [(-0.399, 0.0), (-0.399, 0.0), (end, speed)];
            let found = of_the_crate(&[CRATE, WALL], &states.map(line));
            assert_eq!((found.kind, found.cause), (Kind::Sinks, cause));
            let is_missed = found.text.contains("it was missed");
            assert_eq!(is_missed, cause == Cause::TooFast, "{}", found.text);
        }
    }
}

/// A crate is set 0.08 m further each frame, without a velocity, and the engine pushes it back out of the wall, and at last out of its far side by 0.67 m:
/// driven by position, at 0.08 m a frame.
#[test]
fn a_body_that_is_set_against_a_wall_is_driven() {
    let places = [
        -0.64, -0.56, -0.48, -0.4, -0.378, -0.374, -0.368, -0.352, 0.32,
    ];
    let line = |x: f64| {
        let contact = |normal: f64| {
            format!(
                r#","contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":[{normal},0,0],"depth":0.4}}]"#
            )
        };
        let more = match x {
            x if x > 0.0 => contact(1.0),
            x if x > -0.4 => contact(-1.0),
            _ => String::new(),
        };
        format!(r#""bodies":[{{"id":0,"p":[{x},0,0],"v":[0,0,0]}}]{more}"#)
    };
    let found = of_the_crate(&[CRATE, WALL], &places.map(line));
    assert_eq!((found.kind, found.cause), (Kind::Sinks, Cause::Teleport));
    close(fix(&found, "drive_speed"), 4.8, 1e-9);
}

/// A door of 54 m/s passes a ball that settles by 7 micrometres a frame without a velocity: that is nothing against the 0.9 m.
#[test]
fn a_displacement_that_does_not_matter_is_no_teleport() {
    let ball = r#"{"id":0,"name":"crate","shape":{"sphere":{"radius":0.15}}}"#;
    let door = r#"{"id":1,"name":"wall","motion":"kinematic","shape":{"box":{"half_extents":[0.03,2,2]}}}"#;
    for (step, cause) in [(7e-6, Cause::FastObstacle), (0.4, Cause::Teleport)] {
        let line = |k: u32| {
            let (y, x) = (-step * f64::from(k), 0.9 * f64::from(k) - 1.22);
            format!(
                r#""bodies":[{{"id":0,"p":[0,{y},0],"v":[0,0,0]}},{{"id":1,"p":[{x},0,0],"v":[54,0,0]}}]"#
            )
        };
        let lines: Vec<String> = (0..4).map(line).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let all = report("", &[ball, door], &lines).findings;
        assert_eq!(
            (all[0].kind, all[0].cause),
            (Kind::Tunnels, cause),
            "{all:#?}"
        );
    }
}

/// A ball on the edge of a crate pushes it along (0.8, -0.6), and the floor up: together they move it along x. One on its top does not.
#[test]
fn contacts_that_are_not_square_explain_a_push_together() {
    let floor = r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[2,0.5,2]}},"position":[0,-0.5,0]}"#;
    let load = r#"{"id":2,"name":"player","shape":{"sphere":{"radius":0.3}},"mass":1000}"#;
    for ([aside, above], cause) in [
        ([-0.5, 0.35], Cause::LetThrough),
        ([0.0, 0.45], Cause::Teleport),
    ] {
        let line = |k: i32| {
            let x = 0.02 * f64::from(k.max(0));
            let (y, v) = if k < 0 { (0.5, -30.0) } else { (-0.1, 0.0) };
            format!(
                r#""bodies":[{{"id":0,"p":[{x},{y},0],"v":[0,{v},0]}},{{"id":2,"p":[{},{},0],"v":[0,{v},0]}}]"#,
                x + aside,
                y + 0.1 + above + if k < 0 { 1.0 } else { 0.0 }
            )
        };
        let lines: Vec<String> = (-1..40).map(line).collect();
        let found = of_the_crate(&[CRATE, floor, load], &lines);
        assert_eq!(
            (found.kind, found.cause),
            (Kind::Sinks, cause),
            "{}",
            found.text
        );
    }
}

/// A hand that nothing stops drags a crate through a wall by a joint; without it the crate is set there. A joint of a line is there in the frames before
/// and after it.
#[test]
fn a_joint_may_move_a_body_without_a_velocity() {
    let hand = player("kinematic");
    let lines = (0..20).map(|k| {
        let x = -0.7 + 0.06 * f64::from(k);
        format!(
            r#""bodies":[{{"id":0,"p":[{x},0,0],"v":[0.2,0,0]}},{{"id":2,"p":[{},0,0],"v":[3.6,0,0]}}]"#,
            x + 0.5
        )
    });
    let lines: Vec<String> = lines.collect();
    let joints = r#","joints":[[0,2]]"#;
    let found = |header: &str, of_line: Option<usize>| {
        let with_joints = |(number, line): (usize, &String)| match of_line {
            Some(of_line) if of_line == number => format!("{line}{joints}"),
            _ => line.clone(),
        };
        let lines: Vec<String> = lines.iter().enumerate().map(with_joints).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        // Whichever of the two comes first.
        let either = [[CRATE, WALL, &hand], [&hand, WALL, CRATE]].map(|objects| {
            let all = report(header, &objects, &lines).findings;
            let mut all = all.into_iter();
            let found = all.find(|found| found.a == "crate" && found.b == "wall");
            let found = found.unwrap();
            let is_tied = found.text.contains("A joint ties crate to player");
            assert_eq!(is_tied, found.cause == Cause::LetThrough, "{}", found.text);
            assert_eq!(found.kind, Kind::Sinks);
            (found.frame as usize, is_tied)
        });
        assert_eq!(either[0], either[1]);
        either[0]
    };
    assert!(!found("", None).1);
    let (frame, is_tied) = found(joints, None);
    assert!(is_tied);
    for line in [frame, frame + 1] {
        assert!(found("", Some(line)).1, "line {line}");
    }
}

/// A crate stands against a wall, and a press goes into it by 0.04 m a frame: what the press passes is the crate, and the wall holds that. Without the wall the
/// crate is only too soft.
#[test]
fn what_holds_the_body_that_is_passed_is_named() {
    let press = r#"{"id":2,"name":"press","motion":"kinematic","shape":{"box":{"half_extents":[0.2,0.3,0.3]}}}"#;
    let lines: Vec<String> = (0..20)
        .map(|k| {
            let x = -1.1 + 0.04 * f64::from(k);
            format!(r#""bodies":[{{"id":0,"p":[-0.398,0,0],"v":[0,0,0]}},{{"id":2,"p":[{x},0,0],"v":[2.4,0,0]}}]"#)
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for (objects, cause) in [
        (vec![CRATE, press, WALL], Cause::NextWall),
        (vec![CRATE, press], Cause::LetThrough),
    ] {
        let all = report("", &objects, &lines).findings;
        assert_eq!(all.len(), 1, "{all:#?}");
        assert_eq!(
            (all[0].kind, all[0].cause),
            (Kind::Sinks, cause),
            "{}",
            all[0].text
        );
        let says = "crate is pushed into wall by press, which is moved 0.04 m";
        assert_eq!(
            all[0].text.contains(says),
            cause == Cause::NextWall,
            "{}",
            all[0].text
        );
    }
}

/// Nothing pushes a kinematic body: its velocity explains its travel, or it is moved by its position.
#[test]
fn a_kinematic_body_that_its_velocity_does_not_move_is_driven_by_position() {
    let player =
        r#"{"id":0,"name":"crate","motion":"kinematic","shape":{"sphere":{"radius":0.3}}}"#;
    for (velocity, cause) in [
        ([6.0, 0.0, 0.0], Cause::LetThrough),
        ([0.0, 0.0, 0.0], Cause::Teleport),
        // Falling all the time, while its position is moved sideways.
        ([0.0, -6.0, 0.0], Cause::Teleport),
    ] {
        let lines = (0..13).map(|k| {
            let x = -0.65 + 0.1 * f64::from(k);
            format!(r#""bodies":[{{"id":0,"p":[{x},0,0],"v":{velocity:?}}}],"contacts":[]"#)
        });
        let lines: Vec<String> = lines.collect();
        let found = of_the_crate(&[player, WALL], &lines);
        assert_eq!(
            (found.kind, found.cause),
            (Kind::Sinks, cause),
            "{velocity:?}"
        );
    }
}

/// Gravity takes a crate 0.02 m into the floor, and the engine pushes it out, while a box sinks through it: the crate moves nowhere. One that moved
/// before, without a velocity, is driven.
#[test]
fn a_body_that_pushes_hold_in_its_place_is_not_driven() {
    let sinking = r#"{"id":2,"name":"box","shape":{"box":{"half_extents":[0.3,0.3,0.3]}}}"#;
    for (from, cause) in [(0.0, Cause::LetThrough), (-0.1, Cause::Teleport)] {
        let line = |k: u32| {
            let x = if k == 0 { from } else { 0.0 };
            let y = 0.71 - 0.1 * f64::from(k);
            format!(
                r#""bodies":[{{"id":0,"p":[{x},0,0],"v":[0,0,0]}},{{"id":2,"p":[0.02,{y},0],"v":[0,-6,0]}}],"pushes":[{{"id":0,"push":[0,0.02,0]}}]"#
            )
        };
        let lines: Vec<String> = (0..10).map(line).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let all = report("", &[CRATE, FLOOR, sinking], &lines);
        let found = all.findings.iter().find(|found| found.b == "crate");
        let found = found.unwrap_or_else(|| panic!("{all:#?}"));
        assert_eq!((found.kind, found.cause), (Kind::Sinks, cause), "{from}");
    }
}

const FLOOR: &str = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[5,0.5,5]}},"position":[0,-0.8,0]}"#;

/// A crate sinks into a floor by 0.5 mm a frame, 2 cm deep at first, and its velocity grows by 0.02 m/s. Half a second after it is 3.3 cm deep, 11 %
/// of its inner radius, it stays inside. What lies on it is no new push into the floor.
#[test]
fn a_load_on_a_body_that_sinks_is_no_push_into_the_next_wall() {
    let anvil = r#"{"id":2,"name":"anvil","shape":{"box":{"half_extents":[0.3,0.3,0.3]}}}"#;
    let line = |k: u32| {
        let y = match k {
            0 => 0.0,
            _ => -0.02 - 0.0005 * f64::from(k),
        };
        let v = -0.1 - 0.02 * f64::from(k);
        format!(
            r#""bodies":[{{"id":0,"p":[0,{y},0],"v":[0,{v},0]}},{{"id":2,"p":[0,{},0],"v":[0,{v},0]}}]"#,
            if k == 0 { 0.6 } else { y + 0.575 }
        )
    };
    let lines: Vec<String> = (0..90).map(line).collect();
    let found = of_the_crate(&[CRATE, FLOOR, anvil], &lines);
    assert_eq!((found.kind, found.cause), (Kind::Sinks, Cause::HiddenSpeed));
    assert!(!found.also.contains(&Cause::NextWall), "{found:#?}");
    let deep = 0.02 + 0.0005 * f64::from(found.frame);
    close(evidence(&found, "depth"), deep, 1e-9);
    assert!(found.text.contains("m deep by now"), "{}", found.text);
}

/// A lift presses a crate against a ceiling by 1 cm a frame and then stops. What leaves no room is found with its cause when the crate has been inside
/// for half a second, and the crate, which gives way to both sides, is not inside before.
#[test]
fn what_has_stopped_and_leaves_no_room_is_named() {
    let lift =
        r#"{"id":2,"name":"lift","motion":"kinematic","shape":{"box":{"half_extents":[1,0.1,1]}}}"#;
    let ceiling = r#"{"id":1,"name":"ceiling","motion":"fixed","shape":{"box":{"half_extents":[2,0.1,2]}},"position":[0,0.4,0]}"#;
    let line = |k: u32| {
        let press = 0.01 * f64::from(k.min(20));
        format!(
            r#""bodies":[{{"id":0,"p":[0,{},0],"v":[0,0,0]}},{{"id":2,"p":[0,{},0],"v":[0,0,0]}}]"#,
            0.5 * press,
            press - 0.4
        )
    };
    let lines: Vec<String> = (0..60).map(line).collect();
    let found = of_the_crate(&[CRATE, ceiling, lift], &lines);
    assert_eq!((found.kind, found.cause), (Kind::Sinks, Cause::NextWall));
    // Deeper than 3.3 cm, 11 % of the crate's half width, from state 7 on.
    assert_eq!(found.frame, 36);
    let says = "pushed into ceiling by lift";
    assert!(found.text.contains(says), "{}", found.text);
    // The contact is followed 32 frames back, from state 4 to state 37: up to state 20 the lift moves 16 cm.
    let says = "which is moved 0.16 m toward it in 33 frames";
    assert!(found.text.contains(says), "{}", found.text);
}

/// 5 cm deep for 40 states, 2 cm for 5, and 5 cm for 40 again: it was never out, and that is one finding.
#[test]
fn an_overlap_that_never_ends_stays_inside_once() {
    let depths = [vec![0.0], vec![0.05; 40], vec![0.02; 5], vec![0.05; 40]].concat();
    let line = |depth: &f64| format!(r#""bodies":[{{"id":0,"p":[0,{},0]}}]"#, -depth);
    let lines: Vec<String> = depths.iter().map(line).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let all = report("", &[CRATE, FLOOR], &lines).findings;
    let found = all
        .iter()
        .map(|found| (found.kind, found.frame, found.last_frame));
    // Half a second of 60 frames after the states 1 and 46.
    assert_eq!(found.collect::<Vec<_>>(), [(Kind::Sinks, 31, 76)]);
}

/// 5 cm deep to the end of the log, for more than half a second and for less. Where masks leave the pair out, it may be inside for ever.
#[test]
fn an_overlap_at_the_end_of_a_log_stays_inside_after_half_a_second() {
    let leaves_out = FLOOR.replace(r#""motion""#, r#""mask":2,"motion""#);
    for (floor, deep, count) in [(FLOOR, 32, 1), (FLOOR, 30, 0), (&*leaves_out, 40, 0)] {
        let line = |depth: f64| format!(r#""bodies":[{{"id":0,"p":[0,{},0]}}]"#, -depth);
        let mut lines = vec![line(0.0)];
        lines.resize(1 + deep, line(0.05));
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let all = report("", &[CRATE, floor], &lines).findings;
        assert_eq!(all.len(), count, "{floor}, {deep} states: {all:#?}");
    }
}

/// A body that stands on a floor and appears ten metres higher was not pushed there.
#[test]
fn a_jump_longer_than_the_body_is_no_push() {
    let floor = r#"{"id":2,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[5,0.5,5]}},"position":[0,-0.8,0]}"#;
    let wall = r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[5,0.1,5]}},"position":[0,5,0]}"#;
    let line = |y: f64| format!(r#""bodies":[{{"id":0,"p":[0,{y},0],"v":[0,0,0]}}]"#);
    let lines = [0.0, 0.0, 10.0].map(line);
    let found = of_the_crate(&[CRATE, wall, floor], &lines);
    assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::Teleport));
}

/// The same from 0.05 m away: only the log says that they touch, in either order of the two.
#[test]
fn a_body_that_pushes_is_known_by_the_contacts_of_the_log() {
    let player = player("kinematic");
    let states: Vec<[(f64, f64); 2]> = (0..9)
        .map(|k| {
            let at = -1.2 + 0.1 * f64::from(k);
            [((at + 0.65).max(-0.4), 0.0), (at, 6.0)]
        })
        .collect();
    for (contact, is_pushed) in [
        (
            r#"{"a":0,"b":2,"point":[0,0,0],"normal":[1,0,0],"depth":0}"#,
            true,
        ),
        (
            r#"{"a":2,"b":0,"point":[0,0,0],"normal":[-1,0,0],"depth":0}"#,
            true,
        ),
        (
            r#"{"a":2,"b":1,"point":[0,0,0],"normal":[-1,0,0],"depth":0}"#,
            false,
        ),
    ] {
        let mut lines = lines(&states);
        lines
            .iter_mut()
            .for_each(|line| *line += &format!(r#","contacts":[{contact}]"#));
        let found = of_the_crate(&[CRATE, WALL, &player], &lines);
        let pushed = found.cause == Cause::NextWall || found.also.contains(&Cause::NextWall);
        assert_eq!(pushed, is_pushed, "{contact}: {found:#?}");
    }
}

/// A ball rests on a lift that jumps by 0.5 m in a frame: the contact before had nothing to hold.
#[test]
fn a_lift_that_jumps_through_a_resting_ball_is_a_fast_obstacle() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let lift = r#"{"id":2,"name":"lift","motion":"kinematic","shape":{"box":{"half_extents":[1,0.05,1]}}}"#;
    let contact = r#","contacts":[{"a":0,"b":2,"point":[0,0.05,0],"normal":[0,1,0],"depth":0}]"#;
    for contact in [contact, ""] {
        let state = |y: f64, v: f64, more: &str| {
            format!(
                r#""bodies":[{{"id":0,"p":[0,0.15,0],"v":[0,0,0]}},{{"id":2,"p":[0,{y},0],"v":[0,{v},0]}}]{more}"#
            )
        };
        let rests = state(0.0, 0.0, contact);
        let frames = [&*rests, &rests, &rests, &state(0.5, 30.0, "")];
        let all = report("", &[ball, lift], &frames).findings;
        assert_eq!(all.len(), 1, "{all:#?}");
        assert_eq!(all[0].cause, Cause::FastObstacle);
        assert!(!all[0].also.contains(&Cause::LetThrough));
        close(evidence(&all[0], "obstacle_share"), 1.0, 1e-9);
    }
}

/// A ball at rest is put 0.25 m deep into a wall, and creeps out: after half a second the jump is named, with its frame.
#[test]
fn an_overlap_that_began_by_a_jump_names_the_jump() {
    let ball = r#"{"id":0,"name":"crate","shape":{"sphere":{"radius":0.3}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.4,2,2]}}}"#;
    let states = (0..40).map(|k| {
        let x = match k {
            0 | 1 => -2.9,
            k => -0.45 - 0.001 * f64::from(k),
        };
        format!(r#""bodies":[{{"id":0,"p":[{x},0,0],"v":[0.06,0,0]}}]"#)
    });
    let lines: Vec<String> = states.collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let all = report("", &[ball, wall], &lines).findings;
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_eq!((all[0].kind, all[0].cause), (Kind::Sinks, Cause::Teleport));
    let says = "crate moves 2.45 m in frame 1, in which this overlap begins, but its speed of 0.06 m/s explains only 0.001 m.";
    assert!(all[0].text.starts_with(says), "{}", all[0].text);
}
