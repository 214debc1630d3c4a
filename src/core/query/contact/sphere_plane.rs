//! A sphere and a half space: `n . c - offset <= r`.

use super::from_nearest;
use crate::core::query::nearest::nearest_on_plane;
use crate::core::query::{Contact, Trace};
use crate::core::shape::{Plane, Sphere};

/// The contact of a sphere and a half space; however deep, the push goes out along the plane's normal.
pub fn contact_sphere_plane(
    sphere: &Sphere,
    plane: &Plane,
    trace: &mut impl Trace,
) -> Option<Contact> {
    from_nearest(nearest_on_plane(sphere.center, plane), sphere.radius, trace)
}
