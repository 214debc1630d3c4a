//! Saving the scene.

use super::disk::{SaveOutcome, Written, write};
use super::editing::Prompt;
use super::job::{JobDone, JobKind};
use super::messages::Operation;
use super::{Dialog, Effect, Model, Session};
use crate::app::command::Command;
use crate::app::source::Source;
use crate::core::edit::Edited;
use crate::core::problem::Problem;
use crate::core::scene::Scene;
use std::path::PathBuf;
use std::sync::Arc;

impl Model {
    /// Saves the scene to its file; opens a file dialog when it has none.
    pub fn save(&mut self) {
        // Clears the command of an earlier save whose dialog was closed.
        self.run_after_save(None);
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        match (&document.source, &document.scene_doc) {
            (Source::File(path), Some(_)) => self.save_to(path.clone()),
            (_, Some(_)) => self.save_as(),
            (_, None) => {
                let name = document.source.name();
                self.refuse(&name, "recordings are read-only: there is nothing to save");
            }
        }
    }

    /// Opens a file dialog and saves the scene.
    pub fn save_as(&mut self) {
        self.run_after_save(None);
        self.open_save_dialog();
    }

    /// Sets the command to run after the scene is saved.
    pub(super) fn run_after_save(&mut self, command: Option<Command>) {
        if let Some(session) = &mut self.session {
            session.after_save = command;
        }
    }

    pub(super) fn open_save_dialog(&mut self) {
        if let Some(Session { document, .. }) = &self.session
            && document.scene_doc.is_some()
        {
            let folder = document.folder();
            self.effects.push(Effect::OpenDialog(Dialog::Scene(
                folder,
                document.file_name(),
            )));
        }
    }

    /// Saves the scene to a file, which becomes its own. Meshes of other folders are inlined. A prompt opens before changes
    /// by another program are overwritten.
    pub fn save_to(&mut self, path: PathBuf) {
        self.write_to(path, false);
    }

    /// Saves the scene, overwriting changes by another program.
    pub(super) fn overwrite(&mut self, path: PathBuf) {
        self.write_to(path, true);
    }

    fn write_to(&mut self, path: PathBuf, overwrite: bool) {
        // One at a time: of two jobs at once the older text could be written last.
        let is_saving = self.is_saving();
        self.finish_text();
        let Some(Session {
            document,
            save_next,
            ..
        }) = &mut self.session
        else {
            return;
        };
        if is_saving {
            *save_next = Some(path);
            return;
        }
        let Some(scene_doc) = &document.scene_doc else {
            return;
        };
        let of = document.source.clone();
        let elsewhere = document.folder().as_deref() != path.parent();
        if elsewhere && scene_doc.scene.recording.is_some() {
            let what = "the scene refers to a recording in its own folder, and would not find it from there";
            let help = "save it in its own folder, or copy the recording first";
            let name = path.display().to_string();
            self.messages
                .failed(Operation::Save, Problem::new(name, what, help));
            return;
        }
        if elsewhere && self.inlining_fails() {
            return;
        }
        let scene_doc = self.scene_doc();
        let Some((scene_doc, text)) = scene_doc.and_then(|one| Some((one, one.text()?))) else {
            return;
        };
        let text = Arc::clone(text);
        let own = of == Source::File(path.clone()) && !overwrite;
        let saved = scene_doc.saved.clone().filter(|_| own);
        // A running check may have read the text before this save.
        self.jobs.drop(JobKind::CheckFile);
        self.jobs.start(JobKind::Save, move |_| {
            JobDone::Save(write(of, path, text, saved.as_deref()))
        });
    }

    /// Inlines the mesh files into the scene's text; returns true if that failed.
    fn inlining_fails(&mut self) -> bool {
        let Some(Session { document, .. }) = &self.session else {
            return true;
        };
        let Some(scene_doc) = &document.scene_doc else {
            return true;
        };
        let mut scene = Scene::clone(&scene_doc.scene);
        crate::core::diagnose::inline_meshes(&mut scene);
        if scene == *scene_doc.scene {
            return false;
        }
        !self.record_rewritten(Edited {
            scene,
            name: "Inline meshes".to_owned(),
            select: None,
        })
    }

    /// Handles the outcome of a save and runs the command that waits for it.
    pub(super) fn take_written(&mut self, outcome: Result<SaveOutcome, Problem>) {
        // Another level may be open by now.
        let mut session = self.session.as_mut();
        let next = session
            .as_mut()
            .map(|session| (session.save_next.take(), session.after_save.take()));
        let (save_next, after_save) = next.unwrap_or_default();
        match outcome {
            Ok(SaveOutcome::ChangedOutside(path)) => {
                self.run_after_save(after_save);
                self.prompt = Some(Prompt::Overwrite(path));
            }
            Ok(SaveOutcome::Written(Written { of, path, text })) => {
                if let Some(session) = session.filter(|session| session.document.source == of)
                    && let Some(scene_doc) = &mut session.document.scene_doc
                {
                    scene_doc.mark_saved(text);
                    // Forget the stamp, so that a deletion right after is detected as another change.
                    session.scene_file.seen = None;
                    session.document.move_to(path.clone());
                    self.messages.succeeded(Operation::Reread);
                }
                self.messages.succeeded(Operation::Save);
                self.messages.done(&path.display().to_string(), "saved");
                self.settings.remember(&path);
                self.save_settings();
                if let Some(path) = save_next {
                    self.run_after_save(after_save);
                    self.save_to(path);
                } else if let Some(command) = after_save {
                    self.queue.push(command);
                }
            }
            Err(problem) => self.messages.failed(Operation::Save, problem),
        }
    }

    /// Returns true while the scene is being written to its file.
    pub fn is_saving(&self) -> bool {
        self.jobs.is_running(JobKind::Save)
    }
}
