//! Where in its step an object happens to be decides what an overlap test makes of it: the same event at every phase.
//!
//! The start is shifted along the motion through one whole step, and the real overlap test is asked at the frame end that
//! comes first at or past the impact. What it says is counted, and held against the closed form of a ball and a slab.

use super::evidence::Key;
use super::limits;
use super::pair::{self, Pair, PairEvent};
use super::rotating_pair;
use crate::core::number::percent;
use crate::core::query::{self, Contact, Feature};
use crate::core::shape::{Motion, Pose};
use crate::core::tolerance::WHAT_IF_SHARE;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Starting phases that are tried where nobody asks for more.
pub const PHASES: u32 = 64;

/// Places at which the push is looked at before the place where it turns is narrowed down.
const SIDE_SAMPLES: u32 = 16;

/// Steps that an event which began in overlap is followed back to where the two were apart.
const BACK: [f64; 8] = [0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

/// How many starting phases end how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Phases tried.
    pub phases: u32,
    /// The test saw nothing, and the body is on the far side.
    pub missed: u32,
    /// The test saw nothing, and the body is on the side it came from.
    pub clipped: u32,
    /// The test saw the two, and its push leads out on the far side.
    pub wrong_side: u32,
}

impl Counts {
    /// Phases in which the test saw nothing.
    pub fn undetected(&self) -> u32 {
        self.missed + self.clipped
    }

    /// Phases in which the test saw the two, and its push leads back.
    pub fn resolved(&self) -> u32 {
        self.phases - self.undetected() - self.wrong_side
    }

    /// A count as a share of all phases.
    pub fn share(&self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.phases.max(1))
    }

    /// Takes one more phase into account.
    pub(super) fn add(&mut self, outcome: PhaseOutcome) {
        self.phases += 1;
        match outcome {
            PhaseOutcome::Missed => self.missed += 1,
            PhaseOutcome::Clipped => self.clipped += 1,
            PhaseOutcome::WrongSide => self.wrong_side += 1,
            PhaseOutcome::Resolved => {}
        }
    }
}

/// What a phase sweep found, beside what the closed form says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseSweep {
    /// Counted on the real geometry.
    #[serde(flatten)]
    pub counts: Counts,
    /// Share of phases missed, of a ball against a slab of the same sizes.
    pub closed_missed: f64,
    /// Share of phases pushed out on the wrong side, likewise.
    pub closed_wrong_side: f64,
}

impl PhaseSweep {
    /// `phases` starting phases of a pair's event, the event's own among them; `displacement` along the normal, metres.
    pub(super) fn of(crossing: &Crossing<'_>, slab: &limits::Slab, phases: u32) -> Self {
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
    pub(super) fn evidence(&self) -> [(Key, f64); 3] {
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

    /// The closed form in words, beside what was counted.
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

/// What an overlap test at one frame end makes of the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhaseOutcome {
    /// It sees nothing, and the body is on the far side.
    Missed,
    /// It sees nothing, and the body is on the side it came from.
    Clipped,
    /// It sees the two, and its push leads out on the far side.
    WrongSide,
    /// It sees the two, and its push leads back.
    Resolved,
}

impl PhaseOutcome {
    /// From the best to the worst.
    pub const ALL: [Self; 4] = [Self::Resolved, Self::Clipped, Self::WrongSide, Self::Missed];

    /// The worse of two, in the order of [`PhaseOutcome::ALL`].
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        let rank = |one: Self| Self::ALL.iter().position(|known| *known == one);
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

/// Which rotation a body has at a frame end that the event itself did not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// That of the frame's start before its end, and of its end from there on: only the way is shifted.
    AtStates,
    /// That of the impact.
    AtImpact,
}

/// A pair's motion from its first touch on, beyond the frame's end if need be; straight unless it turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing<'r> {
    pub pair: Pair<'r>,
    /// Where they first touch, share of the stretch; negative when that was before it.
    pub entry: f64,
    /// On the surface of `b` there, world.
    pub point: DVec3,
    /// Unit, from `b` toward `a`.
    pub normal: DVec3,
    /// The two turn as they travel, and the turn is followed.
    turns: bool,
}

impl<'r> Crossing<'r> {
    /// Of an event; `None` where it begins in overlap and the way back does not lead out.
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
        })
    }

    /// Where a pair's straight way first touches, looked for from the stretch's start, or as far before it as they overlap.
    pub fn enter(pair: &Pair<'r>) -> Option<Self> {
        for back in BACK {
            let from = |motion: &Motion| Motion {
                start: Pose {
                    position: motion.start.position - motion.displacement() * back,
                    ..motion.start
                },
                end: motion.end,
            };
            let (a, b) = (from(&pair.motion_a), from(&pair.motion_b));
            let placed = (pair.shape_a.placed(&a.start), pair.shape_b.placed(&b.start));
            if query::overlaps(&placed.0, &placed.1) {
                continue;
            }
            let sweep = query::sweep(pair.shape_a, &a, pair.shape_b, &b, &mut ());
            let impact = sweep.outcome.impact()?;
            return Some(Self {
                pair: *pair,
                entry: impact.fraction * (1.0 + back) - back,
                point: impact.point,
                normal: impact.normal,
                turns: false,
            });
        }
        None
    }

    /// The first frame end at or past the first touch, share of the stretch, when the start is shifted by a share of it.
    pub fn first_test(&self, shift: f64) -> f64 {
        shift + (self.entry - shift).ceil()
    }

    /// How far past the first touch the push still leads back, share of the stretch, looked for up to `reach`; `None` when it
    /// leads back all the way.
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

    /// What an overlap test at a share of the motion makes of it.
    pub fn outcome(&self, at: f64, turn: Turn) -> PhaseOutcome {
        if self.turns {
            let touch = Contact {
                point: self.point,
                normal: self.normal,
                depth: 0.0,
                feature_a: Feature::Round,
                feature_b: Feature::Round,
                triangle: None,
                fallback: false,
            };
            return rotating_pair::outcome(&self.pair, self.entry, &touch, at);
        }
        let pose = |motion: &Motion, share: f64| Pose {
            position: motion.start.position + motion.displacement() * share,
            rotation: match turn {
                Turn::AtImpact => motion.pose(self.entry).rotation,
                Turn::AtStates if share < 1.0 => motion.start.rotation,
                Turn::AtStates => motion.end.rotation,
            },
        };
        let way = |motion: &Motion| Motion {
            start: pose(motion, self.entry),
            end: pose(motion, at),
        };
        let here = Pair {
            motion_a: way(&self.pair.motion_a),
            motion_b: way(&self.pair.motion_b),
            ..self.pair
        };
        // A shape without a middle has no side; it is never what passes.
        let side = here.side_at_end(self.point, self.normal, 0.0, 0.0);
        let far = side.is_some_and(|side| side < 0.0);
        match here.contact_at_end() {
            None if far => PhaseOutcome::Missed,
            None => PhaseOutcome::Clipped,
            Some(contact)
                if far && !here.sensor && pair::points_out_behind(&contact, self.normal) =>
            {
                PhaseOutcome::WrongSide
            }
            Some(_) => PhaseOutcome::Resolved,
        }
    }
}
