//! The tree over a mesh's triangles: nested boxes in one flat array, built once.
//!
//! Split at the median of the triangles' centres on the longest axis (Ericson 2005, 6.2), so that its depth is the
//! logarithm of the number of triangles whatever they look like. Nodes lie in depth-first order, each knowing where to go
//! on when its box is of no interest: a walk needs no stack.

use super::Aabb;
use glam::DVec3;

/// Triangles in one leaf at most.
const LEAF: usize = 4;

/// The deepest tree that `u32` indices allow has 31 levels.
const DEPTH: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    /// The next node when this one's box is of no interest.
    skip: u32,
    /// The first of a leaf's triangles in `order`.
    first: u32,
    /// How many triangles; 0 for a node with children, which are at `index + 1` and at that one's `skip`.
    count: u32,
}

/// Triangle numbers by place.
#[derive(Debug)]
pub(super) struct MeshTree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl MeshTree {
    /// Over the boxes of at least one triangle. The same boxes give the same tree.
    pub(super) fn new(boxes: &[Aabb]) -> Self {
        let centers: Vec<DVec3> = boxes.iter().map(Aabb::center).collect();
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes: Vec<Node> = Vec::with_capacity(boxes.len());
        let mut open = vec![(0, order.len())];
        while let Some((from, to)) = open.pop() {
            let part = &mut order[from..to];
            let count = if part.len() <= LEAF { part.len() } else { 0 };
            nodes.push(Node {
                bounds: bounds_of(boxes, part),
                skip: 0,
                first: from as u32,
                count: count as u32,
            });
            if count == 0 {
                let middle = part.len() / 2;
                split(part, &centers);
                open.push((from + middle, to));
                open.push((from, from + middle));
            }
        }
        link(&mut nodes);
        Self { nodes, order }
    }

    /// Visits the triangles of every leaf whose box overlaps the region, inclusively.
    pub(super) fn for_each_leaf_in(&self, region: &Aabb, visit: &mut impl FnMut(u32)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !node.bounds.overlaps(region) {
                at = node.skip as usize;
                continue;
            }
            for &triangle in self.triangles_of(node) {
                visit(triangle);
            }
            at += 1;
        }
    }

    /// Visits leaves from near to far while their box is no farther from the region than the limit; `visit` answers with
    /// the new limit.
    pub(super) fn for_each_near(
        &self,
        region: &Aabb,
        mut limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        let far = |index: u32| distance(&self.nodes[index as usize].bounds, region);
        let mut open = [(0_u32, 0.0_f64); DEPTH];
        let mut count = 1;
        open[0] = (0, far(0));
        while count > 0 {
            count -= 1;
            let (index, away) = open[count];
            if away > limit {
                continue;
            }
            let node = &self.nodes[index as usize];
            for &triangle in self.triangles_of(node) {
                limit = visit(triangle);
            }
            if node.count == 0 {
                let left = index + 1;
                let right = self.nodes[left as usize].skip;
                let (left, right) = ((left, far(left)), (right, far(right)));
                let (near, late) = if right.1 < left.1 {
                    (right, left)
                } else {
                    (left, right)
                };
                open[count] = late;
                open[count + 1] = near;
                count += 2;
            }
        }
    }

    fn triangles_of(&self, node: &Node) -> &[u32] {
        &self.order[node.first as usize..][..node.count as usize]
    }
}

fn bounds_of(boxes: &[Aabb], part: &[u32]) -> Aabb {
    let first = boxes[part[0] as usize];
    part[1..].iter().fold(first, |bounds, &triangle| {
        bounds.union(&boxes[triangle as usize])
    })
}

/// Half before, half after the median on the axis along which the centres spread farthest; ties go by number.
fn split(part: &mut [u32], centers: &[DVec3]) {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &triangle in part.iter() {
        min = min.min(centers[triangle as usize]);
        max = max.max(centers[triangle as usize]);
    }
    let axis = (max - min).max_position();
    part.select_nth_unstable_by(part.len() / 2, |&a, &b| {
        let (at_a, at_b) = (centers[a as usize][axis], centers[b as usize][axis]);
        at_a.total_cmp(&at_b).then(a.cmp(&b))
    });
}

/// A leaf goes on to its neighbour, a parent to where its right child goes on: filled from the back.
fn link(nodes: &mut [Node]) {
    for index in (0..nodes.len()).rev() {
        nodes[index].skip = if nodes[index].count > 0 {
            index as u32 + 1
        } else {
            let right = nodes[index + 1].skip as usize;
            nodes[right].skip
        };
    }
}

/// Between two boxes; 0 when they overlap.
fn distance(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO).length()
}
