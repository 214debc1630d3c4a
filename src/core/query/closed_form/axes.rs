//! Boxes, triangles and segments on their separating axes (Gottschalk et al. 1996; over time: Ericson 2005, 5.5.2).
//!
//! Two flat convex shapes are apart exactly when a face's normal of one of them, or the cross product of an edge of each, separates
//! them. Any direction that separates them proves it, whatever rounding did to the direction.

use super::super::operand::{Core, Cuboid, Operand};
use super::super::trace::{Step, Trace};
use super::rounded::Swept;
use crate::core::shape::{Segment, Triangle, UnitOrZero};
use crate::core::tolerance::{
    CLEAR_SINE, EDGE_ROUNDING, FACE_PREFERENCE, PARALLEL_SINE, STANDSTILL,
};
use glam::DVec3;
use smallvec::SmallVec;
use std::cell::Cell;

/// What two shapes that overlap, or touch within the error bound, have along the axis of least overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap {
    /// Metres; negative within the error bound.
    pub depth: f64,
    /// Unit, toward the first shape.
    pub normal: DVec3,
}

/// Faces and edges of a flat shape.
struct Flat<'o> {
    core: &'o Core<'o>,
    normals: SmallVec<[DVec3; 4]>,
    edges: SmallVec<[DVec3; 3]>,
    /// The unit normal along which a triangle has no thickness.
    thin: DVec3,
}

/// A direction to test.
#[derive(Clone, Copy)]
struct Axis {
    /// Unit.
    direction: DVec3,
    edges: bool,
    /// The intervals of both shapes along it.
    first: [f64; 2],
    second: [f64; 2],
}

impl Axis {
    /// Of both shapes together.
    fn thickness(&self) -> f64 {
        self.first[1] - self.first[0] + self.second[1] - self.second[0]
    }
}

impl<'o> Flat<'o> {
    fn of(operand: &'o Operand<'o>, other: &Operand<'_>) -> Self {
        let mut normals = SmallVec::new();
        let mut edges = SmallVec::new();
        let mut thin = DVec3::ZERO;
        match &operand.core {
            Core::Cuboid(Cuboid { axes, .. }) => {
                normals = SmallVec::from_slice(&[axes.x_axis, axes.y_axis, axes.z_axis]);
                edges = SmallVec::from_buf([axes.x_axis, axes.y_axis, axes.z_axis]);
            }
            Core::Triangle(face) => {
                let Triangle { a, b, c, .. } = face.triangle;
                edges = SmallVec::from_buf([b - a, c - b, a - c].map(UnitOrZero::unit_or_zero));
                if let Some(normal) = face.normal {
                    thin = normal;
                    normals.push(normal);
                    // What lies in one plane is separated within it.
                    if matches!(other.core, Core::Triangle(_) | Core::Segment(_)) {
                        normals.extend(edges.iter().map(|edge| edge.cross(normal)));
                    }
                }
            }
            Core::Segment(Segment { a, b }) => {
                let along = (b - a).unit_or_zero();
                edges.push(along);
                if let Some(normal) = other.face().and_then(|face| face.normal) {
                    normals.extend(along.cross(normal).try_normalize());
                }
            }
            Core::Point(_) | Core::Solid(_) => {}
        }
        Self {
            core: &operand.core,
            normals,
            edges,
            thin,
        }
    }

    #[inline]
    fn interval(&self, direction: DVec3) -> [f64; 2] {
        let of_points = |points: &[DVec3]| {
            let along = points.iter().map(|point| point.dot(direction));
            along.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], at| {
                [least.min(at), most.max(at)]
            })
        };
        match self.core {
            Core::Cuboid(cuboid) => interval_of_box(cuboid, direction),
            Core::Triangle(face) => {
                let Triangle { a, b, c, .. } = face.triangle;
                // A triangle has no thickness; rounding must not give it one.
                if direction == self.thin {
                    [a.dot(direction); 2]
                } else {
                    of_points(&[a, b, c])
                }
            }
            Core::Segment(Segment { a, b }) => of_points(&[*a, *b]),
            Core::Point(point) => of_points(&[*point]),
            Core::Solid(_) => [0.0; 2],
        }
    }
}

#[inline(always)]
fn interval_of_box(cuboid: &Cuboid, direction: DVec3) -> [f64; 2] {
    let center = cuboid.center.dot(direction);
    let half = (cuboid.axes.transpose() * direction)
        .abs()
        .dot(cuboid.half_extents);
    [center - half, center + half]
}

/// The axes of a pair.
struct Axes<'o> {
    first: Flat<'o>,
    second: Flat<'o>,
}

impl<'o> Axes<'o> {
    fn of(a: &'o Operand<'o>, b: &'o Operand<'o>) -> Self {
        Self {
            first: Flat::of(a, b),
            second: Flat::of(b, a),
        }
    }

    #[inline(always)]
    fn axis(&self, direction: DVec3, edges: bool) -> Axis {
        Axis {
            direction,
            edges,
            first: self.first.interval(direction),
            second: self.second.interval(direction),
        }
    }

    /// The normals of faces, then the cross products of edges, until `visit` answers with a result.
    #[inline]
    fn all<R>(&self, visit: &mut impl FnMut(&Axis) -> Option<R>) -> Option<R> {
        let mut visit = |direction, edges| visit(&self.axis(direction, edges));
        for &normal in self.first.normals.iter().chain(&self.second.normals) {
            if let Some(found) = visit(normal, false) {
                return Some(found);
            }
        }
        for &one in &self.first.edges {
            for &other in &self.second.edges {
                if let Some(found) = square_to(one, other).and_then(|axis| visit(axis, true)) {
                    return Some(found);
                }
            }
        }
        None
    }
}

/// True for two shapes that their axes decide: boxes, triangles with area, and one of these with a segment without a radius.
pub(crate) fn decide(a: &Operand<'_>, b: &Operand<'_>) -> bool {
    let is_line =
        |operand: &Operand<'_>| operand.radius == 0.0 && matches!(operand.core, Core::Segment(_));
    match (a.is_flat(), b.is_flat()) {
        (true, true) => true,
        (true, false) => is_line(b),
        (false, true) => is_line(a),
        (false, false) => false,
    }
}

/// The least overlap of two flat shapes; `None` when an axis separates them by more than `bound`.
///
/// A one-sided triangle is pushed out of on its front only.
pub(crate) fn overlap(
    a: &Operand<'_>,
    b: &Operand<'_>,
    bound: f64,
    trace: &mut impl Trace,
) -> Option<Overlap> {
    let (front_a, front_b) = (a.front(), b.front());
    let between = a.center() - b.center();
    // Along a normal that leads a away from b, it must lead out of the front of either.
    let allowed = |normal: DVec3| {
        let ahead = |front: Option<DVec3>, side: f64| {
            front.is_none_or(|front| side * front.dot(normal) >= -FACE_PREFERENCE)
        };
        ahead(front_b, 1.0) && ahead(front_a, -1.0)
    };
    let preference = || FACE_PREFERENCE * (a.bounding_radius() + b.bounding_radius());
    let least: Cell<Option<(Overlap, f64)>> = Cell::new(None);
    let traced = trace.is_enabled();
    let mut visit = |axis: &Axis| {
        let forward = axis.second[1] - axis.first[0];
        let backward = axis.first[1] - axis.second[0];
        let gap = -forward.min(backward);
        if gap > bound {
            let toward = if forward < backward {
                axis.direction
            } else {
                -axis.direction
            };
            return Some((toward, gap));
        }
        trace.step(Step::Axis {
            edges: axis.edges,
            axis: axis.direction,
            overlap: -gap,
        });
        let sides = [(forward, axis.direction), (backward, -axis.direction)];
        let side = sides
            .into_iter()
            .filter(|(_, normal)| allowed(*normal))
            .min_by(|one, other| {
                // Of equal pushes the one away from the other's centre.
                let order = one.0.total_cmp(&other.0);
                order.then(other.1.dot(between).total_cmp(&one.1.dot(between)))
            });
        if let Some((depth, normal)) = side {
            let handicap = if axis.edges { preference() } else { 0.0 };
            if least
                .get()
                .is_none_or(|(_, known)| depth + handicap < known)
            {
                least.set(Some((Overlap { depth, normal }, depth + handicap)));
            }
        }
        None
    };
    let separated = match (&a.core, &b.core) {
        (Core::Cuboid(one), Core::Cuboid(other)) if !traced => {
            let axis = |direction: DVec3, edges: bool| Axis {
                direction,
                edges,
                first: interval_of_box(one, direction),
                second: interval_of_box(other, direction),
            };
            match boxes_at_once(one, other, bound) {
                AtOnce::Separate => return None,
                AtOnce::Face(direction) => visit(&axis(direction, false)),
                AtOnce::Edges([first, second]) => {
                    square_to(first, second).and_then(|direction| visit(&axis(direction, true)))
                }
                AtOnce::Unclear => Axes::of(a, b).all(&mut visit),
            }
        }
        _ => Axes::of(a, b).all(&mut visit),
    };
    if let Some((axis, gap)) = separated {
        trace.step(Step::SeparatingAxis { axis, gap });
        return None;
    }
    let (found, _) = least.get()?;
    trace.step(Step::LeastOverlap {
        axis: found.normal,
        depth: found.depth,
    });
    Some(found)
}

/// What the axes of two boxes say when they are computed at once.
enum AtOnce {
    /// An axis separates them.
    Separate,
    /// The least overlap is along the normal of a face.
    Face(DVec3),
    /// The least overlap is along the cross product of an axis of each.
    Edges([DVec3; 2]),
    /// Too near to tell.
    Unclear,
}

/// All axes of two boxes by the cosines between the axes of both (Gottschalk et al. 1996). What is within the larger rounding of this form
/// is left to the axes themselves.
fn boxes_at_once(a: &Cuboid, b: &Cuboid, bound: f64) -> AtOnce {
    let to_a = a.axes.transpose();
    let cosines = to_a * b.axes;
    let columns = [cosines.x_axis, cosines.y_axis, cosines.z_axis];
    let absolute = columns.map(DVec3::abs);
    let between = to_a * (a.center - b.center);
    let (half_a, half_b) = (a.half_extents, b.half_extents);
    let sum = |vector: DVec3| vector.abs().element_sum();
    let size = sum(half_a) + sum(half_b);
    let slack = EDGE_ROUNDING * (size + sum(between)) + FACE_PREFERENCE * size + bound;
    // The least overlap, its axis of the first and of the second box, and the least but one.
    let mut least = (f64::INFINITY, [None; 2]);
    let mut second = f64::INFINITY;
    let mut add = |overlap: f64, axes: [Option<usize>; 2]| {
        if overlap < least.0 {
            second = least.0;
            least = (overlap, axes);
        } else {
            second = second.min(overlap);
        }
        overlap < -slack
    };
    for axis in 0..3 {
        let spread = half_b.x * absolute[0][axis]
            + half_b.y * absolute[1][axis]
            + half_b.z * absolute[2][axis];
        if add(
            half_a[axis] + spread - between[axis].abs(),
            [Some(axis), None],
        ) {
            return AtOnce::Separate;
        }
        let spread = absolute[axis].dot(half_a);
        let apart = columns[axis].dot(between).abs();
        if add(half_b[axis] + spread - apart, [None, Some(axis)]) {
            return AtOnce::Separate;
        }
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let column = columns[j];
            let square = column[i1] * column[i1] + column[i2] * column[i2];
            if square <= PARALLEL_SINE * PARALLEL_SINE {
                continue;
            }
            if square < CLEAR_SINE * CLEAR_SINE {
                return AtOnce::Unclear;
            }
            let spread = half_a[i1] * absolute[j][i2]
                + half_a[i2] * absolute[j][i1]
                + half_b[j1] * absolute[j2][i]
                + half_b[j2] * absolute[j1][i];
            let apart = (between[i2] * column[i1] - between[i1] * column[i2]).abs();
            if add((spread - apart) / square.sqrt(), [Some(i), Some(j)]) {
                return AtOnce::Separate;
            }
        }
    }
    match least.1 {
        _ if second <= least.0 + 2.0 * slack => AtOnce::Unclear,
        [Some(i), Some(j)] => AtOnce::Edges([a.axes.col(i), b.axes.col(j)]),
        [Some(i), None] => AtOnce::Face(a.axes.col(i)),
        [None, Some(j)] => AtOnce::Face(b.axes.col(j)),
        [None, None] => AtOnce::Unclear,
    }
}

/// The unit direction square to two edges; `None` when they are parallel.
#[inline]
pub(crate) fn square_to(one: DVec3, other: DVec3) -> Option<DVec3> {
    let cross = one.cross(other);
    let sine = cross.length();
    if sine <= PARALLEL_SINE {
        return None;
    }
    let direction = cross / sine;
    if sine > 0.5 {
        return Some(direction);
    }
    // The cross product of nearly parallel edges is square to neither; without its part along one it is square to both.
    Some((direction - one * direction.dot(one)).unit_or_zero())
}

/// From when to when two shapes overlap along all axes.
#[derive(Clone, Copy)]
struct Times {
    begin: f64,
    end: f64,
}

impl Times {
    const ALWAYS: Self = Self {
        begin: f64::NEG_INFINITY,
        end: f64::INFINITY,
    };

    /// Along an axis of which `below` and `above` are the ways to the other shape's ends, at an inverse speed; infinite at rest.
    #[inline]
    fn of([below, above]: [f64; 2], inverse: f64) -> Self {
        if inverse.is_infinite() {
            let inside = below < 0.0 && above > 0.0;
            return if inside {
                Self::ALWAYS
            } else {
                Self {
                    begin: f64::INFINITY,
                    end: f64::NEG_INFINITY,
                }
            };
        }
        let (first, last) = if inverse > 0.0 {
            (below, above)
        } else {
            (above, below)
        };
        Self {
            begin: first * inverse,
            end: last * inverse,
        }
    }

    #[inline]
    fn and(&mut self, other: Self) {
        self.begin = self.begin.max(other.begin);
        self.end = self.end.min(other.end);
    }

    fn overlaps(&self) -> bool {
        self.begin < self.end && self.begin < 1.0 && self.end > 0.0
    }
}

/// Sweeps two flat shapes; `displacement` is that of the first relative to the second.
pub(crate) fn sweep(
    a: &Operand<'_>,
    b: &Operand<'_>,
    displacement: DVec3,
    bound: f64,
    trace: &mut impl Trace,
) -> Swept {
    let still = STANDSTILL * displacement.length();
    // Overlapping by more than the bound, and to within the bound.
    let (mut deep, mut near) = (Times::ALWAYS, Times::ALWAYS);
    // The latest begin of an exact overlap, and what it is the quotient of.
    let mut exact = (f64::NEG_INFINITY, [0.0, 1.0]);
    let mut first = (f64::NEG_INFINITY, DVec3::ZERO);
    let mut depth = f64::INFINITY;
    let mut visit = |axis: &Axis| {
        let along = displacement.dot(axis.direction);
        let speed = if along.abs() <= still { 0.0 } else { along };
        let inverse = 1.0 / speed;
        let below = axis.second[0] - axis.first[1];
        let above = axis.second[1] - axis.first[0];
        let Times { begin, end } = Times::of([below, above], inverse);
        near.and(Times::of([below - bound, above + bound], inverse));
        // What has no thickness along the axis is never deep, but crosses.
        let crosses = axis.thickness() <= bound && speed.abs() > 2.0 * bound;
        let margin = if crosses { -bound } else { bound };
        deep.and(Times::of([below + margin, above - margin], inverse));
        if begin > exact.0 {
            let way = if speed > 0.0 { below } else { above };
            exact = (begin, [way, speed]);
        }
        trace.step(Step::SweptAxis {
            edges: axis.edges,
            axis: axis.direction,
            begin,
            end,
        });
        depth = depth.min(above.min(-below));
        // Of axes that begin at one time the first, a face's normal, is that of the impact.
        let later = if axis.edges { FACE_PREFERENCE } else { 0.0 };
        if speed != 0.0 && begin > first.0 + later {
            first = (begin, axis.direction * -speed.signum());
        }
        (!near.overlaps()).then_some(())
    };
    let missed = Axes::of(a, b).all(&mut visit);
    if missed.is_some() {
        let never = near.begin >= near.end || near.end <= 0.0;
        trace.step(if never {
            Step::PassesBy {
                fraction: near.end.clamp(0.0, 1.0),
            }
        } else {
            Step::Later {
                fraction: near.begin,
            }
        });
        return Swept::Misses;
    }
    if depth > bound {
        return Swept::Overlapping(depth);
    }
    if !deep.overlaps() {
        if deep.begin >= 1.0 && deep.begin < deep.end {
            trace.step(Step::Later { fraction: 1.0 });
            return Swept::Misses;
        }
        if near.begin <= 0.0 {
            trace.step(Step::Receding { approach: 0.0 });
            return Swept::Misses;
        }
        return Swept::Grazes(first.0.clamp(0.0, 1.0));
    }
    Swept::Hits {
        fraction: (exact.1[0] / exact.1[1]).max(0.0),
        normal: first.1,
        features: None,
        point: None,
    }
}
