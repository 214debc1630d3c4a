//! Effects: requests of commands that only the window can carry out.

use crate::app::command::arguments::{Export, Output};
use crate::app::view_state::Side;
use crate::core::edit::ArrayLayout;
use crate::core::repro::Engine;
use crate::core::shape::Aabb;
use std::path::PathBuf;

/// A text field that a command focuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The name of the selected object.
    Name,
    /// The outliner's filter.
    Filter,
    /// The timeline's frame number.
    Frame,
    /// The note of the bookmark at the playhead.
    Note,
}

/// A file dialog of the system.
#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// A level to open.
    Open,
    /// A mesh file to import.
    Import,
    /// A level to compare with.
    Compare,
    /// The file of a frame saved as a scene, in this folder first.
    Frame(Option<PathBuf>),
    /// The file of a finding's program for an engine, in this folder first.
    Reproduction(&'static Engine, Option<PathBuf>),
    /// The file of the open scene, in this folder and with this name first.
    Scene(Option<PathBuf>, String),
    /// The file of a walk, in this folder first.
    Walk(Option<PathBuf>),
    /// The file of the plots, in this folder first.
    Plots(PlotsAs, Option<PathBuf>),
    /// The file of the report, the findings or the recording, in this folder and with the level's title first.
    Output(Output, Option<PathBuf>, String),
    /// The file of an image or clip of the view, with this name first.
    View(Export, String),
}

/// File format of saved plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotsAs {
    /// A table.
    Csv,
    /// An image.
    Png,
    /// A table of the frames of the selected pair.
    PairHistory,
}

/// A request that only the window can carry out; handled after the commands.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Frames the whole level in the view.
    LookAtLevel {
        /// True for an animated move.
        softly: bool,
    },
    /// Frames the selected objects, or the level when nothing is selected.
    LookAtSelection,
    /// Frames the impact of the selected finding.
    LookAtFinding,
    /// Frames a box.
    LookAt(Aabb),
    /// Turns the view to a side.
    ViewFrom(Side),
    /// Switches between orthographic and perspective.
    ToggleOrthographic,
    /// Copies a text to the clipboard.
    Copy(String),
    /// Focuses a field.
    Focus(Field),
    /// Shows the array form with this layout.
    ShowArrayForm(ArrayLayout),
    /// Opens a file dialog.
    OpenDialog(Dialog),
    /// Starts a walk at the view's camera.
    WalkFromView,
    /// Saves the plots as an image.
    SavePlots(PathBuf),
    /// Renders and saves an image or clip of the view.
    Export(Export, PathBuf),
    /// Toggles full screen.
    Fullscreen,
    /// Closes the window.
    Quit,
}
