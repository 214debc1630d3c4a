//! A sphere and a half space: `n . c - offset <= r`.

use super::{from_nearest, noise_of};
use crate::core::query::exact::{compare_distance, exact_plane};
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::nearest_on_plane;
use crate::core::query::{Contact, Trace};
use crate::core::shape::{Plane, Sphere};
use glam::DVec3;

/// The contact of a sphere and a half space; however deep, the push goes out along the plane's normal.
pub fn contact_sphere_plane(
    sphere: &Sphere,
    plane: &Plane,
    trace: &mut impl Trace,
) -> Option<Contact> {
    if is_refused(&[sphere, plane], trace) {
        return None;
    }
    let noise = noise_of(&[
        sphere.center,
        DVec3::splat(plane.offset),
        DVec3::splat(sphere.radius),
    ]);
    let exact = || compare_distance(&exact_plane(sphere.center, plane), [sphere.radius, 0.0]);
    let nearest = nearest_on_plane(sphere.center, plane);
    from_nearest(nearest, sphere.radius, noise, exact, trace)
}
