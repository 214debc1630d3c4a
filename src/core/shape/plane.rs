//! A half space.

use super::Pose;
use glam::DVec3;

/// Points with `normal . p <= offset` are solid; the surface is `normal . p = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit, out of the solid.
    pub normal: DVec3,
    /// Metres along the normal from the origin of the plane's space.
    pub offset: f64,
}

impl Plane {
    /// Signed distance of a point, positive outside the solid.
    pub fn distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Brought from local into world space.
    #[must_use]
    pub fn transformed(&self, pose: &Pose) -> Self {
        let normal = pose.vector(self.normal);
        Self {
            normal,
            offset: self.offset + normal.dot(pose.position),
        }
    }
}
