//! A scene that can be changed: its text, what is read from it, and the steps back.

use super::history::{History, Step};
use crate::core::problem::Problem;
use crate::core::scene::Scene;
use std::sync::Arc;

/// A scene with its text. The scene is what the text says, always.
#[derive(Clone, Debug)]
pub struct EditableScene {
    /// As it would be saved.
    pub text: Arc<str>,
    /// What is read from it.
    pub scene: Arc<Scene>,
    /// As it stands in the file; `None` for one that has no file yet.
    pub saved: Option<Arc<str>>,
    /// The file was deleted or renamed since.
    pub is_gone: bool,
    /// The steps back.
    pub history: History,
    /// A text that was typed and is no scene yet, with what is wrong with it.
    pub draft: Option<(String, Vec<Problem>)>,
}

impl EditableScene {
    /// As it was read.
    pub fn new(text: String, scene: Arc<Scene>, in_a_file: bool) -> Self {
        let text: Arc<str> = text.into();
        Self {
            saved: in_a_file.then(|| Arc::clone(&text)),
            is_gone: false,
            text,
            scene,
            history: History::default(),
            draft: None,
        }
    }

    /// The file holds this text now.
    pub fn mark_saved(&mut self, text: Arc<str>) {
        let same = *text == *self.text;
        self.saved = Some(if same { Arc::clone(&self.text) } else { text });
        self.is_gone = false;
    }

    /// Is there something that no file holds? A new scene that nobody touched is not worth asking about.
    pub fn is_changed(&self) -> bool {
        match &self.saved {
            _ if self.is_gone => true,
            // Asked several times a pass: a large text is compared only after a change.
            Some(saved) => !Arc::ptr_eq(saved, &self.text) && *saved != self.text,
            None => self.history.undoes().is_some(),
        }
    }

    /// Another text and scene stand there now.
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
        self.history.record(before, gesture);
    }

    /// Takes the latest change back; false when there is none.
    pub fn undo(&mut self) -> bool {
        let step = self
            .history
            .undo(Arc::clone(&self.text), Arc::clone(&self.scene));
        self.stand_at(step)
    }

    /// Makes the latest change that was taken back again; false when there is none.
    pub fn redo(&mut self) -> bool {
        let step = self
            .history
            .redo(Arc::clone(&self.text), Arc::clone(&self.scene));
        self.stand_at(step)
    }

    fn stand_at(&mut self, step: Option<Step>) -> bool {
        let Some(step) = step else {
            return false;
        };
        (self.text, self.scene, self.draft) = (step.text, step.scene, None);
        true
    }
}
