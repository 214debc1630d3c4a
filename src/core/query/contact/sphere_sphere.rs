//! Two spheres: `|c1 - c2| <= r1 + r2`, push `(c1 - c2) / |c1 - c2| * (r1 + r2 - |c1 - c2|)`.

use super::{from_nearest, noise_of};
use crate::core::query::exact::{compare_distance, exact_point};
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::nearest_on_sphere;
use crate::core::query::{Contact, Trace};
use crate::core::shape::Sphere;
use crate::core::tolerance::SMALLEST_SQUARE;
use glam::DVec3;

/// Do two spheres touch or overlap? Inclusive; compares squares, and is exact where rounding could decide, so that it
/// always agrees with [`contact_sphere_sphere`].
pub fn overlaps_sphere_sphere(a: &Sphere, b: &Sphere, trace: &mut impl Trace) -> bool {
    let reach = a.radius + b.radius;
    let (square, limit) = ((a.center - b.center).length_squared(), reach * reach);
    trace.step("Squares", &[("squared", square), ("limit", limit)]);
    if (square - limit).abs() <= 128.0 * f64::EPSILON * limit
        || !(SMALLEST_SQUARE..1.0 / SMALLEST_SQUARE).contains(&limit)
    {
        return contact_sphere_sphere(a, b, trace).is_some();
    }
    trace.step(if square <= limit { "Overlaps" } else { "Apart" }, &[]);
    square <= limit
}

/// The contact of two spheres, `|c1 - c2| <= r1 + r2`: push `(c1 - c2) / |c1 - c2| (r1 + r2 - |c1 - c2|)`.
///
/// Coincident centres push along +Y, and `fallback` says so.
pub fn contact_sphere_sphere(a: &Sphere, b: &Sphere, trace: &mut impl Trace) -> Option<Contact> {
    if is_refused(&[a, b], trace) {
        return None;
    }
    let between = a.center - b.center;
    let noise = noise_of(&[between, DVec3::splat(a.radius.max(b.radius))]);
    let exact = || compare_distance(&exact_point(a.center, b.center), [a.radius, b.radius]);
    from_nearest(
        nearest_on_sphere(a.center, b),
        a.radius,
        noise,
        exact,
        trace,
    )
}
