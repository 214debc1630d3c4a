//! Sets of objects, one bit for each object of the level.

use crate::core::replay::ObjectId;

/// Bits in a word.
const BITS: u32 = u64::BITS;

/// A set of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectSet {
    /// The last word is not zero, so that equal sets have equal words.
    words: Vec<u64>,
    len: usize,
}

/// The word and the bit of an object.
fn place(object: ObjectId) -> (usize, u64) {
    ((object / BITS) as usize, 1 << (object % BITS))
}

impl ObjectSet {
    /// The empty set.
    pub const fn new() -> Self {
        Self {
            words: Vec::new(),
            len: 0,
        }
    }

    /// Number of objects in it.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether an object is in it.
    #[inline]
    pub fn contains(&self, object: ObjectId) -> bool {
        let (word, bit) = place(object);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Adds an object; returns false if it was there.
    pub fn insert(&mut self, object: ObjectId) -> bool {
        let (word, bit) = place(object);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.len += usize::from(is_new);
        is_new
    }

    /// Removes an object.
    pub fn remove(&mut self, object: ObjectId) {
        let (word, bit) = place(object);
        if self.contains(object) {
            self.words[word] ^= bit;
            self.len -= 1;
        }
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// The objects, ascending.
    pub fn iter(&self) -> impl Iterator<Item = ObjectId> {
        let all = 0..self.words.len() as ObjectId * BITS;
        all.filter(|&object| self.contains(object))
    }
}

impl Extend<ObjectId> for ObjectSet {
    fn extend<T: IntoIterator<Item = ObjectId>>(&mut self, objects: T) {
        for object in objects {
            self.insert(object);
        }
    }
}

impl FromIterator<ObjectId> for ObjectSet {
    fn from_iter<T: IntoIterator<Item = ObjectId>>(objects: T) -> Self {
        let mut set = Self::new();
        set.extend(objects);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Random, rounds};
    use std::collections::BTreeSet;

    #[test]
    fn it_is_a_set() {
        for seed in 0..rounds(200) {
            let mut random = Random(seed);
            let (mut set, mut expected) = (ObjectSet::new(), BTreeSet::new());
            for _ in 0..60 {
                let object = random.index(200) as ObjectId;
                if random.below(2) == 0 {
                    assert_eq!(set.insert(object), expected.insert(object), "seed {seed}");
                } else {
                    set.remove(object);
                    expected.remove(&object);
                }
                assert_eq!(set.len(), expected.len(), "seed {seed}");
                assert_eq!(set.contains(object), expected.contains(&object));
            }
            assert!(set.iter().eq(expected.iter().copied()), "seed {seed}");
            assert_eq!(set, expected.into_iter().collect(), "seed {seed}");
        }
    }
}
