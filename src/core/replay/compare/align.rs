//! Alignment of two replays: which moment of one corresponds to which moment of the other.

use super::super::{BodyState, Frame, FrameState, ObjectId, Replay};
use crate::core::shape::Pose;
use serde::Serialize;
use std::borrow::Cow;
use std::sync::Arc;

/// Share of a frame within which a moment is a state of another replay and not a moment between two of its states.
///
/// Times are sums or products of many steps, with their rounding. Larger, and a state stands for a moment that it is not; smaller,
/// and states of the same instant are compared with poses between frames, which have other bits.
const SAME_INSTANT: f64 = 1e-6;

/// Share of a step by which the steps of two replays may differ and still be the same but for how they were written.
///
/// `0.0166667` in a log stands for 1/60 (2e-6 off); `0.0167` does not, and would be a frame off after 500 frames. Larger, and two
/// clocks drift apart unseen; smaller, and a log that rounds its dt is compared by time with poses between frames.
const SAME_STEP: f64 = 1e-5;

/// What corresponding moments have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Alignment {
    /// Their frame number (and the fraction inside the frame).
    Frame,
    /// Their time in seconds from the first state.
    Time,
    /// The tick of the network that both log.
    Tick,
}

/// How the moments of two replays are matched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matching {
    /// What they have in common.
    pub alignment: Alignment,
    /// How far the second is ahead: its moment less that of the first, in frames, seconds or ticks.
    pub offset: f64,
}

impl Alignment {
    /// What an offset is in.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Frame => "frames",
            Self::Time => "s",
            Self::Tick => "ticks",
        }
    }

    /// The alignment without an offset.
    pub fn exact(self) -> Matching {
        Matching {
            alignment: self,
            offset: 0.0,
        }
    }
}

impl Alignment {
    /// By tick where both log ticks that never fall; else by frame where the steps are equal up to rounding; else by time.
    pub fn fitting(a: &Replay, b: &Replay) -> Self {
        if has_ticks(a) && has_ticks(b) {
            return Self::Tick;
        }
        match first_other_step(a, b, SAME_STEP) {
            None => Self::Frame,
            Some(_) => Self::Time,
        }
    }
}

/// Returns true if each state has a tick, none less than the one before, and not all the same.
fn has_ticks(replay: &Replay) -> bool {
    let ticks = (0..=replay.frames()).map(|state| replay.tick(state));
    let is_whole = ticks.clone().all(|tick| tick.is_some()) && ticks.is_sorted();
    is_whole && replay.tick(0) != replay.tick(replay.frames())
}

/// The first frame whose dt differs by more than a relative tolerance. Steps that are not finite are equal.
pub fn first_other_step(a: &Replay, b: &Replay, share: f64) -> Option<u32> {
    (0..a.frames().min(b.frames())).find(|&frame| {
        let (one, other) = (a.dt(frame), b.dt(frame));
        (one - other).abs() > share * one.abs().max(other.abs())
    })
}

/// The moment of `b` that corresponds to a moment of `a`: frame and fraction in [0, 1); `None` where `b` has not begun or has ended.
///
/// A moment within `SAME_INSTANT` of a state of `b` is that state. The end of `b` is its last state, fraction 0.
pub fn beside(
    a: &Replay,
    b: &Replay,
    matching: Matching,
    (frame, fraction): (u32, f64),
) -> Option<(u32, f64)> {
    let (clock, offset) = (matching.alignment, matching.offset);
    if clock == Alignment::Frame {
        let whole = offset.floor();
        let (whole, fraction) = match fraction.max(0.0) + (offset - whole) {
            fraction if fraction >= 1.0 => (whole + 1.0, fraction - 1.0),
            fraction => (whole, fraction),
        };
        let (frame, last) = (f64::from(frame) + whole, f64::from(b.frames()));
        let is_in = frame >= 0.0 && (frame < last || (frame == last && fraction == 0.0));
        return is_in.then_some((frame as u32, fraction));
    }
    let (now, step) = clock_inside(a, clock, (frame, fraction))?;
    at_clock(b, clock, now + offset, step)
}

/// Returns true if `b` has not begun at a moment of `a`.
pub fn is_before(a: &Replay, b: &Replay, matching: Matching, at: (u32, f64)) -> bool {
    let now = clock_inside(a, matching.alignment, at);
    let first = clock_at(b, matching.alignment, 0);
    now.zip(first)
        .is_some_and(|((now, _), first)| now + matching.offset < first)
}

/// Frames, seconds or ticks at a moment, and how long its frame is.
fn clock_inside(a: &Replay, clock: Alignment, (frame, fraction): (u32, f64)) -> Option<(f64, f64)> {
    let from = clock_at(a, clock, frame)?;
    let next = clock_at(a, clock, frame.saturating_add(1));
    let step = match next.map(|to| to - from) {
        Some(step) if step > 0.0 => step,
        _ if clock == Alignment::Time => a.dt(frame),
        _ => 1.0,
    };
    Some((from + fraction.clamp(0.0, 1.0) * step, step))
}

/// Seconds or ticks at a state.
fn clock_at(replay: &Replay, clock: Alignment, state: u32) -> Option<f64> {
    match clock {
        Alignment::Frame => Some(f64::from(state)),
        Alignment::Time => Some(replay.time(state)),
        Alignment::Tick => replay.tick(state).map(|tick| tick as f64),
    }
}

/// The moment of a replay at a time in seconds or ticks; `step` is the frame length of the other replay. Of several states at one tick the last.
fn at_clock(b: &Replay, clock: Alignment, time: f64, step: f64) -> Option<(u32, f64)> {
    let slack = SAME_INSTANT * step.abs().max(f64::MIN_POSITIVE);
    let at = |state: u32| clock_at(b, clock, state);
    let is_in = time <= at(b.frames())? + slack && time >= at(0)? - slack;
    if !time.is_finite() || !is_in {
        return None;
    }
    // The last state at or before the time.
    let (mut low, mut high) = (0, b.frames());
    while low < high {
        let middle = high - (high - low) / 2;
        if at(middle)? <= time + slack {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let from = at(low)?;
    let to = at(low.saturating_add(1)).unwrap_or(from);
    if time - from <= slack || to <= from {
        return Some((low, 0.0));
    }
    Some((low, ((time - from) / (to - from)).min(1.0)))
}

/// State of a replay at a moment.
pub enum Sample {
    /// At the start of a frame.
    State(Arc<FrameState>),
    /// Inside one.
    Inside(Arc<Frame>, f64),
}

impl Sample {
    /// The state at a frame and a fraction inside it.
    pub fn of(replay: &Replay, (frame, fraction): (u32, f64)) -> Self {
        if fraction == 0.0 {
            Self::State(replay.state(frame))
        } else {
            Self::Inside(replay.frame(frame), fraction)
        }
    }

    /// The objects that may be present, ascending.
    pub fn ids(&self) -> Cow<'_, [ObjectId]> {
        match self {
            Self::State(state) => Cow::Borrowed(state.ids()),
            Self::Inside(frame, _) => frame.ids(),
        }
    }

    /// Pose of an object; `None` when it is absent.
    pub fn pose(&self, id: ObjectId) -> Option<Pose> {
        match self {
            Self::State(_) => self.body(id).map(|body| body.pose),
            Self::Inside(frame, fraction) => frame.pose(id, *fraction),
        }
    }

    /// The full state of an object; `None` when it is absent, and inside a frame.
    pub fn body(&self, id: ObjectId) -> Option<&BodyState> {
        match self {
            Self::State(state) => state.body(id),
            Self::Inside(..) => None,
        }
    }

    /// The camera's pose at the same moment.
    pub fn camera(&self, replay: &Replay, frame: u32) -> Option<Pose> {
        match self {
            Self::State(_) => Some(replay.camera(frame)?.pose),
            Self::Inside(frame, fraction) => Some(frame.camera?.0.pose(*fraction)),
        }
    }
}
