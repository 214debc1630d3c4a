//! A progress that is cancelled.

use hitstop::core::progress::Progress;

/// Cancelled from the start.
pub struct Cancelled;

impl Progress for Cancelled {
    fn report(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        true
    }
}
