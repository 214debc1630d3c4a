//! Truth of a pair of which at least one rotates.
//!
//! The gap changes no faster than the travel and the swing of the extents: the interval is sampled in a thousand steps, wider ones
//! where the gap excludes contact, and halved further where contact is undecided. Each object is followed in the frame of the
//! other, which carries the contact plane.

use super::geometry::{self, Hull, Part, Separation, TestShape};
use super::truth::{
    Decisions, Entry, Interval, Limit, Plane, ROUND_TOLERANCE as TOLERANCE, Response, SIDEWAYS,
    STEPS, TestPose, Truth, deepest, first_alone, first_from_behind, is_in_front, mover_of,
    shell_gap, slop_of,
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
    interval: &'t Interval<'t>,
    /// The mover first.
    shapes: [&'t TestShape; 2],
    from: [TestPose; 2],
    to: [TestPose; 2],
    angles: [f64; 2],
    entry: Entry,
    /// Signed distance from the surface of a closed mesh at the end.
    shell_gap: Option<f64>,
    /// Largest change of the gap, metres per interval.
    rate: f64,
    slop: f64,
}

/// Fraction of the interval, and the gap.
type Sample = (f64, f64);

/// The surface entered, carried by one of the two.
struct CarriedPlane {
    carrier: usize,
    plane: Plane,
}

pub fn of(interval: &Interval<'_>, entries: impl Fn() -> [Entry; 2]) -> Truth {
    let mover = mover_of(interval);
    let mut pair = RotatingPair::new(interval, mover, slop_of(interval, mover));
    let Some(samples) = pair.samples(None) else {
        return Truth::nothing(f64::INFINITY);
    };
    let outcomes = entries().into_iter().flat_map(|entry| {
        pair.entry = entry;
        Decisions::all(TOLERANCE, |decisions| pair.whole(&samples, decisions))
    });
    let outcomes = outcomes.collect();
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

/// The plane through which a mover enters the obstacle on its way to an overlap deeper than the slop; that of the contact with which the
/// interval begins, if there is one.
pub fn entered(
    interval: &Interval<'_>,
    (mover, slop): (usize, f64),
    decisions: &Decisions,
) -> Option<Plane> {
    let pair = RotatingPair::new(interval, mover, slop);
    // What comes from behind a one-sided surface enters nothing.
    let hulls = pair.shapes[1].hulls(DQuat::IDENTITY);
    let is_one_sided = pair.shapes[1].is_one_sided();
    if is_one_sided && pair.comes_from_front(&hulls, decisions) != Some(true) {
        return None;
    }
    let samples = pair.samples(None)?;
    let start = pair.separation(None, 0.0);
    if start.gap <= 0.0 {
        return Some(pair.plane_of(1, &start, 0.0));
    }
    let touch = pair.first_deep(None, &samples, decisions)?;
    Some(pair.surface(None, touch, decisions))
}

impl<'t> RotatingPair<'t> {
    fn new(interval: &'t Interval<'t>, mover: usize, slop: f64) -> Self {
        let order = [mover, 1 - mover];
        let shapes = order.map(|index| interval.shapes[index]);
        let (from, to) = (
            order.map(|i| interval.from[i].felt(interval.shapes[i])),
            order.map(|i| interval.to[i].felt(interval.shapes[i])),
        );
        let angles = [0, 1].map(|i| angle(shapes[i], from[i].rotation, to[i].rotation));
        let travel = (to[0].at - from[0].at) - (to[1].at - from[1].at);
        let swing = |i: usize| match angles[i] {
            0.0 => 0.0,
            angle => angle * shapes[i].bound(),
        };
        Self {
            interval,
            rate: travel.length() + swing(0) + swing(1),
            slop,
            entry: Entry::Own,
            shell_gap: shell_gap(interval.shapes, interval.to),
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
        let hulls = self.shapes[1].hulls(obstacle.rotation).into_iter();
        let chosen = hulls
            .zip(0..)
            .filter(|(_, index)| only.is_none_or(|only| only == *index));
        // Building a part is dear: the far ones of many are left out.
        let clearance = |part: &Hull| {
            let (centre, size) = part.ball();
            at.distance(centre) - size - bound
        };
        let mut parts: Vec<(f64, Hull)> =
            chosen.map(|(part, _)| (clearance(&part), part)).collect();
        parts.sort_by(|x, y| x.0.total_cmp(&y.0));
        let mut near: Vec<Part> = Vec::new();
        let mut nearest = f64::INFINITY;
        for (clearance, part) in parts {
            if nearest.max(0.0) + TOLERANCE < clearance {
                break;
            }
            let part = Part::new(&hull, part);
            nearest = nearest.min(part.separation(at).gap);
            near.push(part);
        }
        deepest(near.iter(), at).expect("every obstacle has a part")
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
        let is_surface = self.shapes[1].triangles().is_some();
        let hulls = self.shapes[1].hulls(DQuat::IDENTITY);
        let passed: Vec<usize> = (0..hulls.len())
            .filter(|part| is_surface && self.passes(0, &hulls[*part..=*part]))
            .collect();
        if self.shapes[1].is_one_sided() {
            match self.comes_from_front(&hulls, decisions) {
                Some(true) => {}
                Some(false) => return Some(Kind::Tunnels),
                None => return None,
            }
        }
        let event = self.event(samples, decisions);
        if !is_surface || !matches!(event, None | Some(Kind::Clips)) {
            return event;
        }
        let alone = passed
            .into_iter()
            .filter_map(|part| self.alone(part, &hulls[part], decisions));
        first_alone(alone, decisions).or(event)
    }

    /// Whether the mover comes to a one-sided surface from its front; false where its centre comes through from behind, `None` where it
    /// stays behind.
    fn comes_from_front(&self, hulls: &[Hull], decisions: &Decisions) -> Option<bool> {
        if let Some(behind) = first_from_behind(self.crossings_of_surface(hulls), decisions) {
            return Some(!behind);
        }
        is_in_front(hulls, self.relative_position(0, 0.0), decisions).then_some(true)
    }

    /// The fraction of each step in which the mover's centre passes a triangle, and whether it comes from behind.
    fn crossings_of_surface(&self, hulls: &[Hull]) -> impl Iterator<Item = (f64, bool)> {
        (0..STEPS as u32).flat_map(move |step| {
            let [from, to] = [step, step + 1].map(|step| f64::from(step) / STEPS);
            let path = (
                self.relative_position(0, from),
                self.relative_position(0, to),
            );
            hulls.iter().filter_map(move |hull| {
                let (fraction, toward) = geometry::passes(path, hull)?;
                let at = from + (to - from) * fraction;
                Some((at, toward.dot(hull.normals[0]) < 0.0))
            })
        })
    }

    /// The event of a triangle that the centre passes, and the fraction of the touch.
    fn alone(&self, part: usize, triangle: &Hull, decisions: &Decisions) -> Option<(Kind, f64)> {
        let samples = self.samples(Some(part))?;
        let (start, last) = (samples[0].1, samples[samples.len() - 1].1);
        let was_deep = self.is_deep(start, decisions);
        let touched = decisions.below(Limit::Start, start);
        let end = self.end(Some(part), last, decisions);
        if self.interval.sensor {
            let touch = self.first_deep(Some(part), &samples, decisions)?;
            return (!touched && end.is_none()).then_some((Kind::Tunnels, touch));
        }
        let normal = triangle.normals[0];
        let side = (self.relative_position(0, 0.0) - triangle.corners[0]).dot(normal);
        let local = normal * side.signum();
        let came_back = |plane: &Plane| decisions.below(Limit::Direction, plane.normal.dot(local));
        if was_deep && matches!(&self.entry, Entry::Through(plane) if came_back(plane)) {
            return None;
        }
        // Whether an arc that comes back to its side of the triangle's plane is a passage is open.
        let over = (self.relative_position(0, 1.0) - triangle.corners[0]).dot(local);
        if !decisions.below(Limit::Side, over) && decisions.choose(Limit::Feature) {
            return None;
        }
        let toward_start = self.pose(1, 1.0).rotation * local;
        // For other triangles of the mesh in which one of the two appeared it is open.
        let lasts = || self.separation(None, 1.0).gap <= 0.0;
        let certainly = was_deep && end.is_some();
        if matches!(self.entry, Entry::Inside)
            && (certainly || lasts() && decisions.choose(Limit::Between))
        {
            return None;
        }
        let kind = match end {
            Some(end) => {
                let response = Response {
                    decisions,
                    slop: self.slop,
                    toward_start,
                    separation: |by: DVec3| Some(self.separation_moved(None, 1.0, by)),
                };
                // A lone triangle goes on nowhere.
                let behind = match self.shapes[1].hulls(DQuat::IDENTITY).len() {
                    1 => decisions.leads_behind(&end, toward_start),
                    _ => response.leads_behind(end),
                };
                behind.then_some(if was_deep {
                    Kind::Sinks
                } else {
                    Kind::WrongSide
                })?
            }
            None if was_deep => Kind::Sinks,
            None => Kind::Tunnels,
        };
        let touch = match was_deep {
            true => 0.0,
            false => self.first_deep(Some(part), &samples, decisions)?,
        };
        Some((decisions.gave_way(kind, self.interval), touch))
    }

    /// The overlap at the end; inside of a closed mesh there is none.
    fn end(&self, only: Option<usize>, gap: f64, decisions: &Decisions) -> Option<Separation> {
        let is_solid = || {
            self.shell_gap
                .is_none_or(|gap| decisions.below(Limit::Hollow, gap))
        };
        let touches = decisions.below(Limit::End, gap) && is_solid();
        touches.then(|| self.separation(only, 1.0))
    }

    fn is_deep(&self, gap: f64, decisions: &Decisions) -> bool {
        decisions.below(Limit::Start, gap + self.slop)
    }

    fn event(&self, samples: &[Sample], decisions: &Decisions) -> Option<Kind> {
        let (start, last) = (samples[0].1, samples[samples.len() - 1].1);
        let end = self.end(None, last, decisions);
        if self.is_deep(start, decisions) {
            return self.after_overlap(end, decisions);
        }
        let touch = self.first_deep(None, samples, decisions)?;
        let touches = decisions.below(Limit::Start, start);
        // A test detects a sensor that touches.
        if self.interval.sensor && (touches || end.is_some()) {
            return None;
        }
        let planes = self.planes(touch, decisions);
        // The side is that of the mover's centre, which goes through the obstacle, or the obstacle's through it from the same side. Where
        // only one of these holds, as with a blade that turns in its place, it is open.
        let goes_through = |plane: &CarriedPlane| self.passes_carrier(plane);
        let holds = |plane: &CarriedPlane| self.is_far(plane, decisions) && goes_through(plane);
        let is_far = self.is_far(&planes[0], decisions);
        let open = || {
            let may_be = is_far && planes.iter().any(goes_through) || planes.iter().any(holds);
            may_be && decisions.choose(Limit::Feature)
        };
        let kind = if let Some(end) = end {
            let leads = |plane: &CarriedPlane| self.leads_behind(&end, plane, decisions);
            let certain = holds(&planes[0]) && leads(&planes[0]);
            let wrong = certain || planes.iter().any(|plane| leads(plane) && open());
            wrong.then_some(Kind::WrongSide)
        } else if is_far && planes.iter().any(holds) || open() {
            Some(Kind::Tunnels)
        } else {
            (!touches && self.clips(samples, decisions)).then_some(Kind::Clips)
        };
        Some(decisions.gave_way(kind?, self.interval))
    }

    /// The fraction of the touch that leads to the first overlap deeper than the slop; 0 where they touch from the start.
    fn first_deep(
        &self,
        only: Option<usize>,
        samples: &[Sample],
        decisions: &Decisions,
    ) -> Option<f64> {
        let deep = self.deep(samples, decisions)?;
        // Nothing between the two samples is apart.
        let Some(apart) = samples[..=deep].iter().rposition(|sample| sample.1 > 0.0) else {
            return Some(0.0);
        };
        let first = samples.iter().position(|sample| sample.1 <= 0.0);
        let first = first.unwrap_or(deep);
        let apart = match apart >= first && first > 0 && decisions.choose(Limit::Between) {
            true => first - 1,
            false => apart,
        };
        Some(self.touch(only, samples[apart].0, samples[apart + 1].0))
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
            angle => {
                // Of an arc about a point of the body, and of one with this chord.
                let half = 0.5 * angle.min(PI);
                let chord = self.from[index].at.distance(self.to[index].at);
                let of_chord = 0.5 * chord * (0.5 * half).tan();
                of_chord.min(self.radius_of_turn(index) * (1.0 - half.cos()))
            }
        };
        let depth = self.deepest(samples);
        let sags = sag(0) + sag(1);
        let tolerance = TOLERANCE + 1e-6 * depth + 2e-3 * sags;
        decisions.below_within(Limit::Slop, sags - depth, tolerance)
    }

    /// Distance of the farthest point of an object from the axis through its centre about which it turns, metres, to a thousandth: the most
    /// of its extents in directions across the axis.
    fn radius_of_turn(&self, index: usize) -> f64 {
        const DIRECTIONS: u32 = 128;
        let turn = self.to[index].rotation * self.from[index].rotation.inverse();
        let Some(axis) = turn.xyz().try_normalize() else {
            return 0.0;
        };
        let (x, y) = axis.any_orthonormal_pair();
        let directions = (0..DIRECTIONS).map(|number| {
            let angle = 2.0 * PI * f64::from(number) / f64::from(DIRECTIONS);
            x * angle.cos() + y * angle.sin()
        });
        let hulls = self.shapes[index].hulls(self.from[index].rotation);
        let extent = |along: DVec3| {
            hulls
                .iter()
                .map(move |hull| hull.radius - hull.least(-along))
        };
        let extents: Vec<f64> = directions
            .flat_map(|along| extent(along).collect::<Vec<_>>())
            .collect();
        extents.into_iter().fold(0.0, f64::max)
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

    /// The plane of a contact, carried by one of the two.
    fn plane_of(&self, carrier: usize, contact: &Separation, fraction: f64) -> Plane {
        let pose = self.pose(0, fraction);
        let hull = self.shapes[0].hulls(pose.rotation).remove(0);
        // The obstacle's plane is as far behind the mover's outermost point as they overlap.
        let surface = pose.at.dot(contact.normal) + hull.least(contact.normal) - hull.radius;
        let (normal, height) = match carrier {
            1 => (contact.normal, surface - contact.gap),
            _ => (-contact.normal, -surface),
        };
        let pose = self.pose(carrier, fraction);
        Plane {
            normal: pose.rotation.inverse() * normal,
            height: height - pose.at.dot(normal),
        }
    }

    /// The surface of the obstacle that is entered: the plane of the contact or, where it is on an edge or corner, the face that the centre comes to.
    fn surface(&self, only: Option<usize>, fraction: f64, decisions: &Decisions) -> Plane {
        let contact = self.separation(only, fraction);
        let of_contact = self.plane_of(1, &contact, fraction);
        let hulls = self.shapes[1].hulls(DQuat::IDENTITY);
        let at = self.relative_position(0, fraction);
        // The triangle that is touched.
        let distance = |hull: &&Hull| geometry::distance(hull, at);
        let nearer = |x: &&Hull, y: &&Hull| distance(x).total_cmp(&distance(y));
        let Some(touched) = hulls.iter().min_by(nearer) else {
            return of_contact;
        };
        let is_surface = touched.corners.len() == 3;
        let on_edge = match is_surface {
            true => {
                let all_edges = |hull: &Hull| decisions.is_on_edge(hull, of_contact.normal);
                hulls.iter().all(all_edges)
            }
            false => decisions.is_on_edge(touched, of_contact.normal),
        };
        let ahead = on_edge.then(|| self.face_ahead(&hulls)).flatten();
        ahead.map_or(of_contact, |(point, normal)| Plane {
            normal,
            height: point.dot(normal),
        })
    }

    /// Where the mover's centre comes to a face of the obstacle, in its frame, if the motion goes on straight after the interval.
    fn face_ahead(&self, hulls: &[Hull]) -> Option<(DVec3, DVec3)> {
        let steps = STEPS as u32;
        let at = |step: u32| self.relative_position(0, f64::from(step) / STEPS);
        let (before, last) = (at(steps - 1), at(steps));
        let onward = (last - before).try_normalize()?;
        let far = last + onward * 2.0 * (last.length() + self.shapes[1].bound());
        let points = (0..=steps).map(at).chain([far]);
        let points: Vec<DVec3> = points.collect();
        points.windows(2).find_map(|ends| {
            let (from, to) = (ends[0], ends[1]);
            hulls.iter().find_map(|hull| match hull.corners.len() {
                3 => {
                    let (fraction, toward) = geometry::passes((from, to), hull)?;
                    Some((from.lerp(to, fraction), toward))
                }
                _ => geometry::entry_point(hull, from, to),
            })
        })
    }

    /// The surface entered on each of the two.
    fn planes(&self, touch: f64, decisions: &Decisions) -> Vec<CarriedPlane> {
        let mut planes = vec![CarriedPlane {
            carrier: 1,
            plane: self.surface(None, touch, decisions),
        }];
        if self.shapes[1].has_centre() {
            let contact = self.separation(None, touch);
            planes.push(CarriedPlane {
                carrier: 0,
                plane: self.plane_of(0, &contact, touch),
            });
        }
        planes
    }

    /// Whether the other's centre ends behind the plane.
    fn is_far(&self, plane: &CarriedPlane, decisions: &Decisions) -> bool {
        let centre = self.relative_position(1 - plane.carrier, 1.0);
        let over = centre.dot(plane.plane.normal) - plane.plane.height;
        decisions.below(Limit::Side, over)
    }

    /// Whether the push-out leads out behind a plane.
    fn leads_behind(&self, end: &Separation, plane: &CarriedPlane, decisions: &Decisions) -> bool {
        let normal = self.pose(plane.carrier, 1.0).rotation * plane.plane.normal;
        let toward_other = Separation {
            normal: match plane.carrier {
                1 => end.normal,
                _ => -end.normal,
            },
            ..*end
        };
        decisions.leads_behind(&toward_other, normal)
    }

    /// Whether the other's centre is ever in the carrier, or crosses its surface. The centre of a ball on a rolling log goes around the log
    /// in its frame, and never enters it.
    fn passes_carrier(&self, plane: &CarriedPlane) -> bool {
        let hulls = self.shapes[plane.carrier].hulls(DQuat::IDENTITY);
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

    /// The pair is deeper than the slop at the start: an event only if it leaves on the far side, or is pushed there.
    fn after_overlap(&self, end: Option<Separation>, decisions: &Decisions) -> Option<Kind> {
        let start = self.separation(None, 0.0);
        let plane = match self.entry {
            Entry::Through(plane) => plane,
            Entry::Own | Entry::Inside => self.plane_of(1, &start, 0.0),
        };
        let carried = CarriedPlane { carrier: 1, plane };
        if self.interval.sensor || !self.is_far(&carried, decisions) {
            return None;
        }
        if start.ambiguous && decisions.choose(Limit::Direction) {
            return None;
        }
        // An overlap past the middle at the start is no new event.
        let normal = self.pose(1, 0.0).rotation * plane.normal;
        if decisions.below(Limit::Direction, start.normal.dot(normal)) {
            return None;
        }
        if let Some(end) = end {
            let counts = !matches!(self.entry, Entry::Inside)
                && self.leads_behind(&end, &carried, decisions)
                && self.passes_carrier(&carried);
            return counts.then_some(Kind::Sinks);
        }
        let mover_normal = self.pose(0, 0.0).rotation.inverse() * -normal;
        let leaves = |(carrier, normal): (usize, DVec3)| {
            let hulls = self.shapes[carrier].hulls(DQuat::IDENTITY);
            let out = self.crossings(1 - carrier, &hulls).next();
            out.is_some_and(|out| decisions.below(Limit::Direction, out.dot(normal) + SIDEWAYS))
        };
        let has_centre = self.shapes[1].has_centre();
        let views = [(1, plane.normal), (0, mover_normal)].into_iter();
        let mut views = views.filter(|(carrier, _)| *carrier == 1 || has_centre);
        views.any(leaves).then_some(Kind::Sinks)
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
