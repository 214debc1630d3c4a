//! Checks of expectations about a pair, an object or the camera.

use super::text::{apart, vector};
use crate::core::diagnose::report::explain::{self, Outcome};
use crate::core::number::number;
use crate::core::query::{self, Steps};
use crate::core::replay::{Frame, FrameState, ObjectId, Phase, Replay};
use crate::core::scene::{Expectation, Expected, UserUnits};
use glam::DVec3;

fn pair_of(replay: &Replay, a: &str, b: &str) -> Result<(ObjectId, ObjectId), String> {
    let find = |name: &str| {
        replay
            .object_named(name)
            .ok_or(format!("there is no object {name:?}"))
    };
    Ok((find(a)?, find(b)?))
}

/// Times of impact of a pair in a frame, as fractions of the frame: from sweeps of its segments, and from the impacts
/// that ended a segment. Hits that an earlier impact prevents do not count.
fn impacts(replay: &Replay, frame: &Frame, (a, b): (ObjectId, ObjectId)) -> Vec<f64> {
    let objects = replay.objects();
    let (shape_a, shape_b) = (&objects[a as usize].shape, &objects[b as usize].shape);
    let mut fractions = Vec::new();
    for (from, to, motion_a, motion_b) in frame.straight_intervals(a, b) {
        let sweep = query::sweep(shape_a, &motion_a, shape_b, &motion_b, &mut ());
        fractions.extend(
            sweep
                .outcome
                .impact()
                .map(|hit| from + hit.fraction * (to - from)),
        );
    }
    let ours = |i: &ObjectId, j: &ObjectId| (*i, *j) == (a, b) || (*i, *j) == (b, a);
    // The first sweep of a frame ignores other impacts: hits after the first impact do not happen.
    fractions.extend(frame.phases.iter().filter_map(|phase| match phase {
        Phase::Advance {
            impact: Some((i, j, impact)),
            ..
        } if ours(i, j) => Some(impact.fraction),
        _ => None,
    }));
    fractions.sort_by(f64::total_cmp);
    fractions
}

pub(in crate::core::diagnose) fn hit(
    replay: &Replay,
    (a, b): (&str, &str),
    frame_number: u32,
    fraction: f64,
    tolerance: f64,
) -> (bool, String) {
    let pair = match pair_of(replay, a, b) {
        Ok(pair) => pair,
        Err(why) => return (false, why),
    };
    if frame_number >= replay.frames() {
        return (false, past_the_end(replay));
    }
    let frame = replay.frame(frame_number);
    let found = impacts(replay, &frame, pair);
    let off = |found: &f64| (found - fraction).abs();
    match found.iter().min_by(|x, y| off(x).total_cmp(&off(y))) {
        Some(nearest) => (
            off(nearest) <= tolerance,
            format!(
                "fraction {nearest}{}",
                apart(off(nearest), tolerance, number)
            ),
        ),
        None => (
            false,
            format!(
                "no hit in frame {frame_number}: {}",
                outcome(replay, &frame, pair)
            ),
        ),
    }
}

/// The last segment's outcome, in words.
fn outcome(replay: &Replay, frame: &Frame, (a, b): (ObjectId, ObjectId)) -> String {
    let objects = replay.objects();
    let Some((_, _, motion_a, motion_b)) = frame.straight_intervals(a, b).pop() else {
        return "one of the two is absent".to_owned();
    };
    let (shape_a, shape_b) = (&objects[a as usize].shape, &objects[b as usize].shape);
    let found = explain::outcome_of(
        shape_a,
        &motion_a,
        shape_b,
        &motion_b,
        &mut Steps::default(),
    );
    match found {
        Outcome::Misses { by, .. } => format!("misses by {}", replay.units().length(by)),
        Outcome::Overlapping { depth } => {
            format!("already overlapping by {}", replay.units().length(depth))
        }
        other => other.name().to_lowercase(),
    }
}

pub(in crate::core::diagnose) fn position(
    replay: &Replay,
    object: &str,
    frame: u32,
    is: DVec3,
    tolerance: f64,
) -> (bool, String) {
    let Some(id) = replay.object_named(object) else {
        return (false, format!("there is no object {object:?}"));
    };
    if frame > replay.frames() {
        return (
            false,
            format!("the level ends with state {}", replay.frames()),
        );
    }
    match replay.state(frame).body(id) {
        Some(body) => {
            let at = body.pose.position;
            vector_answer(replay.units(), at, is, tolerance)
        }
        None => (false, format!("{object} is not present at frame {frame}")),
    }
}

pub(in crate::core::diagnose) fn push(
    replay: &Replay,
    (object, against): (&str, Option<&str>),
    frame: u32,
    is: DVec3,
    tolerance: f64,
) -> (bool, String) {
    let (id, other) = match pair_of(replay, object, against.unwrap_or(object)) {
        Ok(pair) => pair,
        Err(why) => return (false, why),
    };
    if frame >= replay.frames() {
        return (false, past_the_end(replay));
    }
    if replay.recording().is_some() && against.is_some() {
        let why = "logged pushes have no other object; remove `against`";
        return (false, why.to_owned());
    }
    let mut sum = DVec3::ZERO;
    for phase in &replay.frame(frame).phases {
        if let Phase::Push {
            object,
            against: by,
            push,
            ..
        } = phase
            && *object == id
            && (against.is_none() || *by == Some(other))
        {
            sum += *push;
        }
    }
    vector_answer(replay.units(), sum, is, tolerance)
}

pub(in crate::core::diagnose) fn camera_push(
    replay: &Replay,
    frame: u32,
    is: DVec3,
    tolerance: f64,
) -> (bool, String) {
    if frame >= replay.frames() {
        return (false, past_the_end(replay));
    }
    let mut sum = DVec3::ZERO;
    for phase in &replay.frame(frame).phases {
        if let Phase::CameraPush { answer } = phase {
            sum += answer.push;
        }
    }
    vector_answer(replay.units(), sum, is, tolerance)
}

fn vector_answer(units: UserUnits, got: DVec3, is: DVec3, tolerance: f64) -> (bool, String) {
    let off = got.distance(is);
    let length = |metres| units.length(metres);
    let text = format!("{}{}", vector(got, units), apart(off, tolerance, length));
    (off <= tolerance, text)
}

/// For each `Touches` and `NeverTouches`: the first frame and fraction at which the pair touches, in one pass over the frames.
pub(in crate::core::diagnose) fn first_touches(
    replay: &Replay,
    expectations: &[Expected],
) -> Vec<Option<(u32, f64)>> {
    let mut touches = vec![None; expectations.len()];
    let mut open: Vec<(usize, (ObjectId, ObjectId))> = expectations
        .iter()
        .enumerate()
        .filter_map(|(index, expected)| match &expected.expectation {
            Expectation::Touches { a, b } | Expectation::NeverTouches { a, b } => {
                Some((index, pair_of(replay, a, b).ok()?))
            }
            _ => None,
        })
        .collect();
    for number in 0..replay.frames() {
        if open.is_empty() {
            break;
        }
        let frame = replay.frame(number);
        open.retain(|(index, pair)| {
            touches[*index] = touch(replay, &frame, *pair).map(|fraction| (number, fraction));
            touches[*index].is_none()
        });
    }
    touches
}

/// The first fraction of a frame at which a pair touches, sweep included.
fn touch(replay: &Replay, frame: &Frame, pair: (ObjectId, ObjectId)) -> Option<f64> {
    let objects = replay.objects();
    let touching = |state: &FrameState| {
        let placed = |id: ObjectId| {
            let pose = state.body(id)?.pose;
            Some(objects[id as usize].shape.placed(&pose))
        };
        placed(pair.0)
            .zip(placed(pair.1))
            .is_some_and(|(a, b)| query::overlaps(&a, &b))
    };
    if touching(&frame.start) {
        return Some(0.0);
    }
    let swept = impacts(replay, frame, pair).first().copied();
    swept.or_else(|| touching(&frame.end).then_some(1.0))
}
fn past_the_end(replay: &Replay) -> String {
    match replay.frames().checked_sub(1) {
        Some(last) => format!("the level ends with frame {last}"),
        None => "the level has no frames".to_owned(),
    }
}

pub(in crate::core::diagnose) fn at(frame: u32, fraction: f64) -> String {
    format!("frame {frame}, fraction {}", number(fraction))
}
