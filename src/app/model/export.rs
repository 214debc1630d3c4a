//! Saving a picture or a clip of the view, beside the window.

use super::Model;
use super::job::{JobDone, JobKind};
use super::messages::{Deed, Severity};
use crate::app::viewport::export::{self, Export, Shot, Span, schedule};
use crate::core::problem::Problem;
use std::path::{Path, PathBuf};

impl Model {
    /// Begins to draw and to save what the view shows, one thing at a time.
    pub fn export(&mut self, what: Export, shot: Shot, path: PathBuf) {
        let file = path.display().to_string();
        if self.exporting().is_some() {
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
        self.jobs.start(JobKind::SaveView, move |job| {
            let outcome = match instants {
                None => export::save_picture(&shot, &path).map(Some),
                Some(instants) => export::save_clip(&shot, &instants, &path, job),
            };
            JobDone::SaveView(path, outcome)
        });
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
