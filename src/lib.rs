//! Hitstop, the collision replay debugger.
//!
//! The rooms, in reading order:
//!
//! - [`core`] — collision, scenes, replay, diagnosis. Knows no window, no clock, no randomness.
//! - [`view`] — what the window and the report show of a pair and of a camera, put together from the core.
//! - [`report`] — what was found as one page, drawn; knows the core and `view`.
//! - [`save`] — files saved without ever leaving half of one.
//! - [`bundled`] — the levels of `scenes/`, compiled in.
//! - [`cli`] — `hitstop check`, `compare`, `convert` and `report`; `check` prints the same [`core::diagnose::Report`] that the
//!   window lists.
//! - `app` — the window (feature `gui`): reads the core, holds no geometry of its own.
//!
//! To ask about two shapes: [`core::query`]. To record an engine: [`core::log::Recorder`]. To judge a level: [`core::level::open`],
//! then [`core::diagnose::diagnose`]. Metres, seconds, radians; right-handed, Y up.

pub mod bundled;
pub mod cli;
pub mod core;
pub mod report;
pub mod save;
pub mod view;

#[cfg(feature = "gui")]
pub mod app;

// The unit tests share the seeded numbers of tests/, which name this crate from outside.
#[cfg(test)]
extern crate self as hitstop;
#[cfg(test)]
#[allow(dead_code, reason = "tests/ uses the rest")]
#[path = "../tests/core/common/random.rs"]
mod random;
