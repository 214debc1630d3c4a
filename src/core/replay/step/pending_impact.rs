//! The next impacts of a frame, earliest first.

use crate::core::query::Impact;
use crate::core::replay::ObjectId;
use std::cmp::Ordering;

/// An impact of two objects as they move now; out of date as soon as one of them moves otherwise.
#[derive(Clone, Copy, Debug)]
pub struct PendingImpact {
    /// Fraction of the frame at which the two halt, a skin before they meet.
    pub stop: f64,
    /// The lower id.
    pub a: ObjectId,
    /// The higher id.
    pub b: ObjectId,
    /// How often a had changed its motion when this was swept.
    pub version_a: u32,
    /// How often b had changed its motion when this was swept.
    pub version_b: u32,
    /// Its fraction is of the frame.
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
