//! Moving: along, across and freely; onto the grid, onto surfaces, into contact.

use super::super::{Handle, Stand};
use super::{CATCH, GRID_DIGITS, Grip, along, on_step, sight};
use crate::app::authoring::{Snap, Tools};
use crate::app::text;
use crate::core::edit::Edit;
use crate::core::edit::snapping::{first_contact, move_onto_surface};
use crate::core::edit::transform::{self, decimals_of, rounded};
use crate::core::query;
use crate::core::scene::{Movement, Object};
use glam::DVec3;

impl Grip {
    pub(super) fn moved(&mut self, tools: &Tools, snap: Option<Snap>) -> Option<Edit> {
        let stand = self.stand.as_ref()?;
        let free = self.way(stand)?;
        let fine = decimals_of(self.fineness(stand.pivot) * 0.5);
        let (by, digits) = match snap {
            None => (free, Some(fine)),
            Some(Snap::Grid) => (self.on_grid(stand, free, tools.step), Some(GRID_DIGITS)),
            Some(Snap::Contact) => match self.in_contact(free) {
                Some(by) => (by, None),
                None => (free, Some(fine)),
            },
            Some(Snap::Surface) => match self.on_surface() {
                Some(by) => (by, None),
                None => (free, Some(fine)),
            },
        };
        let objects = self.objects().map(|(id, object, _)| {
            let object = transform::moved(object, by, stand.at, digits);
            (id, object)
        });
        let objects = objects.collect();
        self.readout = match self.handle {
            Handle::MoveAlong(axis) => {
                let along = by.dot(stand.axes[axis]);
                format!(
                    "{} {}",
                    ["x", "y", "z"][axis],
                    text::with_unit(rounded(along, fine), "m")
                )
            }
            _ => text::with_unit(rounded(by.length(), fine), "m"),
        };
        Some(Edit::Objects("Move", objects))
    }

    /// How far the pointer has gone from where it gripped, along what the handle moves along, metres, world.
    fn way(&self, stand: &Stand) -> Option<DVec3> {
        let view = &self.view;
        match self.handle {
            Handle::MoveAlong(axis) => {
                let axis = stand.axes[axis];
                let at = |pointer| along(view, pointer, stand.pivot, axis);
                Some(axis * (at(self.pointer)? - at(self.press)?))
            }
            Handle::MoveAcross(axis) => self.in_plane(stand.pivot, stand.axes[axis]),
            _ => self.in_plane(stand.pivot, sight(view)),
        }
    }

    /// The move that ends on the grid: of the world, or in whole steps along an axis of one's own.
    fn on_grid(&self, stand: &Stand, free: DVec3, step: f64) -> DVec3 {
        let lead = self.objects().last();
        let from = lead.map_or(stand.pivot, |(_, object, _)| authored(object, stand.at));
        if let Handle::MoveAlong(axis) = self.handle {
            let axis = stand.axes[axis];
            if axis.abs().max_element() < 1.0 {
                return axis * on_step(free.dot(axis), step);
            }
        }
        let part = |from: f64, by: f64| match by == 0.0 {
            true => 0.0,
            false => on_step(from + by, step) - from,
        };
        DVec3::new(
            part(from.x, free.x),
            part(from.y, free.y),
            part(from.z, free.z),
        )
    }

    /// The move to where one of them first touches something in the way, or soon would.
    fn in_contact(&self, free: DVec3) -> Option<DVec3> {
        let stand = self.stand.as_ref()?;
        let (length, catch) = (free.length(), self.fineness(stand.pivot) * CATCH);
        let way = free.try_normalize()? * (length + catch);
        let touches = self.objects().filter_map(|(_, object, pose)| {
            first_contact(&object.shape, &pose, way, self.others())
        });
        Some(way * touches.min_by(f64::total_cmp)?)
    }

    /// The move onto the surface under the pointer.
    fn on_surface(&self) -> Option<DVec3> {
        let view = &self.view;
        let ray = view.ray(self.pointer, view.distance() * 1e4);
        let hits = self.others().filter_map(|other| {
            let hit = query::ray_cast(&ray, &other.1.shape, &other.2)?;
            Some((hit, other))
        });
        let (hit, other) = hits.min_by(|a, b| a.0.fraction.total_cmp(&b.0.fraction))?;
        let (_, object, pose) = self.objects().last()?;
        let middle = pose.point(object.shape.centroid());
        let surface = (hit.point, hit.normal);
        move_onto_surface(&object.shape, &pose, middle, surface, &other)
    }
}

/// Where the scene says that it is, at the frame that the playhead stands on.
fn authored(object: &Object, at: Option<u32>) -> DVec3 {
    if let Movement::Keyframes(keys) = &object.movement
        && let Some(key) = keys.iter().find(|key| Some(key.frame) == at)
    {
        return key.position;
    }
    object.pose.position
}
