//! What the diagnosis of a frame finds.

use super::margins::PairMargin;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::judge::event::JudgeStats;
use crate::core::replay::ObjectId;
use std::collections::HashSet;

/// Pairs that hit or overlap in a frame's own sweep, the lower number first.
pub type TouchingPairs = HashSet<(ObjectId, ObjectId)>;

/// Findings of one frame, unsorted, with counts.
#[derive(Debug, Default)]
pub struct FrameFindings {
    pub findings: Vec<Finding>,
    pub stats: JudgeStats,
    /// Of pairs without a finding.
    pub margins: Vec<PairMargin>,
    /// Kinematic objects that are inside a fixed one when the frame ends.
    pub driven_inside: Vec<ObjectId>,
    /// Angles by which normals of logged contacts are off without an effect on the motion, degrees.
    pub tilted_contacts: Vec<f64>,
    /// Logged queries that begin behind a surface: the state, the body that asks, and the object between.
    pub queries_behind: Vec<(u32, ObjectId, ObjectId)>,
}
