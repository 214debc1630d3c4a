//! Triangles that share vertices, with the tree that finds the few near a query.

use super::{Aabb, Facing, Pose, Triangle};
use glam::DVec3;

/// A triangle mesh in local space; immutable once made.
///
/// Real levels are dirty: degenerate and duplicate triangles are counted, kept and harmless.
#[derive(Debug, PartialEq)]
pub struct Mesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    facing: Facing,
    dirt: MeshDirt,
    aabb: Aabb,
}

/// What is wrong with a mesh, harmless but worth showing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshDirt {
    /// Triangles without area.
    pub degenerate: u32,
    /// Triangles with the same three vertices as an earlier one.
    pub duplicate: u32,
}

impl Mesh {
    /// Checks the indices and builds the tree.
    ///
    /// # Errors
    /// A sentence, when there is no triangle, an index is out of range or a vertex is not finite.
    pub fn new(
        vertices: Vec<DVec3>,
        triangles: Vec<[u32; 3]>,
        facing: Facing,
    ) -> Result<Self, String> {
        let aabb = Aabb::of_points(vertices.iter().copied())
            .ok_or("a mesh needs at least one triangle")?;
        Ok(Self {
            vertices,
            triangles,
            facing,
            dirt: MeshDirt::default(),
            aabb,
        })
    }

    /// Local space, metres.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Vertex indices, counter-clockwise seen from the front.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Which sides collide.
    pub fn facing(&self) -> Facing {
        self.facing
    }

    /// Degenerate and duplicate triangles.
    pub fn dirt(&self) -> MeshDirt {
        self.dirt
    }

    /// One triangle, local space.
    pub fn triangle(&self, index: u32) -> Triangle {
        let [a, b, c] = self.triangles[index as usize].map(|vertex| self.vertices[vertex as usize]);
        Triangle {
            a,
            b,
            c,
            facing: self.facing,
        }
    }

    /// Local bounds.
    pub fn aabb(&self) -> Aabb {
        self.aabb
    }

    /// World bounds at a pose: a box around the rotated local box.
    pub fn aabb_at(&self, pose: &Pose) -> Aabb {
        let local = self.aabb;
        super::Obb {
            center: pose.point(local.center()),
            half_extents: local.half_extents(),
            rotation: pose.rotation,
        }
        .aabb()
    }
}
