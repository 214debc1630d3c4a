//! A half space against everything that has corners: the vertex deepest behind the plane decides, resting and swept.

use super::closest_point::segment_feature;
use super::{Contact, Feature, Gap, Impact, SweepOutcome, Trace};
use crate::core::shape::{Placed, Plane};
use glam::DVec3;

/// The point of a shape that reaches deepest behind a plane.
#[derive(Clone, Copy, Debug)]
struct Deepest {
    point: DVec3,
    distance: f64,
    feature: Feature,
    triangle: Option<u32>,
}

/// Of any bounded shape; `None` for a plane. Equal depths go to the first vertex (of a mesh: of the lowest triangle).
fn deepest(shape: &Placed<'_>, plane: &Plane) -> Option<Deepest> {
    let mut best: Option<Deepest> = None;
    let mut consider = |point: DVec3, feature: Feature, triangle: Option<u32>| {
        let distance = plane.distance(point);
        if best.is_none_or(|known| distance < known.distance) {
            best = Some(Deepest {
                point,
                distance,
                feature,
                triangle,
            });
        }
    };
    match shape {
        Placed::Sphere(sphere) => {
            let surface = sphere.center - plane.normal * sphere.radius;
            consider(surface, Feature::Round, None);
        }
        Placed::Capsule(capsule) => {
            for (end, s) in [(capsule.segment.a, 0.0), (capsule.segment.b, 1.0)] {
                let surface = end - plane.normal * capsule.radius;
                consider(surface, segment_feature(s), None);
            }
        }
        Placed::Segment(segment) => {
            consider(segment.a, Feature::Vertex(0), None);
            consider(segment.b, Feature::Vertex(1), None);
        }
        Placed::Triangle(triangle) => {
            for (number, vertex) in (0..).zip([triangle.a, triangle.b, triangle.c]) {
                consider(vertex, Feature::Vertex(number), None);
            }
        }
        Placed::Obb(obb) => {
            for (number, corner) in (0..).zip(obb.corners()) {
                consider(corner, Feature::Vertex(number), None);
            }
        }
        Placed::Mesh(mesh, pose) => {
            for (index, triangle) in (0..).zip(mesh.triangles()) {
                for (number, &vertex) in (0..).zip(triangle) {
                    let point = pose.point(mesh.vertices()[vertex as usize]);
                    consider(point, Feature::Vertex(number), Some(index));
                }
            }
        }
        Placed::Plane(_) => return None,
    }
    best
}

/// The contact of a bounded shape with a half space.
pub(crate) fn contact_any_plane(
    shape: &Placed<'_>,
    plane: &Plane,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let deepest = deepest(shape, plane)?;
    trace.step("DeepestVertex", &[("distance", deepest.distance)]);
    (deepest.distance <= 0.0).then(|| Contact {
        point: deepest.point - plane.normal * deepest.distance,
        normal: plane.normal,
        depth: -deepest.distance,
        feature_a: deepest.feature,
        feature_b: Feature::Face(0),
        triangle: deepest.triangle,
        fallback: false,
        via_bounding_sphere: false,
    })
}

/// The distance of a bounded shape from a half space.
pub(crate) fn gap_any_plane(shape: &Placed<'_>, plane: &Plane) -> Option<Gap> {
    let deepest = deepest(shape, plane)?;
    Some(Gap {
        distance: deepest.distance,
        point_a: deepest.point,
        point_b: deepest.point - plane.normal * deepest.distance,
        via_bounding_sphere: false,
    })
}

/// Sweeps a bounded shape that does not turn against a half space; both move by their displacement over the frame.
///
/// The distance is linear, so that the deepest vertex at the start stays the deepest.
pub(crate) fn sweep_any_plane(
    shape: &Placed<'_>,
    displacement: DVec3,
    plane: &Plane,
    plane_displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let Some(deepest) = deepest(shape, plane) else {
        return SweepOutcome::Receding;
    };
    let gap = deepest.distance;
    let approach = -plane.normal.dot(displacement - plane_displacement);
    trace.step("DeepestVertex", &[("gap", gap), ("approach", approach)]);
    if gap < 0.0 {
        trace.step("Overlapping", &[("depth", -gap)]);
        return SweepOutcome::Overlapping { depth: -gap };
    }
    if approach <= 0.0 {
        trace.step("Receding", &[("approach", approach)]);
        return SweepOutcome::Receding;
    }
    let fraction = gap / approach;
    if fraction >= 1.0 {
        trace.step("Later", &[("fraction", fraction)]);
        return SweepOutcome::Later;
    }
    trace.step("Hits", &[("fraction", fraction)]);
    SweepOutcome::Hits(Impact {
        fraction,
        point: deepest.point + displacement * fraction,
        normal: plane.normal,
        feature_a: deepest.feature,
        feature_b: Feature::Face(0),
        triangle: deepest.triangle,
    })
}
