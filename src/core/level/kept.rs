//! Large logs that are read once and then kept in a folder.

use super::{Ending, Level, ReadOptions, scene_of};
use crate::core::file::CacheFolder;
use crate::core::log;
use crate::core::progress::Progress;
use crate::core::replay::Replay;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One state of a log, for a folder in which it is kept once it was read.
#[derive(Clone, Debug)]
pub struct KeptLog {
    path: PathBuf,
    /// Name of the kept file, the same for every state of the log.
    name: String,
    /// Tells this state from others.
    key: String,
}

impl KeptLog {
    /// The present state of a log that is read with these options; `None` for a file that is no log, or cannot be read.
    pub fn of(path: &Path, options: &ReadOptions) -> Option<Self> {
        let Ok(Ending::Log(_)) = Ending::of(path) else {
            return None;
        };
        let mut hash = DefaultHasher::new();
        path.canonicalize().ok()?.hash(&mut hash);
        let mut key = format!("{} {}", CacheFolder::identity(path)?, path.display());
        if *options != ReadOptions::default() {
            key += &format!(" {options:?}");
        }
        Some(Self {
            path: path.to_path_buf(),
            name: format!("{:016x}.frames", hash.finish()),
            // Notices name a file as the user gave it.
            key,
        })
    }

    /// The level, if this state of the log was kept.
    pub fn reopen(&self, cache: &CacheFolder) -> Option<Level> {
        let (recording, notices) = log::reopen(cache.open(&self.name)?, &self.key)?;
        let scene = Arc::new(scene_of(&recording));
        Some(Level {
            file: self.path.clone(),
            replay: Arc::new(Replay::recorded(scene, Arc::new(recording))),
            notices,
        })
    }

    /// Keeps the level that was read from this state of the log. False for one that depends on other files, or takes more than the
    /// folder's limit.
    ///
    /// # Errors
    /// When it cannot be written or this is cancelled; nothing is kept then.
    pub fn keep(
        &self,
        level: &Level,
        cache: &CacheFolder,
        progress: &dyn Progress,
    ) -> io::Result<bool> {
        let Some(recording) = level.replay.recording() else {
            return Ok(false);
        };
        cache.write(&self.name, |output| {
            log::keep(recording, &level.notices, &self.key, output, progress)
        })
    }
}
