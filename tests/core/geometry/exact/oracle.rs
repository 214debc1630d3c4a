//! The oracle: integers of any length, and an algorithm that none of the code uses.
//!
//! Every result for the path of a sphere past a convex set is the distance of the origin from a hull of points: from the
//! corners relative to the centre (at the start, at the end), or from the corners and the same moved back by the displacement (over
//! the whole path). That distance is the least over all subsets of up to four points whose affine hull's nearest point lies
//! within them. All numbers are first multiplied by one power of two, which makes every `f64` an integer.

use glam::{DQuat, DVec3};
use num_bigint::BigInt;
use std::cmp::Ordering;

pub type Whole = [BigInt; 3];

/// `f64` times `2^power`, which must make it whole.
pub fn whole(value: f64, power: i32) -> BigInt {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let size = if mantissa == 0 {
        BigInt::from(0)
    } else if exponent + power >= 0 {
        BigInt::from(mantissa) << (exponent + power) as usize
    } else {
        let shift = -(exponent + power);
        assert!(
            mantissa.trailing_zeros() as i32 >= shift,
            "{value} not whole"
        );
        BigInt::from(mantissa >> shift)
    };
    if value < 0.0 { -size } else { size }
}

/// The power of two that makes all of some numbers whole.
pub fn power_of(values: impl IntoIterator<Item = f64>) -> i32 {
    let low = |value: f64| {
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        match (exponent, fraction) {
            (0, 0) => 0,
            (0, fraction) => 1074 - fraction.trailing_zeros() as i32,
            (exponent, fraction) => 1075 - exponent - (fraction | 1 << 52).trailing_zeros() as i32,
        }
    };
    values.into_iter().map(low).max().unwrap_or(0).max(0)
}

pub fn whole_vector(vector: DVec3, power: i32) -> Whole {
    vector.to_array().map(|value| whole(value, power))
}

pub fn plus(x: &Whole, y: &Whole) -> Whole {
    std::array::from_fn(|k| &x[k] + &y[k])
}

pub fn minus(x: &Whole, y: &Whole) -> Whole {
    std::array::from_fn(|k| &x[k] - &y[k])
}

pub fn times(x: &Whole, factor: &BigInt) -> Whole {
    std::array::from_fn(|k| &x[k] * factor)
}

pub fn dot(x: &Whole, y: &Whole) -> BigInt {
    &x[0] * &y[0] + &x[1] * &y[1] + &x[2] * &y[2]
}

pub fn cross(x: &Whole, y: &Whole) -> Whole {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &x[i] * &y[j] - &x[j] * &y[i]
    })
}

pub fn determinant(a: &Whole, b: &Whole, c: &Whole) -> BigInt {
    &a[0] * (&b[1] * &c[2] - &b[2] * &c[1]) - &a[1] * (&b[0] * &c[2] - &b[2] * &c[0])
        + &a[2] * (&b[0] * &c[1] - &b[1] * &c[0])
}

pub fn sign(value: &BigInt) -> Ordering {
    value.cmp(&BigInt::from(0))
}

/// Whole numbers per metre.
pub fn unit(power: i32) -> BigInt {
    BigInt::from(1) << power as usize
}

/// A quotient as the nearest `f64`, or nearly.
pub fn ratio(over: &BigInt, under: &BigInt) -> f64 {
    if *over == BigInt::ZERO {
        return 0.0;
    }
    let shift = 64 + under.bits() as i64 - over.bits() as i64;
    let quotient = if shift >= 0 {
        (over << shift as usize) / under
    } else {
        over / (under << (-shift) as usize)
    };
    let digits = i128::try_from(quotient).expect("some 65 bits") as f64;
    let half = 2.0_f64.powi((-shift / 2) as i32);
    digits * half * 2.0_f64.powi((-shift - -shift / 2) as i32)
}

/// The length of a vector times `2^ROOT_BITS`.
pub fn length(vector: &Whole) -> BigInt {
    (dot(vector, vector) << (2 * ROOT_BITS)).sqrt()
}

pub const ROOT_BITS: usize = 200;

/// The length of `over / under` less a radius, metres.
pub fn beyond_radius(over: &Whole, under: &BigInt, radius_sum: &BigInt, unit: &BigInt) -> f64 {
    let less = length(over) - ((radius_sum * under) << ROOT_BITS);
    ratio(&less, &((under * unit) << ROOT_BITS))
}

/// The truth of two shapes of which one moves past the other.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    /// Signed distance at the start, metres; of overlapping cores an upper bound.
    pub start: f64,
    /// The least over the motion.
    pub least: f64,
}

impl Truth {
    /// The expected sweep outcome: `Touches` is a hit or an overlap, `Near` too close to call.
    pub fn verdict(&self, tolerance: f64) -> &'static str {
        if self.start < -tolerance {
            "Overlapping"
        } else if self.least > tolerance {
            "Misses"
        } else if self.least >= -tolerance {
            "Near"
        } else if self.start > tolerance {
            "Hits"
        } else {
            "Touches"
        }
    }
}

/// The point of a hull nearest to the origin, as `over / under`; and the weights of the points, over the same.
pub struct Nearest {
    pub over: Whole,
    pub under: BigInt,
    pub weights: Vec<BigInt>,
}

impl Nearest {
    /// Compares its distance with a length.
    fn compare(&self, length: &BigInt) -> Ordering {
        let radius_sum = length * &self.under;
        dot(&self.over, &self.over).cmp(&(&radius_sum * &radius_sum))
    }
}

fn minor(matrix: &[Vec<BigInt>]) -> BigInt {
    match matrix.len() {
        0 => BigInt::from(1),
        1 => matrix[0][0].clone(),
        2 => &matrix[0][0] * &matrix[1][1] - &matrix[0][1] * &matrix[1][0],
        _ => {
            let row = |k: usize| std::array::from_fn(|j| matrix[k][j].clone());
            determinant(&row(0), &row(1), &row(2))
        }
    }
}

/// The nearest point of the hull of some points to the origin.
pub fn nearest(points: &[Whole]) -> Nearest {
    let mut best: Option<Nearest> = None;
    for subset in 1_u32..1 << points.len() {
        if subset.count_ones() > 4 {
            continue;
        }
        let chosen: Vec<usize> = (0..points.len()).filter(|k| subset >> k & 1 == 1).collect();
        let Some(found) = within(points, &chosen) else {
            continue;
        };
        let nearer = best.as_ref().is_none_or(|best| {
            let (x, y) = (dot(&found.over, &found.over), dot(&best.over, &best.over));
            x * &best.under * &best.under < y * &found.under * &found.under
        });
        if nearer {
            best = Some(found);
        }
    }
    best.expect("a single point is always within itself")
}

/// The origin's projection on the affine hull of some points, if it is within them and they span it.
fn within(points: &[Whole], chosen: &[usize]) -> Option<Nearest> {
    let first = &points[chosen[0]];
    let edges: Vec<Whole> = chosen[1..]
        .iter()
        .map(|&k| minus(&points[k], first))
        .collect();
    let gram: Vec<Vec<BigInt>> = edges
        .iter()
        .map(|x| edges.iter().map(|y| dot(x, y)).collect())
        .collect();
    let right: Vec<BigInt> = edges.iter().map(|edge| -dot(first, edge)).collect();
    let under = minor(&gram);
    if sign(&under) != Ordering::Greater {
        return None;
    }
    let mut weights = vec![BigInt::from(0); points.len()];
    let mut over = times(first, &under);
    let mut rest = under.clone();
    for (column, edge) in edges.iter().enumerate() {
        let mut replaced = gram.clone();
        for (row, value) in replaced.iter_mut().zip(&right) {
            row[column] = value.clone();
        }
        let weight = minor(&replaced);
        if sign(&weight) == Ordering::Less {
            return None;
        }
        over = plus(&over, &times(edge, &weight));
        rest -= &weight;
        weights[chosen[column + 1]] = weight;
    }
    weights[chosen[0]] = rest.clone();
    (sign(&rest) != Ordering::Less).then_some(Nearest {
        over,
        under,
        weights,
    })
}

/// A convex set and the path of a centre past it.
pub struct SpherePath {
    /// The set's corners relative to the centre at the start.
    pub corners: Vec<Whole>,
    pub step: Whole,
    pub radius_sum: BigInt,
    /// Whole numbers per metre.
    pub unit: BigInt,
}

impl SpherePath {
    /// Nearest point of the set at a fraction `over / under` of the path, all lengths times `under`.
    fn at(&self, over: &BigInt, under: &BigInt) -> Nearest {
        let moved = times(&self.step, over);
        let corners = self
            .corners
            .iter()
            .map(|corner| minus(&times(corner, under), &moved));
        nearest(&corners.collect::<Vec<_>>())
    }

    fn least(&self) -> Nearest {
        let ends = self.corners.iter().map(|corner| minus(corner, &self.step));
        nearest(&self.corners.iter().cloned().chain(ends).collect::<Vec<_>>())
    }

    pub fn truth(&self) -> Truth {
        let gap = |at: &Nearest| beyond_radius(&at.over, &at.under, &self.radius_sum, &self.unit);
        Truth {
            start: gap(&nearest(&self.corners)),
            least: gap(&self.least()),
        }
    }

    /// The time of a hit by bisection, accurate to 2^-62; `None` where the path is inside for less than that.
    pub fn time(&self) -> Option<f64> {
        const BITS: usize = 62;
        let whole = BigInt::from(1) << BITS;
        let radius_sum = &self.radius_sum << BITS;
        let inside = |over: &BigInt| self.at(over, &whole).compare(&radius_sum) == Ordering::Less;
        let mut high = whole.clone();
        if !inside(&high) {
            // The fraction at which the path is nearest: the weights of the corners that were moved back.
            let least = self.least();
            let moved: BigInt = least.weights[self.corners.len()..].iter().sum();
            high = (moved << BITS) / least.under;
        }
        halving(inside, high, BITS)
    }

    /// Heights of the centre over the plane of the first three corners at the start and at the end, metres.
    pub fn heights(&self) -> [f64; 2] {
        let [a, b, c] = [&self.corners[0], &self.corners[1], &self.corners[2]];
        let normal = cross(&minus(b, a), &minus(c, a));
        let under = length(&normal) * &self.unit;
        let height = |point: &Whole| ratio(&(dot(&normal, &minus(point, a)) << ROOT_BITS), &under);
        [height(&minus(a, a)), height(&self.step)]
    }
}

/// The smallest multiple of 2^-bits that is inside, from below `high`; `None` where `high` is not inside.
pub fn halving(inside: impl Fn(&BigInt) -> bool, high: BigInt, bits: usize) -> Option<f64> {
    if !inside(&high) {
        return None;
    }
    let (mut low, mut high) = (BigInt::from(0), high);
    loop {
        let middle: BigInt = (&low + &high) >> 1;
        if middle == low {
            break;
        }
        if inside(&middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    let digit = high.to_u64_digits().1.first().copied().unwrap_or(0);
    Some(digit as f64 / 2.0_f64.powi(bits as i32))
}

/// Rotation into the frame of a quaternion, as a matrix of integers, scaled by `square`.
pub struct WholeRotation {
    rows: [Whole; 3],
    pub square: BigInt,
}

impl WholeRotation {
    pub fn of(rotation: DQuat) -> Self {
        let power = power_of(rotation.to_array());
        let [x, y, z, w] = rotation.to_array().map(|part| whole(part, power));
        let twice = |a: &BigInt, b: &BigInt, c: &BigInt, d: &BigInt, plus: bool| {
            let second = c * d;
            (a * b + if plus { second } else { -second }) * 2
        };
        let [xx, yy, zz, ww] = [&x * &x, &y * &y, &z * &z, &w * &w];
        // The transposed rotation matrix.
        let rows = [
            [
                &ww + &xx - &yy - &zz,
                twice(&x, &y, &w, &z, true),
                twice(&x, &z, &w, &y, false),
            ],
            [
                twice(&x, &y, &w, &z, false),
                &ww - &xx + &yy - &zz,
                twice(&y, &z, &w, &x, true),
            ],
            [
                twice(&x, &z, &w, &y, true),
                twice(&y, &z, &w, &x, false),
                &ww - &xx - &yy + &zz,
            ],
        ];
        Self {
            rows,
            square: xx + yy + zz + ww,
        }
    }

    /// A world vector in the frame.
    pub fn back(&self, vector: &Whole) -> Whole {
        std::array::from_fn(|k| dot(&self.rows[k], vector))
    }
}
