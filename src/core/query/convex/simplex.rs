//! Points of a Minkowski difference, and a simplex of up to four.

use super::super::operand::Operand;
use glam::DVec3;

/// A point of the Minkowski difference, and the points of both cores it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    pub a: DVec3,
    pub b: DVec3,
    pub difference: DVec3,
}

impl Vertex {
    /// The vertex that is farthest along a direction.
    #[inline(always)]
    pub fn along(a: &Operand<'_>, b: &Operand<'_>, direction: DVec3) -> Self {
        let (a, b) = (a.support(direction), b.support(-direction));
        Self {
            a,
            b,
            difference: a - b,
        }
    }
}

/// Up to four vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplex {
    pub(super) vertices: [Vertex; 4],
    pub(super) count: usize,
}

impl Simplex {
    pub(super) fn new(first: Vertex) -> Self {
        Self {
            vertices: [first; 4],
            count: 1,
        }
    }

    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.count]
    }

    pub(super) fn push(&mut self, vertex: Vertex) {
        self.vertices[self.count] = vertex;
        self.count += 1;
    }
}
