//! "The next frame where": every condition against a level whose times are known by hand.

use crate::common::levels::{add_frame, ball, fixed_box, recording_of};
use glam::DVec3;
use hitstop::core::replay::search::{SearchCondition, SearchDirection, SearchHit, search};
use hitstop::core::replay::{Body, Replay};
use hitstop::core::scene::{Response, Scene};
use hitstop::core::shape::Pose;
use std::sync::Arc;

const BALL: u32 = 0;
const WALL: u32 = 1;

/// A ball of radius 0.5 from x = -12, 8 m a frame, through a wall of half thickness 0.125 at x = 0 without a response.
///
/// Gap at the frame starts: 11.375, 3.375, 3.375 (behind), 11.375, .. It hits the wall in frame 1 at 3.375 / 8.
fn level() -> Replay {
    let ball = ball("ball", 0.5, DVec3::X * -12.0, DVec3::X * 128.0);
    let wall = fixed_box("wall", [0.125, 2.0, 2.0], DVec3::ZERO);
    Replay::stepped(Arc::new(Scene {
        dt: 0.0625,
        frames: 6,
        ..Scene::new("test", vec![ball, wall])
    }))
}

fn next(replay: &Replay, wanted: SearchCondition, from: (u32, f64)) -> Option<(u32, f64)> {
    position(search(replay, &wanted, from, SearchDirection::Forward, &()))
}

fn last(replay: &Replay, wanted: SearchCondition, from: (u32, f64)) -> Option<(u32, f64)> {
    position(search(
        replay,
        &wanted,
        from,
        SearchDirection::Backward,
        &(),
    ))
}

fn position(found: Option<SearchHit>) -> Option<(u32, f64)> {
    found.map(|found| (found.frame, found.fraction))
}

#[test]
fn a_touch_is_found_from_both_sides_and_only_once() {
    let replay = level();
    let touch = SearchCondition::Touch(BALL, WALL);
    let meets = (1, 3.375 / 8.0);
    assert_eq!(next(&replay, touch, (0, 0.0)), Some(meets));
    assert_eq!(
        next(&replay, SearchCondition::Touch(WALL, BALL), (0, 0.5)),
        Some(meets)
    );
    assert_eq!(next(&replay, touch, meets), None, "strictly after");
    assert_eq!(last(&replay, touch, (5, 1.0)), Some(meets));
    assert_eq!(last(&replay, touch, meets), None, "strictly before");
    assert_eq!(
        next(
            &replay,
            SearchCondition::HitBefore(BALL, WALL, 0.42),
            (0, 0.0)
        ),
        None
    );
    assert_eq!(
        next(
            &replay,
            SearchCondition::HitBefore(BALL, WALL, 0.43),
            (0, 0.0)
        ),
        Some(meets)
    );
}

#[test]
fn distances_are_compared_at_both_ends_of_a_frame() {
    let replay = level();
    let nearer = SearchCondition::Nearer(BALL, WALL, 4.0);
    assert_eq!(
        next(&replay, nearer, (0, 0.0)),
        Some((0, 1.0)),
        "the end of frame 0"
    );
    assert_eq!(next(&replay, nearer, (1, 0.0)), Some((1, 1.0)));
    assert_eq!(next(&replay, nearer, (2, 0.0)), None);
    assert_eq!(
        next(
            &replay,
            SearchCondition::Nearer(BALL, WALL, 3.375),
            (0, 0.0)
        ),
        None
    );
    let found = search(&replay, &nearer, (0, 0.0), SearchDirection::Forward, &()).unwrap();
    assert_eq!(found.value, Some(3.375));
    assert_eq!(
        next(&replay, SearchCondition::Deeper(BALL, WALL, 0.0), (0, 0.0)),
        None
    );
}

#[test]
fn speed_is_distance_over_time() {
    let replay = level();
    // 8 m in 0.0625 s.
    assert_eq!(
        next(&replay, SearchCondition::Faster(None, 127.0), (0, 0.0)),
        Some((1, 0.0))
    );
    assert_eq!(
        next(&replay, SearchCondition::Faster(Some(WALL), 0.0), (0, 0.0)),
        None
    );
    assert_eq!(
        next(
            &replay,
            SearchCondition::Faster(Some(BALL), 128.0),
            (0, 0.0)
        ),
        None
    );
    assert_eq!(
        last(&replay, SearchCondition::Faster(Some(BALL), 1.0), (3, 0.5)),
        Some((3, 0.0))
    );
    assert_eq!(
        next(&replay, SearchCondition::Faster(Some(7), 0.0), (0, 0.0)),
        None
    );
}

/// A ball along x, state by state: the seconds to the next one, and its position, if present.
fn recorded(states: &[(f64, Option<f64>)]) -> Replay {
    let objects = vec![ball("ball", 0.5, DVec3::ZERO, DVec3::ZERO)];
    let mut recording = recording_of(1.0, objects.clone());
    for (dt, x) in states {
        let body = x.map(|x| Body::new(0, Pose::at(DVec3::X * x)));
        add_frame(&mut recording, *dt, body);
    }
    let scene = Scene {
        objects: objects.into(),
        ..level().scene().as_ref().clone()
    };
    Replay::recorded(Arc::new(scene), Arc::new(recording))
}

#[test]
fn absence_a_long_frame_and_bad_numbers_of_a_recording_are_found() {
    // State by state: absent, at 0, at 1 after a long frame, not a number, absent, absent.
    let states = [
        (0.1, None),
        (0.1, Some(0.0)),
        (0.3, Some(1.0)),
        (0.1, Some(f64::NAN)),
        (0.1, None),
        (0.1, None),
    ];
    let replay = recorded(&states);
    assert_eq!(
        next(&replay, SearchCondition::Appears(0), (0, 0.0)),
        Some((1, 0.0))
    );
    assert_eq!(next(&replay, SearchCondition::Appears(0), (1, 0.0)), None);
    assert_eq!(
        next(&replay, SearchCondition::Disappears(0), (0, 0.0)),
        Some((3, 1.0))
    );
    assert_eq!(
        next(&replay, SearchCondition::LongerFrame(0.2), (0, 0.0)),
        Some((1, 0.0))
    );
    assert_eq!(
        next(&replay, SearchCondition::NotFinite(None), (0, 0.0)),
        Some((3, 0.0))
    );
}

#[test]
fn the_last_state_is_searched_too() {
    let comes = recorded(&[(0.1, None), (0.1, None), (0.1, Some(0.0))]);
    let appears = SearchCondition::Appears(0);
    assert_eq!(next(&comes, appears, (0, 0.0)), Some((1, 1.0)));
    assert_eq!(next(&comes, appears, (1, 1.0)), None);
    assert_eq!(last(&comes, appears, (2, 0.0)), None, "strictly before");
    let breaks = recorded(&[(0.1, Some(0.0)), (0.1, Some(1.0)), (0.1, Some(f64::NAN))]);
    for wanted in [
        SearchCondition::NotFinite(None),
        SearchCondition::NotFinite(Some(0)),
    ] {
        assert_eq!(next(&breaks, wanted, (0, 0.0)), Some((1, 1.0)));
    }
    // Present from the start: the last state adds nothing, and a value that is not finite counts once per state.
    let stays = recorded(&[(0.1, Some(f64::NAN)), (0.1, Some(f64::NAN))]);
    assert_eq!(next(&stays, appears, (0, 0.0)), None);
    let broken = SearchCondition::NotFinite(None);
    assert_eq!(next(&stays, broken, (0, 0.0)), Some((0, 1.0)));
    assert_eq!(last(&stays, broken, (0, 1.0)), Some((0, 0.0)));
}

#[test]
fn a_push_is_found_by_its_length() {
    let mut scene = level().scene().as_ref().clone();
    scene.response = Response::Push;
    // Ends frame 0 at x = -0.5: 0.125 deep in the face at -0.125 is 0.125 + 0.5 - 0.5.
    scene.objects[0].pose = Pose::at(DVec3::X * -8.5);
    let replay = Replay::stepped(Arc::new(scene));
    let found = search(
        &replay,
        &SearchCondition::PushedFarther(None, 0.1),
        (0, 0.0),
        SearchDirection::Forward,
        &(),
    );
    let found = found.expect("a push");
    assert_eq!(
        (found.frame, found.fraction, found.object),
        (0, 1.0, Some(BALL))
    );
    assert!((found.value.unwrap() - 0.125).abs() < 1e-9);
    assert_eq!(
        next(
            &replay,
            SearchCondition::PushedFarther(Some(WALL), 0.0),
            (0, 0.0)
        ),
        None
    );
}
