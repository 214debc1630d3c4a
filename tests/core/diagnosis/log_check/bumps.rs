//! Bumps on the seam of two tiles, in the forms in which engines log them. The seam is at x = 1, the top at y = 0.

use super::{close, report};
use crate::common::findings::{evidence, headline};
use hitstop::core::diagnose::{Cause, Report};

/// Unit; it leans back by asin 0.28.
const LEANING: [f64; 3] = [-0.28, 0.96, 0.0];
const UP: [f64; 3] = [0.0, 1.0, 0.0];
const BACK: [f64; 3] = [-1.0, 0.0, 0.0];

const STILL: [f64; 3] = [0.0; 3];

const CRATE: &str = r#"{"box":{"half_extents":[0.25,0.25,0.25]}}"#;
const BALL: &str = r#"{"sphere":{"radius":0.3}}"#;
const CAPSULE: &str = r#"{"capsule":{"a":[0,-0.4,0],"b":[0,0.4,0],"radius":0.3}}"#;
const CYLINDER: &str = r#"{"cylinder":{"half_height":0.4,"radius":0.3}}"#;

/// Position, velocity, and the spin that the log has, if any; bodies lie on their side, along z.
type State = ([f64; 3], [f64; 3], Option<[f64; 3]>);

/// A contact with tile 1 or 2, or with another object: point, normal, depth.
type Contact = (u32, [f64; 3], [f64; 3], f64);

/// What is said of a body over two lines, each with its contacts; 10 m/s^2 pull it down.
fn judged(shape: &str, lines: [(State, &[Contact]); 2]) -> Report {
    judged_with(&[], shape, lines)
}

fn judged_with(more: &[&str], shape: &str, lines: [(State, &[Contact]); 2]) -> Report {
    let tile = |id: u32, x: f64| {
        format!(
            r#"{{"id":{id},"name":"tile {id}","motion":"fixed","shape":{{"box":{{"half_extents":[0.5,0.5,2]}}}},"position":[{x},-0.5,0]}}"#
        )
    };
    let body = format!(r#"{{"id":0,"name":"body","shape":{shape}}}"#);
    let half = 0.5_f64.sqrt();
    let line = |((p, v, w), contacts): (State, &[Contact])| {
        let spin = w.map_or(String::new(), |w| format!(r#","w":{w:?}"#));
        let contact = |&(surface, point, normal, depth): &Contact| {
            format!(
                r#"{{"a":0,"b":{surface},"point":{point:?},"normal":{normal:?},"depth":{depth}}}"#
            )
        };
        let contacts: Vec<String> = contacts.iter().map(contact).collect();
        format!(
            r#""bodies":[{{"id":0,"p":{p:?},"q":[{half},0,0,{half}],"v":{v:?}{spin}}}],"contacts":[{}]"#,
            contacts.join(",")
        )
    };
    let lines = lines.map(line);
    let (left, right) = (tile(1, 0.5), tile(2, 1.5));
    let objects = [&[body.as_str(), &left, &right], more].concat();
    let header = r#","gravity":[0,-10,0],"margin":0.02"#;
    report(header, &objects, &[&lines[0], &lines[1]])
}

#[track_caller]
fn is_bump(report: &Report, speed: f64) {
    let found = headline(report, Cause::InternalEdge);
    close(evidence(found, "speed_change"), speed);
}

fn is_silent(report: &Report) -> bool {
    let mut findings = report.findings.iter();
    !findings.any(|finding| finding.cause == Cause::InternalEdge)
}

/// A body that rests at a place with a velocity and gets 1 m/s along the leaning normal, while the floor carries its weight.
fn leans([p, v]: [[f64; 3]; 2], spin: Option<[f64; 3]>) -> [State; 2] {
    let after = [0, 1, 2].map(|axis| v[axis] + LEANING[axis]);
    let end = [0, 1, 2].map(|axis| p[axis] + after[axis] / 60.0);
    [(p, v, spin), (end, after, spin)]
}

/// A crate at 5 m/s over the seam.
#[test]
fn the_points_of_a_pair_with_one_normal_are_one_contact() {
    let [start, end] = leans([[0.9, 0.25, 0.0], [5.0, 0.0, 0.0]], None);
    let at = |x: f64| (2, [x, 0.0, 0.1], LEANING, -0.003);
    let found = |contacts: &[Contact]| judged(CRATE, [(start, &[]), (end, contacts)]);
    for past in [0.0, 0.01, 0.075] {
        let all = found(&[at(1.0), at(1.0 + past)]);
        is_bump(&all, 1.0);
        let tilt = evidence(headline(&all, Cause::InternalEdge), "tilt");
        close(tilt, 0.28_f64.asin());
    }
    // Amid the face alone, and with a point where the normal is that of an edge: the far one of tile 2.
    assert!(is_silent(&found(&[at(1.075)])));
    let far = (2, [2.0, 0.0, 0.1], [0.28, 0.96, 0.0], -0.003);
    let on_seam = (2, [1.0, 0.0, 0.1], far.2, far.3);
    let pushed = (end.0, [5.28, 0.96, 0.0], None);
    let forward = |contacts: &[Contact]| judged(CRATE, [(start, &[]), (pushed, contacts)]);
    is_bump(&forward(&[on_seam]), 1.0);
    assert!(is_silent(&forward(&[on_seam, far])));
}

/// A crate that is stopped at the covered side of tile 2 by the contact of the line before. The wall behind the seam explains it.
#[test]
fn a_contact_of_the_end_of_a_step_has_its_effect_in_the_next() {
    const WALL: &str = r#"{"id":3,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.5,1,2]}},"position":[1.51,1,0]}"#;
    let weight = (1, [0.8, 0.0, 0.0], UP, 0.0);
    let stop = (2, [1.0, -0.001, 0.0], BACK, -0.001);
    let wall = (3, [1.01, 0.1, 0.0], BACK, -0.001);
    let found = |first: &[Contact], last: &[Contact]| {
        let start = ([0.749, 0.25, 0.0], [6.0, 0.0, 0.0], None);
        let end = ([0.75, 0.25, 0.0], STILL, None);
        judged_with(&[WALL], CRATE, [(start, first), (end, last)])
    };
    is_bump(&found(&[weight, stop], &[weight]), 6.0);
    is_bump(&found(&[weight], &[weight, stop]), 6.0);
    for (first, last) in [
        (&[weight, stop, wall][..], &[weight][..]),
        (&[weight, stop], &[weight, wall]),
        (&[weight, wall], &[weight, stop]),
    ] {
        assert!(is_silent(&found(first, last)), "{first:?} {last:?}");
    }
}

/// A crate slides along a ceiling of two tiles at 5 m/s, and a contact of the line before pushes it off their seam by 1 m/s, while it falls by 1/6 m/s.
#[test]
fn a_bump_down_from_a_ceiling_has_its_effect_in_the_next_step() {
    let tile = |id: u32, x: f64| {
        format!(
            r#"{{"id":{id},"name":"tile {id}","motion":"fixed","shape":{{"box":{{"half_extents":[0.5,0.5,2]}}}},"position":[{x},0.5,0]}}"#
        )
    };
    let body = format!(r#"{{"id":0,"name":"body","shape":{CRATE}}}"#);
    let line = |[x, y]: [f64; 2], [along, up]: [f64; 2], contact: &str| {
        format!(
            r#""bodies":[{{"id":0,"p":[{x},{y},0],"v":[{along},{up},0]}}],"contacts":[{contact}]"#
        )
    };
    let contact = |[x, y]: [f64; 2]| {
        format!(r#"{{"a":0,"b":2,"point":[1,0,0.1],"normal":[{x},{y},0],"depth":0}}"#)
    };
    for (normal, found) in [([-0.28, -0.96], true), ([0.0, -1.0], false)] {
        let after = [5.0 + normal[0], normal[1] - 1.0 / 6.0];
        let lines = [
            line([0.9, -0.25], [5.0, 0.0], &contact(normal)),
            line([0.9 + after[0] / 60.0, -0.25 + after[1] / 60.0], after, ""),
        ];
        let header = r#","gravity":[0,-10,0],"margin":0.02"#;
        let objects = [body.as_str(), &tile(1, 0.5), &tile(2, 1.5)];
        let all = report(header, &objects, &[&lines[0], &lines[1]]);
        match found {
            true => is_bump(&all, 1.0),
            false => assert!(is_silent(&all)),
        }
    }
}

/// A crate slows down at the covered side. A friction of 1 takes a frame's fall, 1/6 m/s; as much, and a tenth of its speed, is noise.
#[test]
fn a_slow_stop_counts_from_what_friction_cannot_take() {
    for (before, after, counts) in [
        (1.0, 0.5, true),
        (1.0, 0.6, false),
        (0.6, 0.2, true),
        (0.6, 0.25, false),
    ] {
        let start = ([0.745, 0.25, 0.0], [before, 0.0, 0.0], None);
        let end = ([0.75, 0.25, 0.0], [after, 0.0, 0.0], None);
        let stop = (2, [1.0, 0.0, 0.0], BACK, -0.002);
        let all = judged(
            CRATE,
            [(start, &[]), (end, &[(1, [0.8, 0.0, 0.0], UP, 0.0), stop])],
        );
        match counts {
            true => is_bump(&all, before - after),
            false => assert!(is_silent(&all), "{before} {after}"),
        }
    }
}

/// A body of radius 0.3 rolls at 6 m/s toward the seam, 0.0875 m ahead of its axis: from there the axis is 0.3125 m along the leaning
/// normal. Its surface moves down there at 20 * 0.0875 m/s, which pushes nothing. A contact at an end that its spin brings down does: 0.4 m
/// from the centre of a rod of 0.7 m it gives 1 / (1 + 3 * 0.4^2 / 0.7^2) of the speed, and as much by bouncing.
#[test]
fn the_spin_of_a_rolling_body_explains_no_bump() {
    let rolls = |shape: &str, z: f64, spins: [Option<[f64; 3]>; 2]| {
        let [(p, v, _), (end, after, _)] = leans([[0.9125, 0.3, 0.0], [6.0, 0.0, 0.0]], None);
        let lines = [(p, v, spins[0]), (end, after, spins[1])];
        let contact = (2, [1.0, 0.0, z], LEANING, -0.0125);
        judged(shape, [(lines[0], &[]), (lines[1], &[contact])])
    };
    for shape in [BALL, CAPSULE, CYLINDER] {
        for spin in [None, Some([0.0, 0.0, -20.0])] {
            is_bump(&rolls(shape, 0.0, [spin; 2]), 1.0);
        }
    }
    let turns = |before: f64, after: f64| {
        let ends = [before, after].map(|x| Some([x, 0.0, -20.0]));
        rolls(CAPSULE, 0.4, ends)
    };
    let fall = 1.0 / 6.0;
    let down = (1.5 * 0.4 + fall) / (1.0 + 3.0 * 0.4_f64.powi(2) / 0.7_f64.powi(2));
    let speed = |explained: f64| 0.28 * 0.28 + 0.96 * (0.96 + fall - explained);
    is_bump(&turns(1.5, 3.0), speed(down));
    assert!(is_silent(&turns(1.5, -1.5)));
    // The end goes up.
    is_bump(&turns(-1.5, -1.5), speed(0.0));
}

/// A ball, 0.0125 m above the seam along the leaning normal, rolls on by 0.062 m in the frame and rises by 0.016 m. Its contact is logged on
/// the tile, on the ball, or midway, where the ball is before or after that.
#[test]
fn a_contact_that_moved_with_the_body_is_on_the_edge() {
    let states = leans([[0.9125, 0.3, 0.0], [4.0, 0.0, 0.0]], None);
    let [gap_x, gap_y] = [-0.28, 0.96].map(|part| 0.0125 * part);
    for gap in [0.0, 0.5, 1.0] {
        for moved in [0.0, 0.5, 1.0] {
            let point = [
                1.0 + gap * gap_x + moved * 0.062,
                gap * gap_y + moved * 0.016,
                0.0,
            ];
            let contact = (2, point, LEANING, -0.0125);
            let all = judged(BALL, [(states[0], &[]), (states[1], &[contact])]);
            is_bump(&all, 1.0);
        }
    }
}

/// A crate moves at 1 m/s against a slope of 3 to 4 that rises from a floor at x = 0, both of one mesh. The engine found both points of its contact a frame
/// before, 0.012 m in front of the slope and 0.08 m over the floor, and logs them where they were, with the depths of now: the one over the
/// floor is no edge of it. Found anew, or with a normal that no face has, they are.
#[test]
fn points_of_an_earlier_step_are_no_internal_edge() {
    const VALLEY: &str = r#"{"id":1,"name":"valley","motion":"fixed","shape":{"mesh":{"vertices":[[-2,0,-2],[-2,0,2],[0,0,-2],[0,0,2],[2,1.5,-2],[2,1.5,2]],"triangles":[[0,1,3],[0,3,2],[2,3,5],[2,5,4]]}}}"#;
    const SLOPE: [f64; 3] = [-0.6, 0.8, 0.0];
    let body = r#"{"id":0,"name":"crate","shape":{"box":{"half_extents":[0.2,0.2,0.2]}}}"#;
    let header = r#","gravity":[0,-10,0],"margin":0.02"#;
    let is_bump = |normal: [f64; 3], [before, after]: [[f64; 2]; 2]| {
        let points = [[0.3928, 0.3096, 0.0], [-0.04, 0.08, 0.0]];
        let line = |x: f64, v: [f64; 3], depths: Option<[f64; 2]>| {
            let contacts: Vec<String> = (points.iter().zip(depths.iter().flatten()))
                .map(|(point, depth)| {
                    format!(
                        r#"{{"a":0,"b":1,"point":{point:?},"normal":{normal:?},"depth":{depth}}}"#
                    )
                })
                .collect();
            // At x = 0 its corner is 0.0005 m in front of the slope.
            let p = [x + 0.1997, 0.5004, 0.0];
            format!(
                r#""bodies":[{{"id":0,"p":{p:?},"v":{v:?}}}],"contacts":[{}]"#,
                contacts.join(",")
            )
        };
        let known = before[0] < 0.0;
        let (fast, slow) = ([1.0, 0.0, 0.0], [0.64, 0.48, 0.0]);
        let lines = [
            line(-2.0 / 60.0, fast, None),
            line(-1.0 / 60.0, fast, known.then_some(before)),
            line(0.0, slow, Some(after)),
        ];
        let all = report(header, &[body, VALLEY], &[&lines[0], &lines[1], &lines[2]]);
        (all.findings.iter()).any(|found| found.cause == Cause::InternalEdge)
    };
    let (before, after) = ([-0.0075, -0.083], [-0.0005, -0.08]);
    assert!(!is_bump(SLOPE, [before, after]));
    assert!(is_bump(SLOPE, [[0.0; 2], after]));
    assert!(is_bump([-0.8, 0.6, 0.0], [before, after]));
}
