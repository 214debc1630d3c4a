//! Recordings: missing bodies, teleports, numbers that are not finite, pushes of the log.

use super::*;
use crate::common::levels::change_frames;
use hitstop::core::replay::Frame;

fn body(object: u32, x: f64) -> Body {
    Body::new(object, Pose::at(DVec3::new(x, 0.0, 0.0)))
}

fn recording(objects: Vec<Object>, frames: Vec<Vec<Body>>) -> Recording {
    let mut recording = recording_of(DT, objects);
    for bodies in frames {
        add_frame(&mut recording, DT, bodies);
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
fn missing_spawned_and_teleported_bodies_have_no_segments() {
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
    let count = |frame: &Frame| [0, 1, 2, 3].map(|id| frame.segments(id).len());
    assert_eq!(count(&first), [1, 0, 0, 0]);
    let x = |object, fraction| first.pose(object, fraction).map(|pose| pose.position.x);
    assert_eq!(x(0, 0.25), Some(0.25));
    assert_eq!((x(1, 0.5), x(1, 1.0)), (Some(5.0), None));
    assert_eq!((x(2, 0.5), x(2, 1.0)), (None, Some(20.0)));
    assert_eq!((x(3, 0.5), x(3, 1.0)), (Some(9.0), Some(50.0)));
    assert_eq!(first.straight_intervals(0, 1), []);
    assert_eq!(first.straight_intervals(0, 9), []);
    assert_eq!(count(&replay.frame(1)), [1, 0, 1, 1]);
    assert_eq!(replay.frame(99).number, 1, "clamped to the last");
    assert_eq!(replay.state(99), replay.state(2));
}

#[test]
fn non_finite_bodies_never_panic_and_are_in_no_pair() {
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
    let logged = [
        LoggedPush {
            object: 2,
            push: DVec3::splat(f64::NAN),
        },
        LoggedPush {
            object: 77,
            push: DVec3::ONE,
        },
    ];
    change_frames(&mut log, |index, data| {
        data.pushes.extend(logged.iter().filter(|_| index == 1));
    });
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
fn the_scene_overrides_and_extends_the_recording() {
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
    log.static_bodies = vec![StaticBody {
        object: 1,
        from: 0,
        until: None,
    }];
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
fn logged_pushes_end_their_segment_and_the_logged_camera_has_priority() {
    let mut log = recording(
        vec![ball("ball", 0.5, DVec3::ZERO, DVec3::ZERO)],
        vec![vec![body(0, 0.0)], vec![body(0, 1.0)]],
    );
    let logged = [
        LoggedPush {
            object: 0,
            push: DVec3::X * -0.5,
        },
        LoggedPush {
            object: 0,
            push: DVec3::X * 0.25,
        },
    ];
    change_frames(&mut log, |index, data| {
        data.pushes.extend(logged.iter().filter(|_| index == 1));
    });
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
    assert_eq!(frame.segments(0)[0].motion.end.position.x, 1.25);
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
fn a_frame_without_sweep_is_the_same_frame_with_fewer_phases() {
    let ids = 0..20_000;
    let ball = |id| ball(&format!("{id}"), 1.0, DVec3::ZERO, DVec3::ZERO);
    let positions =
        [0.0, 1.0].map(|x| ids.clone().map(move |id| body(id, 3.0 * f64::from(id) + x)));
    let frames = positions.map(Iterator::collect).to_vec();
    let replay = replayed(empty_scene(), recording(ids.map(ball).collect(), frames));
    let without = replay.frame_without_sweep(0).unwrap();
    let whole = replay.frame(0);
    assert!(whole.is_swept() && !without.is_swept());
    let mut same = Frame::clone(&whole);
    let is_kept = |phase: &Phase| !matches!(phase, Phase::Candidates { .. } | Phase::Sweep { .. });
    same.phases.retain(is_kept);
    assert_eq!(without, same);
    assert_eq!(
        replay.frame_without_sweep(0),
        None,
        "the whole one is known"
    );
    let small = recording(vec![ball(0)], vec![vec![]; 2]);
    assert_eq!(replayed(empty_scene(), small).frame_without_sweep(0), None);
}

#[test]
fn a_scenes_camera_and_probe_work_in_a_recording() {
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
fn recordings_of_zero_or_one_state_can_be_queried() {
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
