//! Which pairs of one frame are worth a narrow-phase query.

use super::shape::Aabb;

/// One object of a frame, as the broad phase sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The box swept over the frame; `None` is unbounded (a plane) and meets everything.
    pub bounds: Option<Aabb>,
    /// Two entries that both do not move are no pair.
    pub moves: bool,
}

/// Pairs `(i, j)`, `i < j`, whose boxes overlap (inclusive) and of which at least one moves; sorted.
///
/// Boxes with a component that is not finite pair with nothing. The oracle is [`brute_force`].
pub fn candidate_pairs(entries: &[Entry]) -> Vec<(u32, u32)> {
    let _ = entries;
    todo!("helper query")
}

/// The same answer by testing every pair: the oracle, and good enough for a handful.
pub fn brute_force(entries: &[Entry]) -> Vec<(u32, u32)> {
    let _ = entries;
    todo!("helper query")
}
