//! Why an object is where it is: chains whose reasons are known from how the log was made.

use crate::common::levels::{diagnosed, log_of, opened};
use glam::DVec3;
use hitstop::core::explain_motion::{MotionExplanation, MotionReason, explain_motion, last_change};
use hitstop::core::level::Level;
use hitstop::core::progress::Progress;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_8};
use std::sync::Mutex;

const OBJECTS: [&str; 3] = [
    r#"{"id":0,"name":"floor","motion":"fixed","shape":{"box":{"half_extents":[50,0.5,50]}},"position":[0,-0.5,0]}"#,
    r#"{"id":1,"name":"ball","shape":{"sphere":{"radius":0.5}}}"#,
    r#"{"id":2,"name":"cue","shape":{"sphere":{"radius":0.5}}}"#,
];

fn chain(level: &Level, name: &str, state: u32) -> MotionExplanation {
    let id = level.replay.object_named(name).unwrap();
    let found = explain_motion(&level.replay, id, state, &()).unwrap();
    found.with_findings(&diagnosed(level).findings)
}

fn level(lines: &[String]) -> Level {
    opened(
        "a.jsonl",
        log_of(r#","gravity":[0,-9.81,0]"#, &OBJECTS, lines),
    )
}

fn body(id: u32, p: [f64; 3], v: [f64; 3], more: &str) -> String {
    format!(r#"{{"id":{id},"p":{p:?},"v":{v:?}{more}}}"#)
}

/// A ball falls for ten frames, is stopped by the floor, rests on it, is hit by a cue, is placed elsewhere, and flies off without a reason.
#[test]
fn each_change_has_its_reason() {
    let dt = 1.0 / 60.0;
    let (mut y, mut v) = (0.5 + 9.81 * dt * dt * 55.0, 0.0);
    let far = body(2, [-20.0, 0.5, 0.0], [0.0; 3], "");
    let mut lines = vec![format!(
        r#""bodies":[{},{far}]"#,
        body(1, [0.0, y, 0.0], [0.0; 3], "")
    )];
    for _ in 0..10 {
        v -= 9.81 * dt;
        y += v * dt;
        lines.push(format!(
            r#""bodies":[{},{far}]"#,
            body(1, [0.0, y, 0.0], [0.0, v, 0.0], "")
        ));
    }
    assert!((y - 0.5).abs() < 1e-9);
    for _ in 0..5 {
        lines.push(format!(
            r#""bodies":[{},{far}]"#,
            body(1, [0.0, 0.5, 0.0], [0.0; 3], "")
        ));
    }
    // The cue stands beside it and gives it 3 m/s.
    let hit = [
        ([-1.0, 0.5, 0.0], [0.0; 3]),
        ([-1.0 + 3.0 * dt, 0.5, 0.0], [3.0, 0.0, 0.0]),
    ];
    let ball = [
        ([0.0, 0.5, 0.0], [0.0; 3]),
        ([3.0 * dt, 0.5, 0.0], [3.0, 0.0, 0.0]),
    ];
    for ((p, v), (cue, speed)) in ball.into_iter().zip(hit) {
        lines.push(format!(
            r#""bodies":[{},{}]"#,
            body(1, p, v, ""),
            body(2, cue, speed, "")
        ));
    }
    let placed = body(1, [10.0, 20.0, 0.0], [0.0; 3], r#","teleported":true"#);
    lines.push(format!(r#""bodies":[{placed},{far}]"#));
    let odd = body(1, [10.0 + 7.0 * dt, 20.0, 0.0], [7.0, 0.0, 0.0], "");
    lines.push(format!(r#""bodies":[{odd},{far}]"#));
    let level = level(&lines);
    let found = chain(&level, "ball", level.replay.frames());
    let on = |name: &str| MotionReason::Contact(vec![level.replay.object_named(name).unwrap()]);
    let reasons: Vec<(MotionReason, u32, u32)> = found
        .links
        .iter()
        .map(|link| (link.reason.clone(), link.frame, link.last_frame))
        .collect();
    assert_eq!(
        reasons,
        [
            (MotionReason::Unexplained, 18, 18),
            (MotionReason::Teleported, 17, 17),
            (on("cue"), 16, 16),
            (on("floor"), 10, 15),
            (MotionReason::Falls, 0, 9),
        ]
    );
    let text = found.text(&level.replay);
    assert!(text.contains("frame 16: in contact with cue: moves 0.05 m, its velocity changes by 3 m/s along (1, 0, 0)"), "{text}");
    // The latest change: of one that is over its frame, of one that goes on its first.
    let latest = |state: u32| {
        let change = last_change(&level.replay, found.id, state, &())?;
        Some((change.frame, change.reason))
    };
    assert_eq!(latest(19), Some((18, MotionReason::Unexplained)));
    assert_eq!(latest(16), Some((10, on("floor"))));
    assert_eq!(latest(11), Some((10, on("floor"))));
    assert_eq!(latest(10), None);
    // An earlier state has the same chain from there on.
    assert_eq!(chain(&level, "ball", 10).links, found.links[4..]);
}

/// One that appears later, one that nothing moves, and a push of the log.
#[test]
fn what_appears_rests_or_is_pushed_says_so() {
    let at = |x: f64| body(1, [x, 9.0, 0.0], [0.0; 3], "");
    let rests = body(2, [0.0, 0.5, 0.0], [0.0; 3], r#","asleep":true"#);
    let lines = [
        format!(r#""bodies":[{rests}]"#),
        format!(r#""bodies":[{},{rests}]"#, at(0.0)),
        format!(
            r#""bodies":[{},{rests}],"pushes":[{{"id":1,"push":[2,0,0]}}]"#,
            at(2.0)
        ),
    ];
    let level = level(&lines);
    let reasons = |name: &str| -> Vec<MotionReason> {
        let found = chain(&level, name, 2);
        found.links.into_iter().map(|link| link.reason).collect()
    };
    assert_eq!(
        reasons("ball"),
        [MotionReason::Pushed, MotionReason::Begins]
    );
    assert_eq!(reasons("cue"), [MotionReason::Rests]);
    assert_eq!(reasons("floor"), [MotionReason::Rests]);
}

/// Cancels the work at a number of done units, and keeps what was reported.
struct CancelsAt(u64, Mutex<Vec<(u64, u64)>>);

impl Progress for CancelsAt {
    fn report(&self, done: u64, total: u64) {
        self.1.lock().unwrap().push((done, total));
    }

    fn cancelled(&self) -> bool {
        self.1
            .lock()
            .unwrap()
            .last()
            .is_some_and(|(done, _)| *done >= self.0)
    }
}

/// Of a ball that flies for 40 frames, each step is reported, and the work ends at the one at which it is cancelled.
#[test]
fn it_reports_its_steps_and_can_be_cancelled() {
    let lines: Vec<String> = (0..=40)
        .map(|frame| {
            let ball = body(1, [f64::from(frame), 90.0, 0.0], [60.0, 0.0, 0.0], "");
            format!(r#""bodies":[{ball}]"#)
        })
        .collect();
    let level = opened("a.jsonl", log_of(r#","gravity":[0,0,0]"#, &OBJECTS, &lines));
    let id = level.replay.object_named("ball").unwrap();
    let whole = CancelsAt(41, Mutex::default());
    assert!(explain_motion(&level.replay, id, 40, &whole).is_some());
    let every: Vec<(u64, u64)> = (1..=40).map(|done| (done, 40)).collect();
    assert_eq!(*whole.1.lock().unwrap(), every);
    let stopped = CancelsAt(7, Mutex::default());
    assert_eq!(explain_motion(&level.replay, id, 40, &stopped), None);
    assert_eq!(*stopped.1.lock().unwrap(), every[..7]);
}

/// A character that is moved by 0.1 m a frame, from frame 4 on by 0.05 m, and from frame 7 on stands before a wall.
#[test]
fn a_character_is_moved_by_its_controller_since_its_motion_changed() {
    let objects = [
        OBJECTS[0],
        r#"{"id":1,"name":"player","motion":"kinematic","shape":{"sphere":{"radius":0.5}}}"#,
    ];
    let mut x = 0.0;
    let lines: Vec<String> = (0..10)
        .map(|line| {
            let from = x;
            x += match line {
                0 | 8.. => 0.0,
                1..=4 => 0.1,
                _ => 0.05,
            };
            let made = match line {
                0 => String::new(),
                _ => format!(
                    r#","moves":[{{"id":1,"from":[{from},0.5,0],"wish":[0.1,0,0],"to":[{x},0.5,0]}}]"#
                ),
            };
            format!(r#""bodies":[{{"id":1,"p":[{x},0.5,0]}}]{made}"#)
        })
        .collect();
    let gravity = r#","gravity":[0,-9.81,0]"#;
    let changes = |lines: &[String]| {
        let replay = opened("a.jsonl", log_of(gravity, &objects, lines)).replay;
        let change = |state| last_change(&replay, 1, state, &()).unwrap();
        [3, 6, 9].map(|state| (change(state).reason, change(state).frame))
    };
    use MotionReason::{Controlled, Driven};
    let wanted = [(Controlled, 0), (Controlled, 4), (Controlled, 6)];
    assert_eq!(changes(&lines), wanted);
    let no_moves: Vec<String> = lines
        .iter()
        .map(|line| line.split(r#","moves""#).next().unwrap().to_owned())
        .collect();
    assert_eq!(changes(&no_moves), [(Driven, 0), (Driven, 4), (Driven, 6)]);
}

/// The reasons of the ball's whole chain, the newest first, each with its first frame.
fn reasons_of(lines: &[String]) -> Vec<(MotionReason, u32)> {
    let level = level(lines);
    let found = chain(&level, "ball", level.replay.frames());
    let links = found.links.into_iter();
    links.map(|link| (link.reason, link.frame)).collect()
}

/// Lines of the ball, from its place and, where it is logged, its velocity at each frame.
fn lines_of(states: impl IntoIterator<Item = (DVec3, Option<DVec3>)>) -> Vec<String> {
    let line = |(p, v): (DVec3, Option<DVec3>)| {
        let p = p.to_array();
        match v {
            Some(v) => format!(r#""bodies":[{}]"#, body(1, p, v.to_array(), "")),
            None => format!(r#""bodies":[{{"id":1,"p":{p:?}}}]"#),
        }
    };
    states.into_iter().map(line).collect()
}

const DT: f64 = 1.0 / 60.0;
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// At 9 m/s as at 400 m/s: what keeps its height and its speed is carried by the floor that it touches, and where it touches nothing, by
/// nothing that the log has.
#[test]
fn what_keeps_its_speed_is_carried_and_does_not_fall() {
    let floor = MotionReason::Contact(vec![0]);
    for speed in [0.5, 4.0, 9.0, 16.0, 60.0, 400.0] {
        for (height, wanted) in [
            (0.5, &floor),
            (0.51, &floor),
            (0.7, &MotionReason::AgainstGravity),
            (30.0, &MotionReason::AgainstGravity),
        ] {
            for is_logged in [true, false] {
                let v = DVec3::X * speed;
                let at = |frame: i32| DVec3::Y * height + v * DT * (f64::from(frame) - 3.0);
                let lines = lines_of((0..6).map(|frame| (at(frame), is_logged.then_some(v))));
                let found = reasons_of(&lines);
                let newest = &found[0];
                // Without velocities nothing tells what changes in the first step.
                assert_eq!(&newest.0, wanted, "{speed} m/s at {height} m");
                assert!(
                    newest.1 == u32::from(!is_logged && height > 0.6),
                    "{found:?}"
                );
            }
        }
    }
    // It sinks at the speed at which the air holds it, however fast that is.
    let v = DVec3::NEG_Y * 30.0;
    let lines =
        lines_of((0..6).map(|frame| (DVec3::Y * 90.0 + v * DT * f64::from(frame), Some(v))));
    assert_eq!(reasons_of(&lines), [(MotionReason::AgainstGravity, 0)]);
}

/// Down a slope of 45 degrees without friction half of gravity's change remains, along it.
#[test]
fn what_slides_down_a_slope_is_in_contact_with_it_at_any_speed() {
    let down = DVec3::new(1.0, -1.0, 0.0) * FRAC_1_SQRT_2;
    let up = DVec3::new(1.0, 1.0, 0.0) * FRAC_1_SQRT_2;
    let half = FRAC_PI_8;
    let objects = [
        format!(
            r#"{{"id":0,"name":"slope","motion":"fixed","shape":{{"box":{{"half_extents":[90,0.5,50]}}}},"position":{:?},"rotation":[0,0,{},{}]}}"#,
            (-0.5 * up).to_array(),
            -half.sin(),
            half.cos()
        ),
        OBJECTS[1].to_owned(),
    ];
    let objects = objects.each_ref().map(|object| &**object);
    for speed in [1.0, 16.0, 60.0] {
        let gain = GRAVITY.dot(down);
        let state = |frame: i32| {
            let time = f64::from(frame) * DT;
            let way = speed * time + 0.5 * gain * time * time;
            let v = (speed + gain * time) * down;
            (0.5 * up + way * down, Some(v))
        };
        let lines = lines_of((0..6).map(state));
        let level = opened(
            "a.jsonl",
            log_of(r#","gravity":[0,-9.81,0]"#, &objects, &lines),
        );
        let found = chain(&level, "ball", 5);
        let reasons: Vec<MotionReason> = found.links.into_iter().map(|link| link.reason).collect();
        assert_eq!(reasons, [MotionReason::Contact(vec![0])], "{speed} m/s");
    }
}

/// A step of an integrator under gravity.
type Step = fn(&mut DVec3, &mut DVec3, f64);

fn explicit(x: &mut DVec3, v: &mut DVec3, dt: f64) {
    *x += *v * dt;
    *v += GRAVITY * dt;
}

fn semi_implicit(x: &mut DVec3, v: &mut DVec3, dt: f64) {
    *v += GRAVITY * dt;
    *x += *v * dt;
}

fn exact(x: &mut DVec3, v: &mut DVec3, dt: f64) {
    *x += *v * dt + 0.5 * GRAVITY * dt * dt;
    *v += GRAVITY * dt;
}

/// A ball in the air falls from its first frame on, however the engine steps it and whichever velocity it logs.
#[test]
fn gravity_is_gravity_however_it_is_integrated() {
    let steps: [(&str, Step); 3] = [
        ("explicit", explicit),
        ("semi-implicit", semi_implicit),
        ("exact", exact),
    ];
    let starts = [
        DVec3::ZERO,
        DVec3::new(4.0, 3.0, 0.0),
        DVec3::new(40.0, -1.0, 0.0),
    ];
    for (name, step) in steps {
        for start in starts {
            for substeps in [1, 2, 3, 8] {
                for logged in ["none", "after the step", "before the step"] {
                    // The first explicit step moves by the velocity before it: without the one after it nothing shows gravity yet.
                    if logged != "after the step" && name == "explicit" {
                        continue;
                    }
                    let (mut x, mut v) = (DVec3::Y * 60.0, start);
                    let mut states = vec![(x, v)];
                    for _ in 0..12 {
                        let before = v;
                        for _ in 0..substeps {
                            step(&mut x, &mut v, DT / f64::from(substeps));
                        }
                        states.push((
                            x,
                            if logged == "before the step" {
                                before
                            } else {
                                v
                            },
                        ));
                    }
                    let states = states.into_iter();
                    let lines = lines_of(states.map(|(x, v)| (x, (logged != "none").then_some(v))));
                    assert_eq!(
                        reasons_of(&lines),
                        [(MotionReason::Falls, 0)],
                        "{name}, {substeps} substeps, from {start} m/s, velocity {logged}"
                    );
                }
            }
        }
    }
}

/// Positions to the millimetre alone: the velocity between two frames is off by up to 0.12 m/s, of 0.16 m/s that gravity adds.
#[test]
fn a_fall_in_rounded_numbers_is_a_fall() {
    for speed in [0.0, 5.123, 20.37] {
        let (mut x, mut v) = (DVec3::Y * 60.0, DVec3::X * speed);
        let mut states = Vec::new();
        for _ in 0..40 {
            states.push(((x * 1e3).round() / 1e3, None));
            semi_implicit(&mut x, &mut v, DT);
        }
        let found = reasons_of(&lines_of(states));
        assert_eq!(found, [(MotionReason::Falls, 0)], "{speed} m/s");
    }
}

/// A tenth of the speed a second is damping: it falls up to 16 m/s. One that appears or is placed in flight falls from there on.
#[test]
fn a_fall_with_damping_and_one_that_begins_in_flight_are_falls() {
    let (mut x, mut v) = (DVec3::Y * 90.0, DVec3::ZERO);
    let mut states = vec![(x, Some(v))];
    while v.y > -16.0 {
        v = (v + GRAVITY * DT) * (1.0 - 0.1 * DT);
        x += v * DT;
        states.push((x, Some(v)));
    }
    assert_eq!(reasons_of(&lines_of(states)), [(MotionReason::Falls, 0)]);

    let (mut x, mut v) = (DVec3::Y * 60.0, DVec3::X * 20.0);
    let mut states = Vec::new();
    for _ in 0..6 {
        states.push((x, None));
        semi_implicit(&mut x, &mut v, DT);
    }
    let mut lines = lines_of(states);
    lines[3] = lines[3]
        .replace("}]", r#","teleported":true}]"#)
        .replace("60", "70");
    lines.insert(0, r#""bodies":[]"#.to_owned());
    assert_eq!(
        reasons_of(&lines),
        [
            (MotionReason::Falls, 4),
            (MotionReason::Teleported, 3),
            (MotionReason::Falls, 1),
            (MotionReason::Begins, 0)
        ]
    );
}
