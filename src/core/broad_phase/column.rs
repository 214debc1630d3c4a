//! The boxes of one column, sorted, sixteen side by side, so that one is held against sixteen at once.

use super::grid::LAST;
use super::slot::Slot;
use fearless_simd::{Simd, i16x16};

/// Slots side by side.
const WIDE: usize = 16;

/// Places by which a column is sorted are at least and at most 2 to this power: their counts stay near the processor.
const PLACE_BITS: (u32, u32) = (4, 10);

/// Counts become the places where each begins; returns the sum.
pub(super) fn add_up(counts: &mut [u32]) -> u32 {
    counts.iter_mut().fold(0, |sum, count| {
        let next = sum + *count;
        *count = sum;
        next
    })
}

/// Sixteen slots, each number of theirs side by side.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Block {
    begin: [[i16; WIDE]; 3],
    end: [[i16; WIDE]; 3],
    marks: [i16; WIDE],
    index: [u32; WIDE],
}

/// The slots of a column, by the place where they begin on the swept axis.
#[derive(Default)]
pub(super) struct Column {
    blocks: Vec<Block>,
    /// Numbers of a place on the swept axis, as a power of 2.
    shift: u32,
    /// How many slots begin at each place, then where the next of them goes.
    ends: Vec<u32>,
    /// What the sweep of a block found, and beyond that anything.
    found: Vec<Found>,
}

/// That a slot meets some of a block in numbers.
#[derive(Clone, Copy)]
struct Found {
    lane: u32,
    block: u32,
    /// -1 for each that is met, else 0.
    met: [i16; WIDE],
}

impl Column {
    /// Takes other slots in.
    pub(super) fn fill(&mut self, slots: &[Slot]) {
        let places = (slots.len().max(1).ilog2() + 1).clamp(PLACE_BITS.0, PLACE_BITS.1);
        self.shift = i16::BITS - 1 - places;
        self.ends.clear();
        self.ends.resize(1 << places, 0);
        for slot in slots {
            self.ends[slot.begin[0] as usize >> self.shift] += 1;
        }
        add_up(&mut self.ends);
        self.blocks
            .resize(slots.len().div_ceil(WIDE), Block::NOTHING);
        if let Some(last) = self.blocks.last_mut() {
            *last = Block::NOTHING;
        }
        for slot in slots {
            let at = &mut self.ends[slot.begin[0] as usize >> self.shift];
            self.blocks[*at as usize / WIDE].place(*at as usize % WIDE, slot);
            *at += 1;
        }
    }

    /// Visits the pairs of entries that meet in numbers, and whether they are sure to overlap.
    #[inline(always)]
    pub(super) fn visit(&mut self, simd: impl Simd, mut visit: impl FnMut(u32, u32, bool)) {
        for first in 0..self.blocks.len() {
            let count = self.sweep(simd, first);
            let a = &self.blocks[first];
            for found in &self.found[..count] {
                let b = &self.blocks[found.block as usize];
                let one = found.lane as usize % WIDE;
                let mut met = bits(simd, &found.met);
                while met != 0 {
                    let other = met.trailing_zeros() as usize % WIDE;
                    visit(a.index[one], b.index[other], a.surely_meets(one, b, other));
                    met &= met - 1;
                }
            }
        }
    }

    /// Holds each slot of a block against those behind it, and answers how many of `found` count.
    #[inline(always)]
    fn sweep<S: Simd>(&mut self, simd: S, first: usize) -> usize {
        let own = &self.blocks[first];
        let last = own.end[0].into_iter().fold(0, i16::max);
        // Places are in order, the numbers of a place are not.
        let last = (last | ((1 << self.shift) - 1)).min(LAST);
        let behind = self.blocks[first + 1..].iter();
        let ahead = behind.take_while(|block| block.begin[0][0] <= last).count();
        let blocks = &self.blocks[first..=first + ahead];
        let most = WIDE * blocks.len();
        if self.found.len() < most {
            self.found.resize(
                most,
                Found {
                    lane: 0,
                    block: 0,
                    met: [0; WIDE],
                },
            );
        }
        let mut count = 0;
        for (lane, after) in AFTER.iter().enumerate() {
            let seeker = Seeker::of(simd, own, lane);
            let mut after = simd.load_array_ref_i16x16(after);
            for (number, block) in blocks.iter().enumerate() {
                let (met, any) = seeker.meets(simd, block, after);
                // Written always and kept where it counts: a jump would be guessed wrong too often.
                self.found[count] = Found {
                    lane: lane as u32,
                    block: (first + number) as u32,
                    met,
                };
                count += usize::from(any);
                after = simd.splat_i16x16(-1);
            }
        }
        count
    }
}

impl Block {
    /// Meets nothing, and begins beyond all others.
    const NOTHING: Self = Self {
        begin: [[i16::MAX; WIDE]; 3],
        end: [[i16::MIN; WIDE]; 3],
        marks: [0; WIDE],
        index: [0; WIDE],
    };

    fn place(&mut self, lane: usize, slot: &Slot) {
        for axis in 0..3 {
            self.begin[axis][lane] = slot.begin[axis];
            self.end[axis][lane] = slot.end[axis];
        }
        self.marks[lane] = slot.marks;
        self.index[lane] = slot.index;
    }

    /// Are two that meet in numbers sure to overlap? Where the numbers differ, so do the coordinates.
    fn surely_meets(&self, one: usize, block: &Self, other: usize) -> bool {
        let inside = |axis: usize| {
            (self.begin[axis][one] < block.end[axis][other])
                & (block.begin[axis][other] < self.end[axis][one])
        };
        inside(0) & inside(1) & inside(2)
    }
}

/// A slot, held against sixteen others.
struct Seeker<S: Simd> {
    end: [i16x16<S>; 3],
    /// On the cut axes: on the swept one it begins first.
    begin: [i16x16<S>; 2],
    marks: i16x16<S>,
}

impl<S: Simd> Seeker<S> {
    #[inline(always)]
    fn of(simd: S, block: &Block, lane: usize) -> Self {
        let all = |numbers: &[i16; WIDE]| simd.splat_i16x16(numbers[lane]);
        Self {
            end: [all(&block.end[0]), all(&block.end[1]), all(&block.end[2])],
            begin: [all(&block.begin[1]), all(&block.begin[2])],
            marks: all(&block.marks),
        }
    }

    /// -1 for each slot of a block that it meets in numbers and with which it has no mark in common, among those of `after`;
    /// and whether there is one.
    #[inline(always)]
    fn meets(&self, simd: S, block: &Block, after: i16x16<S>) -> ([i16; WIDE], bool) {
        let load = |numbers: &[i16; WIDE]| simd.load_array_i16x16(*numbers);
        let before = |axis: usize| simd.simd_gt_i16x16(load(&block.begin[axis]), self.end[axis]);
        let behind =
            |axis: usize| simd.simd_gt_i16x16(self.begin[axis - 1], load(&block.end[axis]));
        let apart = (before(0) | before(1)) | (before(2) | behind(1)) | behind(2);
        let marks = simd.and_i16x16(load(&block.marks), self.marks);
        let meets = simd.simd_eq_i16x16(marks, simd.splat_i16x16(0)) & !apart;
        let after = simd.simd_eq_i16x16(after, simd.splat_i16x16(-1));
        let meets = meets & after;
        (
            simd.as_array_mask16x16(meets),
            simd.any_true_mask16x16(meets),
        )
    }
}

/// One bit for each lane that is -1 instead of 0.
#[inline(always)]
fn bits(simd: impl Simd, lanes: &[i16; WIDE]) -> u32 {
    let set = simd.and_i16x16(
        simd.load_array_ref_i16x16(lanes),
        simd.load_array_ref_i16x16(&BITS),
    );
    let bits = simd.as_array_i16x16(set).into_iter().fold(0, |a, b| a | b);
    u32::from(bits as u16)
}

/// One bit for each lane.
const BITS: [i16; WIDE] = {
    let (mut bits, mut lane) = ([0; WIDE], 0);
    while lane < WIDE {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// For each lane: -1 for those after it, 0 for the others.
const AFTER: [[i16; WIDE]; WIDE] = {
    let (mut after, mut at) = ([[0; WIDE]; WIDE], 0);
    while at < WIDE * WIDE {
        after[at / WIDE][at % WIDE] = if at % WIDE > at / WIDE { -1 } else { 0 };
        at += 1;
    }
    after
};
