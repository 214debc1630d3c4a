//! Dragging a point: the tip of a velocity, the end of a frame, a corner, an end of a probe line.

use super::super::Handle;
use super::{GRID_DIGITS, Grip, along_axis, on_step, sight};
use crate::app::authoring::{Snap, Tools};
use crate::app::text;
use crate::core::edit::Edit;
use crate::core::edit::transform::{self, decimals_of, rounded};
use crate::core::scene::{Object, Probe, Scene};
use glam::DVec3;

impl Grip {
    /// Another velocity, by its arrow or by where it leads.
    pub(super) fn sped(&mut self, tools: &Tools, snap: Option<Snap>, axis: bool) -> Option<Edit> {
        let speed = self.speed?;
        let by_arrow = self.handle == Handle::Velocity;
        let (place, seconds) = match by_arrow {
            true => (speed.tip, speed.seconds),
            false => (speed.end, speed.dt),
        };
        let way = self.in_plane(place, sight(&self.view))?;
        let way = if axis { along_axis(way) } else { way };
        let gridded = |from: DVec3| {
            let on = |from: f64, by: f64| match by == 0.0 {
                true => from,
                false => rounded(on_step(from + by, tools.step), GRID_DIGITS),
            };
            move |by: DVec3| DVec3::new(on(from.x, by.x), on(from.y, by.y), on(from.z, by.z))
        };
        let velocity = match (snap, by_arrow) {
            (Some(_), true) => gridded(speed.velocity)(way / seconds),
            (Some(_), false) => {
                let end = gridded(speed.end)(way);
                speed.velocity + (end - speed.end) / seconds
            }
            (None, _) => {
                let digits = decimals_of(self.fineness(place) / seconds * 0.5);
                let faster = speed.velocity + way / seconds;
                let part = |was: f64, by: f64, now: f64| match by == 0.0 {
                    true => was,
                    false => rounded(now, digits),
                };
                DVec3::new(
                    part(speed.velocity.x, way.x, faster.x),
                    part(speed.velocity.y, way.y, faster.y),
                    part(speed.velocity.z, way.z, faster.z),
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
        self.readout = text::with_unit(velocity.length(), "m/s");
        Some(Edit::Objects("Velocity of", vec![(id, object)]))
    }

    pub(super) fn reshaped(
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
            None => decimals_of(self.fineness(from) * 0.5),
        };
        let local = DVec3::from_array(local.to_array().map(|part| rounded(part, digits)));
        let object = transform::with_corner(object, index, local)?;
        self.readout = point_text(to, digits);
        Some(Edit::Objects("Reshape", vec![(id, object)]))
    }

    pub(super) fn probed(
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
        let digits = decimals_of(self.fineness(from) * 0.5).max(3);
        let offset = DVec3::from_array(offset.to_array().map(|part| rounded(part, digits)));
        *lines.get_mut(line)? = offset;
        camera.probe = Probe::Lines(lines);
        self.readout = point_text(offset, digits);
        Some(Edit::Properties(Box::new(scene)))
    }

    /// A point of the world, where the pointer has dragged it in the plane of the picture.
    fn dragged_point(
        &self,
        from: DVec3,
        tools: &Tools,
        snap: Option<Snap>,
        axis: bool,
    ) -> Option<DVec3> {
        let way = self.in_plane(from, sight(&self.view))?;
        let way = if axis { along_axis(way) } else { way };
        let part = |from: f64, by: f64| match (by == 0.0, snap) {
            (true, _) => from,
            (false, Some(_)) => on_step(from + by, tools.step),
            (false, None) => from + by,
        };
        Some(DVec3::new(
            part(from.x, way.x),
            part(from.y, way.y),
            part(from.z, way.z),
        ))
    }
}

fn point_text(at: DVec3, digits: i32) -> String {
    let [x, y, z] = at.to_array().map(|part| rounded(part, digits));
    format!("{x}, {y}, {z}")
}
