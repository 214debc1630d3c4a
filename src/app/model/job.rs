//! The background jobs of the window: their kinds and their results.

use super::disk::{FileCheck, MeshCheck, SaveOutcome};
use super::find::Search;
use super::import::Import;
use super::other_level::OtherLevel;
use super::part::Part;
use crate::app::command::arguments::Output;
use crate::app::jobs;
use crate::app::source::{Loaded, Source};
use crate::bundled;
use crate::core::diagnose::explain::Candidate;
use crate::core::diagnose::what_if::WhatIf;
use crate::core::diagnose::what_if::map::Map;
use crate::core::diagnose::what_if::session::WhatIfSession;
use crate::core::diagnose::{Cause, LevelFix, Report};
use crate::core::edit::{Rewrite, Rewritten};
use crate::core::explain_motion::{MotionChange, MotionExplanation};
use crate::core::leaks::Leaks;
use crate::core::level::FileChoice;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::compare::{Comparison, GrowthPoint, Subject};
use crate::core::replay::engine_log::EngineLog;
use crate::core::replay::history::History;
use crate::core::replay::search::SearchHit;
use crate::core::replay::unswept::UnsweptImpact;
use crate::core::replay::{Frame, ObjectId};
use crate::run::{Failure, Tuned};
use crate::view::drawing::Film;
use egui::ColorImage;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The jobs of the window.
pub type Jobs = jobs::Jobs<JobKind, JobDone>;

/// Context of a running job, passed to its closure.
pub type JobContext = jobs::JobContext<JobKind, JobDone>;

/// What a job does; one of each kind runs at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobKind {
    /// Lists the bundled levels.
    ListBundled,
    /// Reads which recent files exist, and when they were changed.
    CheckRecent,
    /// Reads a level.
    Open,
    /// Keeps a large log that was read.
    Keep,
    /// Writes a received recording to a file.
    KeepReceived,
    /// Diagnoses the level.
    Diagnose,
    /// Steps a frame of the open level.
    Frame,
    /// Rewrites the text of an edited scene.
    RewriteText,
    /// Writes the scene to its file.
    Save,
    /// Reads the scene's file if another program changed it.
    CheckFile,
    /// Reads the scene again if another program changed one of its mesh files.
    CheckMeshes,
    /// Saves the settings.
    SaveSettings,
    /// Autosaves the scene.
    Autosave,
    /// Writes a part of the level as a scene or a program.
    SaveExcerpt,
    /// Runs the user's program to tune a finding.
    Tune,
    /// Writes a walk as a recording.
    SaveWalk,
    /// Writes an image or clip of the view, or an image of the plots.
    SaveView,
    /// Writes the plots as a table.
    SavePlots,
    /// Writes the report, the findings or the converted recording.
    WriteOutput,
    /// Reads a mesh file to import.
    Import,
    /// Searches a frame.
    Find,
    /// Lists the candidates of an object.
    Candidates,
    /// Follows an object back.
    ExplainMotion,
    /// Lists what the program and its engine logged.
    EngineLog,
    /// Searches since when an object moves as it does.
    LastChange,
    /// Reads a picture of the game.
    GamePicture,
    /// Searches the places where movers pass the fixed surfaces.
    Leaks,
    /// Computes the impacts of a frame that its sweep cannot find.
    Unswept,
    /// Computes the histories of some subjects.
    History(u64),
    /// Searches the changes that fix most findings.
    LevelFixes,
    /// Searches the limits of a finding.
    SearchWhatIf,
    /// Prepares the What-if of a finding.
    PrepareWhatIf,
    /// Computes the map of a finding's What-if.
    MapWhatIf,
    /// Reads the level to compare with.
    OpenOther,
    /// Steps a frame of the other level.
    OtherFrame,
    /// Compares two levels.
    Compare,
    /// Judges whether the level of a cause is fixed.
    JudgeTour,
    /// Draws a cause in its level.
    DrawCause,
    /// Reads one of several files to compare with, and compares it.
    CompareTrack,
    /// Diagnoses the level to compare with.
    DiagnoseOther,
    /// Computes the growth curve of an object's difference.
    Growth,
}

/// What is made of a part of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excerpt {
    Scene,
    Program,
}

/// How long the result of a job is of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Independent of the open level.
    Window,
    /// While the level is open.
    Session,
    /// Until the scene changes.
    Scene,
}

impl JobKind {
    fn scope(self) -> Scope {
        match self {
            Self::ListBundled
            | Self::CheckRecent
            | Self::Open
            | Self::Keep
            | Self::KeepReceived
            | Self::Save
            | Self::Autosave
            | Self::SaveSettings
            | Self::SaveExcerpt
            | Self::Tune
            | Self::SaveWalk
            | Self::SaveView
            | Self::SavePlots
            | Self::WriteOutput
            | Self::DrawCause
            | Self::JudgeTour
            | Self::Import => Scope::Window,
            Self::Diagnose
            | Self::Frame
            | Self::RewriteText
            | Self::CheckFile
            | Self::CheckMeshes
            | Self::OpenOther
            | Self::OtherFrame
            | Self::Compare
            | Self::CompareTrack
            | Self::DiagnoseOther
            | Self::Growth => Scope::Session,
            Self::Find
            | Self::Candidates
            | Self::ExplainMotion
            | Self::EngineLog
            | Self::LastChange
            | Self::GamePicture
            | Self::Leaks
            | Self::Unswept
            | Self::History(_)
            | Self::LevelFixes
            | Self::SearchWhatIf
            | Self::PrepareWhatIf
            | Self::MapWhatIf => Scope::Scene,
        }
    }

    /// Returns true for a job whose result is of no use once the level is closed.
    pub fn ends_with_session(self) -> bool {
        self.scope() != Scope::Window
    }

    /// Returns true for a job whose result is of no use once the scene has changed.
    pub fn ends_with_scene(self) -> bool {
        self.scope() == Scope::Scene
    }
}

/// The time of the last change of each file that was checked; `None` for one that is missing.
pub type RecentFiles = BTreeMap<PathBuf, Option<SystemTime>>;

/// The result of a job; one variant a kind.
#[expect(missing_docs, reason = "each is documented by its kind")]
pub enum JobDone {
    ListBundled(Result<Vec<bundled::Entry>, Problems>),
    CheckRecent(RecentFiles),
    Part(Source, Part),
    Open(Source, Result<Box<Loaded>, Problems>),
    /// A file to be opened that leaves a choice.
    Ask(PathBuf, Box<FileChoice>),
    Keep(Source, io::Result<bool>),
    KeepReceived(io::Result<Option<PathBuf>>),
    /// About a job that goes on.
    Notice(Problem),
    Diagnose(Option<Report>),
    RewriteText(Rewrite, Rewritten),
    Save(Result<SaveOutcome, Problem>),
    CheckFile(PathBuf, FileCheck),
    CheckMeshes(MeshCheck),
    Autosave(Arc<str>, Result<(), Problem>),
    SaveSettings(Result<(), Problem>),
    SaveExcerpt(Excerpt, PathBuf, Result<Vec<Problem>, Problem>),
    /// What the runs are for; they go on.
    TuneStep(String),
    Tune(Result<Tuned, Failure>),
    SaveWalk(Result<bool, Problem>),
    SaveView(PathBuf, Result<Option<String>, Problem>),
    SavePlots(PathBuf, Result<(), Problem>),
    WriteOutput(Output, PathBuf, Result<Vec<Problem>, Problems>),
    Import(Result<Box<Import>, Problem>),
    JudgeTour(Cause, Option<Vec<String>>),
    DrawCause(Cause, Option<Arc<Film>>),
    Find(Search, Option<SearchHit>),
    OpenOther(Result<OtherLevel, Problems>),
    OfSession(SessionDone),
}

/// The result of a job that changes only the session.
pub enum SessionDone {
    Frame(Stepped),
    OtherFrame(Stepped),
    Compare(Option<Comparison>),
    CompareTrack(Result<Comparison, String>),
    DiagnoseOther(Option<Report>),
    Growth(Subject, Option<Vec<GrowthPoint>>),
    Candidates(ObjectId, u32, Vec<Candidate>),
    ExplainMotion((ObjectId, u32), Option<MotionExplanation>),
    EngineLog((String, u32), Option<EngineLog>),
    LastChange((ObjectId, u32), Option<MotionChange>),
    GamePicture(String, Result<Arc<ColorImage>, Problem>),
    Leaks(Option<Result<Leaks, String>>),
    Unswept(Arc<Frame>, Vec<UnsweptImpact>),
    History(HistoryPart),
    PartReport(Report),
    LevelFixes(Option<Vec<LevelFix>>),
    SearchWhatIf(Option<WhatIf>),
    PrepareWhatIf(Option<Box<WhatIfSession>>),
    MapWhatIf(Option<Map>),
}

impl From<SessionDone> for JobDone {
    fn from(done: SessionDone) -> Self {
        Self::OfSession(done)
    }
}

/// A frame of one of several replays: the number of the replay, from 0, and of the frame.
pub type FrameKey = (u64, u32);

/// A frame that was stepped.
pub struct Stepped {
    /// The frame.
    pub key: FrameKey,
    /// Its content.
    pub frame: Arc<Frame>,
    /// Time it took to step.
    pub cost: Duration,
}

/// A range of frames of some histories.
pub struct HistoryPart {
    /// The number of the job.
    pub work: u64,
    /// The histories, each of these frames.
    pub histories: Vec<History>,
    /// The frame after the last of them.
    pub upto: u32,
}
