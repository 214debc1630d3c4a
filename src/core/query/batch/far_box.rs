//! Spheres that are surely apart from a rotated box, by numbers rounded to `f32`.
//!
//! The centre is seen from the box's before it is rounded, off by u = 2^-24 of its size, and turned as
//! [`Turn`](crate::core::query::box_view::Turn) does, the vector b and the scalar w of the quaternion rounded too. With
//! Q = w^2 + b.b, which is 1 of a unit quaternion, each turned coordinate is off by at most 30 u Q of the length, all three together
//! by 60. What sticks out beyond the box is off by no more than that and the rounding of the half extents, as clamping moves nothing
//! apart; with S the sum of Q times the centre's size, the half extents and the radius, and the length of what sticks out below
//! S, its square is off by at most 160 u S^2; 256 are allowed. The turn stretches by Q, and the box stays: |Q - 1| S more, by its square
//! 4 |Q - 1| S^2 at most.

use super::BLOCK;
use super::columns::Block;
use super::sift::{ROUNDING, Single, rounded, seen_from};

/// Sums of sizes between which no product over- or underflows.
const RANGE: [f32; 2] = [1e-12, 1e12];

/// For each pair of a block, not 0 where sphere and box are surely apart.
#[inline(always)]
pub(super) fn far(sphere: &Block<4>, solid: &Block<10>) -> [u32; BLOCK] {
    let [x, y, z, ..] = solid;
    let centers = seen_from(sphere, 0, [x, y, z]);
    let halves = rounded(solid, 3);
    let turns = rounded(solid, 6);
    let ([scalars], [radii]) = (rounded(solid, 9), rounded(sphere, 3));
    let mut far = [0; BLOCK];
    for (i, far) in far.iter_mut().enumerate() {
        let (center, half) = (Single::at(&centers, i), Single::at(&halves, i));
        let turn = (Single::at(&turns, i), scalars[i]);
        *far = u32::from(is_far(center, half, turn, radii[i]));
    }
    far
}

#[inline(always)]
fn is_far(center: Single, half: Single, (b, w): (Single, f32), radius: f32) -> bool {
    let (ww, bb) = (w * w, b.dot(b));
    // The way back: by the conjugate.
    let across = center.cross(b);
    let (along, straight) = (2.0 * center.dot(b), ww - bb);
    let twice = 2.0 * w;
    let outside = Single {
        x: beyond(center.x * straight + b.x * along + across.x * twice, half.x),
        y: beyond(center.y * straight + b.y * along + across.y * twice, half.y),
        z: beyond(center.z * straight + b.z * along + across.z * twice, half.z),
    };
    let size = center.size() * (ww + bb) + half.size() + radius.abs();
    let stretch = (ww + bb - 1.0).abs();
    let reach = radius * radius * 1.000_002 + (256.0 * ROUNDING + 4.0 * stretch) * (size * size);
    // Of quaternions far from unit, squares could lose digits.
    let whole = stretch < 0.5;
    whole & (size > RANGE[0]) & (size < RANGE[1]) & (outside.dot(outside) > reach)
}

/// What of a coordinate sticks out on either side.
#[inline(always)]
fn beyond(value: f32, half: f32) -> f32 {
    let clamped = if value > -half { value } else { -half };
    let clamped = if clamped < half { clamped } else { half };
    value - clamped
}
