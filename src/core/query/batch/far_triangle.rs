//! Spheres that are surely apart from a triangle, by numbers rounded to `f32`.

use super::BLOCK;
use super::columns::{Block, point};
use crate::core::query::beyond_triangle::is_beyond;
use crate::core::query::look::minus;

/// For each pair of a block, not 0 where sphere and triangle are surely apart; `place` is the sum of the largest coordinates of both.
#[inline(always)]
pub(super) fn far(sphere: &Block<4, f32>, triangle: &Block<9, f32>, place: f32) -> [u32; BLOCK] {
    let mut far = [0; BLOCK];
    for (i, far) in far.iter_mut().enumerate() {
        let center = point(sphere, 0, i);
        let corners = [
            minus(point(triangle, 0, i), center),
            minus(point(triangle, 3, i), center),
            minus(point(triangle, 6, i), center),
        ];
        let inexact = |all: f32| all + place * all.sqrt();
        *far = u32::from(is_beyond(corners, sphere[3][i], inexact));
    }
    far
}
