//! Resting shapes stay at rest: exact queries have no contact margin, so the stepper's skin keeps them at rest,
//! for all shapes, and also where coordinates have few digits left.

use glam::{DQuat, DVec3};
use hitstop::core::replay::{Phase, Replay};
use hitstop::core::scene::{Detection, Movement, Object, Response, Scene};
use hitstop::core::shape::{Capsule, Facing, Mesh, Segment, Shape};
use std::sync::Arc;

const FRAMES: u32 = 60;

fn lies_on(shape: Shape, ground: Object, drop: f64) -> Replay {
    let body = Object::new(
        "body",
        shape,
        ground.pose.position + DVec3::Y * (0.5 + drop),
    );
    Replay::stepped(Arc::new(Scene {
        frames: FRAMES,
        gravity: DVec3::new(0.0, -9.81, 0.0),
        detection: Detection::Sweep,
        response: Response::Slide,
        ..Scene::new("rest", vec![body, ground])
    }))
}

/// Grounds whose top is at their position.
fn grounds(place: DVec3) -> Vec<Object> {
    let still = |name: &str, shape: Shape| Object {
        movement: Movement::Fixed,
        ..Object::new(name, shape, place)
    };
    let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    let corners = vec![
        corner(-7.0, -7.0),
        corner(7.0, -7.0),
        corner(7.0, 7.0),
        corner(-7.0, 7.0),
    ];
    let mesh = |facing| {
        let triangles = vec![[0, 2, 1], [0, 3, 2]];
        Shape::Mesh(Arc::new(
            Mesh::new(corners.clone(), triangles, facing).unwrap(),
        ))
    };
    let mut turned = still("turned sheet", mesh(Facing::Front));
    turned.pose.rotation = DQuat::from_rotation_y(0.3);
    vec![
        still("one-sided sheet", mesh(Facing::Front)),
        still("sheet", mesh(Facing::Both)),
        turned,
    ]
}

#[test]
fn resting_shapes_do_not_move_near_and_far_from_the_origin() {
    let lying = Segment {
        a: DVec3::new(-0.7, 0.0, 0.1),
        b: DVec3::new(0.6, 0.0, 0.0),
    };
    let shapes = [
        Shape::Sphere { radius: 0.5 },
        Shape::Capsule(Capsule {
            segment: lying,
            radius: 0.5,
        }),
        Shape::Box {
            half_extents: DVec3::splat(0.5),
        },
    ];
    for place in [
        DVec3::ZERO,
        DVec3::new(1e5, 3e4, -2e5),
        DVec3::new(-1e7, 1e6, 1e7),
    ] {
        for shape in &shapes {
            for ground in grounds(place) {
                for drop in [0.0, 0.25] {
                    let case = format!("{} on {} at {place}", shape.kind_name(), ground.name);
                    let replay = lies_on(shape.clone(), ground.clone(), drop);
                    check_rest(&replay, place, &case);
                }
            }
        }
    }
}

fn check_rest(replay: &Replay, place: DVec3, case: &str) {
    let at = |frame: u32| replay.state(frame).body(0).unwrap().pose.position;
    // The skin, and a few roundings of the coordinates.
    let tolerance = 2e-9 + 64.0 * f64::EPSILON * place.abs().max_element();
    for number in (30..FRAMES).step_by(6) {
        let height = at(number).y - place.y - 0.5;
        assert!(
            height.abs() <= tolerance,
            "{case}, frame {number}: {height}"
        );
        let frame = replay.frame(number);
        let hits = |phase: &&Phase| {
            matches!(
                phase,
                Phase::Advance {
                    impact: Some(_),
                    ..
                }
            )
        };
        let impacts = frame.phases.iter().filter(hits).count();
        assert!(impacts <= 2, "{case}, frame {number}: {impacts} impacts");
        assert!(!frame.gave_up, "{case}, frame {number}");
    }
    assert_eq!(at(FRAMES - 20), at(FRAMES), "{case}: it moves");
}
