//! Where a scene's other files come from: a folder that no path can leave.

use super::types::Units;
use crate::core::problem::{Problem, did_you_mean};
use crate::core::shape::{Facing, Mesh};
use crate::core::tolerance::MAX_FILE_BYTES;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file of a folder, opened as a stream.
pub struct Opened<'f> {
    /// Its bytes.
    pub input: Box<dyn BufRead + 'f>,
    /// How many there are, for progress; it may grow meanwhile.
    pub length: u64,
}

impl Opened<'_> {
    /// Its bytes; `None` for more than `limit`.
    fn read_to_limit(self, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::with_capacity(self.length.min(limit) as usize);
        self.input.take(limit + 1).read_to_end(&mut bytes)?;
        Ok((bytes.len() as u64 <= limit).then_some(bytes))
    }
}

/// A regular file as a stream; `None` for a folder, a pipe or a device.
fn open_regular(path: &Path) -> io::Result<Option<Opened<'static>>> {
    // Checked before opening: opening a pipe waits for its other end.
    let metadata = path.metadata()?;
    if !metadata.is_file() {
        return Ok(None);
    }
    let file = std::fs::File::open(path)?;
    Ok(Some(Opened {
        input: Box::new(BufReader::with_capacity(1 << 16, file)),
        length: metadata.len(),
    }))
}

/// The text of a regular file of at most `limit` bytes.
///
/// # Errors
/// When the file cannot be read, is a folder, a pipe or a device, is too large, or is not UTF-8 text.
pub fn read_text(path: &Path, limit: u64) -> Result<String, Problem> {
    let problem = |what: String, help: &str| Problem::new(path.display().to_string(), what, help);
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => problem("no such file".to_owned(), "check the path"),
        io::ErrorKind::PermissionDenied => problem(
            "may not be read".to_owned(),
            "give yourself the right to read it",
        ),
        _ => problem(error.to_string(), ""),
    };
    let file = open_regular(path).map_err(unreadable)?.ok_or_else(|| {
        let what = "this is a folder, a pipe or a device, not a file";
        problem(what.to_owned(), "name a file")
    })?;
    let bytes = file.read_to_limit(limit).map_err(unreadable)?;
    let bytes = bytes.ok_or_else(|| {
        let what = format!("the file is larger than {} MiB", limit >> 20);
        problem(what, "make it smaller")
    })?;
    String::from_utf8(bytes)
        .map_err(|_| problem("this is not UTF-8 text".to_owned(), "save it as UTF-8"))
}

/// Files beside a scene, by path relative to its folder, `/` between names.
pub trait Folder: Send + Sync {
    /// A file as a stream.
    ///
    /// # Errors
    /// When it is not there, or its path leaves the folder.
    fn open(&self, path: &str) -> Result<Opened<'_>, Problem>;

    /// A path as the person at the program would write it, for problems.
    fn shown(&self, path: &str) -> String {
        path.to_owned()
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// When it is not there, larger than [`MAX_FILE_BYTES`], or its path leaves the folder.
    fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        let read = self.open(path)?.read_to_limit(MAX_FILE_BYTES);
        let read = read.map_err(|error| Problem::new(self.shown(path), error.to_string(), ""))?;
        read.ok_or_else(|| {
            Problem::new(
                self.shown(path),
                format!("larger than {} MiB", MAX_FILE_BYTES >> 20),
                "split it, or leave out what cannot be touched",
            )
        })
    }

    /// A mesh that was read from one of its files before, by a folder that keeps them.
    fn kept_mesh(&self, _path: &str, _facing: Facing, _units: Units) -> Option<Arc<Mesh>> {
        None
    }

    /// A mesh was read from one of its files.
    fn keep_mesh(&self, _path: &str, _facing: Facing, _units: Units, _mesh: &Arc<Mesh>) {}
}

/// A folder on disk. Absolute paths, `..` and links that lead out are refused.
#[derive(Clone, Debug)]
pub struct DiskFolder {
    /// The folder that holds the scene.
    pub root: PathBuf,
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
    let refuse = |what: &str, mend: &str| Err(Problem::new(path, what, mend));
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
        let explain = |error: &io::Error| self.explain(path, error);
        let root = match self.root.as_os_str().is_empty() {
            true => Path::new("."),
            false => &self.root,
        };
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
        let file = open_regular(&full).map_err(|error| explain(&error))?;
        file.ok_or_else(|| {
            Problem::new(self.shown(path), "not a file", "name a file, not a folder")
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
    /// The folder as messages name it.
    fn place(&self) -> String {
        if self.root.as_os_str().is_empty() || self.root == Path::new(".") {
            return "the current folder".to_owned();
        }
        self.root.display().to_string()
    }

    fn explain(&self, path: &str, error: &io::Error) -> Problem {
        match error.kind() {
            io::ErrorKind::NotFound => Problem::new(
                self.shown(path),
                "no such file",
                format!("it is looked for in {}", self.place()),
            ),
            io::ErrorKind::PermissionDenied => Problem::new(
                self.shown(path),
                "may not be read",
                "give yourself the right to read it",
            ),
            _ => Problem::new(self.shown(path), error.to_string(), ""),
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
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_names_the_folder_that_was_searched() {
        for (root, wanted) in [
            ("", "the current folder"),
            (".", "the current folder"),
            ("no/such", "no/such"),
        ] {
            let folder = DiskFolder { root: root.into() };
            let problem = folder.open("buffer.bin").err().unwrap();
            assert_eq!(problem.mend, format!("it is looked for in {wanted}"));
        }
    }

    #[test]
    fn text_is_read_up_to_the_limit_and_no_further() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        std::fs::write(&path, "12345678").unwrap();
        assert_eq!(read_text(&path, 8).unwrap(), "12345678");
        assert!(read_text(&path, 7).unwrap_err().what.contains("larger"));
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read_text(&path, 8).unwrap_err().what.contains("UTF-8"));
        assert!(
            read_text(folder.path(), 8)
                .unwrap_err()
                .what
                .contains("folder")
        );
        assert!(
            read_text(&folder.path().join("b"), 8)
                .unwrap_err()
                .what
                .contains("no such file")
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert!(
            read_text(&path, 1 << 30)
                .unwrap_err()
                .what
                .contains("device")
        );
    }
}
