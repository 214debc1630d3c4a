//! Helpers of the tests of geometry and of diagnosis.

#![allow(dead_code, reason = "each of them needs some of these")]

pub mod cancelled;
pub mod findings;
pub mod levels;
pub mod random;
pub mod samples;
pub mod sentences;
pub mod slabs;
pub mod steps;

pub use random::{few_rounds, is_full, rounds};
