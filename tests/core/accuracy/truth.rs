//! What is true of two things over one stretch in which both travel straight and neither turns.
//!
//! Everything is cut into convex parts. The signed gap of two of them in straight relative motion is a convex function of time,
//! whose tangents narrow down the least gap and the first touch. Then sides are kept: on which side of the first
//! contact's plane (which travels with the solid) the body's middle ends, and which way the shortest push leads.
//!
//! Where a number is nearer to its limit than rounding reaches, both answers are tried. If they differ, the stretch is
//! undecided and counted as such.

use super::geometry::{self, Form, Hull, OPEN, Part, Stand};
use super::turned;
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::Kind;
use std::cell::Cell;
use std::collections::BTreeSet;

/// Pieces of a stretch in which something turns.
pub const PIECES: f64 = 1000.0;

/// A corner cut less deep than this share of the smaller body is said not to be reported.
pub const SLOP: f64 = 0.02;

/// Metres within which a depth counts as being at that limit.
pub const OPEN_DEPTH: f64 = OPEN;

/// The same of a number that is found by search, as of rims and of what turns.
pub const OPEN_ROUND: f64 = 1e-6;

/// Cosine of the angle up to which a push or a way out is sideways rather than backward.
pub const SIDEWAYS: f64 = 1e-3;

/// Where a thing is, and how it is turned.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub at: DVec3,
    pub turn: DQuat,
}

/// Two things over a stretch.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'t> {
    pub forms: [&'t Form; 2],
    pub from: [Place; 2],
    pub to: [Place; 2],
    /// One of the two only reports what it touches.
    pub sensor: bool,
}

/// Every answer that the numbers leave open: one, unless something is at its limit. `None` is "no event".
pub type Open = BTreeSet<Option<Kind>>;

/// What happened, and whether an overlap test saw the two at the stretch's start or end.
#[derive(Clone, Debug)]
pub struct Truth {
    pub open: Open,
    pub seen: bool,
    /// Metres: the depth of the deepest overlap on the way, negative; above zero where they do not touch.
    pub least: f64,
    /// Metres: how they stand at the stretch's start and end.
    pub ends: [f64; 2],
}

impl Truth {
    pub fn nothing(least: f64) -> Self {
        Self {
            open: Open::from([None]),
            seen: false,
            least,
            ends: [least; 2],
        }
    }
}

/// What is decided: each may be at its limit on its own.
#[derive(Clone, Copy)]
pub enum Limit {
    Start,
    End,
    Between,
    Side,
    Slop,
    Way,
}

/// One of the ways to answer what is too close to call.
#[derive(Default)]
pub struct Doubt {
    width: f64,
    answers: u8,
    asked: Cell<u8>,
}

impl Doubt {
    pub fn below(&self, limit: Limit, value: f64) -> bool {
        self.below_within(limit, value, self.width)
    }

    pub fn below_within(&self, limit: Limit, value: f64, width: f64) -> bool {
        if value.abs() > width {
            return value < 0.0;
        }
        self.either(limit)
    }

    pub fn either(&self, limit: Limit) -> bool {
        let bit = 1 << limit as u8;
        self.asked.set(self.asked.get() | bit);
        self.answers & bit != 0
    }

    /// Asks with every answer to what is closer to its limit than `width`, metres.
    pub fn all(width: f64, decide: impl Fn(&Self) -> Option<Kind>) -> Open {
        let mut open = Open::new();
        let mut asked = 0;
        for answers in 0..64 {
            // Another answer to what nobody asks for changes nothing.
            if answers & !asked == 0 || answers == 0 {
                let doubt = Self {
                    width,
                    answers,
                    asked: Cell::new(0),
                };
                open.insert(decide(&doubt));
                asked |= doubt.asked.get();
            }
        }
        open
    }
}

/// One convex part on its way past the body.
#[derive(Clone, Copy, Debug)]
struct Span {
    part: usize,
    /// Metres.
    least: f64,
    /// When the gap first is gone; where it hardly is, when it is least.
    touch: f64,
    /// It was not there a moment before: the middle came from behind what is one-sided.
    from_nowhere: bool,
}

/// A moment, the gap then, and how fast it changes.
#[derive(Clone, Copy)]
struct Sample {
    share: f64,
    gap: f64,
    slope: f64,
}

/// The body's way past the solid, seen from the solid's middle.
struct Way {
    parts: Vec<Part>,
    body: Hull,
    /// Of what has a middle.
    solid: Option<Hull>,
    from: DVec3,
    step: DVec3,
    /// What small depths are held against, metres.
    slop: f64,
    sensor: bool,
    bodies: bool,
}

/// The one that goes farther is the body, unless it has no middle.
pub fn body_of(stretch: &Stretch<'_>) -> usize {
    let travel = |index: usize| stretch.to[index].at.distance(stretch.from[index].at);
    let farther = usize::from(travel(1) > travel(0));
    let form = stretch.forms[farther];
    if form.is_body() && !form.is_one_sided() {
        farther
    } else {
        1 - farther
    }
}

/// The least inner radius of those that have one, metres; 0 for none.
pub fn size_of(forms: [&Form; 2]) -> f64 {
    let sizes = forms.map(Form::inner).into_iter();
    let least = sizes
        .filter(|size| *size > 0.0)
        .fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 0.0 }
}

pub fn of(stretch: &Stretch<'_>) -> Truth {
    let turns = |thing: usize| {
        let (from, to) = (stretch.from[thing].turn, stretch.to[thing].turn);
        from != to && turned::angle(stretch.forms[thing], from, to) > 0.0
    };
    if turns(0) || turns(1) {
        turned::of(stretch)
    } else {
        of_straight(stretch)
    }
}

fn of_straight(stretch: &Stretch<'_>) -> Truth {
    let body = body_of(stretch);
    let solid = 1 - body;
    let from = stretch.from[body].at - stretch.from[solid].at;
    let to = stretch.to[body].at - stretch.to[solid].at;
    let bounds = stretch.forms.map(Form::bound);
    let away = segment_to_origin(from, to) - bounds[0] - bounds[1];
    if away > OPEN {
        return Truth::nothing(away);
    }
    let way = Way::new(stretch);
    let spans: Vec<Span> = way.all().filter_map(|part| way.span(part)).collect();
    let ends = [0.0, 1.0].map(|share| way.stand(None, share).map_or(f64::INFINITY, |s| s.gap));
    let open = Doubt::all(way.open(), |doubt| way.whole(&spans, doubt));
    let least = spans.iter().map(|span| span.least);
    Truth {
        open,
        seen: ends[0] <= 0.0 || ends[1] <= 0.0,
        least: least.fold(f64::INFINITY, f64::min),
        ends,
    }
}

/// Metres that two things, of which none turns, surely stay apart on their way; less than nothing where they touch.
pub fn apart_by(stretch: &Stretch<'_>) -> f64 {
    let way = Way::new(stretch);
    let least = |part: usize| {
        let (low, high) = way.window(&way.parts[part])?;
        Some(way.least(part, low, high).0)
    };
    way.all().filter_map(least).fold(f64::INFINITY, f64::min)
}

fn segment_to_origin(from: DVec3, to: DVec3) -> f64 {
    let way = to - from;
    let share = (-from.dot(way) / way.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (from + way * share).length()
}

impl Way {
    fn new(stretch: &Stretch<'_>) -> Self {
        let body = body_of(stretch);
        let solid = 1 - body;
        let middle = |places: [Place; 2], thing: usize| {
            places[thing].at + places[thing].turn * stretch.forms[thing].middle()
        };
        let apart = |places: [Place; 2]| middle(places, body) - middle(places, solid);
        let from = apart(stretch.from);
        let forms = [stretch.forms[body], stretch.forms[solid]];
        let hull = forms[0].hulls(stretch.from[body].turn).remove(0);
        let hulls = forms[1].hulls(stretch.from[solid].turn);
        let one_sided = forms[1].is_one_sided();
        let part = |solid: &Hull| Part::new(&hull, solid.clone(), one_sided);
        Self {
            parts: hulls.iter().map(part).collect(),
            solid: forms[1].triangles().is_none().then(|| hulls[0].clone()),
            bodies: forms[1].is_body(),
            body: hull,
            from,
            step: apart(stretch.to) - from,
            slop: SLOP * size_of(forms),
            sensor: stretch.sensor,
        }
    }

    fn at(&self, share: f64) -> DVec3 {
        self.from + self.step * share
    }

    /// Metres within which a number counts as being at its limit.
    fn open(&self) -> f64 {
        let has_circles = self.parts.iter().any(|part| !part.circles.is_empty());
        if has_circles { OPEN_ROUND } else { OPEN }
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.parts.len()
    }

    fn stand_of(&self, part: usize, share: f64) -> Option<Stand> {
        let (part, at) = (&self.parts[part], self.at(share));
        let behind = part.one_sided && part.height(at) < 0.0;
        (!behind).then(|| part.stand(at))
    }

    /// Of all parts, or one of them: the deepest.
    fn stand(&self, only: Option<usize>, share: f64) -> Option<Stand> {
        let mut nearest: Option<Stand> = None;
        let at = self.at(share);
        for index in self
            .all()
            .filter(|index| only.is_none_or(|only| only == *index))
        {
            let room = at.distance(self.parts[index].middle) - self.parts[index].size;
            if nearest.is_some_and(|known| known.gap.max(0.0) + OPEN < room) {
                continue;
            }
            let Some(stand) = self.stand_of(index, share) else {
                continue;
            };
            nearest = Some(match nearest {
                Some(known) if (known.gap - stand.gap).abs() < OPEN => Stand {
                    ambiguous: known.ambiguous
                        || stand.ambiguous
                        || known.normal.dot(stand.normal) < 0.999,
                    ..if stand.gap < known.gap { stand } else { known }
                },
                Some(known) if known.gap <= stand.gap => known,
                _ => stand,
            });
        }
        nearest
    }

    /// The part's gap over the stretch; `None` where it surely stays away.
    fn span(&self, index: usize) -> Option<Span> {
        let part = &self.parts[index];
        let about = segment_to_origin(self.from - part.middle, self.at(1.0) - part.middle);
        if about - part.size > OPEN {
            return None;
        }
        let (low, high) = self.window(part)?;
        let (least, when) = self.least(index, low, high);
        if least > self.open() {
            return None;
        }
        // A tangent of what is convex leads no farther than the touch.
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
            from_nowhere: low > 0.0 && self.sample(index, low).gap <= OPEN,
        })
    }

    fn sample(&self, part: usize, share: f64) -> Sample {
        let stand = self.parts[part].stand(self.at(share));
        Sample {
            share,
            gap: stand.gap,
            slope: stand.normal.dot(self.step),
        }
    }

    /// The least gap of a part, and when: no less than where the tangents of two moments meet, between which it is.
    fn least(&self, part: usize, low: f64, high: f64) -> (f64, f64) {
        let (mut left, mut right) = (self.sample(part, low), self.sample(part, high));
        let lower = |one: Sample, other: Sample| if other.gap < one.gap { other } else { one };
        let mut least = lower(left, right);
        for _ in 0..200 {
            if left.slope >= 0.0 || right.slope <= 0.0 {
                break;
            }
            let wide = right.share - left.share;
            let along = (right.gap - left.gap - right.slope * wide) / (left.slope - right.slope);
            if left.gap + left.slope * along > least.gap - 1e-13 {
                break;
            }
            let here = self.sample(part, left.share + along.clamp(0.1 * wide, 0.9 * wide));
            least = lower(least, here);
            if here.slope < 0.0 {
                left = here;
            } else {
                right = here;
            }
        }
        (least.gap, least.share)
    }

    /// When the middle is in front of a one-sided part.
    fn window(&self, part: &Part) -> Option<(f64, f64)> {
        if !part.one_sided {
            return Some((0.0, 1.0));
        }
        let (from, to) = (part.height(self.at(0.0)), part.height(self.at(1.0)));
        let share = from / (from - to);
        match (from >= 0.0, to >= 0.0) {
            (true, true) => Some((0.0, 1.0)),
            (true, false) => Some((0.0, share)),
            (false, true) => Some((share, 1.0)),
            (false, false) => None,
        }
    }

    /// The event; of a sheet, what its triangles hide from each other is asked of each that the middle passes.
    fn whole(&self, spans: &[Span], doubt: &Doubt) -> Option<Kind> {
        let event = self.event(None, spans, doubt).map(|(kind, _)| kind);
        if self.solid.is_some() || !matches!(event, None | Some(Kind::Clips)) {
            return event;
        }
        let passed = self.all().filter(|part| self.passes(*part).is_some());
        let alone = passed.filter_map(|part| self.event(Some(part), spans, doubt));
        first_alone(alone, doubt).or(event)
    }

    fn passes(&self, part: usize) -> Option<(f64, DVec3)> {
        geometry::passes((self.at(0.0), self.at(1.0)), &self.parts[part].solid)
    }

    /// Of all parts, or of one as if it were alone: the kind, and when.
    fn event(&self, only: Option<usize>, spans: &[Span], doubt: &Doubt) -> Option<(Kind, f64)> {
        let touches = |limit: Limit, stand: Option<Stand>| {
            stand.filter(|stand| doubt.below(limit, stand.gap))
        };
        let start = touches(Limit::Start, self.stand(only, 0.0));
        let end = touches(Limit::End, self.stand(only, 1.0));
        match start {
            Some(start) => Some((self.after_overlap(only, &start, end, doubt)?, 0.0)),
            None => self.after_clear(only, spans, end, doubt),
        }
    }

    /// Beginning apart.
    fn after_clear(
        &self,
        only: Option<usize>,
        spans: &[Span],
        end: Option<Stand>,
        doubt: &Doubt,
    ) -> Option<(Kind, f64)> {
        let asked = || {
            spans
                .iter()
                .filter(|span| only.is_none_or(|only| only == span.part))
        };
        // What a middle meets from behind is no touch of a surface that is there from its front only.
        let touched =
            asked().filter(|span| !span.from_nowhere && doubt.below(Limit::Between, span.least));
        let Some(first) = touched.min_by(|x, y| x.touch.total_cmp(&y.touch)) else {
            return self.met_behind(only);
        };
        let contact = self.stand_of(first.part, first.touch)?;
        let far = self.is_far(&contact, first.touch, doubt);
        let kind = match end {
            Some(end) => {
                let wrong = far && !self.sensor && leads_behind(&end, contact.normal, doubt);
                wrong.then_some(Kind::WrongSide)
            }
            None if far => Some(Kind::Tunnels),
            None => {
                let least = asked().map(|span| span.least).fold(f64::INFINITY, f64::min);
                let clips =
                    doubt.below_within(Limit::Slop, least + self.slop, 1e-6 * self.slop + OPEN);
                clips.then_some(Kind::Clips)
            }
        };
        Some((kind?, first.touch))
    }

    /// Beginning in overlap: only what leaves on the far side, or is pushed there, is an event.
    fn after_overlap(
        &self,
        only: Option<usize>,
        start: &Stand,
        end: Option<Stand>,
        doubt: &Doubt,
    ) -> Option<Kind> {
        if self.sensor || !self.is_far(start, 0.0, doubt) {
            return None;
        }
        if start.ambiguous && doubt.either(Limit::Way) {
            return None;
        }
        match end {
            Some(end) => leads_behind(&end, start.normal, doubt).then_some(Kind::WrongSide),
            None => self
                .leaves_behind(only, start.normal, doubt)
                .then_some(Kind::Sinks),
        }
    }

    /// Does the middle end behind the plane of a contact?
    fn is_far(&self, contact: &Stand, share: f64, doubt: &Doubt) -> bool {
        let nearest = self.body.least(contact.normal) - self.body.radius;
        let body = self.at(share).dot(contact.normal) + nearest;
        // The surface of the solid along the normal: where the body's is, and as far out as they overlap.
        let surface = body - contact.gap;
        doubt.below(Limit::Side, self.at(1.0).dot(contact.normal) - surface)
    }

    /// The direction in which the solid's middle leaves the body.
    fn other_leaves(&self) -> Option<DVec3> {
        self.bodies
            .then(|| way_out(&self.body, -self.from, -self.step))
            .flatten()
    }

    /// A middle that passes a one-sided triangle from behind, unseen.
    fn met_behind(&self, only: Option<usize>) -> Option<(Kind, f64)> {
        let asked = self
            .all()
            .filter(|part| only.is_none_or(|only| only == *part));
        let passed = asked
            .filter(|part| self.parts[*part].one_sided)
            .filter_map(|part| {
                let (share, toward) = self.passes(part)?;
                Some((share, toward.dot(self.parts[part].solid.normals[0]) < 0.0))
            });
        let first = passed.min_by(|x, y| x.0.total_cmp(&y.0))?;
        first.1.then_some((Kind::Tunnels, first.0))
    }

    /// Does a middle pass through the other and come out behind?
    fn leaves_behind(&self, only: Option<usize>, normal: DVec3, doubt: &Doubt) -> bool {
        let behind = |along: f64| doubt.below(Limit::Way, along + SIDEWAYS);
        let Some(solid) = &self.solid else {
            let way = (self.at(1.0), self.at(0.0));
            let asked = self
                .all()
                .filter(|part| only.is_none_or(|only| only == *part));
            let last = asked
                .filter_map(|part| geometry::passes(way, &self.parts[part].solid))
                .min_by(|x, y| x.0.total_cmp(&y.0));
            return last.is_some_and(|(_, toward_end)| behind(toward_end.dot(normal)))
                || self
                    .other_leaves()
                    .is_some_and(|out| behind(-out.dot(normal)));
        };
        // The body's middle through the solid, or the solid's through the body, which goes the other way.
        way_out(solid, self.from, self.step).is_some_and(|out| behind(out.dot(normal)))
            || self
                .other_leaves()
                .is_some_and(|out| behind(-out.dot(normal)))
    }
}

/// Of what triangles are alone: the first event. An edge that two of them share is touched at one time.
pub fn first_alone(alone: impl Iterator<Item = (Kind, f64)>, doubt: &Doubt) -> Option<Kind> {
    let mut alone: Vec<_> = alone.filter(|(kind, _)| *kind != Kind::Clips).collect();
    alone.sort_by(|x, y| x.1.total_cmp(&y.1));
    let first = alone.first()?;
    let at_once = alone.iter().rev().find(|other| {
        other.1 - first.1 < OPEN && other.0 != first.0 && doubt.either(Limit::Between)
    });
    Some(at_once.unwrap_or(first).0)
}

/// A push that leads out sideways is none.
fn leads_behind(end: &Stand, normal: DVec3, doubt: &Doubt) -> bool {
    if end.ambiguous {
        return doubt.either(Limit::Way);
    }
    doubt.below(Limit::Way, end.normal.dot(normal) + SIDEWAYS)
}

/// The direction of the surface through which a point leaves a convex solid, if its way leads through it.
fn way_out(hull: &Hull, from: DVec3, step: DVec3) -> Option<DVec3> {
    if hull.corners.len() == 3 {
        let passed = geometry::passes((from + step, from), hull);
        return passed.map(|(_, toward_end)| toward_end);
    }
    let apart = |share: f64| geometry::apart(hull, from + step * share);
    if apart(1.0) <= 0.0 {
        return None;
    }
    // How far a point is from something convex has one least value.
    let (mut low, mut high) = (0.0, 1.0);
    let mut inside = None;
    for _ in 0..120 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if let Some(share) = [low, left, right]
            .into_iter()
            .find(|share| apart(*share) <= 0.0)
        {
            inside = Some(share);
            break;
        }
        if apart(left) < apart(right) {
            high = right;
        } else {
            low = left;
        }
    }
    let out = first(inside?, 1.0, |share| apart(share) > 0.0);
    Some(geometry::outward(hull, from + step * out))
}

/// When something that is so at `high`, and stays so, begins, after `low`.
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
