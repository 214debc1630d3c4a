//! What a few runs say of all runs.

/// Share of the bounds below which the true rate is not: 1 of 20.
pub(super) const MISTAKES: f64 = 0.05;

/// The upper bound, at 95 %, of the rate of an event that came `events` times in `runs`: at a higher rate so few events are less likely than 5 %.
/// After Clopper and Pearson (Biometrika 26, 1934), one-sided; without an event it is the rule of three, about 3 / runs. 1 without a run.
pub fn upper_bound(events: usize, runs: usize) -> f64 {
    if events >= runs {
        return 1.0;
    }
    // The probability of at most so many events falls as the rate rises.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match at_most(events, runs, middle) > MISTAKES {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

/// The probability of at most `events` in `runs` at a rate in (0, 1).
fn at_most(events: usize, runs: usize, rate: f64) -> f64 {
    let odds = (rate / (1.0 - rate)).ln();
    let mut term = runs as f64 * (-rate).ln_1p();
    let mut sum = term.exp();
    for event in 1..=events {
        term += odds + ((runs + 1 - event) as f64 / event as f64).ln();
        sum += term.exp();
    }
    sum
}

/// Runs with an event, of all that were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rate {
    pub events: usize,
    pub runs: usize,
}

impl Rate {
    /// The probability of a difference as large as this or larger if both have one rate, `self` being the higher: Fisher's exact test, one-sided.
    pub fn above(self, other: Self) -> f64 {
        let all = self.runs + other.runs;
        let events = self.events + other.events;
        let most = events.min(self.runs);
        let whole = ln_choose(all, events);
        let probability = |own: usize| {
            let rest = events - own;
            if rest > other.runs {
                return 0.0;
            }
            (ln_choose(self.runs, own) + ln_choose(other.runs, rest) - whole).exp()
        };
        let sum: f64 = (self.events..=most).map(probability).sum();
        sum.min(1.0)
    }

    /// Whether it is the higher rate, at a level such as 0.95.
    pub fn is_above(self, other: Self, level: f64) -> bool {
        // 3 of 3 against 0 of 3 is 1 of 20 exactly, but for rounding.
        self.above(other) <= (1.0 - level) * (1.0 + 1e-9)
    }
}

/// The logarithm of the number of ways to choose `some` of `all`.
fn ln_choose(all: usize, some: usize) -> f64 {
    let few = some.min(all - some);
    (1..=few)
        .map(|index| ((all - few + index) as f64 / index as f64).ln())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without an event the bound has a closed form, 1 - 0.05^(1/n); with one less than all runs 0.95^(1/n), as p^n = 0.95 then.
    #[test]
    fn bounds_are_those_of_the_closed_forms() {
        for runs in [1, 2, 3, 16, 64, 1000] {
            let root = |share: f64| share.powf(1.0 / runs as f64);
            assert!((upper_bound(0, runs) - (1.0 - root(0.05))).abs() < 1e-9);
            let last = upper_bound(runs - 1, runs);
            assert!((last - root(0.95)).abs() < 1e-9, "{runs}: {last}");
            assert_eq!(upper_bound(runs, runs), 1.0);
        }
        assert!(
            (upper_bound(0, 64) - 0.0457).abs() < 5e-5,
            "the rule of three"
        );
        assert_eq!(upper_bound(0, 0), 1.0);
    }

    /// At every rate, the runs whose bound is below it are less likely than 5 %, by the binomial distribution in whole numbers.
    #[test]
    fn a_bound_is_below_the_rate_in_less_than_one_of_twenty() {
        const RUNS: usize = 16;
        let choose = |some: usize| {
            (0..some).fold(1_u64, |all, index| {
                all * (RUNS - index) as u64 / (index as u64 + 1)
            })
        };
        for percent in 1..100 {
            let rate = f64::from(percent) / 100.0;
            let probability = |events: usize| {
                let (one, other) = (events as i32, (RUNS - events) as i32);
                choose(events) as f64 * rate.powi(one) * (1.0 - rate).powi(other)
            };
            let wrong = (0..=RUNS).filter(|events| upper_bound(*events, RUNS) < rate);
            let wrong: f64 = wrong.map(probability).sum();
            assert!(wrong <= 0.05, "{percent} %: {wrong}");
        }
    }

    /// Of 6 runs with 3 events, 1 of 20 choices puts all of them on one side; the tea of Fisher's example has 17 of 70.
    #[test]
    fn differences_are_as_likely_as_by_counting() {
        let above = |one: [usize; 2], other: [usize; 2]| {
            let rate = |[events, runs]: [usize; 2]| Rate { events, runs };
            rate(one).above(rate(other))
        };
        assert!((above([3, 3], [0, 3]) - 1.0 / 20.0).abs() < 1e-12);
        assert!((above([3, 4], [1, 4]) - 17.0 / 70.0).abs() < 1e-12);
        assert!((above([0, 5], [3, 3]) - 1.0).abs() < 1e-12);
        let rate = |events, runs| Rate { events, runs };
        assert!(rate(3, 3).is_above(rate(0, 3), 0.95));
        assert!(!rate(2, 2).is_above(rate(0, 2), 0.95));
    }
}
