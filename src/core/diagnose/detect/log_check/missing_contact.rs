//! Missing contacts: a pair overlaps for several frames, and a log with contacts has none of it.
//!
//! Engines report contacts when they begin, or in every frame, or of some bodies only. So a pair counts only when the log has
//! contacts of its body with something else and none of the pair in any frame, and when the overlap began within the recording, is
//! deeper than any slop and lasts for three states. A pair that is pushed in those frames was detected, and one whose mover came along
//! `one_way` has no contact on purpose until it is out.

use super::LogLine;
use crate::core::diagnose::causes::gap::{LASTING, undetected};
use crate::core::diagnose::detect::piles::Piles;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::shape_metrics::{center, height_over};
use crate::core::query::{self, Contact};
use crate::core::replay::{FrameState, ObjectId, Phase, Recording};
use std::collections::HashSet;

/// Pairs whose overlap has lasted [`LASTING`] states when the frame ends.
pub(super) fn judge(
    log: &LogLine<'_>,
    recording: &Recording,
    piles: &Piles,
    findings: &mut Vec<Finding>,
) {
    let number = log.frame.number;
    if !recording.logs_contacts() || number + 1 < LASTING {
        return;
    }
    let overlaps = log.frame.phases.iter().find_map(|phase| match phase {
        Phase::Sweep { overlaps, .. } => Some(overlaps),
        _ => None,
    });
    let mut pairs: Vec<_> = overlaps.into_iter().flatten().copied().collect();
    pairs.retain(|(a, b)| !piles.hold(*a, *b));
    // Of the parts of a solid one stands for all.
    let replay = log.context.replay;
    let mut known = HashSet::new();
    pairs.retain(|(a, b)| known.insert(replay.solids_of(*a, *b)));
    for (a, b) in pairs {
        let (a, b) = mover_first(log, a, b);
        findings.extend(
            continuous_overlap(log, recording, a, b).map(|deepest| Finding {
                point: deepest.point.to_array(),
                normal: deepest.normal.to_array(),
                ..undetected(log.context, number, (a, b), deepest.depth)
            }),
        );
    }
}

/// The pair with its mover first: the one that can be pushed, of two the one that travels farther, else the lower number.
fn mover_first(log: &LogLine<'_>, a: ObjectId, b: ObjectId) -> (ObjectId, ObjectId) {
    let travel = |id: ObjectId| {
        let ends = log.paths.start(id).zip(log.paths.end(id));
        ends.map_or(0.0, |(start, end)| {
            start.pose.position.distance(end.pose.position)
        })
    };
    let order = |id: ObjectId| (log.paths.objects[id as usize].is_pushable(), travel(id));
    let ((pushed_a, far_a), (pushed_b, far_b)) = (order(a), order(b));
    let a_first = (pushed_a.cmp(&pushed_b))
        .then(far_a.total_cmp(&far_b))
        .then(b.cmp(&a));
    match a_first.is_ge() {
        true => (a, b),
        false => (b, a),
    }
}

/// The deepest contact of an overlap that the log does not have, its normal toward `a`.
fn continuous_overlap(
    log: &LogLine<'_>,
    recording: &Recording,
    a: ObjectId,
    b: ObjectId,
) -> Option<Contact> {
    let objects = log.paths.objects;
    let (one, other) = (&objects[a as usize], &objects[b as usize]);
    let known = |id: ObjectId| (id as usize) < recording.objects.len();
    let facts = log.context.facts;
    let is_reported =
        |id: ObjectId| recording.has_empty_contacts || facts.has_contacts[id as usize];
    let reports = |id: ObjectId| objects[id as usize].is_pushable() && is_reported(id);
    let repeated = known(a) && known(b) && !one.sensor && !other.sensor && one.collides_with(other);
    let replay = log.context.replay;
    let exempt = replay.exemption(log.frame.number, a, b).is_some();
    if !repeated || exempt || facts.is_logged_pair(replay, a, b) || !(reports(a) || reports(b)) {
        return None;
    }
    let least = log.slack(a, b) + log.stated_margin();
    let overlap = |state: &FrameState| {
        let body = |id: ObjectId| state.body(id);
        let (at, by) = (body(a)?, body(b)?);
        let shapes = [(a, at), (b, by)].map(|(id, body)| log.paths.shape(id).placed(&body.pose));
        let contact = query::contact(&shapes[0], &shapes[1], &mut ());
        let awake = !(at.asleep && by.asleep);
        Some(contact).filter(|_| awake)
    };
    let depth = |contact: &Option<Contact>| contact.map_or(0.0, |contact| contact.depth);
    let deep = |state: &FrameState| overlap(state)?.filter(|contact| contact.depth > least);
    let deeper = |one: Contact, other: Contact| match other.depth > one.depth {
        true => other,
        false => one,
    };
    let mut deepest = deeper(deep(&log.frame.end)?, deep(&log.frame.start)?);
    let last = log.frame.number + 1;
    let first = last + 1 - LASTING;
    for state in first..log.frame.number {
        deepest = deeper(deepest, deep(&replay.state(state))?);
    }
    // A surface has no contacts behind it.
    let is_behind = |surface: ObjectId, body: ObjectId| {
        let state = replay.state(first);
        let height = || {
            let (at, by) = (state.body(surface)?.pose, state.body(body)?.pose);
            let center = center(&objects[body as usize].shape, &by)?;
            height_over(&objects[surface as usize].shape, at.point_to_local(center))
        };
        replay.is_one_sided(surface) && height().is_some_and(|height| height < 0.0)
    };
    if is_behind(a, b) || is_behind(b, a) {
        return None;
    }
    // Before that they were present and apart.
    let earlier = replay.state(first.checked_sub(1)?);
    let before = depth(&overlap(&earlier)?);
    let entered = replay.state(first);
    let moved = |id: ObjectId| {
        let [from, to] = [&earlier, &entered].map(|state| Some(state.body(id)?.pose.position));
        Some(to? - from?)
    };
    let way = moved(a)? - moved(b)?;
    if one.lets_pass(-way) || other.lets_pass(way) {
        return None;
    }
    let pushed = |state: u32| {
        let line = recording.frames.get(state as usize);
        let data = recording.data.events(state as usize);
        let mut pushes = data.pushes.iter();
        line.is_some_and(|line| line.gap) || pushes.any(|push| push.object == a || push.object == b)
    };
    (before <= least && !(first..=last).any(pushed)).then_some(deepest)
}
