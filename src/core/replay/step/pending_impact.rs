//! Queue of the next impacts of a frame, earliest first.

use crate::core::query::Impact;
use crate::core::replay::ObjectId;
use std::cmp::Ordering;

/// An impact of two objects with their current motions; stale as soon as one of them changes.
#[derive(Clone, Copy, Debug)]
pub struct PendingImpact {
    /// Fraction of the frame at which the two stop, a skin before contact.
    pub stop: f64,
    /// The lower id.
    pub a: ObjectId,
    /// The higher id.
    pub b: ObjectId,
    /// Motion changes of a when this was swept.
    pub version_a: u32,
    /// Motion changes of b when this was swept.
    pub version_b: u32,
    /// The impact; its fraction is of the frame.
    pub impact: Impact,
}

/// Greatest first in a heap: the earliest stop, ties by pair.
impl Ord for PendingImpact {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .stop
            .total_cmp(&self.stop)
            .then_with(|| (other.a, other.b).cmp(&(self.a, self.b)))
            .then_with(|| (other.version_a, other.version_b).cmp(&(self.version_a, self.version_b)))
    }
}

impl PartialOrd for PendingImpact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PendingImpact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for PendingImpact {}
