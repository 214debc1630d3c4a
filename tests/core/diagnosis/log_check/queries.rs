//! Logged ray casts and sweeps.

use super::{BALL, FLOOR, close, frame, phantoms, report};
use crate::common::findings::evidence;
use crate::common::levels::{diagnosed, log_of, opened};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Report, SceneSelection, minimal_scene};

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

/// The wall is of the layer 1: a filter that has it does not excuse a ray that passes the wall.
#[test]
fn a_filter_that_has_the_layer_excuses_nothing() {
    for (mask, expected) in [(1, 1), (3, 1), (2, 0)] {
        let query =
            format!(r#"{{"kind":"ray","from":[0,0,0],"to":[5,0,0],"mask":{mask},"hit":null}}"#);
        let found = query_report(&query).findings;
        assert_eq!(found.len(), expected, "{mask}: {found:#?}");
    }
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
    // 8 m in a frame of 1/60 s.
    let velocity = scene.objects[0].velocity;
    assert!((velocity - DVec3::X * 480.0).length() < 1e-9, "{velocity}");
    assert_eq!(scene.expect.len(), 1);
    let refused = level(r#""shape":{"plane":{"normal":[0,1,0]}}"#, 0.0, "null");
    let notice = refused.notices[0].to_string();
    assert!(notice.contains("a query sweeps a convex shape"), "{notice}");
}

/// A ball of 0.2 m is swept from either side to a sheet whose front faces +x. From behind engines differ; from the front it stops 0.2 m short of the sheet.
#[test]
fn sweeps_from_behind_a_one_sided_surface_may_hit_or_miss() {
    let [a, b, c] = [[0, -9, -9], [0, 18, -9], [0, -9, 18]];
    let (hit, back) = (
        r#"{"id":1,"fraction":0.45,"normal":[1,0,0]}"#,
        r#"{"id":1,"fraction":0.45,"normal":[-1,0,0]}"#,
    );
    for (facing, from_behind) in [("front", [0, 0]), ("both", [0, 1])] {
        for shape in [
            format!(r#"{{"triangle":{{"a":{a:?},"b":{b:?},"c":{c:?},"facing":"{facing}"}}}}"#),
            format!(
                r#"{{"mesh":{{"vertices":[{a:?},{b:?},{c:?}],"triangles":[[0,1,2]],"facing":"{facing}"}}}}"#
            ),
        ] {
            let sheet = format!(
                r#"{{"id":1,"name":"sheet","motion":"fixed","position":[2,0,0],"shape":{shape}}}"#
            );
            let count = |from: u32, to: u32, answer: &str| {
                let query = format!(
                    r#","queries":[{{"kind":"sweep","id":0,"from":[{from},0,0],"to":[{to},0,0],"radius":0.2,"hit":{answer}}}]"#
                );
                let lines = still(&query);
                let all = report("", &[BALL, &sheet], &[&lines[0], &lines[1], &lines[2]]);
                phantoms(&all).len()
            };
            let behind = [count(0, 4, back), count(0, 4, "null")];
            assert_eq!(behind, from_behind, "{shape}");
            assert_eq!([count(4, 0, hit), count(4, 0, "null")], [0, 1], "{shape}");
        }
    }
}

/// A ray of a wheel that begins 0.3 m below the floor, whose body is above it. From within the body, without a body, or with a mask that
/// leaves the floor out it is no notice.
#[test]
fn a_query_that_begins_behind_a_surface_is_a_notice() {
    let notices = |y: f64, more: &str| {
        let query = format!(
            r#","queries":[{{"kind":"ray","from":[0,{y},0],"to":[0,{},0],"hit":null{more}}}]"#,
            y - 1.0
        );
        let lines = [
            frame([0.0, 1.0, 0.0], None, ""),
            frame([0.0, 1.0, 0.0], None, &query),
        ];
        let all = report("", &[BALL, FLOOR], &[&lines[0], &lines[1]]);
        let mut notices = all.notices.into_iter();
        notices.find(|notice| notice.contains("behind a surface"))
    };
    let own = r#","id":0"#;
    let notice = notices(-0.3, own).unwrap();
    assert!(
        notice.contains("ball") && notice.contains("floor"),
        "{notice}"
    );
    assert_eq!(notices(0.6, own), None);
    assert_eq!(notices(-0.01, own), None);
    assert_eq!(notices(-0.3, ""), None);
    assert_eq!(notices(-0.3, r#","id":0,"mask":2"#), None);
}

/// A lift goes from one side of a path to the other between two states, beside it: a swept ball of 0.3 m may have hit it where its side, 0.2 m from
/// its middle, is no farther away than that and the 5 mm that are allowed.
#[test]
fn a_sweep_may_hit_what_passes_its_path_between_two_states() {
    const LIFT: &str = r#"{"id":2,"name":"lift","motion":"kinematic","shape":{"box":{"half_extents":[0.2,0.2,0.2]}}}"#;
    for (beside, expected) in [(0.4, 0), (0.504, 0), (0.506, 1)] {
        let line = |x: f64, y: f64, more: &str| {
            format!(r#""bodies":[{{"id":0,"p":[9,9,9]}},{{"id":2,"p":[{x},{y},{beside}]}}]{more}"#)
        };
        let query = r#","queries":[{"kind":"sweep","from":[0,0,0],"to":[5,5,0],"radius":0.3,"hit":{"id":2,"fraction":0.45}}]"#;
        let lines = [line(1.0, 4.0, ""), line(4.0, 1.0, query)];
        let report = report("", &[BALL, LIFT], &[&lines[0], &lines[1]]);
        let found = phantoms(&report);
        assert_eq!(found.len(), expected, "{beside}: {:#?}", report.findings);
    }
}

/// A lift is there only in the state of a ray, or only in the one before: either way the ray hits it, at 1.8 m of 5 m.
#[test]
fn a_query_may_meet_what_is_there_in_one_of_two_states() {
    const LIFT: &str = r#"{"id":2,"name":"lift","motion":"kinematic","shape":{"box":{"half_extents":[0.2,0.2,0.2]}}}"#;
    let there = r#",{"id":2,"p":[2,0,0]}"#;
    for [before, after] in [[there, ""], ["", there]] {
        for (answer, expected) in [(r#"{"id":2,"fraction":0.36}"#, 0), ("null", 1)] {
            let line = |lift: &str, more: &str| {
                format!(r#""bodies":[{{"id":0,"p":[9,9,9]}}{lift}]{more}"#)
            };
            let query = format!(
                r#","queries":[{{"kind":"ray","from":[0,0,0],"to":[5,0,0],"hit":{answer}}}]"#
            );
            let lines = [line(before, ""), line(after, &query)];
            let report = report("", &[BALL, LIFT], &[&lines[0], &lines[1]]);
            let found = phantoms(&report);
            assert_eq!(found.len(), expected, "{answer}: {:#?}", report.findings);
        }
    }
}

/// A ray to a ball of 0.02 m: a tenth of that is allowed, and not the 0.005 m of larger bodies.
#[test]
fn small_bodies_are_judged_by_their_size() {
    const PEBBLE: &str = r#"{"id":1,"name":"pebble","motion":"fixed","shape":{"sphere":{"radius":0.02}},"position":[2,0,0]}"#;
    for (off, expected) in [(0.0015, 0), (0.003, 1)] {
        let query = format!(
            r#","queries":[{{"kind":"ray","from":[0,0,0],"to":[5,0,0],"hit":{{"id":1,"fraction":{}}}}}]"#,
            (1.98 + off) / 5.0
        );
        let line = |more: &str| frame([0.0, 9.0, 0.0], None, more);
        let report = report("", &[BALL, PEBBLE], &[&line(""), &line(&query)]);
        let found = phantoms(&report);
        assert_eq!(found.len(), expected, "{off}: {:#?}", report.findings);
    }
}

/// A ray hits a base of a cylinder, or of a cone, a millimetre from its rim: within 0.005 m it hits the side, and any normal between the two is
/// accepted. The side of the cone, 0.4 m wide and 1 m high, leans by (1, 0.4).
#[test]
fn a_normal_between_the_faces_at_a_rim_is_accepted() {
    let wrong = |shape: &str, from: [f64; 2], to: [f64; 2], normal: [f64; 3]| {
        let object = format!(r#"{{"id":1,"name":"post","motion":"fixed","shape":{shape}}}"#);
        let query = format!(
            r#","queries":[{{"kind":"ray","from":[{},{},0],"to":[{},{},0],"hit":{{"id":1,"fraction":0.5,"normal":{normal:?}}}}}]"#,
            from[0], from[1], to[0], to[1]
        );
        let lines = still(&query).map(|line| line.replace("[0.0, 0.0, 0.0]", "[9,9,9]"));
        let lines = [&*lines[0], &lines[1], &lines[2]];
        let all = report("", &[BALL, &object], &lines);
        let found = phantoms(&all).into_iter();
        found.map(|found| found.normal).collect::<Vec<_>>()
    };
    let post = r#"{"cylinder":{"half_height":0.4,"radius":0.5}}"#;
    let cone = r#"{"cone":{"half_height":0.5,"radius":0.4}}"#;
    for (normal, count) in [
        ([0.6, 0.8, 0.0], 0),
        ([0.8, 0.6, 0.0], 0),
        ([0.0, 0.6, 0.8], 1),
        ([-0.6, 0.8, 0.0], 1),
    ] {
        let [x, y, z] = normal;
        assert_eq!(
            wrong(post, [1.499, 1.4], [-0.501, -0.6], normal).len(),
            count,
            "{normal:?}"
        );
        let below = [x, -y, z];
        assert_eq!(
            wrong(cone, [1.399, -1.5], [-0.601, 0.5], below).len(),
            count,
            "{below:?}"
        );
    }
    // Amid the base there is one normal, which the finding has.
    assert_eq!(
        wrong(post, [1.2, 1.4], [-0.8, -0.6], [0.6, 0.8, 0.0]),
        [[0.0, 1.0, 0.0]]
    );
}

/// A ray from x = -1 to 4 meets the wall at x = 2, 0.6 of its way. What is wrong of an answer is where it says that it is, or where the hit is missing.
#[test]
fn a_wrong_answer_is_shown_at_its_place_on_the_path() {
    for (y, hit, at) in [
        (0, "null", [2.0, 0.0, 0.0]),
        (0, r#"{"id":1,"fraction":0.8}"#, [2.0, 0.0, 0.0]),
        (5, r#"{"id":1,"fraction":0.4}"#, [1.0, 5.0, 0.0]),
        (
            0,
            r#"{"id":1,"fraction":0.6,"normal":[0,1,0]}"#,
            [2.0, 0.0, 0.0],
        ),
    ] {
        let report = query_report(&format!(
            r#"{{"kind":"ray","id":0,"from":[-1,{y},0],"to":[4,{y},0],"hit":{hit}}}"#
        ));
        let found = phantoms(&report);
        assert_eq!(found.len(), 1, "{hit}: {:#?}", report.findings);
        for (got, want) in found[0].point.into_iter().zip(at) {
            close(got, want);
        }
    }
}

/// A query without length, or of a length beyond all numbers, has no right answer.
#[test]
fn a_query_without_a_length_is_not_judged() {
    for (from, to) in [
        ("[0,5,0]", "[0,5,0]"),
        ("[2.1,0,0]", "[2.1,0,0]"),
        ("[0,5,0]", "[inf,5,0]"),
        ("[-1e300,5,0]", "[1e300,5,0]"),
        ("[NaN,5,0]", "[4,5,0]"),
    ] {
        for hit in ["null", r#"{"id":1,"fraction":0.5,"normal":[0,1,0]}"#] {
            let report = query_report(&format!(
                r#"{{"kind":"ray","id":0,"from":{from},"to":{to},"hit":{hit}}}"#
            ));
            assert!(
                phantoms(&report).is_empty(),
                "{from} {hit}: {:#?}",
                report.findings
            );
        }
    }
}

/// A lift goes from x = 1 to 2 in the frame, at the end of which a ray is asked: there it stands in the scene of it.
#[test]
fn the_scene_of_a_query_is_of_the_state_in_which_it_was_asked() {
    const LIFT: &str = r#"{"id":2,"name":"lift","motion":"kinematic","shape":{"box":{"half_extents":[0.2,0.2,0.2]}}}"#;
    let line = |x: f64, more: &str| {
        format!(r#""bodies":[{{"id":0,"p":[9,9,9]}},{{"id":2,"p":[{x},0,0]}}]{more}"#)
    };
    let query = r#","queries":[{"kind":"ray","from":[0,0,0],"to":[5,0,0],"hit":null}]"#;
    let lines = [line(1.0, ""), line(2.0, query)];
    let level = opened("log.jsonl", log_of("", &[BALL, LIFT], &lines));
    let report = diagnosed(&level);
    let found = &report.findings[0];
    let (scene, _) = minimal_scene(&level, 0, SceneSelection::Finding(found), &()).unwrap();
    assert_eq!(scene.objects[1].name, "lift");
    assert_eq!(scene.objects[1].pose.position, DVec3::new(2.0, 0.0, 0.0));
}
