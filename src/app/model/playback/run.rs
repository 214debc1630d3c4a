//! Time runs, and stands still for a moment where something is met.

use super::{Direction, Playback};

/// Real seconds for which time stands still at an impact: long enough to see it, short enough to keep the flow.
pub const HITSTOP: f64 = 0.6;

impl Playback {
    /// Lets real time pass; `dt` gives each frame's seconds (a frame without a length is passed at once).
    ///
    /// At each of `stops` (positions in frames, rising) time stands still for `HITSTOP` real seconds. Says whether the
    /// playhead still moves.
    pub fn advance(&mut self, seconds: f64, dt: impl Fn(u32) -> f64, stops: &[f64]) -> bool {
        let Some(direction) = self.playing else {
            return false;
        };
        let waited = seconds.max(0.0).min(self.held);
        self.held -= waited;
        if self.held > 0.0 {
            return true;
        }
        let (from, to) = self.run_bounds();
        let mut left = ((seconds - waited) * self.speed).max(0.0);
        let mut at = self.playhead.position().clamp(from, to);
        // Each turn of the loop ends a frame or the time; the count guards levels whose frames have no length.
        for _ in 0..=2 * u64::from(self.frames) + 2 {
            let stop = next_stop(stops, at, direction);
            let (edge, frame) = match direction {
                Direction::Forward => {
                    let frame = at.floor();
                    ((frame + 1.0).min(to), frame)
                }
                Direction::Backward => {
                    let frame = (at.ceil() - 1.0).max(0.0);
                    (frame.max(from), frame)
                }
            };
            let length = dt((frame as u32).min(self.frames - 1));
            let length = if length.is_finite() && length > 0.0 {
                length
            } else {
                0.0
            };
            let met = stop.filter(|stop| (stop - at).abs() <= (edge - at).abs());
            let edge = met.unwrap_or(edge);
            let needed = (edge - at).abs() * length;
            if needed > left {
                let moved = left / length;
                at += match direction {
                    Direction::Forward => moved,
                    Direction::Backward => -moved,
                };
                break;
            }
            left -= needed;
            at = edge;
            if met.is_some() {
                // What is left of a long pass is waited for here.
                let rest = left / self.speed;
                self.held = (HITSTOP - rest).max(0.0);
                left = (rest - HITSTOP).max(0.0) * self.speed;
                if self.held > 0.0 {
                    break;
                }
            }
            let (stop, start) = match direction {
                Direction::Forward => (to, from),
                Direction::Backward => (from, to),
            };
            if at == stop {
                if !self.looping {
                    self.pause();
                    break;
                }
                at = start;
            }
        }
        self.place(at);
        self.playing.is_some()
    }
}

/// The first stop that lies strictly ahead.
fn next_stop(stops: &[f64], at: f64, direction: Direction) -> Option<f64> {
    match direction {
        Direction::Forward => stops.get(stops.partition_point(|&stop| stop <= at)),
        Direction::Backward => stops[..stops.partition_point(|&stop| stop < at)].last(),
    }
    .copied()
}
