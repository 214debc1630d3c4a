//! The log file of an app.

use bevy::prelude::{Entity, Resource};
use hitstop::prelude::*;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// The log of a running app.
#[derive(Resource)]
pub struct Log {
    path: PathBuf,
    recorder: Option<Recorder<Compressor<BufWriter<File>>>>,
    /// Numbers of the objects; none for a collider that cannot be recorded.
    numbers: HashMap<Entity, Option<u32>>,
    names: HashSet<String>,
    frames: u32,
}

impl Log {
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            recorder: None,
            numbers: HashMap::new(),
            names: HashSet::new(),
            frames: 0,
        }
    }

    /// Creates the file, at the first step.
    pub fn open(&mut self, header: impl FnOnce() -> Header) {
        if self.recorder.is_some() || self.frames > 0 {
            return;
        }
        let opened = File::create(&self.path).map_err(RecordError::from);
        let opened = opened.and_then(|file| {
            let compression = Compression::of_path(&self.path);
            Recorder::new(
                Compressor::new(BufWriter::new(file), compression)?,
                header(),
            )
        });
        self.recorder = self.checked(opened);
    }

    /// The number of a collider, which is added when it is new.
    pub fn number(&mut self, of: Entity, object: impl FnOnce() -> Option<Object>) -> Option<u32> {
        if let Some(number) = self.numbers.get(&of) {
            return *number;
        }
        let recorder = self.recorder.as_mut()?;
        let added = object().map(|mut object| {
            if !self.names.insert(object.name.clone()) {
                object.name += &format!(" {of}");
            }
            recorder.add_object(object)
        });
        let added = added.transpose();
        let number = self.checked(added).flatten();
        self.numbers.insert(of, number);
        number
    }

    /// The number of a collider that is in the log.
    pub fn known(&self, of: Entity) -> Option<u32> {
        self.numbers.get(&of).copied().flatten()
    }

    /// Writes a frame.
    pub fn frame(&mut self, dt: f64, bodies: &[Body], contacts: &[LoggedContact]) {
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        let written = recorder.snapshot(&Snapshot {
            time: Some(f64::from(self.frames) * dt),
            bodies,
            contacts,
            ..Snapshot::default()
        });
        self.frames += 1;
        self.checked(written);
    }

    fn checked<T>(&self, result: Result<T, RecordError>) -> Option<T> {
        let print = |error| eprintln!("{}: {error}", self.path.display());
        result.map_err(print).ok()
    }
}

impl Drop for Log {
    /// The app ends: so does the log.
    fn drop(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            let finished = recorder.finish();
            let finished = finished.and_then(|output| Ok(output.finish().map(drop)?));
            self.checked(finished);
        }
    }
}

/// The engine uses another version of glam.
pub fn wide(v: [f32; 3]) -> DVec3 {
    DVec3::from_array(v.map(f64::from))
}

pub fn wide_rotation(q: [f32; 4]) -> DQuat {
    DQuat::from_array(q.map(f64::from))
}
