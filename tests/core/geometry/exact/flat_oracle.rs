//! The oracle: integers of any length, and half spaces by brute force.
//!
//! The differences of two bodies' points are the convex hull of their corners' differences. Every direction that could bound such a
//! hull, in space, in a plane or on a line, is tried: each gives a half space that contains the hull, and their intersection is
//! the hull. A motion is a line through it. All numbers are first multiplied by one power of two, which makes them integers.

use super::oracle::{
    ROOT_BITS, Truth, Whole, cross, dot, length, minus, plus, power_of, ratio, times, unit, whole,
    whole_vector,
};
use super::stats::tolerance_of;
use glam::{DMat3, DVec3};
use hitstop::core::shape::{Facing, Obb, Placed, Segment, Triangle};
use num_bigint::BigInt;

#[derive(Clone, Copy, Debug)]
pub enum Body {
    Box(Obb),
    Triangle([DVec3; 3]),
    Segment([DVec3; 2]),
}

impl Body {
    pub fn placed(&self) -> Placed<'static> {
        match *self {
            Self::Box(obb) => Placed::Obb(obb),
            Self::Triangle([a, b, c]) => Placed::Triangle(Triangle {
                a,
                b,
                c,
                facing: Facing::Both,
            }),
            Self::Segment([a, b]) => Placed::Segment(Segment { a, b }),
        }
    }

    /// Four error bounds.
    pub fn tolerance(&self, other: &Self, displacements: [DVec3; 2]) -> f64 {
        let points = |body: &Self| match *body {
            Self::Box(obb) => obb.corners().to_vec(),
            Self::Triangle(points) => points.to_vec(),
            Self::Segment(points) => points.to_vec(),
        };
        let all = [points(self), points(other), displacements.to_vec()].concat();
        tolerance_of(all, 0.0)
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
}

fn is_zero(x: &Whole) -> bool {
    x.iter().all(|part| *part == BigInt::ZERO)
}

/// Two bodies and the displacement of the first relative to the second.
pub struct Oracle {
    corners: [Vec<Whole>; 2],
    edges: Vec<Whole>,
    step: Whole,
    directions: Vec<Whole>,
    /// Whole numbers per metre.
    unit: BigInt,
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
        let (axes, lengths) = (power_of(of_axes), power_of(of_lengths));
        let places = power_of(of_places).max(axes + lengths);
        let corners = bodies.map(|body| corners(body, axes, places - axes));
        let mut edges = bodies.map(|body| edges(body, axes, places - axes)).concat();
        edges.retain(|edge| !is_zero(edge));
        let step = minus(
            &whole_vector(step[0], places),
            &whole_vector(step[1], places),
        );
        let mut oracle = Self {
            corners,
            edges,
            step,
            directions: vec![],
            unit: unit(places),
        };
        oracle.find_directions();
        oracle
    }

    fn find_directions(&mut self) {
        let mut lines = self.edges.clone();
        let axes = DMat3::IDENTITY;
        lines.extend([axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| whole_vector(axis, 0)));
        let mut squares = vec![];
        for i in 0..lines.len() {
            let crosses = (0..i).map(|j| cross(&lines[i], &lines[j]));
            squares.extend(crosses.filter(|square| !is_zero(square)));
        }
        let own = squares.iter().chain(&lines);
        let flat = own
            .clone()
            .any(|direction| self.width(direction) == BigInt::ZERO);
        self.directions = own.cloned().collect();
        if flat {
            let within = squares
                .iter()
                .flat_map(|square| lines.iter().map(|line| cross(square, line)));
            self.directions
                .extend(within.filter(|direction| !is_zero(direction)));
        }
    }

    /// The least and the greatest of the differences along a direction.
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

    /// The least and the greatest of the differences along each direction, and the displacement along it, metres.
    fn slabs(&self) -> Vec<[f64; 3]> {
        let slab = |direction: &Whole| {
            let under = length(direction) * &self.unit;
            let (least, most) = self.interval(direction);
            let rate = dot(direction, &self.step);
            [least, most, rate].map(|value| ratio(&(value << ROOT_BITS), &under))
        };
        self.directions.iter().map(slab).collect()
    }

    /// The truth, by the direction of most distance or least overlap; and the time of the first touch.
    pub fn truth(&self) -> (Truth, Option<f64>) {
        let slabs = self.slabs();
        let gap = |t: f64| {
            let along = slabs.iter().map(|&[least, most, rate]| {
                let moved = rate * t;
                (least + moved).max(-most - moved)
            });
            along.fold(f64::NEG_INFINITY, f64::max)
        };
        // Convex in time.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let third = (high - low) / 3.0;
            if gap(low + third) <= gap(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        let lowest = [0.0, low, 1.0]
            .into_iter()
            .min_by(|&s, &t| gap(s).total_cmp(&gap(t)));
        let nearest = lowest.expect("three of them");
        let truth = Truth {
            start: gap(0.0),
            least: gap(nearest),
        };
        if truth.start <= 0.0 || truth.least >= 0.0 {
            return (truth, None);
        }
        let (mut before, mut after) = (0.0, nearest);
        for _ in 0..80 {
            let middle = 0.5 * (before + after);
            if gap(middle) > 0.0 {
                before = middle;
            } else {
                after = middle;
            }
        }
        (truth, Some(after))
    }
}

fn arms(obb: &Obb, axes: i32, lengths: i32) -> [Whole; 3] {
    let columns = obb.axes();
    std::array::from_fn(|k| {
        times(
            &whole_vector(columns.col(k), axes),
            &whole(obb.half_extents[k], lengths),
        )
    })
}

fn corners(body: &Body, axes: i32, lengths: i32) -> Vec<Whole> {
    let place = |point: DVec3| whole_vector(point, axes + lengths);
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
