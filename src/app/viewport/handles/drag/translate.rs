//! Translation along an axis, in a plane and freely; snapping to the grid, to surfaces and to contact.

use super::super::{GizmoTarget, Handle};
use super::{GRID_DIGITS, HandleDrag, SNAP_DISTANCE, distance_along, round_to_step, sight};
use crate::app::authoring::{Snap, Tools};
use crate::core::edit::Edit;
use crate::core::edit::snapping::{first_contact, move_onto_surface};
use crate::core::edit::transform::{self, decimals_of, rounded};
use crate::core::query;
use crate::core::scene::{Movement, Object};
use glam::DVec3;

impl HandleDrag {
    pub(super) fn move_objects(&mut self, tools: &Tools, snap: Option<Snap>) -> Option<Edit> {
        let target = self.target.as_ref()?;
        let free = self.free_displacement(target)?;
        let fine = decimals_of(self.metres_per_point(target.pivot) * 0.5);
        let (by, digits) = match snap {
            None => (free, Some(fine)),
            Some(Snap::Grid) => (self.to_grid(target, free, tools.step), Some(GRID_DIGITS)),
            Some(Snap::Contact) => match self.to_contact(free) {
                Some(by) => (by, None),
                None => (free, Some(fine)),
            },
            Some(Snap::Surface) => match self.to_surface() {
                Some(by) => (by, None),
                None => (free, Some(fine)),
            },
        };
        let objects = self.objects().map(|(id, object, _)| {
            let object = transform::moved(object, by, target.at, digits);
            (id, object)
        });
        let objects = objects.collect();
        self.readout = match self.handle {
            Handle::MoveAlong(axis) => {
                let along = by.dot(target.axes[axis]);
                format!(
                    "{} {}",
                    ["x", "y", "z"][axis],
                    self.units.text(rounded(along, fine), "m")
                )
            }
            _ => self.units.text(rounded(by.length(), fine), "m"),
        };
        Some(Edit::Objects("Move", objects))
    }

    /// The displacement of the pointer since the start along the handle's axis or plane, world, metres.
    fn free_displacement(&self, target: &GizmoTarget) -> Option<DVec3> {
        let view = &self.view;
        match self.handle {
            Handle::MoveAlong(axis) => {
                let axis = target.axes[axis];
                let at = |pointer| distance_along(view, pointer, target.pivot, axis);
                Some(axis * (at(self.pointer)? - at(self.press)?))
            }
            Handle::MoveAcross(axis) => self.displacement_in_plane(target.pivot, target.axes[axis]),
            _ => self.displacement_in_plane(target.pivot, sight(view)),
        }
    }

    /// The displacement that ends on the world grid, or in whole steps along a local axis.
    fn to_grid(&self, target: &GizmoTarget, free: DVec3, step: f64) -> DVec3 {
        let last = self.objects().last();
        let from = last.map_or(target.pivot, |(_, object, _)| {
            scene_position(object, target.at)
        });
        if let Handle::MoveAlong(axis) = self.handle {
            let axis = target.axes[axis];
            if axis.abs().max_element() < 1.0 {
                return axis * round_to_step(free.dot(axis), step);
            }
        }
        let part = |from: f64, by: f64| match by == 0.0 {
            true => 0.0,
            false => round_to_step(from + by, step) - from,
        };
        DVec3::new(
            part(from.x, free.x),
            part(from.y, free.y),
            part(from.z, free.z),
        )
    }

    /// The displacement to the first contact within the drag or the snap distance beyond it.
    fn to_contact(&self, free: DVec3) -> Option<DVec3> {
        let target = self.target.as_ref()?;
        let snap_distance = self.metres_per_point(target.pivot) * SNAP_DISTANCE;
        let displacement = free.try_normalize()? * (free.length() + snap_distance);
        let touches = self.objects().filter_map(|(_, object, pose)| {
            first_contact(&object.shape, &pose, displacement, self.others())
        });
        Some(displacement * touches.min_by(f64::total_cmp)?)
    }

    /// The displacement onto the surface under the pointer.
    fn to_surface(&self) -> Option<DVec3> {
        let view = &self.view;
        let ray = view.ray(self.pointer, view.distance() * 1e4);
        let hits = self.others().filter_map(|other| {
            let hit = query::ray_cast(&ray, &other.1.shape, &other.2)?;
            Some((hit, other))
        });
        let (hit, other) = hits.min_by(|a, b| a.0.fraction.total_cmp(&b.0.fraction))?;
        let (_, object, pose) = self.objects().last()?;
        let center = pose.point(object.shape.centroid());
        let surface = (hit.point, hit.normal);
        move_onto_surface(&object.shape, &pose, center, surface, &other)
    }
}

/// An object's position in the scene: that of its keyframe at frame `at`, else of its start pose.
fn scene_position(object: &Object, at: Option<u32>) -> DVec3 {
    if let Movement::Keyframes(keys) = &object.movement
        && let Some(key) = keys.iter().find(|key| Some(key.frame) == at)
    {
        return key.position;
    }
    object.pose.position
}
