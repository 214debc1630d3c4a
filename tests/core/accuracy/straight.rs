//! Truth of a pair over one interval in which both move straight and neither rotates.
//!
//! Everything is cut into convex parts. The signed distance of two parts in straight relative motion is a convex function of time;
//! tangents find its minimum and the first touch. The sides follow: on which side of the surface entered
//! (which moves with the obstacle) the mover's centre ends, and to which side the smallest push-out leads.

use super::geometry::{self, Hull, Part, Separation, TOLERANCE, TestShape};
use super::truth::{
    BACKWARD, Decisions, Entry, Interval, Limit, Plane, ROUND_TOLERANCE, Response, SIDEWAYS,
    TestPose, Truth, deepest, first_alone, first_from_behind, is_in_front, mover_of, shell_gap,
    slop_of,
};
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::Kind;

/// Contact of the mover with one convex part.
#[derive(Clone, Copy, Debug)]
struct Span {
    part: usize,
    /// Least signed distance, metres.
    least: f64,
    /// Fraction of the first touch; if the contact is a graze, of the least distance.
    touch: f64,
}

/// Fraction, gap, and slope of the gap.
#[derive(Clone, Copy)]
struct Sample {
    fraction: f64,
    gap: f64,
    slope: f64,
}

/// A surface that the mover enters: its unit normal toward the mover, and its height along it over the obstacle's centre.
#[derive(Clone, Copy)]
struct Surface {
    normal: DVec3,
    height: f64,
}

/// The mover's path relative to the obstacle's centre.
struct RelativePath<'t> {
    interval: &'t Interval<'t>,
    parts: Vec<Part>,
    mover: Hull,
    /// The convex obstacle; `None` for a mesh.
    obstacle: Option<Hull>,
    obstacle_rotation: DQuat,
    from: DVec3,
    displacement: DVec3,
    /// Depth up to which an overlap does not count, metres.
    slop: f64,
    entry: Entry,
    /// Signed distance from the surface of a closed mesh at the end.
    shell_gap: Option<f64>,
    is_one_sided: bool,
    obstacle_has_centre: bool,
}

pub fn of(interval: &Interval<'_>, entries: impl Fn() -> [Entry; 2]) -> Truth {
    let mover = mover_of(interval);
    let obstacle = 1 - mover;
    let from = interval.from[mover].at - interval.from[obstacle].at;
    let to = interval.to[mover].at - interval.to[obstacle].at;
    let bounds = interval.shapes.map(TestShape::bound);
    let away = segment_to_origin(from, to) - bounds[0] - bounds[1];
    if away > TOLERANCE {
        return Truth::nothing(away);
    }
    let mut path = RelativePath::new(interval, mover, slop_of(interval, mover));
    let spans = path.spans();
    let ends =
        [0.0, 1.0].map(|fraction| path.separation(fraction).map_or(f64::INFINITY, |s| s.gap));
    let outcomes = entries().into_iter().flat_map(|entry| {
        path.entry = entry;
        Decisions::all(path.tolerance(), |decisions| path.whole(&spans, decisions))
    });
    let outcomes = outcomes.collect();
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
    let path = RelativePath::new(interval, mover_of(interval), 0.0);
    let least = |part: usize| path.least(part).0;
    path.all().map(least).fold(f64::INFINITY, f64::min)
}

/// Signed distance of two objects at these poses, metres.
pub fn gap_at(shapes: [&TestShape; 2], poses: [TestPose; 2]) -> f64 {
    let interval = Interval {
        shapes,
        from: poses,
        to: poses,
        sensor: false,
        gap_before: f64::INFINITY,
    };
    let path = RelativePath::new(&interval, mover_of(&interval), 0.0);
    path.separation(0.0)
        .map_or(f64::INFINITY, |found| found.gap)
}

/// Signed distance of a pair at rest from the surfaces in front of which the mover's centre is, metres: whether of all or of none, by the
/// nearest triangle of a one-sided mesh, and by each of its triangles.
pub fn front_gaps(interval: &Interval<'_>, decisions: &Decisions) -> [f64; 2] {
    let path = RelativePath::new(interval, mover_of(interval), 0.0);
    let gap = |found: Option<Separation>| found.map_or(f64::INFINITY, |found| found.gap);
    let whole = gap(path.separation(0.0));
    if !path.is_one_sided {
        return [whole; 2];
    }
    let nearest = match path.begins_in_front(decisions) {
        true => whole,
        false => f64::INFINITY,
    };
    let front = path.parts.iter().filter(|part| path.is_in_front_of(part));
    [nearest, gap(deepest(front, path.at(0.0)))]
}

/// The plane through which a mover enters the obstacle on its way to an overlap deeper than the slop; that of the contact with which the
/// interval begins, if there is one.
pub fn entered(
    interval: &Interval<'_>,
    (mover, slop): (usize, f64),
    decisions: &Decisions,
) -> Option<Plane> {
    let path = RelativePath::new(interval, mover, slop);
    // What comes from behind a one-sided surface enters nothing.
    if path.is_one_sided && path.comes_from_front(decisions) != Some(true) {
        return None;
    }
    let start = path.separation(0.0)?;
    let surface = match start.gap <= 0.0 {
        true => path.plane_of(&start, 0.0),
        false => {
            let spans = path.spans();
            let first = path.first_deep(&spans, decisions)?;
            path.surface(&first, decisions)
        }
    };
    Some(Plane {
        normal: path.obstacle_rotation.inverse() * surface.normal,
        height: surface.height,
    })
}

fn segment_to_origin(from: DVec3, to: DVec3) -> f64 {
    let path = to - from;
    let fraction = (-from.dot(path) / path.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (from + path * fraction).length()
}

impl<'t> RelativePath<'t> {
    fn new(interval: &'t Interval<'t>, mover: usize, slop: f64) -> Self {
        let obstacle = 1 - mover;
        let centre = |poses: [TestPose; 2], object: usize| {
            poses[object].at + poses[object].rotation * interval.shapes[object].centre()
        };
        let apart = |poses: [TestPose; 2]| centre(poses, mover) - centre(poses, obstacle);
        let from = apart(interval.from);
        let shapes = [interval.shapes[mover], interval.shapes[obstacle]];
        let hull = shapes[0].hulls(interval.from[mover].rotation).remove(0);
        let hulls = shapes[1].hulls(interval.from[obstacle].rotation);
        let part = |obstacle: &Hull| Part::new(&hull, obstacle.clone());
        Self {
            interval,
            parts: hulls.iter().map(part).collect(),
            obstacle: shapes[1].triangles().is_none().then(|| hulls[0].clone()),
            obstacle_rotation: interval.from[obstacle].felt(shapes[1]).rotation,
            obstacle_has_centre: shapes[1].has_centre(),
            mover: hull,
            from,
            displacement: apart(interval.to) - from,
            slop,
            entry: Entry::Own,
            shell_gap: shell_gap(interval.shapes, interval.to),
            is_one_sided: shapes[1].is_one_sided(),
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

    /// The deepest of all parts.
    fn separation(&self, fraction: f64) -> Option<Separation> {
        deepest(self.parts.iter(), self.at(fraction))
    }

    fn spans(&self) -> Vec<Span> {
        self.all().filter_map(|part| self.span(part)).collect()
    }

    /// Contact with a part over the interval; `None` if it stays away.
    fn span(&self, index: usize) -> Option<Span> {
        let part = &self.parts[index];
        let about = segment_to_origin(self.from - part.centre, self.at(1.0) - part.centre);
        if about - part.size > TOLERANCE {
            return None;
        }
        let (least, when) = self.least(index);
        if least > self.tolerance() {
            return None;
        }
        // Tangents of a convex function never pass its root.
        let mut touch = 0.0;
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
    fn least(&self, part: usize) -> (f64, f64) {
        let (mut left, mut right) = (self.sample(part, 0.0), self.sample(part, 1.0));
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

    /// The event. In a mesh, each triangle that the centre passes is tested too, as the first contact may hide it.
    fn whole(&self, spans: &[Span], decisions: &Decisions) -> Option<Kind> {
        if self.is_one_sided {
            match self.comes_from_front(decisions) {
                Some(true) => {}
                Some(false) => return Some(Kind::Tunnels),
                None => return None,
            }
        }
        let event = self.event(spans, decisions);
        if self.obstacle.is_some() || !matches!(event, None | Some(Kind::Clips)) {
            return event;
        }
        let alone = self.passed().filter_map(|(part, (_, toward_start))| {
            let span = spans.iter().find(|span| span.part == part)?;
            Some((self.alone(span, toward_start, decisions)?, span.touch))
        });
        first_alone(alone, decisions).or(event)
    }

    /// Whether the mover comes to a one-sided surface from its front; false where its centre comes through from behind, `None` where it
    /// stays behind.
    fn comes_from_front(&self, decisions: &Decisions) -> Option<bool> {
        let front = |part: usize| self.parts[part].obstacle.normals[0];
        let passed = self.passed();
        let passed = passed.map(|(part, (at, toward))| (at, toward.dot(front(part)) < 0.0));
        if let Some(behind) = first_from_behind(passed, decisions) {
            return Some(!behind);
        }
        // Whether the others of a mesh count, where it is behind the nearest, is open.
        let of_another = || {
            let length = self.displacement.length();
            let is_near = |part: &Part| part.separation(self.at(0.0)).gap < length;
            let mut front = self.parts.iter().filter(|part| self.is_in_front_of(part));
            front.any(is_near) && decisions.choose(Limit::Hollow)
        };
        (self.begins_in_front(decisions) || of_another()).then_some(true)
    }

    fn is_in_front_of(&self, part: &Part) -> bool {
        let hull = &part.obstacle;
        (self.at(0.0) - hull.corners[0]).dot(hull.normals[0]) > 0.0
    }

    fn begins_in_front(&self, decisions: &Decisions) -> bool {
        let triangles = self.parts.iter().map(|part| part.obstacle.clone());
        let triangles: Vec<Hull> = triangles.collect();
        is_in_front(&triangles, self.at(0.0), decisions)
    }

    /// The triangles of a mesh that the centre passes: the fraction of the path, and the normal toward the start.
    fn passed(&self) -> impl Iterator<Item = (usize, (f64, DVec3))> {
        self.all()
            .filter_map(|part| Some((part, self.passes(part)?)))
    }

    fn passes(&self, part: usize) -> Option<(f64, DVec3)> {
        geometry::passes((self.at(0.0), self.at(1.0)), &self.parts[part].obstacle)
    }

    /// The overlap at the end; inside of a closed mesh there is none.
    fn end(&self, separation: Option<Separation>, decisions: &Decisions) -> Option<Separation> {
        let touches = separation.filter(|end| decisions.below(Limit::End, end.gap));
        let is_solid = || {
            self.shell_gap
                .is_none_or(|gap| decisions.below(Limit::Hollow, gap))
        };
        touches.filter(|_| is_solid())
    }

    fn is_deep(&self, separation: &Separation, decisions: &Decisions) -> bool {
        let tolerance = 1e-6 * self.slop + self.tolerance();
        decisions.below_within(Limit::Start, separation.gap + self.slop, tolerance)
    }

    fn event(&self, spans: &[Span], decisions: &Decisions) -> Option<Kind> {
        let start = self.separation(0.0)?;
        let end = self.end(self.separation(1.0), decisions);
        match self.is_deep(&start, decisions) {
            true => self.after_overlap(&start, end, decisions),
            false => self.after_clear(spans, (&start, end), decisions),
        }
    }

    /// The first contact that becomes deeper than the slop.
    fn first_deep(&self, spans: &[Span], decisions: &Decisions) -> Option<Span> {
        let tolerance = 1e-6 * self.slop + self.tolerance();
        let deep = spans
            .iter()
            .filter(|span| decisions.below_within(Limit::Slop, span.least + self.slop, tolerance));
        deep.min_by(|x, y| x.touch.total_cmp(&y.touch)).copied()
    }

    /// The pair is not deeper than the slop at the start.
    fn after_clear(
        &self,
        spans: &[Span],
        (start, end): (&Separation, Option<Separation>),
        decisions: &Decisions,
    ) -> Option<Kind> {
        let first = self.first_deep(spans, decisions)?;
        let surface = self.surface(&first, decisions);
        let far = self.is_far(surface, decisions);
        let touches = decisions.below(Limit::Start, start.gap);
        let sensor = self.interval.sensor;
        // A test detects a sensor that touches.
        if sensor && (touches || end.is_some()) {
            return None;
        }
        let kind = match end {
            Some(end) => {
                let behind = decisions.leads_behind(&end, surface.normal);
                // A push straight through leads out on the far side wherever the centre is.
                let along = end.normal.dot(surface.normal) + BACKWARD;
                let through = || decisions.below(Limit::Direction, along);
                (behind && (far || through())).then_some(Kind::WrongSide)
            }
            None if self.goes_past(far, &first, decisions) => Some(Kind::Tunnels),
            // Beside the obstacle it cuts a corner, which no test sees from apart.
            None => (!touches).then_some(Kind::Clips),
        };
        Some(decisions.gave_way(kind?, self.interval))
    }

    /// The pair is deeper than the slop at the start: an event only if it leaves on the far side, or is pushed there.
    fn after_overlap(
        &self,
        start: &Separation,
        end: Option<Separation>,
        decisions: &Decisions,
    ) -> Option<Kind> {
        let surface = match self.entry {
            Entry::Through(plane) => Surface {
                normal: self.obstacle_rotation * plane.normal,
                height: plane.height,
            },
            Entry::Own | Entry::Inside => self.plane_of(start, 0.0),
        };
        if self.interval.sensor || !self.is_far(surface, decisions) {
            return None;
        }
        if start.ambiguous && decisions.choose(Limit::Direction) {
            return None;
        }
        // An overlap past the middle at the start is no new event.
        if decisions.below(Limit::Direction, start.normal.dot(surface.normal)) {
            return None;
        }
        match end {
            Some(_) if matches!(self.entry, Entry::Inside) => None,
            Some(end) => decisions
                .leads_behind(&end, surface.normal)
                .then_some(Kind::Sinks),
            None => self
                .leaves_behind(surface.normal, decisions)
                .then_some(Kind::Sinks),
        }
    }

    /// The event of a triangle that the centre passes.
    fn alone(&self, span: &Span, toward_start: DVec3, decisions: &Decisions) -> Option<Kind> {
        let part = &self.parts[span.part];
        let start = part.separation(self.at(0.0));
        let was_deep = self.is_deep(&start, decisions);
        let touched = decisions.below(Limit::Start, start.gap);
        let end = self.end(Some(part.separation(self.at(1.0))), decisions);
        if self.interval.sensor {
            return (!touched && end.is_none()).then_some(Kind::Tunnels);
        }
        let came_back = |plane: &Plane| {
            let entered = (self.obstacle_rotation * plane.normal).dot(toward_start);
            decisions.below(Limit::Direction, entered)
        };
        if was_deep && matches!(&self.entry, Entry::Through(plane) if came_back(plane)) {
            return None;
        }
        if self.is_same_overlap(was_deep && end.is_some(), decisions) {
            return None;
        }
        let kind = match end {
            Some(end) => {
                let response = Response {
                    decisions,
                    slop: self.slop,
                    toward_start,
                    separation: |by: DVec3| deepest(self.parts.iter(), self.at(1.0) + by),
                };
                // A lone triangle goes on nowhere.
                let behind = match self.parts.len() {
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
        Some(decisions.gave_way(kind, self.interval))
    }

    /// Whether the overlap at the end counts as that in which one of the two appeared; for other triangles of the same mesh it is open.
    fn is_same_overlap(&self, certainly: bool, decisions: &Decisions) -> bool {
        let lasts = || self.separation(1.0).is_some_and(|end| end.gap <= 0.0);
        let may_be = || lasts() && decisions.choose(Limit::Between);
        matches!(self.entry, Entry::Inside) && (certainly || may_be())
    }

    /// The surface entered: the plane of a contact or, where it is on an edge or corner of the obstacle, the face that the centre comes to.
    fn surface(&self, span: &Span, decisions: &Decisions) -> Surface {
        let part = &self.parts[span.part];
        let contact = part.separation(self.at(span.touch));
        let ahead = || {
            let (point, normal) = self.face_ahead()?;
            Some(Surface {
                normal,
                height: point.dot(normal),
            })
        };
        let is_on_edge = decisions.is_on_edge(&part.obstacle, contact.normal);
        let face = is_on_edge.then(ahead).flatten();
        face.unwrap_or_else(|| self.plane_of(&contact, span.touch))
    }

    /// Where the centre comes to a face of the obstacle, if the motion goes on straight, and the normal toward the mover.
    fn face_ahead(&self) -> Option<(DVec3, DVec3)> {
        let length = self.displacement.length();
        let (bound, beyond) = match &self.obstacle {
            Some(hull) => (hull.bound(DVec3::ZERO), self.from.length()),
            None => {
                let sizes = self
                    .parts
                    .iter()
                    .map(|part| part.centre.length() + part.size);
                (sizes.fold(0.0, f64::max), self.from.length())
            }
        };
        if length == 0.0 || !bound.is_finite() {
            return None;
        }
        let to = self.from + self.displacement * ((2.0 * (bound + beyond) + length) / length);
        match &self.obstacle {
            Some(hull) => geometry::entry_point(hull, self.from, to),
            None => {
                let passed = self.parts.iter().filter_map(|part| {
                    let (fraction, toward) = geometry::passes((self.from, to), &part.obstacle)?;
                    Some((fraction, self.from.lerp(to, fraction), toward))
                });
                let first = passed.min_by(|x, y| x.0.total_cmp(&y.0))?;
                Some((first.1, first.2))
            }
        }
    }

    /// Whether a mover that ends clear of the obstacle has passed it: its centre goes through, the obstacle's goes through it, or it ends behind a
    /// round surface. Where the centres do not end on the far sides of each other it is open.
    fn goes_past(&self, far: bool, first: &Span, decisions: &Decisions) -> bool {
        let goes_in = match &self.obstacle {
            Some(hull) => geometry::enters(hull, self.from, self.at(1.0)),
            None => self.passed().next().is_some(),
        };
        let contact = || self.parts[first.part].separation(self.at(first.touch));
        let is_round = || {
            self.parts[first.part]
                .obstacle
                .is_round_at(contact().normal)
        };
        if far && (goes_in || is_round()) {
            return true;
        }
        let normal = self.surface(first, decisions).normal;
        let foremost = self.at(1.0).dot(normal) + self.mover.least(normal) - self.mover.radius;
        let is_behind = foremost < 0.0;
        let goes_through = (far || is_behind)
            && self.obstacle_has_centre
            && geometry::enters(&self.mover, -self.from, -self.at(1.0));
        goes_through && (far && is_behind || decisions.choose(Limit::Between))
    }

    /// The plane of a contact: at the mover's outermost point, plus the overlap.
    fn plane_of(&self, contact: &Separation, fraction: f64) -> Surface {
        let nearest = self.mover.least(contact.normal) - self.mover.radius;
        Surface {
            normal: contact.normal,
            height: self.at(fraction).dot(contact.normal) + nearest - contact.gap,
        }
    }

    /// Whether the centre ends behind a surface.
    fn is_far(&self, surface: Surface, decisions: &Decisions) -> bool {
        let over = self.at(1.0).dot(surface.normal) - surface.height;
        decisions.below(Limit::Side, over)
    }

    /// Whether a centre passes through the other and comes out behind.
    fn leaves_behind(&self, normal: DVec3, decisions: &Decisions) -> bool {
        let behind = |along: f64| decisions.below(Limit::Direction, along + SIDEWAYS);
        // The obstacle's centre through the mover, in the opposite direction.
        let other_leaves = || {
            let out = self
                .obstacle_has_centre
                .then(|| exit_normal(&self.mover, -self.from, -self.displacement));
            out.flatten().is_some_and(|out| behind(-out.dot(normal)))
        };
        let out = match &self.obstacle {
            Some(obstacle) => exit_normal(obstacle, self.from, self.displacement),
            None => {
                let path = (self.at(1.0), self.at(0.0));
                let passed = self
                    .parts
                    .iter()
                    .filter_map(|part| geometry::passes(path, &part.obstacle));
                passed.min_by(|x, y| x.0.total_cmp(&y.0)).map(|last| last.1)
            }
        };
        out.is_some_and(|out| behind(out.dot(normal))) || other_leaves()
    }
}

/// Outward normal of the surface through which a point leaves a convex obstacle, if its path does.
fn exit_normal(hull: &Hull, from: DVec3, displacement: DVec3) -> Option<DVec3> {
    let to = from + displacement;
    if geometry::distance(hull, to) <= 0.0 {
        return None;
    }
    // Backward it enters there.
    geometry::entry_point(hull, to, from).map(|(_, normal)| normal)
}
