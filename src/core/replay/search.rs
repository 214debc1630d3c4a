//! Search for the next or previous moment at which a condition holds.

use super::pair_motion::PairMotion;
use super::{Frame, ObjectId, Phase, Replay, history};
use crate::core::progress::Progress;
use crate::core::query::{self, SweepOutcome};
use crate::core::shape::{Motion, Pose};

/// A search condition. Objects are ordinals; `None` is any object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SearchCondition {
    /// Two objects hit, or overlap when the frame begins.
    Touch(ObjectId, ObjectId),
    /// Two objects begin to touch after being apart: any two, any with the first, or these two.
    Impact(Option<ObjectId>, Option<ObjectId>),
    /// They hit before this fraction of the frame.
    HitBefore(ObjectId, ObjectId, f64),
    /// They overlap by more than this at an end of the frame, metres.
    Deeper(ObjectId, ObjectId, f64),
    /// They are closer than this at an end of the frame, metres.
    Nearer(ObjectId, ObjectId, f64),
    /// It travels faster than this, m/s: displacement over the frame's own seconds.
    Faster(Option<ObjectId>, f64),
    /// A push is longer than this, metres.
    PushedFarther(Option<ObjectId>, f64),
    /// The frame takes longer than this, seconds.
    LongerFrame(f64),
    /// A position, rotation or velocity is not a finite number.
    NotFinite(Option<ObjectId>),
    /// It appears.
    Appears(ObjectId),
    /// It disappears at the frame's end.
    Disappears(ObjectId),
}

/// Direction of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchDirection {
    /// Later moments.
    Forward,
    /// Earlier ones.
    Backward,
}

/// A moment at which the condition holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchHit {
    /// Which frame.
    pub frame: u32,
    /// Where inside it, in [0, 1].
    pub fraction: f64,
    /// The compared value (metres, m/s, seconds, fraction); `None` where there is none.
    pub value: Option<f64>,
    /// The object it holds for, if any object was allowed.
    pub object: Option<ObjectId>,
}

/// The nearest moment strictly after (or before) a frame and fraction; `None` without one, or when cancelled.
pub fn search(
    replay: &Replay,
    condition: &SearchCondition,
    (frame, fraction): (u32, f64),
    direction: SearchDirection,
    progress: &impl Progress,
) -> Option<SearchHit> {
    let frames = replay.frames();
    let here = f64::from(frame) + fraction;
    let beyond = |found: &SearchHit| {
        let at = f64::from(found.frame) + found.fraction;
        match direction {
            SearchDirection::Forward => at > here,
            SearchDirection::Backward => at < here,
        }
    };
    let total = match direction {
        SearchDirection::Forward => frames.saturating_sub(frame),
        SearchDirection::Backward => frame.min(frames.saturating_sub(1)) + 1,
    };
    for step in 0..total {
        if progress.cancelled() {
            return None;
        }
        progress.report(u64::from(step), u64::from(total));
        let number = match direction {
            SearchDirection::Forward => frame + step,
            SearchDirection::Backward => total - 1 - step,
        };
        let mut moments = moments_of(replay, &replay.frame(number), condition);
        moments.retain(beyond);
        let order = |a: &SearchHit, b: &SearchHit| a.fraction.total_cmp(&b.fraction);
        let nearest = match direction {
            // Of equal moments the first, so that the lowest object wins.
            SearchDirection::Forward => moments.into_iter().min_by(order),
            SearchDirection::Backward => moments.into_iter().rev().max_by(order),
        };
        if nearest.is_some() {
            return nearest;
        }
    }
    None
}

/// All moments of one frame at which the condition holds, unordered.
pub fn moments_of(replay: &Replay, frame: &Frame, condition: &SearchCondition) -> Vec<SearchHit> {
    let found = |fraction, value, object| SearchHit {
        frame: frame.number,
        fraction,
        value,
        object,
    };
    let at_ends = |a, b, holds: &dyn Fn(f64) -> bool, sign: f64| {
        let gaps = [0.0, 1.0].map(|end| (end, gap_at_end(replay, frame, a, b, end)));
        gaps.into_iter()
            .filter_map(|(end, gap)| Some((end, sign * gap?)))
            .filter(|&(_, value)| holds(value))
            .map(|(end, value)| found(end, Some(value), None))
            .collect()
    };
    match *condition {
        SearchCondition::Touch(a, b) => meetings(replay, frame, a, b)
            .map(|(fraction, value)| found(fraction, value, None))
            .collect(),
        SearchCondition::Impact(Some(a), Some(b)) => {
            let meeting = PairMotion::of(replay, frame, a, b).map(|pair| pair.timeline());
            let impacts = meeting.map_or(Vec::new(), |meeting| meeting.impacts);
            impacts
                .into_iter()
                .map(|fraction| found(fraction, None, None))
                .collect()
        }
        SearchCondition::Impact(one, other) => {
            let of = one.or(other);
            let pairs =
                history::candidates(frame).filter(|&(a, b)| of.is_none_or(|of| of == a || of == b));
            pairs
                .filter_map(|(a, b)| PairMotion::of(replay, frame, a, b).map(|pair| (a, b, pair)))
                .filter(|(.., pair)| !pair.stay_apart())
                .flat_map(|(a, b, pair)| {
                    let mover = of.unwrap_or_else(|| mover(frame, a, b));
                    let impacts = pair.timeline().impacts.into_iter();
                    impacts.map(move |fraction| found(fraction, None, Some(mover)))
                })
                .collect()
        }
        SearchCondition::HitBefore(a, b, limit) => meetings(replay, frame, a, b)
            .filter(|&(fraction, _)| fraction < limit)
            .map(|(fraction, _)| found(fraction, Some(fraction), None))
            .collect(),
        SearchCondition::Deeper(a, b, depth) => at_ends(a, b, &|value| value > depth, -1.0),
        SearchCondition::Nearer(a, b, gap) => at_ends(a, b, &|value| value < gap, 1.0),
        SearchCondition::Faster(object, limit) => each(frame, object)
            .into_iter()
            .filter_map(|id| Some((id, history::speed(frame, id)?)))
            .filter(|&(_, speed)| speed > limit)
            .map(|(id, speed)| found(0.0, Some(speed), Some(id)))
            .collect(),
        SearchCondition::PushedFarther(object, limit) => frame
            .phases
            .iter()
            .filter_map(|phase| match phase {
                Phase::Push {
                    object: id,
                    at,
                    push,
                    ..
                } if object.is_none_or(|condition| condition == *id) => {
                    Some((*at, push.length(), *id))
                }
                _ => None,
            })
            .filter(|&(_, length, _)| length > limit)
            .map(|(at, length, id)| found(at, Some(length), Some(id)))
            .collect(),
        SearchCondition::LongerFrame(limit) => (frame.dt > limit)
            .then(|| found(0.0, Some(frame.dt), None))
            .into_iter()
            .collect(),
        SearchCondition::NotFinite(object) => states_of(replay, frame)
            .flat_map(|end| each(frame, object).into_iter().map(move |id| (id, end)))
            .filter(|&(id, end)| {
                body(frame, id, end).is_some_and(|body| {
                    !body.pose.is_finite()
                        || body.velocity.is_some_and(|velocity| !velocity.is_finite())
                })
            })
            .map(|(id, end)| found(f64::from(u8::from(end)), None, Some(id)))
            .collect(),
        SearchCondition::Appears(id) => {
            let before = frame
                .number
                .checked_sub(1)
                .map(|before| replay.state(before));
            let was = before.is_some_and(|state| state.body(id).is_some());
            let first = body(frame, id, false).is_some();
            let appears = |end: bool| if end { !first } else { !was };
            states_of(replay, frame)
                .filter(|&end| body(frame, id, end).is_some() && appears(end))
                .map(|end| found(f64::from(u8::from(end)), None, Some(id)))
                .collect()
        }
        SearchCondition::Disappears(id) => {
            let gone = body(frame, id, false).is_some() && body(frame, id, true).is_none();
            gone.then(|| found(1.0, None, Some(id)))
                .into_iter()
                .collect()
        }
    }
}

/// The states that belong to a frame: its start and, for the last frame, its end (true).
fn states_of(replay: &Replay, frame: &Frame) -> impl Iterator<Item = bool> {
    let is_last = frame.number + 1 == replay.frames();
    [false, true].into_iter().take(1 + usize::from(is_last))
}

fn each(frame: &Frame, object: Option<ObjectId>) -> Vec<ObjectId> {
    match object {
        Some(id) => vec![id],
        None => frame.ids().into_owned(),
    }
}

fn body(frame: &Frame, id: ObjectId, end: bool) -> Option<&super::BodyState> {
    let state = if end { &frame.end } else { &frame.start };
    state.body(id)
}

/// Of two objects the one with the longer travel in a frame; the first of equals.
fn mover(frame: &Frame, a: ObjectId, b: ObjectId) -> ObjectId {
    let direction = |id: ObjectId| {
        frame
            .segments(id)
            .iter()
            .map(|segment| segment.motion.displacement().length())
            .sum::<f64>()
    };
    if direction(b) > direction(a) { b } else { a }
}

/// Where two objects hit in a frame, fraction of the frame with the depth if they overlap.
///
/// Includes impacts at which a sweeping stepper stops them before contact.
fn meetings(
    replay: &Replay,
    frame: &Frame,
    a: ObjectId,
    b: ObjectId,
) -> impl Iterator<Item = (f64, Option<f64>)> {
    let swept: Vec<(f64, Option<f64>)> = sweeps(replay, frame, a, b).collect();
    let halted = match PairMotion::of(replay, frame, a, b) {
        Some(pair) if swept.is_empty() => pair.timeline().impacts,
        _ => Vec::new(),
    };
    let halted = halted.into_iter().map(|fraction| (fraction, None));
    swept.into_iter().chain(halted)
}

/// Where sweeps of two objects hit or begin in an overlap.
fn sweeps(
    replay: &Replay,
    frame: &Frame,
    a: ObjectId,
    b: ObjectId,
) -> impl Iterator<Item = (f64, Option<f64>)> {
    let objects = replay.objects();
    let shapes = objects
        .get(a as usize)
        .zip(objects.get(b as usize))
        .filter(|_| a != b);
    let segments = shapes.map_or(Vec::new(), |_| frame.straight_intervals(a, b));
    segments
        .into_iter()
        .filter_map(move |(from, to, motion_a, motion_b)| {
            let (one, other) = shapes?;
            let sweep = query::sweep(&one.shape, &motion_a, &other.shape, &motion_b, &mut ());
            match sweep.outcome {
                SweepOutcome::Hits(impact) => Some((from + impact.fraction * (to - from), None)),
                SweepOutcome::Overlapping { depth } => Some((from, Some(depth))),
                _ => None,
            }
        })
}

/// Signed distance at the start of a frame, or at its end before any push.
fn gap_at_end(replay: &Replay, frame: &Frame, a: ObjectId, b: ObjectId, end: f64) -> Option<f64> {
    let objects = replay.objects();
    let (one, other) = (objects.get(a as usize)?, objects.get(b as usize)?);
    if a == b {
        return None;
    }
    let pose = |id: ObjectId| -> Option<Pose> {
        let unpushed = |motion: Motion| if end > 0.0 { motion.end } else { motion.start };
        let segments = frame.segments(id);
        let segment = if end > 0.0 {
            segments.last()
        } else {
            segments.first()
        };
        match segment {
            Some(segment) => Some(unpushed(segment.motion)),
            None => frame.pose(id, end),
        }
    };
    let (pose_a, pose_b) = (pose(a)?, pose(b)?);
    let gap = query::gap(&one.shape.placed(&pose_a), &other.shape.placed(&pose_b))?;
    Some(gap.distance)
}
