//! `hitstop repro`: a finding as the smallest log, as a scene, or as a program of an engine.

use super::convert::{self, Part};
use super::print::{say, write_to};
use super::progress::Bar;
use super::{ReproArguments, Status, report_problems};
use crate::core::level::{self, Level};
use crate::core::log::{self, Compression, Compressor, Format};
use crate::core::problem::{Problem, Problems};
use crate::core::repro::{ENGINES, Engine, engine_of, shrink, source};
use crate::core::scene::DiskFolder;
use std::io;
use std::path::Path;

/// What is written.
enum Target {
    Log,
    Scene,
    Program(&'static Engine),
}

/// Runs the command: 0 when it is written, 1 when the finding does not stay in a smaller log, 2 when something cannot be used.
pub fn run(arguments: &ReproArguments) -> Status {
    let bar = Bar::new(!arguments.no_progress);
    bar.say("reading");
    let outcome = reproduce(arguments, &bar);
    bar.clear();
    match outcome {
        Ok(Made {
            notices,
            text,
            what,
        }) => {
            report_problems(&notices, true);
            let out = arguments.out.as_deref();
            let status = write_to(out, &mut |to| to.write_all(&text).map(|()| Status::Clean));
            if let (Some(out), Status::Clean) = (out, status) {
                say(&format!("wrote {}: {what}", out.display()));
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
    notices: Vec<Problem>,
    text: Vec<u8>,
    what: String,
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
            notices,
            text,
            what,
        });
    }
    bar.say("shrinking");
    let shrunk = shrink(&level, &finding, bar).map_err(|what| {
        (
            Status::Findings,
            problem(what, "take --for scene, or the log itself"),
        )
    })?;
    let what = format!("{}, from {}", shrunk.after, shrunk.before);
    let text = match target {
        Target::Program(engine) => {
            let origin = input
                .file_name()
                .unwrap_or(input.as_os_str())
                .to_string_lossy();
            let fix = arguments.fix.map(std::num::NonZeroUsize::get);
            let text = source(&shrunk, engine, fix, &origin);
            text.map_err(|what| unusable(problem(what, "take --for log or --for scene")))?
                .into_bytes()
        }
        _ => written(&shrunk.recording, arguments.out.as_deref())
            .map_err(|error| unusable(problem(error.to_string(), "record it again")))?,
    };
    Ok(Made {
        notices,
        text,
        what,
    })
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
        let of_space = ENGINES.iter().filter(|engine| engine.flat == flat);
        let names: Vec<&str> = of_space.map(|engine| engine.name).collect();
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
