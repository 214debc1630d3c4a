//! The tree over a mesh's triangles: boxes in boxes, eight to a node, built once.
//!
//! Boxes are in whole steps of a grid, rounded outward and a little more, and tested in `f32`, so that no walk misses what `f64`
//! would find: a walk visits all it should and a few more.

use super::Aabb;
use super::mesh_node::{Node, STEPS, WIDE};
use super::mesh_slabs::Slabs;
use super::mesh_split::Part;
use fearless_simd::{Level, Simd, dispatch, f32x8, mask32x8};
use glam::DVec3;
use prefetch_index::prefetch_index;
use smallvec::{SmallVec, smallvec};

/// Share of the largest coordinate by which boxes are larger: many roundings of `f32` (2^-24).
pub(super) const MARGIN: f64 = 1e-6;

/// Triangle numbers by place.
#[derive(Debug)]
pub(super) struct MeshTree {
    nodes: Vec<Node>,
    /// The triangles of each node, none of those whose children are nodes: by the node's number, so that both can be asked for at once.
    places: Vec<Places>,
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

/// A triangle where the tree has it: its vertices by the tree's numbers beside its own, as whoever finds it reads them next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub corners: [u32; 3],
    pub triangle: u32,
}

/// The triangles of a node, in two lines of a processor's cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Places([Place; WIDE]);

impl Places {
    const NONE: Self = Self(
        [Place {
            corners: [0; 3],
            triangle: 0,
        }; WIDE],
    );
}

/// A box in steps of the tree's grid, as large or larger.
pub(super) struct Region {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

impl MeshTree {
    /// Over at least one triangle and the box of each. The same boxes give the same tree.
    pub(super) fn new(boxes: &[Aabb], triangles: &[[u32; 3]]) -> Self {
        let whole = Part::whole(boxes);
        // Where the middle overflows, zero is as good.
        let middle = Some(whole.bounds.center()).filter(|middle| middle.is_finite());
        let origin = middle.unwrap_or_default();
        let ends = [whole.bounds.min - origin, whole.bounds.max - origin];
        let reach = ends[0].abs().max(ends[1].abs()).max_element();
        let mut tree = Self {
            nodes: Vec::with_capacity(boxes.len() / 4 + 1),
            places: Vec::new(),
            origin,
            reach,
            step: step_for(reach),
            per_metre: 1.0 / step_for(reach),
            level: Level::new(),
        };
        tree.build(boxes, triangles, whole);
        tree
    }

    fn build(&mut self, boxes: &[Aabb], triangles: &[[u32; 3]], whole: Part) {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let blank = Node::new(&[], 0, true);
        self.nodes.push(blank);
        self.places.push(Places::NONE);
        let mut open = vec![(0, 0, whole)];
        while let Some((index, depth, part)) = open.pop() {
            let mut steps: SmallVec<[_; WIDE]> = smallvec![];
            if part.len() <= WIDE {
                let order = &order[part.from..part.to];
                steps.extend(order.iter().map(|&at| self.steps(&boxes[at as usize])));
                self.nodes[index] = Node::new(&steps, index as u32, true);
                for (place, &triangle) in self.places[index].0.iter_mut().zip(order) {
                    let corners = triangles[triangle as usize];
                    *place = Place { corners, triangle };
                }
                continue;
            }
            let parts = part.for_a_node(boxes, &mut order, depth);
            steps.extend(parts.iter().map(|part| self.steps(&part.bounds)));
            let first = self.nodes.len();
            self.nodes[index] = Node::new(&steps, first as u32, false);
            self.nodes.resize(first + parts.len(), blank);
            self.places.resize(first + parts.len(), Places::NONE);
            let children = (first..).zip(parts);
            open.extend(children.map(|(index, part)| (index, depth + 1, part)));
        }
    }

    /// Numbers the vertices in the order in which the nodes have them, and answers with them: those of a node lie side by side.
    pub(super) fn renumber(&mut self, vertices: &[DVec3]) -> Vec<DVec3> {
        let mut numbers = vec![u32::MAX; vertices.len()];
        let mut ordered = Vec::with_capacity(vertices.len());
        for (node, places) in self.nodes.iter().zip(&mut self.places) {
            let count = if node.holds_triangles() {
                node.count()
            } else {
                0
            };
            for vertex in places.0[..count]
                .iter_mut()
                .flat_map(|place| &mut place.corners)
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

    /// Has a node and its triangles brought near, before it is tested.
    #[inline(always)]
    fn fetch(&self, index: usize) {
        prefetch_index(&self.nodes, index);
        prefetch_index(&self.places, index);
        // Two lines.
        prefetch_index(self.places_of(index), WIDE / 2);
    }

    #[inline(always)]
    fn places_of(&self, index: usize) -> &[Place; WIDE] {
        &self.places[index].0
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
    pub(super) fn for_each_in(&self, region: &Aabb, visit: &mut impl FnMut(&Place)) {
        let region = self.region(region);
        let level = self.level;
        self.walk(
            &|node| dispatch!(level, simd => bits(simd, node.overlaps(simd, &region)) & node.all()),
            visit,
        );
    }

    /// Visits every triangle whose box comes within `radius` of a straight way, and a few more.
    pub(super) fn for_each_along(
        &self,
        way: [DVec3; 2],
        radius: f64,
        visit: &mut impl FnMut(&Place),
    ) {
        let Some(slabs) = self.slabs(way, radius) else {
            return self.for_each_around(way, radius, visit);
        };
        dispatch!(self.level, simd => self.walk_along::<_, false>(simd, &slabs, visit));
    }

    /// The same triangles, for those who expect several: nodes are tested in the order in which they are found, so that the next
    /// ones come from far-off memory meanwhile.
    pub(super) fn all_along(&self, way: [DVec3; 2], radius: f64, visit: &mut impl FnMut(&Place)) {
        let Some(slabs) = self.slabs(way, radius) else {
            return self.for_each_around(way, radius, visit);
        };
        dispatch!(self.level, simd => self.walk_along::<_, true>(simd, &slabs, visit));
    }

    /// `None` for numbers too large for `f32`.
    fn slabs(&self, [from, to]: [DVec3; 2], radius: f64) -> Option<Slabs> {
        let (reach, radius) = (f64::from(STEPS / 2), radius * self.per_metre);
        Slabs::new(self.to_steps(from), self.to_steps(to), radius, reach)
    }

    fn for_each_around(&self, [from, to]: [DVec3; 2], radius: f64, visit: &mut impl FnMut(&Place)) {
        let bounds = Aabb {
            min: from.min(to),
            max: from.max(to),
        };
        self.for_each_in(&bounds.grown(radius), visit);
    }

    /// Compiled for the widest instructions, all of it; `IN_TURN`: what was found first is tested first.
    #[inline(always)]
    fn walk_along<S: Simd, const IN_TURN: bool>(
        &self,
        simd: S,
        slabs: &Slabs,
        visit: &mut impl FnMut(&Place),
    ) {
        let mut open: SmallVec<[u32; 64]> = smallvec![0];
        let mut next = 0;
        loop {
            let index = if IN_TURN {
                next += 1;
                open.get(next - 1).copied()
            } else {
                open.pop()
            };
            let Some(index) = index else {
                return;
            };
            let node = &self.nodes[index as usize];
            let mut met = bits(simd, node.met_by(simd, slabs)) & node.all();
            while met != 0 {
                let child = met.trailing_zeros() as usize;
                met &= met - 1;
                if node.holds_triangles() {
                    visit(&self.places_of(index as usize)[child]);
                } else {
                    self.fetch(node.child(child));
                    open.push(node.child(child) as u32);
                }
            }
        }
    }

    fn to_steps(&self, point: DVec3) -> DVec3 {
        (point - self.origin) * self.per_metre
    }

    fn way(&self, from: DVec3, to: DVec3) -> Way {
        Way::new(self.to_steps(from), self.to_steps(to))
    }

    /// Visits the triangles among the children that `enter` wants, one bit each.
    fn walk(&self, enter: &impl Fn(&Node) -> u32, visit: &mut impl FnMut(&Place)) {
        let mut open: SmallVec<[u32; 64]> = smallvec![0];
        while let Some(index) = open.pop() {
            let node = &self.nodes[index as usize];
            let mut wanted = enter(node);
            while wanted != 0 {
                let child = wanted.trailing_zeros() as usize;
                wanted &= wanted - 1;
                if node.holds_triangles() {
                    visit(&self.places_of(index as usize)[child]);
                } else {
                    open.push(node.child(child) as u32);
                }
            }
        }
    }

    /// Visits triangles from near to far while their box is no farther from the region than the limit; `visit` answers with
    /// the new limit.
    pub(super) fn for_each_near(
        &self,
        region: &Aabb,
        limit: f64,
        visit: &mut impl FnMut(&Place) -> f64,
    ) {
        let region = self.region(region);
        let level = self.level;
        let distances = |node: &Node| -> [f32; WIDE] {
            dispatch!(level, simd => simd.as_array_f32x8(node.distances(simd, &region)))
        };
        self.walk_near(&distances, limit, visit);
    }

    /// The same around a straight way.
    pub(super) fn for_each_near_way(
        &self,
        from: DVec3,
        to: DVec3,
        limit: f64,
        visit: &mut impl FnMut(&Place) -> f64,
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

    fn walk_near(
        &self,
        distances: &impl Fn(&Node) -> [f32; WIDE],
        mut limit: f64,
        visit: &mut impl FnMut(&Place) -> f64,
    ) {
        // By eight times the node and which of its children.
        let mut open: SmallVec<[(u64, f32); 64]> = smallvec![];
        let push = |open: &mut SmallVec<[(u64, f32); 64]>, index: u32, limit: f64| {
            let first = open.len();
            let node = &self.nodes[index as usize];
            for (child, away) in (0..node.count() as u64).zip(distances(node)) {
                // What leaves the range of `f32` says nothing.
                let away = if away.is_finite() { away } else { 0.0 };
                if f64::from(away) * self.step <= limit {
                    open.push((u64::from(index) * WIDE as u64 + child, away));
                }
            }
            open[first..].sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
        };
        push(&mut open, 0, limit);
        while let Some((at, away)) = open.pop() {
            if f64::from(away) * self.step > limit {
                continue;
            }
            let (index, child) = (at as usize / WIDE, at as usize % WIDE);
            let node = &self.nodes[index];
            if node.holds_triangles() {
                limit = visit(&self.places_of(index)[child]);
            } else {
                push(&mut open, node.child(child) as u32, limit);
            }
        }
    }
}

/// The least power of two that leaves room for the largest coordinate, with a margin, on either side of the middle.
fn step_for(reach: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let grown = (reach * 1.000_01).clamp(1e-290, f64::MAX);
    f64::from_bits(grown.to_bits() & EXPONENT) / f64::from(STEPS / 4)
}

/// A straight way as the tree tests it, in steps of its grid.
pub(super) struct Way {
    pub middle: [f32; 3],
    /// From the middle to its end.
    pub half: [f32; 3],
    /// One over the length of the axis square to the way and to z, x, y; 0 for a way along that one.
    pub per_axis: [f32; 3],
    /// By how much rounding may have moved it.
    pub noise: f32,
}

impl Way {
    fn new(from: DVec3, to: DVec3) -> Self {
        let reach = f64::from(STEPS / 2);
        let largest = from.abs().max(to.abs()).max_element().max(reach);
        let single = |vector: DVec3| vector.to_array().map(|number| number as f32);
        let half = single(to * 0.5 - from * 0.5);
        let per_axis = PLANES.map(|(one, other)| {
            let square = half[one] * half[one] + half[other] * half[other];
            // Neither squares that lost digits nor endless ones.
            if square > SMALLEST_WAY * SMALLEST_WAY && square.is_finite() {
                1.0 / square.sqrt()
            } else {
                0.0
            }
        });
        Self {
            middle: single(from * 0.5 + to * 0.5),
            half,
            per_axis,
            noise: (4.0 * MARGIN * largest) as f32,
        }
    }
}

/// Steps; a way that is shorter seen along an axis is not told apart by it, as its square has too few digits.
const SMALLEST_WAY: f32 = 1e-15;

/// The two axes that each axis of space is square to.
pub(super) const PLANES: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

/// The larger of each lane; the second where the first is not a number.
#[inline(always)]
pub(super) fn larger<S: Simd>(simd: S, a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    simd.select_f32x8(simd.simd_gt_f32x8(a, b), a, b)
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
