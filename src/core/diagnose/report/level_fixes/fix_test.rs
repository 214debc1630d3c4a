//! A finding's pair, tested again with a changed number.

use super::MOST;
use super::candidates::{Candidate, PossibleFix, QUANTITIES, Scopes};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::facts::phase_sweep::{Crossing, PHASES};
use crate::core::diagnose::facts::threshold_search::{InflatedShape, holds};
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::fix::Quantity;
use crate::core::diagnose::judge::judged_event::JudgedEvent;
use crate::core::diagnose::judge::mesh_triangles::on_judged_triangle;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::engine_preset::{self, Continuous};
use crate::core::query;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::{Detection, Object};
use crate::core::shape::{Motion, Pose};
use crate::core::tolerance::SAME_SHARE;
use glam::{DQuat, DVec3};
use smallvec::SmallVec;
use std::cell::LazyCell;

/// Causes by which the engine does not test the pair, or tests the wrong side: no other step or size helps.
const UNTESTED: [Cause; 3] = [Cause::Facing, Cause::Gap, Cause::Bits];

/// Most times its size that a wall or a body may grow to (no unit).
///
/// Larger, and a ball of 16 m is offered; smaller, and so is no wall of 10 cm for one of paper.
const GROWTH: f64 = 10.0;

/// A finding that a change of the level may fix.
pub(in crate::core::diagnose) struct FixTest<'r> {
    judged: &'r JudgedEvent,
    pair: Pair<'r>,
    /// The moving body that the engine's sweep of the other takes for one at rest.
    at_rest: Option<ObjectId>,
    pub possible: SmallVec<[PossibleFix; 6]>,
}

impl<'r> FixTest<'r> {
    /// `None` for a finding that no row can fix.
    pub fn of(replay: &'r Replay, finding: &'r Finding, scopes: &Scopes) -> Option<Self> {
        let judged = finding.judged.as_deref()?;
        let pair = judged.pair(replay)?;
        let is_untested = |cause: &Cause| UNTESTED.contains(cause);
        let responds = pair.is_pushable() || pair.sensor;
        if !responds
            || judged.event.is_from_behind()
            || is_untested(&finding.cause)
            || finding.also.iter().any(is_untested)
        {
            return None;
        }
        let about = |object: ObjectId| Some((object, scopes.group(object)?));
        let mut test = Self {
            judged,
            pair,
            at_rest: None,
            possible: SmallVec::new(),
        };
        for fix in finding.fixes.iter().filter(|fix| fix.with.is_none()) {
            let object = match fix.what {
                Quantity::MinThickness => about(test.sized(false)),
                Quantity::MinRadius => about(test.sized(true)),
                Quantity::MaxSpeed | Quantity::MaxClosingSpeed => about(pair.a),
                _ => None,
            };
            let value = fix.held();
            let is_row = QUANTITIES.contains(&fix.what) && value.is_some();
            if is_row && is_sensible(finding, fix.what, value) {
                test.possible.push(PossibleFix {
                    what: fix.what,
                    object,
                    value,
                });
            }
        }
        if let Some(object) = test.swept_body(replay, finding).and_then(about) {
            test.possible.push(PossibleFix {
                what: Quantity::ContinuousDetection,
                object: Some(object),
                value: None,
            });
        }
        (!test.possible.is_empty()).then_some(test)
    }

    /// The object whose size is the mover's, or the obstacle's.
    fn sized(&self, mover: bool) -> ObjectId {
        match mover == self.pair.mover_is_a() {
            true => self.pair.a,
            false => self.pair.b,
        }
    }

    /// The body on which continuous detection would act; `None` where it is on already, where the engine has none for this pair, and where
    /// the finding does not begin with a clear approach that a sweep could follow.
    fn swept_body(&mut self, replay: &Replay, finding: &Finding) -> Option<ObjectId> {
        let (pair, event) = (&self.pair, &self.judged.event);
        let objects = [pair.a, pair.b].map(|id| &replay.objects()[id as usize]);
        let is_on = objects.iter().any(|object| object.ccd == Some(true))
            || replay.recording().is_none() && replay.scene().detection == Detection::Sweep;
        let has = |cause: Cause| finding.cause == cause || finding.also.contains(&cause);
        let rounded = finding.kind == Kind::WrongSide && has(Cause::FarFromOrigin);
        // A body that is driven by position has no velocity to sweep.
        let cannot = is_on || rounded || has(Cause::Teleport);
        if cannot || event.start().is_some() {
            return None;
        }
        let engine = replay.engine();
        let preset = engine_preset::preset(&engine);
        if preset.is_some_and(|preset| preset.continuous == Continuous::Absent || pair.sensor) {
            return None;
        }
        let moves = |motion: &Motion| motion.displacement() != DVec3::ZERO;
        let bodies = [
            (pair.a, objects[0], &pair.motion_a),
            (pair.b, objects[1], &pair.motion_b),
        ];
        let is_swept = |(_, object, motion): &(ObjectId, &Object, &Motion)| {
            let along = motion.displacement();
            let least = engine_preset::threshold(&engine, &object.shape, &motion.start, along);
            let is_long = least.is_none_or(|least| along.length() >= least);
            moves(motion) && is_long && (preset.is_none() || object.is_pushable())
        };
        let (swept, ..) = bodies.into_iter().find(is_swept)?;
        let relative = |continuous| matches!(continuous, Continuous::Relative { .. });
        let alone = moves(&pair.motion_a)
            && moves(&pair.motion_b)
            && preset.is_some_and(|preset| !relative(preset.continuous));
        self.at_rest = alone.then_some(if swept == pair.a { pair.b } else { pair.a });
        Some(swept)
    }

    /// By candidate: whether it fixes the finding.
    pub fn fixed_by(&self, candidates: &[Candidate]) -> [bool; MOST] {
        let mut fixed = [false; MOST];
        on_judged_triangle(&self.pair, &self.judged.event, |pair| {
            let Some(crossing) = Crossing::of(pair, &self.judged.event) else {
                return;
            };
            let swept = LazyCell::new(|| self.is_swept(&crossing));
            for (fixed, candidate) in fixed.iter_mut().zip(candidates) {
                let is_possible = self.possible.iter().any(|fix| candidate.is_about(fix));
                *fixed = is_possible
                    && match candidate.value {
                        Some(value) => self.is_held(&crossing, candidate.what, value),
                        None => *swept,
                    };
            }
        });
        fixed
    }

    /// Whether the body is held at each starting phase with a value of a quantity.
    fn is_held(&self, crossing: &Crossing<'_>, what: Quantity, value: f64) -> bool {
        let (pair, event) = (&crossing.pair, &self.judged.event);
        // At the limit rounding would decide.
        let shortened = |share: f64| share < 1.0 && holds(crossing, share * (1.0 - SAME_SHARE));
        let inflated = |part: Result<InflatedShape, _>| {
            part.is_ok_and(|part: InflatedShape| {
                let by = value - part.before;
                by > 0.0 && part.on(pair, by, |crossing| holds(crossing, 1.0)) == Some(true)
            })
        };
        let JudgedEvent { dt, substeps, .. } = *self.judged;
        match what {
            Quantity::Substeps => shortened(f64::from(substeps) / value),
            Quantity::MaxDt => shortened(value / dt),
            Quantity::MinThickness => inflated(InflatedShape::solid(pair, event.normal)),
            Quantity::MinRadius => inflated(InflatedShape::body(pair, event.normal)),
            _ => shortened(value * dt * (pair.to - pair.from) / pair.travel().length()),
        }
    }

    /// Whether a sweep hits from each starting phase, with the rotation that the bodies have there. Without rotation the paths of all phases
    /// are parts of one straight line around the touch, so that one sweep decides for all.
    fn is_swept(&self, crossing: &Crossing<'_>) -> bool {
        let pair = &crossing.pair;
        let hits = |phase: f64| {
            let from = crossing.entry - phase;
            let part = |object: ObjectId, motion: &Motion, turn: DVec3| {
                let start = Pose {
                    position: motion.start.position + motion.displacement() * from,
                    rotation: match turn == DVec3::ZERO {
                        true => motion.start.rotation,
                        false => DQuat::from_scaled_axis(turn * from) * motion.start.rotation,
                    },
                };
                let travel = if self.at_rest == Some(object) {
                    DVec3::ZERO
                } else {
                    motion.displacement()
                };
                Motion {
                    start,
                    end: Pose {
                        position: start.position + travel,
                        ..start
                    },
                }
            };
            let a = part(pair.a, &pair.motion_a, pair.turn_a);
            let b = part(pair.b, &pair.motion_b, pair.turn_b);
            let sweep = query::sweep(pair.shape_a, &a, pair.shape_b, &b, &mut ());
            sweep.outcome.impact().is_some()
        };
        let turns = pair.turn_a != DVec3::ZERO || pair.turn_b != DVec3::ZERO;
        if self.at_rest.is_none() && !turns {
            return hits(crossing.entry);
        }
        // Not from the touch itself, nor to it.
        let mut phases = (0..PHASES).map(|number| (f64::from(number) + 0.5) / f64::from(PHASES));
        phases.all(hits)
    }
}

/// Whether a value is a change to the level: a longest frame that spares the frames of usual length, as else it is the same as
/// substeps, and a size that does not make it another level.
fn is_sensible(finding: &Finding, what: Quantity, value: Option<f64>) -> bool {
    let now = |key| finding.value(key);
    let value = value.unwrap_or(f64::NAN);
    match what {
        Quantity::MaxDt => now(Key::MedianDt).is_some_and(|usual| value >= usual),
        Quantity::MinThickness => now(Key::Thickness).is_some_and(|now| value <= GROWTH * now),
        Quantity::MinRadius => {
            let now = now(Key::Radius).or_else(|| now(Key::HalfWidth));
            now.is_some_and(|now| value <= GROWTH * now)
        }
        _ => true,
    }
}
