//! Bodies that pushes or contacts hold although nothing is in their way.

use super::{phantoms, report};
use crate::common::findings::{close, evidence};
use hitstop::core::diagnose::Report;

const MOVER: &str = r#"{"id":0,"name":"mover","motion":"kinematic","shape":{"capsule":{"a":[0,-0.5,0],"b":[0,0.5,0],"radius":0.3}}}"#;
const FLOOR: &str = r#"{"id":1,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[5,0.5,5]}},"position":[0,-0.5,0]}"#;
const WALL: &str = r#"{"id":2,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.5,1,5]}},"position":[3,1,0]}"#;

/// Lines of a mover on the floor at a place, each with more fields.
fn stands(frames: usize, x: f64, v: &str, more: &str, objects: &[&str]) -> Report {
    let line = format!(r#""bodies":[{{"id":0,"p":[{x},0.8,0]{v}}}]{more}"#);
    let lines = vec![line.as_str(); frames];
    report("", objects, &lines)
}

const PUSHES: &str = r#","pushes":[{"id":0,"push":[-0.08,0.002,0]}]"#;

/// A mover walks 8 cm a frame along an empty floor, and each frame a push takes it back: half a second is 30 frames of 60 in a second. Pressed
/// against a wall, for a shorter time, or without a push it is not stuck.
#[test]
fn a_mover_that_pushes_hold_in_free_space_is_stuck() {
    let of_stuck = |report: &Report| {
        let found = phantoms(report).into_iter();
        let stuck = found
            .filter(|found| found.text.contains("stuck"))
            .collect::<Vec<_>>();
        stuck.first().map(|found| {
            assert_eq!((stuck.len(), found.cause.id(), found.frame), (1, "C11", 29));
            assert_eq!((found.object_a, found.object_b), (Some(0), Some(1)));
            close(evidence(found, "blocked_frames"), 30.0, 0.0);
            close(evidence(found, "travel"), 0.08_f64.hypot(0.002), 1e-9);
            // The floor is nearest, and touched.
            close(evidence(found, "exact_gap"), 0.0, 1e-9);
            found.last_frame
        })
    };
    let at = |frames: usize, x: f64, more: &str| {
        of_stuck(&stands(frames, x, "", more, &[MOVER, FLOOR, WALL]))
    };
    assert_eq!(at(41, 0.0, PUSHES), Some(39));
    // 0.2 m from the wall.
    assert_eq!(at(41, 2.0, PUSHES), Some(39));
    assert_eq!(at(41, 2.2, PUSHES), None);
    assert_eq!(at(30, 0.0, PUSHES), None);
    assert_eq!(at(41, 0.0, ""), None);
    // Placed there by the game in each frame.
    let placed = stands(
        41,
        0.0,
        r#","teleported":true"#,
        PUSHES,
        &[MOVER, FLOOR, WALL],
    );
    assert_eq!(of_stuck(&placed), None);
    // Half a centimetre in the floor.
    let floor = FLOOR.replace("[0,-0.5,0]", "[0,-0.495,0]");
    let sunk = stands(41, 0.0, "", PUSHES, &[MOVER, &floor, WALL]);
    assert_eq!(of_stuck(&sunk), Some(39));
}

/// The same by a velocity that a logged contact cancels; on the seam of two tiles, by the normal of the covered side, it is C10.
#[test]
fn a_body_that_contacts_hold_on_a_seam_is_stuck() {
    let tile = |id: u32, x: f64| {
        format!(
            r#"{{"id":{id},"name":"tile {id}","motion":"fixed","shape":{{"box":{{"half_extents":[1,0.5,5]}}}},"position":[{x},-0.5,0]}}"#
        )
    };
    let tiles = [tile(1, -1.0), tile(2, 1.0)];
    const CRATE: &str = r#"{"id":0,"name":"crate","shape":{"box":{"half_extents":[0.4,0.8,0.4]}}}"#;
    let contacts =
        r#","contacts":[{"a":0,"b":2,"point":[0,-0.001,0],"normal":[-1,0,0],"depth":0}]"#;
    // The other way round, and the crate last.
    let tiles_first = [
        tile(0, -1.0),
        tile(1, 1.0),
        CRATE.replace("\"id\":0", "\"id\":2"),
    ];
    let objects = tiles_first.each_ref().map(String::as_str);
    let line = r#""bodies":[{"id":2,"p":[-0.4,0.8,0],"v":[2,0,0]}],"contacts":[{"a":1,"b":2,"point":[0,-0.001,0],"normal":[1,0,0],"depth":0}]"#;
    let reversed = report("", &objects, &[line; 41]);
    let mut found = phantoms(&reversed).into_iter();
    let stuck = found
        .find(|found| found.text.contains("stuck"))
        .expect("it is");
    assert_eq!((stuck.cause.id(), &*stuck.b), ("C10", "tile 1"));
    assert_eq!(stuck.point, [0.0, -0.001, 0.0]);
    for (v, cause) in [(r#","v":[2,0,0]"#, Some("C10")), (r#","v":[0,0,0]"#, None)] {
        let all = stands(41, -0.4, v, contacts, &[CRATE, &tiles[0], &tiles[1]]);
        let mut found = phantoms(&all).into_iter();
        let stuck = found.find(|found| found.text.contains("stuck"));
        assert_eq!(stuck.map(|found| found.cause.id()), cause);
    }
}

/// A ball of 0.5 m slides along a floor at 3 m/s, 5 cm a frame, and a push of a millimetre lifts it in each.
#[test]
fn a_body_that_slides_on_is_not_stuck() {
    let lines: Vec<String> = (0..61)
        .map(|index| {
            let x = -1.5 + 0.05 * f64::from(index);
            format!(r#""bodies":[{{"id":0,"p":[{x},0.8,0]}}],"pushes":[{{"id":0,"push":[-0.001,0.001,0]}}]"#)
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let all = report("", &[MOVER, FLOOR], &lines);
    let is_stuck = |text: &str| text.contains("stuck");
    assert!(!phantoms(&all).iter().any(|found| is_stuck(&found.text)));
}
