//! A folder of results, so that unchanged files are not read again, and an interrupted run goes on where it ended.
//!
//! A result is named by a hash of everything that it follows from: the file's name and content, the program, and the
//! options. It lists the other files that were read, each with its hash. The hash of a file is kept with its path, size and time of change:
//! while these stay the same, the file is not read. What is damaged, or from another program, counts as absent.

use super::CheckArguments;
use super::print::print_note;
use crate::core::diagnose::{LISTED, Report};
use crate::core::file::{CacheFolder, from_json, full_path, hash_of_file, store};
use crate::core::problem::Problem;
use crate::core::scene::{DiskFolder, Folder, ObservedFolder, relative_path};
use crate::report::{Checked, LineIndex};
use crate::save::reason;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Once, OnceLock};
use std::time::{Duration, SystemTime};

/// The file of the program where it is not that of the process, as in a module of Python.
pub static PROGRAM_FILE: OnceLock<PathBuf> = OnceLock::new();

/// The version of the form of the stored files, and of the program: a hash of its file, as builds of one version may judge differently.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let program = PROGRAM_FILE.get().cloned();
    let program = program.or_else(|| std::env::current_exe().ok());
    let hash = program.and_then(|program| hash_of_file(&program));
    let hash = hash.map_or_else(String::new, |hash| hash.to_hex().to_string());
    format!("hitstop {} {hash} results 1", env!("CARGO_PKG_VERSION"))
});

/// The folder in the one that the user names. Files in it are removed beyond the limit, so it must have no others.
const FOLDER: &str = "hitstop-results";

/// Limit of all files together, bytes.
const MAX_BYTES: u64 = 4 << 30;

/// Limit of a result, bytes.
const MAX_RESULT: u64 = 1 << 28;

/// Age from which a change is sure to have another time than the next one: file systems count time in steps of up to two seconds.
const SETTLED: Duration = Duration::from_secs(3);

/// Results that were computed before.
pub struct ResultCache {
    folder: CacheFolder,
    /// The options that a result depends on.
    options: String,
    failed: Once,
}

/// A stored result.
#[derive(Serialize, Deserialize)]
struct Stored {
    version: String,
    /// Its name in the folder.
    key: String,
    /// Other files that were read, relative to the folder of the file, each with its hash; one that could not be read has none.
    beside: Vec<(String, Option<String>)>,
    line_index: LineIndex,
    report: Report,
}

/// The hash of a file, stored by its path.
#[derive(Serialize, Deserialize)]
struct StoredHash {
    version: String,
    /// See [`CacheFolder::identity`].
    identity: String,
    hash: String,
}

impl ResultCache {
    /// The results in a folder for these arguments; the folder is created.
    ///
    /// # Errors
    /// When the folder cannot be used.
    pub fn open(folder: &Path, arguments: &CheckArguments) -> Result<Self, Problem> {
        let cache = CacheFolder::new(folder.join(FOLDER), MAX_BYTES);
        cache.trim().map_err(|error| {
            let what = format!("the folder of --cache cannot be used: {}", reason(&error));
            let help = "name a folder that you may write to";
            Problem::new(folder.display().to_string(), what, help)
        })?;
        let format = arguments.format();
        let CheckArguments {
            frames,
            detection,
            what_if,
            read,
            ..
        } = arguments;
        let parts = (format.has_level_fixes(), format.has_places());
        let margins = arguments.has_margins();
        Ok(Self {
            folder: cache,
            options: format!("{frames:?} {detection:?} {what_if} {margins} {parts:?} {read:?}"),
            failed: Once::new(),
        })
    }

    /// The stored result of a file, else one that `judge` makes with the folder of the file; it is stored.
    pub fn find_or_else(&self, file: &Path, judge: impl FnOnce(&dyn Folder) -> Checked) -> Checked {
        let key = self.key(file);
        if let Some(result) = key.as_ref().and_then(|key| self.find(file, key)) {
            return result;
        }
        let folder = ObservedFolder::new(DiskFolder::of(file));
        let result = judge(&folder);
        // A file that has changed meanwhile may be one or the other.
        if let Some(key) = key.filter(|key| self.key(file).as_ref() == Some(key)) {
            self.keep(&result, key, folder.into_opened());
        }
        result
    }

    fn find(&self, file: &Path, key: &str) -> Option<Checked> {
        let stored: Stored = self.read(key)?;
        let shown = file.display().to_string();
        // Notices name the file.
        let before = &stored.report.file;
        let names_other = |notice: &String| shown != *before && notice.contains(before);
        let is_same = |(path, hash): &(String, Option<String>)| self.beside(file, path) == *hash;
        if stored.version != *VERSION
            || stored.key != key
            || !stored.report.is_consistent()
            || stored.report.notices.iter().any(names_other)
            || !stored.beside.iter().all(is_same)
        {
            return None;
        }
        Some(Checked {
            file: file.to_path_buf(),
            outcome: Ok(Report {
                file: shown,
                ..stored.report
            }),
            line_index: stored.line_index,
        })
    }

    /// Stores a result, unless the file could not be used or has more findings than are listed.
    fn keep(&self, result: &Checked, key: String, opened: BTreeSet<String>) {
        let Ok(report) = &result.outcome else {
            return;
        };
        if report.findings.total() > LISTED {
            return;
        }
        let opened = opened.into_iter();
        let stored = Stored {
            version: VERSION.clone(),
            beside: opened
                .map(|path| {
                    let hash = self.beside(&result.file, &path);
                    (path, hash)
                })
                .collect(),
            line_index: result.line_index.clone(),
            report: report.clone(),
            key,
        };
        self.write(&stored.key, &stored);
    }

    /// Hash of a file in the folder of another.
    fn beside(&self, file: &Path, path: &str) -> Option<String> {
        let path = relative_path(path).ok()?;
        self.hash(&DiskFolder::of(file).root.join(path))
    }

    /// Hash of a file's content, read only if the file has changed; `None` if it cannot be read.
    pub fn hash(&self, file: &Path) -> Option<String> {
        let identity = CacheFolder::identity(file)?;
        let path = full_path(file)?;
        let name = name_of(&[&VERSION, &path.display().to_string()]) + ".hash";
        let known: Option<StoredHash> = self.read(&name);
        if let Some(known) =
            known.filter(|it| (&*it.version, &*it.identity) == (&**VERSION, &*identity))
        {
            return Some(known.hash);
        }
        let hash = hash_of_file(file)?.to_hex().to_string();
        let is_settled = || {
            if store::is_stored(file) {
                return Some(true);
            }
            let changed = file.metadata().ok()?.modified().ok()?;
            let age = SystemTime::now().duration_since(changed).ok()?;
            Some(age >= SETTLED && CacheFolder::identity(file)? == identity)
        };
        if is_settled().unwrap_or_default() {
            let stored = StoredHash {
                version: VERSION.clone(),
                identity,
                hash: hash.clone(),
            };
            self.write(&name, &stored);
        }
        Some(hash)
    }

    /// Name of a file's result.
    fn key(&self, file: &Path) -> Option<String> {
        // The format follows from the name, and the name of a level without one.
        let name = file.file_name()?.display().to_string();
        Some(name_of(&[&VERSION, &self.options, &name, &self.hash(file)?]) + ".result")
    }

    fn read<T: for<'de> Deserialize<'de>>(&self, name: &str) -> Option<T> {
        let file = self.folder.open(name)?;
        let length = usize::try_from(file.length().min(MAX_RESULT)).ok()?;
        let bytes = file.read(0, length).ok()?;
        let mut text = Vec::new();
        let decoder = zstd::Decoder::new(&*bytes).ok()?;
        decoder.take(MAX_RESULT).read_to_end(&mut text).ok()?;
        from_json(&text).ok()
    }

    /// A result that cannot be stored is computed again the next time.
    fn write(&self, name: &str, stored: &impl Serialize) {
        let text = serde_json::to_vec(stored).map_err(std::io::Error::from);
        let bytes = text.and_then(|text| zstd::bulk::compress(&text, 1));
        if let Err(error) = bytes.and_then(|bytes| self.folder.add(name, &bytes)) {
            self.failed.call_once(|| {
                let what = reason(&error);
                print_note(&format!(
                    "results cannot be stored for the next run: {what}"
                ));
            });
        }
    }
}

/// The name of what follows from some texts.
fn name_of(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Arguments, Command};
    use clap::Parser;

    #[test]
    fn a_result_of_another_version_counts_as_absent() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.jsonl");
        std::fs::write(&file, "content").unwrap();
        let arguments = Arguments::parse_from(["hitstop", "check", "a.jsonl"]);
        let Some(Command::Check(arguments)) = arguments.command else {
            panic!("not the command");
        };
        let cache = ResultCache::open(folder.path(), &arguments).unwrap();
        let judged = |name: &str| Checked {
            file: file.clone(),
            outcome: Ok(Report {
                file: file.display().to_string(),
                name: name.to_owned(),
                ..Report::default()
            }),
            line_index: LineIndex::default(),
        };
        let name = |made: &str| {
            let result = cache.find_or_else(&file, |_| judged(made));
            result.outcome.unwrap().name
        };
        assert_eq!(name("first"), "first");
        assert_eq!(name("second"), "first", "stored");
        let key = cache.key(&file).unwrap();
        let stored: Stored = cache.read(&key).unwrap();
        let version = "another".to_owned();
        cache.write(&key, &Stored { version, ..stored });
        assert_eq!(name("third"), "third");
        assert_eq!(name("fourth"), "third");
    }
}
