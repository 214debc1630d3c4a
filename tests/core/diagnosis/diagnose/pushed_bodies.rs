//! Two bodies that both can be pushed: piles, presses, lifts.

use super::*;
use crate::common::levels::change_frames;
use crate::common::random::Random;
use glam::DQuat;

/// Bodies of a pile are pressed into each other for some frames, and roll around each other with a shallow overlap.
#[test]
fn bodies_of_a_pile_do_not_sink_into_each_other() {
    let floor = || wall("floor", [5.0, 0.5, 5.0], [0.0, -0.5, 0.0]);
    let crate_on = |radius: f64| {
        let body = |name: &str| ball(name, radius, [0.0; 3], [0.0; 3]);
        let half_extents = DVec3::splat(0.2);
        let shape = Shape::Box { half_extents };
        [
            body("below"),
            Object {
                shape,
                ..body("crate")
            },
        ]
    };
    let log = |objects: Vec<Object>, states: &[Vec<Pose>]| {
        let mut log = Log::new(objects);
        for poses in states {
            let bodies = (0..).zip(poses).map(|(id, pose)| Body::new(id, *pose));
            add_frame(&mut log.recording, DT, bodies);
        }
        report_of(log.replay())
    };
    let at = |x: f64, y: f64| Pose::at(DVec3::new(x, y, 0.0));
    // A crate lands 3 cm deep in a ball on the floor, whose push leads into the floor.
    let [below, above] = crate_on(0.25);
    let heights = [0.85, 0.66, 0.68, 0.7];
    let fall = heights.map(|y| vec![at(0.0, 0.249), at(0.0, y), at(0.0, -0.5)]);
    assert_eq!(log(vec![below, above, floor()], &fall).findings, []);
    // It rolls around the ball by 120 degrees, always 2 cm deep.
    let [below, above] = crate_on(0.25);
    let around = [
        0.0, 0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0, 105.0, 120.0_f64,
    ];
    let rolls = (0..).zip(around).map(|(number, degrees)| {
        let rotation = DQuat::from_rotation_z(-degrees.to_radians());
        let away = if number == 0 { 0.5 } else { 0.43 };
        let position = rotation * DVec3::new(0.0, away, 0.0);
        vec![at(0.0, 0.0), Pose { position, rotation }]
    });
    assert_eq!(
        log(vec![below, above], &rolls.collect::<Vec<_>>()).findings,
        []
    );
}

/// A body that stays deep in another one is found whatever the two are: fixed, moved, or both pushed.
#[test]
fn a_body_that_stays_inside_is_found_for_every_motion() {
    let crate_of = |name: &str, movement: Movement| Object {
        movement,
        shape: Shape::Box {
            half_extents: DVec3::splat(0.5),
        },
        ..ball(name, 0.5, [0.0; 3], [0.0; 3])
    };
    for obstacle in [Movement::Fixed, Movement::Kinematic, Movement::Velocity] {
        let objects = vec![
            crate_of("body", Movement::Velocity),
            crate_of("other", obstacle),
        ];
        let mut log = Log::new(objects);
        for frame in 0..40 {
            let y: f64 = 1.2 - 0.1 * f64::from(frame);
            log = log.frame(DT, &[at([0.0, y.max(0.65), 0.0]), at([0.0; 3])]);
        }
        let report = report_of(log.replay());
        let found = single(&report);
        assert_eq!(found.kind, Kind::Sinks);
        assert!(found.text.contains("stays inside"), "{}", found.text);
    }
}

/// A ball goes down between two tiles, whose contacts push it to the sides, into each other. One that pushes it back is a contact that gave way, and
/// one that pushes it on is out of no covered face.
#[test]
fn contacts_of_covered_sides_hold_nothing() {
    let tiles = || ["left", "right"].into_iter().zip([-0.5, 0.5]);
    for (normal, cause) in [
        (DVec3::X, Cause::InternalEdge),
        (DVec3::Y, Cause::LetThrough),
        (DVec3::NEG_Y, Cause::LetThrough),
    ] {
        let mut objects = vec![ball("ball", 0.1, [0.0; 3], [0.0; 3])];
        objects.extend(tiles().map(|(name, x)| wall(name, [0.5, 0.2, 0.5], [x, -0.2, 0.0])));
        let mut log = Log::new(objects);
        for y in [0.3, 0.05, -0.15, -0.35, -0.6] {
            log = log.frame(
                DT,
                &[
                    at([0.0, y, 0.0]),
                    at([-0.5, -0.2, 0.0]),
                    at([0.5, -0.2, 0.0]),
                ],
            );
        }
        change_frames(&mut log.recording, |frame, data| {
            let contact = |b: u32, normal: DVec3| LoggedContact {
                a: 0,
                b,
                point: DVec3::ZERO,
                normal,
                depth: 0.1,
            };
            if (1..=3).contains(&frame) {
                data.contacts = vec![
                    contact(1, normal),
                    contact(2, normal * DVec3::new(-1.0, 1.0, 1.0)),
                ]
                .into();
            }
        });
        let report = report_of(log.replay());
        let found = single(&report);
        assert_eq!(
            (found.kind, found.cause),
            (Kind::Sinks, cause),
            "{}",
            found.text
        );
    }
}

/// A ball falls into a plate near its side, to which the push is shorter than back, and out through the lower face. The side is square to the face that
/// it entered, in every rotation of the level.
#[test]
fn a_push_to_the_side_is_not_past_the_middle_in_any_rotation() {
    let objects = || {
        let half_extents = DVec3::new(6.0, 0.25, 3.0);
        vec![
            ball("ball", 0.1, [0.0; 3], [0.0; 3]),
            fixed("plate", Shape::Box { half_extents }, [0.0; 3]),
        ]
    };
    for seed in 0..20 {
        let rotation = Random(seed).rotation();
        let mut recording = recording_of(DT, objects());
        for (y, z) in [(2.0, 2.5), (0.0, 2.9), (-2.0, 2.95)] {
            let ball = Body::new(0, Pose::at(rotation * DVec3::new(0.0, y, z)));
            let plate = Pose {
                rotation,
                ..Pose::IDENTITY
            };
            add_frame(&mut recording, DT, [ball, Body::new(1, plate)]);
        }
        let scene = Arc::new(scene(1, Vec::new()));
        let report = report_of(Replay::recorded(scene, Arc::new(recording)));
        let found = single(&report);
        assert_eq!((found.kind, found.frame), (Kind::Sinks, 1), "seed {seed}");
    }
}

/// A ball of 0.1 m goes 0.25 m in a frame, to 0.08 m past the middle of a wall of 0.1 m, and is pushed on by the 0.07 m that are left to its far side. Whether
/// the log lists that push or its velocities alone show it, it was detected, and pushed out on the wrong side: two steps end the first 0.045 m
/// in front of the middle. One that went that far by its speed was missed. One that a substep takes past the middle has no such push.
#[test]
fn a_push_that_only_velocities_show_is_one_on_the_wrong_side() {
    let found = |[from, to]: [f64; 2], speed: f64, fields: &str| {
        let log = format!(
            r#"{{"hitstop":1,"dt":0.016666666666666666,"objects":[{{"id":0,"name":"ball","shape":{{"sphere":{{"radius":0.1}}}}}},{{"id":1,"name":"wall","motion":"fixed","shape":{{"box":{{"half_extents":[0.05,2,2]}}}}}}]}}
{{"frame":0,"bodies":[{{"id":0,"p":[{from},0,0],"v":[{speed},0,0]}}]}}
{{"frame":1,"bodies":[{{"id":0,"p":[{to},0,0],"v":[{speed},0,0]}}]{fields}}}
"#
        );
        let findings = diagnosed(&opened("log.jsonl", log)).findings;
        assert_eq!(findings.len(), 1, "{findings:?}");
        let found = &findings[0];
        let says_so = found.text.contains("The log lists no push");
        ((found.kind, found.cause, fix(found, "substeps")), says_so)
    };
    let (wrong, way) = ((Kind::WrongSide, Cause::WrongSide, 2.0), [-0.17, 0.15]);
    let listed = found(way, 15.0, r#","pushes":[{"id":0,"push":[0.07,0,0]}]"#);
    assert_eq!(listed, (wrong, false));
    assert_eq!(found(way, 15.0, ""), (wrong, true));
    assert_eq!(found(way, 19.2, "").0.0, Kind::Tunnels);
    let (within, says_so) = found([-0.32, 0.38], 42.0, r#","substeps":2"#);
    assert_eq!((within.0, says_so), (Kind::WrongSide, false));
}
