//! What several test files share.

#![allow(dead_code, reason = "each test file needs some of these")]

pub mod findings;
pub mod levels;
pub mod random;
pub mod samples;
pub mod slabs;
pub mod steps;
