//! A box in numbers, small enough that two axes of it are held against another's in one subtraction.

use super::Entry;
use super::grid::{BITS, Grid, PLACE_BITS};

/// The last number on a cut axis.
const LAST: u64 = (1 << BITS) - 1;

/// The lowest bit of each of the four numbers of [`Slot::sides`].
const ONES: u64 = 0x0001_0001_0001_0001;

/// The spare bit of each.
const SPARE: u64 = 0x8000_8000_8000_8000;

/// Where the parts of [`Slot::rest`] stand.
const BEGIN: u32 = 64 - PLACE_BITS;
const END: u32 = 37;

/// Marks of [`Slot::rest`]: that it rests, and that on the first, on the second cut axis it begins in another column than the
/// one it lies in. A pair of which both have a mark is none, or is found elsewhere.
const RESTS: u64 = 1 << 49;
const ENTERS: [u64; 2] = [1 << 50, 1 << 51];
const MARKS: u64 = RESTS | ENTERS[0] | ENTERS[1];

/// A bounded entry in numbers.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    /// Four numbers of 16 bits: where it begins on both cut axes, and how far before the last number it ends there.
    sides: u64,
    /// From the highest bits: the place where it begins on the swept axis, the marks, the place where it ends, the entry.
    rest: u64,
}

impl Slot {
    /// `None` for what is unbounded or not finite.
    pub(super) fn of(index: u32, entry: &Entry, grid: &Grid) -> Option<Self> {
        let bounds = entry.bounds.filter(|_| entry.can_meet())?;
        let (min, max) = (bounds.min.to_array(), bounds.max.to_array());
        let [along, one, other] = grid.axes;
        let place = |coordinate| grid.along.scale.number(coordinate) >> grid.along.shift;
        let numbers = [
            grid.cuts[0].scale.number(min[one]),
            grid.cuts[1].scale.number(min[other]),
            LAST - grid.cuts[0].scale.number(max[one]),
            LAST - grid.cuts[1].scale.number(max[other]),
        ];
        let moves = if entry.moves { 0 } else { RESTS };
        Some(Self {
            sides: numbers[0] | numbers[1] << 16 | numbers[2] << 32 | numbers[3] << 48,
            rest: place(min[along]) << BEGIN | moves | place(max[along]) << END | u64::from(index),
        })
    }

    /// The entry.
    pub(super) fn index(&self) -> u32 {
        self.rest as u32
    }

    /// The place where it begins on the swept axis.
    pub(super) fn begin(&self) -> usize {
        (self.rest >> BEGIN) as usize
    }

    fn end(&self) -> usize {
        (self.rest >> END) as usize & ((1 << PLACE_BITS) - 1)
    }

    /// The same with more marks.
    pub(super) fn marked(self, marks: u64) -> Self {
        Self {
            rest: self.rest | marks,
            ..self
        }
    }

    /// One of the four numbers.
    fn side(&self, number: u32) -> u32 {
        (self.sides >> (16 * number)) as u32 & LAST as u32
    }

    /// The first and the last column it lies in on a cut axis; also if it is inside out, ending before it begins.
    fn columns(&self, cut: u32, shift: u32) -> [u32; 2] {
        let (begin, end) = (self.side(cut), LAST as u32 - self.side(cut + 2));
        [begin.min(end) >> shift, begin.max(end) >> shift]
    }

    /// Are two that meet in numbers sure to overlap? Where the numbers differ, so do the coordinates.
    pub(super) fn surely_meets(&self, other: &Self) -> bool {
        let left = Seeker::of(self).reach - other.sides;
        (left - ONES) & SPARE == SPARE && other.begin() < self.end() && self.begin() < other.end()
    }
}

/// What the slots after one are held against.
pub(super) struct Seeker {
    /// What [`Slot::sides`] of another must not exceed, number by number: where this one ends, and how far before the last
    /// number it begins. The spare bits are set.
    reach: u64,
    marks: u64,
    /// What begins beyond its end has a higher [`Slot::rest`].
    last: u64,
}

impl Seeker {
    pub(super) fn of(slot: &Slot) -> Self {
        Self {
            reach: !slot.sides.rotate_left(32),
            marks: slot.rest & MARKS,
            last: (slot.end() as u64) << BEGIN | ((1 << BEGIN) - 1),
        }
    }

    /// Does it end before the other begins on the swept axis?
    pub(super) fn ends_before(&self, other: &Slot) -> bool {
        other.rest > self.last
    }

    /// Do the two overlap in numbers on both cut axes, and is the pair to be found here? No number exceeds its reach where no
    /// spare bit is borrowed from.
    pub(super) fn meets(&self, other: &Slot) -> bool {
        !(self.reach - other.sides) & SPARE | self.marks & other.rest == 0
    }
}

/// Where a slot lies among the columns.
pub(super) struct Span {
    rows: [u32; 2],
    places: [u32; 2],
    deep: u32,
}

impl Span {
    pub(super) fn of(slot: &Slot, grid: &Grid) -> Self {
        let [one, other] = grid.cuts;
        Self {
            rows: slot.columns(0, one.shift),
            places: slot.columns(1, other.shift),
            deep: other.count() as u32,
        }
    }

    /// How many columns.
    pub(super) fn count(&self) -> usize {
        let length = |[first, last]: [u32; 2]| (last - first + 1) as usize;
        length(self.rows) * length(self.places)
    }

    /// Visits the number of every column, with the marks of what does not begin there; `usize::MAX` is none.
    pub(super) fn visit(&self, mut visit: impl FnMut(usize, u64)) {
        let [row, last_row] = self.rows;
        let [place, last_place] = self.places;
        let at = |row: u32, place: u32| (row * self.deep + place) as usize;
        if last_row - row <= 1 && last_place - place <= 1 {
            // The usual case without a loop, whose length would be guessed wrong too often.
            let only = |wanted: bool, column: usize| if wanted { column } else { usize::MAX };
            let (down, aside) = (last_row > row, last_place > place);
            visit(at(row, place), 0);
            visit(only(aside, at(row, last_place)), ENTERS[1]);
            visit(only(down, at(last_row, place)), ENTERS[0]);
            visit(
                only(aside & down, at(last_row, last_place)),
                ENTERS[0] | ENTERS[1],
            );
            return;
        }
        for (down, row) in (row..=last_row).enumerate() {
            for (aside, place) in (place..=last_place).enumerate() {
                let mark = |enters: bool, mark: u64| if enters { mark } else { 0 };
                visit(
                    at(row, place),
                    mark(down > 0, ENTERS[0]) | mark(aside > 0, ENTERS[1]),
                );
            }
        }
    }
}
