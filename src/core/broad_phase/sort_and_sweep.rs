//! Sort and sweep (also: sweep and prune) in columns, after Baraff 1992 and Ericson 2005, 7.5: space is cut into a grid of
//! columns along one axis; in each, the boxes are sorted by where they begin on that axis, and each is held against those
//! that begin before it ends. Columns change the time taken, never the answer: a pair that shares several is found in the first.
//!
//! Boxes are held against each other as whole numbers, many at once, which lets a few too many through; those are tested
//! exactly at the end.

use super::Entry;
use super::column::{Column, add_up};
use super::grid::{Cut, Grid};
use super::slot::{Slot, Span};
use fearless_simd::{Level, Simd, dispatch};
use rayon::prelude::*;

/// Boxes a column should hold at least, or cutting it costs more than it saves.
const COLUMN_WORTH: usize = 512;

/// In how many columns boxes may lie on the average.
const COPIES: usize = 6;

/// Pairs `(i, j)`, `i < j`, whose boxes overlap (inclusive) and of which at least one moves; sorted.
///
/// Sort and sweep in columns (Baraff 1992; Ericson 2005, 7.5). Boxes with a component that is not finite pair with nothing. The
/// oracle is [`super::brute_force`].
pub fn candidate_pairs(entries: &[Entry]) -> Vec<(u32, u32)> {
    pairs_with(Level::new(), COLUMN_WORTH, entries)
}

/// The pairs of [`candidate_pairs`], found by all threads of the pool. A caller that holds a lock may wait for itself, as its
/// thread takes other work of the pool meanwhile.
pub fn candidate_pairs_in_parallel(entries: &[Entry]) -> Vec<(u32, u32)> {
    parallel_pairs_with(Level::new(), COLUMN_WORTH, entries)
}

/// Visits the pairs of [`candidate_pairs`], each once, in no order that means anything, and stores none of them: n boxes in one
/// place are n (n - 1) / 2 pairs.
pub fn visit_pairs(entries: &[Entry], mut visit: impl FnMut(u32, u32)) {
    visit_with(Level::new(), COLUMN_WORTH, entries, &mut visit);
}

/// The same answer on each set of instructions, and for whatever a column should hold.
fn pairs_with(level: Level, worth: usize, entries: &[Entry]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::with_capacity(2 * entries.len());
    visit_with(level, worth, entries, &mut |a, b| pairs.push((a, b)));
    sorted(entries.len(), pairs)
}

fn visit_with(level: Level, worth: usize, entries: &[Entry], visit: &mut impl FnMut(u32, u32)) {
    dispatch!(level, simd => {
        let columns = Columns::of(entries, worth);
        let mut column = Column::default();
        for slots in columns.iter() {
            sweep(simd, &mut column, slots, entries, visit);
        }
    });
    visit_unbounded(entries, visit);
}

fn parallel_pairs_with(level: Level, worth: usize, entries: &[Entry]) -> Vec<(u32, u32)> {
    let columns = dispatch!(level, _simd => Columns::of(entries, worth));
    let columns: Vec<&[Slot]> = columns.iter().collect();
    let found = columns
        .into_par_iter()
        .map_init(Column::default, |column, slots| {
            let mut pairs = Vec::new();
            let mut visit = |a, b| pairs.push((a, b));
            dispatch!(level, simd => sweep(simd, column, slots, entries, &mut visit));
            pairs
        });
    let mut pairs: Vec<(u32, u32)> = found.flatten_iter().collect();
    visit_unbounded(entries, &mut |a, b| pairs.push((a, b)));
    sorted(entries.len(), pairs)
}

/// Visits the pairs of one column.
#[inline(always)]
fn sweep(
    simd: impl Simd,
    column: &mut Column,
    slots: &[Slot],
    entries: &[Entry],
    visit: &mut impl FnMut(u32, u32),
) {
    column.fill(slots);
    column.visit(simd, |a, b, sure| {
        if sure || overlap(entries, a, b) {
            visit(a.min(b), a.max(b));
        }
    });
}

/// The bounded entries, column by column.
struct Columns {
    slots: Vec<Slot>,
    /// Where each column ends among the slots.
    ends: Vec<u32>,
}

impl Columns {
    /// Columns that hold `worth` boxes or more.
    #[inline(always)]
    fn of(entries: &[Entry], worth: usize) -> Self {
        let mut grid = Grid::of(entries, worth);
        let slots = numbered(entries, &grid);
        // Wide boxes lie in many columns: fewer columns, until that is bearable.
        while grid.columns() > 1 && copies(&slots, &grid) > COPIES * slots.len() {
            grid.cuts.iter_mut().for_each(Cut::coarser);
        }
        if grid.columns() == 1 {
            let ends = vec![slots.len() as u32];
            return Self { slots, ends };
        }
        let mut ends = column_sizes(&slots, &grid);
        let slots = in_columns(&slots, &grid, &mut ends);
        Self { slots, ends }
    }

    fn iter(&self) -> impl Iterator<Item = &[Slot]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = begins.zip(&self.ends);
        ranges.map(|(begin, end)| &self.slots[begin as usize..*end as usize])
    }
}

/// The bounded entries in numbers.
#[inline(always)]
fn numbered(entries: &[Entry], grid: &Grid) -> Vec<Slot> {
    let mut slots = Vec::with_capacity(entries.len());
    for (index, entry) in (0..).zip(entries) {
        slots.extend(Slot::of(index, entry, grid));
    }
    slots
}

/// In how many columns the slots lie, all together.
fn copies(slots: &[Slot], grid: &Grid) -> usize {
    slots.iter().map(|slot| Span::of(slot, grid).count()).sum()
}

/// How many slots lie in each column.
fn column_sizes(slots: &[Slot], grid: &Grid) -> Vec<u32> {
    let mut sizes = vec![0; grid.columns()];
    for slot in slots {
        Span::of(slot, grid).visit(slot, |column, _| sizes[column] += 1);
    }
    sizes
}

/// The slots column by column; of `ends`, what counted each column becomes its end.
fn in_columns(slots: &[Slot], grid: &Grid, ends: &mut [u32]) -> Vec<Slot> {
    let mut columns = vec![Slot::default(); add_up(ends) as usize];
    for slot in slots {
        Span::of(slot, grid).visit(slot, |column, marked| {
            let end = &mut ends[column];
            columns[*end as usize] = marked;
            *end += 1;
        });
    }
    columns
}

fn overlap(entries: &[Entry], a: u32, b: u32) -> bool {
    let bounds = |index: u32| &entries[index as usize].bounds;
    match (bounds(a), bounds(b)) {
        (Some(a), Some(b)) => a.overlaps(b),
        _ => true,
    }
}

fn visit_unbounded(entries: &[Entry], visit: &mut impl FnMut(u32, u32)) {
    for (index, unbounded) in entries.iter().enumerate() {
        if unbounded.bounds.is_some() {
            continue;
        }
        for (other, entry) in entries.iter().enumerate() {
            // Two unbounded entries are found once, from the later one.
            let once = entry.bounds.is_some() || other < index;
            if once && entry.can_meet() && (unbounded.moves || entry.moves) {
                visit(index.min(other) as u32, index.max(other) as u32);
            }
        }
    }
}

/// Sorts pairs of numbers below `count`: dealt out by their second, then by their first.
fn sorted(count: usize, mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    if pairs.len() < count / 4 {
        pairs.sort_unstable();
        return pairs;
    }
    let (mut firsts, mut seconds) = (vec![0_u32; count], vec![0_u32; count]);
    for &(first, second) in &pairs {
        firsts[first as usize] += 1;
        seconds[second as usize] += 1;
    }
    add_up(&mut firsts);
    add_up(&mut seconds);
    let mut dealt = vec![(0, 0); pairs.len()];
    for &pair in &pairs {
        deal(pair, &mut seconds[pair.1 as usize], &mut dealt);
    }
    for &pair in &dealt {
        deal(pair, &mut firsts[pair.0 as usize], &mut pairs);
    }
    pairs
}

/// Puts a pair at its place and takes the next one for the next.
fn deal(pair: (u32, u32), at: &mut u32, to: &mut [(u32, u32)]) {
    to[*at as usize] = pair;
    *at += 1;
}

#[cfg(test)]
mod tests {
    use super::super::super::shape::Aabb;
    use super::super::brute_force;
    use super::*;
    use crate::random::{Random, rounds};
    use glam::DVec3;

    /// Random, clustered, snapped to a grid (so that boxes touch), huge, without extent, inside out and not finite.
    fn coordinate(random: &mut Random) -> f64 {
        const ODD: [f64; 7] = [
            0.0,
            -0.0,
            f64::MAX,
            -f64::MAX,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        match random.below(16) {
            0..8 => random.range(-10.0, 10.0),
            8..12 => random.below(12) as f64 - 6.0,
            12..14 => random.range(-0.1, 0.1),
            14 => random.range(-1.0, 1.0) * 1e300,
            _ => random.pick(&ODD),
        }
    }

    fn entry(random: &mut Random) -> Entry {
        let min = DVec3::from([(); 3].map(|()| coordinate(random)));
        let size = match random.below(10) {
            0..4 => DVec3::splat(random.below(3) as f64),
            4..8 => random.point(4.0).abs(),
            8 => DVec3::splat(-1.0),
            _ => DVec3::splat(f64::MAX),
        };
        let bounds = Aabb {
            min,
            max: min + size,
        };
        Entry {
            bounds: (random.below(10) > 0).then_some(bounds),
            moves: random.yes(),
        }
    }

    #[test]
    fn finds_what_brute_force_finds() {
        for seed in 0..rounds(2560) {
            let mut random = Random(seed);
            let entries: Vec<Entry> = (0..random.below(100)).map(|_| entry(&mut random)).collect();
            let worth = random.pick(&[1, 8, COLUMN_WORTH]);
            let expected = brute_force(&entries);
            for level in [Level::baseline(), Level::new()] {
                let found = pairs_with(level, worth, &entries);
                assert_eq!(found, expected, "seed {seed}");
                let found = parallel_pairs_with(level, worth, &entries);
                assert_eq!(found, expected, "in parallel, seed {seed}");
            }
        }
    }

    #[test]
    fn thousands_in_a_crowd_are_the_same_as_brute_force() {
        let mut random = Random(88_172_645);
        let entries: Vec<Entry> = (0..3000)
            .map(|index| {
                let min = random.point(20.0);
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
