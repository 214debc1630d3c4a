//! Levels in folders.

use crate::core::problem::Problem;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every scene and log of the arguments, in the order given, folders sorted by path.
///
/// Files are taken as named. In folders, hidden entries and links to folders are left out.
pub fn find_files(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Problem>) {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        walk(path, &mut found, &mut problems);
        if found.is_empty() {
            problems.push(Problem::new(
                path.display().to_string(),
                "the folder holds no scene (.ron) and no log (.jsonl, .csv, .parquet)",
                "name a folder with levels in it, or a file",
            ));
        }
        files.extend(found);
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(file.clone()));
    (files, problems)
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>, problems: &mut Vec<Problem>) {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            let what = format!("the folder cannot be read: {error}");
            problems.push(Problem::new(
                folder.display().to_string(),
                what,
                "check that you may read it",
            ));
            return;
        }
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        // The entry's own type: a link to a parent would not end.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder {
            walk(&path, found, problems);
        } else if is_level(&path) && path.is_file() {
            found.push(path);
        }
    }
}

/// Whether a file has the extension of a scene or a log.
fn is_level(path: &Path) -> bool {
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    ending == "ron" || is_log(path)
}

/// Whether a file has the extension of a log.
pub fn is_log(path: &Path) -> bool {
    crate::core::log::Format::of_path(path).is_some()
}
