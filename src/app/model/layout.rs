//! The panels that are shown, and their layout.

use super::Model;
use crate::app::dock::{Dock, Height, Pane};

impl Model {
    /// Returns true if a panel is visible.
    pub fn shows(&self, pane: Pane) -> bool {
        !self.ui_state.panels_hidden && self.dock.is_shown(pane)
    }

    /// Shows a panel in front, also when the panels are hidden.
    pub(in crate::app) fn show_pane(&mut self, pane: Pane) {
        self.ui_state.panels_hidden = false;
        self.dock.show(pane);
    }

    /// Arranges the panels for the height of the window, unless the user has changed the layout.
    pub fn fit_panels(&mut self, height: Height) {
        if std::mem::replace(&mut self.height, height) != height && self.settings.layout.is_none() {
            self.dock = Dock::of(height);
        }
    }

    /// Saves the layout of the panels.
    pub(in crate::app) fn save_panels(&mut self) {
        self.settings.layout = Some(self.dock.clone());
        self.save_settings();
    }
}
