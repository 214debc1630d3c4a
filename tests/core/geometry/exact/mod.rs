//! Every verdict against whole numbers of any length, on seeded tables in which everything that can be close is close.

mod box_oracle;
mod flat_oracle;
mod oracle;
pub mod random;
mod tally;

mod boxes;
mod flat;
mod spheres;
mod triangles;
