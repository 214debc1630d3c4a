//! What is looked for in a mesh's tree, in steps of its grid: a region, and a straight way.

use fearless_simd::{Simd, f32x8};
use glam::DVec3;

/// How many steps the tree's grid has on each axis, from its corner; walks count them from its middle.
pub(super) const STEPS: u32 = 1 << 24;

/// Share of the largest coordinate by which boxes are larger: many roundings of `f32` (2^-24).
pub(super) const MARGIN: f64 = 1e-6;

/// A box in steps of the tree's grid, as large or larger.
pub(super) struct Region {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

/// A straight way as the tree tests it, in steps of its grid.
pub(super) struct Way {
    pub middle: [f32; 3],
    /// From the middle to its end.
    pub half: [f32; 3],
    /// One over the length of the axis square to the way and to z, x, y; 0 for a way along that one.
    pub per_axis: [f32; 3],
    /// By how much rounding may have moved it.
    pub noise: f32,
}

impl Way {
    pub(super) fn new(from: DVec3, to: DVec3) -> Self {
        let reach = f64::from(STEPS / 2);
        let largest = from.abs().max(to.abs()).max_element().max(reach);
        let single = |vector: DVec3| vector.to_array().map(|number| number as f32);
        let half = single(to * 0.5 - from * 0.5);
        let per_axis = PLANES.map(|(one, other)| {
            let square = half[one] * half[one] + half[other] * half[other];
            // Neither squares that lost digits nor endless ones.
            if square > SMALLEST_WAY * SMALLEST_WAY && square.is_finite() {
                1.0 / square.sqrt()
            } else {
                0.0
            }
        });
        Self {
            middle: single(from * 0.5 + to * 0.5),
            half,
            per_axis,
            noise: (4.0 * MARGIN * largest) as f32,
        }
    }
}

/// Steps; a way that is shorter seen along an axis is not told apart by it, as its square has too few digits.
const SMALLEST_WAY: f32 = 1e-15;

/// The two axes that each axis of space is square to.
pub(super) const PLANES: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

/// The larger of each lane; the second where the first is not a number.
#[inline(always)]
pub(super) fn larger<S: Simd>(simd: S, a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    simd.select_f32x8(simd.simd_gt_f32x8(a, b), a, b)
}
