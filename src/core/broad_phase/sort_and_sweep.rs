//! Sort and sweep (also: sweep and prune) in columns, after Baraff 1992 and Ericson 2005, 7.5: the boxes are sorted by where
//! they begin on one axis, and each is held against those that begin before it ends.

use super::Entry;
use glam::DVec3;

/// Boxes in the order in which they begin on the axis of the sweep, one array per side.
#[derive(Default)]
struct Columns {
    /// Along the axis of the sweep.
    begin: Vec<f64>,
    end: Vec<f64>,
    /// The other two axes.
    others: Vec<[f64; 4]>,
    moves: Vec<bool>,
    index: Vec<u32>,
}

/// Pairs `(i, j)`, `i < j`, whose boxes overlap (inclusive) and of which at least one moves; sorted.
///
/// Boxes with a component that is not finite pair with nothing. The oracle is [`super::brute_force`].
pub fn candidate_pairs(entries: &[Entry]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    sweep(&columns(entries), &mut pairs);
    add_unbounded(entries, &mut pairs);
    pairs.sort_unstable();
    pairs
}

fn columns(entries: &[Entry]) -> Columns {
    let axis = widest_axis(entries);
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut order: Vec<(f64, u32)> = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.can_meet())
        .filter_map(|(index, entry)| Some((entry.bounds?.min[axis], index as u32)))
        .collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut columns = Columns::default();
    for (begin, index) in order {
        let entry = &entries[index as usize];
        let Some(bounds) = entry.bounds else { continue };
        let (min, max) = (bounds.min, bounds.max);
        columns.begin.push(begin);
        columns.end.push(max[axis]);
        columns
            .others
            .push([min[next], max[next], min[last], max[last]]);
        columns.moves.push(entry.moves);
        columns.index.push(index);
    }
    columns
}

/// The axis on which the boxes' middles vary most; the choice changes the time taken, never the answer.
fn widest_axis(entries: &[Entry]) -> usize {
    let (mut count, mut sum, mut squares) = (0.0, DVec3::ZERO, DVec3::ZERO);
    let finite = entries.iter().filter(|entry| entry.can_meet());
    for bounds in finite.filter_map(|entry| entry.bounds) {
        let middle = bounds.min * 0.5 + bounds.max * 0.5;
        count += 1.0;
        sum += middle;
        squares += middle * middle;
    }
    let variance = squares - sum * sum / f64::max(count, 1.0);
    (1..3).fold(0, |best, axis| {
        if variance[axis] > variance[best] {
            axis
        } else {
            best
        }
    })
}

fn sweep(columns: &Columns, pairs: &mut Vec<(u32, u32)>) {
    let count = columns.begin.len();
    for first in 0..count {
        let (begin, end) = (columns.begin[first], columns.end[first]);
        let [min_1, max_1, min_2, max_2] = columns.others[first];
        let (moves, index) = (columns.moves[first], columns.index[first]);
        for second in first + 1..count {
            if columns.begin[second] > end {
                break;
            }
            let other = &columns.others[second];
            let overlap = (moves | columns.moves[second])
                & (begin <= columns.end[second])
                & (min_1 <= other[1])
                & (other[0] <= max_1)
                & (min_2 <= other[3])
                & (other[2] <= max_2);
            if overlap {
                let other = columns.index[second];
                pairs.push((index.min(other), index.max(other)));
            }
        }
    }
}

fn add_unbounded(entries: &[Entry], pairs: &mut Vec<(u32, u32)>) {
    for (index, unbounded) in entries.iter().enumerate() {
        if unbounded.bounds.is_some() {
            continue;
        }
        for (other, entry) in entries.iter().enumerate() {
            // Two unbounded entries are found once, from the later one.
            let once = entry.bounds.is_some() || other < index;
            if once && entry.can_meet() && (unbounded.moves || entry.moves) {
                pairs.push((index.min(other) as u32, index.max(other) as u32));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::shape::Aabb;
    use super::super::brute_force;
    use super::*;
    use proptest::prelude::*;

    /// Random, clustered, snapped to a grid (so that boxes touch), huge, without extent, inside out and not finite.
    fn coordinate() -> impl Strategy<Value = f64> {
        prop_oneof![
            8 => -10.0..10.0,
            4 => (-6_i32..6).prop_map(f64::from),
            2 => -0.1..0.1,
            1 => -1e300..1e300,
            1 => prop::sample::select(vec![
                0.0, -0.0, f64::MAX, -f64::MAX, f64::NAN, f64::INFINITY, f64::NEG_INFINITY,
            ]),
        ]
    }

    fn entry() -> impl Strategy<Value = Entry> {
        let point = || [coordinate(), coordinate(), coordinate()].prop_map(DVec3::from);
        let size = prop_oneof![
            4 => (0_i32..3).prop_map(|size| DVec3::splat(f64::from(size))),
            4 => (0.0..4.0, 0.0..4.0, 0.0..4.0).prop_map(|(x, y, z)| DVec3::new(x, y, z)),
            1 => Just(DVec3::splat(-1.0)),
            1 => Just(DVec3::splat(f64::MAX)),
        ];
        let bounds = (point(), size).prop_map(|(min, size)| Aabb {
            min,
            max: min + size,
        });
        (prop::option::weighted(0.9, bounds), any::<bool>())
            .prop_map(|(bounds, moves)| Entry { bounds, moves })
    }

    proptest! {
        #[test]
        fn finds_what_brute_force_finds(entries in prop::collection::vec(entry(), 0..60)) {
            prop_assert_eq!(candidate_pairs(&entries), brute_force(&entries));
        }
    }

    #[test]
    fn ten_thousand_in_a_crowd_are_the_same_as_brute_force() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut unit = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let entries: Vec<Entry> = (0..10_000)
            .map(|index| {
                let min = DVec3::new(unit(), unit(), unit()) * 100.0;
                let max = min + DVec3::ONE;
                Entry {
                    bounds: Some(Aabb { min, max }),
                    moves: index % 3 > 0,
                }
            })
            .collect();
        let start = std::time::Instant::now();
        let pairs = candidate_pairs(&entries);
        let took = start.elapsed();
        assert!(pairs.len() > 100);
        assert_eq!(pairs, brute_force(&entries));
        // A few milliseconds where it runs alone; the bound is for a busy machine.
        assert!(took.as_millis() < 500, "{took:?}");
    }
}
