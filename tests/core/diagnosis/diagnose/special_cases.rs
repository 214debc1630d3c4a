//! Undecided crossings, events that only seem to pass, and events that last.

use super::*;
use crate::common::levels::change_frames;
use glam::DQuat;
use hitstop::core::replay::{FrameData, RecordedFrame};
use hitstop::core::scene::Keyframe;

/// A kinematic body passes a fixed slab in one frame: no engine tests the two, and a character falls through so. One that stays inside
/// for three states, or comes back, is a platform.
#[test]
fn kinematic_bodies_pass_fixed_ones_only_as_platforms() {
    let slab = wall("slab", [1.0, 0.1, 1.0], [0.5, 0.0, 0.0]);
    let lift = |y: f64, step: f64| {
        let mut lift = wall("lift", [1.0, 0.1, 1.0], [0.0, y, 0.0]);
        lift.movement = Movement::Kinematic;
        lift.velocity = DVec3::new(0.0, step / DT, 0.0);
        lift
    };
    let fast = report(scene(1, vec![lift(-1.0, 2.0), slab.clone()]));
    assert_eq!(single(&fast).kind, Kind::Tunnels);
    assert_eq!(fast.not_judged, []);
    // Inside at 0.05, 0.1 and 0.15 m above the slab's middle, and before.
    let slow = report(scene(12, vec![lift(-0.3, 0.05), slab.clone()]));
    assert_eq!(slow.findings, []);
    let left_out = &slow.not_judged[0];
    assert_eq!(left_out.cause, None);
    assert!(
        left_out
            .why
            .starts_with("lift passed slab once and was not judged: "),
        "{left_out:?}"
    );
    // Marked as a character, it is none.
    let mut marked = lift(-0.3, 0.05);
    marked.character = true;
    assert_eq!(
        single(&report(scene(12, vec![marked, slab.clone()]))).kind,
        Kind::Sinks
    );
    // The same path of a dynamic body is a contact that gives way.
    let mut loose = lift(-0.3, 0.05);
    loose.movement = Movement::Velocity;
    assert_eq!(
        single(&report(scene(12, vec![loose, slab.clone()]))).kind,
        Kind::Sinks
    );
    // A capsule is a character, also when it walks.
    let mut walker = lift(-0.3, 0.05);
    walker.shape = Shape::Sphere { radius: 0.1 };
    assert_eq!(
        single(&report(scene(12, vec![walker, slab.clone()]))).kind,
        Kind::Sinks
    );
    // Two of five are only counted.
    let lifts = (0..5).map(|number| {
        let mut lift = lift(-0.3, 0.05);
        lift.name = format!("lift {number}");
        lift.pose.position.z = 3.0 * f64::from(number);
        lift
    });
    let slab_of_all = wall("slab", [1.0, 0.1, 20.0], [0.5, 0.0, 0.0]);
    let many = report(scene(12, lifts.chain([slab_of_all]).collect()));
    assert_eq!(many.findings, []);
    let why = &many.not_judged[0].why;
    let says = "lift 2 passed slab once, 2 more objects passed others twice and were not judged";
    assert!(why.contains(says), "{why}");
    let mut both_ways = lift(-1.0, 0.0);
    let keyframe = |(frame, y): (u32, f64)| Keyframe {
        frame,
        position: DVec3::new(0.0, y, 0.0),
        rotation: DQuat::IDENTITY,
    };
    let way = [(0, -1.0), (1, 1.0), (2, -1.0)];
    both_ways.movement = Movement::Keyframes(way.map(keyframe).to_vec());
    let back = report(scene(2, vec![both_ways, slab.clone()]));
    assert_eq!((back.findings.len(), back.not_judged.len()), (0, 1));
    assert!(
        back.not_judged[0].why.contains("passed slab twice"),
        "{back:?}"
    );
    // A trigger must detect a lift, and a lift must not pass a body.
    let mut trigger = slab.clone();
    trigger.sensor = true;
    assert_eq!(
        report(scene(1, vec![lift(-1.0, 2.0), trigger]))
            .findings
            .len(),
        1
    );
    let mut body = slab;
    body.movement = Movement::Velocity;
    assert_eq!(
        report(scene(1, vec![lift(-1.0, 2.0), body])).findings.len(),
        1
    );
}

/// Two kinematic objects are judged where one is a character: a sphere, a capsule, or one that is marked. The passes of others are counted.
#[test]
fn a_character_is_judged_against_a_kinematic_lift() {
    let driven = |mut object: Object, speed: f64| {
        object.movement = Movement::Kinematic;
        object.velocity = DVec3::Y * speed;
        object
    };
    let lift = driven(wall("lift", [1.0, 0.1, 1.0], [0.0; 3]), 3.0);
    let gate = |y: f64| driven(wall("gate", [0.2; 3], [0.0, y, 0.0]), -2.0 / DT);
    let passes = report(scene(1, vec![gate(1.0), lift.clone()]));
    assert_eq!(passes.findings, []);
    assert!(
        passes.not_judged[0]
            .why
            .starts_with("gate passed lift once and was not judged: "),
        "{passes:?}"
    );
    let apart = report(scene(1, vec![gate(9.0), lift.clone()]));
    assert_eq!(apart.not_judged, []);
    let mut marked = gate(1.0);
    marked.character = true;
    let mut ball = gate(1.0);
    ball.shape = Shape::Sphere { radius: 0.2 };
    for character in [marked, ball] {
        let found = report(scene(1, vec![character, lift.clone()]));
        assert_eq!(single(&found).kind, Kind::Tunnels);
        assert_eq!(found.not_judged, []);
    }
    // It rides 0.04 m deep in the lift.
    let mut rider = driven(wall("rider", [0.2; 3], [0.0, 0.26, 0.0]), 3.0);
    rider.shape = Shape::Sphere { radius: 0.2 };
    let outside = Object {
        pose: Pose::at(DVec3::Y * 0.5),
        ..rider.clone()
    };
    let frames = (1.0 / DT) as u32;
    assert_eq!(
        report(scene(frames, vec![outside, lift.clone()])).findings,
        []
    );
    let keyframe = |(frame, y): (u32, f64)| Keyframe {
        frame,
        position: DVec3::Y * y,
        rotation: DQuat::IDENTITY,
    };
    let way = [(0, 0.5), (1, 0.26 + 3.0 * DT), (frames, 0.26 + 3.0)];
    rider.movement = Movement::Keyframes(way.map(keyframe).to_vec());
    let inside = report(scene(frames, vec![rider, lift]));
    let found = single(&inside);
    assert_eq!(found.kind, Kind::Sinks);
    assert!(found.text.contains("stays inside"), "{}", found.text);
}

/// A ball of half a metre goes 0.3 m into a wall and stays there for 0.6 s: it is stuck in it, unless one of the two is a sensor.
#[test]
fn what_stays_inside_of_a_sensor_is_no_finding() {
    for sensors in [[false, false], [true, false], [false, true]] {
        let mut objects = vec![
            ball("ball", 0.5, [0.0; 3], [0.0; 3]),
            wall("wall", [5.0; 3], [0.0; 3]),
        ];
        for (object, sensor) in objects.iter_mut().zip(sensors) {
            object.sensor = sensor;
        }
        let mut log = Log::new(objects).frame(DT, &[at([-5.8, 0.0, 0.0]), at([0.0; 3])]);
        for _ in 0..36 {
            log = log.frame(DT, &[at([-5.2, 0.0, 0.0]), at([0.0; 3])]);
        }
        let report = report_of(log.replay());
        if sensors == [false, false] {
            let found = single(&report);
            assert_eq!(found.kind, Kind::Sinks);
            assert!(found.text.contains("stays inside"), "{}", found.text);
        } else {
            assert_eq!(report.findings, [], "{sensors:?}");
        }
    }
}

/// A ball appears in a wall in the last of two states, or in the one before it.
#[test]
fn what_appears_in_the_last_state_is_tested_too() {
    for inside in [[false, true], [true, true]] {
        let objects = vec![
            ball("ball", 0.5, [0.0; 3], [0.0; 3]),
            wall("wall", [5.0; 3], [0.0; 3]),
        ];
        let log = inside.into_iter().fold(Log::new(objects), |log, inside| {
            let ball = inside.then_some(([-5.2, 0.0, 0.0], None));
            log.frame(DT, &[ball, at([0.0; 3])])
        });
        let report = report_of(log.replay());
        assert_eq!(single(&report).kind, Kind::StartsInside, "{inside:?}");
    }
}

/// Stuck in the corner of two walls, 0.3 m in the one and less or as much in the other: the deeper is the one, and of equals the first.
#[test]
fn a_body_that_is_stuck_in_two_walls_is_one_finding() {
    for (first, second, named) in [
        (0.3, 0.2, "first"),
        (0.2, 0.3, "second"),
        (0.3, 0.3, "first"),
    ] {
        let objects = vec![
            ball("ball", 0.5, [0.0; 3], [0.0; 3]),
            wall("first", [5.0, 50.0, 50.0], [0.0; 3]),
            wall("second", [50.0, 5.0, 50.0], [0.0; 3]),
        ];
        let walls = [at([0.0; 3]), at([0.0, 0.0, 0.0])];
        let state = |x: f64, y: f64| [at([x, y, 0.0]), walls[0], walls[1]];
        let mut log = Log::new(objects).frame(DT, &state(-6.0, -6.0));
        for _ in 0..36 {
            log = log.frame(DT, &state(-5.5 + first, -5.5 + second));
        }
        let report = report_of(log.replay());
        let sinks = report
            .findings
            .iter()
            .filter(|found| found.kind == Kind::Sinks);
        let others: Vec<&str> = sinks.map(|found| &*found.b).collect();
        assert_eq!(others, [named], "{first} {second}");
    }
}

/// Two faces square to each other are passed in two directions, not in opposite ones, whatever the rounding of the level's rotation.
#[test]
fn a_turn_around_a_corner_makes_no_platform() {
    for degrees in 0..24 {
        let turn = DQuat::from_rotation_y((15.0 * f64::from(degrees)).to_radians());
        let mut pillar = wall("pillar", [0.5, 2.0, 0.5], [0.0; 3]);
        pillar.pose.rotation = turn;
        let mut player = wall("player", [0.1; 3], [0.0; 3]);
        player.shape = Shape::Sphere { radius: 0.1 };
        let keyframe = |(frame, at): (u32, [f64; 3])| Keyframe {
            frame,
            position: turn * DVec3::from_array(at),
            rotation: DQuat::IDENTITY,
        };
        let way = [
            (0, [-1.0, 0.0, 0.0]),
            (1, [1.0, 0.0, 0.0]),
            (2, [2.0, 0.0, 2.0]),
            (3, [0.0, 0.0, 1.0]),
            (4, [0.0, 0.0, -1.0]),
        ];
        player.movement = Movement::Keyframes(way.map(keyframe).to_vec());
        let report = report(scene(4, vec![player, pillar]));
        assert_eq!(
            report.findings.len(),
            2,
            "{degrees}: {:?}",
            report.not_judged
        );
    }
}

/// A rotating rod cuts the top of a wall with its lower end, whether the wall is a solid or a one-sided surface.
#[test]
fn a_rotating_rod_cuts_a_wall_however_it_is_written() {
    let rod = || {
        let half_extents = DVec3::new(0.1, 1.0, 0.1);
        let mut rod = Object::new(
            "rod",
            Shape::Box { half_extents },
            DVec3::new(-1.0, 1.8, 0.0),
        );
        rod.velocity = DVec3::new(2.0, 0.0, 0.0) / DT;
        rod.spin = DVec3::Z * 30.0;
        rod
    };
    let triangle = Triangle {
        a: DVec3::new(0.0, -3.0, -3.0),
        b: DVec3::new(0.0, -3.0, 3.0),
        c: DVec3::Y,
        facing: Facing::Front,
    };
    let one_sided = fixed("wall", Shape::Triangle(triangle), [0.0; 3]);
    assert_eq!(
        single(&report(scene(1, vec![rod(), one_sided]))).kind,
        Kind::Clips
    );
    // Half-way, a quarter of a radian on, its lower corner is at
    // 1.8 - cos(0.25) - 0.1 sin(0.25) = 0.806, below the wall's top.
    let report = report(scene(
        1,
        vec![rod(), wall("wall", [0.1, 1.0, 1.0], [0.0; 3])],
    ));
    assert_eq!(single(&report).kind, Kind::Clips);
    assert_eq!(report.notices, [""; 0]);
}

/// Over a wall and back against its far face: the straight line ends behind the wall, the logged path does not cross it.
#[test]
fn a_bounce_over_a_wall_is_not_the_wrong_side() {
    let objects = || {
        vec![
            ball("ball", 0.2, [0.0; 3], [0.0; 3]),
            wall("wall", [0.1, 1.0, 5.0], [0.0, 1.0, 0.0]),
        ]
    };
    let log = |told: bool| {
        let v = |velocity: [f64; 3]| told.then_some(velocity);
        // From (-1, 1.9) up over the wall to (1, 3.1) in half of the frame, struck there, and down to (0.28, 1.5).
        Log::new(objects())
            .frame(
                DT,
                &[
                    Some(([-1.0, 1.9, 0.0], v([4.0 / DT, 2.4 / DT, 0.0]))),
                    at([0.0, 1.0, 0.0]),
                ],
            )
            .frame(
                DT,
                &[
                    Some(([0.28, 1.5, 0.0], v([-1.44 / DT, -3.2 / DT, 0.0]))),
                    at([0.0, 1.0, 0.0]),
                ],
            )
    };
    assert_eq!(
        single(&report_of(log(false).replay())).kind,
        Kind::WrongSide
    );
    assert_eq!(report_of(log(true).replay()).findings, []);
}

// Expectations of a part, of prevented hits, and of impossible events.

/// Stopped by the first wall, the ball never hits the second, although its unhindered path goes through it.
#[test]
fn prevented_hits_are_not_expected_contacts() {
    let objects = vec![
        ball("ball", 0.1, [-1.0, 0.0, 0.0], [6.0 / DT, 0.0, 0.0]),
        wall("one", [0.1, 2.0, 2.0], [0.5, 0.0, 0.0]),
        wall("two", [0.1, 2.0, 2.0], [2.0, 0.0, 0.0]),
    ];
    let stopped = Scene {
        detection: Detection::Sweep,
        response: Response::Stop,
        ..scene(2, objects)
    };
    let hit = |b: &str, fraction: f64| Expectation::Hit {
        a: name("ball"),
        b: name(b),
        frame: 0,
        fraction,
        tolerance: 1e-9,
    };
    let expect = vec![
        hit("one", 1.3 / 6.0),
        hit("two", 2.8 / 6.0),
        Expectation::Touches {
            a: name("ball"),
            b: name("one"),
        },
        Expectation::Touches {
            a: name("ball"),
            b: name("two"),
        },
        Expectation::NeverTouches {
            a: name("ball"),
            b: name("two"),
        },
    ];
    let (report, passed) = outcomes(stopped, expect);
    assert_eq!(
        passed,
        [true, false, true, false, true],
        "{:#?}",
        report.expectations
    );
}

#[test]
fn expectations_of_other_frames_are_skipped() {
    let hit = |frame: u32| Expectation::Hit {
        a: name("bullet"),
        b: name("paper"),
        frame,
        fraction: 0.7417,
        tolerance: 1e-3,
    };
    let position = |frame: u32| Expectation::Position {
        object: name("bullet"),
        frame,
        is: DVec3::ZERO,
        tolerance: 1e-9,
    };
    let tunnels = |frame: Option<u32>| Expectation::Finds {
        kind: name("Tunnels"),
        cause: None,
        a: None,
        b: None,
        frame,
    };
    let mut shot = bullet(0.05, 400.0, 0.005, DT);
    shot.frames = 9;
    shot.expect = [
        hit(0),
        hit(3),
        position(0),
        position(6),
        tunnels(Some(0)),
        tunnels(Some(3)),
        tunnels(None),
        Expectation::NoFindings { kind: None },
    ]
    .map(Expected::from)
    .into();
    let level = level(Replay::stepped(Arc::new(shot)));
    let looking_at = |frames: std::ops::RangeInclusive<u32>| {
        let options = Options {
            frames: Some(frames),
            ..Options::default()
        };
        diagnose(&level, &options, &()).unwrap()
    };
    let part = looking_at(2..=5);
    let told: Vec<(bool, &str)> = part
        .expectations
        .iter()
        .map(|result| (result.passed, result.got.split(':').next().unwrap()))
        .collect();
    assert_eq!(told[0], (true, "skipped"));
    assert!(!told[1].0);
    assert_eq!(told[2], (true, "skipped"));
    assert!(!told[3].0, "the state after the last frame is known");
    assert_eq!(told[4], (true, "skipped"));
    assert!(!told[5].0);
    assert_eq!(told[6], (true, "not judged"));
    assert_eq!(
        told[7],
        (true, "none in frames 2 to 5, the diagnosed range")
    );
    assert!(part.notices.is_empty());
    let nothing = looking_at(20..=30);
    assert_eq!(nothing.frames, 0);
    assert_eq!(
        nothing.notices,
        ["no frame was diagnosed: the level ends with frame 8"]
    );
    let whole = looking_at(0..=99);
    assert!(whole.expectations[0].passed && !whole.expectations[7].passed);
}

#[test]
fn pushes_past_the_end_and_of_logs_are_explained() {
    let push = |frame: u32, against: Option<&str>| Expectation::Push {
        object: name("ball"),
        against: against.map(name),
        frame,
        is: DVec3::ZERO,
        tolerance: 1e-9,
    };
    let log = Log::new(vec![ball("ball", 0.1, [0.0; 3], [0.0; 3])])
        .frame(DT, &[at([0.0; 3])])
        .frame(DT, &[at([0.0; 3])]);
    let expecting = Scene {
        expect: [push(0, None), push(0, Some("ball")), push(7, None)]
            .map(Expected::from)
            .into(),
        ..scene(1, Vec::new())
    };
    let report = report_of(Replay::recorded(
        Arc::new(expecting),
        Arc::new(log.recording),
    ));
    let passed: Vec<bool> = report
        .expectations
        .iter()
        .map(|result| result.passed)
        .collect();
    assert_eq!(passed, [true, false, false]);
    assert!(
        report.expectations[1]
            .got
            .contains("logged pushes have no other object")
    );
    assert_eq!(report.expectations[2].got, "the level ends with frame 0");
    assert!(
        report.expectations[0].text.ends_with("tolerance: 1e-9)"),
        "{}",
        report.expectations[0].text
    );
}

// Bad numbers beside the bodies, and events that last.

#[test]
fn bad_numbers_in_log_lines_are_found() {
    let normal = |normal: DVec3| LoggedContact {
        a: 0,
        b: 1,
        point: DVec3::ZERO,
        normal,
        depth: 0.0,
    };
    let query_at = |fraction: f64, normal: Option<DVec3>, to: DVec3| LoggedQuery {
        kind: QueryKind::Ray,
        object: None,
        from: DVec3::ZERO,
        to,
        radius: 0.0,
        shape: None,
        mask: None,
        tag: None,
        hit: Some(LoggedHit {
            object: 1,
            fraction,
            normal,
        }),
    };
    let query = move |normal: Option<DVec3>, to: DVec3| query_at(0.5, normal, to);
    type Change = Box<dyn Fn(&mut FrameData, &mut RecordedFrame)>;
    let cases: Vec<(&str, Change)> = vec![
        (
            "normal of the logged contact is zero",
            Box::new(move |r, _| r.contacts.push(normal(DVec3::ZERO))),
        ),
        (
            "normal of the logged contact is not a number",
            Box::new(move |r, _| r.contacts.push(normal(DVec3::NAN))),
        ),
        (
            "logged push is infinite",
            Box::new(|r, _| {
                r.pushes.push(LoggedPush {
                    object: 0,
                    push: DVec3::INFINITY,
                });
            }),
        ),
        (
            "normal of a logged query is zero",
            Box::new(move |r, _| r.queries.push(query(Some(DVec3::ZERO), DVec3::X))),
        ),
        (
            "end of a logged query is not a number",
            Box::new(move |r, _| r.queries.push(query(None, DVec3::NAN))),
        ),
        (
            "camera: the position is not a number",
            Box::new(|_, line| {
                let pose = Pose::at(DVec3::NAN);
                line.camera = Some(LoggedCamera {
                    pose,
                    push: None,
                    teleported: false,
                });
            }),
        ),
        (
            "",
            Box::new(move |r, _| {
                r.contacts.push(normal(DVec3::Y));
                r.queries.push(query(Some(DVec3::X), DVec3::X));
                // Engines document it for a start in contact.
                r.queries.push(query_at(0.0, Some(DVec3::ZERO), DVec3::X));
                r.pushes.push(LoggedPush {
                    object: 0,
                    push: DVec3::ZERO,
                });
            }),
        ),
    ];
    for (wanted, change) in cases {
        let objects = vec![
            ball("one", 0.1, [0.0; 3], [0.0; 3]),
            ball("two", 0.1, [0.0; 3], [0.0; 3]),
        ];
        let still = [at([0.0; 3]), at([9.0, 0.0, 0.0])];
        let mut log = Log::new(objects)
            .frame(DT, &still)
            .frame(DT, &still)
            .frame(DT, &still);
        let mut line = log.recording.frames[1].clone();
        change_frames(&mut log.recording, |index, data| {
            if index == 1 {
                change(data, &mut line);
            }
        });
        log.recording.frames[1].camera = line.camera;
        let mut report = report_of(log.replay());
        // A number that is finite and yet wrong is another finding.
        let findings = std::mem::take(&mut report.findings).into_iter();
        let of_kind = findings.filter(|found| found.kind == Kind::BadNumber);
        report.findings = of_kind.collect::<Vec<_>>().into();
        if wanted.is_empty() {
            assert_eq!(report.findings, []);
            continue;
        }
        let found = single(&report);
        assert_eq!((found.kind, found.frame), (Kind::BadNumber, 0), "{wanted}");
        assert!(found.text.contains(wanted), "{wanted}: {}", found.text);
        close(evidence(found, "state"), 1.0, 0.0);
    }
}

/// A body that is placed into a wall in every frame is one long finding.
#[test]
fn a_body_teleported_every_frame_is_one_finding() {
    let objects = vec![
        ball("ball", 0.5, [0.0; 3], [0.0; 3]),
        wall("floor", [5.0, 0.5, 5.0], [0.0, -0.5, 0.0]),
    ];
    let mut log = Log::new(objects);
    for _ in 0..40 {
        log = log.frame(DT, &[at([0.0, 0.2, 0.0]), at([0.0, -0.5, 0.0])]);
    }
    change_frames(&mut log.recording, |_, data| {
        data.bodies[0].teleported = true;
    });
    let report = report_of(log.replay());
    let found = single(&report);
    assert_eq!(
        (found.kind, found.frame, found.last_frame),
        (Kind::StartsInside, 0, 38)
    );
}

/// Two balls whose centres come to coincide are each pushed away from the other: one finding.
#[test]
fn coincident_movers_are_reported_once() {
    let objects = vec![
        ball("left", 0.5, [-2.0, 0.0, 0.0], [2.0 / DT, 0.0, 0.0]),
        ball("right", 0.5, [2.0, 0.0, 0.0], [-2.0 / DT, 0.0, 0.0]),
    ];
    let report = report(Scene {
        response: Response::Push,
        ..scene(1, objects)
    });
    let bad = report
        .findings
        .iter()
        .filter(|found| found.kind == Kind::BadNumber);
    assert_eq!(bad.count(), 1, "{:#?}", report.findings);
}

/// Two boxes side by side push a body up or down, not into each other. Beside a single box it slips past.
#[test]
fn the_seam_of_a_floor_is_not_a_way_out() {
    let tile = |name: &str, x: f64| wall(name, [0.5, 0.2, 0.5], [x, -0.2, 0.0]);
    let body = |half_extents: [f64; 3]| {
        let half_extents = DVec3::from_array(half_extents);
        Object {
            shape: Shape::Box { half_extents },
            ..ball("body", 0.1, [0.0; 3], [0.0; 3])
        }
    };
    let fall = |body: Object, tiles: &[(&str, f64)], path: &[[f64; 2]]| {
        let mut objects = vec![body];
        objects.extend(tiles.iter().map(|(name, x)| tile(name, *x)));
        let log = path.iter().fold(Log::new(objects), |log, [x, y]| {
            let mut states = vec![at([*x, *y, 0.0])];
            states.extend(tiles.iter().map(|(_, x)| at([*x, -0.2, 0.0])));
            log.frame(DT, &states)
        });
        report_of(log.replay())
    };
    let both = [("left", -0.5), ("right", 0.5)];
    // 0.11 m to the side is less than the 0.21 m down, and than the 0.2 m up of the other.
    let small = || ball("body", 0.06, [0.0; 3], [0.0; 3]);
    let to = |y: f64| [[0.05, 0.5], [0.05, y]];
    let report = fall(small(), &both, &to(-0.25));
    let found = single(&report);
    assert_eq!((found.kind, &*found.b), (Kind::WrongSide, "right"));
    close(evidence(found, "push"), 0.21, 1e-9);
    close(evidence(found, "thickness"), 0.4, 1e-9);
    assert_eq!(fall(small(), &both, &to(-0.14)).findings, []);
    assert_eq!(fall(small(), &both[1..], &to(-0.25)).findings, []);
    // A post that is caught in the seam and sinks.
    let post = || body([0.05, 0.3, 0.05]);
    let slow = [
        [0.02, 0.6],
        [0.02, 0.2],
        [0.02, 0.1],
        [0.02, -0.05],
        [0.02, -0.45],
    ];
    let report = fall(post(), &both, &slow);
    let found = single(&report);
    assert_eq!((found.kind, found.frame), (Kind::Sinks, 3));
    // One that stands on both, and one that stands on one tile beside the edge of the other.
    let stands = [[0.02, 0.6], [0.02, 0.3], [0.02, 0.299], [0.02, 0.3]];
    assert_eq!(fall(post(), &both, &stands).findings, []);
}
