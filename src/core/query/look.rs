//! What quick looks compute with: `f64` for one pair, `f32` for the lanes of a batch; products and choices, no branch.

use crate::core::tolerance::SMALLEST_NOISE;
use std::ops::{Add, Mul, Neg, Sub};

/// `f32` or `f64`.
pub(crate) trait Number:
    Copy
    + PartialOrd
    + From<f32>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// Half a unit in the last place of 1: by so much of its size rounding takes a number off at most.
    const ROUNDING: Self;
    /// Squares of lengths between which neither their third powers nor what is lost of those leaves the range.
    const SQUARES: [Self; 2];
    /// More than underflow takes off the products of three lengths.
    const LEAST_NOISE: Self;
    fn size(self) -> Self;
}

impl Number for f64 {
    const ROUNDING: Self = 0.5 * Self::EPSILON;
    const SQUARES: [Self; 2] = [1e-60, 1e60];
    const LEAST_NOISE: Self = SMALLEST_NOISE;

    #[inline(always)]
    fn size(self) -> Self {
        self.abs()
    }
}

impl Number for f32 {
    const ROUNDING: Self = 0.5 * Self::EPSILON;
    const SQUARES: [Self; 2] = [1e-8, 1e10];
    const LEAST_NOISE: Self = 1e-30;

    #[inline(always)]
    fn size(self) -> Self {
        self.abs()
    }
}

#[inline(always)]
pub(crate) fn lesser<N: PartialOrd>(a: N, b: N) -> N {
    if a < b { a } else { b }
}

#[inline(always)]
pub(crate) fn greater<N: PartialOrd>(a: N, b: N) -> N {
    if a > b { a } else { b }
}

#[inline(always)]
pub(crate) fn minus<N: Number>(a: [N; 3], b: [N; 3]) -> [N; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn dot<N: Number>(a: [N; 3], b: [N; 3]) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn cross<N: Number>(a: [N; 3], b: [N; 3]) -> [N; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The sum of the sizes of its coordinates.
#[inline(always)]
pub(crate) fn size<N: Number>([x, y, z]: [N; 3]) -> N {
    x.size() + y.size() + z.size()
}
