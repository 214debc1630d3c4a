//! What a command asks of the window itself.

use std::path::PathBuf;

/// A field that a command puts the cursor into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The outliner's filter.
    Filter,
    /// The timeline's frame number.
    Frame,
}

/// What only the window can do; the app carries these out after the commands.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The view goes to the whole level.
    LookAtLevel {
        /// Gliding there, or at once.
        softly: bool,
    },
    /// The view goes to the selected objects, or to the level when nothing is selected.
    LookAtSelection,
    /// The view goes to the selected finding's impact.
    LookAtFinding,
    /// A text goes to the clipboard.
    Copy(String),
    /// The cursor goes to a field.
    Focus(Field),
    /// The system asks for a file.
    OpenDialog,
    /// The system asks where to save a scene, beginning in this folder.
    SceneDialog(Option<PathBuf>),
    /// Window or full screen.
    Fullscreen,
    /// The window closes.
    Quit,
}
