//! Drags of handles: from the movement of the pointer to an edit of the scene.
//!
//! Each edit is computed from the state at the start of the drag, so that rounding does not accumulate, and a drag back to its
//! start changes nothing.

mod points;
mod rotate_scale;
mod translate;

use super::layout::sight;
use super::{GizmoTarget, Handle, VelocityHandle};
use crate::app::authoring::Tools;
use crate::app::viewport::ViewportInput;
use crate::app::viewport::view::View;
use crate::core::edit::Edit;
use crate::core::edit::snapping::PlacedObject;
use crate::core::replay::ObjectId;
use crate::core::scene::{Object, Scene, UserUnits};
use crate::core::shape::Pose;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// Distance within which a drag snaps to contact, points.
const SNAP_DISTANCE: f64 = 12.0;
/// Decimals of coordinates on a grid.
const GRID_DIGITS: i32 = 12;

/// Modifier keys during a drag.
#[derive(Clone, Copy, Debug, Default)]
pub struct DragModifiers {
    /// Inverts snapping.
    pub ctrl: bool,
    /// Scales the pointer's movement by a tenth.
    pub shift: bool,
    /// Restricts the drag to an axis.
    pub alt: bool,
}

/// A drag of a handle.
pub struct HandleDrag {
    /// The dragged handle.
    pub handle: Handle,
    /// Text beside the pointer, such as the distance or the angle.
    pub readout: String,
    /// True after Esc, while the button is still down.
    pub cancelled: bool,
    view: View,
    scene: Arc<Scene>,
    units: UserUnits,
    target: Option<GizmoTarget>,
    others: Vec<(ObjectId, Pose)>,
    velocity: Option<VelocityHandle>,
    /// Position of the level's camera, world, metres.
    camera: Option<DVec3>,
    /// Position at the start of the drag, points.
    press: DVec2,
    /// Start plus scaled movements, points.
    pointer: DVec2,
    /// Last position of the pointer, points.
    last: DVec2,
    /// Rotation since the start, continuous over whole turns, radians.
    angle: f64,
    last_edit: Option<Edit>,
}

impl HandleDrag {
    /// Begins a drag at a position in the viewport, points.
    pub fn new(handle: Handle, input: &ViewportInput<'_>, view: &View, at: DVec2) -> Option<Self> {
        let editing = input.editing?;
        let target = GizmoTarget::of(input);
        let selected = |id: ObjectId| input.selection.contains(id);
        let all = 0..editing.scene.objects.len() as ObjectId;
        let others = all.filter(|&id| !selected(id));
        Some(Self {
            handle,
            readout: String::new(),
            cancelled: false,
            view: *view,
            scene: Arc::clone(editing.scene),
            units: input.replay.units(),
            others: others
                .filter_map(|id| Some((id, input.pose(id)?)))
                .collect(),
            velocity: target
                .as_ref()
                .and_then(|target| VelocityHandle::of(input, view, target)),
            target,
            camera: input.camera().map(|pose| pose.position),
            press: at,
            pointer: at,
            last: at,
            angle: 0.0,
            last_edit: None,
        })
    }

    /// Returns true if the drag has changed the scene.
    pub fn has_changed(&self) -> bool {
        self.last_edit.is_some()
    }

    /// Moves the pointer; returns the edit of the scene, unless it equals the last one.
    pub fn move_to(&mut self, at: DVec2, tools: &Tools, modifiers: DragModifiers) -> Option<Edit> {
        let step = (at - self.last) * if modifiers.shift { 0.1 } else { 1.0 };
        (self.last, self.pointer) = (at, self.pointer + step);
        let snap = tools.snaps(modifiers.ctrl);
        let edit = match self.handle {
            Handle::MoveAlong(_) | Handle::MoveAcross(_) | Handle::MoveFreely => {
                self.move_objects(tools, snap)
            }
            Handle::RotateAround(_) | Handle::RotateInView => self.rotate_objects(tools, snap),
            Handle::ScaleAlong(_) | Handle::ScaleUniformly => self.scale_objects(tools, snap),
            Handle::Velocity | Handle::EndOfFrame => self.set_velocity(tools, snap, modifiers.alt),
            Handle::Corner(index) => self.move_corner(index, tools, snap, modifiers.alt),
            Handle::ProbeEnd(line, first) => {
                self.move_probe_end((line, first), tools, snap, modifiers.alt)
            }
        }?;
        // A press without movement makes no undo step.
        let unmoved = self.last_edit.is_none() && self.pointer == self.press;
        if unmoved || self.last_edit.as_ref() == Some(&edit) {
            return None;
        }
        self.last_edit = Some(edit.clone());
        Some(edit)
    }

    fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object, Pose)> {
        let target = self.target.iter();
        target.flat_map(|target| {
            let both = target.ids.iter().zip(&target.shown);
            both.map(|(&id, &pose)| (id, &self.scene.objects[id as usize], pose))
        })
    }

    fn others(&self) -> impl Iterator<Item = PlacedObject<'_>> + Clone {
        let others = self.others.iter();
        others.map(|&(id, pose)| (id, &self.scene.objects[id as usize], pose))
    }

    /// Metres that one point of the screen covers at a world point.
    fn metres_per_point(&self, at: DVec3) -> f64 {
        self.view.metres_per_point(at)
    }

    /// The displacement since the start in a plane through a point, world, metres.
    fn displacement_in_plane(&self, point: DVec3, normal: DVec3) -> Option<DVec3> {
        let at = |pointer| point_on_plane(&self.view, pointer, point, normal);
        let displacement = at(self.pointer)? - at(self.press)?;
        // Exactly zero along the normal of a plane of two world axes.
        let clean = |part: f64, normal: f64| if normal.abs() == 1.0 { 0.0 } else { part };
        Some(DVec3::new(
            clean(displacement.x, normal.x),
            clean(displacement.y, normal.y),
            clean(displacement.z, normal.z),
        ))
    }
}

/// The nearest multiple of a step.
fn round_to_step(value: f64, step: f64) -> f64 {
    (value / step).round() * step
}

/// The largest component of a vector, as a vector.
fn largest_component(vector: DVec3) -> DVec3 {
    let size = vector.abs();
    let most = size.max_element();
    let keep = |part: f64| if part.abs() == most { part } else { 0.0 };
    DVec3::new(keep(vector.x), keep(vector.y), keep(vector.z))
}

/// The position of the pointer along an axis through a point, metres: the point of the axis closest to the ray under the pointer.
/// `None` where the two are nearly parallel.
fn distance_along(view: &View, pointer: DVec2, origin: DVec3, axis: DVec3) -> Option<f64> {
    let ray = view.ray(pointer, view.distance());
    let sight = (ray.b - ray.a).try_normalize()?;
    // Closest points of two lines (Ericson 2005, section 5.1.8).
    let (between, cosine) = (origin - ray.a, axis.dot(sight));
    let square = 1.0 - cosine * cosine;
    if square < 1e-3 {
        return None;
    }
    let t = (cosine * sight.dot(between) - axis.dot(between)) / square;
    t.is_finite().then_some(t)
}

/// The point under the pointer of a plane through `origin`; `None` where the plane is seen from its edge or is behind the eye.
fn point_on_plane(view: &View, pointer: DVec2, origin: DVec3, normal: DVec3) -> Option<DVec3> {
    let ray = view.ray(pointer, view.distance());
    let sight = (ray.b - ray.a).try_normalize()?;
    let slope = sight.dot(normal);
    if slope.abs() < 0.02 {
        return None;
    }
    let t = (origin - ray.a).dot(normal) / slope;
    let at = ray.a + sight * t;
    (t > 0.0 && at.is_finite()).then_some(at)
}
