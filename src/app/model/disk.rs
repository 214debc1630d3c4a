//! Access to the scene's file and its mesh files on a job's thread: writes, and checks for changes by other programs.

use super::file_watch::{Stamps, stamps};
use crate::app::source::Source;
use crate::core::problem::{Problem, Problems};
use crate::core::scene::{self, Scene};
use crate::save::save_atomic;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Outcome of saving the scene.
pub enum SaveOutcome {
    /// The text was written.
    Written(Written),
    /// Another program wrote to the file since it was read or saved here; it was not overwritten.
    ChangedOutside(PathBuf),
}

/// A scene's text that was written to its file.
pub struct Written {
    /// The scene's source when it was saved.
    pub of: Source,
    /// The file.
    pub path: PathBuf,
    /// The text.
    pub text: Arc<str>,
}

/// Returns true for a file with neither of these texts, or one that cannot be read.
fn holds_another_text(path: &Path, known: [&str; 2]) -> bool {
    if path.try_exists().is_ok_and(|exists| !exists) {
        return false;
    }
    let text = scene::open_scene_text(path);
    !text.is_ok_and(|text| known.contains(&text.as_str()))
}

/// Writes a scene's text, unless the file has another text than `saved`.
pub(super) fn write(
    of: Source,
    path: PathBuf,
    text: Arc<str>,
    saved: Option<&str>,
) -> Result<SaveOutcome, Problem> {
    if let Some(saved) = saved
        && holds_another_text(&path, [saved, &text])
    {
        return Ok(SaveOutcome::ChangedOutside(path));
    }
    save_atomic(&path, text.as_bytes())?;
    Ok(SaveOutcome::Written(Written { of, path, text }))
}

/// Content of the scene's file.
pub enum Content {
    /// The text.
    Text(String),
    /// The file was deleted or renamed.
    Gone,
    /// It cannot be read.
    Unreadable(Problem),
    /// Another recording, which is read as on opening.
    Recording,
}

/// The stamps of the level's files, the scene's first, and the content if a stamp has changed.
pub type FileCheck = (Stamps, Option<Content>);

/// Reads the scene's file if its stamp has changed; looks whether the recording has changed.
pub(super) fn check_file(
    scene: Option<PathBuf>,
    recording: Option<PathBuf>,
    seen: Option<&Stamps>,
) -> FileCheck {
    let mut now = stamps(scene.iter());
    now.extend(stamps(recording.iter()));
    if seen == Some(&now) {
        return (now, None);
    }
    let before = seen.and_then(|seen| seen.first());
    let Some(path) = scene.filter(|_| before != now.first()) else {
        // While a program replaces the file there is none.
        let is_another = seen.is_some() && now.last().is_some_and(Option::is_some);
        return (now, is_another.then_some(Content::Recording));
    };
    let content = match scene::open_scene_text(&path) {
        Ok(text) => Content::Text(text),
        Err(_) if path.try_exists().is_ok_and(|exists| !exists) => Content::Gone,
        Err(problem) => Content::Unreadable(problem),
    };
    (now, Some(content))
}

/// A scene's text, and the scene parsed from it with the present mesh files.
type Reread = (Arc<str>, Result<Arc<Scene>, Problems>);
/// The stamps of the mesh files, and the scene if one has changed.
pub type MeshCheck = (Stamps, Option<Reread>);

/// Reads a scene again when one of its mesh files has changed.
pub(super) fn check_meshes(
    files: &BTreeSet<PathBuf>,
    seen: Option<&Stamps>,
    text: Arc<str>,
    source: &Source,
) -> MeshCheck {
    let now = stamps(files.iter());
    if seen.is_none_or(|seen| *seen == now) {
        return (now, None);
    }
    let scene = scene::parse(&text, &source.name(), &*source.folder());
    (now, Some((text, scene.map(Arc::new))))
}
