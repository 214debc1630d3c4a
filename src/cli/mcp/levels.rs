//! The levels that a client has opened, each with its report.

use super::Failure;
use crate::core::diagnose::{Finding, Options, Report, diagnose};
use crate::core::escape::escaped;
use crate::core::level::{self, Level};
use crate::core::progress::Progress;
use crate::core::replay::{Frame, ObjectId};
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;

/// Most levels that are open at once.
pub const MOST: usize = 8;

/// A level and its findings.
pub struct Opened {
    pub id: u64,
    pub level: Level,
    pub report: Report,
}

/// Levels by their numbers, the oldest first.
#[derive(Default)]
pub struct Levels {
    open: Vec<Opened>,
    last: u64,
}

impl Levels {
    /// Opens and diagnoses a file. The oldest of too many levels is closed.
    pub fn open(&mut self, path: &str, progress: &dyn Progress) -> Result<&Opened, Failure> {
        let file = Path::new(path);
        let level = level::open(file, progress).map_err(|problems| Failure::of_file(problems.0))?;
        let report = report_of(&level, path, progress)?;
        if self.open.len() == MOST {
            self.open.remove(0);
        }
        self.last += 1;
        let id = self.last;
        self.open.push(Opened { id, level, report });
        self.get(id)
    }

    /// An open level.
    pub fn get(&self, id: u64) -> Result<&Opened, Failure> {
        self.open
            .iter()
            .find(|opened| opened.id == id)
            .ok_or_else(|| {
                let open: Vec<String> = self
                    .open
                    .iter()
                    .map(|opened| opened.id.to_string())
                    .collect();
                let what = format!("level {id} is not open; open are: {}", open.join(", "));
                Failure::new(
                    what,
                    format!("call `open` with its path; {MOST} levels stay open"),
                )
            })
    }
}

/// The report of a level with all of its findings, as `hitstop check` has it.
pub fn report_of(level: &Level, file: &str, progress: &dyn Progress) -> Result<Report, Failure> {
    level
        .require_content()
        .map_err(|problems| Failure::of_file(problems.0))?;
    let options = Options {
        list_all: true,
        margins: true,
        ..Options::default()
    };
    let mut report = diagnose(level, &options, progress).ok_or_else(Failure::cancelled)?;
    report.add_level_fixes(&level.replay, progress);
    if let Some(problem) = level.lost_frames() {
        return Err(Failure::of_file(vec![problem]));
    }
    Ok(Report {
        file: file.to_owned(),
        ..report
    })
}

impl Opened {
    /// A finding by its number, from 1.
    pub fn finding(&self, number: usize) -> Result<&Finding, Failure> {
        let found = number
            .checked_sub(1)
            .and_then(|index| self.report.findings.get(index));
        found.ok_or_else(|| {
            let what = format!(
                "there is no finding {number}; the level has {}",
                self.report.findings.total()
            );
            Failure::new(what, "take a `number` of `findings`")
        })
    }

    /// An object by its name, or by its name as results have it.
    pub fn object(&self, name: &str) -> Result<ObjectId, Failure> {
        let replay = &self.level.replay;
        let as_shown = || {
            let mut objects = replay.objects().iter();
            let place = objects.position(|object| escaped(&object.name) == name);
            place.map(|place| place as ObjectId)
        };
        replay.object_named(name).or_else(as_shown).ok_or_else(|| {
            let what = "the level has no object of this name";
            Failure::new(what, "take `a` or `b` of a finding, or a name of `why_not`")
        })
    }

    /// A frame by the number that findings give.
    pub fn frame(&self, number: u32) -> Result<Arc<Frame>, Failure> {
        let frames = self.level.replay.frames();
        match number < frames {
            true => Ok(self.level.replay.frame(number)),
            false => {
                let what = format!(
                    "there is no frame {number}; the frames are 0 to {}",
                    frames.saturating_sub(1)
                );
                Err(Failure::new(what, "take `frame` of a finding"))
            }
        }
    }
}

/// Arguments of tools.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenArguments {
    pub path: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingsArguments {
    pub level: u64,
    pub kind: Option<String>,
    pub cause: Option<String>,
    pub object: Option<String>,
    #[serde(default)]
    pub offset: usize,
    pub limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageArguments {
    pub level: u64,
    #[serde(default)]
    pub offset: usize,
    pub limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairArguments {
    pub level: u64,
    pub frame: u32,
    pub a: String,
    pub b: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectArguments {
    pub level: u64,
    pub frame: u32,
    pub object: String,
    #[serde(default)]
    pub offset: usize,
    pub limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhyArguments {
    pub level: u64,
    pub object: String,
    pub frame: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindingArguments {
    pub level: u64,
    pub finding: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReproArguments {
    pub level: u64,
    pub finding: usize,
    pub engine: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompareArguments {
    pub a: u64,
    pub b: u64,
    #[serde(default)]
    pub tolerance: f64,
    #[serde(default)]
    pub angle: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneArguments {
    pub scene: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteArguments {
    pub name: String,
    pub scene: String,
}
