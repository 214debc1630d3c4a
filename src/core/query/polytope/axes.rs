//! Directions along which two convex bodies can be told apart.
//!
//! The faces of the Minkowski difference are faces of one body, or spanned by an edge of each (Ericson 2005, 5.2.1). Where
//! the difference is flat, as for two triangles in one plane, the directions in that plane square to its edges come
//! on top; where it is a line or a point, directions square to that line. A direction too many never gives a wrong answer:
//! each is tested for what it is.

use super::super::super::tolerance;
use super::super::closest_point::direction;
use super::Polytope;
use glam::DVec3;

/// Room for two boxes (15), two triangles (17), or anything between.
const MOST: usize = 24;

/// One direction, and whether it is a face's normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Unit.
    pub(super) direction: DVec3,
    pub(super) of_face: bool,
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
}

impl Axes {
    /// `hint` is the way from one body to the other, or the relative displacement: points and parallel segments have no
    /// directions of their own.
    pub(super) fn of(a: &Polytope, b: &Polytope, hint: DVec3) -> Self {
        let empty = Axis {
            direction: DVec3::ZERO,
            of_face: false,
        };
        let mut axes = Self {
            list: [empty; MOST],
            count: 0,
        };
        for &normal in b.normals().iter().chain(a.normals()) {
            axes.add(normal, true);
        }
        for &edge_a in a.edges() {
            for &edge_b in b.edges() {
                axes.add_cross(edge_a, edge_b);
            }
        }
        axes.add_in_plane(a, b);
        axes.add_in_plane(b, a);
        if a.normal_count + b.normal_count == 0 {
            axes.add_for_lines(a, b, hint);
        }
        axes
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
            self.add_cross(flat.normals[0], edge);
        }
        if other.edge_count == 1 {
            self.add_cross(flat.normals[0], other.edges[0]);
        }
    }

    /// Two bodies without faces: along each edge, square to it in the plane of the hint, and square to both.
    fn add_for_lines(&mut self, a: &Polytope, b: &Polytope, hint: DVec3) {
        if let ([edge_a, ..], [edge_b, ..]) = (a.edges(), b.edges())
            && let Some(square) = unit_cross(*edge_a, *edge_b)
        {
            self.add_cross(square, *edge_a);
            self.add_cross(square, *edge_b);
            return;
        }
        let along = a.edges().first().or(b.edges().first()).copied();
        let Some(along) = along.or(direction(hint)) else {
            self.add(DVec3::Y, false);
            return;
        };
        let square = match direction(hint).and_then(|hint| unit_cross(along, hint)) {
            Some(square) => square,
            None => along.any_orthonormal_vector(),
        };
        self.add_cross(square, along);
        self.add(square, false);
        self.add(along, false);
    }

    fn add_cross(&mut self, a: DVec3, b: DVec3) {
        if let Some(direction) = unit_cross(a, b) {
            self.add(direction, false);
        }
    }

    /// Left out when it is parallel to one that is there: it would say the same, less accurately.
    fn add(&mut self, direction: DVec3, of_face: bool) {
        let limit = tolerance::PARALLEL_SINE * tolerance::PARALLEL_SINE;
        let known = self
            .iter()
            .any(|axis| axis.direction.cross(direction).length_squared() <= limit);
        if !known && self.count < MOST {
            self.list[self.count] = Axis { direction, of_face };
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

    pub(super) fn is_apart(&self) -> bool {
        self.forward < 0.0 || self.backward < 0.0
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
