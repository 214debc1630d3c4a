//! The core, without a window: geometry, levels, diagnosis, accuracy, documents, structure. One binary, so that the core is linked once.

mod accuracy;
mod architecture;
mod cause_pages;
mod common;
mod corpus;
mod diagnosis;
mod docs;
mod engine_table;
mod explain_motion;
mod geometry;
mod guide_log;
mod leaks;
mod levels;
mod licenses;
mod matrix;
mod metamorphic;
mod repro;
