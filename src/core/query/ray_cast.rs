//! A segment against every shape: the earliest surface it meets, from outside or from inside.

use super::closest_point::direction;
use super::dispatch::usable;
use super::exact::exact_turn;
use super::nearest::side_of;
use super::sweep::{Convex, LocalBox, Path};
use super::{RayHit, Trace};
use crate::core::shape::{Aabb, Capsule, Mesh, Placed, Plane, Pose, Segment, Shape, Triangle};
use crate::core::tolerance::NOISE_ULPS;
use glam::DVec3;
use std::cmp::Ordering;

/// A segment against a triangle, two-sided, both ends inclusive; a coplanar segment and a degenerate triangle give no hit.
///
/// Signed distances of both ends to the plane decide the crossing without a division, `t = s1 / (s1 - s2)`. Inside is decided
/// by three edge signs in a frame sheared along the segment (Woop et al. 2013). Every sign inside its error bound is taken
/// without rounding, so that the verdict is exact, and a segment through a shared edge or vertex hits one of its triangles.
pub fn ray_cast_triangle(
    segment: &Segment,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    let way = segment.b - segment.a;
    let [a, b, c] = [triangle.a, triangle.b, triangle.c].map(|vertex| vertex - segment.a);
    let normal = (b - a).cross(c - a);
    let (from, to) = sure_sides(segment, triangle, [a, b, c], normal, trace);
    trace.step("PlaneDistances", &[("s1", from), ("s2", to)]);
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || from == to {
        trace.step("NoCrossing", &[]);
        return None;
    }
    let edges = edge_signs(segment, triangle, way, [a, b, c], trace)?;
    trace.step(
        "EdgeSigns",
        &[("a", edges.x), ("b", edges.y), ("c", edges.z)],
    );
    let total = edges.x + edges.y + edges.z;
    let mixed = edges.min_element() < 0.0 && edges.max_element() > 0.0;
    if mixed || total == 0.0 || !total.is_finite() {
        trace.step("Outside", &[]);
        return None;
    }
    let weights = edges / total;
    let back = from < 0.0 || (from == 0.0 && to > 0.0);
    let front = direction(normal)?;
    let fraction = (from / (from - to)).clamp(0.0, 1.0);
    trace.step(
        "Hits",
        &[("fraction", fraction), ("back", f64::from(u8::from(back)))],
    );
    Some(RayHit {
        fraction,
        point: triangle.a
            + (triangle.b - triangle.a) * weights.y
            + (triangle.c - triangle.a) * weights.z,
        normal: if back { -front } else { front },
        weights,
        back,
        triangle: None,
    })
}

/// A number that has the sign it should, and its size unless it had the other one.
fn with_sign(value: f64, sign: Ordering) -> f64 {
    match sign {
        Ordering::Equal => 0.0,
        Ordering::Greater => value.max(f64::MIN_POSITIVE),
        Ordering::Less => value.min(-f64::MIN_POSITIVE),
    }
}

/// How far both ends are in front of the triangle's plane, times the normal's length; their signs are exact.
fn sure_sides(
    segment: &Segment,
    triangle: &Triangle,
    [a, b, c]: [DVec3; 3],
    normal: DVec3,
    trace: &mut impl Trace,
) -> (f64, f64) {
    let way = segment.b - segment.a;
    let size = |vector: DVec3| vector.abs().element_sum();
    // The corners are rounded once as they are seen from the start, and again as their differences are taken.
    let spread = size(b - a) + size(c - a);
    let noise = NOISE_ULPS * f64::EPSILON * (size(a) + size(b) + size(c)) * spread;
    let mut sure = |end: DVec3, distance: f64, away: DVec3| {
        if distance.abs() > noise * size(away) + f64::MIN_POSITIVE {
            return distance;
        }
        trace.step("DecidedExactly", &[("distance", distance)]);
        with_sign(distance, side_of(end, triangle))
    };
    let from = sure(segment.a, -a.dot(normal), a);
    let to = sure(segment.b, (way - a).dot(normal), way - a);
    (from, to)
}

/// The signed areas opposite a, b, c, seen along the segment from its start, with exact signs; `None` for a zero-length
/// segment.
fn edge_signs(
    segment: &Segment,
    triangle: &Triangle,
    way: DVec3,
    vertices: [DVec3; 3],
    trace: &mut impl Trace,
) -> Option<DVec3> {
    let size = way.abs();
    let z = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    if size[z] == 0.0 {
        return None;
    }
    let (x, y) = ((z + 1) % 3, (z + 2) % 3);
    let shear = (way[x] / way[z], way[y] / way[z]);
    // Each vertex is sheared by itself alone, so that triangles that share it see the same two numbers.
    let sheared = vertices.map(|vertex| {
        (
            vertex[x] - shear.0 * vertex[z],
            vertex[y] - shear.1 * vertex[z],
        )
    });
    let corners = [triangle.a, triangle.b, triangle.c];
    let mut area = |i: usize, j: usize| {
        let (p, q) = (sheared[i], sheared[j]);
        let area = p.0 * q.1 - p.1 * q.0;
        let size = vertices[i].abs().element_sum() * vertices[j].abs().element_sum();
        if area.abs() > NOISE_ULPS * f64::EPSILON * size + f64::MIN_POSITIVE {
            return area;
        }
        trace.step("DecidedExactly", &[("area", area)]);
        let sign = exact_turn(segment, corners[i], corners[j]);
        with_sign(area, if way[z] < 0.0 { sign.reverse() } else { sign })
    };
    Some(DVec3::new(area(1, 2), area(2, 0), area(0, 1)))
}

/// A segment against any shape: the earliest hit, both ends inclusive, both sides of every surface.
///
/// A start inside a solid meets its surface from the back, on the way out. A tangent meets nothing, nor does a segment meet a
/// segment. Numbers that are not finite give `None`.
pub fn ray_cast(segment: &Segment, shape: &Shape, pose: &Pose) -> Option<RayHit> {
    if !(usable(&Placed::Segment(*segment)) && usable(&shape.placed(pose))) {
        return None;
    }
    let local = Segment {
        a: pose.point_to_local(segment.a),
        b: pose.point_to_local(segment.b),
    };
    let hit = match shape {
        Shape::Sphere { radius } => ray_cast_solid(&local, &POINT, *radius),
        Shape::Box { half_extents } => ray_cast_solid(
            &local,
            &LocalBox {
                half_extents: *half_extents,
            },
            0.0,
        ),
        Shape::Segment(_) => None,
        Shape::Capsule(Capsule { segment, radius }) => ray_cast_solid(&local, segment, *radius),
        Shape::Triangle(triangle) => ray_cast_triangle(&local, triangle, &mut ()),
        Shape::Plane(plane) => ray_cast_plane(&local, plane),
        Shape::Mesh(mesh) => ray_cast_mesh(&local, mesh),
    }?;
    Some(RayHit {
        point: pose.point(hit.point),
        normal: pose.vector(hit.normal),
        ..hit
    })
}

/// A ball is this, grown by its radius.
const POINT: Segment = Segment {
    a: DVec3::ZERO,
    b: DVec3::ZERO,
};

/// A convex solid grown by `radius`: its entry, or from inside its exit, which is the entry of the way back.
fn ray_cast_solid(segment: &Segment, shape: &impl Convex, radius: f64) -> Option<RayHit> {
    let forth = Path {
        start: segment.a,
        step: segment.b - segment.a,
    };
    let back = shape.nearest(segment.a).distance < radius;
    let path = if back {
        Path {
            start: segment.b,
            step: -forth.step,
        }
    } else {
        forth
    };
    if back && shape.nearest(segment.b).distance < radius {
        return None;
    }
    let entry = shape.enter(&path, radius).filter(|e| e.fraction <= 1.0)?;
    let point = path.at(entry.fraction);
    let outward = entry.normal.unwrap_or_else(|| shape.nearest(point).normal);
    let fraction = if back {
        1.0 - entry.fraction
    } else {
        entry.fraction
    };
    Some(RayHit {
        fraction,
        point,
        normal: if back { -outward } else { outward },
        weights: DVec3::ZERO,
        back,
        triangle: None,
    })
}

fn ray_cast_plane(segment: &Segment, plane: &Plane) -> Option<RayHit> {
    let (from, to) = (plane.distance(segment.a), plane.distance(segment.b));
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || from == to {
        return None;
    }
    let back = from < 0.0 || (from == 0.0 && to > 0.0);
    let fraction = from / (from - to);
    Some(RayHit {
        fraction,
        point: segment.a + (segment.b - segment.a) * fraction,
        normal: if back { -plane.normal } else { plane.normal },
        weights: DVec3::ZERO,
        back,
        triangle: None,
    })
}

/// The earliest triangle; equal fractions go to the lowest index.
fn ray_cast_mesh(segment: &Segment, mesh: &Mesh) -> Option<RayHit> {
    let bounds = Aabb::of_points([segment.a, segment.b])?;
    let mut earliest: Option<RayHit> = None;
    mesh.for_each_in(&bounds, &mut |index| {
        let Some(hit) = ray_cast_triangle(segment, &mesh.triangle(index), &mut ()) else {
            return;
        };
        if earliest.is_none_or(|known| {
            hit.fraction < known.fraction
                || (hit.fraction == known.fraction && Some(index) < known.triangle)
        }) {
            earliest = Some(RayHit {
                triangle: Some(index),
                ..hit
            });
        }
    });
    earliest
}
