//! The command line: its arguments, and the commands that need no window.
//!
//! Reports go to standard output, progress and errors to standard error. Exit status: 0 nothing to report; 1 findings, failed
//! expectations, levels or runs that differ, or a value or revision that was not found; 2 unusable input or output that cannot be written; 3 internal error.

mod baseline;
pub mod check;
mod check_file;
pub mod compare;
pub mod convert;
mod find_files;
mod format;
mod issue_text;
pub mod leaks;
pub mod listen;
mod listen_http;
pub mod manual;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod merge;
mod pictures;
mod print;
mod problems;
mod progress;
mod read_arguments;
pub mod report;
pub mod repro;
mod result_cache;
mod results;
pub mod runs;
mod shard;
mod summary;
mod text;
pub mod why;

pub use format::Format;
pub use problems::report_problems;
pub use read_arguments::{ReadArguments, UnitArguments, UpArgument};
pub use result_cache::PROGRAM_FILE;
pub use shard::Shard;

use crate::core::log::LIVE_PORT;
use crate::core::scene::Detection;
use crate::report::FailOn;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::net::{IpAddr, Ipv4Addr};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Exit status of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Nothing to report.
    Clean = 0,
    /// Findings, or expectations that failed.
    Findings = 1,
    /// Unusable input, or output that cannot be written.
    BadInput = 2,
    /// Internal error.
    Fault = 3,
}

impl From<Status> for std::process::ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// The collision replay debugger.
///
/// Opens a recorded level or a scene, steps it frame by frame and inside the frame, and shows what collision detection found,
/// what it missed, and why.
#[derive(Debug, Parser)]
#[command(
    name = "hitstop",
    version,
    about,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub struct Arguments {
    /// A scene (.ron), a log (.jsonl, .csv, .parquet, .ovd) or an animation (.gltf, .glb) to open in the window; without one, the start page
    pub file: Option<PathBuf>,

    /// Further ones, up to eight, with which the window compares the first
    #[arg(value_name = "OTHER", num_args = 0..=8)]
    pub compared: Vec<PathBuf>,

    /// When to colour the output
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: Color,

    /// Command to run instead of opening the window
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Command to run instead of opening the window.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Diagnose scenes and logs and check their expectations; needs no display
    Check(CheckArguments),
    /// Put the results of several runs of check together, in the order of the files
    ///
    /// The exit status is that of one run over all files.
    Merge(MergeArguments),
    /// Compare two levels: where each object first differs, and by how much
    ///
    /// The exit status is 0 when nothing differs and 1 when something does.
    Compare(CompareArguments),
    /// Write the findings of a level as one HTML page with plots and drawings
    Report(report::ReportArguments),
    /// Write a shell's completions to standard output
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual page to standard output
    Man,
    /// Convert a log to JSON Lines, CSV, Parquet or glTF, or a log, one frame of it or a mesh file to a scene
    Convert(ConvertArguments),
    /// Find the values of parameters at which your program has a finding no more
    ///
    /// Runs the program with a value, judges what it records, and starts from the values that diagnosis names. The exit status is 0 when a value is
    /// found and confirmed, and 1 when not.
    Tune(runs::TuneArguments),
    /// Run your program several times and compare its logs: the first frame, object and field that differ
    ///
    /// The exit status is 0 when all are equal to the bit, and 1 when not.
    Determinism(runs::DeterminismArguments),
    /// Find the first revision of your program that has a finding
    ///
    /// Works in a git worktree of its own. The exit status is 0 when the revision is found, and 1 when it cannot be told.
    Bisect(runs::BisectArguments),
    /// Shrink a level to one finding, and write it as a program of an engine, as a log or as a scene
    ///
    /// The exit status is 1 when the finding does not stay in a smaller log.
    Repro(repro::ReproArguments),
    /// Find the places where a mover passes the fixed surfaces of a level, before anyone does
    ///
    /// The exit status is 0 when every mover is held at its speed, and 1 when not.
    Leaks(leaks::LeaksArguments),
    /// Say why an object is where it is: what changed its motion, back to where it begins or to a change without a reason
    Why(why::WhyArguments),
    /// Answer a coding assistant over the Model Context Protocol, on standard input and output
    #[cfg(feature = "mcp")]
    Mcp(mcp::McpArguments),
    /// Receive recordings from running games, and show them as they arrive
    ///
    /// A recorder connects and sends the lines of a log: see docs/record.md. Without a window, findings are printed as they happen, and the
    /// report at the end.
    Listen(ListenArguments),
}

/// Arguments of `hitstop listen`.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("windowless").args(["once", "no_window"]).multiple(true))]
#[command(mut_arg("unit", |unit| unit.requires("windowless")), mut_arg("up", |up| up.requires("windowless")))]
pub struct ListenArguments {
    /// Port of this machine
    #[arg(long, value_name = "N", default_value_t = LIVE_PORT)]
    pub port: u16,

    /// Address of this machine; with another than the loopback address, programs of other machines can connect
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub host: IpAddr,

    /// Also receive recordings of web pages of this machine, at http://127.0.0.1:PORT
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "9741")]
    pub http: Option<u16>,

    /// Receive those of other pages, too: `https://game.example`, or `null` for pages that are files
    #[arg(long, value_name = "URL", requires = "http")]
    pub origin: Vec<String>,

    /// Open no window
    #[arg(long)]
    pub no_window: bool,

    /// End after the first recording, with the exit status of `check`; opens no window
    #[arg(long)]
    pub once: bool,

    /// Write the recording to this file: .jsonl, .csv, .parquet, .jsonl.zst or .jsonl.gz
    #[arg(long, value_name = "FILE", requires = "once")]
    pub save: Option<PathBuf>,

    /// What a recording of PhysX does not say; without a window
    #[command(flatten)]
    pub read: UnitArguments,
}

/// Arguments of `hitstop check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Scenes, logs, folders of them, or quoted patterns such as "recordings/**/*.jsonl.zst"
    #[arg(required_unless_present = "files_from", value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,

    /// Also check the files that this file lists, one path a line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,

    /// Print the files that would be checked, one path a line, and check none
    #[arg(long, conflicts_with_all = ["write_baseline", "summary", "format"])]
    pub list: bool,

    /// Output format [default: by the ending of --out, else text]
    #[arg(long)]
    pub format: Option<Format>,

    /// Kinds of finding that make the exit status 1, separated by commas; `none` for no kind [default: all except Clips and
    /// StartsInside]. `margin>0.9`: also a closest call above this share of its limit. Failed expectations always do, findings that the
    /// scene expects never do
    #[arg(long, value_name = "KIND[,KIND]|none|margin>SHARE", value_parser = FailOn::parse, value_hint = ValueHint::Other)]
    pub fail_on: Option<FailOn>,

    /// Findings in this list do not fail; entries without a finding are reported
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write the findings of this run to a list for --baseline; they do not fail
    #[arg(long, value_name = "FILE", conflicts_with_all = ["frames", "shard"])]
    pub write_baseline: Option<PathBuf>,

    /// Run scenes with this detection instead of their own; recordings cannot be run again
    #[arg(long, value_name = "overlap|sweep")]
    pub detection: Option<DetectionArgument>,

    /// Check only these frames, both ends included: A..B, A.. or ..B
    #[arg(long, value_name = "A..B", value_parser = parse_frames)]
    pub frames: Option<RangeInclusive<u32>>,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// For each finding, the smallest change of dt, substeps, speed, radius and thickness that removes it
    #[arg(long)]
    pub what_if: bool,

    /// How close the pairs without a finding came to one: the ten closest, all in json
    #[arg(long)]
    pub margins: bool,

    /// Draw the findings of each file into this folder, as SVG and PNG: the 50 of most harm
    #[arg(long, value_name = "DIR", conflicts_with_all = ["cache", "list"])]
    pub pictures: Option<PathBuf>,

    /// Print the time per file; the output of two runs then differs
    #[arg(long)]
    pub timing: bool,

    /// Print nothing for a file without findings or failed expectations (text and json)
    #[arg(long, short)]
    pub quiet: bool,

    /// Print the evidence of each finding, as JSON has it (text)
    #[arg(long, short)]
    pub verbose: bool,

    /// Write the output to this file, when all is done, instead of to standard output
    #[arg(long, value_name = "FILE", required_if_eq("format", "parquet"), value_parser = format::output_path())]
    pub out: Option<PathBuf>,

    /// Check only one of N parts of about the same size, counted from 1; which files are in it depends on their content alone
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    pub shard: Option<Shard>,

    /// Keep results in this folder: files that have not changed since are not read again, and an interrupted run goes on
    #[arg(long, value_name = "DIR", conflicts_with = "timing")]
    pub cache: Option<PathBuf>,

    /// Version of the recorded program, in place of that of the logs
    #[arg(long, value_name = "NAME")]
    pub build: Option<String>,

    /// Print the sums over all files in place of the report of each (text)
    #[arg(long)]
    pub summary: bool,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,

    /// What the files do not say
    #[command(flatten)]
    pub read: ReadArguments,
}

impl CheckArguments {
    /// The output format.
    fn format(&self) -> Format {
        Format::or_of(self.format, self.out.as_deref())
    }

    /// Whether closest calls are asked for.
    fn has_margins(&self) -> bool {
        let gate = self.fail_on.as_ref().and_then(|it| it.margin);
        self.margins || gate.is_some()
    }
}

/// Arguments of `hitstop merge`.
#[derive(Debug, Args)]
pub struct MergeArguments {
    /// Files that check --format json wrote; a file that is in several counts once, as in the last
    #[arg(required = true, value_name = "RESULTS")]
    pub results: Vec<PathBuf>,

    /// Output format; text is the summary [default: by the ending of --out, else text]
    #[arg(long)]
    pub format: Option<Format>,

    /// Earlier results: findings that they have are marked as known and do not fail
    #[arg(long, value_name = "RESULTS")]
    pub against: Option<PathBuf>,

    /// Write the output to this file, when all is done, instead of to standard output
    #[arg(long, value_name = "FILE", required_if_eq("format", "parquet"), value_parser = format::output_path())]
    pub out: Option<PathBuf>,

    /// Kinds of finding that make the exit status 1, as for check
    #[arg(long, value_name = "KIND[,KIND]|none", value_parser = FailOn::parse, value_hint = ValueHint::Other)]
    pub fail_on: Option<FailOn>,
}

/// Arguments of `hitstop compare`.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// A scene (.ron), a log (.jsonl, .csv, .parquet, .ovd) or an animation (.gltf, .glb)
    pub a: PathBuf,

    /// The scene or log to compare with; `hitstop A B` compares both in the window
    #[arg(required_unless_present = "other_detection")]
    pub b: Option<PathBuf>,

    /// Compare a scene with itself, run with the other detection (overlap or sweep)
    #[arg(long, conflicts_with = "b")]
    pub other_detection: bool,

    /// Metres by which positions may differ and count as equal; 0 requires equal bits
    #[arg(long, value_name = "METRES", default_value_t = 0.0, value_parser = parse_tolerance)]
    pub tolerance: f64,

    /// Radians by which rotations may differ and count as equal; 0 requires equal bits
    #[arg(long, value_name = "RADIANS", default_value_t = 0.0, value_parser = parse_tolerance)]
    pub angle: f64,

    /// Compare by frame number, time or tick of the network [default: tick where both log the value `tick`, else frame, unless the time steps differ]
    #[arg(long, value_name = "frame|time|tick")]
    pub by: Option<Alignment>,

    /// Compare each moment with one so many frames, seconds or ticks later
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0.0,
        allow_negative_numbers = true,
        value_parser = parse_offset
    )]
    pub offset: f64,

    /// Output format
    #[arg(long, default_value = "text")]
    pub format: PlainFormat,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,
}

/// `--by` in the command line's own spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Alignment {
    /// Frame n with frame n
    Frame,
    /// States at the same time
    Time,
    /// States at the same tick of the network
    Tick,
}

/// How to print a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlainFormat {
    /// Text for reading
    Text,
    /// One JSON object
    Json,
}

/// Arguments of `hitstop convert`.
#[derive(Debug, Args)]
pub struct ConvertArguments {
    /// A log (.jsonl, .csv, .parquet, .ovd) or an animation (.gltf, .glb), or a mesh file (.obj, .gltf, .glb) to convert to a scene
    pub input: PathBuf,

    /// The file to write: .jsonl, .csv, .parquet, .glb or .ron; .jsonl.zst and .jsonl.gz are compressed
    pub output: PathBuf,

    /// Write a scene of this frame only (with a .ron output)
    #[arg(long, value_name = "N", value_parser = parse_frame)]
    pub frame: Option<u32>,

    /// Write a scene of these two objects only, in the frame of their first finding or in --frame
    #[arg(long, value_name = "A,B")]
    pub pair: Option<String>,

    /// Write a scene of the K-th finding, by its number in the text of `check`, which is from 1 on its place in JSON
    #[arg(long, value_name = "K", conflicts_with_all = ["frame", "pair"])]
    pub finding: Option<std::num::NonZeroUsize>,

    /// What the files do not say
    #[command(flatten)]
    pub read: ReadArguments,
}

/// When to colour the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal with colours, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Makes it the choice of every stream of the program.
    pub fn apply(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// `--detection` in the command line's own spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DetectionArgument {
    /// Overlap tests at the ends of frames
    Overlap,
    /// Sweeps inside the frame
    Sweep,
}

impl From<DetectionArgument> for Detection {
    fn from(argument: DetectionArgument) -> Self {
        match argument {
            DetectionArgument::Overlap => Self::Overlap,
            DetectionArgument::Sweep => Self::Sweep,
        }
    }
}

fn parse_tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|number| number.is_finite() && *number >= 0.0)
        .ok_or_else(|| format!("invalid tolerance \"{text}\": expected a number >= 0"))
}

fn parse_offset(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|number| number.is_finite())
        .ok_or_else(|| format!("invalid offset \"{text}\": expected a number"))
}

fn parse_frame(text: &str) -> Result<u32, String> {
    let invalid = || format!("invalid frame \"{text}\": expected an integer >= 0");
    text.parse().map_err(|_| invalid())
}

/// The frames that `--frames` names: A..B, A.. or ..B, both ends included.
///
/// # Errors
/// With what is expected, for other text.
pub fn parse_frames(text: &str) -> Result<RangeInclusive<u32>, String> {
    let invalid =
        || format!("invalid frame range \"{text}\": expected A..B, A.. or ..B with integers >= 0");
    let (first, last) = text.split_once("..").ok_or_else(invalid)?;
    let number = |digits: &str, open: u32| {
        if digits.is_empty() {
            Ok(open)
        } else {
            digits.parse::<u32>().map_err(|_| invalid())
        }
    };
    let (first, last) = (number(first, 0)?, number(last, u32::MAX)?);
    if first > last {
        return Err(format!(
            "invalid frame range {text}: the end is before the start"
        ));
    }
    Ok(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn frames_are_read_with_open_ends() {
        assert_eq!(parse_frames("3..7"), Ok(3..=7));
        assert_eq!(parse_frames("3.."), Ok(3..=u32::MAX));
        assert_eq!(parse_frames("..7"), Ok(0..=7));
        assert!(parse_frames("7..3").is_err());
        assert!(parse_frames("7").is_err());
        assert!(parse_frames("-1..2").is_err());
    }
}
