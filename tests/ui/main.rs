//! The window, driven through its accessibility tree: no display, no renderer.

#[path = "../cli/game_log.rs"]
mod game_log;

mod all_clear;
mod authoring;
mod autosave;
mod axes;
mod built_by_clicks;
mod camera;
mod commands;
mod compare;
mod context_menus;
mod engine_log;
mod feedback;
mod files;
mod findings;
mod flat;
mod fonts;
mod forms;
mod handles;
mod help;
mod hover;
mod kept_work;
mod leaks;
mod live;
mod over_time;
mod overlays;
mod panels;
mod pictures;
mod reading;
mod steering;
mod time;
#[cfg(unix)]
mod tuning;
mod view_options;
mod viewports;
mod what_if;
mod why;
mod window;
