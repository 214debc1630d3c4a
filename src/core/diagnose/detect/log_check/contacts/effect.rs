//! The effect of a contact whose normal is not the right one: speed gained along it that the right normal does not give.

use super::{EFFECT_SHARE, NOISE};
use crate::core::diagnose::detect::log_check::LogLine;
use crate::core::query::closest_point::closest_point_on_segment;
use crate::core::replay::{LoggedContact, ObjectId};
use crate::core::scene::Movement;
use crate::core::shape::{Pose, Segment, Shape, SolidShape};
use crate::core::tolerance::PUSH_OUT;
use glam::DVec3;

/// Speed along a surface that friction takes, as a share of the speed that its contact takes off the motion into it (no unit).
const FRICTION: f64 = 1.0;

/// Speed into a surface from which on a contact may bounce, as a multiple of a frame's fall (no unit).
const BOUNCE: f64 = 2.0;

/// Square of the distance from the centre at which a body's mass acts against turning, as a share of that of its farthest point (no unit): a rod's.
///
/// Solids that turn less easily are round, and contacts do not turn them.
const GYRATION: f64 = 1.0 / 3.0;

/// Whether anything but gravity changes a body's velocity by more than a frame's fall, which what it rests on takes.
pub(super) fn is_pushed(log: &LogLine<'_>, body: ObjectId) -> bool {
    let fall = log.paths.gravity * log.paths.dt;
    let change = |[before, after]: [DVec3; 2]| after - before - fall;
    let velocities = log.velocities(body);
    velocities.is_some_and(|ends| change(ends).length_squared() > fall.length_squared())
}

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
    let (mut friction, mut stopped) = (0.0, DVec3::ZERO);
    let start = log.paths.start(body)?;
    let shape = &log.paths.objects[body as usize].shape;
    let is_rolling = matches!(shape, Shape::Sphere { .. }) && start.spin.is_some();
    let mut explain = |contact: &LoggedContact, normal: DVec3| {
        let other = match contact.a == body {
            true => contact.b,
            false => contact.a,
        };
        let point = touching_point(shape, &start.pose, contact.point, normal);
        let [[into, leaving], [other_before, other_after]] =
            [body, other].map(|id| log.velocities_at(id, point));
        let into = into - other_before + fall + stopped;
        let of_center = before - other_before + fall + stopped;
        let speed = |velocity: DVec3| -velocity.dot(normal).min(0.0);
        // Contacts on all sides stop the centre; one alone turns the body instead, the more the farther it is off the centre.
        let arm = (point - start.pose.position).cross(normal).length();
        let turns = 1.0 + (arm / shape.reach().unwrap_or(f64::INFINITY)).powi(2) / GYRATION;
        let approach = speed(into).min((speed(into) / turns).max(speed(of_center)));
        // What only rests does not bounce, and nothing bounces faster than it leaves.
        let bounces = approach > BOUNCE * fall.length();
        let leaves = (leaving - other_after).dot(normal).max(0.0);
        let bounce = if bounces { approach.min(leaves) } else { 0.0 };
        let push_out = PUSH_OUT * contact.depth.max(0.0) / log.paths.dt;
        let lift = approach + (push_out - into.dot(normal).max(0.0)).max(0.0);
        let pressed = change.dot(normal).clamp(0.0, lift + bounce);
        stopped += normal * lift;
        change -= normal * pressed;
        // Friction stops what slides. A push past the centre turns a body, which then slides; balls have none.
        let slides = match is_rolling {
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
        let sideways = friction.max(fall.length()) * direction.cross(right).length();
        let noise = EFFECT_SHARE * before.dot(direction).abs() + fall.length() + rounding;
        (along > sideways + noise).then_some(along)
    })
}

/// The point of a body at a pose with which it meets a plane with a unit normal toward it at a contact's point: a round one meets it below its
/// axis, and its spin moves nothing into the plane there.
fn touching_point(shape: &Shape, pose: &Pose, point: DVec3, normal: DVec3) -> DVec3 {
    let upright = |half_height: f64| Segment {
        a: DVec3::Y * -half_height,
        b: DVec3::Y * half_height,
    };
    let of_stadium = shape.as_stadium().map(|(ends, _)| {
        let [a, b] = ends.map(|end| end.extend(0.0));
        Segment { a, b }
    });
    let axis = match shape {
        _ if let Some(axis) = of_stadium => axis,
        Shape::Sphere { .. } => upright(0.0),
        Shape::Capsule(capsule) => capsule.segment,
        Shape::Solid(SolidShape::Cylinder(cylinder)) => upright(cylinder.half_height),
        Shape::Solid(SolidShape::Cone(cone)) => upright(cone.half_height),
        _ => return point,
    };
    let on_axis = pose.point(closest_point_on_segment(pose.point_to_local(point), &axis).0);
    on_axis - normal * on_axis.distance(point)
}

/// The other contacts of a body at the ends of the frame that are on no internal edge, with their unit normals toward it.
fn others<'l>(
    log: &'l LogLine<'_>,
    contact: &'l LoggedContact,
    body: ObjectId,
) -> impl Iterator<Item = (&'l LoggedContact, DVec3)> {
    let lines = [&log.line, &log.line_before];
    let all = lines.into_iter().flat_map(move |line| {
        line.contacts()
            .of(body)
            .map(move |(number, other)| (line, number, other))
    });
    all.filter_map(move |(line, number, other)| {
        let toward = match body {
            body if body == other.a => other.normal,
            body if body == other.b => -other.normal,
            _ => return None,
        };
        let counts = !std::ptr::eq(contact, other)
            && log.is_reached(other)
            && !line.is_on_edge(log.context, log.surfaces, number);
        toward
            .try_normalize()
            .filter(|_| counts)
            .map(|toward| (other, toward))
    })
}
