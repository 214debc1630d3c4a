//! Which numbers queries take: finite ones, small enough that their fourth powers are finite, too.

use super::trace::{Step, Trace};
use crate::core::shape::{Aabb, Placed, Plane, Pose, Segment, Solid};
use crate::core::tolerance::{LARGEST_NUMBER, ROTATION};
use glam::{DQuat, DVec3};

/// What queries compute with.
pub(crate) trait InRange {
    /// True when every number is one that a query can compute with.
    fn is_in_range(&self) -> bool;
}

/// True when a number is beyond what a query can compute with; the trace then says `BadNumber`.
#[inline]
pub(crate) fn is_refused(
    parts: (&impl InRange, &impl InRange),
    displacement: DVec3,
    trace: &mut impl Trace,
) -> bool {
    let refused = !(parts.0.is_in_range() && parts.1.is_in_range() && displacement.is_in_range());
    if refused {
        trace.step(Step::BadNumber);
    }
    refused
}

impl InRange for f64 {
    #[inline(always)]
    fn is_in_range(&self) -> bool {
        // What is no number compares as false.
        self.abs() <= LARGEST_NUMBER
    }
}

impl InRange for DVec3 {
    #[inline(always)]
    fn is_in_range(&self) -> bool {
        self.x.is_in_range() & self.y.is_in_range() & self.z.is_in_range()
    }
}

impl InRange for DQuat {
    #[inline(always)]
    fn is_in_range(&self) -> bool {
        ROTATION.contains(&self.length_squared())
    }
}

impl InRange for Aabb {
    #[inline]
    fn is_in_range(&self) -> bool {
        self.min.is_in_range() & self.max.is_in_range()
    }
}

impl InRange for Segment {
    fn is_in_range(&self) -> bool {
        self.a.is_in_range() & self.b.is_in_range()
    }
}

impl InRange for Plane {
    fn is_in_range(&self) -> bool {
        self.normal.is_in_range() & self.offset.is_in_range()
    }
}

impl InRange for Pose {
    #[inline]
    fn is_in_range(&self) -> bool {
        self.position.is_in_range() & self.rotation.is_in_range()
    }
}

impl InRange for Placed<'_> {
    #[inline]
    fn is_in_range(&self) -> bool {
        match self {
            Self::Sphere(sphere) => sphere.center.is_in_range() & sphere.radius.is_in_range(),
            Self::Obb(obb) => obb.pose().is_in_range() & obb.half_extents.is_in_range(),
            Self::Segment(segment) => segment.is_in_range(),
            Self::Capsule(capsule) => capsule.segment.is_in_range() & capsule.radius.is_in_range(),
            Self::Triangle(t) => t.a.is_in_range() & t.b.is_in_range() & t.c.is_in_range(),
            Self::Plane(plane) => plane.is_in_range(),
            Self::Mesh(mesh, pose) => mesh.aabb().is_in_range() & pose.is_in_range(),
            Self::Compound(compound, pose) => compound.aabb().is_in_range() & pose.is_in_range(),
            Self::Solid(solid, pose) => solid.is_in_range() && pose.is_in_range(),
        }
    }
}
