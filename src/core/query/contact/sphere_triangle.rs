//! A sphere and a triangle: plane distance, then face, edge or vertex.

use super::{from_nearest, noise_of, rounding_at};
use crate::core::query::closest_point::{slimness, triangle_normal};
use crate::core::query::exact::ExactFrame;
use crate::core::query::nearest::{nearest_on_triangle, on_colliding_side_at};
use crate::core::query::{Contact, Feature, Trace};
use crate::core::shape::{Pose, Sphere, Triangle};
use glam::DVec3;

/// The contact of a sphere and a triangle.
///
/// A one-sided triangle rejects a centre strictly behind its plane, whichever feature is nearest: otherwise the back of a
/// neighbouring side pushes a resting sphere sideways. A centre in the plane is pushed to the front; a degenerate triangle
/// acts as its longest edge, from everywhere.
pub fn contact_sphere_triangle(
    sphere: &Sphere,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> Option<Contact> {
    contact_local(sphere, sphere.center, triangle, &Pose::IDENTITY, trace)
}

/// The same in the frame of `pose`, where the triangle stands; `center` is where the sphere was given, in the world.
pub(super) fn contact_local(
    sphere: &Sphere,
    center: DVec3,
    triangle: &Triangle,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<Contact> {
    match triangle_normal(triangle) {
        Some(normal) => {
            let height = (sphere.center - triangle.a).dot(normal);
            trace.step(
                "PlaneDistance",
                &[("distance", height), ("radius", sphere.radius)],
            );
        }
        None => trace.step("DegenerateTriangle", &[]),
    }
    if !on_colliding_side_at(center, sphere.center, triangle, pose) {
        trace.step("BehindOneSided", &[]);
        return None;
    }
    let nearest = nearest_on_triangle(sphere.center, triangle);
    let (name, number) = match nearest.feature {
        Feature::Vertex(number) => ("NearestVertex", number),
        Feature::Edge(number) => ("NearestEdge", number),
        Feature::Face(number) => ("NearestFace", number),
        Feature::Round => ("NearestPoint", 0),
    };
    trace.step(
        name,
        &[
            ("number", f64::from(number)),
            ("distance", nearest.distance),
        ],
    );
    let seen = Triangle {
        a: triangle.a - sphere.center,
        b: triangle.b - sphere.center,
        c: triangle.c - sphere.center,
        facing: triangle.facing,
    };
    let noise = noise_of(&[seen.a, seen.b, seen.c, DVec3::splat(sphere.radius)]);
    let noise = noise.max(rounding_at(sphere.center, pose)) * slimness(&seen);
    let exact = || {
        let frame = ExactFrame::of(pose);
        let body = frame.triangle(center, triangle);
        frame.compare(&body, [sphere.radius, 0.0])
    };
    from_nearest(nearest, sphere.radius, noise, exact, trace)
}
