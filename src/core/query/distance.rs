//! Distances of points, in two and three dimensions, with the squared forms for where two lengths are only compared.
//!
//! Metres, never negative: a point inside a solid is at distance 0. For distances of shapes, negative inside, see
//! [`gap`](super::gap). Squares of lengths beyond 1e154 overflow, below 1e-162 they are 0. A number that is not finite gives one
//! that is none.

use super::Trace;
use super::closest_point::{
    closest_point_on_aabb_traced, closest_point_on_obb_traced, closest_point_on_segment_traced,
    closest_point_on_triangle_traced,
};
use super::in_range::is_refused;
use super::tell::vector;
use crate::core::shape::{Aabb, Capsule, Obb, Plane, Segment, Sphere, Triangle};
use glam::{DVec2, DVec3};

/// Distance of two points of a plane, metres: `sqrt((b.x - a.x)^2 + (b.y - a.y)^2)`.
pub fn distance_point_point_2d(a: DVec2, b: DVec2, trace: &mut impl Trace) -> f64 {
    root(distance_squared_point_point_2d(a, b, trace), trace)
}

/// `(b.x - a.x)^2 + (b.y - a.y)^2`, square metres: enough to compare two lengths.
pub fn distance_squared_point_point_2d(a: DVec2, b: DVec2, trace: &mut impl Trace) -> f64 {
    let way = b - a;
    trace.step("Differences", &[("x", way.x), ("y", way.y)]);
    squared(way.length_squared(), trace)
}

/// Distance of two points, metres: `sqrt((b.x - a.x)^2 + (b.y - a.y)^2 + (b.z - a.z)^2)`.
pub fn distance_point_point(a: DVec3, b: DVec3, trace: &mut impl Trace) -> f64 {
    root(distance_squared_point_point(a, b, trace), trace)
}

/// `|b - a|^2`, square metres: enough to compare two lengths.
pub fn distance_squared_point_point(a: DVec3, b: DVec3, trace: &mut impl Trace) -> f64 {
    let way = b - a;
    trace.step("Differences", &vector(way));
    squared(way.length_squared(), trace)
}

/// Squared distance of a point from a segment, square metres. A zero-length segment is its end.
pub fn distance_squared_point_segment(
    point: DVec3,
    segment: &Segment,
    trace: &mut impl Trace,
) -> f64 {
    if is_refused(&[&point, segment], trace) {
        return f64::NAN;
    }
    let (closest, _) = closest_point_on_segment_traced(point, segment, trace);
    distance_squared_point_point(point, closest, trace)
}

/// Distance of a point from a segment, metres. A zero-length segment is its end.
pub fn distance_point_segment(point: DVec3, segment: &Segment, trace: &mut impl Trace) -> f64 {
    root(distance_squared_point_segment(point, segment, trace), trace)
}

/// Distance of a point from a capsule, metres; 0 inside and on it.
pub fn distance_point_capsule(point: DVec3, capsule: &Capsule, trace: &mut impl Trace) -> f64 {
    if is_refused(&[&point, capsule], trace) {
        return f64::NAN;
    }
    let to_core = distance_point_segment(point, &capsule.segment, trace);
    less_radius(to_core, capsule.radius, trace)
}

/// Squared distance of a point from a triangle, square metres, from both sides; a degenerate triangle is its longest edge.
pub fn distance_squared_point_triangle(
    point: DVec3,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> f64 {
    if is_refused(&[&point, triangle], trace) {
        return f64::NAN;
    }
    let (closest, _) = closest_point_on_triangle_traced(point, triangle, trace);
    distance_squared_point_point(point, closest, trace)
}

/// Distance of a point from a triangle, metres, from both sides; a degenerate triangle is its longest edge.
pub fn distance_point_triangle(point: DVec3, triangle: &Triangle, trace: &mut impl Trace) -> f64 {
    root(
        distance_squared_point_triangle(point, triangle, trace),
        trace,
    )
}

/// Squared distance of a point from an axis-aligned box, square metres; 0 inside and on it.
pub fn distance_squared_point_aabb(point: DVec3, aabb: &Aabb, trace: &mut impl Trace) -> f64 {
    if is_refused(&[&point, aabb], trace) {
        return f64::NAN;
    }
    let closest = closest_point_on_aabb_traced(point, aabb, trace);
    distance_squared_point_point(point, closest, trace)
}

/// Distance of a point from an axis-aligned box, metres; 0 inside and on it.
pub fn distance_point_aabb(point: DVec3, aabb: &Aabb, trace: &mut impl Trace) -> f64 {
    root(distance_squared_point_aabb(point, aabb, trace), trace)
}

/// Squared distance of a point from a rotated box, square metres; 0 inside and on it.
pub fn distance_squared_point_obb(point: DVec3, obb: &Obb, trace: &mut impl Trace) -> f64 {
    if is_refused(&[&point, obb], trace) {
        return f64::NAN;
    }
    let closest = closest_point_on_obb_traced(point, obb, trace);
    distance_squared_point_point(point, closest, trace)
}

/// Distance of a point from a rotated box, metres; 0 inside and on it.
pub fn distance_point_obb(point: DVec3, obb: &Obb, trace: &mut impl Trace) -> f64 {
    root(distance_squared_point_obb(point, obb, trace), trace)
}

/// Distance of a point from a sphere, metres; 0 inside and on it.
pub fn distance_point_sphere(point: DVec3, sphere: &Sphere, trace: &mut impl Trace) -> f64 {
    if is_refused(&[&point, sphere], trace) {
        return f64::NAN;
    }
    let to_center = distance_point_point(point, sphere.center, trace);
    less_radius(to_center, sphere.radius, trace)
}

/// Distance of a point from a half space, metres; 0 on its plane and behind it. The signed distance is [`Plane::distance`].
pub fn distance_point_plane(point: DVec3, plane: &Plane, trace: &mut impl Trace) -> f64 {
    if is_refused(&[&point, plane], trace) {
        return f64::NAN;
    }
    let signed = plane.distance(point);
    trace.step("PlaneDistance", &[("distance", signed)]);
    signed.max(0.0)
}

fn squared(squared: f64, trace: &mut impl Trace) -> f64 {
    trace.step("Squared", &[("squared", squared)]);
    squared
}

fn root(squared: f64, trace: &mut impl Trace) -> f64 {
    let distance = squared.sqrt();
    trace.step("Distance", &[("distance", distance)]);
    distance
}

fn less_radius(distance: f64, radius: f64, trace: &mut impl Trace) -> f64 {
    let outside = distance - radius;
    let numbers = [("distance", outside), ("radius", radius)];
    trace.step("BeyondRadius", &numbers);
    outside.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Facing;
    use glam::DQuat;

    #[test]
    fn right_triangles_have_whole_sides() {
        assert_eq!(
            distance_point_point_2d(DVec2::new(1.0, 1.0), DVec2::new(4.0, 5.0), &mut ()),
            5.0
        );
        assert_eq!(
            distance_squared_point_point_2d(DVec2::ZERO, DVec2::new(3.0, -4.0), &mut ()),
            25.0
        );
        let corner = DVec3::new(2.0, 3.0, 6.0);
        assert_eq!(distance_point_point(DVec3::ZERO, corner, &mut ()), 7.0);
        assert_eq!(
            distance_squared_point_point(corner, DVec3::ZERO, &mut ()),
            49.0
        );
    }

    #[test]
    fn shapes_are_as_far_as_their_nearest_point() {
        let point = DVec3::new(4.0, 5.0, 0.0);
        let segment = Segment {
            a: DVec3::ZERO,
            b: DVec3::X,
        };
        assert!((distance_point_segment(point, &segment, &mut ()) - 34.0_f64.sqrt()).abs() < 1e-15);
        let triangle = Triangle {
            a: DVec3::ZERO,
            b: DVec3::X,
            c: DVec3::Z,
            facing: Facing::Front,
        };
        let over = DVec3::new(0.25, -3.0, 0.25);
        assert!((distance_point_triangle(over, &triangle, &mut ()) - 3.0).abs() < 1e-15);
        let aabb = Aabb {
            min: DVec3::NEG_ONE,
            max: DVec3::ONE,
        };
        assert_eq!(distance_point_aabb(point, &aabb, &mut ()), 5.0);
        assert_eq!(distance_point_aabb(DVec3::splat(0.5), &aabb, &mut ()), 0.0);
        let obb = Obb {
            center: DVec3::X,
            half_extents: DVec3::ONE,
            rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4),
        };
        let above = DVec3::new(1.0, 3.0, 0.0);
        let expected = 3.0 - 2.0_f64.sqrt();
        assert!((distance_point_obb(above, &obb, &mut ()) - expected).abs() < 1e-15);
        let sphere = Sphere {
            center: DVec3::ZERO,
            radius: 1.0,
        };
        assert_eq!(distance_point_sphere(DVec3::Y * 4.0, &sphere, &mut ()), 3.0);
        assert_eq!(distance_point_sphere(DVec3::Y * 0.5, &sphere, &mut ()), 0.0);
        let rod = Capsule {
            segment,
            radius: 0.5,
        };
        // 3, 4 from the end; and on the core.
        assert_eq!(
            distance_point_capsule(DVec3::new(4.0, 4.0, 0.0), &rod, &mut ()),
            4.5
        );
        assert_eq!(distance_point_capsule(DVec3::X * 0.5, &rod, &mut ()), 0.0);
        let ground = Plane {
            normal: DVec3::Y,
            offset: 1.0,
        };
        assert_eq!(distance_point_plane(point, &ground, &mut ()), 4.0);
        assert_eq!(distance_point_plane(DVec3::ZERO, &ground, &mut ()), 0.0);
    }
}
