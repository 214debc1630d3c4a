//! Saving pictures and clips in the background.

use super::Model;
use super::job::{JobDone, JobKind};
use super::messages::{Deed, Severity};
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use std::path::{Path, PathBuf};

impl Model {
    /// Begins to save pictures, one thing at a time; false while another is being saved.
    pub(in crate::app) fn begin_export(
        &mut self,
        path: PathBuf,
        save: impl FnOnce(&dyn Progress) -> Result<Option<String>, Problem> + Send + 'static,
    ) -> bool {
        if self.exporting().is_some() {
            let help = "wait for it, or stop it in the status bar";
            let what = "another picture or clip is being saved";
            let problem = Problem::new(path.display().to_string(), what, help);
            self.messages.add(Severity::Notice, problem);
            return false;
        }
        self.jobs.start(JobKind::SaveView, move |job| {
            let outcome = save(job);
            JobDone::SaveView(path, outcome)
        });
        true
    }

    /// True while something is being saved, with the share done.
    pub fn exporting(&self) -> Option<Option<f32>> {
        self.jobs.progress(JobKind::SaveView)
    }

    /// Shows how saving the view ended; `None` when it was stopped.
    pub(super) fn take_export(&mut self, path: &Path, outcome: Result<Option<String>, Problem>) {
        let file = path.display().to_string();
        match outcome {
            Ok(Some(done)) => {
                self.messages.succeeded(Deed::Export);
                self.messages.done(&file, done);
            }
            Ok(None) => self.messages.done(&file, "stopped: nothing was saved"),
            Err(problem) => self.messages.failed(Deed::Export, problem),
        }
    }
}
