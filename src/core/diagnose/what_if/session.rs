//! A finding with freely changed numbers: the result of an overlap test, and the limits.
//!
//! The pair keeps its straight path; dt, speed and substeps give the distance from one test to the next, radius and
//! thickness the sizes, and the phase the fraction of the frame at the first touch. The result is that of the real
//! overlap test at the first test at or past the touch, as in the phase sweep and the bisection.

pub use super::session_values::{FixValues, Ghost, Numbers, Values, WhatIfOutcome};
use super::{FindingEvent, applies_to, find};
use crate::core::diagnose::facts::change::Parameter;
use crate::core::diagnose::facts::event_metrics::EventMetrics;
use crate::core::diagnose::facts::limits::{self, Slab};
use crate::core::diagnose::facts::phase_sweep::{Crossing, Turn};
use crate::core::diagnose::facts::threshold_search::{self, InflatedShape};
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::judge::event::{Approach, PairEvent};
use crate::core::diagnose::judge::pair::{Pair, Side};
use crate::core::diagnose::judge::{detected_interval, mesh_triangles};
use crate::core::replay::{ObjectId, Replay};
use crate::core::shape::{Motion, Pose};
use std::sync::Arc;

/// How far past the touch the way of a trial is followed to find where the two part: so many times the slab's own way through,
/// and at most so many recorded steps. Before the touch it begins at this share of that (no units).
///
/// Shorter, and what is wider than its slab is cut short; longer, and the fractions lose digits. Farther back it may lead
/// through something else.
const TRIAL_REACH: (f64, f64, f64) = (2.0, 1e6, 1e-3);

/// Most substeps that can be tried.
const TRIAL_SUBSTEPS: u32 = 10_000;

/// How much shorter and longer than recorded a step may be made while trying values, as shares of it (no unit).
///
/// Wide enough for a limit to lie inside; narrower bounds hide where it stops, wider ones make a slider coarse.
const TRIAL_RANGE: (f64, f64) = (1e-5, 4.0);

/// Which starting phases a cell shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Phases {
    /// The current one.
    This,
    /// The worst of all.
    #[default]
    Worst,
}

/// A finding with variable numbers; shares its level.
#[derive(Clone, Debug)]
pub struct WhatIfSession {
    replay: Arc<Replay>,
    ids: (ObjectId, ObjectId),
    interval: (f64, f64, Motion, Motion),
    event: PairEvent,
    recorded: Values,
    /// The range of each parameter, or why it is fixed.
    ranges: [Result<(f64, f64), &'static str>; Parameter::ALL.len()],
}

impl WhatIfSession {
    /// For a finding that depends on the phase; `None` for any other, and without a clear start.
    pub fn of(replay: &Arc<Replay>, finding: &Finding) -> Option<Self> {
        if !applies_to(finding) {
            return None;
        }
        let FindingEvent {
            pair,
            event,
            dt,
            substeps,
        } = find(replay, finding)?;
        mesh_triangles::on_judged_triangle(&pair, &event, |judged| {
            let crossing = Crossing::of(judged, &event)?;
            let metrics = EventMetrics::of(judged, &event, dt);
            let inflated = [
                InflatedShape::body(judged, event.normal),
                InflatedShape::solid(judged, event.normal),
            ];
            let before = |inflated: &Result<InflatedShape, super::NotResizable>| match inflated {
                Ok(inflated) => inflated.before,
                Err(fixed) => fixed.before,
            };
            // Of several substeps, the pair's interval is one.
            let first = if substeps > 1 { pair.from } else { 0.0 };
            let recorded = Values {
                dt,
                substeps,
                speed: metrics.speed,
                radius: before(&inflated[0]),
                thickness: before(&inflated[1]),
                phase: (first + crossing.entry / f64::from(substeps)).rem_euclid(1.0),
            };
            if !(dt > 0.0 && dt.is_finite() && metrics.speed > 0.0 && metrics.speed.is_finite()) {
                return None;
            }
            Some(Self {
                replay: Arc::clone(replay),
                ids: pair.ids(),
                interval: (pair.from, pair.to, pair.mover.motion, pair.obstacle.motion),
                ranges: ranges(&recorded, &metrics, inflated, event.is_from_behind()),
                recorded,
                event: event.clone(),
            })
        })
    }

    /// The level's own values.
    pub fn recorded(&self) -> Values {
        self.recorded
    }

    /// Whether the pair overlapped when the finding's frame began. The first test after their touch then belongs to an
    /// earlier frame, which is the one that is varied.
    pub fn began_before(&self) -> bool {
        self.event.start().is_some()
    }

    /// The range of a parameter.
    ///
    /// # Errors
    /// Why it is fixed.
    pub fn range(&self, what: Parameter) -> Result<(f64, f64), &'static str> {
        let place = Parameter::ALL.iter().position(|known| *known == what);
        place.map_or(Err(""), |place| self.ranges[place])
    }

    /// The values clamped to their ranges; the level's own for NaN.
    pub fn checked(&self, values: Values) -> Values {
        let mut checked = self.recorded;
        for what in Parameter::ALL {
            if let (Ok((low, high)), value) = (self.range(what), values.get(what))
                && !value.is_nan()
            {
                checked = checked.with(what, value.clamp(low, high));
            }
        }
        if values.phase.is_finite() {
            checked.phase = values.phase.clamp(0.0, 1.0 - f64::EPSILON);
        }
        checked
    }

    /// The result for the values; `None` where the changed shapes have no clear start.
    pub fn at(&self, values: &Values) -> Option<WhatIfOutcome> {
        let values = self.checked(*values);
        self.passing(&values, |crossing| {
            let step = self.step(&values);
            WhatIfOutcome {
                values,
                outcome: crossing.outcome(crossing.entry + self.past(&values), Turn::AtImpact),
                counts: threshold_search::counts(crossing, step),
                numbers: self.numbers(&values, crossing),
                ghosts: self.ghosts(&values, crossing),
                point: crossing.point,
                normal: crossing.normal,
            }
        })
    }

    /// The product of dt and speed, metres, at which the displacement past the touch equals a limit along the normal:
    /// the boundary of a region of the map. `None` where there is none.
    pub fn product_at(&self, result: &WhatIfOutcome, limit: f64, phases: Phases) -> Option<f64> {
        let values = &result.values;
        let past = match phases {
            Phases::Worst => result.numbers.step,
            Phases::This => result.numbers.step * self.past(values) / self.step(values),
        };
        let product = values.dt * values.speed * limit / past;
        (product > 0.0 && product.is_finite()).then_some(product)
    }

    /// Displacement from one test to the next, as a fraction of the recorded interval.
    pub(in crate::core::diagnose) fn step(&self, values: &Values) -> f64 {
        self.frame(values) / f64::from(values.substeps)
    }

    /// Displacement of a whole frame, as a fraction of the recorded interval.
    fn frame(&self, values: &Values) -> f64 {
        let recorded = &self.recorded;
        let shares = (values.dt / recorded.dt) * (values.speed / recorded.speed);
        shares * f64::from(recorded.substeps)
    }

    /// Displacement from the touch to the first test at or past it, as a fraction of the recorded interval; above 0, at
    /// most a step.
    pub(in crate::core::diagnose) fn past(&self, values: &Values) -> f64 {
        let in_steps = values.phase * f64::from(values.substeps);
        self.step(values) * (1.0 - (in_steps - in_steps.floor()))
    }

    /// The motion of the pair with the changed shapes.
    pub(in crate::core::diagnose) fn passing<T>(
        &self,
        values: &Values,
        compute: impl FnOnce(&Crossing<'_>) -> T,
    ) -> Option<T> {
        let whole = Pair::new(&self.replay, self.ids, self.interval)?;
        mesh_triangles::on_judged_triangle(&whole, &self.event, |pair| {
            let normal = self.event.normal;
            let larger = |now: f64, inflated: Result<InflatedShape, super::NotResizable>| {
                let inflated = inflated.ok()?;
                let by = now - inflated.before;
                (by != 0.0).then(|| (inflated.shape(by), inflated.of_mover, inflated.away * by))
            };
            let changed = [
                larger(values.radius, InflatedShape::body(pair, normal)),
                larger(values.thickness, InflatedShape::solid(pair, normal)),
            ];
            let mut now: Pair<'_> = *pair;
            for (shape, of_mover, away) in changed.iter().flatten() {
                now = now.resized(*of_mover, shape, *away);
            }
            let as_it_is = changed.iter().all(Option::is_none);
            let crossing = if as_it_is {
                Crossing::of(&now, &self.event)
            } else {
                Crossing::enter(&now)
            };
            Some(compute(&crossing?))
        })
    }

    fn numbers(&self, values: &Values, crossing: &Crossing<'_>) -> Numbers {
        let travel = crossing.pair.travel();
        let along = -travel.dot(crossing.normal);
        let metrics = self.metrics(crossing, along);
        let displacement = along * self.frame(values);
        let step = along * self.step(values);
        let (seen, side) = (metrics.limit_seen, metrics.limit_side);
        let Slab { radius, .. } = metrics.slab;
        let closing = displacement / values.dt;
        let cut = f64::from(values.substeps);
        let help = |limit: f64, thickness: f64| FixValues {
            substeps: limits::substeps(displacement, limit),
            speed: limits::max_speed(limit, values.dt)
                .filter(|_| closing > 0.0)
                .map(|along| cut * along * values.speed / closing),
            dt: limits::max_dt(limit, closing).map(|dt| cut * dt),
            // Surfaces have no thickness.
            thickness: (!metrics.slab.surface).then_some(thickness),
        };
        let to_detect = help(seen, limits::min_thickness_detected(step, radius));
        Numbers {
            slab: metrics.slab,
            displacement,
            step,
            limit_seen: seen,
            limit_side: side,
            missed_share: limits::missed_share(step, seen),
            wrong_share: limits::wrong_share(step, seen, side),
            to_detect,
            // A sensor pushes nothing; detection is enough.
            to_resolve: match crossing.pair.sensor {
                true => to_detect,
                false => help(side, limits::min_thickness_right_side(step, radius)),
            },
        }
    }

    /// Sizes and limits, whatever dt and speed: `along` metres of the recorded interval along the normal.
    fn metrics(&self, crossing: &Crossing<'_>, along: f64) -> EventMetrics {
        let dt = self.recorded.dt;
        if self.event.is_from_behind() {
            return EventMetrics::of(&crossing.pair, &self.event, dt);
        }
        let event = |fraction: f64| PairEvent {
            fraction,
            point: crossing.point,
            normal: crossing.normal,
            approach: Approach::Apart { detected: None },
            end: None,
            triangle: None,
            turned: None,
            ..self.event.clone()
        };
        // From before the touch to where they are certainly apart again.
        let slab = EventMetrics::of(&around(crossing, 1.0, 1.0), &event(0.5), dt).slab;
        let through = TRIAL_REACH.0 * slab.detection_limit() / along.abs();
        let after = if through.is_finite() {
            through.clamp(1.0, TRIAL_REACH.1)
        } else {
            1.0
        };
        // Farther back the path may cross something else.
        let before = (TRIAL_REACH.2 * after).min(if crossing.entry > 0.0 {
            crossing.entry
        } else {
            TRIAL_REACH.2
        });
        let path = around(crossing, before, after);
        let sweep = path.sweep();
        let impact = sweep.outcome.impact();
        let mut event = event(before / (before + after));
        if let Some(impact) = impact {
            event.fraction = impact.fraction;
            event.triangle = impact.triangle;
            let detected = detected_interval::share(&path, impact.fraction, impact.triangle)
                // Not if the path ends within it.
                .filter(|share| impact.fraction + share < 1.0);
            event.approach = Approach::Apart { detected };
        }
        EventMetrics::of(&path, &event, dt)
    }

    fn ghosts(&self, values: &Values, crossing: &Crossing<'_>) -> [Ghost; 2] {
        let pair = &crossing.pair;
        let (entry, frame) = (crossing.entry, self.frame(values));
        let past = self.past(values);
        let ghost = |side: &Side<'_>| {
            let at = |share: f64| on_the_way(&side.motion, entry, share);
            Ghost {
                object: side.id,
                shape: side.shape.clone(),
                start: at(entry - values.phase * frame),
                impact: at(entry),
                test: at(entry + past),
                end: at(entry + (1.0 - values.phase) * frame),
            }
        };
        [ghost(&pair.mover), ghost(&pair.obstacle)]
    }
}

/// Pose on a straight path beyond its ends, with the rotation at the touch.
fn on_the_way(motion: &Motion, entry: f64, share: f64) -> Pose {
    Pose {
        position: motion.start.position + motion.displacement() * share,
        rotation: motion.pose(entry).rotation,
    }
}

/// The pair from `before` recorded intervals before its touch to `after` intervals after it.
fn around<'r>(crossing: &Crossing<'r>, before: f64, after: f64) -> Pair<'r> {
    let entry = crossing.entry;
    let part = |motion: &Motion| Motion {
        start: on_the_way(motion, entry, entry - before),
        end: on_the_way(motion, entry, entry + after),
    };
    crossing.pair.map(|side| side.on(part(&side.motion), 1.0))
}

/// The range of each parameter in the order of [`Parameter::ALL`], or why it is fixed.
fn ranges(
    recorded: &Values,
    metrics: &EventMetrics,
    inflated: [Result<InflatedShape, super::NotResizable>; 2],
    from_behind: bool,
) -> [Result<(f64, f64), &'static str>; Parameter::ALL.len()] {
    let displacement = metrics.displacement.abs();
    let [radius, thickness] = inflated.map(|inflated| match inflated {
        Ok(_) if from_behind => Err(threshold_search::FROM_BEHIND),
        Ok(inflated) => Ok(size_range(inflated.before, displacement)),
        Err(fixed) => Err(fixed.why),
    });
    let share = metrics.limit_side / displacement;
    // 0 / 0.
    let share = if share.is_nan() { 1.0 } else { share };
    let scale = time_range(share);
    let now = f64::from(recorded.substeps);
    let most = (2.0 * now / share)
        .ceil()
        .clamp(8.0 * now, f64::from(TRIAL_SUBSTEPS));
    [
        Ok((recorded.dt * scale.0, recorded.dt * scale.1)),
        Ok((1.0, most)),
        Ok((recorded.speed * scale.0, recorded.speed * scale.1)),
        radius,
        thickness,
    ]
}

/// Range of the step ratio: from a quarter of the limit to four times the current step.
fn time_range(limit_share: f64) -> (f64, f64) {
    let (least, most) = TRIAL_RANGE;
    ((0.25 * limit_share).clamp(least, 0.25), most)
}

/// Range of a size: from a hundredth of itself to beyond the longest step.
fn size_range(before: f64, displacement: f64) -> (f64, f64) {
    (0.01 * before, TRIAL_RANGE.1 * before.max(displacement))
}
