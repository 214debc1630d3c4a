//! A segment against a triangle: through which side, where, with which weights.

use super::closest_point::{direction, quick_direction};
use super::exact::exact_turn;
use super::look::{greater, lesser};
use super::misses_triangle::surely_misses;
use super::nearest::side_of;
use super::{RayHit, Trace};
use crate::core::shape::{Segment, Triangle};
use crate::core::tolerance::{NOISE_ULPS, SMALLEST_NOISE};
use glam::DVec3;
use std::cmp::Ordering;

/// The crossing of a segment and a triangle, any space; both ends and the outline count, and `facing` is ignored.
///
/// Signed distances of both ends to the plane: the same strict sign is no crossing, else `t = s1 / (s1 - s2)`, in [0, 1]. Inside is
/// decided by the signs of three volumes (Ericson 2005, 5.3.4). Signs within their error bound are decided exactly, so that a
/// segment through an edge or vertex of several triangles hits at least one of them, and may hit all. Coplanar segments,
/// degenerate triangles and numbers that are not finite give `None`.
#[inline]
pub fn ray_cast_triangle(
    segment: &Segment,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    // A trace is told why; nobody else is.
    let way = [segment.a.into(), segment.b.into()];
    let corners = [triangle.a.into(), triangle.b.into(), triangle.c.into()];
    if !trace.is_heard() && surely_misses(way, corners, |all| all) {
        return None;
    }
    ray_cast_near(segment, triangle, trace)
}

/// Out of line, as most do not come here.
#[inline(never)]
pub(crate) fn ray_cast_near(
    segment: &Segment,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    let quick = Crossing::new(segment, [triangle.a, triangle.b, triangle.c]);
    if quick.stays_on_one_side() {
        tell_no_crossing([quick.from, quick.to], trace);
        return None;
    }
    let crossing = match quick.verdict() {
        // Only here, as a bound on what is not finite is never passed.
        Crossing::DOUBT if !is_finite(segment, triangle) => {
            trace.step("BadNumber", &[]);
            return None;
        }
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
            ("weight a", hit.weights.x),
            ("weight b", hit.weights.y),
            ("weight c", hit.weights.z),
        ],
    );
    Some(hit)
}

/// A triangle with its plane, for one that stands still while many segments are held against it.
#[derive(Clone, Copy, Debug)]
pub struct PlanedTriangle {
    /// As given.
    pub triangle: Triangle,
    plane: EdgePlane,
}

impl PlanedTriangle {
    /// Works its plane out once.
    pub fn of(triangle: &Triangle) -> Self {
        Self {
            triangle: *triangle,
            plane: EdgePlane::of([triangle.a, triangle.b, triangle.c]),
        }
    }
}

/// The same answer as [`ray_cast_triangle`], to the bit, quicker for a triangle that meets many segments.
pub fn ray_cast_planed_triangle(
    segment: &Segment,
    planed: &PlanedTriangle,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    let ends = Ends::of(segment, &planed.plane);
    if ends.stay_on_one_side() {
        tell_no_crossing([ends.from, ends.to], trace);
        return None;
    }
    ray_cast_triangle(segment, &planed.triangle, trace)
}

fn is_finite(segment: &Segment, triangle: &Triangle) -> bool {
    let Triangle { a, b, c, .. } = triangle;
    [&segment.a, &segment.b, a, b, c]
        .into_iter()
        .all(|point| point.is_finite())
}

fn tell_no_crossing([from, to]: [f64; 2], trace: &mut impl Trace) {
    trace.step("PlaneDistances", &[("s1", from), ("s2", to)]);
    trace.step("NoCrossing", &[]);
}

/// What a triangle's plane and its rounding rest on.
#[derive(Clone, Copy, Debug)]
struct EdgePlane {
    /// Corner a.
    corner: DVec3,
    /// The cross product of two edges, toward the front.
    normal: DVec3,
    /// The size of both edges, metres.
    spread: f64,
}

impl EdgePlane {
    #[inline(always)]
    fn of(corners: [DVec3; 3]) -> Self {
        let (ab, ca) = (corners[1] - corners[0], corners[0] - corners[2]);
        Self {
            corner: corners[0],
            normal: ca.cross(ab),
            spread: size(ab) + size(ca),
        }
    }
}

/// How far a segment's ends are in front of a plane, times the normal's length, and the error bound.
#[derive(Clone, Copy, Debug)]
struct Ends {
    from: f64,
    to: f64,
    noise: f64,
}

impl Ends {
    #[inline(always)]
    fn of(segment: &Segment, plane: &EdgePlane) -> Self {
        let a = plane.corner - segment.a;
        let (length, far) = (size(segment.b - segment.a), size(a) + plane.spread);
        let few = NOISE_ULPS * f64::EPSILON * plane.spread;
        Self {
            from: -a.dot(plane.normal),
            to: (segment.b - plane.corner).dot(plane.normal),
            noise: in_range(few * plane.spread * (far + length)),
        }
    }

    /// Are both surely on the same side of the plane?
    #[inline(always)]
    fn stay_on_one_side(&self) -> bool {
        let Self { from, to, noise } = *self;
        let sure = (from.abs() > noise) & (to.abs() > noise);
        sure & ((from > 0.0) == (to > 0.0))
    }
}

#[inline(always)]
fn size(vector: DVec3) -> f64 {
    vector.x.abs() + vector.y.abs() + vector.z.abs()
}

/// A segment and a triangle's plane and edges, by their volumes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// How far the start is in front of the plane, times the normal's length.
    from: f64,
    /// The same of the end.
    to: f64,
    /// The volumes of the way and the edges opposite a, b, c: the triangle's areas seen along the way, times its length.
    edges: DVec3,
    /// The cross product of two edges, toward the front.
    normal: DVec3,
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
        let plane = EdgePlane::of(corners);
        let ends = Ends::of(segment, &plane);
        // A volume does not change with the point of an edge that it is taken from; near ones keep the digits.
        let (past_a, past_b) = (way.cross(a), way.cross(b));
        let (length, far) = (size(way), size(a) + plane.spread);
        let few = NOISE_ULPS * f64::EPSILON * plane.spread;
        Self {
            from: ends.from,
            to: ends.to,
            edges: DVec3::new(bc.dot(past_b), ca.dot(past_a), ab.dot(past_a)),
            normal: plane.normal,
            side_noise: ends.noise,
            edge_noise: in_range(few * length * far),
        }
    }

    /// Are both ends surely on the same side of the plane?
    #[inline(always)]
    fn stays_on_one_side(&self) -> bool {
        let Self { from, to, .. } = *self;
        let noise = self.side_noise;
        Ends { from, to, noise }.stay_on_one_side()
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
    fn hit(&self, triangle: &Triangle) -> Option<RayHit> {
        let numbers = self.numbers([triangle.a, triangle.b, triangle.c]);
        let front = if numbers.clear {
            numbers.front
        } else {
            direction(self.normal)?
        };
        Some(numbers.hit(front))
    }

    /// The same without a branch.
    #[inline(always)]
    pub fn numbers(&self, [a, b, c]: [DVec3; 3]) -> HitNumbers {
        let Self {
            from, to, edges, ..
        } = *self;
        let weights = edges / (edges.x + edges.y + edges.z);
        let (front, _, clear) = quick_direction(self.normal);
        HitNumbers {
            fraction: greater(lesser(from / (from - to), 1.0), 0.0),
            point: a + (b - a) * weights.y + (c - a) * weights.z,
            front,
            weights,
            back: (from < 0.0) | ((from == 0.0) & (to > 0.0)),
            clear,
        }
    }
}

/// What a hit is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct HitNumbers {
    pub fraction: f64,
    pub point: DVec3,
    /// The triangle's front; nothing where it is not `clear`.
    pub front: DVec3,
    pub weights: DVec3,
    pub back: bool,
    /// False where the normal's square leaves the range of `f64`.
    pub clear: bool,
}

impl HitNumbers {
    /// The hit, by the triangle's front.
    #[inline(always)]
    fn hit(&self, front: DVec3) -> RayHit {
        RayHit {
            fraction: self.fraction,
            point: self.point,
            normal: if self.back { -front } else { front },
            weights: self.weights,
            back: self.back,
            triangle: None,
        }
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
