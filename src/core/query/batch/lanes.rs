//! Which instructions a batch runs on: chosen once, at run time; the answers do not depend on it.

use fearless_simd::{Level, dispatch};

/// A set of vector instructions that this machine has.
///
/// Every set runs the same operations in the same order on each pair (nothing is fused or reassociated), so that all of them
/// give the same bits; they differ in how many pairs they take at a time.
#[derive(Clone, Copy, Debug)]
pub struct Lanes(Level);

impl Lanes {
    /// The widest set of this machine. Asking is cheap, but not free: once per batch, not per pair.
    pub fn widest() -> Self {
        Self(Level::new())
    }

    /// The instructions that every machine of this compile target has.
    pub fn baseline() -> Self {
        Self(Level::baseline())
    }

    /// All sets of this machine that differ, narrowest first.
    pub fn available() -> Vec<Self> {
        let mut sets = vec![Self::baseline()];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        if let Some(sse) = Level::new().as_sse4_2() {
            sets.push(Self(fearless_simd::Simd::level(sse)));
        }
        sets.push(Self::widest());
        sets
    }

    /// Runs a loop compiled for this set: `work` and all it calls must be `#[inline(always)]`, or stay as they were compiled.
    #[inline(always)]
    pub(super) fn run<R>(self, work: impl FnOnce() -> R) -> R {
        dispatch!(self.0, _instructions => work())
    }
}
