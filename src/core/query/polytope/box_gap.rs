//! The closest points of two boxes that are apart.
//!
//! A corner or an edge can be nearest only if the other box reaches beyond the faces that meet there: in a box's own frame
//! the other's bounds tell which do. Of 8 corners and 144 pairs of edges few are left, and all that is left is tried.

use super::box_axes::Frames;
use super::cuboid::Cuboid;
use super::gap::{Closest, Nearest};
use crate::core::tolerance::FEATURE_ANGLE;
use glam::DVec3;

/// Sides of a box, bit by bit: for each axis, whether its negative and its positive face can be the one beyond which the
/// other box is nearest.
#[derive(Clone, Copy)]
struct Sides([[bool; 2]; 3]);

impl Sides {
    /// From the other's center and reach in the box's own frame; too many rather than too few.
    fn of(half: DVec3, center: [f64; 3], reach: [f64; 3], slack: f64) -> Self {
        Self(std::array::from_fn(|axis| {
            let limit = half[axis] - slack;
            let (center, reach) = (center[axis], reach[axis]);
            [reach - center > limit, center + reach > limit]
        }))
    }

    /// Can the corner with these bits be nearest?
    fn has_corner(&self, bits: u32) -> bool {
        (0..3).all(|axis| self.0[axis][(bits >> axis & 1) as usize])
    }

    /// Can the edge along an axis, through the corner with these bits?
    fn has_edge(&self, along: usize, bits: u32) -> bool {
        let mut across = (0..3).filter(|&axis| axis != along);
        across.all(|axis| self.0[axis][(bits >> axis & 1) as usize])
    }
}

/// Up to twelve edges by their ends.
struct Edges {
    ends: [[DVec3; 2]; 12],
    count: usize,
}

impl Edges {
    fn of(body: &Cuboid, sides: &Sides, from: DVec3) -> Self {
        let mut edges = Self {
            ends: [[DVec3::ZERO; 2]; 12],
            count: 0,
        };
        for along in 0..3 {
            // Without length its ends are other edges' ends.
            if body.half[along] == 0.0 {
                continue;
            }
            for bits in (0..8).filter(|bits| bits >> along & 1 == 0) {
                if sides.has_edge(along, bits) {
                    let ends = [bits, bits | 1 << along].map(|bits| from + body.corner(bits));
                    edges.ends[edges.count] = ends;
                    edges.count += 1;
                }
            }
        }
        edges
    }

    fn iter(&self) -> impl Iterator<Item = &[DVec3; 2]> {
        self.ends[..self.count].iter()
    }
}

/// `between` leads from b's center to a's.
pub(super) fn closest_boxes(a: &Cuboid, b: &Cuboid, between: DVec3) -> Closest {
    let frames = Frames::of(a, b, between);
    let size = &frames.size;
    let slack = FEATURE_ANGLE * (a.half.element_sum() + b.half.element_sum() + between.length());
    let reach_of_b =
        [0, 1, 2].map(|i| b.half.x * size[i][0] + b.half.y * size[i][1] + b.half.z * size[i][2]);
    let reach_of_a =
        [0, 1, 2].map(|j| a.half.x * size[0][j] + a.half.y * size[1][j] + a.half.z * size[2][j]);
    let sides_a = Sides::of(a.half, frames.of_a.map(|part| -part), reach_of_b, slack);
    let sides_b = Sides::of(b.half, frames.of_b, reach_of_a, slack);
    let mut nearest = Nearest::new(between + a.corner(0), b.corner(0));
    for bits in (0..8).filter(|&bits| sides_a.has_corner(bits)) {
        let corner = between + a.corner(bits);
        nearest.consider(corner, b.clamped(corner));
    }
    for bits in (0..8).filter(|&bits| sides_b.has_corner(bits)) {
        let corner = b.corner(bits);
        nearest.consider(between + a.clamped(corner - between), corner);
    }
    let edges_b = Edges::of(b, &sides_b, DVec3::ZERO);
    for edge_a in Edges::of(a, &sides_a, between).iter() {
        for edge_b in edges_b.iter() {
            nearest.consider_edges(*edge_a, *edge_b);
        }
    }
    nearest.best
}
