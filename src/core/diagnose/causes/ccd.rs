//! C19: continuous detection was not really on: the flag is off, or the step is below what the engine begins to sweep at.
//!
//! Evidence: the flags, and each flagged body's own step against the engine's threshold (`engine_preset.rs`, or the level's
//! `ccd_threshold`). Engines look at a body's own motion: a slow body with the flag is not swept however fast the other comes.
//! Without a known engine only the flag counts.

use super::{Case, Claim};
use crate::core::diagnose::causes::Cause;
use crate::core::diagnose::engine_preset::threshold;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::finding::Kind;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::number::metres;
use crate::core::scene::Object;
use crate::core::shape::Motion;

/// The flag is on, and the engine did not sweep all the same.
pub(super) fn below_threshold(case: &Case<'_>) -> Option<Claim> {
    let pair = case.pair;
    let flagged = [(case.mover, &pair.motion_a), (case.other, &pair.motion_b)]
        .into_iter()
        .filter(|(object, _)| object.ccd == Some(true));
    // One that is swept, or of which that is not known, is enough to prevent it.
    let mut slowest: Option<(&Object, f64, f64)> = None;
    for (object, motion) in flagged {
        let step = motion.displacement().length();
        let threshold = threshold_of(case, object, motion)?;
        if step >= threshold {
            return None;
        }
        slowest = slowest.or(Some((object, step, threshold)));
    }
    let (object, step, threshold) = slowest.filter(|_| matters(case))?;
    let engine = case.facts.engine.name.as_deref().unwrap_or("the engine");
    let text = format!(
        "{}'s continuous detection is on, but {engine} sweeps a body only when it moves {} or more in a step, and {} moves {} in \
         this frame. Lower the threshold, or let what comes at it be swept.",
        object.name,
        metres(threshold),
        object.name,
        metres(step),
    );
    Some(Claim {
        cause: Cause::Ccd,
        evidence: vec![(Key::OwnStep, step), (Key::CcdThreshold, threshold)],
        fixes: Fix::set(Quantity::MaxCcdThreshold, step)
            .filter(|_| step > 0.0)
            .into_iter()
            .collect(),
        text,
    })
}

/// The flag is off on every body that can be pushed.
pub(super) fn off(case: &Case<'_>) -> Option<Claim> {
    let off = |object: &Object| object.ccd == Some(false);
    let on = |object: &Object| object.ccd == Some(true);
    if on(case.mover) || on(case.other) || !matters(case) {
        return None;
    }
    let object = [case.mover, case.other]
        .into_iter()
        .find(|object| off(object) && object.is_pushable())?;
    Some(Claim {
        cause: Cause::Ccd,
        evidence: vec![(Key::Ccd, 0.0)],
        fixes: Vec::new(),
        text: format!(
            "{} crosses {} with continuous detection switched off. Switch it on for {}.",
            case.mover.name, case.other.name, object.name
        ),
    })
}

fn threshold_of(case: &Case<'_>, object: &Object, motion: &Motion) -> Option<f64> {
    let along = motion.displacement();
    // Against one that stands still, any direction measures the same ball; take the other's.
    let along = if along.length_squared() > 0.0 {
        along
    } else {
        case.pair.travel()
    };
    threshold(&case.facts.engine, &object.shape, &motion.start, along)
}

/// What a sweep would have prevented: not what was in contact when the frame began.
fn matters(case: &Case<'_>) -> bool {
    let crossing = matches!(
        case.event.kind,
        Kind::Tunnels | Kind::Clips | Kind::WrongSide
    );
    crossing && case.event.start().is_none() && !case.event.is_from_behind()
}
