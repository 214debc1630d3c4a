//! What was found about pairs that overlap for many frames, so that each is followed back once and not again in every frame.

use crate::core::replay::ObjectId;
use glam::DVec3;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pairs that are known at most (a count); beyond it they are found anew.
const KNOWN: usize = 1 << 16;

/// An overlap of a mover and an obstacle, as far as it is known. It follows from the states alone, whichever frame asked first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownOverlap {
    /// The depth above which it counts, metres.
    pub slop: f64,
    /// The first and the last of states in a row in which the pair is deeper.
    pub states: (u32, u32),
    /// How the mover came in; `None` while it is not known that the pair is no deeper in the state before.
    pub came_in: Option<CameIn>,
}

/// A point and the normal of the surface through which a mover came in, in the obstacle's space; `None` where there is none.
pub type CameIn = Option<(DVec3, DVec3)>;

impl KnownOverlap {
    /// Whether the pair is deeper at a state; `None` where that is not known.
    pub fn is_deep(&self, state: u32) -> Option<bool> {
        let (first, last) = self.states;
        match state {
            _ if (first..=last).contains(&state) => Some(true),
            _ if state + 1 == first && self.came_in.is_some() => Some(false),
            _ => None,
        }
    }

    /// Both, where their states are in a row; else the later one.
    fn joined(self, other: Self) -> Self {
        let [one, two] = match self.states.0 <= other.states.0 {
            true => [self, other],
            false => [other, self],
        };
        let adjoin = two.states.0 <= one.states.1.saturating_add(1);
        match adjoin && one.slop == two.slop {
            false if one.states.1 > two.states.1 => one,
            false => two,
            true => Self {
                states: (one.states.0, one.states.1.max(two.states.1)),
                came_in: match one.states.0 == two.states.0 {
                    true => one.came_in.or(two.came_in),
                    false => one.came_in,
                },
                ..one
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
    pub fn of(&self, pair: (ObjectId, ObjectId), slop: f64) -> Option<KnownOverlap> {
        let known = self.lock().get(&pair).copied();
        known.filter(|known| known.slop == slop)
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
        let run = |first: u32, last: u32, came_in: Option<CameIn>| KnownOverlap {
            slop: 0.1,
            states: (first, last),
            came_in,
        };
        let top = Some(Some((DVec3::ZERO, DVec3::Y)));
        let overlaps = KnownOverlaps::default();
        overlaps.add((1, 0), run(5, 7, top));
        overlaps.add((1, 0), run(8, 9, None));
        let known = overlaps.of((1, 0), 0.1).expect("a known overlap");
        assert_eq!(known, run(5, 9, top));
        let deep = [3, 4, 5, 9, 10].map(|state| known.is_deep(state));
        assert_eq!(deep, [None, Some(false), Some(true), Some(true), None]);
        assert_eq!(overlaps.of((1, 0), 0.2), None);
        assert_eq!(overlaps.of((0, 1), 0.1), None);
        // Another one, later.
        overlaps.add((1, 0), run(20, 20, Some(None)));
        overlaps.add((1, 0), run(5, 9, top));
        assert_eq!(overlaps.of((1, 0), 0.1), Some(run(20, 20, Some(None))));
    }
}
