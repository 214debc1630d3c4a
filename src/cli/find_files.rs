//! Levels in folders.

use crate::core::problem::Problem;
use crate::core::scene::{open_scene_text, recording_of};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a run.
pub struct Files {
    /// Each once, in their order.
    pub files: Vec<PathBuf>,
    /// What could not be used of the arguments.
    pub problems: Vec<Problem>,
}

/// Every scene and log of the arguments, in the order given, folders sorted by path.
///
/// Files are taken as named. In folders, hidden entries and links to folders are left out.
pub fn find_files(paths: &[PathBuf]) -> Files {
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
    Files { files, problems }
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

/// The logs that scenes of the same run replay, each with the first of these scenes.
pub fn replayed_logs(files: &[PathBuf]) -> HashMap<PathBuf, PathBuf> {
    let (logs, scenes): (Vec<&PathBuf>, Vec<_>) = files.iter().partition(|file| is_log(file));
    if logs.is_empty() || scenes.is_empty() {
        return HashMap::new();
    }
    let named: Vec<Option<PathBuf>> = scenes
        .par_iter()
        .map(|scene| {
            let log = recording_of(&open_scene_text(scene).ok()?)?;
            let folder = scene.parent().unwrap_or(Path::new(""));
            folder.join(log).canonicalize().ok()
        })
        .collect();
    let mut scene_of = HashMap::new();
    for (log, scene) in named.into_iter().zip(scenes) {
        log.map(|log| scene_of.entry(log).or_insert(scene));
    }
    if scene_of.is_empty() {
        return HashMap::new();
    }
    let scene_of = |log: &PathBuf| scene_of.get(&log.canonicalize().ok()?).copied();
    let replayed = logs.into_iter();
    let replayed = replayed.filter_map(|log| Some((log.clone(), scene_of(log)?.clone())));
    replayed.collect()
}

/// Checks that an output would not replace an input of the run. `option` is the option that names the output.
///
/// # Errors
/// Which input it would replace.
pub fn replaces_no_input(path: &Path, option: &str, inputs: &[PathBuf]) -> Result<(), Problem> {
    let place = path.canonicalize().ok();
    let is_input = |input: &&PathBuf| place.is_some() && input.canonicalize().ok() == place;
    let Some(input) = inputs.iter().find(is_input) else {
        return Ok(());
    };
    let input = input.display();
    let what = format!("{option} would overwrite an input of this run, {input}");
    let help = format!("name another file with {option}");
    Err(Problem::new(path.display().to_string(), what, help))
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
