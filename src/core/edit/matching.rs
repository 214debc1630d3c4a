//! Objects of a scene before and after an edit.

use crate::core::replay::ObjectId;
use crate::core::scene::Objects;
use std::collections::HashMap;

/// The ids after an edit of objects before it.
#[derive(Debug)]
pub struct ObjectMatching<'a> {
    before: &'a Objects,
    after: &'a Objects,
    /// Ids by name, ascending; `None` where all names are the same in the same order.
    by_name: Option<[HashMap<&'a str, Vec<ObjectId>>; 2]>,
}

impl<'a> ObjectMatching<'a> {
    /// Matches objects by name.
    pub fn new(before: &'a Objects, after: &'a Objects) -> Self {
        let names = |objects: &'a Objects| objects.iter().map(|object| object.name.as_str());
        let mut changed = after.changed_from(before).into_iter();
        let same_name = |id: ObjectId| before[id as usize].name == after[id as usize].name;
        let same = before.len() == after.len() && changed.all(same_name);
        let by_name = (!same).then(|| {
            [before, after].map(|objects| {
                let mut ids: HashMap<&str, Vec<ObjectId>> = HashMap::new();
                for (name, id) in names(objects).zip(0..) {
                    ids.entry(name).or_default().push(id);
                }
                ids
            })
        });
        Self {
            before,
            after,
            by_name,
        }
    }

    /// Whether all objects have kept their names and ids.
    pub fn is_identity(&self) -> bool {
        self.by_name.is_none()
    }

    /// The id after the edit: that of the same name, of a renamed object the same id, `None` for a removed one.
    pub fn after(&self, id: ObjectId) -> Option<ObjectId> {
        let name = self.before.get(id as usize)?.name.as_str();
        let Some([before, after]) = &self.by_name else {
            return Some(id);
        };
        let renamed = || {
            let other = self.after.get(id as usize)?.name.as_str();
            let same_count = self.before.len() == self.after.len();
            (same_count && !before.contains_key(other)).then_some(id)
        };
        // Of equal names the first stays the first.
        let count = before[name].partition_point(|other| *other < id);
        let same = after.get(name).and_then(|ids| ids.get(count));
        same.copied().or_else(renamed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::Object;
    use crate::core::shape::Shape;
    use glam::DVec3;

    #[test]
    fn objects_are_matched_by_name_and_renamed_ones_by_id() {
        let objects = |names: &str| -> Objects {
            let sphere = |name| Object::new(name, Shape::Sphere { radius: 1.0 }, DVec3::ZERO);
            names.split(' ').map(sphere).collect()
        };
        for (before, after, ids) in [
            ("a b c", "a b c", [Some(0), Some(1), Some(2)]),
            ("a b c", "c b a", [Some(2), Some(1), Some(0)]),
            ("a b c", "a d c", [Some(0), Some(1), Some(2)]),
            ("a b c", "a c", [Some(0), None, Some(1)]),
            ("a b c", "a c b d", [Some(0), Some(2), Some(1)]),
            ("a b c", "b a a", [Some(1), Some(0), None]),
            ("a a b", "c a a b", [Some(1), Some(2), Some(3)]),
        ] {
            let (before, after) = (objects(before), objects(after));
            let matching = ObjectMatching::new(&before, &after);
            assert_eq!([0, 1, 2].map(|id| matching.after(id)), ids);
            assert_eq!(matching.after(3), None);
        }
    }
}
