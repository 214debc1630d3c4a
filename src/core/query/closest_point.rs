//! Closest points, and which part of the shape they lie on. Point and shape are in one space, metres, and finite; the `_traced`
//! forms also say how it was decided.

use super::tell::{tell_beyond, tell_beyond_obb, tell_nearest, tell_on_segment};
use super::{Feature, Trace};
use crate::core::shape::{Aabb, Obb, Segment, Triangle};
use crate::core::tolerance::{DEGENERATE_TRIANGLE, SMALLEST_SQUARE};
use glam::DVec3;

/// Direction (unit) and length of a vector, right also where its square under- or overflows; `None` for zero.
#[inline]
pub(crate) fn direction_and_length(vector: DVec3) -> Option<(DVec3, f64)> {
    let (direction, length, clear) = quick_direction(vector);
    if clear {
        return Some((direction, length));
    }
    scaled_direction_and_length(vector)
}

/// The same without a branch, and whether it counts: false where the square under- or overflows.
#[inline(always)]
pub(crate) fn quick_direction(vector: DVec3) -> (DVec3, f64, bool) {
    let square = vector.length_squared();
    let length = square.sqrt();
    let clear = (square > SMALLEST_SQUARE) & (square < 1.0 / SMALLEST_SQUARE);
    (vector / length, length, clear)
}

#[cold]
#[inline(never)]
fn scaled_direction_and_length(vector: DVec3) -> Option<(DVec3, f64)> {
    let largest = vector.abs().max_element();
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let scaled = vector / largest;
    let length = scaled.length();
    Some((scaled / length, length * largest))
}

/// Direction alone, unit; `None` for zero. Unlike `try_normalize` it is unit also where the square underflows.
#[inline]
pub(crate) fn direction(vector: DVec3) -> Option<DVec3> {
    direction_and_length(vector).map(|(direction, _)| direction)
}

/// The point of a segment nearest to `point`, and its share s: 0 at `a`, 1 at `b`. A zero-length segment answers `a`.
///
/// `s = clamp((p - a) . (b - a) / |b - a|^2, 0, 1)` (Ericson 2005, 5.1.2). Any space, metres.
pub fn closest_point_on_segment(point: DVec3, segment: &Segment) -> (DVec3, f64) {
    let along = segment.b - segment.a;
    let square = along.length_squared();
    if square <= 0.0 {
        return (segment.a, 0.0);
    }
    let s = (point - segment.a).dot(along) / square;
    // The farther end is reached from its own side, so that both ends are exact.
    if s <= 0.0 {
        (segment.a, 0.0)
    } else if s >= 1.0 {
        (segment.b, 1.0)
    } else if s <= 0.5 {
        (segment.a + along * s, s)
    } else {
        (segment.b - along * (1.0 - s), s)
    }
}

/// As [`closest_point_on_segment`]; its steps go to `trace`.
pub fn closest_point_on_segment_traced(
    point: DVec3,
    segment: &Segment,
    trace: &mut impl Trace,
) -> (DVec3, f64) {
    let closest = closest_point_on_segment(point, segment);
    tell_on_segment(segment, closest.1, trace);
    closest
}

/// The feature of a segment at share `s`: its ends are vertices 0 and 1, all between is edge 0.
pub(crate) fn segment_feature(s: f64) -> Feature {
    if s <= 0.0 {
        Feature::Vertex(0)
    } else if s >= 1.0 {
        Feature::Vertex(1)
    } else {
        Feature::Edge(0)
    }
}

/// Where two segments are closest: the shares `(s, t)` along each, 0 at a, 1 at b. Zero-length segments act as points.
///
/// Ericson 2005, 5.1.9, with each share recomputed from the other after clamping; near-parallel segments are settled by
/// trying all four ends as well, so that no division by a small determinant decides.
pub fn closest_points_of_segments(first: &Segment, second: &Segment) -> (f64, f64) {
    closest_points_of_segments_traced(first, second, &mut ())
}

/// As [`closest_points_of_segments`]; its steps go to `trace`.
pub fn closest_points_of_segments_traced(
    first: &Segment,
    second: &Segment,
    trace: &mut impl Trace,
) -> (f64, f64) {
    let (d1, d2) = (first.b - first.a, second.b - second.a);
    let between = first.a - second.a;
    let (a, e, b) = (d1.length_squared(), d2.length_squared(), d1.dot(d2));
    let (c, f) = (d1.dot(between), d2.dot(between));
    let mut best = (0.0, 0.0);
    let mut least = f64::INFINITY;
    let mut consider = |s: f64, t: f64| {
        let square = (between + d1 * s - d2 * t).length_squared();
        if square < least {
            least = square;
            best = (s, t);
        }
    };
    let cross = d1.cross(d2);
    let determinant = cross.length_squared();
    if determinant > 0.0 {
        // |d1 x d2|^2 instead of a e - b^2, which cancels; numerators likewise.
        let normal = cross;
        let s = -between.cross(d2).dot(normal) / determinant;
        let t = -between.cross(d1).dot(normal) / determinant;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            consider(s, t);
        }
    }
    let share = |numerator: f64, square: f64| {
        if square > 0.0 {
            (numerator / square).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    consider(0.0, share(f, e));
    consider(1.0, share(f + b, e));
    consider(share(-c, a), 0.0);
    consider(share(b - c, a), 1.0);
    let (s, t) = best;
    let numbers = [
        ("s", s),
        ("t", t),
        ("distance", least.sqrt()),
        // Of the directions; 0 for parallel ones.
        ("cross", determinant.sqrt()),
    ];
    trace.step("ClosestOfSegments", &numbers);
    best
}

/// The unit normal of a triangle, or `None` where its height is only rounding ([`DEGENERATE_TRIANGLE`]).
pub(crate) fn triangle_normal(triangle: &Triangle) -> Option<DVec3> {
    let [ab, bc, ca] = [
        triangle.b - triangle.a,
        triangle.c - triangle.b,
        triangle.a - triangle.c,
    ];
    let squares = [ab, bc, ca].map(DVec3::length_squared);
    // The two shorter edges give the most exact cross product.
    let longest = squares[0].max(squares[1]).max(squares[2]);
    let cross = if squares[0] >= longest {
        bc.cross(ca)
    } else if squares[1] >= longest {
        ca.cross(ab)
    } else {
        ab.cross(bc)
    };
    let (normal, twice_area) = direction_and_length(cross)?;
    (twice_area > DEGENERATE_TRIANGLE * longest).then_some(normal)
}

/// By how much rounding grows in the direction of a triangle's normal: the square of its longest edge over its area, >= 1.
pub(crate) fn slimness(triangle: &Triangle) -> f64 {
    let Triangle { a, b, c, .. } = *triangle;
    let longest = [b - a, c - b, a - c].map(DVec3::length_squared);
    let longest = longest.into_iter().fold(0.0, f64::max);
    let area = 0.5 * (b - a).cross(c - a).length();
    // Below the limit it acts as its longest edge, from which it is no farther than this.
    (longest
        / area
            .max(DEGENERATE_TRIANGLE * longest)
            .max(f64::MIN_POSITIVE))
    .max(1.0)
}

/// The edges of a triangle in the order of [`Feature::Edge`]: ab, bc, ca.
pub(crate) fn triangle_edges(triangle: &Triangle) -> [Segment; 3] {
    let Triangle { a, b, c, .. } = *triangle;
    [
        Segment { a, b },
        Segment { a: b, b: c },
        Segment { a: c, b: a },
    ]
}

/// Does the projection of `point` along the unit `normal` fall inside the triangle? Inclusive.
pub(crate) fn projects_inside(point: DVec3, triangle: &Triangle, normal: DVec3) -> bool {
    let (a, b, c) = (triangle.a - point, triangle.b - point, triangle.c - point);
    a.cross(b).dot(normal) >= 0.0 && b.cross(c).dot(normal) >= 0.0 && c.cross(a).dot(normal) >= 0.0
}

/// The point of a triangle nearest to `point`, and the feature it lies on: face, edge or vertex.
///
/// Face when the projection falls inside, by the signs of three cross products along the normal (Ericson 2005, 5.4.2), else the
/// nearest of the three edges; equal ones go to the first of ab, bc, ca. A degenerate triangle acts as its longest
/// edge (or as a point), and reports that edge's features. Any space, metres.
pub fn closest_point_on_triangle(point: DVec3, triangle: &Triangle) -> (DVec3, Feature) {
    closest_point_on_triangle_traced(point, triangle, &mut ())
}

/// As [`closest_point_on_triangle`]; its steps go to `trace`.
pub fn closest_point_on_triangle_traced(
    point: DVec3,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> (DVec3, Feature) {
    match triangle_normal(triangle) {
        Some(normal) => {
            let height = (point - triangle.a).dot(normal);
            trace.step("PlaneDistance", &[("distance", height)]);
            if projects_inside(point, triangle, normal) {
                tell_nearest(Feature::Face(0), height.abs(), trace);
                return (point - normal * height, Feature::Face(0));
            }
        }
        None => trace.step("DegenerateTriangle", &[]),
    }
    let (on_edge, feature) = closest_point_on_outline(point, triangle);
    tell_nearest(feature, (point - on_edge).length(), trace);
    (on_edge, feature)
}

/// The nearest point of the three edges; ties go to the lower edge. Right for degenerate triangles too, whose edges all
/// lie on the longest one.
pub(crate) fn closest_point_on_outline(point: DVec3, triangle: &Triangle) -> (DVec3, Feature) {
    let mut best = (triangle.a, Feature::Vertex(0));
    let mut least = f64::INFINITY;
    for (index, edge) in (0u32..).zip(triangle_edges(triangle)) {
        let (on_edge, s) = closest_point_on_segment(point, &edge);
        let square = (point - on_edge).length_squared();
        if square < least {
            least = square;
            let feature = match segment_feature(s) {
                Feature::Vertex(end) => Feature::Vertex((index + end) % 3),
                _ => Feature::Edge(index),
            };
            best = (on_edge, feature);
        }
    }
    best
}

/// The point of a box nearest to `point`: each coordinate clamped; a point inside answers itself.
pub fn closest_point_on_aabb(point: DVec3, aabb: &Aabb) -> DVec3 {
    point.max(aabb.min).min(aabb.max)
}

/// As [`closest_point_on_aabb`]; its steps go to `trace`.
pub fn closest_point_on_aabb_traced(point: DVec3, aabb: &Aabb, trace: &mut impl Trace) -> DVec3 {
    tell_beyond((aabb.min - point).max(point - aabb.max), trace);
    closest_point_on_aabb(point, aabb)
}

/// The point of a rotated box nearest to `point`, world space: clamped in the box's frame, then brought back.
pub fn closest_point_on_obb(point: DVec3, obb: &Obb) -> DVec3 {
    let pose = obb.pose();
    let local = pose.point_to_local(point);
    let clamped = local.max(-obb.half_extents).min(obb.half_extents);
    if clamped == local {
        // Inside: the answer is the point itself, without the rounding of the way there and back.
        return point;
    }
    pose.point(clamped)
}

/// As [`closest_point_on_obb`]; its steps go to `trace`.
pub fn closest_point_on_obb_traced(point: DVec3, obb: &Obb, trace: &mut impl Trace) -> DVec3 {
    tell_beyond_obb(point, obb, trace);
    closest_point_on_obb(point, obb)
}
