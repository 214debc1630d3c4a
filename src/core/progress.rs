//! Progress and cancel of long work, without knowing who watches.

/// Told how far long work has come; asked whether to give up.
///
/// Called from worker threads, often: implementations must be cheap.
pub trait Progress: Sync {
    /// `done` of `total` units; `total` is 0 while unknown.
    fn report(&self, done: u64, total: u64);

    /// True when the work should stop at the next chance.
    fn cancelled(&self) -> bool;
}

/// Nobody watches, nobody cancels.
impl Progress for () {
    fn report(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        false
    }
}
