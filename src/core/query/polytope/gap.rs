//! How far apart are two convex bodies, and where are they closest?
//!
//! Apart, the least distance is between a vertex of one and the whole of the other, or between two edges (Ericson 2005,
//! 5.1.10): all of them are tried.

use super::super::closest_point::direction;
use super::super::in_range::is_refused;
use super::super::tell::tell_nearest;
use super::super::{Gap, Trace};
use super::box_gap::closest_boxes;
use super::contact::{contact_polytope_polytope, is_behind_one_sided};
use super::witness::meeting;
use super::{Kind, Polytope};
use glam::DVec3;

/// The exact signed distance: minus the depth of the contact, else the least distance, with both closest points.
///
/// `None` when one lies wholly behind a one-sided triangle, which then is not there.
pub fn gap_polytope_polytope(a: &Polytope, b: &Polytope, trace: &mut impl Trace) -> Option<Gap> {
    if is_refused(&[a, b], trace) {
        return None;
    }
    if is_behind_one_sided(a, b) {
        trace.step("BehindOneSided", &[]);
        return None;
    }
    if let Some(contact) = contact_polytope_polytope(a, b, trace) {
        return Some(Gap {
            distance: -contact.depth + 0.0,
            point_a: contact.point - contact.push(),
            point_b: contact.point,
            via_bounding_sphere: false,
        });
    }
    let closest = closest(a, b, a.origin - b.origin);
    if trace.is_heard() {
        tell_features(a, b, &closest, trace);
    }
    Some(Gap {
        distance: closest.way().length(),
        point_a: b.origin + closest.on_a,
        point_b: b.origin + closest.on_b,
        via_bounding_sphere: false,
    })
}

/// Which parts of both face each other where they are closest.
fn tell_features(a: &Polytope, b: &Polytope, closest: &Closest, trace: &mut impl Trace) {
    let distance = closest.way().length();
    let Some(normal) = direction(closest.way()) else {
        return;
    };
    let facing = meeting(a, b, a.origin - b.origin, normal);
    for feature in [facing.feature_a, facing.feature_b] {
        tell_nearest(feature, distance, trace);
    }
}

/// The closest points of two bodies that do not overlap, relative to b's origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest {
    pub(super) on_a: DVec3,
    pub(super) on_b: DVec3,
}

impl Closest {
    /// From b to a.
    pub(super) fn way(&self) -> DVec3 {
        self.on_a - self.on_b
    }
}

/// The closest pair of points so far.
pub(super) struct Nearest {
    pub(super) best: Closest,
    squared: f64,
}

impl Nearest {
    pub(super) fn new(on_a: DVec3, on_b: DVec3) -> Self {
        Self {
            best: Closest { on_a, on_b },
            squared: on_a.distance_squared(on_b),
        }
    }

    pub(super) fn consider(&mut self, on_a: DVec3, on_b: DVec3) {
        let squared = on_a.distance_squared(on_b);
        if squared < self.squared {
            (self.best, self.squared) = (Closest { on_a, on_b }, squared);
        }
    }

    pub(super) fn consider_edges(&mut self, [p, to_p]: [DVec3; 2], [q, to_q]: [DVec3; 2]) {
        let (s, t) = closest_shares(p, to_p - p, q, to_q - q);
        self.consider(p + (to_p - p) * s, q + (to_q - q) * t);
    }
}

/// `between` leads from b's origin to a's.
pub(super) fn closest(a: &Polytope, b: &Polytope, between: DVec3) -> Closest {
    if let (Some(a), Some(b)) = (a.as_cuboid(), b.as_cuboid()) {
        return closest_boxes(&a, &b, between);
    }
    let mut nearest = Nearest::new(between + a.vertices[0], b.vertices[0]);
    for &vertex in a.offsets() {
        let vertex = between + vertex;
        nearest.consider(vertex, b.closest_point(vertex));
    }
    for &vertex in b.offsets() {
        nearest.consider(between + a.closest_point(vertex - between), vertex);
    }
    for (from_a, to_a) in a.edge_ends() {
        for (from_b, to_b) in b.edge_ends() {
            nearest.consider_edges([between + from_a, between + to_a], [from_b, to_b]);
        }
    }
    nearest.best
}

/// The shares along two segments at which they are closest (Ericson 2005, 5.1.9). Both have length. Parallel ones answer
/// with any closest pair that includes an end, or none: their ends are tried as vertices.
fn closest_shares(p: DVec3, u: DVec3, q: DVec3, v: DVec3) -> (f64, f64) {
    let way = p - q;
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let (u_way, v_way) = (u.dot(way), v.dot(way));
    // |u x v|^2, which does not cancel as uu vv - uv^2 does.
    let square = u.cross(v).length_squared();
    let s = if square > 0.0 {
        ((uv * v_way - u_way * vv) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = (uv * s + v_way) / vv;
    if (0.0..=1.0).contains(&t) {
        return (s, t);
    }
    let t = if t < 0.0 { 0.0 } else { 1.0 };
    (((uv * t - u_way) / uu).clamp(0.0, 1.0), t)
}

impl Polytope {
    /// The point of the body closest to a point; both relative to the origin. A box is solid.
    fn closest_point(&self, point: DVec3) -> DVec3 {
        let on_segment = |from: DVec3, to: DVec3| {
            let span = to - from;
            from + span * ((point - from).dot(span) / span.length_squared()).clamp(0.0, 1.0)
        };
        match self.kind {
            Kind::Point { .. } => self.vertices[0],
            Kind::Segment { .. } => on_segment(self.vertices[0], self.vertices[1]),
            Kind::Box { .. } => match self.as_cuboid() {
                Some(cuboid) => cuboid.clamped(point),
                None => DVec3::ZERO,
            },
            Kind::Triangle => {
                let normal = self.normals[0];
                let corners = [self.vertices[0], self.vertices[1], self.vertices[2]];
                let over_face = (0..3).all(|edge| {
                    let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
                    let inward = corners[(edge + 2) % 3] - from;
                    let side = normal.cross(to - from);
                    side.dot(point - from) * side.dot(inward) >= 0.0
                });
                if over_face {
                    return point - normal * normal.dot(point);
                }
                let edges = [(0, 1), (1, 2), (2, 0)];
                let ends = edges.map(|(from, to)| on_segment(corners[from], corners[to]));
                ends.into_iter().fold(ends[0], |best, next| {
                    if next.distance_squared(point) < best.distance_squared(point) {
                        next
                    } else {
                        best
                    }
                })
            }
        }
    }

    /// Both ends of every edge, relative to the origin.
    fn edge_ends(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        const BOX: [[usize; 2]; 12] = [
            [0, 1],
            [2, 3],
            [4, 5],
            [6, 7],
            [0, 2],
            [1, 3],
            [4, 6],
            [5, 7],
            [0, 4],
            [1, 5],
            [2, 6],
            [3, 7],
        ];
        const TRIANGLE: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];
        let ends: &[[usize; 2]] = match self.kind {
            Kind::Box { .. } => &BOX,
            Kind::Triangle => &TRIANGLE,
            Kind::Segment { .. } => &TRIANGLE[..1],
            Kind::Point { .. } => &[],
        };
        // A box without extent on one axis has edges without length there: their ends are other edges' ends.
        ends.iter()
            .map(|&[from, to]| (self.vertices[from], self.vertices[to]))
            .filter(|(from, to)| from != to)
    }
}
