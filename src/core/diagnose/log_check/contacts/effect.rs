//! The effect of a contact whose normal is not the right one: speed gained along it that the right normal does not give.

use super::super::LogLine;
use super::EFFECT_SHARE;
use crate::core::diagnose::detect::internal_edge::LoggedEdge;
use crate::core::replay::{LoggedContact, ObjectId};
use crate::core::scene::Movement;
use glam::DVec3;

/// Speed along a surface that friction takes, as a share of the speed that its contact takes off the motion into it (no unit).
const FRICTION: f64 = 1.0;

/// Speed that a contact gives away from a surface at most, as a multiple of the speed into it (no unit): a bounce without loss.
const BOUNCE: f64 = 2.0;

/// Cosine above which another contact of the body may have caused the change (no unit).
const EXPLAINS: f64 = 0.2;

/// Speed that a body gained along a contact's normal beyond what a contact with the right normal gives by bounce and friction, metres per
/// second; both normals unit, toward the body.
///
/// `None` within noise, where another contact of the line explains it, and where the velocities are unknown.
pub(super) fn unexplained_change(
    log: &LogLine<'_>,
    contact: &LoggedContact,
    body: ObjectId,
    [logged, right]: [DVec3; 2],
) -> Option<f64> {
    if log.paths.objects[body as usize].movement != Movement::Velocity {
        return None;
    }
    let side = (logged - right * logged.dot(right))
        .try_normalize()
        .unwrap_or(logged);
    let [before, after] = log.velocities(body)?;
    let fall = log.paths.gravity * log.paths.dt;
    let change = after - before - fall;
    let approach = -(before + fall).dot(right).min(0.0);
    let pressed = change.dot(right).clamp(0.0, BOUNCE * approach);
    let along = (change - right * pressed).dot(logged);
    let friction = FRICTION * (pressed + fall.length()) * logged.cross(right).length();
    let noise = EFFECT_SHARE * before.dot(logged).abs() + fall.length();
    (along > friction + noise && !is_explained(log, contact, body, side)).then_some(along)
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
