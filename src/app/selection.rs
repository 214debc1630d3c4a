//! The selected objects, by their ids, which do not change with the frame.

use super::object_set::ObjectSet;
use crate::core::replay::ObjectId;

/// The selected objects, in the order of selection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    objects: Vec<ObjectId>,
    /// The same, to ask for one of a hundred thousand.
    members: ObjectSet,
}

impl Selection {
    /// The selected objects, in the order of selection.
    pub fn objects(&self) -> &[ObjectId] {
        &self.objects
    }

    /// Returns true if this object is selected.
    pub fn contains(&self, object: ObjectId) -> bool {
        self.members.contains(object)
    }

    /// The last two selected objects, in the order of selection: the pair of the gap plot and the ghosts.
    pub fn pair(&self) -> Option<(ObjectId, ObjectId)> {
        match self.objects[..] {
            [.., a, b] => Some((a, b)),
            _ => None,
        }
    }

    /// Selects only these objects.
    pub fn set(&mut self, objects: impl IntoIterator<Item = ObjectId>) {
        self.clear();
        for object in objects {
            if self.members.insert(object) {
                self.objects.push(object);
            }
        }
    }

    /// Adds an object to the selection, or removes it.
    pub fn toggle(&mut self, object: ObjectId) {
        if self.members.insert(object) {
            self.objects.push(object);
        } else {
            self.members.remove(object);
            self.objects.retain(|&selected| selected != object);
        }
    }

    /// Clears the selection.
    pub fn clear(&mut self) {
        self.objects.clear();
        self.members.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// It took minutes once: each was compared with all before it.
    #[test]
    fn all_of_a_large_level_are_selected_at_once() {
        let begun = Instant::now();
        let mut selected = Selection::default();
        selected.set((0..200_000).chain([7]));
        assert!((0..200_000).all(|object| selected.contains(object)));
        assert!(begun.elapsed() < Duration::from_secs(5));
        selected.toggle(1);
        selected.toggle(200_000);
        assert!(!selected.contains(1) && selected.pair() == Some((199_999, 200_000)));
        assert_eq!(selected.objects().len(), 200_000);
    }
}
