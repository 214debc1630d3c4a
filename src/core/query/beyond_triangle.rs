//! Spheres that are surely apart from a triangle, by products alone: no division, no branch, and no root but one for the error bound of
//! numbers that were rounded before; in `f64` for one pair and in `f32` for the lanes of a batch.
//!
//! Of the corners A, B, C seen from the centre only the six products A.A, A.B, ... and the volume A.(B x C) are needed (after Ericson
//! 2010, whose seven axes they are). Of the edge AB, with p = A.A - A.B and q = B.B - A.B: its square is p + q, the centre's foot
//! lies before A where p < 0 and past B where q < 0, and the squared distance of its line is g / (p + q), with
//! g = |A x B|^2 = A.A B.B - (A.B)^2. With V = A x B + B x C + C x A, the normal, the foot on the plane lies outside AB where
//! (A x B).V < 0, in which (A x B).(B x C) = A.B B.C - A.C B.B; the three of them add up to |V|^2.
//!
//! Rounding, in units of u with T = A.A + B.B + C.C + r^2, worst cases added up. Each coordinate is off by 1 of itself:
//!
//! | what | is off by at most |
//! |---|---|
//! | a product of two corners | 5 of both lengths' product |
//! | p, q, and a square against r^2 | 9 T |
//! | their sum | 20 T |
//! | g, and g - r^2 (p + q) | 6 T^2, 28 T^2 |
//! | (A x B).V, and |V|^2 | 14 T^2, 44 T^2 |
//! | the volume's square, and less r^2 |V|^2 | T^3, 50 T^3 |
//!
//! 64 are allowed of each. Where each coordinate is off by u P more (P: the sum of the largest coordinates of both ends, which were
//! rounded themselves), a product of two corners is off by another 1.8 u P of the sum of their lengths: T + P sqrt(T) in the place
//! of one T covers it. Where the square of u P counted, the bound would be above everything.

use super::look::{Number, cross, dot, lesser};

/// Is a triangle, whose corners the centre sees so, surely farther than a radius? False says nothing.
///
/// `inexact` makes of T what rounding is measured by: itself where the corners round once, or T + P sqrt(T).
#[inline(always)]
pub(crate) fn is_beyond<N: Number>(
    [a, b, c]: [[N; 3]; 3],
    radius: N,
    inexact: impl Fn(N) -> N,
) -> bool {
    let reach = radius * radius;
    let (aa, bb, cc) = (dot(a, a), dot(b, b), dot(c, c));
    let (ab, bc, ca) = (dot(a, b), dot(b, c), dot(c, a));
    let all = (aa + bb) + (cc + reach);
    let few = N::from(64.0) * N::ROUNDING * inexact(all);
    let noise = few * all;

    let edges = [
        Edge::of(aa, bb, ab),
        Edge::of(bb, cc, bc),
        Edge::of(cc, aa, ca),
    ];
    let off = |edge: &Edge<N>| {
        (lesser(edge.before, edge.past) < -few)
            | (edge.area - reach * (edge.before + edge.past) > noise)
    };
    let corners = lesser(lesser(aa, bb), cc) - reach > few;
    let off_outline = corners & off(&edges[0]) & off(&edges[1]) & off(&edges[2]);

    let (at_a, at_b, at_c) = (ca * ab - bc * aa, ab * bc - ca * bb, bc * ca - ab * cc);
    let [over_ab, over_bc, over_ca] = [
        edges[0].area + (at_a + at_b),
        edges[1].area + (at_b + at_c),
        edges[2].area + (at_c + at_a),
    ];
    let outside = lesser(lesser(over_ab, over_bc), over_ca) < -noise;

    let volume = dot(a, cross(b, c));
    let normal = over_ab + over_bc + over_ca;
    let off_plane = volume * volume - reach * normal > noise * all;

    let [least, most] = N::SQUARES;
    (all > least) & (all < most) & (off_plane | (off_outline & outside))
}

/// What the centre sees of an edge.
struct Edge<N> {
    /// Below zero where its foot lies before the edge, or past it.
    before: N,
    past: N,
    /// The square of the parallelogram of both ends.
    area: N,
}

impl<N: Number> Edge<N> {
    #[inline(always)]
    fn of(from: N, to: N, both: N) -> Self {
        Self {
            before: from - both,
            past: to - both,
            area: from * to - both * both,
        }
    }
}
