//! Progress and cancellation of long work.

/// Receives the progress of long work, and can cancel it.
///
/// Called often, from worker threads: implementations must be cheap.
pub trait Progress: Sync {
    /// `done` of `total` units; `total` is 0 while unknown.
    fn report(&self, done: u64, total: u64);

    /// True to stop the work at the next opportunity.
    fn cancelled(&self) -> bool;
}

/// Progress is dropped, and the work is never cancelled.
impl Progress for () {
    fn report(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        false
    }
}
