//! A triangle, solid from both sides or from its front only.

use super::{Aabb, Pose};
use glam::DVec3;

/// Which sides of a triangle collide.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Facing {
    /// Both sides.
    #[default]
    Both,
    /// Only the side its normal points to (counter-clockwise vertices seen from there).
    Front,
}

/// Three vertices; collinear ones act as their longest edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Metres.
    pub a: DVec3,
    /// Metres.
    pub b: DVec3,
    /// Metres.
    pub c: DVec3,
    /// Which sides collide.
    pub facing: Facing,
}

impl Triangle {
    /// Unit normal by the right-hand rule over a, b, c; `None` where the cross product of its edges has no length in `f64`. Queries
    /// treat slivers as their longest edge earlier than that (`DEGENERATE_TRIANGLE`).
    pub fn normal(&self) -> Option<DVec3> {
        (self.b - self.a).cross(self.c - self.a).try_normalize()
    }

    /// The mean of its corners.
    #[inline]
    pub fn centroid(&self) -> DVec3 {
        (self.a + self.b + self.c) / 3.0
    }

    /// The centroid, and the radius of the sphere around it that holds the corners.
    #[inline]
    pub fn sphere(&self) -> (DVec3, f64) {
        let center = self.centroid();
        let [a, b, c] = [self.a, self.b, self.c].map(|corner| corner.distance_squared(center));
        (center, a.max(b).max(c).sqrt())
    }

    /// Brought from local into world space.
    #[must_use]
    #[inline]
    pub fn transformed(&self, pose: &Pose) -> Self {
        Self {
            a: pose.point(self.a),
            b: pose.point(self.b),
            c: pose.point(self.c),
            facing: self.facing,
        }
    }

    /// The tight box around it.
    #[inline]
    pub fn aabb(&self) -> Aabb {
        Aabb {
            min: self.a.min(self.b).min(self.c),
            max: self.a.max(self.b).max(self.c),
        }
    }
}
