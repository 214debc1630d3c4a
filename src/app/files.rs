//! Files around the window: the settings it keeps, recent files among them, and the open dialog.

use super::authoring::Tools;
use super::dock::Dock;
use crate::core::problem::Problem;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::Bookmark;
use crate::save::save_atomic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A pinned object as settings keep it: its name, and its ordinal where a log gives a name twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// As the level names it.
    pub name: String,
    /// Its creation ordinal.
    pub id: ObjectId,
}

impl Named {
    /// The object in a level, which may have been changed since: the ordinal, if its name is still this one, else the name.
    pub(super) fn find(&self, replay: &Replay) -> Option<ObjectId> {
        let objects = replay.objects();
        let same = objects
            .get(self.id as usize)
            .is_some_and(|object| object.name == self.name);
        same.then_some(self.id)
            .or_else(|| replay.object_named(&self.name))
    }
}

/// How many files the start page remembers.
const RECENT: usize = 10;
/// Of how many files that are no longer recent the pins are remembered.
const KEPT: usize = 50;

/// What is remembered from one run to the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Latest first.
    pub recent: Vec<PathBuf>,
    /// `dark`, `light`, or as the system says.
    pub theme: Option<String>,
    /// Size of everything in the window; 1 is the screen's own.
    pub zoom: Option<f32>,
    /// What is pinned in a file, by its name.
    pub pins: BTreeMap<String, Vec<Vec<Named>>>,
    /// Bookmarks of files that have no place for them, by name.
    pub bookmarks: BTreeMap<String, Vec<Bookmark>>,
    /// The hints for somebody new were shown.
    pub hints_seen: bool,
    /// Where the panels stand; `None` as they stand at first.
    pub layout: Option<Dock>,
    /// What drags in the picture snap to.
    pub tools: Tools,
    #[serde(skip)]
    store: Option<PathBuf>,
    /// How long changes stand before they are autosaved; `None` for a few seconds. Tests wait less.
    #[serde(skip)]
    pub autosave_after: Option<Duration>,
    /// Where a settings file that could not be read was put, so that nothing in it is lost.
    #[serde(skip)]
    pub set_aside: Option<PathBuf>,
}

impl Settings {
    /// Of the person at this machine.
    pub fn of_user() -> Self {
        let folders = directories::ProjectDirs::from("", "", "hitstop");
        match folders {
            Some(folders) => Self::at(folders.config_dir().join("settings.json")),
            None => Self::default(),
        }
    }

    /// Kept in a file of one's own choice. One that cannot be read is put aside, and all is as at first.
    pub fn at(store: PathBuf) -> Self {
        let text = std::fs::read(&store).ok();
        let read = text.map(|text| serde_json::from_slice::<Self>(&text));
        let is_broken = matches!(read, Some(Err(_)));
        let mut settings = read.and_then(Result::ok).unwrap_or_default();
        if is_broken {
            // Bookmarks of recordings are in it, too: a person's own words.
            let aside = store.with_extension("broken.json");
            settings.set_aside = std::fs::rename(&store, &aside).ok().map(|()| aside);
        }
        settings.recent.truncate(RECENT);
        settings.store = Some(store);
        settings
    }

    /// Where changes that no file holds are kept; `None` for settings that are kept nowhere.
    pub fn recovery_folder(&self) -> Option<PathBuf> {
        Some(self.store.as_ref()?.parent()?.join("recovery"))
    }

    /// A file was opened: it is now the latest.
    pub fn remember(&mut self, file: &Path) {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        self.recent.retain(|other| *other != file);
        self.recent.insert(0, file);
        self.recent.truncate(RECENT);
    }

    /// Changes what is kept of one file; the pins of files opened long ago are forgotten.
    pub(super) fn keep_of_file(&mut self, change: impl FnOnce(&mut Self)) {
        change(self);
        let recent: Vec<String> = self
            .recent
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let old = self.pins.keys().filter(|name| !recent.contains(name));
        let mut old: Vec<String> = old.cloned().collect();
        old.truncate(old.len().saturating_sub(KEPT));
        // Pins only: notes are a person's own words, and never dropped.
        for name in old {
            self.pins.remove(&name);
        }
    }

    /// Writes the settings to their place, whole or not at all.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn save(&self) -> Result<(), Problem> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        // Where there is no folder, writing to it says so.
        let _ = std::fs::create_dir_all(store.parent().unwrap_or(Path::new(".")));
        let bytes = serde_json::to_vec_pretty(self).map_err(|error| {
            let what = format!("the settings could not be saved: {error}");
            Problem::new(store.display().to_string(), what, "")
        })?;
        let saved = save_atomic(store, &[&bytes, &b"\n"[..]].concat());
        saved.map_err(|problem| Problem {
            help: "make the folder writable".to_owned(),
            ..problem
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_files_survive_and_the_latest_is_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("deep/settings.json");
        let mut settings = Settings::at(store.clone());
        for index in 0..12 {
            settings.remember(Path::new(&format!("/levels/{index}.ron")));
        }
        settings.remember(Path::new("/levels/5.ron"));
        settings.theme = Some("light".into());
        settings.save().unwrap();

        let read = Settings::at(store);
        assert_eq!(read, settings);
        assert_eq!(read.recent.len(), 10);
        assert_eq!(read.recent[0], Path::new("/levels/5.ron"));
        assert_eq!(read.recent[1], Path::new("/levels/11.ron"));
    }

    #[test]
    fn a_broken_file_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("settings.json");
        std::fs::write(&store, "{ not json").unwrap();
        let settings = Settings::at(store.clone());
        assert!(settings.recent.is_empty());
        let aside = settings.set_aside.clone().unwrap();
        settings.save().unwrap();
        assert_eq!(std::fs::read_to_string(aside).unwrap(), "{ not json");
        assert_eq!(Settings::at(store).set_aside, None);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("file");
        std::fs::write(&blocked, "").unwrap();
        let settings = Settings::at(blocked.join("settings.json"));
        assert!(
            settings
                .save()
                .unwrap_err()
                .what
                .contains("could not be saved")
        );
    }
}
