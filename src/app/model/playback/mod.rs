//! Playhead and playback: a state machine without window or clock.

mod run;
pub mod stops;

use crate::app::view_state::Playhead;

/// Playback speeds, level seconds per real second.
pub const SPEEDS: [f64; 10] = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0];

/// Direction of playback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Toward the last frame.
    #[default]
    Forward,
    /// Toward the first.
    Backward,
}

/// The phase of the frame that the playhead is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inside {
    /// None: it is at a free fraction.
    #[default]
    Free,
    /// The phase with this index.
    Phase(usize),
    /// The impact with this index in the frame's sweep.
    Impact(usize),
    /// The impact with this index among those that the sweep cannot find.
    Unswept(usize),
    /// The last phase.
    Last,
}

/// Playhead, speed, direction and loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    frames: u32,
    playhead: Playhead,
    inside: Inside,
    playing: Option<Direction>,
    speed: f64,
    looping: bool,
    bounds: Option<(f64, f64)>,
    /// Freezes that are allowed now.
    freezes: f64,
    /// Real seconds left of a freeze.
    freeze_left: f64,
    /// Where it froze last since it plays; frames.
    frozen_at: Option<f64>,
    /// The next stop, frames, and whether it is slowed down for.
    next_stop: Option<(f64, bool)>,
}

impl Playback {
    /// Creates a paused playback at the start of a level of `frames` frames (at least one).
    pub fn new(frames: u32) -> Self {
        Self {
            frames: frames.max(1),
            playhead: Playhead::default(),
            inside: Inside::Free,
            playing: None,
            speed: 1.0,
            looping: false,
            bounds: None,
            freezes: run::IN_A_ROW,
            freeze_left: 0.0,
            frozen_at: None,
            next_stop: None,
        }
    }

    /// Adds frames at the end. A playhead at the end stays there; then it shows each new frame.
    pub fn grow(&mut self, frames: u32) {
        let was_at_end = self.playhead.position() >= self.end();
        self.frames = frames.max(self.frames);
        if was_at_end {
            self.set_position(self.end());
        }
    }

    /// Changes the number of frames; playhead and loop stay as far as they are inside.
    pub fn resize(&mut self, frames: u32) {
        if frames.max(1) == self.frames {
            return;
        }
        self.frames = frames.max(1);
        let Playhead { frame, fraction } = self.playhead;
        self.seek(frame, fraction);
        let end = self.end();
        let bounds = self.bounds.map(|(from, to)| (from, to.min(end)));
        self.bounds = bounds.filter(|(from, to)| from < to);
    }

    /// Number of frames, at least 1.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// The playhead.
    pub fn playhead(&self) -> Playhead {
        self.playhead
    }

    /// The phase that the playhead was stepped to.
    pub fn inside(&self) -> Inside {
        self.inside
    }

    /// Index of the phase that the playhead was stepped to, in a frame of `count` phases.
    pub fn phase(&self, count: usize) -> Option<usize> {
        match self.inside {
            Inside::Free | Inside::Impact(_) | Inside::Unswept(_) => None,
            Inside::Phase(index) => Some(index),
            Inside::Last => count.checked_sub(1),
        }
    }

    /// Direction of playback; `None` when paused.
    pub fn playing(&self) -> Option<Direction> {
        self.playing
    }

    /// Returns true while playback is frozen at an event.
    pub fn is_frozen(&self) -> bool {
        self.playing.is_some() && self.freeze_left > 0.0
    }

    /// Playback speed, level seconds per real second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Returns true if playback loops.
    pub fn looping(&self) -> bool {
        self.looping
    }

    /// Start and end of the loop, frames; the whole level by default.
    pub fn loop_bounds(&self) -> (f64, f64) {
        self.bounds.unwrap_or((0.0, self.end()))
    }

    /// Returns true if the loop is shorter than the level.
    pub fn has_loop_bounds(&self) -> bool {
        self.bounds.is_some()
    }

    /// Starts playback; at the end, from the start.
    pub fn play(&mut self, direction: Direction) {
        let (from, to) = self.run_bounds();
        let at = self.playhead.position();
        match direction {
            Direction::Forward if at >= to => self.set_position(from),
            Direction::Backward if at <= from => self.set_position(to),
            _ => {}
        }
        self.inside = Inside::Free;
        self.playing = Some(direction);
        self.freeze_left = 0.0;
        (self.frozen_at, self.next_stop) = (None, None);
    }

    /// Pauses playback.
    pub fn pause(&mut self) {
        self.playing = None;
        self.freeze_left = 0.0;
    }

    /// Pauses, or plays forward when paused.
    pub fn toggle(&mut self) {
        match self.playing {
            Some(_) => self.pause(),
            None => self.play(Direction::Forward),
        }
    }

    /// Sets the speed, clamped to [`SPEEDS`].
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(SPEEDS[0], SPEEDS[SPEEDS.len() - 1]);
        }
    }

    /// Sets the next faster of [`SPEEDS`].
    pub fn faster(&mut self) {
        let next = SPEEDS.into_iter().find(|&speed| speed > self.speed);
        self.speed = next.unwrap_or(self.speed);
    }

    /// Sets the next slower of [`SPEEDS`].
    pub fn slower(&mut self) {
        let next = SPEEDS.into_iter().rev().find(|&speed| speed < self.speed);
        self.speed = next.unwrap_or(self.speed);
    }

    /// Toggles looping.
    pub fn toggle_loop(&mut self) {
        self.looping = !self.looping;
    }

    /// Starts the loop at the playhead; a loop end before it moves to the end of the level.
    pub fn loop_in(&mut self) {
        let at = self.playhead.position();
        let (_, to) = self.loop_bounds();
        let to = if to > at { to } else { self.end() };
        if to > at {
            self.bounds = Some((at, to));
            self.looping = true;
        }
    }

    /// The loop ends at the playhead; a loop start after it moves to the start of the level.
    pub fn loop_out(&mut self) {
        let at = self.playhead.position();
        let (from, _) = self.loop_bounds();
        let from = if from < at { from } else { 0.0 };
        if from < at {
            self.bounds = Some((from, at));
            self.looping = true;
        }
    }

    /// Sets the loop, in frames, clamped to the level; ignored without a length.
    pub fn set_loop(&mut self, from: f64, to: f64) {
        let (from, to) = (from.max(0.0), to.min(self.end()));
        if from < to {
            let whole = (from, to) == (0.0, self.end());
            self.bounds = (!whole).then_some((from, to));
            self.looping = true;
        }
    }

    /// Resets the loop to the whole level.
    pub fn clear_loop(&mut self) {
        self.bounds = None;
    }

    /// Pauses and moves the playhead to a state, as the end of the frame that leads to it: what a line of a log has is shown with that frame.
    pub fn seek_state(&mut self, state: u32) {
        match state.checked_sub(1) {
            Some(frame) => self.seek(frame, 1.0),
            None => self.seek(0, 0.0),
        }
    }

    /// Pauses and moves the playhead to a frame and a fraction, both clamped to the level.
    pub fn seek(&mut self, frame: u32, fraction: f64) {
        self.pause();
        self.inside = Inside::Free;
        self.playhead = if frame >= self.frames {
            Playhead {
                frame: self.frames - 1,
                fraction: 1.0,
            }
        } else {
            Playhead {
                frame,
                fraction: within_frame(fraction),
            }
        };
    }

    /// Steps by whole frames: forward to the start of a later frame or the end, back to the start of this frame first.
    pub fn step_frames(&mut self, count: i64) {
        let frame = i64::from(self.playhead.frame);
        let inside = self.playhead.fraction > 0.0;
        let target = match count {
            0.. => frame + count,
            _ => frame + count + i64::from(inside),
        };
        self.seek(u32::try_from(target.max(0)).unwrap_or(u32::MAX), 0.0);
    }

    fn run_bounds(&self) -> (f64, f64) {
        if self.looping {
            self.loop_bounds()
        } else {
            (0.0, self.end())
        }
    }

    fn end(&self) -> f64 {
        f64::from(self.frames)
    }

    fn step_to(&mut self, frame: u32, fraction: f64, inside: Inside) {
        self.seek(frame, fraction);
        self.inside = inside;
    }

    /// Moves the playhead to a position in frames without pausing.
    fn set_position(&mut self, position: f64) {
        let position = position.clamp(0.0, self.end());
        let frame = (position.floor() as u32).min(self.frames - 1);
        self.playhead = Playhead {
            frame,
            fraction: within_frame(position - f64::from(frame)),
        };
    }
}

/// The fraction clamped to [0, 1]; 0 for NaN.
fn within_frame(fraction: f64) -> f64 {
    if fraction.is_nan() {
        0.0
    } else {
        fraction.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests;
