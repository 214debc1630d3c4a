//! The surface of a core that is nearest to a point.

use super::super::closest_point::{
    closest_point_on_outline, closest_point_on_segment, direction_and_length, projects_inside,
    segment_feature, triangle_edges,
};
use super::super::operand::{Core, Cuboid, Face, PosedSolid};
pub(crate) use crate::core::shape::SurfacePoint as Nearest;
use crate::core::shape::{Feature, Placed, Segment, Solid, Sphere, Triangle};
use crate::core::tolerance::ON_AXIS;
use glam::DVec3;

/// The nearest surface of a core; `None` for a solid without a formula.
#[inline]
pub(crate) fn nearest(point: DVec3, core: &Core<'_>) -> Option<Nearest> {
    match core {
        Core::Point(center) => Some(nearest_on_point(point, *center)),
        Core::Segment(segment) => Some(nearest_on_segment(point, segment)),
        Core::Triangle(face) => Some(nearest_on_face(point, face)),
        Core::Cuboid(cuboid) => Some(nearest_on_cuboid(point, cuboid)),
        Core::Solid(posed) => nearest_on_solid(point, posed),
    }
}

/// The nearest surface of the core of a round shape or a box, its radius, and its largest coordinate; `None` for all others.
#[inline]
pub(crate) fn nearest_placed(point: DVec3, placed: &Placed<'_>) -> Option<(Nearest, f64, f64)> {
    match placed {
        Placed::Sphere(Sphere { center, radius }) => {
            let largest = center.abs().max_element() + radius;
            Some((nearest_on_point(point, *center), *radius, largest))
        }
        Placed::Obb(obb) => {
            let largest = (obb.center.abs() + obb.half_extents).max_element();
            Some((nearest_on_cuboid(point, &Cuboid::of(obb)), 0.0, largest))
        }
        Placed::Solid(solid, pose) => {
            let posed = PosedSolid::new(solid, pose);
            let nearest = nearest_on_solid(point, &posed)?;
            let largest = pose.position.abs().max_element() + solid.bounding_radius();
            Some((nearest, solid.radius(), largest))
        }
        _ => None,
    }
}

/// A single point; of equal points the direction is +Y.
#[inline]
pub(crate) fn nearest_on_point(point: DVec3, center: DVec3) -> Nearest {
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

/// Distance >= 0. From on the segment: +Y made perpendicular to it, +X where it is within 2.6 degrees of vertical, +Y where it has
/// no length.
pub(crate) fn nearest_on_segment(point: DVec3, segment: &Segment) -> Nearest {
    let (on_segment, s) = closest_point_on_segment(point, segment);
    let mut nearest = nearest_on_point(point, on_segment);
    nearest.feature = segment_feature(s);
    if is_rounding(nearest.distance, [segment.a, segment.b]) {
        nearest.normal = across(segment.b - segment.a);
        nearest.fallback = true;
    }
    nearest
}

/// True for a distance between points so near to each other that its direction is only rounding of these places.
pub(crate) fn is_rounding<const N: usize>(distance: f64, places: [DVec3; N]) -> bool {
    let largest = places
        .iter()
        .fold(DVec3::ZERO, |most, at| most.max(at.abs()));
    distance <= ON_AXIS * largest.max_element()
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
    let across = preferred - axis * axis.dot(preferred);
    across.try_normalize().unwrap_or(DVec3::Y)
}

/// Distance >= 0, whatever the facing. From on the triangle: along its front normal.
pub(crate) fn nearest_on_face(point: DVec3, Face { triangle, normal }: &Face) -> Nearest {
    let normal = *normal;
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
    if is_rounding(nearest.distance, [triangle.a, triangle.b, triangle.c]) {
        nearest.normal = normal.unwrap_or_else(|| across(longest_edge(triangle)));
        nearest.fallback = normal.is_none();
    }
    nearest
}

/// The longest edge of a triangle, as a vector.
fn longest_edge(triangle: &Triangle) -> DVec3 {
    let edges = triangle_edges(triangle).map(|edge| edge.b - edge.a);
    edges.into_iter().fold(DVec3::ZERO, |longest, edge| {
        if edge.length_squared() > longest.length_squared() {
            edge
        } else {
            longest
        }
    })
}

#[inline]
fn nearest_on_cuboid(point: DVec3, cuboid: &Cuboid) -> Nearest {
    let local = nearest_on_box(cuboid.to_local(point), cuboid.half_extents);
    Nearest {
        point: cuboid.to_world(local.point),
        normal: cuboid.axes * local.normal,
        ..local
    }
}

#[inline]
fn nearest_on_solid(point: DVec3, posed: &PosedSolid<'_>) -> Option<Nearest> {
    // A hull has none, and needs no place.
    posed.solid.axis()?;
    let to_local = posed.axes.transpose();
    let local = posed.solid.nearest(to_local * (point - posed.position))?;
    Some(Nearest {
        point: posed.position + posed.axes * local.point,
        normal: posed.axes * local.normal,
        ..local
    })
}

/// Of a box around the origin, in the box's own frame. Inside: the nearest face; equal faces go to y before x before z,
/// positive before negative. A box without extent along two axes is a line, and the direction out of it is a fallback.
pub(crate) fn nearest_on_box(point: DVec3, half_extents: DVec3) -> Nearest {
    let clamped = point.max(-half_extents).min(half_extents);
    let outside = point - clamped;
    if let Some((normal, distance)) = direction_and_length(outside) {
        return Nearest {
            point: clamped,
            normal,
            distance,
            feature: box_region(outside, point),
            fallback: false,
        };
    }
    let inward = point.abs() - half_extents;
    let mut axis = 1;
    for other in [0, 2] {
        if inward[other] > inward[axis] {
            axis = other;
        }
    }
    let extents = half_extents.to_array();
    let thin = extents.iter().filter(|half| **half == 0.0).count();
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
        fallback: thin > 1,
    }
}

/// The feature of a box by the axes on which a point lies beyond it.
fn box_region(outside: DVec3, point: DVec3) -> Feature {
    let positive = |axis: usize| u32::from(point[axis] > 0.0);
    match [0, 1, 2].map(|axis| outside[axis] != 0.0) {
        [true, true, true] => Feature::Vertex(positive(0) | positive(1) << 1 | positive(2) << 2),
        // An edge runs along the axis on which the point is not beyond; the other two give its bits, lower axis first.
        [false, true, true] => Feature::Edge(positive(1) | positive(2) << 1),
        [true, false, true] => Feature::Edge(4 + (positive(0) | positive(2) << 1)),
        [true, true, false] => Feature::Edge(8 + (positive(0) | positive(1) << 1)),
        [true, false, false] => Feature::Face(positive(0)),
        [false, true, false] => Feature::Face(2 + positive(1)),
        _ => Feature::Face(4 + positive(2)),
    }
}
