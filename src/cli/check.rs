//! `hitstop check`: diagnoses levels and runs their expectations.

use super::baseline::{self, Baseline};
use super::checked::{Checked, LineIndex};
use super::find_files::{find_files, is_log};
use super::junit::junit;
use super::print::{SafeJson, safe_json, safe_xml, write_out, write_out_with};
use super::progress::Bar;
use super::sarif::sarif;
use super::text::{text, total};
use super::{CheckArguments, FailOn, Format, Status, report_problems};
use crate::core::diagnose::what_if::what_if;
use crate::core::diagnose::{Options, Report, diagnose, level_fixes, with_detection};
use crate::core::escape::escaped;
use crate::core::level::{self, Level};
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::{Recording, Replay};
use crate::save::{save_atomic, save_stream};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Runs the command and prints its reports.
pub fn run(arguments: &CheckArguments) -> Status {
    let threads = arguments.jobs.map_or(0, usize::from);
    // An existing pool (in tests) is used.
    let _ = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global();
    let (files, problems) = find_files(&arguments.paths);
    report_problems(&problems, false);
    let list = arguments.write_baseline.as_deref();
    if let Some(Err(problem)) = list.map(|list| baseline::may_write(list, &files)) {
        report_problems(&[problem], false);
        return Status::BadInput;
    }
    let named: BTreeSet<&PathBuf> = arguments.paths.iter().collect();
    let mut status = if problems.is_empty() {
        Status::Clean
    } else {
        Status::BadInput
    };

    let bar = Bar::new(!arguments.no_progress && !arguments.quiet);
    let (logs, scenes): (Vec<_>, Vec<_>) = files.iter().cloned().partition(|file| is_log(file));
    let mut results = check_all(&scenes, arguments, &bar);
    // A log that a scene of the same run replays was checked there, with the scene's shapes and expectations.
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

    let line_index: HashMap<&PathBuf, usize> = files.iter().zip(0..).collect();
    results.sort_by_key(|result| line_index.get(&result.file));
    let unusable = results.iter().any(|result| result.outcome.is_err());
    let listed = compare_with_baseline(&mut results, arguments)
        .and_then(|()| write_baseline(&mut results, arguments, unusable || !problems.is_empty()));
    if let Err(problem) = listed {
        report_problems(&[problem], false);
        status = Status::BadInput;
    }
    status.max(print_all(&results, arguments))
}

/// Marks known findings, and reports those that were not found.
fn compare_with_baseline(
    results: &mut [Checked],
    arguments: &CheckArguments,
) -> Result<(), Problem> {
    let Some(path) = &arguments.baseline else {
        return Ok(());
    };
    let mut baseline = Baseline::read(path)?;
    for report in results
        .iter_mut()
        .filter_map(|result| result.outcome.as_mut().ok())
    {
        baseline.mark(report, |frame| {
            let frames = arguments.frames.as_ref();
            frames.is_none_or(|frames| frames.contains(&frame))
        });
    }
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
    Ok(())
}

/// An incomplete list would lose known findings.
fn write_baseline(
    results: &mut [Checked],
    arguments: &CheckArguments,
    unusable: bool,
) -> Result<(), Problem> {
    let Some(path) = &arguments.write_baseline else {
        return Ok(());
    };
    let name = path.display().to_string();
    if unusable {
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

fn print_note(text: &str) {
    // A closed standard error is ignored.
    let _ = writeln!(anstream::stderr(), "note: {}", escaped(text));
}

/// Diagnoses one open level, as `check FILE` would, and prints it as text.
pub fn print_level(level: &Level) -> Status {
    let Some(mut report) = diagnose(level, &Options::default(), &()) else {
        return Status::Fault;
    };
    add_level_fixes(&level.replay, &mut report, &());
    let fail_on = FailOn::default();
    write_out(text(&report, &fail_on)).max(status_of(&report, &fail_on))
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
    let mut line_index = LineIndex::default();
    let outcome = level::open(file, progress).and_then(|level| {
        let folder = file.parent().unwrap_or(Path::new(""));
        let recording = level.replay.scene().recording.as_ref();
        log = recording.and_then(|name| folder.join(name).canonicalize().ok());
        require_content(&level, file)?;
        frames_exist(arguments, &level, file)?;
        say("diagnosing");
        let options = Options {
            frames: arguments.frames.clone(),
            detection: arguments.detection.map(Into::into),
            // A baseline is compared with every finding.
            list_all: arguments.baseline.is_some() || arguments.write_baseline.is_some(),
        };
        let Some(mut report) = diagnose(&level, &options, progress) else {
            unreachable!("nothing here cancels");
        };
        let replay = with_detection(&level.replay, options.detection);
        if matches!(arguments.format, Format::Text | Format::Json) {
            say("comparing fixes");
            add_level_fixes(&replay, &mut report, progress);
        }
        if arguments.what_if {
            say("asking what if");
            add_what_if(&replay, &mut report);
        }
        report.file = file.display().to_string();
        report.seconds = arguments.timing.then(|| started.elapsed().as_secs_f64());
        if arguments.format == Format::Sarif {
            line_index = LineIndex::of(file, &level);
        }
        Ok(report)
    });
    Checked {
        file: file.to_path_buf(),
        outcome,
        line_index,
        log,
    }
}

/// Adds the what-if result to every finding that has one, in parallel, each on the replay that was diagnosed.
fn add_what_if(replay: &Replay, report: &mut Report) {
    report.findings.par_iter_mut().for_each(|finding| {
        finding.what_if = what_if(replay, finding, &());
    });
}

/// Adds the changes that fix most, on the replay that was diagnosed.
pub(super) fn add_level_fixes(replay: &Replay, report: &mut Report, progress: &dyn Progress) {
    report.level_fixes = level_fixes(replay, report, progress).unwrap_or_default();
}

/// Writes the report of an open level to a file, as `check` prints it, in the format of the file's extension: `.json`, `.sarif`
/// or `.xml` (JUnit).
///
/// # Errors
/// For another extension, or if the file cannot be written.
pub fn write_findings(
    level: &Level,
    mut report: Report,
    path: &Path,
    progress: &dyn Progress,
) -> Result<(), Problems> {
    let failed = |what, help| Problem::new(path.display().to_string(), what, help);
    let file = PathBuf::from(&report.file);
    let checked = |report| Checked {
        line_index: LineIndex::of(&file, level),
        file: file.clone(),
        outcome: Ok(report),
        log: None,
    };
    let fail_on = FailOn::default();
    let extension = path.extension().and_then(|extension| extension.to_str());
    let document = match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("json") => {
            add_level_fixes(&level.replay, &mut report, progress);
            return Ok(save_stream(path, |out| write_json(&report, out))?);
        }
        Some("sarif") => {
            sarif(&[checked(report)], &fail_on, None).map(|text| safe_json(&text).into_owned())
        }
        Some("xml") => junit(&[checked(report)], &fail_on).map(|text| safe_xml(&text).into_owned()),
        _ => {
            let help = "name the file .json, .sarif or .xml";
            return Err(failed("unsupported output format", help).into());
        }
    };
    let document = document.ok_or_else(|| failed("the findings could not be written", ""))?;
    Ok(save_atomic(path, document.as_bytes())?)
}

/// Writes a report as one line of JSON.
fn write_json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    serde_json::to_writer(SafeJson(&mut out), report)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// An error for a range outside the level, which must not pass as clean.
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
    let help = "name frames of this level, or leave --frames out";
    Err(Problem::new(file.display().to_string(), text, help).into())
}

/// An error for a level without content, which must not pass as clean.
pub(super) fn require_content(level: &Level, file: &Path) -> Result<(), Problems> {
    let replay = &level.replay;
    let recording = replay.recording();
    let is_bare = |recording: &Recording| {
        recording.data.totals().bodies == 0
            && recording.frames.iter().all(|one| one.camera.is_none())
    };
    let (what, help) = if replay.objects().is_empty() && recording.is_some() {
        (
            "the log names no object, so nothing can be judged",
            "list the objects in the header: {\"id\": 0, \"shape\": {..}}",
        )
    } else if replay.objects().is_empty() {
        (
            "the scene has no objects, so nothing can be judged",
            "add objects, or name a `recording` that has some",
        )
    } else if replay.frames() == 0 {
        (
            "no frame can be judged: the log has a single state",
            "write a line for every frame, with the bodies that the header names",
        )
    } else if recording.is_some_and(|recording| is_bare(recording)) {
        (
            "no frame of the log has a body or a camera, so nothing can be judged",
            "write the bodies into each frame: \"bodies\": [{\"id\": 0, \"p\": [0, 0, 0]}]",
        )
    } else {
        return Ok(());
    };
    let mut problems: Vec<Problem> = level.notices.clone();
    problems.push(Problem::new(file.display().to_string(), what, help));
    Err(Problems(problems))
}

/// Prints the reports in the format asked for; returns the worst status among them.
fn print_all(results: &[Checked], arguments: &CheckArguments) -> Status {
    let fail_on = arguments.fail_on.clone().unwrap_or_default();
    let mut status = Status::Clean;
    for result in results {
        status = status.max(match &result.outcome {
            Ok(report) => {
                report.notices.iter().for_each(|notice| print_note(notice));
                status_of(report, &fail_on)
            }
            Err(problems) => {
                report_problems(&problems.0, false);
                Status::BadInput
            }
        });
        if let Ok(report) = &result.outcome
            && !(arguments.quiet && status_of(report, &fail_on) == Status::Clean)
        {
            status = status.max(match arguments.format {
                Format::Text => write_out(text(report, &fail_on)),
                Format::Json => write_out_with(&mut |out| write_json(report, out)),
                Format::Junit | Format::Sarif => Status::Clean,
            });
        }
    }
    let baseline = arguments
        .baseline
        .as_ref()
        .or(arguments.write_baseline.as_ref());
    let baseline = baseline.map(|path| path.display().to_string());
    let document = match arguments.format {
        Format::Text if results.len() > 1 && !(arguments.quiet && status == Status::Clean) => {
            let reports = results
                .iter()
                .filter_map(|result| result.outcome.as_ref().ok());
            let reports: Vec<&Report> = reports.collect();
            let unusable = results.len() - reports.len();
            return status.max(write_out(total(&reports, unusable)));
        }
        Format::Text | Format::Json => return status,
        Format::Junit => junit(results, &fail_on).map(|text| safe_xml(&text).into_owned()),
        Format::Sarif => {
            sarif(results, &fail_on, baseline.as_deref()).map(|text| safe_json(&text).into_owned())
        }
    };
    document.map_or(Status::Fault, |document| status.max(write_out(&document)))
}

fn status_of(report: &Report, fail_on: &FailOn) -> Status {
    let found = report
        .findings
        .iter()
        .any(|finding| !finding.is_accepted() && fail_on.0.contains(&finding.kind))
        || report
            .findings
            .beyond()
            .any(|kind| fail_on.0.contains(&kind));
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
