//! The steps that were taken, and back.

use crate::core::scene::Scene;
use std::sync::Arc;

/// A scene with its text, as it stood before or after a change.
#[derive(Clone, Debug)]
pub struct Step {
    /// What the change was, as menus write it: `Move bullet`.
    pub name: String,
    /// The text on the other side of the change.
    pub text: Arc<str>,
    /// What is read from it.
    pub scene: Arc<Scene>,
}

/// Most steps that are kept; the oldest go first.
const MOST: usize = 500;

/// What was changed, and what was taken back.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Oldest first; each holds the scene before its change.
    past: Vec<Step>,
    /// Taken back, latest last; each holds the scene after its change.
    future: Vec<Step>,
    /// The press of the pointer, or the stay in a field, in which the last change was made.
    gesture: Option<u64>,
}

impl History {
    /// A change was made to what stood there. Changes of one name in one gesture are one step.
    pub fn record(&mut self, before: Step, gesture: Option<u64>) {
        self.future.clear();
        let goes_on = gesture.is_some()
            && self.gesture == gesture
            && self
                .past
                .last()
                .is_some_and(|last| last.name == before.name);
        self.gesture = gesture;
        if goes_on {
            return;
        }
        if self.past.len() == MOST {
            self.past.remove(0);
        }
        self.past.push(before);
    }

    /// Takes the latest change back: what stood before it, given what stands now.
    pub fn undo(&mut self, text: Arc<str>, scene: Arc<Scene>) -> Option<Step> {
        let step = self.past.pop()?;
        self.gesture = None;
        let name = step.name.clone();
        self.future.push(Step { name, text, scene });
        Some(step)
    }

    /// Makes the change that was taken back last again.
    pub fn redo(&mut self, text: Arc<str>, scene: Arc<Scene>) -> Option<Step> {
        let step = self.future.pop()?;
        self.gesture = None;
        let name = step.name.clone();
        self.past.push(Step { name, text, scene });
        Some(step)
    }

    /// What undo takes back.
    pub fn undoes(&self) -> Option<&str> {
        self.past.last().map(|step| step.name.as_str())
    }

    /// What redo makes again.
    pub fn redoes(&self) -> Option<&str> {
        self.future.last().map(|step| step.name.as_str())
    }

    /// The names of all changes in their order, and how many of them are done.
    pub fn names(&self) -> (Vec<&str>, usize) {
        let past = self.past.iter();
        let all = past.chain(self.future.iter().rev());
        (
            all.map(|step| step.name.as_str()).collect(),
            self.past.len(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::{MemoryFolder, parse};

    fn step(name: &str, number: usize) -> Step {
        let text = format!("Scene(version: 1, name: \"{number}\", dt: 1, frames: 1, objects: [])");
        let scene = parse(&text, "x", &MemoryFolder::default()).unwrap();
        Step {
            name: name.into(),
            text: text.into(),
            scene: Arc::new(scene),
        }
    }

    #[test]
    fn a_gesture_is_one_step_and_every_step_goes_back_and_forth() {
        let mut history = History::default();
        history.record(step("Move a", 0), Some(1));
        history.record(step("Move a", 1), Some(1));
        history.record(step("Move a", 2), Some(2));
        history.record(step("Turn a", 3), Some(2));
        history.record(step("Turn a", 4), None);
        history.record(step("Turn a", 5), None);
        let names = ["Move a", "Move a", "Turn a", "Turn a", "Turn a"];
        assert_eq!(history.names(), (names.to_vec(), 5));
        let mut now = step("", 6);
        for number in ["5", "4", "3", "2", "0"] {
            now = history.undo(now.text, now.scene).unwrap();
            assert_eq!(now.scene.name, number);
        }
        assert!(history.undo(now.text.clone(), now.scene.clone()).is_none());
        for number in ["2", "3", "4", "5", "6"] {
            now = history.redo(now.text, now.scene).unwrap();
            assert_eq!(now.scene.name, number);
        }
        assert_eq!(history.redoes(), None);
        history.undo(now.text, now.scene);
        history.record(step("Add b", 7), None);
        assert_eq!(
            history.redoes(),
            None,
            "a new change ends what was taken back"
        );
    }
}
