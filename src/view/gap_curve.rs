//! The gap of two shapes over one frame: samples, marked moments and the part of the frame in which they overlap.

use std::ops::RangeInclusive;

/// Even samples of the gap over one frame.
const SAMPLES: u32 = 128;
/// Even samples over the lens.
const LENS_SAMPLES: u32 = 64;
/// Extra samples on each side of a mark, each half as far away as the one before; the nearest is 7e-9 of the frame away.
const NEAR: i32 = 20;
/// The margin of the lens on each side, as a fraction of the overlap.
const LENS_MARGIN: f64 = 0.5;

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

/// The gap over one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GapCurve {
    /// (fraction, gap in metres), rising in fraction; empty when one is absent.
    pub samples: Vec<[f64; 2]>,
    /// In order of fraction.
    pub marks: Vec<Mark>,
}

impl GapCurve {
    /// The curve of a gap in metres by fraction of the frame, with marks known from sweeps; the other crossings of zero are marked
    /// too.
    pub fn of(marks: Vec<Mark>, gap_at: &dyn Fn(f64) -> Option<f64>) -> Self {
        let samples = Vec::new();
        let mut curve = Self { samples, marks };
        let near = |mark: &Mark| {
            let at = mark.fraction;
            let steps = (0..NEAR).map(|halving| 0.5_f64.powi(halving) / f64::from(SAMPLES));
            let both = steps.flat_map(move |step| [at - step, at + step]);
            both.chain([at])
        };
        let mut at: Vec<f64> = curve.marks.iter().flat_map(near).collect();
        at.extend(even(0.0..=1.0, SAMPLES));
        curve.sample(at, gap_at);
        curve.find_crossings(gap_at);
        if let Some(lens) = curve.lens() {
            let mut at: Vec<f64> = curve.marks.iter().map(|mark| mark.fraction).collect();
            at.extend(even(lens, LENS_SAMPLES));
            curve.sample(at, gap_at);
        }
        curve
    }

    /// The gap at a fraction, between two samples; `None` outside the samples.
    #[cfg(feature = "gui")]
    pub fn at(&self, fraction: f64) -> Option<f64> {
        let after = self.samples.partition_point(|[at, _]| *at < fraction);
        let [to, next] = *self.samples.get(after)?;
        if to == fraction {
            return Some(next);
        }
        let [from, gap] = *self.samples.get(after.checked_sub(1)?)?;
        Some(gap + (next - gap) * (fraction - from) / (to - from))
    }

    /// From the first touch to the last separation, with a margin on both sides; `None` where nothing overlaps, and where that
    /// is the whole frame.
    pub fn lens(&self) -> Option<RangeInclusive<f64>> {
        let overlaps = self.samples.iter().any(|[_, gap]| *gap < -REST);
        let starts_inside = self.samples.first().is_some_and(|[_, gap]| *gap < -REST);
        let mut crossings = self
            .marks
            .iter()
            .filter(|one| one.kind != MarkKind::Closest);
        let from = match starts_inside {
            true => 0.0,
            false => crossings.clone().next()?.fraction,
        };
        let last = crossings.next_back();
        let separation = last.filter(|one| one.kind == MarkKind::Leaves);
        let to = separation.map_or(1.0, |one| one.fraction);
        let margin = LENS_MARGIN * (to - from);
        let lens = (from - margin).max(0.0)..=(to + margin).min(1.0);
        (overlaps && from < to && lens != (0.0..=1.0)).then_some(lens)
    }

    /// Adds samples at these fractions; those outside the frame, and gaps that are not finite, are skipped.
    fn sample(&mut self, mut at: Vec<f64>, gap_at: &dyn Fn(f64) -> Option<f64>) {
        at.retain(|fraction| (0.0..=1.0).contains(fraction));
        let gaps = at
            .into_iter()
            .map(|at| [at, gap_at(at).unwrap_or(f64::NAN)]);
        self.samples.extend(gaps.filter(|[_, gap]| gap.is_finite()));
        self.samples.sort_by(|a, b| a[0].total_cmp(&b[0]));
        self.samples.dedup_by_key(|sample| sample[0]);
    }

    /// Marks where the gap falls and rises through zero, by bisection between two samples.
    fn find_crossings(&mut self, gap_at: &dyn Fn(f64) -> Option<f64>) {
        let mut below = self.samples.first().is_some_and(|first| first[1] < 0.0);
        // The last sample at which they are clearly apart.
        let mut apart = 0.0;
        for index in 1..self.samples.len() {
            let ([mut from, before], [mut to, gap]) =
                (self.samples[index - 1], self.samples[index]);
            if before > REST {
                apart = from;
            }
            let is_below = gap < if below { 0.0 } else { -REST };
            if is_below == below {
                continue;
            }
            below = is_below;
            let swept = apart..=to;
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
        self.marks.sort_by(|a, b| a.fraction.total_cmp(&b.fraction));
    }
}

/// Fractions at equal distances over a range, its ends included.
fn even(range: RangeInclusive<f64>, steps: u32) -> impl Iterator<Item = f64> {
    let (from, to) = range.into_inner();
    (0..=steps).map(move |step| from + (to - from) * f64::from(step) / f64::from(steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The marked kinds and fractions.
    fn marks(curve: &GapCurve) -> Vec<(MarkKind, f64)> {
        let marks = curve.marks.iter();
        marks.map(|mark| (mark.kind, mark.fraction)).collect()
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn every_crossing_is_marked_and_resting_is_none() {
        // Two dips, touching at 1/8 and 5/8, separating at 3/8 and 7/8.
        let dips = |at: f64| Some((at * std::f64::consts::TAU * 2.0).cos());
        let curve = GapCurve::of(Vec::new(), &dips);
        let found = marks(&curve);
        assert_eq!(found.len(), 4, "{found:?}");
        for ((_, found), wanted) in found.into_iter().zip([0.125, 0.375, 0.625, 0.875]) {
            assert!(close(found, wanted), "{found} {wanted}");
        }
        let rest = |at: f64| Some((at * 300.0).sin() * 1e-15);
        let curve = GapCurve::of(Vec::new(), &rest);
        assert_eq!((marks(&curve), curve.lens()), (Vec::new(), None));
    }

    #[test]
    fn the_lens_is_the_overlap_with_half_of_it_on_each_side() {
        // A dip as short as a fiftieth of the distance between two samples, 1e-4 deep.
        let dip = |at: f64| Some((at - 0.3).abs() - 1e-4);
        let known = Mark {
            fraction: 0.2999,
            gap: 0.0,
            kind: MarkKind::Impact,
        };
        let curve = GapCurve::of(vec![known], &dip);
        let found = marks(&curve);
        assert!(found.len() == 2 && close(found[1].1, 0.3001), "{found:?}");
        let (from, to) = curve.lens().expect("they overlap").into_inner();
        assert!(close(from, 0.2998) && close(to, 0.3002), "{from} {to}");
        let lowest = curve.samples.iter().map(|[_, gap]| *gap);
        let lowest = lowest.reduce(f64::min).expect("samples");
        assert!(close(lowest, -1e-4), "the bottom is sampled: {lowest}");
    }

    #[test]
    fn a_known_impact_is_marked_once_however_slowly_they_overlap() {
        // The ball of scenes/internal_edge.ron sinks 13 mm in the rest of the frame.
        for slope in [2e-2, 2e-5] {
            let known = Mark {
                fraction: 0.3221,
                gap: 0.0,
                kind: MarkKind::Impact,
            };
            let curve = GapCurve::of(vec![known], &|at| Some(slope * (0.3221 - at)));
            assert_eq!(marks(&curve), [(MarkKind::Impact, 0.3221)], "{slope}");
        }
    }

    #[test]
    fn an_overlap_at_an_end_reaches_to_that_end() {
        let lens = |gap: &dyn Fn(f64) -> f64| {
            let curve = GapCurve::of(Vec::new(), &|at| Some(gap(at)));
            curve.lens().map(RangeInclusive::into_inner)
        };
        let is = |lens: Option<(f64, f64)>, from: f64, to: f64| {
            lens.is_some_and(|lens| close(lens.0, from) && close(lens.1, to))
        };
        assert!(is(lens(&|at| 0.75 - at), 0.625, 1.0));
        assert!(is(lens(&|at| at - 0.25), 0.0, 0.375));
        assert_eq!(lens(&|_| -1.0), None, "that is the whole frame");
        assert_eq!(lens(&|at| 1.0 + at), None, "nothing overlaps");
    }

    #[cfg(feature = "gui")]
    #[test]
    fn the_gap_between_two_samples_is_interpolated() {
        let curve = GapCurve {
            samples: vec![[0.0, 2.0], [0.5, -1.0], [1.0, 3.0]],
            marks: Vec::new(),
        };
        assert_eq!(curve.at(0.25), Some(0.5));
        assert_eq!(curve.at(0.75), Some(1.0));
        assert_eq!(curve.at(1.0), Some(3.0));
        assert_eq!(curve.at(-0.01), None);
        assert_eq!(curve.at(1.01), None);
    }
}
