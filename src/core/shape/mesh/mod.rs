//! Triangles that share vertices, with the tree that finds the few near a query.

mod box_tree;
mod edges;
mod grid;
mod grid_way;
mod listed;
mod node;
mod slabs;
mod sphere_tree;
mod split;
mod tree;
mod walks;
mod way;

#[cfg(test)]
mod tests;

pub use box_tree::BoxTree;
pub use edges::MeshEdges;
pub use grid::HeightGrid;
pub use sphere_tree::{SphereNode, SphereTree};

use self::listed::{Listed, number_places};
use self::walks::walk_pairs;
use super::{Aabb, Facing, Pose, Segment, Sphere, Triangle};
use crate::core::tolerance::{MAX_MESH_TRIANGLES, SMALLEST_SPHERE_POINTS};
use glam::DVec3;
use std::sync::{Arc, OnceLock};

/// A triangle mesh in local space; immutable once made.
///
/// Real levels are dirty: degenerate and duplicate triangles are counted, kept and harmless.
#[derive(Clone, Debug)]
pub struct Mesh {
    source: Source,
    facing: Facing,
    aabb: Aabb,
    reach: f64,
    /// What is made when it is first asked for.
    derived: Arc<Derived>,
}

/// Where the triangles come from. All queries have the same answers for the same triangles.
#[derive(Clone, Debug)]
enum Source {
    Listed(Listed),
    Grid(Arc<HeightGrid>),
}

/// What follows from the triangles and is made once.
#[derive(Debug, Default)]
struct Derived {
    bounding_sphere: OnceLock<Sphere>,
    edges: OnceLock<MeshEdges>,
    winding: OnceLock<Option<f64>>,
    sphere_tree: OnceLock<SphereTree>,
}

/// Everything else follows from these.
impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || self.facing == other.facing
                && match (&self.source, &other.source) {
                    (Source::Grid(one), Source::Grid(other)) => one == other,
                    _ => {
                        self.triangles().eq(other.triangles())
                            && self.vertices().eq(other.vertices())
                    }
                }
    }
}

/// What is wrong with a mesh, harmless but worth showing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshDirt {
    /// Triangles whose area is exactly zero.
    pub degenerate: u32,
    /// Triangles with the same three corners as an earlier one, in whichever order.
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
        let listed = Listed::new(vertices, triangles)?;
        let used = listed.triangles.iter().flatten();
        let reach = reach(used.map(|&vertex| listed.vertices[vertex as usize]));
        let aabb = listed.aabb;
        Ok(Self::of(Source::Listed(listed), facing, aabb, reach))
    }

    /// The surface of a height field, collided with from both sides. Its triangles take no memory.
    pub(super) fn of_grid(grid: HeightGrid) -> Self {
        let (aabb, reach) = (grid.aabb(), reach(grid.vertices()));
        Self::of(Source::Grid(Arc::new(grid)), Facing::Both, aabb, reach)
    }

    fn of(source: Source, facing: Facing, aabb: Aabb, reach: f64) -> Self {
        Self {
            source,
            facing,
            aabb,
            reach,
            derived: Arc::default(),
        }
    }

    /// The same triangles with another facing; they are shared.
    #[must_use]
    pub fn with_facing(&self, facing: Facing) -> Self {
        Self {
            facing,
            ..self.clone()
        }
    }

    /// The heights that it is made of, for a height field.
    pub fn grid(&self) -> Option<&HeightGrid> {
        match &self.source {
            Source::Listed(_) => None,
            Source::Grid(grid) => Some(grid),
        }
    }

    /// Number of triangles.
    #[inline]
    pub fn count(&self) -> usize {
        match &self.source {
            Source::Listed(listed) => listed.triangles.len(),
            Source::Grid(grid) => grid.count(),
        }
    }

    /// Local space, metres.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = DVec3> + Clone {
        let count = match &self.source {
            Source::Listed(listed) => listed.vertices.len(),
            Source::Grid(grid) => grid.vertex_count(),
        };
        (0..count).map(|index| self.vertex(index))
    }

    /// One vertex, local space, metres.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn vertex(&self, index: usize) -> DVec3 {
        match &self.source {
            Source::Listed(listed) => listed.vertices[index],
            Source::Grid(grid) => grid.vertex(index),
        }
    }

    /// Vertex indices, counter-clockwise seen from the front.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [u32; 3]> + Clone {
        (0..self.count()).map(|index| match &self.source {
            Source::Listed(listed) => listed.triangles[index],
            Source::Grid(grid) => grid.corners(index as u32),
        })
    }

    /// Which sides collide.
    pub fn facing(&self) -> Facing {
        self.facing
    }

    /// Degenerate and duplicate triangles.
    pub fn dirt(&self) -> MeshDirt {
        match &self.source {
            Source::Listed(listed) => listed.dirt,
            // Their corners are apart by a cell at least.
            Source::Grid(_) => MeshDirt::default(),
        }
    }

    /// Bytes in memory, about, without what is made later.
    pub(in crate::core) fn bytes(&self) -> usize {
        match &self.source {
            // With its trees: about twelve numbers a triangle.
            Source::Listed(listed) => 100 * listed.triangles.len(),
            Source::Grid(grid) => 10 * grid.vertex_count(),
        }
    }

    /// One triangle, local space.
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub fn triangle(&self, index: u32) -> Triangle {
        self.of_corners(match &self.source {
            Source::Listed(listed) => listed.triangle(index),
            Source::Grid(grid) => grid.places(index),
        })
    }

    #[inline(always)]
    fn of_corners(&self, [a, b, c]: [DVec3; 3]) -> Triangle {
        let facing = self.facing;
        Triangle { a, b, c, facing }
    }

    /// Which triangles meet at which edge; found on the first call and remembered.
    pub fn edges(&self) -> &MeshEdges {
        self.derived.edges.get_or_init(|| match &self.source {
            Source::Listed(listed) => {
                MeshEdges::new(&number_places(&listed.vertices), &listed.triangles)
            }
            Source::Grid(grid) => MeshEdges::of_grid(grid),
        })
    }

    /// Sign of the normals of its triangles that leads out of a closed mesh; `None` for an open one, which has no inside.
    pub fn winding(&self) -> Option<f64> {
        *self.derived.winding.get_or_init(|| {
            if self.edges().boundary() > 0 {
                return None;
            }
            let origin = self.aabb.center();
            let volume = |index: u32| {
                let Triangle { a, b, c, .. } = self.triangle(index);
                (a - origin).cross(b - origin).dot(c - origin)
            };
            let volume: f64 = (0..self.count() as u32).map(volume).sum();
            (volume != 0.0).then(|| volume.signum())
        })
    }

    /// Both ends of a triangle's edge (0 is ab, 1 is bc, 2 is ca), local space.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn edge(&self, triangle: u32, edge: u32) -> Segment {
        let Triangle { a, b, c, .. } = self.triangle(triangle);
        let at = |corner: u32| [a, b, c][corner as usize % 3];
        Segment {
            a: at(edge),
            b: at(edge + 1),
        }
    }

    /// The other triangles at each edge of one, and whether each runs along the edge in the same direction: it is wound the other way.
    pub fn neighbours(&self, triangle: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        (0..3).flat_map(move |edge| {
            let own = self.edge(triangle, edge);
            let sides = self.edges().sides(triangle, edge);
            let others = sides.filter(move |(other, _)| *other != triangle);
            others.map(move |(other, its)| (other, own.a == self.edge(other, its).a))
        })
    }

    /// Local bounds of the triangles.
    pub fn aabb(&self) -> Aabb {
        self.aabb
    }

    /// Distance of the farthest corner of a triangle from the local origin, metres: turning never takes it farther.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// World bounds at a pose: a box around the rotated local box.
    pub fn aabb_at(&self, pose: &Pose) -> Aabb {
        self.aabb.at(pose)
    }

    /// Visits every triangle whose own box overlaps a region of local space, inclusively; in no order that means anything,
    /// but always the same one.
    pub fn for_each_in(&self, region: &Aabb, visit: &mut impl FnMut(u32)) {
        match &self.source {
            Source::Listed(listed) => listed.tree.for_each_in(region, &mut |leaf| {
                if listed.box_at(leaf).overlaps(region) {
                    visit(leaf.triangle);
                }
            }),
            Source::Grid(grid) => grid.for_each_in(region, visit),
        }
    }

    /// Visits every triangle whose own box comes within `radius` of a straight path in local space, and a few more; in no order
    /// that means anything, but always the same one. `visit` gets its index and the triangle, local space.
    pub fn for_each_along(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        visit: &mut impl FnMut(u32, &Triangle),
    ) {
        let way = [from, to];
        match &self.source {
            Source::Listed(listed) => listed.tree.for_each_along(way, radius, &mut |leaf| {
                visit(leaf.triangle, &self.of_corners(listed.at(leaf)));
            }),
            Source::Grid(grid) => grid.for_each_along(way, radius, &mut |index| {
                visit(index, &self.triangle(index));
            }),
        }
    }

    /// Visits triangles roughly from near to far around a straight path in local space, leaving out what lies farther away than the
    /// limit (metres between boxes). `visit` answers with the limit from there on: the best distance found so far.
    pub fn for_each_near_way(
        &self,
        from: DVec3,
        to: DVec3,
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        match &self.source {
            Source::Listed(listed) => listed.tree.for_each_near_way(from, to, limit, visit),
            Source::Grid(grid) => grid.for_each_near_way(from, to, limit, visit),
        }
    }

    /// Visits pairs of a triangle here and one of another mesh roughly from near to far, leaving out what lies farther apart than the
    /// limit (metres between boxes). `to_own` brings a box of the other's local space into this one's; `visit` answers with the limit
    /// from there on.
    pub fn for_each_pair_near(
        &self,
        other: &Self,
        to_own: &impl Fn(&Aabb) -> Aabb,
        limit: f64,
        visit: &mut impl FnMut(u32, u32) -> f64,
    ) {
        use Source::{Grid, Listed};
        match (&self.source, &other.source) {
            (Listed(one), Listed(two)) => {
                walk_pairs((&*one.tree, &*two.tree), to_own, limit, visit);
            }
            (Listed(one), Grid(two)) => walk_pairs((&*one.tree, &**two), to_own, limit, visit),
            (Grid(one), Listed(two)) => walk_pairs((&**one, &*two.tree), to_own, limit, visit),
            (Grid(one), Grid(two)) => walk_pairs((&**one, &**two), to_own, limit, visit),
        }
    }

    /// The sphere around it, made by `make` from the vertices on the first call and remembered; of a height field with more than
    /// [`SMALLEST_SPHERE_POINTS`] from the corners of its box.
    pub(in crate::core) fn bounding_sphere_or(
        &self,
        make: impl FnOnce(&[DVec3]) -> Sphere,
    ) -> Sphere {
        let make = || match &self.source {
            Source::Listed(listed) => make(&listed.vertices),
            Source::Grid(grid) if grid.vertex_count() > SMALLEST_SPHERE_POINTS => {
                make(&self.aabb.corners())
            }
            Source::Grid(_) => make(&self.vertices().collect::<Vec<_>>()),
        };
        *self.derived.bounding_sphere.get_or_init(make)
    }

    /// Its tree of spheres, each made by `around` from the corners of a part; built on the first call and remembered. `None` for a
    /// height field of more triangles than a mesh has at most: the tree would take ten times its memory.
    pub(in crate::core) fn sphere_tree_or(
        &self,
        around: impl Fn(&[DVec3]) -> Sphere,
    ) -> Option<&SphereTree> {
        let tree = || SphereTree::new(self, around);
        (self.count() <= MAX_MESH_TRIANGLES).then(|| self.derived.sphere_tree.get_or_init(tree))
    }
}

/// Distance of the farthest point from the origin.
fn reach(points: impl Iterator<Item = DVec3>) -> f64 {
    points.fold(0.0, |most, point| most.max(point.length()))
}
