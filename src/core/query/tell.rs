//! Steps that several queries tell alike.

use super::nearest::Nearest;
use super::{Feature, RayHit, Trace};
use crate::core::shape::{Obb, Segment};
use glam::DVec3;

/// The feature that decided, and how far it is, metres.
#[inline(always)]
pub(crate) fn tell_nearest(feature: Feature, distance: f64, trace: &mut impl Trace) {
    let (name, number) = match feature {
        Feature::Vertex(number) => ("NearestVertex", number),
        Feature::Edge(number) => ("NearestEdge", number),
        Feature::Face(number) => ("NearestFace", number),
        Feature::Round => ("NearestPoint", 0),
    };
    let numbers = [("number", f64::from(number)), ("distance", distance)];
    trace.step(name, &numbers);
}

/// The feature that is met.
#[inline(always)]
pub(crate) fn tell_feature(feature: Feature, trace: &mut impl Trace) {
    let (part, number) = match feature {
        Feature::Vertex(number) => ("OnVertex", f64::from(number)),
        Feature::Edge(number) => ("OnEdge", f64::from(number)),
        Feature::Face(number) => ("OnFace", f64::from(number)),
        Feature::Round => ("OnRound", 0.0),
    };
    trace.step(part, &[("number", number)]);
}

/// Where on a segment, as a share.
#[inline(always)]
pub(crate) fn tell_on_segment(segment: &Segment, share: f64, trace: &mut impl Trace) {
    trace.step("ClosestOnSegment", &[("share", share)]);
    if segment.a == segment.b {
        trace.step("SegmentIsPoint", &[]);
    }
}

/// By how much a point lies beyond the faces of a box, axis by axis, metres; negative between them.
#[inline(always)]
pub(crate) fn tell_beyond(beyond: DVec3, trace: &mut impl Trace) {
    trace.step("BeyondFaces", &vector(beyond));
}

/// The same for a rotated box, in its own frame.
pub(crate) fn tell_beyond_obb(point: DVec3, obb: &Obb, trace: &mut impl Trace) {
    let local = obb.pose().point_to_local(point);
    tell_beyond(local.abs() - obb.half_extents, trace);
}

/// The outcome of a gap: apart by a distance, or overlapping by a depth, metres.
#[inline(always)]
pub(crate) fn tell_gap(distance: f64, trace: &mut impl Trace) {
    if distance < 0.0 {
        trace.step("Overlapping", &[("depth", -distance)]);
    } else {
        trace.step("Gap", &[("distance", distance)]);
    }
}

/// A direction that the geometry did not give.
#[inline(always)]
pub(crate) fn tell_fallback(nearest: &Nearest, trace: &mut impl Trace) {
    if nearest.fallback {
        trace.step("FallbackNormal", &vector(nearest.normal));
    }
}

/// Where a segment meets a surface.
#[inline(always)]
pub(crate) fn tell_hit(hit: &RayHit, trace: &mut impl Trace) {
    let back = f64::from(u8::from(hit.back));
    trace.step("Hits", &[("fraction", hit.fraction), ("back", back)]);
}

/// The three numbers of a vector.
pub(crate) fn vector(v: DVec3) -> [(&'static str, f64); 3] {
    [("x", v.x), ("y", v.y), ("z", v.z)]
}
