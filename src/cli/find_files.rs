//! Levels in folders.

use crate::core::file::{folder_of, full_path, open_file, read_text, store, unreadable};
use crate::core::log::is_result;
use crate::core::problem::Problem;
use crate::core::scene::{open_scene_text, recording_of};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Size limit of a list of paths, bytes.
const MAX_LIST: u64 = 64 << 20;

/// The files of a run.
#[derive(Default)]
pub struct Files {
    /// Each once, in their order.
    pub files: Vec<PathBuf>,
    /// Those that were named one by one.
    pub named: HashSet<PathBuf>,
    /// What could not be used of the arguments.
    pub problems: Vec<Problem>,
    /// Results of earlier runs in folders, which are left out (a count).
    pub results: usize,
}

/// Every scene and log of the arguments, in the order given, folders and patterns sorted by path.
///
/// Files are taken as named. In folders, hidden entries, links to folders and results of earlier runs are left out.
pub fn find_files(paths: &[PathBuf]) -> Files {
    let mut files = Files::default();
    for path in paths {
        let mut found = Vec::new();
        let has_signs = |path: &str| path.contains(SIGNS);
        if store::is_stored(path) && (!is_level(path) || path.to_str().is_some_and(has_signs)) {
            list(path, &mut found, &mut files.problems);
        } else if path.is_dir() {
            walk(path, &mut found, &mut files.problems);
            files.results += leave_out_results(&mut found);
            if found.is_empty() {
                files.problems.push(Problem::new(
                    path.display().to_string(),
                    "the folder holds no scene (.ron) and no log (.jsonl, .csv, .parquet, .ovd)",
                    "name a folder with levels in it, or a file",
                ));
            }
        } else if let Some(pattern) = pattern_of(path) {
            files.results += expand(&pattern, &mut found, &mut files.problems);
        } else {
            files.named.insert(path.clone());
            found.push(path.clone());
        }
        files.files.extend(found);
    }
    let mut seen = HashSet::new();
    files.files.retain(|file| seen.insert(file.clone()));
    files
}

/// The paths in a list, one a line; `-` is standard input.
///
/// # Errors
/// When it cannot be read, or names nothing.
pub fn read_list(list: &Path) -> Result<Vec<PathBuf>, Problem> {
    let help = "write one path a line";
    let name = list.display().to_string();
    // What another program writes to a pipe is a list, too: `--files-from <(find ..)`.
    let is_pipe = || {
        let data = list.metadata();
        data.is_ok_and(|data| !data.is_file() && !data.is_dir())
    };
    let text = if list == Path::new("-") {
        read_text(io::stdin().lock(), MAX_LIST, "standard input", help)?
    } else if is_pipe() {
        let pipe = fs::File::open(list).map_err(|error| unreadable(&name, &error))?;
        read_text(pipe, MAX_LIST, &name, help)?
    } else {
        read_text(open_file(list)?.input, MAX_LIST, &name, help)?
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let paths: Vec<PathBuf> = lines.map(PathBuf::from).collect();
    match paths.is_empty() {
        true => Err(Problem::new(name, "the list names no file", help)),
        false => Ok(paths),
    }
}

/// The levels below an address of an object store, or those that a pattern of addresses matches.
fn list(path: &Path, found: &mut Vec<PathBuf>, problems: &mut Vec<Problem>) {
    let text = path.display().to_string();
    let signs = text.find(SIGNS);
    // Stores list what is below a folder.
    let folder = signs.map_or(&*text, |at| &text[..text[..at].rfind('/').unwrap_or(at)]);
    let pattern = match signs.map(|_| pattern(&text)).transpose() {
        Ok(pattern) => pattern,
        Err(problem) => return problems.push(problem),
    };
    let is_meant = |object: &PathBuf| {
        let matches = |pattern: &glob::Pattern| pattern.matches_path_with(object, MATCHING);
        is_level(object) && pattern.as_ref().is_none_or(matches)
    };
    match store::list(Path::new(folder)) {
        Err(problem) => return problems.push(problem),
        Ok(objects) => found.extend(objects.into_iter().filter(is_meant)),
    }
    if found.is_empty() {
        let what = "this address has no scene (.ron) and no log (.jsonl, .csv, .parquet, .ovd)";
        let help = "write s3://BUCKET/FOLDER, or a pattern; `**` is any number of folders";
        problems.push(Problem::new(text, what, help));
    }
}

/// Characters that make a path a pattern.
const SIGNS: [char; 3] = ['*', '?', '['];

/// How patterns match: `*` is within a folder, and leaves out hidden files.
const MATCHING: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// Parts of a pattern that are `**`, at most: each multiplies the ways in which a path is tried by its depth.
const MAX_ANY_DEPTH: usize = 4;

fn bad_pattern(text: &str, error: &glob::PatternError) -> Problem {
    let what = format!("invalid pattern: {}", error.msg);
    let help = "write `*`, `?`, `[a-z]`, and `**` for any number of folders";
    Problem::new(text, what, help)
}

/// # Errors
/// When it is not a pattern, or one that would take too long.
fn pattern(text: &str) -> Result<glob::Pattern, Problem> {
    let pattern = glob::Pattern::new(text).map_err(|error| bad_pattern(text, &error))?;
    let any_depth = text.split(['/', '\\']).filter(|part| *part == "**");
    match any_depth.count() {
        count if count > MAX_ANY_DEPTH => {
            let what = format!("the pattern has `**` {count} times, more than {MAX_ANY_DEPTH}");
            let help = "name more of the folders, or write one `**` at the end of those you know";
            Err(Problem::new(text, what, help))
        }
        _ => Ok(pattern),
    }
}

/// A path as a pattern, if there is no such file and it has signs of one.
fn pattern_of(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    let is_pattern = text.contains(SIGNS) && path.symlink_metadata().is_err();
    is_pattern.then(|| text.to_owned())
}

/// Leaves out results of earlier runs; returns how many.
fn leave_out_results(found: &mut Vec<PathBuf>) -> usize {
    let all = found.len();
    let files = std::mem::take(found).into_par_iter();
    *found = files.filter(|file| !is_result(file)).collect();
    all - found.len()
}

/// The levels that a pattern matches, and those in the folders that it matches; returns how many results were left out.
fn expand(text: &str, found: &mut Vec<PathBuf>, problems: &mut Vec<Problem>) -> usize {
    // The parts between slashes are patterns of their own.
    let parts = || glob::glob_with(text, MATCHING).map_err(|error| bad_pattern(text, &error));
    let matches = match pattern(text).and_then(|_| parts()) {
        Ok(matches) => matches,
        Err(problem) => {
            problems.push(problem);
            return 0;
        }
    };
    for entry in matches {
        match entry {
            Ok(path) if path.is_dir() => walk(&path, found, problems),
            Ok(path) if is_level(&path) => found.push(path),
            Ok(_) => {}
            Err(error) => {
                let what = format!("the folder cannot be read: {}", error.error());
                let help = "check that you may read it";
                problems.push(Problem::new(error.path().display().to_string(), what, help));
            }
        }
    }
    found.sort();
    let results = leave_out_results(found);
    if found.is_empty() {
        let what = "the pattern matches no scene (.ron) and no log (.jsonl, .csv, .parquet, .ovd)";
        let help = "check the pattern; `**` is any number of folders";
        problems.push(Problem::new(text, what, help));
    }
    results
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
        } else if is_level(&path) && !path.is_dir() {
            // One that cannot be opened, as a link that leads nowhere or a pipe, is named with its problem.
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
            full_path(&folder.join(log))
        })
        .collect();
    let mut scene_of = HashMap::new();
    for (log, scene) in named.into_iter().zip(scenes) {
        log.map(|log| scene_of.entry(log).or_insert(scene));
    }
    if scene_of.is_empty() {
        return HashMap::new();
    }
    let scene_of = |log: &PathBuf| scene_of.get(&full_path(log)?).copied();
    let replayed = logs.into_iter();
    let replayed = replayed.filter_map(|log| Some((log.clone(), scene_of(log)?.clone())));
    replayed.collect()
}

/// Checks that an output would not replace an input of the run. `option` is the option that names the output.
///
/// # Errors
/// Which input it would replace.
pub fn replaces_no_input(path: &Path, option: &str, inputs: &[PathBuf]) -> Result<(), Problem> {
    // One that is not there yet has its place in its folder.
    let place_of = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = folder_of(path).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    let place = place_of(path);
    let is_input = |input: &&PathBuf| place.is_some() && place_of(input) == place;
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
