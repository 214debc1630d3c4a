//! C19: continuous detection was not effective: the flag is off, the step is below the engine's threshold for sweeping, or the engine did not
//! act on it.
//!
//! Evidence: the flags, and each flagged body's own step against the engine's threshold (`engines.ron`, or the
//! level's `ccd_threshold`). Engines use a body's own motion: a slow body with the flag is not swept however fast the
//! other is. For an unknown engine only the flag counts.

use super::{CauseInput, CauseMatch, teleport};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity, toward_safe};
use crate::core::diagnose::level_facts::engines::{Switch, preset, threshold};

use crate::core::scene::Object;
use crate::core::shape::Motion;

/// The flag is on, but the step is below the engine's threshold.
pub(super) fn below_threshold(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let pair = input.pair;
    let flagged = [
        (input.mover, &pair.mover.motion),
        (input.other, &pair.obstacle.motion),
    ]
    .into_iter()
    .filter(|(object, _)| object.ccd == Some(true));
    // One body that is swept, or for which this is unknown, prevents the event.
    let mut slowest: Option<(&Object, f64, f64)> = None;
    for (object, motion) in flagged {
        let step = motion.displacement().length();
        let threshold = threshold_of(input, object, motion)?;
        if step >= threshold {
            return None;
        }
        slowest = slowest.or(Some((object, step, threshold)));
    }
    let (object, step, threshold) = slowest.filter(|_| matters(input))?;
    let engine = input.facts.engine.name.as_deref().unwrap_or("the engine");
    let text = format!(
        "{}'s continuous detection is on, but {engine} sweeps a body only when it moves {} or more in a step, and {} moves {} in \
         this {}. Lower the threshold, or sweep the other body.",
        object.name,
        input.units().length(threshold),
        object.name,
        input.units().length(step),
        input.step(),
    );
    Some(CauseMatch {
        cause: Cause::Ccd,
        evidence: vec![(Key::OwnStep, step), (Key::CcdThreshold, threshold)],
        fixes: Fix::set(Quantity::MaxCcdThreshold, step)
            .filter(|_| step > 0.0)
            .map(|fix| Fix {
                setting: lower_threshold(input, step / threshold),
                ..fix
            })
            .into_iter()
            .collect(),
        text,
    })
}

/// The flag is on and the step long enough, but the body passed an obstacle that stands still.
pub(super) fn without_effect(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let pair = input.pair;
    let ends = [
        (
            input.mover,
            &pair.mover.motion,
            input.other,
            &pair.obstacle.motion,
        ),
        (
            input.other,
            &pair.obstacle.motion,
            input.mover,
            &pair.mover.motion,
        ),
    ];
    let (object, motion, obstacle, _) =
        ends.into_iter().find(|(object, _, obstacle, carried)| {
            let stands = !obstacle.is_pushable() && carried.start == carried.end;
            object.ccd == Some(true) && object.is_pushable() && stands
        })?;
    let step = motion.displacement().length();
    let threshold = threshold_of(input, object, motion);
    let swept = threshold.is_none_or(|threshold| step >= threshold);
    // Engines do not sweep against sensors.
    if !input.facts.recorded || !swept || pair.sensor || !matters(input) {
        return None;
    }
    let name = &object.name;
    let text = format!(
        "{name} has continuous detection on and moves {} in this {}, and passes {}, which stands still: the engine's sweep did not act on the pair. \
         Check that the flag reaches the body (Bullet ignores it for multibodies) and that no filter leaves the pair out of the sweep; else save this frame as a scene for a bug report. {}",
        input.units().length(step),
        input.step(),
        obstacle.name,
        input.advice(&[], &[]),
    );
    let mut evidence = vec![(Key::Ccd, 1.0), (Key::OwnStep, step)];
    evidence.extend(threshold.map(|threshold| (Key::CcdThreshold, threshold)));
    Some(CauseMatch {
        cause: Cause::Ccd,
        evidence,
        fixes: Vec::new(),
        text: text.trim_end().to_owned(),
    })
}

/// The flag is off on every body that can be pushed.
pub(super) fn off(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let off = |object: &Object| object.ccd == Some(false);
    let on = |object: &Object| object.ccd == Some(true);
    let engine = preset(&input.facts.engine);
    let has_none = engine.is_some_and(|engine| engine.coverage().is_none());
    if on(input.mover) || on(input.other) || has_none || !matters(input) {
        return None;
    }
    let object = [input.mover, input.other]
        .into_iter()
        .find(|object| off(object) && object.is_pushable())?;
    let other = match object.name == input.mover.name {
        true => input.other,
        false => input.mover,
    };
    let setting = engine
        .and_then(|engine| engine.switch(&other.movement))
        .and_then(Switch::set)
        .map_or_else(String::new, |set| format!(" (`{set}`)"));
    Some(CauseMatch {
        cause: Cause::Ccd,
        evidence: vec![(Key::Ccd, 0.0)],
        fixes: Vec::new(),
        text: format!(
            "{} crosses {} with continuous detection switched off. Switch it on for {}{setting}.",
            input.mover.name, input.other.name, object.name
        ),
    })
}

/// The threshold's setting, lowered to a share of what it is now.
fn lower_threshold(input: &CauseInput<'_>, by: f64) -> Option<String> {
    let engine = &input.facts.engine;
    let threshold = preset(engine)?.threshold.as_ref()?;
    let share = engine.ccd_threshold.unwrap_or(threshold.share) * by;
    let share = toward_safe(share, true).to_string();
    Some(threshold.set.as_ref()?.replace("{share}", &share))
}

fn threshold_of(input: &CauseInput<'_>, object: &Object, motion: &Motion) -> Option<f64> {
    let along = motion.displacement();
    // Against a body at rest any direction measures the same ball; take the other's.
    let along = if along.length_squared() > 0.0 {
        along
    } else {
        input.pair.travel()
    };
    threshold(&input.facts.engine, &object.shape, &motion.start, along)
}

/// Whether a sweep would have prevented the event: not if the pair was in contact when the frame began.
fn matters(input: &CauseInput<'_>) -> bool {
    let crossing = input.event.kind.depends_on_phase();
    // Few sweeps follow a rotation, and none a body that has no velocity.
    let engine = preset(&input.facts.engine).and_then(|engine| engine.coverage()?.rotation);
    let rotates = input.event.turned.is_some_and(|turned| turned.held_misses);
    let followed = (!rotates || engine == Some(true)) && teleport::driven_speed(input).is_none();
    crossing && followed && input.event.start().is_none() && !input.event.is_from_behind()
}
