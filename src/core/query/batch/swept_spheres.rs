//! Swept spheres, pair by pair: the outcome of each, by name.
//!
//! Most pairs are clear in `f32`, which takes half the memory and twice as many at a time; a block with one that is not is done
//! again in `f64`, and what is open there singly. Each step answers only outside its error bounds, so that all agree.

use super::columns::{Block, MovingSpheres, vector};
use super::rounded_spheres::outcome;
use super::{BLOCK, Lanes};
use crate::core::query::SweepKind;
use crate::core::query::sweep::{Parabola, sweep_sphere_sphere};

/// The outcome of every pair of a batch, one byte each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepKinds(Vec<u8>);

impl SweepKinds {
    /// Of one pair.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn get(&self, index: usize) -> SweepKind {
        const KINDS: [SweepKind; 6] = [
            SweepKind::Overlapping,
            SweepKind::Receding,
            SweepKind::Later,
            SweepKind::Misses,
            SweepKind::Grazes,
            SweepKind::Hits,
        ];
        KINDS[usize::from(self.0[index])]
    }

    /// How many pairs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pairs that meet within the motion or overlap from its start, in order.
    pub fn meetings(&self) -> impl Iterator<Item = usize> + '_ {
        let meets =
            |kind: u8| kind == SweepKind::Overlapping as u8 || kind == SweepKind::Hits as u8;
        let kinds = self.0.iter().enumerate();
        kinds
            .filter(move |(_, kind)| meets(**kind))
            .map(|(index, _)| index)
    }
}

/// Sweeps `first[i]` against `second[i]`, for every i that both have; `kinds` is emptied first.
pub fn sweep_sphere_pairs(
    lanes: Lanes,
    first: &MovingSpheres,
    second: &MovingSpheres,
    kinds: &mut SweepKinds,
) {
    let count = first.len().min(second.len());
    kinds.0.clear();
    kinds.0.resize(count, 0);
    lanes.run(
        #[inline(always)]
        || sweep_all(first, second, &mut kinds.0),
    );
}

#[inline(always)]
fn sweep_all(first: &MovingSpheres, second: &MovingSpheres, kinds: &mut [u8]) {
    let blocks = first.rounded().iter().zip(second.rounded());
    for (number, (kinds, (a, b))) in kinds.chunks_mut(BLOCK).zip(blocks).enumerate() {
        let (codes, doubt) = quick_rounded(a, b);
        kinds.copy_from_slice(&codes[..kinds.len()]);
        if doubt {
            decide(first, second, number, kinds);
        }
    }
}

/// The outcomes of a block by rounded numbers, and whether some are in doubt.
#[inline(always)]
fn quick_rounded(first: &Block<7, f32>, second: &Block<7, f32>) -> ([u8; BLOCK], bool) {
    let mut codes = [0; BLOCK];
    for (i, code) in codes.iter_mut().enumerate() {
        *code = outcome(row(first, i), row(second, i));
    }
    let mut doubt = 0;
    let mut bytes = [0; BLOCK];
    for (byte, code) in bytes.iter_mut().zip(codes) {
        *byte = code as u8;
        doubt |= code & !7;
    }
    (bytes, doubt != 0)
}

#[inline(always)]
fn row(block: &Block<7, f32>, at: usize) -> [f32; 7] {
    let [x, y, z, radius, dx, dy, dz] = block;
    [x[at], y[at], z[at], radius[at], dx[at], dy[at], dz[at]]
}

/// The outcomes of a block, and whether some are in doubt.
#[inline(always)]
fn quick(first: &Block<7>, second: &Block<7>) -> ([u8; BLOCK], bool) {
    let mut codes = [0; BLOCK];
    for (i, code) in codes.iter_mut().enumerate() {
        let between = vector(second, 0, i) - vector(first, 0, i);
        let step = vector(second, 4, i) - vector(first, 4, i);
        *code = Parabola::new(between, step, first[3][i] + second[3][i]).quick();
    }
    let mut doubt = 0;
    let mut bytes = [0; BLOCK];
    for (byte, code) in bytes.iter_mut().zip(codes) {
        *byte = code as u8;
        doubt |= code & !7;
    }
    (bytes, doubt != 0)
}

/// A block again in `f64`, and singly those in doubt even so.
#[inline(always)]
fn decide(first: &MovingSpheres, second: &MovingSpheres, number: usize, kinds: &mut [u8]) {
    let (codes, doubt) = quick(&first.blocks()[number], &second.blocks()[number]);
    kinds.copy_from_slice(&codes[..kinds.len()]);
    if doubt {
        decide_singly(first, second, number * BLOCK, kinds);
    }
}

#[cold]
#[inline(never)]
fn decide_singly(first: &MovingSpheres, second: &MovingSpheres, from: usize, kinds: &mut [u8]) {
    for (index, kind) in kinds.iter_mut().enumerate() {
        if *kind == Parabola::DOUBT as u8 {
            let ((a, d), (b, e)) = (first.get(from + index), second.get(from + index));
            *kind = sweep_sphere_sphere(&a, d, &b, e, &mut ()).kind() as u8;
        }
    }
}
