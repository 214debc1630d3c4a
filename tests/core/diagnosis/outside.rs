//! Bodies that end outside of the fixed world, and what let them out.

use crate::common::levels::{diagnosed, log_of, opened};
use hitstop::core::diagnose::{Kind, outside_sentence};

const FLOOR: &str =
    r#"{"id":0,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[5,0.02,5]}}}"#;

/// A ball of 0.1 m that falls through a floor of 0.04 m in a frame, one that rolls over its edge, one that rests, and one that is thrown up.
#[test]
fn those_that_fell_through_name_the_finding_and_those_over_the_edge_have_none() {
    let ball = |id: u32, name: &str| {
        format!(r#"{{"id":{id},"name":"{name}","shape":{{"sphere":{{"radius":0.1}}}}}}"#)
    };
    let objects = [
        FLOOR.to_owned(),
        ball(1, "dropped"),
        ball(2, "over"),
        ball(3, "rests"),
        ball(4, "up"),
    ];
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let frames: Vec<String> = (0..6)
        .map(|frame| {
            let t = f64::from(frame);
            let at = [
                [0.0, 1.0 - 0.6 * t, 0.0],
                [4.2 + 0.4 * t, 0.13 - 0.1 * (t - 3.0).max(0.0), 2.0],
                [-2.0, 0.12, 0.0],
                [0.0, 0.2 + 2.0 * t, -3.0],
            ];
            let bodies = (1..)
                .zip(at)
                .map(|(id, [x, y, z])| format!(r#"{{"id":{id},"p":[{x},{y},{z}]}}"#));
            let bodies: Vec<String> = bodies.collect();
            format!(r#""bodies":[{}]"#, bodies.join(","))
        })
        .collect();
    let report = diagnosed(&opened("a.jsonl", log_of("", &objects, &frames)));
    let names: Vec<&str> = report.outside.iter().map(|one| &*one.object).collect();
    assert_eq!(names, ["dropped", "over"]);
    let finding = &report.findings[report.outside[0].finding.unwrap()];
    assert_eq!(
        (finding.kind, &*finding.a, &*finding.b),
        (Kind::Tunnels, "dropped", "floor")
    );
    assert_eq!(report.outside[1].finding, None);
    let sentence = outside_sentence(&report.outside).unwrap();
    assert_eq!(
        sentence,
        "2 bodies ended outside of the fixed world: dropped through floor (finding 1); without a finding, over an edge or through an opening: over"
    );
}

/// Behind a plane there is no edge to go over. A ball that is not wholly behind it is in touch, and not outside.
#[test]
fn behind_a_plane_is_outside() {
    let objects = [
        r#"{"id":0,"name":"ground","motion":"fixed","shape":{"plane":{"normal":[0,1,0]}}}"#,
        r#"{"id":1,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#,
        r#"{"id":2,"name":"stuck","shape":{"sphere":{"radius":0.1}}}"#,
    ];
    let frames = [0.5, 0.05, -0.1, -0.4, -0.9].map(|y: f64| {
        let stuck = y.max(-0.05);
        format!(r#""bodies":[{{"id":1,"p":[0,{y},0]}},{{"id":2,"p":[3,{stuck},0]}}]"#)
    });
    let report = diagnosed(&opened("a.jsonl", log_of("", &objects, &frames)));
    let [body] = &report.outside[..] else {
        panic!("{:?}", report.outside);
    };
    let finding = &report.findings[body.finding.unwrap()];
    assert_eq!((finding.kind, &*finding.b), (Kind::Sinks, "ground"));
}

/// A bullet that is fired at state 2 and removed at state 6, below the floor; one that is fired below it, and one that is removed above it.
#[test]
fn those_that_appear_late_or_are_removed_early_are_listed() {
    let names = ["bullet", "below", "above"];
    let ball = |(id, name): (usize, &&str)| {
        format!(r#"{{"id":{id},"name":"{name}","shape":{{"sphere":{{"radius":0.1}}}}}}"#)
    };
    let balls: Vec<String> = (1..).zip(&names).map(ball).collect();
    let objects: Vec<&str> = [FLOOR]
        .into_iter()
        .chain(balls.iter().map(|it| &**it))
        .collect();
    let frames: Vec<String> = (0..9)
        .map(|frame| {
            let t = f64::from(frame - 2);
            let at = [
                [0.0, 1.0 - 0.6 * t, 0.0],
                [2.0, -1.0 - t, 0.0],
                [-2.0, 3.0 - 0.2 * t, 0.0],
            ];
            let bodies = (1..).zip(at).filter(|_| (2..6).contains(&frame));
            let bodies = bodies.map(|(id, p)| format!(r#"{{"id":{id},"p":{p:?}}}"#));
            format!(r#""bodies":[{}]"#, bodies.collect::<Vec<_>>().join(","))
        })
        .collect();
    let report = diagnosed(&opened("a.jsonl", log_of("", &objects, &frames)));
    let [bullet] = &report.outside[..] else {
        panic!("{:?}", report.outside);
    };
    assert_eq!((&*bullet.object, bullet.last_state), ("bullet", 5));
    assert_eq!(bullet.wall.as_deref(), Some("floor"));
    assert_eq!(bullet.pressed_by, None);
    assert!(bullet.finding.is_some());
}

/// A press moves with the ball through the floor, straight or mostly along it. The log has its contact, and one of a post beside it that pushes it
/// aside.
#[test]
fn what_presses_a_body_through_is_named() {
    pressed(0.0);
    pressed(2.0);
}

fn pressed(aside: f64) {
    let objects = [
        FLOOR,
        r#"{"id":1,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#,
        r#"{"id":2,"name":"press","motion":"kinematic","shape":{"box":{"half_extents":[1,0.1,1]}}}"#,
        r#"{"id":3,"name":"post","motion":"fixed","shape":{"box":{"half_extents":[0.1,0.5,0.1]}},"position":[-0.2,0.5,0]}"#,
    ];
    let frames = [0.9, 0.3, -0.3, -0.9, -1.5].map(|y: f64| {
        let x = aside * (0.3 - y) / 0.6;
        let contact = |other: u32, normal: &str| {
            format!(r#"{{"a":1,"b":{other},"point":[{x},{y},0],"normal":{normal},"depth":0}}"#)
        };
        let (above, press, post) = (y + 0.2, contact(2, "[0,-1,0]"), contact(3, "[1,0,0]"));
        format!(
            r#""bodies":[{{"id":1,"p":[{x},{y},0]}},{{"id":2,"p":[{x},{above},0]}}],"contacts":[{post},{press}]"#
        )
    });
    let report = diagnosed(&opened("a.jsonl", log_of("", &objects, &frames)));
    let [body] = &report.outside[..] else {
        panic!("{:?}", report.outside);
    };
    let index = body.finding.unwrap();
    let finding = &report.findings[index];
    assert_eq!((finding.kind, &*finding.a), (Kind::Tunnels, "ball"));
    let how = format!("through floor (finding {}), pressed by press", index + 1);
    assert_eq!(body.how(), how);
    let written = serde_json::to_value(body).unwrap();
    let expected = serde_json::json!({
        "object": "ball", "finding": index, "wall": "floor", "pressed_by": "press"
    });
    assert_eq!(written, expected);
}

/// Gravity leads along -z: what falls that way is outside, what flies up is not. Of those that fall the lift is driven, and the probe only detects.
#[test]
fn below_is_where_gravity_leads() {
    let objects = [
        r#"{"id":0,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[5,5,0.02]}}}"#,
        r#"{"id":1,"name":"dropped","shape":{"sphere":{"radius":0.1}}}"#,
        r#"{"id":2,"name":"up","shape":{"sphere":{"radius":0.1}}}"#,
        r#"{"id":3,"name":"lift","motion":"kinematic","shape":{"sphere":{"radius":0.1}}}"#,
        r#"{"id":4,"name":"probe","sensor":true,"shape":{"sphere":{"radius":0.1}}}"#,
    ];
    let frames = [0.0, 1.0, 2.0, 3.0, 4.0].map(|t: f64| {
        let fallen = 1.0 - 0.6 * t;
        let z = [fallen, 1.0 + t, fallen, fallen];
        let body = |(id, z): (usize, &f64)| format!(r#"{{"id":{id},"p":[{id},0,{z}]}}"#);
        let bodies: Vec<String> = (1..).zip(&z).map(body).collect();
        format!(r#""bodies":[{}]"#, bodies.join(","))
    });
    let level = opened(
        "a.jsonl",
        log_of(r#","gravity":[0,0,-10]"#, &objects, &frames),
    );
    let report = diagnosed(&level);
    let names: Vec<&str> = report.outside.iter().map(|one| &*one.object).collect();
    assert_eq!(names, ["dropped"]);
}

/// Two balls pass each other above the floor, 4 m a frame, and leave it at its sides: no finding let them out.
#[test]
fn a_finding_with_another_body_lets_nothing_out() {
    let ball = |id: u32| {
        format!(r#"{{"id":{id},"name":"ball {id}","shape":{{"sphere":{{"radius":0.1}}}}}}"#)
    };
    let frames = [-3.0, -1.0, 1.0, 3.0, 5.0, 7.0].map(|x: f64| {
        let other = -x;
        format!(r#""bodies":[{{"id":1,"p":[{x},0.2,0]}},{{"id":2,"p":[{other},0.2,0]}}]"#)
    });
    let level = opened("a.jsonl", log_of("", &[FLOOR, &ball(1), &ball(2)], &frames));
    let report = diagnosed(&level);
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    assert_eq!(report.findings[0].kind, Kind::Tunnels);
    let found: Vec<_> = report
        .outside
        .iter()
        .map(|one| (&*one.object, one.finding))
        .collect();
    assert_eq!(found, [("ball 1", None), ("ball 2", None)]);
}
