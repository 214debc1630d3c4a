//! Unsaved changes, written to a file of their own every few seconds: a crash does not lose them.

use super::Model;
use super::job::{JobDone, JobKind};
use super::messages::Deed;
use crate::app::autosave_file::{Autosave, AutosaveFile};
use crate::core::problem::Problem;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The age of changes when they are written, unless the settings have another.
const AFTER: Duration = Duration::from_secs(3);
/// The period of passes while there are changes to write.
const PERIOD: Duration = Duration::from_secs(1);

/// The state of autosaving.
pub(super) struct Autosaving {
    /// The folder of the autosaves; `None` when nothing is to be autosaved.
    folder: Option<PathBuf>,
    /// The age of changes when they are written.
    after: Duration,
    /// The file of this run; `None` when none could be made.
    file: Option<AutosaveFile>,
    /// The text in the file.
    saved: Option<Arc<str>>,
    /// The time of the first change since, or of the last attempt.
    since: Option<Instant>,
    /// The last attempt failed, which was shown.
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
    /// The time until the next pass is needed without any input: for the diagnosis, or to autosave.
    pub(in crate::app) fn is_due_in(&self) -> Option<Duration> {
        let session = self.session.as_ref()?;
        let authored = session.document.authored.as_ref()?;
        let is_saved =
            || authored.text().is_some() && self.autosaving.saved.as_ref() == authored.text();
        let saves = self.autosaving.folder.is_some() && authored.is_changed() && !is_saved();
        let now = Instant::now();
        let diagnosis = session
            .diagnose_at
            .map(|at| at.saturating_duration_since(now));
        diagnosis.or(saves.then_some(PERIOD))
    }

    /// Autosaves unsaved changes of a few seconds ago. A failed attempt is repeated.
    pub(super) fn autosave(&mut self) {
        let autosaving = &mut self.autosaving;
        let Some(folder) = &autosaving.folder else {
            return;
        };
        let changed = self.session.as_ref().and_then(|session| {
            let authored = session.document.authored.as_ref()?;
            let changed = authored.is_changed();
            changed.then_some((&session.document, authored))
        });
        let Some((document, authored)) = changed else {
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
        // It is rewritten in the background first.
        let Some(text) = authored.text() else {
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
            let what = "no file can be made in this folder";
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

    /// Uses the result of an autosave of this text.
    pub(super) fn take_autosave(&mut self, text: Arc<str>, outcome: Result<(), Problem>) {
        match outcome {
            Ok(()) => {
                self.autosaving.saved = Some(text);
                self.autosaving.failed = false;
                if let Some(file) = &mut self.autosaving.file {
                    file.remove_replaced();
                }
                self.messages.succeeded(Deed::Autosave);
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
        self.messages.failed(Deed::Autosave, problem);
    }
}
