//! The push of an engine that its log does not list.
//!
//! A body that is taken farther than its velocity takes it, to where the shortest push leads out of what it would have ended in, was detected there:
//! the motion that its engine tested ends before that push. A push back to the side it came from needs none of this, as it is no passage.

use super::pair::Pair;
use super::rotating_pair;
use crate::core::replay::{Frame, FrameMotion, FrameState};
use crate::core::tolerance::SLOP_SHARE;
use glam::DVec3;

/// The relative velocities of a pair at the frame's start and end that the log has, m/s; one that is not moved by a collision has that of its path.
pub fn logged_velocities(pair: &Pair<'_>, frame: &Frame) -> Vec<DVec3> {
    let of = |state: &FrameState| {
        let [mover, obstacle] = [&pair.mover, &pair.obstacle].map(|side| match side.pushable {
            true => state.body(side.id)?.velocity,
            false => Some(side.motion.displacement() / frame.dt),
        });
        Some(mover? - obstacle?)
    };
    [&frame.start, &frame.end]
        .into_iter()
        .filter_map(|state| of(state))
        .collect()
}

/// The motion that the engine tested, as far as the log shows it: with its spins, and without the push at the frame's end that only velocities show.
pub fn as_logged<'r>(pair: Pair<'r>, frame: &Frame) -> Pair<'r> {
    let pair = rotating_pair::with_spins(pair, frame);
    before_push(&pair, frame).unwrap_or(pair)
}

fn before_push<'r>(pair: &Pair<'r>, frame: &Frame) -> Option<Pair<'r>> {
    // A push that the log lists is not in the motion.
    let is_whole = matches!(frame.motion, FrameMotion::BetweenStates(_))
        && [&pair.mover, &pair.obstacle].iter().all(|side| {
            let end = frame.end.body(side.id);
            end.is_some_and(|end| end.pose.position == side.motion.end.position)
        });
    if !is_whole || !pair.is_pushable() || pair.sensor || rotating_pair::turns(pair) {
        return None;
    }
    let travel = pair.travel();
    let own = logged_velocities(pair, frame)
        .into_iter()
        .map(|velocity| velocity * frame.dt)
        .min_by(|one, other| {
            let [one, other] = [one, other].map(|own| (travel - *own).length());
            one.total_cmp(&other)
        })?;
    let push = travel - own;
    let noise = SLOP_SHARE * travel.length();
    if push.length() <= noise || push.dot(own) <= 0.0 {
        return None;
    }
    let mut before = Pair {
        own_push: true,
        ..*pair
    };
    before.mover.motion.end.position -= push;
    let shortest = before.overlap_at_end()?.push();
    ((shortest - push).length() <= noise.max(pair.slop)).then_some(before)
}
