//! C05: overlap at the frame's end, and the shortest push points out behind the surface that was hit.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::limits;
use crate::core::number::{metres, percent};
use crate::core::tolerance::FAR_SIDE_COSINE;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let end = input
        .event
        .end
        .filter(|_| input.event.kind == Kind::WrongSide)?;
    let m = &input.metrics;
    let mut fixes = input.step_fixes();
    fixes.extend(input.size_fixes());
    let share = limits::wrong_share(m.displacement, m.limit_seen, m.limit_side);
    let (past, sweeps, others): (_, &[_], &[_]) = if input.event.start().is_some() {
        let past = " They overlapped already when the frame began.".to_owned();
        (past, &[], &["a push along the normal of the first touch"])
    } else {
        let past = match share > 0.0 {
            true => format!(" {} of all starting phases end like this.", percent(share)),
            false => String::new(),
        };
        (past, &["a sweep", "a push along the sweep's normal"], &[])
    };
    let leads = match end.normal.dot(input.event.normal) < -FAR_SIDE_COSINE {
        true => "points out on the far side",
        false => "points sideways, to where the surface goes on",
    };
    let text = format!(
        "{} and ends in {}, past its centre: the shortest push, {}, {leads}. The push is correct only up to {} per frame.{past} {}",
        input.motion(),
        input.obstacle(),
        metres(end.depth),
        metres(m.limit_side),
        input.advice(sweeps, others),
    );
    let mut evidence = vec![(Key::Push, end.depth)];
    if input.event.start().is_none() {
        evidence.push((Key::PushCosine, end.normal.dot(input.event.normal)));
    }
    Some(CauseMatch {
        cause: Cause::WrongSide,
        evidence,
        fixes,
        text,
    })
}
