//! Two spheres: `|c1 - c2| <= r1 + r2`, push `(c1 - c2) / |c1 - c2| * (r1 + r2 - |c1 - c2|)`.

use super::from_nearest;
use crate::core::query::nearest::nearest_on_sphere;
use crate::core::query::{Contact, Trace};
use crate::core::shape::Sphere;
use crate::core::tolerance::SMALLEST_SQUARE;

/// Do two spheres touch or overlap? Inclusive; compares squares, and takes the root only where rounding could decide, so
/// that it always agrees with [`contact_sphere_sphere`].
pub fn overlaps_sphere_sphere(a: &Sphere, b: &Sphere) -> bool {
    let reach = a.radius + b.radius;
    let (square, limit) = ((a.center - b.center).length_squared(), reach * reach);
    if (square - limit).abs() <= 8.0 * f64::EPSILON * limit || limit < SMALLEST_SQUARE {
        return nearest_on_sphere(a.center, b).distance <= a.radius;
    }
    square <= limit
}

/// The contact of two spheres. Coincident centres push along +Y.
pub fn contact_sphere_sphere(a: &Sphere, b: &Sphere, trace: &mut impl Trace) -> Option<Contact> {
    from_nearest(nearest_on_sphere(a.center, b), a.radius, trace)
}
