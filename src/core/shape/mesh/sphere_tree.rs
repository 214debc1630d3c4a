//! A hierarchy of bounding spheres over the triangles of a mesh: a part of the mesh, its halves, and theirs (Dopertchouk 2000).

use super::Mesh;
use crate::core::shape::Sphere;
use glam::DVec3;
use std::ops::Range;

/// Triangles in one leaf at most.
const LEAF: usize = 4;

/// A part of the mesh and the sphere around it.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereNode {
    /// Around all vertices of the part, not around its children's spheres, which would grow with every level. Local space.
    pub sphere: Sphere,
    /// How many nodes are above it: 0 for the root.
    pub level: u32,
    /// Both halves, by their place in [`SphereTree::nodes`]; `None` for a leaf.
    pub children: Option<[u32; 2]>,
    /// Where its triangles are in the tree's order.
    part: Range<u32>,
}

impl SphereNode {
    /// Number of triangles in this part.
    pub fn count(&self) -> u32 {
        self.part.end - self.part.start
    }
}

/// A binary tree of spheres, split at the median of the longest axis. The root is the first node.
#[derive(Clone, Debug, PartialEq)]
pub struct SphereTree {
    nodes: Vec<SphereNode>,
    /// Triangles, those of one part together.
    order: Vec<u32>,
}

impl SphereTree {
    /// Over all triangles of a mesh; `around` makes the sphere around the corners of a part. The same mesh gives the same tree.
    pub(super) fn new(mesh: &Mesh, around: impl Fn(&[DVec3]) -> Sphere) -> Self {
        let triangles = 0..mesh.count() as u32;
        let center = |index: u32| {
            let triangle = mesh.triangle(index);
            triangle.centroid()
        };
        let mut builder = Builder {
            mesh,
            centers: triangles.clone().map(center).collect(),
            around,
            nodes: Vec::new(),
        };
        let mut order: Vec<u32> = triangles.collect();
        builder.add(&mut order, 0, 0);
        Self {
            nodes: builder.nodes,
            order,
        }
    }

    /// All nodes, in depth-first order.
    pub fn nodes(&self) -> &[SphereNode] {
        &self.nodes
    }

    /// The triangles of a node's part.
    pub fn triangles(&self, node: &SphereNode) -> &[u32] {
        &self.order[node.part.start as usize..node.part.end as usize]
    }

    /// The spheres that hold the whole mesh at a level: those on it, and the leaves above it.
    pub fn cut(&self, level: u32) -> impl Iterator<Item = (u32, &SphereNode)> {
        let is_in = move |node: &SphereNode| {
            node.level == level || node.level < level && node.children.is_none()
        };
        (0..).zip(&self.nodes).filter(move |(_, node)| is_in(node))
    }

    /// The deepest level of a tree over so many triangles.
    pub fn deepest_level(triangles: usize) -> u32 {
        // Of two halves the larger has the triangle left over.
        triangles.div_ceil(LEAF).next_power_of_two().ilog2()
    }
}

struct Builder<'m, A> {
    mesh: &'m Mesh,
    /// Of each triangle.
    centers: Vec<DVec3>,
    around: A,
    nodes: Vec<SphereNode>,
}

impl<A: Fn(&[DVec3]) -> Sphere> Builder<'_, A> {
    /// Adds a part, which begins at `start` of the order, and everything below it; returns its place.
    fn add(&mut self, part: &mut [u32], start: u32, level: u32) -> u32 {
        let index = self.nodes.len();
        let triangles = part.iter().map(|&index| self.mesh.triangle(index));
        let points: Vec<DVec3> = triangles.flat_map(|it| [it.a, it.b, it.c]).collect();
        self.nodes.push(SphereNode {
            sphere: (self.around)(&points),
            level,
            children: None,
            part: start..start + part.len() as u32,
        });
        if part.len() <= LEAF {
            return index as u32;
        }
        let (axis, middle) = (longest_axis(&self.centers, part), part.len() / 2);
        part.select_nth_unstable_by(middle, |&a, &b| {
            let [at_a, at_b] = [a, b].map(|triangle| self.centers[triangle as usize][axis]);
            at_a.total_cmp(&at_b).then(a.cmp(&b))
        });
        let (first, second) = part.split_at_mut(middle);
        let first = self.add(first, start, level + 1);
        let second = self.add(second, start + middle as u32, level + 1);
        self.nodes[index].children = Some([first, second]);
        index as u32
    }
}

fn longest_axis(centers: &[DVec3], part: &[u32]) -> usize {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &index in part {
        min = min.min(centers[index as usize]);
        max = max.max(centers[index as usize]);
    }
    (max - min).max_position()
}
