//! State of the user interface: open overlays, theme, zoom, filters.

use super::finding_list::ListOptions;
use crate::app::view_state::FreezeOn;
use egui::ThemePreference;
use std::collections::BTreeSet;

/// State of the user interface that is not part of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct UiState {
    /// True if only the viewport is shown.
    pub panels_hidden: bool,
    /// True if playback freezes for a moment at the events of `freeze_on`.
    pub hitstop: bool,
    /// Events at which playback freezes.
    pub freeze_on: BTreeSet<FreezeOn>,
    /// True if the command palette is open.
    pub palette: bool,
    /// True if the dialog for tags is open.
    pub tagging: bool,
    /// True if the list of shortcuts is open.
    pub cheat_sheet: bool,
    /// Index of the shown topic of the help.
    pub help: Option<usize>,
    /// Index of the shown hint for new users.
    pub hint: Option<usize>,
    /// Theme.
    pub theme: ThemePreference,
    /// Zoom factor of the window.
    pub zoom: f32,
    /// How findings are listed.
    pub findings: ListOptions,
}
