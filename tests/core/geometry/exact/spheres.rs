//! Spheres and capsules against arithmetic without rounding.

use super::oracle::{
    SpherePath, Truth, Whole, determinant, dot, minus, power_of, ratio, sign, unit, whole,
    whole_vector,
};
use super::placed::{contact_placed, sweep_placed};
use super::random::{Case, Random, case};
use super::stats::{MIX, Stats, bound_of, path_of, sphere_of, tolerance_of, tolerance_of_case};
use crate::common::rounds;
use glam::DVec3;
use hitstop::core::query::{overlaps, ray_cast_triangle};
use hitstop::core::shape::{Capsule, Facing, Placed, Plane, Segment, Sphere, Triangle};
use std::cmp::Ordering;

/// One table: `other` makes the second shape of a case.
fn table(count: u64, corners: usize, times: u32, other: impl Fn(&Case) -> Placed<'static>) {
    let mut stats = Stats::default();
    for seed in 0..rounds(count) {
        let mut case = case(seed, corners);
        if corners == 3 || corners == 2 && seed % 2 == 0 {
            case.radii[1] = 0.0;
        }
        let what = format!("seed {seed}, {}", case.kind);
        let (ball, other) = (Placed::Sphere(sphere_of(&case)), other(&case));
        check(&mut stats, &what, &path_of(&case), [&ball, &other], &case);
    }
    stats.check(&MIX, times, 0.25);
}

fn check(stats: &mut Stats, what: &str, path: &SpherePath, [a, b]: [&Placed<'_>; 2], case: &Case) {
    let (truth, tolerance) = (path.truth(), tolerance_of_case(case));
    let (d, e) = (case.displacement, case.other);
    let swept = sweep_placed(a, d, b, e);
    stats.sweep(what, &swept, &truth, tolerance, (d - e, || path.time()));
    let contact = contact_placed(a, b);
    stats.contact(what, contact, truth.start, tolerance);
    assert_eq!(contact.is_some(), overlaps(a, b), "{what}");
}

#[test]
fn pairs_of_spheres() {
    table(6000, 1, 200, |case| {
        Placed::Sphere(Sphere {
            center: case.corners[0],
            radius: case.radii[1],
        })
    });
}

#[test]
fn spheres_and_segments_and_capsules() {
    table(4000, 2, 300, |case| {
        let segment = Segment {
            a: case.corners[0],
            b: case.corners[1],
        };
        match case.radii[1] {
            0.0 => Placed::Segment(segment),
            radius => Placed::Capsule(Capsule { segment, radius }),
        }
    });
}

#[test]
fn spheres_and_triangles() {
    table(3000, 3, 200, |case| {
        let [a, b, c] = [0, 1, 2].map(|k| case.corners[k]);
        let facing = Facing::Both;
        Placed::Triangle(Triangle { a, b, c, facing })
    });
}

#[test]
fn capsules_and_capsules() {
    // The differences of two segments have four corners around the origin.
    let mut stats = Stats::default();
    for seed in 0..rounds(2000) {
        let case = case(seed, 3);
        let what = format!("seed {seed}, {}", case.kind);
        let one = Segment {
            a: case.center,
            b: case.center + DVec3::new(1.0, 0.5, -0.25),
        };
        let two = Segment {
            a: case.corners[0],
            b: case.corners[1],
        };
        let ends = [one.a, one.b, two.a, two.b, case.displacement, case.other];
        let power = power_of(ends.iter().flat_map(|v| v.to_array()).chain(case.radii));
        let [a, b, c, d, step, other] = ends.map(|v| whole_vector(v, power));
        let path = SpherePath {
            corners: vec![minus(&c, &a), minus(&d, &a), minus(&d, &b), minus(&c, &b)],
            step: minus(&step, &other),
            radius_sum: whole(case.radii[0], power) + whole(case.radii[1], power),
            unit: unit(power),
        };
        let capsule = |segment, radius| Placed::Capsule(Capsule { segment, radius });
        let (first, second) = (capsule(one, case.radii[0]), capsule(two, case.radii[1]));
        check(&mut stats, &what, &path, [&first, &second], &case);
    }
    stats.check(&MIX, 100, 0.25);
}

#[test]
fn spheres_and_planes() {
    let mut stats = Stats::default();
    for seed in 0..rounds(3000) {
        let mut random = Random(seed ^ 0x91a7);
        let case = case(seed, 1);
        let normals = [
            DVec3::Y,
            -DVec3::X,
            DVec3::new(0.6, 0.8, 0.0),
            random.point(1.0),
        ];
        let normal = normals[random.below(4) as usize].try_normalize().unwrap();
        // Through the case's corner as nearly as rounding allows, or so that the start (or the end) nearly touches.
        let touching = normal.dot(case.center) - case.radii[0];
        let bound = bound_of(case.center.abs().max_element());
        let offset = match random.below(3) {
            0 => normal.dot(case.corners[0]),
            1 => random.near(touching, bound),
            _ => random.near(touching + normal.dot(case.displacement - case.other), bound),
        };
        let plane = Plane { normal, offset };
        let numbers = [normal, case.center, case.displacement, case.other];
        let all = numbers.iter().flat_map(|v| v.to_array());
        let power = power_of(all.chain([offset, case.radii[0]]));
        let [n, center, d, e] = numbers.map(|v| whole_vector(v, power));
        // Products of two lengths have twice the power.
        let apart = dot(&n, &center)
            - ((whole(offset, power) + whole(case.radii[0], power)) << power as usize);
        let closing = dot(&n, &minus(&d, &e));
        // The normal is unit but for rounding.
        let metre = unit(2 * power);
        let (gap, approach) = (ratio(&apart, &metre), ratio(&closing, &metre));
        let truth = Truth {
            start: gap,
            least: gap.min(gap + approach),
        };
        let what = format!("seed {seed}, {}", case.kind);
        let (ball, plane) = (Placed::Sphere(sphere_of(&case)), Placed::Plane(plane));
        let (d, e) = (case.displacement, case.other);
        let tolerance = tolerance_of([case.center, d, e, DVec3::splat(offset)], case.radii[0]);
        let swept = sweep_placed(&ball, d, &plane, e);
        let time = || Some(gap / -approach);
        stats.sweep(&what, &swept, &truth, tolerance, (d - e, time));
        stats.contact(&what, contact_placed(&ball, &plane), gap, tolerance);
    }
    stats.check(&MIX[..2], 100, 0.25);
}

/// A segment against a triangle: ends on the plane, and paths through edges and vertices, each also off by an ulp.
#[test]
fn segments_through_triangles() {
    let mut detected = [0; 2];
    let mut weighed = 0;
    let mut wrong = vec![];
    for seed in 0..rounds(20_000) {
        let mut random = Random(seed ^ 0x7a11);
        let offset = DVec3::new(1.0, -0.5, 0.25) * [0.0, 1e5, 1e7][random.below(3) as usize];
        let grid = random.below(2) == 0;
        let mut position = |size: i64| {
            let at = if grid {
                random.grid(size)
            } else {
                random.point(size as f64)
            };
            at + offset
        };
        let (a, b, c) = (position(4), position(4), position(4));
        let target = match seed % 5 {
            0 => a,
            1 => a + (b - a) * 0.5,
            2 => a + (c - a) * 0.25,
            3 => a + (b - a) * 0.25 + (c - a) * 0.25,
            _ => position(3),
        };
        let from = position(6);
        let fraction = [1.0, 1.5, 2.0, 4.0][random.below(4) as usize];
        let mut to = from + (target - from) * fraction;
        let axis = random.below(3) as usize;
        to[axis] = random.nudge(to[axis]);
        let triangle = Triangle {
            a,
            b,
            c,
            facing: Facing::Both,
        };
        let segment = Segment { a: from, b: to };
        let hit = ray_cast_triangle(&segment, &triangle, &mut ());

        let power = power_of([a, b, c, from, to].iter().flat_map(|v| v.to_array()));
        let [a, b, c, from, to] = [a, b, c, from, to].map(|v| whole_vector(v, power));
        let volume = |p: &Whole, q: &Whole, r: &Whole, s: &Whole| {
            determinant(&minus(q, p), &minus(r, p), &minus(s, p))
        };
        let (ahead, behind) = (volume(&a, &b, &c, &from), volume(&a, &b, &c, &to));
        let [x, y, z] = [
            volume(&from, &to, &b, &c),
            volume(&from, &to, &c, &a),
            volume(&from, &to, &a, &b),
        ];
        let signs = [&x, &y, &z].map(sign);
        let crosses = sign(&ahead) != sign(&behind);
        let inside = !(signs.contains(&Ordering::Less) && signs.contains(&Ordering::Greater));
        let expected = crosses && inside && sign(&(&x + &y + &z)) != Ordering::Equal;
        detected[usize::from(expected)] += 1;
        if hit.is_some() != expected {
            wrong.push(format!(
                "seed {seed}: {hit:?}, but {expected}: {triangle:?} {segment:?}"
            ));
            continue;
        }
        let Some(hit) = hit else { continue };
        let sum = hit.weights.element_sum();
        assert!(
            (sum - 1.0).abs() < 1e-12 && hit.weights.min_element() >= 0.0,
            "seed {seed}: {hit:?}"
        );
        // Well conditioned: relative to the segment the triangle is no sliver, and the path not shallow.
        let metre = unit(power);
        let edges = [minus(&b, &a), minus(&c, &a), minus(&to, &from)]
            .map(|v| ratio(&dot(&v, &v), &(&metre * &metre)).sqrt());
        let sum_of_volumes = &x + &y + &z;
        let total = ratio(&sum_of_volumes, &(&metre * &metre * &metre));
        let size = edges.iter().product::<f64>();
        let far = (triangle.a - segment.a)
            .length()
            .max((triangle.b - segment.a).length());
        let largest = far.max((segment.b - segment.a).length());
        if total.abs() < 1e-3 * size || edges[2] < 1e-3 * largest {
            continue;
        }
        weighed += 1;
        let weights = [&x, &y, &z].map(|volume| ratio(volume, &sum_of_volumes));
        for (got, exact) in hit.weights.to_array().into_iter().zip(weights) {
            if (got - exact).abs() > 1e-9 {
                wrong.push(format!(
                    "seed {seed}: weights {} instead of {weights:?}",
                    hit.weights
                ));
            }
        }
        let fraction = ratio(&ahead, &(&ahead - &behind));
        if (hit.fraction - fraction).abs() > 1e-9 {
            wrong.push(format!(
                "seed {seed}: at {} instead of {fraction}",
                hit.fraction
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong, as {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(8)]
    );
    assert!(
        [detected[0], detected[1], weighed]
            .iter()
            .all(|&count| count > rounds(2000)),
        "{detected:?} {weighed}"
    );
}
