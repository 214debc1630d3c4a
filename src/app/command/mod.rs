//! Every change anyone can make, from menu, key, list, drag or test, is one value of one enum.
//!
//! [`TABLE`] holds the text, tooltip, keys and icon of each command that needs no argument: menus, toolbar, cheat-sheet,
//! keyboard and tests all read them there.

use super::authoring::{Snap, Tool};
use super::dock::Pane;
use super::view_state::{Hold, Layer, Show};
use crate::core::diagnose::Kind;
use crate::core::diagnose::what_if::map::Phases;
use crate::core::diagnose::what_if::session::Values;
use crate::core::edit::{ArrayLayout, Edit, NewShape, Template};
use crate::core::import::ImportAs;
use crate::core::query::probe::ProbeMode;
use crate::core::replay::compare::Settings;
use crate::core::replay::history::Quantity;
use crate::core::replay::search_query::SearchQuery;
use crate::core::replay::{ObjectId, Subject};
use crate::core::scene::{Bookmark, Expectation};
use crate::core::shape::Facing;
use arguments::{Export, Preset, Reply, Stride};
use egui::{KeyboardShortcut, ThemePreference};
use egui_material_icons::MaterialIcon;
use glam::DVec3;
use std::path::PathBuf;

pub use table::TABLE;

pub mod arguments;
mod table;

/// One change. Panels push them; `apply` is the one place that carries them out.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    missing_docs,
    reason = "the commands without an argument are documented by their entry in `TABLE`"
)]
pub enum Command {
    // The file.
    OpenDialog,
    /// Opens a scene or a log from disk.
    Open(PathBuf),
    /// Opens the first and holds it against the second.
    OpenBeside(PathBuf, PathBuf),
    /// This many files were dropped at once, which nothing is made of.
    RefuseFiles(usize),
    /// Ask for a mesh file to import.
    ImportDialog,
    /// Reads a mesh file, to be asked about.
    Import(PathBuf),
    /// What the mesh file shall become.
    ChooseImport(ImportAs, Facing),
    /// Adds the mesh file that is asked about to the scene, or lets it go.
    TakeImport(bool),
    /// Opens a bundled file by its name in the bundle.
    OpenBundled(String),
    /// Begin a new scene from a template.
    New(Template),
    Save,
    SaveAs,
    /// Save the scene to this file, which is its own from then on.
    SaveTo(PathBuf),
    /// Answer what is asked.
    Reply(Reply),
    CheckAgain,
    /// Ask where to save a picture or a clip of the view.
    ExportDialog(Export),
    /// Draw and save it, beside the window.
    Export(Export, PathBuf),
    StopJob,
    CloseLevel,
    Quit,

    // The scene.
    Undo,
    Redo,
    /// Go to where this many changes are done.
    GoInHistory(usize),
    /// Change the scene.
    Edit(Edit),
    /// The scene's text was typed.
    EditText(String),
    /// Add an object of a shape.
    AddShape(NewShape),
    /// The scene gets a camera, with the standard probe.
    AddCamera,
    Duplicate,
    /// Ask for copies of the selected objects in an order.
    SetOut(ArrayLayout),
    Delete,
    CopyObjects,
    /// Add the objects that a text holds.
    PasteObjects(String),
    SelectAll,
    /// What a drag of a selected object does.
    UseTool(Tool),
    ToggleLocal,
    /// Dragged objects snap to this from now on, or to nothing when they did.
    SnapTo(Snap),
    /// Length of a step of the grid, metres.
    GridStep(f64),
    PutTouching,
    /// Ask for a tag of the selected objects, or stop asking.
    AskTag(bool),
    /// Give the selected objects a tag.
    Tag(String),
    /// Everybody with this tag is selected.
    SelectTag(String),
    SelectTagged,
    SetKeyframe,

    // Time.
    TogglePlay,
    PlayForward,
    PlayBackward,
    Pause,
    NextFrame,
    PreviousFrame,
    TenFramesForward,
    TenFramesBack,
    NextPhase,
    PreviousPhase,
    GoToStart,
    GoToEnd,
    FocusFrameField,
    Faster,
    Slower,
    ToggleHitstop,
    /// Let time stand still for these, or pass on.
    HoldAt(Hold, bool),
    ToggleLoop,
    LoopIn,
    LoopOut,
    ClearLoop,
    /// The stretch that is repeated, in frames from the start.
    SetLoop(f64, f64),
    NextImpact,
    PreviousImpact,
    FitTime,
    ZoomTimeIn,
    ZoomTimeOut,
    /// Show this part of time on the timeline and in the plots, in frames from the start.
    ShowTime {
        /// Its beginning.
        from: f64,
        /// Its length.
        span: f64,
    },
    /// The pointer is on this moment of the timeline or a plot.
    PointAtTime(Option<f64>),
    AddBookmark,
    AddBookmarkWithNote,
    NextBookmark,
    PreviousBookmark,
    /// A bookmark becomes another: its note, or its moment.
    ReplaceBookmark(Bookmark, Bookmark),
    RemoveBookmark(Bookmark),
    /// Level seconds per real second.
    SetSpeed(f64),
    /// Move the playhead; pauses.
    Seek {
        /// Which frame.
        frame: u32,
        /// Where inside it, in [0, 1].
        fraction: f64,
    },
    /// Stand on a named moment of the current frame, by its number from 0.
    GoToPhase(usize),

    // Findings.
    NextFinding,
    PreviousFinding,
    CopyFinding,
    MakeScene,
    /// Write what [`Command::MakeScene`] makes to a file, beside the window.
    SaveScene(PathBuf),
    /// Make the selected finding an expectation of the scene.
    ExpectFinding,
    /// Add this to what the scene expects, in its own file.
    Expect(Expectation),
    /// Try the finding on the bench with these numbers.
    TryValues(Values),
    ResetWhatIf,
    CopyWhatIf,
    /// Which starting phases the map of the bench stands for.
    MapPhases(Phases),
    /// Select this finding: its pair is selected, the playhead and the camera go there.
    SelectFinding(usize),
    /// List findings of a kind, or leave them out.
    ShowKind(Kind, bool),

    // The camera's probe.
    /// The probe has these lines, each from `+offset` to `-offset`, metres.
    ProbeLines(Vec<DVec3>),
    /// The probe has a set of lines.
    ProbePreset(Preset),
    /// The probe acts so.
    ProbeActs(ProbeMode),
    /// The pointer is on this line of the probe in its list.
    PointAtLine(Option<u32>),
    ShuffleProbe,
    ResetProbe,
    CopyProbe,
    ToggleWalk,
    /// What keys and mouse say to the walk in one pass.
    Stride(Stride),
    SaveWalkAs,
    /// Write the walk to a file, beside the window, and open it.
    SaveWalk(PathBuf),

    // Finding a frame.
    OpenFind,
    FindNext,
    FindPrevious,
    StopFind,
    /// Look for this from now on.
    SetQuery(SearchQuery),

    // Plots over time.
    /// Plot a quantity, or leave it out.
    Plot(Quantity, bool),
    ExportCsv,
    ExportPng,
    /// Save the plots as a table.
    SaveCsv(PathBuf),
    /// Save the plots, as they are seen, as a picture.
    SavePng(PathBuf),

    // Comparing.
    CompareDetection,
    CompareFile,
    /// Hold the level against another file.
    CompareWith(PathBuf),
    CompareRunBefore,
    StopComparing,
    /// Select this object of those that differ, and go to its first difference.
    SelectDifference(usize),
    /// Compare by these: what counts as the same, and what two moments have in common.
    CompareBy(Settings),

    // Selection.
    TogglePin,
    UnpinAll,
    /// Pin an object or a pair, or let it go.
    PinSubject(Subject),
    SelectNothing,
    /// Only this object is selected; `None` selects nothing.
    Select(Option<ObjectId>),
    /// These are selected; besides what was, if so said.
    SelectMany(Vec<ObjectId>, bool),
    /// In if it was out, out if it was in.
    ToggleSelect(ObjectId),
    /// These two are the selected pair.
    SelectPair(ObjectId, ObjectId),
    FocusFilter,
    /// The pointer is on this object in a list.
    PointAt(Option<ObjectId>),

    // What is seen.
    FrameSelection,
    FrameAll,
    /// Draw a layer for these.
    ShowLayer(Layer, Show),
    /// Draw this level of sphere trees.
    SphereLevel(u32),
    ToggleRuler,
    ResetLayers,
    /// Bring a panel to the front, or close it.
    TogglePane(Pane),
    /// Brings a panel to the front, where it may be already.
    ShowPane(Pane),
    TogglePanels,
    ResetPanels,
    /// Dark, light, or as the system says.
    UseTheme(ThemePreference),
    ZoomIn,
    ZoomOut,
    ZoomReset,
    ToggleFullscreen,

    // Help and messages.
    TogglePalette,
    ToggleCheatSheet,
    ShowHints,
    /// Show one of the hints, by its number from 0, or none.
    Hint(Option<usize>),
    /// A message was read.
    DismissMessage(u64),
    DismissAllMessages,
    ClearLog,
    /// Put a text on the clipboard.
    CopyText(String),
}

/// Where a command is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its `title`")]
pub enum Group {
    File,
    New,
    Edit,
    Add,
    Time,
    Findings,
    Camera,
    Compare,
    Selection,
    View,
    Help,
}

impl Group {
    /// In the order of the menu bar.
    pub const ALL: [Self; 11] = [
        Self::File,
        Self::New,
        Self::Edit,
        Self::Add,
        Self::Time,
        Self::Findings,
        Self::Compare,
        Self::Camera,
        Self::Selection,
        Self::View,
        Self::Help,
    ];

    /// As menus and the cheat-sheet write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::New => "New",
            Self::Edit => "Edit",
            Self::Add => "Add",
            Self::Time => "Time",
            Self::Findings => "Findings",
            Self::Camera => "Camera",
            Self::Compare => "Compare",
            Self::Selection => "Selection",
            Self::View => "View",
            Self::Help => "Help",
        }
    }
}

/// What menus, toolbar, cheat-sheet and keyboard know of a command.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The command.
    pub command: Command,
    /// Where it is listed.
    pub group: Group,
    /// A few words.
    pub text: &'static str,
    /// One sentence.
    pub tooltip: &'static str,
    /// Any of these keys; the first is the one that menus show.
    pub keys: &'static [KeyboardShortcut],
    /// Its picture.
    pub icon: MaterialIcon,
}

impl Command {
    /// Its line of the table; `None` for a command with an argument of its own.
    pub fn entry(&self) -> Option<&'static Entry> {
        TABLE.iter().find(|entry| entry.command == *self)
    }

    /// As keys and the palette mean it: who asks for a panel by its name never closes it.
    pub fn named(&self) -> Self {
        match self {
            Self::TogglePane(pane) => Self::ShowPane(*pane),
            other => other.clone(),
        }
    }

    /// May a key that is held down repeat it?
    pub fn repeats(&self) -> bool {
        matches!(
            self,
            Self::NextFrame
                | Self::PreviousFrame
                | Self::TenFramesForward
                | Self::TenFramesBack
                | Self::NextPhase
                | Self::PreviousPhase
                | Self::ZoomTimeIn
                | Self::ZoomTimeOut
                | Self::NextBookmark
                | Self::PreviousBookmark
                | Self::NextFinding
                | Self::PreviousFinding
                | Self::ZoomIn
                | Self::ZoomOut
                | Self::Undo
                | Self::Redo
        )
    }
}
