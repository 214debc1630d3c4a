//! What the diagnosis of a frame is given.

use super::LevelFacts;
use super::overlaps::KnownOverlaps;
use crate::core::replay::{ObjectId, Replay};

/// Shared data for the diagnosis of frames.
pub struct Context<'r> {
    pub replay: &'r Replay,
    pub facts: &'r LevelFacts,
    /// The last frame of the range.
    pub last: u32,
    /// Whether closest calls are measured.
    pub margins: bool,
    pub overlaps: KnownOverlaps,
}

pub fn name_of(context: &Context<'_>, id: ObjectId) -> String {
    context.replay.objects()[id as usize].name.clone()
}
