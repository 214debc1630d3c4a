//! A segment against every shape: the earliest surface it meets, from outside or from inside.

use super::closed_form::rounded::{self, Path, Swept};
use super::closed_form::segment_triangle::{crosses_plane, ray_cast_triangle, traced};
use super::composite::Composite;
use super::convex::{self, advance};
use super::in_range::is_refused;
use super::operand::{Core, Operand};
use super::outcome::RayHit;
use super::trace::{Role, Step, Trace};
use super::view::View;
use crate::core::shape::{Feature, Plane, Pose, Segment, Shape};
use crate::core::tolerance::BOUND_ULPS;
use glam::DVec3;

/// The first surface of a shape at `pose` that a world segment meets, from a to b, both ends inclusive, from either side whatever
/// the facing.
///
/// A segment wholly inside a solid meets nothing; one that starts inside meets the surface on the way out, with `back` true. A
/// tangent is a miss; a `Segment` has no surface. Of a compound each part has its own surface, also inside others. A mesh is watertight (see [`ray_cast_triangle`]); equal fractions go to the
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
    let placed = shape.placed(pose);
    if is_refused((segment, &placed), DVec3::ZERO, trace) {
        return None;
    }
    match View::of(&placed) {
        View::Plane(plane) => ray_cast_plane(segment, &plane, trace),
        View::Composite(parts) => ray_cast_parts(segment, &parts, trace),
        View::Convex(operand) => ray_cast_convex(segment, &operand, trace),
    }
}

fn ray_cast_convex(
    segment: &Segment,
    operand: &Operand<'_>,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    match &operand.core {
        Core::Triangle(face) => ray_cast_triangle(segment, &face.triangle, trace),
        Core::Segment(_) if operand.radius == 0.0 => {
            trace.step(Step::NoSurface);
            None
        }
        _ => ray_cast_solid(segment, operand, trace),
    }
}

/// Its entry, or from inside its exit, which is the entry of the way back.
fn ray_cast_solid(
    segment: &Segment,
    operand: &Operand<'_>,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    // Relative to the shape, which keeps digits where coordinates are large.
    let origin = operand.center();
    let shape = operand.moved(-origin);
    let ends = [segment.a - origin, segment.b - origin];
    let distance = |point: DVec3| {
        convex::separation(
            &Operand::point(point, 0.0),
            &shape,
            point,
            f64::INFINITY,
            &mut (),
        )
        .distance
    };
    let from = distance(ends[0]);
    trace.step(Step::RayStart { distance: from });
    let back = from < 0.0;
    if back && distance(ends[1]) < 0.0 {
        trace.step(Step::StaysInside);
        return None;
    }
    let [start, end] = if back { [ends[1], ends[0]] } else { ends };
    let path = Path {
        start,
        displacement: end - start,
    };
    let Some((fraction, face)) = entry(&shape, &path).filter(|(fraction, _)| *fraction <= 1.0)
    else {
        trace.step(Step::RayPasses);
        return None;
    };
    let point = path.at(fraction);
    let (outward, feature) = face.unwrap_or_else(|| {
        let found = convex::separation(
            &Operand::point(point, 0.0),
            &shape,
            point,
            f64::INFINITY,
            &mut (),
        );
        let feature = found
            .features
            .map_or(Feature::Round, |[_, feature]| feature);
        (found.normal, feature)
    });
    trace.step(Step::HitsFeature { feature });
    let hit = RayHit {
        fraction: if back { 1.0 - fraction } else { fraction },
        point: origin + point,
        normal: if back { -outward } else { outward },
        weights: DVec3::ZERO,
        back,
        triangle: None,
    };
    traced(hit, trace)
}

/// Where a path that starts outside enters a shape: the fraction, any size, and the face where it is known.
fn entry(shape: &Operand<'_>, path: &Path) -> Option<(f64, Option<(DVec3, Feature)>)> {
    if !matches!(shape.core, Core::Solid(_)) {
        let entry = rounded::enter(&shape.core, path, shape.radius)?;
        return Some((entry.fraction, entry.face));
    }
    // Twice as long, so that the end of the segment counts.
    let point = Operand::point(path.start, 0.0);
    let largest = shape.largest().max(path.start.abs().max_element());
    let bound = BOUND_ULPS * f64::EPSILON * largest;
    match advance::sweep(
        &point,
        shape,
        (path.displacement * 2.0, advance::WHOLE),
        bound,
        &mut (),
    ) {
        Swept::Hits {
            fraction, normal, ..
        } => {
            let feature = shape.part(normal).feature;
            Some((fraction * 2.0, Some((normal, feature))))
        }
        _ => None,
    }
}

fn ray_cast_plane(segment: &Segment, plane: &Plane, trace: &mut impl Trace) -> Option<RayHit> {
    let (from, to) = (plane.distance(segment.a), plane.distance(segment.b));
    let back = crosses_plane(from, to, trace)?;
    let fraction = from / (from - to);
    let hit = RayHit {
        fraction,
        point: segment.a + (segment.b - segment.a) * fraction,
        normal: if back { -plane.normal } else { plane.normal },
        weights: DVec3::ZERO,
        back,
        triangle: None,
    };
    traced(hit, trace)
}

/// A triangle needs no normal to be crossed, and so is not made an operand.
fn ray_cast_part(
    segment: &Segment,
    parts: &Composite<'_>,
    index: u32,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    match parts {
        Composite::Mesh(mesh, pose) => {
            ray_cast_triangle(segment, &mesh.triangle(index).transformed(pose), trace)
        }
        Composite::Compound(..) => ray_cast_convex(segment, &parts.part(index), trace),
    }
}

/// The earliest part; equal fractions go to the lowest index.
fn ray_cast_parts(
    segment: &Segment,
    parts: &Composite<'_>,
    trace: &mut impl Trace,
) -> Option<RayHit> {
    let mut earliest: Option<(RayHit, u32)> = None;
    let mut tested = 0;
    parts.for_each_along(segment.a, segment.b, 0.0, &mut |index| {
        tested += 1;
        let Some(hit) = ray_cast_part(segment, parts, index, &mut ()) else {
            return;
        };
        let earlier = earliest.is_none_or(|(known, number)| {
            hit.fraction < known.fraction || (hit.fraction == known.fraction && index < number)
        });
        if earlier {
            earliest = Some((hit, index));
        }
    });
    trace.step(Step::PartsTested { count: tested });
    let (hit, index) = earliest?;
    if trace.is_enabled() {
        trace.step(parts.decided_by(index, Role::Earliest));
        // The same code again on the part that decides, for its steps.
        ray_cast_part(segment, parts, index, trace);
    }
    Some(RayHit {
        triangle: parts.triangle(index),
        ..hit
    })
}
