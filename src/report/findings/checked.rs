//! The result of a checked file.

use crate::core::diagnose::Report;
use crate::core::level::Level;
use crate::core::log::Format;
use crate::core::problem::{Place, Problems};
use crate::core::scene::{item_positions, open_scene_text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Result of one file.
pub struct Checked {
    /// Path given by the user.
    pub file: PathBuf,
    /// Its report, or why there is none.
    pub outcome: Result<Report, Problems>,
    /// Positions in its text.
    pub line_index: LineIndex,
}

impl Checked {
    /// Its report, or one of its error.
    pub fn into_report(self) -> Report {
        let failed = |problems| Report::failed(self.file.display().to_string(), problems);
        self.outcome.unwrap_or_else(failed)
    }
}

/// Positions of a scene's objects and expectations in its text; empty for a log.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LineIndex {
    /// By name.
    pub objects: BTreeMap<String, Place>,
    /// In the scene's order.
    pub expect: Vec<Place>,
}

impl LineIndex {
    /// Reads a scene's text again; a changed file gives no positions instead of wrong ones.
    pub fn of(file: &Path, level: &Level) -> Self {
        if Format::of_path(file).is_some() {
            return Self::default();
        }
        let scene = level.replay.scene();
        let text = open_scene_text(file).unwrap_or_default();
        let found = item_positions(&text);
        if found.objects.len() != scene.objects.len() || found.expect.len() != scene.expect.len() {
            return Self::default();
        }
        let names = scene.objects.iter().map(|object| object.name.clone());
        Self {
            objects: names.zip(found.objects).collect(),
            expect: found.expect,
        }
    }
}
