//! The pair itself, with a shorter step or a larger shape, and where its phases become good.

use super::super::pair::{Pair, PairEvent};
use super::super::phase_sweep::{Counts, Crossing, PHASES, Turn};
use super::super::shape_metrics::half_width;
use super::{Criterion, NotResizable};
use crate::core::progress::Progress;
use crate::core::shape::{Capsule, Motion, Pose, Shape};
use crate::core::tolerance::{WHAT_IF_GROWTHS, WHAT_IF_HALVINGS, WHAT_IF_SHARE};
use glam::DVec3;

/// Why nothing helps a body that a front does not see.
pub(super) const FROM_BEHIND: &str =
    "it comes from behind a surface that collides from its front only";

/// An event whose step and shapes are varied.
pub(super) struct ThresholdSearch<'p> {
    pub crossing: Crossing<'p>,
    pub event: &'p PairEvent,
    pub progress: &'p dyn Progress,
}

/// Where a bisection ended: the last value that is good, and the last that is not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bisection {
    pub good: f64,
    /// `None` when the value as it is was good already.
    pub bad: Option<f64>,
}

impl ThresholdSearch<'_> {
    /// What an overlap test makes of every phase when a step is this share of what it is.
    ///
    /// The last phase is the worst: its frame before ended just short of the first touch.
    pub fn counts(&self, share: f64) -> Counts {
        counts(&self.crossing, share)
    }

    /// The longest step that is good, as a share of what it is.
    pub fn step(&self, criterion: Criterion) -> Option<Bisection> {
        // What the front sees of it, and pushes out the wrong way, is not the event seen.
        if self.event.is_from_behind() {
            return None;
        }
        let halves = std::iter::successors(Some(0.5), |share| Some(0.5 * share))
            .take(WHAT_IF_HALVINGS as usize);
        self.first_good(1.0, halves, |share| criterion.accepts(&self.counts(share)))
    }

    /// What is good already at the start, or the edge before the first of some that are.
    fn first_good(
        &self,
        start: f64,
        farther: impl Iterator<Item = f64>,
        good: impl Fn(f64) -> bool,
    ) -> Option<Bisection> {
        if good(start) {
            return Some(Bisection {
                good: start,
                bad: None,
            });
        }
        let mut bad = start;
        for next in farther {
            if good(next) {
                return Some(self.bisect(next, bad, good));
            }
            if self.progress.cancelled() {
                return None;
            }
            bad = next;
        }
        None
    }

    /// By how many metres a shape must grow, along what [`InflatedShape`] measures.
    pub fn growth(&self, inflated: &InflatedShape, criterion: Criterion) -> Option<Bisection> {
        let good = |by: f64| {
            let counts = self.inflated_counts(inflated, by);
            counts.is_some_and(|counts| criterion.accepts(&counts))
        };
        let travel = self.crossing.pair.travel().length();
        let doubles = (0..WHAT_IF_GROWTHS)
            .map(|doubling| travel * f64::from(doubling - WHAT_IF_GROWTHS / 2).exp2());
        self.first_good(0.0, doubles, good)
    }

    /// The phases with a larger shape; `None` when it has no clear start any more.
    pub fn inflated_counts(&self, inflated: &InflatedShape, by: f64) -> Option<Counts> {
        let shape = inflated.shape(by);
        let mut pair = self.crossing.pair.with_shape(inflated.first, &shape);
        let away = inflated.away * by;
        let motion = if inflated.first {
            &mut pair.motion_a
        } else {
            &mut pair.motion_b
        };
        motion.start.position += away;
        motion.end.position += away;
        Some(counts(&Crossing::enter(&pair)?, 1.0))
    }

    /// Halves the gap between a value that is good and one that is not.
    fn bisect(&self, mut good: f64, mut bad: f64, is_good: impl Fn(f64) -> bool) -> Bisection {
        while (good - bad).abs() > WHAT_IF_SHARE * good.abs().max(bad.abs())
            && !self.progress.cancelled()
        {
            let center = good.midpoint(bad);
            if center == good || center == bad {
                break;
            }
            if is_good(center) {
                good = center;
            } else {
                bad = center;
            }
        }
        Bisection {
            good,
            bad: Some(bad),
        }
    }

    /// Why no step is short enough.
    pub fn why_not(&self) -> &'static str {
        if self.event.is_from_behind() {
            FROM_BEHIND
        } else {
            "two shapes without thickness touch at one moment only"
        }
    }

    /// Why no size is large enough.
    pub fn why_not_larger(&self) -> &'static str {
        if self.event.is_from_behind() {
            self.why_not()
        } else {
            "no size is enough, or what is large enough does not fit before it"
        }
    }
}

/// Every phase, when a step is this share of what it is.
pub(super) fn counts(crossing: &Crossing<'_>, share: f64) -> Counts {
    let mut counts = Counts::default();
    for number in (1..=PHASES).rev() {
        let phase = f64::from(number) / f64::from(PHASES);
        counts.add(crossing.outcome(crossing.entry + phase * share, Turn::AtImpact));
    }
    counts
}

/// A shape that can be made larger.
pub(super) struct InflatedShape {
    /// The pair's first, or its second.
    pub first: bool,
    shape: Shape,
    /// The measure that grows, as it is, metres.
    pub before: f64,
    /// Metres that the shape moves for each metre that it grows: a solid keeps its near side.
    pub away: DVec3,
    /// Half extents that a box gains for each metre of the measure.
    gain: DVec3,
}

impl InflatedShape {
    /// The body, in all directions; of a box it is half the width along the normal that is measured.
    pub fn body(pair: &Pair<'_>, normal: DVec3) -> Result<Self, NotResizable> {
        let first = pair.mover_is_a();
        let (shape, motion) = part(pair, first);
        let (before, gain) = match shape {
            Shape::Sphere { radius } | Shape::Capsule(Capsule { radius, .. }) => {
                (*radius, DVec3::ZERO)
            }
            Shape::Box { half_extents } => {
                let before = half_width(shape, &motion.start, normal);
                if before <= 0.0 {
                    let why = "a box without size cannot grow in proportion";
                    return Err(NotResizable { before, why });
                }
                (before, *half_extents / before)
            }
            Shape::Segment(_)
            | Shape::Solid(_)
            | Shape::Triangle(_)
            | Shape::Mesh(_)
            | Shape::Compound(_)
            | Shape::Plane(_) => {
                return Err(NotResizable {
                    before: 0.0,
                    why: "it has no radius",
                });
            }
        };
        Ok(Self {
            first,
            shape: shape.clone(),
            before,
            away: DVec3::ZERO,
            gain,
        })
    }

    /// The solid, away from the body; a box along the axis that is nearest to the normal (from `b` toward `a`).
    pub fn solid(pair: &Pair<'_>, normal: DVec3) -> Result<Self, NotResizable> {
        let first = !pair.mover_is_a();
        let (shape, motion) = part(pair, first);
        let outward = if first { -normal } else { normal };
        let surface = NotResizable {
            before: 0.0,
            why: "a surface has no inside that could be thicker: make it a solid",
        };
        let (before, away, gain) = match shape {
            Shape::Sphere { radius } | Shape::Capsule(Capsule { radius, .. }) => {
                (2.0 * radius, -0.5 * outward, DVec3::ZERO)
            }
            Shape::Box { half_extents } => {
                let local = motion.start.vector_to_local(outward);
                let axis = local.abs().max_position();
                let mut along = DVec3::ZERO;
                along[axis] = 0.5_f64.copysign(local[axis]);
                let away = -motion.start.vector(along);
                (2.0 * half_extents[axis], away, along.abs())
            }
            Shape::Solid(_) | Shape::Compound(_) => {
                return Err(NotResizable {
                    before: 0.0,
                    why: "its thickness is more than one number",
                });
            }
            Shape::Segment(_) | Shape::Triangle(_) | Shape::Mesh(_) => return Err(surface),
            Shape::Plane(_) => {
                return Err(NotResizable {
                    before: f64::INFINITY,
                    why: "it is solid without end already",
                });
            }
        };
        Ok(Self {
            first,
            shape: shape.clone(),
            before,
            away,
            gain,
        })
    }

    /// The shape, larger by so many metres of its measure.
    pub fn shape(&self, by: f64) -> Shape {
        // A solid's measure is twice its radius, and its middle moves by half of what it gains.
        let radius_gain = if self.away == DVec3::ZERO {
            by
        } else {
            0.5 * by
        };
        match &self.shape {
            Shape::Sphere { radius } => Shape::Sphere {
                radius: radius + radius_gain,
            },
            Shape::Capsule(capsule) => Shape::Capsule(Capsule {
                radius: capsule.radius + radius_gain,
                ..*capsule
            }),
            Shape::Box { half_extents } => Shape::Box {
                half_extents: *half_extents + self.gain * by,
            },
            other => other.clone(),
        }
    }

    /// Where the larger shape stands.
    pub fn pose(&self, pose: &Pose, by: f64) -> Pose {
        Pose {
            position: pose.position + self.away * by,
            ..*pose
        }
    }
}

fn part<'p>(pair: &'p Pair<'_>, first: bool) -> (&'p Shape, &'p Motion) {
    if first {
        (pair.shape_a, &pair.motion_a)
    } else {
        (pair.shape_b, &pair.motion_b)
    }
}
