//! Truth of a pair over one interval in which both move straight and neither rotates.
//!
//! Everything is cut into convex parts. The signed distance of two parts in straight relative motion is a convex function of time;
//! tangents find its minimum and the first touch. The sides follow: on which side of the first contact's plane
//! (which moves with the obstacle) the mover's centre ends, and to which side the smallest push-out leads.
//!
//! Where a number is closer to its limit than rounding, both outcomes are computed. If they differ, the interval is
//! undecided and counted as such.

use super::geometry::{self, Hull, Part, Separation, TOLERANCE, TestShape};
use super::rotating;
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::Kind;
use std::cell::Cell;
use std::collections::BTreeSet;

/// Steps of an interval in which something rotates.
pub const STEPS: f64 = 1000.0;

/// No event whose depth on the way stays within this fraction of the smaller body is reported.
pub const SLOP: f64 = 0.02;

/// Metres within which a depth counts as being at that limit.
pub const DEPTH_TOLERANCE: f64 = TOLERANCE;

/// The same for numbers found by search, as with rims and rotations.
pub const ROUND_TOLERANCE: f64 = 1e-6;

/// Cosine of the angle up to which a push-out or an exit is sideways rather than backward.
pub const SIDEWAYS: f64 = 1e-3;

/// Most pushes that are played of a response.
const RESPONSES: u32 = 12;

/// Cosine of the angle up to which a push-out off a single triangle is backward.
pub const BACKWARD: f64 = 0.5;

/// Position and rotation of an object.
#[derive(Clone, Copy, Debug)]
pub struct TestPose {
    pub at: DVec3,
    pub rotation: DQuat,
}

/// Two objects over an interval.
#[derive(Clone, Copy, Debug)]
pub struct Interval<'t> {
    pub shapes: [&'t TestShape; 2],
    pub from: [TestPose; 2],
    pub to: [TestPose; 2],
    /// One of the two is a sensor.
    pub sensor: bool,
    /// Gap at the last two states up to the frame's start, the larger one; infinite where they did not travel.
    pub gap_before: f64,
}

/// Every outcome that the numbers allow: one, unless a number is at its limit. `None` is "no event".
pub type Outcomes = BTreeSet<Option<Kind>>;

/// The outcomes, and whether an overlap test detects the pair at the start or end of the interval.
#[derive(Clone, Debug)]
pub struct Truth {
    pub outcomes: Outcomes,
    pub overlap_detects: bool,
    /// Least signed distance over the interval, metres: negative when they overlap.
    pub least: f64,
    /// Signed distance at the start and end of the interval, metres.
    pub ends: [f64; 2],
}

/// A push-out to the far side; after contact in two states it is a contact that gave way.
pub fn pushed_behind(gap_before: f64, decisions: &Decisions) -> Kind {
    match decisions.below_within(Limit::Before, gap_before, ROUND_TOLERANCE) {
        true => Kind::Sinks,
        false => Kind::WrongSide,
    }
}

impl Truth {
    pub fn nothing(least: f64) -> Self {
        Self {
            outcomes: Outcomes::from([None]),
            overlap_detects: false,
            least,
            ends: [least; 2],
        }
    }
}

/// The comparisons; each may be at its limit independently.
#[derive(Clone, Copy)]
pub enum Limit {
    Start,
    End,
    Between,
    Side,
    Slop,
    Direction,
    Before,
}

/// One combination of results for comparisons that are too close to call.
#[derive(Default)]
pub struct Decisions {
    tolerance: f64,
    choices: u8,
    used: Cell<u8>,
}

impl Decisions {
    pub fn below(&self, limit: Limit, value: f64) -> bool {
        self.below_within(limit, value, self.tolerance)
    }

    pub fn below_within(&self, limit: Limit, value: f64, tolerance: f64) -> bool {
        if value.abs() > tolerance {
            return value < 0.0;
        }
        self.choose(limit)
    }

    pub fn choose(&self, limit: Limit) -> bool {
        let bit = 1 << limit as u8;
        self.used.set(self.used.get() | bit);
        self.choices & bit != 0
    }

    /// Every outcome of all results for comparisons that are closer to their limit than `tolerance`, metres.
    pub fn all(tolerance: f64, decide: impl Fn(&Self) -> Option<Kind>) -> Outcomes {
        let mut outcomes = Outcomes::new();
        let mut used = 0;
        for choices in 0..128 {
            // A result that no comparison uses changes nothing.
            if choices & !used == 0 || choices == 0 {
                let decisions = Self {
                    tolerance,
                    choices,
                    used: Cell::new(0),
                };
                outcomes.insert(decide(&decisions));
                used |= decisions.used.get();
            }
        }
        outcomes
    }
}

/// Contact of the mover with one convex part.
#[derive(Clone, Copy, Debug)]
struct Span {
    part: usize,
    /// Least signed distance, metres.
    least: f64,
    /// Fraction of the first touch; if the contact is a graze, of the least distance.
    touch: f64,
    /// It overlaps from the first fraction on: the centre came from behind a one-sided part.
    from_behind: bool,
}

/// Fraction, gap, and slope of the gap.
#[derive(Clone, Copy)]
struct Sample {
    fraction: f64,
    gap: f64,
    slope: f64,
}

/// The mover's path relative to the obstacle's centre.
struct RelativePath {
    parts: Vec<Part>,
    mover: Hull,
    /// The convex obstacle; `None` for a mesh.
    obstacle: Option<Hull>,
    from: DVec3,
    displacement: DVec3,
    /// Depth up to which an overlap does not count, metres.
    slop: f64,
    sensor: bool,
    gap_before: f64,
    obstacle_has_centre: bool,
}

/// The one that travels farther is the mover, unless it has no centre.
pub fn mover_of(interval: &Interval<'_>) -> usize {
    let travel = |index: usize| interval.to[index].at.distance(interval.from[index].at);
    let farther = usize::from(travel(1) > travel(0));
    let shape = interval.shapes[farther];
    if shape.has_centre() && !shape.is_one_sided() {
        farther
    } else {
        1 - farther
    }
}

/// The smaller inner radius, metres, of those that have one; 0 for none.
pub fn size_of(shapes: [&TestShape; 2]) -> f64 {
    let sizes = shapes.map(TestShape::inner).into_iter();
    let least = sizes
        .filter(|size| *size > 0.0)
        .fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 0.0 }
}

pub fn of(interval: &Interval<'_>) -> Truth {
    let turns = |object: usize| {
        let (from, to) = (interval.from[object].rotation, interval.to[object].rotation);
        from != to && rotating::angle(interval.shapes[object], from, to) > 0.0
    };
    if turns(0) || turns(1) {
        rotating::of(interval)
    } else {
        of_straight(interval)
    }
}

fn of_straight(interval: &Interval<'_>) -> Truth {
    let mover = mover_of(interval);
    let obstacle = 1 - mover;
    let from = interval.from[mover].at - interval.from[obstacle].at;
    let to = interval.to[mover].at - interval.to[obstacle].at;
    let bounds = interval.shapes.map(TestShape::bound);
    let away = segment_to_origin(from, to) - bounds[0] - bounds[1];
    if away > TOLERANCE {
        return Truth::nothing(away);
    }
    let path = RelativePath::new(interval);
    let spans: Vec<Span> = path.all().filter_map(|part| path.span(part)).collect();
    let ends = [0.0, 1.0].map(|fraction| {
        path.separation(None, fraction)
            .map_or(f64::INFINITY, |s| s.gap)
    });
    let outcomes = Decisions::all(path.tolerance(), |decisions| path.whole(&spans, decisions));
    let least = spans.iter().map(|span| span.least);
    Truth {
        outcomes,
        overlap_detects: ends[0] <= 0.0 || ends[1] <= 0.0,
        least: least.fold(f64::INFINITY, f64::min),
        ends,
    }
}

/// Least distance of two objects without rotation, metres; negative when they overlap.
pub fn apart_by(interval: &Interval<'_>) -> f64 {
    let path = RelativePath::new(interval);
    let least = |part: usize| {
        let (low, high) = path.window(&path.parts[part])?;
        Some(path.least(part, low, high).0)
    };
    path.all().filter_map(least).fold(f64::INFINITY, f64::min)
}

fn segment_to_origin(from: DVec3, to: DVec3) -> f64 {
    let path = to - from;
    let fraction = (-from.dot(path) / path.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (from + path * fraction).length()
}

impl RelativePath {
    fn new(interval: &Interval<'_>) -> Self {
        let mover = mover_of(interval);
        let obstacle = 1 - mover;
        let centre = |poses: [TestPose; 2], object: usize| {
            poses[object].at + poses[object].rotation * interval.shapes[object].centre()
        };
        let apart = |poses: [TestPose; 2]| centre(poses, mover) - centre(poses, obstacle);
        let from = apart(interval.from);
        let shapes = [interval.shapes[mover], interval.shapes[obstacle]];
        let hull = shapes[0].hulls(interval.from[mover].rotation).remove(0);
        let hulls = shapes[1].hulls(interval.from[obstacle].rotation);
        let one_sided = shapes[1].is_one_sided();
        let part = |obstacle: &Hull| Part::new(&hull, obstacle.clone(), one_sided);
        Self {
            parts: hulls.iter().map(part).collect(),
            obstacle: shapes[1].triangles().is_none().then(|| hulls[0].clone()),
            obstacle_has_centre: shapes[1].has_centre(),
            mover: hull,
            from,
            displacement: apart(interval.to) - from,
            slop: SLOP * size_of(shapes),
            sensor: interval.sensor,
            gap_before: interval.gap_before,
        }
    }

    fn at(&self, fraction: f64) -> DVec3 {
        self.from + self.displacement * fraction
    }

    /// Metres within which a number counts as being at its limit.
    fn tolerance(&self) -> f64 {
        let has_circles = self.parts.iter().any(|part| !part.circles.is_empty());
        if has_circles {
            ROUND_TOLERANCE
        } else {
            TOLERANCE
        }
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.parts.len()
    }

    fn separation_of(&self, part: usize, at: DVec3) -> Option<Separation> {
        let part = &self.parts[part];
        let behind = part.one_sided && part.height(at) < 0.0;
        (!behind).then(|| part.separation(at))
    }

    /// The deepest of all parts, or of one.
    fn separation(&self, only: Option<usize>, fraction: f64) -> Option<Separation> {
        self.separation_at(only, self.at(fraction))
    }

    fn separation_at(&self, only: Option<usize>, at: DVec3) -> Option<Separation> {
        let mut nearest: Option<Separation> = None;
        for index in self
            .all()
            .filter(|index| only.is_none_or(|only| only == *index))
        {
            let clearance = at.distance(self.parts[index].centre) - self.parts[index].size;
            if nearest.is_some_and(|known| known.gap.max(0.0) + TOLERANCE < clearance) {
                continue;
            }
            let Some(separation) = self.separation_of(index, at) else {
                continue;
            };
            nearest = Some(match nearest {
                Some(known) if (known.gap - separation.gap).abs() < TOLERANCE => Separation {
                    ambiguous: known.ambiguous
                        || separation.ambiguous
                        || known.normal.dot(separation.normal) < 0.999,
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
        nearest
    }

    /// Contact with a part over the interval; `None` if it stays away.
    fn span(&self, index: usize) -> Option<Span> {
        let part = &self.parts[index];
        let about = segment_to_origin(self.from - part.centre, self.at(1.0) - part.centre);
        if about - part.size > TOLERANCE {
            return None;
        }
        let (low, high) = self.window(part)?;
        let (least, when) = self.least(index, low, high);
        if least > self.tolerance() {
            return None;
        }
        // Tangents of a convex function never pass its root.
        let mut touch = low;
        for _ in 0..60 {
            let here = self.sample(index, touch);
            if here.gap <= 1e-14 || here.slope >= 0.0 {
                break;
            }
            touch = (touch - here.gap / here.slope).min(when);
        }
        Some(Span {
            part: index,
            least,
            touch,
            from_behind: low > 0.0 && self.sample(index, low).gap <= TOLERANCE,
        })
    }

    fn sample(&self, part: usize, fraction: f64) -> Sample {
        let separation = self.parts[part].separation(self.at(fraction));
        Sample {
            fraction,
            gap: separation.gap,
            slope: separation.normal.dot(self.displacement),
        }
    }

    /// Least gap of a part, and its fraction: at least where the tangents on both sides of it intersect.
    fn least(&self, part: usize, low: f64, high: f64) -> (f64, f64) {
        let (mut left, mut right) = (self.sample(part, low), self.sample(part, high));
        let lower = |one: Sample, other: Sample| if other.gap < one.gap { other } else { one };
        let mut least = lower(left, right);
        for _ in 0..200 {
            if left.slope >= 0.0 || right.slope <= 0.0 {
                break;
            }
            let wide = right.fraction - left.fraction;
            let along = (right.gap - left.gap - right.slope * wide) / (left.slope - right.slope);
            if left.gap + left.slope * along > least.gap - 1e-13 {
                break;
            }
            let here = self.sample(part, left.fraction + along.clamp(0.1 * wide, 0.9 * wide));
            least = lower(least, here);
            if here.slope < 0.0 {
                left = here;
            } else {
                right = here;
            }
        }
        (least.gap, least.fraction)
    }

    /// Fractions between which the centre is in front of a one-sided part.
    fn window(&self, part: &Part) -> Option<(f64, f64)> {
        if !part.one_sided {
            return Some((0.0, 1.0));
        }
        let (from, to) = (part.height(self.at(0.0)), part.height(self.at(1.0)));
        let fraction = from / (from - to);
        match (from >= 0.0, to >= 0.0) {
            (true, true) => Some((0.0, 1.0)),
            (true, false) => Some((0.0, fraction)),
            (false, true) => Some((fraction, 1.0)),
            (false, false) => None,
        }
    }

    /// The event. In a mesh, each triangle that the centre passes is tested too, as the first contact may hide it.
    fn whole(&self, spans: &[Span], decisions: &Decisions) -> Option<Kind> {
        let event = self.event(None, spans, decisions).map(|(kind, _)| kind);
        if self.obstacle.is_some() || !matches!(event, None | Some(Kind::Clips)) {
            return event;
        }
        let alone = self.all().filter_map(|part| {
            let (_, toward_start) = self.passes(part)?;
            self.event(Some(part), spans, decisions)
                .filter(|(kind, _)| *kind != Kind::Clips)
                .or_else(|| self.ends_behind(part, toward_start, spans, decisions))
        });
        first_alone(alone, decisions).or(event)
    }

    /// A mover whose centre passes a triangle, and which pushes do not move back in front of it or out beside the mesh.
    fn ends_behind(
        &self,
        part: usize,
        toward_start: DVec3,
        spans: &[Span],
        decisions: &Decisions,
    ) -> Option<(Kind, f64)> {
        let overlap = |limit: Limit, fraction: f64| {
            let separation = self.separation(Some(part), fraction);
            separation.filter(|separation| decisions.below(limit, separation.gap))
        };
        let response = Response {
            decisions,
            gap_before: self.gap_before,
            slop: self.slop,
            toward_start,
            separation: |from: f64, by: DVec3| self.separation_at(None, self.at(from) + by),
        };
        // A lone triangle goes on nowhere.
        if self.sensor || self.all().count() < 2 {
            return None;
        }
        let (start, end) = (overlap(Limit::Start, 0.0), overlap(Limit::End, 1.0));
        let touch = match start {
            Some(_) => 0.0,
            None => spans.iter().find(|span| span.part == part)?.touch,
        };
        Some((response.kind(start, end)?, touch))
    }

    fn passes(&self, part: usize) -> Option<(f64, DVec3)> {
        geometry::passes((self.at(0.0), self.at(1.0)), &self.parts[part].obstacle)
    }

    /// Kind and fraction for all parts, or for one of them alone.
    fn event(
        &self,
        only: Option<usize>,
        spans: &[Span],
        decisions: &Decisions,
    ) -> Option<(Kind, f64)> {
        let touches = |limit: Limit, separation: Option<Separation>| {
            let margin = self.tolerance() + 1e-6 * self.slop;
            let is_deep = |separation: &Separation| {
                decisions.below_within(limit, separation.gap + self.slop, margin)
            };
            separation.filter(is_deep)
        };
        let start = touches(Limit::Start, self.separation(only, 0.0));
        let end = touches(Limit::End, self.separation(only, 1.0));
        match start {
            Some(start) => Some((self.after_overlap(only, &start, end, decisions)?, 0.0)),
            None => self.after_clear(only, spans, end, decisions),
        }
    }

    /// The pair is apart at the start.
    fn after_clear(
        &self,
        only: Option<usize>,
        spans: &[Span],
        end: Option<Separation>,
        decisions: &Decisions,
    ) -> Option<(Kind, f64)> {
        let selected = || {
            spans
                .iter()
                .filter(|span| only.is_none_or(|only| only == span.part))
        };
        // A centre that comes from behind does not touch a one-sided surface.
        let touched = selected()
            .filter(|span| !span.from_behind && decisions.below(Limit::Between, span.least));
        let Some(first) = touched.min_by(|x, y| x.touch.total_cmp(&y.touch)) else {
            return self.met_behind(only);
        };
        let contact = self.separation_of(first.part, self.at(first.touch))?;
        let far = self.is_far(&contact, first.touch, decisions);
        let least = selected().map(|span| span.least);
        let least = least.fold(f64::INFINITY, f64::min);
        let margin = 1e-6 * self.slop + TOLERANCE;
        if !decisions.below_within(Limit::Slop, least + self.slop, margin) {
            return None;
        }
        let kind = match end {
            Some(end) => {
                let wrong = far && !self.sensor && leads_behind(&end, contact.normal, decisions);
                wrong.then_some(Kind::WrongSide)
            }
            None if far => Some(Kind::Tunnels),
            None => Some(Kind::Clips),
        };
        Some((kind?, first.touch))
    }

    /// The pair overlaps at the start: an event only if it leaves on the far side, or is pushed there.
    fn after_overlap(
        &self,
        only: Option<usize>,
        start: &Separation,
        end: Option<Separation>,
        decisions: &Decisions,
    ) -> Option<Kind> {
        if self.sensor || !self.is_far(start, 0.0, decisions) {
            return None;
        }
        if start.ambiguous && decisions.choose(Limit::Direction) {
            return None;
        }
        match end {
            Some(end) => leads_behind(&end, start.normal, decisions)
                .then(|| pushed_behind(self.gap_before, decisions)),
            None => self
                .leaves_behind(only, start.normal, decisions)
                .then_some(Kind::Sinks),
        }
    }

    /// Whether the centre ends behind the plane of a contact.
    fn is_far(&self, contact: &Separation, fraction: f64, decisions: &Decisions) -> bool {
        let nearest = self.mover.least(contact.normal) - self.mover.radius;
        let mover = self.at(fraction).dot(contact.normal) + nearest;
        // The obstacle's surface along the normal: at the mover's outermost point, plus the overlap.
        let surface = mover - contact.gap;
        decisions.below(Limit::Side, self.at(1.0).dot(contact.normal) - surface)
    }

    /// The direction in which the obstacle's centre leaves the mover.
    fn other_leaves(&self) -> Option<DVec3> {
        self.obstacle_has_centre
            .then(|| exit_normal(&self.mover, -self.from, -self.displacement))
            .flatten()
    }

    /// A centre that passes a one-sided triangle from behind, undetected.
    fn met_behind(&self, only: Option<usize>) -> Option<(Kind, f64)> {
        let selected = self
            .all()
            .filter(|part| only.is_none_or(|only| only == *part));
        let passed = selected
            .filter(|part| self.parts[*part].one_sided)
            .filter_map(|part| {
                let (fraction, toward) = self.passes(part)?;
                Some((
                    fraction,
                    toward.dot(self.parts[part].obstacle.normals[0]) < 0.0,
                ))
            });
        let first = passed.min_by(|x, y| x.0.total_cmp(&y.0))?;
        first.1.then_some((Kind::Tunnels, first.0))
    }

    /// Whether a centre passes through the other and comes out behind.
    fn leaves_behind(&self, only: Option<usize>, normal: DVec3, decisions: &Decisions) -> bool {
        let behind = |along: f64| decisions.below(Limit::Direction, along + SIDEWAYS);
        let Some(obstacle) = &self.obstacle else {
            let path = (self.at(1.0), self.at(0.0));
            let selected = self
                .all()
                .filter(|part| only.is_none_or(|only| only == *part));
            let last = selected
                .filter_map(|part| geometry::passes(path, &self.parts[part].obstacle))
                .min_by(|x, y| x.0.total_cmp(&y.0));
            return last.is_some_and(|(_, toward_end)| behind(toward_end.dot(normal)))
                || self
                    .other_leaves()
                    .is_some_and(|out| behind(-out.dot(normal)));
        };
        // The mover's centre through the obstacle, or the obstacle's through the mover, in the opposite direction.
        exit_normal(obstacle, self.from, self.displacement)
            .is_some_and(|out| behind(out.dot(normal)))
            || self
                .other_leaves()
                .is_some_and(|out| behind(-out.dot(normal)))
    }
}

/// The first event of triangles tested alone. An edge that two of them have in common is touched at one time.
pub fn first_alone(
    alone: impl Iterator<Item = (Kind, f64)>,
    decisions: &Decisions,
) -> Option<Kind> {
    let mut alone: Vec<_> = alone.collect();
    alone.sort_by(|x, y| x.1.total_cmp(&y.1));
    let first = alone.first()?;
    let at_once = alone.iter().rev().find(|other| {
        other.1 - first.1 < TOLERANCE && other.0 != first.0 && decisions.choose(Limit::Between)
    });
    Some(at_once.unwrap_or(first).0)
}

/// A push-out sideways does not count.
fn leads_behind(end: &Separation, normal: DVec3, decisions: &Decisions) -> bool {
    if end.ambiguous {
        return decisions.choose(Limit::Direction);
    }
    decisions.below(Limit::Direction, end.normal.dot(normal) + SIDEWAYS)
}

/// The response to a mover whose centre passed a triangle of a mesh.
pub struct Response<'d, S> {
    pub decisions: &'d Decisions,
    pub gap_before: f64,
    pub slop: f64,
    /// The triangle's normal toward the start of the centre's path, at the end.
    pub toward_start: DVec3,
    /// The mover at a fraction, moved by a vector, and all of the mesh.
    pub separation: S,
}

impl<S: Fn(f64, DVec3) -> Option<Separation>> Response<'_, S> {
    /// The kind for a mover that overlaps the triangle at the start or the end, or both.
    pub fn kind(&self, start: Option<Separation>, end: Option<Separation>) -> Option<Kind> {
        match (start, end) {
            (None, None) => None,
            (Some(start), None) => {
                let rest = self.rest(0.0, -start.normal * start.gap);
                rest.map(|_| Kind::Sinks)
            }
            (start, Some(end)) => self.leads_behind(end).then(|| match start {
                Some(_) => pushed_behind(self.gap_before, self.decisions),
                None => Kind::WrongSide,
            }),
        }
    }

    /// Plays the response at the end: pushes the mover out of the deepest part, again and again.
    fn leads_behind(&self, first: Separation) -> bool {
        let (mut here, mut moved) = (first, DVec3::ZERO);
        for _ in 0..RESPONSES {
            let along = here.normal.dot(self.toward_start);
            if here.ambiguous && self.decisions.choose(Limit::Direction) {
                return false;
            }
            if self.decisions.below(Limit::Direction, along + SIDEWAYS) {
                return true;
            }
            // Up to 60 degrees off the triangle's normal is back in front.
            if self.decisions.below(Limit::Direction, BACKWARD - along) {
                return false;
            }
            moved -= here.normal * here.gap;
            match self.rest(1.0, moved) {
                Some(rest) => here = rest,
                // Out beside the mesh.
                None => return false,
            }
        }
        true
    }

    /// What is left of the overlap after a push.
    fn rest(&self, fraction: f64, moved: DVec3) -> Option<Separation> {
        let rest = (self.separation)(fraction, moved);
        rest.filter(|rest| self.decisions.below(Limit::Slop, rest.gap + self.slop))
    }
}

/// Outward normal of the surface through which a point leaves a convex obstacle, if its path does.
fn exit_normal(hull: &Hull, from: DVec3, displacement: DVec3) -> Option<DVec3> {
    if hull.corners.len() == 3 {
        let passed = geometry::passes((from + displacement, from), hull);
        return passed.map(|(_, toward_end)| toward_end);
    }
    let apart = |fraction: f64| geometry::distance(hull, from + displacement * fraction);
    if apart(1.0) <= 0.0 {
        return None;
    }
    // The distance of a point from a convex shape along a line has one minimum.
    let (mut low, mut high) = (0.0, 1.0);
    let mut inside = None;
    for _ in 0..120 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if let Some(fraction) = [low, left, right]
            .into_iter()
            .find(|fraction| apart(*fraction) <= 0.0)
        {
            inside = Some(fraction);
            break;
        }
        if apart(left) < apart(right) {
            high = right;
        } else {
            low = left;
        }
    }
    let out = first(inside?, 1.0, |fraction| apart(fraction) > 0.0);
    Some(geometry::outward(hull, from + displacement * out))
}

/// First fraction after `low` at which a condition holds that holds at `high` and from then on.
fn first(mut low: f64, mut high: f64, is_so: impl Fn(f64) -> bool) -> f64 {
    if is_so(low) {
        return low;
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if is_so(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
