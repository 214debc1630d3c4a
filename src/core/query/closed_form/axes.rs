//! Boxes, triangles and segments on their separating axes (Gottschalk et al. 1996; over time: Ericson 2005, 5.5.2).
//!
//! Two flat convex shapes are apart exactly when a face's normal of one of them, or the cross product of an edge of each, separates
//! them. Any direction that separates them proves it, whatever rounding did to the direction.

use super::super::operand::{Core, Cuboid, Operand};
use super::super::{Step, Trace};
use super::rounded::Swept;
use crate::core::shape::{Segment, Triangle, UnitOrZero};
use crate::core::tolerance::{FACE_PREFERENCE, PARALLEL_SINE, STANDSTILL};
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
    fn of(operand: &'o Operand<'o>, against_triangle: bool) -> Self {
        let (mut normals, mut edges): (SmallVec<[DVec3; 4]>, SmallVec<[DVec3; 3]>) =
            Default::default();
        let mut thin = DVec3::ZERO;
        match &operand.core {
            Core::Cuboid(cuboid) => {
                let axes = [cuboid.axes.x_axis, cuboid.axes.y_axis, cuboid.axes.z_axis];
                normals.extend(axes);
                edges.extend(axes);
            }
            Core::Triangle(Triangle { a, b, c, .. }) => {
                edges.extend([b - a, c - b, a - c].map(UnitOrZero::unit_or_zero));
                if let Some(normal) = operand.normal {
                    thin = normal;
                    normals.push(normal);
                    // Triangles in one plane are separated within it.
                    if against_triangle {
                        normals.extend(edges.iter().map(|edge| edge.cross(normal)));
                    }
                }
            }
            Core::Segment(Segment { a, b }) => edges.push((b - a).unit_or_zero()),
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
            Core::Cuboid(cuboid) => {
                let center = cuboid.center.dot(direction);
                let half = (cuboid.axes.transpose() * direction)
                    .abs()
                    .dot(cuboid.half_extents);
                [center - half, center + half]
            }
            Core::Triangle(Triangle { a, b, c, .. }) => {
                // A triangle has no thickness; rounding must not give it one.
                if direction == self.thin {
                    [a.dot(direction); 2]
                } else {
                    of_points(&[*a, *b, *c])
                }
            }
            Core::Segment(Segment { a, b }) => of_points(&[*a, *b]),
            Core::Point(point) => of_points(&[*point]),
            Core::Solid(_) => [0.0; 2],
        }
    }
}

/// The axes of a pair.
struct Axes<'o> {
    first: Flat<'o>,
    second: Flat<'o>,
}

impl<'o> Axes<'o> {
    fn of(a: &'o Operand<'o>, b: &'o Operand<'o>) -> Self {
        let triangle = |operand: &Operand<'_>| matches!(operand.core, Core::Triangle(_));
        let both_triangles = triangle(a) && triangle(b);
        Self {
            first: Flat::of(a, both_triangles),
            second: Flat::of(b, both_triangles),
        }
    }

    fn axis(&self, direction: DVec3, edges: bool) -> Axis {
        Axis {
            direction,
            edges,
            first: self.first.interval(direction),
            second: self.second.interval(direction),
        }
    }

    /// The normals of faces, until `visit` answers with a result.
    fn faces<R>(&self, visit: &mut impl FnMut(&Axis) -> Option<R>) -> Option<R> {
        let mut normals = self.first.normals.iter().chain(&self.second.normals);
        normals.find_map(|&normal| visit(&self.axis(normal, false)))
    }

    /// The cross products of edges, until `visit` answers with a result.
    fn edges<R>(&self, visit: &mut impl FnMut(&Axis) -> Option<R>) -> Option<R> {
        for &one in &self.first.edges {
            for &other in &self.second.edges {
                let cross = one.cross(other);
                let sine = cross.length();
                if sine <= PARALLEL_SINE {
                    continue;
                }
                // The cross product of nearly parallel edges is square to neither; without its part along one it is square to both.
                let direction = cross / sine;
                let direction = (direction - one * direction.dot(one)).unit_or_zero();
                if let Some(found) = visit(&self.axis(direction, true)) {
                    return Some(found);
                }
            }
        }
        None
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
    let preference = FACE_PREFERENCE * (a.bounding_radius() + b.bounding_radius());
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
            let handicap = if axis.edges { preference } else { 0.0 };
            if least
                .get()
                .is_none_or(|(_, known)| depth + handicap < known)
            {
                least.set(Some((Overlap { depth, normal }, depth + handicap)));
            }
        }
        None
    };
    let axes = Axes::of(a, b);
    let mut separated = axes.faces(&mut visit);
    if separated.is_none() {
        let edges = match (&a.core, &b.core) {
            (Core::Cuboid(one), Core::Cuboid(other)) if !traced => {
                let face = least.get().map_or(f64::INFINITY, |(found, _)| found.depth);
                edges_of_boxes(one, other, face, bound)
            }
            _ => EdgesOfBoxes::Matter,
        };
        match edges {
            EdgesOfBoxes::Separate => return None,
            EdgesOfBoxes::DoNotMatter => {}
            EdgesOfBoxes::Matter => separated = axes.edges(&mut visit),
        }
    }
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

/// What the edges of two boxes can add to their faces.
enum EdgesOfBoxes {
    /// A cross product of edges separates them.
    Separate,
    /// None separates them, and none has less overlap than a face.
    DoNotMatter,
    /// One may, or is too near to tell.
    Matter,
}

/// The nine cross products of edges at once, by the cosines between the axes of both boxes (Gottschalk et al. 1996). `least` is the least
/// overlap along a face's normal. What is within the larger rounding of this form is left to the axes themselves.
fn edges_of_boxes(a: &Cuboid, b: &Cuboid, least: f64, bound: f64) -> EdgesOfBoxes {
    let to_a = a.axes.transpose();
    let cosines = to_a * b.axes;
    let columns = [cosines.x_axis, cosines.y_axis, cosines.z_axis];
    let absolute = columns.map(DVec3::abs);
    let between = to_a * (a.center - b.center);
    let (half_a, half_b) = (a.half_extents, b.half_extents);
    let size = half_a.length() + half_b.length();
    let slack = EDGE_ROUNDING * (size + between.length()) + FACE_PREFERENCE * size + bound;
    let mut matter = false;
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
                return EdgesOfBoxes::Matter;
            }
            let spread = half_a[i1] * absolute[j][i2]
                + half_a[i2] * absolute[j][i1]
                + half_b[j1] * absolute[j2][i]
                + half_b[j2] * absolute[j1][i];
            let apart = (between[i2] * column[i1] - between[i1] * column[i2]).abs();
            let overlap = (spread - apart) / square.sqrt();
            if overlap < -slack {
                return EdgesOfBoxes::Separate;
            }
            matter |= overlap < least + slack;
        }
    }
    if matter {
        EdgesOfBoxes::Matter
    } else {
        EdgesOfBoxes::DoNotMatter
    }
}

/// Sine between two edges from which on their cross product is accurate.
const CLEAR_SINE: f64 = 1e-3;
/// Rounding of an overlap along a cross product of edges that are apart by [`CLEAR_SINE`] or more, as a share of all lengths.
const EDGE_ROUNDING: f64 = 1e-12;

/// From when to when two shapes overlap along all axes by more than a margin.
#[derive(Clone, Copy)]
struct Times {
    margin: f64,
    begin: f64,
    end: f64,
}

impl Times {
    fn new(margin: f64) -> Self {
        Self {
            margin,
            begin: f64::NEG_INFINITY,
            end: f64::INFINITY,
        }
    }

    /// Takes an axis into account, along which the first moves by `speed` over the motion.
    fn add(&mut self, axis: &Axis, speed: f64) -> [f64; 2] {
        let below = axis.second[0] - axis.first[1] + self.margin;
        let above = axis.second[1] - axis.first[0] - self.margin;
        let [begin, end] = if speed == 0.0 {
            let inside = below < 0.0 && above > 0.0;
            if inside {
                [f64::NEG_INFINITY, f64::INFINITY]
            } else {
                [f64::INFINITY, f64::NEG_INFINITY]
            }
        } else if speed > 0.0 {
            [below / speed, above / speed]
        } else {
            [above / speed, below / speed]
        };
        self.begin = self.begin.max(begin);
        self.end = self.end.min(end);
        [begin, end]
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
    // Overlapping by more than the bound, at all, and to within the bound.
    let mut deep = Times::new(bound);
    let mut exact = Times::new(0.0);
    let mut near = Times::new(-bound);
    let mut first = (f64::NEG_INFINITY, DVec3::ZERO);
    let mut depth = f64::INFINITY;
    let mut visit = |axis: &Axis| {
        let along = displacement.dot(axis.direction);
        let speed = if along.abs() <= still { 0.0 } else { along };
        let [begin, end] = exact.add(axis, speed);
        near.add(axis, speed);
        // What has no thickness along the axis is never deep, but crosses.
        let crosses = axis.thickness() <= bound && speed.abs() > 2.0 * bound;
        deep.margin = if crosses { -bound } else { bound };
        deep.add(axis, speed);
        trace.step(Step::SweptAxis {
            edges: axis.edges,
            axis: axis.direction,
            begin,
            end,
        });
        depth = depth.min((axis.second[1] - axis.first[0]).min(axis.first[1] - axis.second[0]));
        // Of axes that begin at one time the first, a face's normal, is that of the impact.
        let later = if axis.edges { FACE_PREFERENCE } else { 0.0 };
        if speed != 0.0 && begin > first.0 + later {
            first = (begin, axis.direction * -speed.signum());
        }
        (!near.overlaps()).then_some(())
    };
    let axes = Axes::of(a, b);
    let missed = axes.faces(&mut visit).or_else(|| axes.edges(&mut visit));
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
        fraction: exact.begin.max(0.0),
        normal: first.1,
        feature: None,
    }
}
