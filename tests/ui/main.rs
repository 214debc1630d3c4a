//! The window, driven through its accessibility tree: no display, no renderer.
#![cfg(feature = "gui")]

mod commands;
mod files;
mod findings;
mod panels;
mod time;
mod window;
