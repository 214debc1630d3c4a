//! Values up the side of a plot: bounds with room for them, and labelled levels that tell them apart.

use crate::app::text;
use egui::Rangef;
use egui_plot::{AxisHints, GridInput, GridMark, Plot};
use std::ops::RangeInclusive;

/// Levels are at least so far apart, points: a label is seen whole.
const APART: f64 = 24.0;
/// Nearer than this a label is not drawn, points.
const HIDDEN: f32 = 18.0;
/// A range that is this share of its values is rounding of `f64`, and drawn as a level line.
const FLAT: f64 = 1e-12;
/// How much more than its values the plot of a level line shows on each side, as a share of them.
const AROUND: f64 = 0.05;
/// Room above and below, as a share of what lies between the lowest and the highest level.
const MARGIN: f64 = 0.08;
/// Between these every step of what follows is a normal number.
const SMALLEST: f64 = 1e-280;
const LARGEST: f64 = 1e280;

/// What a plot shows of its values: from a level to a level, both multiples of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    low: f64,
    high: f64,
    step: f64,
}

impl Levels {
    /// Of these values, and of zero where that means something; what is not finite is left out.
    pub fn of(values: impl IntoIterator<Item = f64>, with_zero: bool) -> Self {
        let values = values.into_iter().filter(|value| value.is_finite());
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
        }
    }

    /// From the lower edge of the plot to the upper one.
    pub fn bounds(&self) -> RangeInclusive<f64> {
        let margin = MARGIN * (self.high - self.low);
        self.low - margin..=self.high + margin
    }

    /// The lines of a plot and their labels, with a unit.
    pub fn on<'p>(self, plot: Plot<'p>, unit: &'static str) -> Plot<'p> {
        let axis = AxisHints::new_y().label_spacing(Rangef::new(HIDDEN, HIDDEN + 4.0));
        plot.custom_y_axes(vec![axis])
            .y_grid_spacer(move |input: GridInput| {
                // The plot's own step is eight points.
                self.marks(8.0 / input.base_step_size.abs())
            })
            .y_axis_formatter(move |mark, _| match unit {
                "" => self.label(mark),
                unit => format!("{} {unit}", self.label(mark)),
            })
    }

    /// Round numbers as near to each other as their labels allow; where only one has room, the lowest and the highest.
    fn marks(&self, points_of_one: f64) -> Vec<GridMark> {
        let (low, high) = self.bounds().into_inner();
        let step = round_step(APART / points_of_one);
        let mark = |value, step_size| GridMark { value, step_size };
        let (first, last) = ((low / step).ceil(), (high / step).floor());
        if step.is_finite() && last - first >= 1.0 {
            let count = (last - first).min(200.0) as u32;
            let at = |index: u32| (first + f64::from(index)) * step;
            return (0..=count).map(|index| mark(at(index), step)).collect();
        }
        let apart = self.high - self.low;
        vec![mark(self.low, apart), mark(self.high, apart)]
    }

    /// As many digits as tell it from the next one.
    fn label(&self, mark: GridMark) -> String {
        let step = mark.step_size.min(self.step);
        let value = mark.value;
        // Of a multiple of the step what is less than half of it is rounding.
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

/// A range that can be divided: what has no extent of its own is shown with some of what lies around it.
fn widened((low, high): (f64, f64)) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if size < SMALLEST {
        (0.0, 1.0)
    } else if high - low <= FLAT * size {
        (low - AROUND * size, high + AROUND * size)
    } else {
        (low, high)
    }
}

/// The next of 1, 2, 5, 10, 20 .. and of 0.5, 0.2, 0.1 .. that is no smaller.
fn round_step(least: f64) -> f64 {
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

    fn labels(levels: Levels, height: f64) -> Vec<String> {
        let (low, high) = levels.bounds().into_inner();
        let marks = levels.marks(height / (high - low));
        marks.into_iter().map(|mark| levels.label(mark)).collect()
    }

    #[test]
    fn levels_are_round_numbers_as_many_as_have_room() {
        let levels = Levels::of([0.3, 4.0], true);
        assert_eq!(labels(levels, 150.0), ["0", "1", "2", "3", "4"]);
        assert_eq!(labels(levels, 80.0), ["0", "2", "4"]);
        assert_eq!(labels(levels, 40.0), ["0", "4"]);
        let levels = Levels::of([-0.02, 0.05], true);
        assert_eq!(
            labels(levels, 120.0),
            ["-0.02", "0", "0.02", "0.04", "0.06"]
        );
    }

    #[test]
    fn a_level_line_has_levels_around_it() {
        assert_eq!(labels(Levels::of([0.0], true), 100.0), ["0", "0.5", "1"]);
        assert_eq!(labels(Levels::of([], true), 100.0), ["0", "0.5", "1"]);
        assert_eq!(labels(Levels::of([7.0, 7.0], true), 60.0), ["0", "5"]);
        assert_eq!(
            labels(Levels::of([200.0; 3], false), 100.0),
            ["190", "200", "210"]
        );
        // A ball a thousand kilometres out that moves by a sixteenth of a metre.
        let far = Levels::of([1e6, 1e6 + 0.0625], false);
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

    /// Of values of every size and as near to each other as can be, in plots of every height.
    #[test]
    fn two_labels_are_always_seen_and_differ() {
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
                    let levels = Levels::of(values, with_zero);
                    let (low, high) = levels.bounds().into_inner();
                    let inside =
                        |value: f64| value.abs() > LARGEST || (low..=high).contains(&value);
                    assert!(values.into_iter().all(inside), "{values:?} {levels:?}");
                    for height in [30.0, 47.0, 90.0, 333.0, 1500.0] {
                        let of_one = height / (high - low);
                        let marks = levels.marks(of_one);
                        let apart = marks.iter().map(|mark| mark.step_size * of_one);
                        let seen = apart.filter(|apart| *apart > f64::from(HIDDEN)).count();
                        assert!(seen >= 2, "{values:?} {height}: {levels:?} {marks:?}");
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
    fn what_is_no_number_has_no_part_in_it() {
        let levels = Levels::of([f64::NAN, 1.0, f64::INFINITY, 3.0], true);
        assert_eq!(levels, Levels::of([1.0, 3.0], true));
        assert!(levels.marks(f64::NAN).len() == 2 && levels.marks(0.0).len() == 2);
    }
}
