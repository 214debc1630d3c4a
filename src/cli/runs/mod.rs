//! `hitstop tune`, `determinism` and `bisect`: commands that run the user's program.

mod text;

use super::print::{say, write_out};
use super::progress::Bar;
use super::{PlainFormat, ReadArguments, Status};
use crate::core::escape::{escaped, for_log};
use crate::interrupt;
use crate::report::safe_json;
use crate::run::{
    self, BisectSettings, Failure, Parameter, Pattern, Phase, Program, RESERVED, Revisions,
    Template, TuneSettings, Watch,
};
use clap::{ArgGroup, Args};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Version of what `--format json` prints.
const JSON_VERSION: u32 = 1;
/// Limit of the runs of one value.
const MOST_RUNS: i64 = 100_000;

/// What all commands that run a program have in common.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// Time limit of a run, seconds; its whole process group is ended with it
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    pub timeout: Duration,

    /// Number of runs at a time; the times of runs then differ
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,

    /// Name of the log of a run; its ending gives the format, as .csv, .parquet or .jsonl.zst
    #[arg(long, value_name = "NAME", default_value = "log.jsonl", value_parser = parse_log_name)]
    pub log_name: String,

    /// Output format
    #[arg(long, default_value = "text")]
    pub format: PlainFormat,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,

    /// What the logs do not say
    #[command(flatten)]
    pub read: ReadArguments,

    /// The program and its arguments. `{log}` is the path of the log of each run (HITSTOP_LOG), `{port}` a port that receives a recording
    /// (HITSTOP_PORT), and `{name}` the value of a parameter (HITSTOP_NAME)
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// Arguments of `hitstop tune`.
#[derive(Debug, Args)]
pub struct TuneArguments {
    /// A parameter with its values: NAME=LOW..HIGH, NAME=LOW..HIGH:STEP or NAME=A,B,C. Without a step a notch is 1 between whole numbers, else 10 %
    #[arg(long, value_name = "NAME=LOW..HIGH", value_parser = Parameter::parse)]
    pub param: Vec<Parameter>,

    /// Runs of each value
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=MOST_RUNS))]
    pub runs: u32,

    /// Vary a start evenly over the runs: the range of one step
    #[arg(long, value_name = "NAME=LOW..HIGH", value_parser = Phase::parse)]
    pub phase: Option<Phase>,

    /// Runs of a value that may have the finding
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub want: u32,

    /// The finding that is looked for [default: what fails a job in the first run, of any body against the same obstacles]
    #[arg(long, value_name = "KIND[:CAUSE][:A:B]", value_parser = Pattern::parse)]
    pub finding: Vec<Pattern>,

    /// The run
    #[command(flatten)]
    pub run: RunArguments,
}

/// Arguments of `hitstop determinism`.
#[derive(Debug, Args)]
pub struct DeterminismArguments {
    /// Runs of each combination of values; the first run is compared with all others
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=MOST_RUNS))]
    pub runs: u32,

    /// A parameter with values that must make no difference: NAME=A,B
    #[arg(long, value_name = "NAME=A,B", value_parser = Parameter::parse)]
    pub param: Vec<Parameter>,

    /// The run
    #[command(flatten)]
    pub run: RunArguments,
}

/// Arguments of `hitstop bisect`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("revisions").args(["bad", "builds"]).required(true))]
pub struct BisectArguments {
    /// A revision without the finding
    #[arg(long, value_name = "REV", requires = "bad")]
    pub good: Option<String>,

    /// A later revision with it
    #[arg(long, value_name = "REV", requires = "good")]
    pub bad: Option<String>,

    /// Line for the shell that builds a revision, in a worktree of its own; one that fails is skipped
    #[arg(long, value_name = "LINE", requires = "bad")]
    pub build: Option<String>,

    /// Time limit of a build, seconds
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = parse_seconds)]
    pub build_timeout: Duration,

    /// Folders with builds in place of revisions, the oldest first: the first is good, the last bad, and the program is run in each
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with = "good")]
    pub builds: Vec<PathBuf>,

    /// Runs of a revision at most, until it differs from the good or the bad one
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(3..=MOST_RUNS))]
    pub runs: u32,

    /// Level at which runs with the finding must differ, per cent
    #[arg(long, value_name = "PER CENT", default_value_t = 95.0, value_parser = parse_level)]
    pub level: f64,

    /// Vary a start evenly over the runs: the range of one step
    #[arg(long, value_name = "NAME=LOW..HIGH", value_parser = Phase::parse)]
    pub phase: Option<Phase>,

    /// The finding that is looked for [default: what fails a job in the first bad run, of any body against the same obstacles]
    #[arg(long, value_name = "KIND[:CAUSE][:A:B]", value_parser = Pattern::parse)]
    pub finding: Vec<Pattern>,

    /// The run
    #[command(flatten)]
    pub run: RunArguments,
}

pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| format!("invalid time \"{text}\": expected seconds above 0"))
}

fn parse_level(text: &str) -> Result<f64, String> {
    let level = text.parse().ok();
    let level = level.filter(|level| (50.0..100.0).contains(level));
    level
        .ok_or_else(|| format!("invalid level \"{text}\": expected per cent, from 50 to below 100"))
}

fn parse_log_name(text: &str) -> Result<String, String> {
    let is_plain = !text.contains(['/', '\\']) && !text.starts_with('.') && !text.is_empty();
    match is_plain {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "invalid name \"{text}\": expected one such as log.csv, without a folder"
        )),
    }
}

/// What `--format json` prints.
#[derive(Serialize)]
struct Printed<'p, T> {
    version: u32,
    command: &'p [String],
    #[serde(flatten)]
    result: &'p T,
}

/// Runs `hitstop tune`.
pub fn tune(arguments: &TuneArguments) -> Status {
    let settings = TuneSettings {
        parameters: arguments.param.clone(),
        runs: arguments.runs as usize,
        phase: arguments.phase.clone(),
        want: arguments.want as usize,
        findings: arguments.finding.clone(),
    };
    let names = arguments.param.iter().map(|it| it.name.as_str());
    let phase = arguments.phase.iter().map(Phase::name);
    let work = |program: &Program, watch: Watch<'_>| run::tune(program, &settings, watch);
    perform(&arguments.run, names.chain(phase), work, |tuned| {
        let status = match tuned.is_found() {
            true => Status::Clean,
            false => Status::Findings,
        };
        (status, text::tuned(tuned, settings.want))
    })
}

/// Runs `hitstop determinism`.
pub fn determinism(arguments: &DeterminismArguments) -> Status {
    let runs = arguments.runs as usize;
    let all = arguments.param.iter().try_fold(runs, |all, parameter| {
        all.checked_mul(parameter.values.len())
    });
    if all.is_none_or(|all| all as i64 > MOST_RUNS) {
        say(&format!(
            "error: more than {MOST_RUNS} runs: give fewer values or --runs less"
        ));
        return Status::BadInput;
    }
    if all == Some(1) {
        say("error: one run has none to be compared with: give --runs 2 or more, or two values");
        return Status::BadInput;
    }
    let names = arguments.param.iter().map(|it| it.name.as_str());
    let work = |program: &Program, watch: Watch<'_>| {
        run::determinism(program, &arguments.param, runs, watch)
    };
    perform(&arguments.run, names, work, |determined| {
        let status = match (determined.runs, determined.errors) {
            _ if !determined.differences.is_empty() => Status::Findings,
            (0 | 1, _) => Status::BadInput,
            (_, 0) => Status::Clean,
            // A run without a result does not do the same as the others.
            _ => Status::Findings,
        };
        (status, text::determined(determined))
    })
}

/// Runs `hitstop bisect`.
pub fn bisect(arguments: &BisectArguments) -> Status {
    let revisions = match (&arguments.good, &arguments.bad) {
        (Some(good), Some(bad)) => Revisions::Git {
            good: good.clone(),
            bad: bad.clone(),
            build: arguments.build.clone(),
            build_limit: arguments.build_timeout,
        },
        _ => Revisions::Builds(arguments.builds.clone()),
    };
    let settings = BisectSettings {
        revisions,
        runs: arguments.runs as usize,
        level: arguments.level / 100.0,
        phase: arguments.phase.clone(),
        findings: arguments.finding.clone(),
    };
    let names = arguments.phase.iter().map(Phase::name);
    let work = |program: &Program, watch: Watch<'_>| run::bisect(program, &settings, watch);
    perform(&arguments.run, names, work, |bisected| {
        let status = match bisected.first_bad {
            Some(_) => Status::Clean,
            None => Status::Findings,
        };
        (status, text::bisected(bisected))
    })
}

/// Does the work with a progress bar and prints its result, also where Ctrl+C ends it early.
fn perform<'n, T: Serialize>(
    arguments: &RunArguments,
    names: impl Iterator<Item = &'n str>,
    work: impl FnOnce(&Program, Watch<'_>) -> Result<T, Failure>,
    print: impl FnOnce(&T) -> (Status, String),
) -> Status {
    let command = Template::new(&arguments.command);
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable_by_key(|name| name.to_ascii_lowercase());
    let is_same = |pair: &&[&str]| pair[0].eq_ignore_ascii_case(pair[1]);
    if let Some(twice) = names.windows(2).find(is_same) {
        say(&format!("error: `{}` is given twice", twice[0]));
        return Status::BadInput;
    }
    names.extend(RESERVED);
    if let Err(error) = command.check(&names) {
        say(&format!("error: {error}"));
        return Status::BadInput;
    }
    let program = Program {
        command,
        folder: None,
        limit: arguments.timeout,
        jobs: usize::from(arguments.jobs),
        log: arguments.log_name.clone(),
        read: arguments.read.options(),
    };
    interrupt::cancel_on_first_signal();
    let bar = Bar::of_runs(!arguments.no_progress);
    let done = work(
        &program,
        Watch {
            progress: &bar,
            say: &|what| bar.say(&escaped(what)),
        },
    );
    bar.clear();
    let result = match done {
        Ok(result) => result,
        Err(failure) => {
            say(&format!("error: {}", failure.what));
            let lines = failure.last_lines.iter();
            lines.for_each(|line| say(&format!("  | {line}")));
            return Status::BadInput;
        }
    };
    let (status, text) = print(&result);
    let text = match arguments.format {
        PlainFormat::Text => for_log(&text).into_owned(),
        PlainFormat::Json => {
            let printed = Printed {
                version: JSON_VERSION,
                command: &arguments.command,
                result: &result,
            };
            match serde_json::to_string(&printed) {
                Ok(json) => safe_json(&json).into_owned() + "\n",
                Err(_) => return Status::Fault,
            }
        }
    };
    let written = write_out(text);
    interrupt::end_if_cancelled();
    status.max(written)
}
