//! Closest points of segments, triangles and boxes, and the part of the shape they lie on. Any space, metres; finite input.

pub(in crate::core) use crate::core::shape::direction_and_length;
use crate::core::shape::{Feature, Segment, Triangle};
use crate::core::tolerance::DEGENERATE_TRIANGLE;
use glam::DVec3;

/// The point of a segment nearest to `point`, and its fraction s: 0 at `a`, 1 at `b`. A zero-length segment answers `a`.
///
/// `s = clamp((p - a) . (b - a) / |b - a|^2, 0, 1)` (Ericson 2005, 5.1.2). Any space, metres.
#[inline]
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

/// The feature of a segment at fraction `s`: its ends are vertices 0 and 1, all between is edge 0.
#[inline]
pub(crate) fn segment_feature(s: f64) -> Feature {
    if s <= 0.0 {
        Feature::Vertex(0)
    } else if s >= 1.0 {
        Feature::Vertex(1)
    } else {
        Feature::Edge(0)
    }
}

/// Where two segments are closest: the fractions `(s, t)` along each, 0 at a, 1 at b. Zero-length segments act as points.
///
/// Ericson 2005, 5.1.9, by cross products, which do not cancel for nearly parallel segments; all four ends are tried as well.
pub fn closest_points_of_segments(first: &Segment, second: &Segment) -> (f64, f64) {
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
    let normal = d1.cross(d2);
    let determinant = normal.length_squared();
    if determinant > 0.0 {
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
    best
}

/// The unit normal of a triangle, or `None` where its height is only rounding ([`DEGENERATE_TRIANGLE`]).
#[inline]
pub(crate) fn triangle_normal(triangle: &Triangle) -> Option<DVec3> {
    let [ab, bc, ca] = [
        triangle.b - triangle.a,
        triangle.c - triangle.b,
        triangle.a - triangle.c,
    ];
    let squares = [ab, bc, ca].map(DVec3::length_squared);
    // The two shorter edges give the most accurate cross product.
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

/// The edges of a triangle in the order of [`Feature::Edge`]: ab, bc, ca.
#[inline]
pub(crate) fn triangle_edges(triangle: &Triangle) -> [Segment; 3] {
    let Triangle { a, b, c, .. } = *triangle;
    [
        Segment { a, b },
        Segment { a: b, b: c },
        Segment { a: c, b: a },
    ]
}

/// True when the projection of `point` along the unit `normal` falls inside the triangle; inclusive.
#[inline]
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
    if let Some(normal) = triangle_normal(triangle)
        && projects_inside(point, triangle, normal)
    {
        let height = (point - triangle.a).dot(normal);
        return (point - normal * height, Feature::Face(0));
    }
    closest_point_on_outline(point, triangle)
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
