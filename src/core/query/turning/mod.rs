//! Two shapes that turn while they travel: do they overlap on the way, and when do they first touch?
//!
//! There is no closed form. No point of a shape moves faster than the travel of its origin plus its turn times its reach, and the
//! signed gap of two shapes changes no faster than their points move. So gaps measured at two moments say whether anything can happen
//! between them (`search`: bisection with such a bound, Shubert 1972). A body that spins or rolls just over a surface moves its points
//! fast and keeps its gap: there the distance along one direction is the better bound (`clearance`).

mod clearance;
mod parts;
mod search;

use super::closest_point::direction_and_length;
use super::dispatch::contact;
use super::outcome::Contact;
use super::trace::{Step, Trace};
use crate::core::shape::{Motion, Pose, Shape};
use crate::core::tolerance::{TURN_AGREES, TURNING_LEAF};
use clearance::TurningPair;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use std::iter::{once, successors};

/// A travel that turns at a constant rate around the object's origin; more than half a turn is possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning {
    /// Straight in position.
    pub motion: Motion,
    /// The turn over the whole motion: world axis times radians.
    pub turn: DVec3,
}

impl Turning {
    /// At rest.
    pub fn still(pose: Pose) -> Self {
        Self {
            motion: Motion::still(pose),
            turn: DVec3::ZERO,
        }
    }

    /// By the shortest arc from the start's rotation to the end's.
    pub fn of(motion: &Motion) -> Self {
        let turn = if motion.turns() {
            shortest_turn(motion)
        } else {
            DVec3::ZERO
        };
        Self {
            motion: *motion,
            turn,
        }
    }

    /// By the turn nearest to a known one (spin times seconds) that leads exactly to the end's rotation, where the known one nearly
    /// leads there; else by the shortest arc.
    pub fn with_turn(motion: &Motion, turn: DVec3) -> Self {
        let led = DQuat::from_scaled_axis(turn) * motion.start.rotation;
        let known = turn.is_finite() && angle_between(led, motion.end.rotation) <= TURN_AGREES;
        let shortest = Self::of(motion);
        if known {
            Self {
                turn: exact_turn(shortest.turn, turn),
                ..shortest
            }
        } else {
            shortest
        }
    }

    /// The pose at a share of the motion, turned at a constant rate; both ends are exact.
    pub fn pose(&self, fraction: f64) -> Pose {
        if fraction <= 0.0 {
            return self.motion.start;
        }
        if fraction >= 1.0 {
            return self.motion.end;
        }
        let start = self.motion.start;
        let rotation = if self.turn == DVec3::ZERO {
            start.rotation
        } else {
            DQuat::from_scaled_axis(self.turn * fraction) * start.rotation
        };
        Pose {
            position: start.position + self.motion.displacement() * fraction,
            rotation,
        }
    }

    /// Metres that a point of the body at a world position moves over the whole motion by turning alone, at the rate it has there.
    pub fn swing_at(&self, fraction: f64, point: DVec3) -> DVec3 {
        self.turn.cross(point - self.pose(fraction).position)
    }
}

/// Axis times angle of the shortest rotation that leads from the start to the end, world.
fn shortest_turn(motion: &Motion) -> DVec3 {
    let change = motion.end.rotation * motion.start.rotation.conjugate();
    let change = if change.w < 0.0 { -change } else { change };
    match direction_and_length(change.xyz()) {
        Some((axis, sine)) => axis * (2.0 * sine.atan2(change.w)),
        None => DVec3::ZERO,
    }
}

/// Of the turns about the axis of the shortest arc that lead to the same rotation, which differ by whole turns, the one nearest to
/// a known turn.
///
/// Back near the start after a whole turn, the shortest arc has no axis to rely on: there the known turn is kept.
fn exact_turn(shortest: DVec3, known: DVec3) -> DVec3 {
    let Some((axis, angle)) = direction_and_length(shortest) else {
        return known;
    };
    let whole_turns = ((known.dot(axis) - angle) / TAU).round();
    let exact = axis * (angle + whole_turns * TAU);
    if exact.distance(known) <= AXIS_AGREES {
        exact
    } else {
        known
    }
}

/// Radians between a known turn and the exact one beyond which the axis of the exact one is only rounding.
///
/// An end that is off by [`TURN_AGREES`] moves the exact turn by up to half the turn over the sine of that: a tenfold at 0.8 of a whole
/// turn. Larger, and a body is turned about a wrong axis; smaller, and the last bit of a fast turn is a jump.
const AXIS_AGREES: f64 = 10.0 * TURN_AGREES;

fn angle_between(a: DQuat, b: DQuat) -> f64 {
    let cosine = a.dot(b).abs().min(1.0);
    // acos loses half the digits near 1.
    2.0 * (1.0 - cosine * cosine).max(0.0).sqrt().atan2(cosine)
}

/// An overlap on the way of two shapes that turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurningHit {
    /// The last fraction of the motion at which they are still apart, to rounding.
    pub fraction: f64,
    /// The touch, as seen just inside it.
    pub contact: Contact,
    /// A fraction at which they overlap by more than `depth`.
    pub deep: f64,
    /// The fraction at which they part after that; `None` when they overlap until the end.
    pub exit: Option<f64>,
}

/// The first time two shapes, apart at the start, touch on their way to an overlap deeper than `depth` (metres, >= 0).
///
/// Overlaps that last for less than about `TURNING_LEAF` of the motion may be missed, no others, and a parting that is shorter than
/// `PARTING_SHARE` of the overlap before it. `None` as well where a
/// gap has no bound on its change: planes that turn, and where `gap` has no answer. Of a pair that may overlap at the start,
/// ask [`overlaps`](super::overlaps) first: it is answered near fraction 0.
pub fn sweep_turning(
    a: &Shape,
    turning_a: &Turning,
    b: &Shape,
    turning_b: &Turning,
    depth: f64,
    trace: &mut impl Trace,
) -> Option<TurningHit> {
    let Some(rate) = rate(a, turning_a, b, turning_b) else {
        trace.step(Step::NoBoundOnTheGap);
        return None;
    };
    trace.step(Step::FastestGap { rate, depth });
    if rate <= 0.0 {
        trace.step(Step::Receding { approach: rate });
        return None;
    }
    let pair = TurningPair::new((a, turning_a), (b, turning_b), rate);
    let Some(([_, deep], _)) = search::first_below(&pair, -depth.max(pair.bound), 1.0) else {
        trace.step(Step::NeverDeeper {
            depth,
            shortest: TURNING_LEAF,
        });
        return None;
    };
    trace.step(Step::DeeperAt { fraction: deep });
    let (outside, inside) = search::first_touch(&pair, deep)?;
    trace.step(Step::FirstTouch { fraction: outside });
    let contact_at = |at: f64, trace: &mut _| {
        let (a, b) = pair.placed(at);
        contact(&a, &b, trace)
    };
    // A gap that is closed to rounding may be no contact yet: then there is one very soon.
    let later = successors(Some(f64::EPSILON), |after| Some(4.0 * after));
    let later = later
        .map(|after| inside + after)
        .take_while(|at| *at < deep);
    let contact = once(inside)
        .chain(later)
        .chain([deep])
        .find_map(|at| contact_at(at, trace))?;
    let exit = search::exit(&pair, deep);
    match exit {
        Some(fraction) => trace.step(Step::PartsAt { fraction }),
        None => trace.step(Step::OverlapsUntilTheEnd),
    }
    Some(TurningHit {
        fraction: outside,
        contact,
        deep,
        exit,
    })
}

/// How fast the gap can change at most, metres per motion.
fn rate(a: &Shape, turning_a: &Turning, b: &Shape, turning_b: &Turning) -> Option<f64> {
    let swing = |shape: &Shape, turning: &Turning| match turning.turn.length() {
        0.0 => Some(0.0),
        turn => shape.reach().map(|reach| turn * reach),
    };
    let travel = turning_a.motion.displacement() - turning_b.motion.displacement();
    let rate = travel.length() + swing(a, turning_a)? + swing(b, turning_b)?;
    rate.is_finite().then_some(rate)
}
