//! A half space against everything that has corners: the vertex deepest behind the plane decides, resting and swept.

use super::closest_point::segment_feature;
use super::contact::decided_depth;
use super::exact::{ExactSweep, Verdict, compare_distance, exact_plane};
use super::sweep::noise_of;
use super::tell::tell_nearest;
use super::{Contact, Feature, Gap, Impact, SweepOutcome, Trace};
use crate::core::shape::{Placed, Plane, Segment};
use crate::core::tolerance::NOISE_ULPS;
use glam::DVec3;
use std::cmp::Ordering;

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
    let depth = match Round::of(shape) {
        Some(round) => {
            let noise = round.noise(plane, DVec3::ZERO);
            decided_depth(-deepest.distance, noise, || round.distance(plane), trace)
        }
        None => (deepest.distance <= 0.0).then_some(-deepest.distance),
    };
    depth.map(|depth| Contact {
        point: deepest.point - plane.normal * deepest.distance,
        normal: plane.normal,
        depth,
        feature_a: deepest.feature,
        feature_b: Feature::Face(0),
        triangle: deepest.triangle,
        fallback: false,
        via_bounding_sphere: false,
    })
}

/// The distance of a bounded shape from a half space.
pub(crate) fn gap_any_plane(
    shape: &Placed<'_>,
    plane: &Plane,
    trace: &mut impl Trace,
) -> Option<Gap> {
    let Some(deepest) = deepest(shape, plane) else {
        trace.step("TwoPlanes", &[]);
        return None;
    };
    trace.step("DeepestVertex", &[("distance", deepest.distance)]);
    tell_nearest(deepest.feature, deepest.distance, trace);
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
    let step = displacement - plane_displacement;
    let approach = -plane.normal.dot(step);
    trace.step("DeepestVertex", &[("gap", gap), ("approach", approach)]);
    if let Some(round) = Round::of(shape) {
        let noise = round.noise(plane, step);
        let slow = NOISE_ULPS * f64::EPSILON * step.length();
        let close = |length: f64, noise: f64| length.abs() <= noise;
        if close(gap, noise) || close(approach, slow) || close(gap - approach, noise) {
            trace.step("DecidedExactly", &[("noise", noise)]);
            let verdict = round.verdict(plane, [displacement, plane_displacement]);
            return decided(verdict, &deepest, displacement, plane, trace);
        }
    }
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
    SweepOutcome::Hits(deepest.meets(fraction, displacement, plane))
}

impl Deepest {
    fn meets(&self, fraction: f64, displacement: DVec3, plane: &Plane) -> Impact {
        Impact {
            fraction,
            point: self.point + displacement * fraction,
            normal: plane.normal,
            feature_a: self.feature,
            feature_b: Feature::Face(0),
            triangle: self.triangle,
        }
    }
}

/// The outcome without rounding; only its place is told by the quick form.
fn decided(
    verdict: Verdict,
    deepest: &Deepest,
    displacement: DVec3,
    plane: &Plane,
    trace: &mut impl Trace,
) -> SweepOutcome {
    match verdict {
        Verdict::Overlapping => {
            let depth = (-deepest.distance).max(f64::MIN_POSITIVE);
            trace.step("Overlapping", &[("depth", depth)]);
            SweepOutcome::Overlapping { depth }
        }
        Verdict::Hits(fraction) => {
            trace.step("Hits", &[("fraction", fraction)]);
            SweepOutcome::Hits(deepest.meets(fraction, displacement, plane))
        }
        Verdict::Later | Verdict::Misses(_) | Verdict::Grazes => {
            trace.step("Later", &[]);
            SweepOutcome::Later
        }
        Verdict::Receding => {
            trace.step("Receding", &[]);
            SweepOutcome::Receding
        }
    }
}

/// A capsule, a segment or a triangle: balls of one radius around the points that may be deepest.
struct Round {
    /// The last may stand twice.
    centers: [DVec3; 3],
    radius: f64,
}

impl Round {
    fn of(shape: &Placed<'_>) -> Option<Self> {
        let (centers, radius) = match shape {
            Placed::Capsule(capsule) => {
                let Segment { a, b } = capsule.segment;
                ([a, b, b], capsule.radius)
            }
            Placed::Segment(segment) => ([segment.a, segment.b, segment.b], 0.0),
            Placed::Triangle(triangle) => ([triangle.a, triangle.b, triangle.c], 0.0),
            Placed::Sphere(_) | Placed::Obb(_) | Placed::Mesh(..) | Placed::Plane(_) => {
                return None;
            }
        };
        Some(Self { centers, radius })
    }

    /// Metres of rounding in a distance.
    fn noise(&self, plane: &Plane, step: DVec3) -> f64 {
        let size = [DVec3::splat(plane.offset), DVec3::splat(self.radius), step];
        noise_of(&self.centers).max(noise_of(&size))
    }

    /// The exact distance of the deepest against zero.
    fn distance(&self, plane: &Plane) -> Ordering {
        let each = self.centers.iter().map(|&center| {
            let body = exact_plane(center, plane);
            compare_distance(&body, [self.radius, 0.0])
        });
        each.min().unwrap_or(Ordering::Greater)
    }

    /// All move alike: what is deepest at the start is so always.
    fn verdict(&self, plane: &Plane, steps: [DVec3; 2]) -> Verdict {
        let mut first = Verdict::Receding;
        for &center in &self.centers {
            let body = exact_plane(center, plane);
            let way = ExactSweep::new(body, steps[0], steps[1], [self.radius, 0.0]);
            first = match (first, way.verdict()) {
                (Verdict::Overlapping, _) | (_, Verdict::Overlapping) => Verdict::Overlapping,
                (Verdict::Hits(a), Verdict::Hits(b)) => Verdict::Hits(a.min(b)),
                (Verdict::Hits(a), _) => Verdict::Hits(a),
                (_, next) => next,
            };
        }
        first
    }
}
