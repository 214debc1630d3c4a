//! C20: a sensor was passed between two overlap tests and never reported.
//!
//! The limit is that of C01, but the fixes differ: a thicker trigger costs nothing, and a swept one misses nothing.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::facts::limits;
use crate::core::diagnose::kind::Kind;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let crossed = matches!(input.event.kind, Kind::Tunnels | Kind::Clips);
    if !input.pair.sensor || !crossed || input.event.is_from_behind() {
        return None;
    }
    let m = &input.metrics;
    let (sensor, body) = if input.other.sensor {
        (input.other, input.mover)
    } else {
        (input.mover, input.other)
    };
    let mut fixes = input.step_fixes();
    fixes.extend(input.size_fixes());
    let thicker = limits::min_thickness_detected(m.displacement, m.slab.radius);
    let text = format!(
        "The sensor {} never detected {}, which moves {} in this {}: an overlap test at its ends reliably detects it only up to {}. \
         Sweep the trigger, or make it at least {} thick along the path.",
        sensor.name,
        body.name,
        input.units().length(m.travel),
        input.step(),
        input.units().length(m.limit_seen),
        input.units().length(thicker.max(m.slab.thickness)),
    );
    Some(CauseMatch {
        cause: Cause::Sensor,
        evidence: Vec::new(),
        fixes,
        text,
    })
}
