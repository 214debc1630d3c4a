//! Findings of one frame.

use super::driven;
use super::frame_findings::{FrameFindings, TouchingPairs};
use super::margins;
use super::pair_finding::finding;
use super::piles::Piles;
use crate::core::bounds;
use crate::core::broad_phase::{self, Entry};
use crate::core::diagnose::causes::is_undone;
use crate::core::diagnose::detect;
use crate::core::diagnose::finding::{Finding, PileState, Source};
use crate::core::diagnose::judge::contact_history::Episode;
use crate::core::diagnose::judge::event::PairEvent;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::judge::solids::Solids;
use crate::core::diagnose::judge::two_segment_path;
use crate::core::diagnose::judge::{
    compound_parts, contact_history, own_push, passages, rotating_pair, sideways_push, substeps,
};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::Meeting;
use crate::core::diagnose::level_facts::context::Context;
use crate::core::query::{self, spheres_stay_apart};
use crate::core::replay::{Frame, MotionSegment, ObjectId, Phase};
use crate::core::shape::{Aabb, Facing, Motion, Pose, Shape};
use crate::core::tolerance::{FINDINGS_PER_FRAME, FINDINGS_PER_OBJECT};
use glam::DVec3;
use std::collections::HashMap;

/// Diagnoses the motion from state `frame` to the next, and what appears at its end.
pub fn judge(context: &Context<'_>, frame: &Frame) -> FrameFindings {
    let mut judged = FrameFindings::default();
    let touching = touching(context, frame);
    let piles = judge_pairs(context, frame, touching.as_ref(), &mut judged);
    detect::starts_inside::at_end_of(context, frame, &mut judged);
    detect::camera::judge(context, frame, &mut judged.findings);
    detect::bad_number::judge(context, frame, &mut judged.findings);
    let surfaces = detect::internal_edge::Surfaces::of(context, frame);
    let swept = (frame, touching.as_ref());
    detect::log_check::judge(context, swept, &piles, &surfaces, &mut judged);
    detect::next_wall::judge(context, frame, &mut judged.findings);
    detect::internal_edge::judge(context, frame, &surfaces, &mut judged.findings);
    judged
}

/// Diagnoses the candidate pairs; returns the piles that the frame begins with, whose pairs are skipped.
fn judge_pairs(
    context: &Context<'_>,
    frame: &Frame,
    touching: Option<&TouchingPairs>,
    judged: &mut FrameFindings,
) -> Piles {
    let objects = context.replay.objects();
    let mut candidates = candidates(context, frame);
    candidates.retain(|&(i, j)| context.replay.exemption(frame.number, i, j).is_none());
    let piles = Piles::of(context, &frame.start, |visit| {
        candidates.iter().for_each(|&(i, j)| visit(i, j));
    });
    judged.findings = piles.findings(context, (frame.number, 0.0), &frame.start, |_| {
        Some(PileState::Moved)
    });
    let mut found = vec![0; objects.len()];
    let solids = Solids::of(context, frame);
    // Most candidates are spheres that miss each other: a quick test over one straight segment.
    let whole = |id: ObjectId| Some((&objects[id as usize].shape, frame.whole_motion(id)?));
    let is_apart = |(i, j): (ObjectId, ObjectId)| match (whole(i), whole(j)) {
        (Some((a, motion_a)), Some((b, motion_b))) => {
            let missed = touching.is_some_and(|pairs| !pairs.contains(&(i, j)));
            missed
                && has_one_outcome(frame, i, a, &motion_a)
                && has_one_outcome(frame, j, b, &motion_b)
                || spheres_stay_apart(a, &motion_a, b, &motion_b)
        }
        _ => false,
    };
    // A solid of several boxes is one obstacle.
    let mut parts: HashMap<(ObjectId, ObjectId), Vec<(ObjectId, ObjectId)>> = HashMap::new();
    let solids_of = |(i, j)| context.replay.solids_of(i, j);
    for pair in &candidates {
        let is_part = [pair.0, pair.1]
            .iter()
            .any(|id| context.replay.is_part(*id));
        if is_part {
            parts.entry(solids_of(*pair)).or_default().push(*pair);
        }
    }
    for &(i, j) in &candidates {
        let (a, b) = (&objects[i as usize], &objects[j as usize]);
        let meeting = Meeting::of(a, b);
        if meeting == Meeting::None {
            continue;
        }
        if meeting == Meeting::Driven {
            let inside = driven::inside(context, &frame.end, (i, j));
            judged.driven_inside.extend(inside);
        }
        let same = parts.get(&solids_of((i, j))).map_or(&[][..], Vec::as_slice);
        if same.first().is_some_and(|first| *first != (i, j)) {
            continue;
        }
        let all = |is: &dyn Fn((ObjectId, ObjectId)) -> bool| {
            same.iter().skip(1).all(|pair| is(*pair)) && is((i, j))
        };
        if all(&is_apart) {
            judged.stats.sweeps += 1;
        } else if !all(&|(i, j)| !piles.hold(i, j)) {
            // Reported as a pile.
            continue;
        } else if found[i as usize].min(found[j as usize]) >= FINDINGS_PER_OBJECT
            || judged.findings.len() >= FINDINGS_PER_FRAME
        {
            judged.stats.left_out += 1;
            continue;
        } else {
            let before = judged.findings.len();
            judge_pair(context, frame, ((i, j), same), (&solids, judged));
            let more = (judged.findings.len() - before) as u32;
            found[i as usize] += more;
            found[j as usize] += more;
            if more > 0 {
                continue;
            }
        }
        if context.margins && a.collides_with(b) {
            for pair in std::iter::once(&(i, j)).chain(same.iter().skip(1)) {
                judged.margins.extend(margins::of(context, frame, *pair));
            }
        }
    }
    piles
}

/// The phases of a frame, where its candidates and sweep are those that diagnosis would choose. None of a stepped frame, which chose its
/// pairs before its bounces were known, and none where the bits are in question by which pairs were left out.
fn own_phases<'f>(context: &Context<'_>, frame: &'f Frame) -> &'f [Phase] {
    match context.facts.recorded && !context.facts.excluding_bits {
        true => &frame.phases,
        false => &[],
    }
}

/// The pairs that hit or overlap in the frame's own sweep; `None` where that sweep was not of all candidates.
fn touching(context: &Context<'_>, frame: &Frame) -> Option<TouchingPairs> {
    own_phases(context, frame)
        .iter()
        .find_map(|phase| match phase {
            Phase::Sweep { impacts, overlaps } => {
                let hits = impacts.iter().map(|&(i, j, _)| (i, j));
                Some(hits.chain(overlaps.iter().copied()).collect())
            }
            _ => None,
        })
}

/// Whether a missed sweep is the only result for an object: one part, two sides, no rotation.
fn has_one_outcome(frame: &Frame, id: ObjectId, shape: &Shape, motion: &Motion) -> bool {
    let spin = frame.start.body(id).and_then(|body| body.spin);
    let rotates = motion.turns() || spin.is_some_and(|spin| spin != DVec3::ZERO);
    match shape {
        Shape::Sphere { .. } => true,
        Shape::Mesh(_) | Shape::Compound(_) => false,
        Shape::Triangle(triangle) if triangle.facing == Facing::Front => false,
        _ => !rotates,
    }
}

/// Diagnoses a pair over each interval in which both travel straight. `same` has the pairs of the parts of the same solid that are near.
fn judge_pair(
    context: &Context<'_>,
    frame: &Frame,
    ((i, j), same): ((ObjectId, ObjectId), &[(ObjectId, ObjectId)]),
    (solids, judged): (&Solids<'_>, &mut FrameFindings),
) {
    let objects = context.replay.objects();
    let (a, b) = (&objects[i as usize], &objects[j as usize]);
    let mut judge = |(number, interval): (usize, (f64, f64, Motion, Motion))| {
        let Some(pair) = Pair::new(context.replay, (i, j), interval) else {
            return;
        };
        let pair = own_push::as_logged(pair.with_skin(context.facts.skin), frame);
        // Engines with a margin round their corners by about as much.
        let margin = context.facts.engine.margin.unwrap_or(0.0);
        let holds = |event: &PairEvent| {
            !context.facts.recorded
                || (two_segment_path::confirms(frame, &pair, event)
                    && rotating_pair::proven(
                        &pair.of_parts(event.parts),
                        event,
                        two_segment_path::bend(frame, &pair) + margin,
                    ))
        };
        judged.stats.start_depth = 0.0;
        let event = compound_parts::judge(&pair, &mut judged.stats);
        let start_depth = judged.stats.start_depth;
        let is_deep = start_depth > pair.slop;
        let episode = is_deep.then(|| Episode::of(context, frame, &pair));
        let known = match episode {
            Some(episode) if episode.within_shell => Some(pair.within_shell()),
            Some(episode) if episode.entered.is_some() => Some(Pair {
                entered: episode.entered,
                ..pair
            }),
            _ => None,
        };
        let (pair, event) = match known {
            None => (pair, event),
            Some(pair) => (pair, compound_parts::judge(&pair, &mut judged.stats)),
        };
        let event = event
            .filter(holds)
            .and_then(|event| uncovered(solids, &pair, event))
            .and_then(|event| {
                let count = substeps::count(context.replay, frame.number);
                substeps::of_event(count, pair, event)
            })
            .map(|(pair, event)| {
                let event = contact_history::with_contact_before(context, frame, &pair, event);
                (pair, event)
            })
            .or_else(|| {
                let history = (episode.as_ref()?, solids);
                let event = contact_history::sinks(context, frame, &pair, history)?;
                Some((pair, event))
            })
            .or_else(|| {
                let event = sideways_push::into_next(frame, &pair, solids)?;
                let event = contact_history::with_contact_before(context, frame, &pair, event);
                Some((pair, event))
            })
            .or_else(|| {
                let event = || passages::undefined_direction(&pair);
                Some((pair, is_deep.then(event)??))
            })
            .filter(|(pair, event)| !is_let_pass(context, pair, event))
            .filter(|(pair, event)| !context.facts.recorded || !is_undone(frame, pair, event));
        let starts_inside = episode.is_some_and(|episode| episode.starts_inside());
        // What was reported as an initial overlap is another event only where the body passes.
        let is_new = |event: &PairEvent| {
            let passes = event.end.is_none() && event.kind != Kind::BadNumber;
            !starts_inside || passes || event.is_from_behind()
        };
        if event.is_none()
            && !starts_inside
            && a.collides_with(b)
            && let Some((later, pair, event)) =
                contact_history::stays(context, frame, &pair, (start_depth, solids))
            && !is_let_pass(context, &pair, &event)
        {
            let pair = of_touched_part(context, &later, &pair, &event, same);
            let since = Some(episode.map_or(frame.number + 1, |episode| episode.since));
            judged.findings.push(Finding {
                source: Source::Pair(number),
                ..finding(context, &later, &pair, (&event, since))
            });
        }
        if let Some((pair, event)) = event
            && is_new(&event)
            && (a.collides_with(b)
                || contact_history::crosses_from_outside(&event, episode.as_ref()))
        {
            let pair = of_touched_part(context, frame, &pair, &event, same);
            let since = episode.map(|episode| episode.since);
            judged.findings.push(Finding {
                source: Source::Pair(number),
                ..finding(context, frame, &pair, (&event, since))
            });
        }
    };
    match (frame.whole_motion(i), frame.whole_motion(j)) {
        (Some(a), Some(b)) => judge((0, (0.0, 1.0, a, b))),
        _ => (0..).zip(frame.straight_intervals(i, j)).for_each(judge),
    }
}

/// The pair with the part of the solid that is nearest to where the event is; the first of those as near.
fn of_touched_part<'r>(
    context: &Context<'r>,
    frame: &Frame,
    pair: &Pair<'r>,
    event: &PairEvent,
    same: &[(ObjectId, ObjectId)],
) -> Pair<'r> {
    let replay = context.replay;
    let obstacle = pair.obstacle.id;
    let at = Shape::Sphere { radius: 0.0 }.placed(&Pose::at(event.point));
    let parts = same.iter().flat_map(|(i, j)| [*i, *j]);
    let parts = parts.filter(|id| replay.solid_of(*id) == replay.solid_of(obstacle));
    let distances = parts.filter_map(|id| {
        let pose = frame.start.body(id)?.pose;
        let gap = query::gap(&at, &replay.own_shape(id)?.placed(&pose))?;
        Some((gap.distance.max(0.0), id, pose))
    });
    let nearest = distances.min_by(|one, other| one.0.total_cmp(&other.0));
    let part = nearest.and_then(|(_, id, pose)| Some((id, replay.judged_shape(id)?, pose)));
    part.map_or(*pair, |part| pair.with_obstacle(part))
}

/// Whether an event is a passage along the direction in which bodies pass an object on purpose.
fn is_let_pass(context: &Context<'_>, pair: &Pair<'_>, event: &PairEvent) -> bool {
    let objects = context.replay.objects();
    let lets_pass = |id: ObjectId, displacement| objects[id as usize].lets_pass(displacement);
    lets_pass(pair.obstacle.id, -event.normal) || lets_pass(pair.mover.id, event.normal)
}

/// The same event; where the surface that is touched first is covered by another solid, on the face that the mover's centre comes to. `None`
/// where that is covered, too, or there is none: the mover slides from one solid to the next.
fn uncovered(solids: &Solids<'_>, pair: &Pair<'_>, event: PairEvent) -> Option<PairEvent> {
    let obstacle = pair.obstacle.id;
    let enters = event.start().is_none() && !event.is_from_behind();
    if !enters || event.kind == Kind::BadNumber || !solids.contains(obstacle) {
        return Some(event);
    }
    if !solids.covers(pair, event.point, event.normal) {
        return Some(event);
    }
    let of_parts = pair.of_parts(event.parts);
    let counts = |surface: &(DVec3, DVec3)| {
        let (point, normal) = *surface;
        let side = pair.side_at_end(point, normal, event.fraction);
        side.is_some_and(|side| side < 0.0) && !solids.covers(pair, point, normal)
    };
    let ahead = passages::face_ahead(&of_parts, event.fraction).filter(counts);
    // Exactly between two solids the centre comes to neither.
    let beside = || {
        let shifted = of_parts.shifted(solids.toward_obstacle(pair, &event));
        passages::face_ahead(&shifted, event.fraction).filter(counts)
    };
    let (point, normal) = ahead.or_else(beside)?;
    Some(PairEvent {
        point,
        normal,
        kind: match event.kind {
            Kind::Clips => Kind::Tunnels,
            kind => kind,
        },
        ..event
    })
}

/// Candidate pairs.
fn candidates(context: &Context<'_>, frame: &Frame) -> Vec<(ObjectId, ObjectId)> {
    let chosen = own_phases(context, frame)
        .iter()
        .find_map(|phase| match phase {
            Phase::Candidates { pairs } => Some(pairs.clone()),
            _ => None,
        });
    chosen.unwrap_or_else(|| {
        let objects = context.replay.objects();
        let of = |id: &ObjectId| {
            entry(&frame.segments(*id), |motion| {
                bounds::swept_aabb(&objects[*id as usize].shape, motion)
            })
        };
        let ids = frame.start.ids();
        let entries: Vec<Entry> = ids.iter().map(of).collect();
        let pairs = broad_phase::candidate_pairs(&entries).into_iter();
        pairs
            .map(|(a, b)| (ids[a as usize], ids[b as usize]))
            .collect()
    })
}

/// The box around all segments; absent or not finite objects get none.
pub fn entry(segments: &[MotionSegment], swept: impl Fn(&Motion) -> Option<Aabb>) -> Entry {
    let finite = |segment: &MotionSegment| {
        segment.motion.start.is_finite() && segment.motion.end.is_finite()
    };
    if segments.is_empty() || !segments.iter().all(finite) {
        return Entry {
            bounds: Some(Aabb::NOWHERE),
            moves: false,
        };
    }
    let around =
        |sum: Option<Aabb>, segment: &MotionSegment| Some(sum?.union(&swept(&segment.motion)?));
    Entry {
        bounds: segments[1..]
            .iter()
            .fold(swept(&segments[0].motion), around),
        moves: segments
            .iter()
            .any(|segment| segment.motion.start != segment.motion.end),
    }
}
