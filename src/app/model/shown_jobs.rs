//! The running jobs that the status bar shows and can stop.

use super::Model;
use super::job::JobKind;

/// The jobs that the status bar shows, by precedence, with their labels.
const SHOWN: [(JobKind, &str); 15] = [
    (JobKind::Find, "Searching"),
    (JobKind::Open, "Reading"),
    (JobKind::Keep, "Keeping the recording"),
    (JobKind::SaveView, "Saving the view"),
    (JobKind::WriteOutput, "Writing the file"),
    (JobKind::Diagnose, "Diagnosing"),
    (JobKind::OpenOther, "Reading the other level"),
    (JobKind::Compare, "Comparing"),
    (JobKind::CompareTrack, "Comparing another recording"),
    (JobKind::DiagnoseOther, "Diagnosing the other level"),
    (JobKind::Tune, "Running your program"),
    (JobKind::Leaks, "Looking for leaks"),
    (JobKind::EngineLog, "Listing the engine log"),
    (JobKind::ExplainMotion, "Following the object back"),
    (JobKind::LastChange, "Looking for the object's last change"),
];

/// Steps of an object from which on following it back is shown, as a short one would only flicker.
const LONG: u64 = 500;

/// A job that the status bar shows.
pub struct ShownJob {
    /// Kind of the job.
    pub kind: JobKind,
    /// Label.
    pub text: String,
    /// Progress, 0..1; `None` while unknown.
    pub share: Option<f32>,
    /// True for one that waits for another program.
    pub waits: bool,
}

impl Model {
    /// The running jobs that the status bar shows and can stop, most important first.
    pub fn shown_jobs(&self) -> impl Iterator<Item = ShownJob> {
        SHOWN.into_iter().filter_map(|(kind, text)| {
            let share = match kind {
                JobKind::Diagnose => self.diagnosing(),
                JobKind::ExplainMotion | JobKind::LastChange
                    if self.jobs.counts(kind).is_some_and(|(done, _)| done < LONG) =>
                {
                    None
                }
                _ => self.jobs.progress(kind),
            }?;
            let live = (kind == JobKind::Open).then(|| self.live_text()).flatten();
            let waits = live.is_some();
            let text = match &self.opening {
                _ if let Some(live) = live => live,
                _ if kind == JobKind::Tune => self.tuning_text().unwrap_or_default(),
                Some(source) if kind == JobKind::Open => format!("{text} {}", source.name()),
                _ => text.to_owned(),
            };
            Some(ShownJob {
                kind,
                text,
                share,
                waits,
            })
        })
    }

    /// The running comparison.
    pub fn comparing(&self) -> Option<ShownJob> {
        let kinds = [JobKind::OpenOther, JobKind::Compare];
        self.shown_jobs().find(|job| kinds.contains(&job.kind))
    }

    /// Cancels the job that the status bar shows.
    pub(in crate::app) fn stop_shown_job(&mut self) {
        let shown = self.shown_jobs().next();
        self.stop(shown);
    }

    /// Cancels the running comparison.
    pub(in crate::app) fn stop_comparison_job(&mut self) {
        let shown = self.comparing();
        self.stop(shown);
    }

    fn stop(&mut self, job: Option<ShownJob>) {
        let Some(ShownJob { kind, .. }) = job else {
            return;
        };
        self.jobs.cancel(kind);
        if let Some(session) = self.session.as_mut().filter(|_| kind == JobKind::Diagnose) {
            session.diagnose_at = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::files::Settings;
    use crate::app::model::JobDone;
    use crate::app::test_levels::until;
    use crate::core::progress::Progress as _;
    use std::sync::Arc;
    use std::time::Duration;

    /// All were stopped once.
    #[test]
    fn a_job_is_stopped_alone() {
        let mut model = Model::new(Settings::default(), Arc::new(|| {}));
        for kind in [JobKind::WriteOutput, JobKind::Compare, JobKind::SaveView] {
            model.jobs.start(kind, |job| {
                while !job.cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                JobDone::CheckRecent(Default::default())
            });
        }
        let shown = |model: &Model| model.shown_jobs().map(|job| job.kind).collect::<Vec<_>>();
        model.stop_comparison_job();
        let left = [JobKind::SaveView, JobKind::WriteOutput];
        until(&mut model, |model| shown(model) == left);
        model.stop_shown_job();
        until(&mut model, |model| shown(model) == left[1..]);
        model.stop_shown_job();
        until(&mut model, |model| shown(model).is_empty());
    }
}
