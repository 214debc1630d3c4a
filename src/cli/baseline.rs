//! Baseline: a list of known findings, so that only new ones fail.
//!
//! A finding matches a known one when file, kind, cause and both objects are equal and its frame is at most [`NEAR_FRAMES`](crate::core::diagnose::NEAR_FRAMES) away.
//! Each known finding matches one. Files are named relative to the list's folder, independent of the working directory.

use super::find_files::replaces_no_input;
use crate::core::diagnose::{Finding, Identity, Report, same_findings};
use crate::core::file::{folder_of, open_file, read_text};
use crate::core::problem::Problem;
use crate::save::save_atomic;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// The version of the list's form.
const VERSION: u32 = 1;

/// Size limit of a list.
const MAX_BYTES: u64 = 64 << 20;

/// Help for a file that is no list.
const HELP: &str = "write one with `hitstop check --write-baseline FILE ..`";

/// One known finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFinding {
    /// Relative to the list's folder, with `/`.
    pub file: String,
    /// As [`crate::core::diagnose::Kind::name`].
    pub kind: String,
    /// `C01` to `C25`.
    pub cause: String,
    /// The mover.
    pub a: String,
    /// The other object.
    pub b: String,
    /// Its first frame.
    pub frame: u32,
}

impl KnownFinding {
    fn identity(&self) -> Identity<'_> {
        Identity {
            names: [&self.kind, &self.cause, &self.a, &self.b],
            frame: self.frame,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    hitstop_baseline: u32,
    findings: Vec<KnownFinding>,
}

/// A list of known findings, and which were found.
pub struct Baseline {
    /// Name given by the user.
    pub name: String,
    folder: PathBuf,
    known: Vec<KnownFinding>,
    /// For each: whether its file was checked, and whether it was found.
    looked: Vec<bool>,
    seen: Vec<bool>,
}

impl Baseline {
    /// Reads a list.
    ///
    /// # Errors
    /// What is wrong with it, and how to fix it.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let name = path.display().to_string();
        let text = text_of(path)?;
        let stored: Stored = serde_json::from_str(&text).map_err(|error| {
            let what = format!("not a list of known findings: {error}");
            Problem::new(&name, what, HELP).at(error.line().max(1), error.column().max(1))
        })?;
        if stored.hitstop_baseline != VERSION {
            let what = format!(
                "the list has version {}, this program reads version {VERSION}",
                stored.hitstop_baseline
            );
            return Err(Problem::new(&name, what, HELP));
        }
        let number = stored.findings.len();
        Ok(Self {
            name,
            folder: full_folder(path),
            known: stored.findings,
            looked: vec![false; number],
            seen: vec![false; number],
        })
    }

    /// Marks the findings of a report that the list has. `frames` is the checked range.
    pub fn mark(&mut self, report: &mut Report, frames: impl Fn(u32) -> bool) {
        let file = relative(Path::new(&report.file), &self.folder);
        let known: Vec<usize> = (0..self.known.len())
            .filter(|&index| self.known[index].file == file)
            .collect();
        for &index in &known {
            self.looked[index] |= frames(self.known[index].frame);
        }
        let mut found: Vec<usize> = (0..report.findings.len()).collect();
        found.retain(|&index| !report.findings[index].expected);
        let before: Vec<Identity<'_>> = known
            .iter()
            .map(|&index| self.known[index].identity())
            .collect();
        let now: Vec<Identity<'_>> = found
            .iter()
            .map(|&index| Identity::from(&report.findings[index]))
            .collect();
        let same = same_findings(&before, &now);
        let same = same
            .into_iter()
            .map(|(one, other)| (known[one], found[other]));
        let same: Vec<(usize, usize)> = same.collect();
        for (known, found) in same {
            self.seen[known] = true;
            report.findings[found].known = true;
        }
    }

    /// Known findings of checked files that were not found.
    pub fn missing(&self) -> impl Iterator<Item = &KnownFinding> {
        let states = self.looked.iter().zip(&self.seen);
        let missing = self.known.iter().zip(states);
        missing.filter_map(|(known, (looked, seen))| (*looked && !*seen).then_some(known))
    }
}

/// The text of a list.
fn text_of(path: &Path) -> Result<String, Problem> {
    read_text(
        open_file(path)?.input,
        MAX_BYTES,
        &path.display().to_string(),
        HELP,
    )
}

/// Any version of the list's form, by the field that all have.
#[derive(Deserialize)]
struct AnyVersion {
    #[serde(rename = "hitstop_baseline")]
    _version: u32,
}

/// Checks that writing a list to this file loses nothing: the file is new or empty, or is a list, and is none of the inputs.
///
/// # Errors
/// What the file is, and what to do instead.
pub fn may_write(path: &Path, inputs: &[PathBuf]) -> Result<(), Problem> {
    // A missing file or a device loses nothing.
    let Some(metadata) = path.metadata().ok().filter(std::fs::Metadata::is_file) else {
        return Ok(());
    };
    let name = path.display().to_string();
    replaces_no_input(path, "--write-baseline", inputs)?;
    let is_list = || {
        let text = text_of(path).unwrap_or_default();
        serde_json::from_str::<AnyVersion>(&text).is_ok()
    };
    if metadata.len() > 0 && !is_list() {
        let what = "--write-baseline would overwrite this file, which is not a baseline";
        let help = "name another file for the list, or delete this one first";
        return Err(Problem::new(name, what, help));
    }
    Ok(())
}

/// Writes the findings that no scene expects as a list, atomically, and marks them as known.
///
/// # Errors
/// When the file cannot be written.
pub fn write<'r>(
    path: &Path,
    reports: impl Iterator<Item = &'r mut Report>,
) -> Result<usize, Problem> {
    let folder = full_folder(path);
    let mut findings = Vec::new();
    let mut listed = Vec::new();
    for report in reports {
        let file = relative(Path::new(&report.file), &folder);
        for finding in report.findings.iter_mut().filter(|one| !one.expected) {
            findings.push(known(&file, finding));
            listed.push(finding);
        }
    }
    findings.sort();
    let number = findings.len();
    // One finding per line, for readable diffs.
    let mut text = format!("{{\n  \"hitstop_baseline\": {VERSION},\n  \"findings\": [");
    for (index, finding) in findings.iter().enumerate() {
        let line = serde_json::to_string(finding)
            .map_err(|error| Problem::new(path.display().to_string(), error.to_string(), ""))?;
        text += if index > 0 { ",\n    " } else { "\n    " };
        text += &line;
    }
    text += if number > 0 { "\n  ]\n}\n" } else { "]\n}\n" };
    save_atomic(path, text.as_bytes())?;
    listed.into_iter().for_each(|finding| finding.known = true);
    Ok(number)
}

fn known(file: &str, finding: &Finding) -> KnownFinding {
    KnownFinding {
        file: file.to_owned(),
        kind: finding.kind.name().to_owned(),
        cause: finding.cause.id().to_owned(),
        a: finding.a.clone(),
        b: finding.b.clone(),
        frame: finding.frame,
    }
}

/// The folder of a file, which may not exist yet, as an absolute path.
fn full_folder(path: &Path) -> PathBuf {
    let folder = folder_of(path);
    folder
        .canonicalize()
        .unwrap_or_else(|_| folder.to_path_buf())
}

/// A file's path relative to a folder (absolute, without links), with `/`; unchanged where there is none.
fn relative(file: &Path, folder: &Path) -> String {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    let (mut there, mut here) = (file.components().peekable(), folder.components().peekable());
    if file.is_absolute() {
        while there.peek().is_some() && there.peek() == here.peek() {
            there.next();
            here.next();
        }
    }
    let mut parts: Vec<String> = Vec::new();
    if here
        .clone()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        parts.extend(here.map(|_| "..".to_owned()));
    }
    parts.extend(there.map(|part| part.as_os_str().to_string_lossy().into_owned()));
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_from_the_folder_of_the_list() {
        for (file, folder, wanted) in [
            ("/a/b/c.ron", "/a/b", "c.ron"),
            ("/a/b/c.ron", "/a", "b/c.ron"),
            ("/a/c.ron", "/a/b/d", "../../c.ron"),
        ] {
            assert_eq!(relative(Path::new(file), Path::new(folder)), wanted);
        }
    }
}
