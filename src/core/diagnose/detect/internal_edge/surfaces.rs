//! Spatial index of what may have internal edges.

use super::has_internal_edges;
use crate::core::diagnose::context::Context;
use crate::core::query::closest_point::closest_point_on_triangle;
use crate::core::replay::{Frame, ObjectId};
use crate::core::scene::Object;
use crate::core::shape::{Aabb, BoxTree, Pose, Shape, Triangle};
use crate::core::tolerance::SAME_SHARE;
use glam::DVec3;
use std::cell::OnceCell;

/// Spatial index of the triangles, the meshes and the boxes that nothing pushes at a frame's end.
pub(in crate::core::diagnose) struct Surfaces<'r> {
    pub(super) objects: &'r [Object],
    pub(super) frame: &'r Frame,
    /// Their boxes and numbers, ascending; built on first use.
    tree: OnceCell<(BoxTree, Vec<ObjectId>)>,
}

impl<'r> Surfaces<'r> {
    pub(in crate::core::diagnose) fn of(context: &Context<'r>, frame: &'r Frame) -> Self {
        Self {
            objects: context.replay.objects(),
            frame,
            tree: OnceCell::new(),
        }
    }

    pub(super) fn pose(&self, id: ObjectId) -> Option<Pose> {
        let body = self.frame.end.body(id)?;
        Some(body.pose).filter(Pose::is_finite)
    }

    /// Those whose boxes overlap a region, world; ascending.
    pub(super) fn within(&self, region: &Aabb) -> Vec<ObjectId> {
        let (tree, ids) = self.tree.get_or_init(|| {
            let surface = |(object, id): (&Object, ObjectId)| {
                let bounds = || object.shape.placed(&self.pose(id)?).aabb();
                has_internal_edges(object)
                    .then(bounds)?
                    .map(|bounds| (bounds, id))
            };
            let all = self.objects.iter().zip(0..).filter_map(surface);
            let finite =
                |(bounds, _): &(Aabb, ObjectId)| bounds.min.is_finite() && bounds.max.is_finite();
            let (boxes, ids): (Vec<Aabb>, _) = all.filter(finite).unzip();
            (BoxTree::new(boxes), ids)
        });
        let places = tree.all_in(&region.grown_for_rounding()).into_iter();
        places.map(|place| ids[place as usize]).collect()
    }

    /// The triangles within `max_distance` of a point, world: of the surface itself, and of whatever else does not move away.
    pub(super) fn faces_near(
        &self,
        surface: ObjectId,
        point: DVec3,
        max_distance: f64,
    ) -> Vec<Triangle> {
        let mut faces = Vec::new();
        // Transforming there and back rounds.
        let wide = |at: DVec3| {
            let at = Aabb { min: at, max: at };
            at.grown(max_distance + SAME_SHARE * at.min.abs().max_element())
        };
        for id in self.within(&wide(point)) {
            let object = &self.objects[id as usize];
            let Some(pose) = self
                .pose(id)
                .filter(|_| id == surface || !object.is_pushable())
            else {
                continue;
            };
            match &object.shape {
                Shape::Triangle(triangle) => faces.push(triangle.transformed(&pose)),
                Shape::Mesh(mesh) => {
                    mesh.for_each_in(&wide(pose.point_to_local(point)), &mut |index| {
                        faces.push(mesh.triangle(index).transformed(&pose));
                    });
                }
                _ => {}
            }
        }
        faces.retain(|face| {
            closest_point_on_triangle(point, face).0.distance(point) <= max_distance
        });
        faces
    }
}
