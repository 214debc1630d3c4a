//! A segment against every shape: the earliest surface it meets, from outside or from inside.

use super::closest_point::direction;
use super::dispatch::usable;
use super::exact::exact_turn;
use super::nearest::side_of;
use super::sweep::{Convex, LocalBox, Path};
use super::{RayHit, Trace};
use crate::core::shape::{Capsule, Mesh, Placed, Plane, Pose, Segment, Shape, Triangle};
use crate::core::tolerance::{NOISE_ULPS, SMALLEST_NOISE};
use glam::DVec3;
use std::cmp::Ordering;

/// A segment against a triangle, two-sided, both ends inclusive; a coplanar segment and a degenerate triangle give no hit.
///
/// Signed distances of both ends to the plane decide the crossing without a division, `t = s1 / (s1 - s2)`. Inside is decided
/// by the three volumes of the way with each edge. Every sign inside its error bound is taken without rounding, so that the
/// verdict is exact, and a segment through a shared edge or vertex hits one of its triangles.
pub fn ray_cast_triangle(
    segment: &Segment,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    let quick = Crossing::new(segment, [triangle.a, triangle.b, triangle.c]);
    if quick.stays_on_one_side() {
        trace.step("PlaneDistances", &[("s1", quick.from), ("s2", quick.to)]);
        trace.step("NoCrossing", &[]);
        return None;
    }
    let crossing = match quick.verdict() {
        Crossing::DOUBT => quick.decided(segment, triangle, trace),
        _ => quick,
    };
    let Crossing { from, to, .. } = crossing;
    trace.step("PlaneDistances", &[("s1", from), ("s2", to)]);
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || from == to {
        trace.step("NoCrossing", &[]);
        return None;
    }
    let edges = crossing.edges;
    trace.step(
        "EdgeSigns",
        &[("a", edges.x), ("b", edges.y), ("c", edges.z)],
    );
    let total = edges.x + edges.y + edges.z;
    let mixed = edges.min_element() < 0.0 && edges.max_element() > 0.0;
    if mixed || total == 0.0 || !total.is_finite() {
        trace.step("Outside", &[]);
        return None;
    }
    let hit = crossing.hit(triangle)?;
    trace.step(
        "Hits",
        &[
            ("fraction", hit.fraction),
            ("back", f64::from(u8::from(hit.back))),
        ],
    );
    Some(hit)
}

/// A segment and a triangle's plane and edges, by their volumes; branch-free, so that lanes make it too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    /// How far the start is in front of the plane, times the normal's length.
    pub from: f64,
    /// The same of the end.
    pub to: f64,
    /// The volumes of the way and the edges opposite a, b, c: the triangle's areas seen along the way, times its length.
    pub edges: DVec3,
    /// The cross product of two edges, toward the front.
    pub normal: DVec3,
    /// The error bounds of the distances and of the volumes.
    side_noise: f64,
    edge_noise: f64,
}

impl Crossing {
    pub const MISS: u64 = 0;
    pub const HIT: u64 = 1;
    pub const DOUBT: u64 = 0xff;

    #[inline(always)]
    pub fn new(segment: &Segment, corners: [DVec3; 3]) -> Self {
        let way = segment.b - segment.a;
        let (a, b) = (corners[0] - segment.a, corners[1] - segment.a);
        let (ab, bc) = (corners[1] - corners[0], corners[2] - corners[1]);
        let ca = corners[0] - corners[2];
        let normal = ca.cross(ab);
        // A volume does not change with the point of an edge that it is taken from; near ones keep the digits.
        let (past_a, past_b) = (way.cross(a), way.cross(b));
        let size = |vector: DVec3| vector.x.abs() + vector.y.abs() + vector.z.abs();
        let spread = size(ab) + size(ca);
        let (length, far) = (size(way), size(a) + spread);
        let few = NOISE_ULPS * f64::EPSILON * spread;
        Self {
            from: -a.dot(normal),
            to: (segment.b - corners[0]).dot(normal),
            edges: DVec3::new(bc.dot(past_b), ca.dot(past_a), ab.dot(past_a)),
            normal,
            side_noise: in_range(few * spread * (far + length)),
            edge_noise: in_range(few * length * far),
        }
    }

    /// Are both ends surely on the same side of the plane?
    #[inline(always)]
    fn stays_on_one_side(&self) -> bool {
        let Self { from, to, .. } = *self;
        let sure = (from.abs() > self.side_noise) & (to.abs() > self.side_noise);
        sure & ((from > 0.0) == (to > 0.0))
    }

    /// [`Self::HIT`], [`Self::MISS`], or [`Self::DOUBT`] where a sign inside its error bound could decide.
    #[inline(always)]
    pub fn verdict(&self) -> u64 {
        let Self {
            from, to, edges, ..
        } = *self;
        let sure = |value: f64, noise: f64| value.abs() > noise;
        let sure_ends = sure(from, self.side_noise) & sure(to, self.side_noise);
        let same_side = (from > 0.0) == (to > 0.0);
        let noise = self.edge_noise;
        let (x, y, z) = (edges.x, edges.y, edges.z);
        let ahead = (x > noise) | (y > noise) | (z > noise);
        let behind = (x < -noise) | (y < -noise) | (z < -noise);
        let sure_edges = sure(x, noise) & sure(y, noise) & sure(z, noise);
        let misses = self.stays_on_one_side() | (ahead & behind);
        let hits = sure_ends & !same_side & sure_edges & !(ahead & behind);
        let verdict = if hits { Self::HIT } else { Self::DOUBT };
        if misses { Self::MISS } else { verdict }
    }

    /// The same with every sign exact; out of line, as hardly any pair comes here.
    #[cold]
    #[inline(never)]
    fn decided(&self, segment: &Segment, triangle: &Triangle, trace: &mut impl Trace) -> Self {
        let mut sure = |value: f64, noise: f64, sign: &dyn Fn() -> Ordering| {
            if value.abs() > noise {
                return value;
            }
            trace.step("DecidedExactly", &[("volume", value)]);
            with_sign(value, sign())
        };
        let from = sure(self.from, self.side_noise, &|| side_of(segment.a, triangle));
        let to = sure(self.to, self.side_noise, &|| side_of(segment.b, triangle));
        let mut edge = |value: f64, p: DVec3, q: DVec3| {
            sure(value, self.edge_noise, &|| exact_turn(segment, p, q))
        };
        let Triangle { a, b, c, .. } = *triangle;
        let edges = self.edges;
        Self {
            from,
            to,
            edges: DVec3::new(
                edge(edges.x, b, c),
                edge(edges.y, c, a),
                edge(edges.z, a, b),
            ),
            ..*self
        }
    }

    /// The numbers of a hit; `None` without a usable normal.
    #[inline(always)]
    pub fn hit(&self, triangle: &Triangle) -> Option<RayHit> {
        let Self {
            from, to, edges, ..
        } = *self;
        let weights = edges / (edges.x + edges.y + edges.z);
        let back = from < 0.0 || (from == 0.0 && to > 0.0);
        let front = direction(self.normal)?;
        Some(RayHit {
            fraction: (from / (from - to)).clamp(0.0, 1.0),
            point: triangle.a
                + (triangle.b - triangle.a) * weights.y
                + (triangle.c - triangle.a) * weights.z,
            normal: if back { -front } else { front },
            weights,
            back,
            triangle: None,
        })
    }
}

/// The error bound of a volume; infinite, so that nothing is sure, where products leave the range of `f64`.
#[inline(always)]
fn in_range(noise: f64) -> f64 {
    if (noise > SMALLEST_NOISE) & (noise < 1.0 / SMALLEST_NOISE) {
        noise
    } else {
        f64::INFINITY
    }
}

/// A number that has the sign it should, and its size unless it had the other one.
fn with_sign(value: f64, sign: Ordering) -> f64 {
    match sign {
        Ordering::Equal => 0.0,
        Ordering::Greater => value.max(f64::MIN_POSITIVE),
        Ordering::Less => value.min(-f64::MIN_POSITIVE),
    }
}

/// A segment against any shape: the earliest hit, both ends inclusive, both sides of every surface.
///
/// A start inside a solid meets its surface from the back, on the way out. A tangent meets nothing, nor does a segment meet a
/// segment. Numbers that are not finite give `None`.
pub fn ray_cast(segment: &Segment, shape: &Shape, pose: &Pose) -> Option<RayHit> {
    if !(usable(&Placed::Segment(*segment)) && usable(&shape.placed(pose))) {
        return None;
    }
    let local = Segment {
        a: pose.point_to_local(segment.a),
        b: pose.point_to_local(segment.b),
    };
    let hit = match shape {
        Shape::Sphere { radius } => ray_cast_solid(&local, &POINT, *radius),
        Shape::Box { half_extents } => ray_cast_solid(
            &local,
            &LocalBox {
                half_extents: *half_extents,
            },
            0.0,
        ),
        Shape::Segment(_) => None,
        Shape::Capsule(Capsule { segment, radius }) => ray_cast_solid(&local, segment, *radius),
        Shape::Triangle(triangle) => ray_cast_triangle(&local, triangle, &mut ()),
        Shape::Plane(plane) => ray_cast_plane(&local, plane),
        Shape::Mesh(mesh) => ray_cast_mesh(&local, mesh),
    }?;
    Some(RayHit {
        point: pose.point(hit.point),
        normal: pose.vector(hit.normal),
        ..hit
    })
}

/// A ball is this, grown by its radius.
const POINT: Segment = Segment {
    a: DVec3::ZERO,
    b: DVec3::ZERO,
};

/// A convex solid grown by `radius`: its entry, or from inside its exit, which is the entry of the way back.
fn ray_cast_solid(segment: &Segment, shape: &impl Convex, radius: f64) -> Option<RayHit> {
    let forth = Path {
        start: segment.a,
        step: segment.b - segment.a,
    };
    let back = shape.nearest(segment.a).distance < radius;
    let path = if back {
        Path {
            start: segment.b,
            step: -forth.step,
        }
    } else {
        forth
    };
    if back && shape.nearest(segment.b).distance < radius {
        return None;
    }
    let entry = shape.enter(&path, radius).filter(|e| e.fraction <= 1.0)?;
    let point = path.at(entry.fraction);
    let outward = entry.normal.unwrap_or_else(|| shape.nearest(point).normal);
    let fraction = if back {
        1.0 - entry.fraction
    } else {
        entry.fraction
    };
    Some(RayHit {
        fraction,
        point,
        normal: if back { -outward } else { outward },
        weights: DVec3::ZERO,
        back,
        triangle: None,
    })
}

fn ray_cast_plane(segment: &Segment, plane: &Plane) -> Option<RayHit> {
    let (from, to) = (plane.distance(segment.a), plane.distance(segment.b));
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || from == to {
        return None;
    }
    let back = from < 0.0 || (from == 0.0 && to > 0.0);
    let fraction = from / (from - to);
    Some(RayHit {
        fraction,
        point: segment.a + (segment.b - segment.a) * fraction,
        normal: if back { -plane.normal } else { plane.normal },
        weights: DVec3::ZERO,
        back,
        triangle: None,
    })
}

/// The earliest triangle; equal fractions go to the lowest index.
fn ray_cast_mesh(segment: &Segment, mesh: &Mesh) -> Option<RayHit> {
    let mut earliest: Option<RayHit> = None;
    mesh.for_each_along(segment.a, segment.b, 0.0, &mut |index| {
        let Some(hit) = ray_cast_triangle(segment, &mesh.triangle(index), &mut ()) else {
            return;
        };
        if earliest.is_none_or(|known| {
            hit.fraction < known.fraction
                || (hit.fraction == known.fraction && Some(index) < known.triangle)
        }) {
            earliest = Some(RayHit {
                triangle: Some(index),
                ..hit
            });
        }
    });
    earliest
}
