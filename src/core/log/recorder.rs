//! Writes a JSON Lines log while another program runs.

use super::output::LogOutput;
use super::write_json::{Header, Snapshot, Writer};
use crate::core::replay::{Body, LoggedNote, NoteKind};
use crate::core::scene::Object;
use std::collections::HashMap;
use std::io;
use std::mem;
use std::time::{Duration, Instant};

/// Why something was not recorded. Earlier frames are not affected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The output failed.
    #[error("the log cannot be written: {0}")]
    Output(#[from] io::Error),
    /// The input is invalid; nothing of it was written.
    #[error("{0}")]
    Invalid(String),
}

/// Writes a log: the objects first, then one line per frame.
///
/// ```
/// use hitstop::core::log::{Header, Recorder};
/// use hitstop::core::replay::Body;
/// use hitstop::core::scene::Object;
/// use hitstop::core::shape::{Pose, Shape};
/// use glam::DVec3;
///
/// let mut recorder = Recorder::new(Vec::new(), Header::default())?;
/// let ball = recorder.add_object(Object::new("ball", Shape::Sphere { radius: 0.1 }, DVec3::ZERO))?;
/// for step in 0..3 {
///     let position = DVec3::new(f64::from(step), 1.0, 0.0);
///     recorder.frame(f64::from(step) / 60.0, &[Body::new(ball, Pose::at(position))])?;
/// }
/// let log = String::from_utf8(recorder.finish()?)?;
/// assert_eq!(log.lines().count(), 4, "a header and three frames");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A [`Compressor`](super::Compressor) as output compresses the log as it is written; a [`RingRecorder`](super::RingRecorder) keeps the last
/// seconds in memory instead.
///
/// All numbers are in the units and axes of the [`Header`]. A position that is not finite is recorded as it is, and diagnosis
/// reports it.
#[derive(Debug)]
pub struct Recorder<W> {
    writer: Writer<W>,
    header: Header,
    /// Objects not yet written.
    waiting: Vec<Object>,
    /// Objects written.
    written: usize,
    ids: HashMap<String, u32>,
    /// Objects that are not to meet, by id and name, not yet written.
    ignored: Vec<(u32, String)>,
    /// The same, by their ids.
    ignored_ids: Vec<[u64; 2]>,
    /// Objects that are gone, not yet written.
    removed: Vec<u64>,
    frames: u64,
    time: Option<f64>,
    flushed: Instant,
}

/// Time between two flushes of the output: a crash of the program loses no more than this.
const FLUSH: Duration = Duration::from_secs(1);

impl<W: LogOutput> Recorder<W> {
    /// Nothing is written before the first frame (or [`Recorder::finish`]). Buffer the output.
    ///
    /// # Errors
    /// When the header's dt or length is not above zero.
    pub fn new(output: W, header: Header) -> Result<Self, RecordError> {
        for (what, value) in [("dt", header.dt), ("units.length", header.units.length)] {
            if !(value > 0.0 && value.is_finite()) {
                return invalid(format!("{what} is {value}, and must be above 0"));
            }
        }
        if header.gravity.is_some_and(|gravity| !gravity.is_finite()) {
            return invalid("gravity is not finite".into());
        }
        Ok(Self {
            writer: Writer::new(output, header.scalar, header.units.flat),
            header,
            waiting: Vec::new(),
            written: 0,
            ids: HashMap::new(),
            ignored: Vec::new(),
            ignored_ids: Vec::new(),
            removed: Vec::new(),
            frames: 0,
            time: None,
            flushed: Instant::now(),
        })
    }

    /// Adds an object and returns its id. An object added after the first frame appears in the next one. A fixed object needs
    /// no body: it stays at its pose. An object that it ignores may be added later.
    ///
    /// # Errors
    /// If its name is empty or taken, or its pose, mass or shape is invalid.
    pub fn add_object(&mut self, object: Object) -> Result<u32, RecordError> {
        let name = &object.name;
        if name.trim().is_empty() {
            return invalid("an object needs a name".into());
        }
        if let Some(fault) = super::object::fault(&object, self.header.units.flat) {
            return invalid(format!("object \"{name}\": {fault}"));
        }
        if self.ids.contains_key(name) {
            return invalid(format!("the name \"{name}\" is taken by an earlier object"));
        }
        let id = self.known();
        self.ids.insert(name.clone(), id);
        let ignored = object.ignores.iter();
        self.ignored
            .extend(ignored.map(|other| (id, other.clone())));
        self.waiting.push(object);
        Ok(id)
    }

    /// Two objects that are never tested against each other, in the whole log.
    ///
    /// # Errors
    /// If there is no such object.
    pub fn ignore(&mut self, a: u32, b: u32) -> Result<(), RecordError> {
        if let Some(id) = [a, b].into_iter().find(|&id| id >= self.known()) {
            return invalid(format!("there is no object {id}; add it first"));
        }
        self.ignored_ids.push([a, b].map(u64::from));
        Ok(())
    }

    /// A fixed object that is gone from the next frame on, unless it has a body in each frame.
    ///
    /// # Errors
    /// If there is no such object.
    pub fn remove(&mut self, id: u32) -> Result<(), RecordError> {
        if id >= self.known() {
            return invalid(format!("there is no object {id}; add it first"));
        }
        self.removed.push(id.into());
        Ok(())
    }

    /// Writes the state after `time` seconds, and returns the frame number, from 0.
    ///
    /// # Errors
    /// See [`Recorder::snapshot`].
    pub fn frame(&mut self, time: f64, bodies: &[Body]) -> Result<u64, RecordError> {
        self.snapshot(&Snapshot {
            time: Some(time),
            bodies,
            ..Snapshot::default()
        })
    }

    /// Writes a frame with contacts, pushes, queries and camera, and returns its number.
    ///
    /// # Errors
    /// If an object is unknown or has two bodies, time does not increase, dt is not positive, or the output fails.
    pub fn snapshot(&mut self, snapshot: &Snapshot<'_>) -> Result<u64, RecordError> {
        self.check(snapshot)?;
        self.write_objects()?;
        self.write_frame(snapshot)
    }

    /// Writes what is buffered, so that a crash of the program loses nothing of it. It is done once a second without being called.
    ///
    /// # Errors
    /// Those of the output.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        self.flushed = Instant::now();
        Ok(self.writer.output.flush_lines()?)
    }

    /// Flushes and returns the output.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> Result<W, RecordError> {
        if self.frames == 0 {
            self.write_objects()?;
        }
        self.flush()?;
        Ok(self.writer.output)
    }

    /// The output so far, in its place an empty one.
    pub(super) fn take_output(&mut self, empty: W) -> W {
        mem::replace(&mut self.writer.output, empty)
    }

    /// Writes the objects that are not yet written: in the header, later on a line of their own.
    pub(super) fn write_objects(&mut self) -> Result<(), RecordError> {
        let mut ignored = known_pairs(&mut self.ignored, &self.ids);
        ignored.append(&mut self.ignored_ids);
        if self.frames == 0 {
            let objects = (self.written..).zip(&self.waiting);
            let ignored = mem::take(&mut ignored);
            self.writer.header(&self.header, objects, ignored)?;
            self.written += self.waiting.len();
            self.waiting.clear();
        }
        if self.waiting.is_empty() && ignored.is_empty() && self.removed.is_empty() {
            return Ok(());
        }
        let objects = (self.written..).zip(&self.waiting);
        let removed = mem::take(&mut self.removed);
        self.writer.spawn(objects, removed, ignored)?;
        self.written += self.waiting.len();
        self.waiting.clear();
        Ok(())
    }

    /// Writes a frame that was checked, and returns its number.
    pub(super) fn write_frame(&mut self, snapshot: &Snapshot<'_>) -> Result<u64, RecordError> {
        let number = self.frames;
        let gap = snapshot.gap.then_some(true);
        self.writer.frame(number, gap, snapshot)?;
        self.frames += 1;
        self.time = snapshot.time.or(self.time);
        if self.flushed.elapsed() > FLUSH {
            self.flush()?;
        }
        Ok(number)
    }

    /// How many objects there are.
    fn known(&self) -> u32 {
        (self.written + self.waiting.len()) as u32
    }

    /// Checks a frame before anything of it is written.
    ///
    /// # Errors
    /// Those of [`Recorder::snapshot`], but for the output.
    pub(super) fn check(&self, snapshot: &Snapshot<'_>) -> Result<(), RecordError> {
        if let Some(time) = snapshot.time
            && !(time.is_finite() && self.time.is_none_or(|before| time > before))
        {
            return invalid(format!(
                "time is {time} s, and must rise from frame to frame"
            ));
        }
        if let Some(dt) = snapshot.dt
            && !(dt > 0.0 && dt.is_finite())
        {
            return invalid(format!("dt is {dt} s, and must be above 0"));
        }
        let mut ids: Vec<u32> = snapshot.bodies.iter().map(|body| body.object).collect();
        ids.sort_unstable();
        if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            return invalid(format!("object {} has two bodies in one frame", pair[0]));
        }
        let contacts = snapshot
            .contacts
            .iter()
            .flat_map(|contact| [contact.a, contact.b]);
        let pushes = snapshot.pushes.iter().map(|push| push.object);
        let queries = snapshot.queries.iter().flat_map(|query| {
            let hit = query.hit.map(|hit| hit.object);
            query.object.into_iter().chain(hit)
        });
        let (contacts_count, impulses) = (snapshot.contacts.len(), snapshot.impulses.len());
        if impulses > 0 && impulses != contacts_count {
            return invalid(format!(
                "{contacts_count} contacts have {impulses} impulses; give one for each, or none"
            ));
        }
        let is_lost =
            |note: &LoggedNote| note.object.is_none() && matches!(note.kind, NoteKind::Move(_));
        if snapshot.notes.iter().any(is_lost) {
            return invalid("a move has no object; give the character's".to_owned());
        }
        let notes = snapshot.notes.iter().flat_map(LoggedNote::objects);
        let mut all = ids
            .iter()
            .copied()
            .chain(contacts)
            .chain(snapshot.joints.iter().flatten().copied())
            .chain(pushes)
            .chain(queries)
            .chain(notes);
        match all.find(|&id| id >= self.known()) {
            Some(id) => invalid(format!("there is no object {id}; add it first")),
            None => Ok(()),
        }
    }
}

/// Takes out the pairs of which both objects are known.
fn known_pairs(pairs: &mut Vec<(u32, String)>, ids: &HashMap<String, u32>) -> Vec<[u64; 2]> {
    let mut known = Vec::new();
    pairs.retain(|(id, other)| {
        let other = ids.get(other).map(|other| [*id, *other].map(u64::from));
        known.extend(other);
        other.is_none()
    });
    known
}

fn invalid<T>(what: String) -> Result<T, RecordError> {
    Err(RecordError::Invalid(what))
}
