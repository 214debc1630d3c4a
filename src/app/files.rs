//! The settings file, with the recent files, pins and bookmarks.

use super::authoring::Tools;
use super::build_command::BuildCommand;
use super::dock::Dock;
use super::view_options::ViewLayout;
use crate::core::file::{CacheFolder, from_json};
use crate::core::level::ReadOptions;
use crate::core::problem::Problem;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::Bookmark;
use crate::save::save_atomic;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// A pinned object in the settings: its name, and its id because a log may give a name twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinnedObject {
    /// The object's name.
    pub name: String,
    /// The object's creation ordinal.
    pub id: ObjectId,
}

impl PinnedObject {
    /// The object in a level that may have changed: the one with the id if its name is the same, else the one with the name.
    pub(super) fn find(&self, replay: &Replay) -> Option<ObjectId> {
        let objects = replay.objects();
        let same = objects
            .get(self.id as usize)
            .is_some_and(|object| object.name == self.name);
        same.then_some(self.id)
            .or_else(|| replay.object_named(&self.name))
    }
}

/// Limit of the recordings that are kept, bytes.
const KEPT: u64 = 8 << 30;
/// Limit of the received recordings that are kept, bytes.
const RECEIVED: u64 = 4 << 30;
/// The number of recent files.
const RECENT: usize = 10;
/// The number of chosen lines of the palette that are kept.
const CHOICES: usize = 8;
/// The number of commands for runs of the user's build that are kept.
const BUILD_COMMANDS: usize = 10;
/// Settings with an entry for each file.
const OF_FILES: [&str; 3] = ["pins", "bookmarks", "read_as"];
/// How many files keep their pins and reading options after they leave the list of recent files.
const OLD_FILES: usize = 50;

/// The settings, saved between runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The recent files, latest first.
    pub recent: Vec<PathBuf>,
    /// The texts of the lines that were chosen in the palette, latest first.
    pub choices: Vec<String>,
    /// `dark`, `light`, or `None` for the system's theme.
    pub theme: Option<String>,
    /// The scale of the interface; 1 is the screen's own.
    pub zoom: Option<f32>,
    /// The pins of each file, by its name.
    pub pins: BTreeMap<String, Vec<Vec<PinnedObject>>>,
    /// The bookmarks of files that cannot store them, by name.
    pub bookmarks: BTreeMap<String, Vec<Bookmark>>,
    /// What the user said about files when they were opened, by name.
    pub read_as: BTreeMap<String, ReadOptions>,
    /// The time of the first start, seconds since 1970; `None` for settings without a file.
    pub first_start: Option<u64>,
    /// The hints for new users were shown.
    pub hints_seen: bool,
    /// The causes whose levels were fixed in the tour, by their ids.
    pub fixed_causes: BTreeSet<String>,
    /// The layout of the panels; `None` for the default.
    pub layout: Option<Dock>,
    /// One viewport or two.
    pub view_layout: ViewLayout,
    /// The settings of the editing tools.
    pub tools: Tools,
    /// The commands with which findings were tuned, latest first. Each is shown before it is run.
    pub build_commands: Vec<BuildCommand>,
    #[serde(skip)]
    store: Option<PathBuf>,
    #[serde(skip)]
    known: Known,
    /// The time between a change and its autosave; `None` for a few seconds. Tests use less.
    #[serde(skip)]
    pub autosave_after: Option<Duration>,
    /// The folder of large recordings that were read; `None` to keep none.
    #[serde(skip)]
    pub cache: Option<CacheFolder>,
    /// The folder of recordings that were received from games; `None` to keep none.
    #[serde(skip)]
    pub received: Option<CacheFolder>,
    /// The path that an unreadable settings file was moved to, so that nothing in it is lost.
    #[serde(skip)]
    pub set_aside: Option<PathBuf>,
}

impl Settings {
    /// The settings of the current user.
    pub fn for_user() -> Self {
        let folders = directories::ProjectDirs::from("", "", "hitstop");
        match folders {
            Some(folders) => Self {
                cache: Some(CacheFolder::new(
                    folders.cache_dir().join("recordings"),
                    KEPT,
                )),
                received: Some(CacheFolder::new(
                    folders.data_dir().join("received"),
                    RECEIVED,
                )),
                ..Self::at(folders.config_dir().join("settings.json"))
            },
            None => Self::default(),
        }
    }

    /// The settings in a file. A file that cannot be read is set aside and the defaults are used.
    pub fn at(store: PathBuf) -> Self {
        let text = std::fs::read(&store).ok();
        let (mut settings, is_whole) = match &text {
            Some(text) => Self::read(text),
            None => (Self::default(), true),
        };
        if !is_whole {
            // It may contain the notes of bookmarks, which the user wrote.
            let aside = store.with_extension("broken.json");
            settings.set_aside = std::fs::copy(&store, &aside).ok().map(|_| aside);
        }
        settings.known = Known::of(&settings);
        settings.recent.truncate(RECENT);
        settings.choices.truncate(CHOICES);
        settings.build_commands.truncate(BUILD_COMMANDS);
        settings.first_start = settings.first_start.or_else(now);
        settings.store = Some(store);
        settings
    }

    /// The settings of a text, each for itself; false if some cannot be read and are the default.
    fn read(text: &[u8]) -> (Self, bool) {
        let Ok(mut values) = from_json::<Map<String, Value>>(text) else {
            return (Self::default(), false);
        };
        values.get_mut("layout").map(Dock::remove_unknown);
        let count = values.len();
        values.retain(|key, value| {
            let alone = Map::from_iter([(key.clone(), value.clone())]);
            Self::deserialize(Value::Object(alone)).is_ok()
        });
        let is_whole = values.len() == count;
        match Self::deserialize(Value::Object(values)) {
            Ok(settings) => (settings, is_whole),
            Err(_) => (Self::default(), false),
        }
    }

    /// The file that they are saved in; `None` for settings without a file.
    pub fn file(&self) -> Option<&Path> {
        self.store.as_deref()
    }

    /// The folder for autosaved changes; `None` for settings without a file.
    pub fn recovery_folder(&self) -> Option<PathBuf> {
        Some(self.store.as_ref()?.parent()?.join("recovery"))
    }

    /// Returns true for less than a day after the first start.
    pub fn is_first_day(&self) -> bool {
        let age = (self.first_start.zip(now())).map(|(first, now)| now.saturating_sub(first));
        age.is_some_and(|age| age < 24 * 60 * 60)
    }

    /// Makes a file the latest of the recent files.
    pub fn remember(&mut self, file: &Path) {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        put_first(&mut self.recent, file, RECENT, PartialEq::eq);
    }

    /// Makes a line of the palette the latest of the chosen ones.
    pub(super) fn remember_choice(&mut self, text: String) {
        put_first(&mut self.choices, text, CHOICES, PartialEq::eq);
    }

    /// Makes a command the latest of those for runs of the user's build; of the same line the last is kept.
    pub(super) fn remember_build_command(&mut self, command: BuildCommand) {
        let list = &mut self.build_commands;
        put_first(list, command, BUILD_COMMANDS, |one, other| {
            one.line == other.line
        });
    }

    /// Keeps what the user said about a file.
    pub(super) fn remember_answer(&mut self, file: String, answer: ReadOptions) {
        remove_old(&mut self.read_as, &self.recent);
        self.read_as.insert(file, answer);
    }

    /// Changes the pins or bookmarks of a file, and removes the pins of files that were opened long ago.
    pub(super) fn change_file_entries(&mut self, change: impl FnOnce(&mut Self)) {
        change(self);
        // Only pins: the user wrote the notes of bookmarks, so they are never removed.
        remove_old(&mut self.pins, &self.recent);
    }

    /// Writes the settings to their file, atomically. What another window has written there since stays, but for what has changed here.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn save(&self) -> Result<(), Problem> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        // If this fails, the write below reports it.
        let _ = std::fs::create_dir_all(store.parent().unwrap_or(Path::new(".")));
        let written = std::fs::read(store).ok();
        let written = written.and_then(|text| from_json::<Map<String, Value>>(&text).ok());
        let merged = self.known.merge(self, written.unwrap_or_default());
        let bytes = serde_json::to_vec_pretty(&merged).map_err(|error| {
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

/// The settings as they were when they were last read or written here.
#[derive(Clone, Debug, Default)]
struct Known(Arc<Mutex<Map<String, Value>>>);

/// They are not a setting.
impl PartialEq for Known {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Known {
    fn of(settings: &Settings) -> Self {
        Self(Arc::new(Mutex::new(values_of(settings))))
    }

    /// The settings to write: what has changed here, else what is in the file.
    fn merge(&self, settings: &Settings, written: Map<String, Value>) -> Map<String, Value> {
        let now = values_of(settings);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let merged = merged(&known, &now, written, true);
        *known = now;
        merged
    }
}

fn values_of(settings: &Settings) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(values)) => values,
        _ => Map::new(),
    }
}

/// Values as they are written, with the changes from `known` to `now`. Those of files are merged entry by entry, lists item by item.
fn merged(
    known: &Map<String, Value>,
    now: &Map<String, Value>,
    mut written: Map<String, Value>,
    is_outer: bool,
) -> Map<String, Value> {
    for key in known.keys().filter(|key| !now.contains_key(*key)) {
        written.remove(key);
    }
    for (key, value) in now {
        let before = known.get(key);
        if before == Some(value) && (!is_outer || written.contains_key(key)) {
            continue;
        }
        let value = match (before, value, written.remove(key)) {
            (Some(Value::Object(known)), Value::Object(now), Some(Value::Object(written)))
                if is_outer && OF_FILES.contains(&key.as_str()) =>
            {
                Value::Object(merged(known, now, written, false))
            }
            (Some(Value::Array(known)), Value::Array(now), Some(Value::Array(written)))
                if is_outer =>
            {
                let is_added = |item: &Value| !known.contains(item) && !now.contains(item);
                let added = written.into_iter().filter(is_added);
                Value::Array(now.iter().cloned().chain(added).collect())
            }
            _ => value.clone(),
        };
        written.insert(key.clone(), value);
    }
    written
}

/// Puts the latest item before the others of a list, without the same one from before, of which so many are kept.
fn put_first<T>(list: &mut Vec<T>, item: T, most: usize, is_same: impl Fn(&T, &T) -> bool) {
    list.retain(|other| !is_same(other, &item));
    list.insert(0, item);
    list.truncate(most);
}

/// Removes the entries of files that are not recent, but for some.
fn remove_old<T>(entries: &mut BTreeMap<String, T>, recent: &[PathBuf]) {
    let is_recent = |name: &&String| recent.iter().any(|path| Path::new(name.as_str()) == path);
    let mut old: Vec<String> = entries
        .keys()
        .filter(|name| !is_recent(name))
        .cloned()
        .collect();
    old.truncate(old.len().saturating_sub(OLD_FILES));
    for name in old {
        entries.remove(&name);
    }
}

/// Seconds since 1970; `None` for a clock that is set before.
fn now() -> Option<u64> {
    let age = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    age.ok().map(|age| age.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_files_are_saved_latest_first() {
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
    fn the_first_day_ends_after_24_hours() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::at(folder.path().join("settings.json"));
        assert!(settings.is_first_day());
        settings.first_start = settings.first_start.map(|at| at - 24 * 60 * 60);
        assert!(!settings.is_first_day());
    }

    #[test]
    fn an_unreadable_file_is_set_aside() {
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

    /// The last window to be closed once took the pins, bookmarks and settings of the other with it.
    #[test]
    fn two_windows_keep_the_settings_of_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("settings.json");
        let pin = |name: &str| {
            let name = name.to_owned();
            vec![vec![PinnedObject { name, id: 0 }]]
        };
        let mut first = Settings::at(store.clone());
        first.pins.insert("/old.ron".into(), pin("old"));
        first.save().unwrap();
        let [mut one, mut other] = [0; 2].map(|_| Settings::at(store.clone()));
        one.theme = Some("light".into());
        one.pins.insert("/a.ron".into(), pin("a"));
        one.remember(Path::new("/a.ron"));
        one.save().unwrap();
        other.zoom = Some(1.5);
        other.pins.insert("/b.ron".into(), pin("b"));
        other.pins.remove("/old.ron");
        other.remember(Path::new("/b.ron"));
        other.save().unwrap();
        one.hints_seen = true;
        one.save().unwrap();

        let read = Settings::at(store);
        assert_eq!(
            (read.theme.as_deref(), read.zoom),
            (Some("light"), Some(1.5))
        );
        assert!(read.hints_seen);
        let pinned: Vec<&str> = read.pins.keys().map(String::as_str).collect();
        assert_eq!(pinned, ["/a.ron", "/b.ron"]);
        assert_eq!(read.recent, [Path::new("/b.ron"), Path::new("/a.ron")]);
    }

    #[test]
    fn one_setting_that_cannot_be_read_costs_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("settings.json");
        let text = "{\"zoom\": \"large\", \"theme\": \"light\", \"later\": 1}";
        std::fs::write(&store, text).unwrap();
        let settings = Settings::at(store);
        assert_eq!(
            (settings.zoom, settings.theme.as_deref()),
            (None, Some("light"))
        );
        let aside = settings.set_aside.unwrap();
        assert_eq!(std::fs::read_to_string(aside).unwrap(), text);
    }

    #[test]
    fn a_path_that_cannot_be_written_is_an_error() {
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
