//! The playhead and what moves it: a state machine that knows no window and no clock.

mod run;

use crate::app::view_state::Playhead;

/// Speeds the window offers, in level seconds per real second.
pub const SPEEDS: [f64; 10] = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0];

/// Which way time runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Toward the last frame.
    #[default]
    Forward,
    /// Toward the first.
    Backward,
}

/// Which named moment of its frame the playhead stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inside {
    /// None: it was put at a fraction.
    #[default]
    Free,
    /// The phase of this number, from 0.
    Phase(usize),
    /// The last one, whatever its number.
    Last,
}

/// Where the playhead is and how it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    frames: u32,
    playhead: Playhead,
    inside: Inside,
    playing: Option<Direction>,
    speed: f64,
    looping: bool,
    bounds: Option<(f64, f64)>,
    /// Real seconds that time still stands still at an impact.
    held: f64,
}

impl Playback {
    /// At the start of a level of so many frames (taken as at least one), paused.
    pub fn new(frames: u32) -> Self {
        Self {
            frames: frames.max(1),
            playhead: Playhead::default(),
            inside: Inside::Free,
            playing: None,
            speed: 1.0,
            looping: false,
            bounds: None,
            held: 0.0,
        }
    }

    /// Number of frames, at least 1.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Where the playhead stands.
    pub fn playhead(&self) -> Playhead {
        self.playhead
    }

    /// The named moment it was stepped to, if it was.
    pub fn inside(&self) -> Inside {
        self.inside
    }

    /// The number of the phase it was stepped to, in a frame of so many phases.
    pub fn phase(&self, count: usize) -> Option<usize> {
        match self.inside {
            Inside::Free => None,
            Inside::Phase(index) => Some(index),
            Inside::Last => count.checked_sub(1),
        }
    }

    /// Which way it plays; `None` when paused.
    pub fn playing(&self) -> Option<Direction> {
        self.playing
    }

    /// True while it plays and time stands still at an impact.
    pub fn is_held(&self) -> bool {
        self.playing.is_some() && self.held > 0.0
    }

    /// Level seconds per real second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Does it start again at the end?
    pub fn looping(&self) -> bool {
        self.looping
    }

    /// The stretch that is repeated, in frames from the start; the whole level unless it was narrowed.
    pub fn loop_bounds(&self) -> (f64, f64) {
        self.bounds.unwrap_or((0.0, self.end()))
    }

    /// True when the loop was narrowed to a part.
    pub fn has_loop_bounds(&self) -> bool {
        self.bounds.is_some()
    }

    /// Plays on; from the end, starts over.
    pub fn play(&mut self, direction: Direction) {
        let (from, to) = self.run_bounds();
        let at = self.playhead.position();
        match direction {
            Direction::Forward if at >= to => self.place(from),
            Direction::Backward if at <= from => self.place(to),
            _ => {}
        }
        self.inside = Inside::Free;
        self.playing = Some(direction);
        self.held = 0.0;
    }

    /// Stands still.
    pub fn pause(&mut self) {
        self.playing = None;
        self.held = 0.0;
    }

    /// Pauses what plays, plays (forward) what is paused.
    pub fn toggle(&mut self) {
        match self.playing {
            Some(_) => self.pause(),
            None => self.play(Direction::Forward),
        }
    }

    /// Kept within the speeds on offer.
    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() {
            self.speed = speed.clamp(SPEEDS[0], SPEEDS[SPEEDS.len() - 1]);
        }
    }

    /// The next faster speed on offer.
    pub fn faster(&mut self) {
        let next = SPEEDS.into_iter().find(|&speed| speed > self.speed);
        self.speed = next.unwrap_or(self.speed);
    }

    /// The next slower speed on offer.
    pub fn slower(&mut self) {
        let next = SPEEDS.into_iter().rev().find(|&speed| speed < self.speed);
        self.speed = next.unwrap_or(self.speed);
    }

    /// Start again at the end, or stop there.
    pub fn toggle_loop(&mut self) {
        self.looping = !self.looping;
    }

    /// The loop begins at the playhead; an end that would lie before it goes to the level's end.
    pub fn loop_in(&mut self) {
        let at = self.playhead.position();
        let (_, to) = self.loop_bounds();
        let to = if to > at { to } else { self.end() };
        if to > at {
            self.bounds = Some((at, to));
            self.looping = true;
        }
    }

    /// The loop ends at the playhead; a beginning that would lie after it goes to the level's start.
    pub fn loop_out(&mut self) {
        let at = self.playhead.position();
        let (from, _) = self.loop_bounds();
        let from = if from < at { from } else { 0.0 };
        if from < at {
            self.bounds = Some((from, at));
            self.looping = true;
        }
    }

    /// The loop is a stretch of its own, in frames from the start; kept inside the level. One without a length is none.
    pub fn set_loop(&mut self, from: f64, to: f64) {
        let (from, to) = (from.max(0.0), to.min(self.end()));
        if from < to {
            let whole = (from, to) == (0.0, self.end());
            self.bounds = (!whole).then_some((from, to));
            self.looping = true;
        }
    }

    /// The loop is the whole level again.
    pub fn clear_loop(&mut self) {
        self.bounds = None;
    }

    /// Puts the playhead at a frame and a fraction, both kept inside the level, and pauses.
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

    /// Steps whole frames: forward to the start of a later frame (or the very end), back to the start of this one first.
    pub fn step_frames(&mut self, count: i64) {
        let frame = i64::from(self.playhead.frame);
        let inside = self.playhead.fraction > 0.0;
        let target = match count {
            0.. => frame + count,
            _ => frame + count + i64::from(inside),
        };
        self.seek(u32::try_from(target.max(0)).unwrap_or(u32::MAX), 0.0);
    }

    /// Steps to the next named moment; `fractions` are those of the frame at the playhead, in order.
    pub fn next_phase(&mut self, fractions: &[f64]) {
        let next = match self.inside {
            Inside::Phase(index) => index + 1,
            Inside::Last => fractions.len(),
            Inside::Free => {
                let at = self.playhead.fraction;
                fractions.partition_point(|&fraction| fraction <= at)
            }
        };
        if let Some(&fraction) = fractions.get(next) {
            self.stand_on(self.playhead.frame, fraction, Inside::Phase(next));
        } else if self.playhead.frame + 1 < self.frames {
            self.stand_on(self.playhead.frame + 1, 0.0, Inside::Phase(0));
        }
    }

    /// Steps to the named moment before; `fractions` are those of the frame at the playhead, in order.
    pub fn previous_phase(&mut self, fractions: &[f64]) {
        let here = match self.inside {
            Inside::Phase(index) => index,
            Inside::Last => fractions.len().saturating_sub(1),
            Inside::Free => {
                let at = self.playhead.fraction;
                fractions.partition_point(|&fraction| fraction < at)
            }
        };
        if let Some(before) = here.checked_sub(1) {
            let fraction = fractions.get(before).copied().unwrap_or(0.0);
            self.stand_on(self.playhead.frame, fraction, Inside::Phase(before));
        } else if let Some(frame) = self.playhead.frame.checked_sub(1) {
            self.stand_on(frame, 1.0, Inside::Last);
        }
    }

    /// Stands on the named moment of this number in the frame at the playhead.
    pub fn go_to_phase(&mut self, index: usize, fraction: f64) {
        self.stand_on(self.playhead.frame, fraction, Inside::Phase(index));
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

    fn stand_on(&mut self, frame: u32, fraction: f64, inside: Inside) {
        self.seek(frame, fraction);
        self.inside = inside;
    }

    /// Puts the playhead at a position in frames, leaving play and pause alone.
    fn place(&mut self, position: f64) {
        let position = position.clamp(0.0, self.end());
        let frame = (position.floor() as u32).min(self.frames - 1);
        self.playhead = Playhead {
            frame,
            fraction: within_frame(position - f64::from(frame)),
        };
    }
}

/// A fraction kept in [0, 1]; what is no number is the start.
fn within_frame(fraction: f64) -> f64 {
    if fraction.is_nan() {
        0.0
    } else {
        fraction.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests;
