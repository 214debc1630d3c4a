//! C14: this frame is longer than the level's median; at the median dt the event would not have happened.

use super::teleport::driven_speed;
use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::number::seconds;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let (median, dt) = (input.facts.median_dt, input.frame.dt);
    let limit = input.limit();
    if median <= 0.0
        || dt <= median
        || input.event.is_from_behind()
        || driven_speed(input).is_some()
    {
        return None;
    }
    let usual = input.metrics.displacement * median / dt;
    if usual > limit || input.metrics.displacement <= limit {
        return None;
    }
    let fixes: Vec<Fix> = input.step_fixes().into_iter().rev().collect();
    let longest = fixes.iter().find(|fix| fix.what == Quantity::MaxDt);
    let detected = longest.and_then(|fix| fix.detects).unwrap_or(f64::INFINITY);
    let held = longest.and_then(|fix| fix.holds.zip(fix.held()));
    let stiff = longest.map_or_else(String::new, |fix| input.contact_time_text(fix));
    let clamp = match held {
        Some((held, shown)) if held < detected => {
            let usual = match held < median {
                true => ", the median among them,",
                false => "",
            };
            format!(
                "Clamp dt to {}{stiff}. Up to {}{usual} it is detected, but it may be pushed out on the far side.",
                seconds(shown),
                seconds(detected),
            )
        }
        Some((_, shown)) => format!("Clamp dt to {}{stiff}.", seconds(shown)),
        None => "Use a sweep.".to_owned(),
    };
    let text = format!(
        "This frame lasts {}, the level's median is {}: {} moves {} along the normal of {} instead of {}. {clamp}",
        seconds(dt),
        seconds(median),
        input.mover.name,
        input.units().length(input.metrics.displacement),
        input.other.name,
        input.units().length(usual),
    );
    Some(CauseMatch {
        cause: Cause::DtSpike,
        evidence: vec![(Key::MedianDt, median), (Key::MedianDisplacement, usual)],
        fixes,
        text,
    })
}
