//! The hits of each detection, and the effect of each response.

use super::*;

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
    // The hit that the overlap test misses is in the frame's own sweep.
    let frame = overlap.frame(0);
    let Some(Phase::Sweep {
        impacts: detected, ..
    }) = frame.phases.get(2)
    else {
        panic!("{:?}", frame.phases);
    };
    let fraction = (5.0 - 0.055) / (400.0 / 60.0);
    assert!(
        (detected[0].2.fraction - fraction).abs() < 1e-12 && detected[0].2.normal == DVec3::NEG_X
    );

    for response in [Response::Push, Response::Slide, Response::Stop] {
        let sweep = bullet(Detection::Sweep, response);
        let [(0, 1, detected)] = impacts(&sweep, 0)[..] else {
            panic!("{:?}", impacts(&sweep, 0));
        };
        assert!((detected - fraction).abs() < 1e-12, "0.7417..");
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
    // Segments: to the impact, and back; the pose follows them without a jump.
    let frame = sweep.frame(0);
    assert_eq!(frame.segments(0).len(), 2);
    assert!((frame.pose(0, fraction).unwrap().position.x + 0.055).abs() < 1e-8);
    assert!((frame.pose(0, fraction / 2.0).unwrap().position.x + 5.0 - 4.945 / 2.0).abs() < 1e-8);
    assert_eq!(frame.pose(0, 1.0), Some(frame.end.body(0).unwrap().pose));
    let pair_motion = frame.straight_intervals(0, 1);
    assert_eq!(pair_motion.len(), 2);
    assert_eq!(
        (pair_motion[0].0, pair_motion[0].1, pair_motion[1].1),
        (0.0, pair_motion[1].0, 1.0)
    );
    assert_eq!(pair_motion[0].2, frame.segments(0)[0].motion);
}

#[test]
fn past_the_centre_only_the_sweep_pushes_back() {
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
fn masks_exclude_pairs_and_sensors_do_not_push() {
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
    let detected = pushes(&replay, 0);
    assert_eq!(detected.len(), 2);
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

#[test]
fn crossing_shots_hit_where_the_relative_sweep_does() {
    let one = ball("one", 0.5, DVec3::new(-9.0, 0.0, 0.0), DVec3::X * 150.0);
    let other = ball("other", 0.5, DVec3::new(0.0, -9.0, 0.0), DVec3::Y * 150.0);
    let replay = stepped(scene(Detection::Sweep, Response::Stop, vec![one, other]));
    // Both are 9 away from the crossing; they touch 1 / sqrt 2 before it.
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

/// A thin blade turns about the hub at one radian a frame toward a ball of 0.1, `ahead` radians off and 1 m from the hub: its flank, 0.02
/// from the middle, touches asin(0.12) before.
#[test]
fn a_blade_that_turns_into_a_ball_has_an_impact_that_the_sweep_misses() {
    for ahead in [0.3, 0.5, 0.7, 1.05, 1.2] {
        let at = DVec3::new(f64::cos(ahead), 0.0, -f64::sin(ahead));
        let mut blade = fixed_box("blade", DVec3::new(1.5, 0.1, 0.02), DVec3::ZERO);
        blade.movement = Movement::Kinematic;
        blade.spin = DVec3::Y * 60.0;
        let objects = vec![blade, ball("ball", 0.1, at, DVec3::ZERO)];
        let replay = stepped(scene(Detection::Overlap, Response::Ignore, objects));
        let frame = replay.frame(0);
        let sweep =
            |phase: &Phase| matches!(phase, Phase::Sweep { impacts, .. } if impacts.is_empty());
        assert!(frame.phases.iter().any(sweep), "the sweep misses");
        let touch = ahead - 0.12_f64.asin();
        match unswept_impacts(&replay, &frame)[..] {
            [impact] => {
                assert_eq!((impact.a, impact.b), (Some(0), 1));
                assert!(
                    (impact.fraction - touch).abs() < 1e-6,
                    "{ahead}: {impact:?}"
                );
            }
            [] => assert!(touch > 1.0, "{ahead}"),
            ref more => panic!("{more:?}"),
        }
    }
    // What the sweep finds is not listed twice.
    let straight = bullet(Detection::Overlap, Response::Push);
    assert_eq!(unswept_impacts(&straight, &straight.frame(0)), []);
}
