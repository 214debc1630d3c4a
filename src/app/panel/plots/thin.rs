//! Reduces a line of many points to the visible ones: the first, lowest, highest and last of each column of pixels.

use crate::core::replay::Subject;
use crate::core::replay::history::{Quantity, Series};
use std::collections::BTreeMap;

/// The key of a cached line: version of the histories, start, length, width in points.
type Key = (u64, f64, f64, f32);

/// The points of a line, one run for each continuous part.
pub type Runs = Vec<Vec<[f64; 2]>>;

/// A cache of thinned lines.
#[derive(Default)]
pub struct Thinned {
    lines: BTreeMap<(Subject, Quantity), (Key, Runs)>,
}

impl Thinned {
    /// The thinned runs of a series, for the range in the key.
    pub fn get(&mut self, of: (Subject, Quantity), key: Key, series: &Series) -> &Runs {
        let version = key.0;
        // Removes the lines of an older version.
        self.lines.retain(|_, (key, _)| key.0 == version);
        let entry = self.lines.entry(of).or_insert_with(|| {
            // Filled below.
            ((version, f64::NAN, 0.0, 0.0), Vec::new())
        });
        if entry.0 != key {
            let (_, from, span, width) = key;
            let runs = series.runs.iter();
            let runs = runs.map(|run| thin(run, (from, from + span), width.max(1.0)));
            *entry = (key, runs.filter(|run| !run.is_empty()).collect());
        }
        &entry.1
    }
}

fn thin(run: &[[f64; 2]], (from, to): (f64, f64), columns: f32) -> Vec<[f64; 2]> {
    // One more point on each side, so that the line continues to the edge.
    let first = run.partition_point(|point| point[0] < from);
    let last = run.partition_point(|point| point[0] <= to);
    let shown = &run[first.saturating_sub(1)..(last + 1).min(run.len())];
    if shown.len() as f32 <= 4.0 * columns {
        return shown.to_vec();
    }
    let column = |point: &[f64; 2]| ((point[0] - from) / (to - from) * f64::from(columns)).floor();
    let mut thinned = Vec::new();
    for group in shown.chunk_by(|a, b| column(a) == column(b)) {
        let by_value = |a: &usize, b: &usize| group[*a][1].total_cmp(&group[*b][1]);
        let least = (0..group.len()).min_by(by_value);
        let greatest = (0..group.len()).max_by(by_value);
        let ends = [Some(0), least, greatest, group.len().checked_sub(1)];
        let mut kept: Vec<usize> = ends.into_iter().flatten().collect();
        kept.sort_unstable();
        kept.dedup();
        thinned.extend(kept.into_iter().map(|index| group[index]));
    }
    thinned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_spike_among_many_points_is_kept() {
        let mut run: Vec<[f64; 2]> = (0..100_000).map(|n| [f64::from(n), 0.0]).collect();
        run[54_321][1] = 7.0;
        run[54_322][1] = -3.0;
        let thinned = thin(&run, (0.0, 100_000.0), 500.0);
        assert!(thinned.len() <= 4 * 501, "{}", thinned.len());
        assert!(thinned.contains(&[54_321.0, 7.0]) && thinned.contains(&[54_322.0, -3.0]));
        assert!(thinned.is_sorted_by(|a, b| a[0] < b[0]));
        assert_eq!(
            (thinned[0][0], thinned[thinned.len() - 1][0]),
            (0.0, 99_999.0)
        );
    }

    #[test]
    fn few_points_stay_with_a_neighbour_on_each_side() {
        let run: Vec<[f64; 2]> = (0..10).map(|n| [f64::from(n), 0.0]).collect();
        let thinned = thin(&run, (3.5, 5.5), 100.0);
        let at: Vec<f64> = thinned.iter().map(|point| point[0]).collect();
        assert_eq!(at, [3.0, 4.0, 5.0, 6.0]);
        assert!(thin(&[], (0.0, 1.0), 100.0).is_empty());
    }
}
