//! The shortest way between two bodies that are apart, guessed in `f64` and proven without rounding.

use super::super::super::closest_point::direction;
use super::super::super::exact::{Exact, ExactVector};
use super::super::Polytope;
use super::{ExactBody, ExactPair, Extent, Relation, Side, is_vector, unit};
use crate::core::tolerance::FEATURE_ANGLE;
use glam::DVec3;
use std::cmp::Ordering;

/// The shortest way from the second body to the first, of any length; moved by a step, where there is one.
///
/// `hint` is that way as rounded. What lies lowest along it holds the nearest point, which is then proven to be nearest:
/// nothing of the differences lies below it. `None` where the hint was too bad.
pub(in super::super) fn shortest_way(
    a: &Polytope,
    b: &Polytope,
    step: Option<&ExactVector>,
    hint: DVec3,
) -> Option<ExactVector> {
    let zero = ExactVector::new(DVec3::ZERO);
    let bodies = [ExactBody::of(a), ExactBody::of(b)];
    let mut between = bodies[0].base.minus(&bodies[1].base);
    if let Some(step) = step {
        between = between.minus(&zero.minus(step));
    }
    let differences = Differences { bodies, between };
    differences.nearest(hint).or_else(|| {
        let pair = ExactPair::of(a, b);
        if pair.relation_at(&differences.between) != Relation::Apart {
            return Some(zero);
        }
        let hint = pair.widest(&differences.between)?;
        differences.nearest(hint)
    })
}

/// All differences of two bodies' points.
struct Differences {
    bodies: [ExactBody; 2],
    between: ExactVector,
}

impl Differences {
    fn nearest(&self, hint: DVec3) -> Option<ExactVector> {
        let hint = direction(hint)?;
        let [first, second] = [&self.bodies[0], &self.bodies[1]].map(ExactBody::points);
        let between = rounded(&self.between);
        let pairs = (0..first.len()).flat_map(|i| (0..second.len()).map(move |j| (i, j)));
        let pairs: Vec<_> = pairs.collect();
        let [of_a, of_b] = [&first, &second].map(|points| points.iter().map(rounded).collect());
        let (of_a, of_b): (Vec<DVec3>, Vec<DVec3>) = (of_a, of_b);
        let points: Vec<_> = pairs
            .iter()
            .map(|&(i, j)| of_a[i] - of_b[j] + between)
            .collect();
        let negated = ExactVector::new(DVec3::ZERO).minus(&self.between);
        let near: Vec<_> = lowest(&points, hint)
            .into_iter()
            .map(|index| {
                let (i, j) = pairs[index];
                (first[i].minus(&second[j]).minus(&negated), points[index])
            })
            .collect();
        self.nearest_of(&near, hint)
    }

    /// The point of some differences' hull that is nearest to the origin, if that is nearest of all.
    fn nearest_of(&self, near: &[(ExactVector, DVec3)], hint: DVec3) -> Option<ExactVector> {
        let count = near.len();
        let exact = |index: usize| &near[index].0;
        let triples = || {
            let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
            pairs.flat_map(|(i, j)| (j + 1..count).map(move |k| [i, j, k]))
        };
        let under = |triple: &[usize; 3]| is_under(triple.map(|index| near[index].1), hint);
        let proven = |foot: (ExactVector, Exact)| self.proven(foot);
        let of_triple = |triple: [usize; 3]| foot_in_triangle(triple.map(exact)).and_then(proven);
        let likely = triples().filter(under).find_map(of_triple);
        let edges = (0..count).flat_map(|i| (i + 1..count).map(move |j| [i, j]));
        let one = Exact::new(1.0);
        likely
            .or_else(|| {
                let mut feet = edges.filter_map(|edge| foot_on_edge(edge.map(exact)));
                feet.find_map(proven)
            })
            .or_else(|| (0..count).find_map(|index| proven((exact(index).clone(), one.clone()))))
            .or_else(|| triples().find_map(of_triple))
    }

    /// A point, over its denominator, if no difference lies below it as seen from the origin.
    fn proven(&self, (over, under): (ExactVector, Exact)) -> Option<ExactVector> {
        let [a, b] = &self.bodies;
        let lowest = a.interval(&over).0.minus(&b.interval(&over).1);
        let height = lowest.plus(&self.between.dot(&over)).times(&under);
        let nearest = height.compare(&over.square()) != Ordering::Less;
        nearest.then_some(over)
    }
}

/// Is the origin over a triangle as seen along a direction, up to rounding?
fn is_under([a, b, c]: [DVec3; 3], along: DVec3) -> bool {
    let area = (b - a).cross(c - a).dot(along);
    let slack = FEATURE_ANGLE * area.abs();
    let inside = |p: DVec3, q: DVec3| p.cross(q).dot(along) * area.signum() >= -slack;
    area != 0.0 && inside(a, b) && inside(b, c) && inside(c, a)
}

impl ExactPair {
    /// The direction along which they are farthest apart, if any.
    fn widest(&self, between: &ExactVector) -> Option<DVec3> {
        let apart = self.axes.iter().flat_map(|axis| {
            let Side { forward, backward } = self.side_at(axis, between);
            let direction = unit(axis);
            let length = rounded(axis).dot(direction);
            let shares = [backward.to_f64() / length, forward.to_f64() / length];
            [(shares[0], -direction), (shares[1], direction)]
        });
        if let Extent::Plane(normal) = &self.extent
            && between.dot(normal).sign().is_ne()
        {
            return Some(unit(normal) * between.dot(normal).to_f64().signum());
        }
        let widest = apart.min_by(|one, other| one.0.total_cmp(&other.0));
        widest.map(|(_, direction)| direction)
    }
}

/// The numbers of the points that are lowest along a direction, up to rounding.
fn lowest(points: &[DVec3], toward: DVec3) -> Vec<usize> {
    let Some(direction) = direction(toward) else {
        return vec![];
    };
    let heights: Vec<f64> = points.iter().map(|point| point.dot(direction)).collect();
    let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let from = points.first().copied().unwrap_or(DVec3::ZERO);
    let size = points.iter().map(|point| point.distance(from));
    let limit = least + FEATURE_ANGLE * size.fold(0.0, f64::max);
    (0..points.len())
        .filter(|&index| heights[index] <= limit)
        .collect()
}

/// The point of a triangle's plane nearest to the origin, over its denominator; `None` beside the triangle.
fn foot_in_triangle([a, b, c]: [&ExactVector; 3]) -> Option<(ExactVector, Exact)> {
    let normal = b.minus(a).cross(&c.minus(a));
    let inside =
        |p: &ExactVector, q: &ExactVector| p.cross(q).dot(&normal).sign() != Ordering::Less;
    let over = is_vector(&normal) && inside(a, b) && inside(b, c) && inside(c, a);
    if !over {
        return None;
    }
    Some((normal.times(&normal.dot(a)), normal.square()))
}

/// The same of the line through two points; `None` beyond them.
fn foot_on_edge([a, b]: [&ExactVector; 2]) -> Option<(ExactVector, Exact)> {
    let along = b.minus(a);
    let (share, square) = (a.dot(&along).negated(), along.square());
    let within = share.sign() != Ordering::Less && share.compare(&square) != Ordering::Greater;
    if !within || !is_vector(&along) {
        return None;
    }
    let over = a.times(&square).minus(&along.times(&share.negated()));
    Some((over, square))
}

fn rounded(vector: &ExactVector) -> DVec3 {
    let [x, y, z] = &vector.0;
    DVec3::new(x.to_f64(), y.to_f64(), z.to_f64())
}
