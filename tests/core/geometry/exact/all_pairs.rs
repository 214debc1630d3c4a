//! Every pair of kinds against the certified oracle: distance, depth, verdicts, times of impact and closest approaches, near a touch and
//! apart, near the origin and far from it.

use super::certified::{Body, Pair, fixed_vector};
use super::stats::bound_of;
use crate::common::random::Random;
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::query::{SweepOutcome, closest_approach, contact, gap, overlaps, sweep};
use hitstop::core::shape::Solid as _;
use hitstop::core::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cylinder, Facing, Mesh, Motion, Plane, Pose,
    RoundedBox, Segment, Shape, SolidShape, Triangle,
};
use std::collections::BTreeMap;
use std::sync::Arc;

pub const KINDS: [&str; 13] = [
    "sphere",
    "box",
    "segment",
    "capsule",
    "triangle",
    "hull",
    "rounded hull",
    "rounded box",
    "cylinder",
    "cone",
    "compound",
    "mesh",
    "plane",
];

pub fn shape(kind: &str, random: &mut Random) -> Shape {
    let size = random.pick(&[0.1, 1.0, 1.0, 4.0]);
    let mut length = || size * random.range(0.1, 1.0);
    let (radius, half_height) = (length(), length());
    let half_extents = DVec3::new(length(), length(), length());
    let [a, b, c] = corners(random, 3, size)[..] else {
        unreachable!()
    };
    let hull = |random: &mut Random, radius| {
        let count = 4 + random.index(5);
        let hull = ConvexHull::new(corners(random, count, size), radius);
        hull.ok().map(|hull| SolidShape::Hull(Arc::new(hull)))
    };
    match kind {
        "sphere" => Shape::Sphere { radius },
        "box" => Shape::Box { half_extents },
        "segment" => Shape::Segment(Segment { a, b }),
        "capsule" => Shape::Capsule(Capsule {
            segment: Segment { a, b },
            radius,
        }),
        "triangle" => Shape::Triangle(Triangle {
            a,
            b,
            c,
            facing: Facing::Both,
        }),
        "hull" | "rounded hull" => {
            let radius = if kind == "hull" { 0.0 } else { 0.3 * radius };
            let hull = std::iter::repeat_with(|| hull(random, radius)).find_map(|hull| hull);
            Shape::Solid(hull.expect("one is not flat"))
        }
        "rounded box" => Shape::Solid(SolidShape::RoundedBox(RoundedBox {
            half_extents,
            radius,
        })),
        "cylinder" => Shape::Solid(SolidShape::Cylinder(Cylinder {
            half_height,
            radius,
        })),
        "cone" => Shape::Solid(SolidShape::Cone(Cone {
            half_height,
            radius,
        })),
        "compound" => {
            let kinds = ["box", "cylinder", "hull", "capsule"];
            let parts = (0..2).map(|_| CompoundPart {
                shape: shape(random.pick(&kinds), random),
                pose: random.pose(size),
            });
            Shape::Compound(Arc::new(Compound::new(parts.collect()).unwrap()))
        }
        "mesh" => {
            let triangles = vec![[0, 1, 2], [1, 3, 2], [2, 3, 4]];
            let mesh = Mesh::new(corners(random, 5, size), triangles, Facing::Both);
            Shape::Mesh(Arc::new(mesh.unwrap()))
        }
        _ => Shape::Plane(Plane {
            normal: DVec3::Y,
            offset: 0.0,
        }),
    }
}

/// Corners around a place; some are slivers.
fn corners(random: &mut Random, count: usize, size: f64) -> Vec<DVec3> {
    let mut corners: Vec<DVec3> = (0..count).map(|_| random.point(size)).collect();
    if random.below(4) == 0 {
        let aside = random.point(0.01 * size);
        corners[1] = corners[0].lerp(corners[count - 1], 0.3) + aside;
    }
    corners
}

fn size_of(shape: &Shape) -> f64 {
    shape.reach().unwrap_or(0.0)
}

/// Two shapes, and how the first moves past the second.
struct Row {
    name: String,
    shapes: [Shape; 2],
    motion: Motion,
    at: Pose,
    /// The error bound, metres.
    bound: f64,
    /// The same of a distance, also near a touch, of a depth, and of an overlap that is called a graze.
    of_distance: f64,
    of_touch: f64,
    of_depth: f64,
    of_graze: f64,
}

impl Row {
    fn new([one, other]: [&str; 2], seed: u64) -> Self {
        let mut random = Random(seed);
        let shapes = [shape(one, &mut random), shape(other, &mut random)];
        let far = random.pick(&[0.0, 0.0, 1e5, 1e7]);
        let quarter = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let mut pose = || {
            let rotation = random.rotation();
            Pose {
                position: DVec3::new(far, -far, 0.5 * far) + random.point(1.0),
                rotation: random.pick(&[DQuat::IDENTITY, quarter, rotation, rotation]),
            }
        };
        let (mut start, mut at) = (pose(), pose());
        if random.below(4) == 0 {
            start.rotation = at.rotation;
        }
        if other == "plane" {
            at.position = DVec3::ZERO;
        }
        let size = size_of(&shapes[0]) + size_of(&shapes[1]);
        let bound = bound_of(start.position.abs().max_element() + 3.0 * size + 1.0);
        // Brings a part of each to touch along a direction, or nearly.
        let axes = [start.axes(), at.axes()];
        let free = random.direction();
        let normal = match random.below(4) {
            0 => axes[0].col(random.index(3)),
            1 => axes[1].col(random.index(3)),
            2 => axes[0]
                .col(random.index(3))
                .cross(axes[1].col(random.index(3))),
            _ => free,
        };
        let normal = if other == "plane" { DVec3::Y } else { normal };
        let normal = normal.try_normalize().unwrap_or(free);
        let of_a = Body::parts(&shapes[0], &start);
        let on_a = of_a[random.index(of_a.len())].farthest(-normal);
        let on_b = if other == "plane" {
            DVec3::ZERO
        } else {
            let of_b = Body::parts(&shapes[1], &at);
            of_b[random.index(of_b.len())].farthest(normal)
        };
        let aside = random.point(0.3 * size) * random.pick(&[0.0, 1.0]);
        let radii = rounding(&shapes[0]) + rounding(&shapes[1]);
        let close = size * 10.0_f64.powf(random.range(-14.0, -3.0));
        let away = match random.below(6) {
            0 => 0.0,
            1 => random.near(0.0, bound),
            2 | 3 => close,
            4 => -close,
            _ => random.range(-0.5, 1.0) * size,
        };
        start.position += on_b - on_a + normal * (radii + away);
        start.position += aside - normal * aside.dot(normal);
        let across = random.direction();
        let across = across - normal * across.dot(normal);
        let step = match random.below(5) {
            0 => across,
            1 => -normal,
            2 => across - normal * 1e-3,
            3 => random.direction() * random.pick(&[0.0, 1.0]),
            _ => random.direction(),
        };
        let step = step * size * random.pick(&[0.5, 2.0, 8.0]);
        start.position -= step * random.pick(&[0.0, 0.3, 0.5, 1.0]);
        let motion = Motion {
            start,
            end: Pose {
                position: start.position + step,
                ..start
            },
        };
        let reach = [&motion.start, &motion.end, &at].map(|at| at.position.abs().max_element());
        let bound = bound_of(reach.into_iter().fold(size, f64::max) + size);
        let kinds = [one, other];
        let any = |names: &[&str]| kinds.iter().any(|kind| names.contains(kind));
        let round = any(&["cylinder", "cone", "compound"]);
        Self {
            name: format!("{one} against {other}, seed {seed}"),
            shapes,
            motion,
            at,
            bound,
            of_distance: bound + if round { 1e-12 * size } else { 0.0 },
            of_touch: bound + if round { 1e-9 * size } else { 0.0 },
            of_depth: bound + 1e-9 * size,
            of_graze: 4.0 * bound + 1e-12 * size,
        }
    }
}

impl Row {
    /// What is allowed of a distance.
    fn of(&self, distance: f64) -> f64 {
        let size = size_of(&self.shapes[0]) + size_of(&self.shapes[1]);
        if distance.abs() > 1e-4 * size {
            self.of_distance
        } else {
            self.of_touch
        }
    }
}

/// By how much the core of a shape is grown.
fn rounding(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Capsule(capsule) => capsule.radius,
        Shape::Solid(solid) => solid.radius(),
        _ => 0.0,
    }
}

/// What is known of a row: of each pair of parts.
struct Truth<'r> {
    row: &'r Row,
    parts: [Vec<Body>; 2],
    toward: DVec3,
}

impl<'r> Truth<'r> {
    fn of(row: &'r Row, toward: DVec3) -> Self {
        let [a, b] = &row.shapes;
        let parts = [Body::parts(a, &row.motion.start), Body::parts(b, &row.at)];
        Self { row, parts, toward }
    }

    fn pairs(&self, from: f64, to: f64) -> impl Iterator<Item = Pair<'_>> {
        let step = self.row.motion.displacement();
        let [first, second] = &self.parts;
        first.iter().flat_map(move |a| {
            second.iter().map(move |b| Pair {
                a,
                b,
                at: fixed_vector(step * from),
                step: fixed_vector(step * (to - from)),
            })
        })
    }

    /// The least distance between two fractions of the motion, metres; of cores that overlap minus the radii.
    fn distance(&self, from: f64, to: f64) -> f64 {
        let precision = 0.01 * self.row.bound;
        self.pairs(from, to)
            .map(|pair| pair.distance(self.toward, precision))
            .fold(f64::INFINITY, f64::min)
    }

    /// The depth at a fraction, metres, or more where a search finds no shorter push; below 0 when they are apart.
    fn depth(&self, at: f64) -> f64 {
        let mut random = Random(7);
        let precision = 0.01 * self.row.bound;
        self.pairs(at, at)
            .map(|pair| pair.depth(self.toward, precision, &mut random))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    /// The greatest depth over the motion, by sections: that of two convex parts is concave in time.
    fn deepest(&self) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let third = (high - low) / 3.0;
            if self.depth(low + third) >= self.depth(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        let depths = [0.0, low, 1.0].map(|at| self.depth(at));
        depths.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Of the pairs of parts, the overlap at the start along a direction that is nearest to a depth, metres.
    fn overlap(&self, normal: DVec3, depth: f64) -> f64 {
        let along = self.pairs(0.0, 0.0).map(|pair| pair.overlap(normal));
        let nearest = along.min_by(|x, y| (x - depth).abs().total_cmp(&(y - depth).abs()));
        nearest.expect("there are parts")
    }
}

/// What was found wrong, and how often each property was compared.
#[derive(Default)]
struct Table {
    counts: BTreeMap<&'static str, u32>,
    wrong: Vec<String>,
}

impl Table {
    fn hold(&mut self, row: &Row, what: &'static str, (found, exact): (f64, f64), allowed: f64) {
        let off = (found - exact).abs() / allowed;
        *self.counts.entry(what).or_default() += 1;
        self.is(off <= 1.0, row, what, || {
            format!("{found:e}, but it is {exact:e}, off by {off} of {allowed:e}")
        });
    }

    fn is(&mut self, right: bool, row: &Row, what: &str, found: impl FnOnce() -> String) {
        if !right {
            self.wrong.push(format!("{}: {what} {}", row.name, found()));
        }
    }
}

fn check(row: &Row, table: &mut Table) {
    let [a, b] = &row.shapes;
    let (still, step) = (Motion::still(row.at), row.motion.displacement());
    let placed = [a.placed(&row.motion.start), b.placed(&row.at)];
    let found = gap(&placed[0], &placed[1]).unwrap();
    let truth = Truth::of(row, found.normal);
    let start = truth.distance(0.0, 0.0);
    let depth = if start > 0.0 {
        -start
    } else {
        truth.depth(0.0)
    };
    let swapped = gap(&placed[1], &placed[0]).unwrap().swapped();
    for found in [found, swapped] {
        if depth < 0.0 {
            let allowed = row.of(depth);
            table.hold(row, "distance", (found.distance, -depth), allowed);
        } else {
            // No shorter push is known, and it does separate.
            let least = depth.min(-found.distance);
            table.hold(row, "depth", (-found.distance, least), row.of_depth);
            let along = truth.overlap(found.normal, -found.distance);
            let least = along.min(-found.distance);
            table.hold(row, "push", (along, least), row.of_touch);
        }
    }
    let touching = contact(&placed[0], &placed[1], &mut ());
    let near = depth.abs() <= row.of_touch + row.bound;
    table.is(
        near || touching.is_some() == (depth > 0.0),
        row,
        "contact",
        || format!("{touching:?}, but the depth is {depth:e}"),
    );
    table.is(
        touching.is_some() == overlaps(&placed[1], &placed[0]),
        row,
        "order",
        || format!("{touching:?} in one order alone"),
    );
    let least = if depth >= 0.0 {
        -depth
    } else {
        truth.distance(0.0, 1.0)
    };
    let approach = closest_approach(a, &row.motion, b, &still, &mut ()).unwrap();
    let allowed = row.of(least) + 1e-13 * (start.max(0.0) + step.length());
    table.hold(
        row,
        "approach",
        (approach.distance, least.max(0.0)),
        allowed,
    );
    let there = sweep(a, &row.motion, b, &still, &mut ()).outcome;
    let back = sweep(b, &still, a, &row.motion, &mut ()).outcome.swapped();
    for outcome in [there, back] {
        check_sweep(row, &truth, (depth, least), &outcome, table);
    }
}

fn check_sweep(
    row: &Row,
    truth: &Truth<'_>,
    (depth, least): (f64, f64),
    outcome: &SweepOutcome,
    table: &mut Table,
) {
    let tolerance = 4.0 * row.of_distance;
    let step = row.motion.displacement();
    let said = || format!("{outcome:?}, but the depth is {depth:e}, the least distance {least:e}");
    match outcome {
        SweepOutcome::Overlapping { depth: found } => {
            table.is(depth >= -tolerance, row, "sweep", said);
            table.hold(row, "start", (*found, depth.min(*found)), row.of_depth);
        }
        SweepOutcome::Hits(impact) => {
            let closing = -impact.normal.dot(step);
            let margin = 1e-9 + 4.0 * tolerance / closing.abs();
            let apart = depth <= tolerance && least <= tolerance;
            let before = impact.fraction - margin;
            let late = before > 0.0
                && truth.distance(0.0, before) <= 0.0
                && truth.depth(before) > tolerance;
            let until = (impact.fraction + margin).min(1.0);
            let early = truth.distance(0.0, until) > tolerance;
            table.is(apart && !late && !early, row, "time", || {
                format!("{}, late {late}, early {early}", said())
            });
            *table.counts.entry("time").or_default() += 1;
        }
        SweepOutcome::Grazes { .. } | SweepOutcome::Misses => {
            let grazes = matches!(outcome, SweepOutcome::Grazes { .. });
            table.is(!grazes || least <= tolerance, row, "graze", said);
            *table.counts.entry("miss").or_default() += 1;
            if least <= 0.0 {
                let deepest = truth.deepest();
                let allowed = tolerance.max(row.of_graze);
                table.is(deepest <= allowed, row, "miss", || {
                    format!("{}, and at most {deepest:e} deep", said())
                });
            }
        }
    }
}

#[test]
fn every_pair_within_its_bound() {
    let mut table = Table::default();
    for (k, one) in KINDS.into_iter().enumerate() {
        for other in KINDS.into_iter().take(k + 1) {
            let pair = if one == "plane" {
                [other, one]
            } else {
                [one, other]
            };
            if other == "plane" {
                continue;
            }
            for seed in 0..rounds(40) {
                check(&Row::new(pair, seed), &mut table);
            }
        }
    }
    let wrong = &table.wrong;
    for what in ["distance", "depth", "approach", "time", "miss"] {
        let count = table.counts.get(what).copied().unwrap_or(0);
        assert!(count >= rounds(500), "{what}: {count} rows");
    }
    assert!(
        wrong.is_empty(),
        "{} wrong, as {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(12)]
    );
}
