//! Watching of open files for changes by other programs.

use crate::app::jobs::RequestRepaint;
use crate::app::source::FileStamp;
use notify_debouncer_mini::notify::{
    self, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher,
};
use notify_debouncer_mini::{Config, DebounceEventResult, Debouncer, new_debouncer_opt};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A change is reported after this time without another, as programs write a file in several steps; changes without a pause are reported with
/// this period.
const QUIET: Duration = Duration::from_millis(100);
/// Period of polling where the system reports no changes.
const POLL: Duration = Duration::from_secs(1);

/// The stamp of each file; `None` for a missing one.
pub type Stamps = Vec<Option<FileStamp>>;

/// A set of watched files, and their stamps when they were last read.
#[derive(Default)]
pub(super) struct FileWatch {
    files: BTreeSet<PathBuf>,
    /// True if there may be a change that was not checked yet.
    changed: Arc<AtomicBool>,
    /// The stamps at the last check; `None` before the first.
    pub seen: Option<Stamps>,
    /// Watches until it is dropped.
    _watcher: Option<Box<dyn Send>>,
}

impl FileWatch {
    /// Watches these files in place of the others; returns false if they are watched already. The stamps of files that were read before any
    /// was watched stay.
    pub fn set(&mut self, files: BTreeSet<PathBuf>, request_repaint: RequestRepaint) -> bool {
        if files == self.files {
            return false;
        }
        let changed = Arc::new(AtomicBool::new(!files.is_empty()));
        let seen = self.seen.take().filter(|_| self.files.is_empty());
        *self = Self {
            _watcher: watcher(&files, &changed, request_repaint),
            files,
            changed,
            seen,
        };
        true
    }

    /// Watches no file until the next are set; the stamps stay.
    pub fn reset(&mut self) {
        *self = Self {
            seen: self.seen.take(),
            ..Self::default()
        };
    }

    /// Stores the stamp of the file that was read, the only one.
    pub fn take_stamp(&mut self, stamp: Option<FileStamp>) {
        if stamp.is_some() {
            self.seen = Some(vec![stamp]);
        }
    }

    /// Requests a check whether or not a change is reported: not every file system reports them.
    pub fn check_soon(&self) {
        let any = !self.files.is_empty();
        self.changed.fetch_or(any, Ordering::Relaxed);
    }

    /// Returns true once for each requested check.
    pub fn take_changed(&self) -> bool {
        self.changed.swap(false, Ordering::Relaxed)
    }

    /// The watched files.
    pub fn files(&self) -> &BTreeSet<PathBuf> {
        &self.files
    }
}

/// The stamps of files, in their order.
pub(super) fn stamps<'p>(files: impl Iterator<Item = &'p PathBuf>) -> Stamps {
    files.map(|file| FileStamp::of(file)).collect()
}

/// Sets `changed` when one of the files has changed. It is the system's watcher or, where that fails, one that polls.
fn watcher(
    files: &BTreeSet<PathBuf>,
    changed: &Arc<AtomicBool>,
    request_repaint: RequestRepaint,
) -> Option<Box<dyn Send>> {
    let names: BTreeSet<_> = files
        .iter()
        .filter_map(|file| Some(file.file_name()?.to_owned()))
        .collect();
    let changed = Arc::clone(changed);
    let on_change = move |events: DebounceEventResult| {
        let is_of_files = events.into_iter().flatten().any(|event| {
            let name = event.path.file_name();
            name.is_some_and(|name| names.contains(name))
        });
        if is_of_files {
            changed.store(true, Ordering::Relaxed);
            request_repaint();
        }
    };
    // Folders, as an atomic save replaces the file.
    let folders: BTreeSet<PathBuf> = files
        .iter()
        .filter_map(|file| Some(std::path::absolute(file).ok()?.parent()?.to_owned()))
        .collect();
    if folders.is_empty() {
        return None;
    }
    match started::<RecommendedWatcher>(&folders, on_change.clone()) {
        Some(watcher) => Some(Box::new(watcher)),
        None => Some(Box::new(started::<PollWatcher>(&folders, on_change)?)),
    }
}

/// Starts a watcher of some folders; `None` when it can watch none of them.
fn started<T: Watcher + Send + 'static>(
    folders: &BTreeSet<PathBuf>,
    on_change: impl FnMut(DebounceEventResult) + Send + 'static,
) -> Option<Debouncer<T>> {
    let backend = notify::Config::default().with_poll_interval(POLL);
    let config = Config::default()
        .with_timeout(QUIET)
        .with_notify_config(backend);
    let mut debouncer = new_debouncer_opt::<_, T>(config, on_change).ok()?;
    let watcher = debouncer.watcher();
    // A missing folder has no file to change.
    let watched = folders
        .iter()
        .filter(|folder| watcher.watch(folder, RecursiveMode::NonRecursive).is_ok())
        .count();
    (watched > 0).then_some(debouncer)
}
