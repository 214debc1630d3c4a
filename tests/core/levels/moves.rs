//! Moves of characters: read, written, and explained in levels whose heights, angles and distances are known.

use glam::DVec3;
use hitstop::core::diagnose::{Options, diagnose};
use hitstop::core::explain_move::{MoveExplanation, MoveReason, explain_moves_to};
use hitstop::core::level;
use hitstop::core::log::{self, Format};
use hitstop::core::replay::engine_log::{EngineLogKind, engine_log};
use hitstop::core::replay::{LoggedMove, MoveHit, MoveSweep, NoteKind, Recording, Replay};
use hitstop::core::scene::MemoryFolder;
use std::sync::Arc;

fn read(text: &str) -> Recording {
    let (folder, length) = (MemoryFolder::default(), text.len() as u64);
    log::read(
        Format::JsonLines,
        text.as_bytes(),
        length,
        "test",
        None,
        &folder,
        &(),
    )
    .unwrap()
}

fn replay(text: &str) -> Arc<Replay> {
    let folder = MemoryFolder {
        files: [("a.jsonl".to_owned(), text.as_bytes().to_vec())].into(),
    };
    level::open_in(&folder, "a.jsonl", &()).unwrap().replay
}

/// In centimetres with z up.
#[test]
fn moves_are_read_and_written() {
    let text = r#"{"hitstop":1,"dt":0.1,"up":"z","unit":"cm","objects":[{"id":7,"name":"player","shape":{"sphere":{"radius":50}}},{"id":3,"name":"wall","shape":{"box":{"half_extents":[10,10,10]}},"motion":"fixed"}]}
{"frame":0,"bodies":[{"id":7,"p":[0,0,100]}]}
{"frame":1,"bodies":[{"id":7,"p":[0,0,100]}],"moves":[{"id":7,"from":[100,200,300],"wish":[10,0,-5],"to":[105,200,300],"grounded":true,"up":[0,0,1],"max_slope":45,"max_step":30,"snap":20,"skin":1,"x":{},"sweeps":[{"kind":"slide","from":[100,200,300],"wish":[10,0,0],"to":[105,200,300],"hit":{"id":3,"normal":[-1,0,0],"point":[110,200,300]}},{"kind":"snap","from":[105,200,300],"to":[105,200,300],"hit":null}]},{"id":7,"from":[0,0,0],"wish":[0,0,0],"to":[0,0,0]}]}
"#;
    let recording = read(text);
    assert!(recording.notices.is_empty(), "{:?}", recording.notices);
    // (x, y, z) with z up is (x, z, -y).
    let place = DVec3::new(1.05, 3.0, -2.0);
    let slide = MoveSweep {
        kind: "slide".into(),
        from: DVec3::new(1.0, 3.0, -2.0),
        to: place,
        wish: Some(DVec3::new(0.1, 0.0, 0.0)),
        hit: Some(MoveHit {
            object: 1,
            normal: Some(DVec3::NEG_X),
            point: Some(DVec3::new(1.1, 3.0, -2.0)),
        }),
    };
    let snap = MoveSweep {
        kind: "snap".into(),
        from: place,
        to: place,
        wish: None,
        hit: None,
    };
    let first = LoggedMove {
        from: DVec3::new(1.0, 3.0, -2.0),
        wish: DVec3::new(0.1, -0.05, 0.0),
        to: place,
        grounded: Some(true),
        up: Some(DVec3::Y),
        max_slope: Some(45.0),
        max_step: Some(0.3),
        snap: Some(0.2),
        skin: Some(0.01),
        sweeps: vec![slide, snap],
    };
    let notes = recording.data.notes(1);
    assert_eq!(notes.len(), 2);
    assert!(notes.iter().all(|note| note.object == Some(0)));
    assert_eq!(notes[0].kind, NoteKind::Move(Box::new(first)));
    let mut written = Vec::new();
    log::write(Format::JsonLines, &recording, &mut written).unwrap();
    let again = read(std::str::from_utf8(&written).unwrap());
    assert!(again.notices.is_empty(), "{:?}", again.notices);
    assert_eq!(again.data.notes(1), notes);
}

/// A capsule of 1.8 m, radius 0.3 m, over a floor at height 0, with other objects, its places before and after, the fields of its move, and
/// what it meets there with which normal. Its slope is limited to 45 degrees, its step to 0.3 m, its snap to 0.2 m.
struct Case<'c> {
    objects: &'c str,
    ends: [[f64; 2]; 2],
    grounded: [bool; 2],
    hit: Option<(u32, [f64; 2])>,
    skin: f64,
}

/// The floor ends at x = 0.
const LEDGE: &str = r#"{"id":9,"name":"floor","shape":{"box":{"half_extents":[5,1,5]}},"motion":"fixed","position":[-5,-1,0]}"#;
const FLOOR: &str = r#"{"id":9,"name":"floor","shape":{"box":{"half_extents":[50,1,50]}},"motion":"fixed","position":[0,-1,0]}"#;

fn fixed(id: u32, half: [f64; 2], at: [f64; 2]) -> String {
    let ([x, y], [px, py]) = (half, at);
    format!(
        r#"{{"id":{id},"name":"block {id}","shape":{{"box":{{"half_extents":[{x},{y},2]}}}},"motion":"fixed","position":[{px},{py},0]}}"#
    )
}

impl Case<'_> {
    fn text(&self) -> String {
        let [[x, y], [u, v]] = self.ends;
        let [before, after] = self.grounded;
        let hit = self.hit.map_or("null".to_owned(), |(id, [a, b])| {
            format!(r#"{{"id":{id},"normal":[{a},{b},0]}}"#)
        });
        let skin = self.skin;
        let limits = r#""max_slope":45,"max_step":0.3,"snap":0.2"#;
        let one = |from: [f64; 2], to: [f64; 2], grounded: bool, hit: &str| {
            let ([x, y], [u, v]) = (from, to);
            format!(
                r#"{{"id":0,"from":[{x},{y},0],"wish":[0.1,-0.01,0],"to":[{u},{v},0],"grounded":{grounded},"skin":{skin},{limits},"sweeps":[{{"kind":"slide","from":[{x},{y},0],"wish":[0.1,0,0],"to":[{u},{v},0],"hit":{hit}}}]}}"#
            )
        };
        let start = one([x - 0.1, y], [x, y], before, "null");
        let end = one([x, y], [u, v], after, &hit);
        let objects = self.objects;
        format!(
            r#"{{"hitstop":1,"dt":0.1,"gravity":[0,-9.81,0],"objects":[{{"id":0,"name":"player","shape":{{"capsule":{{"half_height":0.6,"radius":0.3}}}},"motion":"kinematic"}},{objects}]}}
{{"frame":0,"bodies":[{{"id":0,"p":[{},{y},0]}}]}}
{{"frame":1,"bodies":[{{"id":0,"p":[{x},{y},0]}}],"moves":[{start}]}}
{{"frame":2,"bodies":[{{"id":0,"p":[{u},{v},0]}}],"moves":[{end}]}}
"#,
            x - 0.1
        )
    }

    fn explained(&self) -> MoveExplanation {
        let mut moves = explain_moves_to(&replay(&self.text()), 0, 2);
        assert_eq!(moves.len(), 1);
        moves.remove(0)
    }

    fn reasons(&self) -> Vec<MoveReason> {
        self.explained().all_reasons().copied().collect()
    }
}

fn walk<'c>(objects: &'c str, to: f64, hit: (u32, [f64; 2])) -> Case<'c> {
    Case {
        objects,
        ends: [[to - 0.02, 0.9], [to, 0.9]],
        grounded: [true, true],
        hit: Some(hit),
        skin: 0.0,
    }
}

fn near(value: f64, wanted: f64) -> bool {
    (value - wanted).abs() < 1e-9
}

/// Of a block at x = 1 with a top at a height: the capsule's side, or its lower half ball, touches the edge.
fn at_step(height: f64) -> (String, f64, [f64; 2]) {
    let block = fixed(4, [1.0, 0.5 * height], [2.0, 0.5 * height]);
    let below = (0.3 - height).max(0.0);
    let aside = (0.09 - below * below).sqrt();
    (block, 1.0 - aside, [-aside / 0.3, below / 0.3])
}

#[test]
fn a_step_is_as_high_as_it_is() {
    let (block, to, normal) = at_step(0.303);
    let objects = format!("{FLOOR},{block}");
    let found = walk(&objects, to, (4, normal)).reasons();
    let [
        MoveReason::TooHigh {
            object: 2,
            height,
            limit,
        },
    ] = found[..]
    else {
        panic!("{found:?}");
    };
    assert!(near(height, 0.303) && limit == 0.3, "{found:?}");

    // The edge is met at 48 degrees, which is not the slope of any surface.
    let (block, to, normal) = at_step(0.1);
    let objects = format!("{FLOOR},{block}");
    let case = walk(&objects, to, (4, normal));
    let found = case.reasons();
    let [
        MoveReason::Step {
            object: 2,
            height,
            limit: Some(0.3),
        },
    ] = found[..]
    else {
        panic!("{found:?}");
    };
    assert!(near(height, 0.1), "{found:?}");
    let lifted = Case {
        ends: [[to - 0.02, 0.91], [to, 0.91]],
        skin: 0.01,
        ..case
    };
    let found = lifted.reasons();
    assert!(
        matches!(found[..], [MoveReason::Step { height, .. }] if near(height, 0.1)),
        "over the floor by its skin: {found:?}"
    );

    let ceiling = fixed(5, [3.0, 0.1], [2.0, 1.85 + 0.1]);
    let objects = format!("{FLOOR},{block},{ceiling}");
    let found = walk(&objects, to, (4, normal)).reasons();
    assert!(
        matches!(found[..], [MoveReason::NoRoom { object: 2, above: 3, height, rise }] if near(height, 0.1) && rise == height),
        "{found:?}"
    );

    // 0.2 m above it, where some controllers raise it by the highest step.
    let ceiling = fixed(5, [3.0, 0.1], [2.0, 2.0 + 0.1]);
    let objects = format!("{FLOOR},{block},{ceiling}");
    let found = walk(&objects, to, (4, normal)).reasons();
    assert!(
        matches!(
            found[..],
            [MoveReason::NoRoom {
                object: 2,
                above: 3,
                rise: 0.3,
                ..
            }]
        ),
        "{found:?}"
    );

    let (block, to, normal) = at_step(3.0);
    let objects = format!("{FLOOR},{block}");
    let found = walk(&objects, to, (4, normal)).reasons();
    assert_eq!(found, [MoveReason::Wall { object: 2 }]);
}

#[test]
fn a_slope_is_as_steep_as_it_is() {
    let of = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let plane = format!(
            r#"{{"id":4,"name":"ramp","shape":{{"plane":{{"normal":[{},{cos},0],"offset":{}}}}},"motion":"fixed"}}"#,
            -sin, -sin
        );
        // The plane goes through (1, 0): the lower half ball touches it and the floor.
        let to = 1.0 - 0.3 * (1.0 - cos) / sin;
        let objects = format!("{FLOOR},{plane}");
        walk(&objects, to, (4, [-sin, cos])).reasons()
    };
    let found = of(46.0);
    let [
        MoveReason::TooSteep {
            object: 2,
            slope,
            limit: 45.0,
        },
    ] = found[..]
    else {
        panic!("{found:?}");
    };
    assert!(near(slope, 46.0), "{found:?}");
    assert_eq!(of(44.0), []);
}

/// Two blocks with their tops at height 0, and one that is a millimetre higher.
#[test]
fn only_what_is_not_there_is_an_inner_edge() {
    let tiles = |second: f64| {
        let one = fixed(3, [1.0, 0.5], [-1.0, -0.5]);
        format!("{one},{}", fixed(4, [1.0, 0.5], [1.0, -0.5 + second]))
    };
    let flush = tiles(0.0);
    let found = walk(&flush, -0.1, (4, [-1.0, 0.0])).reasons();
    let [MoveReason::InnerEdge { object: 2, free }] = found[..] else {
        panic!("{found:?}");
    };
    assert!(free >= 0.08 - 1e-12, "{found:?}");
    let over = Case {
        ends: [[-0.12, 0.91], [-0.1, 0.91]],
        skin: 0.01,
        ..walk(&flush, -0.1, (4, [-1.0, 0.0]))
    };
    assert!(
        matches!(
            over.reasons()[..],
            [MoveReason::InnerEdge { object: 2, .. }]
        ),
        "{:?}",
        over.reasons()
    );
    // A wall before which it stops by its skin is there.
    let wall = format!("{FLOOR},{}", fixed(4, [1.0, 2.0], [2.0, 2.0]));
    let before = Case {
        ends: [[0.67, 0.91], [0.69, 0.91]],
        skin: 0.01,
        ..walk(&wall, 0.69, (4, [-1.0, 0.0]))
    };
    assert_eq!(before.reasons(), [MoveReason::Wall { object: 2 }]);
    let high = tiles(0.4);
    let found = walk(&high, -0.3, (4, [-1.0, 0.0])).reasons();
    assert!(
        matches!(found[..], [MoveReason::TooHigh { height, .. }] if near(height, 0.4)),
        "{found:?}"
    );
}

#[test]
fn a_floor_is_as_far_below_as_it_is() {
    let below = |depth: f64| format!("{LEDGE},{}", fixed(4, [5.0, 0.5], [5.0, -0.5 - depth]));
    let case = |objects, grounded| Case {
        objects,
        ends: [[0.3, 0.9], [0.4, 0.9]],
        grounded,
        hit: None,
        skin: 0.0,
    };
    let deep = below(0.205);
    let found = case(&deep, [true, false]).reasons();
    let [
        MoveReason::SnapMissed {
            object: 2,
            gap,
            limit: 0.2,
        },
    ] = found[..]
    else {
        panic!("{found:?}");
    };
    assert!(near(gap, 0.205), "{found:?}");
    assert_eq!(case(&deep, [false, false]).reasons(), []);
    let flat = below(0.195);
    assert_eq!(case(&flat, [true, false]).reasons(), []);
    let none = below(9.0);
    assert_eq!(case(&none, [true, false]).reasons(), []);
    let found = case(&none, [true, true]).reasons();
    assert!(
        matches!(found[..], [MoveReason::NoFloor { .. }]),
        "{found:?}"
    );
}

/// A floor's own normal takes the way of a character, as of some controllers by rounding.
#[test]
fn a_way_that_is_lost_on_a_floor_is_told() {
    let case = |objects, to| Case {
        ends: [[0.5, 0.9], [0.5 + to, 0.9]],
        ..walk(objects, 0.0, (9, [0.0, 1.0]))
    };
    assert_eq!(case(FLOOR, 0.1).reasons(), []);
    let found = case(FLOOR, 0.0).reasons();
    assert!(
        matches!(found[..], [MoveReason::Lost { free }] if near(free, 0.1)),
        "{found:?}"
    );
    // A wall is in the way, which the controller does not name.
    let wall = format!("{FLOOR},{}", fixed(4, [1.0, 2.0], [1.82, 2.0]));
    assert_eq!(case(&wall, 0.0).reasons(), []);
}

/// Under a ceiling that the head touches, and past an edge that is behind it.
#[test]
fn a_ceiling_is_in_the_way_and_what_is_left_behind_is_not() {
    let low = format!("{FLOOR},{}", fixed(4, [1.0, 0.5], [1.5, 2.3]));
    let under = Case {
        ends: [[0.5, 0.9], [0.5, 0.9]],
        ..walk(&low, 0.0, (4, [-0.8, -0.6]))
    };
    assert_eq!(under.reasons(), [MoveReason::Ceiling { object: 2 }]);
    let behind = Case {
        ends: [[0.2, 0.9], [0.3, 0.9]],
        grounded: [true, false],
        ..walk(LEDGE, 0.0, (9, [1.0, 0.0]))
    };
    assert_eq!(behind.reasons(), []);
}

#[test]
fn an_overlap_before_and_after_is_told() {
    let wall = format!("{FLOOR},{}", fixed(4, [1.0, 2.0], [2.0, 2.0]));
    let case = Case {
        ends: [[0.75, 0.9], [0.73, 0.9]],
        ..walk(&wall, 0.7, (4, [-1.0, 0.0]))
    };
    let found = case.explained();
    let depths: Vec<_> = found
        .reasons
        .iter()
        .filter_map(|reason| match reason {
            MoveReason::Inside {
                object: 2,
                depth,
                after,
            } => Some((*after, *depth)),
            _ => None,
        })
        .collect();
    assert!(
        matches!(depths[..], [(false, before), (true, after)] if near(before, 0.05) && near(after, 0.03)),
        "{found:?}"
    );
}

/// A controller raises its character to try a step, meets the ceiling 0.25 m above its head there, and ends on its way as before.
#[test]
fn a_contact_where_the_controller_tried_a_step_is_no_ghost() {
    let low = format!("{FLOOR},{}", fixed(4, [9.0, 0.5], [0.0, 2.05 + 0.5]));
    let case = walk(&low, 0.4, (4, [0.0, -1.0]));
    let contact = r#"{"frame":2,"contacts":[{"a":0,"b":4,"point":[0.4,2.05,0],"normal":[0,-1,0],"depth":0.001}],"#;
    let text = case.text().replace(r#"{"frame":2,"#, contact);
    let findings = |text: &str| {
        let folder = MemoryFolder {
            files: [("a.jsonl".to_owned(), text.as_bytes().to_vec())].into(),
        };
        let level = level::open_in(&folder, "a.jsonl", &()).unwrap();
        let report = diagnose(&level, &Options::default(), &()).unwrap();
        let ids = report.findings.iter().map(|finding| finding.cause.id());
        ids.collect::<Vec<_>>()
    };
    assert!(findings(&text).is_empty());
    let without = text.replace(r#","max_step":0.3"#, "");
    assert_eq!(
        findings(&without),
        ["C11"],
        "only the snap of 0.2 m is left"
    );
}

#[test]
fn the_list_has_moves_that_are_stopped() {
    let (block, to, normal) = at_step(0.303);
    let objects = format!("{FLOOR},{block}");
    let replay = replay(&walk(&objects, to, (4, normal)).text());
    let list = engine_log(&replay, |_| true, &()).unwrap();
    let rows: Vec<_> = list
        .rows
        .iter()
        .map(|row| (row.state, row.kind, &*row.text))
        .collect();
    let wanted = "player meets block 4: 0.02 m of 0.1 m";
    assert_eq!(rows, [(2, EngineLogKind::Move, wanted)]);
    let leaves = Case {
        objects: LEDGE,
        ends: [[0.3, 0.9], [0.4, 0.9]],
        grounded: [true, false],
        hit: None,
        skin: 0.0,
    };
    let replay = self::replay(&leaves.text());
    let list = engine_log(&replay, |_| true, &()).unwrap();
    let rows: Vec<_> = list
        .rows
        .iter()
        .map(|row| (row.state, &*row.text))
        .collect();
    assert_eq!(rows, [(2, "player leaves the floor")]);
}

/// Its foot is 5 mm in the floor, or above it as it stands on the edge at 50 degrees.
#[test]
fn a_step_is_as_high_for_a_foot_that_is_sunk_or_raised() {
    let height = |height: f64, to: [f64; 2], normal: [f64; 2]| {
        let block = fixed(4, [1.0, 0.5 * height], [2.0, 0.5 * height]);
        let objects = format!("{FLOOR},{block}");
        let [x, y] = to;
        let case = Case {
            ends: [[x - 0.02, y], to],
            ..walk(&objects, x, (4, normal))
        };
        let found = case.explained().steps[0].reason;
        match found {
            Some(
                MoveReason::TooHigh {
                    object: 2, height, ..
                }
                | MoveReason::Step {
                    object: 2, height, ..
                },
            ) => height,
            _ => panic!("{found:?}"),
        }
    };
    assert!(near(height(0.303, [0.7, 0.895], [-1.0, 0.0]), 0.303));
    let (sin, cos) = 50_f64.to_radians().sin_cos();
    let raised = [1.0 - 0.3 * sin, 0.12 + 0.3 * cos + 0.6];
    assert!(near(height(0.12, raised, [-sin, cos]), 0.12));
}

/// On the edge of a step of 0.2 m at 25 degrees, the head 0.028 m below a ceiling, into which it slides within the frame.
#[test]
fn a_ceiling_over_the_edge_of_a_step_is_in_the_way() {
    let (sin, cos) = 25_f64.to_radians().sin_cos();
    let (x, y) = (1.0 - 0.3 * sin, 0.2 + 0.3 * cos + 0.6);
    let step = format!("{FLOOR},{}", fixed(4, [1.0, 0.1], [2.0, 0.1]));
    let case = |objects| Case {
        ends: [[x - 0.02, y], [x, y]],
        ..walk(objects, x, (4, [-sin, cos]))
    };
    assert_eq!(case(&step).reasons(), []);
    let low = format!("{step},{}", fixed(5, [5.0, 0.5], [0.0, 2.5]));
    assert_eq!(case(&low).reasons(), [MoveReason::Ceiling { object: 3 }]);
}

/// A floor 0.03 m below is within the snap of 0.2 m, but the edge that it leaves is met before, at 50 degrees.
#[test]
fn an_edge_that_is_too_steep_holds_no_foot() {
    let objects = format!("{LEDGE},{}", fixed(4, [5.0, 0.5], [5.0, -0.5 - 0.127]));
    let (sin, cos) = 50_f64.to_radians().sin_cos();
    let (x, y) = (0.3 * sin, 0.6 + 0.3 * cos + 0.01);
    let case = Case {
        objects: &objects,
        ends: [[x - 0.1, 0.9], [x, y]],
        grounded: [true, false],
        hit: None,
        skin: 0.0,
    };
    let found = case.reasons();
    let [
        MoveReason::TooSteepBelow {
            object: 1,
            slope,
            limit: 45.0,
            floor: 2,
            gap,
        },
    ] = found[..]
    else {
        panic!("{found:?}");
    };
    assert!(near(slope, 50.0) && near(gap, y - 0.9 + 0.127), "{found:?}");
}

/// The engine names a point far up the ramp.
#[test]
fn a_point_that_is_not_touched_is_not_looked_at() {
    let (sin, cos) = 46_f64.to_radians().sin_cos();
    let plane = format!(
        r#"{FLOOR},{{"id":4,"name":"ramp","shape":{{"plane":{{"normal":[{},{cos},0],"offset":{}}}}},"motion":"fixed"}}"#,
        -sin, -sin
    );
    let to = 1.0 - 0.3 * (1.0 - cos) / sin;
    let text = walk(&plane, to, (4, [-sin, cos])).text();
    let point = [1.0 + 3.0 * cos, 3.0 * sin, 0.0];
    let text = text.replace(
        r#","normal":["#,
        &format!(r#","point":{point:?},"normal":["#),
    );
    let moves = explain_moves_to(&replay(&text), 0, 2);
    let found: Vec<_> = moves[0].all_reasons().collect();
    assert!(
        matches!(found[..], [MoveReason::TooSteep { object: 2, .. }]),
        "{found:?}"
    );
}
