//! Distances of points, in two and three dimensions, with the squared forms for where two lengths are only compared.
//!
//! Metres, never negative: a point inside a solid is at distance 0. For distances of shapes, negative inside, see
//! [`gap`](super::gap).

use super::closest_point::{
    closest_point_on_aabb, closest_point_on_obb, closest_point_on_segment,
    closest_point_on_triangle,
};
use crate::core::shape::{Aabb, Obb, Plane, Segment, Sphere, Triangle};
use glam::{DVec2, DVec3};

/// `sqrt((b.x - a.x)^2 + (b.y - a.y)^2)`.
pub fn distance_point_point_2d(a: DVec2, b: DVec2) -> f64 {
    distance_squared_point_point_2d(a, b).sqrt()
}

/// Square metres.
pub fn distance_squared_point_point_2d(a: DVec2, b: DVec2) -> f64 {
    (b - a).length_squared()
}

/// `sqrt((b.x - a.x)^2 + (b.y - a.y)^2 + (b.z - a.z)^2)`.
pub fn distance_point_point(a: DVec3, b: DVec3) -> f64 {
    distance_squared_point_point(a, b).sqrt()
}

/// Square metres.
pub fn distance_squared_point_point(a: DVec3, b: DVec3) -> f64 {
    (b - a).length_squared()
}

/// A zero-length segment is its end.
pub fn distance_squared_point_segment(point: DVec3, segment: &Segment) -> f64 {
    distance_squared_point_point(point, closest_point_on_segment(point, segment).0)
}

/// A zero-length segment is its end.
pub fn distance_point_segment(point: DVec3, segment: &Segment) -> f64 {
    distance_squared_point_segment(point, segment).sqrt()
}

/// From both sides; a degenerate triangle is its longest edge.
pub fn distance_squared_point_triangle(point: DVec3, triangle: &Triangle) -> f64 {
    distance_squared_point_point(point, closest_point_on_triangle(point, triangle).0)
}

/// From both sides; a degenerate triangle is its longest edge.
pub fn distance_point_triangle(point: DVec3, triangle: &Triangle) -> f64 {
    distance_squared_point_triangle(point, triangle).sqrt()
}

/// 0 inside.
pub fn distance_squared_point_aabb(point: DVec3, aabb: &Aabb) -> f64 {
    distance_squared_point_point(point, closest_point_on_aabb(point, aabb))
}

/// 0 inside.
pub fn distance_point_aabb(point: DVec3, aabb: &Aabb) -> f64 {
    distance_squared_point_aabb(point, aabb).sqrt()
}

/// 0 inside.
pub fn distance_squared_point_obb(point: DVec3, obb: &Obb) -> f64 {
    distance_squared_point_point(point, closest_point_on_obb(point, obb))
}

/// 0 inside.
pub fn distance_point_obb(point: DVec3, obb: &Obb) -> f64 {
    distance_squared_point_obb(point, obb).sqrt()
}

/// 0 inside.
pub fn distance_point_sphere(point: DVec3, sphere: &Sphere) -> f64 {
    (distance_point_point(point, sphere.center) - sphere.radius).max(0.0)
}

/// 0 behind: a plane is the surface of a half space. The signed distance is [`Plane::distance`].
pub fn distance_point_plane(point: DVec3, plane: &Plane) -> f64 {
    plane.distance(point).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Facing;
    use glam::DQuat;

    #[test]
    fn right_triangles_have_whole_sides() {
        assert_eq!(
            distance_point_point_2d(DVec2::new(1.0, 1.0), DVec2::new(4.0, 5.0)),
            5.0
        );
        assert_eq!(
            distance_squared_point_point_2d(DVec2::ZERO, DVec2::new(3.0, -4.0)),
            25.0
        );
        let corner = DVec3::new(2.0, 3.0, 6.0);
        assert_eq!(distance_point_point(DVec3::ZERO, corner), 7.0);
        assert_eq!(distance_squared_point_point(corner, DVec3::ZERO), 49.0);
    }

    #[test]
    fn shapes_are_as_far_as_their_nearest_point() {
        let point = DVec3::new(4.0, 5.0, 0.0);
        let segment = Segment {
            a: DVec3::ZERO,
            b: DVec3::X,
        };
        assert!((distance_point_segment(point, &segment) - 34.0_f64.sqrt()).abs() < 1e-15);
        let triangle = Triangle {
            a: DVec3::ZERO,
            b: DVec3::X,
            c: DVec3::Z,
            facing: Facing::Front,
        };
        let over = DVec3::new(0.25, -3.0, 0.25);
        assert!((distance_point_triangle(over, &triangle) - 3.0).abs() < 1e-15);
        let aabb = Aabb {
            min: DVec3::NEG_ONE,
            max: DVec3::ONE,
        };
        assert_eq!(distance_point_aabb(point, &aabb), 5.0);
        assert_eq!(distance_point_aabb(DVec3::splat(0.5), &aabb), 0.0);
        let obb = Obb {
            center: DVec3::X,
            half_extents: DVec3::ONE,
            rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4),
        };
        let above = DVec3::new(1.0, 3.0, 0.0);
        let expected = 3.0 - 2.0_f64.sqrt();
        assert!((distance_point_obb(above, &obb) - expected).abs() < 1e-15);
        let sphere = Sphere {
            center: DVec3::ZERO,
            radius: 1.0,
        };
        assert_eq!(distance_point_sphere(DVec3::Y * 4.0, &sphere), 3.0);
        assert_eq!(distance_point_sphere(DVec3::Y * 0.5, &sphere), 0.0);
        let ground = Plane {
            normal: DVec3::Y,
            offset: 1.0,
        };
        assert_eq!(distance_point_plane(point, &ground), 4.0);
        assert_eq!(distance_point_plane(DVec3::ZERO, &ground), 0.0);
    }
}
