//! C25: the push at the frame's end leads out on the wrong side, but it never did: within a few frames the pair is apart again, with
//! the middle on the side it came from. The overlap was seen and not suffered.

use super::{Case, Claim};
use crate::core::diagnose::causes::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::extent::center;
use crate::core::diagnose::finding::Kind;
use crate::core::number::metres;
use crate::core::query;
use crate::core::replay::{FrameState, ObjectId};
use crate::core::shape::Pose;
use crate::core::tolerance::CONTACT_FRAMES;

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    if case.event.kind != Kind::WrongSide || case.event.is_from_behind() {
        return None;
    }
    let mut deepest = case.event.end?.depth;
    let first = case.frame.number + 1;
    let last = case
        .replay
        .frames()
        .min(case.frame.number.saturating_add(CONTACT_FRAMES));
    for number in first..=last {
        let state = case.replay.state(number);
        let (a, b) = poses(case, &state)?;
        let placed = (case.pair.shape_a.placed(&a), case.pair.shape_b.placed(&b));
        if let Some(contact) = query::contact(&placed.0, &placed.1, &mut ()) {
            deepest = deepest.max(contact.depth);
            if contact.depth > 0.0 {
                continue;
            }
        }
        let frames = number - case.frame.number;
        return on_its_side(case, &a, &b)?.then(|| told(case, frames, deepest));
    }
    None
}

fn told(case: &Case<'_>, frames: u32, deepest: f64) -> Claim {
    let count = match frames {
        1 => "by the end of this frame".to_owned(),
        many => format!("after {many} frames"),
    };
    let text = format!(
        "{} ends up to {} deep in {}, past its middle, where the shortest push leads out on the far side; but {count} it is out \
         again on the side it came from. It is only seen, not let through.",
        case.mover.name,
        metres(deepest),
        case.other.name,
    );
    Claim {
        cause: Cause::VisualOnly,
        evidence: vec![
            (Key::ResolvedFrames, f64::from(frames)),
            (Key::Deepest, deepest),
        ],
        fixes: Vec::new(),
        text,
    }
}

/// Is the body's middle before the contact plane, which the solid has carried along?
fn on_its_side(case: &Case<'_>, a: &Pose, b: &Pose) -> Option<bool> {
    let (pair, event) = (case.pair, case.event);
    let (body, at, solid, met, toward_body) = if pair.body_is_a() {
        let met = pair.motion_b.pose(event.fraction);
        (pair.shape_a, a, b, met, event.normal)
    } else {
        let met = pair.motion_a.pose(event.fraction);
        (pair.shape_b, b, a, met, -event.normal)
    };
    let plane = solid.point(met.point_to_local(event.point));
    let normal = solid.vector(met.vector_to_local(toward_body));
    Some((center(body, at)? - plane).dot(normal) > 0.0)
}

fn poses(case: &Case<'_>, state: &FrameState) -> Option<(Pose, Pose)> {
    let pose = |id: ObjectId| Some(state.body(id)?.pose);
    let (a, b) = (pose(case.pair.a)?, pose(case.pair.b)?);
    (a.is_finite() && b.is_finite()).then_some((a, b))
}
