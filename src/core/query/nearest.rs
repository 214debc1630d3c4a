//! The surface nearest to a point, with its direction: what contact, gap and sweep of a sphere all rest on.
//!
//! A sphere of radius r touches a shape exactly when the signed distance of its centre is at most r. Point and shape are in one
//! space, metres, and finite.

use super::Feature;
use super::closest_point::{
    closest_point_on_outline, closest_point_on_segment, direction_and_length, projects_inside,
    segment_feature, slimness, triangle_normal,
};
use super::exact::{ExactFrame, exact_side};
use super::sweep::noise_of;
use super::triangle_view::TriangleView;
use crate::core::shape::{Facing, Plane, Pose, Segment, Sphere, Triangle};
use glam::DVec3;
use std::cmp::Ordering;

/// A shape's surface as one point sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// On the surface.
    pub point: DVec3,
    /// Unit, out of the surface toward the point (inside a solid: the shortest way out).
    pub normal: DVec3,
    /// Metres; negative inside a solid.
    pub distance: f64,
    /// The part of the shape.
    pub feature: Feature,
    /// True when the geometry names no single direction and a fixed one was taken.
    pub fallback: bool,
}

impl Nearest {
    /// The same surface moved outward by `radius` metres: a segment becomes a capsule, a point a ball.
    #[must_use]
    pub fn grown(self, radius: f64) -> Self {
        Self {
            point: self.point + self.normal * radius,
            distance: self.distance - radius,
            ..self
        }
    }
}

/// A single point as another sees it; equal points look along +Y.
#[inline]
pub fn nearest_on_point(point: DVec3, center: DVec3) -> Nearest {
    let (normal, distance, fallback) = match direction_and_length(point - center) {
        Some((normal, distance)) => (normal, distance, false),
        None => (DVec3::Y, 0.0, true),
    };
    Nearest {
        point: center,
        normal,
        distance,
        feature: Feature::Round,
        fallback,
    }
}

/// The surface of a ball nearest to a point; from its centre, along +Y.
pub fn nearest_on_sphere(point: DVec3, sphere: &Sphere) -> Nearest {
    nearest_on_point(point, sphere.center).grown(sphere.radius)
}

/// The point of a segment nearest to another, distance >= 0. From on the segment: +Y made perpendicular to it, +X where it is within
/// 2.6 degrees of vertical, +Y where it has no length.
pub fn nearest_on_segment(point: DVec3, segment: &Segment) -> Nearest {
    let (on_segment, s) = closest_point_on_segment(point, segment);
    let mut nearest = nearest_on_point(point, on_segment);
    nearest.feature = segment_feature(s);
    if nearest.fallback {
        nearest.normal = across(segment.b - segment.a);
    }
    nearest
}

/// A fixed unit direction perpendicular to `along`: +Y as far as it goes, +X where `along` is vertical.
pub(crate) fn across(along: DVec3) -> DVec3 {
    let Some((axis, _)) = direction_and_length(along) else {
        return DVec3::Y;
    };
    let preferred = if axis.y.abs() < 0.999 {
        DVec3::Y
    } else {
        DVec3::X
    };
    (preferred - axis * axis.dot(preferred))
        .try_normalize()
        .unwrap_or(DVec3::Y)
}

/// The surface of a half space; the distance is negative behind it.
pub fn nearest_on_plane(point: DVec3, plane: &Plane) -> Nearest {
    let distance = plane.distance(point);
    Nearest {
        point: point - plane.normal * distance,
        normal: plane.normal,
        distance,
        feature: Feature::Face(0),
        fallback: false,
    }
}

/// The nearest point of a triangle, whatever its facing; distance >= 0. From on it: along its front normal.
pub fn nearest_on_triangle(point: DVec3, triangle: &Triangle) -> Nearest {
    let view = TriangleView::of(point, triangle);
    if view.clear {
        view.nearest(point)
    } else {
        nearest_on_degenerate(point, triangle)
    }
}

/// The same for triangles without a usable face, points on their outline, and numbers whose squares leave the range of `f64`.
pub(crate) fn nearest_on_degenerate(point: DVec3, triangle: &Triangle) -> Nearest {
    let normal = triangle_normal(triangle);
    if let Some(normal) = normal
        && projects_inside(point, triangle, normal)
    {
        let height = (point - triangle.a).dot(normal);
        return Nearest {
            point: point - normal * height,
            normal: if height < 0.0 { -normal } else { normal },
            distance: height.abs(),
            feature: Feature::Face(0),
            fallback: false,
        };
    }
    let (on_edge, feature) = closest_point_on_outline(point, triangle);
    let mut nearest = nearest_on_point(point, on_edge);
    nearest.feature = feature;
    if nearest.fallback {
        nearest.normal = normal.unwrap_or_else(|| across(longest_edge(triangle)));
        nearest.fallback = normal.is_none();
    }
    nearest
}

/// The direction of a triangle's longest edge, not normalised.
pub(crate) fn longest_edge(triangle: &Triangle) -> DVec3 {
    let edges = super::closest_point::triangle_edges(triangle).map(|edge| edge.b - edge.a);
    edges.into_iter().fold(DVec3::ZERO, |longest, edge| {
        if edge.length_squared() > longest.length_squared() {
            edge
        } else {
            longest
        }
    })
}

/// Is `point` on a side of the triangle that collides? One-sided triangles reject what is strictly behind their plane, by
/// however little; degenerate ones have no sides and reject nothing.
pub fn on_colliding_side(point: DVec3, triangle: &Triangle) -> bool {
    match (triangle.facing, triangle_normal(triangle)) {
        (Facing::Both, _) | (_, None) => true,
        (Facing::Front, Some(_)) => side_of(point, triangle) != Ordering::Less,
    }
}

/// The same for a triangle that stands at a pose; the point is given in the world, and lies at `local` up to rounding.
pub(crate) fn on_colliding_side_at(
    world: DVec3,
    local: DVec3,
    triangle: &Triangle,
    pose: &Pose,
) -> bool {
    if *pose == Pose::IDENTITY {
        return on_colliding_side(local, triangle);
    }
    let (Facing::Front, Some(normal)) = (triangle.facing, triangle_normal(triangle)) else {
        return true;
    };
    let height = (local - triangle.a).dot(normal);
    let size = noise_of(&[local, triangle.a, triangle.b, triangle.c]);
    if height.abs() > size * slimness(triangle) {
        return height > 0.0;
    }
    ExactFrame::of(pose).side(world, triangle) != Ordering::Less
}

/// On which side of a triangle's plane a point lies, exactly: Greater in front, by the right-hand rule over a, b, c.
///
/// The determinant of the three differences decides outside its error bound (Shewchuk 1997), exact arithmetic inside it.
pub(crate) fn side_of(point: DVec3, triangle: &Triangle) -> Ordering {
    let [a, b, c] = [triangle.a, triangle.b, triangle.c].map(|corner| corner - point);
    let (volume, size) = (a.dot(b.cross(c)), volume_bound(a, b, c));
    if volume.abs() > size {
        // Seen from the front, the corners go round against the clock: their volume from there is negative.
        return 0.0_f64.total_cmp(&volume);
    }
    exact_side(point, triangle)
}

/// How far off the determinant of three differences of coordinates may be; never zero.
pub(crate) fn volume_bound(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    let (a, b, c) = (a.abs(), b.abs(), c.abs());
    let minors = DVec3::new(
        b.y * c.z + b.z * c.y,
        b.z * c.x + b.x * c.z,
        b.x * c.y + b.y * c.x,
    );
    16.0 * f64::EPSILON * a.dot(minors) + f64::MIN_POSITIVE
}

/// Of a box around the origin, in the box's own frame. Inside: the nearest face; equal faces go to y before x before z,
/// positive before negative, and are a fallback.
pub fn nearest_on_box(point: DVec3, half_extents: DVec3) -> Nearest {
    let clamped = point.max(-half_extents).min(half_extents);
    let outside = point - clamped;
    if let Some((normal, distance)) = direction_and_length(outside) {
        return Nearest {
            point: clamped,
            normal,
            distance,
            feature: box_feature(outside, point),
            fallback: false,
        };
    }
    let inward = point.abs() - half_extents;
    let mut axis = 1;
    let mut ties = 0;
    for other in [0, 2] {
        if inward[other] > inward[axis] {
            axis = other;
            ties = 0;
        } else if inward[other] == inward[axis] {
            ties += 1;
        }
    }
    let positive = point[axis] >= 0.0;
    let mut normal = DVec3::ZERO;
    normal[axis] = if positive { 1.0 } else { -1.0 };
    let mut on_face = point;
    on_face[axis] = half_extents[axis] * normal[axis];
    Nearest {
        point: on_face,
        normal,
        distance: inward[axis],
        feature: Feature::Face(2 * axis as u32 + u32::from(positive)),
        fallback: ties > 0 || point[axis] == 0.0,
    }
}

/// The feature of a box by the axes on which a point lies beyond it.
fn box_feature(outside: DVec3, point: DVec3) -> Feature {
    box_part(part_number(outside, point))
}

/// The axes on which a point lies beyond a box (bits 0, 1, 2), and on which it is on the positive side (bits 3, 4, 5).
#[inline(always)]
pub(crate) fn part_number(outside: DVec3, point: DVec3) -> u64 {
    let bit = |set: bool, bit: u64| if set { bit } else { 0 };
    (bit(outside.x != 0.0, 1) | bit(outside.y != 0.0, 2) | bit(outside.z != 0.0, 4))
        | (bit(point.x > 0.0, 8) | bit(point.y > 0.0, 16) | bit(point.z > 0.0, 32))
}

/// The feature of a box by its number.
#[inline(always)]
pub(crate) fn box_part(number: u64) -> Feature {
    const PARTS: [Feature; 64] = {
        let mut parts = [Feature::Round; 64];
        let mut number = 0;
        while number < 64 {
            parts[number as usize] = named_part(number);
            number += 1;
        }
        parts
    };
    PARTS[(number & 63) as usize]
}

const fn named_part(number: u32) -> Feature {
    let (x, y, z) = (number >> 3 & 1, number >> 4 & 1, number >> 5 & 1);
    match number & 7 {
        0b111 => Feature::Vertex(x | y << 1 | z << 2),
        // An edge runs along the axis on which the point is not beyond; the other two give its bits, lower axis first.
        0b110 => Feature::Edge(y | z << 1),
        0b101 => Feature::Edge(4 + (x | z << 1)),
        0b011 => Feature::Edge(8 + (x | y << 1)),
        0b001 => Feature::Face(x),
        0b010 => Feature::Face(2 + y),
        _ => Feature::Face(4 + z),
    }
}
