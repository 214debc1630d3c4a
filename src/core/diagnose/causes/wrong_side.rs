//! C05: overlap at the frame's end, and the shortest push points out behind the surface that was hit.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::judge::rotating_pair::SideView;
use crate::core::diagnose::kind::Kind;

use crate::core::tolerance::FAR_SIDE_COSINE;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let end = input
        .event
        .end
        .filter(|_| input.event.kind == Kind::WrongSide)?;
    let m = &input.metrics;
    let mut fixes = input.step_fixes();
    fixes.extend(input.size_fixes());
    let (past, sweeps, others): (_, &[_], &[_]) = match input.event.start() {
        Some(_) => (
            " They overlapped already when the frame began.",
            &[],
            &["a push along the normal of the first touch"],
        ),
        None => ("", &["a sweep", "a push along the sweep's normal"], &[]),
    };
    let leads = match end.normal.dot(input.event.normal) < -FAR_SIDE_COSINE {
        true => "points out on the far side",
        false => "points sideways, to where the surface goes on",
    };
    let surface = (input.event.point, input.event.normal);
    let view = SideView::of_mover(input.pair, input.event.fraction, surface);
    let place = match view.is_some_and(|view| !view.far) {
        true => "with its centre still in front",
        false => "past its centre",
    };
    let own = match input.pair.own_push {
        true => " The log lists no push, but its positions and velocities show this one.",
        false => "",
    };
    let text = format!(
        "{} and ends in {}, {place}: the shortest push, {}, {leads}.{own} The push is correct only up to {} per frame.{past} {}",
        input.motion(),
        input.obstacle(),
        input.units().length(end.depth),
        input.units().length(m.limit_side),
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
