//! Segments that surely miss a triangle, by products alone: no root, no division, no branch, in `f64` for one pair and in `f32` for
//! the lanes of a batch.
//!
//! Of the way w, the start's view A of corner a, and the edges ab and ca, with n = ca x ab: the distances of both ends are `-A.n`
//! and `w.n - A.n`, the volumes of the edges at a `ca.(w x A)` and `ab.(w x A)`, and all three add up to `w.n`. With u the rounding of
//! 1, each product of three of the vectors is off by 9 u of their sizes' product (differences 3, the cross product 2, the rest 4), a
//! sum of three of those by 11 u. The products of three among four sizes add up to S^3 / 16 at most, where S is the sum of the
//! sizes: 0.7 u S^3, and 8 are allowed (Shewchuk 1997, stage A, for all signs at once).
//!
//! Where the coordinates are rounded themselves, none larger than P, each of a vector is off by 2 u P more, and its size by 6 u P. A
//! product of two among four sizes stands in two of the three volumes, and those products add up to 3/8 S^2 at most: 4.5 u P S^2, and 8
//! are allowed. Where u P is so near S that the products of two such errors count, the bound is above every volume.

use super::look::{Number, cross, dot, greater, lesser, minus, size};

/// Does a segment surely miss a triangle: stay on one side of its plane, or pass outside it? In fewer products than a
/// [`Crossing`](super::crossing) takes, under one error bound; false says nothing.
///
/// `inexact` makes of S what rounding is measured by: itself where the coordinates are as given, or S + P.
#[inline(always)]
pub(crate) fn surely_misses<N: Number>(
    [start, end]: [[N; 3]; 2],
    [a, b, c]: [[N; 3]; 3],
    inexact: impl Fn(N) -> N,
) -> bool {
    let (way, seen) = (minus(end, start), minus(a, start));
    let (ab, ca) = (minus(b, a), minus(a, c));
    let (normal, past) = (cross(ca, ab), cross(way, seen));
    let (from, total) = (-dot(seen, normal), dot(way, normal));
    let (y, z) = (dot(ca, past), dot(ab, past));
    let (to, x) = (from + total, total - y - z);
    let all = (size(way) + size(seen)) + (size(ab) + size(ca));
    let noise = N::from(8.0) * N::ROUNDING * (all * all * inexact(all)) + N::LEAST_NOISE;
    let one_side = greater(lesser(from, to), -greater(from, to));
    let (least, most) = (lesser(lesser(x, y), z), greater(greater(x, y), z));
    let outside = lesser(-least, most);
    // One question, as a single pair would wait for each.
    greater(one_side, outside) > noise
}
