//! A list in blocks that its versions share, as that of a scene's objects: an edit of one among many copies one block.

use std::ops::{Index, IndexMut};
use std::slice;
use std::sync::Arc;

/// Items of a block. An edit copies so many items, and each version of the list has a pointer for each block.
const BLOCK: usize = 256;

/// Items, each with its place in the list as its identity. A clone shares them all; a changed item is copied with its block.
#[derive(Clone, Debug)]
pub struct SharedList<T> {
    /// All full but the last, none empty.
    blocks: Vec<Arc<Vec<T>>>,
}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self { blocks: Vec::new() }
    }
}

impl<T: Clone + PartialEq> SharedList<T> {
    /// Their number.
    pub fn len(&self) -> usize {
        let before = self.blocks.len().saturating_sub(1) * BLOCK;
        self.blocks.last().map_or(0, |last| before + last.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// An item; `None` beyond the end.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.blocks.get(index / BLOCK)?.get(index % BLOCK)
    }

    /// An item to change; `None` beyond the end.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        Arc::make_mut(self.blocks.get_mut(index / BLOCK)?).get_mut(index % BLOCK)
    }

    /// The last one.
    pub fn last(&self) -> Option<&T> {
        self.blocks.last()?.last()
    }

    /// All, in order.
    pub fn iter(&self) -> Iter<'_, T> {
        let block: fn(&Arc<Vec<T>>) -> slice::Iter<'_, T> = |block| block.iter();
        self.blocks.iter().flat_map(block)
    }

    /// Adds one at the end.
    pub fn push(&mut self, item: T) {
        match self.blocks.last_mut().filter(|last| last.len() < BLOCK) {
            Some(last) => Arc::make_mut(last).push(item),
            None => self.blocks.push(Arc::new(vec![item])),
        }
    }

    /// Changes the list as a whole, which shares nothing with the one before.
    pub fn rebuild(&mut self, change: impl FnOnce(&mut Vec<T>)) {
        let mut all = self.iter().cloned().collect();
        change(&mut all);
        *self = all.into();
    }

    /// The places of the items that differ from those at the same places before, and of those beyond them. Shared blocks are not
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

    /// What the lists of several versions may share.
    pub(in crate::core) fn blocks(&self) -> &[Arc<Vec<T>>] {
        &self.blocks
    }
}

/// Iterator over items in order.
pub type Iter<'a, T> = std::iter::FlatMap<
    slice::Iter<'a, Arc<Vec<T>>>,
    slice::Iter<'a, T>,
    fn(&'a Arc<Vec<T>>) -> slice::Iter<'a, T>,
>;

impl<'a, T: Clone + PartialEq> IntoIterator for &'a SharedList<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Clone + PartialEq> PartialEq for SharedList<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&Arc<_>, &Arc<_>)| Arc::ptr_eq(one, other) || one == other;
        self.len() == other.len() && self.blocks.iter().zip(&other.blocks).all(same)
    }
}

impl<T: Clone + PartialEq> From<Vec<T>> for SharedList<T> {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Clone + PartialEq> FromIterator<T> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut all = Self::default();
        all.extend(items);
        all
    }
}

impl<T: Clone + PartialEq> Extend<T> for SharedList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<T> Index<usize> for SharedList<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        &self.blocks[index / BLOCK][index % BLOCK]
    }
}

impl<T: Clone> IndexMut<usize> for SharedList<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut Arc::make_mut(&mut self.blocks[index / BLOCK])[index % BLOCK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_in_blocks_is_the_list() {
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let all: Vec<usize> = (0..count).collect();
            let list = SharedList::from(all.clone());
            assert_eq!((list.len(), list.is_empty()), (count, count == 0));
            assert!(list.iter().eq(&all), "{count}");
            assert_eq!(list.last(), all.last());
            assert_eq!(list.get(count), None);
            let mut shorter = list.clone();
            shorter.rebuild(|all| all.truncate(count.saturating_sub(1)));
            assert_eq!(shorter == list, count == 0);
            let last = count.checked_sub(1).map(|last| last as u32);
            assert!(list.changed_from(&shorter).into_iter().eq(last));
            assert!(shorter.changed_from(&list).is_empty());
        }
    }

    #[test]
    fn a_change_is_of_one_item_and_leaves_the_clone() {
        let before: SharedList<usize> = (0..3 * BLOCK).collect();
        let mut now = before.clone();
        for index in [BLOCK, 2 * BLOCK + 7] {
            now[index] += 1;
            assert_eq!(before[index], index);
        }
        let changed = [BLOCK as u32, 2 * BLOCK as u32 + 7];
        assert_eq!(now.changed_from(&before), changed);
        assert!(Arc::ptr_eq(&now.blocks[0], &before.blocks[0]));
        // A value that is written again is not a change.
        now[BLOCK] -= 1;
        now[2 * BLOCK + 7] -= 1;
        assert!(now.changed_from(&before).is_empty());
        assert_eq!(now, before);
    }
}
