//! A sphere and a segment, or a capsule: the closest point of the segment decides.

use super::{from_nearest, noise_of};
use crate::core::query::closest_point::closest_point_on_segment;
use crate::core::query::exact::{compare_distance, exact_segment};
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::{Nearest, nearest_on_segment};
use crate::core::query::tell::tell_on_segment;
use crate::core::query::{Contact, Trace};
use crate::core::shape::{Capsule, Segment, Sphere};
use glam::DVec3;

/// The contact of a sphere and a segment. A centre on the segment is pushed along +Y made perpendicular to it.
pub fn contact_sphere_segment(
    sphere: &Sphere,
    segment: &Segment,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let capsule = Capsule {
        segment: *segment,
        radius: 0.0,
    };
    contact_sphere_capsule(sphere, &capsule, trace)
}

/// The contact of a sphere and a capsule: as with its segment, both radii summed.
pub fn contact_sphere_capsule(
    sphere: &Sphere,
    capsule: &Capsule,
    trace: &mut impl Trace,
) -> Option<Contact> {
    if is_refused(&[sphere, capsule], trace) {
        return None;
    }
    let nearest = nearest(sphere, &capsule.segment, trace).grown(capsule.radius);
    let Segment { a, b } = capsule.segment;
    let noise = noise_of(&[
        a - sphere.center,
        b - sphere.center,
        DVec3::splat(sphere.radius.max(capsule.radius)),
    ]);
    let exact = || {
        let body = exact_segment(sphere.center, &capsule.segment);
        compare_distance(&body, [sphere.radius, capsule.radius])
    };
    from_nearest(nearest, sphere.radius, noise, exact, trace)
}

fn nearest(sphere: &Sphere, segment: &Segment, trace: &mut impl Trace) -> Nearest {
    let (_, s) = closest_point_on_segment(sphere.center, segment);
    tell_on_segment(segment, s, trace);
    nearest_on_segment(sphere.center, segment)
}
