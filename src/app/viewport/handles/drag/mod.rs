//! From where the pointer is to what the scene becomes.
//!
//! Everything is worked out from how it stood when it was gripped: a drag that comes back to where it began changes nothing, and
//! no rounding adds up on the way.

mod aiming;
mod moving;
mod turning;

use super::lay::sight;
use super::{Handle, Speed, Stand};
use crate::app::authoring::Tools;
use crate::app::viewport::ViewportInput;
use crate::app::viewport::view::View;
use crate::core::edit::Edit;
use crate::core::edit::snapping::PlacedObject;
use crate::core::replay::ObjectId;
use crate::core::scene::{Object, Scene};
use crate::core::shape::Pose;
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// What snaps to a thing snaps from so far away, points.
const CATCH: f64 = 12.0;
/// Digits of what stands on a grid.
const GRID_DIGITS: i32 = 12;

/// Keys that are held while something is dragged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// Snaps where it would not, and the other way round.
    pub ctrl: bool,
    /// A tenth of the way.
    pub shift: bool,
    /// Along an axis.
    pub alt: bool,
}

/// Something in the hand.
pub struct Grip {
    /// What.
    pub handle: Handle,
    /// Beside the pointer: how far, how much.
    pub readout: String,
    /// It was taken back; the button is still down.
    pub spent: bool,
    view: View,
    scene: Arc<Scene>,
    stand: Option<Stand>,
    others: Vec<(ObjectId, Pose)>,
    speed: Option<Speed>,
    /// Where the level's camera is seen, metres.
    camera: Option<DVec3>,
    press: DVec2,
    pointer: DVec2,
    seen: DVec2,
    /// So far, without jumps, radians.
    angle: f64,
    sent: Option<Edit>,
}

impl Grip {
    /// Grips a handle at a place of the picture, points.
    pub fn new(handle: Handle, input: &ViewportInput<'_>, view: &View, at: DVec2) -> Option<Self> {
        let editing = input.editing?;
        let stand = Stand::of(input);
        let selected = |id: ObjectId| input.selection.contains(id);
        let all = 0..editing.scene.objects.len() as ObjectId;
        let others = all.filter(|&id| !selected(id));
        Some(Self {
            handle,
            readout: String::new(),
            spent: false,
            view: *view,
            scene: Arc::clone(editing.scene),
            others: others
                .filter_map(|id| Some((id, input.pose(id)?)))
                .collect(),
            speed: stand
                .as_ref()
                .and_then(|stand| Speed::of(input, view, stand)),
            stand,
            camera: input.camera().map(|pose| pose.position),
            press: at,
            pointer: at,
            seen: at,
            angle: 0.0,
            sent: None,
        })
    }

    /// Has it changed anything?
    pub fn has_changed(&self) -> bool {
        self.sent.is_some()
    }

    /// The pointer is here now: what the scene becomes, if that is not what it is.
    pub fn drag(&mut self, at: DVec2, tools: &Tools, held: Held) -> Option<Edit> {
        let step = (at - self.seen) * if held.shift { 0.1 } else { 1.0 };
        (self.seen, self.pointer) = (at, self.pointer + step);
        let snap = tools.snaps(held.ctrl);
        let change = match self.handle {
            Handle::MoveAlong(_) | Handle::MoveAcross(_) | Handle::MoveFreely => {
                self.moved(tools, snap)
            }
            Handle::TurnAround(_) | Handle::TurnFacing => self.turned(tools, snap),
            Handle::ScaleAlong(_) | Handle::ScaleEvenly => self.scaled(tools, snap),
            Handle::Velocity | Handle::EndOfFrame => self.sped(tools, snap, held.alt),
            Handle::Corner(index) => self.reshaped(index, tools, snap, held.alt),
            Handle::ProbeEnd(line, first) => self.probed((line, first), tools, snap, held.alt),
        }?;
        // The first change that is none is not worth a step back.
        let nothing = self.sent.is_none() && self.pointer == self.press;
        if nothing || self.sent.as_ref() == Some(&change) {
            return None;
        }
        self.sent = Some(change.clone());
        Some(change)
    }

    fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object, Pose)> {
        let stand = self.stand.iter();
        stand.flat_map(|stand| {
            let both = stand.ids.iter().zip(&stand.shown);
            both.map(|(&id, &pose)| (id, &self.scene.objects[id as usize], pose))
        })
    }

    fn others(&self) -> impl Iterator<Item = PlacedObject<'_>> + Clone {
        let others = self.others.iter();
        others.map(|&(id, pose)| (id, &self.scene.objects[id as usize], pose))
    }

    /// What a point of the screen covers where the hand is, metres.
    fn fineness(&self, at: DVec3) -> f64 {
        self.view.metres_per_point(at)
    }

    fn in_plane(&self, place: DVec3, normal: DVec3) -> Option<DVec3> {
        let at = |pointer| across(&self.view, pointer, place, normal);
        let way = at(self.pointer)? - at(self.press)?;
        // In a plane along the world's axes no rounding leaves it.
        let clean = |way: f64, normal: f64| if normal.abs() == 1.0 { 0.0 } else { way };
        Some(DVec3::new(
            clean(way.x, normal.x),
            clean(way.y, normal.y),
            clean(way.z, normal.z),
        ))
    }
}

/// The nearest whole number of steps.
fn on_step(value: f64, step: f64) -> f64 {
    (value / step).round() * step
}

/// Only the part along the axis of the world that it goes along most.
fn along_axis(way: DVec3) -> DVec3 {
    let size = way.abs();
    let most = size.max_element();
    let keep = |part: f64| if part.abs() == most { part } else { 0.0 };
    DVec3::new(keep(way.x), keep(way.y), keep(way.z))
}

/// How far along an axis from a place the pointer is, metres: where the axis comes nearest to the line of sight. `None` where it
/// runs along that.
fn along(view: &View, pointer: DVec2, place: DVec3, axis: DVec3) -> Option<f64> {
    let ray = view.ray(pointer, view.distance());
    let sight = (ray.b - ray.a).try_normalize()?;
    // Nearest points of two lines (Ericson 2005, section 5.1.8).
    let (between, cosine) = (place - ray.a, axis.dot(sight));
    let square = 1.0 - cosine * cosine;
    if square < 1e-3 {
        return None;
    }
    let t = (cosine * sight.dot(between) - axis.dot(between)) / square;
    t.is_finite().then_some(t)
}

/// Where the pointer is in a plane through a place; `None` where it is seen from its edge, or behind the eye.
fn across(view: &View, pointer: DVec2, place: DVec3, normal: DVec3) -> Option<DVec3> {
    let ray = view.ray(pointer, view.distance());
    let sight = (ray.b - ray.a).try_normalize()?;
    let slope = sight.dot(normal);
    if slope.abs() < 0.02 {
        return None;
    }
    let t = (place - ray.a).dot(normal) / slope;
    let at = ray.a + sight * t;
    (t > 0.0 && at.is_finite()).then_some(at)
}
