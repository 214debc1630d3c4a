//! The oracle: whole numbers of any length, and one idea that none of the code uses.
//!
//! Everything that is asked of a sphere's way past a convex set is the distance of the origin from a hull of points: from the
//! corners as the centre sees them (at the start, at the end), or from the corners and the same moved back by the step (over
//! the whole way). That distance is the least over all subsets of up to four points whose affine hull's nearest point lies
//! within them. All numbers are multiplied by one power of two first, which makes whole numbers of every `f64`.

use glam::DVec3;
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

pub fn determinant(a: &Whole, b: &Whole, c: &Whole) -> BigInt {
    &a[0] * (&b[1] * &c[2] - &b[2] * &c[1]) - &a[1] * (&b[0] * &c[2] - &b[2] * &c[0])
        + &a[2] * (&b[0] * &c[1] - &b[1] * &c[0])
}

pub fn sign(value: &BigInt) -> Ordering {
    value.cmp(&BigInt::from(0))
}

/// The point of a hull nearest to the origin, as `over / under`; and the weights of the points, over the same.
pub struct Nearest {
    pub over: Whole,
    pub under: BigInt,
    pub weights: Vec<BigInt>,
}

impl Nearest {
    /// Its distance against a length.
    pub fn compare(&self, length: &BigInt) -> Ordering {
        let reach = length * &self.under;
        dot(&self.over, &self.over).cmp(&(&reach * &reach))
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

/// The origin's projection on the affine hull of some points, where it falls within them and they span it.
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

/// A convex set and a centre on its way past it.
pub struct Way {
    /// The set's corners as the centre sees them at the start.
    pub corners: Vec<Whole>,
    pub step: Whole,
    pub reach: BigInt,
}

impl Way {
    /// The nearest of the set at a share `over / 2^bits` of the way, all lengths times `2^bits`.
    fn at(&self, over: &BigInt, bits: usize) -> Nearest {
        let moved = times(&self.step, over);
        let corners = self.corners.iter().map(|corner| {
            let corner: Whole = std::array::from_fn(|k| &corner[k] << bits);
            minus(&corner, &moved)
        });
        nearest(&corners.collect::<Vec<_>>())
    }

    fn least(&self) -> Nearest {
        let ends = self.corners.iter().map(|corner| minus(corner, &self.step));
        nearest(&self.corners.iter().cloned().chain(ends).collect::<Vec<_>>())
    }

    /// The distance at the start against the reach.
    pub fn start(&self) -> Ordering {
        nearest(&self.corners).compare(&self.reach)
    }

    /// The outcome by name.
    pub fn outcome(&self) -> &'static str {
        let closes = |seen: &Nearest| sign(&dot(&seen.over, &self.step)).reverse();
        let start = nearest(&self.corners);
        if start.compare(&self.reach) == Ordering::Less {
            return "Overlapping";
        }
        if closes(&start) != Ordering::Less {
            return "Receding";
        }
        let end = self.at(&BigInt::from(1), 0);
        if end.compare(&self.reach) == Ordering::Less {
            return "Hits";
        }
        if closes(&end) != Ordering::Greater {
            return "Later";
        }
        match self.least().compare(&self.reach) {
            Ordering::Less => "Hits",
            Ordering::Equal => "Grazes",
            Ordering::Greater => "Misses",
        }
    }

    /// The time of a hit by halving, good to 2^-BITS; `None` where the way is inside for less than that.
    pub fn time(&self) -> Option<f64> {
        const BITS: usize = 62;
        let whole = BigInt::from(1) << BITS;
        let reach = &self.reach << BITS;
        let inside = |over: &BigInt| self.at(over, BITS).compare(&reach) == Ordering::Less;
        let mut high = whole.clone();
        if !inside(&high) {
            // When the way is nearest: the weights of the corners that were moved back.
            let least = self.least();
            let moved: BigInt = least.weights[self.corners.len()..].iter().sum();
            high = (moved << BITS) / least.under;
            if !inside(&high) {
                return None;
            }
        }
        let mut low = BigInt::from(0);
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
        let digits = high.to_u64_digits().1;
        let digit = digits.first().copied().unwrap_or(0);
        Some(digit as f64 / 2.0_f64.powi(BITS as i32))
    }
}

/// A solid box along the axes around the origin, and a centre on its way past it.
pub struct BoxWay {
    pub half: Whole,
    pub start: Whole,
    pub step: Whole,
    pub reach: BigInt,
}

impl BoxWay {
    /// From the box's nearest point to the centre at a share `over / under`, all lengths times `under`.
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
        let reach = &self.reach * under;
        dot(&away, &away).cmp(&(&reach * &reach))
    }

    /// The shares at which the distance can be least: where each of the 27 regions' parabolas turns.
    fn turns(&self) -> Vec<(BigInt, BigInt)> {
        let mut shares = vec![];
        for region in 0..27 {
            let sides = [region % 3 - 1, region / 3 % 3 - 1, region / 9 - 1];
            let (mut over, mut under) = (BigInt::from(0), BigInt::from(0));
            for k in (0..3).filter(|&k| sides[k] != 0) {
                over -= (&self.start[k] - &self.half[k] * sides[k]) * &self.step[k];
                under += &self.step[k] * &self.step[k];
            }
            if sign(&over) != Ordering::Less && over <= under && sign(&under) == Ordering::Greater {
                shares.push((over, under));
            }
        }
        shares
    }

    pub fn start(&self) -> Ordering {
        self.compare(&BigInt::from(0), &BigInt::from(1))
    }

    /// The outcome by name.
    pub fn outcome(&self) -> &'static str {
        let (zero, one) = (BigInt::from(0), BigInt::from(1));
        let rate = |share: &BigInt| sign(&dot(&self.beyond(share, &one), &self.step));
        if self.compare(&zero, &one) == Ordering::Less {
            return "Overlapping";
        }
        if rate(&zero) != Ordering::Less {
            return "Receding";
        }
        if self.compare(&one, &one) == Ordering::Less {
            return "Hits";
        }
        if rate(&one) != Ordering::Greater {
            return "Later";
        }
        let least = self
            .turns()
            .iter()
            .map(|(over, under)| self.compare(over, under))
            .min();
        match least.expect("the distance falls at first and rises at last") {
            Ordering::Less => "Hits",
            Ordering::Equal => "Grazes",
            Ordering::Greater => "Misses",
        }
    }

    /// The time of a hit, as [`Way::time`].
    pub fn time(&self) -> Option<f64> {
        const BITS: usize = 62;
        let whole = BigInt::from(1) << BITS;
        let inside = |over: &BigInt| self.compare(over, &whole) == Ordering::Less;
        let turns = self
            .turns()
            .into_iter()
            .map(|(over, under)| (over << BITS) / under);
        let mut high = turns
            .chain([whole.clone()])
            .filter(|over| inside(over))
            .min()?;
        let mut low = BigInt::from(0);
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
        Some(digit as f64 / 2.0_f64.powi(BITS as i32))
    }
}
