//! Do two convex bodies touch, and which push parts them?

use super::super::{Contact, Trace};
use super::Polytope;
use super::axes::{Axes, LeastPush, Overlap};
use super::witness::meeting;

/// The contact of two bodies with the least push; `None` when they are apart. Touching counts, with depth 0.
///
/// A one-sided triangle pushes only toward its front or along its plane, and ignores a body that lies wholly behind it.
/// Where an edge axis is hardly shorter than a face, the face is taken, so that what rests on a face is pushed along it.
pub fn contact_polytope_polytope(
    a: &Polytope,
    b: &Polytope,
    trace: &mut impl Trace,
) -> Option<Contact> {
    if !(a.is_finite() && b.is_finite()) {
        return None;
    }
    let between = a.origin - b.origin;
    if is_behind_one_sided(a, b) {
        trace.step("wholly behind a one-sided triangle", &[]);
        return None;
    }
    let mut least = LeastPush::new(a, b);
    for axis in Axes::of(a, b, between).iter() {
        let overlap = Overlap::on(axis.direction, a, b, between);
        let numbers = [
            ("forward", overlap.forward),
            ("backward", overlap.backward),
            ("x", axis.direction.x),
            ("y", axis.direction.y),
            ("z", axis.direction.z),
        ];
        if overlap.is_apart() {
            trace.step("separating axis", &numbers);
            return None;
        }
        trace.step(axis.name(), &numbers);
        least.offer(axis, &overlap);
    }
    if !least.depth.is_finite() {
        trace.step("no push that the facing allows", &[]);
        return None;
    }
    let meeting = meeting(a, b, between, least.normal);
    trace.step(
        "least push",
        &[
            ("depth", least.depth),
            ("x", least.normal.x),
            ("y", least.normal.y),
            ("z", least.normal.z),
        ],
    );
    Some(Contact {
        point: b.origin + meeting.point,
        normal: least.normal,
        depth: least.depth,
        feature_a: meeting.feature_a,
        feature_b: meeting.feature_b,
        triangle: None,
        fallback: least.ambiguous,
        via_bounding_sphere: false,
    })
}

/// Is one of them a one-sided triangle and the other wholly behind its plane? What lies in the plane is not behind.
pub(super) fn is_behind_one_sided(a: &Polytope, b: &Polytope) -> bool {
    let behind = |sided: &Polytope, other: &Polytope| {
        sided.front.is_some_and(|front| {
            let center = (other.origin - sided.origin).dot(front);
            let (min, max) = other.interval(front);
            center + max <= 0.0 && center + min < 0.0
        })
    };
    behind(b, a) || behind(a, b)
}
