//! Where causes end: of two similar levels one has a cause, and the other, just beyond its limit, has not.

use crate::common::findings::{evidence, fix, headline};
use crate::common::levels::{
    add_frame, ball as ball_at, change_frames, diagnosed, fixed_box, level_of, recording_of,
};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Kind, Report};
use hitstop::core::replay::{Body, LoggedContact, Recording, Replay};
use hitstop::core::scene::{Engine, Movement, Object, Scene};
use std::sync::Arc;

/// A sixteenth of a second, so that most numbers are short.
const DT: f64 = 0.0625;

fn ball(radius: f64, x: f64, speed: f64) -> Object {
    ball_at("ball", radius, [x, 0.0, 0.0], [speed, 0.0, 0.0])
}

fn slab(half: f64, x: f64) -> Object {
    fixed_box("wall", [half, 50.0, 50.0], [x, 0.0, 0.0])
}

/// A slab that moves by this velocity, whatever hits it.
fn moving_slab(velocity: impl Into<DVec3>) -> Object {
    Object {
        movement: Movement::Kinematic,
        velocity: velocity.into(),
        ..slab(0.25, 0.0)
    }
}

/// One frame of objects.
fn once(objects: impl Into<Vec<Object>>) -> Scene {
    Scene {
        dt: DT,
        frames: 1,
        ..Scene::new("limits", objects.into())
    }
}

fn stepped(scene: Scene) -> Report {
    diagnosed(&level_of(Replay::stepped(Arc::new(scene))))
}

/// A log of objects at these places along x and with these speeds, state by state.
fn log<const N: usize>(objects: [Object; N], states: &[[(f64, f64); N]]) -> Recording {
    let mut log = recording_of(DT, objects.into());
    for state in states {
        let bodies = (0..).zip(log.objects.clone()).zip(state);
        let bodies = bodies.map(|((id, object), (x, speed))| {
            let mut body = Body::new(id, object.pose);
            body.pose.position.x = *x;
            body.velocity = Some(DVec3::new(*speed, 0.0, 0.0));
            body
        });
        add_frame(&mut log, DT, bodies.collect::<Vec<_>>());
    }
    log
}

fn recorded(log: Recording) -> Report {
    let scene = Arc::new(once([]));
    diagnosed(&level_of(Replay::recorded(scene, Arc::new(log))))
}

fn has(report: &Report, cause: Cause) -> bool {
    let mut findings = report.findings.iter();
    findings.any(|finding| finding.cause == cause || finding.also.contains(&cause))
}

/// The two close 4 m in the frame. The wall's part of that is 0.6, or 0.4.
#[test]
fn a_fast_obstacle_supplies_more_than_half_of_the_way() {
    for (share, expected) in [(0.6, true), (0.4, false)] {
        let mover = ball(0.25, -2.53125, 64.0 * (1.0 - share));
        let report = stepped(once([mover, moving_slab([-64.0 * share, 0.0, 0.0])]));
        assert_eq!(report.findings[0].kind, Kind::Tunnels, "{share}");
        assert_eq!(has(&report, Cause::FastObstacle), expected, "{share}");
    }
}

/// A wall that slides along itself is hit at the same time whether it is swept or not; one that comes closer is not.
#[test]
fn a_wall_that_slides_along_itself_is_not_swept_separately() {
    for (velocity, expected) in [([0.0, 16.0, 0.0], false), ([-16.0, 0.0, 0.0], true)] {
        let report = stepped(once([ball(0.25, -2.53125, 64.0), moving_slab(velocity)]));
        assert_eq!(report.findings[0].kind, Kind::Tunnels, "{velocity:?}");
        assert_eq!(has(&report, Cause::SweptAlone), expected, "{velocity:?}");
    }
}

/// An engine that sweeps from 17 radii a step on, 17/64 m. The ball makes 16/64: the threshold has to be lowered to that.
#[test]
fn a_threshold_of_less_than_a_metre_is_lowered_to_the_step() {
    let mut mover = ball(0.015625, -0.158203125, 4.0);
    mover.ccd = Some(true);
    let engine = Engine {
        ccd_threshold: Some(17.0),
        ..Engine::default()
    };
    let report = stepped(Scene {
        engine,
        ..once([mover, slab(0.015625, 0.0)])
    });
    let found = headline(&report, Cause::Ccd);
    assert_eq!(fix(found, "max_ccd_threshold"), 0.25);
}

/// Its speed grows while something else holds it: in contact with the wall that is a hidden speed, a metre before it is not.
#[test]
fn a_speed_that_grows_before_a_contact_is_not_hidden() {
    for (apart, expected) in [(0.0, true), (1.0, false)] {
        let x = -0.5 - apart;
        let mut states = [32.0, 40.0, 48.0, 56.0, 64.0].map(|speed| [(x, speed), (0.0, 0.0)]);
        let through = [(x + 4.0, 64.0), (0.0, 0.0)];
        let states = [states.as_mut_slice(), &mut [through]].concat();
        let report = recorded(log([ball(0.25, 0.0, 0.0), slab(0.25, 0.0)], &states));
        assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
        assert_eq!(has(&report, Cause::HiddenSpeed), expected, "{apart}");
    }
}

/// A ball of 1/128 m in a plate of the same thickness, with its centre inside: it overlaps by more than its radius, and the engine leaves up
/// to 1/16 m alone. It rests there if it stays for two states; a sensor holds nothing.
#[test]
fn a_body_that_only_arrives_or_is_in_a_sensor_is_not_too_small() {
    let radius = 0.0078125;
    for (count, sensor, expected) in [(1, false, false), (2, false, true), (2, true, false)] {
        let mut plate = slab(0.5 * radius, 0.0);
        plate.sensor = sensor;
        let inside = vec![-0.1 * radius; count];
        let xs = [vec![-2.0 * radius], inside, vec![2.0 * radius]].concat();
        let states: Vec<_> = xs.iter().map(|x| [(*x, 0.0), (0.0, 0.0)]).collect();
        let mut log = log([ball(radius, 0.0, 0.0), plate], &states);
        log.engine.margin = Some(0.0625);
        let report = recorded(log);
        assert_eq!(
            has(&report, Cause::Units),
            expected,
            "{count}, {sensor}: {:#?}",
            report.findings
        );
    }
}

/// The ball of a wall at 2^20 m, where neighbouring numbers of `f32` are 1/16 m apart. An engine that logs positions between them computes
/// in `f64`.
#[test]
fn positions_between_the_numbers_of_f32_are_not_rounded_to_them() {
    let far = 1_048_576.0;
    let objects = || [ball(0.25, far - 3.46875, 64.0), slab(0.25, far)];
    assert!(has(&stepped(once(objects())), Cause::FarFromOrigin));
    let states = [-3.46875, 0.53125].map(|x| [(far + x, 64.0), (far, 0.0)]);
    let report = recorded(log(objects(), &states));
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    assert!(!has(&report, Cause::FarFromOrigin));
}

/// A ball goes 4 m through a slab in the frame, at a logged speed (m/s); a crate half a metre wide begins at a place and goes a step.
fn with_pusher(place: DVec3, step: DVec3, speed: f64) -> Recording {
    let crate_ = Object {
        movement: Movement::Kinematic,
        ..fixed_box("crate", [0.25; 3], place)
    };
    let objects = vec![ball(0.25, 0.0, 0.0), slab(0.25, 0.0), crate_];
    let mut log = recording_of(DT, objects);
    for (index, x) in [-2.53125, 1.46875].into_iter().enumerate() {
        let at = |id: u32, position: DVec3, velocity: DVec3| Body {
            velocity: Some(velocity),
            ..Body::new(id, hitstop::core::shape::Pose::at(position))
        };
        let bodies = [
            at(0, DVec3::new(x, 0.0, 0.0), DVec3::new(speed, 0.0, 0.0)),
            at(1, DVec3::ZERO, DVec3::ZERO),
            at(2, place + step * index as f64, step / DT),
        ];
        add_frame(&mut log, DT, bodies);
    }
    log
}

/// Whether a push into the next wall is a cause of what tunnels.
fn is_pushed(log: Recording) -> bool {
    let report = recorded(log);
    assert!(
        report.findings.iter().any(|it| it.kind == Kind::Tunnels),
        "{:#?}",
        report.findings
    );
    has(&report, Cause::NextWall)
}

/// A crate that touches the ball pushes it along if it goes the same way, as far as the ball does: not if it creeps, or comes from the side.
#[test]
fn a_pusher_goes_as_far_as_what_it_pushes() {
    // The crate, half a metre wide, is behind the ball or beside it.
    let pushed = |behind: bool, step: f64, speed: f64| {
        let (place, way) = match behind {
            true => (DVec3::new(-3.03125, 0.0, 0.0), DVec3::X),
            false => (DVec3::new(-2.53125, -0.5, 0.0), DVec3::Y),
        };
        is_pushed(with_pusher(place, way * step, speed))
    };
    assert!(pushed(true, 4.0, 64.0));
    assert!(pushed(true, 4.0, 0.0));
    assert!(!pushed(true, 0.01, 64.0));
    assert!(!pushed(false, 0.2, 0.0));
}

/// A ball goes 4 m in the frame, with a velocity that says so. A crate has a logged contact with it, whose normal is 53 degrees off the way: of what the crate
/// moves along the normal 0.6 count, which has to be half of the way. One whose corner is just behind the ball, without touching it, does not push.
#[test]
fn a_pusher_at_an_angle_counts_by_its_share() {
    let pushed = |place: DVec3, normal: Option<DVec3>, step: DVec3, speed: f64| {
        let mut log = with_pusher(place, step, speed);
        change_frames(&mut log, |index, data| {
            let contact = normal.filter(|_| index == 0).map(|normal| LoggedContact {
                a: 0,
                b: 2,
                point: DVec3::new(-2.53125, 0.0, 0.0),
                normal,
                depth: 0.0,
            });
            data.contacts.extend(contact);
        });
        is_pushed(log)
    };
    let normal = DVec3::new(0.6, 0.8, 0.0);
    let away = DVec3::new(-4.0, -4.0, 9.0);
    assert!(pushed(away, Some(normal), normal * 4.0, 64.0));
    assert!(!pushed(away, Some(normal), normal * 2.8, 64.0));
    // Its corner is 0.2 m behind and 0.2 m below the centre, 0.28 m away.
    let corner = DVec3::new(-2.53125 - 0.45, -0.45, 0.0);
    assert!(!pushed(corner, None, DVec3::X * 4.0, 0.0));
}

/// A ball that is driven by position 0.2 m a frame, 3.2 m/s, into 2 m of a wall: 1.25 m would hold, so that only its velocity is missing.
#[test]
fn a_body_that_is_driven_by_small_steps_only_needs_its_velocity() {
    let driven = Object {
        movement: Movement::Kinematic,
        ..ball(0.25, 0.0, 0.0)
    };
    let wall = Object {
        movement: Movement::Velocity,
        ..slab(1.0, 0.0)
    };
    let states: Vec<_> = (0..8)
        .map(|state| [(-1.35 + 0.2 * f64::from(state), 0.0), (0.0, 0.0)])
        .collect();
    let report = recorded(log([driven, wall], &states));
    let found = headline(&report, Cause::Teleport);
    let fixes: Vec<_> = (found.fixes.iter())
        .map(|fix| {
            (
                fix.what.name(),
                fix.holds.map(|value| (value * 1e9).round() / 1e9),
            )
        })
        .collect();
    assert_eq!(fixes, [("drive_speed", Some(3.2))]);
}

/// It sinks in step by step until it is wholly inside, which no push undoes in time; that it is out again afterwards does not make it harmless.
#[test]
fn only_a_push_to_the_wrong_side_can_be_visual_only() {
    let states = [-1.4, -1.1, -0.9, -0.7, -1.4, -1.4].map(|x| [(x, 0.0), (0.0, 0.0)]);
    let report = recorded(log([ball(0.25, 0.0, 0.0), slab(1.0, 0.0)], &states));
    let kinds: Vec<_> = report.findings.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [Kind::Sinks]);
    assert!(!has(&report, Cause::VisualOnly));
}

/// A tenth of a metre before the wall, then twice 1/16 m deep in it, then through. A logged contact of the first state counts as one unless it is
/// only near, with a negative depth.
#[test]
fn a_logged_contact_with_a_negative_depth_is_none() {
    for (depth, frames) in [(None, 2.0), (Some(-0.1), 2.0), (Some(0.0), 3.0)] {
        let states = [-0.6, -0.4375, -0.4375, 1.5625].map(|x| [(x, 0.0), (0.0, 0.0)]);
        let mut log = log([ball(0.25, 0.0, 0.0), slab(0.25, 0.0)], &states);
        change_frames(&mut log, |index, data| {
            data.bodies.iter_mut().for_each(|body| body.velocity = None);
            let contact = depth.filter(|_| index < 3).map(|depth| LoggedContact {
                a: 0,
                b: 1,
                point: DVec3::new(-0.25, 0.0, 0.0),
                normal: DVec3::NEG_X,
                depth: if index == 0 { depth } else { 0.0625 },
            });
            data.contacts.extend(contact);
        });
        let report = recorded(log);
        let found = headline(&report, Cause::LetThrough);
        assert_eq!(evidence(found, "frames_in_contact"), frames, "{depth:?}");
    }
}

/// 128 m/s are commanded, 8 m a frame. A cap makes several frames as long as each other, 4 m; different lengths, or bodies that are placed, are none.
#[test]
fn a_speed_cap_is_the_same_in_several_frames() {
    let none: &[usize] = &[];
    for (steps, placed, expected) in [
        ([4.0, 4.0, 4.0, 4.0], none, true),
        // Half a percent faster is the same.
        ([4.0, 4.0, 4.02, 4.0], none, true),
        ([4.0, 3.0, 4.0, 3.0], none, false),
        ([4.0, 4.0, 4.0, 4.0], &[1, 2, 4], false),
    ] {
        // It is 2.53125 m before the wall when frame 2 begins.
        let mut x = -2.53125 - steps[0] - steps[1];
        let mut states = vec![[(x, 128.0), (0.0, 0.0)]];
        for step in steps {
            x += step;
            states.push([(x, 128.0), (0.0, 0.0)]);
        }
        let mut log = log([ball(0.25, 0.0, 0.0), slab(0.25, 0.0)], &states);
        change_frames(&mut log, |index, data| {
            data.bodies[0].teleported = placed.contains(&index);
        });
        let report = recorded(log);
        assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
        assert_eq!(report.findings[0].frame, 2);
        assert_eq!(
            has(&report, Cause::SpeedClamp),
            expected,
            "{steps:?} {placed:?}"
        );
    }
}
