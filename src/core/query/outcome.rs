//! What queries answer.

use crate::core::shape::Feature;
use glam::DVec3;

/// Two shapes that touch or overlap, resting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// On the surface of the second shape (world, metres).
    pub point: DVec3,
    /// Unit, from the second toward the first.
    pub normal: DVec3,
    /// Metres, >= 0; `push = normal * depth` separates the first from the second.
    #[doc(alias = "penetration")]
    pub depth: f64,
    /// The part of the first shape.
    pub feature_a: Feature,
    /// The part of the second shape.
    pub feature_b: Feature,
    /// The triangle of the mesh that decided; of two meshes the second's (the first's after [`Self::swapped`]). Features of that
    /// mesh are numbers within it.
    pub triangle: Option<u32>,
    /// True when the geometry does not define the direction, and a fixed axis was taken.
    ///
    /// That is where a continuum of pushes is equally short: coincident centres of round shapes, a centre on the axis of a capsule, cylinder
    /// or cone, coaxial ones, and overlapping segments of one line. A tie of some faces or of both sides of a sheet, as of two coincident
    /// boxes, is not: each of its pushes is a direction of the shapes.
    pub fallback: bool,
}

impl Contact {
    /// The shortest translation of the first shape that separates it from the second (minimum translation vector), metres.
    #[doc(alias = "mtv")]
    pub fn push(&self) -> DVec3 {
        self.normal * self.depth
    }

    /// The same contact with the shapes in the other order: the normal flips, the point moves to the other surface.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            point: self.point - self.push(),
            normal: -self.normal,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
            ..self
        }
    }
}

/// How far apart two shapes are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Metres; negative when they overlap (minus the depth).
    pub distance: f64,
    /// On the first shape, world.
    pub point_a: DVec3,
    /// On the second shape, world.
    pub point_b: DVec3,
    /// Unit, from the second toward the first.
    pub normal: DVec3,
}

impl Gap {
    /// The same gap with the shapes in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            point_a: self.point_b,
            point_b: self.point_a,
            normal: -self.normal,
            ..self
        }
    }
}

/// A hit inside the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Time of impact as a fraction of the motion, `0 <= fraction < 1`.
    pub fraction: f64,
    /// Where they touch at that time, world, metres.
    pub point: DVec3,
    /// Unit, from the second toward the first.
    pub normal: DVec3,
    /// The part of the first shape.
    pub feature_a: Feature,
    /// The part of the second shape.
    pub feature_b: Feature,
    /// The triangle of the mesh that was hit; of two meshes the second's (the first's after [`Self::swapped`]). Features of that
    /// mesh are numbers within it.
    pub triangle: Option<u32>,
}

impl Impact {
    /// The same hit with the shapes in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            normal: -self.normal,
            feature_a: self.feature_b,
            feature_b: self.feature_a,
            ..self
        }
    }
}

/// What a sweep found. By how much a miss misses is [`closest_approach`](super::closest_approach).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SweepOutcome {
    /// Overlapping at the start, fraction 0.
    Overlapping {
        /// Metres, > 0.
        depth: f64,
    },
    /// Not touching within the motion, or only parting, sliding along each other, or at rest. A touch at exactly 1 belongs to the next
    /// frame. Also what has no answer: two planes, the back of a one-sided surface, numbers that are not finite.
    Misses,
    /// Touches within the error bound without overlapping, which is a miss.
    Grazes {
        /// When, as a fraction of the motion.
        fraction: f64,
    },
    /// Hits.
    Hits(Impact),
}

impl SweepOutcome {
    /// The hit, if it is one.
    pub fn impact(&self) -> Option<&Impact> {
        match self {
            Self::Hits(impact) => Some(impact),
            _ => None,
        }
    }

    /// True when they hit within the motion, or overlap from its start.
    pub fn touches(&self) -> bool {
        matches!(self, Self::Overlapping { .. } | Self::Hits(_))
    }

    /// The same outcome with another impact for a hit.
    #[must_use]
    pub(super) fn map(self, change: impl FnOnce(Impact) -> Impact) -> Self {
        match self {
            Self::Hits(impact) => Self::Hits(change(impact)),
            other => other,
        }
    }

    /// The same outcome with the shapes in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        self.map(Impact::swapped)
    }
}

/// A sweep's outcome, and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// What was found.
    pub outcome: SweepOutcome,
    /// True when a shape turns during the motion and was swept at its starting rotation.
    pub rotation_ignored: bool,
}

/// The least distance of two shapes over a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestApproach {
    /// Metres, >= 0; 0 when they touch.
    pub distance: f64,
    /// When, as a fraction of the motion: 0 for shapes that part, 1 for shapes that still close at the end.
    pub fraction: f64,
}

/// A ray or segment that met a surface. Unlike a sweep, it counts a hit at exactly 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Fraction of the segment from `a` to `b`, in [0, 1].
    pub fraction: f64,
    /// World, metres.
    pub point: DVec3,
    /// Unit, toward the side the ray came from.
    pub normal: DVec3,
    /// Barycentric weights of the triangle's a, b, c; zero for shapes that have none.
    pub weights: DVec3,
    /// True when the back side was hit.
    pub back: bool,
    /// The triangle of a mesh.
    pub triangle: Option<u32>,
}
