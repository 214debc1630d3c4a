//! The window, driven through its accessibility tree: no display, no renderer.
#![cfg(feature = "gui")]

mod authoring;
mod by_hand;
mod camera;
mod commands;
mod compare;
mod feel;
mod files;
mod findings;
mod forms;
mod hover;
mod kept_files;
mod over_time;
mod overlays;
mod panels;
mod rebuilt;
mod time;
mod what_if;
mod window;
