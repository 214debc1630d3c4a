//! What a command asks of the window itself.

use crate::app::command::arguments::Export;
use crate::core::edit::ArrayLayout;
use std::path::PathBuf;

/// A field that a command puts the cursor into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The outliner's filter.
    Filter,
    /// The timeline's frame number.
    Frame,
    /// The note of the bookmark at the playhead.
    Note,
}

/// A dialog of the system for a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// A level to open.
    Open,
    /// A mesh file to take into the scene.
    Import,
    /// Another one to compare with.
    Compare,
    /// Where to save a frame as a scene, beginning in this folder.
    Frame(Option<PathBuf>),
    /// Where to save the level's own scene, beginning in this folder with this name.
    Scene(Option<PathBuf>, String),
    /// Where to save a walk, beginning in this folder.
    Walk(Option<PathBuf>),
    /// Where to save the plots, beginning in this folder.
    Plots(PlotsAs, Option<PathBuf>),
    /// Where to save a picture or a clip of the view, beginning with this name.
    View(Export, String),
}

/// What plots are saved as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotsAs {
    /// A table.
    Csv,
    /// A picture.
    Png,
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
    /// The form of an array comes into sight, set to an order.
    ShowArrayForm(ArrayLayout),
    /// The system asks for a file.
    Ask(Dialog),
    /// A walk begins where the level is looked at from.
    WalkFromView,
    /// The plots, as they are seen, go to a file.
    SavePlots(PathBuf),
    /// A picture or a clip of the view is drawn and saved.
    Export(Export, PathBuf),
    /// Window or full screen.
    Fullscreen,
    /// The window closes.
    Quit,
}
