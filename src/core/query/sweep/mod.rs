//! Time of impact of a swept sphere (a shape cast) against every other shape; one file a pair.
//!
//! Both shapes move by a displacement, metres per frame; neither turns. Everything is worked in relative motion: the other shape
//! stands still at its start, the sphere's centre travels the relative displacement, and the other shape is grown by the sphere's
//! radius (Minkowski sum). Numbers that are not finite are `Receding`.
//!
//! Half-open: touching at the start counts as a hit at 0 if the two approach; touching at exactly 1 is `Later`; a path that
//! only grazes is a miss.
//!
//! Whether and how a sphere or a capsule (radii summed above zero) meets something is decided exactly on the numbers given: where
//! the quick form's error bound contains the boundary, exact arithmetic decides, and the trace says `DecidedExactly`. There is no
//! tolerance; who wants a margin adds it to the radius. A box or mesh is turned by its quaternion's direction, whatever rounding
//! did to its length. What is placed before it comes here (a turned capsule, triangle or plane) rounds once on the way; the
//! outcome is exact on what arrives. Decided within rounding only: a capsule that the plane of a one-sided triangle cuts, a
//! sphere of radius zero, and by which triangle a mesh is missed.
//!
//! A time of impact is off by at most [`NOISE_ULPS`](crate::core::tolerance::NOISE_ULPS) units in the last place of the pair's
//! largest length, divided by how fast the gap closes (metres per frame): below 1e-9 of the fraction, and far better, unless the
//! gap at the start is under 1e-5 of that length or the path meets the surface at less than 1e-3 of its speed.

mod doubt;
mod one_sided;
mod roots;
mod rounded;
mod sphere_mesh;
mod sphere_obb;
mod sphere_plane;
mod sphere_segment;
mod sphere_sphere;
mod sphere_sphere_double;
mod sphere_triangle;

pub(crate) use doubt::{Doubt, noise_of, rounding_at, stretched};
pub(crate) use roots::{enter_ball, enter_cylinder};
pub(crate) use rounded::{Convex, Entry, earlier, nearest_of, sweep_rounded};
pub use sphere_mesh::{meeting_sphere_mesh, sweep_sphere_mesh};
pub(crate) use sphere_obb::LocalBox;
pub use sphere_obb::{sweep_sphere_aabb, sweep_sphere_obb};
pub use sphere_plane::sweep_sphere_plane;
pub use sphere_segment::{sweep_sphere_capsule, sweep_sphere_segment};
pub(crate) use sphere_sphere::{Meeting, Parabola};
pub use sphere_sphere::{meeting_sphere_sphere, sweep_sphere_sphere};
pub use sphere_triangle::sweep_sphere_triangle;
pub(crate) use sphere_triangle::{Given, sweep_point_triangle};

use super::{Impact, SweepOutcome};
use crate::core::shape::{Pose, Sphere};
use glam::DVec3;

/// The way of a sphere's centre relative to the other shape, over the whole frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Path {
    /// At fraction 0, metres.
    pub start: DVec3,
    /// Displacement over the frame, metres.
    pub step: DVec3,
}

impl Path {
    /// Relative to a shape that moves by `other` itself.
    pub fn relative(sphere: &Sphere, displacement: DVec3, other: DVec3) -> Self {
        Self {
            start: sphere.center,
            step: displacement - other,
        }
    }

    /// The same way seen from a pose's frame.
    pub fn to_local(self, pose: &Pose) -> Self {
        Self {
            start: pose.point_to_local(self.start),
            step: pose.vector_to_local(self.step),
        }
    }

    /// The same way with `origin` as the origin: keeps digits where coordinates are large.
    pub fn seen_from(self, origin: DVec3) -> Self {
        Self {
            start: self.start - origin,
            step: self.step,
        }
    }

    /// The centre at a fraction.
    pub fn at(&self, fraction: f64) -> DVec3 {
        self.start + self.step * fraction
    }
}

/// Brings a hit found in the frame of `pose` into the world; the sphere's own motion gives the point.
pub(crate) fn in_world(
    outcome: SweepOutcome,
    pose: &Pose,
    sphere: &Sphere,
    displacement: DVec3,
) -> SweepOutcome {
    match outcome {
        SweepOutcome::Hits(impact) => {
            let normal = pose.vector(impact.normal);
            SweepOutcome::Hits(Impact {
                point: sphere.center + displacement * impact.fraction - normal * sphere.radius,
                normal,
                ..impact
            })
        }
        other => other,
    }
}
