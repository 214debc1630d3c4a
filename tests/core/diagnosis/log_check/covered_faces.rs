//! Logged contacts on faces that another obstacle covers, for obstacles and bodies of several shapes.

use super::report;
use crate::common::findings::{close, evidence, fix, headline};
use hitstop::core::diagnose::{Cause, Kind, Report};

/// Half sizes of a tile, metres: two lie side by side along x, their top at y = 0 and the seam at x = 1.
const HALF: [f64; 3] = [0.5, 0.5, 2.0];

fn corners([x, y, z]: [f64; 3]) -> Vec<[f64; 3]> {
    let signs = (0..8).map(|bits| [bits & 1, bits >> 1 & 1, bits >> 2 & 1]);
    let sign = |bit: i32| f64::from(2 * bit - 1);
    signs
        .map(|[a, b, c]| [sign(a) * x, sign(b) * y, sign(c) * z])
        .collect()
}

/// The same box in every form in which a log may write it.
fn forms() -> Vec<(&'static str, String)> {
    let [x, y, z] = HALF;
    let sharp = |h: [f64; 3]| format!(r#"{{"box":{{"half_extents":{h:?}}}}}"#);
    let part = |h: [f64; 3], at: [f64; 3]| format!(r#"{{"shape":{},"position":{at:?}}}"#, sharp(h));
    let rounded = |r: f64| {
        let h = HALF.map(|half| half - r);
        format!(r#"{{"box":{{"half_extents":{h:?},"radius":{r}}}}}"#)
    };
    let hull = |r: f64| {
        let points = corners(HALF.map(|half| half - r));
        format!(r#"{{"convex_hull":{{"points":{points:?},"radius":{r}}}}}"#)
    };
    let mesh = |facing: &str| {
        // Counter-clockwise from outside.
        const FACES: [[usize; 4]; 6] = [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ];
        let triangles: Vec<[usize; 3]> = FACES
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect();
        let vertices = corners(HALF);
        format!(
            r#"{{"mesh":{{"vertices":{vertices:?},"triangles":{triangles:?},"facing":"{facing}"}}}}"#
        )
    };
    let halves = [
        part([x, y, 1.0], [0.0, 0.0, -1.0]),
        part([x, y, 1.0], [0.0, 0.0, 1.0]),
    ];
    let across = [
        part([0.25, y, z], [-0.25, 0.0, 0.0]),
        part([0.25, y, z], [0.25, 0.0, 0.0]),
    ];
    vec![
        ("box", sharp(HALF)),
        ("rounded box", rounded(0.02)),
        ("box with a tiny radius", rounded(1e-4)),
        ("hull", hull(0.0)),
        ("rounded hull", hull(0.02)),
        (
            "compound of one",
            format!(r#"{{"compound":[{}]}}"#, part(HALF, [0.0; 3])),
        ),
        (
            "compound of two",
            format!(r#"{{"compound":[{}]}}"#, halves.join(",")),
        ),
        (
            "compound across",
            format!(r#"{{"compound":[{}]}}"#, across.join(",")),
        ),
        ("mesh", mesh("both")),
        ("one-sided mesh", mesh("front")),
    ]
}

fn tile(id: u32, shape: &str, at: [f64; 3]) -> String {
    format!(
        r#"{{"id":{id},"name":"tile {id}","motion":"fixed","shape":{shape},"position":{at:?}}}"#
    )
}

const PLAYER: &str = r#"{"id":0,"name":"player","shape":{"box":{"half_extents":[0.4,0.4,0.4]}}}"#;

/// A player that slides over a floor at 6 m/s and stops in one frame, by a contact at a point with a normal.
fn stops(objects: &[&str], contact: (u32, [f64; 3], [f64; 3])) -> Report {
    stops_at(0.6, objects, contact)
}

fn stops_at(
    x: f64,
    objects: &[&str],
    (surface, point, normal): (u32, [f64; 3], [f64; 3]),
) -> Report {
    let state =
        |x: f64, v: f64| format!(r#""bodies":[{{"id":0,"p":[{x},0.398,0],"v":[{v},0,0]}}]"#);
    let contacts = format!(
        r#","contacts":[{{"a":0,"b":1,"point":[{x},0,0],"normal":[0,1,0],"depth":0.002}},{{"a":0,"b":{surface},"point":{point:?},"normal":{normal:?},"depth":0.001}}]"#
    );
    let lines = [
        state(x - 0.1, 6.0),
        state(x, 6.0),
        state(x + 0.001, 0.0) + &contacts,
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    report(r#","gravity":[0,-10,0]"#, objects, &lines)
}

fn has_edge(report: &Report) -> bool {
    let mut findings = report.findings.iter();
    findings.any(|finding| finding.cause == Cause::InternalEdge)
}

/// The normal of the side that the left tile covers takes all 6 m/s.
const AT_SEAM: (u32, [f64; 3], [f64; 3]) = (2, [1.0, -0.002, 0.0], [-1.0, 0.0, 0.0]);

#[test]
fn a_dead_stop_at_a_covered_face_is_an_internal_edge_in_every_form() {
    for (form, shape) in forms() {
        let tiles = [
            tile(1, &shape, [0.5, -0.5, 0.0]),
            tile(2, &shape, [1.5, -0.5, 0.0]),
        ];
        let all = stops(&[PLAYER, &tiles[0], &tiles[1]], AT_SEAM);
        let found = headline(&all, Cause::InternalEdge);
        assert_eq!(
            (found.kind, found.b.as_str()),
            (Kind::Phantom, "tile 2"),
            "{form}"
        );
        close(evidence(found, "speed_change"), 6.0, 1e-9);
        close(evidence(found, "tilt"), 90.0_f64.to_radians(), 1e-9);
        assert!(found.text.contains("covers"), "{form}: {}", found.text);
        // Tilted by 37 degrees, at the rounding of the edge.
        let tilted = (2, [1.005, -0.003, 0.0], [-0.6, 0.8, 0.0]);
        assert!(
            has_edge(&stops(&[PLAYER, &tiles[0], &tiles[1]], tilted)),
            "{form}"
        );
    }
}

/// The same contact where the right tile is 1 cm higher, 5 cm away, or alone; and a wall on the floor.
#[test]
fn a_step_a_gap_and_a_wall_stop_a_body_in_every_form() {
    for (form, shape) in forms() {
        let left = tile(1, &shape, [0.5, -0.5, 0.0]);
        let contact = (2, [1.0, 0.004, 0.0], [-1.0, 0.0, 0.0]);
        for (at, contact) in [
            ([1.5, -0.49, 0.0], contact),
            (
                [1.55, -0.5, 0.0],
                (2, [1.05, -0.002, 0.0], [-1.0, 0.0, 0.0]),
            ),
            ([1.5, 0.5, 0.0], contact),
        ] {
            let right = tile(2, &shape, at);
            assert!(
                !has_edge(&stops(&[PLAYER, &left, &right], contact)),
                "{form} {at:?}"
            );
        }
        let away = tile(3, &shape, [9.0, -0.5, 0.0]);
        let right = tile(2, &shape, [1.5, -0.5, 0.0]);
        assert!(
            !has_edge(&stops(
                &[PLAYER, &away.replace("\"id\":3", "\"id\":1"), &right],
                AT_SEAM
            )),
            "{form}"
        );
    }
}

/// The form of a tile may differ from that of its neighbour.
#[test]
fn every_form_covers_every_other() {
    for (one, left) in forms() {
        for (other, right) in forms() {
            let tiles = [
                tile(1, &left, [0.5, -0.5, 0.0]),
                tile(2, &right, [1.5, -0.5, 0.0]),
            ];
            assert!(
                has_edge(&stops(&[PLAYER, &tiles[0], &tiles[1]], AT_SEAM)),
                "{one} and {other}"
            );
        }
    }
}

/// A neighbour that the body passes covers nothing.
#[test]
fn a_neighbour_on_another_layer_covers_nothing() {
    let [(_, shape), ..] = &forms()[..] else {
        unreachable!()
    };
    let left = tile(1, shape, [0.5, -0.5, 0.0]);
    let right = tile(2, shape, [1.5, -0.5, 0.0]);
    let ghost = left.replace("\"motion\"", "\"layer\":2,\"mask\":2,\"motion\"");
    let player = PLAYER.replace("\"shape\"", "\"layer\":1,\"mask\":1,\"shape\"");
    let right = right.replace("\"motion\"", "\"layer\":1,\"mask\":1,\"motion\"");
    assert!(!has_edge(&stops(&[&player, &ghost, &right], AT_SEAM)));
}

/// Bodies of every shape over the seam, which a contact there stops: with a tilted normal, and with the floor's.
#[test]
fn bodies_of_every_shape_stumble_on_an_internal_edge() {
    let (_, shape) = &forms()[0];
    let tiles = [
        tile(1, shape, [0.5, -0.5, 0.0]),
        tile(2, shape, [1.5, -0.5, 0.0]),
    ];
    let hull = format!(r#"{{"convex_hull":{{"points":{:?}}}}}"#, corners([0.4; 3]));
    for body in [
        r#"{"sphere":{"radius":0.4}}"#,
        r#"{"capsule":{"a":[0,-0.1,0],"b":[0,0.1,0],"radius":0.3}}"#,
        r#"{"cylinder":{"half_height":0.4,"radius":0.4}}"#,
        r#"{"cone":{"half_height":0.4,"radius":0.4}}"#,
        r#"{"box":{"half_extents":[0.38,0.38,0.38],"radius":0.02}}"#,
        &hull,
    ] {
        let player = format!(r#"{{"id":0,"name":"player","shape":{body}}}"#);
        let objects = [player.as_str(), &tiles[0], &tiles[1]];
        let found =
            |normal: [f64; 3]| has_edge(&stops_at(0.97, &objects, (2, [1.0, -0.001, 0.0], normal)));
        assert!(found([-0.6, 0.8, 0.0]) && found([-1.0, 0.0, 0.0]), "{body}");
        assert!(!found([0.0, 1.0, 0.0]), "{body}");
    }
}

/// The same dead stop amid a face, where nothing is covered, is a wrong normal of the engine.
#[test]
fn a_dead_stop_amid_a_face_is_a_wrong_normal() {
    for (form, shape) in forms() {
        let tile = tile(1, &shape, [0.8, -0.5, 1.1]);
        let all = stops(&[PLAYER, &tile], (1, [1.0, -0.002, 0.3], [-1.0, 0.0, 0.0]));
        assert!(!has_edge(&all), "{form}");
        let found = headline(&all, Cause::OwnQuery);
        close(evidence(found, "normal_angle_degrees"), 90.0, 1e-9);
        close(evidence(found, "speed_change"), 6.0, 1e-9);
        assert_eq!((found.kind, found.normal), (Kind::Phantom, [0.0, 1.0, 0.0]));
    }
}

/// A ball of radius 0.2 in the middle tile of a column of three, 0.1 m right of its middle: up and down are 0.45 m to the next tile, and the free
/// side is 0.5 - 0.1 + 0.2 m away. Tiles of one width are one box, others are not.
#[test]
fn the_way_out_of_an_initial_overlap_leads_to_a_free_place() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.2}}}"#;
    for width in [0.5, 0.6] {
        let tile = |id: u32, half: f64| {
            let y = 0.5 * f64::from(id) - 0.25;
            format!(
                r#"{{"id":{id},"name":"tile {id}","motion":"fixed","shape":{{"box":{{"half_extents":[{half},0.25,5]}}}},"position":[0,{y},0]}}"#
            )
        };
        let tiles = [tile(1, width), tile(2, 0.5), tile(3, width)];
        let state = r#""bodies":[{"id":0,"p":[0.1,0.75,0]}]"#;
        let all = report(
            "",
            &[ball, &tiles[0], &tiles[1], &tiles[2]],
            &[state, state],
        );
        let found = headline(&all, Cause::InitialOverlap);
        close(evidence(found, "depth"), 0.6, 1e-6);
        close(fix(found, "separation"), 0.6, 1e-6);
        let says = "Move it out by 0.6 m along (1, 0, 0)";
        assert!(found.text.contains(says), "{}", found.text);
    }
}

/// A crate that falls on the seam of two blocks at 20 m/s; each contact pushes it out of the side that the other block covers.
#[test]
fn a_body_gets_through_a_seam_whose_contacts_push_it_to_the_sides() {
    let block = |id: u32, x: f64, body: &str| {
        format!(
            r#"{{"id":{id},"name":"block {id}","motion":"fixed","shape":{{"box":{{"half_extents":[0.5,0.5,2]}}}},"position":[{x},-0.5,0]{body}}}"#
        )
    };
    let fallen = r#"{"id":0,"name":"crate","shape":{"box":{"half_extents":[0.25,0.25,0.25]}},"body":"crate"}"#;
    let state = |y: f64| format!(r#""bodies":[{{"id":0,"p":[0,{y},0],"v":[0,-20,0]}}]"#);
    let sides = |y: f64| {
        let low = y - 0.25;
        format!(
            r#","contacts":[{{"a":0,"b":1,"point":[-0.25,{low},0],"normal":[1,0,0],"depth":0.25}},{{"a":0,"b":2,"point":[0.25,{low},0],"normal":[-1,0,0],"depth":0.25}}]"#
        )
    };
    let up = r#","contacts":[{"a":0,"b":1,"point":[0,-0.2,0],"normal":[0,1,0],"depth":0.3}]"#;
    let third = 20.0 / 60.0;
    let heights = [2.0, 1.0, 0.0, -1.0].map(|step| 0.28 - 0.1 + (step - 1.0) * third);
    let fall = |at: [String; 4]| {
        let lines: Vec<String> = heights
            .iter()
            .zip(at)
            .map(|(y, contacts)| state(*y) + &contacts)
            .collect();
        lines
    };
    let seam = fall([
        String::new(),
        sides(heights[1]),
        sides(heights[2]),
        sides(heights[3]),
    ]);
    let held = fall([String::new(), up.into(), up.into(), up.into()]);
    // The names of the blocks' bodies are those of an engine, and say nothing.
    for [left, right] in [["", ""], [r#","body":"left""#, r#","body":"right""#]] {
        let objects = [
            fallen.to_owned(),
            block(1, -0.5, left),
            block(2, 0.5, right),
        ];
        let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
        let judged = |lines: &[String]| {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            report(r#","gravity":[0,-10,0]"#, &objects, &lines)
        };
        let found = judged(&seam);
        let [finding] = &found.findings[..] else {
            panic!("{:#?}", found.findings);
        };
        assert_eq!(
            (finding.kind, finding.cause),
            (Kind::Sinks, Cause::InternalEdge)
        );
        assert!(
            finding.text.contains("block 1 and block 2"),
            "{}",
            finding.text
        );
        let other = judged(&held).findings;
        assert!(
            other.iter().all(|one| one.cause != Cause::InternalEdge),
            "{other:#?}"
        );
    }
}
