//! Access to the files beside a scene: a folder that no path can leave.

use crate::core::file::{Opened, open_file, read_to_limit, store, unreadable};
use crate::core::problem::{Problem, did_you_mean};
use crate::core::schema::Units;
use crate::core::shape::{Facing, Mesh};
use crate::core::tolerance::MAX_FILE_BYTES;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Files beside a scene, by path relative to its folder, `/` between names.
pub trait Folder: Send + Sync {
    /// A file as a stream.
    ///
    /// # Errors
    /// When it is not there, or its path leaves the folder.
    fn open(&self, path: &str) -> Result<Opened<'_>, Problem>;

    /// A path as the user would write it, for problems.
    fn shown(&self, path: &str) -> String {
        path.to_owned()
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// When it is not there, larger than 256 MiB, or its path leaves the folder.
    fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        let read = read_to_limit(self.open(path)?.input, MAX_FILE_BYTES);
        let bytes = read.map_err(|error| unreadable(&self.shown(path), &error))?;
        bytes.ok_or_else(|| {
            let what = format!("larger than {} MiB", MAX_FILE_BYTES >> 20);
            let help = "split it, or leave out what has no collision";
            Problem::new(self.shown(path), what, help)
        })
    }

    /// A cached mesh of one of its files, for a folder with a cache.
    fn cached_mesh(&self, _path: &str, _facing: Facing, _units: Units) -> Option<Arc<Mesh>> {
        None
    }

    /// Called after a mesh was read from one of its files.
    fn cache_mesh(&self, _path: &str, _facing: Facing, _units: Units, _mesh: &Arc<Mesh>) {}
}

/// A folder on disk. Absolute paths, `..` and links out of it are refused.
#[derive(Clone, Debug)]
pub struct DiskFolder {
    /// The scene's folder.
    pub root: PathBuf,
}

impl DiskFolder {
    /// The folder of a file.
    pub fn of(file: &Path) -> Self {
        let root = file.parent().unwrap_or(Path::new("")).to_path_buf();
        Self { root }
    }
}

/// A folder on disk that lists which of its files were asked for.
#[derive(Debug)]
pub struct ObservedFolder {
    folder: DiskFolder,
    opened: Mutex<BTreeSet<String>>,
}

impl ObservedFolder {
    /// Nothing was asked for yet.
    pub fn new(folder: DiskFolder) -> Self {
        Self {
            folder,
            opened: Mutex::default(),
        }
    }

    /// The paths that were asked for, also those that could not be opened.
    pub fn into_opened(self) -> BTreeSet<String> {
        let opened = self.opened.into_inner();
        opened.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Folder for ObservedFolder {
    fn open(&self, path: &str) -> Result<Opened<'_>, Problem> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.insert(path.to_owned());
        drop(opened);
        self.folder.open(path)
    }

    fn shown(&self, path: &str) -> String {
        self.folder.shown(path)
    }
}

/// Files held in memory: bundled scenes, tests.
#[derive(Clone, Debug, Default)]
pub struct MemoryFolder {
    /// Bytes by relative path.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// A relative path without `.` and empty names, or why it is refused.
///
/// # Errors
/// Absolute paths, drive letters, `..`, backslashes (which mean different things on different systems) and the empty path.
pub fn relative_path(path: &str) -> Result<String, Problem> {
    let refuse = |what: &str, help: &str| Err(Problem::new(path, what, help));
    let drive = path.as_bytes().get(1) == Some(&b':');
    if path.starts_with('/') || path.starts_with('\\') || drive {
        return refuse(
            "an absolute path is refused, as it would not work elsewhere",
            "copy the file into the scene's folder and name it from there",
        );
    }
    if path.contains('\\') {
        return refuse(
            "backslashes are refused in paths",
            "write `/` between names",
        );
    }
    if path.contains('\0') {
        return refuse("the path holds a zero character", "remove it");
    }
    let names: Vec<_> = path
        .split('/')
        .filter(|name| !name.is_empty() && *name != ".")
        .collect();
    if names.contains(&"..") {
        return refuse(
            "the path leaves the scene's folder",
            "copy the file into the scene's folder",
        );
    }
    if names.is_empty() {
        return refuse(
            "a file must be named",
            "write its path, from the scene's folder",
        );
    }
    Ok(names.join("/"))
}

impl Folder for DiskFolder {
    fn open(&self, path: &str) -> Result<Opened<'_>, Problem> {
        let clean = relative_path(path)?;
        if store::is_stored(&self.root) {
            return open_file(&self.root.join(clean));
        }
        let explain = |error: &io::Error| self.explain(path, error);
        let root = self.root_or_here();
        let root = root.canonicalize().map_err(|error| explain(&error))?;
        let full = root.join(&clean).canonicalize();
        let full = full.map_err(|error| explain(&error))?;
        if !full.starts_with(&root) {
            return Err(Problem::new(
                self.shown(path),
                "a link leads out of the scene's folder",
                "copy the file into the scene's folder",
            ));
        }
        open_file(&full).map_err(|problem| Problem {
            file: self.shown(path),
            ..problem
        })
    }

    fn shown(&self, path: &str) -> String {
        if self.root.as_os_str().is_empty() || self.root == Path::new(".") {
            return path.to_owned();
        }
        self.root.join(path).display().to_string()
    }
}

impl DiskFolder {
    fn root_or_here(&self) -> &Path {
        match self.root.as_os_str().is_empty() {
            true => Path::new("."),
            false => &self.root,
        }
    }

    fn explain(&self, path: &str, error: &io::Error) -> Problem {
        let problem = unreadable(&self.shown(path), error);
        if error.kind() != io::ErrorKind::NotFound {
            return problem;
        }
        let root = self.root_or_here();
        let root = std::path::absolute(root).unwrap_or_else(|_| root.to_path_buf());
        Problem {
            help: format!("put it into {}, or correct its path", root.display()),
            ..problem
        }
    }
}

impl Folder for MemoryFolder {
    fn open(&self, path: &str) -> Result<Opened<'_>, Problem> {
        let clean = relative_path(path)?;
        let found = self.files.get(&clean);
        // Also files that were put in as `./name`.
        let found = found.or_else(|| {
            let same = |name: &str| relative_path(name).is_ok_and(|name| name == clean);
            self.files
                .iter()
                .find_map(|(name, bytes)| same(name).then_some(bytes))
        });
        let bytes = found.ok_or_else(|| {
            Problem::new(
                path,
                "no such file",
                did_you_mean(&clean, self.files.keys().map(String::as_str)),
            )
        })?;
        Ok(Opened {
            input: Box::new(bytes.as_slice()),
            length: bytes.len() as u64,
            file: None,
        })
    }
}
