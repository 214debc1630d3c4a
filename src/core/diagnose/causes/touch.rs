//! What a body touches in a frame: exact contacts when it begins, and the contacts that its log has.

use super::CauseInput;
use crate::core::query;
use crate::core::replay::ObjectId;
use glam::DVec3;

/// A contact of a body with another object.
pub(super) struct Touch {
    pub other: ObjectId,
    /// Unit, toward the body.
    pub normal: DVec3,
    /// Metres.
    pub depth: f64,
}

/// The contacts of a body with all that it may collide with, by the number of the other; `within` metres it touches.
pub(super) fn of(input: &CauseInput<'_>, id: ObjectId, within: f64) -> Vec<Touch> {
    let mut touches = exact(input, id, within);
    let Some(log) = input.replay.recording() else {
        return touches;
    };
    for state in [input.frame.number, input.frame.number + 1] {
        for (_, contact) in log.data.events(state as usize).contacts.of(id) {
            let Some((other, normal)) = contact.seen_from(id) else {
                continue;
            };
            // One with a negative depth is only near.
            let normal = normal.try_normalize().filter(|_| contact.depth >= 0.0);
            touches.extend(normal.map(|normal| Touch {
                other,
                normal,
                depth: contact.depth,
            }));
        }
    }
    touches.sort_by_key(|touch| touch.other);
    touches
}

fn exact(input: &CauseInput<'_>, id: ObjectId, within: f64) -> Vec<Touch> {
    let state = &input.frame.start;
    let objects = input.replay.objects();
    let object = &objects[id as usize];
    let Some(body) = state.body(id).filter(|body| body.pose.is_finite()) else {
        return Vec::new();
    };
    let placed = object.shape.placed(&body.pose);
    let touch = |other: ObjectId| {
        let it = &objects[other as usize];
        let exempt = input
            .replay
            .exemption(input.frame.number, id, other)
            .is_some();
        if other == id || exempt || it.sensor || !object.collides_with(it) {
            return None;
        }
        let pose = state.body(other).map(|body| body.pose)?;
        let by = it.shape.placed(&pose);
        let near = || query::gap(&placed, &by).filter(|gap| gap.distance <= within);
        let (normal, depth) = match query::contact(&placed, &by, &mut ()) {
            Some(contact) => (!contact.fallback).then_some((contact.normal, contact.depth)),
            None => near().map(|gap| (gap.normal, -gap.distance)),
        }?;
        Some(Touch {
            other,
            normal,
            depth,
        })
    };
    match placed.aabb() {
        Some(bounds) => {
            let region = bounds.grown(within);
            let near = input.frame.near_at_start(objects, &region);
            near.filter_map(touch).collect()
        }
        None => state.ids().iter().copied().filter_map(touch).collect(),
    }
}
