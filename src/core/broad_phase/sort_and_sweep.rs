//! Sort and sweep (also: sweep and prune) in columns, after Baraff 1992 and Ericson 2005, 7.5: space is cut into a grid of
//! columns along one axis; in each, the boxes are sorted by where they begin on that axis, and each is held against those
//! that begin before it ends. Columns change the time taken, never the answer: a pair that shares several is found in the first.
//!
//! Boxes are held against each other as whole numbers, which lets a few too many through; those are tested exactly at the end.

use super::Entry;
use super::grid::{Cut, Grid};
use super::slot::{Seeker, Slot, Span};

/// In how many columns boxes may lie on the average.
const COPIES: usize = 6;

/// Pairs `(i, j)`, `i < j`, whose boxes overlap (inclusive) and of which at least one moves; sorted.
///
/// Boxes with a component that is not finite pair with nothing. The oracle is [`super::brute_force`].
pub fn candidate_pairs(entries: &[Entry]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::with_capacity(2 * entries.len());
    sweep(entries, &mut pairs);
    add_unbounded(entries, &mut pairs);
    sorted(entries.len(), pairs)
}

fn sweep(entries: &[Entry], pairs: &mut Vec<(u32, u32)>) {
    let mut grid = Grid::of(entries);
    let (slots, mut ends) = numbered(entries, &grid);
    // Wide boxes lie in many columns: fewer columns, until that is bearable.
    while ends.copies > COPIES * slots.len() && ends.column.len() > 2 {
        grid.cuts.iter_mut().for_each(Cut::coarser);
        ends.count_columns(&slots, &grid);
    }
    let slots = by_place(&slots, &mut ends.place);
    let columns = in_columns(&slots, &grid, &mut ends.column);
    let (mut start, mut met) = (0, Vec::new());
    for &end in &ends.column[..ends.column.len() - 1] {
        let slots = &columns[start..end as usize];
        let count = sweep_column(slots, &mut met);
        let met = met[..count].iter();
        let met = met.map(|&(one, other)| (&slots[one as usize], &slots[other as usize]));
        let overlap =
            |(a, b): &(&Slot, &Slot)| a.surely_meets(b) || overlap(entries, a.index(), b.index());
        pairs.extend(met.filter(overlap).map(|(a, b)| {
            let (a, b) = (a.index(), b.index());
            (a.min(b), a.max(b))
        }));
        start = end as usize;
    }
}

/// How many slots begin at each place, and lie in each column.
struct Ends {
    place: Vec<u32>,
    column: Vec<u32>,
    /// In all columns together.
    copies: usize,
}

impl Ends {
    fn count_columns(&mut self, slots: &[Slot], grid: &Grid) {
        self.clear_columns(grid);
        for slot in slots {
            self.count(slot, grid);
        }
    }

    fn clear_columns(&mut self, grid: &Grid) {
        self.copies = 0;
        self.column.clear();
        // One more than there are, for what lies in none.
        self.column.resize(grid.columns() + 1, 0);
    }

    fn count(&mut self, slot: &Slot, grid: &Grid) {
        let span = Span::of(slot, grid);
        self.copies += span.count();
        let none = self.column.len() - 1;
        span.visit(|column, _| self.column[column.min(none)] += 1);
    }
}

/// The bounded entries in numbers, counted.
fn numbered(entries: &[Entry], grid: &Grid) -> (Vec<Slot>, Ends) {
    let mut ends = Ends {
        place: vec![0; grid.along.count()],
        column: Vec::new(),
        copies: 0,
    };
    ends.clear_columns(grid);
    let mut slots = Vec::with_capacity(entries.len());
    for (index, entry) in (0..).zip(entries) {
        if let Some(slot) = Slot::of(index, entry, grid) {
            ends.place[slot.begin()] += 1;
            ends.count(&slot, grid);
            slots.push(slot);
        }
    }
    (slots, ends)
}

/// Counts become the places where each begins; answers with the sum.
fn add_up(counts: &mut [u32]) -> u32 {
    counts.iter_mut().fold(0, |sum, count| {
        let next = sum + *count;
        *count = sum;
        next
    })
}

/// Sorted by the place where they begin on the swept axis.
fn by_place(slots: &[Slot], ends: &mut [u32]) -> Vec<Slot> {
    add_up(ends);
    let mut sorted = vec![Slot::default(); slots.len()];
    for slot in slots {
        let at = &mut ends[slot.begin()];
        sorted[*at as usize] = *slot;
        *at += 1;
    }
    sorted
}

/// The slots column by column, by place in each; of `ends`, what counted each column becomes its end.
fn in_columns(slots: &[Slot], grid: &Grid, ends: &mut [u32]) -> Vec<Slot> {
    let none = ends.len() - 1;
    ends[none] = 0;
    let last = add_up(ends);
    let mut columns = vec![Slot::default(); last as usize + 1];
    for slot in slots {
        Span::of(slot, grid).visit(|column, marks| {
            let end = &mut ends[column.min(none)];
            columns[*end as usize] = slot.marked(marks);
            *end = last.min(*end + 1);
        });
    }
    columns
}

/// Finds, by their numbers in `slots`, the pairs of a column that may overlap; answers how many of `met` they are.
fn sweep_column(slots: &[Slot], met: &mut Vec<(u32, u32)>) -> usize {
    let mut count = 0;
    for (at, slot) in slots.iter().enumerate() {
        if met.len() < count + slots.len() {
            met.resize(2 * (count + slots.len()), (0, 0));
        }
        let seeker = Seeker::of(slot);
        for (number, other) in slots.iter().enumerate().skip(at + 1) {
            if seeker.ends_before(other) {
                break;
            }
            // Written always and kept where it counts: a jump would be guessed wrong too often.
            met[count] = (at as u32, number as u32);
            count += usize::from(seeker.meets(other));
        }
    }
    count
}

fn overlap(entries: &[Entry], a: u32, b: u32) -> bool {
    let bounds = |index: u32| &entries[index as usize].bounds;
    match (bounds(a), bounds(b)) {
        (Some(a), Some(b)) => a.overlaps(b),
        _ => true,
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

/// Sorts pairs of numbers below `count`: dealt out by their first, then each hand by its second.
fn sorted(count: usize, mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    if pairs.len() < count / 4 {
        pairs.sort_unstable();
        return pairs;
    }
    let mut ends = vec![0_u32; count];
    for &(first, _) in &pairs {
        ends[first as usize] += 1;
    }
    add_up(&mut ends);
    let mut seconds = vec![0; pairs.len()];
    for &(first, second) in &pairs {
        let at = &mut ends[first as usize];
        seconds[*at as usize] = second;
        *at += 1;
    }
    pairs.clear();
    let mut start = 0;
    for (first, &end) in (0..).zip(&ends) {
        let hand = &mut seconds[start as usize..end as usize];
        if hand.len() > 1 {
            hand.sort_unstable();
        }
        pairs.extend(hand.iter().map(|&second| (first, second)));
        start = end;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::super::shape::Aabb;
    use super::super::brute_force;
    use super::*;
    use glam::DVec3;
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
        let pairs = candidate_pairs(&entries);
        assert!(pairs.len() > 100);
        assert_eq!(pairs, brute_force(&entries));
    }
}
