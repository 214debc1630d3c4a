//! Truth of a pair over one interval in which both move straight: the types and decisions that `straight.rs` and `rotating.rs` have in common.
//!
//! The truth follows the definitions of the kinds: a passage is deeper than the slop, its side is that of the mover's centre against the
//! surface entered, and the states at both ends decide between the kinds.
//!
//! Where a number is closer to its limit than rounding, both outcomes are computed. If they differ, the interval is
//! undecided and counted as such.

use super::geometry::{Hull, Part, Separation, TOLERANCE, TestShape};
use super::{rotating, straight};
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::Kind;
use std::cell::Cell;
use std::collections::BTreeSet;

/// Steps of an interval in which something rotates.
pub const STEPS: f64 = 1000.0;

/// An overlap shallower than this fraction of the smaller body is no event.
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

/// Sine of the angle within which a direction counts as that of a face.
const SAME_DIRECTION: f64 = 1e-6;

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
    /// Gap at the last two states up to the frame's start, the larger one; infinite where they did not travel, not a number where both
    /// outcomes are right.
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

/// A plane that an object carries: the unit normal toward the other object in the carrier's local space, and the plane's height along it over
/// the carrier's centre.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    pub normal: DVec3,
    pub height: f64,
}

/// How a pair came to the overlap with which an interval begins.
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// Not deeper than the slop, or not known: the contact at the start gives the side.
    Own,
    /// One of the two appeared in it.
    Inside,
    /// Through a plane of the obstacle.
    Through(Plane),
}

impl TestPose {
    /// The pose of a shape as others feel it: the rotation of a ball has no effect.
    pub fn felt(self, shape: &TestShape) -> Self {
        let rotation = match shape {
            TestShape::Sphere(_) => DQuat::IDENTITY,
            _ => self.rotation,
        };
        Self { rotation, ..self }
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
    Feature,
    Hollow,
}

/// One combination of results for comparisons that are too close to call.
#[derive(Default)]
pub struct Decisions {
    tolerance: f64,
    choices: u16,
    used: Cell<u16>,
}

impl Decisions {
    /// All decided in one way.
    pub fn made(choice: bool) -> Self {
        Self {
            choices: if choice { u16::MAX } else { 0 },
            ..Self::default()
        }
    }

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
        let bit = 1 << limit as u16;
        self.used.set(self.used.get() | bit);
        self.choices & bit != 0
    }

    /// Every outcome of all results for comparisons that are closer to their limit than `tolerance`, metres.
    pub fn all(tolerance: f64, decide: impl Fn(&Self) -> Option<Kind>) -> Outcomes {
        let mut outcomes = Outcomes::new();
        let mut used = 0;
        for choices in 0..512 {
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

    /// Whether a contact is on an edge, corner or rim of a hull, rather than on a face or round side.
    pub fn is_on_edge(&self, hull: &Hull, normal: DVec3) -> bool {
        let sine = hull.sine_to_surface(normal);
        if hull.radius > 0.0 {
            // A point or segment with a radius is round all over; whether rounded edges are edges is open.
            return hull.corners.len() > 2 && sine > SAME_DIRECTION && self.choose(Limit::Feature);
        }
        !self.below_within(Limit::Feature, sine - SAME_DIRECTION, 0.9 * SAME_DIRECTION)
    }

    /// The kind of a passage: after contact in two states it is a contact that gave way.
    pub fn gave_way(&self, kind: Kind, interval: &Interval<'_>) -> Kind {
        let passes = matches!(kind, Kind::Tunnels | Kind::WrongSide) && !interval.sensor;
        match passes && self.below_within(Limit::Before, interval.gap_before, ROUND_TOLERANCE) {
            true => Kind::Sinks,
            false => kind,
        }
    }

    /// Whether the push of an overlap leads out behind; one that leads sideways does not count.
    pub fn leads_behind(&self, end: &Separation, normal: DVec3) -> bool {
        if end.ambiguous {
            return self.choose(Limit::Direction);
        }
        self.below(Limit::Direction, end.normal.dot(normal) + SIDEWAYS)
    }
}

/// The one that travels farther is the mover, unless it has no centre.
pub fn mover_of(interval: &Interval<'_>) -> usize {
    let travel = |index: usize| interval.to[index].at.distance(interval.from[index].at);
    let farther = usize::from(travel(1) > travel(0));
    if interval.shapes[farther].has_centre() {
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

/// Depth up to which an overlap is no event, metres: a share of the smaller body, or the spacing of the positions' numbers, `f32` or `f64`, which
/// counts up to half of the mover's inner radius.
pub fn slop_of(interval: &Interval<'_>, mover: usize) -> f64 {
    let ends = || interval.from.iter().chain(&interval.to);
    let numbers = || ends().flat_map(|pose| pose.at.to_array());
    let farthest = numbers().fold(0.0, |most: f64, number| most.max(number.abs()));
    let is_single = numbers().all(|number| f64::from(number as f32) == number);
    let epsilon = if is_single {
        f64::from(f32::EPSILON)
    } else {
        f64::EPSILON
    };
    let spacing = epsilon * farthest;
    let skin = spacing.min(0.5 * interval.shapes[mover].inner());
    skin.max(SLOP * size_of(interval.shapes))
}

/// The truth of an interval without history.
pub fn of(interval: &Interval<'_>) -> Truth {
    after(&[], interval)
}

/// The truth of an interval after others of the same pair, without a gap in time.
pub fn after(history: &[Interval<'_>], interval: &Interval<'_>) -> Truth {
    // Whether it came in by an edge may be open.
    let entries = || [false, true].map(|choice| entry(history, interval, &Decisions::made(choice)));
    match rotates(interval) {
        true => rotating::of(interval, entries),
        false => straight::of(interval, entries),
    }
}

fn rotates(interval: &Interval<'_>) -> bool {
    let turns = |object: usize| {
        let (from, to) = (interval.from[object].rotation, interval.to[object].rotation);
        from != to && rotating::angle(interval.shapes[object], from, to) > 0.0
    };
    turns(0) || turns(1)
}

/// How the pair came to the overlap with which an interval begins: through the surface that it touched in the last interval that did not
/// begin so deep.
fn entry(history: &[Interval<'_>], interval: &Interval<'_>, decisions: &Decisions) -> Entry {
    let mover = mover_of(interval);
    let slop = slop_of(interval, mover);
    if resting_gap(interval.shapes, interval.from) >= -slop {
        return Entry::Own;
    }
    let before = history
        .iter()
        .rposition(|earlier| resting_gap(earlier.shapes, earlier.from) >= -slop);
    let Some(index) = before else {
        return Entry::Inside;
    };
    let moved = history[index];
    let pushed = Interval {
        from: moved.to,
        to: history.get(index + 1).unwrap_or(interval).from,
        ..moved
    };
    let entered = |one: &Interval<'_>| match rotates(one) {
        true => rotating::entered(one, (mover, slop), decisions),
        false => straight::entered(one, (mover, slop), decisions),
    };
    // The motion led there, or the push after it.
    let through = match resting_gap(moved.shapes, moved.to) < -slop {
        true => entered(&moved),
        false => entered(&pushed),
    };
    through.map_or(Entry::Own, Entry::Through)
}

/// Signed distance of two objects at these poses, metres.
pub fn resting_gap(shapes: [&TestShape; 2], poses: [TestPose; 2]) -> f64 {
    straight::gap_at(shapes, poses)
}

/// Signed distance from the surface of a closed mesh, which is hollow; `None` where neither of the two is one.
pub fn shell_gap(shapes: [&TestShape; 2], poses: [TestPose; 2]) -> Option<f64> {
    let index = shapes.iter().position(|shape| shape.shell().is_some())?;
    let shell = shapes[index].shell()?;
    let other = shapes[1 - index];
    Some(straight::gap_at(
        [other, &shell],
        [poses[1 - index], poses[index]],
    ))
}

/// Of the places where a centre passes a one-sided surface, by fraction and whether from behind: whether the first is from behind, if there
/// is one.
pub fn first_from_behind(
    passed: impl Iterator<Item = (f64, bool)>,
    decisions: &Decisions,
) -> Option<bool> {
    let mut passed: Vec<_> = passed.collect();
    passed.sort_by(|x, y| x.0.total_cmp(&y.0));
    let first = passed.first()?;
    // On an edge that two triangles have in common.
    let differs = |other: &&(f64, bool)| other.0 - first.0 < TOLERANCE && other.1 != first.1;
    match passed.iter().find(differs) {
        Some(_) => Some(decisions.choose(Limit::Direction)),
        None => Some(first.1),
    }
}

/// Whether a point is in front of the triangle that is nearest to it.
pub fn is_in_front(triangles: &[Hull], point: DVec3, decisions: &Decisions) -> bool {
    let near = |hull: &Hull| super::geometry::distance(hull, point);
    let nearest = triangles.iter().map(near).fold(f64::INFINITY, f64::min);
    let at = triangles
        .iter()
        .filter(|hull| near(hull) < nearest + TOLERANCE);
    let heights: Vec<f64> = at
        .map(|hull| (point - hull.corners[0]).dot(hull.normals[0]))
        .collect();
    let in_front = |height: &f64| *height > 0.0;
    match heights.iter().any(in_front) && !heights.iter().all(in_front) {
        true => decisions.choose(Limit::Side),
        false => heights.iter().any(in_front),
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

/// The response to a mover whose centre passed a triangle of a mesh.
pub struct Response<'d, S> {
    pub decisions: &'d Decisions,
    pub slop: f64,
    /// The triangle's normal toward the start of the centre's path, at the end.
    pub toward_start: DVec3,
    /// The mover at the end, moved by a vector, and all of the mesh.
    pub separation: S,
}

impl<S: Fn(DVec3) -> Option<Separation>> Response<'_, S> {
    /// Plays the response at the end: pushes the mover out of the deepest part, again and again. Whether that leads out behind, or nowhere.
    pub fn leads_behind(&self, first: Separation) -> bool {
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
            let rest = (self.separation)(moved);
            match rest.filter(|rest| self.decisions.below(Limit::Slop, rest.gap + self.slop)) {
                Some(rest) => here = rest,
                // Out beside the mesh.
                None => return false,
            }
        }
        true
    }
}

/// The deepest of some parts, with the mover's centre at `at`; ambiguous where another one is as deep in another direction.
pub fn deepest<'p>(parts: impl Iterator<Item = &'p Part>, at: DVec3) -> Option<Separation> {
    let mut nearest: Option<Separation> = None;
    for part in parts {
        let clearance = at.distance(part.centre) - part.size;
        if nearest.is_some_and(|known| known.gap.max(0.0) + ROUND_TOLERANCE < clearance) {
            continue;
        }
        let separation = part.separation(at);
        nearest = Some(match nearest {
            Some(known) if (known.gap - separation.gap).abs() < ROUND_TOLERANCE => {
                let (less, other) = match separation.gap < known.gap {
                    true => (separation, known),
                    false => (known, separation),
                };
                Separation {
                    ambiguous: less.ambiguous
                        || other.ambiguous
                        || less.normal.dot(other.normal) < 0.999,
                    ..less
                }
            }
            Some(known) if known.gap <= separation.gap => known,
            _ => separation,
        });
    }
    nearest
}
