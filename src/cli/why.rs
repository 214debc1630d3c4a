//! `hitstop why`: what changed the motion of an object.

use super::print::write_out;
use super::progress::Bar;
use super::{PlainFormat, ReadArguments, Status, report_problems};
use crate::core::diagnose::{self, diagnose};
use crate::core::escape::for_log;
use crate::core::explain_motion::{MotionExplanation, MotionReason, explain_motion, names};
use crate::core::explain_move::{MoveExplanation, MoveReason, explain_moves_to};
use crate::core::level;
use crate::core::problem::{Problem, Problems, nearest};
use crate::core::progress::Progress;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::{DiskFolder, UserUnits};
use crate::report::safe_json;
use clap::Args;
use glam::DVec3;
use serde::Serialize;
use serde_json::{Value, json};
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
    #[arg(long, value_enum, default_value_t = PlainFormat::Text)]
    pub format: PlainFormat,

    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,

    /// What the files do not say
    #[command(flatten)]
    pub read: ReadArguments,
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
    let cancelled = || problem("the work was cancelled".into(), String::new());
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
    let report = report.ok_or_else(cancelled)?;
    bar.say("following it back");
    let found = explained(replay, id, arguments.frame, bar);
    let found = found.map_err(|(what, help)| problem(what, help))?;
    let found = found.with_findings(&report.findings);
    let text = match arguments.format {
        PlainFormat::Text => {
            let moves = explain_moves_to(replay, id, found.state).into_iter();
            let moves: String = moves.map(|made| made.text(replay)).collect();
            for_log(&(found.text(replay) + &moves)).into_owned()
        }
        PlainFormat::Json => {
            let written = Written::of(&found, replay);
            let text =
                serde_json::to_string_pretty(&written).expect("only numbers, strings and lists");
            safe_json(&text).into_owned() + "\n"
        }
    };
    Ok((level.notices, text))
}

/// Why an object is where it is at a state, else at the end of the level, without findings; an error has what is wrong, and the help.
pub(super) fn explained(
    replay: &Replay,
    id: ObjectId,
    state: Option<u32>,
    progress: &dyn Progress,
) -> Result<MotionExplanation, (String, String)> {
    let last = replay.frames();
    let state = state.unwrap_or(last);
    if state > last {
        let what = format!("there is no frame {state}");
        return Err((what, format!("the states are 0 to {last}")));
    }
    explain_motion(replay, id, state, progress).ok_or_else(|| {
        if progress.cancelled() {
            return ("the work was cancelled".to_owned(), String::new());
        }
        let name = &replay.objects()[id as usize].name;
        let what = format!("\"{name}\" is not there in frame {state}");
        (what, "name a frame in which it is".to_owned())
    })
}

/// An explanation as `--format json` prints it.
#[cfg(feature = "mcp")]
pub(super) fn value(found: &MotionExplanation, replay: &Replay) -> serde_json::Result<Value> {
    serde_json::to_value(Written::of(found, replay))
}

#[derive(Serialize)]
struct Written<'f> {
    schema: u32,
    /// In which all numbers are.
    units: UserUnits,
    object: &'f str,
    /// Counted from 0, as `--frame`.
    frame: u32,
    at: [f64; 3],
    links: Vec<WrittenLink>,
    /// There is more before the last link.
    cut: bool,
    /// Of a character, in the frame that leads to this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<WrittenMove>,
}

#[derive(Serialize)]
struct WrittenMove {
    summary: String,
    steps: Vec<WrittenStep>,
    /// What is wrong before and after it.
    reasons: Vec<String>,
}

#[derive(Serialize)]
struct WrittenStep {
    text: String,
    to: [f64; 3],
    /// Why it was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct WrittenLink {
    /// A word, and of contacts and joints also the names of the objects.
    reason: Value,
    frame: u32,
    last_frame: u32,
    /// The log's own number of the first, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    log_frame: Option<u64>,
    moved: [f64; 3],
    before: [f64; 3],
    after: [f64; 3],
    /// As `hitstop check` numbers them.
    findings: Vec<usize>,
}

impl<'f> Written<'f> {
    fn of(found: &'f MotionExplanation, replay: &Replay) -> Self {
        let units = replay.units();
        let vector = |ours: DVec3| units.vector(ours).to_array();
        let links = found.links.iter().map(|link| WrittenLink {
            reason: match &link.reason {
                MotionReason::Contact(others) => json!({ "contact": names(replay, others) }),
                MotionReason::Joint(others) => json!({ "joint": names(replay, others) }),
                plain => json!(plain),
            },
            frame: link.frame,
            last_frame: link.last_frame,
            log_frame: replay.log_frame(link.frame),
            moved: vector(link.moved),
            before: vector(link.before),
            after: vector(link.after),
            findings: link.findings.iter().map(|index| index + 1).collect(),
        });
        let sentence = |reason: &MoveReason| reason.text(replay);
        let written_move = |made: MoveExplanation| WrittenMove {
            steps: made
                .steps
                .iter()
                .map(|step| WrittenStep {
                    text: step.text.clone(),
                    to: vector(step.to),
                    reason: step.reason.as_ref().map(sentence),
                })
                .collect(),
            reasons: made.reasons.iter().map(sentence).collect(),
            summary: made.summary,
        };
        let moves = explain_moves_to(replay, found.id, found.state).into_iter();
        Self {
            schema: 1,
            units,
            object: &found.object,
            frame: found.state,
            at: vector(found.at),
            links: links.collect(),
            cut: found.cut,
            moves: moves.map(written_move).collect(),
        }
    }
}
