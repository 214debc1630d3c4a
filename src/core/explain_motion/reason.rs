//! What changed the motion of an object in one step.

use super::MotionReason;
use crate::core::diagnose::gravity;
use crate::core::query;
use crate::core::replay::{BodyState, ObjectId, Replay};
use crate::core::scene::Movement;
use crate::core::shape::Shape;
use crate::core::tolerance::TOUCHING;
use glam::DVec3;
use std::sync::Arc;

/// Loss of speed in a step that is damping, as a share of the speed (no unit).
const DAMPING: f64 = 0.01;

/// Change of velocity in a step that is noise: as a share of the speed, but under gravity no more than a share of what gravity adds, and as a
/// share of that in any case (no units). Together far below what carries a body on the ground, or on a steep slope.
const OF_SPEED: f64 = 0.01;
const OF_GRAVITY_AT_SPEED: f64 = 0.15;
const OF_GRAVITY: f64 = 0.1;

/// Share of what gravity adds in a step from which on it shows: in the change of velocity where contacts are not asked, in the displacement
/// (no units).
const SHOWS: f64 = 0.5;
const SHOWS_IN_TRAVEL: f64 = 0.4;

/// Displacement in a step that its velocity does not explain and that is no push: as a share of the displacement, and of the object's size (no units).
const OF_TRAVEL: f64 = 0.05;
const OF_SIZE: f64 = 1e-3;

/// Gap that counts as a contact where a log names no margin, as a share of the object's size (no unit): the skin of a character.
const SKIN: f64 = 0.03;

/// Gravity where a log has none, m/s^2.
const EARTH: DVec3 = DVec3::new(0.0, -9.81, 0.0);

/// Cosine between a change of velocity and a contact's normal from which on the contact explains it (no unit): friction turns it aside.
const ALONG: f64 = 0.3;

/// The velocity of a body at a state: as logged, else by the step before or, where it begins or is placed, after it.
pub(super) fn velocity(replay: &Replay, id: ObjectId, body: &BodyState, state: u32) -> DVec3 {
    let after = || {
        let next = (state < replay.frames()).then(|| replay.at(state + 1).body(id))?;
        let next = next.filter(|next| !next.teleported)?;
        Some((next.pose.position - body.pose.position) / replay.dt(state))
    };
    let known = known_velocity(replay, id, body, state);
    known.or_else(after).unwrap_or(DVec3::ZERO)
}

/// The velocity of a body when it comes to a state: as logged, else by the step before.
fn known_velocity(replay: &Replay, id: ObjectId, body: &BodyState, state: u32) -> Option<DVec3> {
    body.velocity.or_else(|| {
        let step = state.checked_sub(1).filter(|_| !body.teleported)?;
        let before = replay.at(step).body(id)?;
        Some((body.pose.position - before.pose.position) / replay.dt(step))
    })
}

/// What changed the motion of an object in the step from a state to the next.
pub(super) fn reason(
    replay: &Replay,
    id: ObjectId,
    step: u32,
    [from, to]: [&BodyState; 2],
) -> MotionReason {
    let object = &replay.objects()[id as usize];
    if to.teleported {
        return MotionReason::Teleported;
    }
    let moved = to.pose.position - from.pose.position;
    let rests = moved == DVec3::ZERO && to.pose.rotation == from.pose.rotation;
    if rests && (object.movement == Movement::Fixed || from.asleep || to.asleep) {
        return MotionReason::Rests;
    }
    if !object.is_pushable() {
        return match rests {
            true => MotionReason::Rests,
            false if replay.moves_of(id, step + 1).is_empty() => MotionReason::Driven,
            false => MotionReason::Controlled,
        };
    }
    let dt = replay.dt(step);
    let is_known = known_velocity(replay, id, from, step).is_some();
    let before = velocity(replay, id, from, step);
    let after = velocity(replay, id, to, step + 1);
    let change = after - before;
    // Of a log without gravity that of the earth or none, whichever explains more.
    let gained = match replay.recording().is_none_or(|log| log.gravity.is_some()) {
        true => gravity(replay) * dt,
        false if (change - EARTH * dt).length() < change.length() => EARTH * dt,
        false => DVec3::ZERO,
    };
    let gravity_adds = gained.length();
    let size = object.shape.reach().unwrap_or(0.0);
    // Two positions in single precision, and the velocity where it is told by them.
    let farthest = from.pose.position.abs().max(to.pose.position.abs());
    let rounding = 2.0 * f64::from(f32::EPSILON) * farthest.max_element();
    let is_logged = from.velocity.is_some() && to.velocity.is_some();
    let rounding_of_change = if is_logged { 0.0 } else { rounding / dt };
    let speed = before.length().max(after.length());
    let least_noise = rounding_of_change + OF_GRAVITY * gravity_adds;
    let noise = least_noise
        + match gravity_adds > 0.0 {
            true => (OF_SPEED * speed).min(OF_GRAVITY_AT_SPEED * gravity_adds),
            false => OF_SPEED * speed,
        };
    let left = change - gained;
    let way = before.try_normalize().unwrap_or(DVec3::ZERO);
    let undamped = left + way * (-left.dot(way)).clamp(0.0, DAMPING * speed);
    // Damping that takes what gravity adds is a speed that does not change, and no fall.
    let shows = change.dot(gained) >= (SHOWS * gravity_adds - rounding_of_change) * gravity_adds;
    let is_explained = shows && (left.length() <= noise || undamped.length() <= least_noise);
    // However the engine integrates, with one step in a frame or many, and whether it logs the velocity before or after it.
    let (low, fall) = (before * dt, gained * dt);
    let aside = from_segment(moved, [low, low + 2.0 * fall]);
    let aside = aside.min((moved - after * dt).length());
    let is_moved = aside > OF_TRAVEL * moved.length() + OF_SIZE * size + rounding;
    let events = replay
        .recording()
        .map(|log| log.data.events(step as usize + 1));
    let is_pushed = events
        .iter()
        .any(|data| data.pushes.iter().any(|push| push.object == id));
    if is_explained && !is_moved && !is_pushed {
        return match gravity_adds > 0.0 {
            true => MotionReason::Falls,
            false if rests => MotionReason::Rests,
            false => MotionReason::Flies,
        };
    }
    let push = if is_explained { moved - low } else { left };
    let contacts = contacts(replay, id, step, push, [moved, low, after * dt]);
    if !contacts.is_empty() {
        return MotionReason::Contact(contacts);
    }
    if is_pushed {
        return MotionReason::Pushed;
    }
    let joined = joined(replay, id, step);
    if !joined.is_empty() {
        return MotionReason::Joint(joined);
    }
    if rests && left.length() <= noise + gravity_adds {
        return MotionReason::Rests;
    }
    // The first step of a fall may show in one of the two alone, or of a velocity that is not known not at all. A second difference of rounded
    // positions is off by two of their steps.
    let of_numbers = match is_logged {
        true => 0.0,
        false => 2.0 * step_of_numbers(replay, [from.pose.position, to.pose.position]) / dt,
    };
    let is_gravity = from_segment(change, [DVec3::ZERO, 2.0 * gained]) <= noise + of_numbers;
    if gravity_adds == 0.0 || is_moved || !is_gravity {
        return MotionReason::Unexplained;
    }
    let shows_in_travel = (moved - low).dot(fall) >= SHOWS_IN_TRAVEL * fall.length_squared();
    match is_known && change.length() <= noise && !shows_in_travel {
        true => MotionReason::AgainstGravity,
        false => MotionReason::Falls,
    }
}

/// The step of the last digit to which a log writes positions, metres; 0 where they have more digits than anybody rounds to.
fn step_of_numbers(replay: &Replay, positions: [DVec3; 2]) -> f64 {
    let unit = replay.units().metres();
    let is_whole = |value: f64| (value - value.round()).abs() <= 1e-5;
    let is_written = |scale: &f64| {
        let numbers = positions.map(|position| position / unit * *scale);
        numbers
            .iter()
            .all(|it| it.to_array().into_iter().all(is_whole))
    };
    let mut scales = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5].into_iter();
    scales.find(is_written).map_or(0.0, |scale| unit / scale)
}

/// The distance of a point from a segment.
fn from_segment(point: DVec3, [start, end]: [DVec3; 2]) -> f64 {
    let along = end - start;
    let at = (point - start).dot(along) / along.length_squared();
    // Of a segment without a length 0 / 0.
    let at = if at.is_nan() { 0.0 } else { at.clamp(0.0, 1.0) };
    (start + along * at).distance(point)
}

/// The objects whose contacts push in a direction, ascending: those of the log at both ends of a step, and exact ones. `ways` are the
/// displacement in the step, and those that the velocities before and after it alone would give.
fn contacts(
    replay: &Replay,
    id: ObjectId,
    step: u32,
    push: DVec3,
    ways: [DVec3; 3],
) -> Vec<ObjectId> {
    let objects = replay.objects();
    let pushes = |normal: DVec3| normal.dot(push) >= ALONG * normal.length() * push.length();
    let mut others: Vec<ObjectId> = Vec::new();
    if let Some(log) = replay.recording() {
        for state in [step, step + 1] {
            let data = log.data.events(state as usize);
            let seen = data.contacts.of(id).filter_map(|(_, it)| it.seen_from(id));
            others.extend(
                seen.filter(|(_, normal)| pushes(*normal))
                    .map(|(other, _)| other),
            );
        }
    }
    let exact = || {
        // The sweep of a large frame takes longer than all that is asked here.
        let swept = replay.frame_without_sweep(step);
        let frame = swept.map_or_else(|| replay.frame(step), Arc::new);
        let own = &objects[id as usize];
        let motion = frame.whole_motion(id)?;
        let way = own
            .shape
            .placed(&motion.start)
            .aabb()?
            .union(&own.shape.placed(&motion.end).aabb()?);
        let size = own.shape.reach()?;
        let is_logged = replay.recording().is_some();
        let usual = if is_logged { SKIN * size } else { 0.0 };
        let skin = replay.margin().unwrap_or(usual);
        let skin = skin.max(OF_SIZE * size).max(TOUCHING);
        let turn = motion.start.rotation.angle_between(motion.end.rotation);
        let swing = match own.shape {
            Shape::Sphere { .. } => 0.0,
            _ => size * turn,
        };
        let skin = skin + swing;
        // Along a surface it comes no nearer to it, however fast it is. One that comes and leaves within the step is at one of its ends no
        // farther away than where both ways are as long.
        let within = |normal: DVec3| {
            let [moved, before, after] = ways.map(|way| way.dot(normal));
            let bounce = match before < 0.0 && after > 0.0 {
                true => before * after / (before - after),
                false => 0.0,
            };
            skin + moved.abs().max(bounce)
        };
        let farthest = ways.map(DVec3::length).into_iter().fold(skin, f64::max);
        let region = way.grown(skin + farthest);
        let near = frame.near_at_start(objects, &region);
        let touching = near.filter(|other| {
            let it = &objects[*other as usize];
            if *other == id || it.sensor || !own.collides_with(it) {
                return false;
            }
            let touches = |end: bool| {
                let state = if end { &frame.end } else { &frame.start };
                let (body, by) = (state.body(id)?, state.body(*other)?);
                let gap = query::gap(&own.shape.placed(&body.pose), &it.shape.placed(&by.pose))?;
                Some(gap.distance <= within(gap.normal) && pushes(gap.normal))
            };
            touches(false) == Some(true) || touches(true) == Some(true)
        });
        Some(touching.collect::<Vec<ObjectId>>())
    };
    if others.is_empty() {
        others = exact().unwrap_or_default();
    }
    each_once(others)
}

fn joined(replay: &Replay, id: ObjectId, step: u32) -> Vec<ObjectId> {
    let log = replay.recording().into_iter();
    let others = log.flat_map(|log| log.joined_to(step as usize, id));
    each_once(others.collect())
}

fn each_once(mut objects: Vec<ObjectId>) -> Vec<ObjectId> {
    objects.sort_unstable();
    objects.dedup();
    objects
}
