//! The diagnosis of one file of a check.

use super::CheckArguments;
use super::pictures::draw_findings;
use super::progress::Bar;
use super::result_cache::ResultCache;
use crate::core::diagnose::what_if::what_if;
use crate::core::diagnose::{Options, Report, diagnose, with_detection};
use crate::core::level::{self, Level, ReadOptions};
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::Replay;
use crate::core::scene::{DiskFolder, Folder};
use crate::report::{Checked, LineIndex};
use rayon::prelude::*;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Instant;

/// The result of a file: a stored one, or a new one. Without a bar, as one of several, it has no progress of its own.
pub(super) fn check_file(
    file: &Path,
    arguments: &CheckArguments,
    cache: Option<&ResultCache>,
    bar: Option<&Bar>,
) -> Checked {
    let judge = |folder: &dyn Folder| judge(file, folder, arguments, bar);
    let mut checked = match cache {
        Some(cache) => cache.find_or_else(file, judge),
        None => judge(&DiskFolder::of(file)),
    };
    if let (Ok(report), Some(build)) = (&mut checked.outcome, &arguments.build) {
        report.build = Some(build.clone());
    }
    checked
}

/// Opens a file and diagnoses it; `folder` is that of the file.
fn judge(
    file: &Path,
    folder: &dyn Folder,
    arguments: &CheckArguments,
    bar: Option<&Bar>,
) -> Checked {
    let progress: &dyn Progress = match bar {
        Some(bar) => bar,
        None => &(),
    };
    let say = |what: &str| bar.inspect(|bar| bar.say(what));
    let started = Instant::now();
    say("reading");
    let mut line_index = LineIndex::default();
    let frames = arguments.frames.as_ref();
    let options = arguments.read.options();
    let outcome = open(file, &options, folder, frames, progress).and_then(|mut level| {
        if arguments.detection.is_some() && level.replay.recording().is_some() {
            let what = "--detection says nothing about this file";
            let help = "a recording cannot be run again; it is for scenes without one";
            let notice = Problem::new(file.display().to_string(), what, help);
            level.notices.push(notice);
        }
        say("diagnosing");
        let options = Options {
            frames: arguments.frames.clone(),
            detection: arguments.detection.map(Into::into),
            // A baseline is compared with every finding.
            list_all: arguments.baseline.is_some() || arguments.write_baseline.is_some(),
            margins: arguments.has_margins(),
        };
        let Some(mut report) = diagnose(&level, &options, progress) else {
            unreachable!("nothing here cancels");
        };
        let replay = with_detection(&level.replay, options.detection);
        if arguments.format().has_level_fixes() {
            say("comparing fixes");
            report.add_level_fixes(&replay, progress);
        }
        if arguments.what_if {
            say("asking what if");
            add_what_if(&replay, &mut report);
        }
        report.file = file.display().to_string();
        report.seconds = arguments.timing.then(|| started.elapsed().as_secs_f64());
        if arguments.format().has_places() {
            line_index = LineIndex::of(file, &level);
        }
        if let Some(folder) = &arguments.pictures {
            draw_findings(&replay, &report, folder)?;
        }
        complete(&level, report)
    });
    Checked {
        file: file.to_path_buf(),
        outcome,
        line_index,
    }
}

/// Opens a file that can be judged.
fn open(
    file: &Path,
    options: &ReadOptions,
    folder: &dyn Folder,
    frames: Option<&RangeInclusive<u32>>,
    progress: &dyn Progress,
) -> Result<Level, Problems> {
    let level = level::open_with(file, options, folder, progress)?;
    level.require_content()?;
    frames_exist(frames, &level, file)?;
    Ok(level)
}

/// Opens a file and diagnoses it, as `hitstop check` does. `None` when cancelled.
///
/// # Errors
/// If it cannot be used.
pub fn report_of(
    file: &Path,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Option<Report>, Problems> {
    let level = open(
        file,
        &ReadOptions::default(),
        &DiskFolder::of(file),
        options.frames.as_ref(),
        progress,
    )?;
    let Some(report) = diagnose(&level, options, progress) else {
        return Ok(None);
    };
    let report = Report {
        file: file.display().to_string(),
        ..report
    };
    complete(&level, report).map(Some)
}

/// A report of a level, unless frames were lost on the way to it.
fn complete(level: &Level, report: Report) -> Result<Report, Problems> {
    match level.lost_frames() {
        Some(problem) => Err(problem.into()),
        None => Ok(report),
    }
}

/// Adds the what-if result to every finding that has one, in parallel, each on the replay that was diagnosed.
fn add_what_if(replay: &Replay, report: &mut Report) {
    report.findings.par_iter_mut().for_each(|finding| {
        finding.what_if = what_if(replay, finding, &());
    });
}

/// An error for a range outside the level, which must not pass as clean.
fn frames_exist(
    range: Option<&RangeInclusive<u32>>,
    level: &Level,
    file: &Path,
) -> Result<(), Problems> {
    let frames = level.replay.frames();
    let Some(range) = range else {
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
    let help = "name frames of this level, or leave --frames out";
    Err(Problem::new(file.display().to_string(), text, help).into())
}
