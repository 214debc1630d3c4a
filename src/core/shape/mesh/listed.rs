//! Triangles as files have them: a list of vertices and three numbers a triangle.

use super::MeshDirt;
use super::tree::{Leaf, MeshTree};
use crate::core::shape::Aabb;
use glam::DVec3;
use std::sync::Arc;

/// What a mesh is made of; copies share it.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub vertices: Arc<[DVec3]>,
    pub triangles: Arc<[[u32; 3]]>,
    pub dirt: MeshDirt,
    pub aabb: Aabb,
    pub tree: Arc<MeshTree>,
    /// The vertices once more, by the tree's numbers: those of triangles that lie together, together.
    tree_vertices: Arc<[DVec3]>,
}

impl Listed {
    /// # Errors
    /// As [`Mesh::new`](super::Mesh::new).
    pub(super) fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, String> {
        check(&vertices, &triangles)?;
        let boxes: Vec<Aabb> = triangles
            .iter()
            .map(|&corners| box_of(&vertices, corners))
            .collect();
        let aabb = boxes[1..]
            .iter()
            .fold(boxes[0], |bounds, next| bounds.union(next));
        let (tree, tree_vertices) = MeshTree::new(&boxes, &vertices, &triangles);
        Ok(Self {
            dirt: count_dirt(&vertices, &triangles),
            tree: Arc::new(tree),
            tree_vertices: tree_vertices.into(),
            vertices: vertices.into(),
            triangles: triangles.into(),
            aabb,
        })
    }

    #[inline(always)]
    pub(super) fn triangle(&self, index: u32) -> [DVec3; 3] {
        let corners = self.triangles[index as usize];
        corners.map(|vertex| self.vertices[vertex as usize])
    }

    #[inline(always)]
    pub(super) fn at(&self, leaf: &Leaf) -> [DVec3; 3] {
        leaf.corners
            .map(|vertex| self.tree_vertices[vertex as usize])
    }

    #[inline(always)]
    pub(super) fn box_at(&self, leaf: &Leaf) -> Aabb {
        box_of(&self.tree_vertices, leaf.corners)
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
pub(super) fn number_places(vertices: &[DVec3]) -> Vec<u32> {
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
