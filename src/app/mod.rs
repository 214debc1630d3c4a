//! The window: reads the core, pushes [`command::Command`]s, holds no geometry of its own.

pub mod command;
pub mod selection;
pub mod theme;
pub mod view_state;
pub mod viewport;
