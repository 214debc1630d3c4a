//! Two spheres: `|c1 - c2| <= r1 + r2`, push `(c1 - c2) / |c1 - c2| * (r1 + r2 - |c1 - c2|)`.

use super::from_nearest;
use crate::core::query::nearest::nearest_on_sphere;
use crate::core::query::{Contact, Trace};
use crate::core::shape::Sphere;

/// Do two spheres touch or overlap? Inclusive; compares squares, takes no root.
pub fn overlaps_sphere_sphere(a: &Sphere, b: &Sphere) -> bool {
    let reach = a.radius + b.radius;
    (a.center - b.center).length_squared() <= reach * reach
}

/// The contact of two spheres. Coincident centres push along +Y.
pub fn contact_sphere_sphere(a: &Sphere, b: &Sphere, trace: &mut impl Trace) -> Option<Contact> {
    from_nearest(nearest_on_sphere(a.center, b), a.radius, trace)
}
