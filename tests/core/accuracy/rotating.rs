//! Truth of a pair of which at least one rotates.
//!
//! The gap changes no faster than the travel and the swing of the extents: the interval is sampled in a thousand steps, wider ones
//! where the gap excludes contact, and halved further where contact is undecided. Each object is followed in the frame of the
//! other, which carries the contact plane.

use super::geometry::{self, Hull, Part, Separation, TestShape};
use super::truth::{
    Decisions, Interval, Limit, ROUND_TOLERANCE as TOLERANCE, Response, SIDEWAYS, SLOP, STEPS,
    TestPose, Truth, first_alone, mover_of, pushed_behind, size_of,
};
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::Kind;
use std::f64::consts::PI;

/// Least number of samples of an interval in which the two come near each other.
const SAMPLES: f64 = 200.0;

/// Halvings of a step in which contact is undecided.
const HALVINGS: u32 = 12;

/// Angle of a rotation, radians, the shorter one: a log has no other.
pub fn angle(shape: &TestShape, from: DQuat, to: DQuat) -> f64 {
    match shape {
        TestShape::Sphere(_) => 0.0,
        _ => 2.0 * from.dot(to).abs().min(1.0).acos(),
    }
}

struct RotatingPair<'t> {
    /// The mover first.
    shapes: [&'t TestShape; 2],
    from: [TestPose; 2],
    to: [TestPose; 2],
    angles: [f64; 2],
    sensor: bool,
    gap_before: f64,
    /// Largest change of the gap, metres per interval.
    rate: f64,
    slop: f64,
}

/// Fraction of the interval, and the gap.
type Sample = (f64, f64);

/// The plane of a contact in the frame of the object that carries it.
struct Plane {
    carrier: usize,
    point: DVec3,
    normal: DVec3,
}

pub fn of(interval: &Interval<'_>) -> Truth {
    let mover = mover_of(interval);
    let order = [mover, 1 - mover];
    let pair = RotatingPair::new(interval, order);
    let near = pair.samples(None);
    let Some(samples) = near else {
        return Truth::nothing(f64::INFINITY);
    };
    let outcomes = Decisions::all(TOLERANCE, |decisions| pair.whole(&samples, decisions));
    let ends = [samples[0].1, samples[samples.len() - 1].1];
    Truth {
        outcomes,
        overlap_detects: ends[0] <= 0.0 || ends[1] <= 0.0,
        least: samples
            .iter()
            .map(|sample| sample.1)
            .fold(f64::INFINITY, f64::min),
        ends,
    }
}

impl<'t> RotatingPair<'t> {
    fn new(interval: &Interval<'t>, order: [usize; 2]) -> Self {
        let shapes = order.map(|index| interval.shapes[index]);
        let (from, to) = (
            order.map(|i| interval.from[i]),
            order.map(|i| interval.to[i]),
        );
        let angles = [0, 1].map(|i| angle(shapes[i], from[i].rotation, to[i].rotation));
        let travel = (to[0].at - from[0].at) - (to[1].at - from[1].at);
        let swing = |i: usize| match angles[i] {
            0.0 => 0.0,
            angle => angle * shapes[i].bound(),
        };
        Self {
            rate: travel.length() + swing(0) + swing(1),
            slop: SLOP * size_of(shapes),
            sensor: interval.sensor,
            gap_before: interval.gap_before,
            shapes,
            from,
            to,
            angles,
        }
    }

    /// Pose of the centre.
    fn pose(&self, index: usize, fraction: f64) -> TestPose {
        let (from, to) = (self.from[index], self.to[index]);
        let rotation = match self.angles[index] {
            0.0 => from.rotation,
            _ => from.rotation.slerp(to.rotation, fraction),
        };
        TestPose {
            at: from.at.lerp(to.at, fraction) + rotation * self.shapes[index].centre(),
            rotation,
        }
    }

    /// Signed distance, for one triangle of a mesh or for all.
    fn separation(&self, only: Option<usize>, fraction: f64) -> Separation {
        self.separation_moved(only, fraction, DVec3::ZERO)
    }

    /// The same with the mover moved by a vector.
    fn separation_moved(&self, only: Option<usize>, fraction: f64, by: DVec3) -> Separation {
        let [mover, obstacle] = [0, 1].map(|index| self.pose(index, fraction));
        let at = mover.at - obstacle.at + by;
        let hull = self.shapes[0].hulls(mover.rotation).remove(0);
        let bound = hull.bound(DVec3::ZERO);
        let mut nearest: Option<Separation> = None;
        for (index, part) in self.shapes[1]
            .hulls(obstacle.rotation)
            .into_iter()
            .enumerate()
        {
            let (centre, size) = part.ball();
            let clearance = at.distance(centre) - size - bound;
            let far = nearest.is_some_and(|known| known.gap.max(0.0) + TOLERANCE < clearance);
            if far || only.is_some_and(|only| only != index) {
                continue;
            }
            let separation = Part::new(&hull, part, false).separation(at);
            nearest = Some(match nearest {
                Some(known) if (known.gap - separation.gap).abs() < TOLERANCE => Separation {
                    ambiguous: known.normal.dot(separation.normal) < 0.999,
                    ..if separation.gap < known.gap {
                        separation
                    } else {
                        known
                    }
                },
                Some(known) if known.gap <= separation.gap => known,
                _ => separation,
            });
        }
        nearest.expect("every obstacle has a part")
    }

    /// Gaps in order of time; `None` if they certainly stay apart.
    fn samples(&self, only: Option<usize>) -> Option<Vec<Sample>> {
        let bounds = self.shapes[0].bound() + self.shapes[1].bound();
        let from = self.from[0].at - self.from[1].at;
        let path = self.to[0].at - self.to[1].at - from;
        let fraction =
            (-from.dot(path) / path.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        if (from + path * fraction).length() > bounds {
            return None;
        }
        let gap = |fraction: f64| self.separation(only, fraction).gap;
        let mut samples = vec![(0.0, gap(0.0))];
        let (mut fraction, mut known) = samples[0];
        while fraction < 1.0 {
            let safe = (known.max(0.0) / self.rate).max(1.0 / SAMPLES);
            let next = (fraction + safe).min(1.0);
            let gap_next = gap(next);
            self.between(
                (fraction, known),
                (next, gap_next),
                HALVINGS,
                &gap,
                &mut samples,
            );
            samples.push((next, gap_next));
            (fraction, known) = (next, gap_next);
        }
        Some(samples)
    }

    /// Divides a step further if the gap may fall below a limit that neither end is below.
    fn between(
        &self,
        one: Sample,
        two: Sample,
        halvings: u32,
        gap: &impl Fn(f64) -> f64,
        samples: &mut Vec<Sample>,
    ) {
        let least = self.least_between(one, two);
        let may_cross = |limit: f64| least < limit && one.1.min(two.1) > limit;
        if halvings == 0 || !(may_cross(0.0) || may_cross(-self.slop)) {
            return;
        }
        let middle = 0.5 * (one.0 + two.0);
        let sample = (middle, gap(middle));
        self.between(one, sample, halvings - 1, gap, samples);
        samples.push(sample);
        self.between(sample, two, halvings - 1, gap, samples);
    }

    fn least_between(&self, one: Sample, two: Sample) -> f64 {
        0.5 * (one.1 + two.1 - self.rate * (two.0 - one.0))
    }

    fn whole(&self, samples: &[Sample], decisions: &Decisions) -> Option<Kind> {
        let event = self.event(None, samples, decisions).map(|(kind, _)| kind);
        if self.shapes[1].triangles().is_none() || !matches!(event, None | Some(Kind::Clips)) {
            return event;
        }
        let hulls = self.shapes[1].hulls(DQuat::IDENTITY);
        let passed = (0..hulls.len()).filter(|part| self.passes(0, &hulls[*part..=*part]));
        let alone = passed.filter_map(|part| {
            let samples = self.samples(Some(part))?;
            self.event(Some(part), &samples, decisions)
                .filter(|(kind, _)| *kind != Kind::Clips)
                .or_else(|| self.ends_behind(part, &hulls[part], &samples, decisions))
        });
        first_alone(alone, decisions).or(event)
    }

    /// A mover whose centre passes a triangle, and which pushes do not move back in front of it or out beside the mesh.
    fn ends_behind(
        &self,
        part: usize,
        triangle: &Hull,
        samples: &[Sample],
        decisions: &Decisions,
    ) -> Option<(Kind, f64)> {
        let overlap = |limit: Limit, fraction: f64| {
            let separation = self.separation(Some(part), fraction);
            let below = decisions.below_within(limit, separation.gap, TOLERANCE);
            below.then_some(separation)
        };
        let normal = triangle.normals[0];
        let side = (self.relative_position(0, 0.0) - triangle.corners[0]).dot(normal);
        let response = Response {
            decisions,
            gap_before: self.gap_before,
            slop: self.slop,
            toward_start: self.pose(1, 1.0).rotation * normal * side.signum(),
            separation: |from: f64, by: DVec3| Some(self.separation_moved(None, from, by)),
        };
        // A lone triangle goes on nowhere.
        if self.sensor || self.shapes[1].hulls(DQuat::IDENTITY).len() < 2 {
            return None;
        }
        let touch = samples.iter().find(|sample| sample.1 <= 0.0)?.0;
        let kind = response.kind(overlap(Limit::Start, 0.0), overlap(Limit::End, 1.0))?;
        Some((kind, touch))
    }

    fn event(
        &self,
        only: Option<usize>,
        samples: &[Sample],
        decisions: &Decisions,
    ) -> Option<(Kind, f64)> {
        let (start, end) = (samples[0], samples[samples.len() - 1]);
        let ends = decisions.below_within(Limit::End, end.1 + self.slop, TOLERANCE);
        let end = ends.then(|| self.separation(only, 1.0));
        if decisions.below_within(Limit::Start, start.1 + self.slop, TOLERANCE) {
            return Some((self.after_overlap(only, end, decisions)?, 0.0));
        }
        let deep = self.deep(samples, decisions)?;
        // The touch that led there: nothing between the two samples is apart.
        let before = &samples[..=deep];
        // It may touch from the start, less deep than the slop.
        let apart = before.iter().rposition(|sample| sample.1 > 0.0);
        let apart = apart.unwrap_or(0);
        let first = samples
            .iter()
            .position(|sample| sample.1 <= 0.0)
            .unwrap_or(deep);
        let apart = if apart >= first && decisions.choose(Limit::Between) {
            first.saturating_sub(1)
        } else {
            apart
        };
        let touch = self.touch(only, samples[apart].0, samples[apart + 1].0);
        let contact = self.separation(only, touch);
        let planes = self.planes(&contact, touch);
        let kind = if let Some(end) = end {
            let leads = |plane: &Plane| {
                self.is_far(plane, decisions) && self.leads_behind(&end, plane, only, decisions)
            };
            let wrong = !self.sensor && planes.iter().any(leads);
            wrong.then_some(Kind::WrongSide)
        } else if planes
            .iter()
            .any(|plane| self.is_far(plane, decisions) && self.passes_carrier(plane, only))
        {
            Some(Kind::Tunnels)
        } else {
            self.clips(samples, decisions).then_some(Kind::Clips)
        };
        Some((kind?, touch))
    }

    /// The first sample that is deeper than the slop, or may be.
    fn deep(&self, samples: &[Sample], decisions: &Decisions) -> Option<usize> {
        let certain = samples
            .iter()
            .position(|sample| sample.1 < -self.slop - TOLERANCE);
        if certain.is_some() {
            return certain;
        }
        let nearly =
            |pair: &[Sample]| self.least_between(pair[0], pair[1]) < -self.slop + TOLERANCE;
        let possible = samples.windows(2).position(nearly)?;
        if !decisions.choose(Limit::Slop) {
            return None;
        }
        let least = |x: &usize, y: &usize| samples[*x].1.total_cmp(&samples[*y].1);
        (possible..samples.len())
            .min_by(least)
            .filter(|index| samples[*index].1 <= 0.0)
    }

    /// A log has poses, not the path between them: a cut shallower than the sagitta of the arcs is not reported.
    fn clips(&self, samples: &[Sample], decisions: &Decisions) -> bool {
        let sag = |index: usize| match self.angles[index] {
            0.0 => 0.0,
            angle => self.shapes[index].bound() * (1.0 - (0.5 * angle.min(PI)).cos()),
        };
        let depth = self.deepest(samples);
        decisions.below_within(
            Limit::Slop,
            sag(0) + sag(1) - depth,
            TOLERANCE + 1e-6 * depth,
        )
    }

    /// Depth of the deepest overlap, metres, near the deepest sample.
    fn deepest(&self, samples: &[Sample]) -> f64 {
        let least = |x: &usize, y: &usize| samples[*x].1.total_cmp(&samples[*y].1);
        let deepest = (0..samples.len()).min_by(least).expect("there are samples");
        let mut low = samples[deepest.saturating_sub(1)].0;
        let mut high = samples[(deepest + 1).min(samples.len() - 1)].0;
        let mut gap = samples[deepest].1;
        for _ in 0..60 {
            let third = (high - low) / 3.0;
            let [one, two] = [low + third, high - third].map(|at| self.separation(None, at).gap);
            gap = gap.min(one).min(two);
            if one < two {
                high -= third;
            } else {
                low += third;
            }
        }
        -gap
    }

    fn touch(&self, only: Option<usize>, mut apart: f64, mut touching: f64) -> f64 {
        for _ in 0..60 {
            let middle = 0.5 * (apart + touching);
            if self.separation(only, middle).gap > 0.0 {
                apart = middle;
            } else {
                touching = middle;
            }
        }
        touching
    }

    /// The contact plane on each of the two, in the frame of the object that carries it.
    fn planes(&self, contact: &Separation, fraction: f64) -> Vec<Plane> {
        let along = |index: usize, normal: DVec3| {
            let pose = self.pose(index, fraction);
            let hull = self.shapes[index].hulls(pose.rotation).remove(0);
            pose.at.dot(normal) + hull.least(normal) - hull.radius
        };
        let mut planes = Vec::new();
        // The obstacle's plane is as far behind the mover's outermost point as they overlap.
        let plane = |carrier: usize, normal: DVec3, offset: f64| {
            let pose = self.pose(carrier, fraction);
            Plane {
                carrier,
                point: pose.rotation.inverse() * (normal * offset - pose.at),
                normal: pose.rotation.inverse() * normal,
            }
        };
        let surface = along(0, contact.normal);
        planes.push(plane(1, contact.normal, surface - contact.gap));
        if self.shapes[1].has_centre() {
            planes.push(plane(0, -contact.normal, -surface));
        }
        planes
    }

    /// Whether the other's centre ends behind the plane.
    fn is_far(&self, plane: &Plane, decisions: &Decisions) -> bool {
        let carrier = self.pose(plane.carrier, 1.0);
        let centre =
            carrier.rotation.inverse() * (self.pose(1 - plane.carrier, 1.0).at - carrier.at);
        decisions.below_within(
            Limit::Side,
            (centre - plane.point).dot(plane.normal),
            TOLERANCE,
        )
    }

    /// Whether the push-out leads out behind an obstacle that the centre entered. The centre of a ball on a rolling log goes around the log
    /// in its frame, and never enters it.
    fn leads_behind(
        &self,
        end: &Separation,
        plane: &Plane,
        only: Option<usize>,
        decisions: &Decisions,
    ) -> bool {
        let normal = self.pose(plane.carrier, 1.0).rotation * plane.normal;
        let toward_other = match plane.carrier {
            1 => end.normal,
            _ => -end.normal,
        };
        let behind = if end.ambiguous {
            decisions.choose(Limit::Direction)
        } else {
            decisions.below_within(
                Limit::Direction,
                toward_other.dot(normal) + SIDEWAYS,
                TOLERANCE,
            )
        };
        behind && self.passes_carrier(plane, only)
    }

    fn carrier_hulls(&self, plane: &Plane, only: Option<usize>) -> Vec<Hull> {
        let mut hulls = self.shapes[plane.carrier].hulls(DQuat::IDENTITY);
        match only.filter(|_| plane.carrier == 1) {
            Some(only) => vec![hulls.swap_remove(only)],
            None => hulls,
        }
    }

    /// Whether the other's centre is ever in the carrier, or crosses its surface.
    fn passes_carrier(&self, plane: &Plane, only: Option<usize>) -> bool {
        let hulls = self.carrier_hulls(plane, only);
        let other = 1 - plane.carrier;
        let inside = |fraction: f64| {
            let at = self.relative_position(other, fraction);
            let in_hull =
                |hull: &Hull| hull.corners.len() != 3 && geometry::distance(hull, at) <= 0.0;
            hulls.iter().any(in_hull)
        };
        inside(0.0) || inside(1.0) || self.passes(other, &hulls)
    }

    /// Centre of an object in the frame of the other.
    fn relative_position(&self, index: usize, fraction: f64) -> DVec3 {
        let [own, other] = [index, 1 - index].map(|index| self.pose(index, fraction));
        other.rotation.inverse() * (own.at - other.at)
    }

    /// Whether the centre of an object passes through any of the other's hulls, in the frame of the other.
    fn passes(&self, index: usize, hulls: &[Hull]) -> bool {
        self.crossings(index, hulls).next().is_some()
    }

    /// The steps in which it does, last first, with the outward normal of the surface.
    fn crossings<'a>(
        &'a self,
        index: usize,
        hulls: &'a [Hull],
    ) -> impl Iterator<Item = DVec3> + 'a {
        let steps = STEPS as u32;
        (0..steps).rev().filter_map(move |step| {
            let fraction = |step: u32| f64::from(step) / STEPS;
            let (from, to) = (
                self.relative_position(index, fraction(step)),
                self.relative_position(index, fraction(step + 1)),
            );
            hulls.iter().find_map(|hull| crossing(hull, from, to))
        })
    }

    /// The pair overlaps at the start.
    fn after_overlap(
        &self,
        only: Option<usize>,
        end: Option<Separation>,
        decisions: &Decisions,
    ) -> Option<Kind> {
        let start = self.separation(only, 0.0);
        let planes = self.planes(&start, 0.0);
        let plane = &planes[0];
        if self.sensor || !self.is_far(plane, decisions) {
            return None;
        }
        if start.ambiguous && decisions.choose(Limit::Direction) {
            return None;
        }
        if let Some(end) = end {
            return self
                .leads_behind(&end, plane, only, decisions)
                .then(|| pushed_behind(self.gap_before, decisions));
        }
        let leaves = |plane: &Plane| {
            let hulls = self.carrier_hulls(plane, only);
            let out = self.crossings(1 - plane.carrier, &hulls).next();
            out.is_some_and(|out| {
                decisions.below_within(
                    Limit::Direction,
                    out.dot(plane.normal) + SIDEWAYS,
                    TOLERANCE,
                )
            })
        };
        planes.iter().any(leaves).then_some(Kind::Sinks)
    }
}

/// Outward normal where a point leaves a hull on a short straight step, or passes through it.
fn crossing(hull: &Hull, from: DVec3, to: DVec3) -> Option<DVec3> {
    if hull.corners.len() == 3 {
        return geometry::passes((to, from), hull).map(|(_, toward_end)| toward_end);
    }
    let apart = |fraction: f64| geometry::distance(hull, from.lerp(to, fraction));
    // Within a step the distance changes by at most the length of the step.
    let end = apart(1.0);
    if end <= 0.0 || end > from.distance(to) {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if apart(left) < apart(right) {
            high = right;
        } else {
            low = left;
        }
    }
    if apart(low) > 0.0 {
        return None;
    }
    let (mut inside, mut outside) = (low, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (inside + outside);
        if apart(middle) <= 0.0 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    Some(geometry::outward(hull, from.lerp(to, inside)))
}
