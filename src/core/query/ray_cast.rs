//! A segment against every shape: the earliest surface it meets, from outside or from inside.

use super::in_range::is_refused;
use super::sweep::{Convex, LocalBox, Path};
use super::tell::{tell_feature, tell_hit};
use super::{Feature, RayHit, Trace, ray_cast_triangle};
use crate::core::shape::{Capsule, Mesh, Plane, Pose, Segment, Shape};
use glam::DVec3;

/// The first surface of a shape at `pose` that a world segment meets, from a to b, both ends inclusive, from either side whatever
/// the facing.
///
/// A segment wholly inside a solid meets nothing; one that starts inside meets the surface on the way out, with `back` true. A
/// tangent is a miss; a `Segment` has no surface. A mesh is watertight (see [`ray_cast_triangle`]); equal fractions go to the
/// lowest triangle. `None` as well for numbers that are not finite.
#[doc(alias = "raycast")]
pub fn ray_cast(segment: &Segment, shape: &Shape, pose: &Pose) -> Option<RayHit> {
    ray_cast_traced(segment, shape, pose, &mut ())
}

/// As [`ray_cast`]; its steps go to `trace`.
pub fn ray_cast_traced(
    segment: &Segment,
    shape: &Shape,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    if is_refused(&[segment, &shape.placed(pose)], trace) {
        return None;
    }
    let local = Segment {
        a: pose.point_to_local(segment.a),
        b: pose.point_to_local(segment.b),
    };
    let hit = match shape {
        Shape::Sphere { radius } => {
            ray_cast_solid(&local, &POINT, *radius, |_| Feature::Round, trace)
        }
        Shape::Box { half_extents } => ray_cast_solid(
            &local,
            &LocalBox {
                half_extents: *half_extents,
            },
            0.0,
            |feature| feature,
            trace,
        ),
        Shape::Segment(_) => {
            trace.step("SegmentHasNoSurface", &[]);
            None
        }
        Shape::Capsule(Capsule { segment, radius }) => {
            ray_cast_solid(&local, segment, *radius, |feature| feature, trace)
        }
        Shape::Triangle(triangle) => ray_cast_triangle(&local, triangle, trace),
        Shape::Plane(plane) => ray_cast_plane(&local, plane, trace),
        Shape::Mesh(mesh) => ray_cast_mesh(&local, mesh, trace),
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

/// A convex solid grown by `radius`: its entry, or from inside its exit, which is the entry of the way back. A ball's
/// point has no features to tell.
fn ray_cast_solid(
    segment: &Segment,
    shape: &impl Convex,
    radius: f64,
    as_told: impl FnOnce(Feature) -> Feature,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    let forth = Path {
        start: segment.a,
        step: segment.b - segment.a,
    };
    let from = shape.nearest(segment.a).distance - radius;
    trace.step("RayStart", &[("distance", from)]);
    let back = from < 0.0;
    let path = if back {
        Path {
            start: segment.b,
            step: -forth.step,
        }
    } else {
        forth
    };
    if back {
        let to = shape.nearest(segment.b).distance - radius;
        trace.step("RayEnd", &[("distance", to)]);
        if to < 0.0 {
            trace.step("StaysInside", &[]);
            return None;
        }
    }
    let Some(entry) = shape.enter(&path, radius) else {
        trace.step("PassesBy", &[]);
        return None;
    };
    if entry.fraction > 1.0 {
        trace.step("BeyondEnd", &[("fraction", entry.fraction)]);
        return None;
    }
    let point = path.at(entry.fraction);
    let (outward, feature) = match entry.normal {
        Some(normal) => (normal, entry.feature),
        None => {
            let seen = shape.nearest(point);
            (seen.normal, seen.feature)
        }
    };
    tell_feature(as_told(feature), trace);
    let fraction = if back {
        1.0 - entry.fraction
    } else {
        entry.fraction
    };
    let hit = RayHit {
        fraction,
        point,
        normal: if back { -outward } else { outward },
        weights: DVec3::ZERO,
        back,
        triangle: None,
    };
    tell_hit(&hit, trace);
    Some(hit)
}

fn ray_cast_plane(segment: &Segment, plane: &Plane, trace: &mut impl Trace) -> Option<RayHit> {
    let (from, to) = (plane.distance(segment.a), plane.distance(segment.b));
    trace.step("PlaneDistances", &[("s1", from), ("s2", to)]);
    if (from > 0.0 && to > 0.0) || (from < 0.0 && to < 0.0) || from == to {
        trace.step("NoCrossing", &[]);
        return None;
    }
    let back = from < 0.0 || (from == 0.0 && to > 0.0);
    let fraction = from / (from - to);
    let hit = RayHit {
        fraction,
        point: segment.a + (segment.b - segment.a) * fraction,
        normal: if back { -plane.normal } else { plane.normal },
        weights: DVec3::ZERO,
        back,
        triangle: None,
    };
    tell_hit(&hit, trace);
    Some(hit)
}

/// The earliest triangle; equal fractions go to the lowest index.
fn ray_cast_mesh(segment: &Segment, mesh: &Mesh, trace: &mut impl Trace) -> Option<RayHit> {
    let mut earliest: Option<RayHit> = None;
    let mut tested = 0;
    mesh.for_each_along(segment.a, segment.b, 0.0, &mut |index, triangle| {
        tested += 1;
        let Some(hit) = ray_cast_triangle(segment, triangle, &mut ()) else {
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
    trace.step("TrianglesTested", &[("count", f64::from(tested))]);
    if let Some(index) = earliest.and_then(|hit| hit.triangle)
        && trace.is_heard()
    {
        trace.step("EarliestTriangle", &[("triangle", f64::from(index))]);
        // The same code again on the one that decided, for its steps.
        ray_cast_triangle(segment, &mesh.triangle(index), trace);
    }
    earliest
}
