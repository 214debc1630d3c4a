//! Advancing the playhead, with freezes at impacts and findings.

use super::{Direction, Playback};

/// Length of a freeze, real seconds.
pub const HITSTOP: f64 = 0.6;

/// Freezes in a row at most: then playback goes on, past further stops.
pub const IN_A_ROW: f64 = 4.0;

/// Real seconds of playback for one more freeze.
pub const PER_FREEZE: f64 = 2.0;

impl Playback {
    /// Advances by real seconds; `dt` returns the length of a frame, seconds (a frame without a length takes no time).
    ///
    /// Playback freezes at `stops` (positions in frames, sorted) for `HITSTOP` real seconds each, and passes some where there are many: a level
    /// with findings in every frame is played, too. Returns true while it plays.
    pub fn advance(&mut self, seconds: f64, dt: impl Fn(u32) -> f64, stops: &[f64]) -> bool {
        let Some(direction) = self.playing else {
            return false;
        };
        let waited = seconds.max(0.0).min(self.freeze_left);
        self.freeze_left -= waited;
        if self.freeze_left > 0.0 {
            return true;
        }
        let (from, to) = self.run_bounds();
        let mut left = ((seconds - waited) * self.speed).max(0.0);
        let mut at = self.playhead.position().clamp(from, to);
        // Each iteration ends a frame or uses up the time; the bound is for levels whose frames have no length.
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
            let reached = stop.filter(|stop| (stop - at).abs() <= (edge - at).abs());
            let edge = reached.unwrap_or(edge);
            let needed = (edge - at).abs() * length;
            if needed > left {
                let moved = left / length;
                self.add_freezes(left);
                at += match direction {
                    Direction::Forward => moved,
                    Direction::Backward => -moved,
                };
                break;
            }
            left -= needed;
            at = edge;
            self.add_freezes(needed);
            if reached.is_some() && self.freezes >= 1.0 {
                self.freezes -= 1.0;
                // The rest of a long update counts towards the freeze.
                let rest = left / self.speed;
                self.freeze_left = (HITSTOP - rest).max(0.0);
                left = (rest - HITSTOP).max(0.0) * self.speed;
                if self.freeze_left > 0.0 {
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
        self.set_position(at);
        self.playing.is_some()
    }
}

impl Playback {
    /// Allows more freezes after some seconds of level time.
    fn add_freezes(&mut self, seconds: f64) {
        let more = seconds / self.speed / PER_FREEZE;
        self.freezes = (self.freezes + more).min(IN_A_ROW);
    }
}

/// The first stop strictly ahead.
fn next_stop(stops: &[f64], at: f64, direction: Direction) -> Option<f64> {
    match direction {
        Direction::Forward => stops.get(stops.partition_point(|&stop| stop <= at)),
        Direction::Backward => stops[..stops.partition_point(|&stop| stop < at)].last(),
    }
    .copied()
}
