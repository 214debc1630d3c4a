//! C18: the pair crosses and was never tested: the layer or mask of one of the two excludes it.
//!
//! Evidence: the four bit sets. The fix is the set that lets them collide. Two objects that exclude each other are filtered on
//! purpose and not reported; neither is a pair that overlaps from its first frame on (a bullet leaves its gun).

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::number::metres;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let (mover, other) = (input.mover, input.other);
    if mover.collides_with(other) {
        return None;
    }
    // The mask without the bit, and the layer that it misses.
    let (blind, undetected) = if mover.layer & other.mask == 0 {
        (other, mover)
    } else {
        (mover, other)
    };
    let fixed = blind.mask | undetected.layer;
    let text = format!(
        "{} crosses {} ({} relative to it in this frame) and the pair was not tested: the mask of {} ({:#x}) lacks {}, the layer of {}, \
         whose own mask has the other's. Set the mask of {} to {fixed:#x}, or remove the bit from both if they should pass.",
        mover.name,
        other.name,
        metres(input.metrics.travel),
        blind.name,
        blind.mask,
        bits(undetected.layer),
        undetected.name,
        blind.name,
    );
    Some(CauseMatch {
        cause: Cause::Bits,
        evidence: vec![
            (Key::LayerA, f64::from(mover.layer)),
            (Key::MaskA, f64::from(mover.mask)),
            (Key::LayerB, f64::from(other.layer)),
            (Key::MaskB, f64::from(other.mask)),
        ],
        fixes: Fix::set(Quantity::Mask, f64::from(fixed))
            .into_iter()
            .collect(),
        text,
    })
}

/// "bit 2", "bits 0, 3", "any bit".
fn bits(set: u32) -> String {
    let numbers: Vec<String> = (0..32)
        .filter(|bit| set >> bit & 1 == 1)
        .map(|bit| bit.to_string())
        .collect();
    match numbers.len() {
        0 => "any bit (it is in none)".to_owned(),
        1 => format!("bit {}", numbers[0]),
        _ => format!("bits {}", numbers.join(", ")),
    }
}
