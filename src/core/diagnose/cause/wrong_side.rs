//! C05: overlap at the frame's end, and the shortest push leads out behind the surface that was hit.

use super::{Case, Claim, fix};
use crate::core::diagnose::extent::is_surface;
use crate::core::diagnose::finding::{Cause, Kind};
use crate::core::diagnose::limits;
use crate::core::diagnose::words::{metres, percent};
use crate::core::shape::Shape;

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    let end = case
        .event
        .end
        .filter(|_| case.event.kind == Kind::WrongSide)?;
    let m = &case.measures;
    let mut fixes = case.step_fixes(m.limit_side);
    if matches!(case.pair.shape_b, Shape::Box { .. }) && !is_surface(case.pair.shape_b) {
        let thicker = limits::min_thickness_right_side(m.displacement, m.slab.radius);
        let thicker = Some(thicker).filter(|thicker| *thicker > m.slab.thickness);
        fixes.extend(fix("min_thickness", thicker, "m"));
    }
    let share = limits::wrong_share(m.displacement, m.limit_seen, m.limit_side);
    let past = if case.event.start.is_some() {
        "They overlapped already when the frame began".to_owned()
    } else {
        format!("{} of all starting phases end like this", percent(share))
    };
    let text = format!(
        "{} and ends in {}, past its middle: the shortest push, {}, leads out on the far side. The push is right only up to \
         {} a frame. {past}. {} would keep it on its side; so would a push along the sweep's normal.",
        case.motion(),
        case.obstacle(),
        metres(end.depth),
        metres(m.limit_side),
        case.mend(m.limit_side),
    );
    let mut evidence = vec![("push", end.depth)];
    if case.event.start.is_none() {
        evidence.push(("push_cosine", end.normal.dot(case.event.normal)));
    }
    Some(Claim {
        cause: Cause::WRONG_SIDE,
        evidence,
        fixes,
        text,
    })
}
