//! What the diagnosis of a frame is given, and what it finds.

use super::finding::Finding;
use super::level_facts::LevelFacts;
use super::pair::JudgeStats;
use crate::core::replay::{ObjectId, Replay};
use std::collections::HashSet;

/// Shared data for the diagnosis of frames.
pub(super) struct Context<'r> {
    pub replay: &'r Replay,
    pub facts: &'r LevelFacts,
    /// The last frame of the range.
    pub last: u32,
}

/// Pairs that hit or overlap in a frame's own sweep, the lower number first.
pub(super) type TouchingPairs = HashSet<(ObjectId, ObjectId)>;

/// Findings of one frame, unsorted, with counts.
#[derive(Debug, Default)]
pub(super) struct FrameFindings {
    pub findings: Vec<Finding>,
    pub stats: JudgeStats,
    /// Kinematic objects that are inside a fixed one when the frame ends.
    pub driven_inside: Vec<ObjectId>,
    /// Angles by which normals of logged contacts are off without an effect on the motion, degrees.
    pub tilted_contacts: Vec<f64>,
    /// Logged queries that begin behind a surface: the state, the body that asks, and the object between.
    pub queries_behind: Vec<(u32, ObjectId, ObjectId)>,
}

pub(super) fn name_of(context: &Context<'_>, id: ObjectId) -> String {
    context.replay.objects()[id as usize].name.clone()
}
