//! Bisection of step length and shape size on a pair.

use super::phase_sweep::{Counts, Crossing, PHASES, Turn};
use crate::core::diagnose::judge::event::PairEvent;
use crate::core::diagnose::judge::event::PhaseOutcome;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::shape_metrics::half_width;
use crate::core::progress::Progress;
use crate::core::shape::{Capsule, Pose, Shape};
use crate::core::tolerance::WHAT_IF_SHARE;
use glam::DVec3;

/// Doublings over which a shape grows: from 2^-24 of a frame's way to 2^23 of it.
const WHAT_IF_GROWTHS: i32 = 48;

/// Halvings of a step after which no step is short enough.
///
/// A step of 2^-40 of a frame is none; only what has no thickness at all needs it.
const WHAT_IF_HALVINGS: u32 = 40;

/// Why no size helps against an approach from behind.
pub const FROM_BEHIND: &str = "it approaches a one-sided surface from behind";

/// The condition on the phases that a value must meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    Detected,
    Resolved,
}

impl Criterion {
    /// Whether a phase meets it; a value meets it if all phases do.
    fn accepts(self, outcome: PhaseOutcome) -> bool {
        match self {
            Self::Detected => !matches!(outcome, PhaseOutcome::Missed | PhaseOutcome::Clipped),
            Self::Resolved => outcome == PhaseOutcome::Resolved,
        }
    }
}

/// A shape that cannot be resized, and why.
#[derive(Clone, Copy, Debug)]
pub struct NotResizable {
    pub before: f64,
    pub why: &'static str,
}

/// An event whose step length and shapes are varied.
pub struct ThresholdSearch<'p> {
    pub crossing: Crossing<'p>,
    pub event: &'p PairEvent,
    pub progress: &'p dyn Progress,
}

/// Result of a bisection: the last good and the last bad value.
#[derive(Clone, Copy, Debug)]
pub struct Bisection {
    pub good: f64,
    /// `None` when the current value is good.
    pub bad: Option<f64>,
}

impl ThresholdSearch<'_> {
    /// Counts of all phases when a step is this fraction of the current one.
    ///
    /// The last phase is the worst: the frame before it ended just short of the first touch.
    pub fn counts(&self, share: f64) -> Counts {
        counts(&self.crossing, share)
    }

    /// Whether all phases meet a criterion when a step is this fraction of the current one.
    pub fn meets(&self, share: f64, criterion: Criterion) -> bool {
        meets(&self.crossing, share, criterion)
    }

    /// The longest good step, as a fraction of the current one.
    pub fn step(&self, criterion: Criterion) -> Option<Bisection> {
        // A detection that pushes out the wrong way does not count.
        if self.event.is_from_behind() {
            return None;
        }
        let halves = std::iter::successors(Some(0.5), |share| Some(0.5 * share))
            .take(WHAT_IF_HALVINGS as usize);
        self.first_good(1.0, halves, |share| self.meets(share, criterion))
    }

    /// The first good value, or the edge before the first of some.
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

    /// Growth that a shape needs, metres, along the measure of [`InflatedShape`].
    pub fn growth(&self, inflated: &InflatedShape, criterion: Criterion) -> Option<Bisection> {
        if self.event.is_from_behind() {
            return None;
        }
        let good = |by: f64| self.inflated_meets(inflated, by, criterion);
        let travel = self.crossing.pair.travel().length();
        let doubles = (0..WHAT_IF_GROWTHS)
            .map(|doubling| travel * f64::from(doubling - WHAT_IF_GROWTHS / 2).exp2());
        self.first_good(0.0, doubles, good)
    }

    /// Counts of the phases with a larger shape; `None` when it has no clear start.
    pub fn inflated_counts(&self, inflated: &InflatedShape, by: f64) -> Option<Counts> {
        inflated.on(&self.crossing.pair, by, |crossing| counts(crossing, 1.0))
    }

    /// Whether all phases meet a criterion with a larger shape that has a clear start.
    pub fn inflated_meets(&self, inflated: &InflatedShape, by: f64, criterion: Criterion) -> bool {
        let pair = &self.crossing.pair;
        inflated.on(pair, by, |crossing| meets(crossing, 1.0, criterion)) == Some(true)
    }

    /// Bisects between a good and a bad value.
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
            "two shapes without thickness touch only for a moment"
        }
    }

    /// Why no size is large enough.
    pub fn why_not_larger(&self) -> &'static str {
        if self.event.is_from_behind() {
            self.why_not()
        } else {
            "no size is enough, or a larger shape would overlap at the start"
        }
    }
}

/// Counts of all phases, when a step is this fraction of the current one.
pub fn counts(crossing: &Crossing<'_>, share: f64) -> Counts {
    let mut counts = Counts::default();
    outcomes(crossing, share).for_each(|outcome| counts.add(outcome));
    counts
}

/// Whether every phase meets a criterion, when a step is this fraction of the current one: the first that does not ends it.
pub fn meets(crossing: &Crossing<'_>, share: f64, criterion: Criterion) -> bool {
    outcomes(crossing, share).all(|outcome| criterion.accepts(outcome))
}

/// The outcome of each phase, that of the longest way past the touch first.
fn outcomes(crossing: &Crossing<'_>, share: f64) -> impl Iterator<Item = PhaseOutcome> {
    (1..=PHASES).rev().map(move |number| {
        let phase = f64::from(number) / f64::from(PHASES);
        crossing.outcome(crossing.entry + phase * share, Turn::AtImpact)
    })
}

/// A shape that can be made larger.
pub struct InflatedShape {
    /// The pair's first, or its second.
    pub of_mover: bool,
    shape: Shape,
    /// The current measure, metres.
    pub before: f64,
    /// Displacement of the shape per metre of growth: a solid keeps its near side.
    pub away: DVec3,
    /// Growth of a box's half extents per metre of the measure.
    gain: DVec3,
}

impl InflatedShape {
    /// The mover, in all directions; for a box the measure is half its width along the normal.
    pub fn body(pair: &Pair<'_>, normal: DVec3) -> Result<Self, NotResizable> {
        let (shape, motion) = (pair.mover.shape, &pair.mover.motion);
        let of_stadium = shape.as_stadium().map(|(_, radius)| (radius, DVec3::ZERO));
        let (before, gain) = match shape {
            _ if let Some(measure) = of_stadium => measure,
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
            of_mover: true,
            shape: shape.clone(),
            before,
            away: DVec3::ZERO,
            gain,
        })
    }

    /// The obstacle, away from the mover; a box along the axis nearest to the normal.
    pub fn solid(pair: &Pair<'_>, normal: DVec3) -> Result<Self, NotResizable> {
        let (shape, motion) = (pair.obstacle.shape, &pair.obstacle.motion);
        let surface = NotResizable {
            before: 0.0,
            why: "a surface has no thickness: use a solid",
        };
        let of_stadium = shape.as_stadium();
        let (before, away, gain) = match shape {
            _ if let Some((_, radius)) = of_stadium => (2.0 * radius, -0.5 * normal, DVec3::ZERO),
            Shape::Sphere { radius } | Shape::Capsule(Capsule { radius, .. }) => {
                (2.0 * radius, -0.5 * normal, DVec3::ZERO)
            }
            Shape::Box { half_extents } => {
                let local = motion.start.vector_to_local(normal);
                let axis = local.abs().max_position();
                let mut along = DVec3::ZERO;
                along[axis] = 0.5_f64.copysign(local[axis]);
                let away = -motion.start.vector(along);
                (2.0 * half_extents[axis], away, along.abs())
            }
            Shape::Solid(_) | Shape::Compound(_) => {
                return Err(NotResizable {
                    before: 0.0,
                    why: "its thickness is not a single number",
                });
            }
            Shape::Segment(_) | Shape::Triangle(_) | Shape::Mesh(_) => return Err(surface),
            Shape::Plane(_) => {
                return Err(NotResizable {
                    before: f64::INFINITY,
                    why: "it is infinitely thick already",
                });
            }
        };
        Ok(Self {
            of_mover: false,
            shape: shape.clone(),
            before,
            away,
            gain,
        })
    }

    /// The shape, larger by this many metres.
    pub fn shape(&self, by: f64) -> Shape {
        // An obstacle's measure is twice its radius, and its centre moves by half of the growth.
        let radius_gain = if self.away == DVec3::ZERO {
            by
        } else {
            0.5 * by
        };
        if let Some((_, radius)) = self.shape.as_stadium() {
            let grown = self.shape.as_stadium_of(radius + radius_gain);
            return grown.unwrap_or_else(|| self.shape.clone());
        }
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

    /// The result for a pair with the larger shape, from its first touch on; `None` when it has no clear start.
    pub fn on<T>(
        &self,
        pair: &Pair<'_>,
        by: f64,
        ask: impl FnOnce(&Crossing<'_>) -> T,
    ) -> Option<T> {
        let shape = self.shape(by);
        let pair = pair.resized(self.of_mover, &shape, self.away * by);
        Some(ask(&Crossing::enter(&pair)?))
    }

    /// The pose of the larger shape.
    pub fn pose(&self, pose: &Pose, by: f64) -> Pose {
        Pose {
            position: pose.position + self.away * by,
            ..*pose
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Segment;

    /// A ball, and a capsule of a flat level, of 0.25 m keep the side that faces the mover.
    #[test]
    fn round_obstacles_grow_away_from_the_mover() {
        use crate::core::replay::Replay;
        use crate::core::scene::{Object, Scene};
        use crate::core::shape::{Motion, Pose, RoundedBox, SolidShape};
        let rounded = |radius: f64| {
            let half_extents = DVec3::new(0.0, 1.0, 0.0);
            Shape::Solid(SolidShape::RoundedBox(RoundedBox {
                half_extents,
                radius,
            }))
        };
        let ball = |radius: f64| Shape::Sphere { radius };
        let normal = DVec3::new(0.6, 0.8, 0.0);
        for shape in [&rounded as &dyn Fn(f64) -> Shape, &ball] {
            let objects = vec![
                Object::new("mover", ball(0.5), normal * 4.0),
                Object::new("other", shape(0.25), DVec3::ZERO),
            ];
            let replay = Replay::stepped(Scene::new("test", objects).into());
            let way = Motion {
                start: Pose::at(normal * 4.0),
                end: Pose::at(-normal * 4.0),
            };
            let interval = (0.0, 1.0, way, Motion::still(Pose::IDENTITY));
            let pair = Pair::new(&replay, (0, 1), interval).unwrap();
            let Ok(solid) = InflatedShape::solid(&pair, normal) else {
                panic!("it is round");
            };
            assert_eq!((solid.of_mover, solid.before), (false, 0.5));
            assert_eq!(solid.shape(0.5), shape(0.5));
            assert!(solid.away.distance(-0.5 * normal) < 1e-15, "{}", solid.away);
        }
    }

    /// A body grows by its radius, an obstacle by its thickness, which is twice that.
    #[test]
    fn round_shapes_grow_by_what_they_are_measured_by() {
        let segment = Segment {
            a: DVec3::NEG_Y,
            b: DVec3::Y,
        };
        let capsule = |radius: f64| Shape::Capsule(Capsule { segment, radius });
        let ball = |radius: f64| Shape::Sphere { radius };
        for (away, after) in [(DVec3::ZERO, 0.75), (DVec3::X * 0.5, 0.5)] {
            for (before, after) in [(ball(0.25), ball(after)), (capsule(0.25), capsule(after))] {
                let inflated = InflatedShape {
                    of_mover: true,
                    shape: before,
                    before: 0.25,
                    away,
                    gain: DVec3::ZERO,
                };
                assert_eq!(inflated.shape(0.5), after);
            }
        }
    }
}
