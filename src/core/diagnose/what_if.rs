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

pub use crate::core::diagnose::facts::change::{Change, Parameter, Threshold, WhatIf};

use crate::core::diagnose::facts::event_metrics::EventMetrics;
use crate::core::diagnose::facts::phase_sweep::{Counts, Crossing, PHASES, PhaseSweep};
use crate::core::diagnose::facts::threshold_search::{
    Bisection, Criterion, InflatedShape, NotResizable, ThresholdSearch,
};
use crate::core::diagnose::finding::{Finding, Source};
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::judge::compound_parts;
use crate::core::diagnose::judge::event::{JudgeStats, PairEvent};
use crate::core::diagnose::judge::mesh_triangles;
use crate::core::diagnose::judge::own_push::as_logged;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::judge::substeps;
use crate::core::progress::Progress;
use crate::core::replay::Replay;
use crate::core::tolerance::SAME_SHARE;
use glam::DVec3;

/// Steps of one object that all replays of a finding with a changed number may take; beyond it the geometry alone answers.
///
/// About a second. Larger, and a question about a large level takes minutes.
const WHAT_IF_STEPS: u32 = 200_000;

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
    let pair = as_logged(Pair::new(replay, ids, interval)?, &frame);
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
    let steps = [Criterion::Detected, Criterion::Resolved].map(|it| StepLimit::of(&search, it));
    let mut steps_left = WHAT_IF_STEPS;
    let mut changes = Vec::new();
    for (done, what) in (0..).zip(Parameter::ALL) {
        progress.report(done, total);
        let as_fix = what.limit(pair.obstacle.motion.displacement() != DVec3::ZERO);
        let turns = event.turned.is_some();
        let mut change = match what {
            Parameter::Dt => scaled((&search, &steps), as_fix, dt),
            Parameter::Substeps => substeps((&search, &steps), f64::from(found.substeps)),
            Parameter::Speed if turns => change(as_fix, metrics.speed, None, None, TURNS),
            Parameter::Speed => scaled((&search, &steps), as_fix, metrics.speed),
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
        .find(|fix| matches!(fix.what, Quantity::DriveSpeed | Quantity::DriveSpin));
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
pub(in crate::core::diagnose) fn sizes_suffice(
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
        search.inflated_meets(&part, by.max(0.0), criterion)
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

/// The longest step that meets a criterion, with the phases at it and at the shortest that does not: the same for dt, speed and substeps.
struct StepLimit {
    criterion: Criterion,
    found: Bisection,
    at_good: Counts,
    at_bad: Option<Counts>,
}

impl StepLimit {
    fn of(search: &ThresholdSearch<'_>, criterion: Criterion) -> Option<Self> {
        let found = search.step(criterion)?;
        Some(Self {
            criterion,
            found,
            at_good: search.counts(found.good),
            at_bad: found.bad.map(|bad| search.counts(bad)),
        })
    }
}

/// A search, and its longest steps that are detected and that are resolved.
type Steps<'s> = (&'s ThresholdSearch<'s>, &'s [Option<StepLimit>; 2]);

/// dt and speed: both shorten the displacement of one step.
fn scaled((search, steps): Steps<'_>, what: Quantity, now: f64) -> Change {
    let threshold = |limit: &StepLimit| Threshold {
        after: now * limit.found.good,
        at_after: limit.at_good,
        below: limit.found.bad.map(|bad| now * bad),
        at_below: limit.at_bad,
        replayed: None,
        too_long: false,
    };
    let [detects, holds] = steps.each_ref().map(|limit| limit.as_ref().map(threshold));
    change(what, now, detects, holds, search.why_not())
}

/// Substeps: whole numbers; `now` of them in the frame.
fn substeps((search, steps): Steps<'_>, now: f64) -> Change {
    let find = |limit: &Option<StepLimit>| {
        let StepLimit {
            criterion, found, ..
        } = limit.as_ref()?;
        // At a whole number rounding would decide.
        let share = |steps: f64| (1.0 - SAME_SHARE) * now / steps;
        let counts = |steps: f64| search.counts(share(steps));
        let fewest = (now / found.good).ceil().max(1.0);
        let steps = (-1..=1)
            .map(|by| fewest + f64::from(by))
            .find(|steps| *steps >= 1.0 && search.meets(share(*steps), *criterion))?;
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
    let [detects, holds] = steps.each_ref().map(find);
    change(Quantity::Substeps, now, detects, holds, search.why_not())
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
