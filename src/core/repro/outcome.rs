//! What is measured after the steps of a program: on which side of a surface a body ends, or the speed that a contact gave it.

use crate::core::diagnose::{Finding, Kind};
use crate::core::number::count;
use crate::core::replay::{Body, Recording};
use crate::core::scene::Movement;
use crate::core::shape::{Motion, Pose, Shape};
use glam::{DQuat, DVec3};

/// Change of a speed below which a contact had no effect, share of the speed (no unit).
const NO_EFFECT: f64 = 0.02;
/// Share of the displacement by which a logged velocity may be off.
const SAME_MOTION: f64 = 0.1;
/// Steps after the fault in which an engine pushes a body out that it holds: it is deep in the other for a few, as the push of a step is limited.
const PUSHED_OUT: usize = 4;
/// Share of a change of velocity that is along the contact normal where a contact made it: less with friction up to 1.7.
const BY_CONTACT: f64 = 0.5;

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
        /// Distance of the two after the steps from which on they cannot have met: such a body keeps its speed, and this is no fault.
        /// Metres.
        near: f64,
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
        Kind::Phantom => speed(recording, finding, a).map(|one| (one, 0)),
        Kind::StartsInside | Kind::BadNumber => None,
        _ => side(recording, finding, a, b),
    };
    let (outcome, later) = measured.ok_or_else(|| {
        format!("{what}: it changes neither the side on which a body ends nor its speed; {advice}")
    })?;
    let last = outcome.steps + later;
    let mut measures = (outcome.steps..=last).rev().map(|steps| Outcome {
        steps,
        ..outcome.clone()
    });
    measures
        .find(|one| passes_apart(recording, finding, one) == Some(true))
        .ok_or_else(|| {
            format!(
                "{what}: a program would fail without a collision too, as the body that is hit turns too far in {}; {advice}",
                count(outcome.steps, "step")
            )
        })
}

/// The side of the surface that was hit. Where the surface turns or is pushed away, a body that is held does not stay above it: there the speed
/// along the normal is measured that a hit takes away. With it the steps by which it may be measured later.
fn side(recording: &Recording, finding: &Finding, a: usize, b: usize) -> Option<(Outcome, usize)> {
    let passes = matches!(finding.kind, Kind::Tunnels | Kind::WrongSide);
    let is_pushed = |object: usize| recording.objects[object].movement == Movement::Velocity;
    let normal = DVec3::from(finding.normal).try_normalize()?;
    let start = finding.frame as usize;
    let pose = |object: usize, state: usize| Some(recording.body_at(state, object as u32)?.pose);
    let turned = |object: usize| {
        // A ball shows no turn.
        if is_round(recording, object) {
            return false;
        }
        let [before, after] = [start, start + 1].map(|state| pose(object, state));
        before
            .zip(after)
            .is_some_and(|(before, after)| before.rotation != after.rotation)
    };
    // Of the two the one that a hit moves less.
    let of_first = match (is_pushed(a), is_pushed(b)) {
        (false, true) => true,
        (true, true) => {
            let is_ball = is_round(recording, b) && !is_round(recording, a);
            // A speed is that of the surface which turns, and a place is stated in the space that does not.
            let [surface, other] = if passes { [a, b] } else { [b, a] };
            is_ball || !is_round(recording, a) && turned(surface) && !turned(other)
        }
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
    // The surface of a ball does not turn with it.
    let frame = |pose: Pose| Pose {
        rotation: if is_round(recording, base) {
            DQuat::IDENTITY
        } else {
            pose.rotation
        },
        ..pose
    };
    let place = frame(at_impact(base)?);
    let point = DVec3::from(finding.point);
    if passes && (is_pushed(base) || turned(base)) {
        let [of_mover, of_base] =
            [mover, base].map(|object| motion_at(recording, finding, object, start));
        let (of_mover, of_base) = (of_mover?, of_base?);
        let relative = of_mover.velocity - of_base.velocity;
        let before = relative.dot(normal);
        let of_surface = of_base.spin.cross(point - place.position).dot(normal);
        // An engine that stops a body at the time of impact responds a step later.
        let steps = 3;
        let time = recording.frames[start + 1].dt * f64::from(steps);
        let fall = recording.gravity.unwrap_or_default().length() * time;
        let size = radius(recording, mover) + radius(recording, base);
        let outcome = Outcome {
            mover,
            measure: Measure::Speed {
                base: Some(base),
                near: size + (relative.length() + fall) * time,
            },
            normal,
            least: before.midpoint(of_surface),
            start,
            steps: steps as usize,
        };
        return (before < of_surface).then_some((outcome, 0));
    }
    let down = recording.gravity.unwrap_or_default().dot(-normal);
    let (point, normal) = (place.point_to_local(point), place.vector_to_local(normal));
    let height =
        |base: Pose, mover: Pose| (frame(base).point_to_local(mover.position) - point).dot(normal);
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
    let steps = last - start + 1;
    // One that slides off the surface falls below it in time.
    let stays = |later: &usize| {
        let time = recording.frames[start + 1].dt * (steps + later) as f64;
        0.5 * down * time * time <= (held - least).max(0.0)
    };
    let later = match passes {
        true => (0..=PUSHED_OUT).rev().find(stays).unwrap_or(0),
        false => 0,
    };
    let outcome = Outcome {
        mover,
        measure: Measure::Place { base, point },
        normal,
        least,
        start,
        steps,
    };
    (lowest < held).then_some((outcome, later))
}

/// Whether the two end on the right side where they are too far from each other to meet: the mover starts along the normal, farther away than they
/// move. Where they do not, the measure is about the base's turn, and fails with a collision and without.
fn passes_apart(recording: &Recording, finding: &Finding, outcome: &Outcome) -> Option<bool> {
    let Measure::Place { base, point } = outcome.measure else {
        return Some(true);
    };
    let (start, mover) = (outcome.start, outcome.mover);
    let dt = recording.frames[start + 1].dt;
    let longest = dt * outcome.steps as f64;
    let state = |object: usize| {
        let pose = recording.body_at(start, object as u32)?.pose;
        Some((pose, motion_at(recording, finding, object, start)?))
    };
    let ((of_base, base_motion), (of_mover, mover_motion)) = (state(base)?, state(mover)?);
    let (turn, spin) = match is_round(recording, base) {
        true => (DQuat::IDENTITY, DVec3::ZERO),
        false => (of_base.rotation, base_motion.spin),
    };
    let fall = |object: usize| {
        let is_pushed = recording.objects[object].movement == Movement::Velocity;
        recording.gravity.filter(|_| is_pushed).unwrap_or_default()
    };
    let relative = mover_motion.velocity - base_motion.velocity;
    let gravity = fall(mover) - fall(base);
    let travel = relative.length() * longest + gravity.length() * longest * longest;
    let size = point.length() + of_base.position.distance(of_mover.position);
    let away = turn * outcome.normal * 10.0 * (travel + size);
    // The shortest first step, and the whole one.
    let is_right = [longest - dt, longest].map(|time| {
        let turn = DQuat::from_scaled_axis(spin * time) * turn;
        let moved = relative * time + 0.5 * gravity * time * time;
        let from = of_mover.position - of_base.position + away + moved;
        (turn.inverse() * from - point).dot(outcome.normal) >= outcome.least
    });
    Some(is_right == [true; 2])
}

/// Whether the shape is a ball, which looks the same however it is turned.
pub fn is_round(recording: &Recording, object: usize) -> bool {
    matches!(recording.objects[object].shape, Shape::Sphere { .. })
}

/// Distance of the shape's farthest point from the body's origin at most, metres.
fn radius(recording: &Recording, object: usize) -> f64 {
    let shape = &recording.objects[object].shape;
    if let Shape::Sphere { radius } = shape {
        return *radius;
    }
    let bounds = shape.placed(&Pose::IDENTITY).aabb();
    bounds.map_or(0.0, |bounds| {
        bounds.min.abs().max(bounds.max.abs()).length()
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
        measure: Measure::Speed {
            base: None,
            near: 0.0,
        },
        normal: -along,
        least: -(before.dot(along) + 0.5 * change.length()),
        start,
        steps: steps + 1,
    })
}

/// How a body moves into a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Metres per second.
    pub velocity: DVec3,
    /// Radians per second.
    pub spin: DVec3,
    /// Where it comes from.
    pub from: VelocityFrom,
}

/// Where the velocity of a body comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VelocityFrom {
    /// The log's, or the displacement where the log has none.
    Log,
    /// The log's at the end of the frame: the game set it before the step, after this one was logged. Metres per second.
    SetFrom(DVec3),
    /// The displacement, of a body whose logged velocity the engine clamps. Metres per second.
    Limited(DVec3),
    /// The displacement, of a body whose position the game set.
    Position,
}

/// How a body moves into the frame after a state. The velocity at its end counts where it explains the displacement and the one at its start
/// does not, and the other body of the finding cannot have made the difference, as it pushes along the contact normal. A velocity that is kept over
/// the frame and does not explain the displacement is clamped by the engine.
pub fn motion_at(
    recording: &Recording,
    finding: &Finding,
    object: usize,
    state: usize,
) -> Option<Start> {
    let body = |state: usize| recording.body_at(state, object as u32);
    let (now, next): (Body, Body) = (body(state)?, body(state + 1)?);
    let dt = recording.frames[state + 1].dt;
    let is_pushed = recording.objects[object].movement == Movement::Velocity;
    let gravity = recording.gravity.filter(|_| is_pushed).unwrap_or_default();
    let travel = (next.pose.position - now.pose.position) / dt;
    let turn = crate::core::diagnose::spin(&now.pose, &next.pose, dt);
    let start = |velocity, from| Start {
        velocity,
        spin: now
            .spin
            .filter(|_| from != VelocityFrom::Position)
            .unwrap_or(turn),
        from,
    };
    let Some(logged) = now.velocity else {
        return Some(start(travel - gravity * dt, VelocityFrom::Log));
    };
    let off = logged.distance(travel);
    if next.teleported || off <= SAME_MOTION * travel.length() + gravity.length() * dt {
        return Some(start(logged, VelocityFrom::Log));
    }
    let away = match recording.objects[object].name == finding.a {
        true => DVec3::from(finding.normal),
        false => -DVec3::from(finding.normal),
    };
    let set = next.velocity.filter(|end| {
        let change = *end - logged - gravity * dt;
        end.distance(travel) < 0.5 * off && change.dot(away) <= BY_CONTACT * change.length()
    });
    let is_kept =
        |end: DVec3| end.distance(logged + gravity * dt) <= SAME_MOTION * logged.length().min(off);
    // A push that leaves the velocity as it is makes the way longer, or turns it.
    let share = travel.dot(logged) / logged.length_squared();
    let is_shorter = 0.0 < share
        && share < 1.0
        && travel.distance(share * logged) <= SAME_MOTION * travel.length();
    let is_limited = is_shorter && next.velocity.is_some_and(is_kept);
    Some(match set {
        Some(end) if is_pushed => start(end - gravity * dt, VelocityFrom::SetFrom(logged)),
        _ if logged.length() < SAME_MOTION * travel.length() => {
            start(travel - gravity * dt, VelocityFrom::Position)
        }
        _ if is_limited => start(travel - gravity * dt, VelocityFrom::Limited(logged)),
        _ => start(logged, VelocityFrom::Log),
    })
}
