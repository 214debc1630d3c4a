//! A segment with a radius.

use super::{Aabb, Pose, Segment};

/// All points within `radius` of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// The inner segment.
    pub segment: Segment,
    /// Metres, >= 0.
    pub radius: f64,
}

impl Capsule {
    /// Brought from local into world space.
    #[must_use]
    pub fn transformed(&self, pose: &Pose) -> Self {
        Self {
            segment: self.segment.transformed(pose),
            radius: self.radius,
        }
    }

    /// The tight box around it.
    pub fn aabb(&self) -> Aabb {
        self.segment.aabb().grown(self.radius)
    }
}
