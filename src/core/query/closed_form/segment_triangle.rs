//! A segment against a triangle.

use super::super::closest_point::direction_and_length;
use super::super::outcome::RayHit;
use super::super::predicates;
use super::super::trace::{Step, Trace};
use crate::core::shape::{Aabb, Segment, Triangle};
use glam::DVec3;

/// The crossing of a segment and a triangle, any space; both ends and the outline count, and `facing` is ignored.
///
/// Signed distances of both ends to the plane: the same strict sign is no crossing, else `t = s1 / (s1 - s2)`, in [0, 1]. Inside is
/// decided by the signs of three volumes (Ericson 2005, 5.3.4). All signs are exact, so that a segment through an edge or vertex of
/// several triangles hits at least one of them, and may hit all. Coplanar segments, degenerate triangles and numbers that are not
/// finite give `None`.
#[inline]
pub fn ray_cast_triangle(
    segment: &Segment,
    triangle: &Triangle,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    let Segment { a: start, b: end } = *segment;
    let Triangle { a, b, c, .. } = *triangle;
    if !trace.is_enabled() && is_apart(segment, triangle) {
        return None;
    }
    if ![start, end, a, b, c].into_iter().all(DVec3::is_finite) {
        trace.step(Step::BadNumber);
        return None;
    }
    let (from, to) = (
        predicates::height(start, triangle),
        predicates::height(end, triangle),
    );
    let back = crosses_plane(from, to, trace)?;
    // Each edge by its two vertices in their own order: the neighbour's sign is exactly the opposite one.
    let volumes = DVec3::new(
        predicates::volume(start, end, b, c),
        predicates::volume(start, end, c, a),
        predicates::volume(start, end, a, b),
    );
    trace.step(Step::EdgeSigns { volumes });
    let total = volumes.x + volumes.y + volumes.z;
    let mixed = volumes.min_element() < 0.0 && volumes.max_element() > 0.0;
    if mixed || total == 0.0 || !total.is_finite() {
        trace.step(Step::Outside);
        return None;
    }
    let (front, _) = direction_and_length((b - a).cross(c - a))?;
    let weights = volumes / total;
    let hit = RayHit {
        fraction: (from / (from - to)).clamp(0.0, 1.0),
        point: a + (b - a) * weights.y + (c - a) * weights.z,
        normal: if back { -front } else { front },
        weights,
        back,
        triangle: None,
    };
    traced(hit, trace)
}

/// Whether a segment whose ends are at these signed distances from a plane reaches it from the back; `None` when it does not, or lies in it.
pub(crate) fn crosses_plane(from: f64, to: f64, trace: &mut impl Trace) -> Option<bool> {
    trace.step(Step::PlaneDistances { from, to });
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || from == to {
        trace.step(Step::NoCrossing);
        return None;
    }
    Some(from < 0.0 || (from == 0.0 && to > 0.0))
}

/// The hit, after its step in the trace.
pub(crate) fn traced(hit: RayHit, trace: &mut impl Trace) -> Option<RayHit> {
    trace.step(Step::RayHit {
        fraction: hit.fraction,
        back: hit.back,
    });
    Some(hit)
}

/// True when the boxes of both are apart.
#[inline(always)]
fn is_apart(segment: &Segment, triangle: &Triangle) -> bool {
    let (path, bounds): (Aabb, Aabb) = (segment.aabb(), triangle.aabb());
    !path.overlaps(&bounds)
}
