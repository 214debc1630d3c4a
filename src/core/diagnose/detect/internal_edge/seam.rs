//! The seam of boxes side by side: an edge inside a flat surface, of faces that are no triangles.

use super::{EdgeContact, FLAT_COSINE, InternalEdge, Surfaces};
use crate::core::replay::ObjectId;
use crate::core::shape::{Aabb, Pose, Shape};
use glam::DVec3;

impl Surfaces<'_> {
    /// The seam of boxes side by side that a contact is on: their sides there touch, and what remains is one plane, to `step` metres.
    pub(super) fn seam(&self, contact: &EdgeContact, step: f64) -> Option<InternalEdge> {
        let of_box = |id: ObjectId, max_distance: f64| {
            let Shape::Box { half_extents } = self.objects[id as usize].shape else {
                return None;
            };
            let pose = self.pose(id)?;
            Some(box_faces(half_extents, pose, contact.point, max_distance))
        };
        let max_distance = contact.max_distance;
        let has_normal = |(face, _): (DVec3, DVec3)| face.dot(contact.normal) >= FLAT_COSINE;
        if of_box(contact.surface, max_distance)?.any(has_normal) {
            return None;
        }
        let at = Aabb {
            min: contact.point,
            max: contact.point,
        };
        let mut faces = Vec::new();
        for id in self.within(&at.grown(max_distance)) {
            let of_one = of_box(id, max_distance).into_iter().flatten();
            faces.extend(of_one.map(|(normal, on)| (id, normal, on)));
        }
        let covers = |&(one, normal, _): &(ObjectId, DVec3, DVec3)| {
            let mut others = faces.iter().filter(move |(other, ..)| *other != one);
            others.any(|(_, other, _)| other.dot(normal) <= -FLAT_COSINE)
        };
        let open: Vec<_> = faces.iter().filter(|face| !covers(face)).collect();
        let (_, face, on) = **open.first()?;
        let one_plane = |&&(_, normal, at): &&(ObjectId, DVec3, DVec3)| {
            normal.dot(face) >= FLAT_COSINE && (at - on).dot(face).abs() <= step
        };
        let boxes = |id: &ObjectId| open.iter().any(|(other, ..)| other == id);
        let is_seam = open.iter().any(|(id, ..)| *id != open[0].0) && boxes(&contact.surface);
        let along = face.dot(contact.normal);
        (is_seam && open.iter().all(one_plane) && along < FLAT_COSINE && along > 0.0).then(|| {
            let least = open.iter().map(|(_, normal, _)| normal.dot(face));
            InternalEdge {
                bend: least.fold(1.0, f64::min).acos(),
                tilt: along.acos(),
                face,
            }
        })
    }
}

/// The faces of a box within a distance of a point: outward unit normal, and a point on it; world.
fn box_faces(
    half_extents: DVec3,
    pose: Pose,
    point: DVec3,
    max_distance: f64,
) -> impl Iterator<Item = (DVec3, DVec3)> {
    let local = pose.point_to_local(point);
    let inside = (local.abs() - half_extents).cmple(DVec3::splat(max_distance));
    let sides = (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]);
    let near = sides.filter(move |&(axis, side)| {
        inside.all() && (side * local[axis] - half_extents[axis]).abs() <= max_distance
    });
    near.map(move |(axis, side)| {
        let outward = DVec3::AXES[axis] * side;
        (pose.vector(outward), pose.point(outward * half_extents))
    })
}
