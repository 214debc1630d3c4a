//! A sphere against any shape: chooses the pair.

use super::closest_point::{closest_point_on_segment_traced, triangle_normal};
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
use super::tell::{tell_beyond_obb, tell_fallback, tell_nearest};
use super::{Contact, Gap, SweepOutcome, Trace};
use crate::core::shape::{Placed, Segment, Sphere, Triangle};
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

/// The point of any shape's surface nearest to a point, with its direction and feature; `None` behind everything one-sided.
pub fn nearest_on_any(point: DVec3, shape: &Placed<'_>, trace: &mut impl Trace) -> Option<Nearest> {
    let nearest = match shape {
        Placed::Sphere(sphere) => nearest_on_sphere(point, sphere),
        Placed::Obb(obb) => {
            tell_beyond_obb(point, obb, trace);
            nearest_on_obb(point, obb)
        }
        Placed::Segment(segment) => nearest_on_core(point, segment, trace),
        Placed::Capsule(capsule) => {
            nearest_on_core(point, &capsule.segment, trace).grown(capsule.radius)
        }
        Placed::Triangle(triangle) => nearest_on_sided(point, triangle, trace)?,
        Placed::Plane(plane) => nearest_on_plane(point, plane),
        Placed::Mesh(mesh, pose) => {
            let Some((index, nearest)) = nearest_on_mesh(point, mesh, pose) else {
                trace.step("BehindOneSided", &[]);
                return None;
            };
            trace.step("NearestTriangle", &[("index", f64::from(index))]);
            nearest
        }
    };
    tell_nearest(nearest.feature, nearest.distance, trace);
    tell_fallback(&nearest, trace);
    Some(nearest)
}

fn nearest_on_core(point: DVec3, segment: &Segment, trace: &mut impl Trace) -> Nearest {
    closest_point_on_segment_traced(point, segment, trace);
    nearest_on_segment(point, segment)
}

fn nearest_on_sided(point: DVec3, triangle: &Triangle, trace: &mut impl Trace) -> Option<Nearest> {
    match triangle_normal(triangle) {
        Some(normal) => {
            let height = (point - triangle.a).dot(normal);
            trace.step("PlaneDistance", &[("distance", height)]);
        }
        None => trace.step("DegenerateTriangle", &[]),
    }
    if !on_colliding_side(point, triangle) {
        trace.step("BehindOneSided", &[]);
        return None;
    }
    Some(nearest_on_triangle(point, triangle))
}

/// The distance of a sphere from any shape, negative when they overlap; `None` behind everything one-sided.
pub(crate) fn gap_sphere_any(
    sphere: &Sphere,
    other: &Placed<'_>,
    trace: &mut impl Trace,
) -> Option<Gap> {
    let nearest = nearest_on_any(sphere.center, other, trace)?;
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
