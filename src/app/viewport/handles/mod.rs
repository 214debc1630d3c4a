//! The handles in the viewport: arrows, rings and knobs that move, rotate and scale the selection, and knobs for its velocity, its
//! position at the frame's end, its corners, and the ends of probe lines.
//!
//! The crate `transform-gizmo` is not used: 0.9, the last version that this compiler builds, needs a second glam and a second
//! epaint, works in its own space, and has only its own handles. Here every handle is a widget with a name, all use the same drag
//! code, and numbers stay `f64`.

mod drag;
mod interaction;
mod layout;
mod paint;

pub use drag::HandleDrag;
pub use interaction::interact;
pub use paint::paint;

use crate::app::authoring::Tools;
use crate::app::viewport::ViewportInput;
use crate::app::viewport::view::View;
use crate::core::edit::transform;
use crate::core::replay::ObjectId;
use crate::core::scene::{Movement, Object, Scene};
use crate::core::shape::Pose;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// The scene that the handles change, and the tools; absent for a recording.
#[derive(Clone, Copy)]
pub struct Editing<'a> {
    /// The current scene.
    pub scene: &'a Arc<Scene>,
    /// The settings of the tools.
    pub tools: &'a Tools,
}

/// A handle. Axes are numbered 0, 1, 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Handle {
    /// Moves along an axis.
    MoveAlong(usize),
    /// Moves in the plane perpendicular to an axis.
    MoveAcross(usize),
    /// Moves in the view plane, or onto surfaces.
    MoveFreely,
    /// Rotates around an axis.
    RotateAround(usize),
    /// Rotates around the line of sight.
    RotateInView,
    /// Scales along a local axis.
    ScaleAlong(usize),
    /// Scales all dimensions.
    ScaleUniformly,
    /// Sets the velocity by the tip of its arrow.
    Velocity,
    /// Sets the velocity by the position at the frame's end.
    EndOfFrame,
    /// Moves a corner of the shape.
    Corner(usize),
    /// Moves an end of a line of the camera's probe; true for the first end.
    ProbeEnd(usize, bool),
}

impl Handle {
    /// The name of the handle and its tooltip.
    pub fn name_and_help(self) -> (String, &'static str) {
        let axis = |i: usize| ["x", "y", "z"][i.min(2)];
        match self {
            Self::MoveAlong(i) => (
                format!("Move along {}", axis(i)),
                "Drag to move along the axis. Ctrl: snap, Shift: fine, Esc: cancel",
            ),
            Self::MoveAcross(i) => (
                format!("Move across {}", axis(i)),
                "Drag to move in this plane. Ctrl: snap, Shift: fine, Esc: cancel",
            ),
            Self::MoveFreely => (
                "Move freely".to_owned(),
                "Drag to move in the view plane, or onto surfaces when snapping to them",
            ),
            Self::RotateAround(i) => (
                format!("Rotate around {}", axis(i)),
                "Drag to rotate. Ctrl: snap to steps, Shift: fine, Esc: cancel",
            ),
            Self::RotateInView => (
                "Rotate in view plane".to_owned(),
                "Drag to rotate around the line of sight",
            ),
            Self::ScaleAlong(i) => (
                format!("Scale along {}", axis(i)),
                "Drag to scale along this local axis",
            ),
            Self::ScaleUniformly => (
                "Scale uniformly".to_owned(),
                "Drag up or down to scale all dimensions",
            ),
            Self::Velocity => (
                "Velocity".to_owned(),
                "Drag to change the velocity. Alt: along one axis",
            ),
            Self::EndOfFrame => (
                "End of the frame".to_owned(),
                "Drag to set the velocity by the position at the frame's end",
            ),
            Self::Corner(i) => (
                format!("Corner {}", i + 1),
                "Drag to move this corner. Alt: along one axis",
            ),
            Self::ProbeEnd(line, first) => (
                format!(
                    "{} of probe line {}",
                    if first { "Start" } else { "End" },
                    line + 1
                ),
                "Drag to move this end; the other end stays opposite",
            ),
        }
    }
}

/// The selected objects and the pivot and axes of their handles.
pub struct GizmoTarget {
    /// The selected objects.
    pub ids: Vec<ObjectId>,
    /// Their poses at the playhead.
    pub shown: Vec<Pose>,
    /// Mean of their centres, world, metres.
    pub pivot: DVec3,
    /// Axes of the tool, unit, world.
    pub axes: [DVec3; 3],
    /// The frame whose start the playhead is at.
    pub at: Option<u32>,
}

impl GizmoTarget {
    /// The target for the selection; `None` when no object of the scene is selected and visible.
    pub fn of(input: &ViewportInput<'_>) -> Option<Self> {
        let editing = input.editing.filter(|_| input.walk.is_none())?;
        let visible = input.selection.objects().iter().filter_map(|&id| {
            editing.scene.objects.get(id as usize)?;
            Some((id, input.pose(id)?))
        });
        let (ids, shown): (Vec<_>, Vec<Pose>) = visible.unzip();
        let last = *shown.last()?;
        let objects = &editing.scene.objects;
        let centers = ids.iter().zip(&shown).map(|(&id, pose)| {
            let shape = &objects[id as usize].shape;
            pose.point(shape.centroid())
        });
        let pivot = centers.sum::<DVec3>() / ids.len() as f64;
        let at = match input.playhead.fraction {
            0.0 => Some(input.playhead.frame),
            1.0 => Some(input.playhead.frame + 1),
            _ => None,
        };
        let local = editing.tools.local || editing.tools.tool == crate::app::authoring::Tool::Scale;
        pivot.is_finite().then(|| Self {
            axes: match local {
                true => transform::axes(&last),
                false => input.replay.units().axes(),
            },
            ids,
            shown,
            pivot,
            at,
        })
    }

    /// The selected object, if it is a single one.
    pub fn only<'s>(&self, scene: &'s Scene) -> Option<(ObjectId, &'s Object, Pose)> {
        match (&self.ids[..], &self.shown[..]) {
            (&[id], &[pose]) => Some((id, scene.objects.get(id as usize)?, pose)),
            _ => None,
        }
    }
}

/// The velocity handle of an object. Positions are in the world, metres.
#[derive(Clone, Copy, Debug)]
pub struct VelocityHandle {
    /// The object's centre at the frame's start.
    pub base: DVec3,
    /// The velocity, metres per second.
    pub velocity: DVec3,
    /// The object's centre at the frame's end without a collision.
    pub end: DVec3,
    /// The object's pose at the frame's end without a collision.
    pub end_pose: Pose,
    /// Length of the frame, seconds.
    pub dt: f64,
    /// Time over which the arrow is the displacement, seconds.
    pub seconds: f64,
    /// The arrow's tip; beside an object at rest.
    pub tip: DVec3,
}

/// Least length of a velocity's arrow, points.
const ARROW: f64 = 60.0;

impl VelocityHandle {
    /// The handle of the single selected object; `None` for an object that its velocity does not move, and where its velocity at the
    /// shown frame differs from the scene's.
    pub fn of(input: &ViewportInput<'_>, view: &View, target: &GizmoTarget) -> Option<Self> {
        let scene = input.editing?.scene;
        let (id, object, _) = target.only(scene)?;
        if !matches!(object.movement, Movement::Velocity | Movement::Kinematic) {
            return None;
        }
        let body = input.frame.start.body(id)?;
        if body.velocity != Some(object.velocity) {
            return None;
        }
        let center = object.shape.centroid();
        let base = body.pose.point(center);
        let dt = input.frame.dt;
        let segments = input.frame.segments(id);
        let displacement = segments.first().map_or(object.velocity * dt, |segment| {
            let fraction = segment.to - segment.from;
            segment.motion.displacement() / if fraction > 0.0 { fraction } else { 1.0 }
        });
        let end_pose = Pose {
            position: body.pose.position + displacement,
            rotation: body.pose.rotation,
        };
        let scale = view.metres_per_point(base);
        let points = object.velocity.length() * dt / scale;
        let (seconds, tip) = if points > 1e-9 {
            let tens = (ARROW / points).log10().ceil().max(0.0) as i32;
            let seconds = dt * 10_f64.powi(tens);
            (seconds, base + object.velocity * seconds)
        } else {
            // At rest: 1 m/s is an arrow of 100 points.
            let beside = view.axes() * DVec3::new(0.8, 0.6, 0.0) * (scale * ARROW * 0.5);
            (scale * 100.0, base + beside)
        };
        let handle = Self {
            base,
            velocity: object.velocity,
            end: base + displacement,
            end_pose,
            dt,
            seconds,
            tip,
        };
        (dt > 0.0 && handle.tip.is_finite() && handle.end.is_finite()).then_some(handle)
    }
}

/// The layout of a handle, in points from the viewport's corner.
pub struct HandleLayout {
    /// The handle.
    pub handle: Handle,
    /// Centre of its widget.
    pub anchor: DVec2,
    /// The line that can be dragged besides the widget; empty for a knob.
    pub line: Vec<DVec2>,
}

/// Distance from a line within which it can be dragged, points.
const PICK_RADIUS: f64 = 6.0;

/// The nearest handle within the pick radius of the pointer; anchors count as nearer than lines.
pub fn handle_at(layouts: &[HandleLayout], at: DVec2) -> Option<Handle> {
    let distance = |layout: &HandleLayout| {
        let anchor = (layout.anchor - at).length() - PICK_RADIUS;
        let line = layout.line.windows(2).map(|ends| {
            let (a, along) = (ends[0], ends[1] - ends[0]);
            let square = along.length_squared().max(1e-12);
            let fraction = ((at - a).dot(along) / square).clamp(0.0, 1.0);
            (a + along * fraction - at).length()
        });
        line.fold(anchor, f64::min)
    };
    let near = layouts
        .iter()
        .map(|layout| (layout.handle, distance(layout)));
    near.filter(|(_, distance)| *distance <= PICK_RADIUS)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(handle, _)| handle)
}
