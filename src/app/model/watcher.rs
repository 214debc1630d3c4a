//! The system's word on files that other programs write.

use crate::app::jobs::RequestRepaint;
use crate::core::progress::Progress;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A file that did not change for so long is read.
const REST: Duration = Duration::from_millis(100);

/// What `look` finds once it finds the same twice in a row, [`REST`] apart: programs write a file in several steps. `None` when
/// the work was stopped before.
pub(super) fn at_rest<T: PartialEq>(look: impl Fn() -> T, progress: &dyn Progress) -> Option<T> {
    let mut last = look();
    while !progress.cancelled() {
        std::thread::sleep(REST);
        let now = look();
        if now == last {
            return Some(now);
        }
        last = now;
    }
    None
}

/// Tells of changes of the files, by their folders: a file that is saved atomically is another file each time. `None` where the
/// system tells of none of them.
pub(super) fn watcher(
    files: &BTreeSet<PathBuf>,
    told: &Arc<AtomicBool>,
    request_repaint: RequestRepaint,
) -> Option<RecommendedWatcher> {
    if files.is_empty() {
        return None;
    }
    let names: BTreeSet<_> = files
        .iter()
        .filter_map(|file| Some(file.file_name()?.to_owned()))
        .collect();
    let tell = Arc::clone(told);
    let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        let mut named = event.paths.iter().filter_map(|path| path.file_name());
        let one_of_them = event.paths.is_empty() || named.any(|name| names.contains(name));
        // Looking at a file is an access too: it must not lead to the next look.
        if one_of_them && !event.kind.is_access() {
            tell.store(true, Ordering::Relaxed);
            request_repaint();
        }
    });
    let mut watcher = watcher.ok()?;
    let folders: BTreeSet<PathBuf> = files
        .iter()
        .filter_map(|file| Some(std::path::absolute(file).ok()?.parent()?.to_owned()))
        .collect();
    // A folder that is not there has no file to change.
    let watched = folders
        .iter()
        .filter(|folder| watcher.watch(folder, RecursiveMode::NonRecursive).is_ok())
        .count();
    (watched > 0).then_some(watcher)
}
