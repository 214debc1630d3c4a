//! Sort and sweep (also: sweep and prune) in columns, after Baraff 1992 and Ericson 2005, 7.5: space is cut into a grid of
//! columns along one axis; in each, the boxes are sorted by where they begin on that axis, and each is held against those
//! that begin before it ends. Columns change the time taken, never the answer: a pair that shares several is found in the first.

use super::Entry;
use glam::DVec3;
use std::ops::Range;

/// Most columns side by side; more would cost memory and save nothing.
const MOST_COLUMNS: usize = 256;

/// Boxes a column should hold at least, or cutting it costs more than it saves.
const COLUMN_WORTH: usize = 16;

/// In how many columns boxes may lie on the average.
const COPIES: usize = 6;

/// How many boxes are looked at for their usual size.
const SAMPLED: usize = 64;

/// Pairs `(i, j)`, `i < j`, whose boxes overlap (inclusive) and of which at least one moves; sorted.
///
/// Boxes with a component that is not finite pair with nothing. The oracle is [`super::brute_force`].
pub fn candidate_pairs(entries: &[Entry]) -> Vec<(u32, u32)> {
    let boxes: Vec<Slot> = (0..)
        .zip(entries)
        .filter_map(|(index, entry)| Slot::of(index, entry))
        .collect();
    let mut pairs = Vec::with_capacity(2 * entries.len());
    sweep(boxes, &mut pairs);
    add_unbounded(entries, &mut pairs);
    sorted(entries.len(), pairs)
}

/// A bounded entry; its axes reordered once they are chosen, so that the first is swept and the other two cut.
#[derive(Clone, Copy)]
struct Slot {
    min: [f64; 3],
    max: [f64; 3],
    /// Where it begins and ends on the swept axis, as whole numbers that rise with the coordinate (not strictly).
    begin: u32,
    end: u32,
    /// The first column it lies in, on both cut axes.
    column: [u16; 2],
    /// The entry, with its lowest bit the answer to whether it moves.
    index: u32,
}

impl Slot {
    fn of(index: u32, entry: &Entry) -> Option<Self> {
        let bounds = entry.bounds.filter(|_| entry.can_meet())?;
        Some(Self {
            min: bounds.min.to_array(),
            max: bounds.max.to_array(),
            begin: 0,
            end: 0,
            column: [0, 0],
            index: index << 1 | u32::from(entry.moves),
        })
    }

    /// Is this the first of the columns that both lie in?
    fn shares_first(&self, other: &Self, column: [u16; 2]) -> bool {
        (self.column[0].max(other.column[0]) == column[0])
            & (self.column[1].max(other.column[1]) == column[1])
    }

    fn meets(&self, other: &Self) -> bool {
        ((self.index | other.index) & 1 == 1)
            & (self.min[0] <= other.max[0])
            & (other.min[0] <= self.max[0])
            & (self.min[1] <= other.max[1])
            & (other.min[1] <= self.max[1])
            & (self.min[2] <= other.max[2])
            & (other.min[2] <= self.max[2])
    }
}

/// Whole numbers for coordinates: the higher coordinate never has the lower number.
#[derive(Clone, Copy)]
struct Scale {
    from: f64,
    per_metre: f64,
    most: u32,
}

impl Scale {
    fn number(&self, coordinate: f64) -> u32 {
        // Saturates at both ends, and so stays in order.
        (((coordinate - self.from) * self.per_metre) as u32).min(self.most)
    }
}

/// How the boxes lie on one axis.
struct Spread {
    middle: f64,
    deviation: f64,
    usual_size: f64,
}

impl Spread {
    /// How far they are scattered, in sizes of theirs: the more, the fewer meet on this axis.
    fn worth(&self) -> f64 {
        let worth = self.deviation / (self.usual_size + self.deviation * 1e-9);
        if worth.is_finite() { worth } else { 0.0 }
    }

    /// Numbers for a stretch of so many deviations around the middle; `step` metres each, if that makes no more than `most`.
    fn scale(&self, deviations: f64, step: f64, most: u32) -> Scale {
        let width = deviations * self.deviation;
        let step = step.max(width / f64::from(most));
        let per_metre = step.recip();
        if !(per_metre.is_finite() && per_metre > 0.0 && self.middle.is_finite()) {
            return Scale {
                from: 0.0,
                per_metre: 0.0,
                most: 0,
            };
        }
        Scale {
            from: self.middle - 0.5 * width,
            per_metre,
            most: ((width * per_metre) as u32).min(most),
        }
    }
}

fn spread(boxes: &[Slot]) -> [Spread; 3] {
    let (mut sum, mut squares) = (DVec3::ZERO, DVec3::ZERO);
    let first = boxes
        .first()
        .map_or(DVec3::ZERO, |slot| DVec3::from(slot.min));
    for slot in boxes {
        let middle = (DVec3::from(slot.min) - first) * 0.5 + (DVec3::from(slot.max) - first) * 0.5;
        sum += middle;
        squares += middle * middle;
    }
    let mean = sum / boxes.len() as f64;
    let deviation = (squares / boxes.len() as f64 - mean * mean).max(DVec3::ZERO);
    let step = boxes.len() / SAMPLED + 1;
    std::array::from_fn(|axis| {
        let mut sizes: Vec<f64> = boxes
            .iter()
            .step_by(step)
            .map(|slot| slot.max[axis] - slot.min[axis])
            .collect();
        sizes.sort_by(f64::total_cmp);
        Spread {
            middle: (mean + first)[axis],
            deviation: deviation[axis].sqrt(),
            usual_size: sizes.get(sizes.len() / 2).map_or(0.0, |size| size.max(0.0)),
        }
    })
}

/// The two axes that are cut.
type Grid = [Scale; 2];

/// Puts the axis to sweep first, numbers the boxes on it, and says how the other two are cut.
fn arrange(boxes: &mut [Slot]) -> Grid {
    let spread = spread(boxes);
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| spread[b].worth().total_cmp(&spread[a].worth()));
    let along = spread[axes[0]].scale(32.0, 0.0, u32::MAX);
    let side = (boxes.len() / COLUMN_WORTH).isqrt().clamp(1, MOST_COLUMNS) as u32;
    let mut grid = [axes[1], axes[2]].map(|axis| {
        let spread = &spread[axis];
        spread.scale(4.0, 2.0 * spread.usual_size, side - 1)
    });
    for slot in boxes.iter_mut() {
        slot.min = axes.map(|axis| slot.min[axis]);
        slot.max = axes.map(|axis| slot.max[axis]);
        slot.begin = along.number(slot.min[0]);
        slot.end = along.number(slot.max[0]);
    }
    // Wide boxes lie in many columns: fewer columns, until that is bearable.
    let copies = |grid: &Grid| -> usize {
        let of = |slot: &Slot| {
            columns(slot, grid)
                .map(|side| side.len())
                .iter()
                .product::<usize>()
        };
        boxes.iter().map(of).sum()
    };
    while grid.iter().any(|scale| scale.most > 0) && copies(&grid) > COPIES * boxes.len() {
        for scale in &mut grid {
            scale.most /= 2;
            scale.per_metre *= 0.5;
        }
    }
    grid
}

/// The columns a box lies in, on both cut axes; also one that is inside out, whose `min` is beyond its `max`.
fn columns(slot: &Slot, grid: &Grid) -> [Range<u32>; 2] {
    std::array::from_fn(|side| {
        let number = |coordinate: f64| grid[side].number(coordinate);
        let (one, other) = (number(slot.min[side + 1]), number(slot.max[side + 1]));
        one.min(other)..one.max(other) + 1
    })
}

/// Visits the number of every column a box lies in.
fn for_each_column(slot: &Slot, grid: &Grid, mut visit: impl FnMut(usize)) {
    let [rows, places] = columns(slot, grid);
    for row in rows {
        for place in places.clone() {
            visit((row * (grid[1].most + 1) + place) as usize);
        }
    }
}

fn sweep(mut boxes: Vec<Slot>, pairs: &mut Vec<(u32, u32)>) {
    let grid = arrange(&mut boxes);
    let deep = grid[1].most + 1;
    // Where each column's boxes stand in `order`, which holds the beginning and the box.
    let mut ends = vec![0_usize; ((grid[0].most + 1) * deep) as usize + 1];
    for slot in &mut boxes {
        slot.column = columns(slot, &grid).map(|side| side.start as u16);
        for_each_column(slot, &grid, |column| ends[column + 1] += 1);
    }
    for column in 1..ends.len() {
        ends[column] += ends[column - 1];
    }
    let mut order = vec![0_u64; ends[ends.len() - 1]];
    for (number, slot) in (0_u64..).zip(&boxes) {
        for_each_column(slot, &grid, |column| {
            let at = &mut ends[column];
            order[*at] = u64::from(slot.begin) << 32 | number;
            *at += 1;
        });
    }
    let (mut start, mut slots, mut met) = (0, Vec::new(), Vec::new());
    for (column, &end) in (0..).zip(&ends[..ends.len() - 1]) {
        let order = &mut order[start..end];
        order.sort_unstable();
        slots.clear();
        let by_key = |&key: &u64| boxes[(key & u64::from(u32::MAX)) as usize];
        slots.extend(order.iter().map(by_key));
        let column = [(column / deep) as u16, (column % deep) as u16];
        sweep_column(column, &slots, &mut met, pairs);
        start = end;
    }
}

fn sweep_column(column: [u16; 2], slots: &[Slot], met: &mut Vec<u32>, pairs: &mut Vec<(u32, u32)>) {
    met.resize(slots.len(), 0);
    for (at, slot) in slots.iter().enumerate() {
        let mut count = 0;
        for other in &slots[at + 1..] {
            if other.begin > slot.end {
                break;
            }
            // Written always and kept where it counts: a jump would be guessed wrong too often.
            met[count] = other.index >> 1;
            count += usize::from(slot.meets(other) & slot.shares_first(other, column));
        }
        let index = slot.index >> 1;
        pairs.extend(
            met[..count]
                .iter()
                .map(|&other| (index.min(other), index.max(other))),
        );
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
    let mut ends = vec![0_u32; count + 1];
    for &(first, _) in &pairs {
        ends[first as usize + 1] += 1;
    }
    for first in 1..ends.len() {
        ends[first] += ends[first - 1];
    }
    let mut dealt = vec![(0, 0); pairs.len()];
    for &pair in &pairs {
        let at = &mut ends[pair.0 as usize];
        dealt[*at as usize] = pair;
        *at += 1;
    }
    let mut start = 0;
    for &end in &ends[..count] {
        dealt[start as usize..end as usize].sort_unstable_by_key(|&(_, second)| second);
        start = end;
    }
    dealt
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
