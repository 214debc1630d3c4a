//! Drags of points: the tip of a velocity, the position at the frame's end, a corner, an end of a probe line.

use super::super::Handle;
use super::{GRID_DIGITS, HandleDrag, largest_component, round_to_step, sight};
use crate::app::authoring::{Snap, Tools};
use crate::core::edit::Edit;
use crate::core::edit::transform::{self, decimals_of, rounded};
use crate::core::scene::{Object, Probe, Scene};
use glam::DVec3;

impl HandleDrag {
    /// Sets the velocity, by its arrow or by the position at the frame's end.
    pub(super) fn set_velocity(
        &mut self,
        tools: &Tools,
        snap: Option<Snap>,
        axis: bool,
    ) -> Option<Edit> {
        let handle = self.velocity?;
        let by_arrow = self.handle == Handle::Velocity;
        let (point, seconds) = match by_arrow {
            true => (handle.tip, handle.seconds),
            false => (handle.end, handle.dt),
        };
        let by = self.displacement_in_plane(point, sight(&self.view))?;
        let by = if axis { largest_component(by) } else { by };
        let snapped = |from: DVec3| {
            let on = |from: f64, by: f64| match by == 0.0 {
                true => from,
                false => rounded(round_to_step(from + by, tools.step), GRID_DIGITS),
            };
            move |by: DVec3| DVec3::new(on(from.x, by.x), on(from.y, by.y), on(from.z, by.z))
        };
        let velocity = match (snap, by_arrow) {
            (Some(_), true) => snapped(handle.velocity)(by / seconds),
            (Some(_), false) => {
                let end = snapped(handle.end)(by);
                handle.velocity + (end - handle.end) / seconds
            }
            (None, _) => {
                let digits = decimals_of(self.metres_per_point(point) / seconds * 0.5);
                let (before, after) = (handle.velocity, handle.velocity + by / seconds);
                let part = |before: f64, by: f64, after: f64| match by == 0.0 {
                    true => before,
                    false => rounded(after, digits),
                };
                DVec3::new(
                    part(before.x, by.x, after.x),
                    part(before.y, by.y, after.y),
                    part(before.z, by.z, after.z),
                )
            }
        };
        if !velocity.is_finite() {
            return None;
        }
        let (id, object, _) = self.objects().next()?;
        let object = Object {
            velocity,
            ..object.clone()
        };
        self.readout = self.units.speed(velocity.length());
        Some(Edit::Objects("Velocity of", vec![(id, object)]))
    }

    pub(super) fn move_corner(
        &mut self,
        index: usize,
        tools: &Tools,
        snap: Option<Snap>,
        axis: bool,
    ) -> Option<Edit> {
        let (id, object, pose) = self.objects().next()?;
        let from = pose.point(*transform::corners(object).get(index)?);
        let to = self.dragged_point(from, tools, snap, axis)?;
        let local = pose.point_to_local(to);
        let digits = match snap {
            Some(_) => GRID_DIGITS,
            None => decimals_of(self.metres_per_point(from) * 0.5),
        };
        let local = DVec3::from_array(local.to_array().map(|part| rounded(part, digits)));
        let object = transform::with_corner(object, index, local)?;
        self.readout = self.point_text(to, digits);
        Some(Edit::Objects("Reshape", vec![(id, object)]))
    }

    pub(super) fn move_probe_end(
        &mut self,
        (line, first): (usize, bool),
        tools: &Tools,
        snap: Option<Snap>,
        axis: bool,
    ) -> Option<Edit> {
        let mut scene = Scene::clone(&self.scene);
        let camera = scene.camera.as_mut()?;
        let mut lines = camera.probe.lines().to_vec();
        let sign = if first { 1.0 } else { -1.0 };
        let at = self.camera?;
        let from = at + *lines.get(line)? * sign;
        let offset = (self.dragged_point(from, tools, snap, axis)? - at) * sign;
        let digits = decimals_of(self.metres_per_point(from) * 0.5).max(3);
        let offset = DVec3::from_array(offset.to_array().map(|part| rounded(part, digits)));
        *lines.get_mut(line)? = offset;
        camera.probe = Probe::Lines(lines);
        self.readout = self.point_text(offset, digits);
        Some(Edit::Properties(Box::new(scene)))
    }

    fn point_text(&self, at: DVec3, digits: i32) -> String {
        self.units.point(at.map(|part| rounded(part, digits)))
    }

    /// A world point after the drag in the view plane.
    fn dragged_point(
        &self,
        from: DVec3,
        tools: &Tools,
        snap: Option<Snap>,
        axis: bool,
    ) -> Option<DVec3> {
        let by = self.displacement_in_plane(from, sight(&self.view))?;
        let by = if axis { largest_component(by) } else { by };
        let part = |from: f64, by: f64| match (by == 0.0, snap) {
            (true, _) => from,
            (false, Some(_)) => round_to_step(from + by, tools.step),
            (false, None) => from + by,
        };
        Some(DVec3::new(
            part(from.x, by.x),
            part(from.y, by.y),
            part(from.z, by.z),
        ))
    }
}
