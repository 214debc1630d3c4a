//! The text of a scene file.

use super::parse::too_large;
use crate::core::file::{open_file, read_to_limit, unreadable};
use crate::core::problem::Problem;
use crate::core::tolerance::MAX_SCENE_BYTES;
use std::io::Read;
use std::path::Path;

/// The text of a scene file.
///
/// # Errors
/// As [`open_file`], and when the file is larger than 64 MiB or not UTF-8.
pub fn open_scene_text(path: &Path) -> Result<String, Problem> {
    scene_text(open_file(path)?.input, &path.display().to_string())
}

/// The text of a scene; `file` names it in problems.
///
/// # Errors
/// When it cannot be read, is larger than 64 MiB, or is not UTF-8.
pub fn scene_text(input: impl Read, file: &str) -> Result<String, Problem> {
    let bytes = read_to_limit(input, MAX_SCENE_BYTES as u64)
        .map_err(|error| unreadable(file, &error))?
        .ok_or_else(|| too_large(file))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = good
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&good[start..]).chars().count() + 1;
        Problem::new(file, "this is not UTF-8 text", "save it as UTF-8").at(line, column)
    })
}
