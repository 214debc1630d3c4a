//! Bodies that are stuck: pushes or contacts cancel their travel for half a second, although nothing is in its way.
//!
//! The travel of a frame is what the pushes took back, or what the velocity would have given. It is free if the body's own sweep along
//! it meets nothing, without the part that leads into what the body touches.

use super::LogLine;
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::detect::internal_edge::LoggedEdge;
use crate::core::diagnose::detect::internal_edge::is_on_edge;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::facts::f32_recheck::lost_step;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::name_of;

use crate::core::query::{self, SweepOutcome};
use crate::core::replay::{BodyState, LoggedContact, ObjectId, Recording};
use crate::core::scene::Movement;
use crate::core::shape::{Motion, Pose, UnitOrZero};
use crate::core::tolerance::SAME_SHARE;
use glam::DVec3;

/// Seconds without travel from which on a body is stuck: shorter, and a body that was stopped once is.
const STUCK_TIME: f64 = 0.5;

/// Share of its travel that a stuck body keeps in a frame at most (no unit): engines leave some rounding and creep.
const KEPT_SHARE: f64 = 0.1;

/// Share of its travel that a free body has left without the parts into floors (no unit): 25 degrees. Smaller, and a body that is pressed
/// against a slanted wall counts as free, as it could slide along it.
const FREE_SHARE: f64 = 0.9;

/// Floors and steps that a free body slides along in one frame.
const SLIDES: u32 = 4;

/// What stops a body in a frame.
struct Blocked {
    /// World, metres.
    travel: DVec3,
    /// Unit, against the travel.
    push: DVec3,
    pushed: f64,
}

/// Bodies that have been stuck for [`STUCK_TIME`] when the frame ends.
pub(super) fn judge(log: &LogLine<'_>, recording: &Recording, findings: &mut Vec<Finding>) {
    if log.data.contacts.is_empty() && log.data.pushes.is_empty() {
        return;
    }
    let mut pushed: Vec<ObjectId> = log.data.pushes.iter().map(|push| push.object).collect();
    pushed.sort_unstable();
    for (id, object) in (0..).zip(log.paths.objects) {
        let can_be = object.movement != Movement::Fixed && !object.sensor;
        let Some(ends) = log
            .paths
            .start(id)
            .zip(log.paths.end(id))
            .filter(|_| can_be)
        else {
            continue;
        };
        // Most bodies are where their velocity leads.
        let has_push = pushed.binary_search(&id).is_ok();
        let by_speed = |velocity| is_stopped(ends, velocity * log.paths.dt);
        // What rounding stops, no contact does.
        let is_lost = || lost_step(object, ends, log.paths.dt).is_some();
        if (has_push || ends.0.velocity.is_some_and(by_speed))
            && !is_lost()
            && !log.context.facts.has_joint.contains(&id)
        {
            findings.extend(stuck(log, recording, id));
        }
    }
}

fn stuck(log: &LogLine<'_>, recording: &Recording, id: ObjectId) -> Option<Finding> {
    let last = blocked(log, recording, log.frame.number, id)?;
    let (mut time, mut frames) = (0.0, 0);
    // The sum is rounded.
    while time < STUCK_TIME * (1.0 - SAME_SHARE) {
        let number = log.frame.number.checked_sub(frames)?;
        let blocked = blocked(log, recording, number, id)?;
        if blocked.travel.dot(last.travel) <= 0.0 {
            return None;
        }
        time += log.context.replay.dt(number);
        frames += 1;
    }
    // What hovers over a floor within the margin rests on it.
    let ahead = last.travel + last.travel.unit_or_zero() * log.margin();
    let free = free(log, id, ahead)?;
    finding(log, (id, &last), frames, free.length())
}

fn finding(
    log: &LogLine<'_>,
    (id, last): (ObjectId, &Blocked),
    frames: u32,
    free: f64,
) -> Option<Finding> {
    let pose = log.paths.start(id)?.pose;
    let bounds = log.paths.objects[id as usize].shape.placed(&pose).aabb();
    let distance = |other: ObjectId| Some((other != id).then(|| gap(log, id, other))??.0);
    let (nearest, _) = log.nearby().nearest(bounds.as_ref(), distance)?;
    let on_edge = on_edge(log, (id, nearest), last.push);
    let (cause, place) = match on_edge {
        Some(_) => (
            Cause::InternalEdge,
            "they are at a face or edge that others cover. Merge the faces, or use adjacency.",
        ),
        None => (
            Cause::Ghost,
            "they are of something that is not in its way. Make the margin smaller, or use the normal of the sweep.",
        ),
    };
    let other = on_edge.map_or(nearest, |(surface, _)| surface);
    let (gap, at) = gap(log, id, other)?;
    let point = on_edge.map_or(at, |(_, point)| point);
    let [a, b] = [id, other].map(|id| name_of(log.context, id));
    let units = log.context.replay.units();
    let text = format!(
        "{a} is stuck: for {frames} frames pushes or contacts cancel its travel, {} in this frame, although its own sweep over {} meets nothing. {b} is {} away: {place}",
        units.length(last.travel.length()),
        units.length(free),
        units.length(gap),
    );
    Some(Finding {
        a,
        b,
        object_a: Some(id),
        object_b: Some(other),
        point: point.to_array(),
        normal: last.push.to_array(),
        evidence: vec![
            (Key::BlockedFrames, f64::from(frames)),
            (Key::Travel, last.travel.length()),
            (Key::Push, last.pushed),
            (Key::ExactGap, gap),
        ],
        text,
        ..log
            .context
            .blank(Kind::Phantom, cause, log.frame.number, log.fraction())
    })
}

/// Distance of an object from a body when the frame begins, metres, and the nearest point of its surface.
fn gap(log: &LogLine<'_>, body: ObjectId, other: ObjectId) -> Option<(f64, DVec3)> {
    let objects = log.paths.objects;
    let placed = |id: ObjectId| {
        Some(
            objects[id as usize]
                .shape
                .placed(&log.paths.start(id)?.pose),
        )
    };
    let gap = query::gap(&placed(body)?, &placed(other)?)?;
    Some((gap.distance.max(0.0), gap.point_b))
}

/// The obstacle with the internal edge or covered face that stops a body, and the point: of a contact, else that nearest to the body.
fn on_edge(
    log: &LogLine<'_>,
    (body, nearest): (ObjectId, ObjectId),
    push: DVec3,
) -> Option<(ObjectId, DVec3)> {
    let of_contact = |(_, contact): (usize, &LoggedContact)| {
        let edge = LoggedEdge::of(log.context, log.surfaces, contact, &log.line)?;
        let (on, other) = match edge.normals().0 == contact.a {
            true => (contact.a, contact.b),
            false => (contact.b, contact.a),
        };
        (on == body).then_some((other, contact.point))
    };
    log.line
        .contacts()
        .of(body)
        .find_map(of_contact)
        .or_else(|| {
            let (distance, point) = gap(log, body, nearest)?;
            let near = distance + log.slack(body, nearest);
            let pair = (body, nearest);
            is_on_edge(log.context, log.surfaces, pair, (point, push), near)
                .then_some((nearest, point))
        })
}

/// Whether a body did not go along a travel between two states.
fn is_stopped((start, end): (&BodyState, &BodyState), travel: DVec3) -> bool {
    let moved = end.pose.position - start.pose.position;
    moved.dot(travel) <= KEPT_SHARE * travel.length_squared() && travel != DVec3::ZERO
}

/// What stops a body from the state of a number to the next; `None` for one that moves, has nothing that stops it, or would not travel its
/// inner radius in [`STUCK_TIME`].
fn blocked(log: &LogLine<'_>, recording: &Recording, number: u32, id: ObjectId) -> Option<Blocked> {
    let replay = log.context.replay;
    let line = recording.frames.get(number as usize + 1)?;
    let (start, end) = (replay.body(number, id)?, replay.body(number + 1, id)?);
    if line.gap || end.teleported || end.asleep {
        return None;
    }
    let data = recording.data.events(number as usize + 1);
    let pushes = data.pushes.iter().filter(|push| push.object == id);
    let sum: DVec3 = pushes.map(|push| push.push).sum();
    let dt = replay.dt(number);
    let travel = match sum == DVec3::ZERO {
        true => start.velocity? * dt,
        false => end.pose.position - start.pose.position - sum,
    };
    let contacts = data.contacts.of(id);
    let against = contacts.filter_map(|(_, contact)| Some(contact.seen_from(id)?.1));
    let along = |normal: &DVec3| normal.dot(travel);
    let push = match sum == DVec3::ZERO {
        true => against.min_by(|x, y| along(x).total_cmp(&along(y)))?,
        false => sum,
    };
    let push = push.try_normalize()?;
    let least = log.paths.objects[id as usize].shape.inner_radius() * dt / STUCK_TIME;
    let is_blocked = is_stopped((&start, &end), travel) && push.dot(travel) < 0.0;
    (is_blocked && travel.is_finite() && travel.length() >= least).then_some(Blocked {
        travel,
        push,
        pushed: sum.length(),
    })
}

/// What is left of a travel without the parts into what the body slides along, if nothing else is in its way.
fn free(log: &LogLine<'_>, id: ObjectId, travel: DVec3) -> Option<DVec3> {
    let pose = log.paths.start(id)?.pose;
    let on = |travel: DVec3| Motion {
        start: pose,
        end: Pose {
            position: pose.position + travel,
            ..pose
        },
    };
    let region = log.paths.bounds_with(id, &on(travel));
    let near = log.nearby().all_in(region.as_ref());
    let mut free = travel;
    for _ in 0..=SLIDES {
        if free.length() < FREE_SHARE * travel.length() {
            return None;
        }
        let Some(normal) = near
            .iter()
            .find_map(|other| hit(log, id, *other, &on(free)))
        else {
            return Some(free);
        };
        free -= normal * free.dot(normal).min(0.0);
    }
    None
}

/// The unit normal with which a motion of a body leads into another object.
fn hit(log: &LogLine<'_>, id: ObjectId, other: ObjectId, motion: &Motion) -> Option<DVec3> {
    let objects = log.paths.objects;
    let (object, obstacle) = (&objects[id as usize], &objects[other as usize]);
    let exemption = log.context.replay.exemption(log.frame.number, id, other);
    if other == id || exemption.is_some() || !object.collides_with(obstacle) {
        return None;
    }
    let still = Motion::still(log.paths.start(other)?.pose);
    match query::sweep(&object.shape, motion, &obstacle.shape, &still, &mut ()).outcome {
        SweepOutcome::Hits(impact) => Some(impact.normal),
        SweepOutcome::Overlapping { .. } => {
            let touch = |pose: &Pose| {
                let placed = obstacle.shape.placed(&still.start);
                query::contact(&object.shape.placed(pose), &placed, &mut ())
            };
            let (start, end) = (touch(&motion.start)?, touch(&motion.end));
            let end = end.filter(|end| end.depth > start.depth + log.slack(id, other));
            end.map(|end| end.normal)
        }
        _ => None,
    }
}
