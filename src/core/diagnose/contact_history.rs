//! How long a pair has been in contact when a frame begins, and what follows from it.

use super::context::Context;
use super::kind::Kind;
use super::pair::{Approach, Pair, PairEvent, points_out_behind};
use super::shape_metrics::{half_width, is_body};
use crate::core::query::{self, Contact};
use crate::core::replay::{Frame, LoggedContact, ObjectId};
use crate::core::shape::{Pose, Shape};
use crate::core::tolerance::FAR_SIDE_COSINE;
use glam::DVec3;

/// States in contact before the centre passes, from which on the contact gave way: a test detected the pair in time.
const GIVES_WAY: u32 = 2;

/// Number of consecutive states up to the frame's start in which a pair touches, at most `most`; not across a teleport.
pub(super) fn frames_in_contact(
    context: &Context<'_>,
    frame: &Frame,
    pair: &Pair<'_>,
    most: u32,
) -> u32 {
    let recording = context.replay.recording();
    let earliest = (frame.number + 1).saturating_sub(most);
    let mut count = 0;
    for number in (earliest..=frame.number).rev() {
        let state = context.replay.state(number);
        let Some((a, b)) = state.body(pair.a).zip(state.body(pair.b)) else {
            break;
        };
        let (placed_a, placed_b) = (pair.shape_a.placed(&a.pose), pair.shape_b.placed(&b.pose));
        let is_logged = || recording.is_some_and(|log| log.has_contact(number, pair.a, pair.b));
        if !query::overlaps(&placed_a, &placed_b) && !is_logged() {
            break;
        }
        count += 1;
        if a.teleported || b.teleported {
            break;
        }
    }
    count
}

/// Whether a pair came from outside: it was there and apart before it touched, or is known from a touch on that is no deeper than the slop, as
/// of a body at rest where a recording begins. A body that appears inside another leaves it on purpose.
fn came_from_outside(context: &Context<'_>, frame: &Frame, pair: &Pair<'_>) -> bool {
    let touching = frames_in_contact(context, frame, pair, u32::MAX);
    let number = (frame.number + 1).saturating_sub(touching);
    let first = context.replay.state(number);
    let was_apart = number.checked_sub(1).is_some_and(|apart| {
        let before = context.replay.state(apart);
        let travels = |id: ObjectId| {
            let came = first.body(id).is_some_and(|body| !body.teleported);
            before.body(id).is_some() && came
        };
        travels(pair.a) && travels(pair.b)
    });
    let only_touched = || {
        let (a, b) = (first.body(pair.a)?, first.body(pair.b)?);
        let (a, b) = (pair.shape_a.placed(&a.pose), pair.shape_b.placed(&b.pose));
        let depth = query::contact(&a, &b, &mut ()).map_or(0.0, |contact| contact.depth);
        Some(depth <= pair.slop())
    };
    was_apart || touching > 0 && only_touched().unwrap_or(false)
}

/// Whether an event of a pair that its bits exclude counts: it passes, and came from outside.
pub(super) fn crosses_from_outside(
    context: &Context<'_>,
    frame: &Frame,
    pair: &Pair<'_>,
    event: &PairEvent,
) -> bool {
    let crosses = matches!(event.kind, Kind::Tunnels | Kind::WrongSide | Kind::Sinks);
    crosses && (event.start().is_none() || came_from_outside(context, frame, pair))
}

/// The same event; a push to the far side is a contact that gave way after some frames of contact, or where the engine
/// logged one that pushes back: it had the contact before the centre passed.
pub(super) fn with_contact_before(
    context: &Context<'_>,
    frame: &Frame,
    pair: &Pair<'_>,
    event: PairEvent,
) -> PairEvent {
    let event = through_the_centre(context, frame, pair, event);
    let gave_way = event.kind == Kind::WrongSide
        && event.start().is_some()
        && (frames_in_contact(context, frame, pair, GIVES_WAY) == GIVES_WAY
            || was_pushed_back(context, frame, pair, event.normal));
    match gave_way {
        true => PairEvent {
            kind: Kind::Sinks,
            ..event
        },
        false => event,
    }
}

/// The same event; where two centres coincide only in passing, after some frames of contact, it is a contact that gave way: the body came
/// from outside, and is pushed out, or leaves, along its travel.
fn through_the_centre(
    context: &Context<'_>,
    frame: &Frame,
    pair: &Pair<'_>,
    event: PairEvent,
) -> PairEvent {
    // The contact has no direction, so that its point may be on any side.
    let entry = |travel: DVec3| {
        let (shape, pose, from) = match pair.mover_is_a() {
            true => (pair.shape_b, &pair.motion_b.start, -travel),
            false => (pair.shape_a, &pair.motion_a.start, travel),
        };
        pose.position + from * half_width(shape, pose, travel)
    };
    let passing = || {
        let before = context.replay.state(frame.number.checked_sub(1)?);
        let position = |id: ObjectId| Some(before.body(id)?.pose.position);
        let travel = pair.travel().try_normalize()?;
        let came = (position(pair.a)? - position(pair.b)?).dot(travel) < 0.0;
        let end = pair.contact_at_end();
        let onward = end.is_none_or(|end| !end.fallback && points_out_behind(&end, -travel));
        let gave_way = frames_in_contact(context, frame, pair, GIVES_WAY) == GIVES_WAY
            && came_from_outside(context, frame, pair);
        (came && onward && gave_way && !pair.sensor).then(|| PairEvent {
            kind: Kind::Sinks,
            point: entry(travel),
            normal: -travel,
            end,
            ..event.clone()
        })
    };
    match event.kind {
        Kind::BadNumber => passing().unwrap_or(event),
        _ => event,
    }
}

/// Whether the log has a contact of a pair at an end of the frame that pushes to the side of a normal, which points from `b` to `a`.
fn was_pushed_back(context: &Context<'_>, frame: &Frame, pair: &Pair<'_>, normal: DVec3) -> bool {
    let Some(log) = context.replay.recording() else {
        return false;
    };
    let states = [frame.number, frame.number + 1].into_iter();
    let pushes_back = |contact: &LoggedContact| {
        let away = match (contact.a, contact.b) {
            ends if ends == (pair.a, pair.b) => contact.normal,
            ends if ends == (pair.b, pair.a) => -contact.normal,
            _ => return false,
        };
        contact.depth > 0.0 && away.dot(normal) > FAR_SIDE_COSINE * away.length()
    };
    let mut lines = states.map(|state| log.data.events(state as usize));
    lines.any(|data| data.contacts.iter().any(pushes_back))
}

/// A body that was in contact with a plane and is now wholly behind it: a plane has no far side to come out on.
///
/// The first frame after two states in contact that ends wholly behind the plane, and deeper than it began.
pub(super) fn sinks_into_plane(
    context: &Context<'_>,
    frame: &Frame,
    pair: &Pair<'_>,
) -> Option<PairEvent> {
    let (body, is_a) = match (pair.shape_a, pair.shape_b) {
        (body, Shape::Plane(_)) => (body, true),
        (Shape::Plane(_), body) => (body, false),
        _ => return None,
    };
    if !is_body(body) || pair.sensor || pair.to < 1.0 {
        return None;
    }
    let is_behind = |contact: &Contact, pose: Pose| {
        contact.depth >= 2.0 * half_width(body, &pose, contact.normal)
    };
    let motion = if is_a { &pair.motion_a } else { &pair.motion_b };
    // Of what rests on a plane only this contact is computed.
    let end = pair
        .contact_at_end()
        .filter(|end| is_behind(end, motion.end))?;
    let start = pair
        .contact_at(|motion| motion.start)
        .filter(|start| start.depth < end.depth)?;
    let states = frames_in_contact(context, frame, pair, GIVES_WAY + 1);
    let is_first = states == GIVES_WAY || states > GIVES_WAY && !is_behind(&start, motion.start);
    (is_first && came_from_outside(context, frame, pair)).then_some(PairEvent {
        kind: Kind::Sinks,
        fraction: 0.0,
        point: start.point,
        normal: start.normal,
        approach: Approach::Overlap(start),
        end: Some(end),
        triangle: None,
        alone: false,
        parts: [None; 2],
        turned: None,
    })
}
