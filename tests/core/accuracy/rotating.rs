//! What is true of two things of which one turns on its way.
//!
//! No gap of theirs changes faster than they travel and their rims swing: the stretch is walked in a thousand pieces, wider ones where
//! the gap rules a touch out, and cut further where it leaves one open. Each of the two is asked as the other sees it, in whose
//! frame the contact plane stands.

use super::geometry::{self, Form, Hull, Part, Stand};
use super::truth::{
    Doubt, Limit, OPEN_ROUND as OPEN, PIECES, Place, SIDEWAYS, SLOP, Stretch, Truth, body_of,
    first_alone, size_of,
};
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::Kind;
use std::f64::consts::PI;

/// Gaps of a stretch that are asked at least where the two are near each other.
const SAMPLES: f64 = 200.0;

/// How often the time between two is halved where a touch is open.
const HALVED: u32 = 12;

/// How far a thing turns, radians: the shorter way round, as a log tells no other.
pub fn angle(form: &Form, from: DQuat, to: DQuat) -> f64 {
    match form {
        Form::Ball(_) => 0.0,
        _ => 2.0 * from.dot(to).abs().min(1.0).acos(),
    }
}

struct Turned<'t> {
    /// The body first.
    forms: [&'t Form; 2],
    from: [Place; 2],
    to: [Place; 2],
    angles: [f64; 2],
    sensor: bool,
    /// Metres per stretch.
    rate: f64,
    slop: f64,
}

/// A moment, and how the two stand.
type Sample = (f64, f64);

/// The plane of a contact in the frame of the thing that carries it.
struct Plane {
    carrier: usize,
    point: DVec3,
    normal: DVec3,
}

pub fn of(stretch: &Stretch<'_>) -> Truth {
    let body = body_of(stretch);
    let order = [body, 1 - body];
    let turned = Turned::new(stretch, order);
    let near = turned.samples(None);
    let Some(samples) = near else {
        return Truth::nothing(f64::INFINITY);
    };
    let open = Doubt::all(OPEN, |doubt| turned.whole(&samples, doubt));
    let ends = [samples[0].1, samples[samples.len() - 1].1];
    Truth {
        open,
        seen: ends[0] <= 0.0 || ends[1] <= 0.0,
        least: samples
            .iter()
            .map(|sample| sample.1)
            .fold(f64::INFINITY, f64::min),
        ends,
    }
}

impl<'t> Turned<'t> {
    fn new(stretch: &Stretch<'t>, order: [usize; 2]) -> Self {
        let forms = order.map(|index| stretch.forms[index]);
        let (from, to) = (order.map(|i| stretch.from[i]), order.map(|i| stretch.to[i]));
        let angles = [0, 1].map(|i| angle(forms[i], from[i].turn, to[i].turn));
        let travel = (to[0].at - from[0].at) - (to[1].at - from[1].at);
        let swing = |i: usize| match angles[i] {
            0.0 => 0.0,
            angle => angle * forms[i].bound(),
        };
        Self {
            rate: travel.length() + swing(0) + swing(1),
            slop: SLOP * size_of(forms),
            sensor: stretch.sensor,
            forms,
            from,
            to,
            angles,
        }
    }

    /// Where its middle is, and how it is turned.
    fn place(&self, thing: usize, share: f64) -> Place {
        let (from, to) = (self.from[thing], self.to[thing]);
        let turn = match self.angles[thing] {
            0.0 => from.turn,
            _ => from.turn.slerp(to.turn, share),
        };
        Place {
            at: from.at.lerp(to.at, share) + turn * self.forms[thing].middle(),
            turn,
        }
    }

    /// How they stand; of a sheet, one triangle or all.
    fn stand(&self, only: Option<usize>, share: f64) -> Stand {
        let [body, solid] = [0, 1].map(|thing| self.place(thing, share));
        let at = body.at - solid.at;
        let hull = self.forms[0].hulls(body.turn).remove(0);
        let bound = hull.bound(DVec3::ZERO);
        let mut nearest: Option<Stand> = None;
        for (index, part) in self.forms[1].hulls(solid.turn).into_iter().enumerate() {
            let (middle, size) = part.ball();
            let room = at.distance(middle) - size - bound;
            let far = nearest.is_some_and(|known| known.gap.max(0.0) + OPEN < room);
            if far || only.is_some_and(|only| only != index) {
                continue;
            }
            let stand = Part::new(&hull, part, false).stand(at);
            nearest = Some(match nearest {
                Some(known) if (known.gap - stand.gap).abs() < OPEN => Stand {
                    ambiguous: known.normal.dot(stand.normal) < 0.999,
                    ..if stand.gap < known.gap { stand } else { known }
                },
                Some(known) if known.gap <= stand.gap => known,
                _ => stand,
            });
        }
        nearest.expect("every solid has a part")
    }

    /// Gaps in the order of time; `None` where they surely stay apart.
    fn samples(&self, only: Option<usize>) -> Option<Vec<Sample>> {
        let bounds = self.forms[0].bound() + self.forms[1].bound();
        let from = self.from[0].at - self.from[1].at;
        let way = self.to[0].at - self.to[1].at - from;
        let share = (-from.dot(way) / way.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        if (from + way * share).length() > bounds {
            return None;
        }
        let gap = |share: f64| self.stand(only, share).gap;
        let mut samples = vec![(0.0, gap(0.0))];
        let (mut share, mut known) = samples[0];
        while share < 1.0 {
            let safe = (known.max(0.0) / self.rate).max(1.0 / SAMPLES);
            let next = (share + safe).min(1.0);
            let gap_next = gap(next);
            self.between((share, known), (next, gap_next), HALVED, &gap, &mut samples);
            samples.push((next, gap_next));
            (share, known) = (next, gap_next);
        }
        Some(samples)
    }

    /// Cuts a piece further where the gap may fall below a limit that neither end is below.
    fn between(
        &self,
        one: Sample,
        two: Sample,
        halvings: u32,
        gap: &impl Fn(f64) -> f64,
        samples: &mut Vec<Sample>,
    ) {
        let least = self.least_between(one, two);
        let open = |limit: f64| least < limit && one.1.min(two.1) > limit;
        if halvings == 0 || !(open(0.0) || open(-self.slop)) {
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

    fn whole(&self, samples: &[Sample], doubt: &Doubt) -> Option<Kind> {
        let event = self.event(None, samples, doubt).map(|(kind, _)| kind);
        if self.forms[1].triangles().is_none() || !matches!(event, None | Some(Kind::Clips)) {
            return event;
        }
        let passed = (0..self.forms[1].hulls(DQuat::IDENTITY).len()).filter(|part| {
            let hulls = self.forms[1].hulls(DQuat::IDENTITY);
            self.passes(0, std::slice::from_ref(&hulls[*part]))
        });
        let alone = passed.filter_map(|part| {
            let samples = self.samples(Some(part))?;
            self.event(Some(part), &samples, doubt)
        });
        first_alone(alone, doubt).or(event)
    }

    fn event(&self, only: Option<usize>, samples: &[Sample], doubt: &Doubt) -> Option<(Kind, f64)> {
        let (start, end) = (samples[0], samples[samples.len() - 1]);
        let ends = doubt.below_within(Limit::End, end.1, OPEN);
        let end = ends.then(|| self.stand(only, 1.0));
        if doubt.below_within(Limit::Start, start.1, OPEN) {
            return Some((self.after_overlap(only, end, doubt)?, 0.0));
        }
        let deep = self.deep(samples, doubt)?;
        // The touch that led there: nothing between the two is apart.
        let apart = samples[..=deep].iter().rposition(|sample| sample.1 > 0.0)?;
        let first = samples
            .iter()
            .position(|sample| sample.1 <= 0.0)
            .unwrap_or(deep);
        let apart = if apart >= first && doubt.either(Limit::Between) {
            first - 1
        } else {
            apart
        };
        let touch = self.touch(only, samples[apart].0, samples[apart + 1].0);
        let contact = self.stand(only, touch);
        let planes = self.planes(&contact, touch);
        let kind = if let Some(end) = end {
            let leads = |plane: &Plane| {
                self.is_far(plane, doubt) && self.leads_behind(&end, plane, only, doubt)
            };
            let wrong = !self.sensor && planes.iter().any(leads);
            wrong.then_some(Kind::WrongSide)
        } else if planes
            .iter()
            .any(|plane| self.is_far(plane, doubt) && self.passes_carrier(plane, only))
        {
            Some(Kind::Tunnels)
        } else {
            self.clips(samples, doubt).then_some(Kind::Clips)
        };
        Some((kind?, touch))
    }

    /// The first sample that is deeper than the slop, or may be.
    fn deep(&self, samples: &[Sample], doubt: &Doubt) -> Option<usize> {
        let sure = samples
            .iter()
            .position(|sample| sample.1 < -self.slop - OPEN);
        if sure.is_some() {
            return sure;
        }
        let nearly = |pair: &[Sample]| self.least_between(pair[0], pair[1]) < -self.slop + OPEN;
        let open = samples.windows(2).position(nearly)?;
        if !doubt.either(Limit::Slop) {
            return None;
        }
        let least = |x: &usize, y: &usize| samples[*x].1.total_cmp(&samples[*y].1);
        (open..samples.len())
            .min_by(least)
            .filter(|index| samples[*index].1 <= 0.0)
    }

    /// A log tells poses, not the way between: a cut less deep than an arc leaves its chord is said not to be reported.
    fn clips(&self, samples: &[Sample], doubt: &Doubt) -> bool {
        let sag = |thing: usize| match self.angles[thing] {
            0.0 => 0.0,
            angle => self.forms[thing].bound() * (1.0 - (0.5 * angle.min(PI)).cos()),
        };
        let depth = self.deepest(samples);
        doubt.below_within(Limit::Slop, sag(0) + sag(1) - depth, OPEN + 1e-6 * depth)
    }

    /// Metres: the depth of the deepest overlap, about the deepest sample.
    fn deepest(&self, samples: &[Sample]) -> f64 {
        let least = |x: &usize, y: &usize| samples[*x].1.total_cmp(&samples[*y].1);
        let deepest = (0..samples.len()).min_by(least).expect("there are samples");
        let mut low = samples[deepest.saturating_sub(1)].0;
        let mut high = samples[(deepest + 1).min(samples.len() - 1)].0;
        let mut gap = samples[deepest].1;
        for _ in 0..60 {
            let third = (high - low) / 3.0;
            let [one, two] = [low + third, high - third].map(|at| self.stand(None, at).gap);
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
            if self.stand(only, middle).gap > 0.0 {
                apart = middle;
            } else {
                touching = middle;
            }
        }
        touching
    }

    /// The plane of a contact on each of the two, in the frame of the one that carries it.
    fn planes(&self, contact: &Stand, share: f64) -> Vec<Plane> {
        let along = |thing: usize, normal: DVec3| {
            let place = self.place(thing, share);
            let hull = self.forms[thing].hulls(place.turn).remove(0);
            place.at.dot(normal) + hull.least(normal) - hull.radius
        };
        let mut planes = Vec::new();
        // Seen by the body, the plane is the solid's: as far behind the body's outermost point as they overlap.
        let plane = |carrier: usize, normal: DVec3, offset: f64| {
            let place = self.place(carrier, share);
            Plane {
                carrier,
                point: place.turn.inverse() * (normal * offset - place.at),
                normal: place.turn.inverse() * normal,
            }
        };
        let surface = along(0, contact.normal);
        planes.push(plane(1, contact.normal, surface - contact.gap));
        if self.forms[1].is_body() {
            planes.push(plane(0, -contact.normal, -surface));
        }
        planes
    }

    /// Does the other's middle end behind the plane?
    fn is_far(&self, plane: &Plane, doubt: &Doubt) -> bool {
        let carrier = self.place(plane.carrier, 1.0);
        let middle = carrier.turn.inverse() * (self.place(1 - plane.carrier, 1.0).at - carrier.at);
        doubt.below_within(Limit::Side, (middle - plane.point).dot(plane.normal), OPEN)
    }

    /// Does the push lead out behind, of a solid that the middle went into? What lies on a log that rolls goes round it in its frame,
    /// and never into it.
    fn leads_behind(&self, end: &Stand, plane: &Plane, only: Option<usize>, doubt: &Doubt) -> bool {
        let normal = self.place(plane.carrier, 1.0).turn * plane.normal;
        let toward_other = match plane.carrier {
            1 => end.normal,
            _ => -end.normal,
        };
        let behind = if end.ambiguous {
            doubt.either(Limit::Way)
        } else {
            doubt.below_within(Limit::Way, toward_other.dot(normal) + SIDEWAYS, OPEN)
        };
        behind && self.passes_carrier(plane, only)
    }

    fn carrier_hulls(&self, plane: &Plane, only: Option<usize>) -> Vec<Hull> {
        let mut hulls = self.forms[plane.carrier].hulls(DQuat::IDENTITY);
        match only.filter(|_| plane.carrier == 1) {
            Some(only) => vec![hulls.swap_remove(only)],
            None => hulls,
        }
    }

    /// Is the other's middle ever in the carrier, or does it pass its surface?
    fn passes_carrier(&self, plane: &Plane, only: Option<usize>) -> bool {
        let hulls = self.carrier_hulls(plane, only);
        let other = 1 - plane.carrier;
        let inside = |share: f64| {
            let at = self.seen(other, share);
            let in_hull = |hull: &Hull| hull.corners.len() != 3 && geometry::apart(hull, at) <= 0.0;
            hulls.iter().any(in_hull)
        };
        inside(0.0) || inside(1.0) || self.passes(other, &hulls)
    }

    /// The middle of a thing as the other sees it.
    fn seen(&self, thing: usize, share: f64) -> DVec3 {
        let [own, other] = [thing, 1 - thing].map(|thing| self.place(thing, share));
        other.turn.inverse() * (own.at - other.at)
    }

    /// Does the middle of a thing pass through any of the other's hulls, in whose frame they stand?
    fn passes(&self, thing: usize, hulls: &[Hull]) -> bool {
        self.crossings(thing, hulls).next().is_some()
    }

    /// The pieces in which it does, the last first, with the outward direction of the surface.
    fn crossings<'a>(
        &'a self,
        thing: usize,
        hulls: &'a [Hull],
    ) -> impl Iterator<Item = DVec3> + 'a {
        let pieces = PIECES as u32;
        (0..pieces).rev().filter_map(move |piece| {
            let share = |piece: u32| f64::from(piece) / PIECES;
            let (from, to) = (
                self.seen(thing, share(piece)),
                self.seen(thing, share(piece + 1)),
            );
            hulls.iter().find_map(|hull| crossing(hull, from, to))
        })
    }

    /// Beginning in overlap.
    fn after_overlap(
        &self,
        only: Option<usize>,
        end: Option<Stand>,
        doubt: &Doubt,
    ) -> Option<Kind> {
        let start = self.stand(only, 0.0);
        let planes = self.planes(&start, 0.0);
        let plane = &planes[0];
        if self.sensor || !self.is_far(plane, doubt) {
            return None;
        }
        if start.ambiguous && doubt.either(Limit::Way) {
            return None;
        }
        if let Some(end) = end {
            return self
                .leads_behind(&end, plane, only, doubt)
                .then_some(Kind::WrongSide);
        }
        let leaves = |plane: &Plane| {
            let hulls = self.carrier_hulls(plane, only);
            let out = self.crossings(1 - plane.carrier, &hulls).next();
            out.is_some_and(|out| {
                doubt.below_within(Limit::Way, out.dot(plane.normal) + SIDEWAYS, OPEN)
            })
        };
        planes.iter().any(leaves).then_some(Kind::Sinks)
    }
}

/// Where a point leaves a hull on a short straight piece, or goes through it: the outward direction there.
fn crossing(hull: &Hull, from: DVec3, to: DVec3) -> Option<DVec3> {
    if hull.corners.len() == 3 {
        return geometry::passes((to, from), hull).map(|(_, toward_end)| toward_end);
    }
    let apart = |share: f64| geometry::apart(hull, from.lerp(to, share));
    // Nowhere on the piece is it nearer by more than the piece is long.
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
