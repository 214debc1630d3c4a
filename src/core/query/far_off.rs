//! Triangles that are surely too far off to matter: a few products, asked before anything is rooted or divided.

use crate::core::shape::Triangle;
use crate::core::tolerance::{NOISE_ULPS, SMALLEST_QUICK};
use glam::DVec3;

/// Does a straight way (or a point, given twice) stay farther than `distance` from a triangle's plane, or outside one of its
/// edges within the plane, whatever rounding does? Quick, and true for most that are looked at; false says nothing.
#[inline]
pub(crate) fn stays_off(way: [DVec3; 2], triangle: &Triangle, distance: f64) -> bool {
    let Triangle { a, b, c, .. } = *triangle;
    let (u, v, w) = (b - a, c - a, c - b);
    let (from, to) = (way[0] - a, way[1] - a);
    let normal = u.cross(v);
    let size = |vector: DVec3| vector.abs().element_sum();
    let width = size(u) + size(v);
    let far = size(from).max(size(to)).max(distance) + width;
    let noise = NOISE_ULPS * f64::EPSILON * far * size(u) * size(v);
    // Both ends beyond a plane through an origin, along an axis that need not be unit.
    let beyond = |axis: DVec3, before: f64, after: f64, noise: f64| {
        let least = before.min(after) - noise;
        // Not where squares lose digits.
        least > SMALLEST_QUICK * SMALLEST_QUICK
            && least * least > axis.length_squared() * distance * distance
    };
    let (before, after) = (normal.dot(from), normal.dot(to));
    if beyond(normal, before, after, noise) || beyond(normal, -before, -after, noise) {
        return true;
    }
    let outside = |edge: DVec3, corner: DVec3| {
        let out = edge.cross(normal);
        let height = out.dot(corner);
        beyond(
            out,
            out.dot(from) - height,
            out.dot(to) - height,
            noise * width,
        )
    };
    outside(u, DVec3::ZERO) || outside(-v, DVec3::ZERO) || outside(w, u)
}
