//! Cheap hulls: boxes and spheres around shapes and around whole motions.

use super::shape::{Aabb, Motion, Shape, Sphere};

/// The box around a shape over a whole motion, rotation included; `None` for a plane, which has no bounds.
pub fn swept_aabb(shape: &Shape, motion: &Motion) -> Option<Aabb> {
    let _ = (shape, motion);
    todo!("helper query")
}

/// A sphere around a shape, in the shape's local space; `None` for a plane.
///
/// Its centre is the local origin wherever that is no looser, so that rotation does not move it.
pub fn bounding_sphere(shape: &Shape) -> Option<Sphere> {
    let _ = shape;
    todo!("helper query")
}
