//! A pair over one frame, for plots and drawings: its gap and its explanation.

use crate::core::diagnose::explain::{Explanation, Outcome, explain};
use crate::core::query::Contact;
use crate::core::replay::{Frame, ObjectId, PairMotion, Replay};

/// Even samples of the gap over one frame.
const SAMPLES: u32 = 128;
/// Extra samples on each side of a mark, each half as far away as the one before.
const NEAR: i32 = 9;

/// Depth up to which two objects rest on each other, metres: rounding moves their gap through zero and back.
const REST: f64 = 1e-9;

/// Kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// They begin to touch: the time of impact.
    Impact,
    /// They separate.
    Leaves,
    /// They are closest, and do not touch.
    Closest,
}

/// A marked moment of the gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Fraction of the frame.
    pub fraction: f64,
    /// Metres.
    pub gap: f64,
    /// Its kind.
    pub kind: MarkKind,
}

/// Two objects in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct PairView {
    /// The first.
    pub a: ObjectId,
    /// The second.
    pub b: ObjectId,
    /// Which frame.
    pub frame: u32,
    /// (fraction, gap in metres), rising in fraction; empty when one is absent.
    pub samples: Vec<[f64; 2]>,
    /// In order of fraction.
    pub marks: Vec<Mark>,
    /// The explanation: broad phase, filters, sweeps, overlap tests.
    pub explanation: Explanation,
}

/// An overlap test at one end of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// Metres; negative when they overlap.
    pub gap: f64,
    /// The contact; `None` when they are apart.
    pub contact: Option<Contact>,
}

impl PairView {
    /// The view of two objects over a frame.
    pub fn of(replay: &Replay, frame: &Frame, a: ObjectId, b: ObjectId) -> Self {
        let mut view = Self {
            a,
            b,
            frame: frame.number,
            samples: Vec::new(),
            marks: Vec::new(),
            explanation: explain(replay, frame, a, b),
        };
        if let Some(pair_motion) = PairMotion::of(replay, frame, a, b) {
            view.mark_outcomes();
            view.sample(&pair_motion);
        }
        view
    }

    /// Overlap tests at the start, and at the end before any push; `None` where the two have no distance.
    pub fn ends(&self) -> [Option<End>; 2] {
        [0, 1].map(|end| {
            let look = self.explanation.end_tests[end].as_ref()?;
            Some(End {
                gap: look.gap?,
                contact: look.contact,
            })
        })
    }

    fn mark_outcomes(&mut self) {
        for interval in &self.explanation.intervals {
            let mark = match interval.outcome_in_frame() {
                Outcome::Hits(impact) => Some((impact.fraction, 0.0, MarkKind::Impact)),
                Outcome::Grazes { fraction } => Some((fraction, 0.0, MarkKind::Closest)),
                Outcome::Misses { by, fraction } => Some((fraction, by, MarkKind::Closest)),
                _ => None,
            };
            self.marks.extend(mark.map(|(fraction, gap, kind)| Mark {
                fraction,
                gap,
                kind,
            }));
        }
    }

    fn sample(&mut self, pair_motion: &PairMotion<'_>) {
        let mut at: Vec<f64> = (0..=SAMPLES)
            .map(|step| f64::from(step) / f64::from(SAMPLES))
            .collect();
        for mark in &self.marks {
            at.push(mark.fraction);
            for halving in 0..NEAR {
                let near = 0.5_f64.powi(halving) / f64::from(SAMPLES);
                at.extend([mark.fraction - near, mark.fraction + near]);
            }
        }
        at.retain(|fraction| (0.0..=1.0).contains(fraction));
        at.sort_by(f64::total_cmp);
        at.dedup();
        let gap_at = |fraction: f64| pair_motion.gap(fraction);
        for fraction in at {
            if let Some(gap) = gap_at(fraction).filter(|gap| gap.distance.is_finite()) {
                self.samples.push([fraction, gap.distance]);
            }
        }
        self.find_crossings(&|fraction| gap_at(fraction).map(|gap| gap.distance));
        self.marks.sort_by(|a, b| a.fraction.total_cmp(&b.fraction));
    }

    /// Marks where the gap falls and rises through zero, by bisection between two samples.
    fn find_crossings(&mut self, gap_at: &dyn Fn(f64) -> Option<f64>) {
        let mut below = self.samples.first().is_some_and(|first| first[1] < 0.0);
        for index in 1..self.samples.len() {
            let ([mut from, _], [mut to, gap]) = (self.samples[index - 1], self.samples[index]);
            let is_below = gap < if below { 0.0 } else { -REST };
            if is_below == below {
                continue;
            }
            below = is_below;
            let swept = from..=to;
            for _ in 0..60 {
                let middle = 0.5 * (from + to);
                match gap_at(middle) {
                    Some(gap) if (gap < 0.0) == is_below => to = middle,
                    Some(_) => from = middle,
                    None => break,
                }
            }
            let is_impact = |mark: &Mark| mark.kind == MarkKind::Impact;
            let mut known = self.marks.iter().filter(|mark| is_impact(mark));
            if is_below && known.any(|mark| swept.contains(&mark.fraction)) {
                continue;
            }
            self.marks.push(Mark {
                fraction: to,
                gap: 0.0,
                kind: match is_below {
                    true => MarkKind::Impact,
                    false => MarkKind::Leaves,
                },
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::{Movement, Object, Scene};
    use crate::core::shape::Shape;
    use glam::DVec3;
    use std::sync::Arc;

    fn level(dt: f64, objects: impl IntoIterator<Item = Object>) -> Replay {
        Replay::stepped(Arc::new(Scene {
            dt,
            frames: 2,
            ..Scene::new("test", objects.into_iter().collect())
        }))
    }

    fn sphere(name: &str, radius: f64, position: DVec3, velocity: DVec3) -> Object {
        Object {
            velocity,
            ..Object::new(name, Shape::Sphere { radius }, position)
        }
    }

    fn wall(name: &str, half_extents: DVec3, position: DVec3) -> Object {
        Object {
            movement: Movement::Fixed,
            ..Object::new(name, Shape::Box { half_extents }, position)
        }
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn a_bullet_through_paper_touches_and_parts() {
        // Radius 0.05 and half thickness 0.005: the gap from -5 is 4.945, the path per frame 10.
        let replay = level(
            1.0,
            [
                sphere("bullet", 0.05, DVec3::new(-5.0, 0.0, 0.0), DVec3::X * 10.0),
                wall("paper", DVec3::new(0.005, 1.0, 1.0), DVec3::ZERO),
            ],
        );
        let view = PairView::of(&replay, &replay.frame(0), 0, 1);
        let kinds: Vec<_> = view.marks.iter().map(|mark| mark.kind).collect();
        assert_eq!(kinds, [MarkKind::Impact, MarkKind::Leaves]);
        assert!(close(view.marks[0].fraction, 0.4945));
        assert!(close(view.marks[1].fraction, 0.5055));
        let [start, end] = view.explanation.end_tests.map(|look| look.unwrap());
        assert!(close(start.gap.unwrap(), 4.945) && start.contact.is_none());
        assert!(close(end.gap.unwrap(), 4.945) && end.contact.is_none());
        assert!(view.samples.iter().any(|sample| sample[1] < 0.0));
        assert!(view.samples.is_sorted_by(|a, b| a[0] < b[0]));
    }

    #[test]
    fn a_gap_that_is_zero_at_a_sample_is_marked_there() {
        // The gap is |4 t - 2| - 1: zero at 1/4 and at 3/4, which are even samples.
        let replay = level(
            1.0,
            [
                sphere("ball", 0.5, DVec3::X * -2.0, DVec3::X * 4.0),
                sphere("still", 0.5, DVec3::ZERO, DVec3::ZERO),
            ],
        );
        let view = PairView::of(&replay, &replay.frame(0), 0, 1);
        let marks = view.marks.iter().map(|mark| (mark.kind, mark.fraction));
        let wanted = [(MarkKind::Impact, 0.25), (MarkKind::Leaves, 0.75)];
        assert_eq!(view.marks.len(), wanted.len(), "{:?}", view.marks);
        for ((kind, fraction), wanted) in marks.zip(wanted) {
            assert!(
                kind == wanted.0 && close(fraction, wanted.1),
                "{kind:?} {fraction}"
            );
        }
    }

    #[test]
    fn every_crossing_is_marked_and_resting_is_none() {
        let replay = level(1.0, [sphere("one", 1.0, DVec3::ZERO, DVec3::ZERO)]);
        let mut view = PairView::of(&replay, &replay.frame(0), 0, 7);
        let gaps = |gap: &dyn Fn(f64) -> f64| {
            (0..=64)
                .map(|step| f64::from(step) / 64.0)
                .map(|at| [at, gap(at)])
                .collect()
        };
        // Two dips, touching at 1/8 and 5/8, separating at 3/8 and 7/8.
        let dips = |at: f64| (at * std::f64::consts::TAU * 2.0).cos();
        view.samples = gaps(&dips);
        view.find_crossings(&|at| Some(dips(at)));
        let found: Vec<_> = view.marks.iter().map(|mark| mark.fraction).collect();
        assert_eq!(found.len(), 4, "{found:?}");
        for (found, wanted) in found.into_iter().zip([0.125, 0.375, 0.625, 0.875]) {
            assert!(close(found, wanted), "{found} {wanted}");
        }
        let rest = |at: f64| (at * 300.0).sin() * 1e-15;
        (view.samples, view.marks) = (gaps(&rest), Vec::new());
        view.find_crossings(&|at| Some(rest(at)));
        assert_eq!(view.marks, []);
    }

    #[test]
    fn a_miss_is_marked_where_it_is_closest() {
        // Two balls of radius 1 pass each other 3 apart, closest halfway through.
        let replay = level(
            1.0,
            [
                sphere("left", 1.0, DVec3::new(-5.0, 3.0, 0.0), DVec3::X * 10.0),
                sphere("still", 1.0, DVec3::ZERO, DVec3::ZERO),
            ],
        );
        let view = PairView::of(&replay, &replay.frame(0), 0, 1);
        assert_eq!(view.marks.len(), 1);
        let mark = view.marks[0];
        assert_eq!(mark.kind, MarkKind::Closest);
        assert!(close(mark.fraction, 0.5) && close(mark.gap, 1.0));
    }

    #[test]
    fn an_unknown_object_is_an_empty_view() {
        let replay = level(1.0, [sphere("one", 1.0, DVec3::ZERO, DVec3::ZERO)]);
        let view = PairView::of(&replay, &replay.frame(0), 0, 7);
        assert!(view.samples.is_empty() && view.marks.is_empty());
    }
}
