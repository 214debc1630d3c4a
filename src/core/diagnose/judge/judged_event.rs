//! The event of a finding as it was judged, so that it can be tested with other numbers without stepping its frame again.

use super::pair::{Entry, Pair, PairEvent};
use crate::core::replay::{ObjectId, Replay};
use crate::core::shape::Motion;
use glam::DVec3;

/// A pair's motion in the interval of its event, and the event; the shapes are those of the replay.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedEvent {
    ids: (ObjectId, ObjectId),
    interval: (f64, f64, Motion, Motion),
    turns: (DVec3, DVec3),
    entered: Option<Entry>,
    slop: f64,
    pub event: PairEvent,
    /// Seconds of the frame.
    pub dt: f64,
    /// Steps of the engine in the frame; the interval is one of them.
    pub substeps: u32,
}

impl JudgedEvent {
    pub fn of(pair: &Pair<'_>, event: &PairEvent, dt: f64, substeps: u32) -> Self {
        Self {
            ids: (pair.a, pair.b),
            interval: (pair.from, pair.to, pair.motion_a, pair.motion_b),
            turns: (pair.turn_a, pair.turn_b),
            entered: pair.entered,
            slop: pair.slop,
            event: event.clone(),
            dt,
            substeps,
        }
    }

    /// The pair; `None` where the replay lacks one of its objects.
    pub fn pair<'r>(&self, replay: &'r Replay) -> Option<Pair<'r>> {
        let (turn_a, turn_b) = self.turns;
        Some(Pair {
            turn_a,
            turn_b,
            entered: self.entered,
            slop: self.slop,
            ..Pair::in_order(replay, self.ids, self.interval)?
        })
    }
}
