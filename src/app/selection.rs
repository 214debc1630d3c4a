//! The selected objects, by their ids, which do not change with the frame.

use crate::core::replay::ObjectId;

/// The selected objects, in the order of selection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    objects: Vec<ObjectId>,
}

impl Selection {
    /// The selected objects, in the order of selection.
    pub fn objects(&self) -> &[ObjectId] {
        &self.objects
    }

    /// Returns true if this object is selected.
    pub fn contains(&self, object: ObjectId) -> bool {
        self.objects.contains(&object)
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
        self.objects.clear();
        for object in objects {
            if !self.objects.contains(&object) {
                self.objects.push(object);
            }
        }
    }

    /// Adds an object to the selection, or removes it.
    pub fn toggle(&mut self, object: ObjectId) {
        match self.objects.iter().position(|&selected| selected == object) {
            Some(index) => {
                self.objects.remove(index);
            }
            None => self.objects.push(object),
        }
    }

    /// Clears the selection.
    pub fn clear(&mut self) {
        self.objects.clear();
    }
}
