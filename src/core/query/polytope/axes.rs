//! Directions along which two convex bodies can be told apart.
//!
//! The faces of the Minkowski difference are faces of one body, or spanned by an edge of each (Ericson 2005, 5.2.1). Where
//! the difference is flat, as for two triangles in one plane, the directions in that plane square to its edges come
//! on top; where it is a line or a point, directions square to that line. A direction too many never gives a wrong answer:
//! each is tested for what it is.

use super::super::super::tolerance;
use super::super::closest_point::direction;
use super::Polytope;
use super::contact::length_sum;
use glam::DVec3;

/// Room for two boxes (15), two triangles (17), or anything between.
pub(super) const MOST: usize = 24;

/// One direction, and whether it is a face's normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Unit.
    pub(super) direction: DVec3,
    pub(super) of_face: bool,
    /// Radians that it, and what was left out as being the same, may be off what it stands for.
    pub(super) error: f64,
}

impl Axis {
    /// As traces write it.
    pub(super) fn name(&self) -> &'static str {
        if self.of_face {
            "face axis"
        } else {
            "edge axis"
        }
    }
}

/// All directions of a pair, faces first.
pub(super) struct Axes {
    list: [Axis; MOST],
    count: usize,
    /// None was left out but those that say what another says.
    complete: bool,
    /// Of both bodies, metres.
    size: f64,
}

impl Axes {
    /// `hint` is the way from one body to the other, or the relative displacement: points and parallel segments have no
    /// directions of their own.
    pub(super) fn of(a: &Polytope, b: &Polytope, hint: DVec3) -> Self {
        let empty = Axis {
            direction: DVec3::ZERO,
            of_face: false,
            error: 0.0,
        };
        let mut axes = Self {
            list: [empty; MOST],
            count: 0,
            complete: a.normal_count + b.normal_count > 0,
            size: a.size() + b.size(),
        };
        for body in [b, a] {
            for &normal in body.normals() {
                axes.add(normal, true, body.skew);
            }
        }
        let edge_error = a.edge_error() + b.edge_error();
        for (&edge_a, straight_a) in a.edges().iter().zip(a.straight) {
            for (&edge_b, straight_b) in b.edges().iter().zip(b.straight) {
                let crossed = axes.add_cross(edge_a, edge_b, edge_error);
                // Two along one coordinate axis span none, without rounding.
                axes.complete &= crossed || straight_a && straight_b;
            }
        }
        axes.add_in_plane(a, b);
        axes.add_in_plane(b, a);
        if a.normal_count + b.normal_count == 0 {
            axes.add_for_lines(a, b, hint);
        }
        axes
    }

    /// Are these all that can part the bodies?
    pub(super) fn are_all(&self) -> bool {
        self.complete
    }

    /// Metres against which rounding is measured, for bodies so far apart.
    pub(super) fn size(&self, between: DVec3) -> f64 {
        self.size + length_sum(between)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Axis> {
        self.list[..self.count].iter()
    }

    /// In the plane of a triangle, square to its edges and to the other body's only edge.
    fn add_in_plane(&mut self, flat: &Polytope, other: &Polytope) {
        if flat.normal_count != 1 {
            return;
        }
        for &edge in flat.edges() {
            self.add_cross(flat.normals[0], edge, flat.skew);
        }
        if other.edge_count == 1 {
            self.add_cross(flat.normals[0], other.edges[0], flat.skew);
        }
    }

    /// Two bodies without faces: along each edge, square to it in the plane of the hint, and square to both.
    fn add_for_lines(&mut self, a: &Polytope, b: &Polytope, hint: DVec3) {
        if let ([edge_a, ..], [edge_b, ..]) = (a.edges(), b.edges())
            && let Some(square) = unit_cross(*edge_a, *edge_b)
        {
            self.add_cross(square, *edge_a, 0.0);
            self.add_cross(square, *edge_b, 0.0);
            return;
        }
        let along = a.edges().first().or(b.edges().first()).copied();
        let Some(along) = along.or(direction(hint)) else {
            self.add(DVec3::Y, false, 0.0);
            return;
        };
        let square = match direction(hint).and_then(|hint| unit_cross(along, hint)) {
            Some(square) => square,
            None => along.any_orthonormal_vector(),
        };
        self.add_cross(square, along, 0.0);
        self.add(square, false, 0.0);
        self.add(along, false, 0.0);
    }

    /// `false` for directions that are as good as parallel; `error` is theirs, in radians.
    fn add_cross(&mut self, a: DVec3, b: DVec3, error: f64) -> bool {
        let cross = a.cross(b);
        let sine = cross.length();
        let crossed = sine > tolerance::PARALLEL_SINE;
        if crossed {
            let error = (error + tolerance::AXIS_ROUNDING) / sine;
            self.add(cross / sine, false, error);
        }
        crossed
    }

    /// Left out when it is parallel to one that is there: it would say the same, less accurately.
    fn add(&mut self, direction: DVec3, of_face: bool, error: f64) {
        let limit = tolerance::PARALLEL_SINE * tolerance::PARALLEL_SINE;
        for axis in &mut self.list[..self.count] {
            let square = axis.direction.cross(direction).length_squared();
            if square <= limit {
                axis.error = axis
                    .error
                    .max(error + square.sqrt() + tolerance::AXIS_ROUNDING);
                return;
            }
        }
        if self.count < MOST {
            self.list[self.count] = Axis {
                direction,
                of_face,
                error,
            };
            self.count += 1;
        }
    }
}

/// `None` for directions that are as good as parallel.
fn unit_cross(a: DVec3, b: DVec3) -> Option<DVec3> {
    let cross = a.cross(b);
    let length = cross.length();
    (length > tolerance::PARALLEL_SINE).then(|| cross / length)
}

/// How two bodies lie on one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    /// Metres that part them when the first moves along the axis; negative when it is already beyond.
    pub(super) forward: f64,
    /// The same against the axis.
    pub(super) backward: f64,
}

impl Overlap {
    pub(super) fn on(direction: DVec3, a: &Polytope, b: &Polytope, between: DVec3) -> Self {
        let center = between.dot(direction);
        let (min_a, max_a) = a.interval(direction);
        let (min_b, max_b) = b.interval(direction);
        Self {
            forward: (max_b - min_a) - center,
            backward: (max_a - min_b) + center,
        }
    }

    pub(super) fn least(&self) -> f64 {
        self.forward.min(self.backward)
    }
}

/// Collects the least push over the axes.
pub(super) struct LeastPush {
    /// Metres; infinite while nothing was offered that the facing allows.
    pub(super) depth: f64,
    /// Unit, from b toward a.
    pub(super) normal: DVec3,
    /// Both ways along the axis are as short: the geometry does not say which.
    pub(super) ambiguous: bool,
    of_face: bool,
    /// The front of one-sided triangles, as directions in which the first body may be pushed.
    fronts: [Option<DVec3>; 2],
    slack: f64,
}

impl LeastPush {
    pub(super) fn new(a: &Polytope, b: &Polytope) -> Self {
        Self {
            depth: f64::INFINITY,
            normal: DVec3::Y,
            ambiguous: false,
            of_face: false,
            fronts: [b.front, a.front.map(|front| -front)],
            slack: tolerance::FACE_PREFERENCE * (a.size() + b.size()),
        }
    }

    pub(super) fn offer(&mut self, axis: &Axis, overlap: &Overlap) {
        let (direction, forward, backward) = (axis.direction, overlap.forward, overlap.backward);
        let tie = forward == backward && self.allows(direction) && self.allows(-direction);
        for (depth, normal) in [(forward, direction), (backward, -direction)] {
            let slack = if self.of_face && !axis.of_face {
                self.slack
            } else {
                0.0
            };
            let shorter = depth < self.depth - slack;
            // Of two that the geometry does not tell apart, the one that points up.
            let upward = depth == self.depth && tie && normal.y > self.normal.y;
            if self.allows(normal) && (shorter || upward) {
                self.depth = depth;
                self.normal = normal;
                self.of_face = axis.of_face;
                self.ambiguous = tie;
            }
        }
    }

    fn allows(&self, normal: DVec3) -> bool {
        let toward = |front: DVec3| front.dot(normal) >= -tolerance::PARALLEL_SINE;
        self.fronts.into_iter().flatten().all(toward)
    }
}
