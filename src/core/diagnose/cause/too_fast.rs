//! C01: clear at both ends, the sweep hits, and the displacement is longer than the stretch an overlap test sees.

use super::{Case, Claim, fix};
use crate::core::diagnose::extent::is_surface;
use crate::core::diagnose::finding::{Cause, Kind};
use crate::core::diagnose::limits;
use crate::core::diagnose::words::{metres, percent};
use crate::core::shape::Shape;

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    let clear = case.event.start.is_none() && case.event.end.is_none();
    let missed = clear && !case.event.from_behind;
    (missed && case.measures.displacement > case.measures.limit_seen).then(|| state(case))
}

/// The claim without its condition: what remains to be said when nothing else holds.
pub(super) fn state(case: &Case<'_>) -> Claim {
    let m = &case.measures;
    let mut fixes = case.step_fixes(m.limit_seen);
    // The slab's formulas, where they are what was measured, and where they ask for more than there is.
    let whole = m.limit_seen >= m.slab.seen();
    // A thicker ball is a larger ball, and a surface has no thickness to give.
    if matches!(case.pair.shape_b, Shape::Box { .. }) || is_surface(case.pair.shape_b) {
        let thicker = limits::min_thickness_seen(m.displacement, m.slab.radius);
        let thicker = Some(thicker).filter(|thicker| whole && *thicker > m.slab.thickness);
        fixes.extend(fix("min_thickness", thicker, "m"));
    }
    let larger = limits::min_radius_seen(m.displacement, m.slab.thickness);
    let larger = Some(larger).filter(|larger| whole && *larger > m.slab.radius);
    fixes.extend(fix("min_radius", larger, "m"));
    let share = limits::missed_share(m.displacement, m.limit_seen);
    let outcome = match case.event.kind {
        Kind::Clips => "it cut through and came out on its own side, unseen",
        _ => "it was missed",
    };
    let text = if m.displacement > m.limit_seen {
        // Seen is not yet held: a push must lead back, too.
        let held = match case.smaller_steps(m.limit_side) {
            steps if m.limit_side < m.limit_seen && !steps.is_empty() => {
                format!(" To be pushed back on its own side, too, it takes {steps}, or a sweep.")
            }
            _ => String::new(),
        };
        format!(
            "{}, but an overlap test at its ends is sure to see {} only up to {}: {outcome}, as are {} of all starting phases \
             (where within a step the contact happens to fall). {} would catch it.{held}",
            case.motion(),
            case.obstacle(),
            metres(m.limit_seen),
            percent(share),
            case.mend(m.limit_seen),
        )
    } else {
        format!(
            "{}, past {}, which no overlap test at its ends sees: {outcome}. A sweep would catch it.",
            case.motion(),
            case.obstacle(),
        )
    };
    Claim {
        cause: Cause::TOO_FAST,
        evidence: Vec::new(),
        fixes,
        text,
    }
}
