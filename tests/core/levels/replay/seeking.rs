//! Every frame is the same, whatever the order of seeks.

use super::*;

/// Everything at once: stack, bullets, a lift, a camera that its probe holds.
fn busy(detection: Detection) -> Scene {
    let mut numbers = Numbers(Random(7));
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
fn every_seek_order_gives_the_same_bits() {
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
            for segments in frame.start.ids().iter().map(|id| frame.segments(*id)) {
                assert_eq!(
                    (segments[0].from, segments[segments.len() - 1].to),
                    (0.0, 1.0)
                );
                for pair in segments.windows(2) {
                    assert_eq!(pair[0].to, pair[1].from);
                    assert_eq!(pair[0].motion.end, pair[1].motion.start);
                }
            }
            if detection == Detection::Sweep {
                for (id, body) in frame.end.present() {
                    let segments = frame.segments(id);
                    assert_eq!(segments[segments.len() - 1].motion.end, body.pose);
                }
            }
        }
    }
}
