//! Revisions in their order, one of which is the first bad one.

use super::program::Failure;
use std::path::PathBuf;

/// How a revision is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Good,
    Bad,
    Skip,
}

/// The next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Test(String),
    FirstBad(String),
    /// Only skipped ones are left.
    OneOf(Vec<String>),
}

/// Revisions in their order.
pub(super) trait History {
    /// The good and the bad one.
    fn ends(&self) -> (String, String);
    /// Number of revisions between them, or about.
    fn between(&self) -> usize;
    /// Its name for the user.
    fn title(&self, revision: &str) -> String;
    /// Whether a revision comes right before another.
    fn is_parent(&self, revision: &str, child: &str) -> bool;
    /// The folder in which its program runs, once it is built; `None` when cancelled.
    fn prepare(&mut self, revision: &str) -> Result<Option<PathBuf>, Failure>;
    /// Marks a revision, and returns the next step.
    fn next(&mut self, marked: Option<(&str, Mark)>) -> Result<Next, Failure>;
}
