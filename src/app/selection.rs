//! What is selected, by identity: survives any seek.

use crate::core::replay::ObjectId;

/// Selected objects, in the order they were chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    objects: Vec<ObjectId>,
}

impl Selection {
    /// In the order they were chosen.
    pub fn objects(&self) -> &[ObjectId] {
        &self.objects
    }

    /// Is it selected?
    pub fn contains(&self, object: ObjectId) -> bool {
        self.objects.contains(&object)
    }

    /// The two chosen last, in the order they were chosen: the pair that the gap plot and the ghosts show.
    pub fn pair(&self) -> Option<(ObjectId, ObjectId)> {
        match self.objects[..] {
            [.., a, b] => Some((a, b)),
            _ => None,
        }
    }

    /// Only this one.
    pub fn set(&mut self, objects: impl IntoIterator<Item = ObjectId>) {
        self.objects.clear();
        for object in objects {
            if !self.objects.contains(&object) {
                self.objects.push(object);
            }
        }
    }

    /// In if it was out, out if it was in.
    pub fn toggle(&mut self, object: ObjectId) {
        match self.objects.iter().position(|&selected| selected == object) {
            Some(index) => {
                self.objects.remove(index);
            }
            None => self.objects.push(object),
        }
    }

    /// Nothing.
    pub fn clear(&mut self) {
        self.objects.clear();
    }
}
