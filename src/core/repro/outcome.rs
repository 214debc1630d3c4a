//! What is measured after the steps of a program: on which side of a surface a body ends, or the speed that a contact gave it.

use crate::core::diagnose::{Finding, Kind};
use crate::core::replay::{Body, Recording};
use crate::core::scene::Movement;
use crate::core::shape::{Motion, Pose};
use glam::DVec3;

/// Change of a speed below which a contact had no effect, share of the speed (no unit).
const NO_EFFECT: f64 = 0.02;
/// Share of the displacement by which a logged velocity may be off.
const SAME_MOTION: f64 = 0.1;

/// A measure, and the value that divides the fault from what is right: it must be at least that.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The object that is measured.
    pub mover: usize,
    /// What of it.
    pub measure: Measure,
    /// Unit; along it the place or the speed counts. For a place of the other object's space, else of the world.
    pub normal: DVec3,
    /// Metres, or metres per second.
    pub least: f64,
    /// The state from which the program starts.
    pub start: usize,
    /// Steps of a frame until the fault shows.
    pub steps: usize,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// The place relative to a point of another object, in its space.
    Place {
        /// The other object.
        base: usize,
        /// In its space.
        point: DVec3,
    },
    /// The speed, less that of another object.
    Speed {
        /// The other object; `None` for the speed in the world.
        base: Option<usize>,
    },
}

/// The measure of a finding, in its own small log.
///
/// # Errors
/// A sentence, for a finding that shows in no place and in no speed.
pub fn outcome(recording: &Recording, finding: &Finding) -> Result<Outcome, String> {
    let place = |name: &String| recording.objects.iter().position(|one| one.name == *name);
    let what = format!("{} {}", finding.kind.name(), finding.cause.id());
    let advice = "take --for log, which keeps what the engine logged";
    let (Some(a), Some(b)) = (place(&finding.a), place(&finding.b)) else {
        return Err(format!(
            "{what}: a program needs two bodies, and this finding is about one, or about the camera; {advice}"
        ));
    };
    if recording.objects[a].sensor || recording.objects[b].sensor {
        return Err(format!(
            "{what}: one of the two is a sensor, which keeps no body on its side; {advice}"
        ));
    }
    let measured = match finding.kind {
        Kind::Phantom => speed(recording, finding, a),
        Kind::StartsInside | Kind::BadNumber => None,
        _ => side(recording, finding, a, b),
    };
    measured.ok_or_else(|| {
        format!("{what}: it changes neither the side on which a body ends nor its speed; {advice}")
    })
}

/// The side of the surface that was hit. Where the surface turns or is pushed away, a body that is held does not stay above it: there the speed
/// along the normal is measured that a hit takes away.
fn side(recording: &Recording, finding: &Finding, a: usize, b: usize) -> Option<Outcome> {
    let is_pushed = |object: usize| recording.objects[object].movement == Movement::Velocity;
    let normal = DVec3::from(finding.normal).try_normalize()?;
    let start = finding.frame as usize;
    let pose = |object: usize, state: usize| Some(recording.body_at(state, object as u32)?.pose);
    let turned = |object: usize| {
        let [before, after] = [start, start + 1].map(|state| pose(object, state));
        before
            .zip(after)
            .is_some_and(|(before, after)| before.rotation != after.rotation)
    };
    // Of the two the one that a hit moves less.
    let of_first = match (is_pushed(a), is_pushed(b)) {
        (false, true) => true,
        (true, true) => turned(a) && !turned(b),
        _ => false,
    };
    let (mover, base, normal) = match of_first {
        true => (b, a, -normal),
        false => (a, b, normal),
    };
    let at_impact = |object: usize| {
        let motion = Motion {
            start: pose(object, start)?,
            end: pose(object, start + 1)?,
        };
        Some(motion.pose(finding.fraction))
    };
    let place = at_impact(base)?;
    let point = DVec3::from(finding.point);
    let passes = matches!(finding.kind, Kind::Tunnels | Kind::WrongSide);
    if passes && (is_pushed(base) || turned(base)) {
        let [(velocity, ..), (of_base, spin, _)] = [
            motion_at(recording, mover, start)?,
            motion_at(recording, base, start)?,
        ];
        let before = (velocity - of_base).dot(normal);
        let of_surface = spin.cross(point - place.position).dot(normal);
        return (before < of_surface).then_some(Outcome {
            mover,
            measure: Measure::Speed { base: Some(base) },
            normal,
            least: before.midpoint(of_surface),
            start,
            // An engine that stops a body at the time of impact responds a step later.
            steps: 3,
        });
    }
    let (point, normal) = (place.point_to_local(point), place.vector_to_local(normal));
    let height =
        |base: Pose, mover: Pose| (base.point_to_local(mover.position) - point).dot(normal);
    let held = height(place, at_impact(mover)?);
    let later = (start + 1)..recording.frames.len();
    let seen =
        later.filter_map(|state| Some((height(pose(base, state)?, pose(mover, state)?), state)));
    let (lowest, last) = seen.min_by(|one, other| one.0.total_cmp(&other.0))?;
    let least = if held > 0.0 && lowest < 0.0 {
        0.0
    } else {
        held.midpoint(lowest)
    };
    (lowest < held).then_some(Outcome {
        mover,
        measure: Measure::Place { base, point },
        normal,
        least,
        start,
        steps: last - start + 1,
    })
}

/// The speed that a contact gave along its normal; the measure counts against it.
fn speed(recording: &Recording, finding: &Finding, mover: usize) -> Option<Outcome> {
    let start = finding.frame as usize;
    let gravity = recording.gravity.unwrap_or_default();
    let velocity = |state: usize| recording.body_at(state, mover as u32)?.velocity;
    let before = velocity(start)?;
    let changes = [1, 2].into_iter().filter_map(|later| {
        let dt = recording.frames.get(start + later)?.dt;
        Some((
            velocity(start + later)? - before - gravity * dt * later as f64,
            later,
        ))
    });
    let (change, steps) =
        changes.max_by(|one, other| one.0.length().total_cmp(&other.0.length()))?;
    let along = change.try_normalize()?;
    if change.length() < NO_EFFECT * before.length() {
        return None;
    }
    Some(Outcome {
        mover,
        measure: Measure::Speed { base: None },
        normal: -along,
        least: -(before.dot(along) + 0.5 * change.length()),
        start,
        steps: steps + 1,
    })
}

/// How a body moves into a frame: its velocity, its angular velocity, and whether its position is set instead.
pub fn motion_at(
    recording: &Recording,
    object: usize,
    state: usize,
) -> Option<(DVec3, DVec3, bool)> {
    let body = |state: usize| recording.body_at(state, object as u32);
    let (now, next): (Body, Body) = (body(state)?, body(state + 1)?);
    let dt = recording.frames[state + 1].dt;
    let is_pushed = recording.objects[object].movement == Movement::Velocity;
    let gravity = recording.gravity.filter(|_| is_pushed).unwrap_or_default();
    let travel = (next.pose.position - now.pose.position) / dt;
    let turn = crate::core::diagnose::spin(&now.pose, &next.pose, dt);
    let is_set = now
        .velocity
        .is_some_and(|logged| logged.length() < SAME_MOTION * travel.length() && !next.teleported);
    let velocity = match now.velocity {
        Some(logged) if !is_set => logged,
        _ => travel - gravity * dt,
    };
    Some((
        velocity,
        now.spin.filter(|_| !is_set).unwrap_or(turn),
        is_set,
    ))
}
