//! A move of a character as its controller made it: what was asked, each sweep, and what it found. No result depends on it.

use super::{NoteKind, ObjectId, Replay};
use glam::DVec3;

/// A move in the step that leads to a state, world, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedMove {
    /// The place of the shape's origin before.
    pub from: DVec3,
    /// The displacement that the program asked for.
    pub wish: DVec3,
    /// The place after.
    pub to: DVec3,
    /// Whether the controller says that it stands on a floor after the move.
    pub grounded: Option<bool>,
    /// The controller's direction against gravity; that of the level if not logged.
    pub up: Option<DVec3>,
    /// The steepest floor on which it stands, degrees.
    pub max_slope: Option<f64>,
    /// The highest step that it climbs, metres.
    pub max_step: Option<f64>,
    /// How far down it is held to a floor, metres.
    pub snap: Option<f64>,
    /// The distance that it keeps from obstacles, metres.
    pub skin: Option<f64>,
    /// What it did, in order.
    pub sweeps: Vec<MoveSweep>,
}

/// A part of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveSweep {
    /// The controller's word for it, such as `slide`.
    pub kind: String,
    /// The place before.
    pub from: DVec3,
    /// The place after.
    pub to: DVec3,
    /// The displacement that was asked, if logged; else it is the one that was made.
    pub wish: Option<DVec3>,
    /// What stopped it.
    pub hit: Option<MoveHit>,
}

/// What a character met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveHit {
    /// The obstacle.
    pub object: ObjectId,
    /// Unit, toward the character.
    pub normal: Option<DVec3>,
    /// Of the touch.
    pub point: Option<DVec3>,
}

impl LoggedMove {
    /// Returns its size in memory, bytes.
    pub(super) fn size(&self) -> usize {
        let words: usize = self.sweeps.iter().map(|sweep| sweep.kind.len()).sum();
        size_of::<Self>() + size_of_val(&*self.sweeps) + words
    }

    /// The objects that it met.
    pub fn met(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let hits = self.sweeps.iter().filter_map(|sweep| sweep.hit);
        hits.map(|hit| hit.object)
    }
}

impl Replay {
    /// The moves of an object in the step that leads to a state, as logged.
    pub fn moves_of(&self, id: ObjectId, state: u32) -> Vec<LoggedMove> {
        let Some(log) = self.recording().filter(|log| log.data.totals().notes > 0) else {
            return Vec::new();
        };
        let notes = log.data.notes(state as usize).into_iter();
        let of_object = notes.filter(|note| note.object == Some(id));
        let made = of_object.filter_map(|note| match note.kind {
            NoteKind::Move(made) => Some(*made),
            _ => None,
        });
        made.collect()
    }
}
