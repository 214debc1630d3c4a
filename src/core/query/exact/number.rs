//! Exact arithmetic on what `f64` can hold: whole numbers of any length, times a power of two.
//!
//! Sums, differences and products of `f64` are such numbers, so that a polynomial's sign comes out exact whatever the
//! exponents, subnormal ones included. Slow (tens of nanoseconds an operation), and reached only where rounding could decide.

use glam::DVec3;
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

/// Most numbers are as short as this, and need no memory of their own.
type Limbs = SmallVec<[u64; 8]>;

/// `sign * sum of limbs[i] * 2^(64 (low + i))`; no zero limb at either end, no limbs for zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exact {
    negative: bool,
    low: i32,
    limbs: Limbs,
}

impl Exact {
    /// The number itself; what is not finite counts as zero.
    pub fn new(value: f64) -> Self {
        if value == 0.0 || !value.is_finite() {
            return Self::default();
        }
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let (mantissa, exponent) = match exponent {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, exponent - 1075),
        };
        let wide = u128::from(mantissa) << exponent.rem_euclid(64);
        Self::trimmed(
            value < 0.0,
            exponent.div_euclid(64),
            smallvec![wide as u64, (wide >> 64) as u64],
        )
    }

    fn trimmed(negative: bool, low: i32, mut limbs: Limbs) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        if limbs.is_empty() {
            return Self::default();
        }
        let zeros = limbs.iter().take_while(|&&limb| limb == 0).count();
        if zeros > 0 {
            limbs.drain(..zeros);
        }
        Self {
            negative,
            low: low + zeros as i32,
            limbs,
        }
    }

    /// One past the power of the highest limb.
    fn high(&self) -> i32 {
        self.low + self.limbs.len() as i32
    }

    fn limb(&self, power: i32) -> u64 {
        usize::try_from(power - self.low)
            .ok()
            .and_then(|index| self.limbs.get(index).copied())
            .unwrap_or(0)
    }

    fn compare_size(&self, other: &Self) -> Ordering {
        if self.limbs.is_empty() || other.limbs.is_empty() {
            return self.limbs.len().cmp(&other.limbs.len());
        }
        self.high().cmp(&other.high()).then_with(|| {
            let low = self.low.min(other.low);
            let powers = (low..self.high()).rev();
            powers
                .map(|power| self.limb(power).cmp(&other.limb(power)))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        })
    }

    pub fn plus(&self, other: &Self) -> Self {
        self.plus_signed(other, other.negative)
    }

    /// The sum with another of this sign.
    fn plus_signed(&self, other: &Self, negative: bool) -> Self {
        if other.limbs.is_empty() {
            return self.clone();
        }
        if self.limbs.is_empty() {
            return Self {
                negative,
                ..other.clone()
            };
        }
        if self.negative == negative {
            return self.plus_size(other);
        }
        match self.compare_size(other) {
            Ordering::Greater => self.less_size(other, self.negative),
            Ordering::Less => other.less_size(self, negative),
            Ordering::Equal => Self::default(),
        }
    }

    /// The limbs from the power `low` on to `high`.
    fn spread(&self, low: i32, high: i32) -> Limbs {
        let mut limbs: Limbs = smallvec![0; (high - low) as usize];
        limbs[(self.low - low) as usize..][..self.limbs.len()].copy_from_slice(&self.limbs);
        limbs
    }

    /// Adds the size of another; keeps the sign.
    fn plus_size(&self, other: &Self) -> Self {
        let (low, high) = (self.low.min(other.low), self.high().max(other.high()));
        let mut limbs = self.spread(low, high + 1);
        let from = (other.low - low) as usize;
        let mut carry = false;
        for (place, limb) in limbs[from..].iter_mut().enumerate() {
            let more = other.limbs.get(place).copied();
            if more.is_none() && !carry {
                break;
            }
            let (sum, first) = limb.overflowing_add(more.unwrap_or(0));
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*limb, carry) = (sum, first | second);
        }
        Self::trimmed(self.negative, low, limbs)
    }

    /// Takes the size of a smaller number off, and gives the rest a sign.
    fn less_size(&self, smaller: &Self, negative: bool) -> Self {
        let low = self.low.min(smaller.low);
        let mut limbs = self.spread(low, self.high());
        let from = (smaller.low - low) as usize;
        let mut borrow = false;
        for (place, limb) in limbs[from..].iter_mut().enumerate() {
            let less = smaller.limbs.get(place).copied();
            if less.is_none() && !borrow {
                break;
            }
            let (rest, first) = limb.overflowing_sub(less.unwrap_or(0));
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            (*limb, borrow) = (rest, first | second);
        }
        Self::trimmed(negative, low, limbs)
    }

    pub fn negated(&self) -> Self {
        Self {
            negative: !self.negative && !self.limbs.is_empty(),
            ..self.clone()
        }
    }

    pub fn minus(&self, other: &Self) -> Self {
        self.plus_signed(other, !other.negative)
    }

    pub fn times(&self, other: &Self) -> Self {
        let mut limbs: Limbs = smallvec![0; self.limbs.len() + other.limbs.len()];
        for (i, &x) in self.limbs.iter().enumerate() {
            let mut carry = 0;
            for (j, &y) in other.limbs.iter().enumerate() {
                let sum = u128::from(x) * u128::from(y) + u128::from(limbs[i + j]) + carry;
                limbs[i + j] = sum as u64;
                carry = sum >> 64;
            }
            limbs[i + other.limbs.len()] = carry as u64;
        }
        Self::trimmed(self.negative != other.negative, self.low + other.low, limbs)
    }

    pub fn squared(&self) -> Self {
        self.times(self)
    }

    pub fn sign(&self) -> Ordering {
        match (self.limbs.is_empty(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    pub fn compare(&self, other: &Self) -> Ordering {
        self.minus(other).sign()
    }

    /// Times `2^(64 power)`.
    pub fn scaled(mut self, power: i32) -> Self {
        if !self.limbs.is_empty() {
            self.low += power;
        }
        self
    }

    /// The power of 64 binary digits that brings a number near 1 when taken off; 0 for zero.
    pub fn magnitude(&self) -> i32 {
        if self.limbs.is_empty() {
            0
        } else {
            self.high()
        }
    }

    /// The nearest `f64`, but for the last bit; infinite or zero where the exponent has no room.
    pub fn to_f64(&self) -> f64 {
        let top = self.high();
        let parts = (1..=3).map(|place| {
            let power = top - place;
            self.limb(power) as f64 * 2.0_f64.powi(32 * power) * 2.0_f64.powi(32 * power)
        });
        let size: f64 = parts.sum();
        if self.negative { -size } else { size }
    }
}

/// Three exact coordinates.
#[derive(Clone, Debug)]
pub(crate) struct ExactVector(pub [Exact; 3]);

impl ExactVector {
    pub fn new(vector: DVec3) -> Self {
        Self(vector.to_array().map(Exact::new))
    }

    /// `x - y` without rounding.
    pub fn difference(x: DVec3, y: DVec3) -> Self {
        Self::new(x).minus(&Self::new(y))
    }

    pub fn plus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k].plus(&other.0[k])))
    }

    pub fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k].minus(&other.0[k])))
    }

    pub fn times(&self, factor: &Exact) -> Self {
        Self(std::array::from_fn(|k| self.0[k].times(factor)))
    }

    pub fn dot(&self, other: &Self) -> Exact {
        let [x, y, z] = &self.0;
        let [u, v, w] = &other.0;
        x.times(u).plus(&y.times(v)).plus(&z.times(w))
    }

    pub fn square(&self) -> Exact {
        self.dot(self)
    }

    pub fn cross(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let (u, v) = (&self.0, &other.0);
            u[i].times(&v[j]).minus(&u[j].times(&v[i]))
        }))
    }

    pub fn scaled(self, power: i32) -> Self {
        Self(self.0.map(|part| part.scaled(power)))
    }

    pub fn magnitude(&self) -> i32 {
        let parts = self.0.iter().filter(|part| part.sign().is_ne());
        parts.map(Exact::magnitude).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_numbers_keep_what_rounding_loses() {
        for tiny in [1e-30, 1e-300, f64::from_bits(1)] {
            let exact = Exact::new(tiny);
            let square = Exact::new(1.0).plus(&exact).squared();
            // (1 + e)^2 - 1 - 2 e = e^2, hundreds of digits below the terms.
            let rest = square.minus(&Exact::new(1.0)).minus(&exact).minus(&exact);
            assert_eq!(rest.sign(), Ordering::Greater);
            assert_eq!(rest, exact.squared());
        }
    }

    #[test]
    fn numbers_come_back_as_they_went_in() {
        let smallest = f64::from_bits(1);
        for value in [
            0.0,
            1.0,
            -1.5,
            1e75,
            -1e-75,
            f64::MIN_POSITIVE,
            smallest,
            f64::MAX,
        ] {
            assert_eq!(Exact::new(value).to_f64(), value);
            assert_eq!(
                Exact::new(value).minus(&Exact::new(value)),
                Exact::default()
            );
            let twice = Exact::new(value).plus(&Exact::new(value));
            assert_eq!(twice.minus(&Exact::new(value)).to_f64(), value);
        }
    }
}
