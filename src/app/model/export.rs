//! Background saving of images and clips.

use super::Model;
use super::job::{JobDone, JobKind};
use super::messages::{Operation, Severity};
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use std::path::{Path, PathBuf};

impl Model {
    /// Starts saving an image or clip, one at a time; returns false while another is being saved.
    pub(in crate::app) fn begin_export(
        &mut self,
        path: PathBuf,
        save: impl FnOnce(&dyn Progress) -> Result<Option<String>, Problem> + Send + 'static,
    ) -> bool {
        if self.exporting().is_some() {
            let help = "wait until it is done, or stop it in the status bar";
            let what = "another image or clip is being saved";
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

    /// Progress of the image or clip that is being saved, 0..1 where known.
    pub fn exporting(&self) -> Option<Option<f32>> {
        self.jobs.progress(JobKind::SaveView)
    }

    /// Shows the result of saving; `None` when it was stopped.
    pub(super) fn take_export(&mut self, path: &Path, outcome: Result<Option<String>, Problem>) {
        let file = path.display().to_string();
        match outcome {
            Ok(Some(done)) => {
                self.messages.succeeded(Operation::Export);
                self.messages.done(&file, done);
            }
            Ok(None) => self.messages.done(&file, "stopped: nothing was saved"),
            Err(problem) => self.messages.failed(Operation::Export, problem),
        }
    }
}
