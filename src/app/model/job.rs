//! The background jobs of the window, and the handling of their results.

use super::compare::Prepared;
use super::document::Stepped;
use super::excerpt::Saved;
use super::find::Search;
use super::mesh_files::MeshCheck;
use super::messages::Severity;
use super::saving::Outcome;
use super::scene_file::FileCheck;
use super::{Model, Session, candidates, history};
use crate::app::jobs;
use crate::app::source::{Loaded, Source};
use crate::bundled;
use crate::core::diagnose::Report;
use crate::core::diagnose::what_if::WhatIf;
use crate::core::diagnose::what_if::map::Map;
use crate::core::diagnose::what_if::session::WhatIfSession;
use crate::core::edit::{Rewrite, Rewritten};
use crate::core::import::Geometry;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::compare::{Comparison, GrowthPoint, Subject};
use crate::core::replay::search::SearchHit;
use std::path::PathBuf;
use std::sync::Arc;

/// The jobs of the window.
pub type Jobs = jobs::Jobs<JobKind, JobDone>;

/// Context of a running job, passed to its closure.
pub type JobContext = jobs::JobContext<JobKind, JobDone>;

/// What a job does; one of each kind runs at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobKind {
    /// Lists the bundled levels.
    ListBundled,
    /// Reads a level.
    Open,
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
    /// Writes a part of the level as a scene.
    SaveExcerpt,
    /// Writes a walk as a recording.
    SaveWalk,
    /// Writes an image or clip of the view, or an image of the plots.
    SaveView,
    /// Writes the plots as a table.
    SavePlots,
    /// Reads a mesh file to import.
    Import,
    /// Searches a frame.
    Find,
    /// Lists the candidates of an object.
    Candidates,
    /// Computes the histories of some subjects.
    History(u64),
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
    /// Computes the growth curve of an object's difference.
    Growth,
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
            | Self::Open
            | Self::Save
            | Self::Autosave
            | Self::SaveSettings
            | Self::SaveExcerpt
            | Self::SaveWalk
            | Self::SaveView
            | Self::SavePlots
            | Self::Import => Scope::Window,
            Self::Diagnose
            | Self::Frame
            | Self::RewriteText
            | Self::CheckFile
            | Self::CheckMeshes
            | Self::OpenOther
            | Self::OtherFrame
            | Self::Compare
            | Self::Growth => Scope::Session,
            Self::Find
            | Self::Candidates
            | Self::History(_)
            | Self::SearchWhatIf
            | Self::PrepareWhatIf
            | Self::MapWhatIf => Scope::Scene,
        }
    }

    /// The jobs that the status bar shows, by precedence, with their labels.
    const SHOWN: [(Self, &str); 6] = [
        (Self::Find, "Searching"),
        (Self::Open, "Reading"),
        (Self::SaveView, "Saving the view"),
        (Self::Diagnose, "Diagnosing"),
        (Self::OpenOther, "Reading the other level"),
        (Self::Compare, "Comparing"),
    ];

    /// Returns true for a job whose result is of no use once the level is closed.
    pub fn ends_with_session(self) -> bool {
        self.scope() != Scope::Window
    }

    /// Returns true for a job whose result is of no use once the scene has changed.
    pub fn ends_with_scene(self) -> bool {
        self.scope() == Scope::Scene
    }
}

/// The result of a job; one variant a kind.
#[expect(missing_docs, reason = "each is documented by its kind")]
pub enum JobDone {
    ListBundled(Result<Vec<bundled::Entry>, Problems>),
    Open(Source, Result<Box<Loaded>, Problems>),
    Diagnose(Option<Report>),
    RewriteText(Rewrite, Rewritten),
    Save(Result<Outcome, Problem>),
    CheckFile(PathBuf, FileCheck),
    CheckMeshes(MeshCheck),
    Autosave(Arc<str>, Result<(), Problem>),
    SaveSettings(Result<(), Problem>),
    SaveExcerpt(Result<Saved, Problem>),
    SaveWalk(Result<bool, Problem>),
    SaveView(PathBuf, Result<Option<String>, Problem>),
    SavePlots(PathBuf, Result<(), Problem>),
    Import(PathBuf, Result<Geometry, Problem>),
    Find(Search, Option<SearchHit>),
    OpenOther(Result<Prepared, Problems>),
    OfSession(SessionDone),
}

/// The result of a job that changes only the session.
pub enum SessionDone {
    Frame(Stepped),
    OtherFrame(Stepped),
    Compare(Option<Comparison>),
    Growth(Subject, Option<Vec<GrowthPoint>>),
    Candidates(candidates::List),
    History(history::Part),
    SearchWhatIf(Option<WhatIf>),
    PrepareWhatIf(Option<Box<WhatIfSession>>),
    MapWhatIf(Option<Map>),
}

impl From<SessionDone> for JobDone {
    fn from(done: SessionDone) -> Self {
        Self::OfSession(done)
    }
}

/// A job that the status bar shows.
pub struct ShownJob {
    /// Kind of the job.
    pub kind: JobKind,
    /// Label.
    pub text: String,
    /// Progress, 0..1; `None` while unknown.
    pub share: Option<f32>,
}

impl Model {
    /// The running jobs that the status bar shows and can stop, most important first.
    pub fn shown_jobs(&self) -> impl Iterator<Item = ShownJob> {
        JobKind::SHOWN.into_iter().filter_map(|(kind, text)| {
            let share = match kind {
                JobKind::Diagnose => self.diagnosing(),
                _ => self.jobs.progress(kind),
            }?;
            let text = match &self.opening {
                Some(source) if kind == JobKind::Open => format!("{text} {}", source.name()),
                _ => text.to_owned(),
            };
            Some(ShownJob { kind, text, share })
        })
    }

    /// The running comparison.
    pub fn comparing(&self) -> Option<ShownJob> {
        let kinds = [JobKind::OpenOther, JobKind::Compare];
        self.shown_jobs().find(|job| kinds.contains(&job.kind))
    }

    /// Cancels the jobs that the status bar shows.
    pub(in crate::app) fn stop_jobs(&mut self) {
        for (kind, _) in JobKind::SHOWN {
            self.jobs.cancel(kind);
        }
        if let Some(session) = &mut self.session {
            session.diagnose_at = None;
        }
    }

    /// Handles all results in the inbox.
    pub(super) fn take_results(&mut self) {
        while let Some(delivery) = self.jobs.receive() {
            match delivery.result {
                Ok(done) => self.on_job(done, delivery.cancelled),
                Err(panic) => self.on_panic(delivery.kind, panic),
            }
        }
    }

    /// Handles a result. Results of a session arrive only while it is open.
    fn on_job(&mut self, done: JobDone, cancelled: bool) {
        match done {
            JobDone::ListBundled(Ok(entries)) => self.bundle = entries,
            JobDone::ListBundled(Err(problems)) => self.show_errors(problems),
            JobDone::Open(source, loaded) => self.take_level(source, loaded, cancelled),
            JobDone::Diagnose(report) => self.take_report(report),
            JobDone::RewriteText(rewrite, rewritten) => self.take_rewritten(&rewrite, rewritten),
            JobDone::Save(outcome) => self.take_written(outcome),
            JobDone::CheckFile(path, found) => self.take_file_check(path, found),
            JobDone::CheckMeshes(found) => self.take_mesh_check(found),
            JobDone::Autosave(text, outcome) => self.take_autosave(text, outcome),
            JobDone::SaveSettings(outcome) => {
                if let Err(problem) = outcome {
                    self.messages.add(Severity::Notice, problem);
                }
            }
            JobDone::SaveExcerpt(outcome) => self.take_excerpt(outcome),
            JobDone::SaveWalk(outcome) => self.take_walk(outcome),
            JobDone::SaveView(path, outcome) => self.take_export(&path, outcome),
            JobDone::SavePlots(path, outcome) => self.take_plots(&path, outcome),
            JobDone::Import(path, outcome) => self.take_import(path, outcome),
            JobDone::Find(search, found) => self.take_found(search, found, cancelled),
            JobDone::OpenOther(prepared) => self.take_other(prepared, cancelled),
            JobDone::OfSession(done) => {
                if let Some(session) = &mut self.session {
                    session.on_job(done);
                }
            }
        }
    }

    /// Reports a job that panicked.
    fn on_panic(&mut self, kind: JobKind, panic: String) {
        if kind == JobKind::Autosave {
            return self.autosave_failed(&Problem::new("", panic, ""));
        }
        if kind == JobKind::RewriteText {
            self.rewrite_failed();
        }
        if kind == JobKind::OpenOther {
            self.stop_comparing();
        }
        let session = self.session.as_mut();
        if session.is_some_and(|session| session.on_panic(kind, &panic)) {
            return;
        }
        let document = self.document();
        let subject = document.map_or_else(String::new, |document| document.source.name());
        self.internal_error(&subject, &panic);
    }
}

impl Session {
    /// Stores a result.
    fn on_job(&mut self, done: SessionDone) {
        let derived = &mut self.derived;
        match done {
            SessionDone::Frame(stepped) => self.document.frames.take(stepped),
            SessionDone::OtherFrame(stepped) => self.compare.take_frame(stepped),
            SessionDone::Compare(found) => self.compare.take_result(found),
            SessionDone::Growth(subject, points) => self.compare.take_growth(subject, points),
            SessionDone::Candidates(list) => derived.candidates.take(list),
            SessionDone::History(part) => derived.histories.take(part),
            SessionDone::SearchWhatIf(found) => {
                if let Some(search) = &mut derived.what_if_search {
                    search.take(found);
                }
            }
            SessionDone::PrepareWhatIf(session) => {
                if let Some(what_if) = &mut derived.what_if {
                    what_if.prepared(session);
                }
            }
            SessionDone::MapWhatIf(map) => {
                if let Some(what_if) = &mut derived.what_if {
                    what_if.mapped(map);
                }
            }
        }
    }

    /// Stores that a job failed, so that it is not started again at once; returns true if its panel shows the error.
    fn on_panic(&mut self, kind: JobKind, panic: &str) -> bool {
        let derived = &mut self.derived;
        match kind {
            JobKind::Frame => self.document.frames.failed(),
            JobKind::OtherFrame => self.compare.frame_failed(),
            JobKind::History(_) => derived.histories.failed(),
            JobKind::Candidates => derived.candidates.failed(),
            JobKind::SearchWhatIf => {
                if let Some(search) = &mut derived.what_if_search {
                    search.failed(panic.to_owned());
                }
                return true;
            }
            JobKind::PrepareWhatIf | JobKind::MapWhatIf => {
                if let Some(what_if) = &mut derived.what_if {
                    what_if.failed(panic.to_owned());
                }
                return true;
            }
            _ => {}
        }
        false
    }
}
