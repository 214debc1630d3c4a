//! Changes that no file holds, kept beside the settings, so that a crash does not take them along.

use crate::app::source::Source;
use crate::core::edit::Template;
use crate::core::problem::Problem;
use crate::save::save_atomic;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A scene as it stood before the program ended without being asked to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Absolute path of the scene's file; `None` for a scene without one. Earlier versions wrote relative paths, too.
    pub file: Option<PathBuf>,
    /// The bundled level that it was made from.
    pub bundled: Option<String>,
    /// The text with its changes.
    pub text: String,
}

impl Kept {
    /// A scene with unsaved changes.
    pub fn new(source: &Source, text: &str) -> Self {
        let (file, bundled) = match source {
            Source::File(path) => (std::path::absolute(path).ok(), None),
            Source::Bundled(name) => (None, Some(name.clone())),
            Source::New(_) => (None, None),
        };
        Self {
            file,
            bundled,
            text: text.to_owned(),
        }
    }

    /// What the text is to be opened as. A relative path names another file in each working directory, so it names none: the
    /// scene is a new one, and saving asks for a place.
    pub fn source(&self) -> Source {
        match (&self.file, &self.bundled) {
            (Some(path), _) if path.is_absolute() => Source::File(path.clone()),
            (None, Some(name)) => Source::Bundled(name.clone()),
            _ => Source::New(Template::Empty),
        }
    }
}

/// This run's place for what is kept. As long as it lives, no other run takes it for left behind.
pub struct Recovery {
    place: PathBuf,
    /// What another run left, and this one took over: removed once it is kept in the own place.
    taken_over: Option<PathBuf>,
    /// Locked; the system lets go of it however the program ends.
    _lock: File,
}

impl Recovery {
    /// A place of this run's own in a folder; `None` where none can be made: then nothing is kept.
    pub fn begin(folder: &Path) -> Option<Self> {
        fs::create_dir_all(folder).ok()?;
        (0..1000).find_map(|number| {
            let place = folder.join(format!("{number}.json"));
            let lock = locked(&place)?;
            if place.exists() {
                // Left behind by another run: that is for a person to decide.
                return None;
            }
            Some(Self {
                place,
                taken_over: None,
                _lock: lock,
            })
        })
    }

    /// Keeps a scene in place of the one before.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn keep(place: &Path, kept: &Kept) -> Result<(), Problem> {
        let name = place.display().to_string();
        let bytes = serde_json::to_vec(kept).map_err(|error| {
            Problem::new(name, format!("the changes could not be kept: {error}"), "")
        })?;
        save_atomic(place, &bytes)
    }

    /// Where this run keeps what it keeps.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Takes over what another run left there: its text is open in this one.
    pub fn take_over(&mut self, place: PathBuf) {
        self.forget_taken_over();
        self.taken_over = Some(place);
    }

    /// What was taken over is kept in the own place now.
    pub fn forget_taken_over(&mut self) {
        if let Some(place) = self.taken_over.take() {
            forget(&place);
        }
    }

    /// There is nothing to keep any more.
    pub fn forget(&mut self) {
        self.forget_taken_over();
        forget(&self.place);
    }
}

impl Drop for Recovery {
    fn drop(&mut self) {
        // Whoever closes the window was asked before.
        if !std::thread::panicking() {
            self.forget();
            let _ = fs::remove_file(lock_of(&self.place));
        }
    }
}

fn lock_of(place: &Path) -> PathBuf {
    place.with_extension("lock")
}

fn locked(place: &Path) -> Option<File> {
    let file = File::create(lock_of(place)).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// What is kept there is not wanted.
pub fn forget(place: &Path) {
    let _ = fs::remove_file(place);
}

/// The first scene that a run left behind which is no more, and where it lies.
pub fn left_behind(folder: &Path) -> Option<(PathBuf, Kept)> {
    let mut places: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    places.sort();
    places.into_iter().find_map(|place| {
        let _lock = locked(&place)?;
        let kept = serde_json::from_slice(&fs::read(&place).ok()?).ok()?;
        Some((place, kept))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> Kept {
        Kept {
            file: None,
            bundled: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn what_a_run_left_is_found_and_what_a_living_one_keeps_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let living = Recovery::begin(folder.path()).unwrap();
        Recovery::keep(living.place(), &kept("living")).unwrap();
        assert_eq!(left_behind(folder.path()), None);
        let other = Recovery::begin(folder.path()).unwrap();
        assert_ne!(other.place(), living.place());
        // A run that ended without being asked: its lock is gone, what it kept is not.
        let left = folder.path().join("7.json");
        Recovery::keep(&left, &kept("left")).unwrap();
        let found = left_behind(folder.path()).unwrap();
        assert_eq!(found, (left.clone(), kept("left")));
        forget(&left);
        drop((living, other));
        assert_eq!(left_behind(folder.path()), None);
        assert!(Recovery::begin(&folder.path().join("7.lock")).is_none());
    }
}
