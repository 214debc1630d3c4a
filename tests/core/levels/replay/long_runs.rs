//! Invariants over hundreds of frames.

use super::*;
use crate::common::rounds;

fn pool(detection: Detection, gap: f64) -> Replay {
    let radius = 0.028_575;
    let mut objects = vec![ball(
        "cue",
        radius,
        DVec3::new(-0.6, 0.0, 0.001),
        DVec3::X * 8.0,
    )];
    let pitch = 2.0 * radius + gap;
    for row in 0..5 {
        for place in 0..=row {
            let x = f64::from(row) * pitch * 3_f64.sqrt() / 2.0;
            let z = (f64::from(place) - f64::from(row) / 2.0) * pitch;
            let name = format!("{row}-{place}");
            objects.push(ball(&name, radius, DVec3::new(x, 0.0, z), DVec3::ZERO));
        }
    }
    stepped(scene(
        detection,
        Response::Bounce { restitution: 1.0 },
        objects,
    ))
}

fn momentum_and_energy(state: &FrameState) -> (DVec3, f64) {
    let velocities = state.present().map(|(_, body)| body.velocity.unwrap());
    velocities.fold((DVec3::ZERO, 0.0), |(momentum, energy), v| {
        (momentum + v, energy + v.length_squared() / 2.0)
    })
}

#[test]
fn pool_break_keeps_momentum_and_energy_and_the_sweep_never_overlaps() {
    for detection in [Detection::Overlap, Detection::Sweep] {
        for gap in [1e-4, 1e-6, 0.0] {
            let replay = pool(detection, gap);
            let mut moved = 0;
            for number in 0..replay.frames() {
                let frame = replay.frame(number);
                let (momentum, energy) = momentum_and_energy(&frame.end);
                assert!(
                    momentum.distance(DVec3::X * 8.0) < 1e-9,
                    "{detection:?} {gap} {number}"
                );
                assert!(
                    (energy - 32.0).abs() < 1e-9,
                    "{detection:?} {gap} {number}: {energy}"
                );
                assert!(!frame.gave_up);
                moved = frame
                    .end
                    .present()
                    .filter(|(_, body)| body.velocity != Some(DVec3::ZERO))
                    .count();
                if detection == Detection::Sweep {
                    for part in 0..=32 {
                        let at = f64::from(part) / 32.0;
                        let deep = deepest(&replay, |object| frame.pose(object, at));
                        let allowed = if gap == 0.0 { 1e-12 } else { 0.0 };
                        assert!(deep <= allowed, "{gap} {number} {at}: {deep:e}");
                    }
                }
            }
            assert!(moved > 8, "the rack broke: {moved} of 16 move");
        }
    }
}

#[test]
fn resting_objects_neither_sink_nor_jitter() {
    let frames = rounds(2000);
    let things = [
        Shape::Sphere { radius: 0.5 },
        Shape::Box {
            half_extents: DVec3::splat(0.5),
        },
    ];
    let ground = fixed_box("ground", DVec3::new(5.0, 0.5, 5.0), DVec3::Y * -0.5);
    for thing in things {
        for ground in [floor(), ground.clone()] {
            for response in [
                Response::Slide,
                Response::Stop,
                Response::Push,
                Response::Bounce { restitution: 0.5 },
            ] {
                for detection in [Detection::Overlap, Detection::Sweep] {
                    // Push keeps the velocity, so gravity accelerates the body until the overlap test misses the whole box.
                    if (response, detection) == (Response::Push, Detection::Overlap) {
                        continue;
                    }
                    let body = Object::new("body", thing.clone(), DVec3::Y * 0.5);
                    let replay = stepped(Scene {
                        gravity: GRAVITY,
                        frames,
                        ..scene(detection, response, vec![body, ground.clone()])
                    });
                    let case = format!(
                        "{} {} {response:?} {detection:?}",
                        thing.kind_name(),
                        ground.name
                    );
                    for number in (0..frames).rev().step_by(20) {
                        let y = position(&replay, number, 0).y;
                        assert!((y - 0.5).abs() < 1e-8, "{case} {number}: {y}");
                        assert!(!replay.frame(number).gave_up, "{case} {number}");
                        assert!(impacts(&replay, number).len() <= 2, "{case} {number}");
                    }
                    if detection == Detection::Sweep {
                        assert_eq!(
                            position(&replay, frames / 2, 0),
                            position(&replay, frames, 0),
                            "{case}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_sliding_box_keeps_its_height_and_its_speed() {
    let body = Object {
        velocity: DVec3::new(3.0, 0.0, 1.0),
        ..Object::new(
            "body",
            Shape::Box {
                half_extents: DVec3::splat(0.5),
            },
            DVec3::Y * 0.75,
        )
    };
    let replay = stepped(Scene {
        gravity: GRAVITY,
        frames: 600,
        ..scene(Detection::Sweep, Response::Slide, vec![body, floor()])
    });
    assert!((position(&replay, 600, 0).y - 0.5).abs() < 1e-8);
    assert!(position(&replay, 600, 0).y >= 0.5);
    assert_eq!(velocity(&replay, 600, 0), DVec3::new(3.0, 0.0, 1.0));
}

#[test]
fn a_tower_stays_within_the_impact_limit() {
    let mut objects = vec![floor()];
    for level in 0..10 {
        let y = 0.5 + f64::from(level);
        objects.push(ball(
            &format!("ball {level}"),
            0.5,
            DVec3::Y * y,
            DVec3::ZERO,
        ));
    }
    let replay = stepped(Scene {
        gravity: GRAVITY,
        frames: 300,
        ..scene(Detection::Sweep, Response::Slide, objects)
    });
    for number in 0..300 {
        let frame = replay.frame(number);
        assert!(!frame.gave_up, "{number}");
        for (level, (_, body)) in frame.end.present().skip(1).enumerate() {
            let y = body.pose.position.y;
            assert!(
                (y - 0.5 - level as f64).abs() < 1e-6,
                "{number} {level}: {y}"
            );
        }
    }
}

/// Fast balls in a closed room: with the sweep none ever leaves it or overlaps anything, whatever the response.
#[test]
fn nothing_ever_leaves_a_room_of_thin_walls() {
    let responses = [
        Response::Push,
        Response::Slide,
        Response::Stop,
        Response::Bounce { restitution: 1.0 },
        Response::Bounce { restitution: 0.3 },
    ];
    for (response, seed) in responses.into_iter().zip(1..) {
        let mut numbers = Numbers(Random(seed));
        let mut objects = Vec::new();
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let mut half = DVec3::splat(2.1);
                half[axis] = 0.001;
                let mut at = DVec3::ZERO;
                at[axis] = side * 2.0;
                objects.push(fixed_box(&format!("wall {axis} {side}"), half, at));
            }
        }
        for place in 0..27 {
            let at = DVec3::new(
                f64::from(place % 3 - 1),
                f64::from(place / 3 % 3 - 1),
                f64::from(place / 9 - 1),
            ) + numbers.vector(0.1);
            let mass = 0.5 + numbers.unit() * 3.0;
            let thing = ball(
                &format!("ball {place}"),
                0.1 + 0.2 * numbers.unit(),
                at,
                numbers.vector(300.0),
            );
            objects.push(Object { mass, ..thing });
        }
        let replay = stepped(Scene {
            gravity: GRAVITY,
            frames: 40,
            ..scene(Detection::Sweep, response, objects)
        });
        for number in 0..replay.frames() {
            let frame = replay.frame(number);
            for part in 1..=4 {
                let at = f64::from(part) / 4.0;
                let deep = deepest(&replay, |object| frame.pose(object, at));
                assert!(
                    deep < 1e-12,
                    "{response:?} seed {seed} frame {number} at {at}: {deep:e}"
                );
                for object in 6..replay.objects().len() as u32 {
                    let p = frame.pose(object, at).unwrap().position;
                    assert!(
                        p.abs().max_element() < 2.0,
                        "{response:?} seed {seed} {number}: {p}"
                    );
                }
            }
        }
    }
}

/// 16,667 bounces in a frame: the object is halted with a notice, and stays between the walls.
#[test]
fn too_many_impacts_halt_the_object_and_never_let_it_through() {
    let rattling = ball("ball", 0.25, DVec3::ZERO, DVec3::X * 1e6);
    let wall = |name, x| fixed_box(name, DVec3::new(0.01, 1.0, 1.0), DVec3::X * x);
    let objects = vec![rattling, wall("left", -0.76), wall("right", 0.76)];
    let replay = stepped(scene(
        Detection::Sweep,
        Response::Bounce { restitution: 1.0 },
        objects,
    ));
    for number in 0..60 {
        let frame = replay.frame(number);
        assert!(frame.gave_up);
        let segments = &frame.segments(0);
        assert!(segments.len() > 10);
        assert_eq!(
            segments[segments.len() - 1].motion.displacement(),
            DVec3::ZERO
        );
        for part in 0..=100 {
            let x = frame.pose(0, f64::from(part) / 100.0).unwrap().position.x;
            assert!(x.abs() <= 0.5, "{number}: {x}");
        }
        assert_eq!(velocity(&replay, number + 1, 0).x.abs(), 1e6);
    }
}

/// Two triangles make a floor and two a wall: the edge between coplanar triangles has no effect, and the wall is hit
/// although the floor of the same mesh is in contact all the time.
#[test]
fn a_ball_rolls_over_the_inner_edges_of_a_mesh_to_its_wall() {
    let vertices = vec![
        DVec3::new(-5.0, 0.0, -5.0),
        DVec3::new(-5.0, 0.0, 5.0),
        DVec3::new(5.0, 0.0, 5.0),
        DVec3::new(5.0, 0.0, -5.0),
        DVec3::new(5.0, 4.0, 5.0),
        DVec3::new(5.0, 4.0, -5.0),
    ];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [3, 2, 4], [3, 4, 5]];
    let mesh = Mesh::new(vertices, triangles, Facing::Both).unwrap();
    let room = Object {
        movement: Movement::Fixed,
        ..Object::new("room", Shape::Mesh(Arc::new(mesh)), DVec3::ZERO)
    };
    let rolling = ball(
        "ball",
        0.5,
        DVec3::new(-3.0, 0.5, 0.7),
        DVec3::new(9.0, 0.0, 0.1),
    );
    let replay = stepped(Scene {
        gravity: GRAVITY,
        frames: 120,
        ..scene(Detection::Sweep, Response::Slide, vec![rolling, room])
    });
    let mut before = velocity(&replay, 0, 0);
    for number in 1..=120 {
        let (p, v) = (position(&replay, number, 0), velocity(&replay, number, 0));
        assert!((p.y - 0.5).abs() < 1e-8 && p.y >= 0.5, "{number}: {p}");
        assert!(p.x <= 4.5);
        assert!(
            v.x == before.x || (v.x.abs() < 1e-12 && (p.x - 4.5).abs() < 1e-8),
            "{number}: {v}"
        );
        assert!((v.z - 0.1).abs() < 1e-12);
        before = v;
    }
    assert!(before.x.abs() < 1e-12, "it met the wall");
}

#[test]
fn overlap_at_the_start_is_pushed_out_by_both_detections() {
    for detection in [Detection::Overlap, Detection::Sweep] {
        let ball = ball("ball", 0.5, DVec3::Y * 0.2, DVec3::ZERO);
        let replay = stepped(scene(detection, Response::Push, vec![ball, floor()]));
        assert!(
            (position(&replay, 1, 0).y - 0.5).abs() < 1e-8,
            "{detection:?}"
        );
        assert_eq!(pushes(&replay, 0).len(), 1);
        assert_eq!(pushes(&replay, 1).len(), 0);
    }
}
