//! When do two convex bodies meet that move straight and do not turn?
//!
//! On each axis the two overlap during one interval of time. They meet when all intervals have begun and none has ended:
//! at the latest beginning, if it comes before the earliest end (Ericson 2005, 5.5.2). The axis that begins last is the
//! normal.

use super::super::super::tolerance;
use super::super::{Impact, SweepOutcome, Trace};
use super::Polytope;
use super::axes::{Axes, Axis, LeastPush, Overlap};
use super::contact::is_behind_one_sided;
use super::gap::closest;
use super::witness::meeting;
use glam::DVec3;

/// Sweeps two bodies along their displacements of the same frame.
///
/// Bodies that touch at the start meet at fraction 0 if they close, and are `Receding` if they part or slide. A body
/// without thickness that is crossed is met. A one-sided triangle that is approached from behind, or along its plane, is
/// ignored and answers `Receding`, as does input that is not finite.
pub fn sweep_polytope_polytope(
    a: &Polytope,
    displacement_a: DVec3,
    b: &Polytope,
    displacement_b: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let relative = displacement_a - displacement_b;
    let outcome = match cross(a, b, relative, trace) {
        Crossing::Overlapping { depth } => SweepOutcome::Overlapping { depth },
        Crossing::Ignored => SweepOutcome::Receding,
        Crossing::Meets { fraction, normal } => {
            SweepOutcome::Hits(impact(a, b, relative, displacement_b, fraction, normal))
        }
        Crossing::Touches { fraction } => touching(fraction),
        Crossing::Apart => passing(approach(a, b, relative)),
    };
    match outcome {
        SweepOutcome::Hits(impact) => trace.step(
            "Hits",
            &[
                ("fraction", impact.fraction),
                ("x", impact.normal.x),
                ("y", impact.normal.y),
                ("z", impact.normal.z),
            ],
        ),
        SweepOutcome::Misses { by, fraction } => {
            trace.step("Misses", &[("by", by), ("fraction", fraction)]);
        }
        SweepOutcome::Overlapping { depth } => trace.step("Overlapping", &[("depth", depth)]),
        SweepOutcome::Grazes { fraction } => trace.step("Grazes", &[("fraction", fraction)]),
        SweepOutcome::Receding | SweepOutcome::Later => trace.step(outcome.name(), &[]),
    }
    outcome
}

/// What the separating axes say, before anything is said about a miss.
#[derive(Clone, Copy, Debug)]
pub(super) enum Crossing {
    /// At the start.
    Overlapping { depth: f64 },
    /// Behind a one-sided triangle, or not a number.
    Ignored,
    /// Within the frame.
    Meets { fraction: f64, normal: DVec3 },
    /// Without overlapping, or not within the frame.
    Touches { fraction: f64 },
    /// Never, or not yet.
    Apart,
}

/// The latest beginning and the earliest end over all axes.
struct Span {
    begin: f64,
    end: f64,
    /// The axis that begins last, toward a; faces go before edges that begin as late.
    normal: DVec3,
    normal_begin: f64,
    /// Beginning and end come from one axis: a crossing of something thin.
    same_axis: bool,
    /// On some axis they only ever touch.
    slides: bool,
    never: bool,
}

pub(super) fn cross(
    a: &Polytope,
    b: &Polytope,
    relative: DVec3,
    trace: &mut impl Trace,
) -> Crossing {
    let finite = a.is_finite() && b.is_finite() && relative.is_finite();
    if !finite || is_behind_one_sided(a, b) && leaves_front(a, b, relative) {
        return Crossing::Ignored;
    }
    let between = a.origin - b.origin;
    let hint = if relative == DVec3::ZERO {
        between
    } else {
        relative
    };
    let mut least = LeastPush::new(a, b);
    let mut apart = false;
    let mut span = Span::default();
    for axis in Axes::of(a, b, hint).iter() {
        let overlap = Overlap::on(axis.direction, a, b, between);
        apart |= overlap.is_apart();
        least.offer(axis, &overlap);
        span.narrow(axis, &overlap, relative, trace);
    }
    if !apart && !is_behind_one_sided(a, b) && least.depth > 0.0 && least.depth.is_finite() {
        return Crossing::Overlapping { depth: least.depth };
    }
    if leaves_front(a, b, relative) {
        trace.step("not toward the front of a one-sided triangle", &[]);
        return Crossing::Ignored;
    }
    span.crossing(apart, relative)
}

/// Is one of them a one-sided triangle that the other does not move toward from its front?
fn leaves_front(a: &Polytope, b: &Polytope, relative: DVec3) -> bool {
    let leaves = |front: Option<DVec3>, relative: DVec3| {
        front.is_some_and(|front| front.dot(relative) >= 0.0)
    };
    leaves(b.front, relative) || leaves(a.front, -relative)
}

impl Default for Span {
    fn default() -> Self {
        Self {
            begin: f64::NEG_INFINITY,
            end: f64::INFINITY,
            normal: DVec3::Y,
            normal_begin: f64::NEG_INFINITY,
            same_axis: false,
            slides: false,
            never: false,
        }
    }
}

impl Span {
    fn narrow(&mut self, axis: &Axis, overlap: &Overlap, relative: DVec3, trace: &mut impl Trace) {
        let (forward, backward) = (overlap.forward, overlap.backward);
        let speed = relative.dot(axis.direction);
        if speed.abs() <= tolerance::STANDSTILL * relative.length() {
            trace.step(
                "no motion along the axis",
                &[("forward", forward), ("backward", backward)],
            );
            self.never |= overlap.is_apart();
            self.slides |= (forward == 0.0) != (backward == 0.0);
            return;
        }
        let (begin, end, normal) = if speed < 0.0 {
            (forward / speed, backward / -speed, axis.direction)
        } else {
            (-backward / speed, forward / speed, -axis.direction)
        };
        trace.step(
            axis.name(),
            &[
                ("begin", begin),
                ("end", end),
                ("x", axis.direction.x),
                ("y", axis.direction.y),
                ("z", axis.direction.z),
            ],
        );
        if begin > self.begin {
            self.same_axis = end <= self.end;
            self.begin = begin;
        }
        if end < self.end {
            self.same_axis = begin >= self.begin;
            self.end = end;
        }
        let slack = if axis.of_face {
            0.0
        } else {
            tolerance::FACE_PREFERENCE
        };
        if begin > self.normal_begin + slack {
            (self.normal_begin, self.normal) = (begin, normal);
        }
    }

    fn crossing(&self, apart: bool, relative: DVec3) -> Crossing {
        let overlaps = self.begin < self.end || self.begin == self.end && self.same_axis;
        if self.never || self.begin > self.end || relative == DVec3::ZERO {
            return Crossing::Apart;
        }
        let fraction = self.begin + 0.0;
        if !overlaps || self.slides {
            // They touch from the start, or at one moment, or along a stretch.
            let fraction = if apart { fraction } else { 0.0 };
            return Crossing::Touches { fraction };
        }
        if (0.0..1.0).contains(&fraction) {
            let normal = self.normal;
            return Crossing::Meets { fraction, normal };
        }
        if fraction >= 1.0 {
            return Crossing::Touches { fraction };
        }
        Crossing::Apart
    }
}

/// The name of a touch that is not a hit.
pub(super) fn touching(fraction: f64) -> SweepOutcome {
    if fraction >= 1.0 {
        SweepOutcome::Later
    } else if fraction > 0.0 {
        SweepOutcome::Grazes { fraction }
    } else {
        SweepOutcome::Receding
    }
}

/// `displacement_b` carries the point of contact along.
pub(super) fn impact(
    a: &Polytope,
    b: &Polytope,
    relative: DVec3,
    displacement_b: DVec3,
    fraction: f64,
    normal: DVec3,
) -> Impact {
    let between = a.origin - b.origin + relative * fraction;
    let meeting = meeting(a, b, between, normal);
    Impact {
        fraction,
        point: b.origin + displacement_b * fraction + meeting.point,
        normal,
        feature_a: meeting.feature_a,
        feature_b: meeting.feature_b,
        triangle: None,
    }
}

/// The least distance of two bodies over the frame, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach {
    pub(super) distance: f64,
    pub(super) fraction: f64,
}

/// Named as the outcome of a sweep that does not meet.
pub(super) fn passing(approach: Approach) -> SweepOutcome {
    let Approach { distance, fraction } = approach;
    if fraction <= 0.0 {
        SweepOutcome::Receding
    } else if fraction >= 1.0 {
        SweepOutcome::Later
    } else if distance > 0.0 {
        SweepOutcome::Misses {
            by: distance,
            fraction,
        }
    } else {
        SweepOutcome::Grazes { fraction }
    }
}

/// The closest approach of two bodies that never overlap during the frame.
///
/// The squared distance is convex and piecewise quadratic in time, so half its slope, `way . displacement`, is a rising
/// chain of straight pieces: its root is found by false position with the Illinois rule (Dowell and Jarratt 1971), exactly once both ends
/// lie on one piece.
pub(super) fn approach(a: &Polytope, b: &Polytope, relative: DVec3) -> Approach {
    let between = a.origin - b.origin;
    let at = |fraction: f64| {
        let way = closest(a, b, between + relative * fraction).way();
        (way.length(), way.dot(relative))
    };
    let (mut low, mut high) = (0.0, 1.0);
    let (distance, mut slope_low) = at(low);
    if slope_low >= 0.0 {
        let fraction = low;
        return Approach { distance, fraction };
    }
    let (distance, mut slope_high) = at(high);
    if slope_high <= 0.0 {
        let fraction = high;
        return Approach { distance, fraction };
    }
    let flat = tolerance::STANDSTILL * relative.length_squared();
    let mut best = Approach {
        distance,
        fraction: high,
    };
    let mut last_moved = 0;
    for _ in 0..tolerance::APPROACH_STEPS {
        let fraction: f64 = (low * slope_high - high * slope_low) / (slope_high - slope_low);
        let fraction = fraction.clamp(low, high);
        let (distance, slope) = at(fraction);
        if distance < best.distance {
            best = Approach { distance, fraction };
        }
        if slope.abs() <= flat || high - low <= f64::EPSILON {
            break;
        }
        let moved = if slope < 0.0 { -1 } else { 1 };
        if slope < 0.0 {
            (low, slope_low) = (fraction, slope);
        } else {
            (high, slope_high) = (fraction, slope);
        }
        if moved == last_moved {
            let other = if moved < 0 {
                &mut slope_high
            } else {
                &mut slope_low
            };
            *other *= 0.5;
        }
        last_moved = moved;
    }
    best
}
