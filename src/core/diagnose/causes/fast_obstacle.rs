//! C03: the obstacle contributes more than half of the displacement along the normal.
//!
//! The obstacle is the object that nothing pushes (fixed, kinematic, keyframes); when both or neither can be pushed,
//! the one with the shorter travel.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::number::percent;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let m = &input.metrics;
    let overlaps = input
        .event
        .start()
        .is_some_and(|start| start.depth > input.pair.slop);
    if m.displacement <= 0.0 || overlaps || input.event.is_from_behind() {
        return None;
    }
    let mover_is_obstacle = !input.mover.is_pushable() && input.other.is_pushable();
    let (obstacle, body, supplied) = if mover_is_obstacle {
        let supplied = -input
            .pair
            .mover
            .motion
            .displacement()
            .dot(input.event.normal);
        (input.mover, input.other, supplied)
    } else {
        let supplied = input
            .pair
            .obstacle
            .motion
            .displacement()
            .dot(input.event.normal);
        (input.other, input.mover, supplied)
    };
    let share = supplied / m.displacement;
    if share <= 0.5 {
        return None;
    }
    let text = format!(
        "{} comes at {} and supplies {} of the {} they close in this {}; a sweep of {} alone detects little of it. \
         {}",
        obstacle.name,
        body.name,
        percent(share.min(1.0)),
        input.units().length(m.displacement),
        input.step(),
        body.name,
        input.advice(&[&format!("a sweep of {}", obstacle.name)], &[]),
    );
    Some(CauseMatch {
        cause: Cause::FastObstacle,
        evidence: vec![(Key::ObstacleShare, share)],
        fixes: input.step_fixes(),
        text,
    })
}
