//! A sphere and a box: the centre in the box's frame, clamped (Millington, ch. 13; the centre inside decided here).

use super::{from_nearest, noise_of};
use crate::core::query::box_view::{BoxView, Turn};
use crate::core::query::exact::{ExactFrame, compare_distance, exact_aabb};
use crate::core::query::in_range::is_refused;
use crate::core::query::nearest::{Nearest, nearest_on_box};
use crate::core::query::{Contact, Trace};
use crate::core::shape::{Aabb, Obb, Pose, Sphere};
use glam::{DQuat, DVec3};
use std::cmp::Ordering;

/// The contact of a sphere and a rotated box: the centre, clamped in the box's own frame, is nearest (Millington, ch. 13, who
/// leaves a centre inside without a normal).
///
/// A centre inside leaves through the nearest face, depth radius plus the way
/// to that face; equal faces go to the box's y before x before z, positive before negative.
#[inline]
pub fn contact_sphere_obb(sphere: &Sphere, obb: &Obb, trace: &mut impl Trace) -> Option<Contact> {
    let (turn, seen) = (Turn::of(obb).back(), sphere.center - obb.center);
    // A trace is told how far; nobody else is.
    if !trace.is_heard() && BoxView::is_beyond(seen, turn, obb.half_extents, sphere.radius) {
        return None;
    }
    let exact = || decided_exactly(sphere, obb);
    let local = (turn.apply(seen), turn.stretch());
    contact_with_box(sphere, obb, local, 0.0, exact, trace)
}

/// Out of line, as hardly any pair comes here.
#[cold]
#[inline(never)]
fn decided_exactly(sphere: &Sphere, obb: &Obb) -> Ordering {
    let frame = ExactFrame::of(&obb.pose());
    let body = frame.cuboid(sphere.center, obb.half_extents);
    frame.compare(&body, [sphere.radius, 0.0])
}

/// The contact of a sphere and an axis-aligned box.
pub fn contact_sphere_aabb(
    sphere: &Sphere,
    aabb: &Aabb,
    trace: &mut impl Trace,
) -> Option<Contact> {
    if is_refused(&[sphere, aabb], trace) {
        return None;
    }
    let obb = Obb {
        center: aabb.center(),
        half_extents: aabb.half_extents(),
        rotation: DQuat::IDENTITY,
    };
    let exact = || compare_distance(&exact_aabb(sphere.center, aabb), [sphere.radius, 0.0]);
    let local = sphere.center - obb.center;
    // The middle between two corners is rounded as large as they are.
    let noise = noise_of(&[aabb.min, aabb.max]);
    contact_with_box(sphere, &obb, (local, 0.0), noise, exact, trace)
}

/// Of a centre that the box sees at `local`, off by no more than `stretch` of it and rounding.
#[inline(never)]
fn contact_with_box(
    sphere: &Sphere,
    obb: &Obb,
    (local, stretch): (DVec3, f64),
    noise: f64,
    exact: impl FnOnce() -> Ordering,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let beyond = local.abs() - obb.half_extents;
    trace.step(
        "AxisEarlyOut",
        &[
            ("x", beyond.x),
            ("y", beyond.y),
            ("z", beyond.z),
            ("radius", sphere.radius),
        ],
    );
    // The early-out is not the answer: a sphere near a corner passes it and still misses.
    let view = BoxView::of_one(local, obb.half_extents);
    // Only then, as what is not in range is not seen clearly; a radius that is not has no depth.
    if !view.clear && is_refused(&[sphere, obb], trace) {
        return None;
    }
    let noise = noise.max(view.noise(sphere.radius, stretch));
    let most = sphere.radius + noise;
    if (beyond.x > most) | (beyond.y > most) | (beyond.z > most) {
        trace.step("SeparatedOnAxis", &[("distance", beyond.max_element())]);
        return None;
    }
    let nearest = if view.clear {
        view.nearest(obb)
    } else {
        nearest_on_obb(sphere.center, obb)
    };
    from_nearest(nearest, sphere.radius, noise, exact, trace)
}

/// The surface of a rotated box nearest to a world point, in world space.
#[inline(never)]
pub(crate) fn nearest_on_obb(point: DVec3, obb: &Obb) -> Nearest {
    let pose = obb.pose();
    to_world(
        nearest_on_box(pose.point_to_local(point), obb.half_extents),
        &pose,
    )
}

/// Brings an answer from a local frame into the world.
pub(crate) fn to_world(nearest: Nearest, pose: &Pose) -> Nearest {
    Nearest {
        point: pose.point(nearest.point),
        normal: pose.vector(nearest.normal),
        ..nearest
    }
}
