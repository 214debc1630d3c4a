//! What a level's file says of units, axes, frame numbers and times.

use super::{Replay, Source};
use crate::core::schema::UserUnits;

/// "frame 3", "frames 3 to 7 (from 18003 in the log)": with the log's own number of the first, where it is another.
pub fn frames_text(first: u32, last: u32, in_log: Option<u64>) -> String {
    let frames = match first == last {
        true => format!("frame {first}"),
        false => format!("frames {first} to {last}"),
    };
    match (in_log, first == last) {
        (None, _) => frames,
        (Some(number), true) => format!("{frames} ({number} in the log)"),
        (Some(number), false) => format!("{frames} (from {number} in the log)"),
    }
}

impl Replay {
    /// The units and axes in which its file is written.
    pub fn units(&self) -> UserUnits {
        let of_scene = || UserUnits::of(self.scene.units);
        self.recording().map_or_else(of_scene, |it| it.units)
    }

    /// The number of a frame as the user counts: the log's own; for the end of the last frame that of the last line.
    pub fn number(&self, frame: u32) -> u64 {
        self.log_frame(frame).unwrap_or(u64::from(frame))
    }

    /// The tick of the network at a state, if it is logged. The state before the first step, of which many recorders log no values, is a tick
    /// before the next.
    pub fn tick(&self, state: u32) -> Option<i64> {
        let frames = &self.recording()?.frames;
        let tick = |state: u32| frames.get(state as usize)?.tick;
        match state {
            0 => tick(0).or_else(|| tick(1)?.checked_sub(1)),
            _ => tick(state),
        }
    }

    /// "frame 12", "frame 12 (31 in the log)".
    pub fn frame_name(&self, frame: u32) -> String {
        frames_text(frame, frame, self.log_frame(frame))
    }

    /// The frame of a number, or of the last below it.
    pub fn frame_of_number(&self, number: u64) -> u32 {
        let Some(recording) = self.recording() else {
            return u32::try_from(number).unwrap_or(u32::MAX);
        };
        let upto = recording
            .frames
            .partition_point(|line| line.number <= number);
        upto.saturating_sub(1) as u32
    }

    /// The log's time of its first line, seconds; 0 where it gives none or they do not rise, and for times of day: what passes since the start is read more easily.
    pub fn start_time(&self) -> f64 {
        const CLOCK: f64 = 1e7;
        let first = match &self.source {
            Source::Stepped(_) => 0.0,
            Source::Recorded(tracks) => tracks.start_time,
        };
        if first.abs() < CLOCK { first } else { 0.0 }
    }

    /// The log's own number of a frame, where it is another: frames are counted from 0 here.
    pub fn log_frame(&self, frame: u32) -> Option<u64> {
        let line = self.recording()?.frames.get(frame as usize)?;
        Some(line.number).filter(|number| *number != u64::from(frame))
    }
}
