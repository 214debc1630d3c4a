//! What-if: the smallest change of one number that removes a finding, found by bisection on the real shapes.
//!
//! A frame that ends a little later may detect by luck what this one missed, so a change counts only if it works at every starting
//! phase. A value *detects* when an overlap test detects the pair at every phase, and *holds* when the push also moves the body
//! back to its side. Each value comes with its proof: the counts at the value, and just short of it.

pub mod comparison;
pub mod map;
mod restepped;
pub mod session;
mod session_values;

use super::compound_parts;
use super::event_metrics::EventMetrics;
use super::finding::{Finding, Source};
use super::fix::{Fix, Quantity};
use super::mesh_triangles;
use super::pair::{JudgeStats, Pair, PairEvent, pair_of};
use super::phase_sweep::{Counts, Crossing, PHASES, PhaseSweep};
use super::rotating_pair::with_spins;
use super::substeps;
use super::threshold_search::{Criterion, InflatedShape, NotResizable, ThresholdSearch};
use crate::core::number::words;
use crate::core::number::{metres, number, seconds, speed};
use crate::core::progress::Progress;
use crate::core::replay::Replay;
use crate::core::tolerance::SAME_SHARE;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Steps of one object that all replays of a finding with a changed number may take; beyond it the geometry alone answers.
///
/// About a second. Larger, and a question about a large level takes minutes.
const WHAT_IF_STEPS: u32 = 200_000;

/// A number that is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// Seconds of a frame.
    Dt,
    /// Substeps of a frame.
    Substeps,
    /// Relative speed of the two, metres per second.
    Speed,
    /// Radius of the body; of a box and the like half its width along the contact normal. Metres.
    Radius,
    /// Thickness of the solid, metres; its near side stays where it is.
    Thickness,
}

impl Parameter {
    /// In order of evaluation.
    pub const ALL: [Self; 5] = [
        Self::Dt,
        Self::Substeps,
        Self::Speed,
        Self::Radius,
        Self::Thickness,
    ];

    /// The quantity of a limit on it. `both_move`: the speed is that of two moving bodies.
    pub fn limit(self, both_move: bool) -> Quantity {
        match self {
            Self::Dt => Quantity::MaxDt,
            Self::Substeps => Quantity::Substeps,
            Self::Speed if both_move => Quantity::MaxClosingSpeed,
            Self::Speed => Quantity::MaxSpeed,
            Self::Radius => Quantity::MinRadius,
            Self::Thickness => Quantity::MinThickness,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.limit(false).short_name()
    }

    /// Unit of its values; empty for a count.
    pub fn unit(self) -> &'static str {
        self.limit(false).unit()
    }
}

/// A sufficient value, with its proof.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Threshold {
    /// The smallest sufficient change.
    pub after: f64,
    /// Counts of the phases at that value.
    pub at_after: Counts,
    /// A value just short of it; `None` when no change is needed.
    pub below: Option<f64>,
    /// Counts of the phases there; at least one fails.
    pub at_below: Option<Counts>,
    /// Whether the scene, run with the value, loses the finding; `None` where it cannot be run so, or not within the bound.
    pub replayed: Option<bool>,
    /// The scene was not run, as that takes more steps than the bound leaves.
    pub too_long: bool,
}

/// One parameter, varied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The parameter, named as in fixes.
    pub what: Quantity,
    /// Unit of the values.
    pub unit: Cow<'static, str>,
    /// The current value.
    pub before: f64,
    /// The value that holds at every phase; `None` when no value does.
    pub holds: Option<Threshold>,
    /// The value that detects at every phase; `None` when no value does.
    pub detects: Option<Threshold>,
    /// Why no value helps; else empty.
    pub why_not: Cow<'static, str>,
}

/// The smallest changes that fix a finding, each by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhatIf {
    /// The current event at every starting phase.
    pub phases: PhaseSweep,
    /// A change that each of these also needs: the velocity of a body that is driven by position.
    pub with: Option<Fix>,
    /// In the order of [`Parameter::ALL`].
    pub changes: Vec<Change>,
}

impl WhatIf {
    /// The change of one parameter.
    pub fn change(&self, what: Parameter) -> Option<&Change> {
        let place = Parameter::ALL.iter().position(|known| *known == what)?;
        self.changes.get(place)
    }

    /// One line per parameter, `substeps 1: held from 122, detected from 61`; a single line where no change is needed.
    pub fn sentences(&self) -> Vec<String> {
        let phases = self.phases.counts.phases;
        let unchanged = |threshold: &Option<Threshold>| {
            threshold.is_some_and(|threshold| threshold.below.is_none())
        };
        let possible = |change: &&Change| change.detects.is_some();
        let mut tried = self.changes.iter().filter(possible).peekable();
        if tried.peek().is_some() && tried.all(|change| unchanged(&change.holds)) {
            return vec![format!(
                "Every one of {phases} starting phases holds already: dt, substeps, speed and size do not decide this finding"
            )];
        }
        let with = self.with.iter();
        let with = with.map(|with| format!("{with} together with each of these"));
        with.chain(self.changes.iter().map(Change::sentence))
            .collect()
    }
}

impl Change {
    /// `dt 16.7 ms: held up to 0.138 ms, detected up to 0.275 ms`.
    pub fn sentence(&self) -> String {
        let (name, before) = (words(self.what.short_name()), self.value(self.before));
        let Some(detects) = &self.detects else {
            return format!("{name}: no change helps, {}", self.why_not);
        };
        let one = |word: &str, threshold: &Threshold| {
            let at = match threshold.below {
                None => "already".to_owned(),
                Some(_) => format!("{} {}", self.what.bound(), self.value(threshold.after)),
            };
            let not_here = match threshold.replayed {
                Some(false) => " (but not in this scene)",
                _ if threshold.too_long => " (not run on the scene: too many steps)",
                _ => "",
            };
            format!("{word} {at}{not_here}")
        };
        let held = match &self.holds {
            Some(holds) => one("held", holds),
            None => "held by no value".to_owned(),
        };
        format!("{name} {before}: {held}, {}", one("detected", detects))
    }

    /// A value of this parameter with its unit, as text.
    pub fn value(&self, value: f64) -> String {
        match &*self.unit {
            "s" => seconds(value),
            "m/s" => speed(value),
            "m" => metres(value),
            _ => number(value),
        }
    }
}

/// Whether a finding depends on the starting phase, so that its parameters can be varied.
pub fn applies_to(finding: &Finding) -> bool {
    finding.kind.depends_on_phase() && finding.object_a.is_some() && finding.object_b.is_some()
}

/// Computes the smallest changes for a finding of this replay.
///
/// `None` when cancelled, when [`applies_to`] is false, and when the finding began in an overlap that cannot be moved back to a
/// clear start. The work is bounded: some ten thousand overlap tests of the pair, and a few short runs of a stepped scene.
pub fn what_if(replay: &Replay, finding: &Finding, progress: &dyn Progress) -> Option<WhatIf> {
    if !applies_to(finding) {
        return None;
    }
    let found = find(replay, finding)?;
    mesh_triangles::on_judged_triangle(&found.pair, &found.event, |pair| {
        let found = FindingEvent {
            pair: *pair,
            event: found.event.clone(),
            ..found
        };
        vary_all(replay, finding, &found, progress)
    })
}

/// The event of a finding: the pair over its interval, and the event.
struct FindingEvent<'r> {
    pair: Pair<'r>,
    event: PairEvent,
    /// Seconds of the frame.
    dt: f64,
    /// Steps of the engine in the frame; the pair's interval is one of them.
    substeps: u32,
}

/// `None` for a finding without a pair.
fn find<'r>(replay: &'r Replay, finding: &Finding) -> Option<FindingEvent<'r>> {
    let Source::Pair(number) = finding.source else {
        return None;
    };
    let frame = replay.frame(finding.frame);
    let ids = (finding.object_a?, finding.object_b?);
    let interval = frame
        .straight_intervals(ids.0, ids.1)
        .into_iter()
        .nth(number)?;
    let pair = with_spins(pair_of(replay, ids, interval)?, &frame);
    let event = compound_parts::judge(&pair, &mut JudgeStats::default())?;
    let steps = substeps::count(replay, finding.frame);
    let (pair, event) = substeps::of_event(steps, pair, event)?;
    // The replay may have changed.
    (event.kind == finding.kind).then_some(FindingEvent {
        pair,
        event,
        dt: frame.dt,
        substeps: steps,
    })
}

fn vary_all(
    replay: &Replay,
    finding: &Finding,
    found: &FindingEvent<'_>,
    progress: &dyn Progress,
) -> Option<WhatIf> {
    let FindingEvent { pair, event, .. } = found;
    let dt = found.dt;
    let metrics = EventMetrics::of(pair, event, dt);
    let crossing = Crossing::of(pair, event)?;
    let search = ThresholdSearch {
        crossing,
        event,
        progress,
    };
    let phases = PhaseSweep::of(&crossing, &metrics.slab, PHASES);
    let total = Parameter::ALL.len() as u64;
    let mut steps_left = WHAT_IF_STEPS;
    let mut changes = Vec::new();
    for (done, what) in (0..).zip(Parameter::ALL) {
        progress.report(done, total);
        let as_fix = what.limit(pair.motion_b.displacement() != DVec3::ZERO);
        let turns = event.turned.is_some();
        let mut change = match what {
            Parameter::Dt => scaled(&search, as_fix, dt),
            Parameter::Substeps => substeps(&search, f64::from(found.substeps)),
            Parameter::Speed if turns => change(as_fix, metrics.speed, None, None, TURNS),
            Parameter::Speed => scaled(&search, as_fix, metrics.speed),
            Parameter::Radius | Parameter::Thickness => {
                let part = match what {
                    Parameter::Radius => InflatedShape::body(pair, event.normal),
                    _ => InflatedShape::solid(pair, event.normal),
                };
                match part {
                    Ok(part) if turns => change(as_fix, part.before, None, None, TURNS),
                    part => inflated(&search, as_fix, part),
                }
            }
        };
        restepped::confirm(
            replay,
            finding,
            (pair, event),
            (what, &mut change),
            &mut steps_left,
            progress,
        );
        if progress.cancelled() {
            return None;
        }
        changes.push(change);
    }
    progress.report(total, total);
    let drive = finding
        .fixes
        .iter()
        .find(|fix| fix.what == Quantity::DriveSpeed);
    Some(WhatIf {
        phases,
        with: drive.map(|drive| Fix {
            with: None,
            ..drive.clone()
        }),
        changes,
    })
}

/// Why the parameters of a rotating pair are not varied.
const TURNS: &str = "the pair rotates: vary dt or substeps";

/// Whether these sizes hold and detect the event at every phase of the real shapes. Also false where the shape's own
/// size is not `now`. `solid`: the thickness of the obstacle, not the radius of the mover.
pub(super) fn sizes_suffice(
    pair: &Pair<'_>,
    event: &PairEvent,
    solid: bool,
    now: f64,
    (held, detected): (f64, f64),
) -> bool {
    let part = match solid {
        true => InflatedShape::solid(pair, event.normal),
        false => InflatedShape::body(pair, event.normal),
    };
    let Some((part, crossing)) = part.ok().zip(Crossing::of(pair, event)) else {
        return false;
    };
    let search = ThresholdSearch {
        crossing,
        event,
        progress: &(),
    };
    let suffices = |criterion: Criterion, size: f64| {
        // At the limit rounding would decide.
        let by = size * (1.0 + restepped::MARGIN) - part.before;
        let counts = search.inflated_counts(&part, by.max(0.0));
        counts.is_some_and(|counts| criterion.accepts(&counts))
    };
    (part.before - now).abs() <= SAME_SHARE * now.max(part.before)
        && suffices(Criterion::Resolved, held)
        && suffices(Criterion::Detected, detected)
}

fn change(
    what: Quantity,
    before: f64,
    detects: Option<Threshold>,
    holds: Option<Threshold>,
    why_not: &'static str,
) -> Change {
    Change {
        what,
        unit: what.unit().into(),
        before,
        why_not: if detects.is_none() { why_not } else { "" }.into(),
        holds,
        detects,
    }
}

/// dt and speed: both shorten the displacement of one step.
fn scaled(search: &ThresholdSearch<'_>, what: Quantity, now: f64) -> Change {
    let find = |criterion| {
        let found = search.step(criterion)?;
        Some(Threshold {
            after: now * found.good,
            at_after: search.counts(found.good),
            below: found.bad.map(|bad| now * bad),
            at_below: found.bad.map(|bad| search.counts(bad)),
            replayed: None,
            too_long: false,
        })
    };
    change(
        what,
        now,
        find(Criterion::Detected),
        find(Criterion::Resolved),
        search.why_not(),
    )
}

/// Substeps: whole numbers; `now` of them in the frame.
fn substeps(search: &ThresholdSearch<'_>, now: f64) -> Change {
    let find = |criterion: Criterion| {
        let found = search.step(criterion)?;
        // At a whole number rounding would decide.
        let counts = |steps: f64| search.counts((1.0 - SAME_SHARE) * now / steps);
        let fewest = (now / found.good).ceil().max(1.0);
        let steps = (-1..=1)
            .map(|by| fewest + f64::from(by))
            .find(|steps| *steps >= 1.0 && criterion.accepts(&counts(*steps)))?;
        let below = Some(steps - 1.0).filter(|steps| *steps >= now);
        Some(Threshold {
            after: steps,
            at_after: counts(steps),
            below,
            at_below: below.map(counts),
            replayed: None,
            too_long: false,
        })
    };
    let (seen, held) = (find(Criterion::Detected), find(Criterion::Resolved));
    change(Quantity::Substeps, now, seen, held, search.why_not())
}

/// Radius and thickness: a larger shape.
fn inflated(
    search: &ThresholdSearch<'_>,
    what: Quantity,
    inflated: Result<InflatedShape, NotResizable>,
) -> Change {
    let inflated = match inflated {
        Ok(inflated) => inflated,
        Err(fixed) => {
            return change(what, fixed.before, None, None, fixed.why);
        }
    };
    let find = |criterion| {
        let found = search.growth(&inflated, criterion)?;
        Some(Threshold {
            after: inflated.before + found.good,
            at_after: search.inflated_counts(&inflated, found.good)?,
            below: found.bad.map(|bad| inflated.before + bad),
            at_below: found
                .bad
                .and_then(|bad| search.inflated_counts(&inflated, bad)),
            replayed: None,
            too_long: false,
        })
    };
    change(
        what,
        inflated.before,
        find(Criterion::Detected),
        find(Criterion::Resolved),
        search.why_not_larger(),
    )
}
