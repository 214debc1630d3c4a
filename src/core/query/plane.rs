//! A convex shape against a half space: its support point against the plane.

use super::operand::Operand;
use super::outcome::{ClosestApproach, Contact, Gap, Impact, SweepOutcome};
use super::trace::{Step, Trace};
use crate::core::shape::{Feature, Plane};
use crate::core::tolerance::BOUND_ULPS;
use glam::DVec3;

/// Signed distance of a shape from a half space, metres, and its error bound.
fn distance(a: &Operand<'_>, plane: &Plane) -> (f64, f64) {
    let bound = BOUND_ULPS * f64::EPSILON * a.largest().max(plane.offset.abs());
    (plane.distance(a.support(-plane.normal)) - a.radius, bound)
}

/// The middle of the part that is deepest, on the shape's surface, and its name.
fn deepest(a: &Operand<'_>, plane: &Plane) -> (DVec3, Feature) {
    let part = a.part(-plane.normal);
    let middle = part.points.iter().sum::<DVec3>() / part.points.len().max(1) as f64;
    (middle - plane.normal * a.radius, part.feature)
}

pub(super) fn contact(a: &Operand<'_>, plane: &Plane, trace: &mut impl Trace) -> Option<Contact> {
    let (distance, bound) = distance(a, plane);
    trace.step(Step::Nearest {
        feature: Feature::Face(0),
        distance,
    });
    if distance > bound {
        trace.step(Step::Separated { distance });
        return None;
    }
    let (point, feature_a) = deepest(a, plane);
    let depth = (-distance).max(0.0);
    trace.step(if depth > bound {
        Step::Overlapping { depth }
    } else {
        Step::Touching { distance, bound }
    });
    Some(Contact {
        point: point + plane.normal * depth,
        normal: plane.normal,
        depth,
        feature_a,
        feature_b: Feature::Face(0),
        triangle: None,
        fallback: false,
    })
}

pub(super) fn gap(a: &Operand<'_>, plane: &Plane, trace: &mut impl Trace) -> Gap {
    let (distance, _) = distance(a, plane);
    let (point_a, _) = deepest(a, plane);
    trace.step(Step::Nearest {
        feature: Feature::Face(0),
        distance,
    });
    Gap {
        distance,
        point_a,
        point_b: point_a - plane.normal * distance,
        normal: plane.normal,
    }
}

pub(super) fn sweep(
    a: &Operand<'_>,
    plane: &Plane,
    displacement: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let (gap, bound) = distance(a, plane);
    let bound = bound + BOUND_ULPS * f64::EPSILON * displacement.abs().max_element();
    let approach = -plane.normal.dot(displacement);
    trace.step(Step::Start {
        gap,
        approach,
        bound,
    });
    if gap < -bound {
        trace.step(Step::Overlapping { depth: -gap });
        return SweepOutcome::Overlapping { depth: -gap };
    }
    let resting = if gap <= bound { bound } else { 0.0 };
    if approach <= resting {
        trace.step(Step::Receding { approach });
        return SweepOutcome::Misses;
    }
    let fraction = (gap / approach).max(0.0);
    if (1.0 - fraction) * approach <= bound {
        trace.step(Step::Later {
            fraction: fraction.max(1.0),
        });
        return SweepOutcome::Misses;
    }
    trace.step(Step::Hits { fraction });
    let (point, feature_a) = deepest(&a.moved(displacement * fraction), plane);
    SweepOutcome::Hits(Impact {
        fraction,
        point,
        normal: plane.normal,
        feature_a,
        feature_b: Feature::Face(0),
        triangle: None,
    })
}

/// The distance is linear in time: least at an end, or 0 from the touch on.
pub(super) fn closest_approach(
    a: &Operand<'_>,
    plane: &Plane,
    displacement: DVec3,
) -> ClosestApproach {
    let (start, _) = distance(a, plane);
    let approach = -plane.normal.dot(displacement);
    let fraction = if start <= 0.0 || approach <= 0.0 {
        0.0
    } else {
        (start / approach).min(1.0)
    };
    ClosestApproach {
        distance: (start - approach * fraction).max(0.0),
        fraction,
    }
}
