//! Free fall inside another body: proof, without layers and without contacts, that the engine does not test the pair.
//!
//! A contact changes a velocity. The velocity of this body changes by gravity alone, over every step that begins deeper in the other than
//! the slop, and its positions follow that velocity. Where no velocity is logged, the positions show it.

use super::CauseInput;
use crate::core::diagnose::level_facts::gravity;
use crate::core::query;
use crate::core::replay::{BodyState, ObjectId, StateAt};
use crate::core::tolerance::{CONTACT_FRAMES, LOG_ROUNDING};
use glam::DVec3;

/// States in overlap that a fall has at least: an engine may make its first contact one step late.
const STATES: u32 = 2;

/// Change of velocity beside that of gravity, as a share of it, that is damping and no contact (no unit).
///
/// A damping of 0.05 a second takes 5 % of gravity at 10 m/s. Larger, and soft contacts are falls.
const DAMPING: f64 = 0.1;

/// Share of a speed below which a difference is the rounding of an engine in single precision (no unit).
const SPEED_ROUNDING: f64 = 1e-6;

/// A fall through another body.
pub(super) struct Fall {
    pub object: ObjectId,
    /// States in overlap.
    pub states: u32,
    /// Of the overlap, metres.
    pub deepest: f64,
}

/// The fall of the lighter body of a pair through the other; `None` where anything but gravity acts on it, or that is not known.
pub(super) fn of(input: &CauseInput<'_>) -> Option<Fall> {
    let (pair, replay) = (input.pair, input.replay);
    let start = input.event.start().filter(|_| input.facts.recorded)?;
    let recording = replay.recording()?;
    let known = recording.gravity.is_some();
    let object = falling(input).filter(|_| known && !pair.sensor)?;
    if start.depth <= pair.slop {
        return None;
    }
    let mut fall = Fall {
        object,
        states: 0,
        deepest: 0.0,
    };
    let last = input.frame.number;
    for number in (last.saturating_sub(CONTACT_FRAMES)..=last).rev() {
        let state = replay.at(number);
        let Some(depth) = depth(input, state).filter(|depth| *depth > pair.slop) else {
            // What presses a body that lies on the other into it proves nothing.
            if touches(input, state) && !falls_in(input, object, number) {
                return None;
            }
            break;
        };
        let mut states = number..=number + 1;
        let is_logged =
            states.any(|state| replay.has_contact(state, pair.mover.id, pair.obstacle.id));
        if is_logged || !falls_in(input, object, number) {
            return None;
        }
        fall.states += 1;
        fall.deepest = fall.deepest.max(depth);
    }
    (fall.states >= STATES).then_some(fall)
}

/// The body that a contact would move most: the lighter one of those that can be pushed.
fn falling(input: &CauseInput<'_>) -> Option<ObjectId> {
    let bodies = [
        (input.pair.mover.id, input.mover),
        (input.pair.obstacle.id, input.other),
    ];
    bodies
        .into_iter()
        .filter(|(_, object)| object.is_pushable())
        .min_by(|(_, one), (_, other)| one.mass.total_cmp(&other.mass))
        .map(|(id, _)| id)
}

fn depth(input: &CauseInput<'_>, state: StateAt<'_>) -> Option<f64> {
    let (a, b) = (
        state.body(input.pair.mover.id)?,
        state.body(input.pair.obstacle.id)?,
    );
    let placed_a = input.pair.mover.shape.placed(&a.pose);
    let placed_b = input.pair.obstacle.shape.placed(&b.pose);
    query::contact(&placed_a, &placed_b, &mut ()).map(|contact| contact.depth)
}

fn touches(input: &CauseInput<'_>, state: StateAt<'_>) -> bool {
    let pair = input.pair;
    let ends = state.body(pair.mover.id).zip(state.body(pair.obstacle.id));
    let gap = ends.and_then(|(a, b)| {
        let a = pair.mover.shape.placed(&a.pose);
        query::gap(&a, &pair.obstacle.shape.placed(&b.pose))
    });
    gap.is_some_and(|gap| gap.distance <= pair.slop)
}

/// Whether gravity alone changes the velocity of a body in the step from a state.
fn falls_in(input: &CauseInput<'_>, id: ObjectId, number: u32) -> bool {
    let replay = input.replay;
    let state = |number: u32| replay.at(number).body(id);
    let Some((from, to)) = state(number).zip(state(number + 1)) else {
        return false;
    };
    if to.teleported || from.asleep {
        return false;
    }
    let (dt, gravity) = (replay.dt(number), gravity(replay));
    match (from.velocity, to.velocity) {
        (Some(old), Some(new)) => {
            let gained = gravity * dt;
            let allowed = DAMPING * gained.length() + SPEED_ROUNDING * old.length();
            let moves = old.length() + new.length() > 0.0;
            moves && (new - old - gained).length() <= allowed && follows((&from, &to), dt, allowed)
        }
        _ => {
            let before = number.checked_sub(1).and_then(state);
            before.is_some_and(|before| {
                let times = (replay.dt(number - 1), dt);
                falls_by_positions([&before, &from, &to], times, gravity)
            })
        }
    }
}

/// Whether a displacement is one of the velocities, or their mean, times dt.
fn follows((from, to): (&BodyState, &BodyState), dt: f64, allowed: f64) -> bool {
    let moved = to.pose.position - from.pose.position;
    let rounding = LOG_ROUNDING * to.pose.position.abs().max_element();
    let (old, new) = (
        from.velocity.unwrap_or(DVec3::ZERO),
        to.velocity.unwrap_or(DVec3::ZERO),
    );
    [old, new, 0.5 * (old + new)]
        .into_iter()
        .any(|velocity| (moved - velocity * dt).length() <= allowed * dt + rounding)
}

/// The same without velocities: the velocity between two states is that of the displacement.
fn falls_by_positions(
    [before, from, to]: [&BodyState; 3],
    (first, second): (f64, f64),
    gravity: DVec3,
) -> bool {
    let [a, b, c] = [before, from, to].map(|body| body.pose.position);
    let gained = gravity * 0.5 * (first + second);
    let rounding = LOG_ROUNDING * c.abs().max_element() / first.min(second);
    let allowed = DAMPING * gained.length();
    let changed = (c - b) / second - (b - a) / first;
    // A change that is rounding proves nothing, and neither does a body that no gravity moves.
    rounding < allowed && !from.teleported && (changed - gained).length() <= allowed + rounding
}
