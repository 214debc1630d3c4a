//! The tree over a mesh's triangles: boxes in boxes, eight to a node, built once.
//!
//! Boxes are in whole steps of a grid, rounded outward and a little more, and tested in `f32`, so that no walk misses what `f64`
//! would find: a walk visits all it should and a few more.

use super::node::{Node, WIDE};
use super::slabs::Slabs;
use super::split::Part;
use super::walks::{Children, Tree, walk, walk_near};
use super::way::{MARGIN, Region, STEPS, Way, larger};
use crate::core::shape::Aabb;
use fearless_simd::{Level, Simd, dispatch, mask32x8};
use glam::DVec3;
use prefetch_index::prefetch_index;
use smallvec::{SmallVec, smallvec};

/// The nodes, and the triangles under them.
#[derive(Debug)]
pub(super) struct MeshTree {
    nodes: Vec<Node>,
    /// The triangles of each node, none of those whose children are nodes: by the node's number, so that both can be asked for at once.
    leaves: Vec<Leaves>,
    /// The middle of the grid.
    origin: DVec3,
    /// The largest coordinate relative to the origin.
    reach: f64,
    /// Metres: a step of the grid, a power of two.
    step: f64,
    /// One over it.
    per_metre: f64,
    /// The instructions that boxes are tested with; all give the same answers.
    level: Level,
}

/// A triangle where the tree has it: its number, and those of its vertices among the tree's, which whoever finds it reads next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub corners: [u32; 3],
    pub triangle: u32,
}

/// The triangles of a node, in two lines of a processor's cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Leaves([Leaf; WIDE]);

impl Leaves {
    const NONE: Self = Self(
        [Leaf {
            corners: [0; 3],
            triangle: 0,
        }; WIDE],
    );
}

impl MeshTree {
    /// Over at least one triangle and the box of each, with the vertices in the tree's order. The same boxes give the same tree.
    pub(super) fn new(
        boxes: &[Aabb],
        vertices: &[DVec3],
        triangles: &[[u32; 3]],
    ) -> (Self, Vec<DVec3>) {
        let whole = Part::whole(boxes);
        // Where the middle overflows, zero is as good.
        let middle = Some(whole.bounds.center()).filter(|middle| middle.is_finite());
        let origin = middle.unwrap_or_default();
        let ends = [whole.bounds.min - origin, whole.bounds.max - origin];
        let reach = ends[0].abs().max(ends[1].abs()).max_element();
        let mut tree = Self {
            nodes: Vec::with_capacity(boxes.len() / 4 + 1),
            leaves: Vec::new(),
            origin,
            reach,
            step: step_for(reach),
            per_metre: 1.0 / step_for(reach),
            level: Level::new(),
        };
        tree.build(boxes, triangles, whole);
        let vertices = tree.renumber(vertices);
        (tree, vertices)
    }

    fn build(&mut self, boxes: &[Aabb], triangles: &[[u32; 3]], whole: Part) {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let blank = Node::new(&[], 0, true);
        self.nodes.push(blank);
        self.leaves.push(Leaves::NONE);
        let mut open = vec![(0, 0, whole)];
        while let Some((index, depth, part)) = open.pop() {
            let mut steps: SmallVec<[_; WIDE]> = smallvec![];
            if part.len() <= WIDE {
                let order = &order[part.from..part.to];
                steps.extend(order.iter().map(|&at| self.steps(&boxes[at as usize])));
                self.nodes[index] = Node::new(&steps, index as u32, true);
                for (leaf, &triangle) in self.leaves[index].0.iter_mut().zip(order) {
                    let corners = triangles[triangle as usize];
                    *leaf = Leaf { corners, triangle };
                }
                continue;
            }
            let parts = part.for_a_node(boxes, &mut order, depth);
            steps.extend(parts.iter().map(|part| self.steps(&part.bounds)));
            let first = self.nodes.len();
            self.nodes[index] = Node::new(&steps, first as u32, false);
            self.nodes.resize(first + parts.len(), blank);
            self.leaves.resize(first + parts.len(), Leaves::NONE);
            let children = (first..).zip(parts);
            open.extend(children.map(|(index, part)| (index, depth + 1, part)));
        }
    }

    /// Numbers the vertices in the order in which the nodes have them, and answers with them: those of a node lie side by side.
    fn renumber(&mut self, vertices: &[DVec3]) -> Vec<DVec3> {
        let mut numbers = vec![u32::MAX; vertices.len()];
        let mut ordered = Vec::with_capacity(vertices.len());
        for (node, leaves) in self.nodes.iter().zip(&mut self.leaves) {
            let count = if node.holds_triangles() {
                node.count()
            } else {
                0
            };
            for vertex in leaves.0[..count]
                .iter_mut()
                .flat_map(|leaf| &mut leaf.corners)
            {
                let number = &mut numbers[*vertex as usize];
                if *number == u32::MAX {
                    *number = ordered.len() as u32;
                    ordered.push(vertices[*vertex as usize]);
                }
                *vertex = *number;
            }
        }
        ordered
    }

    /// A box of the mesh in steps from the grid's corner, rounded outward by a margin that covers the roundings of a walk, too.
    fn steps(&self, bounds: &Aabb) -> [[u32; 3]; 2] {
        let margin = DVec3::splat(self.reach * MARGIN);
        let (min, max) = (bounds.min - self.origin, bounds.max - self.origin);
        let middle = f64::from(STEPS / 2);
        let (min, max) = ((min - margin) / self.step, (max + margin) / self.step);
        [
            (min.floor() + middle).to_array().map(|steps| steps as u32),
            (max.ceil() + middle).to_array().map(|steps| steps as u32),
        ]
    }

    /// The same of any box, from the grid's middle.
    fn region(&self, bounds: &Aabb) -> Region {
        let (min, max) = (bounds.min - self.origin, bounds.max - self.origin);
        let margin = (min.abs().max(max.abs()).max_element().max(self.reach)) * MARGIN;
        let single = |number: f64| (number / self.step) as f32;
        Region {
            min: (min - margin).to_array().map(single),
            max: (max + margin).to_array().map(single),
        }
    }

    /// Visits every triangle whose box overlaps the region.
    pub(super) fn for_each_in(&self, region: &Aabb, visit: &mut impl FnMut(&Leaf)) {
        let region = self.region(region);
        dispatch!(self.level, simd => self.walk(
            #[inline(always)]
            |node| bits(simd, node.overlaps(simd, &region)),
            visit,
        ));
    }

    /// Visits every triangle whose box comes within `radius` of a straight way, and a few more.
    pub(super) fn for_each_along(
        &self,
        way: [DVec3; 2],
        radius: f64,
        visit: &mut impl FnMut(&Leaf),
    ) {
        let Some(slabs) = self.slabs(way, radius) else {
            return self.for_each_around(way, radius, visit);
        };
        dispatch!(self.level, simd => self.walk(
            #[inline(always)]
            |node| bits(simd, node.met_by(simd, &slabs)),
            visit,
        ));
    }

    /// `None` for numbers too large for `f32`.
    fn slabs(&self, [from, to]: [DVec3; 2], radius: f64) -> Option<Slabs> {
        let (reach, radius) = (f64::from(STEPS / 2), radius * self.per_metre);
        Slabs::new(self.to_steps(from), self.to_steps(to), radius, reach)
    }

    fn for_each_around(&self, [from, to]: [DVec3; 2], radius: f64, visit: &mut impl FnMut(&Leaf)) {
        let bounds = Aabb {
            min: from.min(to),
            max: from.max(to),
        };
        self.for_each_in(&bounds.grown(radius), visit);
    }

    /// Compiled for the widest instructions, all of it.
    #[inline(always)]
    fn walk(&self, enter: impl Fn(&Node) -> u32, visit: &mut impl FnMut(&Leaf)) {
        walk(
            self,
            0,
            #[inline(always)]
            |index| enter(self.node(index)) & self.node(index).all(),
            #[inline(always)]
            |index, child| visit(self.leaf(index, child)),
        );
    }

    fn to_steps(&self, point: DVec3) -> DVec3 {
        (point - self.origin) * self.per_metre
    }

    fn way(&self, from: DVec3, to: DVec3) -> Way {
        Way::new(self.to_steps(from), self.to_steps(to))
    }

    /// Visits triangles from near to far while their box is no farther from the region than the limit; `visit` answers with
    /// the new limit.
    pub(super) fn for_each_near(
        &self,
        region: &Aabb,
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        let region = self.region(region);
        self.walk_near(&|node| self.steps_from(node, &region), limit, visit);
    }

    /// The same of those alone whose box overlaps `within`.
    pub(super) fn for_each_near_within(
        &self,
        region: &Aabb,
        within: &Aabb,
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        let (region, within) = (self.region(region), self.region(within));
        let level = self.level;
        let distances = |node: &Node| -> [f32; WIDE] {
            dispatch!(level, simd => {
                let around = node.distances(simd, &region);
                let outside = simd.splat_f32x8(f32::MAX);
                let away = simd.select_f32x8(node.overlaps(simd, &within), around, outside);
                simd.as_array_f32x8(away)
            })
        };
        self.walk_near(&distances, limit, visit);
    }

    /// The same around a straight way.
    pub(super) fn for_each_near_way(
        &self,
        from: DVec3,
        to: DVec3,
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        let region = self.region(&Aabb {
            min: from.min(to),
            max: from.max(to),
        });
        let way = self.way(from, to);
        let level = self.level;
        let distances = |node: &Node| -> [f32; WIDE] {
            dispatch!(level, simd => {
                let around = node.distances(simd, &region);
                let across = node.separations(simd, &way);
                simd.as_array_f32x8(larger(simd, across, around))
            })
        };
        self.walk_near(&distances, limit, visit);
    }

    /// As far from something as `distances` says, in steps; see [`walk_near`].
    fn walk_near(
        &self,
        distances: &impl Fn(&Node) -> [f32; WIDE],
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        let distances = |index: u32| self.metres(self.node(index), distances(self.node(index)));
        walk_near(self, 0, &distances, limit, visit);
    }

    fn metres(&self, node: &Node, steps: [f32; WIDE]) -> Children<f64> {
        let children = (0..node.count() as u32).zip(steps);
        let metres = children.map(|(child, away)| (child, f64::from(known(away)) * self.step));
        metres.collect()
    }

    /// How far each child's box is from a region, in steps.
    fn steps_from(&self, node: &Node, region: &Region) -> [f32; WIDE] {
        dispatch!(self.level, simd => simd.as_array_f32x8(node.distances(simd, region)))
    }

    #[inline(always)]
    fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// A child that is a triangle.
    #[inline(always)]
    fn leaf(&self, index: u32, child: u32) -> &Leaf {
        &self.leaves[index as usize].0[child as usize]
    }
}

impl Tree for MeshTree {
    type Node = u32;

    fn root(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn holds_triangles(&self, index: u32) -> bool {
        self.node(index).holds_triangles()
    }

    #[inline(always)]
    fn child(&self, index: u32, child: u32) -> u32 {
        self.node(index).child(child as usize) as u32
    }

    fn triangle(&self, index: u32, child: u32) -> u32 {
        self.leaf(index, child).triangle
    }

    fn boxes(&self, index: u32) -> Children<Aabb> {
        let node = self.node(index);
        let ends: [[[f32; WIDE]; 2]; 3] = dispatch!(self.level, simd => [0, 1, 2].map(
            #[inline(always)]
            |axis| node.bounds(simd, axis).map(
                #[inline(always)]
                |ends| simd.as_array_f32x8(ends)
            )
        ));
        let corner = |child: usize, end: usize| {
            let steps = [0, 1, 2].map(|axis| f64::from(ends[axis][end][child]));
            self.origin + DVec3::from_array(steps) * self.step
        };
        let boxes = (0..node.count()).map(|child| {
            let (min, max) = (corner(child, 0), corner(child, 1));
            (child as u32, Aabb { min, max })
        });
        boxes.collect()
    }

    fn distances(&self, index: u32, region: &Aabb) -> Children<f64> {
        let node = self.node(index);
        self.metres(node, self.steps_from(node, &self.region(region)))
    }

    #[inline(always)]
    fn fetch(&self, index: u32) {
        let index = index as usize;
        prefetch_index(&self.nodes, index);
        prefetch_index(&self.leaves, index);
        // Two lines.
        prefetch_index(self.leaves[index].0.as_slice(), WIDE / 2);
    }
}

/// The least power of two that leaves room for the largest coordinate, with a margin, on either side of the middle.
fn step_for(reach: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let grown = (reach * 1.000_01).clamp(1e-290, f64::MAX);
    f64::from_bits(grown.to_bits() & EXPONENT) / f64::from(STEPS / 4)
}

/// A distance; 0 for one that leaves the range of `f32`, which says nothing.
fn known(away: f32) -> f32 {
    if away.is_finite() { away } else { 0.0 }
}

/// One bit for each lane that is set.
#[inline(always)]
fn bits<S: Simd>(simd: S, lanes: mask32x8<S>) -> u32 {
    let each = simd.load_array_u32x8([1, 2, 4, 8, 16, 32, 64, 128]);
    let set = simd.select_u32x8(lanes, each, simd.splat_u32x8(0));
    simd.as_array_u32x8(set)
        .into_iter()
        .fold(0, |bits, bit| bits | bit)
}
