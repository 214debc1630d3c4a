//! C02: both move. Each swept against the other at rest, at its start or its end, misses or gives another time.
//!
//! Not in an engine that sweeps the motion of both, unless that is on for one of them already, which it then sweeps alone.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::level_facts::engines::preset;
use crate::core::number::number;
use crate::core::query;
use crate::core::shape::{Motion, Shape};
use crate::core::tolerance::SAME_SHARE;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let pair = input.pair;
    let (a, b) = (&pair.mover.motion, &pair.obstacle.motion);
    let is_on = [input.mover, input.other]
        .iter()
        .any(|object| object.ccd == Some(true));
    let engine = preset(&input.facts.engine);
    let is_relative = !is_on && engine.is_some_and(|row| row.sweeps_relative(input.movements()));
    let begins_apart = input.event.start().is_none() && !input.event.is_from_behind();
    if !input.both_move() || is_relative || !begins_apart {
        return None;
    }
    let alone = [
        sweep(
            pair.mover.shape,
            a,
            pair.obstacle.shape,
            &Motion::still(b.start),
        ),
        sweep(
            pair.mover.shape,
            a,
            pair.obstacle.shape,
            &Motion::still(b.end),
        ),
        sweep(
            pair.mover.shape,
            &Motion::still(a.start),
            pair.obstacle.shape,
            b,
        ),
        sweep(
            pair.mover.shape,
            &Motion::still(a.end),
            pair.obstacle.shape,
            b,
        ),
    ];
    let swept_time = input.event.fraction;
    let agrees = |time: &f64| (time - swept_time).abs() <= SAME_SHARE;
    if alone.iter().flatten().all(agrees) && alone.iter().any(Option::is_some) {
        return None;
    }
    let misses = alone.iter().filter(|time| time.is_none()).count();
    let mut evidence = vec![
        (Key::TravelA, a.displacement().length()),
        (Key::TravelB, b.displacement().length()),
        (Key::AloneMisses, misses as f64),
    ];
    evidence.extend(alone[0].map(|time| (Key::AloneFractionA, time)));
    evidence.extend(alone[2].map(|time| (Key::AloneFractionB, time)));
    let (mover, other) = (&input.mover.name, &input.other.name);
    let alone_text = if misses == alone.len() {
        "neither hits the other, at its start or at its end".to_owned()
    } else if misses > 0 {
        format!("{misses} of the 4 such sweeps miss")
    } else {
        "the time of impact is wrong".to_owned()
    };
    let text = format!(
        "{mover} moves {} and {other} {} in this {}, and they hit at {} of it; swept separately against the other at rest, {alone_text}. {}",
        input.units().length(a.displacement().length()),
        input.units().length(b.displacement().length()),
        input.step(),
        number(swept_time),
        input.advice(
            &["a sweep of the relative motion with boxes that cover the travel of both"],
            &[]
        ),
    );
    Some(CauseMatch {
        cause: Cause::SweptAlone,
        evidence,
        fixes: input.step_fixes(),
        text,
    })
}

/// Time of impact, if they hit.
fn sweep(a: &Shape, motion_a: &Motion, b: &Shape, motion_b: &Motion) -> Option<f64> {
    let sweep = query::sweep(a, motion_a, b, motion_b, &mut ());
    sweep.outcome.impact().map(|impact| impact.fraction)
}
