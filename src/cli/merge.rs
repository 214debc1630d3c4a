//! `hitstop merge`: puts the results of several runs together, as one run over all their files prints them.

use super::checked::{Checked, LineIndex};
use super::find_files::replaces_no_input;
use super::print::write_to;
use super::results::{Results, Style};
use super::{Format, MergeArguments, Status, report_problems};
use crate::core::diagnose::{Report, SCHEMA};
use crate::core::file::{DataFile, open_file, unreadable};
use crate::core::problem::{Problem, Problems};
use crate::save::Output;
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Limit of a line, bytes.
const MAX_LINE: u64 = 1 << 30;

/// The schemas whose reports can be read.
const SCHEMAS: std::ops::RangeInclusive<u32> = 4..=SCHEMA;

/// Help for a file without results.
const HELP: &str = "name files that `hitstop check --format json` wrote";

/// Runs the command and prints the results.
pub fn run(arguments: &MergeArguments) -> Status {
    let all = match read(arguments) {
        Ok(all) => all,
        Err(problem) => {
            report_problems(&[problem], false);
            return Status::BadInput;
        }
    };
    let style = Style {
        format: arguments.format,
        is_plain: arguments.out.is_some(),
        fail_on: arguments.fail_on.clone().unwrap_or_default(),
        ..Style::default()
    };
    write_to(arguments.out.as_deref(), &mut |out| all.write(&style, out))
}

fn read(arguments: &MergeArguments) -> Result<ResultFiles, Problem> {
    if arguments.format == Format::Sarif {
        let what = "results have no places in scenes, which SARIF needs";
        let help = "write SARIF with `hitstop check --format sarif`";
        return Err(Problem::new("hitstop merge", what, help));
    }
    if let Some(out) = &arguments.out {
        replaces_no_input(out, "--out", &arguments.results)?;
    }
    ResultFiles::open(&arguments.results)
}

/// Files of results, which stay on disk.
pub struct ResultFiles {
    files: Vec<DataFile>,
    /// Sorted by path; each path once.
    lines: Vec<Line>,
}

/// The place of a file's result.
struct Line {
    path: PathBuf,
    /// Index of the file of results.
    source: usize,
    offset: u64,
    length: usize,
}

impl ResultFiles {
    /// Reads and checks the results. A path that several results have counts once, with the last of them.
    ///
    /// # Errors
    /// For a file that cannot be read, or has a line that is no result.
    pub fn open(paths: &[PathBuf]) -> Result<Self, Problem> {
        let (mut files, mut lines) = (Vec::new(), Vec::new());
        for path in paths {
            let name = path.display().to_string();
            find_lines(path, files.len(), &mut lines)?;
            files.push(DataFile::open(path).map_err(|error| unreadable(&name, &error))?);
        }
        lines.reverse();
        lines.sort_by(|one: &Line, other| one.path.cmp(&other.path));
        lines.dedup_by(|one, other| one.path == other.path);
        Ok(Self { files, lines })
    }

    /// Calls a function with each result, in the order of the paths.
    ///
    /// # Errors
    /// When a result cannot be read again, and those of the function.
    pub fn for_each(&self, on: &mut dyn FnMut(Report) -> io::Result<()>) -> io::Result<()> {
        self.lines.iter().try_for_each(|line| {
            let bytes = self.files[line.source].read(line.offset, line.length)?;
            on(serde_json::from_slice(&bytes)?)
        })
    }

    fn write(&self, style: &Style, out: &mut Output) -> io::Result<Status> {
        let mut results = Results::new(style, out)?;
        self.for_each(&mut |report| results.add(checked(report)))?;
        results.finish()
    }
}

/// The result that a report was written from, without places in a scene.
fn checked(mut report: Report) -> Checked {
    let error = std::mem::take(&mut report.error);
    Checked {
        file: PathBuf::from(&report.file),
        outcome: match error.is_empty() {
            true => Ok(report),
            false => Err(Problems(error)),
        },
        line_index: LineIndex::default(),
    }
}

/// Finds the results in a file.
fn find_lines(path: &Path, source: usize, lines: &mut Vec<Line>) -> Result<(), Problem> {
    let name = path.display().to_string();
    let mut input = open_file(path)?.input;
    let (mut bytes, mut offset) = (Vec::new(), 0);
    for number in 1.. {
        bytes.clear();
        let mut limited = input.by_ref().take(MAX_LINE);
        let length = match limited.read_until(b'\n', &mut bytes) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(unreadable(&name, &error)),
        };
        let wrong = |what: String, column| Problem::new(&name, what, HELP).at(number, column);
        if length as u64 == MAX_LINE {
            let what = format!("a line is longer than {} MiB", MAX_LINE >> 20);
            return Err(wrong(what, 1));
        }
        if !bytes.trim_ascii().is_empty() {
            let report: Report = serde_json::from_slice(&bytes).map_err(|error| {
                let what = format!("not a result of `hitstop check`: {error}");
                wrong(what, error.column().max(1))
            })?;
            if !SCHEMAS.contains(&report.schema) {
                let (known, schema) = (SCHEMA, report.schema);
                let what = format!("the result has schema {schema}, this program reads {known}");
                return Err(wrong(what, 1));
            }
            lines.push(Line {
                path: PathBuf::from(report.file),
                source,
                offset,
                length,
            });
        }
        offset += length as u64;
    }
    Ok(())
}
