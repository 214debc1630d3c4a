//! Saving a picture or a clip of the view, beside the window.

use super::Model;
use super::messages::{Deed, Severity};
use crate::app::jobs::Job;
use crate::app::viewport::export::{self, Export, Shot, Span, schedule};
use crate::core::problem::Problem;
use std::path::PathBuf;

/// What is being saved, and where to; says what was done, or nothing when it was stopped.
pub(super) struct Running {
    path: PathBuf,
    job: Job<Result<Option<String>, Problem>>,
}

impl Model {
    /// Begins to draw and to save what the view shows, one thing at a time.
    pub fn export(&mut self, what: Export, shot: Shot, path: PathBuf) {
        let file = path.display().to_string();
        if self.exporting.is_some() {
            let help = "wait for it, or stop it in the status bar";
            let problem = Problem::new(file, "another picture or clip is being saved", help);
            self.messages.add(Severity::Notice, problem);
            return;
        }
        let span = match what {
            Export::Picture => None,
            Export::Inside => Some(Span::Inside(shot.playhead.frame)),
            Export::Loop => {
                let (from, to) = self.playback.loop_bounds();
                let speed = self.playback.speed();
                Some(Span::Loop { from, to, speed })
            }
        };
        let replay = shot.replay.clone();
        let instants = span.map(|span| schedule(span, |frame| replay.dt(frame), &self.holds()));
        let to = path.clone();
        let job = Job::start(self.wake.clone(), move |watch| match instants {
            None => export::save_picture(&shot, &to).map(Some),
            Some(instants) => export::save_clip(&shot, &instants, &to, watch),
        });
        self.exporting = Some(Running { path, job });
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
