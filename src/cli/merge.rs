//! `hitstop merge`: puts the results of several runs together, as one run over all their files prints them.

use super::find_files::replaces_no_input;
use super::print::write_to;
use super::results::{Results, Style};
use super::{Format, MergeArguments, Status, report_problems};
use crate::core::diagnose::{Changes, Report, SCHEMA};
use crate::core::file::{DataFile, open_file, unreadable};
use crate::core::fleet::Earlier;
use crate::core::problem::{Problem, Problems};
use crate::report::{Checked, LineIndex, json};
use crate::save::Output;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

/// Limit of a line, bytes.
const MAX_LINE: u64 = 1 << 30;

/// The schemas whose reports can be read.
const SCHEMAS: std::ops::RangeInclusive<u32> = 4..=SCHEMA;

/// Help for a file without results.
const HELP: &str = "name files that `hitstop check --format json` wrote";

/// Runs the command and prints the results.
pub fn run(arguments: &MergeArguments) -> Status {
    let style = Style {
        format: Format::or_of(arguments.format, arguments.out.as_deref()),
        is_summary: true,
        is_plain: arguments.out.is_some(),
        fail_on: arguments.fail_on.clone().unwrap_or_default(),
        ..Style::default()
    };
    let (all, earlier) = match read(arguments, style.format) {
        Ok(both) => both,
        Err(problem) => {
            report_problems(&[problem], false);
            return Status::BadInput;
        }
    };
    write_to(arguments.out.as_deref(), &mut |out| {
        all.write(earlier.as_ref(), &style, out)
    })
}

/// The results, and the earlier ones to compare them with.
fn read(
    arguments: &MergeArguments,
    format: Format,
) -> Result<(ResultFiles, Option<ResultFiles>), Problem> {
    if format == Format::Sarif {
        let what = "results have no places in scenes, which SARIF needs";
        let help = "write SARIF with `hitstop check --format sarif`";
        return Err(Problem::new("hitstop merge", what, help));
    }
    let earlier = arguments.against.clone();
    if let Some(out) = &arguments.out {
        let inputs: Vec<PathBuf> = arguments
            .results
            .iter()
            .cloned()
            .chain(earlier.clone())
            .collect();
        replaces_no_input(out, "--out", &inputs)?;
    }
    let earlier = earlier.map(|path| ResultFiles::open(&[path])).transpose()?;
    Ok((ResultFiles::open(&arguments.results)?, earlier))
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

    /// The report of a line, as it was when the results were opened.
    fn report(&self, line: &Line) -> io::Result<Report> {
        let bytes = self.files[line.source].read(line.offset, line.length)?;
        Ok(json::read(&bytes)?)
    }

    /// The report of a path, if there is one of a file that was judged.
    fn find(&self, path: &Path) -> io::Result<Option<Report>> {
        let place = self.lines.binary_search_by(|line| (*line.path).cmp(path));
        let report = place
            .ok()
            .map(|at| self.report(&self.lines[at]))
            .transpose()?;
        Ok(report.filter(|report| report.error.is_empty()))
    }

    /// Writes the results in the order of the paths; findings that earlier results have are known.
    fn write(&self, earlier: Option<&Self>, style: &Style, out: &mut Output) -> io::Result<Status> {
        let mut results = Results::new(style, out)?;
        let mut sums = Earlier::default();
        for line in &self.lines {
            let mut report = self.report(line)?;
            if let Some(earlier) = earlier {
                match earlier.find(&line.path)? {
                    Some(before) => compare(&before, &mut report, &mut sums),
                    None => sums.new_files += 1,
                }
            }
            results.add(checked(report))?;
        }
        if let Some(earlier) = earlier {
            let found = |path: &PathBuf| self.lines.binary_search_by(|line| line.path.cmp(path));
            let missing = earlier
                .lines
                .iter()
                .filter(|line| found(&line.path).is_err());
            sums.missing_files = missing.count();
            results.set_earlier(sums);
        }
        results.finish()
    }
}

/// Marks the findings that the report before has.
fn compare(before: &Report, now: &mut Report, sums: &mut Earlier) {
    let changes = Changes::between(&before.findings, &now.findings);
    sums.fixed += changes.fixed.len();
    sums.unchanged += changes.unchanged;
    for (index, finding) in now.findings.iter_mut().enumerate() {
        finding.known |= changes.new.binary_search(&index).is_err();
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
            Err(error) => return Err(unreadable(&name, &error)),
        };
        let wrong = |what: String, column| Problem::new(&name, what, HELP).at(number, column);
        if length as u64 == MAX_LINE {
            let what = format!("a line is longer than {} MiB", MAX_LINE >> 20);
            return Err(wrong(what, 1));
        }
        if !bytes.trim_ascii().is_empty() {
            let report = json::read(&bytes).map_err(|error| {
                let what = format!("not a result of `hitstop check`: {error}");
                wrong(what, error.column().max(1))
            })?;
            if !SCHEMAS.contains(&report.schema) {
                let (known, schema) = (SCHEMA, report.schema);
                let what = format!("the result has schema {schema}, this program reads {known}");
                return Err(wrong(what, 1));
            }
            if !report.is_consistent() {
                let what = "the frames or indices of the result do not fit together".to_owned();
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
