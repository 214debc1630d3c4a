//! Shapes without curved parts against each other: boxes, triangles, segments and meshes, on separating axes.
//!
//! The outer `None` of each function: one of the two is curved or unbounded, and another pair has to answer.

use super::polytope::{
    Polytope, contact_mesh_mesh, contact_polytope_mesh, contact_polytope_polytope, gap_mesh_mesh,
    gap_polytope_mesh, gap_polytope_polytope, sweep_mesh_mesh, sweep_polytope_mesh,
    sweep_polytope_polytope,
};
use super::{Contact, Gap, SweepOutcome, Trace};
use crate::core::shape::Placed;
use glam::DVec3;

/// A convex shape of flat parts; `None` for round ones, planes and meshes.
fn polytope_of(shape: &Placed<'_>) -> Option<Polytope> {
    match shape {
        Placed::Obb(obb) => Some(Polytope::from_obb(obb)),
        Placed::Triangle(triangle) => Some(Polytope::from_triangle(triangle)),
        Placed::Segment(segment) => Some(Polytope::from_segment(segment)),
        Placed::Capsule(capsule) if capsule.radius == 0.0 => {
            Some(Polytope::from_segment(&capsule.segment))
        }
        Placed::Sphere(_) | Placed::Capsule(_) | Placed::Plane(_) | Placed::Mesh(..) => None,
    }
}

/// The deepest contact of two flat shapes.
pub(crate) fn contact_flat(
    a: &Placed<'_>,
    b: &Placed<'_>,
    trace: &mut impl Trace,
) -> Option<Option<Contact>> {
    match (a, b) {
        (Placed::Mesh(mesh_a, pose_a), Placed::Mesh(mesh_b, pose_b)) => {
            Some(contact_mesh_mesh(mesh_a, pose_a, mesh_b, pose_b, trace))
        }
        (body, Placed::Mesh(mesh, pose)) => {
            let body = polytope_of(body)?;
            Some(contact_polytope_mesh(&body, mesh, pose, trace))
        }
        (Placed::Mesh(mesh, pose), body) => {
            let body = polytope_of(body)?;
            Some(contact_polytope_mesh(&body, mesh, pose, trace).map(Contact::swapped))
        }
        (a, b) => Some(contact_polytope_polytope(
            &polytope_of(a)?,
            &polytope_of(b)?,
            trace,
        )),
    }
}

/// The distance of two flat shapes.
pub(crate) fn gap_flat(
    a: &Placed<'_>,
    b: &Placed<'_>,
    trace: &mut impl Trace,
) -> Option<Option<Gap>> {
    match (a, b) {
        (Placed::Mesh(mesh_a, pose_a), Placed::Mesh(mesh_b, pose_b)) => {
            Some(gap_mesh_mesh(mesh_a, pose_a, mesh_b, pose_b, trace))
        }
        (body, Placed::Mesh(mesh, pose)) => {
            Some(gap_polytope_mesh(&polytope_of(body)?, mesh, pose, trace))
        }
        (Placed::Mesh(mesh, pose), body) => {
            Some(gap_polytope_mesh(&polytope_of(body)?, mesh, pose, trace).map(Gap::swapped))
        }
        (a, b) => Some(gap_polytope_polytope(
            &polytope_of(a)?,
            &polytope_of(b)?,
            trace,
        )),
    }
}

/// Sweeps two flat shapes that do not turn; both move by their displacement over the frame.
pub(crate) fn sweep_flat(
    a: &Placed<'_>,
    d: DVec3,
    b: &Placed<'_>,
    e: DVec3,
    trace: &mut impl Trace,
) -> Option<SweepOutcome> {
    match (a, b) {
        (Placed::Mesh(mesh_a, pose_a), Placed::Mesh(mesh_b, pose_b)) => {
            Some(sweep_mesh_mesh(mesh_a, pose_a, d, mesh_b, pose_b, e, trace))
        }
        (body, Placed::Mesh(mesh, pose)) => {
            let body = polytope_of(body)?;
            Some(sweep_polytope_mesh(&body, d, mesh, pose, e, trace))
        }
        (Placed::Mesh(mesh, pose), body) => {
            let body = polytope_of(body)?;
            Some(sweep_polytope_mesh(&body, e, mesh, pose, d, trace).swapped())
        }
        (a, b) => {
            let (a, b) = (polytope_of(a)?, polytope_of(b)?);
            Some(sweep_polytope_polytope(&a, d, &b, e, trace))
        }
    }
}
