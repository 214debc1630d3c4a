//! A finding's pair, tested again with a changed number.

use super::MOST;
use super::candidates::{Candidate, PossibleFix, QUANTITIES, Scopes};
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::facts::engine_sweep::{self, EngineSweep};
use crate::core::diagnose::facts::phase_sweep::Crossing;
use crate::core::diagnose::facts::threshold_search::{Criterion, InflatedShape, meets};
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::fix::Quantity;
use crate::core::diagnose::judge::judged_event::JudgedEvent;
use crate::core::diagnose::judge::mesh_triangles::on_judged_triangle;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::replay::{ObjectId, Replay};
use crate::core::tolerance::SAME_SHARE;
use smallvec::SmallVec;
use std::cell::LazyCell;

/// Most times its size that a wall or a body may grow to (no unit).
///
/// Larger, and a ball of 16 m is offered; smaller, and so is no wall of 10 cm for one of paper.
const GROWTH: f64 = 10.0;

/// A finding that a change of the level may fix.
pub(in crate::core::diagnose) struct FixTest<'r> {
    judged: &'r JudgedEvent,
    pair: Pair<'r>,
    /// What continuous detection would sweep.
    sweep: Option<EngineSweep>,
    pub possible: SmallVec<[PossibleFix; 6]>,
}

impl<'r> FixTest<'r> {
    /// `None` for a finding that no row can fix.
    pub fn of(replay: &'r Replay, finding: &'r Finding, scopes: &Scopes) -> Option<Self> {
        let judged = finding.judged.as_deref()?;
        let pair = judged.pair(replay)?;
        let has = |cause| finding.cause == cause || finding.also.contains(&cause);
        if !engine_sweep::can_help(&pair, &judged.event, has) {
            return None;
        }
        let about = |object: ObjectId| Some((object, scopes.group(object)?));
        let mut test = Self {
            judged,
            sweep: EngineSweep::of(replay, &pair, &judged.event, has),
            pair,
            possible: SmallVec::new(),
        };
        for fix in finding.fixes.iter().filter(|fix| fix.with.is_none()) {
            let object = match fix.what {
                Quantity::MinThickness => about(pair.obstacle.id),
                Quantity::MinRadius => about(pair.mover.id),
                Quantity::MaxSpeed | Quantity::MaxClosingSpeed => about(pair.mover.id),
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
        let swept = test.sweep.as_ref().map(|sweep| sweep.body);
        if let Some(object) = swept.and_then(about) {
            test.possible.push(PossibleFix {
                what: Quantity::ContinuousDetection,
                object: Some(object),
                value: None,
            });
        }
        (!test.possible.is_empty()).then_some(test)
    }

    /// By candidate: whether it fixes the finding.
    pub fn fixed_by(&self, candidates: &[Candidate]) -> [bool; MOST] {
        let mut fixed = [false; MOST];
        on_judged_triangle(&self.pair, &self.judged.event, |pair| {
            let Some(crossing) = Crossing::of(pair, &self.judged.event) else {
                return;
            };
            let swept = LazyCell::new(|| {
                self.sweep
                    .as_ref()
                    .is_some_and(|sweep| sweep.hits(&crossing))
            });
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
        let holds = |crossing: &Crossing<'_>, share| meets(crossing, share, Criterion::Resolved);
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
