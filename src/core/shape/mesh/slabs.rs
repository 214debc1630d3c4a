//! A straight way as the tree's walk tests it against boxes.
//!
//! A box, larger by the radius on every side, is met where the way is between its two planes on all three axes at once (slabs, Kay
//! and Kajiya 1986).

use super::way::MARGIN;
use glam::DVec3;

/// A way in steps of the tree's grid, from its middle.
pub(super) struct Slabs {
    pub axes: [Slab; 3],
}

/// Of one axis.
pub(super) struct Slab {
    /// Which side of a box comes first: 0 the least, 8 the greatest coordinate.
    pub first_side: u32,
    /// Where the way begins, away from the side by the radius: for the side that comes first, and for the other.
    pub from: [f32; 2],
    /// One over the way's length, with its sign.
    pub per_way: f32,
}

impl Slabs {
    /// `None` where numbers leave the range of `f32`; `reach` is the largest coordinate of the tree.
    ///
    /// In shares of the largest coordinate: a way is taken to be 1e-6 long at least, and rounding moves a side by less than
    /// that; boxes are larger by 4e-6.
    pub(super) fn new(from: DVec3, to: DVec3, radius: f64, reach: f64) -> Option<Self> {
        let largest = from.abs().max(to.abs()).max_element().max(reach) + radius;
        let in_range = largest < LARGEST;
        if !in_range {
            return None;
        }
        let least = MARGIN * largest;
        let wide = radius + 4.0 * least;
        let axis = |from: f64, way: f64| {
            // Without a branch, as nobody guesses where a way leads.
            let length = if way.abs() < least { least } else { way.abs() };
            let (wide, length) = (wide.copysign(way), length.copysign(way));
            Slab {
                first_side: u32::from(way.is_sign_negative()) << 3,
                from: [(from + wide) as f32, (from - wide) as f32],
                per_way: 1.0 / length as f32,
            }
        };
        let way = to - from;
        Some(Self {
            axes: [
                axis(from.x, way.x),
                axis(from.y, way.y),
                axis(from.z, way.z),
            ],
        })
    }
}

/// Steps: beyond this, products leave the range of `f32`.
const LARGEST: f64 = 1e30;
