//! Hitstop, the collision replay debugger.
//!
//! The rooms, in reading order:
//!
//! - [`core`] — collision, scenes, replay, diagnosis. Knows no window, no clock, no randomness.
//! - [`cli`] — `hitstop check` and `hitstop convert`: prints the same [`core::diagnose::Report`] that the window lists.
//! - `app` — the window (feature `gui`): reads the core, holds no geometry of its own.

pub mod bundled;
pub mod cli;
pub mod core;

#[cfg(feature = "gui")]
pub mod app;
