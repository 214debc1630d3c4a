//! The sources of levels, and loading them.

use crate::bundled;
use crate::core::bounds::sphere_tree;
use crate::core::edit::Template;
use crate::core::file::CacheFolder;
use crate::core::level::{self, KeptLog, Level, LevelParts, ReadOptions};
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::Frame;
use crate::core::scene::{self, Folder};
use crate::core::shape::Shape;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The source of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file on disk.
    File(PathBuf),
    /// A bundled file, by name.
    Bundled(String),
    /// A new scene without a file.
    New(Template),
    /// Recordings that are received at an address of this machine.
    Live(SocketAddr),
}

impl Source {
    /// The name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Bundled(name) => name.clone(),
            Self::New(_) => "new scene".to_owned(),
            Self::Live(address) => format!("received at {address}"),
        }
    }

    /// The key in the settings: the same from every working directory.
    pub fn key(&self) -> String {
        match self {
            Self::File(path) => {
                let whole = std::path::absolute(path);
                whole.unwrap_or_else(|_| path.clone()).display().to_string()
            }
            Self::Bundled(name) => format!("bundled {name}"),
            Self::New(template) => format!("new {template:?}"),
            Self::Live(address) => format!("live {address}"),
        }
    }

    /// The folder that the scene's mesh and recording paths are relative to.
    pub fn folder(&self) -> Box<dyn Folder> {
        match self {
            Self::File(path) => {
                let root = match path.parent() {
                    Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
                    _ => PathBuf::from("."),
                };
                Box::new(scene::DiskFolder { root })
            }
            Self::Bundled(_) => Box::new(bundled::folder()),
            Self::New(_) | Self::Live(_) => Box::new(scene::MemoryFolder::default()),
        }
    }
}

/// The modification time of a file and its length in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// `None` where the file system keeps no such time.
    pub modified: Option<SystemTime>,
    /// Bytes.
    pub length: u64,
}

impl FileStamp {
    /// Of a file; `None` for a missing one.
    pub fn of(file: &Path) -> Option<Self> {
        let data = std::fs::metadata(file).ok()?;
        Some(Self {
            modified: data.modified().ok(),
            length: data.len(),
        })
    }
}

/// A loaded level with its first frame.
pub struct Loaded {
    /// The level.
    pub level: Level,
    /// Frame 0.
    pub first: Arc<Frame>,
    /// The text of a scene; `None` for a recording.
    pub text: Option<String>,
    /// Set for a log that was read and may be kept.
    pub keep: Option<KeptLog>,
    /// The stamp of a log's file when it was read.
    pub stamp: Option<FileStamp>,
}

impl Loaded {
    /// Of a level; `text` is that of a scene.
    pub fn new(level: Level, text: Option<String>) -> Self {
        let first = level.replay.frame(0);
        // A mesh caches its sphere tree, and whether it is closed: found here, in the background.
        for object in level.replay.objects() {
            if let Shape::Mesh(mesh) = &object.shape {
                sphere_tree(mesh);
                mesh.winding();
            }
        }
        Self {
            level,
            first,
            text,
            keep: None,
            stamp: None,
        }
    }
}

/// Reads a level with what the user says about its file; hands on parts of a log meanwhile. One that is kept in the cache is not read
/// again.
///
/// # Errors
/// The problems of the file, with their places.
pub fn load(
    source: &Source,
    options: &ReadOptions,
    progress: &dyn Progress,
    parts: Option<LevelParts<'_>>,
    cache: Option<&CacheFolder>,
) -> Result<Loaded, Problems> {
    let level = match (source, text_of(source)) {
        (_, Some(text)) => return load_text(source, text, progress),
        (Source::File(path), None) => {
            // Before it is read: what is added meanwhile is a change.
            let stamp = FileStamp::of(path);
            let keep = cache.and_then(|_| KeptLog::of(path, options));
            if let Some(level) = keep
                .as_ref()
                .zip(cache)
                .and_then(|(log, cache)| log.reopen(cache))
            {
                return Ok(Loaded {
                    stamp,
                    ..Loaded::new(level, None)
                });
            }
            let level = level::open_in_parts(path, options, progress, parts)?;
            return Ok(Loaded {
                keep,
                stamp,
                ..Loaded::new(level, None)
            });
        }
        (Source::Bundled(name), None) => level::open_in(&bundled::folder(), name, progress)?,
        (Source::New(template), None) => {
            return load_text(source, template.text().to_owned(), progress);
        }
        (Source::Live(_), None) => {
            let what = "a received recording has no file";
            let help = "convert it to a file, and open that";
            return Err(Problem::new(source.name(), what, help).into());
        }
    };
    Ok(Loaded::new(level, None))
}

/// Loads a scene from its text, as if the text were read from `source`.
///
/// # Errors
/// The problems of the text.
pub fn load_text(
    source: &Source,
    text: String,
    progress: &dyn Progress,
) -> Result<Loaded, Problems> {
    let level = level::open_text(&text, &source.name(), &*source.folder(), progress)?;
    Ok(Loaded::new(level, Some(text)))
}

/// The text of a scene; `None` for a recording, and for a file that cannot be read (opening it reports why).
fn text_of(source: &Source) -> Option<String> {
    match source {
        Source::File(path) => {
            let is_scene = path
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("ron"));
            let read = || scene::open_scene_text(path).ok();
            is_scene.then(read).flatten()
        }
        Source::Bundled(name) if name.ends_with(".ron") => {
            let bytes = bundled::folder().files.remove(name)?;
            String::from_utf8(bytes).ok()
        }
        Source::Bundled(_) | Source::Live(_) => None,
        Source::New(template) => Some(template.text().to_owned()),
    }
}
