//! Do two things touch or overlap? Yes or no, inclusive, without a push, and exact; squares are compared where they decide.
//!
//! Any two shapes: [`overlaps`](super::overlaps). Spheres: [`super::contact::overlaps_sphere_sphere`]. For other pairs,
//! `contact_…(..).is_some()` answers the same.

use super::Trace;
use super::closest_point::closest_point_on_aabb_traced;
use super::contact::{contact_sphere_capsule, contact_sphere_obb};
use super::distance::distance_squared_point_point;
use super::exact::{ExactFrame, compare_distance, exact_point};
use super::in_range::is_refused;
use super::sweep::noise_of;
use super::tell::tell_beyond;
use crate::core::shape::{Aabb, Capsule, Obb, Sphere};
use crate::core::tolerance::{NOISE_ULPS, SMALLEST_SQUARE};
use glam::DVec3;
use std::cmp::Ordering;

pub use super::contact::overlaps_sphere_sphere;

/// Is a point in an axis-aligned box, its surface included? `min <= p <= max` on every axis.
pub fn overlaps_point_aabb(point: DVec3, aabb: &Aabb, trace: &mut impl Trace) -> bool {
    if is_refused(&[&point, aabb], trace) {
        return verdict(false, trace);
    }
    tell_beyond((aabb.min - point).max(point - aabb.max), trace);
    verdict(aabb.contains(point), trace)
}

/// Is a point in a rotated box, its surface included? `|p| <= h` on every axis of the box's own frame.
pub fn overlaps_point_obb(point: DVec3, obb: &Obb, trace: &mut impl Trace) -> bool {
    if is_refused(&[&point, obb], trace) {
        return verdict(false, trace);
    }
    let local = obb.pose().point_to_local(point);
    let each = local.abs() - obb.half_extents;
    tell_beyond(each, trace);
    let (beyond, noise) = (each.max_element(), noise_of(&[local, obb.half_extents]));
    if beyond.abs() <= noise {
        trace.step("DecidedExactly", &[("noise", noise)]);
        let frame = ExactFrame::of(&obb.pose());
        let body = frame.cuboid(point, obb.half_extents);
        return verdict(frame.compare(&body, [0.0, 0.0]) != Ordering::Greater, trace);
    }
    verdict(beyond <= 0.0, trace)
}

/// Is a point in a sphere, its surface included? `|p - c|^2 <= r^2`.
pub fn overlaps_point_sphere(point: DVec3, sphere: &Sphere, trace: &mut impl Trace) -> bool {
    let square = distance_squared_point_point(point, sphere.center, trace);
    let limit = sphere.radius * sphere.radius;
    trace.step("Squares", &[("squared", square), ("limit", limit)]);
    if is_sure(square, limit, limit) {
        return verdict(square <= limit, trace);
    }
    if is_refused(&[&point, sphere], trace) {
        return verdict(false, trace);
    }
    trace.step("DecidedExactly", &[]);
    let exact = compare_distance(&exact_point(point, sphere.center), [sphere.radius, 0.0]);
    verdict(exact != Ordering::Greater, trace)
}

/// Is a point in a capsule, its surface included? Its distance from the inner segment is at most the radius.
pub fn overlaps_point_capsule(point: DVec3, capsule: &Capsule, trace: &mut impl Trace) -> bool {
    let ball = Sphere {
        center: point,
        radius: 0.0,
    };
    let touch = contact_sphere_capsule(&ball, capsule, trace);
    verdict(touch.is_some(), trace)
}

/// Do two squares of sums of this square differ by more than their rounding, and has neither left the range of `f64`?
fn is_sure(square: f64, limit: f64, size: f64) -> bool {
    (SMALLEST_SQUARE..1.0 / SMALLEST_SQUARE).contains(&limit)
        && (square - limit).abs() > NOISE_ULPS * f64::EPSILON * size
}

/// Do two axis-aligned boxes touch or overlap? On all three axes, inclusively.
pub fn overlaps_aabb_aabb(a: &Aabb, b: &Aabb, trace: &mut impl Trace) -> bool {
    if is_refused(&[a, b], trace) {
        return verdict(false, trace);
    }
    tell_beyond((a.min - b.max).max(b.min - a.max), trace);
    verdict(a.overlaps(b), trace)
}

/// Does a sphere touch or overlap an axis-aligned box? `|c - clamp(c)|^2 <= r^2`.
pub fn overlaps_sphere_aabb(sphere: &Sphere, aabb: &Aabb, trace: &mut impl Trace) -> bool {
    if is_refused(&[sphere, aabb], trace) {
        return verdict(false, trace);
    }
    // Clamping rounds nothing.
    let closest = closest_point_on_aabb_traced(sphere.center, aabb, trace);
    overlaps_point_sphere(closest, sphere, trace)
}

/// Does a sphere touch or overlap a rotated box: is the centre, clamped to the box, within the radius?
pub fn overlaps_sphere_obb(sphere: &Sphere, obb: &Obb, trace: &mut impl Trace) -> bool {
    if is_refused(&[sphere, obb], trace) {
        return verdict(false, trace);
    }
    let local = obb.pose().point_to_local(sphere.center);
    tell_beyond(local.abs() - obb.half_extents, trace);
    let beyond = (local.abs() - obb.half_extents).max(DVec3::ZERO);
    let (square, limit) = (beyond.length_squared(), sphere.radius * sphere.radius);
    let size = local.length_squared() + obb.half_extents.length_squared() + limit;
    trace.step("Squares", &[("squared", square), ("limit", limit)]);
    if is_sure(square, limit, size) {
        return verdict(square <= limit, trace);
    }
    let contact = contact_sphere_obb(sphere, obb, trace);
    verdict(contact.is_some(), trace)
}

fn verdict(overlaps: bool, trace: &mut impl Trace) -> bool {
    trace.step(if overlaps { "Overlaps" } else { "Apart" }, &[]);
    overlaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Segment;
    use glam::DQuat;

    const UNIT: Aabb = Aabb {
        min: DVec3::ZERO,
        max: DVec3::ONE,
    };

    #[test]
    fn surfaces_belong_to_what_they_bound() {
        assert!(overlaps_point_aabb(
            DVec3::new(1.0, 0.0, 0.5),
            &UNIT,
            &mut ()
        ));
        assert!(!overlaps_point_aabb(
            DVec3::new(1.0 + 1e-15, 0.0, 0.5),
            &UNIT,
            &mut ()
        ));
        let ball = Sphere {
            center: DVec3::ZERO,
            radius: 7.0,
        };
        assert!(overlaps_point_sphere(
            DVec3::new(2.0, 3.0, 6.0),
            &ball,
            &mut ()
        ));
        assert!(!overlaps_point_sphere(
            DVec3::new(2.0, 3.0, 6.0 + 1e-14),
            &ball,
            &mut ()
        ));
        let obb = Obb {
            center: DVec3::X,
            half_extents: DVec3::ONE,
            rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4),
        };
        assert!(overlaps_point_obb(
            DVec3::new(1.0, 1.41, 0.0),
            &obb,
            &mut ()
        ));
        assert!(!overlaps_point_obb(
            DVec3::new(1.9, 0.9, 0.0),
            &obb,
            &mut ()
        ));
        assert!(overlaps_point_obb(DVec3::new(1.0, 0.0, 1.0), &obb, &mut ()));
        let rod = Capsule {
            segment: Segment {
                a: DVec3::ZERO,
                b: DVec3::X * 9.0,
            },
            radius: 5.0,
        };
        // 3, 4 beside the end, and beside the middle.
        let touching = [DVec3::new(-3.0, 4.0, 0.0), DVec3::new(2.0, 3.0, 4.0)];
        for point in touching {
            assert!(overlaps_point_capsule(point, &rod, &mut ()));
            assert!(!overlaps_point_capsule(
                point + DVec3::Y * 1e-15,
                &rod,
                &mut ()
            ));
        }
    }

    #[test]
    fn boxes_and_balls_touch_inclusively() {
        let beside = Aabb {
            min: DVec3::new(1.0, 0.5, -3.0),
            max: DVec3::new(2.0, 0.75, 9.0),
        };
        assert!(overlaps_aabb_aabb(&UNIT, &beside, &mut ()));
        // 3, 4 from the corner: a ball of radius 5 touches it, and passes every axis test well before.
        let corner = |radius: f64| Sphere {
            center: DVec3::new(4.0, 5.0, 0.5),
            radius,
        };
        assert!(overlaps_sphere_aabb(&corner(5.0), &UNIT, &mut ()));
        assert!(!overlaps_sphere_aabb(&corner(4.999_999), &UNIT, &mut ()));
        let obb = Obb {
            center: DVec3::splat(0.5),
            half_extents: DVec3::splat(0.5),
            rotation: DQuat::IDENTITY,
        };
        assert!(overlaps_sphere_obb(&corner(5.0), &obb, &mut ()));
        assert!(!overlaps_sphere_obb(&corner(4.999_999), &obb, &mut ()));
    }
}
