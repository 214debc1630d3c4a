//! Turning and scaling.

use super::super::Handle;
use super::{GRID_DIGITS, Grip, across, along, on_step, sight};
use crate::app::authoring::{Snap, Tools};
use crate::core::edit::Edit;
use crate::core::edit::transform::{self, Rotation, decimals_of, rounded};
use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};

impl Grip {
    pub(super) fn turned(&mut self, tools: &Tools, snap: Option<Snap>) -> Option<Edit> {
        let stand = self.stand.as_ref()?;
        let axis = match self.handle {
            Handle::TurnAround(axis) => stand.axes[axis],
            _ => -sight(&self.view),
        };
        let free = self.turn_about(stand.pivot, axis)?;
        // The nearest to the angle before: a drag may go around more than once.
        let turns = ((self.angle - free) / TAU).round();
        let angle = free + turns * TAU;
        let degrees = match snap {
            Some(_) => on_step(angle.to_degrees(), tools.degrees),
            None => rounded(angle.to_degrees(), 1),
        };
        let turn = Rotation {
            by: DQuat::from_axis_angle(axis, degrees.to_radians()),
            pivot: stand.pivot,
            digits: GRID_DIGITS,
        };
        let objects = self.objects();
        let objects = objects
            .map(|(id, object, pose)| (id, transform::rotated(object, &pose, &turn, stand.at)))
            .collect();
        self.angle = angle;
        self.readout = format!("{degrees}°");
        Some(Edit::Objects("Turn", objects))
    }

    /// The angle that the pointer has gone around an axis, in (-PI, PI], radians.
    fn turn_about(&self, pivot: DVec3, axis: DVec3) -> Option<f64> {
        let view = &self.view;
        if sight(view).dot(axis).abs() > 0.25 {
            let arm = |pointer| {
                let place = across(view, pointer, pivot, axis)?;
                (place - pivot).try_normalize()
            };
            let (from, to) = (arm(self.press)?, arm(self.pointer)?);
            return Some(axis.dot(from.cross(to)).atan2(from.dot(to)));
        }
        // Seen from its edge: as a wheel under the hand, its near side follows.
        let near = axis.cross(-sight(view)).try_normalize()?;
        let toward = view.project(pivot + near * self.fineness(pivot))? - view.project(pivot)?;
        let points = (self.pointer - self.press).dot(toward.try_normalize()?);
        Some((points / 74.0 + PI).rem_euclid(TAU) - PI)
    }

    pub(super) fn scaled(&mut self, tools: &Tools, snap: Option<Snap>) -> Option<Edit> {
        let stand = self.stand.as_ref()?;
        let fine = decimals_of(self.fineness(stand.pivot) * 0.5);
        let (factors, shown) = match self.handle {
            Handle::ScaleAlong(axis) => {
                let at = |pointer| along(&self.view, pointer, stand.pivot, stand.axes[axis]);
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
            Some(_) => rounded(on_step(size, tools.step).max(tools.step), GRID_DIGITS),
            None => rounded(size, fine),
        };
        let objects = self
            .objects()
            .filter_map(|(id, object, _)| Some((id, transform::scaled(object, factors, size)?)));
        let objects = objects.collect();
        let on_grid = if snap.is_some() {
            ", sizes on the grid"
        } else {
            ""
        };
        self.readout = format!("× {}{on_grid}", rounded(shown, 3));
        Some(Edit::Objects("Scale", objects))
    }
}
