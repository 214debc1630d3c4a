//! The values of a parameter, and the start of a run.

use super::template::is_name;
use crate::core::diagnose::{Fix, Quantity};
use crate::core::number::significant;
use crate::core::random::SplitMix64;
use crate::core::scene::UserUnits;

/// Limit of the values of a parameter.
const MOST_VALUES: usize = 100_000;
/// Ratio of two neighbours among values that are not whole numbers, where no step is given: a notch.
const NOTCH: f64 = 1.1;
/// Digits of such values.
const DIGITS: i32 = 3;
/// Notches of a range that begins at 0 or below, and so has no ratio.
const NOTCHES: usize = 100;

/// A parameter with the values to try.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// As in `{name}` of the command.
    pub name: String,
    /// As texts, in the order in which they are tried: for [`tune`](super::tune()) from the value that prevents least.
    pub values: Vec<String>,
}

impl Parameter {
    /// Reads `substeps=1..64`, `dt=0.001..0.02:0.001` or `threads=1,4`.
    ///
    /// # Errors
    /// What is expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, values) = named(text)?;
        let values = match values.split_once("..") {
            Some((low, rest)) => range(text, low, rest)?,
            None => values.split(',').map(|one| one.trim().to_owned()).collect(),
        };
        if values.iter().any(String::is_empty) {
            return Err(format!(
                "\"{text}\" has an empty value: expected one such as {name}=1,4"
            ));
        }
        if let [one] = &values[..]
            && let Some((low, high)) = dashed(one)
        {
            return Err(format!(
                "\"{text}\" has one value, \"{one}\": a range is {name}={low}..{high}"
            ));
        }
        Ok(Self { name, values })
    }

    /// The quantity of that name, with or without its side: `max_dt`, `dt`.
    pub fn quantity(&self) -> Option<Quantity> {
        Quantity::named(&self.name)
    }

    /// The values as numbers, if all of them are.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let numbers = self.values.iter().map(|value| value.parse().ok());
        numbers.collect()
    }
}

/// Least end of the range that is proposed for a count.
const MOST_PROPOSED: f64 = 64.0;
/// Ratio of the value that diagnosis names to the end of the range that is proposed on its safe side.
const SAFE_SIDE: f64 = 4.0;
/// The same on the side of the finding, where the substeps that hold say nothing: about as many times as a mover is too fast, and as many again.
const FAILING_SIDE: f64 = 64.0;

/// Values to try around the one that a fix of a finding names, in units of the level, as [`Parameter::parse`] reads them behind the `=`. `None` for
/// a fix without a number to vary.
pub fn proposed_values(fix: &Fix, fixes: &[Fix], units: UserUnits) -> Option<String> {
    if fix.what == Quantity::ContinuousDetection {
        return Some("0,1".to_owned());
    }
    let value = fix.held().or(fix.detects).filter(|value| *value > 0.0)?;
    match fix.what {
        Quantity::Mask => None,
        Quantity::Substeps => {
            let most = (2.0 * value).max(MOST_PROPOSED).ceil();
            Some(format!("1..{}", text_of(most)))
        }
        what => {
            let substeps = fixes.iter().find(|one| one.what == Quantity::Substeps);
            let far = substeps.and_then(|one| one.holds.or(one.detects));
            let far = far.map_or(FAILING_SIDE, |count| (2.0 * count).max(SAFE_SIDE));
            let (low, high) = match what.is_most() {
                true => (value / SAFE_SIDE, value * far),
                false => (value / far, value * SAFE_SIDE),
            };
            let end = |value| text_of(rounded(units.value(value, what.unit()), DIGITS));
            Some(format!("{}..{}", end(low), end(high)))
        }
    }
}

/// The start of a run, which is varied evenly.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    name: String,
    low: f64,
    high: f64,
}

impl Phase {
    /// Reads `NAME=LOW..HIGH`.
    ///
    /// # Errors
    /// What is expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, range) = named(text)?;
        let wanted = || format!("invalid phase \"{text}\": expected NAME=LOW..HIGH with numbers");
        let (low, high) = range.split_once("..").ok_or_else(wanted)?;
        let number = |text: &str| text.trim().parse().ok().filter(|one: &f64| one.is_finite());
        let (low, high) = number(low).zip(number(high)).ok_or_else(wanted)?;
        Ok(Self { name, low, high })
    }

    /// As in `{name}` of the command.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of run `index` of `runs`: one in each of as many equal parts of the range, at a random place in it that is the same each time. Evenly spaced ones would be in
    /// step with substeps: of 16 of them over a frame, 8 substeps see two starts. A range of whole numbers that has one for each run, as seeds do, gives
    /// whole numbers.
    pub(super) fn value(&self, index: usize, runs: usize) -> (String, String) {
        let mut random = SplitMix64(0);
        let inside = (0..=index).map(|_| random.fraction()).last();
        let inside = inside.unwrap_or_default();
        let range = self.high - self.low;
        let offset = range * ((index as f64 + inside) / runs.max(1) as f64);
        let is_whole = self.low.fract() == 0.0 && self.high.fract() == 0.0;
        let offset = match is_whole && range.abs() >= runs as f64 {
            true => offset.trunc(),
            false => offset,
        };
        (self.name.clone(), text_of(self.low + offset))
    }
}

/// Names in a command that stand for something else than a parameter.
pub const RESERVED: [&str; 2] = ["log", "port"];

/// The ends of a range such as `1-64`, which is none.
fn dashed(text: &str) -> Option<(&str, &str)> {
    let (low, high) = text.split_once('-')?;
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok_and(f64::is_finite);
    (is_number(low) && is_number(high)).then_some((low, high))
}

fn named(text: &str) -> Result<(String, &str), String> {
    let (name, rest) = text
        .split_once('=')
        .ok_or_else(|| format!("\"{text}\" has no value: expected NAME=LOW..HIGH or NAME=A,B"))?;
    if !is_name(name) {
        return Err(format!(
            "invalid name \"{name}\": expected letters, digits and _"
        ));
    }
    // As variables of the environment they are in capital letters.
    match RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        true => Err(format!("`{name}` is set for each run: choose another name")),
        false => Ok((name.to_owned(), rest)),
    }
}

fn range(text: &str, low: &str, rest: &str) -> Result<Vec<String>, String> {
    let wanted =
        || format!("invalid range \"{text}\": expected NAME=LOW..HIGH or NAME=LOW..HIGH:STEP");
    let number = |text: &str| text.trim().parse().ok().filter(|one: &f64| one.is_finite());
    let (high, step) = match rest.split_once(':') {
        Some((high, step)) => (high, Some(number(step).ok_or_else(wanted)?)),
        None => (rest, None),
    };
    let (low, high) = number(low).zip(number(high)).ok_or_else(wanted)?;
    let is_whole = low.fract() == 0.0 && high.fract() == 0.0;
    let step = step.or(is_whole.then_some(1.0));
    if low >= high || step.is_some_and(|step| step <= 0.0) {
        return Err(format!(
            "invalid range \"{text}\": the end must be above the start, and the step above 0"
        ));
    }
    let values: Vec<String> = match step {
        None if low > 0.0 => {
            let all = std::iter::successors(Some(low), |value| Some(value * NOTCH));
            let all = all.take_while(|value| *value < high).take(MOST_VALUES + 1);
            let mut all: Vec<String> = all.map(|value| text_of(rounded(value, DIGITS))).collect();
            all[0] = text_of(low);
            all.push(text_of(high));
            all.dedup();
            all
        }
        _ => {
            let step = step.unwrap_or((high - low) / NOTCHES as f64);
            // The end counts in spite of the rounding of the steps.
            let steps = ((high - low) / step * (1.0 + f64::EPSILON * 4.0)).floor();
            let steps = steps.min(MOST_VALUES as f64) as usize;
            let value = |index: usize| text_of(low + step * index as f64);
            (0..=steps).map(value).collect()
        }
    };
    match values.len() > MOST_VALUES {
        true => Err(format!(
            "\"{text}\" has more than {MOST_VALUES} values: give a larger step, NAME=LOW..HIGH:STEP"
        )),
        false => Ok(values),
    }
}

fn rounded(value: f64, digits: i32) -> f64 {
    significant(value, digits).parse().unwrap_or(value)
}

/// A number without the noise of its last digits, and without a power of ten, which not every program reads.
fn text_of(value: f64) -> String {
    rounded(value, 12).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Parameter::parse(text).unwrap().values
    }

    #[test]
    fn ranges_are_read_in_notches() {
        assert_eq!(values("n=1..4"), ["1", "2", "3", "4"]);
        assert_eq!(values("dt=0.1..0.4:0.1"), ["0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(values("n=-3..3:2"), ["-3", "-1", "1", "3"]);
        assert_eq!(
            values("r=0.5..0.67"),
            ["0.5", "0.55", "0.605", "0.666", "0.67"]
        );
        assert_eq!(values("t=0..0.5").len(), 101);
        assert_eq!(values("threads=1, 4"), ["1", "4"]);
        assert_eq!(
            values("tiny=0.000001..0.0000011:0.0000001"),
            ["0.000001", "0.0000011"]
        );
        for wrong in [
            "n",
            "n=",
            "=1..2",
            "n=2..1",
            "n=1..2:0",
            "n=1..x",
            "log=1..2",
            "a b=1..2",
            "n=0..1000000",
            "n=1,,2",
            "n=0.5..inf",
        ] {
            assert!(Parameter::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn phases_divide_a_range_and_seeds_are_whole() {
        let phase = Phase::parse("start=1..3").unwrap();
        for index in 0..4 {
            let value: f64 = phase.value(index, 4).1.parse().unwrap();
            let low = 1.0 + 0.5 * index as f64;
            assert!((low..low + 0.5).contains(&value), "{index}: {value}");
        }
        let seeds = Phase::parse("seed=5..21").unwrap();
        let values: Vec<String> = (0..16).map(|index| seeds.value(index, 16).1).collect();
        let wanted: Vec<String> = (5..21).map(|seed| seed.to_string()).collect();
        assert_eq!(values, wanted);
        assert!(Phase::parse("start=1").is_err());
    }

    /// A program of N substeps a frame sees where in a substep each run starts: evenly spaced starts are in step with them, and 16 runs saw two places.
    #[test]
    fn phases_are_not_in_step_with_substeps() {
        let phase = Phase::parse("start=0..1").unwrap();
        for runs in [8, 16, 64] {
            for substeps in 1..=64 {
                let places = (0..runs).map(|index| {
                    let start: f64 = phase.value(index, runs).1.parse().unwrap();
                    (start * f64::from(substeps)).fract()
                });
                let mut places: Vec<f64> = places.collect();
                places.sort_by(f64::total_cmp);
                let around = places[0] + 1.0 - places[runs - 1];
                let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
                let widest = gaps.fold(around, f64::max);
                // Of n random places the widest gap is above x with a probability of at most n (1 - x)^(n - 1): here of 1 in 1,000.
                let n = runs as f64;
                let limit = 1.0 - (0.001 / n).powf(1.0 / (n - 1.0));
                assert!(widest < limit, "{runs} runs, {substeps}: {widest}");
            }
        }
    }
}
