//! When a moving pair meets: fractions of exact numbers, compared without dividing.

use super::super::super::exact::{Exact, ExactVector};
use super::{ExactPair, Extent, Side, is_vector, unit};
use glam::DVec3;
use std::cmp::Ordering;

/// When a moving pair meets.
#[derive(Clone, Debug)]
pub(in super::super) enum ExactCrossing {
    Never,
    /// Without sharing more than the surface.
    Touches(Time),
    /// With the direction that is the last to close, toward the first body.
    Meets(Time, DVec3),
}

/// A fraction of the frame; the denominator is above zero.
#[derive(Clone, Debug)]
pub(in super::super) struct Time {
    over: Exact,
    under: Exact,
}

impl Time {
    fn compare(&self, other: &Self) -> Ordering {
        let (x, y) = (self.over.times(&other.under), other.over.times(&self.under));
        x.compare(&y)
    }

    /// Against 0 and against 1: before the frame, in it, or after it.
    pub fn is_before(&self) -> bool {
        self.over.sign() == Ordering::Less
    }

    pub fn is_after(&self) -> bool {
        self.over.compare(&self.under) != Ordering::Less
    }

    /// Rounded, and within the frame where it is in the frame.
    pub fn fraction(&self) -> f64 {
        let (of_over, of_under) = (self.over.magnitude(), self.under.magnitude());
        let quotient = self.over.clone().scaled(-of_over).to_f64()
            / self.under.clone().scaled(-of_under).to_f64();
        let half = 2.0_f64.powi(32 * (of_over - of_under));
        let fraction = quotient * half * half;
        if self.over.sign() == Ordering::Greater && fraction < f64::MIN_POSITIVE {
            f64::MIN_POSITIVE
        } else if self.is_after() {
            fraction.max(1.0)
        } else {
            fraction.min(1.0_f64.next_down())
        }
    }
}

impl ExactPair {
    /// Along which the origin of the differences moves by `step` over the frame, for as long as it takes.
    pub fn crossing(&self, step: &ExactVector) -> ExactCrossing {
        match self.passage(step) {
            Passage::Closed(span) => span.crossing(),
            Passage::Through(time, toward) => {
                let within = self.axes.iter().all(|axis| {
                    let Side { forward, backward } = self.side(axis);
                    let moved = axis.dot(step).times(&time.over);
                    let forward = forward.times(&time.under).minus(&moved);
                    let backward = backward.times(&time.under).plus(&moved);
                    forward.sign().min(backward.sign()) != Ordering::Less
                });
                if within {
                    ExactCrossing::Meets(time, toward)
                } else {
                    ExactCrossing::Never
                }
            }
            Passage::Beside => ExactCrossing::Never,
        }
    }

    fn passage(&self, step: &ExactVector) -> Passage {
        let (square, away) = match &self.extent {
            Extent::Solid => return self.within(step),
            Extent::Plane(normal) => {
                let (rate, height) = (step.dot(normal), self.between.dot(normal));
                if rate.sign().is_eq() {
                    return self.within_if(height.sign().is_eq(), step);
                }
                let toward = normal.times(&rate.negated());
                let time = Time::new(height.negated(), rate);
                return Passage::Through(time, unit(&toward));
            }
            Extent::Line(along) => (step.cross(along), self.between.cross(along)),
            Extent::Point => (step.clone(), self.between.clone()),
        };
        if !is_vector(&square) {
            return self.within_if(!is_vector(&away), step);
        }
        // `away + t square = 0` in all three coordinates.
        if is_vector(&away.cross(&square)) {
            return Passage::Beside;
        }
        let toward = match &self.extent {
            Extent::Line(along) => square.cross(along),
            _ => step.times(&Exact::new(-1.0)),
        };
        let time = Time::new(away.dot(&square).negated(), square.square());
        Passage::Through(time, unit(&toward))
    }

    fn within_if(&self, inside: bool, step: &ExactVector) -> Passage {
        if inside {
            self.within(step)
        } else {
            Passage::Beside
        }
    }

    /// When the origin is between all bounds.
    fn within(&self, step: &ExactVector) -> Passage {
        let mut span = ExactSpan::default();
        for axis in &self.axes {
            span.narrow(axis, self.side(axis), &axis.dot(step));
            if span.never {
                return Passage::Beside;
            }
        }
        Passage::Closed(span)
    }
}

/// How the way of the origin meets the differences.
#[expect(
    clippy::large_enum_variant,
    reason = "it lives for one question, and exact numbers stay off the heap"
)]
enum Passage {
    Beside,
    /// From one side of what is thin to the other.
    Through(Time, DVec3),
    Closed(ExactSpan),
}

impl Time {
    fn new(over: Exact, under: Exact) -> Self {
        if under.sign() == Ordering::Less {
            Self {
                over: over.negated(),
                under: under.negated(),
            }
        } else {
            Self { over, under }
        }
    }
}

/// The latest beginning and the earliest end.
#[derive(Default)]
struct ExactSpan {
    begin: Option<(Time, ExactVector)>,
    end: Option<Time>,
    never: bool,
    slides: bool,
}

impl ExactSpan {
    fn narrow(&mut self, axis: &ExactVector, side: Side, rate: &Exact) {
        let Side { forward, backward } = side;
        let toward = match rate.sign() {
            Ordering::Equal => {
                self.never |= forward.sign().min(backward.sign()) == Ordering::Less;
                self.slides |= forward.sign().is_eq() || backward.sign().is_eq();
                return;
            }
            Ordering::Less => axis.clone(),
            Ordering::Greater => axis.times(&Exact::new(-1.0)),
        };
        let (begin, end) = match rate.sign() {
            Ordering::Less => (
                Time::new(forward, rate.clone()),
                Time::new(backward, rate.negated()),
            ),
            _ => (
                Time::new(backward.negated(), rate.clone()),
                Time::new(forward, rate.clone()),
            ),
        };
        let later = |(known, _): &(Time, ExactVector)| known.compare(&begin) == Ordering::Less;
        if self.begin.as_ref().is_none_or(later) {
            self.begin = Some((begin, toward));
        }
        if self
            .end
            .as_ref()
            .is_none_or(|known| end.compare(known) == Ordering::Less)
        {
            self.end = Some(end);
        }
    }

    fn crossing(self) -> ExactCrossing {
        let (Some((begin, toward)), Some(end)) = (self.begin, self.end) else {
            return ExactCrossing::Never; // No motion.
        };
        match begin.compare(&end) {
            Ordering::Greater => ExactCrossing::Never,
            Ordering::Less if !self.slides => ExactCrossing::Meets(begin, unit(&toward)),
            _ => ExactCrossing::Touches(begin),
        }
    }
}
