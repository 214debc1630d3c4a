//! C03: the obstacle supplies more than half of the displacement along the normal.
//!
//! The obstacle is the one that nothing pushes (fixed, kinematic, keyframes); when both or neither can be pushed, the one
//! that travels less as a whole.

use super::{Case, Claim};
use crate::core::diagnose::causes::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::number::{metres, percent};

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    let m = &case.measures;
    if m.displacement <= 0.0 || case.event.start().is_some() || case.event.is_from_behind() {
        return None;
    }
    let mover_is_obstacle = !case.mover.is_pushable() && case.other.is_pushable();
    let (obstacle, body, supplied) = if mover_is_obstacle {
        let supplied = -case.pair.motion_a.displacement().dot(case.event.normal);
        (case.mover, case.other, supplied)
    } else {
        let supplied = case.pair.motion_b.displacement().dot(case.event.normal);
        (case.other, case.mover, supplied)
    };
    let share = supplied / m.displacement;
    if share <= 0.5 {
        return None;
    }
    let text = format!(
        "{} comes at {} and supplies {} of the {} they close in this frame; a sweep of {} alone detects little of it. \
         {}",
        obstacle.name,
        body.name,
        percent(share.min(1.0)),
        metres(m.displacement),
        body.name,
        case.advice(&[&format!("a sweep of {}", obstacle.name)]),
    );
    Some(Claim {
        cause: Cause::FastObstacle,
        evidence: vec![(Key::ObstacleShare, share)],
        fixes: case.step_fixes(),
        text,
    })
}
