//! Spheres that are surely apart from a triangle, by numbers rounded to `f32`; corners are seen from the centre before they are rounded.

use super::BLOCK;
use super::columns::Block;
use super::sift::{rounded, seen_from};
use crate::core::query::beyond_triangle::is_beyond;

/// For each pair of a block, not 0 where sphere and triangle are surely apart.
#[inline(always)]
pub(super) fn far(sphere: &Block<4>, triangle: &Block<9>) -> [u32; BLOCK] {
    let [x, y, z, _] = sphere;
    let eyes = [x, y, z];
    let a = seen_from(triangle, 0, eyes);
    let b = seen_from(triangle, 3, eyes);
    let c = seen_from(triangle, 6, eyes);
    let [radius] = rounded(sphere, 3);
    let mut far = [0; BLOCK];
    for (i, far) in far.iter_mut().enumerate() {
        let corners = [&a, &b, &c].map(|[x, y, z]| [x[i], y[i], z[i]]);
        *far = u32::from(is_beyond(corners, radius[i]));
    }
    far
}
