//! What a log gives for each of its frames: in memory and, beyond a limit, in a temporary file.

use super::frame_data::{FrameData, Totals};
use super::player::lock;
use super::stored_frame::{Bytes, decode_events, decode_notes, encode, find_body, visit_bodies};
use super::{Body, LoggedNote};
use crate::core::file::DataFile;
use crate::core::shape::{Pose, Shape};
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Frames are kept in memory up to this size, bytes; further ones are written to a temporary file.
const IN_MEMORY: usize = 192 << 20;
/// Size of the data from the file that is kept because it was read last, bytes.
const READ_LAST: usize = 16 << 20;
/// Number of frames whose data is kept because it was read last.
const READ_LAST_FRAMES: usize = 64;

/// The data of a recording's frames, in their order. Frames can only be appended.
///
/// The memory is bounded whatever the length of the recording: beyond a limit frames are in a file that the system removes.
#[derive(Clone)]
pub struct FrameStore {
    frames: Vec<Place>,
    totals: Totals,
    /// Of the frames in memory, bytes.
    size: usize,
    limit: usize,
    spilled: Arc<Spilled>,
    /// By object: its pose, while it has been at the same one in every frame.
    still: Vec<Option<Pose>>,
}

/// The place of a frame.
#[derive(Clone)]
enum Place {
    Memory(Arc<FrameData>),
    /// In the file: offset and length, bytes.
    File(u64, usize),
}

/// The frames beyond the limit.
#[derive(Default)]
struct Spilled {
    file: OnceLock<Option<DataFile>>,
    /// The shapes of queries, which a frame in the file refers to.
    shapes: RwLock<Vec<Shape>>,
    /// Frames of the file without their bodies, with their offset; newest last.
    read_last: Mutex<VecDeque<(u64, Arc<FrameData>)>>,
    /// How many objects before the one that was found last have no body: where to look first.
    absent: AtomicU32,
    /// True once the file could not be written or read.
    failed: AtomicBool,
}

impl Default for FrameStore {
    fn default() -> Self {
        Self::with_limit(IN_MEMORY)
    }
}

impl FrameStore {
    /// An empty store that keeps up to `limit` bytes in memory.
    fn with_limit(limit: usize) -> Self {
        Self {
            frames: Vec::new(),
            totals: Totals::default(),
            size: 0,
            limit,
            spilled: Arc::default(),
            still: Vec::new(),
        }
    }

    /// The objects with a body at the same pose in every frame, ascending.
    pub fn still(&self) -> Vec<u32> {
        let all = (0..).zip(&self.still);
        all.filter_map(|(object, pose)| pose.map(|_| object))
            .collect()
    }

    /// Forgets the objects that a new frame lacks, or has at another pose. `bodies` are sorted by object.
    fn keep_still(&mut self, bodies: &[Body]) {
        if self.frames.is_empty() {
            let count = bodies.last().map_or(0, |body| body.object as usize + 1);
            self.still = vec![None; count];
            for body in bodies {
                self.still[body.object as usize] = Some(body.pose);
            }
            return;
        }
        let mut rest = bodies.iter().peekable();
        for (object, pose) in (0..).zip(&mut self.still) {
            while rest.next_if(|body| body.object < object).is_some() {}
            let body = rest.next_if(|body| body.object == object);
            if body.map(|body| body.pose) != *pose {
                *pose = None;
            }
        }
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// True without any frame.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The number of bodies, contacts, pushes and queries of all frames.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// True when frames could not be read back from the temporary file: they count as empty. Those that could not be written are in memory.
    pub fn has_failed(&self) -> bool {
        self.spilled.failed.load(Ordering::Relaxed)
    }

    /// True when frames are in a file, as they are too large for the memory.
    pub fn is_large(&self) -> bool {
        self.spilled.file.get().is_some()
    }

    /// Writes the bytes of the frame at an index; returns their number. [`Self::shapes`] are those of the queries of all frames written.
    ///
    /// # Errors
    /// Those of the output, and of the temporary file.
    pub fn write(&self, index: usize, output: &mut dyn Write) -> io::Result<usize> {
        let bytes = encode(&self.at(index), &mut self.spilled.shapes_to_add());
        output.write_all(&bytes)?;
        match self.has_failed() {
            true => Err(io::ErrorKind::InvalidData.into()),
            false => Ok(bytes.len()),
        }
    }

    /// The shapes of queries, for the frames that were written.
    pub fn shapes(&self) -> Vec<Shape> {
        self.spilled.known_shapes().clone()
    }

    /// The store of a file that begins with the bytes of all frames, of these lengths; `None` if it is shorter.
    pub fn of_file(
        file: DataFile,
        lengths: &[usize],
        totals: Totals,
        shapes: Vec<Shape>,
        still: &[u32],
    ) -> Option<Self> {
        let mut end = 0_u64;
        let mut frames = Vec::with_capacity(lengths.len());
        for &length in lengths {
            frames.push(Place::File(end, length));
            end = end.checked_add(length as u64)?;
        }
        if end > file.length() {
            return None;
        }
        let spilled = Spilled {
            file: OnceLock::from(Some(file)),
            shapes: RwLock::new(shapes),
            ..Spilled::default()
        };
        let mut store = Self {
            frames,
            totals,
            spilled: Arc::new(spilled),
            ..Self::default()
        };
        let count = still.last().map_or(0, |last| *last as usize + 1);
        store.still = vec![None; count];
        for object in still {
            store.still[*object as usize] = Some(store.body(0, *object)?.pose);
        }
        Some(store)
    }

    /// Appends a frame.
    pub fn push(&mut self, mut data: FrameData) {
        self.totals.add(&data);
        self.keep_still(&data.bodies);
        let size = data.size();
        let place = match self.size + size > self.limit {
            true => self.spilled.write(&data),
            false => None,
        };
        self.frames.push(place.unwrap_or_else(|| {
            self.size += size;
            data.bodies.shrink_to_fit();
            Place::Memory(Arc::new(data))
        }));
    }

    /// The data of the frame at an index; empty beyond the last.
    pub fn at(&self, index: usize) -> Arc<FrameData> {
        match self.frames.get(index) {
            Some(Place::Memory(data)) => Arc::clone(data),
            _ => {
                let mut data = FrameData::clone(&self.events(index));
                self.visit_bodies(index, |body| data.bodies.push(*body));
                data.notes = self.notes(index);
                Arc::new(data)
            }
        }
    }

    /// The contacts, pushes and queries of the frame at an index, empty beyond the last; its bodies and notes may be left out.
    pub fn events(&self, index: usize) -> Arc<FrameData> {
        match self.frames.get(index) {
            None => Arc::default(),
            Some(Place::Memory(data)) => Arc::clone(data),
            Some(Place::File(offset, length)) => self.spilled.events(*offset, *length),
        }
    }

    /// The lines, values and marks of the frame at an index; empty beyond the last.
    pub fn notes(&self, index: usize) -> Vec<LoggedNote> {
        match self.frames.get(index) {
            None => Vec::new(),
            Some(Place::Memory(data)) => data.notes.clone(),
            Some(Place::File(offset, length)) => {
                let notes = decode_notes(*length, self.spilled.bytes(*offset, *length));
                self.spilled.checked(notes).unwrap_or_default()
            }
        }
    }

    /// Visits the bodies of the frame at an index, sorted by object.
    pub fn visit_bodies(&self, index: usize, visit: impl FnMut(&Body)) {
        match self.frames.get(index) {
            None => {}
            Some(Place::Memory(data)) => data.bodies.iter().for_each(visit),
            Some(Place::File(offset, length)) => {
                let read = self.spilled.bytes(*offset, *length);
                self.spilled.checked(visit_bodies(read, visit));
            }
        }
    }

    /// The body of an object in the frame at an index, which is found without the others.
    pub fn body(&self, index: usize, object: u32) -> Option<Body> {
        match self.frames.get(index)? {
            Place::Memory(data) => data.body(object),
            Place::File(offset, length) => {
                let spilled = &self.spilled;
                let near = object.saturating_sub(spilled.absent.load(Ordering::Relaxed));
                let (place, body) =
                    find_body(object, near as usize, spilled.bytes(*offset, *length))?;
                let absent = object.saturating_sub(place as u32);
                spilled.absent.store(absent, Ordering::Relaxed);
                Some(body)
            }
        }
    }

    /// The data of every frame.
    pub fn iter(&self) -> impl Iterator<Item = Arc<FrameData>> + '_ {
        (0..self.len()).map(|index| self.at(index))
    }
}

impl Spilled {
    /// The shapes, which several threads may read at once.
    fn known_shapes(&self) -> RwLockReadGuard<'_, Vec<Shape>> {
        self.shapes.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn shapes_to_add(&self) -> RwLockWriteGuard<'_, Vec<Shape>> {
        self.shapes.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a frame to the file; `None` if that fails.
    fn write(&self, data: &FrameData) -> Option<Place> {
        let bytes = encode(data, &mut self.shapes_to_add());
        let file = self.file.get_or_init(|| DataFile::temporary().ok());
        let offset = file.as_ref().and_then(|file| file.append(&bytes).ok());
        Some(Place::File(offset?, bytes.len()))
    }

    /// Some of the bytes of a frame; `None` if it has fewer, or the file cannot be read.
    fn bytes(&self, offset: u64, length: usize) -> impl Bytes {
        move |from, bytes| {
            let is_inside = from.checked_add(bytes.len())? <= length;
            let file = self.file.get()?.as_ref()?;
            let read = is_inside.then(|| file.fill(offset + from as u64, bytes))?;
            self.checked(read.ok())
        }
    }

    /// What was read; notes a failure.
    fn checked<T>(&self, read: Option<T>) -> Option<T> {
        self.failed.fetch_or(read.is_none(), Ordering::Relaxed);
        read
    }

    fn events(&self, offset: u64, length: usize) -> Arc<FrameData> {
        let recent = lock(&self.read_last);
        if let Some((_, data)) = recent.iter().find(|(known, _)| *known == offset) {
            return Arc::clone(data);
        }
        drop(recent);
        let data = decode_events(length, &self.known_shapes(), self.bytes(offset, length));
        let Some(data) = self.checked(data).map(Arc::new) else {
            return Arc::default();
        };
        let mut recent = lock(&self.read_last);
        if recent.iter().all(|(known, _)| *known != offset) {
            recent.push_back((offset, Arc::clone(&data)));
            let mut size: usize = recent.iter().map(|(_, data)| data.size()).sum();
            while (size > READ_LAST || recent.len() > READ_LAST_FRAMES) && recent.len() > 2 {
                let oldest = recent.pop_front();
                size -= oldest.map_or(0, |(_, data)| data.size());
            }
        }
        data
    }
}

impl fmt::Debug for FrameStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FrameStore({} frames, {:?})", self.len(), self.totals)
    }
}

impl PartialEq for FrameStore {
    fn eq(&self, other: &Self) -> bool {
        self.totals == other.totals && self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl FromIterator<FrameData> for FrameStore {
    fn from_iter<T: IntoIterator<Item = FrameData>>(frames: T) -> Self {
        let mut store = Self::default();
        frames.into_iter().for_each(|data| store.push(data));
        store
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        Body, LoggedContact, LoggedContacts, LoggedHit, LoggedMove, LoggedPush, LoggedQuery,
        MoveHit, MoveSweep, NoteKind, NoteLevel, NoteMark, NoteValue, QueryKind, SweptShape,
    };
    use super::*;
    use crate::core::shape::Pose;
    use glam::{DQuat, DVec3};

    /// A frame with every optional part present and absent.
    fn frame(number: u32) -> FrameData {
        let position = DVec3::new(f64::from(number), 0.1, -f64::NAN);
        let plain = Body::new(number, Pose::at(DVec3::X / 3.0));
        let full = Body {
            velocity: Some(DVec3::new(1.0, f64::INFINITY, 3.0)),
            spin: Some(DVec3::splat(1e-300)),
            teleported: true,
            asleep: number.is_multiple_of(2),
            island: Some(number * 3),
            ..Body::new(number + 1, Pose::at(DVec3::Y))
        };
        let query = LoggedQuery {
            kind: QueryKind::Ray,
            object: None,
            from: DVec3::ZERO,
            to: DVec3::X,
            radius: 0.0,
            shape: None,
            mask: Some(u32::MAX),
            tag: None,
            hit: None,
        };
        let hit = |normal| {
            Some(LoggedHit {
                object: 3,
                fraction: 0.25,
                normal,
            })
        };
        let swept = LoggedQuery {
            kind: QueryKind::Sweep,
            object: Some(number),
            shape: Some(Arc::new(SweptShape {
                shape: Shape::Box {
                    half_extents: DVec3::splat(f64::from(number % 3)),
                },
                rotation: DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8),
            })),
            mask: None,
            tag: Some("ground".into()),
            hit: hit(Some(DVec3::Y)),
            ..query.clone()
        };
        let contact = LoggedContact {
            a: 1,
            b: number,
            point: position.with_z(0.0),
            normal: DVec3::Y,
            depth: -0.0,
        };
        let mut contacts = LoggedContacts::default();
        contacts.push(contact);
        contacts.push_with(contact, (!number.is_multiple_of(2)).then_some(2.5));
        let mark = NoteMark {
            points: vec![DVec3::X, DVec3::Y],
            radius: 0.5,
            color: Some([1, 2, 255]),
        };
        let bare = LoggedMove {
            from: DVec3::X,
            wish: DVec3::Y,
            to: DVec3::Z,
            grounded: None,
            up: None,
            max_slope: None,
            max_step: None,
            snap: None,
            skin: None,
            sweeps: Vec::new(),
        };
        let slide = |hit| MoveSweep {
            kind: "slide".into(),
            from: DVec3::X,
            to: DVec3::Z,
            wish: Some(DVec3::Y),
            hit,
        };
        let whole = LoggedMove {
            grounded: Some(false),
            up: Some(DVec3::Y),
            max_slope: Some(45.0),
            max_step: Some(0.3),
            snap: Some(0.2),
            skin: Some(0.01),
            sweeps: vec![
                slide(None),
                slide(Some(MoveHit {
                    object: 3,
                    normal: Some(DVec3::NEG_X),
                    point: None,
                })),
            ],
            ..bare.clone()
        };
        let made = if number.is_multiple_of(2) {
            bare
        } else {
            whole
        };
        let kinds = [
            NoteKind::Line(NoteLevel::Error),
            NoteKind::Value(NoteValue::Number(0.1)),
            NoteKind::Value(NoteValue::Flag(true)),
            NoteKind::Value(NoteValue::Text("idle".into())),
            NoteKind::Mark(mark),
            NoteKind::Move(Box::new(made)),
        ];
        let note = |kind| LoggedNote {
            object: number.is_multiple_of(2).then_some(number),
            text: format!("note {number}"),
            kind,
        };
        FrameData {
            bodies: vec![plain, full],
            contacts,
            notes: kinds.map(note).to_vec(),
            pushes: vec![LoggedPush {
                object: number,
                push: DVec3::Z,
            }],
            queries: vec![
                LoggedQuery {
                    hit: hit(None),
                    ..query.clone()
                },
                query,
                swept,
            ],
        }
    }

    #[test]
    fn frames_from_the_file_are_those_that_were_appended() {
        let frames: Vec<_> = (0..20).map(frame).collect();
        let limit = frames[..3].iter().map(FrameData::size).sum();
        let mut store = FrameStore::with_limit(limit);
        frames.iter().cloned().for_each(|data| store.push(data));
        let in_file = |place: &&Place| matches!(place, Place::File(..));
        assert_eq!(store.frames.iter().filter(in_file).count(), 17);
        for (index, frame) in frames.iter().enumerate() {
            for body in &frame.bodies {
                assert_eq!(store.body(index, body.object), Some(*body), "{index}");
            }
            assert_eq!(store.body(index, index as u32 + 2), None, "{index}");
            assert_eq!(store.body(index, (index as u32).wrapping_sub(1)), None);
        }
        for index in [19, 0, 7, 7, 3, 18] {
            assert_eq!(*store.at(index), frames[index], "{index}");
            assert_eq!(store.notes(index), frames[index].notes, "{index}");
        }
        assert!(
            store.events(18).notes.is_empty(),
            "diagnosis does not pay for them"
        );
        assert_eq!(*store.at(20), FrameData::default());
        assert_eq!(store.spilled.known_shapes().len(), 3, "each shape once");
        assert!(!store.has_failed());
        let same: FrameStore = frames.into_iter().collect();
        assert_eq!(store, same);
        assert_eq!(store.totals(), same.totals());
        assert_eq!(store.totals().queries, 60);
    }

    /// A file that is shorter than what was written into it, as after an error of the disk.
    #[test]
    fn frames_that_cannot_be_read_back_are_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames");
        let shapes = &mut Vec::new();
        let bytes = encode(&frame(3), shapes);
        std::fs::write(&path, &bytes).unwrap();
        let open = || {
            let file = DataFile::open(&path).unwrap();
            let totals = Totals::default();
            let shapes = shapes.clone();
            FrameStore::of_file(file, &[bytes.len()], totals, shapes, &[]).unwrap()
        };
        let store = open();
        assert_eq!(*store.at(0), frame(3));
        assert!(!store.has_failed());
        for read in [
            (|store| drop(store.at(0))) as fn(&FrameStore),
            |store| {
                let _ = store.body(0, 3);
            },
            |store| store.visit_bodies(0, |_| ()),
        ] {
            std::fs::write(&path, &bytes).unwrap();
            let store = open();
            std::fs::write(&path, &bytes[..8]).unwrap();
            read(&store);
            assert!(store.has_failed());
        }
    }

    #[test]
    fn a_copy_and_its_original_may_both_grow() {
        let mut one = FrameStore::with_limit(0);
        one.push(frame(0));
        let mut other = one.clone();
        one.push(frame(1));
        other.push(frame(2));
        assert_eq!(*one.at(1), frame(1));
        assert_eq!(*other.at(1), frame(2));
    }
}
