//! A segment and a convex body as a capsule sees them: signed distance, direction, and the features that face each other.
//!
//! The way out of a body grown by a radius is the way out of the body itself, longer by the radius; so all that a capsule
//! needs of a body is what its inner segment, its core, says of it.

use super::super::closest_point::direction_and_length;
use super::super::nearest::across;
use super::super::{Feature, Trace};
use super::Polytope;
use super::contact::{contact_polytope_polytope, is_behind_one_sided};
use super::gap::closest;
use super::witness::meeting;
use crate::core::shape::Segment;
use glam::DVec3;

/// A body as a core sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Core {
    /// On the body, nearest to the core (where the core is inside: where it comes out).
    pub point: DVec3,
    /// Unit, from the body toward the core.
    pub normal: DVec3,
    /// Metres; minus the depth where the core touches the body.
    pub distance: f64,
    /// Of the core.
    pub feature_core: Feature,
    /// Of the body.
    pub feature_body: Feature,
    /// The geometry names no single direction.
    pub fallback: bool,
}

/// The nearest of a body to a core; `None` when all of the core is behind a one-sided triangle.
///
/// Of a core that reaches behind a one-sided triangle without touching it, only the part in front counts.
pub(crate) fn nearest_to_core(
    core: &Segment,
    body: &Polytope,
    trace: &mut impl Trace,
) -> Option<Core> {
    let whole = Polytope::from_segment(core);
    if is_behind_one_sided(&whole, body) {
        trace.step("BehindOneSided", &[]);
        return None;
    }
    if let Some(contact) = contact_polytope_polytope(&whole, body, trace) {
        return Some(Core {
            point: contact.point,
            normal: contact.normal,
            distance: -contact.depth + 0.0,
            feature_core: contact.feature_a,
            feature_body: contact.feature_b,
            fallback: contact.fallback,
        });
    }
    let (front, cut) = front_part(core, body);
    let front = Polytope::from_segment(&front);
    let closest = closest(&front, body, front.origin - body.origin);
    let (normal, distance, fallback) = match direction_and_length(closest.way()) {
        Some((normal, distance)) => (normal, distance, false),
        None => (touching_normal(core, body), 0.0, true),
    };
    let meeting = meeting(&front, body, front.origin - body.origin, normal);
    let feature_core = match meeting.feature_a {
        Feature::Vertex(end) if cut == Some(end) => Feature::Edge(0),
        feature => feature,
    };
    Some(Core {
        point: body.origin + meeting.point,
        normal,
        distance,
        feature_core,
        feature_body: meeting.feature_b,
        fallback,
    })
}

/// What of a core is not behind a one-sided body, and the end that was cut off.
fn front_part(core: &Segment, body: &Polytope) -> (Segment, Option<u32>) {
    let Some(front) = body.front else {
        return (*core, None);
    };
    let [a, b] = [core.a, core.b].map(|end| (end - body.origin).dot(front));
    let crossing = || core.a + (core.b - core.a) * (a / (a - b));
    if a < 0.0 && b >= 0.0 {
        let a = crossing();
        (Segment { a, ..*core }, Some(0))
    } else if b < 0.0 && a >= 0.0 {
        let b = crossing();
        (Segment { b, ..*core }, Some(1))
    } else {
        (*core, None)
    }
}

/// Apart on some axis by rounding alone: a face's normal, or square to the core.
fn touching_normal(core: &Segment, body: &Polytope) -> DVec3 {
    match body.normals() {
        [normal] => *normal,
        _ => across(core.b - core.a),
    }
}
