//! A pair over one frame, for plots and drawings: its gap and its explanation.

use super::gap_curve::{GapCurve, Mark, MarkKind};
use crate::core::diagnose::Finding;
use crate::core::diagnose::explain::{Explanation, Outcome, explain};
use crate::core::query::Contact;
use crate::core::replay::{Frame, ObjectId, PairMotion, Replay};
use std::sync::Arc;

/// Two objects in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct PairView {
    /// The first.
    pub a: ObjectId,
    /// The second.
    pub b: ObjectId,
    /// Which frame.
    pub frame: u32,
    /// Their gap.
    pub curve: GapCurve,
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
            curve: GapCurve::default(),
            explanation: explain(replay, frame, a, b),
        };
        if let Some(pair_motion) = PairMotion::of(replay, frame, a, b) {
            let gap_at = |fraction: f64| Some(pair_motion.gap(fraction)?.distance);
            view.curve = GapCurve::of(view.outcomes(), &gap_at);
        }
        view
    }

    /// The frame of a finding and its pair, if it is of two objects; `None` for a frame that the level lacks.
    pub fn of_finding(replay: &Replay, finding: &Finding) -> Option<(Arc<Frame>, Option<Self>)> {
        let frame = (finding.frame < replay.frames()).then(|| replay.frame(finding.frame))?;
        let pair = finding.object_a.zip(finding.object_b);
        let pair = pair.map(|(a, b)| Self::of(replay, &frame, a, b));
        Some((frame, pair))
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

    /// The outcomes of the sweeps.
    fn outcomes(&self) -> Vec<Mark> {
        let intervals = self.explanation.intervals.iter();
        let marks = intervals.filter_map(|interval| {
            let (fraction, gap, kind) = match interval.outcome_in_frame() {
                Outcome::Hits(impact) => (impact.fraction, 0.0, MarkKind::Impact),
                Outcome::Grazes { fraction } => (fraction, 0.0, MarkKind::Closest),
                Outcome::Misses { by, fraction } => (fraction, by, MarkKind::Closest),
                _ => return None,
            };
            Some(Mark {
                fraction,
                gap,
                kind,
            })
        });
        marks.collect()
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
        let kinds: Vec<_> = view.curve.marks.iter().map(|mark| mark.kind).collect();
        assert_eq!(kinds, [MarkKind::Impact, MarkKind::Leaves]);
        assert!(close(view.curve.marks[0].fraction, 0.4945));
        assert!(close(view.curve.marks[1].fraction, 0.5055));
        let [start, end] = view.explanation.end_tests.map(|look| look.unwrap());
        assert!(close(start.gap.unwrap(), 4.945) && start.contact.is_none());
        assert!(close(end.gap.unwrap(), 4.945) && end.contact.is_none());
        assert!(view.curve.samples.iter().any(|sample| sample[1] < 0.0));
        assert!(view.curve.samples.is_sorted_by(|a, b| a[0] < b[0]));
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
        let marks = view
            .curve
            .marks
            .iter()
            .map(|mark| (mark.kind, mark.fraction));
        let wanted = [(MarkKind::Impact, 0.25), (MarkKind::Leaves, 0.75)];
        assert_eq!(
            view.curve.marks.len(),
            wanted.len(),
            "{:?}",
            view.curve.marks
        );
        for ((kind, fraction), wanted) in marks.zip(wanted) {
            assert!(
                kind == wanted.0 && close(fraction, wanted.1),
                "{kind:?} {fraction}"
            );
        }
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
        assert_eq!(view.curve.marks.len(), 1);
        let mark = view.curve.marks[0];
        assert_eq!(mark.kind, MarkKind::Closest);
        assert!(close(mark.fraction, 0.5) && close(mark.gap, 1.0));
    }

    #[test]
    fn an_unknown_object_is_an_empty_view() {
        let replay = level(1.0, [sphere("one", 1.0, DVec3::ZERO, DVec3::ZERO)]);
        let view = PairView::of(&replay, &replay.frame(0), 0, 7);
        assert!(view.curve.samples.is_empty() && view.curve.marks.is_empty());
    }
}
