//! Saving pictures and clips in the background.

use super::Model;
use super::messages::{Deed, Severity};
use crate::app::jobs::{Job, Watch};
use crate::core::problem::Problem;
use std::path::PathBuf;

/// What is being saved, and where to; says what was done, or nothing when it was stopped.
pub(super) struct Running {
    path: PathBuf,
    job: Job<Result<Option<String>, Problem>>,
}

impl Model {
    /// Begins to save pictures, one thing at a time; false while another is being saved.
    pub(in crate::app) fn begin_export(
        &mut self,
        path: PathBuf,
        save: impl FnOnce(&Watch) -> Result<Option<String>, Problem> + Send + 'static,
    ) -> bool {
        if self.exporting.is_some() {
            let help = "wait for it, or stop it in the status bar";
            let what = "another picture or clip is being saved";
            let problem = Problem::new(path.display().to_string(), what, help);
            self.messages.add(Severity::Notice, problem);
            return false;
        }
        let job = Job::start(self.wake.clone(), save);
        self.exporting = Some(Running { path, job });
        true
    }

    /// True while something is being saved, with the share done.
    pub fn exporting(&self) -> Option<Option<f32>> {
        Some(self.exporting.as_ref()?.job.share())
    }

    /// Asks it to stop; then no file is written.
    pub(in crate::app) fn stop_export(&self) {
        if let Some(running) = &self.exporting {
            running.job.stop();
        }
    }

    pub(super) fn take_export(&mut self) {
        let Some(outcome) = self
            .exporting
            .as_ref()
            .and_then(|running| running.job.poll())
        else {
            return;
        };
        let file = match self.exporting.take() {
            Some(running) => running.path.display().to_string(),
            None => return,
        };
        match outcome {
            Ok(Ok(Some(done))) => {
                self.messages.succeeded(Deed::Export);
                self.messages.done(&file, done);
            }
            Ok(Ok(None)) => self.messages.done(&file, "stopped: nothing was saved"),
            Ok(Err(problem)) => self.messages.failed(Deed::Export, problem),
            Err(fault) => self.own_fault(&file, &fault),
        }
    }
}
