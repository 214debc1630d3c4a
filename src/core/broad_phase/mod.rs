//! Broad phase: the candidate pairs of a frame.

mod brute_force;
mod column;
mod grid;
mod slot;
mod sort_and_sweep;
mod verdict;

pub use brute_force::brute_force;
pub use sort_and_sweep::{candidate_pairs, candidate_pairs_in_parallel, visit_pairs};
pub use verdict::{Verdict, judge};

use super::shape::Aabb;
use glam::DVec3;

/// One object of a frame, as the broad phase sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The box swept over the frame; `None` is unbounded (a plane) and meets everything.
    pub bounds: Option<Aabb>,
    /// Two entries that both do not move are no pair.
    pub moves: bool,
}

impl Entry {
    /// Are the two a pair? At least one moves, and their boxes overlap (inclusive).
    pub fn meets(&self, other: &Self) -> bool {
        let overlap = match (&self.bounds, &other.bounds) {
            (Some(a), Some(b)) => a.overlaps(b),
            _ => true,
        };
        (self.moves || other.moves) && overlap && self.can_meet() && other.can_meet()
    }

    /// False for a box with a component that is not finite: it meets nothing, not even what is unbounded.
    fn can_meet(&self) -> bool {
        // What is finite times 0 is 0, all else is not a number: so there is no jump for each of them.
        self.bounds
            .is_none_or(|Aabb { min, max }| min * 0.0 + max * 0.0 == DVec3::ZERO)
    }
}
