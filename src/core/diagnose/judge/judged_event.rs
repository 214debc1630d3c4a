//! The event of a finding as it was judged, so that it can be tested with other numbers without stepping its frame again.

use super::event::{Entry, PairEvent};
use super::pair::Pair;
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
            ids: pair.ids(),
            interval: (pair.from, pair.to, pair.mover.motion, pair.obstacle.motion),
            turns: (pair.mover.turn, pair.obstacle.turn),
            entered: pair.entered,
            slop: pair.slop,
            event: event.clone(),
            dt,
            substeps,
        }
    }

    /// The pair; `None` where the replay lacks one of its objects.
    pub fn pair<'r>(&self, replay: &'r Replay) -> Option<Pair<'r>> {
        let mut pair = Pair::in_order(replay, self.ids, self.interval)?;
        (pair.mover.turn, pair.obstacle.turn) = self.turns;
        Some(Pair {
            entered: self.entered,
            slop: self.slop,
            ..pair
        })
    }
}
