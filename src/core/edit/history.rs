//! The undo history.

use crate::core::scene::{Movement, Object, Scene};
use crate::core::shape::Shape;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Limit of the steps that are kept; the oldest are dropped first.
const MAX_STEPS: usize = 500;
/// Limit of the memory of all steps, bytes, as estimated by [`allocations`]. The latest step is kept whatever its size.
const MAX_BYTES: usize = 128 << 20;

/// An edit, and a scene with its text: before the edit if it is done, after it if it is undone.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name of the edit: `Move bullet`.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// The scene of the text.
    pub scene: Arc<Scene>,
}

/// The edits that were done and undone.
#[derive(Clone, Debug)]
pub struct History {
    /// Done, oldest first.
    past: VecDeque<Step>,
    /// Undone, latest last.
    future: Vec<Step>,
    /// The gesture of the latest edit.
    gesture: Option<u64>,
    memory: Memory,
    max_steps: usize,
    max_bytes: usize,
}

impl Default for History {
    fn default() -> Self {
        Self::with_limits(MAX_STEPS, MAX_BYTES)
    }
}

impl History {
    fn with_limits(max_steps: usize, max_bytes: usize) -> Self {
        Self {
            past: VecDeque::new(),
            future: Vec::new(),
            gesture: None,
            memory: Memory::default(),
            max_steps,
            max_bytes,
        }
    }

    /// Whether an edit continues the latest step: one of the same name in the same gesture.
    pub fn continues(&self, name: &str, gesture: Option<u64>) -> bool {
        let same_gesture = gesture.is_some() && self.gesture == gesture && self.future.is_empty();
        same_gesture && self.undoes() == Some(name)
    }

    /// Records an edit; `before` is the scene before it. Edits of one name in one gesture are one step.
    pub fn record(&mut self, before: Step, gesture: Option<u64>) {
        if self.continues(&before.name, gesture) {
            return;
        }
        self.gesture = gesture;
        for step in self.future.drain(..) {
            self.memory.remove(&step);
        }
        self.memory.add(&before);
        self.past.push_back(before);
        while self.past.len() > 1
            && (self.past.len() > self.max_steps || self.memory.bytes > self.max_bytes)
            && let Some(oldest) = self.past.pop_front()
        {
            self.memory.remove(&oldest);
        }
    }

    /// Undoes the latest edit: the step before it, given the current text and scene.
    pub fn undo(&mut self, text: Arc<str>, scene: Arc<Scene>) -> Option<Step> {
        let step = self.past.pop_back()?;
        let undone = self.replace(&step, text, scene);
        self.future.push(undone);
        Some(step)
    }

    /// Redoes the edit that was undone last: the step after it, given the current text and scene.
    pub fn redo(&mut self, text: Arc<str>, scene: Arc<Scene>) -> Option<Step> {
        let step = self.future.pop()?;
        let done = self.replace(&step, text, scene);
        self.past.push_back(done);
        Some(step)
    }

    /// Drops the latest step if the scene before it is this one.
    pub(super) fn drop_latest(&mut self, scene: &Arc<Scene>) {
        if let Some(step) = self
            .past
            .pop_back_if(|step| Arc::ptr_eq(&step.scene, scene))
        {
            self.memory.remove(&step);
        }
    }

    /// The step of the same edit with its other side.
    fn replace(&mut self, step: &Step, text: Arc<str>, scene: Arc<Scene>) -> Step {
        self.gesture = None;
        let name = step.name.clone();
        let other = Step { name, text, scene };
        self.memory.remove(step);
        self.memory.add(&other);
        other
    }

    /// The name of the edit that undo undoes.
    pub fn undoes(&self) -> Option<&str> {
        self.past.back().map(|step| step.name.as_str())
    }

    /// The name of the edit that redo redoes.
    pub fn redoes(&self) -> Option<&str> {
        self.future.last().map(|step| step.name.as_str())
    }

    /// The names of all edits in their order, and the number of those that are done.
    pub fn names(&self) -> (Vec<&str>, usize) {
        let past = self.past.iter();
        let all = past.chain(self.future.iter().rev());
        (
            all.map(|step| step.name.as_str()).collect(),
            self.past.len(),
        )
    }
}

/// The memory of steps; an allocation that several share counts once.
#[derive(Clone, Debug, Default)]
struct Memory {
    bytes: usize,
    /// The number of steps by the address of what they hold.
    users: HashMap<usize, usize>,
}

impl Memory {
    fn add(&mut self, step: &Step) {
        for (address, bytes) in allocations(step) {
            let users = self.users.entry(address).or_default();
            *users += 1;
            if *users == 1 {
                self.bytes += bytes;
            }
        }
    }

    fn remove(&mut self, step: &Step) {
        for (address, bytes) in allocations(step) {
            let Some(users) = self.users.get_mut(&address) else {
                continue;
            };
            *users -= 1;
            if *users == 0 {
                self.users.remove(&address);
                self.bytes -= bytes;
            }
        }
    }
}

/// What a step holds that other steps may share, with estimated bytes: text, scene, meshes and other large shapes.
fn allocations(step: &Step) -> impl Iterator<Item = (usize, usize)> {
    let blocks = step.scene.objects.blocks();
    let of_block = |block: &Arc<Vec<Object>>| block.iter().map(object_bytes).sum();
    let objects = blocks
        .iter()
        .map(move |block| (address(block), of_block(block)));
    let meshes = step.scene.objects.iter();
    let meshes = meshes.filter_map(|object| match &object.shape {
        Shape::Mesh(mesh) => Some((address(mesh), mesh.bytes())),
        _ => None,
    });
    let text = (address(&step.text), step.text.len());
    [text, (address(&step.scene), size_of::<Scene>())]
        .into_iter()
        .chain(objects)
        .chain(meshes)
}

fn address<T: ?Sized>(shared: &Arc<T>) -> usize {
    Arc::as_ptr(shared).addr()
}

/// The memory of an object, without what other objects may share.
fn object_bytes(object: &Object) -> usize {
    let keyframes = match &object.movement {
        Movement::Keyframes(keyframes) => size_of_val(&keyframes[..]),
        _ => 0,
    };
    let names = object.tags.iter().chain(&object.ignores);
    let names = names.map(|name| size_of::<String>() + name.len());
    size_of::<Object>() + object.name.len() + keyframes + names.sum::<usize>()
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

    #[test]
    fn memory_is_limited_and_shared_texts_and_scenes_count_once() {
        let (kilobyte, scene) = (1000, step("", 0).scene);
        let bytes = size_of::<Scene>();
        let edit = |name: &str| Step {
            name: name.into(),
            text: "x".repeat(kilobyte).into(),
            scene: Arc::clone(&scene),
        };
        // One scene of all, and a text each.
        let mut history = History::with_limits(100, bytes + 3 * kilobyte);
        for name in ["a", "b", "c", "d", "e"] {
            history.record(edit(name), None);
        }
        assert_eq!(history.names().0, ["c", "d", "e"]);
        assert_eq!(history.memory.bytes, bytes + 3 * kilobyte);
        // The current text is another one.
        let now = edit("");
        history.undo(Arc::clone(&now.text), Arc::clone(&now.scene));
        assert_eq!(history.names(), (vec!["c", "d", "e"], 2));
        assert_eq!(history.memory.bytes, bytes + 3 * kilobyte);
        let shared = edit("f");
        history.record(shared.clone(), None);
        history.record(
            Step {
                name: "g".into(),
                ..shared
            },
            None,
        );
        assert_eq!(history.names().0, ["c", "d", "f", "g"]);
        // The latest edit can always be undone.
        let mut large = edit("h");
        large.text = "x".repeat(9 * kilobyte).into();
        history.record(large, None);
        assert_eq!(history.names().0, ["h"]);
        assert_eq!(history.memory.bytes, bytes + 9 * kilobyte);
    }

    #[test]
    fn the_number_of_steps_is_limited() {
        let mut history = History::with_limits(2, usize::MAX);
        for name in ["a", "b", "c"] {
            history.record(step(name, 0), None);
        }
        assert_eq!(history.names(), (vec!["b", "c"], 2));
    }
}
