//! A sphere against any shape: chooses the pair.

use super::contact::{
    contact_sphere_capsule, contact_sphere_mesh, contact_sphere_obb, contact_sphere_plane,
    contact_sphere_segment, contact_sphere_sphere, contact_sphere_triangle, nearest_on_mesh,
    nearest_on_obb,
};
use super::nearest::{
    Nearest, nearest_on_plane, nearest_on_segment, nearest_on_sphere, nearest_on_triangle,
    on_colliding_side,
};
use super::sweep::{
    sweep_sphere_capsule, sweep_sphere_mesh, sweep_sphere_obb, sweep_sphere_plane,
    sweep_sphere_segment, sweep_sphere_sphere, sweep_sphere_triangle,
};
use super::{Contact, Gap, SweepOutcome, Trace};
use crate::core::shape::{Placed, Sphere};
use glam::DVec3;

/// The deepest contact of a sphere with any shape.
pub(crate) fn contact_sphere_any(
    sphere: &Sphere,
    other: &Placed<'_>,
    trace: &mut impl Trace,
) -> Option<Contact> {
    match other {
        Placed::Sphere(other) => contact_sphere_sphere(sphere, other, trace),
        Placed::Obb(obb) => contact_sphere_obb(sphere, obb, trace),
        Placed::Segment(segment) => contact_sphere_segment(sphere, segment, trace),
        Placed::Capsule(capsule) => contact_sphere_capsule(sphere, capsule, trace),
        Placed::Triangle(triangle) => contact_sphere_triangle(sphere, triangle, trace),
        Placed::Plane(plane) => contact_sphere_plane(sphere, plane, trace),
        Placed::Mesh(mesh, pose) => contact_sphere_mesh(sphere, mesh, pose, trace),
    }
}

/// The surface of any shape nearest to a point; `None` behind everything one-sided.
pub(crate) fn nearest_on_any(point: DVec3, shape: &Placed<'_>) -> Option<Nearest> {
    match shape {
        Placed::Sphere(sphere) => Some(nearest_on_sphere(point, sphere)),
        Placed::Obb(obb) => Some(nearest_on_obb(point, obb)),
        Placed::Segment(segment) => Some(nearest_on_segment(point, segment)),
        Placed::Capsule(capsule) => {
            Some(nearest_on_segment(point, &capsule.segment).grown(capsule.radius))
        }
        Placed::Triangle(triangle) => {
            on_colliding_side(point, triangle).then(|| nearest_on_triangle(point, triangle))
        }
        Placed::Plane(plane) => Some(nearest_on_plane(point, plane)),
        Placed::Mesh(mesh, pose) => nearest_on_mesh(point, mesh, pose),
    }
}

/// The distance of a sphere from any shape, negative when they overlap; `None` behind everything one-sided.
pub(crate) fn gap_sphere_any(sphere: &Sphere, other: &Placed<'_>) -> Option<Gap> {
    let nearest = nearest_on_any(sphere.center, other)?;
    Some(Gap {
        distance: nearest.distance - sphere.radius,
        point_a: sphere.center - nearest.normal * sphere.radius,
        point_b: nearest.point,
        via_bounding_sphere: false,
    })
}

/// Sweeps a sphere against any shape at its start; both move by their displacement over the frame.
pub(crate) fn sweep_sphere_any(
    sphere: &Sphere,
    displacement: DVec3,
    other: &Placed<'_>,
    other_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let (d, e) = (displacement, other_displacement);
    match other {
        Placed::Sphere(other) => sweep_sphere_sphere(sphere, d, other, e, trace),
        Placed::Obb(obb) => sweep_sphere_obb(sphere, d, obb, e, trace),
        Placed::Segment(segment) => sweep_sphere_segment(sphere, d, segment, e, trace),
        Placed::Capsule(capsule) => sweep_sphere_capsule(sphere, d, capsule, e, trace),
        Placed::Triangle(triangle) => sweep_sphere_triangle(sphere, d, triangle, e, trace),
        Placed::Plane(plane) => sweep_sphere_plane(sphere, d, plane, e, trace),
        Placed::Mesh(mesh, pose) => sweep_sphere_mesh(sphere, d, mesh, pose, e, trace),
    }
}
