//! What can be gripped in the picture: arrows, rings and knobs that move, turn and scale what is selected, the tip of its velocity,
//! its end of the frame, its corners, the ends of probe lines.
//!
//! Written here and not taken from a crate: `transform-gizmo` 0.9, the last that this compiler builds, brings a second glam and a
//! second epaint, works in a space of its own, and has no handle but its own; here every handle is a widget with a name, one set
//! of drags serves them all, and numbers stay `f64` to the last bit.

mod drag;
mod hands;
mod lay;
mod paint;

pub use drag::Grip;
pub use hands::work;
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

/// The scene that the picture's handles change; there is none of a recording, or on a walk.
#[derive(Clone, Copy)]
pub struct Editing<'a> {
    /// As it stands.
    pub scene: &'a Arc<Scene>,
    /// What a drag does.
    pub tools: &'a Tools,
}

/// One thing to grip. Axes are numbered 0, 1, 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Handle {
    /// Along an axis.
    MoveAlong(usize),
    /// In the plane across an axis.
    MoveAcross(usize),
    /// In the plane of the picture; onto surfaces.
    MoveFreely,
    /// Around an axis.
    TurnAround(usize),
    /// Around the line of sight.
    TurnFacing,
    /// One of its own axes longer or shorter.
    ScaleAlong(usize),
    /// All of it larger or smaller.
    ScaleEvenly,
    /// The tip of the velocity's arrow.
    Velocity,
    /// Where it would be at the frame's end.
    EndOfFrame,
    /// One of its corners.
    Corner(usize),
    /// An end of a line of the camera's probe; the first end or the other.
    ProbeEnd(usize, bool),
}

impl Handle {
    /// What it is called and what it is for.
    pub fn words(self) -> (String, &'static str) {
        let axis = |i: usize| ["x", "y", "z"][i.min(2)];
        match self {
            Self::MoveAlong(i) => (
                format!("Move along {}", axis(i)),
                "Drag: Ctrl snaps, Shift is fine, Esc takes it back",
            ),
            Self::MoveAcross(i) => (
                format!("Move across {}", axis(i)),
                "Drag it in this plane: Ctrl snaps, Shift is fine, Esc takes it back",
            ),
            Self::MoveFreely => (
                "Move freely".to_owned(),
                "Drag it in the plane of the picture, or onto surfaces where it snaps to them",
            ),
            Self::TurnAround(i) => (
                format!("Turn around {}", axis(i)),
                "Drag: Ctrl turns in steps, Shift is fine, Esc takes it back",
            ),
            Self::TurnFacing => (
                "Turn in the picture".to_owned(),
                "Drag around the line of sight",
            ),
            Self::ScaleAlong(i) => (
                format!("Scale along {}", axis(i)),
                "Drag: its own size along this axis",
            ),
            Self::ScaleEvenly => ("Scale evenly".to_owned(), "Drag up or down: all its sizes"),
            Self::Velocity => (
                "Velocity".to_owned(),
                "Drag the tip of the arrow: Alt keeps it along an axis",
            ),
            Self::EndOfFrame => (
                "End of the frame".to_owned(),
                "Drag where it would be at the frame's end: the velocity follows",
            ),
            Self::Corner(i) => (
                format!("Corner {}", i + 1),
                "Drag this corner: Alt keeps it along an axis",
            ),
            Self::ProbeEnd(line, first) => (
                format!(
                    "{} of probe line {}",
                    if first { "Start" } else { "End" },
                    line + 1
                ),
                "Drag this end: the other stays opposite to it",
            ),
        }
    }
}

/// What is selected, as it is seen, with what its handles are laid around.
pub struct Stand {
    /// Who.
    pub ids: Vec<ObjectId>,
    /// Where each is seen.
    pub shown: Vec<Pose>,
    /// Between their middles, metres, world.
    pub pivot: DVec3,
    /// The axes that the tool works along, unit, world.
    pub axes: [DVec3; 3],
    /// The frame whose start the playhead stands on.
    pub at: Option<u32>,
}

impl Stand {
    /// `None` when nothing that the scene has is selected and seen.
    pub fn of(input: &ViewportInput<'_>) -> Option<Self> {
        let editing = input.editing.filter(|_| input.walk.is_none())?;
        let seen = input.selection.objects().iter().filter_map(|&id| {
            editing.scene.objects.get(id as usize)?;
            Some((id, input.pose(id)?))
        });
        let (ids, shown): (Vec<_>, Vec<Pose>) = seen.unzip();
        let last = *shown.last()?;
        let objects = &editing.scene.objects;
        let middles = ids.iter().zip(&shown).map(|(&id, pose)| {
            let shape = &objects[id as usize].shape;
            pose.point(shape.centroid())
        });
        let pivot = middles.sum::<DVec3>() / ids.len() as f64;
        let at = match input.playhead.fraction {
            0.0 => Some(input.playhead.frame),
            1.0 => Some(input.playhead.frame + 1),
            _ => None,
        };
        let own = editing.tools.local || editing.tools.tool == crate::app::authoring::Tool::Scale;
        pivot.is_finite().then(|| Self {
            axes: transform::axes(own, &last),
            ids,
            shown,
            pivot,
            at,
        })
    }

    /// The one that is selected, if it is one.
    pub fn only<'s>(&self, scene: &'s Scene) -> Option<(ObjectId, &'s Object, Pose)> {
        match (&self.ids[..], &self.shown[..]) {
            (&[id], &[pose]) => Some((id, scene.objects.get(id as usize)?, pose)),
            _ => None,
        }
    }
}

/// The velocity of an object as it can be dragged.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Where the object's middle stands at the frame's start, metres.
    pub base: DVec3,
    /// Metres per second.
    pub velocity: DVec3,
    /// Where its middle would be at the frame's end, metres.
    pub end: DVec3,
    /// The pose then.
    pub end_pose: Pose,
    /// Of the frame, seconds.
    pub dt: f64,
    /// The arrow is as long as the way of so many seconds.
    pub seconds: f64,
    /// Where the arrow ends; a little beside an object that stands still, metres.
    pub tip: DVec3,
}

/// The shortest arrow of a velocity, points.
const ARROW: f64 = 60.0;

impl Speed {
    /// `None` for what is not moved by its velocity, or is not any more at the shown frame what the scene says.
    pub fn of(input: &ViewportInput<'_>, view: &View, stand: &Stand) -> Option<Self> {
        let scene = input.editing?.scene;
        let (id, object, _) = stand.only(scene)?;
        if !matches!(object.movement, Movement::Velocity | Movement::Kinematic) {
            return None;
        }
        let body = (*input.frame.start.bodies.get(id as usize)?)?;
        if body.velocity != Some(object.velocity) {
            return None;
        }
        let middle = object.shape.centroid();
        let base = body.pose.point(middle);
        let dt = input.frame.dt;
        let leg = input
            .frame
            .segments
            .get(id as usize)
            .and_then(|legs| legs.first());
        let travel = leg.map_or(object.velocity * dt, |leg| {
            let share = leg.to - leg.from;
            leg.motion.displacement() / if share > 0.0 { share } else { 1.0 }
        });
        let end_pose = Pose {
            position: body.pose.position + travel,
            rotation: body.pose.rotation,
        };
        let scale = view.metres_per_point(base);
        let points = object.velocity.length() * dt / scale;
        let (seconds, tip) = if points > 1e-9 {
            let tens = (ARROW / points).log10().ceil().max(0.0) as i32;
            let seconds = dt * 10_f64.powi(tens);
            (seconds, base + object.velocity * seconds)
        } else {
            // A metre a second is an arrow of a hundred points.
            let beside = view.axes() * DVec3::new(0.8, 0.6, 0.0) * (scale * ARROW * 0.5);
            (scale * 100.0, base + beside)
        };
        let speed = Self {
            base,
            velocity: object.velocity,
            end: base + travel,
            end_pose,
            dt,
            seconds,
            tip,
        };
        (dt > 0.0 && speed.tip.is_finite() && speed.end.is_finite()).then_some(speed)
    }
}

/// A handle where it lies in the picture.
pub struct Laid {
    /// Which.
    pub handle: Handle,
    /// Where it is gripped first of all, points from the picture's corner.
    pub anchor: DVec2,
    /// All of it that can be gripped: a line, points.
    pub line: Vec<DVec2>,
}

/// How near the pointer must come to a line, points.
const NEAR: f64 = 6.0;

/// The handle under the pointer: of those near it the nearest; knobs before lines.
pub fn under(laid: &[Laid], at: DVec2) -> Option<Handle> {
    let away = |laid: &Laid| {
        let knob = (laid.anchor - at).length() - NEAR;
        let line = laid.line.windows(2).map(|ends| {
            let (a, along) = (ends[0], ends[1] - ends[0]);
            let square = along.length_squared().max(1e-12);
            let share = ((at - a).dot(along) / square).clamp(0.0, 1.0);
            (a + along * share - at).length()
        });
        line.fold(knob, f64::min)
    };
    let near = laid.iter().map(|laid| (laid.handle, away(laid)));
    near.filter(|(_, away)| *away <= NEAR)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(handle, _)| handle)
}
