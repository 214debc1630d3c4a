//! The sweep of a pair once more, through the tree of spheres of its mesh.

use crate::core::bounds::{TreeSweep, sweep_tree};
use crate::core::query::Trace;
use crate::core::shape::{Motion, Shape};

/// The sweep of a pair with a mesh through that mesh's tree of spheres, of two meshes the second one's; its hit is that of
/// [`sweep`](crate::core::query::sweep). `None` for a plane and a mesh, without a mesh, and for one without a tree.
pub fn tree_sweep(
    (a, motion_a): (&Shape, &Motion),
    (b, motion_b): (&Shape, &Motion),
    trace: &mut impl Trace,
) -> Option<TreeSweep> {
    let (mesh, at, mover, from, displacement) = match (a, b) {
        (mover, Shape::Mesh(mesh)) => {
            let displacement = motion_a.displacement() - motion_b.displacement();
            (mesh, &motion_b.start, mover, &motion_a.start, displacement)
        }
        (Shape::Mesh(mesh), mover) => {
            let displacement = motion_b.displacement() - motion_a.displacement();
            (mesh, &motion_a.start, mover, &motion_b.start, displacement)
        }
        _ => return None,
    };
    if matches!(mover, Shape::Plane(_)) {
        return None;
    }
    let mover = (mover, from);
    sweep_tree(mover, displacement, (mesh, at), trace)
}
