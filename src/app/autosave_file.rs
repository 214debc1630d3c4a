//! Files of unsaved changes, beside the settings, so that a crash does not lose them.

use crate::app::source::Source;
use crate::core::edit::Template;
use crate::core::file::from_json;
use crate::core::problem::Problem;
use crate::save::save_atomic;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A scene with its unsaved changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Autosave {
    /// Absolute path of the scene's file; `None` for a scene without one. Earlier versions wrote relative paths, too.
    pub file: Option<PathBuf>,
    /// The bundled level that the scene was made from.
    pub bundled: Option<String>,
    /// The text with its changes.
    pub text: String,
}

impl Autosave {
    /// The autosave of a scene.
    pub fn new(source: &Source, text: &str) -> Self {
        let (file, bundled) = match source {
            Source::File(path) => (std::path::absolute(path).ok(), None),
            Source::Bundled(name) => (None, Some(name.clone())),
            Source::New(_) | Source::Live(_) => (None, None),
        };
        Self {
            file,
            bundled,
            text: text.to_owned(),
        }
    }

    /// The source that the text is opened as. A relative path is another file in each working directory, so it is left out: the
    /// scene is a new one, and saving asks for a path.
    pub fn source(&self) -> Source {
        match (&self.file, &self.bundled) {
            (Some(path), _) if path.is_absolute() => Source::File(path.clone()),
            (None, Some(name)) => Source::Bundled(name.clone()),
            _ => Source::New(Template::Empty),
        }
    }

    /// Writes the autosave in place of an earlier one.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn write(&self, path: &Path) -> Result<(), Problem> {
        let name = path.display().to_string();
        let bytes = serde_json::to_vec(self).map_err(|error| {
            Problem::new(name, format!("the changes could not be saved: {error}"), "")
        })?;
        save_atomic(path, &bytes)
    }
}

/// The autosave file of this run. It is locked, so that no other run recovers it, and removed when it is dropped.
pub struct AutosaveFile {
    path: PathBuf,
    /// The recovered autosave of another run: removed once this run has one of its own.
    replaced: Option<PathBuf>,
    /// The lock; the system releases it however the program ends.
    _lock: File,
}

impl AutosaveFile {
    /// A new file in a folder; `None` when none can be made.
    pub fn create(folder: &Path) -> Option<Self> {
        fs::create_dir_all(folder).ok()?;
        (0..1000).find_map(|number| {
            let path = folder.join(format!("{number}.json"));
            let lock = locked(&path)?;
            if path.exists() {
                // The autosave of a run that crashed: the user decides about it.
                return None;
            }
            Some(Self {
                path,
                replaced: None,
                _lock: lock,
            })
        })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes another run's autosave once this run has saved its text.
    pub fn replace(&mut self, other: PathBuf) {
        self.remove_replaced();
        self.replaced = Some(other);
    }

    /// Removes the autosave of another run that this one replaces.
    pub fn remove_replaced(&mut self) {
        if let Some(path) = self.replaced.take() {
            remove(&path);
        }
    }

    /// Removes the file, and the one that it replaces.
    pub fn remove(&mut self) {
        self.remove_replaced();
        remove(&self.path);
    }
}

impl Drop for AutosaveFile {
    fn drop(&mut self) {
        // Unsaved changes were confirmed when the window closed.
        if !std::thread::panicking() {
            self.remove();
            remove(&lock_path(&self.path));
        }
    }
}

fn lock_path(path: &Path) -> PathBuf {
    path.with_extension("lock")
}

fn locked(path: &Path) -> Option<File> {
    let file = File::create(lock_path(path)).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Removes a file if it is there.
pub fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}

/// The first autosave of a run that has crashed, with its path.
pub fn find_unsaved(folder: &Path) -> Option<(PathBuf, Autosave)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    paths.sort();
    paths.into_iter().find_map(|path| {
        let _lock = locked(&path)?;
        let autosave = from_json(&fs::read(&path).ok()?).ok()?;
        Some((path, autosave))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn autosave(text: &str) -> Autosave {
        Autosave {
            file: None,
            bundled: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn autosaves_of_crashed_runs_are_found_and_those_of_running_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let running = AutosaveFile::create(folder.path()).unwrap();
        autosave("running").write(running.path()).unwrap();
        assert_eq!(find_unsaved(folder.path()), None);
        let other = AutosaveFile::create(folder.path()).unwrap();
        assert_ne!(other.path(), running.path());
        // The lock of a run that crashed is gone, its autosave is not.
        let left = folder.path().join("7.json");
        autosave("left").write(&left).unwrap();
        let found = find_unsaved(folder.path()).unwrap();
        assert_eq!(found, (left.clone(), autosave("left")));
        remove(&left);
        drop((running, other));
        assert_eq!(find_unsaved(folder.path()), None);
        assert!(AutosaveFile::create(&folder.path().join("7.lock")).is_none());
    }
}
