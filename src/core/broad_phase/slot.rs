//! A box in numbers, and the columns it lies in.

use super::Entry;
use super::grid::Grid;

/// Marks of a slot: that it rests, and that on the first, on the second cut axis it begins in another column than the one it
/// lies in. A pair of which both have a mark is none, or is found elsewhere.
const RESTS: i16 = 1;
const ENTERS: [i16; 2] = [2, 4];

/// A bounded entry in numbers.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    /// Where it begins and ends on the axes in the order of [`Grid::axes`].
    pub begin: [i16; 3],
    pub end: [i16; 3],
    pub marks: i16,
    /// The entry.
    pub index: u32,
}

impl Slot {
    /// `None` for what is unbounded or not finite.
    #[inline(always)]
    pub(super) fn of(index: u32, entry: &Entry, grid: &Grid) -> Option<Self> {
        let bounds = entry.bounds.filter(|_| entry.can_meet())?;
        Some(Self {
            begin: grid.numbers(bounds.min),
            end: grid.numbers(bounds.max),
            marks: if entry.moves { 0 } else { RESTS },
            index,
        })
    }

    /// The same with more marks.
    fn marked(self, marks: i16) -> Self {
        Self {
            marks: self.marks | marks,
            ..self
        }
    }

    /// The first and the last column it lies in on a cut axis; also if it is inside out, ending before it begins.
    fn columns(&self, cut: usize, shift: u32) -> [usize; 2] {
        let (begin, end) = (self.begin[cut + 1], self.end[cut + 1]);
        [
            begin.min(end) as usize >> shift,
            begin.max(end) as usize >> shift,
        ]
    }
}

/// Where a slot lies among the columns.
pub(super) struct Span {
    rows: [usize; 2],
    places: [usize; 2],
    deep: usize,
}

impl Span {
    #[inline(always)]
    pub(super) fn of(slot: &Slot, grid: &Grid) -> Self {
        let [one, other] = grid.cuts;
        Self {
            rows: slot.columns(0, one.shift),
            places: slot.columns(1, other.shift),
            deep: other.count(),
        }
    }

    /// How many columns.
    pub(super) fn count(&self) -> usize {
        let length = |[first, last]: [usize; 2]| last - first + 1;
        length(self.rows) * length(self.places)
    }

    /// Visits the number of every column, with the slot as it is marked there.
    #[inline(always)]
    pub(super) fn visit(&self, slot: &Slot, mut visit: impl FnMut(usize, Slot)) {
        let [row, last_row] = self.rows;
        let [place, last_place] = self.places;
        if self.count() == 1 {
            // The usual case without loops, whose lengths would be guessed wrong too often.
            return visit(row * self.deep + place, *slot);
        }
        let mark = |enters: bool, mark: i16| if enters { mark } else { 0 };
        for across in row..=last_row {
            for aside in place..=last_place {
                let marks = mark(across > row, ENTERS[0]) | mark(aside > place, ENTERS[1]);
                visit(across * self.deep + aside, slot.marked(marks));
            }
        }
    }
}
