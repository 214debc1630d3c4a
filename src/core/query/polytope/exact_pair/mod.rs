//! Two flat bodies without rounding: do they touch, and when, decided by the signs of polynomials in the input.
//!
//! All differences of points of two convex bodies are a convex body again (Ericson 2005, 5.2.1). Its faces are square to
//! the faces of either body and to pairs of their edges; where it has no thickness, what bounds it lies in its plane or on
//! its line. The pair overlaps where the origin is inside, and a motion carries the origin along a line through it.

mod crossing;
mod way;

pub(super) use crossing::ExactCrossing;
pub(super) use way::shortest_way;

use super::super::exact::{Exact, ExactVector};
use super::box_axes::BoxAxis;
use super::cuboid::Cuboid;
use super::{Polytope, Source};
use glam::DVec3;
use std::cmp::Ordering;

/// How two bodies lie, resting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Apart,
    /// No interior is shared.
    Touching,
    Overlapping,
}

/// A body as a base point, what its corners are from there, and arms by which it reaches both ways.
struct ExactBody {
    base: ExactVector,
    corners: Vec<ExactVector>,
    arms: Vec<ExactVector>,
}

impl ExactBody {
    fn of(body: &Polytope) -> Self {
        match &body.source {
            Source::Box { axes, half } => Self::of_box(body.origin, axes, *half),
            Source::Rounded => Self {
                base: ExactVector::new(body.origin),
                corners: body
                    .offsets()
                    .iter()
                    .copied()
                    .map(ExactVector::new)
                    .collect(),
                arms: vec![],
            },
            Source::Corners { points, count } => Self {
                base: ExactVector::new(points[0]),
                corners: points[..*count]
                    .iter()
                    .map(|&point| ExactVector::difference(point, points[0]))
                    .collect(),
                arms: vec![],
            },
        }
    }

    fn of_box(center: DVec3, axes: &[DVec3; 3], half: DVec3) -> Self {
        let arms = (0..3).map(|k| ExactVector::new(axes[k]).times(&Exact::new(half[k])));
        Self {
            base: ExactVector::new(center),
            corners: vec![ExactVector::new(DVec3::ZERO)],
            arms: arms.filter(is_vector).collect(),
        }
    }

    /// The corners, from the base.
    fn points(&self) -> Vec<ExactVector> {
        let mut points = self.corners.clone();
        for arm in &self.arms {
            let back = ExactVector::new(DVec3::ZERO).minus(arm);
            let ends = points
                .iter()
                .flat_map(|at| [at.minus(arm), at.minus(&back)]);
            points = ends.collect();
        }
        points
    }

    /// Of any length, but none of length zero.
    fn edges(&self) -> Vec<ExactVector> {
        let around = self.corners.iter().zip(self.corners.iter().cycle().skip(1));
        let sides = around.map(|(from, to)| to.minus(from)).filter(is_vector);
        self.arms.iter().cloned().chain(sides).collect()
    }

    /// The interval it covers along a direction, from its base.
    fn interval(&self, direction: &ExactVector) -> (Exact, Exact) {
        let along = self.corners.iter().map(|corner| corner.dot(direction));
        let (mut least, mut most) = (Exact::default(), Exact::default());
        for value in along {
            if value.compare(&least) == Ordering::Less {
                least = value;
            } else if value.compare(&most) == Ordering::Greater {
                most = value;
            }
        }
        for arm in &self.arms {
            let reach = absolute(arm.dot(direction));
            (least, most) = (least.minus(&reach), most.plus(&reach));
        }
        (least, most)
    }
}

fn is_vector(vector: &ExactVector) -> bool {
    vector.0.iter().any(|part| part.sign().is_ne())
}

fn absolute(value: Exact) -> Exact {
    if value.sign() == Ordering::Less {
        value.negated()
    } else {
        value
    }
}

/// How two bodies lie along a direction, times its length.
struct Side {
    /// What the first has to go along the direction to be beyond; below zero when it is.
    forward: Exact,
    /// The same against the direction.
    backward: Exact,
}

impl Side {
    fn relation(&self) -> Relation {
        match self.forward.sign().min(self.backward.sign()) {
            Ordering::Less => Relation::Apart,
            Ordering::Equal => Relation::Touching,
            Ordering::Greater => Relation::Overlapping,
        }
    }
}

/// Is a body wholly behind a triangle's plane, by the right-hand rule? What lies in the plane is not.
pub(super) fn is_exactly_behind(body: &Polytope, triangle: &Polytope) -> bool {
    let (body, triangle) = (ExactBody::of(body), ExactBody::of(triangle));
    let [_, to_b, to_c] = triangle.corners.as_slice() else {
        return false;
    };
    let normal = to_b.cross(to_c);
    let (least, most) = body.interval(&normal);
    let height = body.base.minus(&triangle.base).dot(&normal);
    most.plus(&height).sign() != Ordering::Greater && least.plus(&height).sign() == Ordering::Less
}

/// How fast a step climbs from a triangle, by the right-hand rule, as a sign.
pub(super) fn exact_rate(triangle: &Polytope, step: &ExactVector) -> Ordering {
    match ExactBody::of(triangle).corners.as_slice() {
        [_, to_b, to_c] => to_b.cross(to_c).dot(step).sign(),
        _ => Ordering::Equal,
    }
}

/// How many dimensions the differences of two bodies fill.
enum Extent {
    Solid,
    /// Square to the normal.
    Plane(ExactVector),
    /// Along a direction.
    Line(ExactVector),
    Point,
}

/// Two bodies, and the directions that bound their differences.
pub(super) struct ExactPair {
    a: ExactBody,
    b: ExactBody,
    /// From b's base to a's.
    between: ExactVector,
    extent: Extent,
    /// Of a solid: square to its faces. Of a plane: square to its edges, in it. Of a line: the line.
    axes: Vec<ExactVector>,
}

impl ExactPair {
    /// Of two boxes with three extents, on some of their axes.
    pub fn relation_of_boxes([a, b]: [&Cuboid; 2], axes: u32) -> Relation {
        let normal = |body: &Cuboid, axis: usize| {
            let [first, second] = [(axis + 1) % 3, (axis + 2) % 3].map(|k| body.axes[k]);
            ExactVector::new(first).cross(&ExactVector::new(second))
        };
        let chosen = BoxAxis::all_in(axes).map(|axis| match axis {
            BoxAxis::FaceOfA(i) => normal(a, i),
            BoxAxis::FaceOfB(j) => normal(b, j),
            BoxAxis::Edges(i, j) => ExactVector::new(a.axes[i]).cross(&ExactVector::new(b.axes[j])),
        });
        let axes = chosen.filter(is_vector).collect();
        let pair = Self {
            between: ExactVector::difference(a.center, b.center),
            a: ExactBody::of_box(a.center, &a.axes, a.half),
            b: ExactBody::of_box(b.center, &b.axes, b.half),
            extent: Extent::Solid,
            axes,
        };
        pair.relation()
    }

    pub fn of(a: &Polytope, b: &Polytope) -> Self {
        let (a, b) = (ExactBody::of(a), ExactBody::of(b));
        let edges = [a.edges(), b.edges()];
        let own = |edges: &[ExactVector]| {
            let pairs = (0..edges.len()).flat_map(|i| (i + 1..edges.len()).map(move |j| (i, j)));
            let normals = pairs.map(|(i, j)| edges[i].cross(&edges[j]));
            normals.filter(is_vector).collect::<Vec<_>>()
        };
        let mut axes = own(&edges[1]);
        axes.extend(own(&edges[0]));
        for first in &edges[0] {
            let crosses = edges[1].iter().map(|second| first.cross(second));
            axes.extend(crosses.filter(is_vector));
        }
        let between = a.base.minus(&b.base);
        let mut pair = Self {
            a,
            b,
            between,
            extent: Extent::Solid,
            axes,
        };
        pair.reduce(&edges.concat());
        pair
    }

    /// Finds how many dimensions there are, and the axes where it is less than three.
    fn reduce(&mut self, edges: &[ExactVector]) {
        if self.axes.iter().any(|axis| self.has_width(axis)) {
            return;
        }
        if let Some(normal) = self.axes.first().cloned() {
            let sides = edges.iter().map(|edge| normal.cross(edge));
            self.axes = sides.collect();
            self.extent = Extent::Plane(normal);
        } else if let Some(edge) = edges.first() {
            self.axes = vec![edge.clone()];
            self.extent = Extent::Line(edge.clone());
        } else {
            self.extent = Extent::Point;
        }
    }

    fn has_width(&self, axis: &ExactVector) -> bool {
        let Side { forward, backward } = self.side(axis);
        forward.plus(&backward).sign().is_ne()
    }

    fn side(&self, axis: &ExactVector) -> Side {
        self.side_at(axis, &self.between)
    }

    fn side_at(&self, axis: &ExactVector, between: &ExactVector) -> Side {
        let center = between.dot(axis);
        let ((min_a, max_a), (min_b, max_b)) = (self.a.interval(axis), self.b.interval(axis));
        Side {
            forward: max_b.minus(&min_a).minus(&center),
            backward: max_a.minus(&min_b).plus(&center),
        }
    }

    pub fn relation(&self) -> Relation {
        self.relation_at(&self.between)
    }

    fn relation_at(&self, between: &ExactVector) -> Relation {
        let outside = match &self.extent {
            Extent::Solid => None,
            Extent::Plane(normal) => Some(between.dot(normal).sign().is_ne()),
            Extent::Line(along) => Some(is_vector(&between.cross(along))),
            Extent::Point => Some(is_vector(between)),
        };
        if outside == Some(true) {
            return Relation::Apart;
        }
        let sides = self.axes.iter().map(|axis| self.side_at(axis, between));
        let relations = sides.map(|side| side.relation());
        let mut all = Relation::Overlapping;
        for relation in relations {
            match relation {
                Relation::Apart => return Relation::Apart,
                Relation::Touching => all = Relation::Touching,
                Relation::Overlapping => {}
            }
        }
        if outside.is_some() {
            all = Relation::Touching;
        }
        all
    }
}

/// Rounded, of length 1.
fn unit(vector: &ExactVector) -> DVec3 {
    let near = vector.clone().scaled(-vector.magnitude());
    let rounded = DVec3::from_array(near.0.map(|part| part.to_f64()));
    super::super::closest_point::direction(rounded).unwrap_or(DVec3::Y)
}
