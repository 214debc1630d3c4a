//! `hitstop check`: diagnoses levels and runs their expectations.

use super::baseline::{self, Baseline};
use super::check_file::check_file;
pub use super::check_file::report_of;
use super::find_files::{find_files, read_list, replaces_no_input, replayed_logs};
use super::print::{print_note, write_out, write_to};
use super::progress::Bar;
use super::result_cache::ResultCache;
use super::results::{Results, Style, status_of};
use super::text::{columns, text};
use super::{CheckArguments, Status, report_problems};
use crate::core::diagnose::{Options, diagnose};
use crate::core::escape::for_log;
use crate::core::file::hash_of_file;
use crate::core::level::Level;
use crate::core::number::count_of;
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use crate::report::{Checked, FailOn};
use crate::save::Output;
use rayon::prelude::*;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files whose results are in memory, for each thread: the next ones are not begun before these are written.
const WINDOW: usize = 4;

/// Runs the command and prints its reports.
pub fn run(arguments: &CheckArguments) -> Status {
    let threads = arguments.jobs.map_or(0, usize::from);
    // An existing pool (in tests) is used.
    let _ = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global();
    let mut run = match Run::new(arguments) {
        Ok(run) => run,
        Err(problem) => {
            report_problems(&[problem], false);
            return Status::BadInput;
        }
    };
    if arguments.list {
        let written = write_to(arguments.out.as_deref(), &mut |out| {
            for file in &run.files {
                writeln!(out, "{}", file.display())?;
            }
            Ok(Status::Clean)
        });
        return run.status.max(written);
    }
    let list = arguments.baseline.as_ref();
    let list = list.or(arguments.write_baseline.as_ref());
    let style = Style {
        format: arguments.format(),
        is_summary: arguments.summary,
        quiet: arguments.quiet,
        verbose: arguments.verbose,
        is_plain: arguments.out.is_some(),
        fail_on: arguments.fail_on.clone().unwrap_or_default(),
        baseline: list.map(|path| path.display().to_string()),
    };
    let written = write_to(arguments.out.as_deref(), &mut |out| run.write(&style, out));
    run.status.max(written)
}

/// Checks that an output replaces no input, no other output, and no file of another kind.
fn may_write(arguments: &CheckArguments, files: &[PathBuf]) -> Result<(), Problem> {
    let list = arguments.files_from.iter().cloned();
    let mut inputs: Vec<PathBuf> = files.iter().cloned().chain(list).collect();
    if let Some(list) = &arguments.write_baseline {
        baseline::may_write(list, &inputs)?;
    }
    let baselines = [&arguments.baseline, &arguments.write_baseline];
    inputs.extend(baselines.into_iter().flatten().cloned());
    match &arguments.out {
        Some(out) => replaces_no_input(out, "--out", &inputs),
        None => Ok(()),
    }
}

/// A run over files.
struct Run<'r> {
    arguments: &'r CheckArguments,
    files: Vec<PathBuf>,
    cache: Option<ResultCache>,
    baseline: Option<Baseline>,
    /// The worst so far of what is no result of a file.
    status: Status,
}

impl<'r> Run<'r> {
    /// Finds the files of a run. Arguments that cannot be used are reported, if there are others.
    fn new(arguments: &'r CheckArguments) -> Result<Self, Problem> {
        let list = arguments.files_from.as_deref();
        let listed = list.map(read_list).transpose()?.unwrap_or_default();
        let paths: Vec<PathBuf> = arguments.paths.iter().cloned().chain(listed).collect();
        let found = find_files(&paths);
        if found.results > 0 {
            print_note(&count_of(
                found.results,
                "result of `hitstop check` is left out, as it is not a level",
                "results of `hitstop check` are left out, as they are not levels",
            ));
        }
        report_problems(&found.problems, false);
        may_write(arguments, &found.files)?;
        let cache = arguments.cache.as_deref();
        let cache = cache.map(|folder| ResultCache::open(folder, arguments));
        let cache = cache.transpose()?;
        let replayed = replayed_logs(&found.files);
        let mut files = found.files;
        if let Some(shard) = arguments.shard {
            files = shard.select(files, &replayed, &|file| match &cache {
                Some(cache) => cache.hash(file),
                None => Some(hash_of_file(file)?.to_hex().to_string()),
            });
        }
        // A log that a scene of the same run replays is checked there, with the scene's shapes and expectations.
        files.retain(|file| found.named.contains(file) || !replayed.contains_key(file));
        Ok(Self {
            arguments,
            files,
            cache,
            baseline: arguments
                .baseline
                .as_deref()
                .map(Baseline::read)
                .transpose()?,
            status: match found.problems.is_empty() {
                true => Status::Clean,
                false => Status::BadInput,
            },
        })
    }

    /// Checks the files and writes their results in order; returns the worst status of them.
    fn write(&mut self, style: &Style, out: &mut Output) -> io::Result<Status> {
        let bar = Bar::new(!self.arguments.no_progress && !self.arguments.quiet);
        let mut results = Results::new(style, out)?;
        // Findings are marked as known once the list of them is written.
        let window = match self.arguments.write_baseline {
            Some(_) => self.files.len().max(1),
            None => WINDOW * rayon::current_num_threads(),
        };
        let done = AtomicUsize::new(0);
        for files in self.files.chunks(window) {
            let mut checked = self.check(files, &done, &bar);
            if let Some(baseline) = &mut self.baseline {
                mark_known(baseline, &mut checked, self.arguments);
            }
            if let Err(problem) = write_baseline(&mut checked, self.arguments, self.status) {
                report_problems(&[problem], false);
                self.status = Status::BadInput;
            }
            bar.suspend(|| checked.into_iter().try_for_each(|one| results.add(one)))?;
        }
        bar.clear();
        self.baseline.iter().for_each(report_missing);
        results.finish()
    }

    /// Checks some of the files side by side.
    fn check(&self, files: &[PathBuf], done: &AtomicUsize, bar: &Bar) -> Vec<Checked> {
        let cache = self.cache.as_ref();
        if let [file] = &self.files[..] {
            return vec![check_file(file, self.arguments, cache, Some(bar))];
        }
        files
            .par_iter()
            .map(|file| {
                let checked = check_file(file, self.arguments, cache, None);
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                bar.say("checking");
                bar.report(done as u64, self.files.len() as u64);
                checked
            })
            .collect()
    }
}

/// Marks the findings that a list has.
fn mark_known(baseline: &mut Baseline, results: &mut [Checked], arguments: &CheckArguments) {
    let reports = results.iter_mut();
    for report in reports.filter_map(|result| result.outcome.as_mut().ok()) {
        baseline.mark(report, |frame| {
            let frames = arguments.frames.as_ref();
            frames.is_none_or(|frames| frames.contains(&frame))
        });
    }
}

/// Reports the entries of a list that were not found.
fn report_missing(baseline: &Baseline) {
    for missing in baseline.missing() {
        let pair = [&*missing.a, &*missing.b].join(" → ");
        print_note(&format!(
            "listed in {} but not found: {} {} {} in frame {} of {}; update the list with --write-baseline",
            baseline.name,
            missing.kind,
            missing.cause,
            pair.trim_end_matches(" → "),
            missing.frame,
            missing.file
        ));
    }
}

/// Writes the list of known findings, if one is asked for. An incomplete list would lose known findings.
fn write_baseline(
    results: &mut [Checked],
    arguments: &CheckArguments,
    status: Status,
) -> Result<(), Problem> {
    let Some(path) = &arguments.write_baseline else {
        return Ok(());
    };
    let name = path.display().to_string();
    if status != Status::Clean || results.iter().any(|result| result.outcome.is_err()) {
        let what = "the list was not written, as not every input could be used";
        return Err(Problem::new(name, what, "fix the input, or leave it out"));
    }
    let reports = results
        .iter_mut()
        .filter_map(|result| result.outcome.as_mut().ok());
    let number = baseline::write(path, reports)?;
    let listed = if number == 1 {
        "finding is"
    } else {
        "findings are"
    };
    print_note(&format!("{number} {listed} listed in {name}"));
    Ok(())
}

/// Diagnoses one open level, as `check FILE` would, and prints it as text.
pub fn print_level(level: &Level) -> Status {
    let Some(mut report) = diagnose(level, &Options::default(), &()) else {
        return Status::Fault;
    };
    report.add_level_fixes(&level.replay, &());
    let fail_on = FailOn::default();
    let text = text(&report, &fail_on, (columns(), false));
    write_out(&*for_log(&text)).max(status_of(&report, &fail_on))
}
