//! Replay: stepping against closed forms and invariants, seeking in every order, recordings with every defect.

use glam::{DQuat, DVec3};
use hitstop::core::query::{contact, gap};
use hitstop::core::replay::{Body, FrameState, Phase, RecordedFrame, Recording, Replay};
use hitstop::core::replay::{LoggedCamera, LoggedPush, Still};
use hitstop::core::scene::{Camera, CameraMovement, Detection, Keyframe, Movement, Object, Probe};
use hitstop::core::scene::{Response, Scene};
use hitstop::core::shape::{Facing, Mesh, Plane, Pose, Shape, Triangle};
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

fn scene(detection: Detection, response: Response, objects: Vec<Object>) -> Scene {
    Scene {
        frames: 60,
        detection,
        response,
        ..Scene::new("test", objects)
    }
}

fn stepped(scene: Scene) -> Replay {
    Replay::stepped(Arc::new(scene))
}

fn ball(name: &str, radius: f64, position: DVec3, velocity: DVec3) -> Object {
    Object {
        velocity,
        ..Object::new(name, Shape::Sphere { radius }, position)
    }
}

fn fixed_box(name: &str, half_extents: DVec3, position: DVec3) -> Object {
    Object {
        movement: Movement::Fixed,
        ..Object::new(name, Shape::Box { half_extents }, position)
    }
}

fn floor() -> Object {
    let plane = Plane {
        normal: DVec3::Y,
        offset: 0.0,
    };
    Object {
        movement: Movement::Fixed,
        ..Object::new("floor", Shape::Plane(plane), DVec3::ZERO)
    }
}

fn position(replay: &Replay, frame: u32, object: u32) -> DVec3 {
    replay.state(frame).bodies[object as usize]
        .unwrap()
        .pose
        .position
}

fn velocity(replay: &Replay, frame: u32, object: u32) -> DVec3 {
    replay.state(frame).bodies[object as usize]
        .unwrap()
        .velocity
        .unwrap()
}

/// The deepest overlap of any pair that may collide, metres; 0 when none overlaps.
fn deepest(replay: &Replay, poses: impl Fn(u32) -> Option<Pose>) -> f64 {
    let objects = replay.objects();
    let mut deepest: f64 = 0.0;
    for a in 0..objects.len() as u32 {
        for b in a + 1..objects.len() as u32 {
            let (Some(pose_a), Some(pose_b)) = (poses(a), poses(b)) else {
                continue;
            };
            let (one, other) = (&objects[a as usize], &objects[b as usize]);
            if one.movement == Movement::Fixed && other.movement == Movement::Fixed {
                continue;
            }
            let found = contact(
                &one.shape.placed(&pose_a),
                &other.shape.placed(&pose_b),
                &mut (),
            );
            deepest = deepest.max(found.map_or(0.0, |contact| contact.depth));
        }
    }
    deepest
}

fn pushes(replay: &Replay, frame: u32) -> Vec<(u32, DVec3)> {
    let frame = replay.frame(frame);
    let of = |phase: &Phase| match phase {
        Phase::Push { object, push, .. } => Some((*object, *push)),
        _ => None,
    };
    frame.phases.iter().filter_map(of).collect()
}

fn impacts(replay: &Replay, frame: u32) -> Vec<(u32, u32, f64)> {
    let frame = replay.frame(frame);
    let of = |phase: &Phase| match phase {
        Phase::Advance {
            impact: Some((a, b, impact)),
            ..
        } => Some((*a, *b, impact.fraction)),
        _ => None,
    };
    frame.phases.iter().filter_map(of).collect()
}

/// A small generator of our own (SplitMix64, Steele et al. 2014): the same numbers everywhere.
struct Numbers(u64);

impl Numbers {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, reach: f64) -> f64 {
        (self.unit() * 2.0 - 1.0) * reach
    }

    fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::new(self.within(reach), self.within(reach), self.within(reach))
    }
}

// ---- motion ----

#[test]
fn free_fall_follows_the_closed_form_of_semi_implicit_euler() {
    for detection in [Detection::Overlap, Detection::Sweep] {
        let start = DVec3::new(1.0, 100.0, -2.0);
        let thrown = DVec3::new(3.0, 5.0, 0.5);
        let replay = stepped(Scene {
            gravity: GRAVITY,
            frames: 120,
            ..scene(
                detection,
                Response::Push,
                vec![ball("ball", 0.5, start, thrown)],
            )
        });
        for n in [0, 1, 7, 120] {
            let k = f64::from(n);
            // v_n = v + n g dt; p_n = p + n v dt + n (n + 1) / 2 g dt^2
            let p = start + thrown * (k * DT) + GRAVITY * (DT * DT * k * (k + 1.0) / 2.0);
            assert!(
                position(&replay, n, 0).distance(p) < 1e-11,
                "{detection:?} {n}"
            );
            assert!(velocity(&replay, n, 0).distance(thrown + GRAVITY * (k * DT)) < 1e-12);
            assert_eq!(replay.time(n), k * DT);
        }
    }
}

#[test]
fn each_movement_moves_as_it_says() {
    let still = Object {
        movement: Movement::Fixed,
        ..ball("fixed", 0.1, DVec3::ZERO, DVec3::X)
    };
    let kinematic = Object {
        movement: Movement::Kinematic,
        spin: DVec3::Z * 3.0,
        ..ball("kinematic", 0.1, DVec3::Y * 5.0, DVec3::X)
    };
    let key = |frame, x| Keyframe {
        frame,
        position: DVec3::new(x, 9.0, 0.0),
        rotation: DQuat::IDENTITY,
    };
    let lift = Object {
        movement: Movement::Keyframes(vec![key(0, 0.0), key(4, 2.0)]),
        ..ball("lift", 0.1, DVec3::ZERO, DVec3::ZERO)
    };
    let replay = stepped(Scene {
        gravity: GRAVITY,
        ..scene(
            Detection::Overlap,
            Response::Push,
            vec![still, kinematic, lift],
        )
    });
    assert_eq!(position(&replay, 60, 0), DVec3::ZERO);
    assert!(position(&replay, 60, 1).distance(DVec3::new(1.0, 5.0, 0.0)) < 1e-13);
    let turned = replay.state(60).bodies[1].unwrap().pose.rotation;
    assert!((turned * DVec3::X).distance(DVec3::new(3_f64.cos(), 3_f64.sin(), 0.0)) < 1e-12);
    assert_eq!(position(&replay, 3, 2), DVec3::new(1.5, 9.0, 0.0));
    assert_eq!(position(&replay, 50, 2), DVec3::new(2.0, 9.0, 0.0));
    assert!(velocity(&replay, 3, 2).distance(DVec3::X * 0.5 / DT) < 1e-12);
    assert_eq!(velocity(&replay, 4, 2), DVec3::ZERO);
}

// ---- what detection sees ----

fn bullet(detection: Detection, response: Response) -> Replay {
    let bullet = ball("bullet", 0.05, DVec3::new(-5.0, 1.0, 0.0), DVec3::X * 400.0);
    let paper = fixed_box("paper", DVec3::new(0.005, 1.0, 1.0), DVec3::Y);
    stepped(scene(detection, response, vec![bullet, paper]))
}

#[test]
fn a_bullet_passes_the_overlap_test_and_is_stopped_by_the_sweep() {
    let overlap = bullet(Detection::Overlap, Response::Push);
    assert!((position(&overlap, 1, 0).x - (-5.0 + 400.0 / 60.0)).abs() < 1e-12);
    assert_eq!(pushes(&overlap, 0), []);
    // What the overlap test did not see, the frame's own sweep shows.
    let frame = overlap.frame(0);
    let Some(Phase::Sweep { impacts: seen }) = frame.phases.get(2) else {
        panic!("{:?}", frame.phases);
    };
    let fraction = (5.0 - 0.055) / (400.0 / 60.0);
    assert!((seen[0].2.fraction - fraction).abs() < 1e-12 && seen[0].2.normal == DVec3::NEG_X);

    for response in [Response::Push, Response::Slide, Response::Stop] {
        let sweep = bullet(Detection::Sweep, response);
        let [(0, 1, seen)] = impacts(&sweep, 0)[..] else {
            panic!("{:?}", impacts(&sweep, 0));
        };
        assert!((seen - fraction).abs() < 1e-12, "0.7417..");
        for frame in [1, 2, 60] {
            let x = position(&sweep, frame, 0).x;
            assert!(
                (-0.055 - 1e-8..=-0.055).contains(&x),
                "{response:?} {frame}: {x}"
            );
        }
        let keeps = response == Response::Push;
        assert_eq!(
            velocity(&sweep, 1, 0),
            DVec3::X * if keeps { 400.0 } else { 0.0 }
        );
        assert!(!sweep.frame(0).gave_up && !sweep.frame(59).gave_up);
    }
    let ignored = bullet(Detection::Sweep, Response::Ignore);
    assert_eq!(position(&ignored, 1, 0), position(&overlap, 1, 0));
}

#[test]
fn a_bounce_ends_where_the_mirrored_path_ends() {
    let sweep = bullet(Detection::Sweep, Response::Bounce { restitution: 0.5 });
    let fraction = (5.0 - 0.055) / (400.0 / 60.0);
    let x = -0.055 - 200.0 * DT * (1.0 - fraction);
    assert!((position(&sweep, 1, 0).x - x).abs() < 1e-8);
    assert_eq!(velocity(&sweep, 1, 0), DVec3::X * -200.0);
    // Legs: to the impact, and back; the pose follows them without a jump.
    let frame = sweep.frame(0);
    assert_eq!(frame.legs[0].len(), 2);
    assert!((frame.pose(0, fraction).unwrap().position.x + 0.055).abs() < 1e-8);
    assert!((frame.pose(0, fraction / 2.0).unwrap().position.x + 5.0 - 4.945 / 2.0).abs() < 1e-8);
    assert_eq!(frame.pose(0, 1.0), Some(frame.end.bodies[0].unwrap().pose));
    let together = frame.legs_together(0, 1);
    assert_eq!(together.len(), 2);
    assert_eq!(
        (together[0].0, together[0].1, together[1].1),
        (0.0, together[1].0, 1.0)
    );
    assert_eq!(together[0].2, frame.legs[0][0].motion);
}

#[test]
fn past_the_middle_is_pushed_back_to_the_start_side_only_by_the_sweep() {
    let replay = |detection| {
        let ball = ball("ball", 0.25, DVec3::X * -0.5, DVec3::X * 0.51 / DT);
        let wall = fixed_box("wall", DVec3::new(0.1, 1.0, 1.0), DVec3::ZERO);
        stepped(scene(detection, Response::Push, vec![ball, wall]))
    };
    let overlap = replay(Detection::Overlap);
    let [(0, push)] = pushes(&overlap, 0)[..] else {
        panic!("one push")
    };
    // The centre ends at 0.01; the nearest face is at +0.1.
    assert!(push.distance(DVec3::X * (0.09 + 0.25)) < 1e-12);
    assert!((position(&overlap, 1, 0).x - 0.35).abs() < 1e-12);
    let sweep = replay(Detection::Sweep);
    assert!((position(&sweep, 1, 0).x + 0.35).abs() < 1e-8);
    let other = overlap.with_detection(Detection::Sweep);
    assert_eq!(other.state_hash(1), sweep.state_hash(1));
    assert_ne!(other.state_hash(1), overlap.state_hash(1));
}

#[test]
fn masks_part_and_sensors_neither_push_nor_are_pushed() {
    for detection in [Detection::Overlap, Detection::Sweep] {
        let ball = || ball("ball", 0.25, DVec3::X * -0.5, DVec3::X * 0.3 / DT);
        let wall = || fixed_box("wall", DVec3::splat(0.1), DVec3::ZERO);
        let x_after =
            |objects| position(&stepped(scene(detection, Response::Push, objects)), 1, 0).x;
        assert!((x_after(vec![ball(), wall()]) + 0.35).abs() < 1e-8);
        let other_layer = Object { layer: 2, ..wall() };
        let only_first = Object { mask: 1, ..ball() };
        let sensor = Object {
            sensor: true,
            ..wall()
        };
        let sensing = Object {
            sensor: true,
            ..ball()
        };
        assert!((x_after(vec![only_first, other_layer]) + 0.2).abs() < 1e-12);
        assert!((x_after(vec![ball(), sensor]) + 0.2).abs() < 1e-12);
        assert!((x_after(vec![sensing, wall()]) + 0.2).abs() < 1e-12);
    }
}

#[test]
fn two_moving_objects_share_the_push_by_inverse_mass() {
    let light = ball("light", 0.5, DVec3::ZERO, DVec3::ZERO);
    let heavy = Object {
        mass: 3.0,
        ..ball("heavy", 0.5, DVec3::X * 0.6, DVec3::ZERO)
    };
    let replay = stepped(scene(
        Detection::Overlap,
        Response::Push,
        vec![light, heavy],
    ));
    // 0.4 deep: 3/4 of it for the light one.
    let seen = pushes(&replay, 0);
    assert_eq!(seen.len(), 2);
    assert!((position(&replay, 1, 0).x + 0.3).abs() < 1e-12);
    assert!((position(&replay, 1, 1).x - 0.7).abs() < 1e-12);
    for phase in &replay.frame(0).phases {
        if let Phase::Push {
            push,
            before,
            after,
            contact: Some(contact),
            ..
        } = phase
        {
            assert!(after.distance(*before + *push) < 1e-15);
            assert!(contact.normal.dot(*push) > 0.0, "away from the other");
        }
    }
}

#[test]
fn a_kinematic_object_pushes_and_is_not_pushed() {
    for detection in [Detection::Overlap, Detection::Sweep] {
        let pusher = Object {
            movement: Movement::Kinematic,
            velocity: DVec3::X * 2.0,
            ..fixed_box("pusher", DVec3::splat(0.5), DVec3::X * -1.0)
        };
        let ball = ball("ball", 0.5, DVec3::X * 0.5, DVec3::ZERO);
        let replay = stepped(scene(detection, Response::Slide, vec![pusher, ball]));
        assert!((position(&replay, 60, 0).x - 1.0).abs() < 1e-12);
        let x = position(&replay, 60, 1).x;
        assert!((x - 2.0).abs() < 1e-7, "{detection:?}: {x}");
        assert!(velocity(&replay, 60, 1).distance(DVec3::X * 2.0) < 1e-9);
    }
}

// ---- long runs ----

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
    let velocities = state
        .bodies
        .iter()
        .map(|body| body.unwrap().velocity.unwrap());
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
                    .bodies
                    .iter()
                    .filter(|b| b.unwrap().velocity != Some(DVec3::ZERO))
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
fn what_rests_neither_sinks_nor_jitters() {
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
                    // Push keeps the velocity, so gravity piles it up until the overlap test misses the whole box.
                    if (response, detection) == (Response::Push, Detection::Overlap) {
                        continue;
                    }
                    let body = Object::new("body", thing.clone(), DVec3::Y * 0.5);
                    let replay = stepped(Scene {
                        gravity: GRAVITY,
                        frames: 1000,
                        ..scene(detection, response, vec![body, ground.clone()])
                    });
                    let case = format!(
                        "{} {} {response:?} {detection:?}",
                        thing.kind_name(),
                        ground.name
                    );
                    for number in (0..1000).rev().step_by(50) {
                        let y = position(&replay, number, 0).y;
                        assert!((y - 0.5).abs() < 1e-8, "{case} {number}: {y}");
                        assert!(!replay.frame(number).gave_up, "{case} {number}");
                        assert!(impacts(&replay, number).len() <= 2, "{case} {number}");
                    }
                    if detection == Detection::Sweep {
                        assert_eq!(
                            position(&replay, 500, 0),
                            position(&replay, 1000, 0),
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
fn a_tower_stands_without_giving_up() {
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
        for (level, body) in frame.end.bodies.iter().skip(1).enumerate() {
            let y = body.unwrap().pose.position.y;
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
        let mut numbers = Numbers(seed);
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

/// 16,667 bounces in a frame: it gives up, says so, and stays between the walls.
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
        let legs = &frame.legs[0];
        assert!(legs.len() > 10);
        assert_eq!(legs[legs.len() - 1].motion.displacement(), DVec3::ZERO);
        for part in 0..=100 {
            let x = frame.pose(0, f64::from(part) / 100.0).unwrap().position.x;
            assert!(x.abs() <= 0.5, "{number}: {x}");
        }
        assert_eq!(velocity(&replay, number + 1, 0).x.abs(), 1e6);
    }
}

/// Two triangles make a floor and two a wall: the edge between coplanar triangles is not felt, and the wall is met
/// although the floor of the same mesh is touched all the time.
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

// ---- seeking ----

/// Everything at once: stack, bullets, a lift, a camera that is held.
fn busy(detection: Detection) -> Scene {
    let mut numbers = Numbers(7);
    let mut objects = vec![floor()];
    for index in 0..30 {
        let at = numbers.vector(3.0) + DVec3::Y * 4.0;
        let mut thing = ball(&format!("ball {index}"), 0.3, at, numbers.vector(20.0));
        thing.spin = numbers.vector(2.0);
        if index % 3 == 0 {
            thing.shape = Shape::Box {
                half_extents: DVec3::splat(0.3),
            };
            thing.spin = DVec3::ZERO;
        }
        objects.push(thing);
    }
    let camera = Camera {
        pose: Pose::at(DVec3::new(0.0, 0.7, 9.0)),
        movement: CameraMovement::Velocity(DVec3::new(0.0, -1.0, -6.0)),
        probe: Probe::Standard,
        probe_mode: Default::default(),
        near: 0.1,
        fov: 1.0,
        aspect: 1.5,
    };
    Scene {
        gravity: GRAVITY,
        frames: 90,
        camera: Some(camera),
        ..scene(detection, Response::Bounce { restitution: 0.6 }, objects)
    }
}

#[test]
fn every_order_of_asking_gives_the_same_bits() {
    for detection in [Detection::Overlap, Detection::Sweep] {
        let scene = Arc::new(busy(detection));
        let forward = Replay::stepped(Arc::clone(&scene));
        let hashes: Vec<u64> = (0..=90).map(|n| forward.state_hash(n)).collect();
        let unlike: std::collections::HashSet<&u64> = hashes.iter().collect();
        assert_eq!(unlike.len(), hashes.len(), "something moves in every frame");

        let backward = Replay::stepped(Arc::clone(&scene));
        for n in (0..=90).rev() {
            assert_eq!(
                backward.state_hash(n),
                hashes[n as usize],
                "{detection:?} back to {n}"
            );
        }
        let inside_first = Replay::stepped(Arc::clone(&scene));
        for n in [89, 3, 40, 39, 38, 88, 0, 12] {
            let frame = inside_first.frame(n);
            assert_eq!(frame.start, inside_first.state(n));
            assert_eq!(
                *frame.end,
                *forward.state(n + 1),
                "looking inside changes nothing"
            );
            assert_eq!(
                frame.camera.map(|(_, pose)| pose),
                forward.camera(n + 1).map(|c| c.pose)
            );
            assert_eq!(*frame, *forward.frame(n));
            assert_eq!(inside_first.state_hash(n + 1), hashes[n as usize + 1]);
        }
        let shared = Replay::stepped(scene);
        std::thread::scope(|threads| {
            for start in 0..4_u32 {
                let (shared, hashes) = (&shared, &hashes);
                threads.spawn(move || {
                    for n in (0..=90).map(|n| (n * 37 + start * 20) % 91) {
                        assert_eq!(shared.state_hash(n), hashes[n as usize]);
                    }
                });
            }
        });
    }
}

#[test]
fn phases_are_in_order_and_frames_join() {
    for detection in [Detection::Overlap, Detection::Sweep] {
        let replay = stepped(busy(detection));
        for number in 0..replay.frames() {
            let frame = replay.frame(number);
            assert_eq!(frame.phases.first(), Some(&Phase::Start));
            assert_eq!(frame.phases.last(), Some(&Phase::End));
            let fractions: Vec<f64> = frame.phases.iter().map(Phase::fraction).collect();
            assert!(
                fractions.is_sorted(),
                "{detection:?} {number}: {fractions:?}"
            );
            for legs in &frame.legs {
                assert_eq!((legs[0].from, legs[legs.len() - 1].to), (0.0, 1.0));
                for pair in legs.windows(2) {
                    assert_eq!(pair[0].to, pair[1].from);
                    assert_eq!(pair[0].motion.end, pair[1].motion.start);
                }
            }
            if detection == Detection::Sweep {
                for (legs, body) in frame.legs.iter().zip(&frame.end.bodies) {
                    assert_eq!(legs[legs.len() - 1].motion.end, body.unwrap().pose);
                }
            }
        }
    }
}

// ---- the camera ----

fn corridor(speed: f64) -> Replay {
    let corner = |x, y, z| DVec3::new(x, y, z);
    let wall = Triangle {
        a: corner(1.0, -20.0, -20.0),
        b: corner(1.0, 20.0, -20.0),
        c: corner(1.0, 0.0, 40.0),
        facing: Facing::Both,
    };
    let wall = Object {
        movement: Movement::Fixed,
        ..Object::new("wall", Shape::Triangle(wall), DVec3::ZERO)
    };
    let camera = Camera {
        pose: Pose::IDENTITY,
        movement: CameraMovement::Velocity(DVec3::X * speed),
        probe: Probe::Standard,
        probe_mode: Default::default(),
        near: 0.1,
        fov: 1.0,
        aspect: 1.5,
    };
    stepped(Scene {
        camera: Some(camera),
        ..scene(Detection::Overlap, Response::Push, vec![wall])
    })
}

#[test]
fn the_probe_holds_a_slow_camera_and_loses_a_fast_one() {
    let slow = corridor(0.2 / DT);
    for frame in 0..=60 {
        assert!(
            slow.camera(frame).unwrap().pose.position.x <= 0.5 + 1e-12,
            "{frame}"
        );
    }
    assert!((slow.camera(60).unwrap().pose.position.x - 0.5).abs() < 1e-12);
    let held = slow.frame(30);
    let (travel, end) = held.camera.unwrap();
    assert!((travel.end.position.x - 0.7).abs() < 1e-12 && (end.position.x - 0.5).abs() < 1e-12);
    assert!(
        held.phases
            .iter()
            .any(|phase| matches!(phase, Phase::CameraPush { answer } if answer.push.x < -0.19))
    );
    // Three metres a frame, past a probe of one.
    let fast = corridor(3.0 / DT);
    assert!((fast.camera(1).unwrap().pose.position.x - 3.0).abs() < 1e-12);
}

// ---- recordings ----

fn body(object: u32, x: f64) -> Body {
    Body::new(object, Pose::at(DVec3::new(x, 0.0, 0.0)))
}

fn recording(objects: Vec<Object>, frames: Vec<Vec<Body>>) -> Recording {
    let mut recording = Recording {
        name: "log".into(),
        dt: DT,
        objects,
        ..Recording::default()
    };
    for (number, bodies) in frames.into_iter().enumerate() {
        let begin = recording.bodies.len();
        recording.bodies.extend(bodies);
        recording.frames.push(RecordedFrame {
            number: number as u64,
            time: None,
            dt: DT,
            gap: false,
            bodies: begin..recording.bodies.len(),
            contacts: 0..0,
            pushes: 0..0,
            queries: 0..0,
            camera: None,
        });
    }
    recording
}

fn replayed(scene: Scene, recording: Recording) -> Replay {
    Replay::recorded(Arc::new(scene), Arc::new(recording))
}

fn empty_scene() -> Scene {
    scene(Detection::Overlap, Response::Push, Vec::new())
}

#[test]
fn bodies_that_are_missing_spawned_or_teleported_have_no_legs() {
    let objects =
        ["stays", "leaves", "comes", "jumps"].map(|name| ball(name, 0.1, DVec3::ZERO, DVec3::ZERO));
    let jump = Body {
        teleported: true,
        ..body(3, 50.0)
    };
    let replay = replayed(
        empty_scene(),
        recording(
            objects.to_vec(),
            vec![
                vec![body(0, 0.0), body(1, 5.0), body(3, 9.0)],
                vec![body(0, 1.0), body(2, 20.0), jump],
                vec![body(0, 2.0), body(2, 21.0), body(3, 51.0)],
            ],
        ),
    );
    assert_eq!(replay.frames(), 2);
    let first = replay.frame(0);
    let legs: Vec<usize> = first.legs.iter().map(|legs| legs.len()).collect();
    assert_eq!(legs, [1, 0, 0, 0]);
    let x = |object, fraction| first.pose(object, fraction).map(|pose| pose.position.x);
    assert_eq!(x(0, 0.25), Some(0.25));
    assert_eq!((x(1, 0.5), x(1, 1.0)), (Some(5.0), None));
    assert_eq!((x(2, 0.5), x(2, 1.0)), (None, Some(20.0)));
    assert_eq!((x(3, 0.5), x(3, 1.0)), (Some(9.0), Some(50.0)));
    assert_eq!(first.legs_together(0, 1), []);
    assert_eq!(first.legs_together(0, 9), []);
    let legs: Vec<usize> = replay.frame(1).legs.iter().map(|legs| legs.len()).collect();
    assert_eq!(legs, [1, 0, 1, 1]);
    assert_eq!(replay.frame(99).number, 1, "clamped to the last");
    assert_eq!(replay.state(99), replay.state(2));
}

#[test]
fn numbers_that_are_not_finite_panic_nothing_and_pair_with_nothing() {
    let plane = Object {
        movement: Movement::Velocity,
        ..floor()
    };
    let mut objects: Vec<Object> = (0..3)
        .map(|i| ball(&format!("{i}"), 1.0, DVec3::ZERO, DVec3::ZERO))
        .collect();
    objects.push(plane);
    let turned = Body {
        pose: Pose {
            position: DVec3::ZERO,
            rotation: DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0),
        },
        ..body(3, 0.0)
    };
    let mut log = recording(
        objects,
        vec![
            vec![body(0, 0.0), body(1, 0.5), body(2, -3.0), body(3, 0.0)],
            vec![
                body(0, f64::NAN),
                body(1, f64::INFINITY),
                body(2, 1.0),
                turned,
            ],
            vec![body(0, 0.0), body(1, 0.5), body(2, 1.5), turned],
        ],
    );
    log.pushes.push(LoggedPush {
        object: 2,
        push: DVec3::splat(f64::NAN),
    });
    log.pushes.push(LoggedPush {
        object: 77,
        push: DVec3::ONE,
    });
    log.frames[1].pushes = 0..2;
    let replay = replayed(empty_scene(), log);
    for number in 0..2 {
        let frame = replay.frame(number);
        let Phase::Candidates { pairs } = &frame.phases[1] else {
            panic!("candidates come second");
        };
        assert_eq!(*pairs, [], "{number}");
        assert!(frame.pose(2, 0.5).unwrap().is_finite());
        assert_eq!(pushes(&replay, number), []);
    }
    assert_eq!(replay.state_hash(1), replay.state_hash(1));
    assert_ne!(replay.state_hash(0), replay.state_hash(1));
}

#[test]
fn the_scene_keeps_what_it_says_and_adds_what_only_it_has() {
    let mut logged = ball("ball", 0.5, DVec3::X, DVec3::ZERO);
    logged.ccd = Some(false);
    let ground = Object {
        pose: Pose::at(DVec3::Y * -3.0),
        ..floor()
    };
    let authored = Object {
        mass: 7.0,
        color: Some([1, 2, 3]),
        ..ball("ball", 0.125, DVec3::ZERO, DVec3::ZERO)
    };
    let key = |frame, x| Keyframe {
        frame,
        position: DVec3::new(x, 0.0, 0.0),
        rotation: DQuat::IDENTITY,
    };
    let lift = Object {
        movement: Movement::Keyframes(vec![key(0, 100.0), key(2, 102.0)]),
        ..ball("lift", 0.1, DVec3::ZERO, DVec3::ZERO)
    };
    let gate = fixed_box("gate", DVec3::ONE, DVec3::Z * 40.0);
    let mut log = recording(
        vec![logged, ground],
        vec![vec![body(0, 0.0)], vec![body(0, 1.0)]],
    );
    log.still = vec![Still { object: 1, from: 0 }];
    let scene = scene(
        Detection::Overlap,
        Response::Push,
        vec![lift, authored, gate],
    );
    let replay = replayed(scene, log);
    let names: Vec<&str> = replay
        .objects()
        .iter()
        .map(|object| object.name.as_str())
        .collect();
    assert_eq!(names, ["ball", "floor", "lift", "gate"]);
    let ball = &replay.objects()[0];
    assert_eq!(ball.shape, Shape::Sphere { radius: 0.125 });
    assert_eq!(
        (ball.mass, ball.color, ball.ccd),
        (7.0, Some([1, 2, 3]), Some(false))
    );
    assert_eq!(replay.object_named("gate"), Some(3));
    assert_eq!(replay.object_named("nobody"), None);
    assert_eq!(position(&replay, 1, 0).x, 1.0);
    assert_eq!(position(&replay, 1, 1).y, -3.0, "a still body is there");
    assert_eq!(position(&replay, 1, 2).x, 101.0);
    assert_eq!(position(&replay, 0, 3).z, 40.0);
}

#[test]
fn logged_pushes_end_the_leg_before_them_and_the_logs_camera_wins() {
    let mut log = recording(
        vec![ball("ball", 0.5, DVec3::ZERO, DVec3::ZERO)],
        vec![vec![body(0, 0.0)], vec![body(0, 1.0)]],
    );
    log.pushes = vec![
        LoggedPush {
            object: 0,
            push: DVec3::X * -0.5,
        },
        LoggedPush {
            object: 0,
            push: DVec3::X * 0.25,
        },
    ];
    log.frames[1].pushes = 0..2;
    log.frames[1].dt = 0.5;
    for (frame, z) in log.frames.iter_mut().zip([0.0, 4.0]) {
        frame.camera = Some(LoggedCamera {
            pose: Pose::at(DVec3::Z * z),
            push: (z > 0.0).then_some(DVec3::Z),
            teleported: false,
        });
    }
    let camera = corridor(1.0).scene().camera.clone();
    let replay = replayed(
        Scene {
            camera,
            ..empty_scene()
        },
        log,
    );
    let frame = replay.frame(0);
    assert_eq!(frame.legs[0][0].motion.end.position.x, 1.25);
    assert_eq!(frame.pose(0, 0.5).unwrap().position.x, 0.625);
    assert_eq!(frame.pose(0, 1.0).unwrap().position.x, 1.0);
    assert_eq!(
        pushes(&replay, 0),
        [(0, DVec3::X * -0.5), (0, DVec3::X * 0.25)]
    );
    let ends: Vec<(f64, f64)> = frame
        .phases
        .iter()
        .filter_map(|phase| match phase {
            Phase::Push { before, after, .. } => Some((before.x, after.x)),
            _ => None,
        })
        .collect();
    assert_eq!(ends, [(1.25, 0.75), (0.75, 1.0)]);
    let (travel, end) = frame.camera.unwrap();
    assert_eq!((travel.end.position.z, end.position.z), (3.0, 4.0));
    assert_eq!(replay.camera(0).unwrap().pose.position.z, 0.0);
    assert_eq!((replay.dt(0), replay.time(1)), (0.5, 0.5));
}

#[test]
fn a_scenes_camera_walks_through_a_recording_and_its_probe_holds() {
    let camera = corridor(0.2 / DT).scene().camera.clone();
    let wall = corridor(1.0).objects()[0].clone();
    let frames = (0..20).map(|_| vec![body(0, -90.0)]).collect();
    let log = recording(vec![ball("ball", 0.5, DVec3::ZERO, DVec3::ZERO)], frames);
    let scene = Scene {
        camera,
        ..scene(Detection::Overlap, Response::Push, vec![wall])
    };
    let replay = replayed(scene, log);
    assert!((replay.camera(19).unwrap().pose.position.x - 0.5).abs() < 1e-12);
    assert!((replay.camera(2).unwrap().pose.position.x - 0.4).abs() < 1e-12);
}

#[test]
fn a_recording_of_one_state_or_none_answers_all_the_same() {
    let one = recording(
        vec![ball("ball", 0.5, DVec3::ZERO, DVec3::ZERO)],
        vec![vec![body(0, 3.0)]],
    );
    for log in [one, Recording::default()] {
        let replay = replayed(empty_scene(), log);
        assert_eq!(replay.frames(), 0);
        assert_eq!(replay.time(5), 0.0);
        assert_eq!(replay.frame(5).phases.last(), Some(&Phase::End));
        assert_eq!(replay.camera(5), None);
        let _ = replay.state_hash(3);
    }
}

// ---- the scenes' own numbers ----

#[test]
fn crossing_shots_meet_where_the_relative_sweep_says() {
    let one = ball("one", 0.5, DVec3::new(-9.0, 0.0, 0.0), DVec3::X * 150.0);
    let other = ball("other", 0.5, DVec3::new(0.0, -9.0, 0.0), DVec3::Y * 150.0);
    let replay = stepped(scene(Detection::Sweep, Response::Stop, vec![one, other]));
    // Both are 9 away from the crossing; they touch at 1 / sqrt 2 before it.
    let frames = (9.0 - 0.5_f64.sqrt()) / 2.5;
    let number = frames.floor();
    let [(0, 1, fraction)] = impacts(&replay, number as u32)[..] else {
        panic!("one impact in frame {number}");
    };
    assert!((fraction - (frames - number)).abs() < 1e-9);
    let apart = replay.frame(number as u32);
    let placed = |object: u32| {
        replay.objects()[object as usize]
            .shape
            .placed(&apart.pose(object, 1.0).unwrap())
    };
    let shapes = [0, 1].map(|object| &replay.objects()[object].shape);
    assert_eq!(shapes[0], shapes[1]);
    let left = gap(&placed(0), &placed(1)).unwrap().distance;
    assert!((0.0..1e-8).contains(&left), "{left:e}");
}
