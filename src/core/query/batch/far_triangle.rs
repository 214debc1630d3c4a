//! Spheres that are surely apart from a triangle, by numbers rounded to `f32`.
//!
//! Corners are seen from the sphere's centre before they are rounded: a, b, c. With u = 2^-24 and S the sum of their sizes and the
//! radius, worst cases added up:
//!
//! | what | is off by at most | allowed |
//! |---|---|---|
//! | a corner, an edge | u S, 4 u S | |
//! | the normal, a cross product of two edges | 11 u S^2 | |
//! | the square of its length | 25 u S^4 | 32 |
//! | the height over the plane, times the normal's length | 15 u S^3 | 32 |
//! | on which side of an edge the centre lies, within the plane: (corner x edge) . normal | 22 u S^4 | 32 |
//! | the squared distance from an edge; an error of the share along it counts by its square | 80 u S^2 | 128 |
//!
//! The centre's foot inside the triangle is nearer than every edge, but its square by no more than that of the largest circle
//! within: its radius r touches the shortest edge s at x and y from its ends with angles of below 180 degrees together, so that
//! r^2 = x y tan(alpha / 2) tan(beta / 2) < x y <= s^2 / 4. Where nothing tells whether the foot is inside, that is taken off.

use super::BLOCK;
use super::columns::Block;
use super::sift::{ROUNDING, Single, rounded, seen_from};

/// Sums of sizes between which no product over- or underflows.
const RANGE: [f32; 2] = [1e-4, 1e5];

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
        let corners = [Single::at(&a, i), Single::at(&b, i), Single::at(&c, i)];
        *far = u32::from(is_far(corners, radius[i]));
    }
    far
}

#[inline(always)]
fn is_far([a, b, c]: [Single; 3], radius: f32) -> bool {
    let size = (a.size() + b.size()) + (c.size() + radius.abs());
    let (square, few) = (size * size, ROUNDING * size);
    let (ab, bc, ca) = (b.minus(a), c.minus(b), a.minus(c));
    let normal = ca.cross(ab);
    let reach = radius * radius;

    let height = a.dot(normal).abs() - 32.0 * few * square;
    let length = normal.dot(normal) + 32.0 * few * size * square;
    let off_plane = (height > 0.0) & (height * height > reach * length * 1.000_002);

    let side_noise = -32.0 * few * size * square;
    let outside = (a.cross(ab).dot(normal) < side_noise)
        | (b.cross(bc).dot(normal) < side_noise)
        | (c.cross(ca).dot(normal) < side_noise);

    let (ab2, bc2, ca2) = (ab.dot(ab), bc.dot(bc), ca.dot(ca));
    let least = less(
        less(to_edge(a, ab, ab2), to_edge(b, bc, bc2)),
        to_edge(c, ca, ca2),
    );
    let beyond = least - reach * 1.000_002 - 128.0 * few * size;
    let shortest = less(less(ab2, bc2), ca2);
    let off_edges = (beyond > 0.0) & (outside | (beyond > 0.26 * shortest));

    (size > RANGE[0]) & (size < RANGE[1]) & (off_plane | off_edges)
}

/// The squared distance from an edge, seen from its first end.
#[inline(always)]
fn to_edge(from: Single, along: Single, square: f32) -> f32 {
    let share = -from.dot(along) / square;
    // Where an edge has no length the share is no number, and 0 as well as any.
    let share = if share > 0.0 { share } else { 0.0 };
    let share = if share < 1.0 { share } else { 1.0 };
    let way = from.plus(along, share);
    way.dot(way)
}

#[inline(always)]
fn less(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
