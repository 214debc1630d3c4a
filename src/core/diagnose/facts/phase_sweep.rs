//! The same event at every starting phase: which result an overlap test gives depends on where in its step an object is.
//!
//! The start is shifted along the motion through one whole step, and the real overlap test runs at the first frame end
//! at or past the impact. The counts are compared with the closed form of a ball and a slab.

use super::limits;
use crate::core::diagnose::evidence::Key;
pub use crate::core::diagnose::judge::event::PhaseOutcome;
use crate::core::diagnose::judge::event::{self, PairEvent};
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::judge::passages;
use crate::core::diagnose::judge::rotating_pair;
use crate::core::number::percent;
use crate::core::query::{self, Contact};
use crate::core::shape::{Motion, Pose};
use crate::core::tolerance::{BACK_COSINE, WHAT_IF_SHARE};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Default number of starting phases.
pub const PHASES: u32 = 64;

/// Samples at which the push is tested before the place where it reverses is narrowed down.
const SIDE_SAMPLES: u32 = 16;

/// Steps by which an event that began in overlap is moved back until the pair is apart.
const BACK: [f64; 8] = [0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

/// Number of starting phases by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Phases in total.
    pub phases: u32,
    /// Not detected, and the body is on the far side.
    pub missed: u32,
    /// Not detected, and the body is on the side it came from.
    pub clipped: u32,
    /// Detected, and pushed out on the far side.
    pub wrong_side: u32,
}

impl Counts {
    /// Phases without detection.
    pub fn undetected(&self) -> u32 {
        self.missed + self.clipped
    }

    /// Phases with detection and a push back.
    pub fn resolved(&self) -> u32 {
        self.phases - self.undetected() - self.wrong_side
    }

    /// A count as a fraction of all phases.
    pub fn share(&self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.phases.max(1))
    }

    /// `53 of 64 not detected, 3 pushed out on the wrong side, 8 held`.
    pub fn summary(&self) -> String {
        format!(
            "{} of {} not detected, {} pushed out on the wrong side, {} held",
            self.undetected(),
            self.phases,
            self.wrong_side,
            self.resolved()
        )
    }

    /// Adds one phase.
    pub(in crate::core::diagnose) fn add(&mut self, outcome: PhaseOutcome) {
        self.phases += 1;
        match outcome {
            PhaseOutcome::Missed => self.missed += 1,
            PhaseOutcome::Clipped => self.clipped += 1,
            PhaseOutcome::WrongSide => self.wrong_side += 1,
            PhaseOutcome::Resolved => {}
        }
    }
}

/// Result of a phase sweep, with the closed form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseSweep {
    /// Counts for the real shapes.
    #[serde(flatten)]
    pub counts: Counts,
    /// Fraction of phases without detection, for a ball and a slab of the same sizes.
    pub closed_missed: f64,
    /// Fraction of phases pushed out on the wrong side, likewise.
    pub closed_wrong_side: f64,
}

impl PhaseSweep {
    /// `phases` starting phases of a pair's event, the event's own among them; `displacement` along the normal, metres.
    pub(in crate::core::diagnose) fn of(
        crossing: &Crossing<'_>,
        slab: &limits::Slab,
        phases: u32,
    ) -> Self {
        let mut counts = Counts::default();
        for number in 0..phases {
            let shift = f64::from(number) / f64::from(phases);
            counts.add(crossing.outcome(crossing.first_test(shift), Turn::AtStates));
        }
        let displacement = -crossing.pair.travel().dot(crossing.normal);
        let (detected, right) = (slab.detection_limit(), slab.right_side());
        Self {
            counts,
            closed_missed: limits::missed_share(displacement, detected),
            closed_wrong_side: limits::wrong_share(displacement, detected, right),
        }
    }

    /// As a finding's evidence.
    pub(in crate::core::diagnose) fn evidence(&self) -> [(Key, f64); 3] {
        let Counts {
            phases, wrong_side, ..
        } = self.counts;
        [
            (Key::Phases, f64::from(phases)),
            (
                Key::PhaseMissedShare,
                self.counts.share(self.counts.undetected()),
            ),
            (Key::PhaseWrongSideShare, self.counts.share(wrong_side)),
        ]
    }

    /// `Of 64 starting phases, 63 are missed and 1 is pushed out on the wrong side.`; `None` where every phase is held.
    pub fn sentence(&self) -> Option<String> {
        let counts = [
            (self.counts.undetected(), "missed"),
            (self.counts.wrong_side, "pushed out on the wrong side"),
        ];
        let parts: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| {
                format!("{count} {} {what}", if count == 1 { "is" } else { "are" })
            })
            .collect();
        let phases = self.counts.phases;
        (!parts.is_empty())
            .then(|| format!("Of {phases} starting phases, {}.", parts.join(" and ")))
    }

    /// The closed form as a sentence.
    pub fn closed_sentence(&self) -> String {
        let shares = [
            (self.closed_missed, "missed"),
            (self.closed_wrong_side, "pushed out on the wrong side"),
        ];
        let parts: Vec<String> = shares
            .into_iter()
            .filter(|(share, _)| *share > 0.0)
            .map(|(share, what)| format!("{} of all phases {what}", percent(share)))
            .collect();
        match parts.is_empty() {
            true => "A ball and a slab of these sizes would be held at every phase.".to_owned(),
            false => format!(
                "A ball and a slab of these sizes would have {}.",
                parts.join(" and ")
            ),
        }
    }
}

/// Which rotation a body has at a shifted frame end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::diagnose) enum Turn {
    /// That of the frame's start before its end, and of its end from there on: only the path is shifted.
    AtStates,
    /// That of the impact.
    AtImpact,
}

/// A pair's motion from its first touch on, beyond the frame's end if needed; straight unless it rotates.
#[derive(Clone, Copy, Debug)]
pub(in crate::core::diagnose) struct Crossing<'r> {
    pub pair: Pair<'r>,
    /// First touch, fraction of the interval; negative before it.
    pub entry: f64,
    /// Point on the surface of `b` there, world.
    pub point: DVec3,
    /// Unit, from `b` toward `a`.
    pub normal: DVec3,
    /// The pair is swept with its rotation.
    turns: bool,
    /// See [`PairEvent::round`].
    round: bool,
    /// The mover comes from behind a one-sided surface, where no test detects it.
    is_from_behind: bool,
}

impl<'r> Crossing<'r> {
    /// For an event; `None` where it begins in overlap and moving back does not separate the pair.
    pub fn of(pair: &Pair<'r>, event: &PairEvent) -> Option<Self> {
        if event.start().is_some() {
            return Self::enter(pair);
        }
        Some(Self {
            pair: *pair,
            entry: event.fraction,
            point: event.point,
            normal: event.normal,
            turns: event.turned.is_some(),
            is_from_behind: event.is_from_behind(),
            round: event.round,
        })
    }

    /// The first touch on a pair's straight path, searched from the interval's start, or before it as far as they overlap.
    pub fn enter(pair: &Pair<'r>) -> Option<Self> {
        for back in BACK {
            let from = |motion: &Motion| Motion {
                start: Pose {
                    position: motion.start.position - motion.displacement() * back,
                    ..motion.start
                },
                end: motion.end,
            };
            let longer = pair.map(|side| side.on(from(&side.motion), 1.0));
            let [mover, obstacle] =
                [longer.mover, longer.obstacle].map(|side| side.placed(&side.motion.start));
            if query::overlaps(&mover, &obstacle) {
                continue;
            }
            let sweep = longer.sweep();
            let impact = sweep.outcome.impact()?;
            return Some(Self {
                pair: *pair,
                entry: impact.fraction * (1.0 + back) - back,
                point: impact.point,
                normal: impact.normal,
                turns: false,
                is_from_behind: false,
                round: false,
            });
        }
        None
    }

    /// The first frame end at or past the first touch, fraction of the interval, when the start is shifted by a fraction of it.
    pub fn first_test(&self, shift: f64) -> f64 {
        shift + (self.entry - shift).ceil()
    }

    /// Travel past the first touch up to which the push points back, fraction of the interval, searched up to `reach`;
    /// `None` when it always does.
    pub fn pushed_back(&self, reach: f64) -> Option<f64> {
        let wrong =
            |past: f64| self.outcome(self.entry + past, Turn::AtImpact) == PhaseOutcome::WrongSide;
        let sample = |number: u32| reach * f64::from(number) / f64::from(SIDE_SAMPLES);
        let first = (1..=SIDE_SAMPLES).find(|number| wrong(sample(*number)))?;
        let (mut back, mut far) = (sample(first - 1), sample(first));
        while far - back > WHAT_IF_SHARE * far {
            let center = back.midpoint(far);
            if center == back || center == far {
                break;
            }
            if wrong(center) {
                far = center;
            } else {
                back = center;
            }
        }
        Some(back)
    }

    /// Result of an overlap test at a fraction of the motion.
    pub fn outcome(&self, at: f64, turn: Turn) -> PhaseOutcome {
        if self.turns {
            return rotating_pair::outcome(&self.pair, self.entry, (self.point, self.normal), at);
        }
        let pose = |motion: &Motion, share: f64| Pose {
            position: motion.start.position + motion.displacement() * share,
            rotation: match turn {
                Turn::AtImpact if motion.turns() => motion.pose(self.entry).rotation,
                Turn::AtStates if share >= 1.0 => motion.end.rotation,
                _ => motion.start.rotation,
            },
        };
        let way = |motion: &Motion| Motion {
            start: pose(motion, self.entry),
            end: pose(motion, at),
        };
        let here = self.pair.map(|side| side.on(way(&side.motion), 1.0));
        // A shape without a centre has no side and cannot pass.
        let side = here.side_at_end(self.point, self.normal, 0.0);
        let far = side.is_some_and(|side| side < 0.0);
        // A one-sided surface detects nothing whose centre has passed it.
        let is_hidden = far && self.pair.obstacle.one_sided && !self.is_from_behind;
        let contact = self
            .pair
            .contact_at(|motion| pose(motion, at))
            .filter(|_| !is_hidden);
        let resolves =
            |contact: &Contact| self.pair.sensor || event::pushes_back(contact, self.normal);
        if contact.as_ref().is_some_and(resolves) && !self.is_from_behind {
            return PhaseOutcome::Resolved;
        }
        match (contact, far) {
            (None, true) => {
                let surface = (self.point, self.normal);
                match passages::passes(&here, 0.0, surface, self.round) {
                    true => PhaseOutcome::Missed,
                    false => PhaseOutcome::Clipped,
                }
            }
            (None, false) => PhaseOutcome::Clipped,
            (Some(_), true) => PhaseOutcome::WrongSide,
            (Some(_), false) if self.is_from_behind => PhaseOutcome::Clipped,
            // What is thin and long may be pushed out behind another part of a surface than its centre is at.
            (Some(end), false) if end.normal.dot(self.normal) < -BACK_COSINE => {
                PhaseOutcome::WrongSide
            }
            (Some(_), false) => PhaseOutcome::Resolved,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_zero_are_not_said() {
        let of = |closed_missed: f64, closed_wrong_side: f64| {
            let counts = Counts::default();
            let sweep = PhaseSweep {
                counts,
                closed_missed,
                closed_wrong_side,
            };
            sweep.closed_sentence()
        };
        for (shares, says) in [
            ((0.0, 0.0), "be held at every phase."),
            ((0.5, 0.0), "have 50 % of all phases missed."),
            (
                (0.0, 0.25),
                "have 25 % of all phases pushed out on the wrong side.",
            ),
            (
                (0.5, 0.25),
                "have 50 % of all phases missed and 25 % of all phases pushed out on the wrong side.",
            ),
        ] {
            let wanted = format!("A ball and a slab of these sizes would {says}");
            assert_eq!(of(shares.0, shares.1), wanted);
        }
    }
}
