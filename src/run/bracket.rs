//! The search for the first value from which on a change holds.

use std::collections::BTreeMap;

/// Values of a grid.
const GRID: usize = 16;

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The value, which holds while the one before it does not; `None` where none that was tried holds.
    pub from: Option<usize>,
    /// No value that was tried holds below one that does not.
    pub is_monotone: bool,
}

/// The values that were tried, and how others are. The first does not hold.
pub(super) struct Bracket<'b> {
    tried: BTreeMap<usize, bool>,
    last: usize,
    /// Whether a value holds, with the bracket in which it is and the number of values that are still to be tried, about; `None` when cancelled.
    ask: &'b mut dyn FnMut(usize, (usize, usize), usize) -> Option<bool>,
}

impl<'b> Bracket<'b> {
    /// Of the values `0..=last`.
    pub fn new(
        last: usize,
        ask: &'b mut dyn FnMut(usize, (usize, usize), usize) -> Option<bool>,
    ) -> Self {
        Self {
            tried: BTreeMap::from([(0, false)]),
            last,
            ask,
        }
    }

    /// Searches from a value that is likely near: steps that double, then halves. The last value and the one after the result are tried too; where
    /// one of them does not hold, values over the whole range are, and the widest part that holds counts. `None` when cancelled.
    pub fn search(mut self, start: usize) -> Option<Found> {
        if self.last == 0 {
            return Some(self.found(None));
        }
        let (low, high) = self.around(start.clamp(1, self.last))?;
        let mut from = match high {
            Some(high) => Some(self.halve(low, high)?),
            None => None,
        };
        if let Some(from) = from {
            self.holds(self.last, (from, self.last), 2)?;
            self.holds((from + 1).min(self.last), (from, self.last), 1)?;
        }
        if !self.is_monotone() {
            for index in 0..GRID {
                self.holds(index * self.last / (GRID - 1), (0, self.last), GRID - index)?;
            }
            from = match self.widest() {
                Some((low, high)) => Some(self.halve(low, high)?),
                None => None,
            };
        }
        Some(self.found(from))
    }

    fn found(&self, from: Option<usize>) -> Found {
        Found {
            from,
            is_monotone: self.is_monotone(),
        }
    }

    fn holds(&mut self, index: usize, bracket: (usize, usize), left: usize) -> Option<bool> {
        if let Some(known) = self.tried.get(&index) {
            return Some(*known);
        }
        let holds = (self.ask)(index, bracket, left)?;
        self.tried.insert(index, holds);
        Some(holds)
    }

    /// A value that does not hold, and one above it that does, if there is one.
    fn around(&mut self, start: usize) -> Option<(usize, Option<usize>)> {
        let mut step = 1;
        if self.holds(start, (0, self.last), steps(0, self.last))? {
            let mut high = start;
            while high > 1 {
                let below = high.saturating_sub(step).max(1);
                if !self.holds(below, (0, high), steps(0, high))? {
                    return Some((below, Some(high)));
                }
                (high, step) = (below, step * 2);
            }
            return Some((0, Some(high)));
        }
        let mut low = start;
        while low < self.last {
            let above = (low + step).min(self.last);
            if self.holds(above, (low, self.last), steps(low, self.last))? {
                return Some((low, Some(above)));
            }
            (low, step) = (above, step * 2);
        }
        Some((low, None))
    }

    /// The first value that holds between one that does not and one that does.
    fn halve(&mut self, mut low: usize, mut high: usize) -> Option<usize> {
        while high - low > 1 {
            let middle = low.midpoint(high);
            match self.holds(middle, (low, high), steps(low, high))? {
                true => high = middle,
                false => low = middle,
            }
        }
        Some(high)
    }

    fn is_monotone(&self) -> bool {
        self.tried.values().is_sorted()
    }

    /// The values before and at the start of the widest part of which all that was tried holds.
    fn widest(&self) -> Option<(usize, usize)> {
        let (mut before, mut start) = (0, None);
        let mut best: Option<(usize, usize, usize)> = None;
        for (&index, &holds) in &self.tried {
            if !holds {
                (before, start) = (index, None);
                continue;
            }
            let start = *start.get_or_insert(index);
            let width = index - start;
            if best.is_none_or(|(widest, ..)| width > widest) {
                best = Some((width, before, start));
            }
        }
        best.map(|(_, before, start)| (before, start))
    }
}

/// Values to be tried in a bracket, and two after its result.
fn steps(low: usize, high: usize) -> usize {
    (high - low).max(1).ilog2() as usize + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(last: usize, start: usize, truth: &dyn Fn(usize) -> bool) -> (Found, usize) {
        let mut asked = 0;
        let mut ask = |index: usize, (low, high): (usize, usize), _| {
            assert!(low <= index && index <= high, "{index} in {low}..{high}");
            asked += 1;
            Some(truth(index))
        };
        let found = Bracket::new(last, &mut ask).search(start);
        (found.unwrap(), asked)
    }

    #[test]
    fn a_limit_is_found_from_any_start() {
        for last in 1..40 {
            for limit in 1..=last + 1 {
                for start in 0..=last {
                    let (found, _) = search(last, start, &|value| value >= limit);
                    let from = (limit <= last).then_some(limit);
                    let is_monotone = true;
                    assert_eq!(found, Found { from, is_monotone }, "{last} {limit} {start}");
                }
            }
        }
    }

    #[test]
    fn a_good_start_takes_four_values_and_a_bad_one_few() {
        assert_eq!(search(1000, 77, &|value| value >= 77).1, 4);
        assert!(search(1000, 500, &|value| value >= 77).1 < 24);
    }

    #[test]
    fn where_it_is_not_monotone_the_widest_part_that_holds_counts() {
        // It holds by luck at 5, and from 20 to 60.
        let truth = |value: usize| value == 5 || (20..=60).contains(&value);
        for start in [5, 20, 25, 60] {
            let (found, _) = search(100, start, &truth);
            assert_eq!(found.from, Some(20), "from {start}");
            assert!(!found.is_monotone);
        }
    }
}
