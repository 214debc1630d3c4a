//! A finding as the smallest log that still has it, and as a program of an engine.
//!
//! [`shrink`] takes away what the finding does not need; [`source`] writes what is left with the template of an engine.

mod excerpt;
mod fix;
mod outcome;
mod shapes;
mod shrink;
mod simpler;
mod source;
mod templates;
mod values;

pub use shrink::{Shrunk, Size, shrink};
pub use source::{PHASES, Program, Ran, Wanted, program_of, source};
pub use templates::{ENGINES, Engine, engine_of, engines_for};
