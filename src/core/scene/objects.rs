//! The objects of a scene, in blocks that scenes share: an edit of one object among many copies one block.

use super::types::Object;
use std::ops::{Index, IndexMut};
use std::slice;
use std::sync::Arc;

/// Objects of a block. An edit copies so many objects, and each version of a scene has a pointer for each block.
const BLOCK: usize = 256;

/// Objects, each with its place in the list as its identity. A clone shares them all; a changed object is copied with its block.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    /// All full but the last, none empty.
    blocks: Vec<Arc<Vec<Object>>>,
}

impl Objects {
    /// Their number.
    pub fn len(&self) -> usize {
        let before = self.blocks.len().saturating_sub(1) * BLOCK;
        self.blocks.last().map_or(0, |last| before + last.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// An object; `None` beyond the end.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&Object> {
        self.blocks.get(index / BLOCK)?.get(index % BLOCK)
    }

    /// An object to change; `None` beyond the end.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Object> {
        Arc::make_mut(self.blocks.get_mut(index / BLOCK)?).get_mut(index % BLOCK)
    }

    /// The last one.
    pub fn last(&self) -> Option<&Object> {
        self.blocks.last()?.last()
    }

    /// All, in order.
    pub fn iter(&self) -> Iter<'_> {
        let block: fn(&Arc<Vec<Object>>) -> slice::Iter<'_, Object> = |block| block.iter();
        self.blocks.iter().flat_map(block)
    }

    /// Adds one at the end.
    pub fn push(&mut self, object: Object) {
        match self.blocks.last_mut().filter(|last| last.len() < BLOCK) {
            Some(last) => Arc::make_mut(last).push(object),
            None => self.blocks.push(Arc::new(vec![object])),
        }
    }

    /// Changes the list as a whole, which shares nothing with the one before.
    pub fn rebuild(&mut self, change: impl FnOnce(&mut Vec<Object>)) {
        let mut all = self.iter().cloned().collect();
        change(&mut all);
        *self = all.into();
    }

    /// The places of the objects that differ from those at the same places before, and of those beyond them. Shared blocks are not
    /// compared.
    pub fn changed_from(&self, before: &Self) -> Vec<u32> {
        let mut changed = Vec::new();
        for (number, block) in self.blocks.iter().enumerate() {
            let known = before.blocks.get(number);
            if known.is_none_or(|known| !Arc::ptr_eq(known, block)) {
                let known = |index: usize| known?.get(index);
                let objects = block.iter().enumerate();
                let differ = objects.filter(|(index, object)| known(*index) != Some(object));
                changed.extend(differ.map(|(index, _)| (number * BLOCK + index) as u32));
            }
        }
        changed
    }

    /// What the lists of several scenes may share.
    pub(in crate::core) fn blocks(&self) -> &[Arc<Vec<Object>>] {
        &self.blocks
    }
}

/// Iterator over objects in order.
pub type Iter<'a> = std::iter::FlatMap<
    slice::Iter<'a, Arc<Vec<Object>>>,
    slice::Iter<'a, Object>,
    fn(&'a Arc<Vec<Object>>) -> slice::Iter<'a, Object>,
>;

impl<'a> IntoIterator for &'a Objects {
    type Item = &'a Object;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Objects {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&Arc<_>, &Arc<_>)| Arc::ptr_eq(one, other) || one == other;
        self.len() == other.len() && self.blocks.iter().zip(&other.blocks).all(same)
    }
}

impl From<Vec<Object>> for Objects {
    fn from(objects: Vec<Object>) -> Self {
        objects.into_iter().collect()
    }
}

impl FromIterator<Object> for Objects {
    fn from_iter<T: IntoIterator<Item = Object>>(objects: T) -> Self {
        let mut all = Self::default();
        all.extend(objects);
        all
    }
}

impl Extend<Object> for Objects {
    fn extend<T: IntoIterator<Item = Object>>(&mut self, objects: T) {
        objects.into_iter().for_each(|object| self.push(object));
    }
}

impl Index<usize> for Objects {
    type Output = Object;

    #[inline]
    fn index(&self, index: usize) -> &Object {
        &self.blocks[index / BLOCK][index % BLOCK]
    }
}

impl IndexMut<usize> for Objects {
    fn index_mut(&mut self, index: usize) -> &mut Object {
        &mut Arc::make_mut(&mut self.blocks[index / BLOCK])[index % BLOCK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Shape;
    use glam::DVec3;

    fn balls(count: usize) -> Vec<Object> {
        let ball = |index| {
            let shape = Shape::Sphere { radius: 1.0 };
            Object::new(format!("ball {index}"), shape, DVec3::ZERO)
        };
        (0..count).map(ball).collect()
    }

    #[test]
    fn a_list_in_blocks_is_the_list() {
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let all = balls(count);
            let objects = Objects::from(all.clone());
            assert_eq!((objects.len(), objects.is_empty()), (count, count == 0));
            assert!(objects.iter().eq(&all), "{count}");
            assert_eq!(objects.last(), all.last());
            assert_eq!(objects.get(count), None);
            let mut shorter = objects.clone();
            shorter.rebuild(|all| drop(all.pop()));
            assert_eq!(shorter == objects, count == 0);
            let last = count.checked_sub(1).map(|last| last as u32);
            assert!(objects.changed_from(&shorter).into_iter().eq(last));
            assert!(shorter.changed_from(&objects).is_empty());
        }
    }

    #[test]
    fn a_change_is_of_one_object_and_leaves_the_clone() {
        let before = Objects::from(balls(3 * BLOCK));
        let mut now = before.clone();
        for index in [BLOCK, 2 * BLOCK + 7] {
            now[index].mass = 2.0;
            assert_eq!(before[index].mass, 1.0);
        }
        let changed = [BLOCK as u32, 2 * BLOCK as u32 + 7];
        assert_eq!(now.changed_from(&before), changed);
        assert!(Arc::ptr_eq(&now.blocks[0], &before.blocks[0]));
        // A value that is written again is not a change.
        now[BLOCK].mass = 1.0;
        now[2 * BLOCK + 7].mass = 1.0;
        assert!(now.changed_from(&before).is_empty());
        assert_eq!(now, before);
    }
}
