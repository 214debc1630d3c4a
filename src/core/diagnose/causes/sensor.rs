//! C20: a sensor was passed between two looks, and never reported.
//!
//! It is C01 with a trigger: the same limit, another mend. A trigger is not there to stop anything, so that a thicker one costs
//! nothing, and one that sweeps misses nothing.

use super::{Case, Claim};
use crate::core::diagnose::causes::Cause;
use crate::core::diagnose::finding::Kind;
use crate::core::diagnose::limits;
use crate::core::number::{metres, percent};

pub(super) fn claim(case: &Case<'_>) -> Option<Claim> {
    let crossed = matches!(case.event.kind, Kind::Tunnels | Kind::Clips);
    if !case.pair.sensor || !crossed || case.event.is_from_behind() {
        return None;
    }
    let m = &case.measures;
    let (sensor, body) = if case.other.sensor {
        (case.other, case.mover)
    } else {
        (case.mover, case.other)
    };
    let mut fixes = case.step_fixes();
    fixes.extend(case.size_fixes());
    let thicker = limits::min_thickness_seen(m.displacement, m.slab.radius);
    let text = format!(
        "The sensor {} never detected {}, which moves {} in this frame: an overlap test at its ends is sure to detect it only up to {}, \
         and {} of all starting phases are missed. Make it a swept trigger, or at least {} thick along the way.",
        sensor.name,
        body.name,
        metres(m.travel),
        metres(m.limit_seen),
        percent(limits::missed_share(m.displacement, m.limit_seen)),
        metres(thicker.max(m.slab.thickness)),
    );
    Some(Claim {
        cause: Cause::Sensor,
        evidence: Vec::new(),
        fixes,
        text,
    })
}
