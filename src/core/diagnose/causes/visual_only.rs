//! C25: the push at the frame's end points out on the wrong side, but within a few frames the pair is apart again on
//! the right side: the overlap was visible and had no effect.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::judge::event::PairEvent;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::center;
use crate::core::number::count;
use crate::core::query;
use crate::core::replay::{Frame, ObjectId};
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
        let state = input.replay.at(number);
        // A body that is placed elsewhere was not pushed there.
        let stays = |id: ObjectId| state.body(id).filter(|body| !body.teleported);
        let poses = poses(input.pair, |id| Some(stays(id)?.pose))?;
        let depth = depth(input.pair, &poses);
        deepest = deepest.max(depth);
        if depth > 0.0 {
            continue;
        }
        let frames = number - input.frame.number;
        let is_back = is_on_its_side(input.pair, input.event, &poses)?;
        return is_back.then(|| cause_match(input, frames, deepest));
    }
    None
}

/// Whether a log has the pair apart on the right side when the frame ends: the engine's push was another than the shortest, and no state had
/// the overlap.
pub fn is_undone(frame: &Frame, pair: &Pair<'_>, event: &PairEvent) -> bool {
    let is_back = || {
        let poses = poses(pair, |id| Some(frame.end.body(id)?.pose))?;
        let is_apart = depth(pair, &poses) <= pair.slop;
        Some(is_apart && is_on_its_side(pair, event, &poses)?)
    };
    event.kind == Kind::WrongSide && !event.is_from_behind() && is_back().unwrap_or(false)
}

fn cause_match(input: &CauseInput<'_>, frames: u32, deepest: f64) -> CauseMatch {
    let text = format!(
        "{} ends up to {} deep in {}, past its centre, where the shortest push points out on the far side; but after {} it is out \
         again on the side it came from. The error is only visual.",
        input.mover.name,
        input.units().length(deepest),
        input.other.name,
        count(frames as usize, "frame"),
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
fn is_on_its_side(pair: &Pair<'_>, event: &PairEvent, (a, b): &(Pose, Pose)) -> Option<bool> {
    let impact_pose = pair.obstacle.motion.pose(event.fraction);
    let plane = b.point(impact_pose.point_to_local(event.point));
    let normal = b.vector(impact_pose.vector_to_local(event.normal));
    Some((center(pair.mover.shape, a)? - plane).dot(normal) > 0.0)
}

fn depth(pair: &Pair<'_>, (a, b): &(Pose, Pose)) -> f64 {
    let contact = query::contact(&pair.mover.placed(a), &pair.obstacle.placed(b), &mut ());
    contact.map_or(0.0, |contact| contact.depth)
}

fn poses(pair: &Pair<'_>, pose: impl Fn(ObjectId) -> Option<Pose>) -> Option<(Pose, Pose)> {
    let (a, b) = (pose(pair.mover.id)?, pose(pair.obstacle.id)?);
    (a.is_finite() && b.is_finite()).then_some((a, b))
}
