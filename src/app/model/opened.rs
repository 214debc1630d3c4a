//! A level that was read and takes the place of a scene with unsaved changes, once these are saved or discarded.

use super::growing::Growing;
use super::job::JobKind;
use super::{Model, Prompt};
use crate::app::command::Command;
use crate::app::source::{Loaded, Source};

/// A level that was read and is not shown yet; one that is growing has more frames to come.
pub(super) struct Opened {
    pub loaded: Loaded,
    pub source: Source,
    pub growing: Option<Growing>,
}

impl Model {
    /// Returns the level to show, or `None` if it would take the place of unsaved changes: then a prompt opens first.
    pub(super) fn confirm_opened(&mut self, mut opened: Opened) -> Option<Opened> {
        if !self.has_unsaved() {
            return Some(opened);
        }
        if self.is_open(&opened.source) {
            // It is read again after a save.
            self.ask_unsaved(Command::Reload);
            return None;
        }
        let before = self.opened.take();
        if let Some(before) = before.filter(|before| before.source == opened.source) {
            // Another part of the same recording.
            opened.growing = opened.growing.and(before.growing);
        }
        self.opened = Some(opened);
        self.ask_unsaved(Command::ShowOpened);
        None
    }

    fn ask_unsaved(&mut self, command: Command) {
        if self.prompt.is_none() {
            self.prompt = Some(Prompt::Unsaved(Box::new(command)));
        }
    }

    /// Asks once another prompt is answered.
    pub(super) fn confirm_waiting(&mut self) {
        let Some(opened) = self.opened.take() else {
            return;
        };
        if let Some(opened) = self.confirm_opened(opened) {
            self.opened = Some(opened);
            self.queue.push(Command::ShowOpened);
        }
    }

    /// Takes what was read of the level that waits as the whole.
    pub(super) fn stop_waiting_for(&mut self, source: &Source) {
        if let Some(opened) = self.opened.as_mut().filter(|one| one.source == *source) {
            opened.growing = None;
        }
    }

    /// Returns true if this is the level that is open. Two new scenes of the same template are different levels.
    pub(super) fn is_open(&self, source: &Source) -> bool {
        let open = self.document().is_some_and(|open| open.source == *source);
        open && !matches!(source, Source::New(_))
    }

    /// The name of the level that is shown once the changes of the open one are saved or discarded.
    pub fn opened_name(&self) -> Option<String> {
        Some(self.opened.as_ref()?.source.name())
    }

    /// Shows the level that was read.
    pub(in crate::app) fn show_opened(&mut self) {
        if let Some(opened) = self.opened.take() {
            self.show_level(opened.loaded, opened.source, opened.growing);
        }
    }

    /// Drops the level that was read, as the open one stays. A received recording is kept, and no more are received.
    pub(super) fn drop_opened(&mut self) {
        let Some(opened) = self.opened.take() else {
            return;
        };
        if matches!(opened.source, Source::Live(_)) {
            self.received.push_back(opened.loaded.level);
            self.jobs.drop(JobKind::Open);
        }
        self.pending_comparison.clear();
        self.recovering = None;
        self.walk_probe = None;
    }
}
