//! Numbers of twice the digits: the sum of two `f64` (Dekker 1971; Knuth 1998, 4.2.2). What a first error bound leaves open
//! they nearly always decide, at a hundredth of the price of whole numbers of any length.

use glam::DVec3;

/// A share of the sizes that go into a sum of a few products, beyond which its sign is sure: more than a thousand times the
/// roundings it can take (2^-106 each). Products must keep between 1e-250 and 1e250 where their digits count.
pub(crate) const DOUBLE_NOISE: f64 = 1.0 / (1_u128 << 96) as f64;

/// `high + low`, the first the nearest to their sum.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Double {
    pub high: f64,
    low: f64,
}

impl Double {
    /// Without rounding.
    pub fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let of_b = high - a;
        Self {
            high,
            low: (a - (high - of_b)) + (b - of_b),
        }
    }

    /// Without rounding, of numbers whose parts stay in range.
    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let ((a, a_low), (b, b_low)) = (halves(a), halves(b));
        let low = ((a * b - high) + a * b_low + a_low * b) + a_low * b_low;
        Self { high, low }
    }

    pub fn plus(self, other: Self) -> Self {
        let sum = Self::sum(self.high, other.high);
        Self::sum(sum.high, sum.low + (self.low + other.low))
    }

    pub fn minus(self, other: Self) -> Self {
        self.plus(Self {
            high: -other.high,
            low: -other.low,
        })
    }

    pub fn times(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let rest = self.high * other.low + self.low * other.high;
        Self::sum(product.high, product.low + rest)
    }
}

/// Two parts of half the digits each.
fn halves(value: f64) -> (f64, f64) {
    let spread = value * 134_217_729.0;
    let high = spread - (spread - value);
    (high, value - high)
}

/// Three such coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubleVector([Double; 3]);

impl DoubleVector {
    /// `x - y` without rounding.
    pub fn difference(x: DVec3, y: DVec3) -> Self {
        Self(std::array::from_fn(|k| Double::sum(x[k], -y[k])))
    }

    pub fn dot(&self, other: &Self) -> Double {
        let [x, y, z] = [0, 1, 2].map(|k| self.0[k].times(other.0[k]));
        x.plus(y).plus(z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::query::exact::{Exact, ExactVector};
    use crate::random::{Random, rounds};

    #[test]
    fn a_product_of_differences_is_off_by_less_than_its_noise() {
        for seed in 0..rounds(2560) {
            let mut random = Random(seed);
            let x = random.point(9.0);
            let y = random.point(1.0) * DVec3::new(1e7, 1e-7, 9.0);
            let sum = DoubleVector::difference(x, y).dot(&DoubleVector::difference(y, x * 3.0));
            let whole = ExactVector::difference(x, y).dot(&ExactVector::difference(y, x * 3.0));
            let off = whole
                .minus(&Exact::new(sum.high))
                .minus(&Exact::new(sum.low));
            let (off, size) = (off.to_f64(), (x - y).abs().dot((y - x * 3.0).abs()));
            let limit = DOUBLE_NOISE * size / 16.0;
            assert!(off.abs() <= limit, "seed {seed}: {off} of {size}");
        }
    }
}
