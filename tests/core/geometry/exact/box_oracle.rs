//! The oracle for boxes: the squared distance of a box is a sum of squares, one for each axis on which a point is outside, so that
//! on lines and parallelograms of points its minimum is the minimum of one of the 27 regions' paraboloids.

use super::oracle::{Truth, Whole, beyond_radius, dot, minus, plus, sign, times};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// A solid box aligned to the axes around the origin, and the path of a sphere's centre past it.
pub struct SphereBoxPath {
    pub half: Whole,
    pub start: Whole,
    pub step: Whole,
    pub radius_sum: BigInt,
    /// Whole numbers per metre.
    pub unit: BigInt,
}

impl SphereBoxPath {
    /// From the box's nearest point to the centre at a fraction `over / under`, all lengths times `under`.
    fn beyond(&self, over: &BigInt, under: &BigInt) -> Whole {
        std::array::from_fn(|k| {
            let at = &self.start[k] * under + &self.step[k] * over;
            let half = &self.half[k] * under;
            if at > half {
                at - half
            } else if at < -&half {
                at + half
            } else {
                BigInt::from(0)
            }
        })
    }

    fn compare(&self, over: &BigInt, under: &BigInt) -> Ordering {
        let away = self.beyond(over, under);
        let radius_sum = &self.radius_sum * under;
        dot(&away, &away).cmp(&(&radius_sum * &radius_sum))
    }

    /// Fractions at which the distance can be least: the minimum of each of the 27 regions' parabolas.
    fn extrema(&self) -> Vec<(BigInt, BigInt)> {
        let mut fractions = vec![];
        for region in 0..27 {
            let sides = [region % 3 - 1, region / 3 % 3 - 1, region / 9 - 1];
            let (mut over, mut under) = (BigInt::from(0), BigInt::from(0));
            for k in (0..3).filter(|&k| sides[k] != 0) {
                over -= (&self.start[k] - &self.half[k] * sides[k]) * &self.step[k];
                under += &self.step[k] * &self.step[k];
            }
            if sign(&over) != Ordering::Less && over <= under && sign(&under) == Ordering::Greater {
                fractions.push((over, under));
            }
        }
        fractions
    }

    pub fn truth(&self) -> Truth {
        let (zero, one) = (BigInt::from(0), BigInt::from(1));
        let gap = |(over, under): &(BigInt, BigInt)| {
            beyond_radius(
                &self.beyond(over, under),
                under,
                &self.radius_sum,
                &self.unit,
            )
        };
        let ends = [(zero.clone(), one.clone()), (one.clone(), one)];
        let extrema = self.extrema();
        let least = extrema.iter().chain(&ends).map(gap);
        Truth {
            start: gap(&ends[0]),
            least: least.fold(f64::INFINITY, f64::min),
        }
    }

    /// The time of a hit, as [`SpherePath::time`](super::oracle::SpherePath::time).
    pub fn time(&self) -> Option<f64> {
        const BITS: usize = 62;
        let whole = BigInt::from(1) << BITS;
        let inside = |over: &BigInt| self.compare(over, &whole) == Ordering::Less;
        let extrema = self
            .extrema()
            .into_iter()
            .map(|(over, under)| (over << BITS) / under);
        let high = extrema
            .chain([whole.clone()])
            .filter(|over| inside(over))
            .min()?;
        super::oracle::halving(inside, high, BITS)
    }
}

/// Vector from the nearest point of a box to a point, as `away / under`, at certain fractions of the directions.
pub struct Least {
    pub away: Whole,
    pub under: BigInt,
    /// Over `under`.
    pub fractions: Vec<BigInt>,
}

impl Least {
    pub fn compare(&self, radius_sum: &BigInt) -> Ordering {
        let radius_sum = radius_sum * &self.under;
        dot(&self.away, &self.away).cmp(&(&radius_sum * &radius_sum))
    }

    fn is_less(&self, other: &Self) -> bool {
        let (x, y) = (dot(&self.away, &self.away), dot(&other.away, &other.away));
        x * &other.under * &other.under < y * &self.under * &self.under
    }
}

/// The least over all `base + fractions * directions` with fractions in [0, 1]; at most two directions.
pub fn least(half: &Whole, base: &Whole, directions: &[&Whole]) -> Least {
    let mut best: Option<Least> = None;
    for region in 0..27_i32 {
        let sides = [region % 3 - 1, region / 3 % 3 - 1, region / 9 - 1];
        for held in 0..3_usize.pow(directions.len() as u32) {
            // Each direction free, at its start or at its end.
            let of = |index: usize| held / 3_usize.pow(index as u32) % 3;
            let Some((fractions, under)) = extremum(half, base, directions, sides, of) else {
                continue;
            };
            let mut position = times(base, &under);
            for (fraction, direction) in fractions.iter().zip(directions) {
                position = plus(&position, &times(direction, fraction));
            }
            let found = Least {
                away: beyond(&position, &times(half, &under)),
                under,
                fractions,
            };
            if best.as_ref().is_none_or(|best| found.is_less(best)) {
                best = Some(found);
            }
        }
    }
    best.expect("the ends are always tried")
}

fn beyond(position: &Whole, half: &Whole) -> Whole {
    std::array::from_fn(|k| {
        if position[k] > half[k] {
            &position[k] - &half[k]
        } else if position[k] < -&half[k] {
            &position[k] + &half[k]
        } else {
            BigInt::from(0)
        }
    })
}

/// Minimum of one region's paraboloid, as fractions over a number above zero; `None` outside [0, 1] and where it is flat.
fn extremum(
    half: &Whole,
    base: &Whole,
    directions: &[&Whole],
    sides: [i32; 3],
    held: impl Fn(usize) -> usize,
) -> Option<(Vec<BigInt>, BigInt)> {
    let axes: Vec<usize> = (0..3).filter(|&k| sides[k] != 0).collect();
    let product = |x: &dyn Fn(usize) -> BigInt, y: &Whole| -> BigInt {
        axes.iter().map(|&k| x(k) * &y[k]).sum()
    };
    let free: Vec<usize> = (0..directions.len()).filter(|&i| held(i) == 0).collect();
    let mut from = base.clone();
    for (i, direction) in directions.iter().enumerate() {
        if held(i) == 2 {
            from = plus(&from, direction);
        }
    }
    let off = |k: usize| &from[k] - &half[k] * sides[k];
    let gram =
        |i: usize, j: usize| product(&|k| directions[free[i]][k].clone(), directions[free[j]]);
    let right = |i: usize| -product(&off, directions[free[i]]);
    let (found, under) = match free.len() {
        0 => (vec![], BigInt::from(1)),
        1 => (vec![right(0)], gram(0, 0)),
        _ => {
            let (a, b, c) = (gram(0, 0), gram(0, 1), gram(1, 1));
            let (p, q) = (right(0), right(1));
            (
                vec![&p * &c - &q * &b, &q * &a - &p * &b],
                &a * &c - &b * &b,
            )
        }
    };
    if sign(&under) != Ordering::Greater {
        return None;
    }
    let mut fractions = vec![BigInt::from(0); directions.len()];
    for (i, fraction) in fractions.iter_mut().enumerate() {
        if held(i) == 2 {
            *fraction = under.clone();
        }
    }
    for (&i, fraction) in free.iter().zip(found) {
        if sign(&fraction) == Ordering::Less || fraction > under {
            return None;
        }
        fractions[i] = fraction;
    }
    Some((fractions, under))
}

/// A solid box aligned to the axes around the origin, and the path of a capsule's core past it.
pub struct CapsuleBoxPath {
    pub half: Whole,
    pub core: [Whole; 2],
    pub step: Whole,
    pub radius_sum: BigInt,
    /// Whole numbers per metre.
    pub unit: BigInt,
}

impl CapsuleBoxPath {
    fn along(&self) -> Whole {
        minus(&self.core[1], &self.core[0])
    }

    pub fn truth(&self) -> Truth {
        let gap =
            |found: &Least| beyond_radius(&found.away, &found.under, &self.radius_sum, &self.unit);
        let along = self.along();
        Truth {
            start: gap(&least(&self.half, &self.core[0], &[&along])),
            least: gap(&least(&self.half, &self.core[0], &[&along, &self.step])),
        }
    }

    /// The time of a hit by bisection, as of the other oracles.
    pub fn time(&self) -> Option<f64> {
        const BITS: usize = 62;
        let whole = BigInt::from(1) << BITS;
        let (half, radius_sum) = (times(&self.half, &whole), &self.radius_sum << BITS);
        let along = times(&self.along(), &whole);
        let inside = |over: &BigInt| {
            let position = plus(&times(&self.core[0], &whole), &times(&self.step, over));
            least(&half, &position, &[&along]).compare(&radius_sum) == Ordering::Less
        };
        let nearest = least(&self.half, &self.core[0], &[&self.along(), &self.step]);
        let high = (&nearest.fractions[1] << BITS) / &nearest.under;
        super::oracle::halving(inside, high, BITS)
    }
}
