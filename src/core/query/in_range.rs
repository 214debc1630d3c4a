//! Which numbers queries take: finite ones, small enough that their fourth powers are finite, too.

use super::Trace;
use crate::core::shape::{
    Aabb, Capsule, Mesh, Obb, Placed, Plane, Pose, Segment, Sphere, Triangle,
};
use crate::core::tolerance::LARGEST_NUMBER;
use glam::{DQuat, DVec3};

/// The squares of a quaternion's length between which it is taken for a rotation.
const ROTATION: std::ops::RangeInclusive<f64> = 0.25..=4.0;

/// What queries are asked about.
pub(crate) trait InRange {
    /// Is every number one that a query can compute with?
    fn is_in_range(&self) -> bool;
}

/// Is any of them beyond what a query can compute with? Then the trace says `BadNumber`, and nothing meets.
pub(crate) fn is_refused(parts: &[&dyn InRange], trace: &mut impl Trace) -> bool {
    let refused = !parts.iter().all(|part| part.is_in_range());
    if refused {
        trace.step("BadNumber", &[]);
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

impl InRange for Sphere {
    #[inline]
    fn is_in_range(&self) -> bool {
        self.center.is_in_range() & self.radius.is_in_range()
    }
}

impl InRange for Segment {
    fn is_in_range(&self) -> bool {
        self.a.is_in_range() & self.b.is_in_range()
    }
}

impl InRange for Capsule {
    fn is_in_range(&self) -> bool {
        self.segment.is_in_range() & self.radius.is_in_range()
    }
}

impl InRange for Triangle {
    fn is_in_range(&self) -> bool {
        self.a.is_in_range() & self.b.is_in_range() & self.c.is_in_range()
    }
}

impl InRange for Aabb {
    fn is_in_range(&self) -> bool {
        self.min.is_in_range() & self.max.is_in_range()
    }
}

impl InRange for Obb {
    fn is_in_range(&self) -> bool {
        self.center.is_in_range() & self.half_extents.is_in_range() & self.rotation.is_in_range()
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

impl InRange for Mesh {
    #[inline]
    fn is_in_range(&self) -> bool {
        self.aabb().is_in_range()
    }
}

impl InRange for Placed<'_> {
    #[inline]
    fn is_in_range(&self) -> bool {
        match self {
            Self::Sphere(sphere) => sphere.is_in_range(),
            Self::Obb(obb) => obb.is_in_range(),
            Self::Segment(segment) => segment.is_in_range(),
            Self::Capsule(capsule) => capsule.is_in_range(),
            Self::Triangle(triangle) => triangle.is_in_range(),
            Self::Plane(plane) => plane.is_in_range(),
            Self::Mesh(mesh, pose) => mesh.is_in_range() && pose.is_in_range(),
        }
    }
}
