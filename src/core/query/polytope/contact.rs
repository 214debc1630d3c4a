//! Do two convex bodies touch, and which push parts them?

use super::super::super::tolerance;
use super::super::in_range::is_refused;
use super::super::{Contact, Trace};
use super::Polytope;
use super::axes::{Axes, LeastPush, Overlap};
use super::boxes::contact_cuboids;
use super::exact_pair::{ExactPair, Relation, is_exactly_behind};
use super::witness::meeting;
use glam::DVec3;

/// The contact of two bodies with the least push; `None` when they are apart. Touching counts, with depth 0.
///
/// A one-sided triangle pushes only toward its front or along its plane, and ignores a body that lies wholly behind it.
/// Where an edge axis is hardly shorter than a face, the face is taken, so that what rests on a face is pushed along it.
pub fn contact_polytope_polytope(
    a: &Polytope,
    b: &Polytope,
    trace: &mut impl Trace,
) -> Option<Contact> {
    if is_refused(&[a, b], trace) {
        return None;
    }
    if let (Some(a), Some(b)) = (a.as_solid(), b.as_solid()) {
        return contact_cuboids(&a, &b, trace);
    }
    let between = a.origin - b.origin;
    if is_behind_one_sided(a, b) {
        trace.step("BehindOneSided", &[]);
        return None;
    }
    let mut least = LeastPush::new(a, b);
    let axes = Axes::of(a, b, between);
    let size = axes.size(between);
    let mut sure = axes.are_all();
    for axis in axes.iter() {
        let overlap = Overlap::on(axis.direction, a, b, between);
        let numbers = [
            ("forward", overlap.forward),
            ("backward", overlap.backward),
            ("x", axis.direction.x),
            ("y", axis.direction.y),
            ("z", axis.direction.z),
        ];
        // A triangle's normal is held to be square to it, which it is up to rounding.
        let blur = if axis.of_face { axis.error * size } else { 0.0 };
        if overlap.least() < -rounding(size) - blur {
            trace.step("separating axis", &numbers);
            return None;
        }
        sure &= overlap.least() > rounding(size) + axis.error * size;
        trace.step(axis.name(), &numbers);
        least.offer(axis, &overlap);
    }
    let relation = if sure {
        Relation::Overlapping
    } else {
        trace.step("DecidedExactly", &[("noise", rounding(size))]);
        ExactPair::of(a, b).relation()
    };
    if relation == Relation::Apart {
        trace.step("separated by less than rounding", &[]);
        return None;
    }
    if !least.depth.is_finite() {
        trace.step("no push that the facing allows", &[]);
        return None;
    }
    let depth = match relation {
        Relation::Overlapping => least.depth.max(f64::MIN_POSITIVE),
        _ => 0.0,
    };
    let meeting = meeting(a, b, between, least.normal);
    trace.step(
        "least push",
        &[
            ("depth", depth),
            ("x", least.normal.x),
            ("y", least.normal.y),
            ("z", least.normal.z),
        ],
    );
    Some(Contact {
        point: b.origin + meeting.point,
        normal: least.normal,
        depth,
        feature_a: meeting.feature_a,
        feature_b: meeting.feature_b,
        triangle: None,
        fallback: least.ambiguous,
        via_bounding_sphere: false,
    })
}

/// Metres within which rounding could turn a verdict on bodies and a way of `size` in all.
pub(super) fn rounding(size: f64) -> f64 {
    tolerance::PLACE_ROUNDING * size + f64::MIN_POSITIVE
}

/// Is one of them a one-sided triangle and the other wholly behind its plane? What lies in the plane is not behind.
pub(super) fn is_behind_one_sided(a: &Polytope, b: &Polytope) -> bool {
    let behind = |sided: &Polytope, other: &Polytope| {
        sided.front.is_some_and(|front| {
            let between = other.origin - sided.origin;
            let (min, max) = other.interval(front);
            let (lowest, highest) = (between.dot(front) + min, between.dot(front) + max);
            let size = length_sum(between) + other.size();
            let noise = rounding(size) + sided.skew * size;
            if highest.abs() > noise && lowest.abs() > noise {
                highest < 0.0
            } else if highest > noise || lowest > noise {
                false
            } else {
                is_exactly_behind(other, sided)
            }
        })
    };
    behind(b, a) || behind(a, b)
}

pub(super) fn length_sum(vector: DVec3) -> f64 {
    vector.x.abs() + vector.y.abs() + vector.z.abs()
}
