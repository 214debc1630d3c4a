//! The recent files as they are on the disk, read in the background: a folder may be on a slow network.

use super::Model;
use super::job::{JobDone, JobKind, Jobs};
use std::path::{Path, PathBuf};

/// Starts a check of these files.
pub(super) fn check(files: &[PathBuf], jobs: &mut Jobs) {
    let files = files.to_vec();
    let changed = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    jobs.start(JobKind::CheckRecent, move |_| {
        let found = files.iter().map(|path| (path.clone(), changed(path)));
        JobDone::CheckRecent(found.collect())
    });
}

impl Model {
    /// Removes a file from the recent files.
    pub fn forget_recent(&mut self, path: &Path) {
        self.settings.recent.retain(|other| other != path);
        self.save_settings();
    }
}
