//! C14: this frame is longer than the level's median, and at the median it would have been safe.

use super::{Case, Claim};
use crate::core::diagnose::finding::Cause;
use crate::core::diagnose::words::{metres, seconds};

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    let (median, dt) = (case.facts.median_dt, case.frame.dt);
    let limit = case.limit();
    if median <= 0.0 || dt <= median || case.event.from_behind {
        return None;
    }
    let usual = case.measures.displacement * median / dt;
    if usual > limit || case.measures.displacement <= limit {
        return None;
    }
    let longest = case.measures.max_dt(limit)?;
    let text = format!(
        "This frame lasts {}, the level's median is {}: {} moves {} along the normal of {} instead of {}, and an overlap test \
         is safe only up to {}. Clamp dt to {}.",
        seconds(dt),
        seconds(median),
        case.mover.name,
        metres(case.measures.displacement),
        case.other.name,
        metres(usual),
        metres(limit),
        seconds(longest),
    );
    Some(Claim {
        cause: Cause::DT_SPIKE,
        evidence: vec![("median_dt", median), ("median_displacement", usual)],
        fixes: case.step_fixes(limit).into_iter().rev().collect(),
        text,
    })
}
