//! The tree over a mesh's triangles: boxes in boxes, four to a node, built once.
//!
//! Boxes are `f32`, rounded outward and a little more, so that no walk misses what `f64` would find: a walk visits all
//! it should and a few more.

use super::Aabb;
use super::mesh_split::Part;
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

/// Children of a node.
pub(super) const WIDE: usize = 4;

/// Triangles in one leaf at most.
pub(super) const LEAF: usize = 4;

/// Share of the largest coordinate by which boxes are larger: many roundings of `f32` (2^-24).
const MARGIN: f64 = 1e-6;

/// Four children side by side: a box, and either a node or triangles.
#[derive(Clone, Copy, Debug)]
struct Node {
    min: [[f32; WIDE]; 3],
    max: [[f32; WIDE]; 3],
    /// The node, or the first of a leaf's triangles in `order`.
    first: [u32; WIDE],
    /// How many triangles; 0 for a node.
    count: [u32; WIDE],
}

/// Triangle numbers by place.
#[derive(Debug)]
pub(super) struct MeshTree {
    nodes: Vec<Node>,
    order: Vec<u32>,
    /// Coordinates in the tree are relative to it.
    origin: DVec3,
    /// The largest coordinate relative to the origin.
    reach: f64,
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
            order: (0..boxes.len() as u32).collect(),
            // Where even the middle overflows, so does the reach, and every box is endless.
            origin: if origin.is_finite() {
                origin
            } else {
                DVec3::ZERO
            },
            reach: whole.bounds.half_extents().max_element(),
        };
        let mut order = std::mem::take(&mut tree.order);
        let mut open = vec![(0_u32, whole, None)];
        while let Some((depth, part, parent)) = open.pop() {
            let index = tree.nodes.len();
            if let Some((node, child)) = parent {
                let node: &mut Node = &mut tree.nodes[node];
                node.first[child] = index as u32;
            }
            let parts = part.in_four(boxes, &mut order, depth);
            let mut node = Node::EMPTY;
            for (child, part) in parts.iter().enumerate() {
                tree.place(&mut node, child, &part.bounds);
                if part.len() <= LEAF {
                    node.first[child] = part.from as u32;
                    node.count[child] = part.len() as u32;
                }
            }
            tree.nodes.push(node);
            let inner = parts.into_iter().enumerate();
            let inner = inner.filter(|(_, part)| part.len() > LEAF);
            open.extend(inner.map(|(child, part)| (depth + 1, part, Some((index, child)))));
        }
        tree.order = order;
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

    /// Visits the triangles of every leaf whose box overlaps the region.
    pub(super) fn for_each_leaf_in(&self, region: &Aabb, visit: &mut impl FnMut(u32)) {
        let region = self.region(region);
        self.walk(&|node| node.overlaps(&region), visit);
    }

    /// Visits the triangles of every leaf whose box comes within `radius` of a straight way.
    pub(super) fn for_each_leaf_along(
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
        self.walk(
            &|node| node.overlaps(&region) & node.along(&way, radius),
            visit,
        );
    }

    fn way(&self, from: DVec3, to: DVec3) -> Way {
        Way::new(from - self.origin, to - self.origin, self.reach)
    }

    /// Visits the leaves of the children that `enter` wants, one bit each.
    fn walk(&self, enter: &impl Fn(&Node) -> u32, visit: &mut impl FnMut(u32)) {
        let mut open: SmallVec<[u32; 64]> = smallvec![0];
        while let Some(index) = open.pop() {
            let node = &self.nodes[index as usize];
            let mut wanted = enter(node);
            while wanted != 0 {
                let child = wanted.trailing_zeros() as usize;
                wanted &= wanted - 1;
                if node.count[child] == 0 {
                    open.push(node.first[child]);
                } else {
                    self.triangles_of(node, child)
                        .iter()
                        .for_each(|&triangle| visit(triangle));
                }
            }
        }
    }

    /// Visits leaves from near to far while their box is no farther from the region than the limit; `visit` answers with
    /// the new limit.
    pub(super) fn for_each_near(
        &self,
        region: &Aabb,
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        let region = self.region(region);
        self.walk_near(&|node| node.distances(&region), limit, visit);
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
        let distances = |node: &Node| {
            let (around, across) = (node.distances(&region), node.separations(&way));
            // Not a number stays so: it is no child.
            std::array::from_fn(|child| {
                if across[child] > around[child] {
                    across[child]
                } else {
                    around[child]
                }
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
        // By four times the node and which of its children.
        let mut open: SmallVec<[(u64, f32); 64]> = smallvec![];
        let push = |open: &mut SmallVec<[(u64, f32); 64]>, index: u32, limit: f64| {
            let first = open.len();
            for (child, away) in (0..).zip(distances(&self.nodes[index as usize])) {
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
            if node.count[child] == 0 {
                push(&mut open, node.first[child], limit);
            } else {
                for &triangle in self.triangles_of(node, child) {
                    limit = visit(triangle);
                }
            }
        }
    }

    fn triangles_of(&self, node: &Node, child: usize) -> &[u32] {
        &self.order[node.first[child] as usize..][..node.count[child] as usize]
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
            let length = half[one].hypot(half[other]);
            if length > f32::MIN_POSITIVE {
                1.0 / length
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

/// The two axes that each axis of space is square to.
const PLANES: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

impl Node {
    /// Boxes that nothing meets.
    const EMPTY: Self = Self {
        min: [[f32::NAN; WIDE]; 3],
        max: [[f32::NAN; WIDE]; 3],
        first: [0; WIDE],
        count: [0; WIDE],
    };

    /// One bit for each child whose box overlaps the region, inclusively.
    fn overlaps(&self, region: &Region) -> u32 {
        let mut apart = [false; WIDE];
        for axis in 0..3 {
            for (child, apart) in apart.iter_mut().enumerate() {
                *apart |= !((self.min[axis][child] <= region.max[axis])
                    & (region.min[axis] <= self.max[axis][child]));
            }
        }
        bits(apart)
    }

    /// One bit for each child that [`Node::separations`] do not keep farther than `radius` from the way.
    fn along(&self, way: &Way, radius: f32) -> u32 {
        bits(self.separations(way).map(|away| away > radius))
    }

    /// How far each child's box is from the way on the axes square to it and to an axis of space, or less (Ericson 2005, 5.3.3).
    fn separations(&self, way: &Way) -> [f32; WIDE] {
        let mut most = [0.0; WIDE];
        for ((one, other), per_axis) in PLANES.into_iter().zip(way.per_axis) {
            let (along_one, along_other) = (way.half[one], way.half[other]);
            let (wide_one, wide_other) = (along_one.abs(), along_other.abs());
            for (child, most) in most.iter_mut().enumerate() {
                let middle = |axis: usize| {
                    (self.min[axis][child] + self.max[axis][child]) * 0.5 - way.middle[axis]
                };
                let half =
                    |axis: usize| (self.max[axis][child] - self.min[axis][child]) * 0.5 + way.noise;
                let (at_one, at_other) = (middle(one), middle(other));
                let across = (at_one * along_other - at_other * along_one).abs();
                let reach = half(one) * wide_other + half(other) * wide_one;
                let noise = (at_one.abs() * wide_other + at_other.abs() * wide_one) * 1e-6;
                let away = (across - reach * 1.000_001 - noise) * per_axis * 0.999_999;
                *most = if away > *most { away } else { *most };
            }
        }
        most
    }

    /// How far each child's box is from the region, or less; not a number where there is none.
    fn distances(&self, region: &Region) -> [f32; WIDE] {
        let mut squares = [0.0; WIDE];
        for axis in 0..3 {
            for (child, square) in squares.iter_mut().enumerate() {
                let before = region.min[axis] - self.max[axis][child];
                let behind = self.min[axis][child] - region.max[axis];
                let away = if before > behind { before } else { behind };
                let away = if away > 0.0 { away } else { 0.0 };
                *square += away * away;
            }
        }
        std::array::from_fn(|child| {
            if self.min[0][child].is_nan() {
                f32::NAN
            } else {
                squares[child].sqrt() * 0.999_999
            }
        })
    }
}

fn bits(apart: [bool; WIDE]) -> u32 {
    let [a, b, c, d] = apart.map(|apart| u32::from(!apart));
    a | b << 1 | c << 2 | d << 3
}
