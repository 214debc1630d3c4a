//! The part of a recording that is read so far.

use crate::app::source::Loaded;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A recording as far as it is read.
pub struct Part {
    pub(super) loaded: Box<Loaded>,
    /// A new recording begins with it.
    pub(super) is_first: bool,
    /// Set when it is handled: parts that come before that are left out.
    pub(super) taken: Arc<AtomicBool>,
}
