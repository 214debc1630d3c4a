//! `hitstop why`: the chain of what changed the motion of an object.

use super::print::write_out;
use super::progress::Bar;
use super::{ReadArguments, Status, report_problems};
use crate::core::diagnose::{self, diagnose};
use crate::core::escape::escaped;
use crate::core::level;
use crate::core::problem::{Problem, Problems, nearest};
use crate::core::scene::DiskFolder;
use crate::core::story::story;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Arguments of `hitstop why`.
#[derive(Debug, Args)]
pub struct WhyArguments {
    /// A scene (.ron), a log (.jsonl, .csv, .parquet, .ovd) or an animation (.gltf, .glb)
    pub input: PathBuf,

    /// The name of the object
    pub object: String,

    /// The frame, counted from 0 [default: the end of the level]
    #[arg(long, value_name = "N")]
    pub frame: Option<u32>,

    /// Output format
    #[arg(long, value_enum, default_value_t = WhyFormat::Text)]
    pub format: WhyFormat,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,

    /// What the files do not say
    #[command(flatten)]
    pub read: ReadArguments,
}

/// How the chain is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WhyFormat {
    /// For reading
    Text,
    /// In SI units
    Json,
}

/// Runs the command: 0 when the object is there, 2 when it is not, or something cannot be used.
pub fn run(arguments: &WhyArguments) -> Status {
    let bar = Bar::new(!arguments.no_progress);
    let made = text_of(arguments, &bar);
    bar.clear();
    match made {
        Ok((notices, text)) => {
            report_problems(&notices, true);
            write_out(text)
        }
        Err(Problems(problems)) => {
            report_problems(&problems, false);
            Status::BadInput
        }
    }
}

fn text_of(arguments: &WhyArguments, bar: &Bar) -> Result<(Vec<Problem>, String), Problems> {
    let input = arguments.input.as_path();
    let problem = |what: String, help: String| {
        Problems::from(Problem::new(input.display().to_string(), what, help))
    };
    bar.say("reading");
    let options = arguments.read.options();
    let level = level::open_with(input, &options, &DiskFolder::of(input), bar)?;
    level.require_content()?;
    let replay = &level.replay;
    let name = &arguments.object;
    let id = replay.object_named(name).ok_or_else(|| {
        let names = replay.objects().iter().map(|object| &*object.name);
        let near = nearest(name, names).map(|near| format!("did you mean \"{near}\"?"));
        let help = near.unwrap_or_else(|| "take a name of the level".to_owned());
        problem(format!("there is no object \"{name}\""), help)
    })?;
    bar.say("diagnosing");
    let report = diagnose(&level, &diagnose::Options::default(), bar);
    let report = report.ok_or_else(|| problem("the work was cancelled".into(), String::new()))?;
    let state = arguments.frame.unwrap_or_else(|| replay.frames());
    if state > replay.frames() {
        let last = replay.frames();
        let what = format!("there is no frame {state}");
        return Err(problem(what, format!("the states are 0 to {last}")));
    }
    let found = story(replay, id, state).ok_or_else(|| {
        let what = format!("\"{name}\" is not there in frame {state}");
        problem(what, "name a frame in which it is".into())
    })?;
    let found = found.with_findings(&report.findings);
    let text = match arguments.format {
        WhyFormat::Text => {
            let text = found.text(replay);
            text.lines()
                .map(|line| format!("{}\n", escaped(line)))
                .collect()
        }
        WhyFormat::Json => {
            let text =
                serde_json::to_string_pretty(&found).expect("only numbers, strings and lists");
            text + "\n"
        }
    };
    Ok((level.notices, text))
}
