//! C01: clear at both ends, the sweep hits, and the displacement is longer than an overlap test can detect.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::kind::Kind;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let clear = input.event.start().is_none() && input.event.end.is_none();
    let missed = clear && !input.event.is_from_behind();
    (missed && input.metrics.displacement > input.metrics.limit_seen).then(|| state(input))
}

/// The cause without its condition: the fallback when no other cause applies.
pub(super) fn state(input: &CauseInput<'_>) -> CauseMatch {
    let m = &input.metrics;
    let mut fixes = input.step_fixes();
    fixes.extend(input.size_fixes());
    let outcome = match input.event.kind {
        Kind::Clips => "it cut through and came out on its own side, undetected",
        _ => "it was missed",
    };
    let part = match m.limit_seen < m.slab.detection_limit() {
        true => " along the part that its path cuts",
        false => "",
    };
    let text = if m.displacement > m.limit_seen {
        format!(
            "{}, but an overlap test at its ends reliably detects {} only up to {}{part}: {outcome}. {}",
            input.motion(),
            input.obstacle(),
            input.units().length(m.limit_seen),
            input.advice(&["a sweep"], &[]),
        )
    } else {
        format!(
            "{}, past {}, which no overlap test at its ends detects: {outcome}. A sweep would detect it.",
            input.motion(),
            input.obstacle(),
        )
    };
    CauseMatch {
        cause: Cause::TooFast,
        evidence: Vec::new(),
        fixes,
        text: text.trim_end().to_owned(),
    }
}
