//! The tree over a mesh's triangles: boxes in boxes, eight to a node, built once.
//!
//! Boxes are `f32`, rounded outward and a little more, so that no walk misses what `f64` would find: a walk visits all
//! it should and a few more.

use super::Aabb;
use super::mesh_split::Part;
use fearless_simd::{Level, Simd, dispatch, f32x8, mask32x8};
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

/// Children of a node.
pub(super) const WIDE: usize = 8;

/// Share of the largest coordinate by which boxes are larger: many roundings of `f32` (2^-24).
const MARGIN: f64 = 1e-6;

/// Eight children side by side: a box, and either a node or a triangle.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Node {
    min: [[f32; WIDE]; 3],
    max: [[f32; WIDE]; 3],
    /// The node, or the triangle.
    child: [u32; WIDE],
    /// How many of them there are.
    count: u32,
    /// One bit for each child that is a triangle.
    triangles: u32,
}

/// Triangle numbers by place.
#[derive(Debug)]
pub(super) struct MeshTree {
    nodes: Vec<Node>,
    /// Coordinates in the tree are relative to it.
    origin: DVec3,
    /// The largest coordinate relative to the origin.
    reach: f64,
    /// The instructions that boxes are tested with; all give the same answers.
    level: Level,
}

/// A box with numbers as the tree has them, as large or larger.
struct Region {
    min: [f32; 3],
    max: [f32; 3],
}

impl MeshTree {
    /// Over the boxes of at least one triangle. The same boxes give the same tree.
    pub(super) fn new(boxes: &[Aabb]) -> Self {
        let whole = Part::whole(boxes);
        let origin = whole.bounds.center();
        let mut tree = Self {
            nodes: Vec::with_capacity(boxes.len() / 4 + 1),
            // Where even the middle overflows, so does the reach, and every box is endless.
            origin: if origin.is_finite() {
                origin
            } else {
                DVec3::ZERO
            },
            reach: whole.bounds.half_extents().max_element(),
            level: Level::new(),
        };
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut open = vec![(0_u32, whole, None)];
        while let Some((depth, part, parent)) = open.pop() {
            let index = tree.nodes.len();
            if let Some((node, child)) = parent {
                let node: &mut Node = &mut tree.nodes[node];
                node.child[child] = index as u32;
            }
            let parts = part.for_a_node(boxes, &mut order, depth);
            let mut node = Node::EMPTY;
            node.count = parts.len() as u32;
            for (child, part) in parts.iter().enumerate() {
                tree.place(&mut node, child, &part.bounds);
                if part.len() == 1 {
                    node.child[child] = order[part.from];
                    node.triangles |= 1 << child;
                }
            }
            tree.nodes.push(node);
            let inner = parts.into_iter().enumerate();
            let inner = inner.filter(|(_, part)| part.len() > 1);
            open.extend(inner.map(|(child, part)| (depth + 1, part, Some((index, child)))));
        }
        tree
    }

    fn place(&self, node: &mut Node, child: usize, bounds: &Aabb) {
        let region = self.region(bounds);
        for axis in 0..3 {
            node.min[axis][child] = region.min[axis];
            node.max[axis][child] = region.max[axis];
        }
    }

    /// Rounded outward by a margin that covers the roundings of a walk, too.
    fn region(&self, bounds: &Aabb) -> Region {
        let (min, max) = (bounds.min - self.origin, bounds.max - self.origin);
        let margin = (min.abs().max(max.abs()).max_element().max(self.reach)) * MARGIN
            + f64::from(f32::MIN_POSITIVE);
        Region {
            min: (min - margin).to_array().map(|number| number as f32),
            max: (max + margin).to_array().map(|number| number as f32),
        }
    }

    /// Visits every triangle whose box overlaps the region.
    pub(super) fn for_each_in(&self, region: &Aabb, visit: &mut impl FnMut(u32)) {
        let region = self.region(region);
        let level = self.level;
        self.walk(
            &|node| dispatch!(level, simd => bits(simd, node.overlaps(simd, &region))),
            visit,
        );
    }

    /// Visits every triangle whose box comes within `radius` of a straight way.
    pub(super) fn for_each_along(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        visit: &mut impl FnMut(u32),
    ) {
        let bounds = Aabb {
            min: from.min(to),
            max: from.max(to),
        };
        let region = self.region(&bounds.grown(radius));
        let way = self.way(from, to);
        let radius = (radius * (1.0 + MARGIN)) as f32;
        let level = self.level;
        let enter = |node: &Node| {
            dispatch!(level, simd => {
                let overlap = node.overlaps(simd, &region);
                let wanted = bits(simd, overlap);
                // A single node costs less to enter than to look at more closely.
                if wanted & (wanted.wrapping_sub(1) | node.triangles) == 0 {
                    return wanted;
                }
                let away = node.separations(simd, &way);
                let near = simd.simd_le_f32x8(away, simd.splat_f32x8(radius));
                bits(simd, overlap & near)
            })
        };
        self.walk(&enter, visit);
    }

    fn way(&self, from: DVec3, to: DVec3) -> Way {
        Way::new(from - self.origin, to - self.origin, self.reach)
    }

    /// Visits the triangles among the children that `enter` wants, one bit each.
    fn walk(&self, enter: &impl Fn(&Node) -> u32, visit: &mut impl FnMut(u32)) {
        let mut open: SmallVec<[u32; 64]> = smallvec![0];
        while let Some(index) = open.pop() {
            let node = &self.nodes[index as usize];
            let mut wanted = enter(node);
            while wanted != 0 {
                let child = wanted.trailing_zeros() as usize;
                wanted &= wanted - 1;
                if node.triangles >> child & 1 == 0 {
                    open.push(node.child[child]);
                } else {
                    visit(node.child[child]);
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
        visit: &mut impl FnMut(u32) -> f64,
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

    fn walk_near(
        &self,
        distances: &impl Fn(&Node) -> [f32; WIDE],
        mut limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        // By eight times the node and which of its children.
        let mut open: SmallVec<[(u64, f32); 64]> = smallvec![];
        let push = |open: &mut SmallVec<[(u64, f32); 64]>, index: u32, limit: f64| {
            let first = open.len();
            let node = &self.nodes[index as usize];
            for (child, away) in (0..u64::from(node.count)).zip(distances(node)) {
                if f64::from(away) <= limit {
                    open.push((u64::from(index) * WIDE as u64 + child, away));
                }
            }
            open[first..].sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
        };
        push(&mut open, 0, limit);
        while let Some((at, away)) = open.pop() {
            if f64::from(away) > limit {
                continue;
            }
            let (node, child) = (&self.nodes[at as usize / WIDE], at as usize % WIDE);
            if node.triangles >> child & 1 == 0 {
                push(&mut open, node.child[child], limit);
            } else {
                limit = visit(node.child[child]);
            }
        }
    }
}

/// A straight way as the tree tests it.
struct Way {
    middle: [f32; 3],
    /// From the middle to its end.
    half: [f32; 3],
    /// One over the length of the axis square to the way and to z, x, y; 0 for a way along that one.
    per_axis: [f32; 3],
    /// By how much rounding may have moved it, metres.
    noise: f32,
}

impl Way {
    fn new(from: DVec3, to: DVec3, reach: f64) -> Self {
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

/// Metres; a way that is shorter seen along an axis is not told apart by it, as its square has too few digits.
const SMALLEST_WAY: f32 = 1e-15;

/// The two axes that each axis of space is square to.
const PLANES: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

impl Node {
    /// Boxes that nothing meets.
    const EMPTY: Self = Self {
        min: [[f32::NAN; WIDE]; 3],
        max: [[f32::NAN; WIDE]; 3],
        child: [0; WIDE],
        count: 0,
        triangles: 0,
    };

    #[inline(always)]
    fn bounds<S: Simd>(&self, simd: S, axis: usize) -> [f32x8<S>; 2] {
        [
            simd.load_array_ref_f32x8(&self.min[axis]),
            simd.load_array_ref_f32x8(&self.max[axis]),
        ]
    }

    /// Which children's boxes overlap the region, inclusively.
    #[inline(always)]
    fn overlaps<S: Simd>(&self, simd: S, region: &Region) -> mask32x8<S> {
        let [x, y, z] = [
            self.overlaps_on(simd, region, 0),
            self.overlaps_on(simd, region, 1),
            self.overlaps_on(simd, region, 2),
        ];
        x & y & z
    }

    #[inline(always)]
    fn overlaps_on<S: Simd>(&self, simd: S, region: &Region, axis: usize) -> mask32x8<S> {
        let [min, max] = self.bounds(simd, axis);
        let from = simd.splat_f32x8(region.min[axis]);
        let to = simd.splat_f32x8(region.max[axis]);
        simd.simd_le_f32x8(min, to) & simd.simd_le_f32x8(from, max)
    }

    /// How far each child's box is from the way on the axes square to it and to an axis of space, or less (Ericson 2005, 5.3.3).
    #[inline(always)]
    fn separations<S: Simd>(&self, simd: S, way: &Way) -> f32x8<S> {
        let places = [
            self.seen_from(simd, way, 0),
            self.seen_from(simd, way, 1),
            self.seen_from(simd, way, 2),
        ];
        let mut most = simd.splat_f32x8(0.0);
        for ((one, other), per_axis) in PLANES.into_iter().zip(way.per_axis) {
            let (along_one, along_other) = (way.half[one], way.half[other]);
            let (wide_one, wide_other) = (along_one.abs(), along_other.abs());
            let ([at_one, half_one], [at_other, half_other]) = (places[one], places[other]);
            let across = simd.abs_f32x8(at_one * along_other - at_other * along_one);
            let reach = half_one * wide_other + half_other * wide_one;
            let sizes = [simd.abs_f32x8(at_one), simd.abs_f32x8(at_other)];
            let noise = (sizes[0] * wide_other + sizes[1] * wide_one) * 1e-6;
            let away = (across - reach * 1.000_001 - noise) * (per_axis * 0.999_999);
            most = larger(simd, away, most);
        }
        most
    }

    /// The middles of the boxes on an axis, from the middle of the way, and half their sizes.
    #[inline(always)]
    fn seen_from<S: Simd>(&self, simd: S, way: &Way, axis: usize) -> [f32x8<S>; 2] {
        let [min, max] = self.bounds(simd, axis);
        let middle = (min + max) * 0.5 - way.middle[axis];
        [middle, (max - min) * 0.5 + way.noise]
    }

    /// How far each child's box is from the region, or less.
    #[inline(always)]
    fn distances<S: Simd>(&self, simd: S, region: &Region) -> f32x8<S> {
        let zero = simd.splat_f32x8(0.0);
        let mut squares = zero;
        for axis in 0..3 {
            let [min, max] = self.bounds(simd, axis);
            let before = simd.splat_f32x8(region.min[axis]) - max;
            let behind = min - region.max[axis];
            let away = larger(simd, larger(simd, before, behind), zero);
            squares += away * away;
        }
        simd.sqrt_f32x8(squares) * 0.999_999
    }
}

/// The larger of each lane; the second where the first is not a number.
#[inline(always)]
fn larger<S: Simd>(simd: S, a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
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
