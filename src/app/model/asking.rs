//! The question about a file that is opened: what its columns are, or which animation. The answer is kept in the settings.

use super::Model;
use crate::app::source::Source;
use crate::core::level::{FileChoice, ReadOptions};
use crate::core::problem::{Problem, Problems};
use crate::core::scene::Units;
use std::path::{Path, PathBuf};

/// Whether the user is asked before a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// No: the file is open already, and another program may be writing it.
    Never,
    /// If it cannot be read without an answer.
    IfNeeded,
    /// If there is anything to choose.
    Always,
}

/// The question about a file, with the answer so far.
pub struct Asking {
    /// The file.
    pub path: PathBuf,
    /// What there is to choose.
    pub choice: FileChoice,
    /// The answer so far.
    pub options: ReadOptions,
    /// What the first rows of a table are read as: the number of objects and frames, and the notices; or why they cannot be read.
    pub outcome: Result<(usize, usize, Vec<Problem>), Problems>,
}

impl Asking {
    fn new(path: PathBuf, choice: FileChoice, options: ReadOptions) -> Self {
        let outcome = match &choice {
            FileChoice::Animation { .. } => Ok((0, 0, Vec::new())),
            FileChoice::Columns(preview) => preview.read(&options).map(|read| {
                let notices = read.notices.clone();
                (read.objects.len(), read.frames.len(), notices)
            }),
        };
        Self {
            path,
            choice,
            options,
            outcome,
        }
    }

    /// The units of the answer.
    pub fn units(&self) -> Units {
        self.options.units(Units::default())
    }
}

impl Model {
    /// The question about a file that is opened.
    pub fn asking(&self) -> Option<&Asking> {
        self.asking.as_ref()
    }

    /// What the user said about a file when it was opened.
    pub(super) fn answer(&self, path: &Path) -> Option<ReadOptions> {
        let key = Source::File(path.to_owned()).key();
        self.settings.read_as.get(&key).cloned()
    }

    /// Asks about the open file again.
    pub(in crate::app) fn ask_again(&mut self) {
        if let Some(source) = self.document().map(|document| document.source.clone()) {
            self.read(source, Asks::Always);
        }
    }

    /// Shows the question about a file.
    pub(super) fn ask(&mut self, path: PathBuf, choice: FileChoice) {
        let answer = self.answer(&path).unwrap_or_else(|| choice.guess());
        self.asking = Some(Asking::new(path, choice, answer));
    }

    /// Changes the answer.
    pub(in crate::app) fn set_read_options(&mut self, options: ReadOptions) {
        self.asking =
            (self.asking.take()).map(|asking| Asking::new(asking.path, asking.choice, options));
    }

    /// Closes the question; reads the file if it was answered.
    pub(in crate::app) fn end_asking(&mut self, answered: bool) {
        let Some(asking) = self.asking.take() else {
            return;
        };
        if !answered {
            self.pending_comparison.clear();
            return;
        }
        let source = Source::File(asking.path);
        self.settings.remember_answer(source.key(), asking.options);
        self.save_settings();
        match self.document().is_some_and(|open| open.source == source) {
            true => self.reload(),
            false => self.read(source, Asks::Never),
        }
    }
}
