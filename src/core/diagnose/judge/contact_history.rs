//! What the states before a frame add to it: how long a pair has been in contact, through which surface the mover came in, and whether
//! it sinks or stays inside.

use super::event::{Approach, Entry, Inside, PairEvent, comes_out};
use super::pair::{Pair, Side};
use super::passages;
use super::rotating_pair::{rims, side_views, went_through};
use super::solids::Solids;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::Context;
use crate::core::diagnose::level_facts::overlaps::{Before, KnownOverlap};
use crate::core::diagnose::shape_metrics::{center, half_width, height_over, is_body};
use crate::core::query::{self, Contact, Feature};
use crate::core::replay::{Frame, FrameState, ObjectId, Replay, StateAt};
use crate::core::scene::Movement;
use crate::core::shape::{Motion, Pose, Segment};
use crate::core::tolerance::{
    FAR_SIDE_COSINE, SAME_SHARE, STAYS_DEPTH, STAYS_DEPTH_IN_BODY, STAYS_INSIDE, STAYS_SLOP,
    UNNAMED_SLOP,
};
use glam::DVec3;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// States in contact before the centre passes, from which on the contact gave way: a test detected the pair in time.
const GIVES_WAY: u32 = 2;

/// States of an overlap that are followed back, at least (a count); more where they take less than [`STAYS_INSIDE`].
const FOLLOWED: u32 = 16;

/// Number of consecutive states up to the frame's start in which a pair touches, at most `most`; not across a teleport.
pub fn frames_in_contact(context: &Context<'_>, frame: &Frame, pair: &Pair<'_>, most: u32) -> u32 {
    let earliest = (frame.number + 1).saturating_sub(most);
    let mut count = 0;
    for number in (earliest..=frame.number).rev() {
        let state = context.replay.at(number);
        let Some((a, b)) = state.body(pair.mover.id).zip(state.body(pair.obstacle.id)) else {
            break;
        };
        if contact_at(pair, state).is_none() && !is_logged(context, number, pair) {
            break;
        }
        count += 1;
        if a.teleported || b.teleported {
            break;
        }
    }
    count
}

/// Whether the log has a contact of a pair at a state in which they touch. One with a negative depth is only near.
fn is_logged(context: &Context<'_>, state: u32, pair: &Pair<'_>) -> bool {
    let (mover, obstacle) = (pair.mover.id, pair.obstacle.id);
    let contacts = context.replay.contacts_between(state, mover, obstacle);
    contacts.iter().any(|(contact, _)| contact.depth >= 0.0)
}

/// The contact of a pair at a state.
fn contact_at(pair: &Pair<'_>, state: StateAt<'_>) -> Option<Contact> {
    let pose = |side: Side<'_>| Some(state.body(side.id)?.pose);
    let (mover, obstacle) = (pose(pair.mover)?, pose(pair.obstacle)?);
    let obstacle = pair.obstacle.placed(&obstacle);
    query::contact(&pair.mover.placed(&mover), &obstacle, &mut ())
}

/// The same pair between two states, with the slop of these.
fn between<'r>(
    context: &Context<'r>,
    pair: &Pair<'_>,
    [from, to]: [StateAt<'_>; 2],
) -> Option<Pair<'r>> {
    let motion = |id: ObjectId| {
        Some(Motion {
            start: from.body(id)?.pose,
            end: to.body(id)?.pose,
        })
    };
    let (mover, obstacle) = pair.ids();
    let interval = (0.0, 1.0, motion(mover)?, motion(obstacle)?);
    let pair = Pair::in_order(context.replay, (mover, obstacle), interval)?;
    Some(pair.with_skin(context.facts.skin))
}

/// An overlap deeper than the slop that lasts when a frame begins.
#[derive(Clone, Copy, Debug)]
pub struct Episode {
    /// The first state of it, as far as it was followed.
    pub since: u32,
    /// It begins at that state: it was not followed to its limit.
    is_whole: bool,
    /// Both were there and not deeper than the slop in the state before, or one of them appears there no deeper.
    from_outside: bool,
    /// The mover was within a closed mesh that collides from its front only, and touched no triangle of it.
    pub within_shell: bool,
    /// The surface through which the mover came in.
    pub entered: Option<Entry>,
}

impl Episode {
    /// The overlap of a pair that is deeper than the slop when a frame begins.
    pub fn of(context: &Context<'_>, frame: &Frame, pair: &Pair<'_>) -> Self {
        let seconds = |state: u32| context.replay.time(frame.number) - context.replay.time(state);
        let is_followed =
            |state: u32| frame.number - state < FOLLOWED || seconds(state) <= 1.5 * STAYS_INSIDE;
        let known = context.overlaps.of(pair.ids());
        let known_deep = |number: u32| known?.is_deep(number, pair.slop);
        let mut least = f64::INFINITY;
        let mut since = frame.number;
        let mut is_whole = false;
        let mut before = None;
        while is_followed(since) {
            let here = context.replay.at(since);
            let came = |id: ObjectId| here.body(id).is_some_and(|body| !body.teleported);
            let earlier = since.checked_sub(1).map(|number| context.replay.at(number));
            let both = earlier.filter(|state| {
                let there =
                    state.body(pair.mover.id).is_some() && state.body(pair.obstacle.id).is_some();
                there && came(pair.mover.id) && came(pair.obstacle.id)
            });
            let Some(state) = both else {
                is_whole = true;
                break;
            };
            let depth_before = || contact_at(pair, state).map_or(0.0, |contact| contact.depth);
            match known_deep(since - 1) {
                Some(true) => {
                    let earlier = known.filter(|known| known.states.0 == since);
                    let earlier = earlier.and_then(|known| known.before);
                    least = earlier.map_or(least, |before| least.min(before.depth));
                }
                Some(false) => {
                    let depth = known.and_then(|known| known.before);
                    let depth = depth.map_or_else(depth_before, |before| before.depth);
                    before = Some((state, here, depth));
                }
                None => {
                    let depth = depth_before();
                    match depth > pair.slop {
                        true => least = least.min(depth),
                        false => before = Some((state, here, depth)),
                    }
                }
            }
            if before.is_some() {
                is_whole = true;
                break;
            }
            since -= 1;
        }
        let (mover, obstacle) = pair.ids();
        let first = context.replay.at(since);
        let at_first = |id: ObjectId| Some((id, first.body(id)?.pose));
        let ends = || at_first(mover).zip(at_first(obstacle));
        let within_shell = before.is_none()
            && ends().is_some_and(|(body, mesh)| is_within_shell(context.replay, body, mesh));
        let before = before.map(|(from, to, depth)| Before {
            depth,
            entry: known
                .and_then(|known| known.entry(since))
                .unwrap_or_else(|| {
                    let local = entry(context, pair, [from, to])?;
                    Some((local.point, local.normal))
                }),
        });
        // Of the state at the frame's start only the depth on the way is known.
        if let Some(last) = frame.number.checked_sub(1).filter(|last| *last >= since) {
            let found = KnownOverlap {
                states: (since, last),
                least: known.map_or(least, |known| least.min(known.least)),
                before,
            };
            context.overlaps.add(pair.ids(), found);
        }
        Self {
            since,
            is_whole,
            from_outside: before.is_some(),
            within_shell,
            entered: before
                .and_then(|before| before.entry)
                .and_then(|(point, normal)| {
                    let states = since.saturating_sub(1)..=frame.number;
                    let exit = centre_exit(context.replay, pair, states);
                    let local = Entry {
                        point,
                        normal,
                        exit,
                    };
                    carried(pair, local)
                }),
        }
    }

    /// Whether the pair began in this overlap.
    pub fn starts_inside(&self) -> bool {
        self.is_whole && !self.from_outside && !self.within_shell
    }
}

/// Whether a body that overlaps the solid of a closed mesh is within the mesh and touches no triangle of it, and these collide from their front only.
pub fn is_within_shell(
    replay: &Replay,
    (body, pose): (ObjectId, Pose),
    (mesh, at): (ObjectId, Pose),
) -> bool {
    let touches = || {
        let shell = replay.front_shell(mesh)?.placed(&at);
        let body = replay.judged_shape(body)?.placed(&pose);
        Some(query::overlaps(&body, &shell))
    };
    touches() == Some(false)
}

/// The surface through which the mover comes between two states, in the obstacle's space. Through a one-sided surface nothing comes in from
/// behind.
fn entry(context: &Context<'_>, pair: &Pair<'_>, states: [StateAt<'_>; 2]) -> Option<Entry> {
    let between = between(context, pair, states)?;
    let (fraction, (point, normal)) = passages::surface_entered(&between)?;
    let obstacle = felt_pose(pair, between.obstacle.turning().pose(fraction));
    Some(Entry {
        point: obstacle.point_to_local(point),
        normal: obstacle.vector_to_local(normal),
        exit: None,
    })
}

/// The normal of the obstacle, in its space, where the mover's centre last came out of it between the first and the last of some states.
fn centre_exit(replay: &Replay, pair: &Pair<'_>, states: RangeInclusive<u32>) -> Option<DVec3> {
    let (mover, obstacle) = pair.ids();
    let (shape, solid) = (pair.mover.shape, pair.obstacle.shape);
    let place = |state: u32| {
        let state = replay.at(state);
        let at = felt_pose(pair, state.body(obstacle)?.pose);
        Some(at.point_to_local(center(shape, &state.body(mover)?.pose)?))
    };
    let mut places = states.rev().map_while(place);
    let mut later = places.next()?;
    let hit = places.find_map(|earlier| {
        let back = Segment {
            a: std::mem::replace(&mut later, earlier),
            b: earlier,
        };
        query::ray_cast(&back, solid, &Pose::IDENTITY)
    })?;
    comes_out(&hit, solid).then_some(hit.normal)
}

/// A pose of the obstacle as others feel it: the surface of a ball that rolls does not turn with it.
fn felt_pose(pair: &Pair<'_>, pose: Pose) -> Pose {
    match pair.obstacle.shape.is_ball() {
        true => Pose::at(pose.position),
        false => pose,
    }
}

/// An entry in the obstacle's space as it is when the interval begins.
fn carried(pair: &Pair<'_>, entry: Entry) -> Option<Entry> {
    let obstacle = felt_pose(pair, pair.obstacle.motion.start);
    let found = Entry {
        point: obstacle.point(entry.point),
        normal: obstacle.vector(entry.normal),
        exit: entry.exit.map(|exit| obstacle.vector(exit)),
    };
    (found.point.is_finite() && found.normal.is_finite()).then_some(found)
}

/// Whether an event of a pair that its bits exclude counts: it passes, and came from outside.
pub fn crosses_from_outside(event: &PairEvent, episode: Option<&Episode>) -> bool {
    let crosses = matches!(event.kind, Kind::Tunnels | Kind::WrongSide | Kind::Sinks);
    crosses && episode.is_none_or(|episode| !episode.starts_inside())
}

/// The same event; a passage after some states of contact, or where the engine logged one that pushes back, is a contact that gave way.
pub fn with_contact_before(
    context: &Context<'_>,
    frame: &Frame,
    pair: &Pair<'_>,
    event: PairEvent,
) -> PairEvent {
    let passes = matches!(event.kind, Kind::Tunnels | Kind::WrongSide) && !event.is_from_behind();
    let begins = event.fraction == 0.0 || event.start().is_some();
    let was_pushed = || {
        begins
            && event.kind == Kind::WrongSide
            && was_pushed_back(context, frame, pair, event.normal)
    };
    let gave_way = passes
        && !pair.sensor
        && pair.from == 0.0
        && (frames_in_contact(context, frame, pair, GIVES_WAY) == GIVES_WAY || was_pushed());
    if !gave_way {
        return event;
    }
    let touch = event
        .start()
        .or_else(|| pair.contact_at(|motion| motion.start));
    let start = touch.unwrap_or(Contact {
        point: event.point,
        normal: event.normal,
        depth: 0.0,
        feature_a: Feature::Round,
        feature_b: Feature::Round,
        triangle: event.triangle,
        fallback: false,
    });
    PairEvent {
        kind: Kind::Sinks,
        approach: Approach::Overlap(start),
        ..event
    }
}

/// Whether the log has a contact of a pair at an end of the frame that pushes to the side of a normal, toward the mover.
fn was_pushed_back(context: &Context<'_>, frame: &Frame, pair: &Pair<'_>, normal: DVec3) -> bool {
    let states = [frame.number, frame.number + 1].into_iter();
    let (mover, obstacle) = (pair.mover.id, pair.obstacle.id);
    let contacts = states.flat_map(|state| context.replay.contacts_between(state, mover, obstacle));
    let leads_back = |away: DVec3| away.dot(normal) > FAR_SIDE_COSINE * away.length();
    let mut deep = contacts.filter(|(contact, _)| contact.depth > 0.0);
    deep.any(|(_, away)| leads_back(away))
}

/// The event of a mover that came from outside and is wholly inside the obstacle for the first time, deeper than when the frame began; or that
/// the frame's pushes bring to where the next one leads out on the far side.
pub fn sinks(
    context: &Context<'_>,
    frame: &Frame,
    pair: &Pair<'_>,
    (episode, solids): (&Episode, &Solids<'_>),
) -> Option<PairEvent> {
    let (shape, motion) = (pair.mover.shape, &pair.mover.motion);
    // Through the back of a one-sided surface nothing comes in.
    let from_behind = pair.is_one_sided() && episode.entered.is_none();
    if !is_body(shape) || pair.sensor || pair.to < 1.0 || episode.starts_inside() || from_behind {
        return None;
    }
    let obstacle = pair.obstacle.id;
    let start = pair.contact_at(|motion| motion.start)?;
    let end = pair.overlap_at_end().filter(|end| end.depth > pair.slop)?;
    let (point, normal) = pair.entry_or(&start);
    // The shortest way out that no other solid covers, as a share of the mover's width along it: from 1 on the mover is wholly inside.
    let way_out = |contact: &Contact, pose: Pose, state: &FrameState| {
        // An obstacle that can be pushed gives way itself.
        let is_blocked =
            solids.contains(obstacle) && solids.blocks(pair, pose, contact.push(), state);
        let (way, along) = match is_blocked {
            false => (contact.depth, contact.normal),
            true => (solids.way_out(pair, pose, normal, state), normal),
        };
        way / (2.0 * half_width(shape, &pose, along)) + SAME_SHARE
    };
    // A push at the end of the frame may turn the next one.
    let is_past = |contact: &Contact| contact.normal.dot(normal) < -FAR_SIDE_COSINE;
    let was_far =
        || center(shape, &motion.start).is_some_and(|center| (center - point).dot(normal) < 0.0);
    let turns_behind = |pushed: &Contact| {
        let views = side_views(pair, 0.0, (point, normal));
        let behind = views
            .first()
            .is_some_and(|view| view.points_out_behind(pushed));
        behind && went_through(pair, &views)
    };
    if let Some(pushed) =
        contact_at(pair, context.replay.at(frame.number + 1)).filter(|end| end.depth > pair.slop)
        && !pushed.fallback
        && turns_behind(&pushed)
        && !(is_past(&start) && was_far())
    {
        return Some(PairEvent {
            normal,
            end: Some(pushed),
            ..PairEvent::overlapping(Kind::Sinks, start)
        });
    }
    let after = way_out(&end, motion.end, &frame.end);
    let before = || way_out(&start, motion.start, &frame.start);
    let states = || frames_in_contact(context, frame, pair, GIVES_WAY + 1);
    let sinks = after >= 1.0
        && before() < after
        && match states() {
            GIVES_WAY => true,
            states => states > GIVES_WAY && before() < 1.0,
        };
    let counts = sinks && !solids.stands_for(pair, motion.end, &frame.end, end.depth);
    counts.then(|| lasting(&start, end, normal, Inside::Wholly))
}

fn lasting(start: &Contact, end: Contact, normal: DVec3, inside: Inside) -> PairEvent {
    PairEvent {
        normal,
        end: Some(end),
        inside: Some(inside),
        ..PairEvent::overlapping(Kind::Sinks, *start)
    }
}

/// The event of a mover that comes deeper into a solid in this frame than bodies rest, and stays so for [`STAYS_INSIDE`]: of the frame in which
/// that time is over. `start_depth` is its overlap when the frame begins, metres.
pub fn stays<'r>(
    context: &Context<'r>,
    frame: &Frame,
    pair: &Pair<'r>,
    (start_depth, solids): (f64, &Solids<'_>),
) -> Option<(Arc<Frame>, Pair<'r>, PairEvent)> {
    let (mover, obstacle) = pair.ids();
    let (shape, motion) = (pair.mover.shape, &pair.mover.motion);
    let replay = context.replay;
    let ends = [mover, obstacle].map(|id| &replay.objects()[id as usize]);
    // A character rides on a lift.
    let rides = ends.iter().any(|end| end.is_character())
        && ends.iter().all(|end| end.movement != Movement::Fixed);
    let is_body = is_body(shape) && (pair.is_pushable() || rides);
    let share = match pair.both_pushable() {
        true => STAYS_DEPTH_IN_BODY,
        false => STAYS_DEPTH,
    };
    let pushed = match ends[0].is_pushable() || !ends[1].is_pushable() {
        true => shape,
        false => pair.obstacle.shape,
    };
    let size = pushed.inner_radius();
    let is_unnamed = replay.engine().name.is_none() && replay.margin().is_none();
    let unnamed = if is_unnamed {
        UNNAMED_SLOP.min(0.5 * size)
    } else {
        0.0
    };
    let deep = (STAYS_SLOP * pair.slop).max(share * size).max(unnamed);
    let rims = rims(pair).unwrap_or(f64::INFINITY);
    let most = start_depth + pair.travel().length() + rims;
    if !is_body || pair.sensor || pair.to < 1.0 || start_depth > deep || most <= deep {
        return None;
    }
    let end = pair.overlap_at_end().filter(|end| end.depth > deep)?;
    let over = || {
        let at = frame.end.body(obstacle)?.pose;
        let center = center(shape, &motion.end)?;
        height_over(replay.judged_shape(obstacle)?, at.point_to_local(center))
    };
    // Behind a one-sided surface there is nothing to be inside of.
    if replay.is_one_sided(obstacle) && over().is_some_and(|height| height < 0.0) {
        return None;
    }
    let first = frame.number + 1;
    let lasted = |state: u32| replay.time(state) - replay.time(first);
    let mut last = first;
    while lasted(last) < STAYS_INSIDE {
        last += 1;
        let state = (last <= replay.frames()).then(|| replay.at(last))?;
        let is_there = |id: ObjectId| state.body(id).is_some_and(|body| !body.teleported);
        let asleep = state.body(mover)?.asleep;
        let depth = contact_at(pair, state)?.depth;
        if asleep || !is_there(pair.mover.id) || !is_there(pair.obstacle.id) || depth <= deep {
            return None;
        }
    }
    if last > context.last + 1 || solids.stands_for(pair, motion.end, &frame.end, end.depth) {
        return None;
    }
    let later = replay.frame(last - 1);
    let last = between(context, pair, [replay.at(last - 1), replay.at(last)])?;
    let start = last.contact_at(|motion| motion.start)?;
    let end = last.contact_at_end()?;
    let entered = entry(context, pair, [replay.at(frame.number), replay.at(first)])
        .and_then(|local| carried(&last, local));
    let normal = entered.map_or(start.normal, |entry| entry.normal);
    Some((later, last, lasting(&start, end, normal, Inside::Stays)))
}
