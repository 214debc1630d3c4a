//! The playhead and what moves it: a state machine that knows no window and no clock.

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
    }

    /// Stands still.
    pub fn pause(&mut self) {
        self.playing = None;
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

    /// Lets real time pass; `dt` gives each frame's seconds (a frame without a length is passed at once).
    ///
    /// Says whether the playhead still moves.
    pub fn advance(&mut self, seconds: f64, dt: impl Fn(u32) -> f64) -> bool {
        let Some(direction) = self.playing else {
            return false;
        };
        let (from, to) = self.run_bounds();
        let mut left = (seconds * self.speed).max(0.0);
        let mut at = self.playhead.position().clamp(from, to);
        // Each turn of the loop ends a frame or the time; the count guards levels whose frames have no length.
        for _ in 0..=2 * u64::from(self.frames) + 2 {
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
mod tests {
    use super::*;

    const DT: f64 = 1.0 / 64.0;

    fn at(playback: &Playback) -> (u32, f64) {
        let Playhead { frame, fraction } = playback.playhead();
        (frame, fraction)
    }

    #[test]
    fn plays_in_level_time() {
        let mut playback = Playback::new(60);
        playback.toggle();
        assert!(playback.advance(2.5 * DT, |_| DT));
        assert_eq!(at(&playback), (2, 0.5));
        playback.set_speed(0.5);
        assert!(playback.advance(DT, |_| DT));
        assert_eq!(at(&playback), (3, 0.0));
    }

    #[test]
    fn each_frame_has_its_own_length() {
        let mut playback = Playback::new(3);
        playback.toggle();
        // Frame 0 lasts 1 s, frame 1 lasts 4 s.
        playback.advance(2.0, |frame| if frame == 1 { 4.0 } else { 1.0 });
        assert_eq!(at(&playback), (1, 0.25));
    }

    #[test]
    fn stops_at_the_end_and_starts_over() {
        let mut playback = Playback::new(4);
        playback.toggle();
        assert!(!playback.advance(10.0, |_| DT));
        assert_eq!(at(&playback), (3, 1.0));
        assert_eq!(playback.playing(), None);
        playback.toggle();
        assert_eq!(at(&playback), (0, 0.0));
    }

    #[test]
    fn plays_backward_to_the_start() {
        let mut playback = Playback::new(4);
        playback.seek(2, 0.5);
        playback.play(Direction::Backward);
        assert!(playback.advance(DT, |_| DT));
        assert_eq!(at(&playback), (1, 0.5));
        assert!(!playback.advance(2.0 * DT, |_| DT));
        assert_eq!(at(&playback), (0, 0.0));
    }

    #[test]
    fn loops_over_the_whole_level_and_over_a_part() {
        let mut playback = Playback::new(4);
        playback.toggle_loop();
        playback.toggle();
        assert!(playback.advance(5.5 * DT, |_| DT));
        assert_eq!(at(&playback), (1, 0.5));

        playback.seek(1, 0.25);
        playback.loop_in();
        playback.seek(2, 0.25);
        playback.loop_out();
        assert_eq!(playback.loop_bounds(), (1.25, 2.25));
        playback.seek(1, 0.5);
        playback.toggle();
        assert!(playback.advance(1.0 * DT, |_| DT));
        assert_eq!(at(&playback), (1, 0.5));
    }

    #[test]
    fn a_loop_that_ends_before_it_begins_is_widened() {
        let mut playback = Playback::new(10);
        playback.seek(2, 0.0);
        playback.loop_out();
        playback.seek(5, 0.0);
        playback.loop_in();
        assert_eq!(playback.loop_bounds(), (5.0, 10.0));
    }

    #[test]
    fn frames_without_length_do_not_hang() {
        let mut playback = Playback::new(4);
        playback.toggle_loop();
        playback.toggle();
        assert!(playback.advance(1.0, |_| 0.0));
        playback.seek(0, 0.0);
        playback.toggle();
        assert!(playback.advance(0.1, |_| f64::NAN));
    }

    #[test]
    fn steps_frames_both_ways() {
        let mut playback = Playback::new(5);
        playback.step_frames(1);
        assert_eq!(at(&playback), (1, 0.0));
        playback.seek(1, 0.4);
        playback.step_frames(1);
        assert_eq!(at(&playback), (2, 0.0));
        playback.seek(2, 0.4);
        playback.step_frames(-1);
        assert_eq!(at(&playback), (2, 0.0), "first to the frame's own start");
        playback.step_frames(-1);
        assert_eq!(at(&playback), (1, 0.0));
        playback.step_frames(-10);
        assert_eq!(at(&playback), (0, 0.0));
        playback.step_frames(10);
        assert_eq!(at(&playback), (4, 1.0), "the very end");
    }

    #[test]
    fn steps_phases_forward_and_back_through_the_same_moments() {
        // Start, candidates and sweep share a fraction, as pushes and the end do.
        let phases = [0.0, 0.0, 0.0, 0.75, 1.0, 1.0];
        let mut playback = Playback::new(2);
        let mut seen = Vec::new();
        for _ in 0..2 * phases.len() - 1 {
            playback.next_phase(&phases);
            seen.push((at(&playback), playback.inside()));
        }
        assert_eq!(seen[0], ((0, 0.75), Inside::Phase(3)), "from a free start");
        assert_eq!(seen[2], ((0, 1.0), Inside::Phase(5)));
        assert_eq!(seen[3], ((1, 0.0), Inside::Phase(0)));
        assert_eq!(seen.last(), Some(&((1, 1.0), Inside::Phase(5))));

        for _ in 0..5 {
            playback.previous_phase(&phases);
        }
        assert_eq!(
            (at(&playback), playback.inside()),
            ((1, 0.0), Inside::Phase(0))
        );
        playback.previous_phase(&phases);
        assert_eq!((at(&playback), playback.inside()), ((0, 1.0), Inside::Last));
        playback.previous_phase(&phases);
        assert_eq!(
            (at(&playback), playback.inside()),
            ((0, 1.0), Inside::Phase(4))
        );
    }

    #[test]
    fn a_free_playhead_steps_to_its_neighbours() {
        let phases = [0.0, 0.25, 0.75, 1.0];
        let mut playback = Playback::new(2);
        playback.seek(0, 0.5);
        playback.next_phase(&phases);
        assert_eq!(at(&playback), (0, 0.75));
        playback.seek(0, 0.5);
        playback.previous_phase(&phases);
        assert_eq!(at(&playback), (0, 0.25));
    }

    #[test]
    fn seeking_stays_inside_the_level() {
        let mut playback = Playback::new(3);
        playback.seek(99, 0.3);
        assert_eq!(at(&playback), (2, 1.0));
        playback.seek(1, 7.0);
        assert_eq!(at(&playback), (1, 1.0));
        playback.seek(1, f64::NAN);
        assert_eq!(at(&playback), (1, 0.0));
        assert_eq!(Playback::new(0).frames(), 1);
    }

    #[test]
    fn speeds_stay_on_offer() {
        let mut playback = Playback::new(3);
        playback.faster();
        assert_eq!(playback.speed(), 2.0);
        for _ in 0..20 {
            playback.slower();
        }
        assert_eq!(playback.speed(), 0.01);
        playback.set_speed(100.0);
        assert_eq!(playback.speed(), 4.0);
        playback.set_speed(f64::NAN);
        assert_eq!(playback.speed(), 4.0);
    }
}
