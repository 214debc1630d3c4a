//! `StartsInside` (C12): overlap at the first frame a body exists, or after a teleport.
//!
//! Only pairs of which one can be pushed are tested. A depth within [`SLOP_SHARE`] of the smaller body is resting contact.

use super::frame_findings::FrameFindings;
use super::piles::{Piles, too_deep};
use crate::core::broad_phase::{self, Entry};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::finding::{Finding, PileState};
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::judge::solids::Solids;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::Context;
use crate::core::diagnose::shape_metrics::is_body;
use crate::core::number::percent;
use crate::core::query::Contact;
use crate::core::replay::{BodyState, Frame, FrameState, ObjectId};
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Aabb, Motion};
use crate::core::tolerance::{FINDINGS_PER_FRAME, SLOP_SHARE};
use glam::DVec3;
use std::collections::HashSet;

/// Relative velocity along the normal below which an overlapping pair counts as resting, in pair sizes per second (1/s).
///
/// Slower, a body takes more than a hundred seconds to travel its own size.
const RESTING_RATE: f64 = 0.01;

/// Tests the state a frame leads to, if it is in range.
pub fn at_end_of(context: &Context<'_>, frame: &Frame, judged: &mut FrameFindings) {
    let last_of_level = frame.number + 1 >= context.replay.frames();
    if frame.number >= context.last && !last_of_level {
        return;
    }
    // The state after the last frame is that frame's end.
    let (number, fraction) = if last_of_level {
        (frame.number, 1.0)
    } else {
        (frame.number + 1, 0.0)
    };
    judge(
        context,
        number,
        fraction,
        Some(&frame.start),
        &frame.end,
        judged,
    );
}

/// Tests the state at the start of the first frame in range.
pub fn at_first(context: &Context<'_>, first: u32, judged: &mut FrameFindings) {
    let before = first
        .checked_sub(1)
        .map(|before| context.replay.state(before));
    judge(
        context,
        first,
        0.0,
        before.as_deref(),
        &context.replay.state(first),
        judged,
    );
}

fn judge(
    context: &Context<'_>,
    number: u32,
    fraction: f64,
    before: Option<&FrameState>,
    state: &FrameState,
    judged: &mut FrameFindings,
) {
    let is_new = |id: ObjectId, body: &BodyState| {
        let was = before.and_then(|before| before.body(id));
        body.teleported || was.is_none()
    };
    let is_placed = |id: ObjectId| state.body(id).is_some_and(|body| is_new(id, body));
    if !state.present().any(|(id, body)| is_new(id, body)) {
        return;
    }
    let objects = context.replay.objects();
    let nowhere = Entry {
        bounds: Some(Aabb::NOWHERE),
        moves: false,
    };
    let entry = |(id, body): (ObjectId, &BodyState)| {
        let object = &objects[id as usize];
        match body.pose.is_finite() {
            true => Entry {
                bounds: object.shape.placed(&body.pose).aabb(),
                moves: object.is_pushable(),
            },
            false => nowhere,
        }
    };
    let entries: Vec<Entry> = state.present().map(entry).collect();
    let visit_pairs = |visit: &mut dyn FnMut(ObjectId, ObjectId)| {
        let ids = state.ids();
        broad_phase::visit_pairs(&entries, |i, j| visit(ids[i as usize], ids[j as usize]));
    };
    let is_tested = |i, j| context.replay.exemption(number, i, j).is_none();
    let piles = Piles::of(context, state, |visit| {
        visit_pairs(&mut |i, j| {
            if is_tested(i, j) {
                visit(i, j);
            }
        });
    });
    judged.findings.extend(
        piles.findings(context, (number, fraction), state, |members| {
            let placed = members.iter().any(|id| is_placed(*id));
            placed.then_some(PileState::Placed)
        }),
    );
    let mut pairs = Vec::new();
    visit_pairs(&mut |i, j| {
        let (a, b) = (&objects[i as usize], &objects[j as usize]);
        let seen = (is_placed(i) || is_placed(j)) && a.collides_with(b) && !a.sensor && !b.sensor;
        if seen && is_tested(i, j) && !piles.hold(i, j) {
            pairs.push((i, j));
        }
    });
    pairs.sort_unstable();
    // Of the parts of a solid one stands for all.
    let mut known = HashSet::new();
    let mut deep = Vec::new();
    for (i, j) in pairs {
        if !known.insert(context.replay.solids_of(i, j)) {
            continue;
        }
        if deep.len() >= FINDINGS_PER_FRAME {
            judged.stats.left_out += 1;
            continue;
        }
        let (a, b) = (&objects[i as usize], &objects[j as usize]);
        // The movable object comes first; of two, the new one.
        let swap = !a.is_pushable() || (b.is_pushable() && !is_placed(i));
        let (a, b) = if swap { (j, i) } else { (i, j) };
        if let Some((contact, size)) = too_deep(context, state, a, b) {
            deep.push(((a, b), (contact, size)));
        }
    }
    if deep.is_empty() {
        return;
    }
    let frame = context.replay.frame(number);
    let solids = Solids::of(context, &frame);
    judged
        .findings
        .extend(deep.into_iter().map(|(pair, (contact, size))| {
            let push = free_push(context, &solids, state, pair, &contact);
            let push = push.unwrap_or(contact.push());
            let at = (number, fraction);
            finding(context, at, state, pair, (&contact, size, push))
        }));
}

fn finding(
    context: &Context<'_>,
    (frame, fraction): (u32, f64),
    state: &FrameState,
    (a, b): (ObjectId, ObjectId),
    (contact, size, push): (&Contact, f64, DVec3),
) -> Finding {
    let objects = context.replay.objects();
    let (mover, other) = (&objects[a as usize], &objects[b as usize]);
    let units = context.replay.units();
    let closing = closing_speed(state, (a, mover), (b, other), contact.normal);
    let doing = match closing {
        None => String::new(),
        Some(rate) if rate.abs() <= RESTING_RATE * size => ", at rest against it".to_owned(),
        Some(rate) if rate > 0.0 => format!(", and approaches at {}", units.speed(rate)),
        Some(rate) => format!(", and recedes at {}", units.speed(-rate)),
    };
    let when = match (frame, fraction) {
        (0, 0.0) => "when the level begins",
        _ => "where it appears",
    };
    // The way out that no other solid covers.
    let depth = push.length();
    let share = depth / size;
    let of_it = match share {
        more if more > 1.0 && more.is_finite() => {
            " (more than the smaller one's inner radius)".to_owned()
        }
        part if part.is_finite() => {
            format!(" ({} of the smaller one's inner radius)", percent(part))
        }
        _ => String::new(),
    };
    let text = format!(
        "{} is {} deep{of_it} inside {} {when}{doing}. Move it out by {} along ({}), keep a skin, or let it out before the \
         first step.",
        mover.name,
        units.length(depth),
        other.name,
        units.length(depth),
        units.normal(push.normalize_or(contact.normal)),
    );
    let mut evidence = vec![(Key::Depth, depth), (Key::AllowedDepth, SLOP_SHARE * size)];
    evidence.extend(closing.map(|rate| (Key::ClosingSpeed, rate)));
    Finding {
        also: contact
            .fallback
            .then_some(Cause::NotANumber)
            .into_iter()
            .collect(),
        a: mover.name.clone(),
        b: other.name.clone(),
        object_a: Some(a),
        object_b: Some(b),
        point: contact.point.to_array(),
        normal: contact.normal.to_array(),
        evidence,
        fixes: Fix::set(Quantity::Separation, depth).into_iter().collect(),
        text,
        ..context.blank(Kind::StartsInside, Cause::InitialOverlap, frame, fraction)
    }
}

/// The shortest displacement that leads the mover to a free place; `None` where that is not known.
fn free_push(
    context: &Context<'_>,
    solids: &Solids<'_>,
    state: &FrameState,
    (a, b): (ObjectId, ObjectId),
    contact: &Contact,
) -> Option<DVec3> {
    let still = |id: ObjectId| Some(Motion::still(state.body(id)?.pose));
    let interval = (0.0, 1.0, still(a)?, still(b)?);
    let pair = Pair::in_order(context.replay, (a, b), interval)?.with_skin(context.facts.skin);
    let has_center = is_body(pair.mover.shape) || !is_body(pair.obstacle.shape);
    let free = || solids.free_push(&pair, pair.mover.motion.start, contact.push(), state);
    has_center.then(free).flatten()
}

/// Closing speed along the normal, m/s; `None` when a log does not give it.
fn closing_speed(
    state: &FrameState,
    a: (ObjectId, &Object),
    b: (ObjectId, &Object),
    normal: DVec3,
) -> Option<f64> {
    let velocity = |(id, object): (ObjectId, &Object)| {
        let known = state.body(id)?.velocity;
        known.or((object.movement == Movement::Fixed).then_some(DVec3::ZERO))
    };
    let closing = -(velocity(a)? - velocity(b)?).dot(normal);
    closing.is_finite().then_some(closing)
}
