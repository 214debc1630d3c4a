//! The way of a batch: a quick look at all pairs, and what it leaves open gathered into full blocks for the long one.
//!
//! Most candidate pairs are apart by far. A quick look in `f32`, twice as many to a vector and without roots, tells so outside
//! its error bounds, and nothing else; the others, scattered among them, are brought together, so that no lane of the long look
//! is wasted on a pair that is told already.

use super::BLOCK;

/// Asks `apart` about every block by its number. The pairs that it does not set are left open: `fetch` is told of each at once, and
/// `finish` gets them in order, as many as a block holds at a time, when the next so many have been found: one block is held back,
/// so that what was fetched has arrived.
#[inline(always)]
pub(super) fn sift(
    count: usize,
    apart: impl Fn(usize) -> [u32; BLOCK],
    fetch: impl Fn(u32),
    mut finish: impl FnMut(&[u32]),
) {
    let mut open = [0; 3 * BLOCK];
    let mut found = 0;
    for number in 0..count.div_ceil(BLOCK) {
        let start = number * BLOCK;
        let mut bits = open_places(count, start, &apart(number));
        while bits != 0 {
            let pair = start as u32 + bits.trailing_zeros();
            fetch(pair);
            // Never as many; the remainder only spares a check of the bounds.
            open[found % (3 * BLOCK)] = pair;
            found += 1;
            bits &= bits - 1;
        }
        if found >= 2 * BLOCK {
            finish(&open[..BLOCK]);
            open.copy_within(BLOCK.., 0);
            found -= BLOCK;
        }
    }
    for pairs in open[..found].chunks(BLOCK) {
        finish(pairs);
    }
}

/// The places of a block whose pairs are not apart, as bits.
#[inline(always)]
fn open_places(count: usize, start: usize, apart: &[u32; BLOCK]) -> u32 {
    let mut bits = 0;
    for (place, &apart) in apart.iter().enumerate() {
        bits |= u32::from(apart == 0) << place;
    }
    let beyond = (start + BLOCK).saturating_sub(count).min(BLOCK) as u32;
    bits.checked_shl(beyond).map_or(0, |bits| bits >> beyond)
}
