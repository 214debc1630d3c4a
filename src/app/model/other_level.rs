//! The replay to compare the open level with.

use crate::core::level::{self, ReadOptions};
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::compare::{Alignment, Subject, subjects, with_other_detection};
use crate::core::replay::{Frame, Replay};
use crate::core::scene::DiskFolder;
use std::path::PathBuf;
use std::sync::Arc;

/// What the open level is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
    /// The same scene, stepped with the other collision detection.
    OtherDetection,
    /// Another scene or log, with what the user says about it.
    File(PathBuf, ReadOptions),
    /// The run of the same level before its last edits or reload.
    RunBefore,
}

/// The replay to compare with, matched with the open level.
pub struct OtherLevel {
    /// Name to show.
    pub name: String,
    /// The replay.
    pub replay: Arc<Replay>,
    /// Its first frame.
    pub first: Arc<Frame>,
    /// Matching of the objects of both replays.
    pub subjects: Vec<Subject>,
    /// Alignment of the two in time.
    pub fitting: Alignment,
    /// Notices of its file.
    pub notices: Vec<Problem>,
}

/// Reads or steps the replay to compare with.
pub(super) fn open_other(
    one: &Replay,
    against: Against,
    before: Option<Arc<Replay>>,
    progress: &dyn Progress,
) -> Result<OtherLevel, Problems> {
    let mut notices = Vec::new();
    let (name, other) = match against {
        Against::OtherDetection => match with_other_detection(one) {
            Some((other, detection)) => (format!("{detection:?}"), Arc::new(other)),
            None => return Err(no_other_detection(one).into()),
        },
        Against::RunBefore => match before {
            Some(before) => ("the run before".to_owned(), before),
            None => return Err(no_run_before(one).into()),
        },
        Against::File(path, options) => {
            let level = level::open_with(&path, &options, &DiskFolder::of(&path), progress)?;
            notices = level.notices;
            let name = path.file_name().unwrap_or(path.as_os_str());
            (name.display().to_string(), level.replay)
        }
    };
    Ok(OtherLevel {
        name,
        first: other.frame(0),
        subjects: subjects(one, &other),
        fitting: Alignment::fitting(one, &other),
        replay: other,
        notices,
    })
}

fn no_other_detection(replay: &Replay) -> Problem {
    let what = "a recording cannot be re-run; only scenes have a detection mode";
    Problem::new(
        &replay.scene().name,
        what,
        "compare with another file instead",
    )
}

fn no_run_before(replay: &Replay) -> Problem {
    let what = "there is no earlier run of this level";
    let help = "change the scene, or reload its file (F5)";
    Problem::new(&replay.scene().name, what, help)
}
