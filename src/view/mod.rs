//! Data about a pair for the window and the report.

pub mod pair_view;
