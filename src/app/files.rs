//! Files around the window: the settings it keeps, recent files among them, and the open dialog.

use super::dock::Dock;
use super::jobs::Wake;
use crate::core::problem::Problem;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};

/// How many files the start page remembers.
const RECENT: usize = 10;

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
    /// Where the panels stand; `None` as they stand at first.
    pub layout: Option<Dock>,
    #[serde(skip)]
    store: Option<PathBuf>,
}

impl Settings {
    /// Of the person at this machine. What cannot be read is as if it had never been there.
    pub fn of_user() -> Self {
        let folders = directories::ProjectDirs::from("", "", "hitstop");
        match folders {
            Some(folders) => Self::at(folders.config_dir().join("settings.json")),
            None => Self::default(),
        }
    }

    /// Kept in a file of one's own choice.
    pub fn at(store: PathBuf) -> Self {
        let mut settings: Self = std::fs::read(&store)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        settings.recent.truncate(RECENT);
        settings.store = Some(store);
        settings
    }

    /// A file was opened: it is now the latest.
    pub fn remember(&mut self, file: &Path) {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        self.recent.retain(|other| *other != file);
        self.recent.insert(0, file);
        self.recent.truncate(RECENT);
    }

    /// Writes the settings to their place, whole or not at all.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn save(&self) -> Result<(), Problem> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        self.write(store).map_err(|error| {
            let file = store.display().to_string();
            Problem::new(
                file,
                format!("the settings were not saved: {error}"),
                "make the folder writable",
            )
        })
    }

    fn write(&self, store: &Path) -> std::io::Result<()> {
        let folder = store.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(store)?;
        Ok(())
    }
}

/// Shows the system's open dialog on a thread of its own; answers `None` when nothing was chosen.
///
/// On Linux `None` may also mean that there is no dialog service: the start page has a field for the path.
pub fn open_dialog(wake: Wake) -> Receiver<Option<PathBuf>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let chosen = rfd::FileDialog::new()
            .set_title("Open a scene or a log")
            .add_filter("Scenes and logs", &["ron", "jsonl", "ndjson", "csv"])
            .add_filter("All files", &["*"])
            .pick_file();
        // Nobody listens when the window was closed meanwhile.
        let _ = sender.send(chosen);
        wake();
    });
    receiver
}

/// Shows the system's save dialog for a scene on a thread of its own; answers `None` when nothing was chosen.
pub fn scene_dialog(folder: Option<PathBuf>, wake: Wake) -> Receiver<Option<PathBuf>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut dialog = rfd::FileDialog::new()
            .set_title("Save this frame as a scene")
            .set_file_name("frame.ron")
            .add_filter("Scenes", &["ron"]);
        if let Some(folder) = folder {
            dialog = dialog.set_directory(folder);
        }
        let chosen = dialog.save_file().map(|mut path| {
            if path.extension().is_none() {
                path.set_extension("ron");
            }
            path
        });
        // Nobody listens when the window was closed meanwhile.
        let _ = sender.send(chosen);
        wake();
    });
    receiver
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
    fn a_broken_file_is_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("settings.json");
        std::fs::write(&store, "{ not json").unwrap();
        assert!(Settings::at(store).recent.is_empty());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("file");
        std::fs::write(&blocked, "").unwrap();
        let settings = Settings::at(blocked.join("settings.json"));
        assert!(settings.save().unwrap_err().what.contains("not saved"));
    }
}
