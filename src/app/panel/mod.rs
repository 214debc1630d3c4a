//! The parts of the window, one file each. A panel reads the model and pushes commands; panels do not know each other.

pub mod candidates;
pub mod cheat_sheet;
pub mod explain;
pub mod findings;
pub mod gap_plot;
pub mod inspector;
pub mod menu_bar;
pub mod outliner;
pub mod palette;
pub mod problems;
pub mod start_page;
pub mod status_bar;
pub mod timeline;
