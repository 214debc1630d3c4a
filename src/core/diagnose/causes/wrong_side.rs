//! C05: overlap at the frame's end, and the shortest push leads out behind the surface that was hit.

use super::{Case, Claim};
use crate::core::diagnose::causes::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::finding::Kind;
use crate::core::diagnose::limits;
use crate::core::number::{metres, percent};

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    let end = case
        .event
        .end
        .filter(|_| case.event.kind == Kind::WrongSide)?;
    let m = &case.measures;
    let mut fixes = case.step_fixes();
    fixes.extend(case.size_fixes());
    let share = limits::wrong_share(m.displacement, m.limit_seen, m.limit_side);
    let (past, others): (_, &[_]) = if case.event.start().is_some() {
        let past = " They overlapped already when the frame began.".to_owned();
        (past, &["a push along the normal of the first touch"])
    } else {
        let past = match share > 0.0 {
            true => format!(" {} of all starting phases end like this.", percent(share)),
            false => String::new(),
        };
        (past, &["a sweep", "a push along the sweep's normal"])
    };
    let text = format!(
        "{} and ends in {}, past its middle: the shortest push, {}, leads out on the far side. The push is right only up to \
         {} a frame.{past} {}",
        case.motion(),
        case.obstacle(),
        metres(end.depth),
        metres(m.limit_side),
        case.advice(others),
    );
    let mut evidence = vec![(Key::Push, end.depth)];
    if case.event.start().is_none() {
        evidence.push((Key::PushCosine, end.normal.dot(case.event.normal)));
    }
    Some(Claim {
        cause: Cause::WrongSide,
        evidence,
        fixes,
        text,
    })
}
