//! One finding with its numbers changed at will: what an overlap test makes of it then, and the limits there.
//!
//! The two travel the same straight way; dt, speed and substeps say how far from one test to the next, radius and thickness
//! how large they are, and the phase where in the frame they first touch. The verdict is that of the real overlap test at the
//! first test at or past the touch, as in the phase sweep and in the bisection.

use super::super::causes::Measures;
use super::super::finding::Finding;
use super::super::frame::pair_of;
use super::super::limits::{self, Slab};
use super::super::pair::{Approach, Event, Pair};
use super::super::phase_sweep::{Passage, Turn};
use super::super::{seen, triangle_alone};
use super::geometry::{self, Grown};
use super::map::Phases;
pub use super::tried::{Ghost, Mend, Numbers, Tried, Values};
use super::{Parameter, Told, can_ask, find};
use crate::core::query;
use crate::core::replay::{ObjectId, Replay};
use crate::core::shape::{Motion, Pose, Shape};
use crate::core::tolerance::{TRIAL_RANGE, TRIAL_REACH, TRIAL_SUBSTEPS};
use std::sync::Arc;

/// A finding whose numbers can be changed; shares its level.
#[derive(Clone, Debug)]
pub struct Trial {
    replay: Arc<Replay>,
    ids: (ObjectId, ObjectId),
    stretch: (f64, f64, Motion, Motion),
    event: Event,
    recorded: Values,
    /// Of dt, substeps and speed; of radius and thickness metres.
    ranges: [Result<(f64, f64), &'static str>; Parameter::ALL.len()],
}

impl Trial {
    /// Of a finding that luck decides; `None` for any other, and for one that leads back to no clear start.
    pub fn of(replay: &Arc<Replay>, finding: &Finding) -> Option<Self> {
        if !can_ask(finding) {
            return None;
        }
        let Told { pair, event, dt } = find(replay, finding)?;
        triangle_alone::as_judged(&pair, &event, |judged| {
            let passage = Passage::of(judged, &event)?;
            let measures = Measures::of(judged, &event, dt);
            let grown = [
                Grown::body(judged, event.normal),
                Grown::solid(judged, event.normal),
            ];
            let before = |grown: &Result<Grown, super::Unable>| match grown {
                Ok(grown) => grown.before,
                Err(unable) => unable.before,
            };
            let recorded = Values {
                dt,
                substeps: 1,
                speed: measures.speed,
                radius: before(&grown[0]),
                thickness: before(&grown[1]),
                phase: passage.entry.rem_euclid(1.0),
            };
            if !(dt > 0.0 && dt.is_finite() && measures.speed > 0.0 && measures.speed.is_finite()) {
                return None;
            }
            Some(Self {
                replay: Arc::clone(replay),
                ids: (pair.a, pair.b),
                stretch: (pair.from, pair.to, pair.motion_a, pair.motion_b),
                ranges: ranges(&recorded, &measures, grown, event.is_from_behind()),
                recorded,
                event: event.clone(),
            })
        })
    }

    /// The numbers as they are in the level.
    pub fn recorded(&self) -> Values {
        self.recorded
    }

    /// Did the two overlap already as the finding's frame began? Then the first test after their touch is one of an earlier
    /// frame, and it is that one that is tried.
    pub fn began_before(&self) -> bool {
        self.event.start().is_some()
    }

    /// From where to where a value may go.
    ///
    /// # Errors
    /// Why it cannot be changed.
    pub fn range(&self, what: Parameter) -> Result<(f64, f64), &'static str> {
        let place = Parameter::ALL.iter().position(|known| *known == what);
        place.map_or(Err(""), |place| self.ranges[place])
    }

    /// The values, each inside its range; what is not a number is as recorded.
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

    /// What becomes of the event; `None` where the changed shapes have no clear start before their touch.
    pub fn at(&self, values: &Values) -> Option<Tried> {
        let values = self.checked(*values);
        self.passing(&values, |passage| {
            let step = self.step(&values);
            Tried {
                values,
                outcome: passage.outcome(passage.entry + self.past(&values), Turn::AtImpact),
                counts: geometry::counts(passage, step),
                numbers: self.numbers(&values, passage),
                ghosts: self.ghosts(&values, passage),
                point: passage.point,
                normal: passage.normal,
            }
        })
    }

    /// Which dt times speed, metres, makes the way past the touch as long as a limit along the normal: the edge of a region of
    /// the map. `None` where there is none.
    pub fn product_at(&self, tried: &Tried, limit: f64, phases: Phases) -> Option<f64> {
        let values = &tried.values;
        let past = match phases {
            Phases::Worst => tried.numbers.step,
            Phases::This => tried.numbers.step * self.past(values) / self.step(values),
        };
        let product = values.dt * values.speed * limit / past;
        (product > 0.0 && product.is_finite()).then_some(product)
    }

    /// From one test to the next, as a share of the recorded stretch.
    pub(super) fn step(&self, values: &Values) -> f64 {
        self.frame(values) / f64::from(values.substeps)
    }

    /// The way of a whole frame, as a share of the recorded stretch.
    fn frame(&self, values: &Values) -> f64 {
        let recorded = &self.recorded;
        (values.dt / recorded.dt) * (values.speed / recorded.speed)
    }

    /// From the touch to the first test at or past it, as a share of the recorded stretch; more than none, at most a step.
    pub(super) fn past(&self, values: &Values) -> f64 {
        let in_steps = values.phase * f64::from(values.substeps);
        self.step(values) * (1.0 - (in_steps - in_steps.floor()))
    }

    /// The way of the two with the changed shapes.
    pub(super) fn passing<T>(
        &self,
        values: &Values,
        ask: impl FnOnce(&Passage<'_>) -> T,
    ) -> Option<T> {
        let whole = pair_of(&self.replay, self.ids, self.stretch)?;
        triangle_alone::as_judged(&whole, &self.event, |pair| {
            let normal = self.event.normal;
            let larger = |now: f64, grown: Result<Grown, super::Unable>| {
                let grown = grown.ok()?;
                let by = now - grown.before;
                (by != 0.0).then(|| (grown.shape(by), grown.first, grown.away * by))
            };
            let changed = [
                larger(values.radius, Grown::body(pair, normal)),
                larger(values.thickness, Grown::solid(pair, normal)),
            ];
            let mut now: Pair<'_> = *pair;
            for (shape, first, away) in changed.iter().flatten() {
                now = now.with_shape(*first, shape);
                let motion = if *first {
                    &mut now.motion_a
                } else {
                    &mut now.motion_b
                };
                motion.start.position += *away;
                motion.end.position += *away;
            }
            let as_it_is = changed.iter().all(Option::is_none);
            let passage = if as_it_is {
                Passage::of(&now, &self.event)
            } else {
                Passage::enter(&now)
            };
            Some(ask(&passage?))
        })
    }

    fn numbers(&self, values: &Values, passage: &Passage<'_>) -> Numbers {
        let travel = passage.pair.travel();
        let along = -travel.dot(passage.normal);
        let measures = self.measures(passage, along);
        let displacement = along * self.frame(values);
        let step = along * self.step(values);
        let (seen, side) = (measures.limit_seen, measures.limit_side);
        let Slab { radius, .. } = measures.slab;
        let closing = displacement / values.dt;
        let cut = f64::from(values.substeps);
        let help = |limit: f64, thickness: f64| Mend {
            substeps: limits::substeps(displacement, limit),
            speed: limits::max_speed(limit, values.dt)
                .filter(|_| closing > 0.0)
                .map(|along| cut * along * values.speed / closing),
            dt: limits::max_dt(limit, closing).map(|dt| cut * dt),
            // What has no inside has no thickness that could help.
            thickness: (!measures.slab.surface).then_some(thickness),
        };
        let to_be_seen = help(seen, limits::min_thickness_seen(step, radius));
        Numbers {
            slab: measures.slab,
            displacement,
            step,
            limit_seen: seen,
            limit_side: side,
            missed_share: limits::missed_share(step, seen),
            wrong_share: limits::wrong_share(step, seen, side),
            to_be_seen,
            // A sensor is not pushed: to detect it is all there is.
            to_be_held: match passage.pair.sensor {
                true => to_be_seen,
                false => help(side, limits::min_thickness_right_side(step, radius)),
            },
        }
    }

    /// Sizes and limits of the way, whichever values its frames have: `along` metres of the recorded stretch along the normal.
    fn measures(&self, passage: &Passage<'_>, along: f64) -> Measures {
        let dt = self.recorded.dt;
        if self.event.is_from_behind() {
            return Measures::of(&passage.pair, &self.event, dt);
        }
        let event = |fraction: f64| Event {
            fraction,
            point: passage.point,
            normal: passage.normal,
            approach: Approach::Apart { seen: None },
            end: None,
            triangle: None,
            turned: None,
            ..self.event.clone()
        };
        // From a little before the touch to where they are surely apart again.
        let slab = Measures::of(&around(passage, 1.0, 1.0), &event(0.5), dt).slab;
        let through = TRIAL_REACH.0 * slab.seen() / along.abs();
        let after = if through.is_finite() {
            through.clamp(1.0, TRIAL_REACH.1)
        } else {
            1.0
        };
        // Farther back the way may lead through something else.
        let before = (TRIAL_REACH.2 * after).min(if passage.entry > 0.0 {
            passage.entry
        } else {
            TRIAL_REACH.2
        });
        let way = around(passage, before, after);
        let (a, b) = (&way.motion_a, &way.motion_b);
        let sweep = query::sweep(way.shape_a, a, way.shape_b, b, &mut ());
        let impact = sweep.outcome.impact();
        let mut event = event(before / (before + after));
        if let Some(impact) = impact {
            event.fraction = impact.fraction;
            event.triangle = impact.triangle;
            let seen = seen::share(&way, impact.fraction, impact.triangle)
                // An interval that the way cuts short is not the whole of it.
                .filter(|share| impact.fraction + share < 1.0);
            event.approach = Approach::Apart { seen };
        }
        Measures::of(&way, &event, dt)
    }

    fn ghosts(&self, values: &Values, passage: &Passage<'_>) -> [Ghost; 2] {
        let pair = &passage.pair;
        let (entry, frame) = (passage.entry, self.frame(values));
        let past = self.past(values);
        let one = |object, shape: &Shape, motion: &Motion| {
            let at = |share: f64| on_the_way(motion, entry, share);
            Ghost {
                object,
                shape: shape.clone(),
                start: at(entry - values.phase * frame),
                impact: at(entry),
                test: at(entry + past),
                end: at(entry + (1.0 - values.phase) * frame),
            }
        };
        [
            one(pair.a, pair.shape_a, &pair.motion_a),
            one(pair.b, pair.shape_b, &pair.motion_b),
        ]
    }
}

/// Along a straight way beyond its ends, with the rotation it has where they touch.
fn on_the_way(motion: &Motion, entry: f64, share: f64) -> Pose {
    Pose {
        position: motion.start.position + motion.displacement() * share,
        rotation: motion.pose(entry).rotation,
    }
}

/// The pair from so many recorded stretches before its touch to so many after it.
fn around<'r>(passage: &Passage<'r>, before: f64, after: f64) -> Pair<'r> {
    let entry = passage.entry;
    let part = |motion: &Motion| Motion {
        start: on_the_way(motion, entry, entry - before),
        end: on_the_way(motion, entry, entry + after),
    };
    Pair {
        motion_a: part(&passage.pair.motion_a),
        motion_b: part(&passage.pair.motion_b),
        ..passage.pair
    }
}

/// From where to where each value may go, in the order of [`Parameter::ALL`], or why it cannot be changed.
fn ranges(
    recorded: &Values,
    measures: &Measures,
    grown: [Result<Grown, super::Unable>; 2],
    from_behind: bool,
) -> [Result<(f64, f64), &'static str>; Parameter::ALL.len()] {
    let displacement = measures.displacement.abs();
    let [radius, thickness] = grown.map(|grown| match grown {
        Ok(_) if from_behind => Err(geometry::FROM_BEHIND),
        Ok(grown) => Ok(size_range(grown.before, displacement)),
        Err(unable) => Err(unable.why),
    });
    let share = measures.limit_side / displacement;
    // Nothing over nothing has no share.
    let share = if share.is_nan() { 1.0 } else { share };
    let scale = time_range(share);
    let most = (2.0 / share).ceil().clamp(8.0, f64::from(TRIAL_SUBSTEPS));
    [
        Ok((recorded.dt * scale.0, recorded.dt * scale.1)),
        Ok((1.0, most)),
        Ok((recorded.speed * scale.0, recorded.speed * scale.1)),
        radius,
        thickness,
    ]
}

/// How much longer or shorter a step may be made: far enough to reach the limit, and four times as long as it is.
fn time_range(limit_share: f64) -> (f64, f64) {
    let (least, most) = TRIAL_RANGE;
    let low = if limit_share.is_finite() {
        (0.25 * limit_share).clamp(least, 0.25)
    } else {
        0.25
    };
    (low, most)
}

/// A size may be made a hundredth of itself, and larger than the longest step.
fn size_range(before: f64, displacement: f64) -> (f64, f64) {
    let most = TRIAL_RANGE.1 * before.max(displacement);
    let low = if before > 0.0 {
        0.01 * before
    } else {
        1e-4 * displacement
    };
    (low.min(before), most.max(before))
}
