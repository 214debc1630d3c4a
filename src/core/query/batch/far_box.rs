//! Spheres that are surely apart from a rotated box, by numbers rounded to `f32`.
//!
//! With u = 2^-24 and P the sum of the largest coordinates of both centres, the sphere's centre as the box sees it is off by u of its
//! size, and each coordinate by u P, as both are rounded. It is turned as [`Turn`](crate::core::query::box_view::Turn) does, the
//! vector b and the scalar w of the quaternion rounded too. With Q = w^2 + b.b, which is 1 of a unit quaternion, each turned
//! coordinate is off by at most 30 u Q of the length, all three together by 60, and by 1.8 u Q P. What sticks out beyond the box is
//! off by no more than that and the rounding of the half extents, as clamping moves nothing apart; with S the sum of Q times the
//! centre's size, the half extents and the radius, and the length of what sticks out below S, its square is off by at most
//! 160 u S^2 and 6 u P S; 256 and 8 are allowed. The turn stretches by Q, and the box stays: |Q - 1| S more, by its square
//! 4 |Q - 1| S^2 at most.

use super::BLOCK;
use super::columns::{Block, point};
use crate::core::query::look::{Number, cross, dot, minus, size};

/// Sums of sizes between which no product over- or underflows.
const RANGE: [f32; 2] = [1e-12, 1e12];

/// For each pair of a block, not 0 where sphere and box are surely apart; `place` is the sum of the largest coordinates of both.
#[inline(always)]
pub(super) fn far(sphere: &Block<4, f32>, solid: &Block<10, f32>, place: f32) -> [u32; BLOCK] {
    let mut far = [0; BLOCK];
    for (i, far) in far.iter_mut().enumerate() {
        let center = minus(point(sphere, 0, i), point(solid, 0, i));
        let turn = (point(solid, 6, i), solid[9][i]);
        let sizes = [sphere[3][i], place];
        *far = u32::from(is_far(center, point(solid, 3, i), turn, sizes));
    }
    far
}

#[inline(always)]
fn is_far(
    center: [f32; 3],
    half: [f32; 3],
    (b, w): ([f32; 3], f32),
    [radius, place]: [f32; 2],
) -> bool {
    let (ww, bb) = (w * w, dot(b, b));
    // The way back: by the conjugate.
    let across = cross(center, b);
    let (along, straight) = (2.0 * dot(center, b), ww - bb);
    let twice = 2.0 * w;
    let outside = |axis: usize| {
        let turned = center[axis] * straight + b[axis] * along + across[axis] * twice;
        beyond(turned, half[axis])
    };
    let outside = [outside(0), outside(1), outside(2)];
    let all = size(center) * (ww + bb) + size(half) + radius.abs();
    let stretch = (ww + bb - 1.0).abs();
    let noise = (256.0 * f32::ROUNDING + 4.0 * stretch) * all + 8.0 * f32::ROUNDING * place;
    let reach = radius * radius * 1.000_002 + noise * all;
    // Of quaternions far from unit, squares could lose digits.
    let whole = stretch < 0.5;
    whole & (all > RANGE[0]) & (all < RANGE[1]) & (dot(outside, outside) > reach)
}

/// What of a coordinate sticks out on either side.
#[inline(always)]
fn beyond(value: f32, half: f32) -> f32 {
    let clamped = if value > -half { value } else { -half };
    let clamped = if clamped < half { clamped } else { half };
    value - clamped
}
