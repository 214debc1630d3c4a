//! A scene that can be edited: its text, the scene of the text, and the undo history.

use super::history::{History, Step};
use crate::core::problem::{Problem, Problems};
use crate::core::scene::{self, Folder, Scene};
use std::sync::Arc;

/// A scene with its text.
///
/// The scene is what [`scene::parse`] reads from the text. Right after an edit the scene is ahead of the text:
/// [`EditableScene::rewrite`] is then the work that is left, for a background job.
#[derive(Clone, Debug)]
pub struct EditableScene {
    text: Arc<str>,
    /// The scene of the text while `scene` is ahead of it.
    text_scene: Option<Arc<Scene>>,
    /// The scene, to be read only.
    pub scene: Arc<Scene>,
    /// The text of the file; `None` for a scene without a file.
    pub saved: Option<Arc<str>>,
    /// The file was deleted or renamed.
    pub is_gone: bool,
    /// The undo history.
    pub history: History,
    /// A typed text that cannot be parsed, with its problems.
    pub draft: Option<(String, Vec<Problem>)>,
}

/// The rewrite of a text for a scene that is ahead of it.
#[derive(Clone, Debug)]
pub struct Rewrite {
    text: Arc<str>,
    text_scene: Arc<Scene>,
    scene: Arc<Scene>,
}

/// A rewritten text, and the scene parsed from it.
pub type Rewritten = Result<(Arc<str>, Arc<Scene>), Problems>;

impl Rewrite {
    /// Rewrites the text and parses it; `file` names it in problems.
    ///
    /// # Errors
    /// As [`scene::edited`].
    pub fn run(&self, file: &str, folder: &dyn Folder) -> Rewritten {
        let (old, new) = (&self.text_scene, &self.scene);
        let (text, scene) = scene::edited(&self.text, file, folder, old, new)?;
        // In metres they are equal.
        let scene = match scene == **new {
            true => Arc::clone(new),
            false => Arc::new(scene),
        };
        Ok((text.into(), scene))
    }
}

impl EditableScene {
    /// A scene that was parsed from this text.
    pub fn new(text: String, scene: Arc<Scene>, in_a_file: bool) -> Self {
        let text: Arc<str> = text.into();
        Self {
            saved: in_a_file.then(|| Arc::clone(&text)),
            is_gone: false,
            text,
            text_scene: None,
            scene,
            history: History::default(),
            draft: None,
        }
    }

    /// The text; `None` while the scene is ahead of it.
    pub fn text(&self) -> Option<&Arc<str>> {
        self.text_scene.is_none().then_some(&self.text)
    }

    /// Marks a text as the file's.
    pub fn mark_saved(&mut self, text: Arc<str>) {
        let same = *text == *self.text;
        self.saved = Some(if same { Arc::clone(&self.text) } else { text });
        self.is_gone = false;
    }

    /// Marks the text as saved, which it is not: the changes are not wanted.
    pub fn discard_changes(&mut self) {
        self.saved = Some(Arc::clone(&self.text));
        self.is_gone = false;
    }

    /// Whether there is something to save. A new scene without edits is not worth it.
    pub fn is_changed(&self) -> bool {
        match &self.saved {
            _ if self.is_gone || self.text_scene.is_some() => true,
            // Pointers first: large texts are compared only after an edit.
            Some(saved) => !Arc::ptr_eq(saved, &self.text) && *saved != self.text,
            None => self.history.undoes().is_some(),
        }
    }

    /// Replaces text and scene by an edit of this name.
    pub fn record(&mut self, name: String, text: String, scene: Scene, gesture: Option<u64>) {
        self.draft = None;
        if *self.text == *text {
            return;
        }
        let scene = Arc::new(scene);
        let before = Step {
            name,
            text: std::mem::replace(&mut self.text, text.into()),
            scene: std::mem::replace(&mut self.scene, scene),
        };
        self.text_scene = None;
        self.history.record(before, gesture);
    }

    /// Whether an edit can be recorded without a text: the history needs one before each step.
    pub fn can_defer_text(&self, name: &str, gesture: Option<u64>) -> bool {
        self.text_scene.is_none() || self.history.continues(name, gesture)
    }

    /// Replaces the scene by an edit of this name, ahead of the text; see [`EditableScene::can_defer_text`].
    pub fn record_ahead(&mut self, name: String, scene: Scene, gesture: Option<u64>) {
        self.draft = None;
        let before = std::mem::replace(&mut self.scene, Arc::new(scene));
        let step = Step {
            name,
            text: Arc::clone(&self.text),
            scene: Arc::clone(&before),
        };
        self.history.record(step, gesture);
        self.text_scene.get_or_insert(before);
    }

    /// The rewrite of the text that is left; `None` while scene and text are equal.
    pub fn rewrite(&self) -> Option<Rewrite> {
        Some(Rewrite {
            text: Arc::clone(&self.text),
            text_scene: Arc::clone(self.text_scene.as_ref()?),
            scene: Arc::clone(&self.scene),
        })
    }

    /// Takes the result of a rewrite, unless the text was replaced meanwhile. Returns whether the scene has changed.
    ///
    /// # Errors
    /// What is wrong with the scene: it is the scene of the text again.
    pub fn take_rewritten(
        &mut self,
        rewrite: &Rewrite,
        rewritten: Rewritten,
    ) -> Result<bool, Problems> {
        let is_of_text = Arc::ptr_eq(&rewrite.text, &self.text);
        let Some(text_scene) = self.text_scene.as_mut().filter(|_| is_of_text) else {
            return Ok(false);
        };
        let is_latest = Arc::ptr_eq(&rewrite.scene, &self.scene);
        match rewritten {
            Ok((text, scene)) => {
                self.text = text;
                if !is_latest {
                    *text_scene = scene;
                    return Ok(false);
                }
                self.text_scene = None;
                let changed = !Arc::ptr_eq(&scene, &self.scene);
                self.scene = scene;
                Ok(changed)
            }
            Err(problems) if is_latest => {
                self.scene = Arc::clone(text_scene);
                self.text_scene = None;
                self.history.drop_latest(&self.scene);
                Err(problems)
            }
            // There is a later scene, which may be right.
            Err(_) => Ok(false),
        }
    }

    /// Replaces the scene by another one of the same text: its mesh files have changed.
    pub fn set_reparsed(&mut self, scene: Arc<Scene>) {
        self.scene = scene;
        self.text_scene = None;
    }

    /// Undoes the latest edit; returns false when there is none. The text has to be that of the scene.
    pub fn undo(&mut self) -> bool {
        let (text, scene) = (Arc::clone(&self.text), Arc::clone(&self.scene));
        let step = self.history.undo(text, scene);
        self.restore(step)
    }

    /// Redoes the edit that was undone last; returns false when there is none. The text has to be that of the scene.
    pub fn redo(&mut self) -> bool {
        let (text, scene) = (Arc::clone(&self.text), Arc::clone(&self.scene));
        let step = self.history.redo(text, scene);
        self.restore(step)
    }

    fn restore(&mut self, step: Option<Step>) -> bool {
        let Some(step) = step else {
            return false;
        };
        (self.text, self.scene) = (step.text, step.scene);
        (self.text_scene, self.draft) = (None, None);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::{MemoryFolder, parse};
    use glam::DVec3;

    const TEXT: &str = "Scene(version: 1, name: \"x\", dt: 1, frames: 1, objects: [
        (name: \"a\", shape: Sphere(radius: 1), position: (1, 0, 0)), // the first
        (name: \"b\", shape: Sphere(radius: 1))])";

    fn editable(text: &str) -> EditableScene {
        let scene = parse(text, "x", &MemoryFolder::default()).unwrap();
        EditableScene::new(text.to_owned(), Arc::new(scene), true)
    }

    fn drag(editable: &mut EditableScene, x: f64) {
        let mut scene = Scene::clone(&editable.scene);
        scene.objects[0].pose.position = DVec3::X * x;
        editable.record_ahead("Move a".into(), scene, Some(1));
    }

    fn run(rewrite: &Rewrite) -> Rewritten {
        rewrite.run("x", &MemoryFolder::default())
    }

    fn at(x: &str) -> String {
        TEXT.replace("(1, 0, 0)", &format!("({x}, 0, 0)"))
    }

    #[test]
    fn the_text_follows_a_drag_and_undo_goes_back_to_its_start() {
        let mut editable = editable(TEXT);
        drag(&mut editable, 2.0);
        let first = editable.rewrite().unwrap();
        assert!(editable.text().is_none() && editable.is_changed());
        assert!(editable.can_defer_text("Move a", Some(1)));
        assert!(
            !editable.can_defer_text("Move a", Some(2))
                && !editable.can_defer_text("Turn a", Some(1))
        );
        drag(&mut editable, 3.0);
        // The rewrite of an earlier scene is the base of the next.
        assert!(!editable.take_rewritten(&first, run(&first)).unwrap());
        assert!(editable.text().is_none());
        let second = editable.rewrite().unwrap();
        assert_eq!(&*second.text, at("2.0"));
        let scene = Arc::clone(&editable.scene);
        assert!(!editable.take_rewritten(&second, run(&second)).unwrap());
        assert_eq!(&**editable.text().unwrap(), at("3.0"));
        assert!(Arc::ptr_eq(&editable.scene, &scene) && editable.rewrite().is_none());
        assert!(editable.undo());
        assert_eq!(&**editable.text().unwrap(), TEXT);
        assert_eq!(editable.scene.objects[0].pose.position, DVec3::X);
        assert!(!editable.is_changed() && !editable.undo());
        assert!(editable.redo());
        assert_eq!(&**editable.text().unwrap(), at("3.0"));
        // Results that are no longer wanted change nothing.
        editable.take_rewritten(&first, run(&first)).unwrap();
        assert_eq!(&**editable.text().unwrap(), at("3.0"));
    }

    #[test]
    fn a_scene_that_cannot_be_written_is_dropped() {
        let mut editable = editable(TEXT);
        drag(&mut editable, f64::NAN);
        let rewrite = editable.rewrite().unwrap();
        assert!(editable.take_rewritten(&rewrite, run(&rewrite)).is_err());
        assert_eq!(editable.scene.objects[0].pose.position, DVec3::X);
        assert_eq!(&**editable.text().unwrap(), TEXT);
        assert!(!editable.undo());
    }

    #[test]
    fn other_units_round_the_scene_to_its_text() {
        let text = TEXT.replace("dt:", "units: (length: 0.3), dt:");
        let mut editable = editable(&text);
        for step in 0..40 {
            drag(&mut editable, 0.1 * f64::from(step));
            let rewrite = editable.rewrite().unwrap();
            let before = Arc::clone(&editable.scene);
            let changed = editable.take_rewritten(&rewrite, run(&rewrite)).unwrap();
            assert_eq!(changed, *editable.scene != *before);
            let text = editable.text().unwrap();
            let read = parse(text, "x", &MemoryFolder::default()).unwrap();
            assert_eq!(*editable.scene, read);
        }
    }
}
