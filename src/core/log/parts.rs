//! A recording that is handed on while the rest of it is read.

use crate::core::replay::Recording;
use std::time::{Duration, Instant};

/// The time between two parts is at least this many times that of making one: parts take little of the whole.
const REST: u32 = 20;

/// Receives a recording again and again while it is read, each time with more frames.
pub struct Parts<'p> {
    take: Option<&'p mut dyn FnMut(Recording)>,
    /// When the next part is due; `None` for never.
    due: Option<Instant>,
    every: Duration,
    /// Number of frames of the last part.
    frames: usize,
}

impl<'p> Parts<'p> {
    /// No parts are wanted.
    pub fn none() -> Self {
        Self {
            take: None,
            due: None,
            every: Duration::ZERO,
            frames: 0,
        }
    }

    /// Hands a part to `take` after `every`, if there are new frames.
    pub fn every(every: Duration, take: &'p mut dyn FnMut(Recording)) -> Self {
        Self {
            take: Some(take),
            due: Instant::now().checked_add(every),
            every,
            frames: 0,
        }
    }

    /// Hands on a recording of so many frames if it is due; `None` if it cannot be made.
    pub(super) fn offer(&mut self, frames: usize, make: impl FnOnce() -> Option<Recording>) {
        let Some(take) = &mut self.take else {
            return;
        };
        let begun = Instant::now();
        if frames <= self.frames || self.due.is_none_or(|due| begun < due) {
            return;
        }
        self.frames = frames;
        if let Some(part) = make() {
            take(part);
        }
        let end = Instant::now();
        self.due = end.checked_add(self.every.max((end - begun) * REST));
    }
}
