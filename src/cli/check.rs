//! `hitstop check`: diagnoses levels and runs their expectations.

use super::find_files::{find_files, is_log};
use super::progress::Bar;
use super::text::text;
use super::{CheckArguments, FailOn, Format, Status, complain};
use crate::core::diagnose::{Options, Report, diagnose};
use crate::core::level::{self, Level};
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Runs the command and prints its reports.
pub fn run(arguments: &CheckArguments) -> Status {
    let threads = arguments.jobs.map_or(0, usize::from);
    // A pool that is already there (in tests) serves as well.
    let _ = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global();
    let asked = arguments.fail_on.iter().flat_map(|kinds| &kinds.0);
    for kind in asked.filter(|kind| !kind.is_found()) {
        let name = kind.name();
        let _ = writeln!(anstream::stderr(), "note: this version cannot find {name}");
    }
    let (files, problems) = find_files(&arguments.paths);
    complain(&problems, false);
    let named: BTreeSet<&PathBuf> = arguments.paths.iter().collect();
    let mut status = if problems.is_empty() {
        Status::Clean
    } else {
        Status::BadInput
    };

    let bar = Bar::new(!arguments.no_progress && !arguments.quiet);
    let (logs, scenes): (Vec<_>, Vec<_>) = files.iter().cloned().partition(|file| is_log(file));
    let mut results = check_all(&scenes, arguments, &bar);
    // A log that a scene of the same run replays has been judged there, with the scene's shapes and expectations.
    let replayed: BTreeSet<PathBuf> = results
        .iter()
        .filter_map(|result| result.log.clone())
        .collect();
    let replayed_by_a_scene = |log: &PathBuf| {
        log.canonicalize()
            .is_ok_and(|path| replayed.contains(&path))
    };
    let logs: Vec<_> = logs
        .into_iter()
        .filter(|log| named.contains(log) || !replayed_by_a_scene(log))
        .collect();
    results.extend(check_all(&logs, arguments, &bar));
    bar.clear();

    results.sort_by_key(|result| files.iter().position(|file| *file == result.file));
    let fail_on = arguments.fail_on.clone().unwrap_or_default();
    for result in &results {
        status = status.max(print(result, arguments, &fail_on));
    }
    status
}

/// Judges one level that is already open, as `check FILE` would, and prints it as text.
pub fn print_level(level: &Level) -> Status {
    let started = Instant::now();
    let Some(mut report) = diagnose(level, &Options::default(), &()) else {
        return Status::Fault;
    };
    report.seconds = started.elapsed().as_secs_f64();
    let fail_on = FailOn::default();
    write_out(&text(&report, &fail_on));
    status_of(&report, &fail_on)
}

/// What became of one file.
struct Checked {
    file: PathBuf,
    outcome: Result<Report, Problems>,
    /// The log that the file, a scene, replays.
    log: Option<PathBuf>,
}

fn check_all(files: &[PathBuf], arguments: &CheckArguments, bar: &Bar) -> Vec<Checked> {
    if let [file] = files {
        return vec![check_file(file, arguments, bar, Some(bar))];
    }
    let done = AtomicUsize::new(0);
    files
        .par_iter()
        .map(|file| {
            let checked = check_file(file, arguments, &(), None);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            bar.say("checking");
            bar.report(done as u64, files.len() as u64);
            checked
        })
        .collect()
}

fn check_file(
    file: &Path,
    arguments: &CheckArguments,
    progress: &dyn Progress,
    bar: Option<&Bar>,
) -> Checked {
    let say = |what: &str| bar.inspect(|bar| bar.say(what));
    let started = Instant::now();
    say("reading");
    let mut log = None;
    let outcome = level::open(file, progress).and_then(|level| {
        let folder = file.parent().unwrap_or(Path::new(""));
        let recording = level.replay.scene().recording.as_ref();
        log = recording.and_then(|name| folder.join(name).canonicalize().ok());
        frames_exist(arguments, &level, file)?;
        say("diagnosing");
        let options = Options {
            frames: arguments.frames.clone(),
            detection: arguments.detection.map(Into::into),
        };
        let Some(mut report) = diagnose(&level, &options, progress) else {
            unreachable!("nothing here cancels");
        };
        report.file = file.display().to_string();
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    });
    Checked {
        file: file.to_path_buf(),
        outcome,
        log,
    }
}

/// A range that holds none of the level's frames judges nothing, which must not look like a clean level.
fn frames_exist(arguments: &CheckArguments, level: &Level, file: &Path) -> Result<(), Problems> {
    let frames = level.replay.frames();
    let Some(range) = &arguments.frames else {
        return Ok(());
    };
    if *range.start() < frames {
        return Ok(());
    }
    let text = match frames.checked_sub(1) {
        Some(last) => format!(
            "--frames begins with {}, but the level's frames are 0 to {last}",
            range.start()
        ),
        None => "--frames asks for frames, but the level has a single state".to_owned(),
    };
    let mend = "name frames of this level, or leave --frames out";
    Err(Problem::new(file.display().to_string(), text, mend).into())
}

fn print(checked: &Checked, arguments: &CheckArguments, fail_on: &FailOn) -> Status {
    let report = match &checked.outcome {
        Ok(report) => report,
        Err(problems) => {
            complain(&problems.0, false);
            return Status::BadInput;
        }
    };
    let status = status_of(report, fail_on);
    for notice in &report.notices {
        // A closed standard error leaves nobody to tell.
        let _ = writeln!(anstream::stderr(), "note: {notice}");
    }
    if arguments.quiet && status == Status::Clean {
        return status;
    }
    match arguments.format {
        Format::Text => write_out(&text(report, fail_on)),
        Format::Json => match serde_json::to_string(report) {
            Ok(json) => write_out(&format!("{json}\n")),
            Err(_) => return Status::Fault,
        },
    }
    status
}

fn status_of(report: &Report, fail_on: &FailOn) -> Status {
    let found = report
        .findings
        .iter()
        .any(|finding| !finding.expected && fail_on.0.contains(&finding.kind));
    let failed = report
        .expectations
        .iter()
        .any(|expectation| !expectation.passed);
    if found || failed {
        Status::Findings
    } else {
        Status::Clean
    }
}

/// Prints, and does not mind when the reader has gone (`hitstop check .. | head`).
fn write_out(text: &str) {
    let _ = anstream::stdout().write_all(text.as_bytes());
}
