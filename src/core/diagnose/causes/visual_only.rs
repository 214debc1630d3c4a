//! C25: the push at the frame's end points out on the wrong side, but within a few frames the pair is apart again on
//! the right side: the overlap was visible and had no effect.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::center;

use crate::core::query;
use crate::core::replay::{FrameState, ObjectId};
use crate::core::shape::Pose;
use crate::core::tolerance::CONTACT_FRAMES;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    if input.event.kind != Kind::WrongSide || input.event.is_from_behind() {
        return None;
    }
    let mut deepest = input.event.end?.depth;
    let first = input.frame.number + 1;
    let last = input
        .replay
        .frames()
        .min(input.frame.number.saturating_add(CONTACT_FRAMES));
    for number in first..=last {
        let state = input.replay.state(number);
        let (a, b) = poses(input, &state)?;
        let placed = (
            input.pair.mover.shape.placed(&a),
            input.pair.obstacle.shape.placed(&b),
        );
        if let Some(contact) = query::contact(&placed.0, &placed.1, &mut ()) {
            deepest = deepest.max(contact.depth);
            if contact.depth > 0.0 {
                continue;
            }
        }
        let frames = number - input.frame.number;
        return on_its_side(input, &a, &b)?.then(|| cause_match(input, frames, deepest));
    }
    None
}

fn cause_match(input: &CauseInput<'_>, frames: u32, deepest: f64) -> CauseMatch {
    let count = match frames {
        1 => "by the end of this frame".to_owned(),
        many => format!("after {many} frames"),
    };
    let text = format!(
        "{} ends up to {} deep in {}, past its centre, where the shortest push points out on the far side; but {count} it is out \
         again on the side it came from. The error is only visual.",
        input.mover.name,
        input.units().length(deepest),
        input.other.name,
    );
    CauseMatch {
        cause: Cause::VisualOnly,
        evidence: vec![
            (Key::ResolvedFrames, f64::from(frames)),
            (Key::Deepest, deepest),
        ],
        fixes: Vec::new(),
        text,
    }
}

/// Whether the mover's centre is in front of the contact plane, which moves with the obstacle.
fn on_its_side(input: &CauseInput<'_>, a: &Pose, b: &Pose) -> Option<bool> {
    let (pair, event) = (input.pair, input.event);
    let impact_pose = pair.obstacle.motion.pose(event.fraction);
    let plane = b.point(impact_pose.point_to_local(event.point));
    let normal = b.vector(impact_pose.vector_to_local(event.normal));
    Some((center(pair.mover.shape, a)? - plane).dot(normal) > 0.0)
}

fn poses(input: &CauseInput<'_>, state: &FrameState) -> Option<(Pose, Pose)> {
    let pose = |id: ObjectId| Some(state.body(id)?.pose);
    let (a, b) = (pose(input.pair.mover.id)?, pose(input.pair.obstacle.id)?);
    (a.is_finite() && b.is_finite()).then_some((a, b))
}
