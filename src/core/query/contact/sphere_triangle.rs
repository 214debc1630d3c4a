//! A sphere and a triangle: plane distance, then face, edge or vertex.

use super::{from_nearest, noise_of, rounding_at};
use crate::core::query::beyond_triangle::is_beyond;
use crate::core::query::closest_point::slimness;
use crate::core::query::exact::ExactFrame;
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::{Nearest, nearest_on_degenerate, on_colliding_side_at};
use crate::core::query::tell::tell_nearest;
use crate::core::query::triangle_view::TriangleView;
use crate::core::query::{Contact, Trace};
use crate::core::shape::{Facing, Pose, Sphere, Triangle};
use glam::DVec3;
use std::cmp::Ordering;

/// The contact of a sphere and a triangle: by the face where the centre projects inside it, else by the nearest edge or vertex.
///
/// With the centre c, the nearest point q and `d = |c - q|` the push is `(c - q) / d (r - d)`.
/// A one-sided triangle rejects a centre strictly behind its plane, whichever feature is nearest: otherwise the back of a
/// neighbouring side pushes a resting sphere sideways. A centre in the plane is pushed to the front; a degenerate triangle
/// acts as its longest edge, from everywhere.
#[inline]
pub fn contact_sphere_triangle(
    sphere: &Sphere,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let center = sphere.center;
    let seen = [
        (triangle.a - center).into(),
        (triangle.b - center).into(),
        (triangle.c - center).into(),
    ];
    // A trace is told how far; nobody else is.
    if !trace.is_heard() && is_beyond(seen, sphere.radius, |all| all) {
        return None;
    }
    contact_local(sphere, sphere.center, triangle, &Pose::IDENTITY, trace)
}

/// The same in the frame of `pose`, where the triangle stands; `center` is where the sphere was given, in the world.
#[inline(never)]
pub(super) fn contact_local(
    sphere: &Sphere,
    center: DVec3,
    triangle: &Triangle,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let view = TriangleView::of(sphere.center, triangle);
    if view.clear {
        trace.step(
            "PlaneDistance",
            &[("distance", view.height()), ("radius", sphere.radius)],
        );
    } else {
        // Only here, as what is not in range is not seen clearly; a radius that is not has no depth.
        if is_refused(&[sphere, &center, triangle, pose], trace) {
            return None;
        }
        trace.step("DegenerateTriangle", &[]);
    }
    if triangle.facing == Facing::Front && !is_in_front(sphere, center, triangle, pose, &view) {
        trace.step("BehindOneSided", &[]);
        return None;
    }
    let (nearest, noise) = if view.clear {
        let rounding = rounding_at(sphere.center, pose) * view.slimness;
        let noise = view.noise(sphere.radius).max(rounding);
        (view.nearest(sphere.center), noise)
    } else {
        seen_degenerate(sphere, triangle, pose)
    };
    tell_nearest(nearest.feature, nearest.distance, trace);
    let exact = || decided_exactly(sphere.radius, center, triangle, pose);
    from_nearest(nearest, sphere.radius, noise, exact, trace)
}

/// Out of line, as hardly any pair comes here.
#[cold]
#[inline(never)]
fn decided_exactly(radius: f64, center: DVec3, triangle: &Triangle, pose: &Pose) -> Ordering {
    let frame = ExactFrame::of(pose);
    let body = frame.triangle(center, triangle);
    frame.compare(&body, [radius, 0.0])
}

/// Exactly; the view's sign is taken where it is sure and nothing was turned.
#[inline]
fn is_in_front(
    sphere: &Sphere,
    center: DVec3,
    triangle: &Triangle,
    pose: &Pose,
    view: &TriangleView,
) -> bool {
    if view.clear && view.side.abs() > view.side_noise && *pose == Pose::IDENTITY {
        view.side > 0.0
    } else {
        on_colliding_side_at(center, sphere.center, triangle, pose)
    }
}

/// The nearest point where the view is not clear, and its error bound.
#[cold]
#[inline(never)]
fn seen_degenerate(sphere: &Sphere, triangle: &Triangle, pose: &Pose) -> (Nearest, f64) {
    let seen = Triangle {
        a: triangle.a - sphere.center,
        b: triangle.b - sphere.center,
        c: triangle.c - sphere.center,
        facing: triangle.facing,
    };
    let size = noise_of(&[seen.a, seen.b, seen.c, DVec3::splat(sphere.radius)]);
    let nearest = nearest_on_degenerate(sphere.center, triangle);
    let size = size.max(rounding_at(sphere.center, pose));
    (nearest, size * slimness(&seen))
}
