//! Exact signs, where rounding could decide: sums of `f64` that do not overlap (Shewchuk 1997), as long as it takes.
//!
//! Exact unless a product under- or overflows. Slow, and reached only inside the error bound of the fast formula.

use crate::core::shape::Sphere;
use glam::DVec3;
use std::cmp::Ordering;

/// A number as an unevaluated sum, smallest part first, no zeros; empty is zero.
#[derive(Clone, Debug, Default)]
struct Exact(Vec<f64>);

impl Exact {
    fn new(value: f64) -> Self {
        Self(if value == 0.0 { vec![] } else { vec![value] })
    }

    /// `x - y` without rounding.
    fn difference(x: f64, y: f64) -> Self {
        Self::new(x).plus_part(-y)
    }

    /// Shewchuk's grow-expansion: adds one part.
    fn plus_part(&self, part: f64) -> Self {
        let mut carry = part;
        let mut parts = Vec::with_capacity(self.0.len() + 1);
        for &own in &self.0 {
            let (sum, error) = two_sum(carry, own);
            if error != 0.0 {
                parts.push(error);
            }
            carry = sum;
        }
        if carry != 0.0 {
            parts.push(carry);
        }
        Self(parts)
    }

    fn plus(&self, other: &Self) -> Self {
        other
            .0
            .iter()
            .fold(self.clone(), |sum, &part| sum.plus_part(part))
    }

    fn negated(&self) -> Self {
        Self(self.0.iter().map(|part| -part).collect())
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for &x in &self.0 {
            for &y in &other.0 {
                let high = x * y;
                let low = x.mul_add(y, -high);
                product = product.plus_part(low).plus_part(high);
            }
        }
        product
    }

    /// The largest part has the sign of the whole.
    fn sign(&self) -> Ordering {
        self.0
            .last()
            .map_or(Ordering::Equal, |part| part.total_cmp(&0.0))
    }
}

fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let from_y = sum - x;
    let from_x = sum - from_y;
    (sum, (x - from_x) + (y - from_y))
}

fn exact_difference(x: DVec3, y: DVec3) -> [Exact; 3] {
    std::array::from_fn(|axis| Exact::difference(x[axis], y[axis]))
}

fn square_sum(vector: &[Exact; 3]) -> Exact {
    vector
        .iter()
        .fold(Exact::default(), |sum, part| sum.plus(&part.times(part)))
}

/// The sign of `a R^2 - |dp x dd|^2` for two spheres and their displacements: more than zero hits, zero grazes.
///
/// `approximate` is that number in `f64`; it is trusted outside its error bound (the cross product cancels within a few
/// roundings of `|dp| |dd|`, and its square within twice that).
pub(crate) fn discriminant_sign(
    approximate: f64,
    first: &Sphere,
    displacement: DVec3,
    second: &Sphere,
    second_displacement: DVec3,
) -> Ordering {
    let reach = first.radius + second.radius;
    let between = second.center - first.center;
    let step = second_displacement - displacement;
    let (between_length, step_length) = (between.length(), step.length());
    // Inputs' differences are rounded too: half an ulp of each result, already within this.
    let rounding = 8.0 * f64::EPSILON * between_length * step_length;
    let across = reach * step_length;
    let bound = 2.0 * rounding * (2.0 * across + rounding) + 8.0 * f64::EPSILON * across * across;
    if approximate.abs() > bound || approximate.is_nan() {
        return approximate.total_cmp(&0.0);
    }
    let between = exact_difference(second.center, first.center);
    let step = exact_difference(second_displacement, displacement);
    let reach = Exact::new(first.radius).plus_part(second.radius);
    let cross: [Exact; 3] = std::array::from_fn(|axis| {
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        between[j]
            .times(&step[k])
            .minus(&between[k].times(&step[j]))
    });
    square_sum(&step)
        .times(&reach.times(&reach))
        .minus(&square_sum(&cross))
        .sign()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_numbers_keep_what_rounding_loses() {
        let tiny = 1e-30;
        let one_and_tiny = Exact::new(1.0).plus_part(tiny);
        // (1 + e)^2 - 1 - 2 e = e^2, which is 60 digits below the terms.
        let square = one_and_tiny.times(&one_and_tiny);
        let rest = square.plus_part(-1.0).plus_part(-2.0 * tiny);
        assert_eq!(rest.sign(), Ordering::Greater);
        assert_eq!(
            rest.minus(&Exact::new(tiny).times(&Exact::new(tiny)))
                .sign(),
            Ordering::Equal
        );
    }

    /// A path along x at height `h` past a ball of radius R hits when h < R, by however little.
    #[test]
    fn the_last_bit_of_a_graze_is_decided() {
        for (height, expected) in [
            (1.0_f64.next_down(), Ordering::Greater),
            (1.0, Ordering::Equal),
            (1.0_f64.next_up(), Ordering::Less),
        ] {
            // Far away and fast, where b^2 - a c has no digit left.
            let still = Sphere {
                center: DVec3::ZERO,
                radius: 0.5,
            };
            let mover = Sphere {
                center: DVec3::new(-1e6, height, 0.0),
                radius: 0.5,
            };
            let step = DVec3::new(3e6, 0.0, 0.0);
            let between = still.center - mover.center;
            let rounded = step.length_squared() - between.cross(-step).length_squared();
            let sign = discriminant_sign(rounded, &mover, step, &still, DVec3::ZERO);
            assert_eq!(sign, expected, "height {height}");
        }
    }
}
