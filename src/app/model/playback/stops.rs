//! The stops of a frame: its phases and its impacts.

use super::{Inside, Playback};
use crate::core::replay::Phase;
use crate::core::replay::unswept::UnsweptImpact;

/// A moment of a frame that the playhead is stepped to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// The phase or the impact.
    pub inside: Inside,
    /// Fraction of the frame.
    pub fraction: f64,
}

/// The stops of a frame, in order. Impacts that end an advance are phases; the others follow the sweep that found them, and those
/// that no sweep finds are at their fraction.
pub fn stops(phases: &[Phase], unswept: &[UnsweptImpact]) -> Vec<Stop> {
    let ends_advance = |phase: &Phase| {
        matches!(
            phase,
            Phase::Advance {
                impact: Some(_),
                ..
            }
        )
    };
    let impacts_are_phases = phases.iter().any(ends_advance);
    let mut stops = Vec::with_capacity(phases.len());
    for (index, phase) in phases.iter().enumerate() {
        stops.push(Stop {
            inside: Inside::Phase(index),
            fraction: phase.fraction(),
        });
        if let Phase::Sweep { impacts, .. } = phase
            && !impacts_are_phases
        {
            let fractions = impacts.iter().map(|(.., impact)| impact.fraction);
            stops.extend(fractions.enumerate().map(|(index, fraction)| Stop {
                inside: Inside::Impact(index),
                fraction,
            }));
        }
    }
    for (index, impact) in unswept.iter().enumerate() {
        let fraction = impact.fraction;
        let inside = Inside::Unswept(index);
        let after = stops.partition_point(|stop| stop.fraction <= fraction);
        stops.insert(after, Stop { inside, fraction });
    }
    stops
}

impl Playback {
    /// The stop that the playhead is at: the one it was stepped to; at a free fraction the first one there, and at the frame's end
    /// the last one.
    pub fn stop(&self, stops: &[Stop]) -> Option<usize> {
        let at = self.playhead.fraction;
        match self.inside {
            Inside::Free if at < 1.0 => stops.iter().position(|stop| stop.fraction == at),
            Inside::Free | Inside::Last => stops.len().checked_sub(1),
            inside => stops.iter().position(|stop| stop.inside == inside),
        }
    }

    /// Steps to the next stop; `stops` are those of the frame at the playhead.
    pub fn next_phase(&mut self, stops: &[Stop]) {
        let at = self.playhead.fraction;
        let next = match self.stop(stops) {
            Some(here) => here + 1,
            None => stops.partition_point(|stop| stop.fraction <= at),
        };
        if let Some(stop) = stops.get(next) {
            self.go_to_stop(*stop);
        } else if self.playhead.frame + 1 < self.frames {
            self.step_to(self.playhead.frame + 1, 0.0, Inside::Phase(0));
        }
    }

    /// Steps to the previous stop; `stops` are those of the frame at the playhead.
    pub fn previous_phase(&mut self, stops: &[Stop]) {
        let at = self.playhead.fraction;
        let here = self.stop(stops);
        let here = here.unwrap_or_else(|| stops.partition_point(|stop| stop.fraction < at));
        if let Some(stop) = here.checked_sub(1).and_then(|before| stops.get(before)) {
            self.go_to_stop(*stop);
        } else if let Some(frame) = self.playhead.frame.checked_sub(1) {
            self.step_to(frame, 1.0, Inside::Last);
        }
    }

    /// Steps to a stop of the frame at the playhead.
    pub fn go_to_stop(&mut self, stop: Stop) {
        self.step_to(self.playhead.frame, stop.fraction, stop.inside);
    }
}
