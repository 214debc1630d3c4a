//! The value axis of a plot: its bounds, ticks and labels.

use crate::app::text;
use egui::Rangef;
use egui_plot::{AxisHints, GridInput, GridMark, Plot};
use std::ops::RangeInclusive;

/// The least distance between ticks, points, so that labels do not overlap.
const TICK_DISTANCE: f64 = 24.0;
/// Labels closer than this are not drawn, points.
const LABEL_DISTANCE: f32 = 18.0;
/// A range of at most this fraction of its values is rounding of `f64`, and is drawn as a constant.
const CONSTANT: f64 = 1e-12;
/// The range shown on each side of a constant, as a fraction of it.
const CONSTANT_MARGIN: f64 = 0.05;
/// The margin above and below, as a fraction of the range between the lowest and the highest tick.
const MARGIN: f64 = 0.08;
/// Values are clamped to these magnitudes, so that no intermediate result overflows or is subnormal.
const SMALLEST: f64 = 1e-280;
const LARGEST: f64 = 1e280;

/// The ticks of a value axis, from `low` to `high`, both multiples of `step`, in the unit of the labels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisTicks {
    low: f64,
    high: f64,
    step: f64,
    /// The unit of the labels, in that of the values.
    unit: f64,
}

impl AxisTicks {
    /// The ticks for these values, and for zero if `with_zero`; values that are not finite are skipped.
    pub fn of(values: impl IntoIterator<Item = f64>, with_zero: bool, unit: f64) -> Self {
        let values = values.into_iter().map(|value| value / unit);
        let values = values.filter(|value| value.is_finite());
        let zero = with_zero.then_some(0.0);
        let ends = values.chain(zero).fold(None, |ends, value| {
            let value = value.clamp(-LARGEST, LARGEST);
            let (low, high) = ends.unwrap_or((value, value));
            Some((value.min(low), value.max(high)))
        });
        let (low, high) = widened(ends.unwrap_or((0.0, 0.0)));
        let step = round_step((high - low) / 4.0);
        Self {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            step,
            unit,
        }
    }

    /// The values at the lower and the upper edge of the plot.
    pub fn bounds(&self) -> RangeInclusive<f64> {
        let margin = MARGIN * (self.high - self.low);
        (self.low - margin) * self.unit..=(self.high + margin) * self.unit
    }

    /// Sets the grid lines and labels of a plot.
    pub fn apply_to<'p>(self, plot: Plot<'p>, unit: &'static str) -> Plot<'p> {
        let spacing = Rangef::new(LABEL_DISTANCE, LABEL_DISTANCE + 4.0);
        let axis = AxisHints::new_y().label_spacing(spacing);
        plot.custom_y_axes(vec![axis])
            .y_grid_spacer(move |input: GridInput| {
                // The base step of egui_plot is eight points.
                self.marks(8.0 / input.base_step_size.abs())
            })
            .y_axis_formatter(move |mark, _| match unit {
                "" => self.label(mark),
                unit => format!("{} {unit}", self.label(mark)),
            })
    }

    /// Round numbers as close to each other as their labels allow; the lowest and the highest tick if only one of them fits.
    fn marks(&self, points_per_unit: f64) -> Vec<GridMark> {
        let (low, high) = self.bounds().into_inner();
        let (low, high) = (low / self.unit, high / self.unit);
        let step = round_step(TICK_DISTANCE / points_per_unit / self.unit);
        let mark = |value, step_size| GridMark {
            value: value * self.unit,
            step_size: step_size * self.unit,
        };
        let (first, last) = ((low / step).ceil(), (high / step).floor());
        if step.is_finite() && last - first >= 1.0 {
            let count = (last - first).min(200.0) as u32;
            let at = |index: u32| (first + f64::from(index)) * step;
            return (0..=count).map(|index| mark(at(index), step)).collect();
        }
        let range = self.high - self.low;
        vec![mark(self.low, range), mark(self.high, range)]
    }

    /// The value with as many digits as distinguish it from the next tick.
    fn label(&self, mark: GridMark) -> String {
        let step = (mark.step_size / self.unit).min(self.step);
        let value = mark.value / self.unit;
        // A multiple of the step below half a step is zero with rounding.
        if value.abs() < 0.5 * step {
            return "0".to_owned();
        }
        let digits = value.abs().log10().floor() - step.log10().floor();
        let decimals = (-step.log10()).ceil().max(0.0) as usize;
        if digits < 4.0 {
            text::significant(value, 4)
        } else if value.abs() < 1e9 && decimals <= 12 {
            trimmed(&format!("{value:.decimals$}"))
        } else {
            format!("{value:.*e}", digits as usize)
        }
    }
}

/// A range of nonzero length: a constant gets a margin on both sides.
fn widened((low, high): (f64, f64)) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if size < SMALLEST {
        (0.0, 1.0)
    } else if high - low <= CONSTANT * size {
        (low - CONSTANT_MARGIN * size, high + CONSTANT_MARGIN * size)
    } else {
        (low, high)
    }
}

/// The smallest of .., 0.1, 0.2, 0.5, 1, 2, 5, 10, .. that is at least this.
pub fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|digit| digit * power);
    let found = steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9));
    found.unwrap_or(10.0 * power)
}

fn trimmed(text: &str) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(levels: AxisTicks, height: f64) -> Vec<String> {
        let (low, high) = levels.bounds().into_inner();
        let marks = levels.marks(height / (high - low));
        marks.into_iter().map(|mark| levels.label(mark)).collect()
    }

    #[test]
    fn ticks_are_as_many_round_numbers_as_fit() {
        let levels = AxisTicks::of([0.3, 4.0], true, 1.0);
        assert_eq!(labels(levels, 150.0), ["0", "1", "2", "3", "4"]);
        assert_eq!(labels(levels, 80.0), ["0", "2", "4"]);
        assert_eq!(labels(levels, 40.0), ["0", "4"]);
        let levels = AxisTicks::of([-0.02, 0.05], true, 1.0);
        assert_eq!(
            labels(levels, 120.0),
            ["-0.02", "0", "0.02", "0.04", "0.06"]
        );
    }

    #[test]
    fn a_constant_has_ticks_around_it() {
        assert_eq!(
            labels(AxisTicks::of([0.0], true, 1.0), 100.0),
            ["0", "0.5", "1"]
        );
        assert_eq!(
            labels(AxisTicks::of([], true, 1.0), 100.0),
            ["0", "0.5", "1"]
        );
        assert_eq!(
            labels(AxisTicks::of([7.0, 7.0], true, 1.0), 60.0),
            ["0", "5"]
        );
        assert_eq!(
            labels(AxisTicks::of([200.0; 3], false, 1.0), 100.0),
            ["190", "200", "210"]
        );
        // A ball a thousand kilometres out that moves by a sixteenth of a metre.
        let far = AxisTicks::of([1e6, 1e6 + 0.0625], false, 1.0);
        assert_eq!(
            labels(far, 120.0),
            [
                "1000000",
                "1000000.02",
                "1000000.04",
                "1000000.06",
                "1000000.08"
            ]
        );
    }

    /// For values of every magnitude, also almost equal ones, in plots of every height.
    #[test]
    fn at_least_two_labels_are_visible_and_differ() {
        for exponent in -300..=300 {
            for (a, b) in [
                (0.0, 1.0),
                (1.0, 1.0),
                (3.0, 3.000_1),
                (-7.3, 7.1),
                (0.99, 4.9),
                (9.999_999_9, 10.0),
            ] {
                let scale = 10_f64.powi(exponent);
                let values = [a * scale, b * scale];
                for with_zero in [true, false] {
                    let levels = AxisTicks::of(values, with_zero, 1.0);
                    let (low, high) = levels.bounds().into_inner();
                    let inside =
                        |value: f64| value.abs() > LARGEST || (low..=high).contains(&value);
                    assert!(values.into_iter().all(inside), "{values:?} {levels:?}");
                    for height in [30.0, 47.0, 90.0, 333.0, 1500.0] {
                        let per_unit = height / (high - low);
                        let marks = levels.marks(per_unit);
                        let steps = marks.iter().map(|mark| mark.step_size * per_unit);
                        let least = f64::from(LABEL_DISTANCE);
                        let visible = steps.filter(|step| *step > least).count();
                        assert!(visible >= 2, "{values:?} {height}: {levels:?} {marks:?}");
                        let mut labels = labels(levels, height);
                        let count = labels.len();
                        labels.dedup();
                        assert_eq!(labels.len(), count, "{values:?} {height}: {labels:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn values_that_are_not_finite_are_skipped() {
        let levels = AxisTicks::of([f64::NAN, 1.0, f64::INFINITY, 3.0], true, 1.0);
        assert_eq!(levels, AxisTicks::of([1.0, 3.0], true, 1.0));
        assert!(levels.marks(f64::NAN).len() == 2 && levels.marks(0.0).len() == 2);
    }
}
