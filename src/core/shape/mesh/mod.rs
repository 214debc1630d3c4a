//! Triangles that share vertices, with the tree that finds the few near a query.

mod box_tree;
mod edges;
mod node;
mod slabs;
mod sphere_tree;
mod split;
mod tree;
mod way;

#[cfg(test)]
mod tests;

pub use box_tree::BoxTree;
pub use edges::MeshEdges;
pub use sphere_tree::{SphereNode, SphereTree};

use self::tree::{Leaf, MeshTree};
use super::{Aabb, Facing, Pose, Segment, Sphere, Triangle};
use glam::DVec3;
use std::sync::{Arc, OnceLock};

/// A triangle mesh in local space; immutable once made.
///
/// Real levels are dirty: degenerate and duplicate triangles are counted, kept and harmless.
#[derive(Clone, Debug)]
pub struct Mesh {
    vertices: Arc<[DVec3]>,
    triangles: Arc<[[u32; 3]]>,
    facing: Facing,
    dirt: MeshDirt,
    aabb: Aabb,
    reach: f64,
    tree: Arc<MeshTree>,
    /// The vertices once more, by the tree's numbers: those of triangles that lie together, together.
    tree_vertices: Arc<[DVec3]>,
    /// What is made when it is first asked for.
    derived: Arc<Derived>,
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
                && self.triangles == other.triangles
                && self.vertices == other.vertices
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
        check(&vertices, &triangles)?;
        let boxes: Vec<Aabb> = triangles
            .iter()
            .map(|&corners| box_of(&vertices, corners))
            .collect();
        let aabb = boxes[1..]
            .iter()
            .fold(boxes[0], |bounds, next| bounds.union(next));
        let used = triangles.iter().flatten();
        let reach = used.fold(0.0_f64, |most, &vertex| {
            most.max(vertices[vertex as usize].length())
        });
        let (tree, tree_vertices) = MeshTree::new(&boxes, &vertices, &triangles);
        Ok(Self {
            dirt: count_dirt(&vertices, &triangles),
            tree: Arc::new(tree),
            tree_vertices: tree_vertices.into(),
            vertices: vertices.into(),
            triangles: triangles.into(),
            facing,
            aabb,
            reach,
            derived: Arc::default(),
        })
    }

    /// The same triangles with another facing; they are shared.
    #[must_use]
    pub fn with_facing(&self, facing: Facing) -> Self {
        Self {
            facing,
            ..self.clone()
        }
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
    ///
    /// # Panics
    /// When there is no such triangle.
    #[inline]
    pub fn triangle(&self, index: u32) -> Triangle {
        self.of_corners(&self.vertices, self.triangles[index as usize])
    }

    #[inline(always)]
    fn at(&self, leaf: &Leaf) -> Triangle {
        self.of_corners(&self.tree_vertices, leaf.corners)
    }

    #[inline(always)]
    fn of_corners(&self, vertices: &[DVec3], [a, b, c]: [u32; 3]) -> Triangle {
        Triangle {
            a: vertices[a as usize],
            b: vertices[b as usize],
            c: vertices[c as usize],
            facing: self.facing,
        }
    }

    /// Which triangles meet at which edge; found on the first call and remembered.
    pub fn edges(&self) -> &MeshEdges {
        let places = || number_places(&self.vertices);
        self.derived
            .edges
            .get_or_init(|| MeshEdges::new(&places(), &self.triangles))
    }

    /// Sign of the normals of its triangles that leads out of a closed mesh; `None` for an open one, which has no inside.
    pub fn winding(&self) -> Option<f64> {
        *self.derived.winding.get_or_init(|| {
            let origin = self.aabb.center();
            let volume = |index: u32| {
                let Triangle { a, b, c, .. } = self.triangle(index);
                (a - origin).cross(b - origin).dot(c - origin)
            };
            let volume: f64 = (0..self.triangles.len() as u32).map(volume).sum();
            let is_closed = self.edges().boundary() == 0 && volume != 0.0;
            is_closed.then(|| volume.signum())
        })
    }

    /// Both ends of a triangle's edge (0 is ab, 1 is bc, 2 is ca), local space.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn edge(&self, triangle: u32, edge: u32) -> Segment {
        let corners = self.triangles[triangle as usize];
        let at = |corner: u32| self.vertices[corners[corner as usize % 3] as usize];
        Segment {
            a: at(edge),
            b: at(edge + 1),
        }
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
        let local = self.aabb;
        super::Obb {
            center: pose.point(local.center()),
            half_extents: local.half_extents(),
            rotation: pose.rotation,
        }
        .aabb()
    }

    /// Visits every triangle whose own box overlaps a region of local space, inclusively; in no order that means anything,
    /// but always the same one.
    pub fn for_each_in(&self, region: &Aabb, visit: &mut impl FnMut(u32)) {
        self.tree.for_each_in(region, &mut |leaf| {
            if box_of(&self.tree_vertices, leaf.corners).overlaps(region) {
                visit(leaf.triangle);
            }
        });
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
        self.tree.for_each_along([from, to], radius, &mut |leaf| {
            visit(leaf.triangle, &self.at(leaf));
        });
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
        self.tree
            .for_each_near_way(from, to, limit, &mut |leaf| visit(leaf.triangle));
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
        self.tree
            .for_each_pair_near(&other.tree, to_own, limit, &mut |one, two| {
                visit(one.triangle, two.triangle)
            });
    }

    /// The sphere around it, made by `make` from the vertices on the first call and remembered.
    pub(in crate::core) fn bounding_sphere_or(
        &self,
        make: impl FnOnce(&[DVec3]) -> Sphere,
    ) -> Sphere {
        *self
            .derived
            .bounding_sphere
            .get_or_init(|| make(&self.vertices))
    }

    /// Its tree of spheres, each made by `around` from the corners of a part; built on the first call and remembered.
    pub(in crate::core) fn sphere_tree_or(
        &self,
        around: impl Fn(&[DVec3]) -> Sphere,
    ) -> &SphereTree {
        self.derived
            .sphere_tree
            .get_or_init(|| SphereTree::new(self, around))
    }
}

fn check(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), String> {
    if triangles.is_empty() {
        return Err("a mesh needs at least one triangle".into());
    }
    if triangles.len() > u32::MAX as usize {
        return Err(format!(
            "a mesh holds at most {} triangles; this one has {}",
            u32::MAX,
            triangles.len()
        ));
    }
    if let Some(index) = vertices.iter().position(|vertex| !vertex.is_finite()) {
        let DVec3 { x, y, z } = vertices[index];
        return Err(format!(
            "vertex {index} is not a finite point: ({x}, {y}, {z})"
        ));
    }
    for (index, corners) in triangles.iter().enumerate() {
        if let Some(vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(format!(
                "triangle {index} asks for vertex {vertex}, but there are {} vertices (numbered from 0)",
                vertices.len()
            ));
        }
    }
    Ok(())
}

fn box_of(vertices: &[DVec3], corners: [u32; 3]) -> Aabb {
    let [a, b, c] = corners.map(|vertex| vertices[vertex as usize]);
    Aabb {
        min: a.min(b).min(c),
        max: a.max(b).max(c),
    }
}

/// Corners are compared by position, as files often repeat a vertex for each triangle.
fn count_dirt(vertices: &[DVec3], triangles: &[[u32; 3]]) -> MeshDirt {
    let place = number_places(vertices);
    let mut corners: Vec<[u32; 3]> = triangles
        .iter()
        .map(|corners| {
            let mut places = corners.map(|vertex| place[vertex as usize]);
            places.sort_unstable();
            places
        })
        .collect();
    let degenerate = triangles.iter().filter(|&&[a, b, c]| {
        let [a, b, c] = [a, b, c].map(|vertex| vertices[vertex as usize]);
        a == b || b == c || c == a || (b - a).cross(c - a) == DVec3::ZERO
    });
    let degenerate = degenerate.count() as u32;
    corners.sort_unstable();
    let duplicate = corners.windows(2).filter(|pair| pair[0] == pair[1]).count() as u32;
    MeshDirt {
        degenerate,
        duplicate,
    }
}

/// Equal positions get equal numbers.
fn number_places(vertices: &[DVec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    // Adding 0 makes -0 and 0 the same number to a total order.
    let key = |index: u32| vertices[index as usize] + DVec3::ZERO;
    let compare = |a: DVec3, b: DVec3| {
        let by = |axis: usize| a[axis].total_cmp(&b[axis]);
        by(0).then_with(|| by(1)).then_with(|| by(2))
    };
    order.sort_unstable_by(|&a, &b| compare(key(a), key(b)).then(a.cmp(&b)));
    let mut places = vec![0; vertices.len()];
    for pair in order.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        let step = u32::from(key(before) != key(after));
        places[after as usize] = places[before as usize] + step;
    }
    places
}
