//! Histories over time: levels whose times are known by hand.

use crate::common::levels::{add_frame, recording_of};
use glam::DVec3;
use hitstop::core::replay::history::{History, PairFrame, Quantity, Span};
use hitstop::core::replay::now::{Now, now};
use hitstop::core::replay::search::{SearchCondition, SearchDirection, search};
use hitstop::core::replay::{Body, Replay, Subject};
use hitstop::core::scene::{Detection, Movement, Object, Response, Scene};
use hitstop::core::shape::{Pose, Shape};
use std::sync::Arc;

const BALL: u32 = 0;
const WALL: u32 = 1;
const PAIR: Subject = Subject::Pair(BALL, WALL);

fn scene(frames: u32, response: Response, objects: Vec<Object>) -> Scene {
    Scene {
        dt: 0.0625,
        frames,
        response,
        ..Scene::new("test", objects)
    }
}

fn ball(position: DVec3, velocity: DVec3) -> Object {
    Object {
        velocity,
        ..Object::new("ball", Shape::Sphere { radius: 0.5 }, position)
    }
}

fn wall(half_extents: DVec3) -> Object {
    Object {
        movement: Movement::Fixed,
        ..Object::new("wall", Shape::Box { half_extents }, DVec3::ZERO)
    }
}

/// 8 m a frame from x = -12 through a wall of half thickness 0.125: hits it in frame 1 at 3.375 / 8, leaves it at 4.625 / 8.
fn through() -> Replay {
    let objects = vec![
        ball(DVec3::X * -12.0, DVec3::X * 128.0),
        wall(DVec3::new(0.125, 2.0, 2.0)),
    ];
    Replay::stepped(Arc::new(scene(6, Response::Ignore, objects)))
}

fn history(replay: &Replay, subject: Subject) -> History {
    let mut whole = History::new(subject);
    // In parts, as when it is shown while it is computed.
    for number in 0..replay.frames() {
        let mut part = History::new(subject);
        part.add(replay, &replay.frame(number));
        whole.append(part);
    }
    let mut at_once = History::new(subject);
    for number in 0..replay.frames() {
        at_once.add(replay, &replay.frame(number));
    }
    assert_eq!(whole, at_once, "parts make the whole");
    whole
}

fn values(history: &History, quantity: Quantity) -> Vec<Vec<[f64; 2]>> {
    let series = history.series(quantity);
    series.map_or(Vec::new(), |series| series.runs.clone())
}

fn one_span(spans: &[Span], from: f64, to: f64) {
    assert_eq!(spans.len(), 1, "{spans:?}");
    let close = |a: f64, b: f64| (a - b).abs() < 1e-7;
    assert!(
        close(spans[0].from, from) && close(spans[0].to, to),
        "{spans:?}"
    );
}

#[test]
fn a_crossing_between_two_frames_is_a_contact_inside_one() {
    let replay = through();
    let pair = history(&replay, PAIR);
    assert_eq!(pair.present, [Span { from: 0.0, to: 6.0 }]);
    assert_eq!(pair.impacts, [1.0 + 3.375 / 8.0]);
    one_span(&pair.contacts, 1.0 + 3.375 / 8.0, 1.0 + 4.625 / 8.0);
    assert!(pair.pushes.is_empty() && pair.teleports.is_empty());
    let gaps = values(&pair, Quantity::Gap);
    assert_eq!(gaps.len(), 1, "one run");
    for (at, gap) in [(0.0, 11.375), (1.0, 3.375), (2.0, 3.375), (6.0, 35.375)] {
        assert!(gaps[0].contains(&[at, gap]), "{at}: {gaps:?}");
    }
    // With coincident centres the overlap is the radius and the half thickness: 0.625.
    let deepest = values(&pair, Quantity::Depth)[0]
        .iter()
        .fold(0.0_f64, |most, point| most.max(point[1]));
    assert!((deepest - 0.625).abs() < 1e-9, "{deepest}");
    let ball = history(&replay, Subject::Object(BALL));
    assert_eq!(ball.impacts, pair.impacts);
    assert_eq!(ball.contacts, pair.contacts);
    assert_eq!(
        values(&ball, Quantity::PositionX),
        [(0..=6)
            .map(|n| [f64::from(n), -12.0 + 8.0 * f64::from(n)])
            .collect::<Vec<_>>()]
    );
    let speeds = values(&ball, Quantity::Speed);
    assert!(speeds[0].iter().all(|point| point[1] == 128.0));
    assert_eq!((speeds[0][0][0], speeds[0][11][0]), (0.0, 6.0));
    let level = history(&replay, Subject::Level);
    let dt = values(&level, Quantity::Dt);
    assert!(dt[0].len() == 12 && dt[0].iter().all(|point| point[1] == 0.0625));
}

#[test]
fn a_pair_has_a_row_for_every_frame() {
    let frames = history(&through(), PAIR).pair_frames;
    let row = |frame: u32, gap: f64| PairFrame {
        frame,
        gap: Some(gap),
        speed: Some(128.0),
        ..PairFrame::default()
    };
    // The ball starts at -12, -4, 4 and so on, 0.625 farther from the wall's middle than its face; in frame 1 its centre
    // passes the middle.
    let mut wanted = [11.375, 3.375, 3.375, 11.375, 19.375, 27.375].map(|gap| row(0, gap));
    for (frame, row) in (0..).zip(&mut wanted) {
        row.frame = frame;
    }
    (wanted[1].depth, wanted[1].touches) = (0.625, true);
    assert_eq!(frames, wanted);
}

#[test]
fn resting_objects_have_one_impact() {
    // Falls 0.25 m onto a floor whose face is y = 0, and is pushed out of it at the end of every frame.
    let half = DVec3::new(4.0, 0.125, 4.0);
    let mut floor = wall(half);
    floor.pose.position.y = -0.125;
    let objects = vec![ball(DVec3::Y * 0.75, DVec3::ZERO), floor];
    let level = Scene {
        gravity: DVec3::Y * -8.0,
        ..scene(40, Response::Slide, objects)
    };
    for detection in [Detection::Overlap, Detection::Sweep] {
        let replay = Replay::stepped(Arc::new(Scene {
            detection,
            ..level.clone()
        }));
        let pair = history(&replay, PAIR);
        // Whole steps of 8 / 256 m/s each, v += 0.5 m/s: after k frames it fell 0.03125 k (k + 1) / 2.
        // 0.25 m = 8 of those: k = 3 falls 0.1875, k = 4 falls 0.3125; so in frame 3, half way.
        assert_eq!(pair.impacts.len(), 1, "{detection:?}: {:?}", pair.impacts);
        assert!((pair.impacts[0] - 3.5).abs() < 1e-7, "{:?}", pair.impacts);
        one_span(&pair.contacts, 3.5, 40.0);
        let ball = history(&replay, Subject::Object(BALL));
        assert_eq!(ball.impacts, pair.impacts);
        let touch = SearchCondition::Touch(BALL, WALL);
        let found = search(&replay, &touch, (0, 0.0), SearchDirection::Forward, &()).unwrap();
        assert_eq!(found.frame, 3, "{detection:?}");
        assert!((found.fraction - 0.5).abs() < 1e-7, "{detection:?}");
    }
}

#[test]
fn pushes_have_their_length_and_time() {
    // 0.25 m a frame from 0.625 m before the face: 0.125 m deep at the end of frame 2, and pushed out.
    let objects = vec![
        ball(DVec3::X * -1.625, DVec3::X * 4.0),
        wall(DVec3::new(0.5, 2.0, 2.0)),
    ];
    let replay = Replay::stepped(Arc::new(scene(4, Response::Stop, objects)));
    let pair = history(&replay, PAIR);
    assert_eq!(pair.pushes, [3.0]);
    let pushed = values(&pair, Quantity::Push);
    let push = |at: f64, value: f64| pushed[0].contains(&[at, value]);
    assert!(push(0.0, 0.0) && push(2.0, 0.125) && push(3.0, 0.125) && push(4.0, 0.0));
}

fn log() -> Replay {
    let object = |name: &str| Object::new(name, Shape::Sphere { radius: 0.5 }, DVec3::ZERO);
    let mut recording = recording_of(0.5, vec![object("ball"), object("wall")]);
    // The ball is absent in state 2, is back in state 3, and is teleported in state 5.
    for number in 0..7_u32 {
        let x = if number < 5 { 4.0 } else { 8.0 };
        let ball = Body {
            teleported: number == 5,
            ..Body::new(BALL, Pose::at(DVec3::X * x))
        };
        let wall = Body::new(WALL, Pose::at(DVec3::ZERO));
        let ball = (number != 2).then_some(ball);
        let dt = if number == 4 { 0.75 } else { 0.5 };
        let frame = add_frame(&mut recording, dt, ball.into_iter().chain([wall]));
        frame.gap = number == 6;
    }
    Replay::recorded(
        Arc::new(scene(1, Response::Ignore, Vec::new())),
        Arc::new(recording),
    )
}

#[test]
fn absence_breaks_a_line_and_teleports_are_marked() {
    let replay = log();
    assert_eq!(replay.frames(), 6);
    let ball = history(&replay, Subject::Object(BALL));
    assert_eq!(
        ball.present,
        [Span { from: 0.0, to: 2.0 }, Span { from: 3.0, to: 6.0 }]
    );
    assert_eq!(ball.teleports, [5.0]);
    let positions: Vec<Vec<f64>> = values(&ball, Quantity::PositionX)
        .iter()
        .map(|run| run.iter().map(|point| point[0]).collect())
        .collect();
    assert_eq!(positions, [vec![0.0, 1.0], vec![3.0, 4.0, 5.0, 6.0]]);
    // No path is known into state 2, out of it, across the teleport, and across the missing frames.
    let pair = history(&replay, PAIR);
    let stretches: Vec<(f64, f64)> = values(&pair, Quantity::Gap)
        .iter()
        .map(|run| (run[0][0], run[run.len() - 1][0]))
        .collect();
    assert_eq!(stretches, [(0.0, 1.0), (3.0, 4.0)]);
    let level = history(&replay, Subject::Level);
    assert_eq!(level.missing, [Span { from: 5.0, to: 6.0 }]);
    assert!(values(&level, Quantity::Dt)[0].contains(&[3.0, 0.75]));
}

#[test]
fn absent_objects_have_no_numbers() {
    let replay = log();
    let here = now(&replay, &replay.frame(1), 0.5, PAIR);
    // It has no segments in this frame, and is at rest until the frame's end.
    assert!(matches!(here, Now::Pair(pair) if pair.gap == Some(3.0) && pair.speed.is_none()));
    let gone = now(&replay, &replay.frame(2), 0.0, PAIR);
    assert_eq!(gone, Now::Absent(vec![BALL]));
    let unknown = now(&replay, &replay.frame(0), 0.0, Subject::Object(9));
    assert_eq!(unknown, Now::Absent(vec![9]));

    let replay = through();
    let Now::Pair(pair) = now(&replay, &replay.frame(1), 0.5, PAIR) else {
        panic!("both are there");
    };
    assert_eq!((pair.gap, pair.speed), (Some(-0.625), Some(128.0)));
    assert_eq!((pair.impact, pair.push), (Some(3.375 / 8.0), 0.0));
    let Now::Object(ball) = now(&replay, &replay.frame(1), 0.5, Subject::Object(BALL)) else {
        panic!("it is there");
    };
    assert_eq!(ball.position, DVec3::ZERO);
    assert_eq!(ball.impact, Some((3.375 / 8.0, WALL)));
}

#[test]
fn the_next_impact_is_found_and_resting_is_none() {
    let replay = through();
    let meets = Some((1, 3.375 / 8.0));
    for wanted in [
        SearchCondition::Impact(None, None),
        SearchCondition::Impact(Some(BALL), None),
        SearchCondition::Impact(Some(WALL), None),
        SearchCondition::Impact(Some(WALL), Some(BALL)),
    ] {
        for (from, way) in [
            ((0, 0.0), SearchDirection::Forward),
            ((5, 1.0), SearchDirection::Backward),
        ] {
            let found = search(&replay, &wanted, from, way, &());
            assert_eq!(
                found.map(|one| (one.frame, one.fraction)),
                meets,
                "{wanted:?}"
            );
        }
    }
    let any = search(
        &replay,
        &SearchCondition::Impact(None, None),
        (0, 0.0),
        SearchDirection::Forward,
        &(),
    );
    assert_eq!(any.unwrap().object, Some(BALL), "the one that moves");
    let after = search(
        &replay,
        &SearchCondition::Impact(None, None),
        (1, 0.5),
        SearchDirection::Forward,
        &(),
    );
    assert_eq!(after, None);
}
