//! Convex bodies without curved parts: boxes, triangles, segments and points, and meshes of triangles.
//!
//! A [`Polytope`] is made from an [`Obb`], a [`Triangle`] or a [`Segment`] and lives on the stack. Contacts and sweeps
//! are decided on separating axes (Gottschalk et al. 1996; over time: Ericson 2005, 5.5.2), gaps on the closest pair of
//! features. All work is done relative to the second body, so that distance from the origin costs no digits.
//!
//! Everything goes in and comes out in world space. Input that is not finite is never in contact, never closes in a
//! sweep (`Receding`), and has no gap (`None`).

mod axes;
mod box_axes;
mod box_gap;
mod box_look;
mod box_push;
mod boxes;
mod contact;
mod cuboid;
mod exact_pair;
mod gap;
mod mesh;
mod mesh_gap;
mod rounded;
mod row;
mod sweep;
mod tracks;
mod witness;

pub use boxes::contact_obb_obb;
pub use contact::contact_polytope_polytope;
pub use gap::gap_polytope_polytope;
pub use mesh::{contact_mesh_mesh, contact_polytope_mesh, sweep_mesh_mesh, sweep_polytope_mesh};
pub use mesh_gap::{gap_mesh_mesh, gap_polytope_mesh};
pub(crate) use rounded::{Core, nearest_to_core};
pub use sweep::{sweep_obb_obb, sweep_polytope_polytope};

use super::super::shape::{Aabb, Facing, Obb, Pose, Segment, Triangle};
use super::super::tolerance;
use super::Feature;
use super::closest_point::direction;
use super::in_range::InRange;
use glam::DVec3;

/// A convex body of flat parts: a box, a triangle, a segment or a point.
///
/// Degenerate input is reduced once, here: a triangle of collinear vertices is its longest edge, a box without extent on
/// two axes is a segment, a segment without length is a point. Features keep the numbers of the original shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polytope {
    /// A point of the body to which everything else is relative.
    origin: DVec3,
    kind: Kind,
    /// Relative to the origin; the first `vertex_count` count.
    vertices: [DVec3; 8],
    vertex_count: usize,
    /// Unit normals of distinct faces (opposite ones count once).
    normals: [DVec3; 3],
    normal_count: usize,
    /// Unit directions of distinct edges (parallel ones count once).
    edges: [DVec3; 3],
    edge_count: usize,
    /// The normal of a triangle that collides only on its front.
    front: Option<DVec3>,
    /// Radians that the normals, and the edges of a box, may be off by rounding.
    skew: f64,
    /// The edges that are along a coordinate axis without rounding.
    straight: [bool; 3],
    source: Source,
}

/// The input without rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    /// Around the origin of the body.
    Box { axes: [DVec3; 3], half: DVec3 },
    /// The first `count` of them.
    Corners { points: [DVec3; 3], count: usize },
    /// The body's own numbers, which were brought into another space.
    Rounded,
}

/// What a body is after reduction.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Box {
        half: DVec3,
    },
    Triangle,
    /// The numbers of both ends and of the edge between them, in the original shape.
    Segment {
        ends: [u32; 2],
        edge: u32,
    },
    /// The number in the original shape.
    Point {
        vertex: u32,
    },
}

/// The part of a body that reaches farthest along a direction.
#[derive(Clone, Copy, Debug)]
struct Support {
    feature: Feature,
    /// Relative to the body's origin; a loop when there are three or more.
    points: [DVec3; 4],
    count: usize,
}

impl InRange for Polytope {
    fn is_in_range(&self) -> bool {
        // What a reduction left out counts, too.
        let given = match &self.source {
            Source::Box { half, .. } => half.is_in_range(),
            Source::Corners { points, count } => points[..*count].iter().all(InRange::is_in_range),
            Source::Rounded => true,
        };
        given && self.origin.is_in_range() && self.offsets().iter().all(InRange::is_in_range)
    }
}

impl Polytope {
    /// A box, in any orientation.
    pub fn from_obb(obb: &Obb) -> Self {
        let axes = obb.axes();
        let axes = [axes.x_axis, axes.y_axis, axes.z_axis];
        let half = obb.half_extents;
        let reach: [DVec3; 3] = std::array::from_fn(|axis| axes[axis] * half[axis]);
        let extended: Vec3Flags = std::array::from_fn(|axis| half[axis] != 0.0);
        let source = Source::Box { axes, half };
        match extended {
            [false, false, false] => Self::point(obb.center, 0, source),
            [true, false, false] | [false, true, false] | [false, false, true] => {
                let axis = extended.iter().position(|&extended| extended).unwrap_or(0);
                let ends = [-reach[axis], reach[axis]];
                let numbers = [0, 1 << axis];
                Self::segment(obb.center, ends, numbers, 4 * axis as u32, source)
            }
            _ => Self {
                origin: obb.center,
                kind: Kind::Box { half },
                vertices: std::array::from_fn(|index| {
                    let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
                    reach[0] * side(0) + reach[1] * side(1) + reach[2] * side(2)
                }),
                vertex_count: 8,
                normals: axes,
                normal_count: 3,
                edges: axes,
                edge_count: 3,
                front: None,
                skew: cuboid::skew(obb),
                straight: axes.map(is_straight),
                source,
            },
        }
    }

    /// A triangle; without area it is its longest edge.
    pub fn from_triangle(triangle: &Triangle) -> Self {
        let corners = [triangle.a, triangle.b, triangle.c];
        let spans: [DVec3; 3] = std::array::from_fn(|edge| corners[(edge + 1) % 3] - corners[edge]);
        let lengths = spans.map(DVec3::length_squared);
        let longest = (0..3).fold(0, |best, edge| {
            if lengths[edge] > lengths[best] {
                edge
            } else {
                best
            }
        });
        let source = Source::Corners {
            points: corners,
            count: 3,
        };
        let as_edge = || {
            let numbers = [longest as u32, (longest as u32 + 1) % 3];
            let ends = [DVec3::ZERO, spans[longest]];
            Self::segment(corners[longest], ends, numbers, longest as u32, source)
        };
        // The two shorter edges give the most accurate normal.
        let cross = spans[(longest + 1) % 3].cross(spans[(longest + 2) % 3]);
        if cross.length() <= tolerance::SLIVER_SINE * lengths[longest] {
            return as_edge();
        }
        let unit = spans.map(direction);
        let (Some(normal), [Some(ab), Some(bc), Some(ca)]) = (direction(cross), unit) else {
            return as_edge();
        };
        let mut vertices = [DVec3::ZERO; 8];
        vertices[1] = spans[0];
        vertices[2] = triangle.c - triangle.a;
        Self {
            origin: triangle.a,
            kind: Kind::Triangle,
            vertices,
            vertex_count: 3,
            normals: [normal; 3],
            normal_count: 1,
            edges: [ab, bc, ca],
            edge_count: 3,
            front: (triangle.facing == Facing::Front).then_some(normal),
            skew: tolerance::AXIS_ROUNDING * lengths[longest] / cross.length(),
            straight: spans.map(is_straight),
            source,
        }
    }

    /// A segment; without length it is a point.
    pub fn from_segment(segment: &Segment) -> Self {
        let source = Source::Corners {
            points: [segment.a, segment.b, segment.b],
            count: 2,
        };
        let ends = [DVec3::ZERO, segment.b - segment.a];
        Self::segment(segment.a, ends, [0, 1], 0, source)
    }

    /// From one end to the other, both relative to the origin; the numbers are those in the original shape.
    fn segment(
        origin: DVec3,
        ends: [DVec3; 2],
        numbers: [u32; 2],
        edge: u32,
        source: Source,
    ) -> Self {
        let mut body = Self::point(origin, numbers[0], source);
        let Some(direction) = direction(ends[1] - ends[0]) else {
            return body;
        };
        body.kind = Kind::Segment {
            ends: numbers,
            edge,
        };
        (body.vertices[0], body.vertices[1]) = (ends[0], ends[1]);
        body.vertex_count = 2;
        body.edges = [direction; 3];
        body.edge_count = 1;
        body.straight = [is_straight(ends[1] - ends[0]); 3];
        body
    }

    fn point(at: DVec3, vertex: u32, source: Source) -> Self {
        Self {
            skew: 0.0,
            straight: [false; 3],
            source,
            origin: at,
            kind: Kind::Point { vertex },
            vertices: [DVec3::ZERO; 8],
            vertex_count: 1,
            normals: [DVec3::ZERO; 3],
            normal_count: 0,
            edges: [DVec3::ZERO; 3],
            edge_count: 0,
            front: None,
        }
    }

    /// The tight box around it.
    pub fn aabb(&self) -> Aabb {
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &vertex in self.offsets() {
            min = min.min(vertex);
            max = max.max(vertex);
        }
        Aabb {
            min: self.origin + min,
            max: self.origin + max,
        }
    }

    /// The same body, given in the world, in the local space of `pose`.
    #[must_use]
    pub fn to_local(&self, pose: &Pose) -> Self {
        let turn = |vector: DVec3| pose.vector_to_local(vector);
        let turned = pose.rotation != glam::DQuat::IDENTITY;
        let source = match self.source {
            Source::Box { axes, half } => Source::Box {
                axes: axes.map(turn),
                half,
            },
            Source::Corners { .. } | Source::Rounded => Source::Rounded,
        };
        Self {
            source,
            straight: self.straight.map(|straight| straight && !turned),
            skew: self.skew + f64::from(u8::from(turned)) * tolerance::AXIS_ROUNDING,
            origin: pose.point_to_local(self.origin),
            vertices: self.vertices.map(turn),
            normals: self.normals.map(turn),
            edges: self.edges.map(turn),
            front: self.front.map(turn),
            ..*self
        }
    }

    /// Moved by a displacement.
    #[must_use]
    fn moved(&self, displacement: DVec3) -> Self {
        Self {
            origin: self.origin + displacement,
            ..*self
        }
    }

    fn offsets(&self) -> &[DVec3] {
        &self.vertices[..self.vertex_count]
    }

    fn normals(&self) -> &[DVec3] {
        &self.normals[..self.normal_count]
    }

    fn edges(&self) -> &[DVec3] {
        &self.edges[..self.edge_count]
    }

    /// Radians that its edges may be off by rounding.
    fn edge_error(&self) -> f64 {
        match self.kind {
            Kind::Box { .. } => self.skew,
            Kind::Triangle | Kind::Segment { .. } => tolerance::AXIS_ROUNDING,
            Kind::Point { .. } => 0.0,
        }
    }

    /// The length that rounding is measured against: the farthest vertex from the origin.
    fn size(&self) -> f64 {
        let squared = self
            .offsets()
            .iter()
            .fold(0.0_f64, |most, vertex| most.max(vertex.length_squared()));
        squared.sqrt()
    }

    /// The interval it covers along a direction, relative to its origin.
    fn interval(&self, direction: DVec3) -> (f64, f64) {
        if let Kind::Box { half } = self.kind {
            let reach = (0..3).fold(0.0, |sum, axis| {
                sum + half[axis] * self.normals[axis].dot(direction).abs()
            });
            return (-reach, reach);
        }
        // A triangle has no thickness; rounding must not give it one.
        if self.normal_count == 1 && direction == self.normals[0] {
            return (0.0, 0.0);
        }
        self.offsets().iter().fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(least, most), vertex| {
                let along = vertex.dot(direction);
                (least.min(along), most.max(along))
            },
        )
    }

    /// The part that reaches farthest along a unit direction.
    fn support(&self, direction: DVec3) -> Support {
        if let Some(cuboid) = self.as_cuboid() {
            return cuboid.support(direction);
        }
        let (_, most) = self.interval(direction);
        let slack = tolerance::FEATURE_ANGLE * self.size();
        let mut support = Support {
            feature: Feature::Face(0),
            points: [DVec3::ZERO; 4],
            count: 0,
        };
        let mut found = [0_usize; 3];
        for (index, vertex) in self.offsets().iter().enumerate() {
            if vertex.dot(direction) >= most - slack {
                support.points[support.count] = *vertex;
                found[support.count] = index;
                support.count += 1;
            }
        }
        support.feature = self.name_feature(&found[..support.count]);
        support
    }

    /// The number that the vertices found have in the original shape.
    fn name_feature(&self, found: &[usize]) -> Feature {
        match (self.kind, found) {
            (Kind::Point { vertex }, _) => Feature::Vertex(vertex),
            (Kind::Segment { ends, .. }, &[end]) => Feature::Vertex(ends[end]),
            (Kind::Segment { edge, .. }, _) => Feature::Edge(edge),
            (_, &[vertex]) => Feature::Vertex(vertex as u32),
            (_, &[first, second]) => Feature::Edge(match (first, second) {
                (0, 1) => 0,
                (1, 2) => 1,
                _ => 2,
            }),
            _ => Feature::Face(0),
        }
    }
}

type Vec3Flags = [bool; 3];

/// Along a coordinate axis, without rounding.
fn is_straight(span: DVec3) -> bool {
    (0..3).filter(|&axis| span[axis] == 0.0).count() == 2
}
