//! What the window and the report show of a pair.

pub mod pair_view;
