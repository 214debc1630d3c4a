//! Convex bodies against meshes, through the mesh's tree.

use super::super::super::shape::{Mesh, Pose};
use super::super::{Contact, Gap, SweepOutcome, Trace};
use super::Polytope;
use glam::DVec3;

/// The deepest contact with any triangle; ties go to the lowest triangle index. `triangle` is set.
pub fn contact_polytope_mesh(
    a: &Polytope,
    mesh: &Mesh,
    pose: &Pose,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let _ = (a, mesh, pose, trace);
    todo!("helper polytopes")
}

/// The earliest hit with any triangle; ties go to the lowest triangle index. `pose` is the mesh's at the start.
pub fn sweep_polytope_mesh(
    a: &Polytope,
    displacement_a: DVec3,
    mesh: &Mesh,
    pose: &Pose,
    displacement_mesh: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let _ = (a, displacement_a, mesh, pose, displacement_mesh, trace);
    todo!("helper polytopes")
}

/// The least signed distance to any triangle.
pub fn gap_polytope_mesh(a: &Polytope, mesh: &Mesh, pose: &Pose) -> Option<Gap> {
    let _ = (a, mesh, pose);
    todo!("helper polytopes")
}

/// The deepest contact of any two triangles; `triangle` is the second mesh's.
pub fn contact_mesh_mesh(
    mesh_a: &Mesh,
    pose_a: &Pose,
    mesh_b: &Mesh,
    pose_b: &Pose,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let _ = (mesh_a, pose_a, mesh_b, pose_b, trace);
    todo!("helper polytopes")
}

/// The earliest hit of any two triangles; `triangle` is the second mesh's. Poses are those at the start.
pub fn sweep_mesh_mesh(
    mesh_a: &Mesh,
    pose_a: &Pose,
    displacement_a: DVec3,
    mesh_b: &Mesh,
    pose_b: &Pose,
    displacement_b: DVec3,
    trace: &mut impl Trace,
) -> SweepOutcome {
    let _ = (
        mesh_a,
        pose_a,
        displacement_a,
        mesh_b,
        pose_b,
        displacement_b,
        trace,
    );
    todo!("helper polytopes")
}

/// The least signed distance of any two triangles.
pub fn gap_mesh_mesh(mesh_a: &Mesh, pose_a: &Pose, mesh_b: &Mesh, pose_b: &Pose) -> Option<Gap> {
    let _ = (mesh_a, pose_a, mesh_b, pose_b);
    todo!("helper polytopes")
}
