//! Scenes of a client: checked without any file, and written into one folder.

use super::Failure;
use super::levels::report_of;
use crate::core::diagnose::Report;
use crate::core::level::{Level, open_text};
use crate::core::progress::Progress;
use crate::core::scene::{MemoryFolder, relative_path};
use crate::save::save_atomic;
use std::path::{Path, PathBuf};

/// The report of a scene's text. It reads no file: meshes are in the text, and recordings are opened by themselves.
pub fn check(text: &str, name: &str, progress: &dyn Progress) -> Result<Report, Failure> {
    report_of(&parsed(text, name, progress)?, name, progress)
}

fn parsed(text: &str, name: &str, progress: &dyn Progress) -> Result<Level, Failure> {
    let level = open_text(text, name, &MemoryFolder::default(), progress);
    level.map_err(|problems| Failure::of_file(problems.0))
}

/// Writes a scene below a folder, whose path has no links left.
pub fn write(
    folder: &Path,
    name: &str,
    text: &str,
    progress: &dyn Progress,
) -> Result<PathBuf, Failure> {
    let inside = relative_path(name).map_err(|problem| Failure::new(problem.what, problem.help))?;
    if Path::new(&inside)
        .extension()
        .is_none_or(|ending| ending != "ron")
    {
        return Err(Failure::new(
            "a scene is a .ron file",
            "end the name in .ron",
        ));
    }
    parsed(text, name, progress)?;
    let path = folder.join(&inside);
    let parent = path.parent().unwrap_or(folder);
    // A folder in between may be a link that leads out.
    let real = parent.canonicalize().map_err(|_| {
        Failure::new(
            "the folder of this name does not exist",
            "write into the folder itself",
        )
    })?;
    if !real.starts_with(folder) {
        return Err(Failure::new(
            "the name leads out of the folder that may be written to",
            "write into the folder itself",
        ));
    }
    if path.symlink_metadata().is_ok_and(|known| !known.is_file()) {
        return Err(Failure::new(
            "there is something of this name that is not a file",
            "take another name",
        ));
    }
    save_atomic(&path, text.as_bytes()).map_err(|problem| Failure::of_file(vec![problem]))?;
    Ok(path)
}
