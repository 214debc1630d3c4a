//! [`Command`], the one enum of all changes: menus, keys, lists, drags and tests push its values.

use super::authoring::{Snap, Tool};
use super::build_command::BuildCommand;
use super::dock::Pane;
use super::help_topics::HelpPage;
use super::model::leaks::LeaksForm;
use super::view_options::{ColorBy, CompareView, MeshView};
use super::view_state::{FreezeOn, GroupBy, Layer, Show, Side, SortBy, Switch};
use crate::core::diagnose::Kind;
use crate::core::diagnose::what_if::Parameter;
use crate::core::diagnose::what_if::session::{Phases, Values};
use crate::core::edit::{ArrayLayout, Edit, NewShape, Template};
use crate::core::import::ImportAs;
use crate::core::level::ReadOptions;
use crate::core::query::probe::ProbeMode;
use crate::core::replay::compare::Settings;
use crate::core::replay::history::Quantity;
use crate::core::replay::search_query::SearchQuery;
use crate::core::replay::{ObjectId, Subject};
use crate::core::repro::Engine;
use crate::core::scene::{Bookmark, Expectation, Units};
use crate::core::shape::Facing;
use arguments::{Export, Output, Preset, PromptReply, WalkInput};
use egui::ThemePreference;
use glam::DVec3;
use std::path::PathBuf;

pub mod arguments;

/// A change to the model. Panels push commands; only `apply` executes them.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    missing_docs,
    reason = "the commands without an argument are documented by their entry"
)]
pub enum Command {
    // Files.
    OpenDialog,
    /// Opens a scene or a log from disk.
    Open(PathBuf),
    /// Opens the first file and compares it with the second.
    OpenAndCompare(PathBuf, Vec<PathBuf>),
    /// Reports that this many files were dropped at once, which cannot be opened.
    RefuseFiles(usize),
    /// Shows the dialog for a mesh file to import.
    ImportDialog,
    /// Reads a mesh file and shows the import form.
    Import(PathBuf),
    /// Sets the options of the import form.
    SetImportOptions(ImportAs, Facing),
    /// Reads the mesh file of the import form again in these units.
    SetImportUnits(Units),
    /// Closes the import form; true adds the mesh file to the scene.
    CloseImport(bool),
    ChooseReadOptions,
    /// Changes the answer to the question about a file.
    SetReadOptions(ReadOptions),
    /// Closes the question about a file; true reads the file.
    CloseReadOptions(bool),
    /// Judges the passes of these objects, which are not characters yet.
    JudgeCharacters(Vec<String>),
    /// Shows the level that was read and waited for unsaved changes.
    ShowOpened,
    /// Opens a bundled file by its name.
    OpenBundled(String),
    /// Removes a file from the recent files.
    ForgetRecent(PathBuf),
    /// Creates a scene from a template.
    New(Template),
    Save,
    SaveAs,
    /// Saves the scene to this file, which becomes its file.
    SaveTo(PathBuf),
    /// Answers the open prompt.
    Reply(PromptReply),
    Reload,
    /// Receives recordings from running games.
    Listen,
    /// Listens, and shows the lines that send a running level.
    Connect,
    /// Shows the dialog for saving an image or a clip of the viewport.
    ExportDialog(Export),
    /// Saves an image or a clip of the viewport, in the background.
    Export(Export, PathBuf),
    /// Shows the dialog for writing the report, the findings or the recording.
    OutputDialog(Output),
    /// Writes the report, the findings or the recording to a file, in the background.
    WriteOutput(Output, PathBuf),
    StopJob,
    /// Stops the job of the comparison.
    StopComparisonJob,
    CloseLevel,
    Quit,

    // The scene.
    Undo,
    Redo,
    /// Undoes or redoes until this many changes are done.
    GoInHistory(usize),
    /// Changes the scene.
    Edit(Edit),
    /// Replaces the scene's text.
    EditText(String),
    /// Adds an object of this shape.
    AddShape(NewShape),
    /// Adds a camera with the standard probe.
    AddCamera,
    Duplicate,
    /// Shows the form for an array of the selected objects, in this layout.
    ShowArrayForm(ArrayLayout),
    Delete,
    CopyObjects,
    /// Adds the objects of a scene text.
    PasteObjects(String),
    SelectAll,
    /// Selects the tool that drags of objects use.
    UseTool(Tool),
    ToggleLocal,
    /// Switches this kind of snapping on, or off if it is on.
    ToggleSnap(Snap),
    /// Sets the spacing of the grid, metres.
    GridStep(f64),
    SnapToContact,
    /// Shows or hides the prompt for a tag of the selected objects.
    ShowTagPrompt(bool),
    /// Gives the selected objects a tag.
    Tag(String),
    Rename,
    /// Selects all objects with this tag.
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
    /// Freezes playback at these events, or not.
    FreezeAt(FreezeOn, bool),
    ToggleLoop,
    LoopIn,
    LoopOut,
    ClearLoop,
    /// Sets the start and end of the loop, in frames from the start.
    SetLoop(f64, f64),
    NextImpact,
    PreviousImpact,
    FitTime,
    ZoomTimeIn,
    ZoomTimeOut,
    /// Shows this range of frames on the timeline and in the plots.
    ShowTime {
        /// The first frame, with its fraction.
        from: f64,
        /// The length, in frames.
        span: f64,
    },
    /// Reports the time under the pointer on the timeline or in a plot, in frames from the start.
    PointAtTime(Option<f64>),
    AddBookmark,
    AddBookmarkWithNote,
    NextBookmark,
    PreviousBookmark,
    /// Replaces a bookmark: another note or another time.
    ReplaceBookmark(Bookmark, Bookmark),
    RemoveBookmark(Bookmark),
    /// Sets the playback speed, level seconds per real second.
    SetSpeed(f64),
    /// Moves the playhead and pauses.
    Seek {
        /// The frame.
        frame: u32,
        /// The fraction of the frame, in [0, 1].
        fraction: f64,
    },
    /// Moves the playhead to a state, as the end of the frame that leads to it, and pauses.
    SeekState(u32),
    /// Goes to a phase or an impact of the current frame, by its index in the strip.
    GoToStop(usize),

    // Findings.
    NextFinding,
    PreviousFinding,
    CopyFinding,
    SaveFrameAs,
    /// Writes the scene of [`Command::SaveFrameAs`] to a file, in the background.
    SaveFrameTo(PathBuf),
    /// Shows the dialog for saving the selected finding as a program of an engine.
    ReproductionDialog(&'static Engine),
    /// Writes the program of [`Command::ReproductionDialog`] to a file, in the background.
    SaveReproduction(&'static Engine, PathBuf),
    TuneInBuild,
    /// Changes the filter of the engine log.
    FilterEngineLog(String),
    /// Chooses a row of the engine log.
    ShowEngineLogRow(usize),
    /// Changes what the Leaks panel searches.
    SetLeaksForm(LeaksForm),
    /// Searches the places where movers pass the fixed surfaces.
    LookForLeaks,
    /// Chooses a found place.
    ShowLeak(usize),
    /// Changes the command of [`Command::TuneInBuild`].
    SetBuildCommand(BuildCommand),
    /// Closes the form for that command; true runs it.
    CloseBuildCommand(bool),
    StopTuning,
    /// Adds the selected finding to the scene's expectations.
    ExpectFinding,
    /// Adds an expectation to the scene.
    Expect(Expectation),
    /// Sets the values of the live what-if.
    SetWhatIfValues(Values),
    /// Shows the What-if of the selected finding with one value changed.
    TryFix(Parameter, f64),
    ResetWhatIf,
    CopyWhatIf,
    /// Sets the starting phases that the what-if map shows.
    SetWhatIfPhases(Phases),
    /// Selects a finding and its pair, and moves the playhead and the view to it.
    SelectFinding(usize),
    /// Lists only the findings that stay with a change of the level, by its row; `None` lists all.
    ListStaying(Option<usize>),
    /// Lists only findings of a kind, or all if that is so already.
    OnlyKind(Kind),
    /// Lists findings of a kind, or hides them.
    ShowKind(Kind, bool),
    /// Lists only findings that fit a text.
    FilterFindings(String),
    /// Groups the listed findings.
    GroupFindings(GroupBy),
    /// Sorts the listed findings.
    SortFindings(SortBy),

    // The camera's probe.
    /// Sets the lines of the probe, each from `+offset` to `-offset`, metres.
    SetProbeLines(Vec<DVec3>),
    /// Sets the lines of the probe to a preset.
    SetProbePreset(Preset),
    /// Sets the mode of the probe.
    SetProbeMode(ProbeMode),
    /// Reports the line of the probe under the pointer in its list.
    PointAtLine(Option<u32>),
    ShuffleProbe,
    ResetProbe,
    CopyProbe,
    ToggleWalk,
    /// The input of the walk in one pass.
    WalkInput(WalkInput),
    SaveWalkAs,
    /// Writes the walk to a file in the background, and opens it.
    SaveWalk(PathBuf),

    // Finding a frame.
    OpenFind,
    FindNext,
    FindPrevious,
    StopFind,
    /// Sets the condition to search for.
    SetQuery(SearchQuery),

    // Plots over time.
    /// Plots a quantity, or hides it.
    Plot(Quantity, bool),
    ExportCsv,
    ExportPng,
    /// Saves the plots as a table.
    SaveCsv(PathBuf),
    SavePairHistoryAs,
    /// Saves the frames of the selected pair as a table.
    SavePairHistory(PathBuf),
    /// Saves the visible plots as an image.
    SavePng(PathBuf),

    // Comparing.
    CompareDetection,
    CompareFile,
    /// Compares the level with another file.
    CompareWith(PathBuf),
    /// Shows another of the files that the level is compared with, by its index.
    ShowTrack(usize),
    CompareRunBefore,
    StopComparing,
    /// Sets how the viewport shows the comparison.
    CompareView(CompareView),
    /// Selects an object of the comparison's list, by its index, and goes to its first difference.
    SelectDifference(usize),
    /// Sets the tolerances of the comparison and how frames are matched.
    SetCompareSettings(Settings),

    // Selection.
    TogglePin,
    UnpinAll,
    /// Pins an object or a pair, or unpins it.
    PinSubject(Subject),
    SelectNothing,
    /// Selects only this object, or nothing.
    Select(Option<ObjectId>),
    /// Selects these objects; true adds them to the selection.
    SelectMany(Vec<ObjectId>, bool),
    /// Adds an object to the selection, or removes it.
    ToggleSelect(ObjectId),
    /// Selects this pair.
    SelectPair(ObjectId, ObjectId),
    WhyHere,
    /// Selects only this object, goes to a state, and shows why the object is where it is.
    Explain(ObjectId, u32),
    FocusFilter,
    /// Reports the object under the pointer in a list.
    PointAt(Option<ObjectId>),

    // The viewport and the panels.
    FrameSelection,
    FrameAll,
    /// Views the level from a side.
    ViewFrom(Side),
    ToggleOrthographic,
    /// Sets the objects that a layer is drawn for.
    ShowLayer(Layer, Show),
    /// Sets the level of the sphere trees that is drawn.
    SphereLevel(u32),
    ToggleSplitView,
    /// Moves the divider between two viewports, or of a wipe, to this fraction of the width.
    SetDivider(f32),
    /// Switches this on, or off if it is on.
    Toggle(Switch),
    ToggleClip,
    /// Moves the clipping plane: its place in front of the view's target, as a fraction of the eye's distance.
    SetClip(f64),
    /// Sets the property that gives objects their colours.
    ColorBy(ColorBy),
    /// Sets the look of meshes.
    MeshView(MeshView),
    HideSelected,
    IsolateSelected,
    ShowAllObjects,
    LockSelected,
    UnlockAll,
    ToggleFollow,
    ResetLayers,
    /// Brings a panel to the front, or closes it if it is in front.
    TogglePane(Pane),
    /// Brings a panel to the front.
    ShowPane(Pane),
    TogglePanels,
    ResetPanels,
    /// Sets the theme.
    UseTheme(ThemePreference),
    ZoomIn,
    ZoomOut,
    ZoomReset,
    ToggleFullscreen,

    // Help and messages.
    TogglePalette,
    /// Lists a chosen line of the palette first from now on, by its text.
    RememberChoice(String),
    ToggleCheatSheet,
    /// Shows a page of the help.
    Help(HelpPage),
    CloseHelp,
    ShowHints,
    /// Shows a hint, by its index, or hides it.
    ShowHint(Option<usize>),
    /// Hides a notification.
    DismissMessage(u64),
    DismissAllMessages,
    ClearLog,
    /// Copies a text to the clipboard.
    CopyText(String),
}

impl Command {
    /// The command that a key or the palette pushes: it shows a panel, and never closes it.
    pub fn for_shortcut(&self) -> Self {
        match self {
            Self::TogglePane(pane) => Self::ShowPane(*pane),
            other => other.clone(),
        }
    }

    /// Returns true if holding its key repeats the command.
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
