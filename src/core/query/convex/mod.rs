//! What works for every pair of convex shapes: signed distance, contact, and sweeps, along the line of the
//! motion or by conservative advancement.
//!
//! A shape is a core with a radius. While the cores are apart, their closest points give everything; when they overlap, the least
//! translation that separates them does.

pub(crate) mod advance;
pub(crate) mod approach;
mod entry;
mod epa;
mod gjk;
mod line;
mod polish;
mod round;
mod separation;
mod simplex;
mod touch;

pub(crate) use separation::{Separation, flat_overlap, separation, separation_within};
pub(crate) use touch::touch;
