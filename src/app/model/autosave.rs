//! Autosave: unsaved changes are written to a separate file every few seconds.

use super::Model;
use super::job::{JobDone, JobKind};
use super::messages::Operation;
use crate::app::autosave_file::{Autosave, AutosaveFile};
use crate::core::problem::Problem;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Default age of changes when they are written.
const AFTER: Duration = Duration::from_secs(3);
/// Period of checks while there are changes to write.
const PERIOD: Duration = Duration::from_secs(1);

/// The state of autosaving.
pub(super) struct Autosaving {
    /// The folder of the autosaves; `None` when nothing is to be autosaved.
    folder: Option<PathBuf>,
    /// The age of changes when they are written.
    after: Duration,
    /// The file of this run; `None` if it could not be created.
    file: Option<AutosaveFile>,
    /// The text in the file.
    saved: Option<Arc<str>>,
    /// Time of the first change since the last autosave, or of the last attempt.
    since: Option<Instant>,
    /// True if the last attempt failed, which was shown.
    failed: bool,
}

impl Autosaving {
    pub(super) fn new(folder: Option<PathBuf>, after: Option<Duration>) -> Self {
        Self {
            after: after.unwrap_or(AFTER),
            file: folder.as_deref().and_then(AutosaveFile::create),
            folder,
            saved: None,
            since: None,
            failed: false,
        }
    }

    /// Removes another run's autosave once this run has saved its text.
    pub(super) fn replace(&mut self, other: PathBuf) {
        if let Some(file) = &mut self.file {
            file.replace(other);
        }
    }
}

impl Model {
    /// Time until the next update is needed without input: to start a diagnosis, or to autosave.
    pub(in crate::app) fn is_due_in(&self) -> Option<Duration> {
        let session = self.session.as_ref()?;
        let scene_doc = session.document.scene_doc.as_ref()?;
        let is_saved =
            || scene_doc.text().is_some() && self.autosaving.saved.as_ref() == scene_doc.text();
        let saves = self.autosaving.folder.is_some() && scene_doc.is_changed() && !is_saved();
        let now = Instant::now();
        let diagnosis = session
            .diagnose_at
            .map(|at| at.saturating_duration_since(now));
        diagnosis.or(saves.then_some(PERIOD))
    }

    /// Autosaves changes that are older than the limit. A failed attempt is repeated.
    pub(super) fn autosave(&mut self) {
        let autosaving = &mut self.autosaving;
        let Some(folder) = &autosaving.folder else {
            return;
        };
        let changed = self.session.as_ref().and_then(|session| {
            let scene_doc = session.document.scene_doc.as_ref()?;
            let changed = scene_doc.is_changed();
            changed.then_some((&session.document, scene_doc))
        });
        let Some((document, scene_doc)) = changed else {
            let is_saved = autosaving.saved.take().is_some();
            if let Some(file) = &mut autosaving.file {
                file.remove_replaced();
                if is_saved {
                    file.remove();
                }
            }
            autosaving.since = None;
            return;
        };
        let since = *autosaving.since.get_or_insert_with(Instant::now);
        // `None` while the text is being rewritten in the background.
        let Some(text) = scene_doc.text() else {
            return;
        };
        let is_saved = autosaving.saved.as_ref() == Some(text);
        if is_saved || since.elapsed() < autosaving.after || self.jobs.is_running(JobKind::Autosave)
        {
            return;
        }
        autosaving.since = Some(Instant::now());
        if autosaving.file.is_none() {
            autosaving.file = AutosaveFile::create(folder);
        }
        let Some(file) = &autosaving.file else {
            let what = "no file can be created in this folder";
            let problem = Problem::new(folder.display().to_string(), what, "");
            self.autosave_failed(&problem);
            return;
        };
        let autosave = Autosave::new(&document.source, text);
        let (path, text) = (file.path().to_owned(), Arc::clone(text));
        self.jobs.start(JobKind::Autosave, move |_| {
            JobDone::Autosave(text, autosave.write(&path))
        });
    }

    /// Handles the result of an autosave of this text.
    pub(super) fn take_autosave(&mut self, text: Arc<str>, outcome: Result<(), Problem>) {
        match outcome {
            Ok(()) => {
                self.autosaving.saved = Some(text);
                self.autosaving.failed = false;
                if let Some(file) = &mut self.autosaving.file {
                    file.remove_replaced();
                }
                self.messages.succeeded(Operation::Autosave);
            }
            Err(problem) => self.autosave_failed(&problem),
        }
    }

    /// Shows the first of several failed autosaves.
    pub(super) fn autosave_failed(&mut self, problem: &Problem) {
        if std::mem::replace(&mut self.autosaving.failed, true) {
            return;
        }
        let what = format!("unsaved changes are not autosaved: {}", problem.what);
        let help = "save the scene; autosaving is tried again every few seconds";
        let problem = Problem::new(problem.file.clone(), what, help);
        self.messages.failed(Operation::Autosave, problem);
    }
}
