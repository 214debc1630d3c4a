//! Any two shapes: chooses the pair, in either order.

use super::capsule_pairs::{
    as_capsule, contact_capsule_any, contact_capsule_capsule, gap_capsule_any, gap_capsule_capsule,
    sweep_capsule_any, sweep_capsule_capsule,
};
use super::contact::overlaps_sphere_sphere;
use super::flat_pairs::{contact_flat, gap_flat, sweep_flat};
use super::in_range::{InRange, is_refused};
use super::plane_pairs::{contact_any_plane, gap_any_plane, sweep_any_plane};
use super::polytope::contact_obb_obb;
use super::sphere_pairs::{contact_sphere_any, gap_sphere_any, sweep_sphere_any};
use super::sweep::{meeting_sphere_mesh, meeting_sphere_sphere};
use super::tell::tell_gap;
use super::{Contact, Gap, Sweep, SweepOutcome, Trace};
use crate::core::shape::{Motion, Placed, Shape};

/// Do two shapes touch or overlap? Inclusive; true exactly where [`contact`] finds one.
pub fn overlaps(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    overlaps_traced(a, b, &mut ())
}

/// As [`overlaps`]; its steps go to `trace`.
pub fn overlaps_traced(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> bool {
    match (a, b) {
        (Placed::Sphere(a), Placed::Sphere(b)) => overlaps_sphere_sphere(a, b, trace),
        _ => contact(a, b, trace).is_some(),
    }
}

/// The deepest contact of two shapes, world space, metres, with the push that separates the first. `None` when they are apart, for
/// two planes, for what lies behind everything one-sided, and when a number is not finite or larger than
/// [`LARGEST_NUMBER`](crate::core::tolerance::LARGEST_NUMBER).
#[inline(always)]
pub fn contact(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Contact> {
    // Inlined, so that a caller who knows that both are boxes gets their code alone.
    let (Placed::Obb(a), Placed::Obb(b)) = (a, b) else {
        return contact_of_pair(a, b, trace);
    };
    contact_obb_obb(a, b, trace)
}

fn contact_of_pair(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Contact> {
    if is_refused(&[a, b], trace) {
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

/// As [`gap`]; its steps go to `trace`.
pub fn gap_traced(a: &Placed<'_>, b: &Placed<'_>, trace: &mut impl Trace) -> Option<Gap> {
    if is_refused(&[a, b], trace) {
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

/// Sweeps two shapes along their motions over one frame, world space: when they first touch, as a fraction of the frame
/// (`0 <= t < 1`).
///
/// Rotations stay as they are at the start; where a shape that is not round turns, `rotation_ignored` is true
/// ([`sweep_turning`](super::turning::sweep_turning) follows the turn). Two planes and numbers that are not finite are `Receding`;
/// of the latter the trace says `BadNumber`.
#[doc(alias = "toi")]
#[doc(alias = "ccd")]
#[doc(alias = "shape_cast")]
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
    if is_refused(&[&placed.0, &placed.1, &d, &e], trace) {
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

/// The outcome of [`sweep()`] where it is `Overlapping` or `Hits`, with the same bits; `None` otherwise. For spheres among
/// themselves and against meshes several times as fast, as misses are not measured.
pub fn meeting(a: &Shape, motion_a: &Motion, b: &Shape, motion_b: &Motion) -> Option<SweepOutcome> {
    let (d, e) = (motion_a.displacement(), motion_b.displacement());
    let placed = (a.placed(&motion_a.start), b.placed(&motion_b.start));
    let in_range = || {
        let moves = d.is_in_range() && e.is_in_range();
        moves && placed.0.is_in_range() && placed.1.is_in_range()
    };
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
