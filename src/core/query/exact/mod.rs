//! Decisions without rounding, for where rounding could decide: the whole story of a sphere's sweep in exact arithmetic.
//!
//! A shape that a sphere of radius R meets is a set of parts (points, edges, faces) seen from the sphere's centre; its squared
//! distance is a fraction of two polynomials in the input, and every outcome is the sign of one (collision in order: start,
//! approach, end, least). The quick forms answer outside their error bounds and ask here inside them.

mod double;
mod fraction;
mod frame;
mod number;
mod one_sided;
mod parts;
mod past;

pub(crate) use double::{DOUBLE_NOISE, Double, DoubleVector};
pub(crate) use frame::ExactFrame;
pub(crate) use number::{Exact, ExactVector};
pub(crate) use one_sided::Front;
pub(crate) use parts::Body;

use crate::core::shape::{Aabb, Plane, Segment, Triangle};
use glam::DVec3;
use std::cmp::Ordering;

/// The outcome of a sweep by name, with the numbers that rounding would spoil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Overlapping,
    Receding,
    Later,
    /// With the metres between them, > 0.
    Misses(f64),
    Grazes,
    /// With the time of impact, `0 <= fraction < 1`.
    Hits(f64),
}

/// A sphere's way past a body, exact: everything is seen from the sphere's centre at its start.
#[derive(Clone, Debug)]
pub(crate) struct ExactSweep {
    pub body: Body,
    /// The centre's displacement relative to the body's.
    pub step: ExactVector,
    /// The sphere's radius and the body's own, summed.
    pub reach: Exact,
}

impl ExactSweep {
    /// By displacements and radii in the body's own scale.
    pub fn new(body: Body, displacement: DVec3, other: DVec3, radii: [f64; 2]) -> Self {
        Self {
            body,
            step: ExactVector::difference(displacement, other),
            reach: Exact::new(radii[0]).plus(&Exact::new(radii[1])),
        }
    }

    /// The outcome, in the order start, approach, end, closest approach; for a reach above zero.
    pub fn verdict(&self) -> Verdict {
        let zero = ExactVector::new(DVec3::ZERO);
        let start = self.body.nearest(&zero, &self.reach);
        if start.distance == Ordering::Less {
            return Verdict::Overlapping;
        }
        if start.away.dot(&self.step).sign() != Ordering::Less {
            return Verdict::Receding;
        }
        if start.distance == Ordering::Equal {
            return Verdict::Hits(0.0);
        }
        let end = self.body.nearest(&self.step, &self.reach);
        if end.distance == Ordering::Less {
            return Verdict::Hits(self.fraction());
        }
        if end.away.dot(&self.step).sign() != Ordering::Greater {
            return Verdict::Later;
        }
        let least = self.body.least(&self.step);
        match least.compare(&self.reach) {
            Ordering::Less => Verdict::Hits(self.fraction()),
            Ordering::Equal => Verdict::Grazes,
            Ordering::Greater => Verdict::Misses(least.beyond(&self.reach)),
        }
    }
}

/// Is the body nearer than `reach` (Less), as near (Equal) or farther, seen from the centre?
pub(crate) fn compare_distance(body: &Body, reach: [f64; 2]) -> Ordering {
    let reach = Exact::new(reach[0]).plus(&Exact::new(reach[1]));
    body.nearest(&ExactVector::new(DVec3::ZERO), &reach)
        .distance
}

/// On which side of a triangle's plane a point lies: Greater in front, by the right-hand rule over a, b, c.
pub(crate) fn exact_side(point: DVec3, triangle: &Triangle) -> Ordering {
    let [a, b, c] = [triangle.a, triangle.b, triangle.c];
    let normal = ExactVector::difference(b, a).cross(&ExactVector::difference(c, a));
    normal.dot(&ExactVector::difference(point, a)).sign()
}

/// The sign of the volume of a segment's way and two points seen from its start: on which side it passes their line.
pub(crate) fn exact_turn(segment: &Segment, p: DVec3, q: DVec3) -> Ordering {
    let [way, p, q] = [segment.b, p, q].map(|end| ExactVector::difference(end, segment.a));
    way.dot(&p.cross(&q)).sign()
}

/// A point, seen from `center`.
pub(crate) fn exact_point(center: DVec3, point: DVec3) -> Body {
    let place = ExactVector::difference(point, center);
    Body::flat(vec![[place.clone(), place]], vec![])
}

/// A segment, seen from `center`.
pub(crate) fn exact_segment(center: DVec3, segment: &Segment) -> Body {
    let [a, b] = [segment.a, segment.b].map(|end| ExactVector::difference(end, center));
    Body::flat(vec![[a, b]], vec![])
}

/// A box along the axes, seen from `from`.
pub(crate) fn exact_aabb(from: DVec3, aabb: &Aabb) -> Body {
    let [low, high] = [aabb.min, aabb.max].map(ExactVector::new);
    let half = Exact::new(0.5);
    Body::Box {
        center: low.plus(&high).times(&half).minus(&ExactVector::new(from)),
        half: high.minus(&low).times(&half),
    }
}

/// A half space, seen from `center`.
pub(crate) fn exact_plane(center: DVec3, plane: &Plane) -> Body {
    let normal = ExactVector::new(plane.normal);
    let along = normal.dot(&ExactVector::new(center));
    Body::Plane {
        distance: along.minus(&Exact::new(plane.offset)),
        normal,
    }
}

/// All differences of two segments' points, a parallelogram seen from the origin.
pub(crate) fn exact_differences(first: &Segment, second: &Segment) -> Body {
    let corner = ExactVector::difference;
    let [a, b, c, d] = [
        corner(first.a, second.a),
        corner(first.b, second.a),
        corner(first.b, second.b),
        corner(first.a, second.b),
    ];
    Body::triangles([[a.clone(), b, c.clone()], [a, c, d]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path along x at height `h` past a ball of radius R hits when h < R, by however little.
    #[test]
    fn the_last_bit_of_a_graze_is_decided() {
        for (height, expected) in [
            (1.0_f64.next_down(), "Hits"),
            (1.0, "Grazes"),
            (1.0_f64.next_up(), "Misses"),
        ] {
            // Far away and fast, where b^2 - a c has no digit left.
            let body = exact_point(DVec3::new(-1e6, height, 0.0), DVec3::ZERO);
            let way = ExactSweep::new(body, DVec3::X * 3e6, DVec3::ZERO, [0.5, 0.5]);
            let verdict = way.verdict();
            let name = format!("{verdict:?}");
            assert!(name.starts_with(expected), "height {height}: {name}");
            if let Verdict::Misses(by) = verdict {
                assert!(by > 0.0 && by < 3e-16, "{by}");
            }
        }
    }
}
