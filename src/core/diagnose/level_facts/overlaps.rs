//! What was found about pairs that overlap for many frames, so that not each frame of an overlap looks at all of the ones before.

use crate::core::replay::ObjectId;
use glam::DVec3;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pairs that are known at most (a count); beyond it they are found anew.
const KNOWN: usize = 1 << 16;

/// An overlap of a mover and an obstacle, as far as it is known. It follows from the states alone, whichever frame asked first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownOverlap {
    /// The first and the last of states in a row in which the pair overlaps.
    pub states: (u32, u32),
    /// The least of the depths in them, metres.
    pub least: f64,
    /// The state before the first.
    pub before: Option<Before>,
}

/// The state before an overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Before {
    /// Of the pair in it, metres; 0 where the two are apart.
    pub depth: f64,
    /// A point and the normal of the surface entered, in the obstacle's space; `None` where there is none.
    pub entry: Option<(DVec3, DVec3)>,
}

impl KnownOverlap {
    /// Whether the pair is deeper than the slop at a state; `None` where that is not known.
    pub fn is_deep(&self, state: u32, slop: f64) -> Option<bool> {
        let (first, last) = self.states;
        match (self.before, (first..=last).contains(&state)) {
            (_, true) => (self.least > slop).then_some(true),
            (Some(before), false) if state + 1 == first => Some(before.depth > slop),
            _ => None,
        }
    }

    /// What is known of how the mover came in between a state and the one before.
    pub fn entry(&self, first: u32) -> Option<Option<(DVec3, DVec3)>> {
        Some(self.before.filter(|_| self.states.0 == first)?.entry)
    }

    /// Both, where their states are in a row; else the later one.
    fn joined(self, other: Self) -> Self {
        let [one, two] = match self.states.0 <= other.states.0 {
            true => [self, other],
            false => [other, self],
        };
        if two.states.0 > one.states.1.saturating_add(1) {
            return two;
        }
        Self {
            states: (one.states.0, one.states.1.max(two.states.1)),
            least: one.least.min(two.least),
            before: match one.states.0 == two.states.0 {
                true => self.before.or(other.before),
                false => one.before,
            },
        }
    }
}

/// The known overlaps of a level, by mover and obstacle.
#[derive(Debug, Default)]
pub struct KnownOverlaps(Mutex<HashMap<(ObjectId, ObjectId), KnownOverlap>>);

impl KnownOverlaps {
    fn lock(&self) -> MutexGuard<'_, HashMap<(ObjectId, ObjectId), KnownOverlap>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest of a pair.
    pub fn of(&self, pair: (ObjectId, ObjectId)) -> Option<KnownOverlap> {
        self.lock().get(&pair).copied()
    }

    /// Adds what was found.
    pub fn add(&self, pair: (ObjectId, ObjectId), found: KnownOverlap) {
        let mut all = self.lock();
        if all.len() >= KNOWN && !all.contains_key(&pair) {
            all.clear();
        }
        let known = all.entry(pair).or_insert(found);
        *known = known.joined(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_states_are_joined_and_their_beginning_is_kept() {
        let before = |depth: f64| Before {
            depth,
            entry: Some((DVec3::ZERO, DVec3::Y)),
        };
        let run = |first: u32, last: u32, least: f64, before: Option<Before>| KnownOverlap {
            states: (first, last),
            least,
            before,
        };
        let overlaps = KnownOverlaps::default();
        overlaps.add((1, 0), run(5, 7, 0.3, Some(before(0.05))));
        overlaps.add((1, 0), run(8, 9, 0.2, None));
        let known = overlaps.of((1, 0)).expect("a known overlap");
        assert_eq!(known, run(5, 9, 0.2, Some(before(0.05))));
        let deep = |slop: f64| [3, 4, 5, 9, 10].map(|state| known.is_deep(state, slop));
        assert_eq!(deep(0.1), [None, Some(false), Some(true), Some(true), None]);
        assert_eq!(deep(0.01), [None, Some(true), Some(true), Some(true), None]);
        // Which of them is 0.2 deep is not kept.
        assert_eq!(deep(0.25), [None, Some(false), None, None, None]);
        let entry = [4, 5, 6].map(|first| known.entry(first).is_some());
        assert_eq!(entry, [false, true, false]);
        assert_eq!(overlaps.of((0, 1)), None);
        // Another pair leaves it as it is.
        overlaps.add((2, 0), run(5, 7, 0.3, None));
        assert_eq!(overlaps.of((1, 0)), Some(known));
        // Another one, later.
        overlaps.add((1, 0), run(20, 20, 0.2, None));
        overlaps.add((1, 0), run(5, 9, 0.2, None));
        assert_eq!(overlaps.of((1, 0)), Some(run(20, 20, 0.2, None)));
    }
}
