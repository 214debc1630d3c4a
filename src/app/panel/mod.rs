//! The panels, one file each. A panel reads the model and pushes commands; panels do not depend on each other.

pub mod bookmarks;
pub mod camera_probe;
pub mod candidates;
pub mod cheat_sheet;
pub mod compare;
pub mod engine_log;
pub mod explain;
pub mod find;
pub mod findings;
pub mod gap_plot;
pub mod help;
pub mod hints;
pub mod inspector;
pub mod leaks;
pub mod menu_bar;
pub mod messages;
pub mod outliner;
pub mod pair_history;
pub mod palette;
pub mod pinned;
pub mod plots;
pub mod start_page;
pub mod status_bar;
pub mod timeline;
pub mod toasts;
pub mod what_if_live;
