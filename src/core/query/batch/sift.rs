//! The way of a batch: a quick look at all pairs, and what it leaves open gathered into full blocks for the long one.
//!
//! Most candidate pairs are apart by far. A quick look in `f32`, twice as many to a vector and without roots, tells so outside
//! its error bounds, and nothing else; the others, scattered among them, are brought together, so that no lane of the long look
//! is wasted on a pair that is told already.

use super::BLOCK;
use super::columns::Block;

/// Pairs that are looked at before those left open are gathered: what was read of them is still near.
const STRETCH: usize = 32 * BLOCK;

/// Asks `apart` about every block by its number; the pairs that it does not set are left open, and handed to `finish` in order, as
/// many as a block holds at a time.
#[inline(always)]
pub(super) fn sift(
    count: usize,
    apart: impl Fn(usize) -> [u32; BLOCK],
    mut finish: impl FnMut(&[u32]),
) {
    let mut open = [0; STRETCH];
    let mut found = 0;
    for number in 0..count.div_ceil(BLOCK) {
        let end = (number + 1) * BLOCK;
        found = open_places(count, end - BLOCK, &apart(number), &mut open, found);
        if end.is_multiple_of(STRETCH) || end >= count {
            for pairs in open[..found].chunks(BLOCK) {
                finish(pairs);
            }
            found = 0;
        }
    }
}

/// Appends the pairs of a block that are not apart, and answers how many there are now.
#[inline(always)]
fn open_places(
    count: usize,
    start: usize,
    apart: &[u32; BLOCK],
    open: &mut [u32; STRETCH],
    mut found: usize,
) -> usize {
    let mut bits = 0;
    for (place, &apart) in apart.iter().enumerate() {
        bits |= u32::from(apart == 0) << place;
    }
    let beyond = (start + BLOCK).saturating_sub(count).min(BLOCK) as u32;
    bits = bits.checked_shl(beyond).map_or(0, |bits| bits >> beyond);
    while bits != 0 {
        open[found % STRETCH] = start as u32 + bits.trailing_zeros();
        found += 1;
        bits &= bits - 1;
    }
    found
}

/// Some pairs' numbers side by side; what was in the block beyond them stays.
#[inline(always)]
pub(super) fn gather<const N: usize>(pairs: &[u32], blocks: &[Block<N>], to: &mut Block<N>) {
    for (place, &pair) in pairs.iter().enumerate().take(BLOCK) {
        let (from, at) = (&blocks[pair as usize / BLOCK], pair as usize % BLOCK);
        for (to, from) in to.iter_mut().zip(from) {
            to[place] = from[at];
        }
    }
}

/// Three columns from `first` on as seen from other three, rounded to `f32` afterwards: what is near keeps its digits wherever it
/// lies.
#[inline(always)]
pub(super) fn seen_from<const N: usize>(
    points: &Block<N>,
    first: usize,
    eyes: [&[f64; BLOCK]; 3],
) -> Block<3, f32> {
    let mut seen = [[0.0; BLOCK]; 3];
    for axis in 0..3 {
        let columns = points[first + axis].iter().zip(eyes[axis]);
        for (seen, (point, eye)) in seen[axis].iter_mut().zip(columns) {
            *seen = (point - eye) as f32;
        }
    }
    seen
}

/// `M` columns from `first` on, rounded to `f32`.
#[inline(always)]
pub(super) fn rounded<const N: usize, const M: usize>(
    block: &Block<N>,
    first: usize,
) -> Block<M, f32> {
    let mut rounded = [[0.0; BLOCK]; M];
    for (number, rounded) in rounded.iter_mut().enumerate() {
        for (rounded, number) in rounded.iter_mut().zip(&block[first + number]) {
            *rounded = *number as f32;
        }
    }
    rounded
}

/// A vector in `f32`, as a quick look has it.
#[derive(Clone, Copy)]
pub(super) struct Single {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

impl Single {
    #[inline(always)]
    pub fn at(columns: &Block<3, f32>, place: usize) -> Self {
        let [x, y, z] = columns;
        Self {
            x: x[place],
            y: y[place],
            z: z[place],
        }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// The sum of the sizes of its coordinates.
    #[inline(always)]
    pub fn size(self) -> f32 {
        self.x.abs() + self.y.abs() + self.z.abs()
    }
}

/// Half a unit in the last place of 1: by so much of its size a number rounded to `f32` is off at most.
pub(super) const ROUNDING: f32 = 0.5 * f32::EPSILON;
