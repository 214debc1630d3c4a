//! Ghost contacts, contacts with a wrong normal, and their clean neighbours.

use super::{BALL, FLOOR, bundled, close, contact, frame, phantoms, report};
use crate::common::findings::{evidence, fix};
use crate::common::levels::{diagnosed, log_of, opened};
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::Cause;

/// The ball's lowest point is 0.03 m above the floor before the step and 0.03 + 1/60 after it; it gained 1 m/s upward. Along
/// its old velocity (6, 0, 0) it stays 0.03 m above; back from its end along (6, 1, 0) it is 0.03 m above at the start.
#[test]
fn a_contact_that_kicks_a_ball_that_would_have_passed_is_a_ghost() {
    for (depth, says) in [
        (-0.03, "0.03 m ahead of the touch"),
        (0.0, "0 m deep"),
        (0.01, "0.01 m deep"),
    ] {
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
        // 2 % of the radius, and 8 roundings of an f32 at the distance of (0.1, 0.53 + 1/60) from the origin.
        let rounding = 8.0 * f64::from(f32::EPSILON) * 0.1_f64.hypot(0.53 + 1.0 / 60.0);
        close(evidence(found[0], "tolerance"), 0.01 + rounding);
        close(fix(found[0], "max_margin"), 0.03);
        for part in ["ball", "floor", "0.03 m", "1 m/s", says] {
            assert!(
                found[0].text.contains(part),
                "{part} is not in {}",
                found[0].text
            );
        }
    }
}

/// A ball rests 0.05 m above a floor, within the margin: what it is given is a frame's fall, 0.1635 m/s. Three times as much is a push.
#[test]
fn a_ball_that_rests_a_margin_above_the_floor_is_supported() {
    for (gained, ghosts) in [(0.0, 0), (0.327, 1)] {
        let frames = [
            frame([0.0, 0.55, 0.0], Some([0.0; 3]), ""),
            frame([0.0, 0.55, 0.0], Some([0.0, gained, 0.0]), &contact(0.005)),
        ];
        let header = r#","gravity":[0,-9.81,0],"margin":0.045"#;
        let report = report(header, &[BALL, FLOOR], &[&frames[0], &frames[1]]);
        assert_eq!(phantoms(&report).len(), ghosts, "{:#?}", report.findings);
    }
}

/// The centre of a ball is 5 mm below the top of the floor, a hundredth of its radius: the way out is up, and the way on is down.
#[test]
fn a_ball_hardly_past_a_face_may_be_pushed_to_either_side() {
    for up in [1.0, -1.0] {
        let contact = format!(
            r#","contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":[0,{up},0],"depth":0.505}}]"#
        );
        let line = frame([0.0, -0.005, 0.0], Some([0.0; 3]), &contact);
        let level = opened(
            "log.jsonl",
            log_of("", &[BALL, FLOOR], &[&line, &line, &line]),
        );
        let report = diagnosed(&level);
        let mut notices = report.notices.iter();
        assert!(
            !notices.any(|it| it.contains("normal")),
            "{up}: {:?}",
            report.notices
        );
        assert!(phantoms(&report).is_empty(), "{up}: {:#?}", report.findings);
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

/// The ball stays 0.03 m above the floor. A margin of 0.05 m explains the contact, and a smaller one is the fix; one of 0.02 m is smaller already.
#[test]
fn a_margin_that_is_met_is_no_fix() {
    let frames = [
        frame([0.0, 0.53, 0.0], Some([6.0, 0.0, 0.0]), ""),
        frame(
            [0.1, 0.53 + 1.0 / 60.0, 0.0],
            Some([6.0, 1.0, 0.0]),
            &contact(0.001),
        ),
    ];
    for (margin, is_met) in [(0.02, true), (0.05, false)] {
        let header = format!(r#","margin":{margin}"#);
        let report = report(&header, &[BALL, FLOOR], &[&frames[0], &frames[1]]);
        let found = &phantoms(&report)[0];
        assert_eq!(found.cause, Cause::Ghost);
        assert_eq!(found.fixes.is_empty(), is_met, "{}", found.text);
        let says = "farther than the engine's margin of 0.02 m";
        assert_eq!(found.text.contains(says), is_met, "{}", found.text);
    }
}

/// A game sets 30 m/s for a step: a crate of 0.6 m moves 0.5 m, to 0.1 m deep in a wall. There the engine finds its contacts, and a stone between the two pushes
/// the crate back in the same step, to 0.05 m before the wall. The log has 2 m/s before and -0.6 m/s after, which lead nowhere near. The stone does so if it is
/// pushed out by what the contact says and the gap together, 0.15 m.
#[test]
fn a_contact_that_another_one_pushes_apart_in_the_same_step_is_no_ghost() {
    let crates = r#"{"id":0,"name":"crate","shape":{"box":{"half_extents":[0.3,0.3,0.3]}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,2,2]}}}"#;
    let stone = r#"{"id":2,"name":"stone","shape":{"sphere":{"radius":0.1}}}"#;
    let contact = |other: u32, normal: f64, depth: f64| {
        format!(
            r#"{{"a":0,"b":{other},"point":[-0.15,0,0],"normal":[{normal},0,0],"depth":{depth}}}"#
        )
    };
    let wall_only = contact(1, -1.0, 0.1);
    for (more, ghosts) in [
        (wall_only.clone(), 1),
        (format!("{wall_only},{}", contact(2, -1.0, 0.16)), 0),
        // It pushes too little, or the other way.
        (format!("{wall_only},{}", contact(2, -1.0, 0.12)), 1),
        (format!("{wall_only},{}", contact(2, 1.0, 0.16)), 1),
        // Of a push aside 0.6 count.
        (
            format!(
                "{wall_only},{}",
                contact(2, -0.6, 0.16).replace(",0,0],\"depth", ",0.8,0],\"depth")
            ),
            1,
        ),
    ] {
        let line = |x: f64, v: f64, more: &str| {
            format!(
                r#""bodies":[{{"id":0,"p":[{x},0,0],"v":[{v},0,0]}},{{"id":2,"p":[-0.16,0,0],"v":[0,0,0]}}]{more}"#
            )
        };
        let contacts = format!(r#","contacts":[{more}]"#);
        let lines = [line(-0.8, 2.0, ""), line(-0.45, -0.6, &contacts)];
        let report = report(
            r#","gravity":[0,0,0]"#,
            &[crates, wall, stone],
            &[&lines[0], &lines[1]],
        );
        let found = phantoms(&report);
        let found = found.iter().filter(|ghost| ghost.b == "wall").count();
        assert_eq!(found, ghosts, "{more}: {:#?}", report.findings);
    }
}

/// Two balls at rest, 0.015 m apart, of which another contact kicks the first. At 1.5 m/s it comes 0.024 m nearer in the next frame: the
/// contact that holds the second ahead of that touch is no ghost. Where both get the same speed, they never meet.
#[test]
fn a_contact_that_is_touched_in_the_next_frame_is_no_ghost() {
    let other = r#"{"id":1,"name":"other","shape":{"sphere":{"radius":0.5}}}"#;
    let line = |kicked: f64, held: f64, more: &str| {
        format!(
            r#""bodies":[{{"id":0,"p":[0,0,0],"v":[{kicked},0,0]}},{{"id":1,"p":[1.015,0,0],"v":[{held},0,0]}}]{more}"#
        )
    };
    let contact =
        r#","contacts":[{"a":0,"b":1,"point":[0.5,0,0],"normal":[-1,0,0],"depth":-0.015}]"#;
    for (kicked, ghosts) in [(1.5, 0), (0.04, 1)] {
        let lines = [line(0.0, 0.0, ""), line(kicked, 0.04, contact)];
        let header = r#","margin":0.02,"gravity":[0,0,0]"#;
        let report = report(header, &[BALL, other], &[&lines[0], &lines[1]]);
        let found = phantoms(&report);
        assert_eq!(found.len(), ghosts, "{:#?}", report.findings);
        for ghost in found {
            close(evidence(ghost, "speed_change"), 0.04);
            close(fix(ghost, "max_margin"), 0.015);
            assert_eq!((ghost.a.as_str(), ghost.b.as_str()), ("ball", "other"));
            assert_eq!(ghost.normal, [-1.0, 0.0, 0.0]);
        }
    }
}

/// The centre of a ball is 0.5 mm inside the face of a blade, which turns away by a radian. The engine's normal is that of the blade's end, at a
/// right angle, and gives 4.75 m/s along it, whichever way the two are turned.
#[test]
fn a_normal_of_another_face_is_wrong_at_any_rotation() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let blade = r#"{"id":1,"name":"blade","motion":"kinematic","shape":{"box":{"half_extents":[2,0.04,2]}}}"#;
    for angle in [0.0, 0.5, 2.0, -1.2] {
        let turned = DQuat::from_rotation_z(angle);
        let at = |x: f64, y: f64| (turned * DVec3::new(x, y, 0.0)).to_array();
        let line = |x: f64, v: f64, by: f64, more: &str| {
            let q = (turned * DQuat::from_rotation_z(by)).to_array();
            format!(
                r#""bodies":[{{"id":0,"p":{:?},"v":{:?}}},{{"id":1,"p":[0,0,0],"q":{q:?},"v":[0,0,0]}}]{more}"#,
                at(x, 0.0395),
                at(v, 0.0)
            )
        };
        let contact = format!(
            r#","contacts":[{{"a":0,"b":1,"point":{:?},"normal":{:?},"depth":0.5}}]"#,
            at(1.5, 0.0395),
            at(1.0, 0.0)
        );
        let lines = [
            line(1.6, 0.0, 0.0, ""),
            line(1.6 + 4.75 / 60.0, 4.75, -1.0, &contact),
        ];
        let report = report(
            r#","gravity":[0,0,0]"#,
            &[ball, blade],
            &[&lines[0], &lines[1]],
        );
        let found = phantoms(&report);
        assert_eq!(found.len(), 1, "{angle}: {:#?}", report.findings);
        assert_eq!(found[0].cause, Cause::OwnQuery);
        close(evidence(found[0], "normal_angle_degrees"), 90.0);
        close(evidence(found[0], "speed_change"), 4.75);
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

/// Normals that are off without an effect are one notice; where most are reversed, another.
#[test]
fn tilted_normals_without_an_effect_are_a_notice() {
    const FLOOR: &str = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[9,0.25,9]}},"position":[0,-0.25,0]}"#;
    const BOX: &str = r#"{"id":0,"name":"crate","shape":{"box":{"half_extents":[0.5,0.5,0.5]}}}"#;
    const REVERSED: &str = "2 logged contacts of 2 have a reversed normal";
    let report = |body: &str, normal: &str| {
        let state = r#""bodies":[{"id":0,"p":[0,0.5,0],"v":[1,0,0]}]"#;
        let next = format!(
            r#""bodies":[{{"id":0,"p":[0.016,0.5,0],"v":[1,0,0]}}],"contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":{normal},"depth":0}}]"#
        );
        report("", &[body, FLOOR], &[state, &next, &next])
    };
    for (body, normal, notice) in [
        (
            BALL,
            "[0.6,0.8,0]",
            "2 logged contacts of 2 have a normal 37 degrees off the exact one",
        ),
        (BALL, "[0,-1,0]", REVERSED),
        (BOX, "[0,-1,0]", REVERSED),
    ] {
        let report = report(body, normal);
        assert_eq!(report.findings, []);
        let starts = |one: &String| one.starts_with(notice);
        assert!(report.notices.iter().any(starts), "{:?}", report.notices);
    }
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

/// A wedge of 150 degrees is one; two walls of a groove at a right angle, contacts that only are near, and two pairs are none.
#[test]
fn opposed_contacts_of_a_pair_are_a_notice() {
    const POST: &str = r#"{"id":2,"name":"post","motion":"fixed","shape":{"box":{"half_extents":[1,1,1]}},"position":[0,1.5,0]}"#;
    let notices = |others: [&str; 2]| {
        let state = frame([0.0, 0.5, 0.0], None, "");
        let contact = |other: &&str| format!(r#"{{"point":[0,0,0],{other}}}"#);
        let contacts = others.each_ref().map(contact).join(",");
        let line = frame(
            [0.0, 0.5, 0.0],
            None,
            &format!(r#","contacts":[{contacts}]"#),
        );
        let all = report("", &[BALL, FLOOR, POST], &[&state, &line, &line]).notices;
        all.into_iter()
            .filter(|notice| notice.contains("against each other"))
            .collect::<Vec<_>>()
    };
    let floor = r#""a":0,"b":1,"normal":[0,1,0],"depth":0.01"#;
    for wedge in [
        r#""a":0,"b":1,"normal":[0,-1,0],"depth":0.01"#,
        r#""a":1,"b":0,"normal":[0,1,0],"depth":0"#,
        r#""a":0,"b":1,"normal":[0.49,-0.88,0],"depth":0"#,
    ] {
        let found = notices([floor, wedge]);
        assert_eq!(found.len(), 1, "{wedge}");
        assert!(
            found[0].contains("in 2 lines, first those of ball and floor in frame 1"),
            "{found:?}"
        );
    }
    for silent in [
        r#""a":0,"b":1,"normal":[1,0,0],"depth":0.01"#,
        r#""a":0,"b":1,"normal":[0.51,-0.86,0],"depth":0"#,
        r#""a":0,"b":1,"normal":[0,-1,0],"depth":-0.001"#,
        r#""a":0,"b":2,"normal":[0,-1,0],"depth":0.01"#,
    ] {
        assert!(notices([floor, silent]).is_empty(), "{silent}");
    }
}

/// The ball that a contact with the floor kicks although it passes 0.03 m above, beside a rail: what is within 2 % of its radius may have kicked it.
#[test]
fn a_kick_beside_something_else_is_no_ghost() {
    for (beside, expected) in [(0.006, 0), (0.02, 1)] {
        let rail = format!(
            r#"{{"id":2,"name":"rail","motion":"fixed","shape":{{"box":{{"half_extents":[5,5,0.5]}}}},"position":[0,0,{}]}}"#,
            1.0 + beside
        );
        let frames = [
            frame([0.0, 0.53, 0.0], Some([6.0, 0.0, 0.0]), ""),
            frame(
                [0.1, 0.53 + 1.0 / 60.0, 0.0],
                Some([6.0, 1.0, 0.0]),
                &contact(-0.03),
            ),
        ];
        let report = report("", &[BALL, FLOOR, &rail], &[&frames[0], &frames[1]]);
        assert_eq!(phantoms(&report).len(), expected, "{:#?}", report.findings);
    }
}

/// A margin of 0.05 m stops a ball 0.03 m above the floor that would go on for four frames of 1/60 s: at 0.6 m/s it would have hit, at 0.2 m/s
/// not.
#[test]
fn a_margin_stops_what_would_have_hit_soon() {
    for (speed, expected) in [(0.6, 0), (0.2, 1)] {
        let frames = [
            frame([0.0, 0.53, 0.0], Some([0.0, -speed, 0.0]), ""),
            frame([0.0, 0.53, 0.0], Some([0.0; 3]), &contact(-0.03)),
        ];
        let header = r#","margin":0.05"#;
        let report = report(header, &[BALL, FLOOR], &[&frames[0], &frames[1]]);
        assert_eq!(phantoms(&report).len(), expected, "{:#?}", report.findings);
    }
}

/// A ball on the floor of a room, 0.005 m from its wall: both normals are right, whichever is nearer, of the triangles of a mesh as of the boxes of a
/// compound; one between the wall and the depth of the room is that of neither.
#[test]
fn a_ball_in_a_groove_has_the_normals_of_all_parts_in_range() {
    let mesh = r#"{"mesh":{"vertices":[[-5,0,-5],[0,0,-5],[0,0,5],[-5,0,5],[0,5,-5],[0,5,5]],"triangles":[[0,2,1],[0,3,2],[1,2,5],[1,5,4]]}}"#;
    let compound = r#"{"compound":[{"shape":{"box":{"half_extents":[5,0.5,5]}},"position":[-5,-0.5,0]},{"shape":{"box":{"half_extents":[0.5,5,5]}},"position":[0.5,5,0]}]}"#;
    for shape in [mesh, compound] {
        let room = format!(r#"{{"id":1,"name":"room","motion":"fixed","shape":{shape}}}"#);
        for (normal, expected) in [
            ([-1.0, 0.0, 0.0], 0),
            ([0.0, 1.0, 0.0], 0),
            ([-0.6, 0.0, 0.8], 1),
        ] {
            let contact = format!(
                r#","contacts":[{{"a":0,"b":1,"point":[0,0.5,0],"normal":{normal:?},"depth":0}}]"#
            );
            let at = [-0.505, 0.5, 0.0];
            let frames = [
                frame(at, Some(normal.map(|part| -part)), ""),
                frame(at, Some(normal), &contact),
            ];
            let report = report("", &[BALL, &room], &[&frames[0], &frames[1]]);
            let found = phantoms(&report);
            assert_eq!(found.len(), expected, "{normal:?}: {:#?}", report.findings);
            assert!(found.iter().all(|found| found.cause == Cause::OwnQuery));
        }
    }
}

/// A ball slides on the floor at 6 m/s, from 5 m on, in a log without velocities: a tilted normal has no effect while the positions go on evenly, and has
/// one where it stops.
#[test]
fn speeds_are_taken_from_positions_where_the_log_has_none() {
    let floor = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[9,0.5,9]}},"position":[0,-0.5,0]}"#;
    let tilted = r#","contacts":[{"a":0,"b":1,"point":[5.1,0,0],"normal":[-0.6,0.8,0],"depth":0}]"#;
    for (last, expected) in [(5.2, 0), (5.1, 1)] {
        let lines = [(5.0, ""), (5.1, ""), (last, tilted)]
            .map(|(x, more)| frame([x, 0.5, 0.0], None, more));
        let report = report("", &[BALL, floor], &lines.each_ref().map(String::as_str));
        let found = phantoms(&report);
        assert_eq!(found.len(), expected, "{last}: {:#?}", report.findings);
    }
}

/// A door pushes a ball by 0.03 m a frame, and stays 0.03 m behind it in each line: the engine tests the door where it ends against the ball where it
/// begins. Before the first line, the ball was where its velocity leads back to. Against a door at rest that contact is a ghost.
#[test]
fn one_of_the_two_may_be_tested_where_it_ends() {
    const DOOR: &str = r#"{"id":1,"name":"door","motion":"kinematic","shape":{"box":{"half_extents":[0.05,2,2]}}}"#;
    let of = |push: f64| {
        let line = |k: u32| {
            let (ball, door) = (0.03 * f64::from(k), push * f64::from(k) - 0.58);
            format!(
                r#""bodies":[{{"id":0,"p":[{ball},0,0],"v":[1.8,0,0]}},{{"id":1,"p":[{door},0,0],"v":[{},0,0]}}],"contacts":[{{"a":0,"b":1,"point":[{},0,0],"normal":[1,0,0],"depth":0}}]"#,
                60.0 * push,
                door + 0.05
            )
        };
        let lines = [0, 1, 2, 3].map(line);
        let lines = lines.each_ref().map(String::as_str);
        report("", &[BALL, DOOR], &lines)
    };
    let pushed = of(0.03);
    assert!(pushed.findings.is_empty(), "{:#?}", pushed.findings);
    assert_eq!(phantoms(&of(0.0)).len(), 1);
}

/// A walker leaves a wall and the engine keeps the contact, 0.3 m deep: no smaller margin helps.
#[test]
fn a_contact_of_an_earlier_state_is_called_one() {
    const WALKER: &str =
        r#"{"id":0,"name":"walker","motion":"kinematic","shape":{"sphere":{"radius":0.5}}}"#;
    let line = |k: u32| frame([-0.3 - 0.2 * f64::from(k), 0.0, 0.0], None, &contact(0.3));
    const WALL: &str =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,2,2]}}}"#;
    let lines = [0, 1, 2, 3].map(line);
    let lines = lines.each_ref().map(String::as_str);
    let all = report("", &[WALKER, WALL], &lines);
    let found = phantoms(&all);
    assert_eq!(found.len(), 1, "{:#?}", all.findings);
    // In state 1 its surface is 0.1 m deep, in state 2 0.1 m away.
    assert_eq!((found[0].cause, found[0].frame), (Cause::Ghost, 2));
    let says = "it is of an earlier state, kept by the engine (a stale manifold); they touch last in state 1.";
    assert!(found[0].text.contains(says), "{}", found[0].text);
    assert_eq!(found[0].fixes, []);
}

/// A ball rolls round the edge of a box, by 60 degrees: its normal is up at the start, and at 60 degrees from that at the end. An engine that tests
/// it in between has one between the two, at 30 degrees from both; it has none at 45 degrees on the other side.
#[test]
fn a_normal_between_those_of_both_ends_is_right() {
    let edge = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[2,0.5,2]}},"position":[-2,-0.5,0]}"#;
    for (degrees, wrong) in [(30.0_f64, 0), (-45.0, 1)] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let contact = format!(
            r#","contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":[{sin},{cos},0],"depth":0}}]"#
        );
        let lines = [
            frame([-0.001, 0.5, 0.0], Some([26.0, 0.0, 0.0]), ""),
            frame(
                [0.5 * 0.75_f64.sqrt(), 0.25, 0.0],
                Some([26.0 + 20.0 * sin, 20.0 * cos, 0.0]),
                &contact,
            ),
        ];
        let header = r#","gravity":[0,0,0]"#;
        let report = report(header, &[BALL, edge], &[&lines[0], &lines[1]]);
        assert_eq!(
            phantoms(&report).len(),
            wrong,
            "{degrees}: {:#?}",
            report.findings
        );
    }
}

/// A bar of 2 m, 3 cm above a floor, turns by 4/60 rad in four frames, by which its end comes down 6 cm: the contact that lifts it ahead of that touch, within
/// the margin, is no ghost. Without a spin it would stay above.
#[test]
fn a_contact_that_a_turn_leads_to_is_no_ghost() {
    let bar = r#"{"id":0,"name":"bar","shape":{"box":{"half_extents":[1,0.1,0.1]}}}"#;
    for (spin, ghosts) in [(1.0, 0), (0.0, 1)] {
        let line = |v: f64, more: &str| {
            format!(r#""bodies":[{{"id":0,"p":[0,0.13,0],"v":[0,{v},0],"w":[0,0,{spin}]}}]{more}"#)
        };
        let lines = [line(0.0, ""), line(0.5, &contact(-0.03))];
        let header = r#","margin":0.05,"gravity":[0,0,0]"#;
        let report = report(header, &[bar, FLOOR], &[&lines[0], &lines[1]]);
        assert_eq!(
            phantoms(&report).len(),
            ghosts,
            "{spin}: {:#?}",
            report.findings
        );
    }
}

/// A character is 0.05 m above the floor, with which its controller makes a contact: it looks 0.3 m up a step and 0.2 m down to the floor. The character may
/// be either of the two.
#[test]
fn a_contact_in_reach_of_a_controller_is_no_ghost() {
    let player = BALL.replace(r#""id":0,"#, r#""id":0,"motion":"kinematic","#);
    let moves = r#","moves":[{"id":0,"from":[0,0.55,0],"wish":[0,0,0],"to":[0,0.55,0],"grounded":true,"max_step":0.3,"snap":0.2}]"#;
    for (pair, up) in [(r#""a":0,"b":1"#, 1), (r#""a":1,"b":0"#, -1)] {
        for (moves, ghosts) in [(moves, 0), ("", 1)] {
            let contact = format!(
                r#","contacts":[{{{pair},"point":[0,0,0],"normal":[0,{up},0],"depth":0.01}}]{moves}"#
            );
            let lines = [
                frame([0.0, 0.55, 0.0], None, ""),
                frame([0.0, 0.55, 0.0], None, &contact),
            ];
            let level = opened("log.jsonl", log_of("", &[&player, FLOOR], &lines));
            let report = diagnosed(&level);
            assert_eq!(
                phantoms(&report).len(),
                ghosts,
                "{pair} {moves}: {:#?}",
                report.findings
            );
        }
    }
}

/// A ball is 5 mm above the floor when the frame begins and 0.1 m when it ends: somewhere between the engine may have had any normal.
#[test]
fn a_ball_that_only_leaves_has_no_exact_normal() {
    let contact = r#","contacts":[{"a":0,"b":1,"point":[0,0,0],"normal":[0.6,0.8,0],"depth":0}]"#;
    let lines = [
        frame([0.0, 0.505, 0.0], None, ""),
        frame([0.1, 0.6, 0.0], None, contact),
    ];
    let level = opened("log.jsonl", log_of("", &[BALL, FLOOR], &lines));
    let report = diagnosed(&level);
    assert!(phantoms(&report).is_empty(), "{:#?}", report.findings);
    let mut notices = report.notices.iter();
    assert!(
        !notices.any(|it| it.contains("normal")),
        "{:?}",
        report.notices
    );
}
