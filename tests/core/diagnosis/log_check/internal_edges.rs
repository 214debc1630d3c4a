//! Logged contacts on an edge inside a flat surface.

use super::{BALL, close, frame, report};
use crate::common::findings::{evidence, headline};
use hitstop::core::diagnose::{Cause, Kind, Report};

/// Flat, of two triangles that share the diagonal.
const FLAT: &str = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"mesh":{"vertices":[[-2,0,-2],[2,0,-2],[2,0,2],[-2,0,2]],"triangles":[[0,2,1],[0,3,2]]}}}"#;

fn has_edge(report: &Report) -> bool {
    let mut findings = report.findings.iter();
    findings.any(|finding| finding.cause == Cause::InternalEdge)
}

/// A contact on the diagonal of a flat floor, logged with a tilted normal, that stops the ball; the same with the floor's own normal, at
/// the border, without an effect, and with one that another contact explains.
#[test]
fn a_logged_contact_on_an_internal_edge() {
    const POST: &str = r#"{"id":2,"name":"post","motion":"fixed","shape":{"box":{"half_extents":[0.1,1,0.1]}},"position":[0.61,0,0]}"#;
    let stopped_by = |point: &str, normal: &str, speed: f64, more: &str| {
        let state = r#""bodies":[{"id":0,"p":[0,0.5,0],"v":[1,0,0]}]"#;
        let next = format!(
            r#""bodies":[{{"id":0,"p":[0.016,0.5,0],"v":[{speed},0,0]}}],"contacts":[{{"a":0,"b":1,"point":{point},"normal":{normal},"depth":-0.001}}{more}]"#
        );
        report("", &[BALL, FLAT, POST], &[state, &next])
    };
    let (on_edge, tilted) = ("[0.1,0,0.1]", "[-0.6,0.8,0]");
    let stopped = stopped_by(on_edge, tilted, 0.0, "");
    let found = headline(&stopped, Cause::InternalEdge);
    assert_eq!((found.kind, found.a.as_str()), (Kind::Phantom, "ball"));
    close(evidence(found, "tilt"), 0.6_f64.asin());
    close(evidence(found, "speed_change"), 0.6);
    close(evidence(found, "logged_depth"), -0.001);
    assert!(
        found.text.contains("take the face's normal (0, 1, 0)"),
        "{}",
        found.text
    );
    // Across the face, which is turned toward the ball.
    let across = stopped_by(on_edge, "[-1,0,0]", 0.0, "");
    let text = &headline(&across, Cause::InternalEdge).text;
    assert!(text.contains("face's normal (0, 1, 0)"), "{text}");
    let post = r#",{"a":0,"b":2,"point":[0.5,0.5,0],"normal":[-1,0,0],"depth":0}"#;
    for (point, normal, speed, more) in [
        (on_edge, "[0,1,0]", 0.0, ""),
        ("[1,0,-1]", tilted, 0.0, ""),
        ("[2,0,0]", "[0.6,0.8,0]", 0.0, ""),
        (on_edge, tilted, 1.0, ""),
        // A tenth of the speed is noise.
        (on_edge, tilted, 0.91, ""),
        (on_edge, tilted, 0.0, post),
    ] {
        assert!(
            !has_edge(&stopped_by(point, normal, speed, more)),
            "{point} {normal} {speed} {more}"
        );
    }
}

/// A ball that rolls over the seam of two boxes at 5 m/s gets 1 m/s upward from a contact on it whose normal leans back by 20
/// degrees. Where the second box is 5 cm lower, turned away or 5 cm apart, the edge is real.
#[test]
fn the_seam_of_two_boxes_is_an_internal_edge() {
    let cube = |id: u32, x: f64, y: f64, more: &str| {
        format!(
            r#"{{"id":{id},"name":"box {id}","shape":{{"box":{{"half_extents":[1,1,1]}}}},"position":[{x},{y},0]{more}}}"#
        )
    };
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let (sine, cosine) = 20.0_f64.to_radians().sin_cos();
    let rolls_with = |header: &str, left: &str, right: &str, [x, y]: [f64; 2]| {
        let contact = format!(
            r#","contacts":[{{"a":0,"b":1,"point":[0,0,0],"normal":[{x},{y},0],"depth":0}}]"#
        );
        let lines = [
            frame([-0.03, 0.1, 0.0], Some([5.0, 0.0, 0.0]), ""),
            frame([0.05, 0.11, 0.0], Some([4.7, 1.0, 0.0]), &contact),
        ];
        report(header, &[ball, left, right], &[&lines[0], &lines[1]])
    };
    let rolls = |left: &str, right: &str, normal| rolls_with("", left, right, normal);
    let fixed = r#","motion":"fixed""#;
    let left = cube(1, -1.0, -1.0, fixed);
    let leaning = [-sine, cosine];
    let all = rolls(&left, &cube(2, 1.0, -1.0, fixed), leaning);
    let seam = headline(&all, Cause::InternalEdge);
    assert_eq!((all.findings.len(), seam.b.as_str()), (1, "box 1"));
    close(evidence(seam, "tilt"), 20.0_f64.to_radians());
    close(evidence(seam, "bend"), 0.0);
    let is_seam = |right: &str, normal| has_edge(&rolls(&left, right, normal));
    // Of another width, but in the same plane.
    assert!(is_seam(
        &cube(2, 2.0, -1.0, fixed).replace("[1,1,1]", "[2,1,3]"),
        leaning
    ));
    for right in [
        cube(2, 1.0, -1.05, fixed),
        cube(2, 1.05, -1.0, fixed),
        cube(
            2,
            1.0,
            -1.0,
            r#","motion":"fixed","rotation":[0,0,0.1,0.994987437]"#,
        ),
    ] {
        assert!(!is_seam(&right, leaning), "{right}");
    }
    // The normal of the face.
    assert!(!is_seam(&cube(2, 1.0, -1.0, fixed), [0.0, 1.0]));
    // A gap within the margin is none, up to half of the ball's radius.
    for (gap, covered) in [(0.04, true), (0.06, false)] {
        let apart = cube(2, 1.0 + gap, -1.0, fixed);
        let all = rolls_with(r#","margin":0.08"#, &left, &apart, leaning);
        assert_eq!(has_edge(&all), covered, "{gap}");
    }
}

/// Rapier gives the middle between its points on the two, and carries each on with its object: the point of a seam that a ball meets with its
/// start 0.03 m before it lies half the ball's travel past it. The edge of a single box there is real, and so is the seam to a box 5 cm lower.
#[test]
fn a_point_that_went_on_with_the_ball_is_on_the_seam() {
    let cube = |id: u32, x: f64, y: f64| {
        format!(
            r#"{{"id":{id},"name":"box {id}","motion":"fixed","shape":{{"box":{{"half_extents":[1,1,1]}}}},"position":[{x},{y},0]}}"#
        )
    };
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let (ahead, above) = (0.03, 0.1);
    let far = f64::hypot(ahead, above);
    let [x, y] = [-ahead / far, above / far];
    let (gap, [over, up]) = (far - 0.1, [0.08, 0.01]);
    let rolls = |objects: &[&str]| {
        let point = [0.5 * (gap * x + over), 0.5 * (gap * y + up), 0.0];
        let contact = format!(
            r#","contacts":[{{"a":0,"b":2,"point":{point:?},"normal":[{x},{y},0],"depth":{}}}]"#,
            -gap
        );
        let lines = [
            frame([-ahead, above, 0.0], Some([5.0, 0.0, 0.0]), ""),
            frame(
                [over - ahead, above + up, 0.0],
                Some([5.0 + x, y, 0.0]),
                &contact,
            ),
        ];
        report("", objects, &[&lines[0], &lines[1]])
    };
    let all = rolls(&[ball, &cube(1, -1.0, -1.0), &cube(2, 1.0, -1.0)]);
    let seam = headline(&all, Cause::InternalEdge);
    assert_eq!((all.findings.len(), seam.b.as_str()), (1, "box 2"));
    close(evidence(seam, "tilt"), (ahead / above).atan());
    close(evidence(seam, "speed_change"), 1.0);
    assert!(!has_edge(&rolls(&[ball, &cube(2, 1.0, -1.0)])));
    assert!(!has_edge(&rolls(&[
        ball,
        &cube(1, -1.0, -1.05),
        &cube(2, 1.0, -1.0)
    ])));
}

/// A ball of radius 0.1 rolls at 5 m/s toward an edge inside a flat mesh, and gets 1 m/s upward from a contact on it with the face's own
/// normal. 0.05 m before the edge it is sqrt(0.1^2 + 0.05^2) - 0.1 m from that point, where its surface moves down at 50 * 0.05 m/s. The point
/// may be on the ball instead.
#[test]
fn a_contact_ahead_of_a_rolling_ball_is_an_internal_edge() {
    const BALL: &str = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    const FLOOR: &str = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"mesh":{"vertices":[[-2,0,-2],[2,0,-2],[2,0,2],[-2,0,2],[0,0,-2],[0,0,2]],"triangles":[[0,5,4],[0,3,5],[4,2,1],[4,5,2]]}}}"#;
    let rolls = |header: &str, [x, rise]: [f64; 2], spin: f64, [before, after]: [f64; 2], depth| {
        let state = |x: f64, y: f64, v: f64| {
            format!(r#""bodies":[{{"id":0,"p":[{x},{y},0],"v":[5,{v},0],"w":[0,0,{spin}]}}]"#)
        };
        // From the edge toward the ball's centre.
        let point = [x * rise, 0.1 * rise, 0.0];
        let contact = format!(
            r#","contacts":[{{"a":0,"b":1,"point":{point:?},"normal":[0,1,0],"depth":{depth}}}]"#
        );
        let end = state(x + 0.09, 0.1 + after / 60.0, after) + &contact;
        report(header, &[BALL, FLOOR], &[&state(x, 0.1, before), &end])
    };
    let launched = [0.0, 1.0];
    let gap = (0.1_f64.powi(2) + 0.05_f64.powi(2)).sqrt() - 0.1;
    let margin = r#","margin":0.02"#;
    for (header, rise, depth) in [
        ("", 0.0, 0.0),
        (margin, 0.0, -gap),
        (margin, gap / (0.1 + gap), 0.0),
    ] {
        let all = rolls(header, [-0.05, rise], -50.0, launched, depth);
        let found = headline(&all, Cause::InternalEdge);
        assert_eq!((found.kind, found.a.as_str()), (Kind::Phantom, "ball"));
        close(evidence(found, "exact_gap"), gap);
        close(evidence(found, "tilt"), 0.5_f64.atan());
        close(evidence(found, "speed_change"), 1.0);
        close(evidence(found, "logged_depth"), depth);
        assert!(found.text.contains("0.0118 m from ball"), "{}", found.text);
    }
    for (x, spin, speeds, depth) in [
        // Only near, without an effect.
        (-0.05, -50.0, [0.0, 0.0], -gap),
        // A bounce.
        (-0.05, -50.0, [-1.0, 1.0], 0.0),
        // A jump: its surface does not move into the floor there.
        (-0.05, 0.0, launched, 0.0),
        (-0.05, 50.0, launched, 0.0),
        // Less than 2 % of its radius off, and on it.
        (-0.019, -50.0, launched, 0.0),
        (0.0, -50.0, launched, 0.0),
    ] {
        let all = rolls(margin, [x, 0.0], spin, speeds, depth);
        assert!(!has_edge(&all), "{x} {spin} {speeds:?} {depth}");
    }
}

/// The tilted contact of [`a_logged_contact_on_an_internal_edge`], of a ball that hangs in the floor: deeper than a fifth of its radius when
/// the frame begins or ends, it touches edges all around.
#[test]
fn a_body_that_hangs_in_a_floor_has_no_internal_edge() {
    let stops_at = |heights: [f64; 2]| {
        let line = |y: f64, v: f64| frame([0.0, y, 0.0], Some([v, 0.0, 0.0]), "");
        let contact =
            r#","contacts":[{"a":0,"b":1,"point":[0.1,0,0.1],"normal":[-0.6,0.8,0],"depth":0.09}]"#;
        let lines = [line(heights[0], 1.0), line(heights[1], 0.0) + contact];
        has_edge(&report("", &[BALL, FLAT], &[&lines[0], &lines[1]]))
    };
    assert!(stops_at([0.41, 0.41]));
    for heights in [[0.39, 0.41], [0.41, 0.39], [0.05, 0.05], [-0.3, -0.3]] {
        assert!(!stops_at(heights), "{heights:?}");
    }
}

/// A ball of radius 0.5 that is 0.05 m deep in the floor gets 0.55 m/s upward. A contact of the face with that depth pushes a fifth of it out
/// in a frame, at 0.6 m/s; one with a depth of 0.01 m explains 0.12 m/s.
#[test]
fn the_push_out_of_a_deep_contact_is_no_internal_edge() {
    let rises_with = |depth: f64| {
        let contacts = format!(
            r#","contacts":[{{"a":0,"b":1,"point":[0,-0.05,0],"normal":[0,1,0],"depth":{depth}}},{{"a":0,"b":1,"point":[0.1,0,0.1],"normal":[-0.3,0.9,-0.3],"depth":0}}]"#
        );
        let start = frame([0.0, 0.45, 0.0], Some([1.0, 0.0, 0.0]), "");
        let end = frame([0.016, 0.459, 0.0], Some([1.0, 0.55, 0.0]), &contacts);
        has_edge(&report("", &[BALL, FLAT], &[&start, &end]))
    };
    assert!(!rises_with(0.05));
    assert!(rises_with(0.01));
}

/// A ball that falls straight onto a flat mesh without spin bounces off sideways, by two contacts on its diagonal whose normals are 12
/// degrees off: a bounce explains the speed along them, friction no speed across the floor's normal, as nothing slid. Where the ball slid
/// or turned before, friction does.
#[test]
fn a_straight_fall_that_leaves_sideways_is_an_internal_edge() {
    let leaves = |before: [f64; 3], spin: f64, after: [f64; 3], depth: f64| {
        let body = |y: f64, v: [f64; 3], spin: f64| {
            format!(r#""bodies":[{{"id":0,"p":[0,{y},0],"v":{v:?},"w":[0,0,{spin}]}}]"#)
        };
        let (sine, cosine) = 12.0_f64.to_radians().sin_cos();
        let contact = |x: f64| {
            format!(
                r#"{{"a":0,"b":1,"point":[{x},0,{x}],"normal":[{sine},{cosine},0],"depth":{depth}}}"#
            )
        };
        let contacts = format!(r#","contacts":[{},{}]"#, contact(0.01), contact(-0.01));
        let lines = [body(0.52, before, spin), body(0.5, after, 0.0) + &contacts];
        report("", &[BALL, FLAT], &[&lines[0], &lines[1]])
    };
    let falls = [0.0, -3.0, 0.0];
    // With a bounce, and without one.
    let all = leaves(falls, 0.0, [1.22, 2.6, 0.0], 0.001);
    close(
        evidence(headline(&all, Cause::InternalEdge), "speed_change"),
        1.22,
    );
    assert!(has_edge(&leaves(falls, 0.0, [0.67, 0.0, 0.0], 0.001)));
    for (before, spin, after, depth) in [
        (falls, 0.0, [0.0, 2.6, 0.0], 0.001),
        ([-2.0, -3.0, 0.0], 0.0, [-0.8, 2.6, 0.0], 0.001),
        (falls, -8.0, [1.22, 2.6, 0.0], 0.001),
        // Only near: the gap does not close within the frame.
        (falls, 0.0, [1.22, 2.6, 0.0], -0.1),
    ] {
        let all = leaves(before, spin, after, depth);
        assert!(!has_edge(&all), "{before:?} {spin} {after:?} {depth}");
    }
}

/// A ball over the edge of two faces along z, the second bent down by an angle in degrees (none: the edge is a border), that a contact at
/// the edge with a normal tilted back stops.
#[test]
fn borders_and_bends_are_real_edges() {
    let all = |bend: Option<f64>, tilt: f64, [x, z]: [f64; 2]| {
        let (sine, cosine) = bend.unwrap_or(0.0).to_radians().sin_cos();
        let triangles = match bend {
            Some(_) => "[[0,1,2],[2,1,3],[2,3,4],[4,3,5]]",
            None => "[[0,1,2],[2,1,3]]",
        };
        let floor = format!(
            r#"{{"id":1,"name":"floor","motion":"fixed","shape":{{"mesh":{{"vertices":[[-1,0,-1],[-1,0,1],[0,0,-1],[0,0,1],[{cosine},{0},-1],[{cosine},{0},1]],"triangles":{triangles}}}}}}}"#,
            -sine
        );
        let (sine, cosine) = tilt.to_radians().sin_cos();
        let contact = format!(
            r#","contacts":[{{"a":0,"b":1,"point":[{x},0,{z}],"normal":[{},{cosine},0],"depth":0.001}}]"#,
            -sine
        );
        let lines = [
            frame([x - 0.016, 0.499, z], Some([1.0, 0.0, 0.0]), ""),
            frame([x, 0.499, z], Some([0.0, 0.0, 0.0]), &contact),
        ];
        report("", &[BALL, &floor], &[&lines[0], &lines[1]])
    };
    let on_edge = [0.0, 0.2];
    for (bend, tilt) in [(0.0, 20.0), (4.0, 20.0), (0.0, 90.0)] {
        let all = all(Some(bend), tilt, on_edge);
        let found = headline(&all, Cause::InternalEdge);
        close(evidence(found, "bend"), bend.to_radians());
        close(evidence(found, "tilt"), tilt.to_radians());
    }
    for (bend, tilt, at) in [
        // The normal of a face, a bend, a border, the corner at a border, and the middle of a face.
        (Some(0.0), 4.0, on_edge),
        (Some(6.0), 20.0, on_edge),
        (Some(-6.0), 20.0, on_edge),
        (None, 20.0, on_edge),
        (Some(0.0), 20.0, [0.0, 1.0]),
        (Some(0.0), 20.0, [-0.3, 0.2]),
    ] {
        assert!(!has_edge(&all(bend, tilt, at)), "{bend:?} {tilt} {at:?}");
    }
}

/// From the diagonal of a flat floor to the centre of a ball of 0.25 m at (-0.06, 0.175) it is 0.185 m: it is pushed off by the other 0.065 m. What the
/// push leads off is the floor, also where a sensor is between the two.
#[test]
fn a_push_leads_off_no_sensor() {
    const FLOOR: &str = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"mesh":{"vertices":[[0,0,9],[9,0,0],[0,0,-9],[-9,0,0]],"triangles":[[0,1,2],[2,3,0]]}}}"#;
    let between = |sensor: bool| {
        format!(
            r#"{{"id":2,"name":"between","motion":"fixed","sensor":{sensor},"shape":{{"sphere":{{"radius":0.05}}}},"position":[-0.03,0.0875,0]}}"#
        )
    };
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.25}}}"#;
    let push = [-12.0, 35.0].map(|way| 0.065 * way / 37.0);
    let end = [push[0] - 0.06, push[1] + 0.175];
    let lines = [
        r#""bodies":[{"id":0,"p":[-0.06,0.5,0]}]"#.to_owned(),
        format!(
            r#""bodies":[{{"id":0,"p":[{},{},0]}}],"pushes":[{{"id":0,"push":[{},{},0]}}]"#,
            end[0], end[1], push[0], push[1]
        ),
    ];
    for (objects, expected) in [
        (vec![ball, FLOOR], 1),
        (vec![ball, FLOOR, &between(true)], 1),
        (vec![ball, FLOOR, &between(false)], 0),
    ] {
        let all = report("", &objects, &[&lines[0], &lines[1]]);
        let edges = all.findings.iter();
        let edges = edges.filter(|found| found.cause == Cause::InternalEdge && found.b == "floor");
        assert_eq!(edges.count(), expected, "{:#?}", all.findings);
    }
}
