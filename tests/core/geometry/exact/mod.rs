//! Verdicts against integers of any length, on seeded tables of close cases.
//!
//! Where the true distance, or the least distance over a motion, is within some error bounds of zero, either verdict is accepted;
//! everywhere else none may be wrong. Times of impact are compared to 1e-9 of the frame, plus the effect of the error bound.

pub mod all_pairs;
mod box_oracle;
mod certified;
mod flat_oracle;
mod oracle;
pub mod placed;
pub mod random;
mod stats;

mod boxes;
mod distances;
mod flat;
mod spheres;
mod triangles;
