//! Reloading of the level's file when another program changes it.

use super::asking::Asks;
use super::disk::{Content, FileCheck, check_file};
use super::editing::Prompt;
use super::file_watch::Stamps;
use super::job::{JobDone, JobKind};
use super::messages::Operation;
use super::{Model, Session};
use crate::app::source::Source;
use crate::core::log::Format;
use crate::core::problem::{Problem, Problems};
use crate::core::scene::{self, Scene};
use std::collections::BTreeSet;
use std::path::PathBuf;

impl Model {
    /// Starts a check of the level's files when another program may have changed them: the scene, and its recording.
    pub(super) fn watch_scene_file(&mut self) {
        let Some(Session {
            document,
            scene_file,
            ..
        }) = &mut self.session
        else {
            return;
        };
        let Source::File(path) = document.source.clone() else {
            return;
        };
        let (scene, recording) = match &document.scene_doc {
            Some(scene_doc) => {
                let recording = scene_doc.scene.recording.as_ref();
                (
                    Some(path.clone()),
                    recording.map(|name| path.with_file_name(name)),
                )
            }
            None => (None, Some(path.clone())),
        };
        let files = BTreeSet::from_iter(scene.iter().chain(&recording).cloned());
        if scene_file.set(files, self.jobs.request_repaint()) {
            self.jobs.drop(JobKind::CheckFile);
        }
        let busy = [JobKind::CheckFile, JobKind::Save, JobKind::Open];
        if self.jobs.is_any_running(busy) || self.prompt.is_some() || !scene_file.take_changed() {
            return;
        }
        let seen = scene_file.seen.clone();
        self.jobs.start(JobKind::CheckFile, move |_| {
            JobDone::CheckFile(path, check_file(scene, recording, seen.as_ref()))
        });
    }

    /// Checks the scene's file although no change was reported.
    pub(in crate::app) fn check_scene_file(&mut self) {
        if let Some(session) = &self.session {
            session.scene_file.check_soon();
        }
    }

    /// Handles a check of the scene's file.
    pub(super) fn take_file_check(&mut self, path: PathBuf, (seen, content): FileCheck) {
        let Some(session) = &mut self.session else {
            return;
        };
        // The scene may have been saved as another file since.
        if session.document.source != Source::File(path) {
            return;
        }
        let last = |stamps: &Stamps| stamps.last().copied().flatten().map(|stamp| stamp.length);
        let has_grown = session.scene_file.seen.as_ref().and_then(last) < last(&seen);
        session.scene_file.seen = Some(seen);
        match content {
            Some(Content::Recording) => self.on_recording_changed(has_grown),
            Some(content) => self.take_content(content),
            None => {}
        }
    }

    /// Handles the content of a file that another program changed.
    fn take_content(&mut self, content: Content) {
        let Some(Session { document, .. }) = &mut self.session else {
            return;
        };
        let Some(scene_doc) = &mut document.scene_doc else {
            return;
        };
        match content {
            Content::Gone => {
                scene_doc.is_gone = true;
                let what = "the file was deleted or renamed";
                let help = "save the scene to write the file again";
                let problem = Problem::new(document.source.name(), what, help);
                self.messages.failed(Operation::Reread, problem);
            }
            Content::Recording => {}
            Content::Unreadable(problem) => self.messages.failed(Operation::Reread, problem),
            Content::Text(text) => {
                scene_doc.is_gone = false;
                self.on_file_changed(text);
            }
        }
    }

    /// Reads the recording again; follows one that another program goes on writing.
    fn on_recording_changed(&mut self, has_grown: bool) {
        let of_log = self.document().filter(|one| one.scene_doc.is_none());
        if let Some(Source::File(path)) = of_log.map(|document| document.source.clone())
            && let Some(format @ (Format::JsonLines | Format::Ovd)) = Format::of_path(&path)
            && has_grown
        {
            self.follow_file(&path, format);
        } else {
            self.reload_unless_edited("the recording");
        }
    }

    /// Reads a scene with a recording again after a file of it has changed.
    pub(super) fn reload_unless_edited(&mut self, changed: &str) {
        if !self.has_unsaved() {
            self.reload();
        } else if let Some(document) = self.document() {
            let what = format!("{changed} has changed, and the scene has unsaved edits");
            let help = "save the scene, then reload it (F5)";
            let problem = Problem::new(document.source.name(), what, help);
            self.messages.failed(Operation::Reread, problem);
        }
    }

    fn on_file_changed(&mut self, text: String) {
        self.finish_text();
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        let Some(scene_doc) = &document.scene_doc else {
            return;
        };
        if scene_doc.saved.as_deref() == Some(&*text)
            || scene_doc.text().is_some_and(|own| **own == *text)
        {
            self.messages.succeeded(Operation::Reread);
            self.mark_saved(text);
            return;
        }
        let (changed, recorded) = (scene_doc.is_changed(), scene_doc.scene.recording.is_some());
        match scene::parse(&text, &document.source.name(), &*document.source.folder()) {
            // The file may be written in part only: the scene stays.
            Err(problems) => self.reread_failed(problems),
            Ok(_) if changed => {
                self.messages.succeeded(Operation::Reread);
                self.prompt = Some(Prompt::ChangedOutside(text));
            }
            Ok(_) if recorded => self.reload(),
            Ok(scene) => self.show_file_text(text, scene),
        }
    }

    /// Opens the level's file again; the run before can be compared with the new one.
    pub fn reload(&mut self) {
        if let Some(session) = &mut self.session {
            let source = session.document.source.clone();
            session.compare.begin_reload();
            self.pending_comparison.clear();
            self.recovering = None;
            self.read(source, Asks::Never);
        }
    }

    fn reread_failed(&mut self, problems: Problems) {
        for problem in problems.0.into_iter().take(1) {
            self.messages.failed(Operation::Reread, problem);
        }
    }

    /// Replaces the scene by the file's text; shows the problem if it does not parse.
    pub(super) fn take_file_text(&mut self, text: String) {
        self.finish_text();
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        match scene::parse(&text, &document.source.name(), &*document.source.folder()) {
            Ok(scene) => self.show_file_text(text, scene),
            Err(problems) => self.reread_failed(problems),
        }
    }

    fn show_file_text(&mut self, text: String, scene: Scene) {
        self.messages.succeeded(Operation::Reread);
        self.record("Change in the file".to_owned(), text.clone(), scene, None);
        self.mark_saved(text);
    }

    /// Marks this text as that of the file.
    pub(super) fn mark_saved(&mut self, text: String) {
        if let Some(Session { document, .. }) = &mut self.session
            && let Some(scene_doc) = &mut document.scene_doc
        {
            scene_doc.mark_saved(text.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::files::Settings;
    use crate::app::test_levels::until;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::mpsc::{self, Receiver};

    const BEFORE: &str = "Scene(version: 1, name: \"before\", dt: 0.1, frames: 2, objects: [])";
    const AFTER: &str = "Scene(version: 1, name: \"after\", dt: 0.1, frames: 2, objects: [])";

    fn opened(path: &Path) -> (Model, Receiver<()>) {
        std::fs::write(path, BEFORE).unwrap();
        let (done, is_done) = mpsc::channel();
        let request_repaint = Arc::new(move || {
            let _ = done.send(());
        });
        let mut model = Model::new(Settings::default(), request_repaint);
        model.open(Source::File(path.to_owned()));
        until(&mut model, |model| model.scene_doc().is_some());
        until(&mut model, |model| model.diagnosing().is_none());
        (model, is_done)
    }

    /// Puts a check with the old content of the file into the inbox.
    fn checked(model: &mut Model, path: &Path, is_done: &Receiver<()>) {
        while is_done.try_recv().is_ok() {}
        let path = path.to_owned();
        model.jobs.start(JobKind::CheckFile, |_| {
            let found = (Vec::new(), Some(Content::Text(BEFORE.to_owned())));
            JobDone::CheckFile(path, found)
        });
        is_done.recv().unwrap();
    }

    #[test]
    fn a_file_check_from_before_a_save_never_reverts_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.ron");
        let (mut model, is_done) = opened(&path);
        model.edit_text(AFTER.to_owned());
        until(&mut model, |model| model.diagnosing().is_none());
        checked(&mut model, &path, &is_done);
        model.save();
        // Both are in the inbox before either is handled.
        is_done.recv().unwrap();
        until(&mut model, |model| !model.is_saving());
        assert_eq!(&**model.scene_doc().unwrap().text().unwrap(), AFTER);
        assert!(model.prompt.is_none());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), AFTER);
    }

    #[test]
    fn the_file_has_the_text_that_was_saved_last() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.ron");
        let (mut model, _) = opened(&path);
        model.edit_text(AFTER.replace("after", "between"));
        model.save();
        model.edit_text(AFTER.to_owned());
        model.save();
        until(&mut model, |model| {
            !model.is_saving() && !model.has_unsaved()
        });
        assert_eq!(std::fs::read_to_string(&path).unwrap(), AFTER);
    }

    #[test]
    fn a_check_of_another_file_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["scene.ron", "other.ron"].map(|name| folder.path().join(name));
        let (mut model, is_done) = opened(&path);
        std::fs::write(&other, AFTER).unwrap();
        checked(&mut model, &path, &is_done);
        model.open(Source::File(other.clone()));
        until(&mut model, |model| {
            model.document().unwrap().source == Source::File(other.clone())
        });
        model.poll();
        assert_eq!(&**model.scene_doc().unwrap().text().unwrap(), AFTER);
    }
}
