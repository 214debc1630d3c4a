//! `hitstop repro`: a finding as the smallest log, as a scene, or as a program of an engine.

use super::find_files::{is_log, replaces_no_input};
use super::print::{say, write_to};
use super::progress::Bar;
use super::runs::parse_seconds;
use super::{ReadArguments, Status, report_problems};
use crate::convert::{self, Part};
use crate::core::level::{self, Level};
use crate::core::log::{self, Compression, Compressor, Format};
use crate::core::problem::{Problem, Problems};
use crate::core::repro::{
    Engine, Program, Ran, Shrunk, Wanted, engine_of, engines_for, shrink, source,
};
use crate::core::scene::{DiskFolder, open_scene_text, recording_of};
use crate::interrupt;
use crate::run::{Template, failing_phases};
use crate::save::save_atomic;
use clap::Args;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `hitstop repro`.
#[derive(Debug, Args)]
pub struct ReproArguments {
    /// A scene (.ron), a log (.jsonl, .csv, .parquet, .ovd) or an animation (.gltf, .glb)
    pub input: PathBuf,

    /// The number of the finding, counted from 1 in the order of `check`
    #[arg(long, value_name = "N")]
    pub finding: NonZeroUsize,

    /// What to write: a program of an engine (rapier, rapier.js, avian, jolt, box2d, box3d, bullet, pybullet, mujoco, matter, planck, cannon), `log` or `scene` [default: the log's own engine]
    #[arg(long = "for", value_name = "ENGINE|log|scene")]
    pub target: Option<String>,

    /// The number of the fix that the program can switch on, of those that it can have [default: the first]
    #[arg(long, value_name = "K")]
    pub fix: Option<NonZeroUsize>,

    /// Write to this file instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Time limit of a run, seconds; its whole process group is ended with it
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = parse_seconds)]
    pub timeout: Duration,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,

    /// What the files do not say
    #[command(flatten)]
    pub read: ReadArguments,

    /// Builds and runs the program, once as it is and once with the fix, and writes into it how it ran. `{file}` is its path (HITSTOP_FILE)
    #[arg(last = true, value_name = "COMMAND", requires = "out")]
    pub command: Vec<String>,
}

/// What is written.
enum Target {
    Log,
    Scene,
    Program(&'static Engine),
}

/// Runs the command: 0 when it is written, 1 when the finding does not stay in a smaller log or the program runs otherwise than it should, 2 when
/// something cannot be used.
pub fn run(arguments: &ReproArguments) -> Status {
    let scene = (!is_log(&arguments.input)).then(|| open_scene_text(&arguments.input).ok());
    let recording = scene.flatten().and_then(|text| recording_of(&text));
    let folder = arguments.input.parent().unwrap_or(Path::new(""));
    let inputs = [
        Some(arguments.input.clone()),
        recording.map(|log| folder.join(log)),
    ];
    let inputs: Vec<PathBuf> = inputs.into_iter().flatten().collect();
    if let Some(out) = &arguments.out
        && let Err(problem) = replaces_no_input(out, "--out", &inputs)
    {
        report_problems(&[problem], false);
        return Status::BadInput;
    }
    let bar = Bar::new(!arguments.no_progress);
    bar.say("reading");
    let outcome = reproduce(arguments, &bar);
    bar.clear();
    match outcome {
        Ok(made) => {
            report_problems(&made.notices, true);
            let out = arguments.out.as_deref();
            let status = write_to(out, &mut |to| {
                to.write_all(&made.text).map(|()| made.status)
            });
            if let Some(out) = out.filter(|_| status == made.status) {
                say(&format!("wrote {}: {}", out.display(), made.what));
                if let Some(advice) = made.advice {
                    say(&format!("help: {advice}"));
                }
            }
            status
        }
        Err((status, Problems(problems))) => {
            report_problems(&problems, false);
            status
        }
    }
}

struct Made {
    status: Status,
    notices: Vec<Problem>,
    text: Vec<u8>,
    what: String,
    /// What to try, where the program ran otherwise than it should.
    advice: Option<&'static str>,
}

fn reproduce(arguments: &ReproArguments, bar: &Bar) -> Result<Made, (Status, Problems)> {
    let unusable = |problems: Problems| (Status::BadInput, problems);
    let input = arguments.input.as_path();
    let problem = |what: String, help: &str| {
        Problems::from(Problem::new(input.display().to_string(), what, help))
    };
    let options = arguments.read.options();
    let level = level::open_with(input, &options, &DiskFolder::of(input), bar).map_err(unusable)?;
    let target =
        target(arguments, &level).map_err(|(what, help)| unusable(problem(what, &help)))?;
    let number = arguments.finding.get();
    bar.say("diagnosing");
    let finding = convert::finding(&level, number, bar)
        .map_err(|what| unusable(problem(what, "take one of the list of hitstop check")))?;
    let notices = level.notices.clone();
    if let Target::Scene = target {
        let out = arguments.out.as_deref().unwrap_or(Path::new("repro.ron"));
        let made =
            convert::scene_text(&level, &Part::Finding(number), out, bar).map_err(unusable)?;
        let (text, left_out, what) = made;
        let notices = [notices, left_out].concat();
        return Ok(Made {
            status: Status::Clean,
            notices,
            text,
            what,
            advice: None,
        });
    }
    bar.say("shrinking");
    let shrunk = shrink(&level, &finding, bar).map_err(|what| {
        (
            Status::Findings,
            problem(what, "take --for scene, or the log itself"),
        )
    })?;
    let mut made = Made {
        status: Status::Clean,
        notices,
        text: Vec::new(),
        what: format!("{}, from {}", shrunk.after, shrunk.before),
        advice: None,
    };
    match target {
        Target::Program(engine) => {
            let (program, ran) = program(arguments, &shrunk, engine, bar)
                .map_err(|(what, help)| unusable(problem(what, &help)))?;
            made.text = program.text.into_bytes();
            if let Some(ran) = ran {
                made.what += &format!(". {ran}");
                made.advice = ran.advice();
                made.status = match ran.is_right() {
                    true => Status::Clean,
                    false => Status::Findings,
                };
            }
        }
        _ => {
            let text = written(&shrunk.recording, arguments.out.as_deref());
            made.text =
                text.map_err(|error| unusable(problem(error.to_string(), "record it again")))?;
        }
    }
    Ok(made)
}

/// The program of an engine and, with a command, how it ran.
///
/// # Errors
/// What is wrong, and help.
fn program(
    arguments: &ReproArguments,
    shrunk: &Shrunk,
    engine: &Engine,
    bar: &Bar,
) -> Result<(Program, Option<Ran>), (String, String)> {
    let origin = arguments.input.file_name().unwrap_or_default();
    let origin = origin.to_string_lossy();
    let make = |set: bool, ran: Option<Ran>| {
        let wanted = Wanted {
            origin: &origin,
            fix: arguments.fix.map(NonZeroUsize::get),
            set,
            ran,
        };
        source(shrunk, engine, &wanted)
            .map_err(|what| (what, "take --for log or --for scene".to_owned()))
    };
    let plain = make(false, None)?;
    let out = arguments
        .out
        .as_deref()
        .filter(|_| !arguments.command.is_empty());
    let Some(out) = out else {
        return Ok((plain, None));
    };
    let command = Template::new(&arguments.command);
    let see = || "see hitstop repro --help".to_owned();
    command.check(&["file"]).map_err(|what| (what, see()))?;
    interrupt::cancel_on_first_signal();
    let run = |program: &Program, what: &str| {
        bar.say(what);
        save_atomic(out, program.text.as_bytes())
            .map_err(|problem| (problem.what, problem.help))?;
        match failing_phases(&command, out, arguments.timeout, bar) {
            Some(Ok(count)) => Ok(count),
            Some(Err(failure)) => {
                let lines = failure.last_lines.iter();
                lines.for_each(|line| say(&format!("  | {line}")));
                Err((format!("the program {what}: {}", failure.what), see()))
            }
            None => Err((
                "the work was cancelled".to_owned(),
                "call it again".to_owned(),
            )),
        }
    };
    let both = || -> Result<Ran, (String, String)> {
        Ok(Ran {
            failed: run(&plain, "as it is")?,
            fixed: match plain.has_fix {
                true => Some(run(&make(true, None)?, "with its fix")?),
                false => None,
            },
        })
    };
    let ran = both().inspect_err(|_| {
        // Not the one with its fix.
        let _ = save_atomic(out, plain.text.as_bytes());
    })?;
    Ok((make(false, Some(ran))?, Some(ran)))
}

/// The log as a file of the output's format.
fn written(recording: &crate::core::replay::Recording, out: Option<&Path>) -> io::Result<Vec<u8>> {
    let compression = out.and_then(Compression::of_path);
    let mut compressor = Compressor::new(Vec::new(), compression)?;
    log::write(Format::JsonLines, recording, &mut compressor)?;
    compressor.finish()
}

/// What `--for` names; without it the log's own engine.
fn target(arguments: &ReproArguments, level: &Level) -> Result<Target, (String, String)> {
    let flat = level.replay.units().units.flat;
    let known = || {
        let names: Vec<&str> = engines_for(flat).map(|engine| engine.name).collect();
        format!("write --for with {}, log or scene", names.join(", "))
    };
    let out = arguments.out.as_deref();
    let target = match arguments.target.as_deref() {
        Some("log") => Target::Log,
        Some("scene") => Target::Scene,
        Some(name) => {
            let engine = engine_of(name, flat);
            Target::Program(engine.ok_or_else(|| {
                let what = match engine_of(name, !flat) {
                    Some(_) if flat => format!("{name} is not an engine of flat levels"),
                    Some(_) => {
                        format!("{name} is an engine of flat levels, and this one is not flat")
                    }
                    None => format!("\"{name}\" has no template"),
                };
                (what, known())
            })?)
        }
        None => {
            let own = level.replay.engine().name;
            let engine = own.as_deref().and_then(|name| engine_of(name, flat));
            Target::Program(engine.ok_or_else(|| {
                let what = match own {
                    Some(name) => format!("the log's engine \"{name}\" has no template"),
                    None => "the log does not name its engine".to_owned(),
                };
                (what, known())
            })?)
        }
    };
    let ends_with = |ending: &str| {
        out.and_then(Path::extension)
            .is_none_or(|it| it.eq_ignore_ascii_case(ending))
    };
    match target {
        Target::Log if out.is_some_and(|out| Format::of_output(out) != Some(Format::JsonLines)) => {
            let help = "name the output .jsonl, .jsonl.zst or .jsonl.gz";
            Err((
                "a small log is written as JSON Lines".to_owned(),
                help.to_owned(),
            ))
        }
        Target::Scene if !ends_with("ron") => Err((
            "a scene is a .ron file".to_owned(),
            "name the output .ron".to_owned(),
        )),
        target => Ok(target),
    }
}
