//! Any two shapes: chooses the pair, in either order.

use super::capsule_pairs::{
    as_capsule, contact_capsule_any, contact_capsule_capsule, gap_capsule_any, gap_capsule_capsule,
    sweep_capsule_any, sweep_capsule_capsule,
};
use super::contact::overlaps_sphere_sphere;
use super::flat_pairs::{contact_flat, gap_flat, sweep_flat};
use super::plane_pairs::{contact_any_plane, gap_any_plane, sweep_any_plane};
use super::polytope::{are_far, contact_near_obbs};
use super::sphere_pairs::{contact_sphere_any, gap_sphere_any, sweep_sphere_any};
use super::sweep::{meeting_sphere_mesh, meeting_sphere_sphere};
use super::tell::tell_gap;
use super::{Contact, Gap, Sweep, SweepOutcome, Trace};
use crate::core::shape::{Aabb, Capsule, Motion, Obb, Placed, Plane, Shape};
use crate::core::tolerance::LARGEST_NUMBER;
use glam::DVec3;

/// Do two shapes touch or overlap? Inclusive.
pub fn overlaps(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    overlaps_traced(a, b, &mut ())
}

/// [`overlaps`], told.
pub fn overlaps_traced(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> bool {
    match (a, b) {
        (Placed::Sphere(a), Placed::Sphere(b)) => overlaps_sphere_sphere(a, b, trace),
        _ => contact(a, b, trace).is_some(),
    }
}

/// The deepest contact of two shapes, with the push that separates the first; `None` when they are apart, and when a
/// number is not finite.
#[inline(always)]
pub fn contact(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Contact> {
    // In full where it is asked for: who knows that both are boxes pays for nothing else.
    let (Placed::Obb(a), Placed::Obb(b)) = (a, b) else {
        return contact_of_pair(a, b, trace);
    };
    if !trace.is_heard() && are_far(a, b) {
        return None;
    }
    if !(are_small(a, b) || usable_obb(a) && usable_obb(b)) {
        trace.step("BadNumber", &[]);
        return None;
    }
    contact_near_obbs(a, b, trace)
}

fn contact_of_pair(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Contact> {
    if !(usable(a) && usable(b)) {
        trace.step("BadNumber", &[]);
        return None;
    }
    match (a, b) {
        (Placed::Sphere(sphere), other) => contact_sphere_any(sphere, other, trace),
        (other, Placed::Sphere(sphere)) => {
            contact_sphere_any(sphere, other, trace).map(Contact::swapped)
        }
        (shape, Placed::Plane(plane)) => contact_any_plane(shape, plane, trace),
        (Placed::Plane(plane), shape) => {
            contact_any_plane(shape, plane, trace).map(Contact::swapped)
        }
        (a, b) => {
            if let (Some(a), Some(b)) = (as_capsule(a), as_capsule(b)) {
                return contact_capsule_capsule(&a, &b, trace);
            }
            if let Some(contact) = contact_flat(a, b, trace) {
                return contact;
            }
            match (a, b) {
                (Placed::Capsule(capsule), other) => contact_capsule_any(capsule, other, trace),
                (other, Placed::Capsule(capsule)) => {
                    contact_capsule_any(capsule, other, trace).map(Contact::swapped)
                }
                _ => None,
            }
        }
    }
}

/// The distance of two shapes, negative when they overlap; `None` where it has no meaning: two planes, behind everything
/// that is one-sided, or a number that is not finite.
pub fn gap(a: &Placed<'_>, b: &Placed<'_>) -> Option<Gap> {
    gap_traced(a, b, &mut ())
}

/// [`gap`], told.
pub fn gap_traced(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Gap> {
    if !(usable(a) && usable(b)) {
        trace.step("BadNumber", &[]);
        return None;
    }
    let gap = gap_of_pair(a, b, trace)?;
    tell_gap(gap.distance, trace);
    Some(gap)
}

fn gap_of_pair(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Gap> {
    match (a, b) {
        (Placed::Sphere(sphere), other) => gap_sphere_any(sphere, other, trace),
        (other, Placed::Sphere(sphere)) => gap_sphere_any(sphere, other, trace).map(Gap::swapped),
        (shape, Placed::Plane(plane)) => gap_any_plane(shape, plane, trace),
        (Placed::Plane(plane), shape) => gap_any_plane(shape, plane, trace).map(Gap::swapped),
        (a, b) => {
            if let (Some(a), Some(b)) = (as_capsule(a), as_capsule(b)) {
                return Some(gap_capsule_capsule(&a, &b, trace));
            }
            if let Some(gap) = gap_flat(a, b, trace) {
                return gap;
            }
            match (a, b) {
                (Placed::Capsule(capsule), other) => gap_capsule_any(capsule, other, trace),
                (other, Placed::Capsule(capsule)) => {
                    gap_capsule_any(capsule, other, trace).map(Gap::swapped)
                }
                _ => None,
            }
        }
    }
}

/// Sweeps two shapes along their motions over the same time and answers with the time of impact.
///
/// Neither turns: both keep their starting rotation, which the answer says where it matters. A number that is not finite
/// gives `Receding`, and the trace says `BadNumber`.
pub fn sweep(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    trace: &mut impl Trace,
) -> Sweep {
    let placed = (a.placed(&motion_a.start), b.placed(&motion_b.start));
    let (d, e) = (motion_a.displacement(), motion_b.displacement());
    let rotation_ignored = turns(a, motion_a) || turns(b, motion_b);
    let exact = |outcome| Sweep {
        outcome,
        via_bounding_sphere: false,
        rotation_ignored,
    };
    if !(usable(&placed.0) && usable(&placed.1) && small(d) && small(e)) {
        trace.step("BadNumber", &[]);
        return exact(SweepOutcome::Receding);
    }
    match &placed {
        (Placed::Sphere(sphere), other) => exact(sweep_sphere_any(sphere, d, other, e, trace)),
        (other, Placed::Sphere(sphere)) => {
            exact(sweep_sphere_any(sphere, e, other, d, trace).swapped())
        }
        (shape, Placed::Plane(plane)) => exact(sweep_any_plane(shape, d, plane, e, trace)),
        (Placed::Plane(plane), shape) => {
            exact(sweep_any_plane(shape, e, plane, d, trace).swapped())
        }
        (a, b) => {
            if let (Some(a), Some(b)) = (as_capsule(a), as_capsule(b)) {
                return exact(sweep_capsule_capsule(&a, d, &b, e, trace));
            }
            if let Some(outcome) = sweep_flat(a, d, b, e, trace) {
                return exact(outcome);
            }
            match (a, b) {
                (Placed::Capsule(capsule), other) => {
                    exact(sweep_capsule_any(capsule, d, other, e, trace))
                }
                (other, Placed::Capsule(capsule)) => {
                    exact(sweep_capsule_any(capsule, e, other, d, trace).swapped())
                }
                _ => exact(SweepOutcome::Receding),
            }
        }
    }
}

/// What [`sweep`] answers where the two meet (they overlap from the start, or hit), to the bit; `None` for every other outcome.
/// Spheres among themselves and against meshes take a fraction of the time, as nobody asks by how much they miss.
pub fn meeting(a: &Shape, motion_a: &Motion, b: &Shape, motion_b: &Motion) -> Option<SweepOutcome> {
    let (d, e) = (motion_a.displacement(), motion_b.displacement());
    let placed = (a.placed(&motion_a.start), b.placed(&motion_b.start));
    let in_range = || usable(&placed.0) && usable(&placed.1) && small(d) && small(e);
    match &placed {
        (Placed::Sphere(a), Placed::Sphere(b)) if in_range() => meeting_sphere_sphere(a, d, b, e),
        (Placed::Sphere(sphere), Placed::Mesh(mesh, pose)) if in_range() => {
            meeting_sphere_mesh(sphere, d, mesh, pose, e)
        }
        (Placed::Mesh(mesh, pose), Placed::Sphere(sphere)) if in_range() => {
            meeting_sphere_mesh(sphere, e, mesh, pose, d).map(SweepOutcome::swapped)
        }
        _ => {
            let outcome = sweep(a, motion_a, b, motion_b, &mut ()).outcome;
            outcome.kind().meets().then_some(outcome)
        }
    }
}

/// A turning shape that is not round.
fn turns(shape: &Shape, motion: &Motion) -> bool {
    motion.turns() && !matches!(shape, Shape::Sphere { .. })
}

/// What is no number compares as false.
#[inline(always)]
fn small(vector: DVec3) -> bool {
    (vector.x.abs() <= LARGEST_NUMBER)
        & (vector.y.abs() <= LARGEST_NUMBER)
        & (vector.z.abs() <= LARGEST_NUMBER)
}

fn usable_obb(obb: &Obb) -> bool {
    small(obb.center) & small(obb.half_extents) & obb.rotation.is_finite()
}

/// Are all numbers of two boxes usable? One look; `false` where they may be nevertheless.
#[inline(always)]
fn are_small(a: &Obb, b: &Obb) -> bool {
    let size = |obb: &Obb| {
        let turn = obb.rotation;
        let vectors = obb.center.abs() + obb.half_extents.abs();
        let turn = turn.x.abs() + turn.y.abs() + (turn.z.abs() + turn.w.abs());
        vectors.x + vectors.y + (vectors.z + turn)
    };
    size(a) + size(b) <= LARGEST_NUMBER
}

/// Is every number finite, and small enough that its fourth power is?
#[inline]
pub(super) fn usable(shape: &Placed<'_>) -> bool {
    let length = |length: f64| small(DVec3::splat(length));
    match shape {
        Placed::Sphere(sphere) => small(sphere.center) && length(sphere.radius),
        Placed::Obb(obb) => usable_obb(obb),
        Placed::Segment(segment) => small(segment.a) && small(segment.b),
        Placed::Capsule(Capsule { segment, radius }) => {
            small(segment.a) && small(segment.b) && length(*radius)
        }
        Placed::Triangle(triangle) => small(triangle.a) && small(triangle.b) && small(triangle.c),
        Placed::Plane(Plane { normal, offset }) => small(*normal) && length(*offset),
        Placed::Mesh(mesh, pose) => {
            let Aabb { min, max } = mesh.aabb();
            small(min) && small(max) && small(pose.position) && pose.rotation.is_finite()
        }
    }
}
