//! What the window and the report show of a pair and of the camera's probe, put together from the core.

pub mod pair_view;
pub mod probe_look;
