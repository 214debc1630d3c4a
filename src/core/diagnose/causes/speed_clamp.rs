//! C15: a body moves slower than its velocity, by the same cap in every frame.
//!
//! Only for logs with velocities. Evidence: the commanded and the capped speed. A run of at least `CLAMP_FRAMES`
//! straight frames at one speed, below every velocity of the run, is a cap if the body is never faster elsewhere; a
//! constant ratio to a changing velocity is a matter of units instead. The fix is a cap above the velocity.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::level_facts::speed_caps::{CLAMP_SAME, CLAMP_SHARE, measure};

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let pair = input.pair;
    [
        (pair.mover.id, input.mover),
        (pair.obstacle.id, input.other),
    ]
    .into_iter()
    .find_map(|(id, object)| {
        let cap = input.facts.caps.get(id as usize).copied().flatten()?;
        let body = |state: &crate::core::replay::FrameState| state.body(id).copied();
        let (start, end) = (body(&input.frame.start)?, body(&input.frame.end)?);
        let (measured, commanded) = measure(&start, &end, input.frame.dt)?;
        let capped =
            measured < CLAMP_SHARE * commanded && (measured - cap).abs() <= CLAMP_SAME * cap;
        capped.then(|| state(input, &object.name, commanded, measured))
    })
}

fn state(input: &CauseInput<'_>, name: &str, commanded: f64, measured: f64) -> CauseMatch {
    let dt = input.frame.dt;
    let text = format!(
        "{name} has a velocity of {} but moves at {}, {} in every frame: the engine caps its speed. Raise the cap to {}, or \
         rescale the level; the limits here are for its actual speed.",
        input.units().speed(commanded),
        input.units().speed(measured),
        input.units().length(measured * dt),
        input.units().speed(commanded),
    );
    CauseMatch {
        cause: Cause::SpeedClamp,
        evidence: vec![
            (Key::CommandedSpeed, commanded),
            (Key::CappedSpeed, measured),
        ],
        fixes: Fix::set(Quantity::SpeedCap, commanded)
            .into_iter()
            .collect(),
        text,
    }
}
