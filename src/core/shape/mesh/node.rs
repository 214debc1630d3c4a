//! A node of a mesh's tree, in one line of a processor's cache: the boxes of eight children on a grid of the node's own, in
//! steps of the tree's finer one (after Ylitie, Karras and Laine 2017).

use super::slabs::Slabs;
use super::way::{PLANES, Region, STEPS, Way, larger};
use fearless_simd::{Bytes, Simd, f32x8, i32x8, mask32x8};

/// Children of a node.
pub(super) const WIDE: usize = 8;

/// So much smaller, steps have squares in the middle of the range of `f32`: 2^-40.
const SMALLER: f32 = 1.0 / (1_u64 << 40) as f32;

/// Which of the 8 bits below the corner of a node's grid say what: the grid's steps are those of the tree, doubled so often;
/// and on x whether the children are triangles, on y one less than how many there are.
const DOUBLINGS_MASK: u32 = 0b1_1111;
const TRIANGLES_BIT: u32 = 0b1000_0000;
const COUNT_SHIFT: u32 = 5;

/// Eight children side by side, all nodes or all triangles.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Node {
    /// The least and the greatest coordinate on x and on y, a byte each from the lowest, in the steps of the node's grid.
    sides: [u32; WIDE],
    /// The same on z.
    sides_on_z: [u16; WIDE],
    /// The first child, the others follow it; of triangles the node's own number.
    first: u32,
    /// Where the node's grid begins in the tree's, 24 bits, and 8 bits of which see above.
    corner: [u32; 3],
}

impl Node {
    /// Over boxes in the steps of the tree's grid, 8 at most; they become as large or larger.
    pub(super) fn new(boxes: &[[[u32; 3]; 2]], first: u32, triangles: bool) -> Self {
        let mut node = Self {
            sides: [0; WIDE],
            sides_on_z: [0; WIDE],
            first,
            corner: [0; 3],
        };
        for axis in 0..3 {
            let ends = |end: usize| boxes.iter().map(move |bounds| bounds[end][axis]);
            let corner = ends(0).min().unwrap_or(0);
            let extent = ends(1).max().unwrap_or(0).max(corner) - corner;
            let mut doubled = 0;
            while extent.div_ceil(1 << doubled) > u32::from(u8::MAX) {
                doubled += 1;
            }
            node.corner[axis] = corner << 8 | doubled;
            for (child, bounds) in boxes.iter().enumerate() {
                let least = (bounds[0][axis] - corner) >> doubled;
                let greatest = (bounds[1][axis] - corner).div_ceil(1 << doubled);
                let both = least | greatest << 8;
                match axis {
                    0 | 1 => node.sides[child] |= both << (16 * axis),
                    _ => node.sides_on_z[child] = both as u16,
                }
            }
        }
        node.corner[0] |= if triangles { TRIANGLES_BIT } else { 0 };
        node.corner[1] |= (boxes.len().max(1) as u32 - 1) << COUNT_SHIFT;
        node
    }

    /// The number of a child that is a node.
    #[inline(always)]
    pub(super) fn child(&self, child: usize) -> usize {
        self.first as usize + child
    }

    /// Are the children triangles?
    #[inline(always)]
    pub(super) fn holds_triangles(&self) -> bool {
        self.corner[0] & TRIANGLES_BIT != 0
    }

    /// How many children there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        (self.corner[1] >> COUNT_SHIFT & 7) as usize + 1
    }

    /// One bit for each child there is.
    #[inline(always)]
    pub(super) fn all(&self) -> u32 {
        u32::from(u8::MAX) >> (WIDE - self.count())
    }

    /// Where the node's grid begins, in the steps of the tree's from its middle.
    #[inline(always)]
    fn corner_of(&self, axis: usize) -> f32 {
        ((self.corner[axis] >> 8) as i32 - (STEPS / 2) as i32) as f32
    }

    /// How many steps of the tree's grid one of the node's is: a power of two.
    #[inline(always)]
    fn steps_of_tree(&self, axis: usize) -> f32 {
        f32::from_bits((127 + (self.corner[axis] & DOUBLINGS_MASK)) << 23)
    }

    /// Both ends of all boxes on an axis, in the steps of the tree's grid from its middle.
    #[inline(always)]
    pub(super) fn bounds<S: Simd>(&self, simd: S, axis: usize) -> [f32x8<S>; 2] {
        let per_step = self.steps_of_tree(axis);
        let corner = self.corner_of(axis);
        let sides = self.sides_on(simd, axis);
        [
            simd.cvt_f32_i32x8(sides & 0xff) * per_step + corner,
            simd.cvt_f32_i32x8(simd.shr_i32x8(sides, 8) & 0xff) * per_step + corner,
        ]
    }

    /// The sides on an axis, in the two lowest bytes.
    #[inline(always)]
    fn sides_on<S: Simd>(&self, simd: S, axis: usize) -> i32x8<S> {
        let sides = i32x8::from_bytes(simd.load_array_ref_u32x8(&self.sides).to_bytes());
        match axis {
            0 => sides,
            1 => simd.shr_i32x8(sides, 16),
            _ => {
                let sides = simd.load_array_ref_u16x8(&self.sides_on_z);
                let none = simd.splat_u16x8(0);
                let low = simd.zip_low_u16x8(sides, none);
                let high = simd.zip_high_u16x8(sides, none);
                let all = simd.combine_u16x8(low, high);
                i32x8::from_bytes(all.to_bytes())
            }
        }
    }

    /// Which children's boxes a way meets.
    ///
    /// Rounding, in units of 2^-24 of the largest coordinate, as far as a side is moved by it: the start 1, its difference from
    /// the corner 2, one over the length 4, the two products 2 each and their sum 2: 13, less than the 1e-6 of [`Slabs`].
    #[inline(always)]
    pub(super) fn met_by<S: Simd>(&self, simd: S, slabs: &Slabs) -> mask32x8<S> {
        let (mut enters, mut leaves) = (simd.splat_f32x8(0.0), simd.splat_f32x8(1.0));
        for axis in 0..3 {
            let slab = &slabs.axes[axis];
            let corner = self.corner_of(axis);
            let per_step = self.steps_of_tree(axis) * slab.per_way;
            let first = (corner - slab.from[0]) * slab.per_way;
            let last = (corner - slab.from[1]) * slab.per_way;
            let sides = self.sides_on(simd, axis);
            let enter = simd.shr_i32x8(sides, slab.first_side & 8) & 0xff;
            let leave = simd.shr_i32x8(sides, !slab.first_side & 8) & 0xff;
            enters = simd.max_f32x8(enters, simd.cvt_f32_i32x8(enter) * per_step + first);
            leaves = simd.min_f32x8(leaves, simd.cvt_f32_i32x8(leave) * per_step + last);
        }
        simd.simd_le_f32x8(enters, leaves)
    }

    /// Which children's boxes overlap the region, inclusively.
    #[inline(always)]
    pub(super) fn overlaps<S: Simd>(&self, simd: S, region: &Region) -> mask32x8<S> {
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
    pub(super) fn separations<S: Simd>(&self, simd: S, way: &Way) -> f32x8<S> {
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
    pub(super) fn distances<S: Simd>(&self, simd: S, region: &Region) -> f32x8<S> {
        let zero = simd.splat_f32x8(0.0);
        let mut squares = zero;
        for axis in 0..3 {
            let [min, max] = self.bounds(simd, axis);
            let before = simd.splat_f32x8(region.min[axis]) - max;
            let behind = min - region.max[axis];
            let away = larger(simd, larger(simd, before, behind), zero) * SMALLER;
            squares += away * away;
        }
        simd.sqrt_f32x8(squares) * (0.999_999 / SMALLER)
    }
}
