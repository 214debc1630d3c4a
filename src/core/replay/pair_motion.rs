//! Two objects over one frame: contacts, impacts and gap.

use super::{Frame, ObjectId, Replay};
use crate::core::query::{self, Gap, SweepOutcome};
use crate::core::shape::{Motion, Shape};
use crate::core::tolerance::{ROUNDING_STEPS, TOUCHING};

/// Samples of the gap over an interval with a contact, and over each contact in it.
const SAMPLES: u32 = 8;
/// Bisection steps: enough for `f64` precision.
const HALVINGS: u32 = 60;

/// Two objects over the intervals in which both are present and move straight.
pub struct PairMotion<'r> {
    shapes: (&'r Shape, &'r Shape),
    /// (from, to, travel of a, travel of b), fractions of the frame.
    intervals: Vec<(f64, f64, Motion, Motion)>,
}

/// Gap of two objects at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GapSample {
    fraction: f64,
    /// Metres; negative when they overlap.
    distance: f64,
    touching: bool,
}

/// Contacts, impacts and gaps of two objects in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairTimeline {
    /// From and to, fractions of the frame: they overlap, or are no farther apart than `TOUCHING`.
    pub contacts: Vec<(f64, f64)>,
    /// Impacts after being apart.
    pub impacts: Vec<f64>,
    /// (fraction, gap in metres), rising in fraction.
    pub gaps: Vec<[f64; 2]>,
}

impl<'r> PairMotion<'r> {
    /// `None` when one of them is unknown, absent or teleported, or both are the same.
    pub fn of(replay: &'r Replay, frame: &Frame, a: ObjectId, b: ObjectId) -> Option<Self> {
        let objects = replay.objects();
        let (one, other) = (objects.get(a as usize)?, objects.get(b as usize)?);
        let intervals = frame.straight_intervals(a, b);
        (a != b && !intervals.is_empty()).then_some(Self {
            shapes: (&one.shape, &other.shape),
            intervals,
        })
    }

    /// Their gap at a fraction of the frame, before any push at its end; `None` where they have no distance.
    pub fn gap(&self, fraction: f64) -> Option<Gap> {
        let (from, to, a, b) = self
            .intervals
            .iter()
            .find(|(_, to, ..)| fraction <= *to)
            .or(self.intervals.last())?;
        let length = to - from;
        let share = if length > 0.0 {
            ((fraction - from) / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let (shape_a, shape_b) = self.shapes;
        query::gap(
            &shape_a.placed(&a.pose(share)),
            &shape_b.placed(&b.pose(share)),
        )
    }

    /// Whether a cheap test proves that they do not touch in this frame.
    pub fn stay_apart(&self) -> bool {
        let touches = |fraction: f64| self.at(fraction).is_some_and(|sample| sample.touching);
        self.outcomes()
            .all(|(_, to, outcome)| outcome == SweepOutcome::Misses && !touches(to))
            && !touches(0.0)
    }

    /// Their contacts, impacts and gaps. At most one contact is found between two samples of a frame.
    pub fn timeline(&self) -> PairTimeline {
        let mut samples: Vec<GapSample> = Vec::new();
        let mut timeline = PairTimeline::default();
        let (shape_a, shape_b) = self.shapes;
        for ((from, to, outcome), (.., a, b)) in self.outcomes().zip(&self.intervals) {
            let inside = |share: f64| from + share * (to - from);
            let (moment, busy) = match outcome {
                SweepOutcome::Hits(impact) => (Some(inside(impact.fraction)), true),
                SweepOutcome::Grazes { fraction } => (Some(inside(fraction)), true),
                SweepOutcome::Overlapping { .. } => (None, true),
                SweepOutcome::Misses => {
                    match query::closest_approach(shape_a, a, shape_b, b, &mut ())
                        .map(|nearest| nearest.fraction)
                    {
                        Some(fraction) if fraction > 0.0 && fraction < 1.0 => {
                            (Some(inside(fraction)), true)
                        }
                        _ => (None, false),
                    }
                }
            };
            let steps = if busy { SAMPLES } else { 1 };
            let even = (0..=steps).map(|step| inside(f64::from(step) / f64::from(steps)));
            let mut interval: Vec<GapSample> = even
                .filter(|fraction| Some(*fraction) != moment)
                .filter_map(|fraction| self.at(fraction))
                .collect();
            let hit = matches!(outcome, SweepOutcome::Hits(_));
            if let Some(mut sample) = moment.and_then(|fraction| self.at(fraction)) {
                // At the impact of a sweep they touch, whatever the rounded gap.
                sample.touching |= hit;
                interval.push(sample);
            }
            interval.sort_by(|a, b| a.fraction.total_cmp(&b.fraction));
            let apart = interval.first().is_some_and(|first| !first.touching);
            // A sweeping stepper stops a skin before the impact, where the interval ends.
            let arrives = !busy && interval.last().is_some_and(|last| last.touching);
            let impact = if hit { moment } else { arrives.then_some(to) };
            // Resting contacts are hit in every frame; only a contact after being apart is an impact.
            timeline.impacts.extend(impact.filter(|_| apart));
            samples.append(&mut interval);
        }
        self.follow(samples, &mut timeline);
        timeline
    }

    /// Each interval with its sweep.
    fn outcomes(&self) -> impl Iterator<Item = (f64, f64, SweepOutcome)> + '_ {
        let (shape_a, shape_b) = self.shapes;
        self.intervals.iter().map(|(from, to, a, b)| {
            let sweep = query::sweep_to((shape_a, a), (shape_b, b), f64::INFINITY, &mut ());
            (*from, *to, sweep.outcome)
        })
    }

    fn at(&self, fraction: f64) -> Option<GapSample> {
        let gap = self.gap(fraction).filter(|gap| gap.distance.is_finite())?;
        let largest = gap.point_a.abs().max(gap.point_b.abs()).max_element();
        let rounding = ROUNDING_STEPS * f64::EPSILON * largest;
        Some(GapSample {
            fraction,
            distance: gap.distance,
            touching: gap.distance <= TOUCHING + rounding,
        })
    }

    /// Contacts between the samples, with ends by bisection; and the gaps, denser where they touch.
    fn follow(&self, samples: Vec<GapSample>, timeline: &mut PairTimeline) {
        let mut all: Vec<[f64; 2]> = Vec::with_capacity(samples.len());
        let mut begun: Option<f64> = None;
        let mut before: Option<GapSample> = None;
        for sample in samples {
            let edge = before
                .filter(|before| before.touching != sample.touching)
                .map(|before| self.edge(before, sample));
            match (sample.touching, begun) {
                (true, None) => begun = Some(edge.unwrap_or(sample.fraction)),
                (false, Some(from)) => {
                    let to = edge.unwrap_or(sample.fraction);
                    timeline.contacts.push((from, to));
                    all.extend(self.between(from, to));
                    begun = None;
                }
                _ => {}
            }
            all.push([sample.fraction, sample.distance]);
            before = Some(sample);
        }
        if let (Some(from), Some(last)) = (begun, before) {
            timeline.contacts.push((from, last.fraction));
            all.extend(self.between(from, last.fraction));
        }
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
        all.dedup();
        timeline.gaps = all;
    }

    /// The last (or first) moment of contact between a touching sample and one apart.
    fn edge(&self, one: GapSample, other: GapSample) -> f64 {
        // An impact: the sweep's own fraction is exact.
        if !one.touching && other.distance >= -TOUCHING {
            return other.fraction;
        }
        let (mut inside, mut outside) = if one.touching {
            (one.fraction, other.fraction)
        } else {
            (other.fraction, one.fraction)
        };
        for _ in 0..HALVINGS {
            let middle = 0.5 * (inside + outside);
            match self.at(middle) {
                Some(sample) if sample.touching => inside = middle,
                Some(_) => outside = middle,
                None => break,
            }
        }
        inside
    }

    fn between(&self, from: f64, to: f64) -> impl Iterator<Item = [f64; 2]> + '_ {
        (1..=SAMPLES)
            .map(move |step| from + (to - from) * f64::from(step) / f64::from(SAMPLES))
            .filter_map(|fraction| self.at(fraction))
            .map(|sample| [sample.fraction, sample.distance])
    }
}
