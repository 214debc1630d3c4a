//! The effect of a contact whose normal is not the right one: speed gained along it that the right normal does not give.

use super::super::LogLine;
use super::{EFFECT_SHARE, NOISE};
use crate::core::diagnose::detect::internal_edge::LoggedEdge;
use crate::core::replay::{LoggedContact, ObjectId};
use crate::core::scene::Movement;
use crate::core::shape::Shape;
use crate::core::tolerance::PUSH_OUT;
use glam::DVec3;

/// Speed along a surface that friction takes, as a share of the speed that its contact takes off the motion into it (no unit).
const FRICTION: f64 = 1.0;

/// Speed that a contact gives away from a surface at most, as a multiple of the speed into it (no unit): a bounce without loss.
const BOUNCE: f64 = 2.0;

/// Speed that a body gained in a direction, or else across the right normal toward it, beyond what bounce, friction and the push out of
/// an overlap give with the right normal, and what its other contacts give with theirs, metres per second; the direction and the right
/// normal are unit, toward the body.
///
/// `None` within noise, and where the velocities are unknown.
pub(super) fn unexplained_change(
    log: &LogLine<'_>,
    contact: &LoggedContact,
    body: ObjectId,
    [direction, right]: [DVec3; 2],
) -> Option<f64> {
    if log.paths.objects[body as usize].movement != Movement::Velocity {
        return None;
    }
    let [before, after] = log.velocities(body)?;
    let fall = log.paths.gravity * log.paths.dt;
    let mut change = after - before - fall;
    let mut friction = fall.length();
    let mut stopped = DVec3::ZERO;
    let start = log.paths.start(body)?;
    let (center, spin) = (start.pose.position, start.spin);
    let mut explain = |contact: &LoggedContact, normal: DVec3| {
        let other = match contact.a == body {
            true => contact.b,
            false => contact.a,
        };
        // The spin of a sphere moves nothing along a normal; an edge ahead of its centre seems to come toward it.
        let ball = match log.paths.objects[body as usize].shape {
            Shape::Sphere { radius } => Some(radius),
            _ => None,
        };
        let point = ball.map_or(contact.point, |radius| center - normal * radius);
        let into = log.velocity_at(body, point) - log.velocity_at(other, point) + fall + stopped;
        let approach = -into.dot(normal).min(0.0);
        // What only rests does not bounce.
        let bounces = approach > BOUNCE * fall.length();
        let most = if bounces { BOUNCE * approach } else { approach };
        let most = most + PUSH_OUT * contact.depth.max(0.0) / log.paths.dt;
        let pressed = change.dot(normal).clamp(0.0, most);
        stopped += normal * approach;
        change -= normal * pressed;
        // Friction stops what slides. A push past the centre turns a body, which then slides; balls have none.
        let slides = match ball.is_some() && spin.is_some() {
            true => into.reject_from_normalized(normal).length(),
            false => f64::INFINITY,
        };
        friction += (FRICTION * pressed).min(slides);
    };
    explain(contact, right);
    for (more, normal) in others(log, contact, body) {
        explain(more, normal);
    }
    let across = direction.reject_from_normalized(right).try_normalize();
    // The right contact gives nothing across, but its own direction is rounded.
    let across = across.map(|across| (across, NOISE * before.length()));
    let tests = std::iter::once((direction, 0.0)).chain(across);
    tests.into_iter().find_map(|(direction, rounding)| {
        let along = change.dot(direction);
        let sideways = direction.cross(right).length();
        let noise = EFFECT_SHARE * before.dot(direction).abs() + fall.length() + rounding;
        (along > friction * sideways + noise).then_some(along)
    })
}

/// The other contacts of a body in the line that are on no internal edge, with their unit normals toward it.
fn others<'l>(
    log: &'l LogLine<'_>,
    contact: &'l LoggedContact,
    body: ObjectId,
) -> impl Iterator<Item = (&'l LoggedContact, DVec3)> {
    log.contacts().iter().filter_map(move |other| {
        let toward = match body {
            body if body == other.a => other.normal,
            body if body == other.b => -other.normal,
            _ => return None,
        };
        let counts = !std::ptr::eq(contact, other)
            && log.is_reached(other)
            && LoggedEdge::of(log.context, log.surfaces, other).is_none();
        toward
            .try_normalize()
            .filter(|_| counts)
            .map(|toward| (other, toward))
    })
}
