//! The running jobs that the status bar shows and can stop.

use super::Model;
use super::job::JobKind;

/// The jobs that the status bar shows, by precedence, with their labels.
const SHOWN: [(JobKind, &str); 9] = [
    (JobKind::Find, "Searching"),
    (JobKind::Open, "Reading"),
    (JobKind::Keep, "Keeping the recording"),
    (JobKind::SaveView, "Saving the view"),
    (JobKind::WriteOutput, "Writing the file"),
    (JobKind::Diagnose, "Diagnosing"),
    (JobKind::OpenOther, "Reading the other level"),
    (JobKind::Compare, "Comparing"),
    (JobKind::DiagnoseOther, "Diagnosing the other level"),
];

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
                _ => self.jobs.progress(kind),
            }?;
            let live = (kind == JobKind::Open).then(|| self.live_text()).flatten();
            let waits = live.is_some();
            let text = match &self.opening {
                _ if let Some(live) = live => live,
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

    /// Cancels the jobs that the status bar shows.
    pub(in crate::app) fn stop_jobs(&mut self) {
        for (kind, _) in SHOWN {
            self.jobs.cancel(kind);
        }
        if let Some(session) = &mut self.session {
            session.diagnose_at = None;
        }
    }
}
