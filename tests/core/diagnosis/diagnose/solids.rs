//! One solid, cut into several: parts of a compound, or objects side by side.

use super::*;
use crate::common::levels::change_frames;
use glam::DQuat;
use hitstop::core::scene::Keyframe;
use hitstop::core::shape::{Capsule, Compound, CompoundPart, Segment};
use std::f64::consts::FRAC_PI_2;

/// A ball of 0.1 m sinks into a floor of 1 m, from 0.2 m above it by 0.15 m a frame: it overlaps at states 1 and 2 and is wholly inside then, and is
/// past the middle at the end of frame 4. It is one event, also where it crosses a seam of the floor on its way.
#[test]
fn what_sinks_across_a_seam_is_one_finding() {
    let sinks = |floor: Vec<Object>| {
        let places = floor.iter().map(|part| at(part.pose.position.to_array()));
        let places: Vec<_> = places.collect();
        let objects = [vec![ball("ball", 0.1, [0.0; 3], [0.0; 3])], floor].concat();
        let log = (0..6).fold(Log::new(objects), |log, state| {
            let (x, y) = (0.1 * f64::from(state), 0.2 - 0.15 * f64::from(state));
            let all = [vec![at([x - 0.2, y, 0.0])], places.clone()].concat();
            log.frame(DT, &all)
        });
        report_of(log.replay())
    };
    let part = |name: &str, from: f64, to: f64| {
        let (half, middle) = (0.5 * (to - from), 0.5 * (to + from));
        wall(name, [half, 0.5, 2.0], [middle, -0.5, 0.0])
    };
    let cut = vec![part("left", -2.0, 0.05), part("right", 0.05, 2.0)];
    for floor in [vec![part("left", -2.0, 2.0)], cut] {
        let report = sinks(floor);
        let found = single(&report);
        assert_eq!((found.kind, &*found.b), (Kind::Sinks, "left"));
        assert_eq!((found.frame, found.last_frame), (2, 4));
    }
}

/// A floor of two slabs is passed upward through one of them and downward through the other: that is a lift, as with a floor of one slab.
#[test]
fn a_lift_passes_the_parts_of_one_floor_both_ways() {
    let mut lift = wall("lift", [0.2, 0.1, 0.2], [0.0; 3]);
    let keyframe = |(frame, [x, y]): (u32, [f64; 2])| Keyframe {
        frame,
        position: DVec3::new(x, y, 0.0),
        rotation: DQuat::IDENTITY,
    };
    let way = [
        (0, [-1.0, -1.0]),
        (1, [-1.0, 1.0]),
        (2, [1.0, 1.0]),
        (3, [1.0, -1.0]),
    ];
    lift.movement = Movement::Keyframes(way.map(keyframe).to_vec());
    let slab = |name: &str, x: f64| wall(name, [1.0, 0.1, 1.0], [x, 0.0, 0.0]);
    let report = report(scene(3, vec![lift, slab("left", -1.0), slab("right", 1.0)]));
    assert_eq!(report.findings, []);
    let why = &report.not_judged[0].why;
    let expected = "lift passed left and right twice and was not judged: ";
    assert!(why.starts_with(expected), "{why}");
}

/// Contacts that push a ball up and down are of one pair, also where each is with another part of the floor.
#[test]
fn opposed_contacts_with_parts_of_a_floor_are_of_one_pair() {
    let part = |name: &str, half: f64, x: f64| wall(name, [half, 0.5, 2.0], [x, -0.5, 0.0]);
    let cut = vec![part("left", 1.0, -1.0), part("right", 1.0, 1.0)];
    for floor in [vec![part("left", 2.0, 0.0)], cut] {
        let last = floor.len() as u32;
        let places = floor.iter().map(|part| at(part.pose.position.to_array()));
        let states = [vec![at([0.0, 0.1, 0.0])], places.collect()].concat();
        let objects = [vec![ball("ball", 0.1, [0.0; 3], [0.0; 3])], floor].concat();
        let mut log = Log::new(objects);
        for _ in 0..2 {
            log = log.frame(DT, &states);
        }
        change_frames(&mut log.recording, |index, data| {
            let contact = |(b, normal): (u32, DVec3)| LoggedContact {
                a: 0,
                b,
                point: DVec3::ZERO,
                normal,
                depth: 0.0,
            };
            let all = [(1, DVec3::Y), (last, DVec3::NEG_Y)];
            data.contacts
                .extend(all.map(contact).into_iter().filter(|_| index == 1));
        });
        let report = report_of(log.replay());
        let says = "contacts of one pair push against each other in 1 line, first those of ball and left in frame 1";
        let has_notice = report.notices.iter().any(|notice| notice.contains(says));
        assert!(has_notice, "{:?}", report.notices);
    }
}

/// A contact with a floor 4.9 m below a ball of 0.1 m may be off by 2 % of the ball, and by 8 roundings of an `f32` 300 m from the origin, where the middle
/// of the floor is, whatever it is cut into.
#[test]
fn the_tolerance_of_a_contact_is_that_of_the_whole_floor() {
    let part = |name: &str, half: f64, x: f64| wall(name, [half, 0.5, 2.0], [x, 0.0, 0.0]);
    let cut = vec![part("left", 100.0, 200.0), part("right", 100.0, 400.0)];
    for floor in [vec![part("left", 200.0, 300.0)], cut] {
        let places = floor.iter().map(|part| at(part.pose.position.to_array()));
        let states = [vec![at([250.0, 5.5, 0.0])], places.collect()].concat();
        let objects = [vec![ball("ball", 0.1, [0.0; 3], [0.0; 3])], floor].concat();
        let mut log = Log::new(objects);
        for _ in 0..2 {
            log = log.frame(DT, &states);
        }
        change_frames(&mut log.recording, |index, data| {
            let contact = LoggedContact {
                a: 0,
                b: 1,
                point: DVec3::new(250.0, 0.5, 0.0),
                normal: DVec3::Y,
                depth: 0.05,
            };
            data.contacts.extend((index == 1).then_some(contact));
        });
        let report = report_of(log.replay());
        let found = single(&report);
        assert_eq!((found.kind, found.cause), (Kind::Phantom, Cause::Ghost));
        let rounding = 8.0 * f64::from(f32::EPSILON) * 300.0;
        close(evidence(found, "tolerance"), 0.002 + rounding, 1e-12);
    }
}

/// A compound of boxes: half extents and place of each.
fn boxes(parts: &[([f64; 3], [f64; 3])]) -> Shape {
    let part = |(half, place): &([f64; 3], [f64; 3])| CompoundPart {
        shape: Shape::Box {
            half_extents: DVec3::from_array(*half),
        },
        pose: Pose::at(DVec3::from_array(*place)),
    };
    Shape::Compound(Arc::new(
        Compound::new(parts.iter().map(part).collect()).unwrap(),
    ))
}

const FLOOR: ([f64; 3], [f64; 3]) = ([5.0, 0.1, 5.0], [0.0, -1.6, 0.0]);

/// A wall of 0.2 m on a floor, of one compound: two slabs back to back hold what one holds. A ball of 0.1 m is detected up to 0.2 + 2 * 0.1 m and
/// pushed back up to 0.1 + 0.2 / 2; where its centre is before the middle of the wall, it is pushed back.
#[test]
fn slabs_back_to_back_are_one_wall() {
    let slab = |half: f64, x: f64| ([half, 1.5, 1.5], [x, 0.0, 0.0]);
    let one = boxes(&[slab(0.1, 0.0), FLOOR]);
    let two = boxes(&[slab(0.05, -0.05), slab(0.05, 0.05), FLOOR]);
    for (wall, parts) in [(&one, [0, 0]), (&two, [0, 1])] {
        let shoot = |from: f64, to: f64| {
            let speed = [(to - from) / DT, 0.0, 0.0];
            let wall = fixed("wall", wall.clone(), [0.0; 3]);
            report(scene(
                1,
                vec![ball("ball", 0.1, [from, 0.0, 0.0], speed), wall],
            ))
        };
        for (sign, part) in [1.0, -1.0].into_iter().zip(parts) {
            let report = shoot(-sign, sign);
            let found = single(&report);
            assert_eq!((found.kind, found.cause), (Kind::Tunnels, Cause::TooFast));
            close(evidence(found, "thickness"), 0.2, 1e-9);
            close(evidence(found, "limit_seen"), 0.4, 1e-9);
            close(evidence(found, "limit_side"), 0.2, 1e-9);
            let says = format!("It hits part {part} (Box) of wall.");
            assert!(found.text.contains(&says), "{}", found.text);
            assert_eq!(shoot(-sign, -0.04 * sign).findings, []);
        }
    }
}

/// A box of 12 triangles, counter-clockwise seen from outside.
fn closed_box(half: DVec3) -> Shape {
    let corner = |index: u32| {
        let side = |bit: u32| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
        half * DVec3::new(side(0), side(1), side(2))
    };
    let sides = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let halves = sides.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let mesh = Mesh::new((0..8).map(corner).collect(), halves.concat(), Facing::Both);
    Shape::Mesh(Arc::new(mesh.unwrap()))
}

/// A rod that overlaps a wall turns by 90 degrees on its way past the middle, so that its end comes out on the far side. Its centre passes the middle
/// without the turn, too: the turn is no cause, whether the wall is a box or the closed mesh of one, in which nothing is wholly inside.
#[test]
fn a_turn_that_decides_nothing_is_no_cause_in_a_closed_mesh() {
    let half = DVec3::new(1.0, 3.0, 3.0);
    for wall in [Shape::Box { half_extents: half }, closed_box(half)] {
        let mut rod = ball("rod", 1.0, [0.0; 3], [0.0; 3]);
        rod.shape = Shape::Capsule(Capsule {
            segment: Segment {
                a: DVec3::Y * -0.6,
                b: DVec3::Y * 0.6,
            },
            radius: 0.05,
        });
        let mut log = Log::new(vec![rod, fixed("wall", wall, [0.0; 3])]);
        // Beside the middle of the wall.
        for x in [-1.5, -1.02, 0.5] {
            log = log.frame(DT, &[at([x, 0.0, 0.5]), at([0.0; 3])]);
        }
        change_frames(&mut log.recording, |index, data| {
            if index == 2 {
                data.bodies[0].pose.rotation = DQuat::from_rotation_z(-FRAC_PI_2);
            }
        });
        let report = report_of(log.replay());
        let found = single(&report);
        assert_eq!((found.kind, found.frame), (Kind::Sinks, 1));
        assert!(!causes(found).contains(&Cause::Rotation), "{found:#?}");
    }
}
