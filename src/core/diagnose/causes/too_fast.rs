//! C01: clear at both ends, the sweep hits, and the displacement is longer than the stretch an overlap test sees.

use super::{Case, Claim};
use crate::core::diagnose::causes::Cause;
use crate::core::diagnose::finding::Kind;
use crate::core::diagnose::limits;
use crate::core::number::{metres, percent};

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    let clear = case.event.start().is_none() && case.event.end.is_none();
    let missed = clear && !case.event.is_from_behind();
    (missed && case.measures.displacement > case.measures.limit_seen).then(|| state(case))
}

/// The claim without its condition: what remains to be said when nothing else holds.
pub(super) fn state(case: &Case<'_>) -> Claim {
    let m = &case.measures;
    let mut fixes = case.step_fixes();
    fixes.extend(case.size_fixes());
    let share = limits::missed_share(m.displacement, m.limit_seen);
    let outcome = match case.event.kind {
        Kind::Clips => "it cut through and came out on its own side, undetected",
        _ => "it was missed",
    };
    let part = match m.limit_seen < m.slab.seen() {
        true => " along the part that its path cuts",
        false => "",
    };
    let text = if m.displacement > m.limit_seen {
        format!(
            "{}, but an overlap test at its ends is sure to detect {} only up to {}{part}: {outcome}, as are {} of all starting phases \
             (where within a step the contact happens to fall). {}",
            case.motion(),
            case.obstacle(),
            metres(m.limit_seen),
            percent(share),
            case.advice(&["a sweep"]),
        )
    } else {
        format!(
            "{}, past {}, which no overlap test at its ends detects: {outcome}. A sweep would detect it.",
            case.motion(),
            case.obstacle(),
        )
    };
    Claim {
        cause: Cause::TooFast,
        evidence: Vec::new(),
        fixes,
        text: text.trim_end().to_owned(),
    }
}
