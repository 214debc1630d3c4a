//! `hitstop report`: one page to attach to a bug, one that plays the recording, or the text of an issue.

use super::issue_text::write_issue;
use super::print::say;
use super::progress::Bar;
use super::{ReadArguments, Status, parse_frames, report_problems};
use crate::core::diagnose::{Options, Report, diagnose};
use crate::core::level::{self, Level};
use crate::core::problem::{Problem, Problems};
use crate::core::scene::DiskFolder;
use crate::report::{html, replay_page};
use crate::save::save_atomic;
use clap::{Args, ValueEnum};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Seconds before and after a finding that its part of the recording has.
const AROUND: f64 = 0.5;
/// Frames of such a part on each side.
const FRAMES: RangeInclusive<f64> = 5.0..=300.0;

/// Endings of a text in Markdown.
const MARKDOWN: &[&str] = &["md", "markdown"];

/// Arguments of `hitstop report`.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// A scene (.ron), a log (.jsonl, .csv, .parquet, .ovd) or an animation (.gltf, .glb)
    pub input: PathBuf,

    /// The page to write: .html; with --format md a folder, which has the text as issue.md
    #[arg(long, value_name = "FILE|DIR")]
    pub out: PathBuf,

    /// A page, or the text of an issue in Markdown with pictures and scenes beside it
    #[arg(long, value_name = "html|md", default_value = "html")]
    pub format: ReportFormat,

    /// A page that plays the recording: orbit, time, time inside the frame, findings; one file without network
    #[arg(long, conflicts_with = "format")]
    pub replay: bool,

    /// Play only these frames, both ends included: A..B, A.. or ..B
    #[arg(long, value_name = "A..B", value_parser = parse_frames, requires = "replay")]
    pub frames: Option<RangeInclusive<u32>>,

    /// Play only the second around the K-th finding, by its number in the text of `check`
    #[arg(long, value_name = "K", requires = "replay", conflicts_with = "frames")]
    pub finding: Option<std::num::NonZeroUsize>,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,

    /// What the files do not say
    #[command(flatten)]
    pub read: ReadArguments,
}

/// `report --format` in the command line's own spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// One HTML page
    Html,
    /// Markdown, in a folder with pictures and scenes
    Md,
}

/// Runs the command. Findings do not change the exit status.
pub fn run(arguments: &ReportArguments) -> Status {
    let bar = Bar::new(!arguments.no_progress);
    let outcome = write(arguments, &bar);
    bar.clear();
    match outcome {
        Ok(said) => {
            said.iter().for_each(|line| say(line));
            Status::Clean
        }
        Err(problems) => {
            report_problems(&problems.0, false);
            Status::BadInput
        }
    }
}

/// Writes what is asked for; returns what to say about it.
fn write(arguments: &ReportArguments, bar: &Bar) -> Result<Vec<String>, Problems> {
    let (input, out) = (&arguments.input, &arguments.out);
    let is_page = arguments.format == ReportFormat::Html;
    match is_page {
        true => require_html(out)?,
        false => require_folder(out)?,
    }
    bar.say("reading");
    let folder = DiskFolder::of(input);
    let level = level::open_with(input, &arguments.read.options(), &folder, bar)?;
    bar.say("diagnosing");
    let Some(mut report) = diagnose(&level, &Options::default(), bar) else {
        unreachable!("nothing here cancels");
    };
    bar.say("comparing fixes");
    report.file = input.display().to_string();
    report.add_level_fixes(&level.replay, bar);
    bar.say("writing");
    let said = match (arguments.replay, is_page) {
        (true, _) => write_replay(arguments, &level, &report)?,
        (false, false) => vec![write_issue(&level, &report, out, bar)?],
        (false, true) => {
            save_atomic(out, html(&level, &report).as_bytes())?;
            Vec::new()
        }
    };
    match level.lost_frames() {
        Some(problem) => Err(problem.into()),
        None => Ok(said),
    }
}

fn has_ending(out: &Path, endings: &[&str]) -> bool {
    let ending = out.extension().unwrap_or_default();
    let mut endings = endings.iter();
    endings.any(|known| ending.eq_ignore_ascii_case(known))
}

fn require_html(out: &Path) -> Result<(), Problem> {
    let help = match has_ending(out, MARKDOWN) {
        true => "write --out report.html; for Markdown, add --format md and name a folder",
        false => "write --out report.html",
    };
    let what = "the output file must end in .html";
    match has_ending(out, &["html", "htm"]) {
        true => Ok(()),
        false => Err(Problem::new(out.display().to_string(), what, help)),
    }
}

/// A folder with the name of a text would be taken for one.
fn require_folder(out: &Path) -> Result<(), Problem> {
    let what = "--format md writes a folder, with pictures and scenes beside the text issue.md";
    let help = "name a folder: --out issue";
    match has_ending(out, MARKDOWN) || has_ending(out, &["html", "htm"]) {
        true => Err(Problem::new(out.display().to_string(), what, help)),
        false => Ok(()),
    }
}

fn write_replay(
    arguments: &ReportArguments,
    level: &Level,
    report: &Report,
) -> Result<Vec<String>, Problems> {
    let frames = played(arguments, level, report)?;
    let page = replay_page(level, report, frames)?;
    save_atomic(&arguments.out, page.html.as_bytes())?;
    let kilobytes = |bytes: usize| bytes.div_ceil(1000);
    let said = format!(
        "wrote {}: {} kB, of which {} kB are the recording",
        arguments.out.display(),
        kilobytes(page.html.len()),
        kilobytes(page.recording)
    );
    Ok([said].into_iter().chain(page.left_out).collect())
}

/// The frames to play.
fn played(
    arguments: &ReportArguments,
    level: &Level,
    report: &Report,
) -> Result<RangeInclusive<u32>, Problem> {
    let replay = &level.replay;
    let last = replay.frames().saturating_sub(1);
    let problem = |what: String| {
        Problem::new(
            report.file.clone(),
            what,
            "see `hitstop check` for what there is",
        )
    };
    if let Some(number) = arguments.finding {
        let finding = report.findings.get(number.get() - 1).ok_or_else(|| {
            problem(format!(
                "there is no finding {number}; there are {}",
                report.findings.len()
            ))
        })?;
        let around = (AROUND / replay.dt(finding.frame))
            .clamp(*FRAMES.start(), *FRAMES.end())
            .ceil() as u32;
        return Ok(finding.frame.saturating_sub(around)
            ..=last.min(finding.last_frame.saturating_add(around)));
    }
    match &arguments.frames {
        Some(frames) if *frames.start() > last => Err(problem(format!(
            "--frames begins after the last frame, {last}"
        ))),
        Some(frames) => Ok(*frames.start()..=last.min(*frames.end())),
        None => Ok(0..=last),
    }
}
