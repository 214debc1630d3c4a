//! Which parts of the window are open, and how they look.

use crate::app::view_state::FreezeOn;
use crate::core::diagnose::Kind;
use egui::ThemePreference;
use std::collections::BTreeSet;

/// Which parts of the window are open, and how they look.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Only the picture is shown.
    pub bare: bool,
    /// While playing, time stands still for a moment..
    pub hitstop: bool,
    /// .. at these.
    pub freeze_on: BTreeSet<FreezeOn>,
    /// Find anything.
    pub palette: bool,
    /// The groups of objects.
    pub tagging: bool,
    /// Every key.
    pub cheat_sheet: bool,
    /// Which of the hints for somebody new is shown.
    pub hint: Option<usize>,
    /// Dark, light, or as the system says.
    pub theme: ThemePreference,
    /// Size of everything in the window.
    pub zoom: f32,
    /// Kinds that the findings list leaves out.
    pub hidden_kinds: BTreeSet<Kind>,
}
