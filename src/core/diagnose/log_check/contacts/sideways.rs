//! The effect of a contact whose normal is not the right one: speed gained across the right normal.

use super::super::LogLine;
use super::EFFECT_SHARE;
use crate::core::diagnose::detect::internal_edge::LoggedEdge;
use crate::core::replay::{LoggedContact, ObjectId};
use crate::core::scene::Movement;
use glam::DVec3;

/// Speed along a surface that friction takes, as a share of the speed that its contact takes off the motion into it (no unit).
const FRICTION: f64 = 1.0;

/// Cosine above which another contact of the body may have caused the change (no unit).
const EXPLAINS: f64 = 0.2;

/// Speed that a body gained along `logged`, as far as it is square to the right normal, metres per second; both unit, toward the body.
///
/// `None` within what friction and noise give, where another contact of the line explains it, and where the velocities are unknown.
pub(super) fn sideways_change(
    log: &LogLine<'_>,
    contact: &LoggedContact,
    body: ObjectId,
    [logged, right]: [DVec3; 2],
) -> Option<f64> {
    if log.paths.objects[body as usize].movement != Movement::Velocity {
        return None;
    }
    let side = (logged - right * logged.dot(right)).try_normalize()?;
    let [before, after] = log.velocities(body)?;
    let fall = log.paths.gravity * log.paths.dt;
    let change = after - before - fall;
    let along = change.dot(side);
    let pressed = change.dot(right).max(0.0) + fall.length();
    let allowed = FRICTION * pressed + EFFECT_SHARE * before.length();
    (along > allowed && !is_explained(log, contact, body, side)).then_some(along)
}

/// Whether another contact of the line pushes the body in a direction, and is on no internal edge itself.
fn is_explained(log: &LogLine<'_>, contact: &LoggedContact, body: ObjectId, side: DVec3) -> bool {
    log.contacts().iter().any(|other| {
        let toward = match body {
            body if body == other.a => other.normal,
            body if body == other.b => -other.normal,
            _ => return false,
        };
        !std::ptr::eq(contact, other)
            && toward.dot(side) > EXPLAINS * toward.length()
            && LoggedEdge::of(log.context, log.surfaces, other).is_none()
    })
}
