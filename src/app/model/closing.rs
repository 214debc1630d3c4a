//! Saving the settings, and what is written before the program ends.

use super::Model;
use super::job::{JobDone, JobKind};
use std::time::{Duration, Instant};

/// Greatest time that closing waits for the settings to be saved.
const LAST_SAVE: Duration = Duration::from_secs(2);
/// The same for files of the user.
const LAST_WRITES: Duration = Duration::from_secs(120);

/// Jobs that are waited for: those that write files of the user, and the one whose programs end with it.
const WAITED_FOR: [JobKind; 8] = [
    JobKind::Tune,
    JobKind::KeepReceived,
    JobKind::Save,
    JobKind::SaveExcerpt,
    JobKind::SaveWalk,
    JobKind::SaveView,
    JobKind::SavePlots,
    JobKind::WriteOutput,
];

impl Model {
    /// Requests a background save of the settings.
    pub(in crate::app) fn save_settings(&mut self) {
        self.settings_changed = true;
    }

    /// Starts a save of changed settings, one at a time.
    pub(super) fn write_settings(&mut self) {
        if self.settings_changed && !self.jobs.is_running(JobKind::SaveSettings) {
            self.settings_changed = false;
            let settings = self.settings.clone();
            self.jobs.start(JobKind::SaveSettings, move |_| {
                JobDone::SaveSettings(settings.save())
            });
        }
    }

    /// Returns true if all changed settings are saved.
    pub fn settings_are_saved(&self) -> bool {
        !self.settings_changed && !self.jobs.is_running(JobKind::SaveSettings)
    }

    /// Ends the user's program, and writes what is not written yet before this one ends: running saves, a recording that is received, and the
    /// settings.
    pub(in crate::app) fn finish(&mut self) {
        self.drop_opened();
        self.end_session();
        self.jobs.cancel(JobKind::Tune);
        let begun = Instant::now();
        loop {
            self.take_results();
            self.write_received();
            self.write_settings();
            let longest = match self.jobs.is_any_running(WAITED_FOR) {
                true => LAST_WRITES,
                false if self.settings_are_saved() => break,
                false => LAST_SAVE,
            };
            if begun.elapsed() > longest {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
