//! What can be asked of shapes: overlap, contact, gap, sweep, ray, probe.
//!
//! Any two shapes: [`overlaps`], [`contact()`], [`gap`], [`sweep()`], [`ray_cast`]. For a known pair: `operation_shape1_shape2`.
//!
//! | room | pairs |
//! |---|---|
//! | [`contact`](mod@contact), [`sweep`](mod@sweep) | a sphere and anything; two axis-aligned boxes at rest |
//! | this one | a capsule and a box, triangle or mesh; a segment and a triangle |
//! | [`polytope`] | boxes, triangles, segments and meshes among each other |
//! | [`closest_point`], [`distance`], [`nearest`], [`overlap`] | a point; yes or no |
//! | [`turning`], [`probe`], [`batch`] | shapes that turn; a camera's lines; many pairs at once |
//!
//! Both shapes are in one space, metres. Displacements are metres per frame, never velocities. Static tests and rays are inclusive
//! at both ends; sweeps are half-open, `0 <= fraction < 1`. A **push** (minimum translation vector) separates the first argument
//! from the second, a **normal** points from the second toward the first, a **depth** (penetration) is >= 0.
//!
//! Numbers that are not finite are never in contact, never met and have no gap; a distance of them is not a number. Numbers beyond
//! [`LARGEST_NUMBER`](crate::core::tolerance::LARGEST_NUMBER) may be refused in the same way.
//!
//! Every query tells its steps to a [`Trace`], its last argument: `&mut ()` hears nothing and costs nothing, [`Steps`] remembers.
//! Queries asked often have a short form without a trace: [`gap`] is [`gap_traced`] with `&mut ()`.

pub mod batch;
mod beyond_triangle;
mod box_view;
mod capsule_mesh;
mod capsule_one_sided;
mod capsule_pairs;
mod capsule_solid;
pub mod closest_point;
pub mod contact;
mod crossing;
mod dispatch;
pub mod distance;
mod exact;
mod far_off;
mod flat_pairs;
mod in_range;
mod look;
mod misses_triangle;
pub mod nearest;
pub mod overlap;
mod plane_pairs;
pub mod polytope;
pub mod probe;
pub mod probe_shapes;
mod probe_sweep;
mod ray_cast;
pub mod ruler;
mod sphere_pairs;
pub mod sweep;
mod tell;
mod trace;
mod triangle_view;
pub mod turning;

pub use capsule_mesh::{contact_capsule_mesh, gap_capsule_mesh, sweep_capsule_mesh};
pub use capsule_solid::{
    contact_capsule_obb, contact_capsule_triangle, gap_capsule_obb, gap_capsule_triangle,
    sweep_capsule_obb, sweep_capsule_triangle,
};
pub use crossing::{PlanedTriangle, ray_cast_planed_triangle, ray_cast_triangle};
pub use dispatch::{contact, gap, gap_traced, meeting, overlaps, overlaps_traced, sweep};
pub use probe_sweep::{ProbeSweep, sweep_probe};
pub use ray_cast::{ray_cast, ray_cast_traced};
pub use sphere_pairs::nearest_on_any;

pub use trace::{Step, Steps, Trace};

use glam::DVec3;

/// Which part of a shape was closest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// A vertex by its number (segment: 0, 1; triangle: 0, 1, 2; box: bits 0, 1, 2 choose the positive side of x, y, z).
    Vertex(u32),
    /// An edge by its number (triangle: 0 is ab, 1 is bc, 2 is ca; segment: 0; box: 4 * axis + bits of the other two axes).
    Edge(u32),
    /// A face by its number (triangle and plane: 0; box: 2 * axis, + 1 on the positive side).
    Face(u32),
    /// The surface of a ball, which has no parts.
    Round,
}

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
    /// True when the direction is not defined by the geometry (coincident centres) and the fixed axis +Y was taken.
    pub fallback: bool,
    /// True when one shape was replaced by its bounding sphere, for want of an exact test; no pair needs it today.
    pub via_bounding_sphere: bool,
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
    /// True when one shape was replaced by its bounding sphere; no pair needs it today.
    pub via_bounding_sphere: bool,
}

impl Gap {
    /// The same gap with the shapes in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            point_a: self.point_b,
            point_b: self.point_a,
            ..self
        }
    }
}

/// A hit inside the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Time of impact as a share of the motion, `0 <= fraction < 1`.
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

/// The name of a sweep's outcome, without its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SweepKind {
    /// Overlapping at the start.
    Overlapping,
    /// Not closing at the start: parting, sliding along each other, or at rest. Also what nothing can be said of: two planes, the
    /// back of a one-sided surface, numbers that are not finite.
    Receding,
    /// Closing, but apart or only touching at the end of the motion; a touch at exactly 1 belongs to the next frame.
    Later,
    /// Passes by.
    Misses,
    /// Touches without overlapping, which is a miss.
    Grazes,
    /// Meets.
    Hits,
}

/// What a sweep found: a named outcome with its numbers, in the order of [`sweep_sphere_sphere`](self::sweep::sweep_sphere_sphere).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SweepOutcome {
    /// Overlapping at the start, fraction 0.
    Overlapping {
        /// Metres, > 0.
        depth: f64,
    },
    /// Not closing at the start: parting, sliding along each other, or at rest. Also what nothing can be said of: two planes, the
    /// back of a one-sided surface, numbers that are not finite.
    Receding,
    /// Closing, but apart or only touching at the end of the motion; a touch at exactly 1 belongs to the next frame.
    Later,
    /// Passes by.
    Misses {
        /// Metres between them at the closest approach, > 0.
        by: f64,
        /// When, as a share of the motion.
        fraction: f64,
    },
    /// Touches without overlapping, which is a miss.
    Grazes {
        /// When, as a share of the motion.
        fraction: f64,
    },
    /// Meets.
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

    /// The same outcome with the shapes in the other order.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Hits(impact) => Self::Hits(impact.swapped()),
            other => other,
        }
    }

    /// Its name alone.
    pub fn kind(&self) -> SweepKind {
        match self {
            Self::Overlapping { .. } => SweepKind::Overlapping,
            Self::Receding => SweepKind::Receding,
            Self::Later => SweepKind::Later,
            Self::Misses { .. } => SweepKind::Misses,
            Self::Grazes { .. } => SweepKind::Grazes,
            Self::Hits(_) => SweepKind::Hits,
        }
    }

    /// The word for it, as traces and the window write it.
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }
}

impl SweepKind {
    /// The word for it, as traces and the window write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overlapping => "Overlapping",
            Self::Receding => "Receding",
            Self::Later => "Later",
            Self::Misses => "Misses",
            Self::Grazes => "Grazes",
            Self::Hits => "Hits",
        }
    }

    /// Do the two meet within the motion, or overlap from its start?
    pub fn meets(self) -> bool {
        matches!(self, Self::Overlapping | Self::Hits)
    }
}

/// A sweep's outcome, and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// What was found.
    pub outcome: SweepOutcome,
    /// True when a shape was replaced by its bounding sphere, for want of an exact sweep; no pair needs it today.
    pub via_bounding_sphere: bool,
    /// True when a shape turns during the motion and was swept at its starting rotation.
    pub rotation_ignored: bool,
}

/// A ray or segment that met a surface. Unlike a sweep, it counts a hit at exactly 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Share of the segment from `a` to `b`, in [0, 1].
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
