//! Three numbers side by side.

use glam::DVec3;
use std::ops::{Add, Div, Mul, Sub};

/// Three numbers side by side, the last of them twice: two vector registers full, and no lane to be left out of anything.
#[derive(Clone, Copy)]
pub(super) struct Row([f64; 4]);

impl Row {
    #[inline(always)]
    pub fn new([x, y, z]: [f64; 3]) -> Self {
        Self([x, y, z, z])
    }

    /// One of the three.
    #[inline(always)]
    pub fn at(&self, lane: usize) -> f64 {
        self.0[lane]
    }

    #[inline(always)]
    fn with(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        let ([x, y, z, w], [a, b, c, d]) = (self.0, other.0);
        Self([join(x, a), join(y, b), join(z, c), join(w, d)])
    }

    #[inline(always)]
    pub fn abs(self) -> Self {
        self.with(self, |part, _| part.abs())
    }

    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        self.with(other, lesser)
    }

    #[inline(always)]
    pub fn not_below_zero(self) -> Self {
        self.with(self, |part, _| if part > 0.0 { part } else { 0.0 })
    }

    /// The second number comes first, the first last.
    #[inline(always)]
    pub fn turned(self) -> Self {
        let [x, y, z, _] = self.0;
        Self([y, z, x, x])
    }

    /// The first numbers of three rows, the second ones, and the third.
    #[inline(always)]
    pub fn columns([one, two, three]: [Self; 3]) -> [Self; 3] {
        [
            Self::new([one.0[0], two.0[0], three.0[0]]),
            Self::new([one.0[1], two.0[1], three.0[1]]),
            Self::new([one.0[2], two.0[2], three.0[2]]),
        ]
    }

    /// The sum of three rows times three numbers.
    #[inline(always)]
    pub fn weighted([x, y, z]: [Self; 3], by: DVec3) -> Self {
        x * by.x + y * by.y + z * by.z
    }

    /// Infinite where a number is not above a limit.
    #[inline(always)]
    pub fn where_above(self, number: Self, limit: f64) -> Self {
        self.with(
            number,
            |part, number| {
                if number > limit { part } else { f64::INFINITY }
            },
        )
    }

    #[inline(always)]
    pub fn least(self) -> f64 {
        let [x, y, z, w] = self.0;
        lesser(lesser(x, z), lesser(y, w))
    }

    #[inline(always)]
    pub fn least_of([one, two, three]: [Self; 3]) -> f64 {
        one.min(two).min(three).least()
    }

    /// The first place whose number is not above another, four to a row; without a jump.
    #[inline(always)]
    pub fn place_within<const N: usize>(rows: &[Self; N], number: f64) -> usize {
        let mut place = 0;
        for (index, row) in rows.iter().enumerate().rev() {
            for lane in [2, 1, 0] {
                let within = row.0[lane] <= number;
                place = if within { 4 * index + lane } else { place };
            }
        }
        place
    }
}

/// The second where one is no number, and of equal ones: a single instruction.
#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

macro_rules! lane_by_lane {
    ($($operator:ident $name:ident $sign:tt),*) => {$(
        impl $operator for Row {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                self.with(other, |a, b| a $sign b)
            }
        }
    )*};
}

lane_by_lane!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Mul<f64> for Row {
    type Output = Self;

    #[inline(always)]
    fn mul(self, by: f64) -> Self {
        self.with(self, |part, _| part * by)
    }
}
