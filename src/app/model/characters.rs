//! Objects that are judged as characters: their passes through fixed objects were left out, as platforms pass them on purpose.

use super::job::JobKind;
use super::{Derived, Model, Session};
use crate::core::edit::Edit;
use crate::core::level::Level;
use crate::core::scene::Scene;
use std::sync::Arc;

impl Model {
    /// Marks objects as characters: by an edit of a scene; of a recording while it is open, also when it is read again.
    pub(in crate::app) fn judge_characters(&mut self, names: Vec<String>) {
        let of_scene = self.scene_doc().map(|scene_doc| &scene_doc.scene);
        if let Some(scene) = of_scene.filter(|scene| scene.recording.is_none()) {
            let objects = scene.objects.iter().zip(0..);
            let named = objects.filter(|(object, _)| names.contains(&object.name));
            let marked = named.map(|(object, id)| {
                let mut object = object.clone();
                object.character = true;
                (id, object)
            });
            let edit = Edit::Objects("Mark as character", marked.collect());
            return self.edit(edit);
        }
        let Some(session) = &mut self.session else {
            return;
        };
        session.characters.extend(names);
        session.mark_characters();
        session.derived = Derived::default();
        self.jobs.drop_where(JobKind::ends_with_scene);
        let replay = session.document.replay();
        session.compare.scene_changed(replay, &mut self.jobs);
        self.diagnose_soon();
        self.show_frame();
    }
}

impl Session {
    /// Marks the characters of a recording that was read again.
    pub(super) fn mark_characters(&mut self) {
        if let Some(scene) = self.with_characters(&self.document.level) {
            self.document.replace(scene);
        }
    }

    /// The scene of a level with its characters; `None` where there are none.
    pub(super) fn with_characters(&self, level: &Level) -> Option<Arc<Scene>> {
        if self.characters.is_empty() {
            return None;
        }
        let mut scene = Scene::clone(level.replay.scene());
        scene.objects.rebuild(|objects| {
            for object in objects {
                object.character |= self.characters.contains(&object.name);
            }
        });
        Some(Arc::new(scene))
    }
}
