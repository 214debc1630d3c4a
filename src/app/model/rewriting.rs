//! Rewriting of the scene's text after an edit, in the background or at once.

use super::job::{JobDone, JobKind};
use super::{Model, Session};
use crate::core::edit::{EditableScene, Edited, Rewrite, Rewritten};
use crate::core::problem::Problems;
use crate::core::scene::{self, Folder};
use std::sync::Arc;

impl Model {
    /// Shows a valid edited scene; its text is rewritten in the background.
    pub(super) fn record_ahead(&mut self, edited: Edited) {
        let gesture = self.gesture;
        let can_defer = |one: &EditableScene| one.can_defer_text(&edited.name, gesture);
        if !self.scene_doc().is_some_and(can_defer) {
            self.finish_text();
        }
        self.store_run();
        if let Some(scene_doc) = self.scene_doc_mut() {
            scene_doc.record_ahead(edited.name, edited.scene, gesture);
            self.scene_changed(edited.select);
        }
    }

    /// Rewrites the text for an edited scene and shows the scene parsed from it. Returns false when it is not valid.
    pub(super) fn record_rewritten(&mut self, edited: Edited) -> bool {
        self.finish_text();
        let Some(Session { document, .. }) = &self.session else {
            return false;
        };
        let (name, folder) = (document.source.name(), document.meshes());
        let scene_doc = document.scene_doc.as_ref();
        let Some((scene_doc, text)) = scene_doc.and_then(|one| Some((one, one.text()?))) else {
            return false;
        };
        let rewritten = scene::edited(text, &name, &*folder, &scene_doc.scene, &edited.scene);
        match rewritten {
            Ok((text, scene)) => {
                self.record(edited.name, text, scene, edited.select);
                true
            }
            Err(problems) => {
                self.first_of(problems);
                false
            }
        }
    }

    /// Rewrites the text in the background while the scene is ahead of it.
    pub(super) fn rewrite_text(&mut self) {
        if self.jobs.is_running(JobKind::RewriteText) {
            return;
        }
        let Some((rewrite, name, folder)) = self.rewrite() else {
            return;
        };
        self.jobs.start(JobKind::RewriteText, move |_| {
            let rewritten = rewrite.run(&name, &*folder);
            JobDone::RewriteText(rewrite, rewritten)
        });
    }

    /// The pending rewrite, with the scene's name and folder.
    fn rewrite(&self) -> Option<(Rewrite, String, Arc<dyn Folder>)> {
        let document = self.document()?;
        let rewrite = document.scene_doc.as_ref()?.rewrite()?;
        Some((rewrite, document.source.name(), document.meshes()))
    }

    /// Carries out a pending rewrite now.
    pub(super) fn finish_text(&mut self) {
        if let Some((rewrite, name, folder)) = self.rewrite() {
            self.jobs.drop(JobKind::RewriteText);
            let rewritten = rewrite.run(&name, &*folder);
            self.take_rewritten(&rewrite, rewritten);
        }
    }

    /// Handles a rewritten text.
    pub(super) fn take_rewritten(&mut self, rewrite: &Rewrite, rewritten: Rewritten) {
        let Some(scene_doc) = self.scene_doc_mut() else {
            return;
        };
        match scene_doc.take_rewritten(rewrite, rewritten) {
            Ok(false) => {}
            Ok(true) => self.scene_changed(None),
            Err(problems) => {
                self.scene_changed(None);
                self.first_of(problems);
            }
        }
    }

    /// Handles a rewrite that panicked: reverts the scene to its text.
    pub(super) fn rewrite_failed(&mut self) {
        if let Some((rewrite, ..)) = self.rewrite() {
            self.take_rewritten(&rewrite, Err(Problems(Vec::new())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::files::Settings;
    use crate::app::source::Source;
    use crate::app::test_levels::until;
    use crate::core::edit::{Edit, Template};
    use crate::core::scene::Expectation;

    #[test]
    fn an_edit_is_shown_at_once_and_its_text_follows() {
        let mut model = Model::new(Settings::default(), Arc::new(|| ()));
        model.open(Source::New(Template::BulletAndWall));
        until(&mut model, |model| model.scene_doc().is_some());
        let before = Arc::clone(model.scene_doc().unwrap().text().unwrap());
        let count = |model: &Model| model.scene_doc().unwrap().scene.objects.len();
        let objects = count(&model);
        model.edit(Edit::Duplicate(vec![0]));
        assert_eq!(count(&model), objects + 1);
        assert!(model.scene_doc().unwrap().text().is_none());
        until(&mut model, |model| {
            model.scene_doc().unwrap().text().is_some()
        });
        let duplicated = Arc::clone(model.scene_doc().unwrap().text().unwrap());
        assert_ne!(duplicated, before);
        // Two at once: each is a step of the history, with its text.
        model.edit(Edit::Remove(vec![0]));
        model.edit(Edit::Duplicate(vec![0]));
        model.undo();
        assert_eq!(count(&model), objects);
        model.undo();
        assert_eq!(model.scene_doc().unwrap().text(), Some(&duplicated));
        model.undo();
        assert_eq!(model.scene_doc().unwrap().text(), Some(&before));
        // An invalid edit changes nothing.
        model.edit(Edit::AddExpectation(Expectation::Touches {
            a: "absent".into(),
            b: "missing".into(),
        }));
        assert_eq!(model.scene_doc().unwrap().text(), Some(&before));
        assert!(!model.messages.shown().is_empty());
    }
}
