//! Hitstop, the collision replay debugger.
//!
//! The rooms, in reading order:
//!
//! - [`core`] — collision, scenes, replay, diagnosis. Knows no window, no clock, no randomness.
//! - [`report`] — what was found as one page, drawn; knows the core alone.
//! - [`cli`] — `hitstop check`, `convert` and `report`: prints the same [`core::diagnose::Report`] that the window lists.
//! - `app` — the window (feature `gui`): reads the core, holds no geometry of its own.

pub mod bundled;
pub mod cli;
pub mod core;
pub mod report;

#[cfg(feature = "gui")]
pub mod app;
