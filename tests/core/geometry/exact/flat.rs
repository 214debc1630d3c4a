//! Boxes, triangles and segments against integers of any length: thousands of pairs that nearly touch, graze or are far from the origin.

use super::flat_oracle::{Body, Oracle};
use super::placed::{contact_placed, sweep_placed};
use super::stats::{MIX, Stats, bound_of};
use crate::common::random::Random;
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::query::{SweepOutcome, gap};
use hitstop::core::shape::Obb;

impl Random {
    /// A position; now and then far out, where sums lose digits.
    fn position(&mut self) -> DVec3 {
        let far = self.pick(&[0.0, 0.0, 1e5, 1e7, 3_000_000.1]);
        DVec3::new(far, -far, far * 0.5) + self.point(2.0)
    }

    fn extents(&mut self) -> DVec3 {
        let mut half = DVec3::new(
            self.range(0.1, 1.0),
            self.range(0.1, 1.0),
            self.range(0.1, 1.0),
        );
        match self.below(12) {
            0 => half[self.below(3) as usize] = 0.0,
            1 => half = DVec3::X * half.x,
            2 => half = DVec3::ZERO,
            3 | 4 => half = DVec3::splat(0.1),
            _ => {}
        }
        half
    }

    fn box_rotation(&mut self) -> DQuat {
        let quarter = std::f64::consts::FRAC_PI_2;
        match self.below(6) {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_rotation_y(quarter * self.below(4) as f64),
            2 => DQuat::from_rotation_y(self.range(-3.0, 3.0)),
            3 => DQuat::from_rotation_x(quarter * 0.5),
            _ => DQuat::from_scaled_axis(self.point(3.0)),
        }
    }

    fn obb(&mut self) -> Obb {
        Obb {
            center: self.position(),
            half_extents: self.extents(),
            rotation: self.box_rotation(),
        }
    }
}

/// A direction that could separate two boxes.
fn axis(random: &mut Random, a: &Obb, b: &Obb) -> DVec3 {
    let (of_a, of_b) = (a.axes(), b.axes());
    let [i, j] = [random.below(3) as usize, random.below(3) as usize];
    let edges = of_a.col(i).cross(of_b.col(j)).try_normalize();
    match random.below(3) {
        0 => of_a.col(i),
        1 => of_b.col(j),
        _ => edges.unwrap_or(of_a.col(i)),
    }
}

fn extent(obb: &Obb, direction: DVec3) -> f64 {
    let axes = obb.axes();
    (0..3)
        .map(|k| obb.half_extents[k] * axes.col(k).dot(direction).abs())
        .sum()
}

/// Moves the first to where it touches the second along a direction, within rounding.
fn bring(random: &mut Random, a: &mut Obb, b: &Obb, direction: DVec3) {
    let aside = random.point(0.3);
    let aside = aside - direction * aside.dot(direction);
    let bound = bound_of(b.center.abs().max_element() + 2.0);
    let away = random.near(extent(a, direction) + extent(b, direction), bound);
    a.center = b.center + aside + direction * away;
}

fn boxes(random: &mut Random, aligned: bool) -> (Obb, Obb) {
    let (mut a, mut b) = (random.obb(), random.obb());
    if aligned {
        (a.rotation, b.rotation) = (DQuat::IDENTITY, DQuat::IDENTITY);
    } else if random.below(4) == 0 {
        a.rotation = b.rotation;
    }
    if random.below(8) == 0 {
        a.center = b.center;
    } else {
        let direction = axis(random, &a, &b);
        let sign = random.pick(&[1.0, -1.0]);
        bring(random, &mut a, &b, direction * sign);
    }
    if aligned && random.below(4) == 0 {
        // Decimals whose sums are rounded: 0.1 + 0.2 and the like.
        let tenths = |random: &mut Random| (random.below(20) as f64 - 10.0) / 10.0;
        a.center.x = tenths(random);
        (a.half_extents.x, b.half_extents.x) = (tenths(random).abs(), tenths(random).abs());
        b.center.x = a.center.x + a.half_extents.x + b.half_extents.x;
    }
    (a, b)
}

fn check_resting(stats: &mut Stats, a: &Body, b: &Body, case: usize) {
    let tolerance = a.tolerance(b, [DVec3::ZERO; 2]);
    let (truth, _) = Oracle::new(a, b, [DVec3::ZERO; 2]).truth();
    let what = format!("case {case}: {a:?} and {b:?}");
    for (a, b) in [(a, b), (b, a)] {
        let contact = contact_placed(&a.placed(), &b.placed());
        stats.contact(&what, contact, truth.start, tolerance);
        let still = sweep_placed(&a.placed(), DVec3::ZERO, &b.placed(), DVec3::ZERO);
        stats.sweep(&what, &still, &truth, tolerance, (DVec3::ZERO, || None));
    }
}

#[test]
fn resting_boxes() {
    for (seed, aligned) in [(0x5eed_0001, true), (0x5eed_0002, false)] {
        let mut random = Random(seed);
        let mut stats = Stats::default();
        for case in 0..rounds(2_500) {
            let (a, b) = boxes(&mut random, aligned);
            check_resting(&mut stats, &Body::Box(a), &Body::Box(b), case);
        }
        stats.check(&[("Misses", 300), ("Overlapping", 300)], 0, 0.35);
    }
}

fn triangle(random: &mut Random) -> [DVec3; 3] {
    match random.below(6) {
        0 => {
            // Almost or exactly without height.
            let (a, along) = (random.grid(2), random.point(1.0));
            [a, a + along, random.pick(&[a + along * 0.5, a - along, a])]
        }
        1 | 2 => [random.point(2.0), random.point(2.0), random.point(2.0)],
        _ => [random.grid(2), random.grid(2), random.grid(2)],
    }
}

/// Two flat bodies, often with a corner, an edge or a plane in common.
fn flat_pair(random: &mut Random, other: impl Fn(&mut Random) -> Body) -> (Body, Body) {
    let far = random.pick(&[
        DVec3::ZERO,
        DVec3::ZERO,
        DVec3::splat(1e5),
        DVec3::new(1e7, 0.0, -1e6),
    ]);
    let corners = triangle(random);
    let at = |point: DVec3| point + far;
    let second = match other(random) {
        Body::Segment([mut a, mut b]) => {
            match random.below(6) {
                0 => a = corners[1],
                1 => (a, b) = (corners[0], corners[0].midpoint(corners[1])),
                2 => b = (corners[0] + corners[1] + corners[2]) / 3.0,
                _ => {}
            }
            Body::Segment([at(a), at(b)])
        }
        Body::Triangle(mut points) => {
            match random.below(6) {
                0 => points[1] = corners[2],
                1 => (points[0], points[1]) = (corners[1], corners[0]),
                2 => points[2] = corners[0].midpoint(corners[2]),
                _ => {}
            }
            Body::Triangle(points.map(at))
        }
        Body::Box(obb) => Body::Box(obb),
    };
    (Body::Triangle(corners.map(at)), second)
}

#[test]
fn triangles_of_each_kind() {
    let mut random = Random(0x5eed_0003);
    let mut stats = Stats::default();
    for case in 0..rounds(2_200) {
        let (a, b) = flat_pair(&mut random, |random| Body::Triangle(triangle(random)));
        check_resting(&mut stats, &a, &b, case);
        let segment = |random: &mut Random| {
            let [a, b, _] = triangle(random);
            Body::Segment([a, b])
        };
        let (a, b) = flat_pair(&mut random, segment);
        check_resting(&mut stats, &a, &b, case);
    }
    // A box that touches a triangle's corner, or its plane.
    for case in 0..rounds(400) {
        let mut obb = random.obb();
        obb.center = random.point(2.0);
        let corner = obb.corners()[random.below(8) as usize];
        let mut points = triangle(&mut random);
        if random.below(2) == 0 {
            points[0] = corner;
        }
        check_resting(&mut stats, &Body::Box(obb), &Body::Triangle(points), case);
    }
    // Most have a corner, an edge or a plane in common.
    stats.check(&[("Misses", 300), ("Overlapping", 100)], 0, 0.8);
}

/// A displacement that brings the first to its present position at a fraction of the frame, and on from there.
fn displacement_through(random: &mut Random, direction: DVec3) -> (DVec3, f64) {
    let aside = random.point(4.0);
    let aside = aside - direction * aside.dot(direction);
    let step = match random.below(8) {
        0 | 1 => aside,                               // Along the surface.
        2 | 3 => -direction * random.range(0.5, 4.0), // Straight in.
        4 => direction * 2.0 + aside,                 // Away.
        5 => -direction * 1e-3 + aside,               // Flat in.
        6 => random.pick(&[
            DVec3::ZERO,
            direction * -5e-324,
            DVec3::X * 1e-310,
            DVec3::splat(2.0),
        ]),
        _ => random.point(4.0),
    };
    (step, random.pick(&[0.0, 0.25, 0.5, 1.0, 0.3, 1.5]))
}

fn check_swept(stats: &mut Stats, a: &Body, b: &Body, [d, e]: [DVec3; 2], case: usize) {
    let tolerance = a.tolerance(b, [d, e]);
    let (truth, time) = Oracle::new(a, b, [d, e]).truth();
    let what = format!("case {case}: {a:?} by {d} and {b:?} by {e}");
    let (p, q) = (a.placed(), b.placed());
    let found = sweep_placed(&p, d, &q, e);
    stats.sweep(&what, &found, &truth, tolerance, (d - e, || time));
    let swapped = sweep_placed(&q, e, &p, d);
    stats.sweep(&what, &swapped, &truth, tolerance, (e - d, || time));
}

#[test]
fn swept_boxes() {
    let mut random = Random(0x5eed_0004);
    let mut stats = Stats::default();
    for case in 0..rounds(5_000) {
        let (mut a, mut b) = boxes(&mut random, case % 2 == 0);
        if case % 4 == 0 {
            // Numbers that sum without rounding, so that contacts are exact to the last bit.
            let eighths = |v: DVec3| (v * 8.0).round() / 8.0;
            (a.center, b.center) = (eighths(a.center), eighths(b.center));
            (a.half_extents, b.half_extents) = (eighths(a.half_extents), eighths(b.half_extents));
        }
        let direction = axis(&mut random, &a, &b);
        let direction = if (a.center - b.center).dot(direction) < 0.0 {
            -direction
        } else {
            direction
        };
        let (step, fraction) = displacement_through(&mut random, direction);
        a.center -= step * fraction;
        let other = if random.below(3) == 0 {
            random.point(1.0)
        } else {
            DVec3::ZERO
        };
        let steps = [step + other, other];
        check_swept(&mut stats, &Body::Box(a), &Body::Box(b), steps, case);
    }
    stats.check(&MIX, 200, 0.3);
}

#[test]
fn swept_triangles_and_segments() {
    let mut random = Random(0x5eed_0005);
    let mut stats = Stats::default();
    for case in 0..rounds(2_400) {
        let (a, b) = match case % 3 {
            0 => flat_pair(&mut random, |random| Body::Triangle(triangle(random))),
            1 => flat_pair(&mut random, |random| {
                let [a, b, _] = triangle(random);
                Body::Segment([a, b])
            }),
            _ => {
                let mut obb = random.obb();
                obb.center = random.grid(2);
                (Body::Triangle(triangle(&mut random)), Body::Box(obb))
            }
        };
        let lattice = match (random.below(3), a, b) {
            // Along an edge of either, which grazes.
            (0, Body::Triangle([from, to, _]), _) | (1, _, Body::Triangle([from, to, _])) => {
                (to - from) * random.pick(&[1.0, -2.0, 4.0])
            }
            _ => random.grid(2) * random.pick(&[1.0, 2.0, 4.0]),
        };
        let (a, step) = match random.below(6) {
            0 => (a, lattice * 0.3),
            1 => (a, random.pick(&[DVec3::ZERO, lattice * 1e-310])),
            // What touches now touches on the path.
            2..5 => (a.moved(-lattice), lattice * 2.0),
            _ => (a, lattice),
        };
        check_swept(&mut stats, &a, &b, [step, DVec3::ZERO], case);
    }
    stats.check(
        &[("Overlapping", 20), ("Misses", 100), ("Hits", 100)],
        50,
        0.6,
    );
}

#[test]
fn pushes_are_minimal_and_separate_and_impacts_have_no_gap() {
    let mut random = Random(0x5eed_0006);
    for case in 0..rounds(1_500) {
        let (mut a, b) = boxes(&mut random, case % 3 == 0);
        a.center = b.center + random.point(1.0);
        let (p, q) = (Body::Box(a).placed(), Body::Box(b).placed());
        let moved = |by: DVec3| {
            let center = a.center + by;
            Body::Box(Obb { center, ..a }).placed()
        };
        let size = a.half_extents.length() + b.half_extents.length();
        let rounding = 1e-15 * (size + a.center.abs().max_element());
        if let Some(found) = contact_placed(&p, &q) {
            let parted = moved(found.normal * (found.depth + 1e2 * rounding));
            assert!(contact_placed(&parted, &q).is_none(), "case {case}");
            for _ in 0..10 {
                let Some(other) = random.point(1.0).try_normalize() else {
                    continue;
                };
                // An edge may lose against a face that is deeper by 1e-9 of the size.
                let less = moved(other * (found.depth - 1e-9 * size - 1e2 * rounding).max(0.0));
                assert!(contact_placed(&less, &q).is_some(), "case {case}");
            }
        }
        let step = random.point(4.0);
        if let SweepOutcome::Hits(impact) = sweep_placed(&moved(-step), step * 2.0, &q, DVec3::ZERO)
        {
            let there = moved(step * (2.0 * impact.fraction - 1.0));
            let gap = gap(&there, &q).map(|gap| gap.distance);
            let limit = 1e2 * rounding + 1e-12;
            assert!(
                gap.is_some_and(|gap| gap.abs() < limit),
                "case {case}: {gap:?}"
            );
        }
    }
}
