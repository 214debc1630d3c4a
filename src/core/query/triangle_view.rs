//! What a point sees of a triangle, without a branch: one sphere or a whole vector of them ask it alike.

use super::Feature;
use super::nearest::Nearest;
use crate::core::shape::Triangle;
use crate::core::tolerance::{
    DEGENERATE_TRIANGLE, LARGEST_VIEW, NOISE_ULPS, SMALLEST_SQUARE, SMALLEST_VIEW,
};
use glam::DVec3;

/// The nearest point of a triangle, seen from a point: everything is measured from there, so that digits are kept where
/// coordinates are large.
///
/// The face where the projection falls inside (three signed areas), else the nearest of the three edges, ties to the lower
/// edge (Ericson 2005, 5.1.5, with signed areas in place of his differences of products, which lose digits on slivers).
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleView {
    /// From the point to the triangle's nearest point, metres.
    pub way: DVec3,
    /// Unit, from there toward the point; a point on the triangle sees its front normal.
    pub normal: DVec3,
    /// Metres, >= 0.
    pub distance: f64,
    /// 0, 1, 2: a vertex; 3, 4, 5: edge ab, bc, ca; 6: the face.
    pub feature: u64,
    /// How far in front of the plane, metres times the length of the unscaled normal; the sign is sure beyond `side_noise`.
    pub side: f64,
    /// In the unit of `side`.
    pub side_noise: f64,
    /// One over the length of the unscaled normal.
    per_length: f64,
    /// The lengths among which the distance was found, metres.
    pub size: f64,
    /// By how much rounding grows in the direction of the normal, >= 1 ([`slimness`](super::closest_point::slimness)).
    pub slimness: f64,
    /// False where the triangle has no usable face or the numbers leave the range of `f64`: nothing else counts then.
    pub clear: bool,
}

impl TriangleView {
    #[inline(always)]
    pub fn new(point: DVec3, corners: [DVec3; 3]) -> Self {
        let [a, b, c] = [corners[0] - point, corners[1] - point, corners[2] - point];
        let (ab, bc) = (corners[1] - corners[0], corners[2] - corners[1]);
        let ca = corners[0] - corners[2];
        let (ab2, bc2, ca2) = (dot(ab, ab), dot(bc, bc), dot(ca, ca));
        let longest = larger(larger(ab2, bc2), ca2);
        // The two shorter edges give the most exact cross product.
        let (far_c, far_a) = (ab2 >= longest, bc2 >= longest);
        let u = pick(far_c, bc, pick(far_a, ca, ab));
        let v = pick(far_c, ca, pick(far_a, ab, bc));
        let cross = u.cross(v);
        let square = dot(cross, cross);
        let per_length = 1.0 / square.sqrt();

        let side = -dot(a, cross);
        let front = cross * per_length;
        let height = side * per_length;
        let inside = (dot(a.cross(ab), cross) >= 0.0)
            & (dot(b.cross(bc), cross) >= 0.0)
            & (dot(c.cross(ca), cross) >= 0.0);

        let edges = [
            edge(a, b, ab, ab2),
            edge(b, c, bc, bc2),
            edge(c, a, ca, ca2),
        ];
        let numbers = [[0, 1, 3], [1, 2, 4], [2, 0, 5]];
        let mut way = edges[0].0;
        let mut least = dot(way, way);
        let mut feature = feature_at(edges[0].1, numbers[0]);
        for index in [1, 2] {
            let (to_edge, share) = edges[index];
            let there = dot(to_edge, to_edge);
            let nearer = there < least;
            way = pick(nearer, to_edge, way);
            feature = if nearer {
                feature_at(share, numbers[index])
            } else {
                feature
            };
            least = if nearer { there } else { least };
        }
        let outline = least.sqrt();
        let toward = way * (-1.0 / outline);

        let scale = dot(a, a) + longest;
        let size = scale.sqrt();
        let usable = (square > DEGENERATE_TRIANGLE * DEGENERATE_TRIANGLE * longest * longest)
            & (scale < LARGEST_VIEW)
            & (longest > SMALLEST_VIEW);
        Self {
            way: pick(inside, front * -height, way),
            normal: pick(
                inside,
                front * if height < 0.0 { -1.0 } else { 1.0 },
                toward,
            ),
            distance: if inside { height.abs() } else { outline },
            feature: if inside { 6 } else { feature },
            side,
            per_length,
            side_noise: NOISE_ULPS * f64::EPSILON * scale * size,
            size,
            slimness: 2.0 * longest * per_length,
            clear: usable & (inside | (least > SMALLEST_SQUARE)),
        }
    }

    /// Of a triangle.
    #[inline]
    pub fn of(point: DVec3, triangle: &Triangle) -> Self {
        Self::new(point, [triangle.a, triangle.b, triangle.c])
    }

    /// The signed distance from the plane, metres.
    pub fn height(&self) -> f64 {
        self.side * self.per_length
    }

    /// How far off the distance, or its difference from a radius, may be, metres.
    #[inline(always)]
    pub fn noise(&self, radius: f64) -> f64 {
        NOISE_ULPS * f64::EPSILON * (self.size + radius) * self.slimness
    }

    /// In the world.
    pub fn nearest(&self, point: DVec3) -> Nearest {
        Nearest {
            point: point + self.way,
            normal: self.normal,
            distance: self.distance,
            feature: feature(self.feature),
            fallback: false,
        }
    }
}

/// The part of a triangle by its number in a view.
pub(crate) fn feature(number: u64) -> Feature {
    match number as u32 {
        vertex @ 0..=2 => Feature::Vertex(vertex),
        edge @ 3..=5 => Feature::Edge(edge - 3),
        _ => Feature::Face(0),
    }
}

/// The way to the nearest point of an edge, and its share; the farther end is reached from its own side.
#[inline(always)]
fn edge(from: DVec3, to: DVec3, along: DVec3, square: f64) -> (DVec3, f64) {
    let share = -dot(from, along) / square;
    let share = if share > 0.0 { share } else { 0.0 };
    let share = if share < 1.0 { share } else { 1.0 };
    let way = pick(
        share <= 0.5,
        from + along * share,
        to - along * (1.0 - share),
    );
    (way, share)
}

#[inline(always)]
fn feature_at(share: f64, [first, last, between]: [u64; 3]) -> u64 {
    let inner = if share >= 1.0 { last } else { between };
    if share <= 0.0 { first } else { inner }
}

#[inline(always)]
pub(crate) fn pick(condition: bool, yes: DVec3, no: DVec3) -> DVec3 {
    DVec3 {
        x: if condition { yes.x } else { no.x },
        y: if condition { yes.y } else { no.y },
        z: if condition { yes.z } else { no.z },
    }
}

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn dot(a: DVec3, b: DVec3) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z
}
