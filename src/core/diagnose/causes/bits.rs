//! C18: the pair passes and was never tested.
//!
//! With layers and masks in the log: a bit is missing. Of two dynamic bodies only where one side alone excludes the other, as two that
//! exclude each other are filtered on purpose; of a dynamic body and a fixed or kinematic one always. A pair that overlaps from its first
//! frame on is no finding (a bullet leaves its gun). Without them: the pair overlaps, and the log has contacts, but none of this pair.

use super::gap::{self, DRIVEN};
use super::{CauseInput, CauseMatch, facing, free_fall};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::level_facts::engines::{self, MaskRule};

use crate::core::scene::Object;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let (mover, other) = (input.mover, input.other);
    if mover.collides_with(other) {
        return untested(input);
    }
    // The object whose mask lacks the other's layer, and the other.
    let lacking: Vec<(&Object, &Object)> = [(other, mover), (mover, other)]
        .into_iter()
        .filter(|(one, other)| one.mask & other.layer == 0)
        .collect();
    let mask = |one: &Object, other: &Object| one.mask | other.layer;
    let lacks = lacking.iter().map(|(one, other)| match other.layer {
        0 => format!("{} is in no layer", other.name),
        layer => format!(
            "the mask of {} ({:#x}) lacks {}, the layer of {}",
            one.name,
            one.mask,
            bits(layer),
            other.name
        ),
    });
    let sets = lacking.iter().map(|(one, other)| match other.layer {
        0 => format!(
            "the layer of {} to a bit of the mask of {} ({:#x})",
            other.name, one.name, one.mask
        ),
        _ => format!("the mask of {} to {:#x}", one.name, mask(one, other)),
    });
    let and = ", and ";
    let engine = input.replay.engine();
    let pairs = engines::preset(&engine).and_then(|row| match &row.mask {
        Some(MaskRule::Pairs(call)) => Some(call),
        _ => None,
    });
    let why = match pairs {
        Some(call) => format!("no collider names both. Add one: `{call}`"),
        None => format!(
            "{}. Set {}",
            lacks.collect::<Vec<_>>().join(and),
            sets.collect::<Vec<_>>().join(and)
        ),
    };
    let text = format!(
        "{} passes {} ({} relative to it in this frame), and the pair was not tested: {why}. If the two should pass each other, put the pair on the ignore list.",
        mover.name,
        other.name,
        input.units().length(input.metrics.travel),
    );
    let mut fixes = lacking
        .iter()
        .filter(|(_, other)| other.layer != 0 && pairs.is_none())
        .filter_map(|(one, other)| Fix::set(Quantity::Mask, f64::from(mask(one, other))));
    let first = fixes.next();
    let with = fixes.next().map(Box::new);
    Some(CauseMatch {
        cause: Cause::Bits,
        evidence: vec![
            (Key::LayerA, f64::from(mover.layer)),
            (Key::MaskA, f64::from(mover.mask)),
            (Key::LayerB, f64::from(other.layer)),
            (Key::MaskB, f64::from(other.mask)),
        ],
        fixes: first
            .map(|first| Fix { with, ..first })
            .into_iter()
            .collect(),
        text,
    })
}

/// A pair that the engine does not test, although no bits exclude it.
fn untested(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let recording = input.replay.recording()?;
    // From behind, a one-sided surface is not tested on purpose.
    if facing::check(input).is_some() {
        return None;
    }
    let is_unknown = !recording.has_bits;
    let advice = match input.pair.is_pushable() {
        true => gap::untested([input.mover, input.other], recording.has_bits),
        false => DRIVEN,
    };
    let unreported = || gap::unreported(input, Cause::Bits, advice);
    is_unknown
        .then(unreported)
        .flatten()
        .or_else(|| falls_freely(input))
}

/// A body that falls freely through the other.
fn falls_freely(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let fall = free_fall::of(input)?;
    let has_bits = input.replay.recording().is_some_and(|it| it.has_bits);
    let advice = gap::untested([input.mover, input.other], has_bits);
    let (one, other) = match fall.object == input.pair.mover.id {
        true => (input.mover, input.other),
        false => (input.other, input.mover),
    };
    Some(CauseMatch {
        cause: Cause::Bits,
        evidence: vec![
            (Key::UnreportedDepth, fall.deepest),
            (Key::FreeStates, f64::from(fall.states)),
        ],
        fixes: Vec::new(),
        text: format!(
            "{} is up to {} deep in {} over {} states and falls freely there: its velocity changes by gravity alone, so {advice}",
            one.name,
            input.units().length(fall.deepest),
            other.name,
            fall.states,
        ),
    })
}

/// "bit 2", "bits 0, 3".
fn bits(set: u32) -> String {
    let numbers: Vec<String> = (0..32)
        .filter(|bit| set >> bit & 1 == 1)
        .map(|bit| bit.to_string())
        .collect();
    match numbers.len() {
        1 => format!("bit {}", numbers[0]),
        _ => format!("bits {}", numbers.join(", ")),
    }
}
