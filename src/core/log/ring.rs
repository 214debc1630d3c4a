//! Keeps the last seconds of a level in memory, and saves them as a log.

use super::recorder::{RecordError, Recorder};
use super::write_json::{Header, Snapshot};
use crate::core::scene::Object;
use std::collections::VecDeque;
use std::io::{self, Write};

/// A recorder that keeps the last seconds in memory and writes nothing until they are saved.
///
/// ```
/// use hitstop::prelude::*;
///
/// let mut recorder = RingRecorder::new(10.0, Header::default())?;
/// let ball = recorder.add_object(Object::new("ball", Shape::Sphere { radius: 0.1 }, DVec3::ZERO))?;
/// for step in 0..3600 {
///     let position = DVec3::new(f64::from(step), 1.0, 0.0);
///     let bodies = [Body::new(ball, Pose::at(position))];
///     recorder.snapshot(&Snapshot { bodies: &bodies, ..Snapshot::default() })?;
/// }
/// let mut output = Vec::new();
/// // When something happened: a failed assertion, a key, a body below the floor.
/// recorder.save(&mut output)?;
/// assert_eq!(recorder.frames(), 601);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It takes the memory of the log's text: about 150 bytes for a body and frame with rotation and velocities.
#[derive(Debug)]
pub struct RingRecorder {
    recorder: Recorder<Vec<u8>>,
    seconds: f64,
    dt: f64,
    /// Seconds at the last frame.
    time: f64,
    /// The header, and the objects that were added before the first frame that is kept.
    objects: Vec<u8>,
    frames: VecDeque<KeptFrame>,
}

#[derive(Debug)]
struct KeptFrame {
    time: f64,
    /// The line of the objects added before it, if any.
    objects: Vec<u8>,
    line: Vec<u8>,
}

impl RingRecorder {
    /// Keeps the frames of the last `seconds`.
    ///
    /// # Errors
    /// As [`Recorder::new`], and when `seconds` is not above zero.
    pub fn new(seconds: f64, header: Header) -> Result<Self, RecordError> {
        if !(seconds > 0.0 && seconds.is_finite()) {
            let what = format!("{seconds} seconds are to be kept; it must be more than 0");
            return Err(RecordError::Invalid(what));
        }
        Ok(Self {
            seconds,
            dt: header.dt,
            time: 0.0,
            recorder: Recorder::new(Vec::new(), header)?,
            objects: Vec::new(),
            frames: VecDeque::new(),
        })
    }

    /// Adds an object: see [`Recorder::add_object`].
    ///
    /// # Errors
    /// Those of [`Recorder::add_object`].
    pub fn add_object(&mut self, object: Object) -> Result<u32, RecordError> {
        self.recorder.add_object(object)
    }

    /// Two objects that are never tested against each other: see [`Recorder::ignore`].
    ///
    /// # Errors
    /// Those of [`Recorder::ignore`].
    pub fn ignore(&mut self, a: u32, b: u32) -> Result<(), RecordError> {
        self.recorder.ignore(a, b)
    }

    /// A fixed object that is gone: see [`Recorder::remove`].
    ///
    /// # Errors
    /// Those of [`Recorder::remove`].
    pub fn remove(&mut self, id: u32) -> Result<(), RecordError> {
        self.recorder.remove(id)
    }

    /// Adds a frame and drops those that are too old. Returns its number, counted from the first frame of all.
    ///
    /// # Errors
    /// Those of [`Recorder::snapshot`].
    pub fn snapshot(&mut self, snapshot: &Snapshot<'_>) -> Result<u64, RecordError> {
        self.recorder.check(snapshot)?;
        self.recorder.write_objects()?;
        let spent = self.drop_old(snapshot);
        let objects = self.recorder.take_output(spent);
        let number = self.recorder.write_frame(snapshot)?;
        let line = self.recorder.take_output(Vec::new());
        let time = self.time;
        self.frames.push_back(KeptFrame {
            time,
            objects,
            line,
        });
        Ok(number)
    }

    /// How many frames are kept.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Writes the frames that are kept as a log, and goes on keeping them. Frame numbers and times are those of the whole level.
    ///
    /// # Errors
    /// Those of the output.
    pub fn save(&self, output: &mut impl Write) -> io::Result<()> {
        output.write_all(&self.objects)?;
        for frame in &self.frames {
            output.write_all(&frame.objects)?;
            output.write_all(&frame.line)?;
        }
        output.flush()
    }

    /// Drops the frames that are too old when this one is added; returns the memory of one for the next line.
    fn drop_old(&mut self, next: &Snapshot<'_>) -> Vec<u8> {
        let is_first = self.frames.is_empty();
        let after = next.dt.unwrap_or(self.dt);
        let counted = if is_first { 0.0 } else { self.time + after };
        self.time = next.time.unwrap_or(counted);
        // A step's time is rounded.
        let oldest = self.time - self.seconds - after * 1e-6;
        let mut spent = Vec::new();
        while let Some(mut old) = self.frames.pop_front_if(|frame| frame.time < oldest) {
            self.objects.append(&mut old.objects);
            spent = old.line;
        }
        spent.clear();
        spent
    }
}
