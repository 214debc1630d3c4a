//! Resting contact of a sphere with every other shape (and of two axis-aligned boxes), with the push; one file a pair.
//!
//! Inclusive: a distance equal to the radius is contact of depth 0. The normal points from the other shape toward the sphere.

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
use super::{Contact, Feature, Trace};

/// The contact of a sphere of `radius` whose centre sees `nearest`; the step names the outcome.
pub(crate) fn from_nearest(
    nearest: Nearest,
    radius: f64,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let depth = radius - nearest.distance;
    let name = if depth > 0.0 {
        "Overlapping"
    } else if depth == 0.0 {
        "Touching"
    } else {
        "Separated"
    };
    trace.step(
        name,
        &[
            ("distance", nearest.distance),
            ("radius", radius),
            ("depth", depth),
        ],
    );
    if nearest.fallback && depth >= 0.0 {
        trace.step(
            "FallbackNormal",
            &[
                ("x", nearest.normal.x),
                ("y", nearest.normal.y),
                ("z", nearest.normal.z),
            ],
        );
    }
    (depth >= 0.0).then_some(Contact {
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
