//! Every change anyone can make, from menu, key, list, drag or test, is one value of one enum.
//!
//! [`TABLE`] holds the text, tooltip, keys and icon of each command that needs no argument: menus, toolbar, cheat-sheet,
//! keyboard and tests all read them there.

use super::dock::Pane;
use super::view_state::{Hold, Layer, Show};
use crate::core::diagnose::Kind;
use crate::core::replay::ObjectId;
use crate::core::scene::Expectation;
use egui::{Key, KeyboardShortcut, Modifiers, ThemePreference};
use egui_material_icons::{MaterialIcon, icons};
use std::path::PathBuf;

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
    /// Opens a bundled file by its name in the bundle.
    OpenBundled(String),
    CheckAgain,
    StopJob,
    CloseLevel,
    Quit,

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
    /// Select this finding: its pair is selected, the playhead and the camera go there.
    SelectFinding(usize),
    /// List findings of a kind, or leave them out.
    ShowKind(Kind, bool),

    // Selection.
    SelectNothing,
    /// Only this object is selected; `None` selects nothing.
    Select(Option<ObjectId>),
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
    ResetLayers,
    /// Bring a panel to the front, or close it.
    TogglePane(Pane),
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
    /// A message was read.
    DismissMessage(u64),
    DismissAllMessages,
    /// Put a text on the clipboard.
    CopyText(String),
}

/// Where a command is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its `title`")]
pub enum Group {
    File,
    Time,
    Findings,
    Selection,
    View,
    Help,
}

impl Group {
    /// In the order of the menu bar.
    pub const ALL: [Self; 6] = [
        Self::File,
        Self::Time,
        Self::Findings,
        Self::Selection,
        Self::View,
        Self::Help,
    ];

    /// As menus and the cheat-sheet write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Time => "Time",
            Self::Findings => "Findings",
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
                | Self::NextFinding
                | Self::PreviousFinding
                | Self::ZoomIn
                | Self::ZoomOut
        )
    }
}

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

macro_rules! table {
    ($($group:ident $command:expr, $text:literal, $icon:ident, [$($keys:expr),*], $tooltip:literal;)*) => {
        &[$(Entry {
            command: $command,
            group: Group::$group,
            text: $text,
            tooltip: $tooltip,
            keys: &[$($keys),*],
            icon: icons::$icon,
        }),*]
    };
}

use Command as C;

/// Every command without an argument of its own, in the order of the menus.
#[rustfmt::skip]
pub static TABLE: &[Entry] = table![
    File C::OpenDialog, "Open…", ICON_FOLDER_OPEN, [ctrl(Key::O)],
        "Open a scene (.ron) or a log (.jsonl, .csv)";
    File C::CheckAgain, "Check again", ICON_REFRESH, [key(Key::F5)],
        "Read the file anew and look for findings again";
    File C::StopJob, "Stop", ICON_CANCEL, [],
        "Stop reading or checking";
    File C::CloseLevel, "Start page", ICON_HOME, [ctrl(Key::W)],
        "Close the level and go back to the start page";
    File C::Quit, "Quit", ICON_LOGOUT, [ctrl(Key::Q)],
        "Close the window";

    Time C::TogglePlay, "Play or pause", ICON_PLAY_ARROW, [key(Key::Space)],
        "Play the level, or stand still";
    Time C::PlayBackward, "Play backward", ICON_FAST_REWIND, [key(Key::J)],
        "Let time run backward";
    Time C::Pause, "Pause", ICON_PAUSE, [key(Key::K)],
        "Stand still";
    Time C::PlayForward, "Play forward", ICON_FAST_FORWARD, [key(Key::L)],
        "Let time run forward";
    Time C::NextFrame, "Next frame", ICON_CHEVRON_RIGHT, [key(Key::Period), key(Key::ArrowRight)],
        "Step to the start of the next frame";
    Time C::PreviousFrame, "Previous frame", ICON_CHEVRON_LEFT, [key(Key::Comma), key(Key::ArrowLeft)],
        "Step back to the start of this frame, then of the one before";
    Time C::TenFramesForward, "Ten frames forward", ICON_KEYBOARD_DOUBLE_ARROW_RIGHT, [shift(Key::ArrowRight)],
        "Step ten frames forward";
    Time C::TenFramesBack, "Ten frames back", ICON_KEYBOARD_DOUBLE_ARROW_LEFT, [shift(Key::ArrowLeft)],
        "Step ten frames back";
    Time C::NextPhase, "Next phase", ICON_ARROW_RIGHT, [alt(Key::Period), alt(Key::ArrowRight)],
        "Step to the next moment inside the frame: sweep, impact, push, end";
    Time C::PreviousPhase, "Previous phase", ICON_ARROW_LEFT, [alt(Key::Comma), alt(Key::ArrowLeft)],
        "Step to the moment before inside the frame";
    Time C::GoToStart, "First frame", ICON_SKIP_PREVIOUS, [key(Key::Home)],
        "Go to the start of the level";
    Time C::GoToEnd, "Last frame", ICON_SKIP_NEXT, [key(Key::End)],
        "Go to the end of the level";
    Time C::FocusFrameField, "Go to frame…", ICON_PIN, [ctrl(Key::G)],
        "Type the number of a frame";
    Time C::Faster, "Faster", ICON_SPEED, [key(Key::ArrowUp)],
        "Play at the next faster speed";
    Time C::Slower, "Slower", ICON_SLOW_MOTION_VIDEO, [key(Key::ArrowDown)],
        "Play at the next slower speed";
    Time C::ToggleHitstop, "Hitstop", ICON_TIMER_PAUSE, [ctrl(Key::H)],
        "While playing, let time stand still for a moment at each impact and finding";
    Time C::ToggleLoop, "Loop", ICON_REPEAT, [ctrl(Key::L)],
        "Start again at the end";
    Time C::LoopIn, "Loop from here", ICON_LINE_START, [key(Key::I)],
        "The loop begins at the playhead";
    Time C::LoopOut, "Loop to here", ICON_LINE_END, [key(Key::O)],
        "The loop ends at the playhead";
    Time C::ClearLoop, "Loop over everything", ICON_CLEAR_ALL, [shift(Key::I)],
        "The loop is the whole level again";

    Findings C::NextFinding, "Next finding", ICON_ARROW_DOWNWARD, [key(Key::CloseBracket)],
        "Select the next finding and go there";
    Findings C::PreviousFinding, "Previous finding", ICON_ARROW_UPWARD, [key(Key::OpenBracket)],
        "Select the finding before and go there";
    Findings C::CopyFinding, "Copy finding as text", ICON_CONTENT_COPY, [ctrl_shift(Key::C)],
        "Put the finding with its numbers on the clipboard";
    Findings C::MakeScene, "Make this frame a scene…", ICON_NOTE_ADD, [ctrl_shift(Key::S)],
        "Save the finding's two objects in this frame as a small scene that expects it; without a finding, the selected pair, or everything";
    Findings C::ExpectFinding, "Make this an expectation", ICON_FACT_CHECK, [ctrl(Key::E)],
        "Add the finding to what the scene expects, in its file: then check says when it changes";

    Selection C::FocusFilter, "Filter objects…", ICON_FILTER_LIST, [ctrl(Key::F)],
        "Type a part of an object's name";
    Selection C::SelectNothing, "Select nothing", ICON_DESELECT, [key(Key::Escape)],
        "Clear the selection";

    View C::FrameSelection, "Frame the selection", ICON_CENTER_FOCUS_STRONG, [key(Key::F)],
        "Move the view to what is selected";
    View C::FrameAll, "Frame everything", ICON_FIT_SCREEN, [shift(Key::F)],
        "Move the view so that the whole level is seen";
    View C::ResetLayers, "Default layers", ICON_LAYERS_CLEAR, [],
        "Draw what is drawn when a level opens";
    View C::TogglePane(Pane::Outliner), "Objects", ICON_LIST, [alt(Key::Num1)],
        "The list of objects";
    View C::TogglePane(Pane::Findings), "Findings list", ICON_FACT_CHECK, [alt(Key::Num2)],
        "What was missed, and the scene's expectations";
    View C::TogglePane(Pane::Inspector), "Inspector", ICON_TUNE, [alt(Key::Num3)],
        "The selected finding, pair and objects in numbers";
    View C::TogglePane(Pane::Explain), "Why", ICON_HELP, [alt(Key::Num4)],
        "Every step of the selected pair's test, as sentences";
    View C::TogglePane(Pane::Candidates), "Candidates", ICON_RULE, [alt(Key::Num5)],
        "Every other object of the frame, and why it is not met";
    View C::TogglePane(Pane::GapPlot), "Gap plot", ICON_SHOW_CHART, [alt(Key::Num6)],
        "The distance of the selected pair over the frame";
    View C::TogglePane(Pane::Timeline), "Timeline", ICON_VIEW_TIMELINE, [alt(Key::Num7)],
        "Playing, frames and phases";
    View C::TogglePanels, "Only the picture", ICON_FULLSCREEN_PORTRAIT, [key(Key::Tab)],
        "Hide every panel, or show them again";
    View C::ResetPanels, "Default panels", ICON_RESET_TV, [],
        "Put every panel where it stands at first";
    View C::UseTheme(ThemePreference::Dark), "Dark", ICON_DARK_MODE, [],
        "Light text on a dark ground";
    View C::UseTheme(ThemePreference::Light), "Light", ICON_LIGHT_MODE, [],
        "Dark text on a light ground";
    View C::UseTheme(ThemePreference::System), "As the system", ICON_CONTRAST, [],
        "Dark or light, as the system says";
    View C::ZoomIn, "Larger", ICON_ZOOM_IN, [ctrl(Key::Plus), ctrl(Key::Equals)],
        "Make everything in the window larger";
    View C::ZoomOut, "Smaller", ICON_ZOOM_OUT, [ctrl(Key::Minus)],
        "Make everything in the window smaller";
    View C::ZoomReset, "Normal size", ICON_SEARCH, [ctrl(Key::Num0)],
        "The size that the screen asks for";
    View C::ToggleFullscreen, "Full screen", ICON_FULLSCREEN, [key(Key::F11)],
        "Fill the screen, or go back to a window";

    Help C::TogglePalette, "Find anything…", ICON_SEARCH, [ctrl(Key::K), ctrl(Key::P)],
        "Type a few letters of a command, an object, a finding or a level";
    Help C::ToggleCheatSheet, "Keyboard and mouse", ICON_KEYBOARD, [key(Key::F1), key(Key::Questionmark)],
        "Every key and what the mouse does";
    Help C::DismissAllMessages, "Dismiss all messages", ICON_DONE_ALL, [],
        "Every message was read";
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn no_two_commands_share_a_key() {
        let mut taken: BTreeMap<String, &str> = BTreeMap::new();
        for entry in TABLE {
            for keys in entry.keys {
                let name = format!("{keys:?}");
                let other = taken.insert(name.clone(), entry.text);
                assert_eq!(other, None, "{name} is also {}", entry.text);
            }
        }
    }

    #[test]
    fn every_command_is_listed_once_and_explained() {
        for (index, entry) in TABLE.iter().enumerate() {
            assert!(!entry.text.is_empty() && !entry.tooltip.is_empty());
            assert!(
                TABLE[..index].iter().all(|other| other.text != entry.text),
                "{} twice",
                entry.text
            );
            assert!(std::ptr::eq(entry.command.entry().unwrap(), entry));
        }
    }

    #[test]
    fn a_command_with_an_argument_has_no_entry() {
        assert!(Command::SelectFinding(0).entry().is_none());
        assert!(Command::SetSpeed(1.0).entry().is_none());
    }
}
