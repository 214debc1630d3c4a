//! Logged contacts: whether the pair touched on any path estimate, and with which normal.
//!
//! A contact that changed a speed needs a touch. One that changed nothing may be speculative, which engines create on
//! purpose within a margin: it is reported only if it claims a touch (its depth is not negative) and the two are
//! farther apart than any usual margin. A normal that is off is reported only if it changed the motion: engines keep contacts of earlier
//! steps, whose normals are some degrees old.

mod effect;
mod normal;

use self::effect::{is_pushed, unexplained_change};
use super::LogLine;
use super::path_distance::apart;
use crate::core::diagnose::detect::ghost::GhostContact;
use crate::core::diagnose::detect::internal_edge::{Line, LoggedEdge};
use crate::core::diagnose::finding::Finding;
use crate::core::query;
use crate::core::replay::{LoggedContact, LoggedMove, ObjectId};
use crate::core::scene::Movement;
use crate::core::shape::{Motion, Pose};
use crate::core::tolerance::CONTACT_FRAMES;
use glam::DVec3;

/// Cosine to a contact's normal above which a change of speed is that contact's (no unit).
///
/// Friction turns it by some degrees; steering turns it anywhere.
const EFFECT_ALONG: f64 = 0.9;

/// Share of the speed and of a frame's fall above which a change of a speed counts as one (no unit).
///
/// Drag, damping and velocities half a step off change a speed by a few percent. Larger, and a ghost that takes little is missed.
const EFFECT_SHARE: f64 = 0.1;

/// Share of the speed in any direction that is noise (no unit): rotations and drag turn a velocity a little.
const NOISE: f64 = 0.02;

/// `tilted` receives the angle of a normal that is off without an effect, degrees.
pub(super) fn judge(
    log: &LogLine<'_>,
    contact: &LoggedContact,
    tilted: &mut Vec<f64>,
) -> Option<Finding> {
    let finite = contact.point.is_finite() && contact.depth.is_finite();
    let normal = contact.normal.try_normalize();
    // Values that are not finite are a finding of their own.
    let normal = normal.filter(|_| finite && contact.a != contact.b)?;
    let confirmed = normal::is_exact(log, contact, normal);
    if !confirmed && let Some(found) = ghost(log, contact, normal) {
        return Some(found);
    }
    if let Some(edge) = edge_of(log, contact, &log.line) {
        return bump(log, contact, &edge);
    }
    if confirmed {
        return None;
    }
    normal::tilted(log, contact, normal, tilted)
}

/// The finding of a contact of the line before that has its effect in the frame: a line may have the contacts that its step ends with.
pub(super) fn judge_at_start(log: &LogLine<'_>, contact: &LoggedContact) -> Option<Finding> {
    // Most contacts end here.
    let is_pushed = is_pushed(log, contact.a) || is_pushed(log, contact.b);
    let edge = || edge_of(log, contact, &log.line_before);
    let edge = is_pushed.then(edge).flatten()?;
    bump(log, contact, &edge)
}

/// The internal edge of a contact of a line at which the two come together.
fn edge_of<'c>(
    log: &LogLine<'_>,
    contact: &'c LoggedContact,
    line: &Line,
) -> Option<LoggedEdge<'c>> {
    let edge = || LoggedEdge::of(log.context, log.surfaces, contact, line);
    log.is_reached(contact).then(edge).flatten()
}

/// The finding of a contact on an internal edge that changed the motion.
fn bump(log: &LogLine<'_>, contact: &LoggedContact, edge: &LoggedEdge<'_>) -> Option<Finding> {
    let (body, normals) = edge.normals();
    let change = unexplained_change(log, contact, body, normals)?;
    // Only a sphere whose surface moves into the face pushes itself off a point ahead of it.
    let surface_speed = -log.velocity_at(body, contact.point).dot(normals[0]);
    let is_bump = !edge.is_off_body() || surface_speed >= change;
    let finding = || edge.finding(log.context, log.frame.number, change);
    (is_bump && !edge.is_deep(log.context, log.surfaces)).then(finding)
}

fn ghost(log: &LogLine<'_>, contact: &LoggedContact, normal: DVec3) -> Option<Finding> {
    // Of the two what can be pushed is the body, whichever comes first in the log.
    let is_pushable = |id: ObjectId| log.paths.objects[id as usize].is_pushable();
    let swapped = LoggedContact {
        a: contact.b,
        b: contact.a,
        normal: -contact.normal,
        ..*contact
    };
    let (contact, normal) = match !is_pushable(contact.a) && is_pushable(contact.b) {
        true => (&swapped, -normal),
        false => (contact, normal),
    };
    let slack = log.slack(contact.a, contact.b);
    let gap = log.paths.distance(contact.a, contact.b, slack)?;
    if gap <= slack {
        return None;
    }
    if was_pushed_apart(log, contact, normal, slack) {
        return None;
    }
    let change = change(log, contact, normal);
    // A body may stop a margin before what it would hit, or is about to touch, but not beside what it would pass.
    let within = gap <= slack + log.stated_margin();
    let meets = || log.paths.hits_ahead(contact.a, contact.b, slack);
    if within && (change.is_none() || meets() || rests(log, contact, normal, change)) {
        return None;
    }
    let claims_nothing = contact.depth < 0.0 || gap <= slack.max(log.margin());
    if change.is_none() && claims_nothing {
        return None;
    }
    let beside = controller_reach(log, contact.a) + controller_reach(log, contact.b);
    if gap <= slack + beside {
        return None;
    }
    let ghost = GhostContact {
        contact,
        normal,
        gap,
        slack,
        change,
        touched: (contact.depth > slack.max(log.margin()))
            .then(|| last_touch(log, contact))
            .flatten(),
    };
    Some(ghost.finding(log.context, log.frame.number, log.fraction()))
}

/// How far beside its path the controller of a character sweeps it in the step, metres: up a step, and down to the floor. 0 where the log has no
/// moves of it.
fn controller_reach(log: &LogLine<'_>, id: ObjectId) -> f64 {
    let reach = |made: LoggedMove| {
        let reaches = [made.max_step, made.snap, made.skin].into_iter().flatten();
        reaches.filter(|reach| reach.is_finite()).sum::<f64>()
    };
    let moves = log.context.replay.moves_of(id, log.frame.number + 1);
    moves.into_iter().map(reach).fold(0.0, f64::max)
}

/// Whether another contact of the line may have pushed the two apart, from where they are as deep as this one says.
///
/// Engines that correct positions move the bodies, find all contacts there, and then push the bodies out. By which velocity they moved need not be
/// in a log: a game may set it before the step, and a contact take it in the step.
fn was_pushed_apart(log: &LogLine<'_>, contact: &LoggedContact, normal: DVec3, slack: f64) -> bool {
    let (a, b) = (contact.a, contact.b);
    let push = |id: ObjectId, other: ObjectId, away: DVec3| {
        let along = |(_, it): (usize, &LoggedContact)| {
            let (_, toward) = it.seen_from(id).filter(|(third, _)| *third != other)?;
            Some(it.depth * toward.try_normalize()?.dot(away))
        };
        let is_pushable = log.paths.objects[id as usize].is_pushable();
        let all = log.data.contacts.of(id).filter(|_| is_pushable);
        all.filter_map(along).fold(0.0, f64::max)
    };
    let back = push(a, b, normal) + push(b, a, -normal) - contact.depth.max(0.0);
    let least = || {
        let [a, b] = [a, b].map(|id| Some((log.paths.shape(id), log.paths.end(id)?.pose)));
        let ((a, start), (b, other)) = a.zip(b)?;
        let position = start.position - back * normal;
        let end = Pose { position, ..start };
        apart(
            (a, &Motion { start, end }),
            (b, &Motion::still(other)),
            slack,
        )
    };
    back > 0.0 && least().is_some_and(|least| least <= slack)
}

/// Whether a contact gives a body no more than the speed that gravity would in the frame, across the gap: the body rests a margin above the other.
fn rests(log: &LogLine<'_>, contact: &LoggedContact, normal: DVec3, change: Option<f64>) -> bool {
    let fall = log.paths.gravity.length() * log.paths.dt;
    let placed = |id: ObjectId| {
        let body = log.paths.end(id)?;
        Some(log.paths.shape(id).placed(&body.pose))
    };
    let gap = || {
        let (a, b) = placed(contact.a).zip(placed(contact.b))?;
        query::gap(&a, &b)
    };
    change.is_some_and(|change| change <= (1.0 + EFFECT_SHARE) * fall)
        && gap().is_some_and(|gap| gap.normal.dot(normal) >= EFFECT_ALONG)
}

/// The last state before this one in which the two of a contact overlap, where every line since then has one of the pair.
fn last_touch(log: &LogLine<'_>, contact: &LoggedContact) -> Option<u32> {
    let (replay, objects) = (log.context.replay, log.paths.objects);
    let overlaps = |state: u32| {
        let placed = |id: ObjectId| {
            let body = replay.body(state, id)?;
            Some(objects[id as usize].shape.placed(&body.pose))
        };
        let both = placed(contact.a).zip(placed(contact.b));
        both.is_some_and(|(a, b)| query::contact(&a, &b, &mut ()).is_some())
    };
    (log.state.saturating_sub(CONTACT_FRAMES)..log.state)
        .rev()
        .take_while(|state| replay.has_contact(*state, contact.a, contact.b))
        .find(|state| overlaps(*state))
}

/// Speed change along the contact's normal, metres per second; `None` without one, where the log does not give it, or
/// where another touched object may have caused it.
fn change(log: &LogLine<'_>, contact: &LoggedContact, normal: DVec3) -> Option<f64> {
    let of = |id: ObjectId, other: ObjectId, away: DVec3| {
        let change = speed_change(log, id, away)?;
        (!log.touches_another(id, other)).then_some(change)
    };
    let (a, b) = (contact.a, contact.b);
    match (of(a, b, normal), of(b, a, -normal)) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (only, None) | (None, only) => only,
    }
}

/// Speed that a body gained away from the contact, without gravity, metres per second; `None` within noise, in another direction, and
/// where a joint may have given it.
fn speed_change(log: &LogLine<'_>, id: ObjectId, away: DVec3) -> Option<f64> {
    if log.paths.objects[id as usize].movement != Movement::Velocity
        || log.context.facts.has_joint.contains(&id)
    {
        return None;
    }
    let (before, after) = (log.paths.start(id)?.velocity?, log.paths.end(id)?.velocity?);
    let fall = log.paths.gravity * log.paths.dt;
    let change = after - before - fall;
    let along = change.dot(away);
    let noise = EFFECT_SHARE * (before.dot(away).abs() + fall.length()) + NOISE * before.length();
    (along > noise && along >= EFFECT_ALONG * change.length()).then_some(along)
}
