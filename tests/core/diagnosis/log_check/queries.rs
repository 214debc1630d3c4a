//! Logged ray casts and sweeps.

use super::{BALL, FLOOR, close, frame, phantoms, report};
use crate::common::findings::evidence;
use crate::common::levels::{diagnosed, log_of, opened};
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
