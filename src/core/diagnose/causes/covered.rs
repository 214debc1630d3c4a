//! C10 of a body that gets through: the contacts that the engine made push it sideways only, out of faces that the next box covers.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::kind::Kind;
use crate::core::query;
use crate::core::replay::{LoggedContact, ObjectId};
use crate::core::shape::Pose;
use crate::core::tolerance::BACK_COSINE;
use glam::DVec3;
use std::collections::BTreeSet;

/// States before the frame whose contacts count, beside those of its end (a count).
const STATES: u32 = 2;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let gets_through = matches!(input.event.kind, Kind::Sinks | Kind::WrongSide);
    let (body, obstacle) = input.pair.ids();
    if !gets_through || !input.replay.is_part(obstacle) {
        return None;
    }
    let out = input.event.normal;
    let number = input.frame.number;
    let mut names = BTreeSet::new();
    for state in number.saturating_sub(STATES)..=number + 1 {
        for (contact, normal) in input.replay.contacts_between(state, body, obstacle) {
            if contact.depth < 0.0 {
                continue;
            }
            let is_sideways = normal.dot(out).abs() < BACK_COSINE * normal.length();
            // One contact that leads out is enough to hold it, and one that leads on is what pushes it through.
            if !is_sideways || next_box(input, &contact, normal).is_none() {
                return None;
            }
            let part = if contact.a == body {
                contact.b
            } else {
                contact.a
            };
            names.insert(input.replay.objects()[part as usize].name.clone());
        }
    }
    if names.is_empty() {
        return None;
    }
    let parts: Vec<String> = names.into_iter().collect();
    Some(CauseMatch {
        cause: Cause::InternalEdge,
        evidence: Vec::new(),
        fixes: Vec::new(),
        text: format!(
            "{mover} gets through a seam: each contact that the engine made with {parts} pushes it sideways, out of a face that the next box covers, and none back. \
             Merge the boxes into one, or use a chain or adjacency that knows what is covered.",
            mover = input.replay.objects()[body as usize].name,
            parts = parts.join(" and "),
        ),
    })
}

/// Another box of the same solid, into which a contact pushes the body as it is when the frame begins.
fn next_box(input: &CauseInput<'_>, contact: &LoggedContact, normal: DVec3) -> Option<ObjectId> {
    let replay = input.replay;
    let [part, solid] = [contact.a, contact.b]
        .into_iter()
        .find(|id| replay.is_part(*id))
        .map(|id| [id, replay.solid_of(id)])?;
    let (shape, motion) = (input.pair.mover.shape, &input.pair.mover.motion);
    let push = normal.try_normalize()? * contact.depth;
    let pushed = shape.placed(&Pose {
        position: motion.start.position + push,
        ..motion.start
    });
    let goes_into = |id: ObjectId| {
        let body = input.frame.start.body(id)?;
        let other = replay.own_shape(id)?.placed(&body.pose);
        let overlap = query::contact(&pushed, &other, &mut ())?;
        Some(overlap.depth > input.pair.slop)
    };
    let count = replay.objects().len() as ObjectId;
    let mut others = (0..count).filter(|id| *id != part && replay.solid_of(*id) == solid);
    others.find(|id| goes_into(*id) == Some(true))
}
