//! Do two things touch or overlap? Yes or no, inclusive, without a push, and exact; squares are compared where they decide.
//!
//! Any two shapes: [`overlaps`](super::overlaps). Spheres: [`super::contact::overlaps_sphere_sphere`].

use super::closest_point::closest_point_on_aabb;
use super::contact::contact_sphere_obb;
use super::distance::distance_squared_point_point;
use super::exact::{ExactFrame, compare_distance, exact_point};
use super::sweep::noise_of;
use crate::core::shape::{Aabb, Obb, Sphere};
use crate::core::tolerance::{NOISE_ULPS, SMALLEST_SQUARE};
use glam::DVec3;
use std::cmp::Ordering;

pub use super::contact::overlaps_sphere_sphere;

/// `min <= p <= max` on every axis.
pub fn overlaps_point_aabb(point: DVec3, aabb: &Aabb) -> bool {
    aabb.contains(point)
}

/// The same in the box's own frame.
pub fn overlaps_point_obb(point: DVec3, obb: &Obb) -> bool {
    let local = obb.pose().point_to_local(point);
    let beyond = (local.abs() - obb.half_extents).max_element();
    if beyond.abs() <= noise_of(&[local, obb.half_extents]) && point.is_finite() {
        let frame = ExactFrame::of(&obb.pose());
        let body = frame.cuboid(point, obb.half_extents);
        return frame.compare(&body, [0.0, 0.0]) != Ordering::Greater;
    }
    beyond <= 0.0
}

/// `|p - c|^2 <= r^2`.
pub fn overlaps_point_sphere(point: DVec3, sphere: &Sphere) -> bool {
    let square = distance_squared_point_point(point, sphere.center);
    let limit = sphere.radius * sphere.radius;
    if is_sure(square, limit, limit) {
        return square <= limit;
    }
    let finite = point.is_finite() && sphere.center.is_finite() && sphere.radius.is_finite();
    finite
        && compare_distance(&exact_point(point, sphere.center), [sphere.radius, 0.0])
            != Ordering::Greater
}

/// Do two squares of sums of this square differ by more than their rounding, and has neither left the range of `f64`?
fn is_sure(square: f64, limit: f64, size: f64) -> bool {
    (SMALLEST_SQUARE..1.0 / SMALLEST_SQUARE).contains(&limit)
        && (square - limit).abs() > NOISE_ULPS * f64::EPSILON * size
}

/// On all three axes.
pub fn overlaps_aabb_aabb(a: &Aabb, b: &Aabb) -> bool {
    a.overlaps(b)
}

/// `|c - clamp(c)|^2 <= r^2`.
pub fn overlaps_sphere_aabb(sphere: &Sphere, aabb: &Aabb) -> bool {
    // Clamping rounds nothing.
    overlaps_point_sphere(closest_point_on_aabb(sphere.center, aabb), sphere)
}

/// The same in the box's own frame.
pub fn overlaps_sphere_obb(sphere: &Sphere, obb: &Obb) -> bool {
    let local = obb.pose().point_to_local(sphere.center);
    let beyond = (local.abs() - obb.half_extents).max(DVec3::ZERO);
    let (square, limit) = (beyond.length_squared(), sphere.radius * sphere.radius);
    let size = local.length_squared() + obb.half_extents.length_squared() + limit;
    if is_sure(square, limit, size) {
        return square <= limit;
    }
    contact_sphere_obb(sphere, obb, &mut ()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    const UNIT: Aabb = Aabb {
        min: DVec3::ZERO,
        max: DVec3::ONE,
    };

    #[test]
    fn surfaces_belong_to_what_they_bound() {
        assert!(overlaps_point_aabb(DVec3::new(1.0, 0.0, 0.5), &UNIT));
        assert!(!overlaps_point_aabb(
            DVec3::new(1.0 + 1e-15, 0.0, 0.5),
            &UNIT
        ));
        let ball = Sphere {
            center: DVec3::ZERO,
            radius: 7.0,
        };
        assert!(overlaps_point_sphere(DVec3::new(2.0, 3.0, 6.0), &ball));
        assert!(!overlaps_point_sphere(
            DVec3::new(2.0, 3.0, 6.0 + 1e-14),
            &ball
        ));
        let obb = Obb {
            center: DVec3::X,
            half_extents: DVec3::ONE,
            rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4),
        };
        assert!(overlaps_point_obb(DVec3::new(1.0, 1.41, 0.0), &obb));
        assert!(!overlaps_point_obb(DVec3::new(1.9, 0.9, 0.0), &obb));
        assert!(overlaps_point_obb(DVec3::new(1.0, 0.0, 1.0), &obb));
    }

    #[test]
    fn boxes_and_balls_touch_inclusively() {
        let beside = Aabb {
            min: DVec3::new(1.0, 0.5, -3.0),
            max: DVec3::new(2.0, 0.75, 9.0),
        };
        assert!(overlaps_aabb_aabb(&UNIT, &beside));
        // 3, 4 from the corner: a ball of radius 5 touches it, and passes every axis test well before.
        let corner = |radius: f64| Sphere {
            center: DVec3::new(4.0, 5.0, 0.5),
            radius,
        };
        assert!(overlaps_sphere_aabb(&corner(5.0), &UNIT));
        assert!(!overlaps_sphere_aabb(&corner(4.999_999), &UNIT));
        let obb = Obb {
            center: DVec3::splat(0.5),
            half_extents: DVec3::splat(0.5),
            rotation: DQuat::IDENTITY,
        };
        assert!(overlaps_sphere_obb(&corner(5.0), &obb));
        assert!(!overlaps_sphere_obb(&corner(4.999_999), &obb));
    }
}
