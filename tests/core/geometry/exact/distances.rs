//! Distances of flat shapes just before they touch, and closest approaches, against integers of any length.

use super::oracle::{beyond_radius, minus, nearest, power_of, unit, whole_vector};
use super::stats::bound_of;
use crate::common::random::Random;
use crate::common::rounds;
use glam::DVec3;
use hitstop::core::query::{closest_approach, gap, overlaps};
use hitstop::core::shape::{ConvexHull, Facing, Motion, Pose, Shape, SolidShape, Triangle};
use num_bigint::BigInt;
use std::sync::Arc;

/// A shape by its corners: a triangle of three, a hull of more.
fn shape_of(corners: &[DVec3]) -> Option<Shape> {
    Some(match *corners {
        [a, b, c] => Shape::Triangle(Triangle {
            a,
            b,
            c,
            facing: Facing::Both,
        }),
        _ => Shape::Solid(SolidShape::Hull(Arc::new(
            ConvexHull::new(corners.to_vec(), 0.0).ok()?,
        ))),
    })
}

/// The exact distance of two convex shapes by their corners: that of the origin from the hull of the corners' differences. Metres; 0 in
/// overlap.
fn distance(one: &[DVec3], other: &[DVec3]) -> f64 {
    let numbers = one.iter().chain(other).flat_map(|at| at.to_array());
    let power = power_of(numbers);
    let [one, other] = [one, other].map(|points| {
        let whole = points.iter().map(|&at| whole_vector(at, power));
        whole.collect::<Vec<_>>()
    });
    let differences = one
        .iter()
        .flat_map(|p| other.iter().map(|q| minus(p, q)))
        .collect::<Vec<_>>();
    let found = nearest(&differences);
    beyond_radius(&found.over, &found.under, &BigInt::from(0), &unit(power))
}

/// Corners around a place; some triangles are slivers, some edges and faces of both are parallel.
fn corners(random: &mut Random, count: usize, size: f64) -> Vec<DVec3> {
    let mut corners: Vec<DVec3> = (0..count).map(|_| random.point(size)).collect();
    if random.below(3) == 0 {
        let aside = random.point(0.01 * size);
        corners[1] = corners[0].lerp(corners[2], 0.3) + aside;
    }
    if random.below(4) == 0 {
        for corner in corners.iter_mut().take(3) {
            corner.y = 0.0;
        }
    }
    corners
}

/// Moves the first to a distance from the second, as nearly as its own gap is known.
fn bring(one: &mut [DVec3], other: &[DVec3], distance: f64) -> Option<()> {
    let (a, b) = (shape_of(one)?, shape_of(other)?);
    let found = gap(&a.placed(&Pose::IDENTITY), &b.placed(&Pose::IDENTITY))?;
    let by = found.normal * (distance - found.distance);
    for corner in one {
        *corner += by;
    }
    Some(())
}

#[test]
fn distances_just_before_a_touch() {
    let mut random = Random(0x5eed_0d15);
    let (mut worst, mut checked) = (0.0_f64, 0);
    for case in 0..rounds(1_500) {
        let counts = random.pick(&[[3, 3], [3, 3], [3, 4], [4, 4]]);
        let size = random.pick(&[0.1, 1.0, 4.0]);
        let other = corners(&mut random, counts[1], size);
        let away = random.point(size) + DVec3::Y * (3.0 * size);
        let mut one: Vec<DVec3> = corners(&mut random, counts[0], size);
        one.iter_mut().for_each(|corner| *corner += away);
        let near = size * 10.0_f64.powf(random.range(-14.0, -5.0));
        if bring(&mut one, &other, near).is_none() {
            continue;
        }
        let (Some(a), Some(b)) = (shape_of(&one), shape_of(&other)) else {
            continue;
        };
        let exact = distance(&one, &other);
        if exact <= 0.0 {
            continue;
        }
        let largest = one.iter().chain(&other).map(|at| at.abs().max_element());
        let bound = bound_of(largest.fold(0.0, f64::max));
        let (a, b) = (a.placed(&Pose::IDENTITY), b.placed(&Pose::IDENTITY));
        for (one_placed, other_placed) in [(&a, &b), (&b, &a)] {
            let found = gap(one_placed, other_placed).unwrap().distance;
            let off = (found - exact).abs() / bound;
            worst = worst.max(off);
            checked += 1;
            assert!(
                off <= 1.0,
                "case {case}: {found:e}, but it is {exact:e}, off by {off} bounds: {one:?} {other:?}"
            );
            assert!(exact <= 2.0 * bound || !overlaps(one_placed, other_placed));
        }
    }
    assert!(checked > rounds(1_500), "{checked}, at most {worst} bounds");
}

/// The least distance on the way of two triangles that pass is that of the corners' differences and the same moved on.
#[test]
fn closest_approaches_of_flat_shapes() {
    let mut random = Random(0x5eed_0a99);
    for case in 0..rounds(1_000) {
        let other = corners(&mut random, 3, 1.0);
        let mut one = corners(&mut random, 3, 1.0);
        let away = random.point(1.0) + DVec3::Y * 3.0;
        one.iter_mut().for_each(|corner| *corner += away);
        let step = random.point(4.0) - DVec3::Y;
        let (Some(a), Some(b)) = (shape_of(&one), shape_of(&other)) else {
            continue;
        };
        let swept: Vec<DVec3> = one.iter().map(|at| *at + step).chain(one.clone()).collect();
        let exact = distance(&swept, &other);
        let motion = Motion {
            start: Pose::IDENTITY,
            end: Pose::at(step),
        };
        let still = Motion::still(Pose::IDENTITY);
        let found = closest_approach(&a, &motion, &b, &still, &mut ()).unwrap();
        // The search ends at 1e-13 of the start's distance and the displacement.
        let allowed = 1e-13 * (away.length() + 4.0 + step.length()) + bound_of(12.0);
        assert!(
            (found.distance - exact).abs() <= allowed,
            "case {case}: {found:?} {exact:e} {one:?} {step} {other:?}"
        );
    }
}
