//! Recovery of an autosave of an earlier run. Its file is removed after this run has autosaved or saved the text.

use super::Model;
use super::job::{JobDone, JobKind};
use super::messages::Severity;
use crate::app::autosave_file::Autosave;
use crate::app::source::{Source, load_text};
use crate::core::edit::EditableScene;
use crate::core::problem::Problem;
use std::path::PathBuf;

/// An autosave that is being opened.
pub(super) struct Recovering {
    /// Path of the autosave.
    path: PathBuf,
    text: String,
    /// True if the scene's file cannot be opened: then the text is read in its place.
    without_file: bool,
}

impl Model {
    /// Opens the file of an autosave, to apply the autosaved text as an edit.
    pub(super) fn recover(&mut self, path: PathBuf, autosave: Autosave) {
        self.open(autosave.source());
        self.recovering = Some(Recovering {
            path,
            text: autosave.text,
            without_file: false,
        });
    }

    /// Opens the autosaved text itself after its file could not be opened.
    pub(super) fn recover_without_file(&mut self, source: Source) {
        let Some(recovering) = self.recovering.take() else {
            return;
        };
        if recovering.without_file {
            let what = "the autosaved changes cannot be opened";
            self.autosave_stays(recovering.path, what);
            return;
        }
        let text = recovering.text.clone();
        self.opening = Some(source.clone());
        self.jobs.start(JobKind::Open, move |job| {
            let loaded = load_text(&source, text, job);
            JobDone::Open(source, loaded.map(Box::new))
        });
        self.recovering = Some(Recovering {
            without_file: true,
            ..recovering
        });
    }

    /// Applies the autosaved text to the level that was opened for it.
    pub(super) fn show_recovered(&mut self) {
        let Some(recovering) = self.recovering.take() else {
            return;
        };
        if recovering.without_file {
            // The text differs from the file, so it is unsaved.
            self.mark_saved(String::new());
        } else {
            self.edit_text(recovering.text.clone());
        }
        let shown = self.scene_doc();
        if shown
            .and_then(EditableScene::text)
            .is_some_and(|text| **text == *recovering.text)
        {
            self.autosaving.replace(recovering.path);
            return;
        }
        let draft = shown.and_then(|shown| shown.draft.as_ref());
        let problem = draft.and_then(|(_, problems)| problems.first());
        let what = match problem {
            Some(problem) => format!(
                "the autosaved changes are shown in the text panel only: {}",
                problem.what
            ),
            None => "the autosaved changes are not of a scene".to_owned(),
        };
        self.autosave_stays(recovering.path, &what);
    }

    fn autosave_stays(&mut self, path: PathBuf, what: &str) {
        let help = "the autosave stays in this file and is offered again at the next start";
        let problem = Problem::new(path.display().to_string(), what, help);
        self.messages.add(Severity::Error, problem);
    }
}
