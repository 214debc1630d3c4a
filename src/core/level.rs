//! Any file, opened: a scene, a log, or a scene that names a log.

use super::problem::{Problem, Problems};
use super::progress::Progress;
use super::replay::Replay;
use super::scene::Folder;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An opened level.
#[derive(Clone, Debug)]
pub struct Level {
    /// As the person named it; a bundled level has its name in the bundle.
    pub file: PathBuf,
    /// What happens in it.
    pub replay: Arc<Replay>,
    /// What was odd about the input but did not stop it: bad lines, defaults taken, dirty meshes.
    pub notices: Vec<Problem>,
}

/// Opens a file on disk by its ending: `.ron`, `.jsonl`, `.csv`.
///
/// # Errors
/// What, where and how to mend it.
pub fn open(path: &Path, progress: &dyn Progress) -> Result<Level, Problems> {
    let _ = (path, progress);
    todo!("helper log")
}

/// Opens a file of a folder, bundled ones included.
///
/// # Errors
/// What, where and how to mend it.
pub fn open_in(
    folder: &dyn Folder,
    file: &str,
    progress: &dyn Progress,
) -> Result<Level, Problems> {
    let _ = (folder, file, progress);
    todo!("helper log")
}
