//! Rotation and scaling.

use super::super::{Handle, layout::AXIS_RING};
use super::{GRID_DIGITS, HandleDrag, distance_along, point_on_plane, round_to_step, sight};
use crate::app::authoring::{Snap, Tools};
use crate::core::edit::Edit;
use crate::core::edit::transform::{self, Rotation, decimals_of, rounded};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};

impl HandleDrag {
    pub(super) fn rotate_objects(&mut self, tools: &Tools, snap: Option<Snap>) -> Option<Edit> {
        let target = self.target.as_ref()?;
        let axis = match self.handle {
            Handle::RotateAround(axis) => target.axes[axis],
            _ => -sight(&self.view),
        };
        let free = self.angle_about(target.pivot, axis)?;
        // The equivalent angle nearest to the last one: a drag may make several turns.
        let turns = ((self.angle - free) / TAU).round();
        let angle = free + turns * TAU;
        let degrees = match snap {
            Some(_) => round_to_step(angle.to_degrees(), tools.degrees),
            None => rounded(angle.to_degrees(), 1),
        };
        let rotation = Rotation {
            by: DQuat::from_axis_angle(axis, degrees.to_radians()),
            pivot: target.pivot,
            digits: GRID_DIGITS,
        };
        let objects = self.objects();
        let objects = objects
            .map(|(id, object, pose)| (id, transform::rotated(object, &pose, &rotation, target.at)))
            .collect();
        self.angle = angle;
        self.readout = format!("{degrees}°");
        Some(Edit::Objects("Rotate", objects))
    }

    /// The angle of the pointer's movement around an axis since the start, in (-PI, PI], radians.
    fn angle_about(&self, pivot: DVec3, axis: DVec3) -> Option<f64> {
        let view = &self.view;
        if sight(view).dot(axis).abs() > 0.25 {
            let arm = |pointer| {
                let point = point_on_plane(view, pointer, pivot, axis)?;
                (point - pivot).try_normalize()
            };
            let (from, to) = (arm(self.press)?, arm(self.pointer)?);
            return Some(axis.dot(from.cross(to)).atan2(from.dot(to)));
        }
        // The ring is seen from its edge: its near side follows the pointer.
        let near = axis.cross(-sight(view)).try_normalize()?;
        let toward =
            view.project(pivot + near * self.metres_per_point(pivot))? - view.project(pivot)?;
        let points = (self.pointer - self.press).dot(toward.try_normalize()?);
        Some((points / AXIS_RING + PI).rem_euclid(TAU) - PI)
    }

    pub(super) fn scale_objects(&mut self, tools: &Tools, snap: Option<Snap>) -> Option<Edit> {
        let target = self.target.as_ref()?;
        let fine = decimals_of(self.metres_per_point(target.pivot) * 0.5);
        let (factors, shown) = match self.handle {
            Handle::ScaleAlong(axis) => {
                let at =
                    |pointer| distance_along(&self.view, pointer, target.pivot, target.axes[axis]);
                let (from, to) = (at(self.press)?, at(self.pointer)?);
                let factor = (to / from).max(0.0);
                let mut factors = DVec3::ONE;
                factors[axis] = factor;
                (factors, factor)
            }
            _ => {
                let up = self.press.y - self.pointer.y;
                let factor = (up / 100.0).exp2();
                (DVec3::splat(factor), factor)
            }
        };
        if !factors.is_finite() {
            return None;
        }
        let size = |size: f64| match snap {
            Some(_) => rounded(round_to_step(size, tools.step).max(tools.step), GRID_DIGITS),
            None => rounded(size, fine),
        };
        let objects = self
            .objects()
            .filter_map(|(id, object, _)| Some((id, transform::scaled(object, factors, size)?)));
        let objects = objects.collect();
        let snapped = if snap.is_some() {
            " (sizes snapped to grid)"
        } else {
            ""
        };
        self.readout = format!("× {}{snapped}", rounded(shown, 3));
        Some(Edit::Objects("Scale", objects))
    }
}
