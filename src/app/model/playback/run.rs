//! Advancing the playhead, with freezes at impacts and findings and slow motion around them.

use super::{Direction, Playback};

/// Length of a freeze, real seconds.
pub const HITSTOP: f64 = 0.6;

/// Freezes in a row at most: then playback goes on, past further stops.
pub const IN_A_ROW: f64 = 4.0;

/// Real seconds of playback for one more freeze.
pub const PER_FREEZE: f64 = 2.0;

/// Slowdown at a freeze: level time runs at 1/64 of real time.
const SLOWEST: f64 = 64.0;

/// Slow motion begins at most a frame before a freeze, and ends at most one after it; each takes so many real seconds at most.
const RAMP: f64 = 0.3;

impl Playback {
    /// Advances by real seconds; `dt` returns the length of a frame, seconds (a frame without a length takes no time).
    ///
    /// Playback freezes at `stops` (positions in frames, sorted) for `HITSTOP` real seconds each, and passes some where there are many: a level
    /// with findings in every frame is played, too. Before and after a freeze it is slower. Returns true while it plays.
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
        let mut left = (seconds - waited).max(0.0);
        let mut at = self.playhead.position().clamp(from, to);
        let mut left_at_start = f64::INFINITY;
        // Each iteration ends a frame or a part of a slow motion, passes a stop or uses up the time.
        for _ in 0..=2 * u64::from(self.frames) + 8 * stops.len() as u64 + 8 {
            let stop = next_stop(stops, at, direction).filter(|stop| (from..=to).contains(stop));
            // Whether it is slowed down for is decided once, where it becomes the next one.
            if self.next_stop.map(|(next, _)| next) != stop {
                self.next_stop = stop.map(|stop| (stop, self.freezes >= 1.0));
            }
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
            let frame_seconds = length / self.speed;
            let reached = stop.filter(|stop| (stop - at).abs() <= (edge - at).abs());
            let edge = reached.unwrap_or(edge);
            let ahead = self.next_stop.filter(|(_, is_slow)| *is_slow);
            let ahead = ahead.map(|(stop, _)| stop);
            let slow = Slow::of([ahead, self.frozen_at], frame_seconds, self.speed);
            let (centre, edge) = slow.part(at, edge);
            let needed = slow.seconds(centre, [at, edge]);
            if needed > left {
                let to = slow.after(centre, [at, edge], left);
                self.add_freezes((to - at).abs() * frame_seconds);
                at = to;
                break;
            }
            left -= needed;
            self.add_freezes((edge - at).abs() * frame_seconds);
            at = edge;
            if reached == Some(at) && self.freezes >= 1.0 {
                self.freezes -= 1.0;
                self.frozen_at = Some(at);
                // The rest of a long update counts towards the freeze.
                self.freeze_left = (HITSTOP - left).max(0.0);
                left = (left - HITSTOP).max(0.0);
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
                // A loop without length takes no time.
                if left >= left_at_start {
                    break;
                }
                (left_at_start, self.frozen_at, self.next_stop) = (left, None, None);
                at = start;
            }
        }
        self.set_position(at);
        self.playing.is_some()
    }
}

impl Playback {
    /// Allows more freezes after some real seconds at full speed.
    fn add_freezes(&mut self, seconds: f64) {
        self.freezes = (self.freezes + seconds / PER_FREEZE).min(IN_A_ROW);
    }
}

/// Slow motion around freezes: the speed falls by the same factor for each part of the way to one, and rises so after it.
struct Slow {
    /// Positions of freezes, frames: the next, and the last.
    centres: [Option<f64>; 2],
    /// The way before and after each on which it is slower, frames.
    width: f64,
    /// Natural logarithm of the slowdown at a freeze.
    exponent: f64,
    /// Real seconds of a frame at full speed.
    frame: f64,
}

impl Slow {
    fn of(centres: [Option<f64>; 2], frame: f64, speed: f64) -> Self {
        // What is slow already does not get slower.
        let slowdown = (SLOWEST * speed).max(1.0);
        let exponent = slowdown.ln();
        let width = if frame > 0.0 && exponent > 0.0 {
            (RAMP * exponent / (frame * (slowdown - 1.0))).min(1.0)
        } else {
            0.0
        };
        Self {
            centres,
            width,
            exponent,
            frame,
        }
    }

    /// The centre that counts from a position on, and how far: at most to the edge.
    fn part(&self, at: f64, edge: f64) -> (Option<f64>, f64) {
        if self.width <= 0.0 {
            return (None, edge);
        }
        let known = || self.centres.into_iter().flatten();
        let middle = match self.centres {
            [Some(one), Some(other)] => Some(one.midpoint(other)),
            _ => None,
        };
        let ends = known().flat_map(|centre| [centre - self.width, centre, centre + self.width]);
        let length = |to: &f64| (to - at) * (edge - at).signum();
        let until = ends
            .chain(middle)
            .filter(|to| length(to) > 1e-12 && length(to) < length(&edge));
        let until = until.min_by(|one, other| length(one).total_cmp(&length(other)));
        let until = until.unwrap_or(edge);
        let inside = at.midpoint(until);
        let away = |centre: &f64| (inside - centre).abs();
        let nearest = known().min_by(|one, other| away(one).total_cmp(&away(other)));
        (nearest.filter(|centre| away(centre) < self.width), until)
    }

    /// The slowdown at a position.
    fn slowdown(&self, centre: f64, at: f64) -> f64 {
        let share = ((at - centre).abs() / self.width).min(1.0);
        (self.exponent * (1.0 - share)).exp()
    }

    /// Real seconds from one position to another.
    fn seconds(&self, centre: Option<f64>, [from, to]: [f64; 2]) -> f64 {
        match centre {
            Some(centre) => {
                let change = self.slowdown(centre, to) - self.slowdown(centre, from);
                self.width * self.frame / self.exponent * change.abs()
            }
            None => (to - from).abs() * self.frame,
        }
    }

    /// The position some real seconds after one, on the way to another.
    fn after(&self, centre: Option<f64>, [from, to]: [f64; 2], seconds: f64) -> f64 {
        let way = (to - from).signum();
        let Some(centre) = centre else {
            return from + way * seconds / self.frame;
        };
        let approaches = (to - centre).abs() < (from - centre).abs();
        let change = seconds * self.exponent / (self.width * self.frame);
        let change = if approaches { change } else { -change };
        let slowdown = (self.slowdown(centre, from) + change).max(1.0);
        let away = self.width * (1.0 - slowdown.ln() / self.exponent);
        let side = (from - centre).signum();
        let side = if from == centre { way } else { side };
        let (low, high) = (from.min(to), from.max(to));
        (centre + side * away).clamp(low, high)
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
