//! Verdicts against whole numbers of any length, on seeded tables in which everything that can be close is close.
//!
//! Where the true distance, or the least distance over a motion, is within some error bounds of zero, either verdict is right;
//! everywhere else none may be wrong. Times of impact are held to 1e-9 of the frame, and to what the error bound makes of them.

mod box_oracle;
mod flat_oracle;
mod oracle;
pub mod placed;
pub mod random;
mod stats;

mod boxes;
mod flat;
mod spheres;
mod triangles;
