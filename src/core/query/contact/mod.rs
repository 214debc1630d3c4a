//! Resting contact of a sphere with every other shape (and of two axis-aligned boxes), with the push; one file a pair.
//!
//! Inclusive and exact: a distance equal to the radius is contact of depth 0, the next larger number is no contact, the next
//! smaller one is depth above 0. Both shapes are in one space, metres; the normal points from the other shape toward the sphere.
//! Numbers that are not finite are in no contact.

mod aabb_aabb;
mod sphere_mesh;
mod sphere_obb;
mod sphere_plane;
mod sphere_segment;
mod sphere_sphere;
mod sphere_triangle;

pub use aabb_aabb::contact_aabb_aabb;
pub use sphere_mesh::contact_sphere_mesh;
pub(crate) use sphere_mesh::{deepest_of_mesh, nearest_on_mesh, to_world as contact_to_world};
pub(crate) use sphere_obb::nearest_on_obb;
pub use sphere_obb::{contact_sphere_aabb, contact_sphere_obb};
pub use sphere_plane::contact_sphere_plane;
pub use sphere_segment::{contact_sphere_capsule, contact_sphere_segment};
pub use sphere_sphere::{contact_sphere_sphere, overlaps_sphere_sphere};
pub use sphere_triangle::contact_sphere_triangle;

use super::nearest::Nearest;
use super::tell::tell_fallback;
use super::{Contact, Feature, Trace};
use std::cmp::Ordering;

/// How far off a distance between lengths of this size may be, metres.
pub(super) use super::sweep::{noise_of, rounding_at};

/// The depth of a contact, or `None` apart: exact arithmetic decides where a depth lies within its `noise`, metres.
///
/// `distance` compares the exact distance with the radii. Touching is depth 0, an overlap is above 0 by however little.
#[inline(always)]
pub(crate) fn decided_depth(
    depth: f64,
    noise: f64,
    distance: impl FnOnce() -> Ordering,
    trace: &mut impl Trace,
) -> Option<f64> {
    if depth.abs() > noise {
        return (depth > 0.0).then_some(depth);
    }
    if !(depth.is_finite() && noise.is_finite()) {
        trace.step("BadNumber", &[]);
        return None;
    }
    trace.step("DecidedExactly", &[("noise", noise)]);
    match distance() {
        Ordering::Less => Some(depth.max(f64::MIN_POSITIVE)),
        Ordering::Equal => Some(0.0),
        Ordering::Greater => None,
    }
}

/// The contact of a sphere of `radius` whose centre sees `nearest`; the step names the outcome.
#[inline(always)]
pub(crate) fn from_nearest(
    nearest: Nearest,
    radius: f64,
    noise: f64,
    distance: impl FnOnce() -> Ordering,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let quick = radius - nearest.distance;
    let depth = decided_depth(quick, noise, distance, trace);
    let name = match depth {
        Some(depth) if depth > 0.0 => "Overlapping",
        Some(_) => "Touching",
        None => "Separated",
    };
    trace.step(
        name,
        &[
            ("distance", nearest.distance),
            ("radius", radius),
            ("depth", depth.unwrap_or(quick)),
        ],
    );
    let depth = depth?;
    tell_fallback(&nearest, trace);
    Some(Contact {
        point: nearest.point,
        normal: nearest.normal,
        depth,
        feature_a: Feature::Round,
        feature_b: nearest.feature,
        triangle: None,
        fallback: nearest.fallback,
        via_bounding_sphere: false,
    })
}
