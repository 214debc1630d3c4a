//! A ball.

use super::Aabb;
use glam::DVec3;

/// A solid ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Metres.
    pub center: DVec3,
    /// Metres, >= 0; 0 acts as a point.
    pub radius: f64,
}

impl Sphere {
    /// The tight box around it.
    pub fn aabb(&self) -> Aabb {
        Aabb {
            min: self.center - DVec3::splat(self.radius),
            max: self.center + DVec3::splat(self.radius),
        }
    }
}
