//! A line segment.

use super::{Aabb, Pose};
use glam::DVec3;

/// All points between two ends; equal ends act as a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Metres.
    pub a: DVec3,
    /// Metres.
    pub b: DVec3,
}

impl Segment {
    /// Brought from local into world space.
    #[must_use]
    pub fn transformed(&self, pose: &Pose) -> Self {
        Self {
            a: pose.point(self.a),
            b: pose.point(self.b),
        }
    }

    /// The centre and the radius of the smallest sphere around it.
    #[inline]
    pub fn sphere(&self) -> (DVec3, f64) {
        (self.a.midpoint(self.b), 0.5 * self.a.distance(self.b))
    }

    /// The tight box around it.
    pub fn aabb(&self) -> Aabb {
        Aabb {
            min: self.a.min(self.b),
            max: self.a.max(self.b),
        }
    }
}
