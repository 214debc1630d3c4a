//! The oracle: whole numbers of any length, and half spaces by brute force.
//!
//! All differences of two bodies' points are the hull of their corners' differences. Every direction that could bound such a
//! hull, in space, in a plane or on a line, is tried: each gives a half space that holds the hull, and their intersection is
//! the hull. A motion is a line through it. All numbers are multiplied by one power of two first, which makes them whole.

use glam::{DMat3, DVec3};
use hitstop::core::query::polytope::Polytope;
use hitstop::core::shape::{Facing, Obb, Segment, Triangle};
use num_bigint::BigInt;
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug)]
pub enum Body {
    Box(Obb),
    Triangle([DVec3; 3]),
    Segment([DVec3; 2]),
}

impl Body {
    pub fn polytope(&self) -> Polytope {
        match *self {
            Self::Box(obb) => Polytope::from_obb(&obb),
            Self::Triangle([a, b, c]) => Polytope::from_triangle(&Triangle {
                a,
                b,
                c,
                facing: Facing::Both,
            }),
            Self::Segment([a, b]) => Polytope::from_segment(&Segment { a, b }),
        }
    }

    pub fn moved(&self, by: DVec3) -> Self {
        match *self {
            Self::Box(obb) => Self::Box(Obb {
                center: obb.center + by,
                ..obb
            }),
            Self::Triangle(points) => Self::Triangle(points.map(|at| at + by)),
            Self::Segment(points) => Self::Segment(points.map(|at| at + by)),
        }
    }

    pub fn size(&self) -> f64 {
        match self {
            Self::Box(obb) => obb.half_extents.length(),
            Self::Triangle([a, b, c]) => a.distance(*b).max(a.distance(*c)),
            Self::Segment([a, b]) => a.distance(*b),
        }
    }

    pub fn place(&self) -> DVec3 {
        match self {
            Self::Box(obb) => obb.center,
            Self::Triangle([a, ..]) | Self::Segment([a, _]) => *a,
        }
    }
}

type Whole = [BigInt; 3];

/// How many binary digits follow the point of a number.
fn digits(value: f64) -> i32 {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let mantissa = if exponent == 0 {
        fraction
    } else {
        fraction | 1 << 52
    };
    if mantissa == 0 {
        return 0;
    }
    1075 - exponent.max(1) - mantissa.trailing_zeros() as i32
}

fn most_digits(values: impl IntoIterator<Item = f64>) -> i32 {
    values.into_iter().map(digits).max().unwrap_or(0).max(0)
}

/// The number times `2^power`.
fn whole(value: f64, power: i32) -> BigInt {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let mantissa = if exponent == 0 {
        fraction
    } else {
        fraction | 1 << 52
    };
    let shift = exponent.max(1) - 1075 + power;
    let size = if shift >= 0 {
        BigInt::from(mantissa) << shift as usize
    } else {
        let whole = BigInt::from(mantissa) >> (-shift) as usize;
        assert_eq!(&whole << (-shift) as usize, BigInt::from(mantissa));
        whole
    };
    if value < 0.0 { -size } else { size }
}

fn vector(value: DVec3, power: i32) -> Whole {
    value.to_array().map(|part| whole(part, power))
}

fn minus(x: &Whole, y: &Whole) -> Whole {
    std::array::from_fn(|k| &x[k] - &y[k])
}

fn plus(x: &Whole, y: &Whole) -> Whole {
    std::array::from_fn(|k| &x[k] + &y[k])
}

fn times(x: &Whole, factor: &BigInt) -> Whole {
    std::array::from_fn(|k| &x[k] * factor)
}

fn dot(x: &Whole, y: &Whole) -> BigInt {
    &x[0] * &y[0] + &x[1] * &y[1] + &x[2] * &y[2]
}

fn cross(x: &Whole, y: &Whole) -> Whole {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &x[i] * &y[j] - &x[j] * &y[i]
    })
}

fn sign(value: &BigInt) -> Ordering {
    value.cmp(&BigInt::ZERO)
}

fn is_zero(x: &Whole) -> bool {
    x.iter().all(|part| *part == BigInt::ZERO)
}

/// Two bodies and how the first moves past the second.
pub struct Oracle {
    corners: [Vec<Whole>; 2],
    edges: Vec<Whole>,
    step: Whole,
    directions: Vec<Whole>,
    flat: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resting {
    Apart,
    Touching,
    Overlapping,
}

/// A moment as a fraction with a denominator above zero.
#[derive(Clone, Debug)]
pub struct Moment(BigInt, BigInt);

impl Moment {
    fn new(over: BigInt, under: BigInt) -> Self {
        if under < BigInt::ZERO {
            Self(-over, -under)
        } else {
            Self(over, under)
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        (&self.0 * &other.1).cmp(&(&other.0 * &self.1))
    }

    pub fn value(&self) -> f64 {
        if self.0 == BigInt::ZERO {
            return 0.0;
        }
        // Sixty digits of the quotient are enough for an f64.
        let shift = 64 + self.1.bits() as i64 - self.0.bits() as i64;
        let quotient = if shift >= 0 {
            (&self.0 << shift as usize) / &self.1
        } else {
            &self.0 / (&self.1 << (-shift) as usize)
        };
        let digits: f64 = quotient.to_string().parse().unwrap();
        let half = 2.0_f64.powi((-shift / 2) as i32);
        digits * half * 2.0_f64.powi((-shift - -shift / 2) as i32)
    }
}

#[derive(Clone, Debug)]
pub enum Expected {
    Overlapping,
    /// When, and how fast they close along the last axis, as a share of the motion.
    Meets(f64, f64),
    Grazes,
    Later,
    Receding,
    Misses,
}

impl Expected {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Overlapping => "Overlapping",
            Self::Meets(..) => "Hits",
            Self::Grazes => "Grazes",
            Self::Later => "Later",
            Self::Receding => "Receding",
            Self::Misses => "Misses",
        }
    }
}

impl Oracle {
    pub fn new(a: &Body, b: &Body, step: [DVec3; 2]) -> Self {
        let bodies = [a, b];
        let mut of_axes = vec![];
        let mut of_lengths = vec![];
        let mut of_places = step.map(|at| at.to_array()).concat();
        for body in bodies {
            match body {
                Body::Box(obb) => {
                    of_axes.extend(obb.axes().to_cols_array());
                    of_lengths.extend(obb.half_extents.to_array());
                    of_places.extend(obb.center.to_array());
                }
                Body::Triangle(points) => of_places.extend(points.map(|at| at.to_array()).concat()),
                Body::Segment(points) => of_places.extend(points.map(|at| at.to_array()).concat()),
            }
        }
        let (axes, lengths) = (most_digits(of_axes), most_digits(of_lengths));
        let places = most_digits(of_places).max(axes + lengths);
        let corners = bodies.map(|body| corners(body, axes, places - axes));
        let mut edges = bodies.map(|body| edges(body, axes, places - axes)).concat();
        edges.retain(|edge| !is_zero(edge));
        let step = minus(&vector(step[0], places), &vector(step[1], places));
        let mut oracle = Self {
            corners,
            edges,
            step,
            directions: vec![],
            flat: false,
        };
        oracle.find_directions();
        oracle
    }

    fn find_directions(&mut self) {
        let mut lines = self.edges.clone();
        let axes = DMat3::IDENTITY;
        lines.extend([axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| vector(axis, 0)));
        let mut squares = vec![];
        for i in 0..lines.len() {
            let crosses = (0..i).map(|j| cross(&lines[i], &lines[j]));
            squares.extend(crosses.filter(|square| !is_zero(square)));
        }
        let own = squares.iter().chain(&lines);
        self.flat = own
            .clone()
            .any(|direction| self.width(direction) == BigInt::ZERO);
        self.directions = own.cloned().collect();
        if self.flat {
            let within = squares
                .iter()
                .flat_map(|square| lines.iter().map(|line| cross(square, line)));
            self.directions
                .extend(within.filter(|direction| !is_zero(direction)));
        }
    }

    /// The least and the most of the differences along a direction.
    fn interval(&self, direction: &Whole) -> (BigInt, BigInt) {
        let along = |body: usize| {
            let mut all: Vec<BigInt> = self.corners[body]
                .iter()
                .map(|corner| dot(corner, direction))
                .collect();
            all.sort();
            (all[0].clone(), all[all.len() - 1].clone())
        };
        let ((least, most), (least_b, most_b)) = (along(0), along(1));
        (least - most_b, most - least_b)
    }

    fn width(&self, direction: &Whole) -> BigInt {
        let (least, most) = self.interval(direction);
        most - least
    }

    pub fn resting(&self) -> Resting {
        let mut all = Resting::Overlapping;
        for direction in &self.directions {
            let (least, most) = self.interval(direction);
            match sign(&-least).min(sign(&most)) {
                Ordering::Less => return Resting::Apart,
                Ordering::Equal => all = Resting::Touching,
                Ordering::Greater => {}
            }
        }
        all
    }

    /// The outcome of the motion.
    pub fn swept(&self) -> Expected {
        if self.resting() == Resting::Overlapping {
            return Expected::Overlapping;
        }
        let (mut begin, mut end): (Option<(Moment, f64)>, Option<Moment>) = (None, None);
        let (mut never, mut slides, mut pinned) = (false, false, false);
        for direction in &self.directions {
            // The first moves by t: `least + t rate <= 0 <= most + t rate`.
            let (least, most) = self.interval(direction);
            let rate = dot(direction, &self.step);
            let thin = least == most;
            if rate == BigInt::ZERO {
                let inside = sign(&-&least).min(sign(&most));
                never |= inside == Ordering::Less;
                slides |= inside == Ordering::Equal && !thin;
                continue;
            }
            pinned |= thin;
            let (from, to) = if rate > BigInt::ZERO {
                (most, least)
            } else {
                (least, most)
            };
            let (from, to) = (
                Moment::new(-from, rate.clone()),
                Moment::new(-to, rate.clone()),
            );
            if begin
                .as_ref()
                .is_none_or(|(known, _)| known.compare(&from).is_lt())
            {
                begin = Some((from, self.share(direction)));
            }
            if end.as_ref().is_none_or(|known| to.compare(known).is_lt()) {
                end = Some(to);
            }
        }
        let (Some((begin, share)), Some(end)) = (begin, end) else {
            return self.passing();
        };
        let order = begin.compare(&end);
        if never || order.is_gt() {
            return self.passing();
        }
        let one = Moment(BigInt::from(1), BigInt::from(1));
        let (before, after) = (begin.0 < BigInt::ZERO, begin.compare(&one).is_ge());
        let meets = pinned || order.is_lt() && !slides;
        if meets && !before && !after {
            return Expected::Meets(begin.value(), share);
        }
        if after {
            return Expected::Later;
        }
        if meets {
            return self.passing();
        }
        match begin.0 > BigInt::ZERO {
            true => Expected::Grazes,
            false => Expected::Receding,
        }
    }

    /// How much of the motion is along a direction.
    fn share(&self, direction: &Whole) -> f64 {
        let rate = dot(direction, &self.step);
        let square = dot(direction, direction) * dot(&self.step, &self.step);
        Moment(&rate * &rate, square).value().sqrt()
    }

    /// Of two that never meet in the frame: do they close at its start, and at its end?
    fn passing(&self) -> Expected {
        let at = |moved: bool| {
            let way = self.way(moved);
            dot(&way, &self.step)
        };
        if at(false) >= BigInt::ZERO {
            Expected::Receding
        } else if at(true) <= BigInt::ZERO {
            Expected::Later
        } else {
            Expected::Misses
        }
    }

    /// Along the shortest way from the second to the first, of any length.
    fn way(&self, moved: bool) -> Whole {
        let none = [BigInt::ZERO, BigInt::ZERO, BigInt::ZERO];
        let shift = if moved { &self.step } else { &none };
        let first: Vec<Whole> = self.corners[0]
            .iter()
            .map(|corner| plus(corner, shift))
            .collect();
        let mut points = vec![];
        for a in &first {
            points.extend(self.corners[1].iter().map(|b| minus(a, b)));
        }
        // `p` is nearest to the origin when nothing lies below it: over its own square with `under` for a denominator.
        let is_nearest = |over: &Whole, under: &BigInt| {
            let square = dot(over, over);
            points
                .iter()
                .all(|point| dot(point, over) * under >= square)
        };
        let one = BigInt::from(1);
        if let Some(point) = points.iter().find(|point| is_nearest(point, &one)) {
            return point.clone();
        }
        for point in &points {
            for edge in self
                .edges
                .iter()
                .filter(|edge| points.contains(&plus(point, edge)))
            {
                let under = dot(edge, edge);
                let along = -dot(point, edge);
                if along < BigInt::ZERO || along > under {
                    continue;
                }
                let over = minus(&times(point, &under), &times(edge, &dot(point, edge)));
                if !is_zero(&over) && is_nearest(&over, &under) {
                    return over;
                }
            }
        }
        // A face, then: the one whose plane is farthest from the origin.
        let mut best: Option<(Moment, Whole)> = None;
        for direction in &self.directions {
            let (least, most) = self.interval(direction);
            let moved = dot(direction, shift);
            for (height, way) in [
                (least + &moved, direction.clone()),
                (-most - &moved, times(direction, &-&one)),
            ] {
                if height > BigInt::ZERO {
                    let square = Moment(&height * &height, dot(direction, direction));
                    if best
                        .as_ref()
                        .is_none_or(|(known, _)| known.compare(&square).is_lt())
                    {
                        best = Some((square, way));
                    }
                }
            }
        }
        best.map_or(none, |(_, way)| way)
    }
}

fn arms(obb: &Obb, axes: i32, lengths: i32) -> [Whole; 3] {
    let columns = obb.axes();
    std::array::from_fn(|k| {
        times(
            &vector(columns.col(k), axes),
            &whole(obb.half_extents[k], lengths),
        )
    })
}

fn corners(body: &Body, axes: i32, lengths: i32) -> Vec<Whole> {
    let place = |point: DVec3| vector(point, axes + lengths);
    match body {
        Body::Box(obb) => {
            let mut all = vec![place(obb.center)];
            for arm in arms(obb, axes, lengths) {
                all = all
                    .iter()
                    .flat_map(|from| [minus(from, &arm), plus(from, &arm)])
                    .collect();
            }
            all
        }
        Body::Triangle(points) => points.map(place).to_vec(),
        Body::Segment(points) => points.map(place).to_vec(),
    }
}

fn edges(body: &Body, axes: i32, lengths: i32) -> Vec<Whole> {
    match body {
        Body::Box(obb) => arms(obb, axes, lengths)
            .map(|arm| plus(&arm, &arm))
            .to_vec(),
        Body::Triangle(_) | Body::Segment(_) => {
            let points = corners(body, axes, lengths);
            (0..points.len())
                .map(|k| minus(&points[(k + 1) % points.len()], &points[k]))
                .collect()
        }
    }
}
