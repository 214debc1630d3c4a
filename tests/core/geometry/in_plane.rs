//! Queries of flat levels against plane geometry: outlines as lists of corners with a radius, computed here in two dimensions.

use crate::common::random::Random;
use crate::common::rounds;
use glam::{DQuat, DVec2, DVec3};
use hitstop::core::query::turning::{Turning, sweep_turning};
use hitstop::core::query::{SweepOutcome, closest_approach, contact, gap as gap_of, sweep};
use hitstop::core::shape::{ChainFacing, Motion, Pose, Shape};
use std::f64::consts::PI;

/// A convex outline: the points within a radius of the hull of its corners, which go around counter-clockwise.
#[derive(Clone, Debug)]
struct Outline {
    corners: Vec<DVec2>,
    radius: f64,
}

/// Corners on an ellipse at rising angles: convex for any angles.
fn around(random: &mut Random, count: usize, size: f64) -> Vec<DVec2> {
    let (wide, high) = (random.range(0.3, 1.0) * size, random.range(0.3, 1.0) * size);
    let step = 2.0 * PI / count as f64;
    let corner = |index: usize, by: f64| {
        let angle = step * (index as f64 + by);
        DVec2::new(wide * angle.cos(), high * angle.sin())
    };
    (0..count)
        .map(|index| corner(index, random.range(0.0, 0.8)))
        .collect()
}

/// A shape of a flat level, and its outline in its own axes.
fn body(random: &mut Random) -> (Shape, Outline) {
    let size = random.range(0.2, 2.0);
    let radius = random.range(0.05, 0.5);
    match random.below(6) {
        0 => (
            Shape::circle(size),
            Outline {
                corners: vec![DVec2::ZERO],
                radius: size,
            },
        ),
        kind @ (1 | 2) => {
            let half = DVec2::new(size, random.range(0.1, 2.0));
            let radius = if kind == 1 { 0.0 } else { radius };
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let corners = corners.map(|(x, y)| half * DVec2::new(x, y)).to_vec();
            (Shape::rectangle(half, radius), Outline { corners, radius })
        }
        3 => {
            let ends =
                [0, 1].map(|_| DVec2::new(random.range(-size, size), random.range(-size, size)));
            let corners = ends.to_vec();
            (
                Shape::stadium(ends[0], ends[1], radius),
                Outline { corners, radius },
            )
        }
        kind => {
            let count = 3 + random.below(5) as usize;
            let corners = around(random, count, size);
            let radius = if kind == 4 { 0.0 } else { radius };
            let (shape, parts) = Shape::polygon(&corners, radius).expect("it is convex");
            assert_eq!(parts, 1);
            (shape, Outline { corners, radius })
        }
    }
}

fn pose(random: &mut Random, reach: f64) -> Pose {
    let at = DVec2::new(random.range(-reach, reach), random.range(-reach, reach));
    let angle = match random.below(3) {
        0 => 0.0,
        1 => PI * 0.5 * random.below(4) as f64,
        _ => random.range(-PI, PI),
    };
    Pose {
        position: at.extend(0.0),
        rotation: DQuat::from_rotation_z(angle),
    }
}

impl Outline {
    fn at(&self, pose: &Pose) -> Self {
        let placed = |corner: &DVec2| pose.point(corner.extend(0.0)).truncate();
        Self {
            corners: self.corners.iter().map(placed).collect(),
            radius: self.radius,
        }
    }

    fn edges(&self) -> Vec<[DVec2; 2]> {
        let count = self.corners.len();
        (0..count)
            .map(|index| [self.corners[index], self.corners[(index + 1) % count]])
            .collect()
    }
}

/// The difference of two cores, `b - a`: the hull of the differences of their corners, counter-clockwise. The signed distance of the origin
/// from it is that of the cores, and a motion of `a` moves the origin.
fn difference(a: &Outline, b: &Outline) -> Outline {
    let all = b
        .corners
        .iter()
        .flat_map(|to| a.corners.iter().map(move |from| *to - *from));
    Outline {
        corners: hull(all.collect()),
        radius: a.radius + b.radius,
    }
}

/// Andrew's monotone chain.
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|one, other| one.x.total_cmp(&other.x).then(one.y.total_cmp(&other.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for point in points {
            while let [.., before, last] = chain[..]
                && (last - before).perp_dot(point - last) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}

fn from_segment(point: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    let along = b - a;
    let length = along.length_squared();
    let share = if length == 0.0 {
        0.0
    } else {
        ((point - a).dot(along) / length).clamp(0.0, 1.0)
    };
    point.distance(a + along * share)
}

/// Signed distance of a point from a core; negative inside.
fn from_core(core: &Outline, point: DVec2) -> f64 {
    let edges = core.edges();
    let nearest = edges
        .iter()
        .map(|edge| from_segment(point, *edge))
        .fold(f64::INFINITY, f64::min);
    let inside = core.corners.len() > 2
        && edges
            .iter()
            .all(|[a, b]| (*b - *a).perp_dot(point - *a) > 0.0);
    if inside { -nearest } else { nearest }
}

/// Distance of two outlines; minus the depth where they overlap.
fn gap(a: &Outline, b: &Outline) -> f64 {
    let core = difference(a, b);
    from_core(&core, DVec2::ZERO) - core.radius
}

/// The first share of a straight motion of `a` at which the outlines touch, for outlines that are apart at the start: the path of the origin
/// against the edges of the difference, moved out by the radius, and the circles around its corners.
fn entry(a: &Outline, b: &Outline, by: DVec2) -> Option<f64> {
    let core = difference(a, b);
    let mut first = f64::INFINITY;
    let mut reached = |share: f64| {
        if (0.0..=1.0).contains(&share) {
            first = first.min(share);
        }
    };
    for [a, b] in core.edges() {
        let along = (b - a).normalize_or_zero();
        for out in [DVec2::new(along.y, -along.x), DVec2::new(-along.y, along.x)] {
            let height = (DVec2::ZERO - a).dot(out) - core.radius;
            let approach = -by.dot(out);
            let share = height / approach;
            let foot = (by * share - a).dot(along);
            if approach > 0.0 && height >= 0.0 && (0.0..=(b - a).length()).contains(&foot) {
                reached(share);
            }
        }
        // |by t - a| = radius
        let (square, half, rest) = (
            by.length_squared(),
            by.dot(a),
            a.length_squared() - core.radius * core.radius,
        );
        let root = half * half - square * rest;
        if root >= 0.0 && half > 0.0 {
            reached(rest / (half + root.sqrt()));
        }
    }
    first.is_finite().then_some(first)
}

fn slack(a: &Outline, b: &Outline) -> f64 {
    let corners = a.corners.iter().chain(&b.corners);
    let largest = corners.map(|corner| corner.length()).fold(0.0, f64::max) + a.radius + b.radius;
    1e-12 * largest
}

#[test]
fn contacts_and_distances_are_those_of_the_outlines() {
    let mut overlaps = 0;
    for seed in 0..rounds(4000) {
        let mut random = Random(seed);
        let (first, of_first) = body(&mut random);
        let (second, of_second) = body(&mut random);
        let poses = [pose(&mut random, 1.5), pose(&mut random, 1.5)];
        let (one, other) = (of_first.at(&poses[0]), of_second.at(&poses[1]));
        let (a, b) = (first.placed(&poses[0]), second.placed(&poses[1]));
        let wanted = gap(&one, &other);
        let slack = slack(&one, &other);
        let got = gap_of(&a, &b).expect("both are bounded");
        let shown = format!("seed {seed}: {first:?} {second:?} {poses:?}");
        assert!(
            (got.distance - wanted).abs() <= slack,
            "{} {wanted} {shown}",
            got.distance
        );
        match contact(&a, &b, &mut ()) {
            Some(contact) => {
                overlaps += 1;
                assert!(wanted <= slack, "{wanted} {shown}");
                assert!(
                    (contact.depth + wanted).abs() <= slack,
                    "{} {wanted} {shown}",
                    contact.depth
                );
                assert!(
                    contact.normal.z.abs() <= 1e-12,
                    "{:?} {shown}",
                    contact.normal
                );
                // The push ends the overlap.
                let pushed = Pose {
                    position: poses[0].position + contact.push(),
                    ..poses[0]
                };
                let left = gap(&of_first.at(&pushed), &other);
                assert!(left.abs() <= 4.0 * slack, "{left} {shown}");
            }
            None => assert!(wanted >= -slack, "{wanted} {shown}"),
        }
    }
    assert!(overlaps > rounds(4000) / 4, "{overlaps}");
}

#[test]
fn sweeps_meet_where_the_outlines_do() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..rounds(4000) {
        let mut random = Random(seed ^ 0x5eed);
        let (first, of_first) = body(&mut random);
        let (second, of_second) = body(&mut random);
        let (start, rest) = (pose(&mut random, 6.0), pose(&mut random, 1.0));
        let aside = DVec2::new(random.range(-3.0, 3.0), random.range(-3.0, 3.0));
        let by = aside - start.position.truncate() * random.range(0.3, 2.0);
        let (one, other) = (of_first.at(&start), of_second.at(&rest));
        let slack = slack(&one, &other);
        let apart = gap(&one, &other);
        if apart < 1e-6 {
            continue;
        }
        let motion = Motion {
            start,
            end: Pose {
                position: start.position + by.extend(0.0),
                ..start
            },
        };
        let found = sweep(&first, &motion, &second, &Motion::still(rest), &mut ());
        let shown = format!("seed {seed}: {first:?} {second:?} {motion:?} {rest:?}");
        let wanted = entry(&one, &other, by);
        match (found.outcome, wanted) {
            (SweepOutcome::Hits(impact), Some(share)) => {
                hits += 1;
                // A path that grazes turns a rounding of the gap into its square root along the way.
                let at = one.clone();
                let moved = |share: f64| Outline {
                    corners: at
                        .corners
                        .iter()
                        .map(|corner| *corner + by * share)
                        .collect(),
                    ..at
                };
                let gap = gap(&moved(impact.fraction), &other);
                assert!(
                    gap.abs() <= 4.0 * slack,
                    "{gap} {} {share} {shown}",
                    impact.fraction
                );
                assert!(
                    impact.fraction <= share + 1e-6,
                    "{} {share} {shown}",
                    impact.fraction
                );
                assert!(impact.normal.z.abs() <= 1e-12, "{shown}");
            }
            (SweepOutcome::Hits(impact), None) => {
                panic!("{impact:?} {shown}");
            }
            (outcome, Some(share)) => {
                // It only grazes: the outlines come no deeper than rounding.
                let least =
                    closest_approach(&first, &motion, &second, &Motion::still(rest), &mut ());
                assert!(
                    least.is_some_and(|least| least.distance <= 4.0 * slack),
                    "{outcome:?} {share} {shown}"
                );
            }
            (_, None) => misses += 1,
        }
    }
    assert!(
        hits > rounds(4000) / 5 && misses > rounds(4000) / 10,
        "{hits} {misses}"
    );
}

#[test]
fn a_chain_is_met_where_the_nearest_of_its_segments_is() {
    let mut hits = 0;
    for seed in 0..rounds(1500) {
        let mut random = Random(seed ^ 0xc4a1);
        let (first, of_first) = body(&mut random);
        let start = pose(&mut random, 3.0);
        let mut x = -4.0;
        let points: Vec<DVec2> = (0..6)
            .map(|_| {
                x += random.range(0.5, 2.5);
                DVec2::new(x, random.range(-1.0, 1.0))
            })
            .collect();
        let chain = Shape::chain(&points, false, ChainFacing::Both).expect("its points differ");
        let one = of_first.at(&start);
        let segments = || {
            points.windows(2).map(|ends| Outline {
                corners: ends.to_vec(),
                radius: 0.0,
            })
        };
        let apart = segments()
            .map(|segment| gap(&one, &segment))
            .fold(f64::INFINITY, f64::min);
        if apart < 1e-6 {
            continue;
        }
        let shown = format!("seed {seed}: {first:?} {start:?} {points:?}");
        let slack = segments()
            .map(|segment| slack(&one, &segment))
            .fold(0.0, f64::max);
        let got = gap_of(&first.placed(&start), &chain.placed(&Pose::IDENTITY)).expect("bounded");
        assert!(
            (got.distance - apart).abs() <= slack,
            "{} {apart} {shown}",
            got.distance
        );
        let aside = DVec2::new(random.range(-2.0, 2.0), random.range(-2.0, 2.0));
        let by = aside - start.position.truncate() * random.range(0.5, 2.5);
        let motion = Motion {
            start,
            end: Pose {
                position: start.position + by.extend(0.0),
                ..start
            },
        };
        let wanted = segments()
            .filter_map(|segment| entry(&one, &segment, by))
            .min_by(f64::total_cmp);
        let found = sweep(
            &first,
            &motion,
            &chain,
            &Motion::still(Pose::IDENTITY),
            &mut (),
        );
        if let (SweepOutcome::Hits(impact), Some(share)) = (found.outcome, wanted) {
            hits += 1;
            assert!(
                (impact.fraction - share).abs() < 1e-6,
                "{} {share} {shown}",
                impact.fraction
            );
            assert!(impact.normal.z.abs() <= 1e-12, "{shown}");
        } else {
            assert!(
                wanted.is_none_or(|share| share > 1.0 - 1e-9)
                    || !matches!(found.outcome, SweepOutcome::Misses),
                "{:?} {wanted:?} {shown}",
                found.outcome
            );
        }
    }
    assert!(hits > rounds(1500) / 5, "{hits}");
}

#[test]
fn what_turns_in_the_plane_is_met_in_the_plane() {
    // A rod of half length 2 turns by a quarter about its middle; a circle of radius 0.1 stands at (0, 1.5): it is met when the rod's side is
    // 0.1 from the circle's centre, at the angle asin(0.2 / 1.5) before a quarter.
    let rod = Shape::rectangle(DVec2::new(2.0, 0.1), 0.0);
    let ball = Shape::circle(0.1);
    let motion = Motion {
        start: Pose::IDENTITY,
        end: Pose {
            position: DVec3::ZERO,
            rotation: DQuat::from_rotation_z(PI / 2.0),
        },
    };
    let still = Motion::still(Pose::at(DVec3::new(0.0, 1.5, 0.0)));
    let [turning, rests] = [&motion, &still].map(Turning::of);
    let found = sweep_turning(&rod, &turning, &ball, &rests, 0.0, &mut ());
    let hit = found.expect("the rod meets the circle");
    let wanted = 1.0 - (0.2_f64 / 1.5).asin() / (PI / 2.0);
    assert!(
        (hit.fraction - wanted).abs() < 1e-9,
        "{} {wanted}",
        hit.fraction
    );
    assert!(hit.contact.normal.z.abs() < 1e-12);
}
