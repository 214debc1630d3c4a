//! Two axis-aligned boxes: the axis of least overlap, signed toward the nearer side.

use crate::core::query::in_range::is_refused;
use crate::core::query::{Contact, Feature, Trace};
use crate::core::shape::Aabb;
use glam::DVec3;

/// The contact of two axis-aligned boxes; inclusive. `None` when they are apart on some axis.
///
/// On each axis the first may leave forward, by `b.max - a.min`, or backward, by `a.max - b.min`; the shortest of the six is
/// the push. Equals go to y before x before z, forward before backward; both ways of one axis being equal is a fallback.
pub fn contact_aabb_aabb(a: &Aabb, b: &Aabb, trace: &mut impl Trace) -> Option<Contact> {
    if is_refused(&[a, b], trace) {
        return None;
    }
    let (forward, backward) = (b.max - a.min, a.max - b.min);
    let overlap = forward.min(backward);
    trace.step(
        "OverlapPerAxis",
        &[("x", overlap.x), ("y", overlap.y), ("z", overlap.z)],
    );
    // Written so that what is not a number is apart.
    if !overlap.cmpge(DVec3::ZERO).all() {
        trace.step("SeparatedOnAxis", &[("distance", -overlap.min_element())]);
        return None;
    }
    let axis = [0, 2].into_iter().fold(1, |best, axis| {
        if overlap[axis] < overlap[best] {
            axis
        } else {
            best
        }
    });
    let positive = forward[axis] <= backward[axis];
    let mut normal = DVec3::ZERO;
    normal[axis] = if positive { 1.0 } else { -1.0 };
    let mut point = a.min.max(b.min).midpoint(a.max.min(b.max));
    point[axis] = if positive { b.max[axis] } else { b.min[axis] };
    trace.step(
        "LeastOverlap",
        &[("axis", axis as f64), ("depth", overlap[axis])],
    );
    let face = |positive: bool| Feature::Face(2 * axis as u32 + u32::from(positive));
    Some(Contact {
        point,
        normal,
        depth: overlap[axis],
        feature_a: face(!positive),
        feature_b: face(positive),
        triangle: None,
        fallback: forward[axis] == backward[axis],
        via_bounding_sphere: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::query::polytope::{Polytope, contact_polytope_polytope};
    use crate::core::query::{Steps, contact::contact_sphere_aabb};
    use crate::core::shape::{Obb, Sphere};
    use glam::DQuat;

    fn aabb(min: [f64; 3], max: [f64; 3]) -> Aabb {
        Aabb {
            min: DVec3::from_array(min),
            max: DVec3::from_array(max),
        }
    }

    #[test]
    fn the_push_goes_to_the_nearer_side() {
        let table = aabb([0.0; 3], [4.0, 1.0, 4.0]);
        // 0.25 in from above; 0.75 in from the left; inside, nearest to the right.
        for (other, push) in [
            (aabb([1.0, 0.75, 1.0], [2.0, 2.0, 2.0]), DVec3::Y * 0.25),
            (aabb([-2.0, -3.0, 1.0], [0.75, 3.0, 2.0]), DVec3::X * -0.75),
            (aabb([3.0, -9.0, 1.5], [3.5, 9.0, 2.5]), DVec3::X * 1.0),
            (aabb([1.0, 1.0, 1.0], [2.0, 2.0, 2.0]), DVec3::ZERO),
        ] {
            let found = contact_aabb_aabb(&other, &table, &mut ()).unwrap();
            assert_eq!(found.push(), push);
            assert!(!found.fallback);
            let back = contact_aabb_aabb(&table, &other, &mut ()).unwrap();
            assert_eq!(back.push(), -push);
        }
        let apart = aabb([1.0, 1.5, 1.0], [2.0, 2.0, 2.0]);
        let mut steps = Steps::default();
        assert_eq!(contact_aabb_aabb(&apart, &table, &mut steps), None);
        assert_eq!(
            (steps.0[1].name, steps.0[1].numbers[0]),
            ("SeparatedOnAxis", ("distance", 0.5))
        );
        let same = contact_aabb_aabb(&table, &table, &mut ()).unwrap();
        assert_eq!((same.push(), same.fallback), (DVec3::Y, true));
    }

    #[test]
    fn it_is_what_separating_axes_say() {
        let mut state = 2_463_534_242_u64;
        let mut unit = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for _ in 0..500 {
            let mut random = || {
                let center = DVec3::new(unit(), unit(), unit()) * 2.0;
                let half = DVec3::new(unit(), unit(), unit()) + DVec3::splat(0.01);
                let rotation = DQuat::IDENTITY;
                let aabb = Aabb {
                    min: center - half,
                    max: center + half,
                };
                let obb = Obb {
                    center,
                    half_extents: half,
                    rotation,
                };
                (aabb, Polytope::from_obb(&obb))
            };
            let ((a, body_a), (b, body_b)) = (random(), random());
            let found = contact_aabb_aabb(&a, &b, &mut ());
            let expected = contact_polytope_polytope(&body_a, &body_b, &mut ());
            assert_eq!(found.is_some(), expected.is_some());
            if let (Some(found), Some(expected)) = (found, expected) {
                assert!((found.depth - expected.depth).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_box_is_no_ball() {
        // The ball beside the corner passes the axes of its own box and still misses.
        let cube = aabb([0.0; 3], [1.0; 3]);
        let ball = Sphere {
            center: DVec3::new(1.8, 1.8, 0.5),
            radius: 1.0,
        };
        assert!(contact_aabb_aabb(&ball.aabb(), &cube, &mut ()).is_some());
        assert_eq!(contact_sphere_aabb(&ball, &cube, &mut ()), None);
    }
}
