//! From where the pointer is to what the scene becomes.
//!
//! Everything is worked out from how it stood when it was gripped: a drag that comes back to where it began changes nothing, and
//! no rounding adds up on the way.

use super::lay::sight;
use super::{Handle, Speed, Stand};
use crate::app::authoring::touching::{Standing, first_touch, onto_surface};
use crate::app::authoring::transform::{self, Turn, digits_of, rounded};
use crate::app::authoring::{Change, Snap, Tools};
use crate::app::text;
use crate::app::viewport::Moment;
use crate::app::viewport::view::View;
use crate::core::query;
use crate::core::replay::ObjectId;
use crate::core::scene::{Object, Probe, Scene};
use crate::core::shape::Pose;
use glam::{DQuat, DVec2, DVec3};
use std::f64::consts::{PI, TAU};
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
    sent: Option<Change>,
}

impl Grip {
    /// Grips a handle at a place of the picture, points.
    pub fn new(handle: Handle, moment: &Moment<'_>, view: &View, at: DVec2) -> Option<Self> {
        let editing = moment.editing?;
        let stand = Stand::of(moment);
        let selected = |id: ObjectId| moment.selection.contains(id);
        let all = 0..editing.scene.objects.len() as ObjectId;
        let others = all.filter(|&id| !selected(id));
        Some(Self {
            handle,
            readout: String::new(),
            spent: false,
            view: *view,
            scene: Arc::clone(editing.scene),
            others: others
                .filter_map(|id| Some((id, moment.pose(id)?)))
                .collect(),
            speed: stand
                .as_ref()
                .and_then(|stand| Speed::of(moment, view, stand)),
            stand,
            camera: moment.camera().map(|pose| pose.position),
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
    pub fn drag(&mut self, at: DVec2, tools: &Tools, held: Held) -> Option<Change> {
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

    fn others(&self) -> impl Iterator<Item = Standing<'_>> + Clone {
        let others = self.others.iter();
        others.map(|&(id, pose)| (id, &self.scene.objects[id as usize], pose))
    }

    /// What a point of the screen covers where the hand is, metres.
    fn fineness(&self, at: DVec3) -> f64 {
        self.view.metres_per_point(at)
    }

    fn moved(&mut self, tools: &Tools, snap: Option<Snap>) -> Option<Change> {
        let stand = self.stand.as_ref()?;
        let free = self.way(stand)?;
        let fine = digits_of(self.fineness(stand.pivot) * 0.5);
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
        Some(Change::Objects("Move", objects))
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
        let touches = self
            .objects()
            .filter_map(|(_, object, pose)| first_touch(&object.shape, &pose, way, self.others()));
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
        let middle = pose.point(transform::middle(&object.shape));
        let surface = (hit.point, hit.normal);
        onto_surface(&object.shape, &pose, middle, surface, &other)
    }

    fn turned(&mut self, tools: &Tools, snap: Option<Snap>) -> Option<Change> {
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
        let turn = Turn {
            by: DQuat::from_axis_angle(axis, degrees.to_radians()),
            pivot: stand.pivot,
            digits: GRID_DIGITS,
        };
        let objects = self.objects();
        let objects = objects
            .map(|(id, object, pose)| (id, transform::turned(object, &pose, &turn, stand.at)))
            .collect();
        self.angle = angle;
        self.readout = format!("{degrees}°");
        Some(Change::Objects("Turn", objects))
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

    fn scaled(&mut self, tools: &Tools, snap: Option<Snap>) -> Option<Change> {
        let stand = self.stand.as_ref()?;
        let fine = digits_of(self.fineness(stand.pivot) * 0.5);
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
        self.readout = format!("× {}", rounded(shown, 3));
        Some(Change::Objects("Scale", objects))
    }

    /// Another velocity, by its arrow or by where it leads.
    fn sped(&mut self, tools: &Tools, snap: Option<Snap>, axis: bool) -> Option<Change> {
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
                let digits = digits_of(self.fineness(place) / seconds * 0.5);
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
        Some(Change::Objects("Velocity of", vec![(id, object)]))
    }

    fn reshaped(
        &mut self,
        index: usize,
        tools: &Tools,
        snap: Option<Snap>,
        axis: bool,
    ) -> Option<Change> {
        let (id, object, pose) = self.objects().next()?;
        let from = pose.point(*transform::corners(object).get(index)?);
        let to = self.dragged_point(from, tools, snap, axis)?;
        let local = pose.point_to_local(to);
        let digits = match snap {
            Some(_) => GRID_DIGITS,
            None => digits_of(self.fineness(from) * 0.5),
        };
        let local = DVec3::from_array(local.to_array().map(|part| rounded(part, digits)));
        let object = transform::with_corner(object, index, local)?;
        self.readout = point_text(to, digits);
        Some(Change::Objects("Reshape", vec![(id, object)]))
    }

    fn probed(
        &mut self,
        (line, first): (usize, bool),
        tools: &Tools,
        snap: Option<Snap>,
        axis: bool,
    ) -> Option<Change> {
        let mut scene = Scene::clone(&self.scene);
        let camera = scene.camera.as_mut()?;
        let mut lines = camera.probe.lines().to_vec();
        let sign = if first { 1.0 } else { -1.0 };
        let at = self.camera?;
        let from = at + *lines.get(line)? * sign;
        let offset = (self.dragged_point(from, tools, snap, axis)? - at) * sign;
        let digits = digits_of(self.fineness(from) * 0.5).max(3);
        let offset = DVec3::from_array(offset.to_array().map(|part| rounded(part, digits)));
        *lines.get_mut(line)? = offset;
        camera.probe = Probe::Lines(lines);
        self.readout = point_text(offset, digits);
        Some(Change::Head(Box::new(scene)))
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

/// Where the scene says that it is, at the frame that the playhead stands on.
fn authored(object: &Object, at: Option<u32>) -> DVec3 {
    use crate::core::scene::Movement;
    if let Movement::Keyframes(keys) = &object.movement
        && let Some(key) = keys.iter().find(|key| Some(key.frame) == at)
    {
        return key.position;
    }
    object.pose.position
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

fn point_text(at: DVec3, digits: i32) -> String {
    let [x, y, z] = at.to_array().map(|part| rounded(part, digits));
    format!("{x}, {y}, {z}")
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
