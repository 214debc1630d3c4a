//! The text, tooltip, keys and icon of each command that needs no argument.

use super::{ArrayLayout, Export, NewShape, Pane, Snap, Template, Tool};
use super::{Command, Entry, Group};
use egui::{Key, KeyboardShortcut, Modifiers, ThemePreference};
use egui_material_icons::icons;

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

const fn ctrl_alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::ALT), key)
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
    File C::Save, "Save", ICON_SAVE, [ctrl(Key::S)],
        "Write the scene to its file; what you wrote there by hand stays";
    File C::SaveAs, "Save as…", ICON_SAVE_AS, [ctrl_alt(Key::S)],
        "Write the scene to another file, and go on with that";
    File C::ImportDialog, "Import…", ICON_INPUT, [],
        "Take a mesh file (.obj, .gltf, .glb) into the scene: as one mesh, by its parts, or its colliders";
    File C::CheckAgain, "Check again", ICON_REFRESH, [key(Key::F5)],
        "Read the file anew and look for findings again";
    File C::ExportDialog(Export::Picture), "Save a picture…", ICON_PHOTO_CAMERA, [key(Key::F12)],
        "Save what the view shows as a PNG";
    File C::ExportDialog(Export::Loop), "Save the loop as a clip…", ICON_MOVIE, [],
        "Save the loop, or the whole level, as it plays: an animated GIF";
    File C::ExportDialog(Export::Inside), "Save the frame's inside as a clip…", ICON_SLOW_MOTION_VIDEO, [],
        "Save this frame from its start to its end, slowly: an animated GIF";
    File C::StopJob, "Stop", ICON_CANCEL, [],
        "Stop reading, checking or saving a clip";
    File C::CloseLevel, "Start page", ICON_HOME, [ctrl(Key::W)],
        "Close the level and go back to the start page";
    File C::Quit, "Quit", ICON_LOGOUT, [ctrl(Key::Q)],
        "Close the window";

    New C::New(Template::Empty), "New scene", ICON_NOTE_ADD, [ctrl(Key::N)],
        "Begin an empty scene";
    New C::New(Template::BulletAndWall), "Bullet and wall", ICON_TARGET, [],
        "A fast ball and a thin wall: too fast for an overlap test";
    New C::New(Template::Room), "Room", ICON_CROP_SQUARE, [],
        "A floor, four walls, and a ball that bounces between them";
    New C::New(Template::Ramp), "Ramp", ICON_SIGNAL_CELLULAR_4_BAR, [],
        "A ball that slides down a turned box";
    New C::New(Template::Corridor), "Corridor", ICON_SPLITSCREEN, [],
        "A capsule that walks down a corridor to its end";
    New C::New(Template::PoolTable), "Pool table", ICON_TABLE_RESTAURANT, [],
        "A table with cushions, six balls and a cue ball";
    New C::New(Template::CameraWalk), "Camera walk", ICON_VIDEOCAM, [],
        "A camera with its line probe that walks along walls";

    Edit C::Undo, "Undo", ICON_UNDO, [ctrl(Key::Z)],
        "Take the latest change back";
    Edit C::Redo, "Redo", ICON_REDO, [ctrl_shift(Key::Z), ctrl(Key::Y)],
        "Make the change that was taken back again";
    Edit C::Duplicate, "Duplicate", ICON_COPY_ALL, [ctrl(Key::D)],
        "The selected objects once more, under new names";
    Edit C::SetOut(ArrayLayout::Row), "Array in a row…", ICON_VIEW_COLUMN, [],
        "Copies of the selected objects, each as far from the one before";
    Edit C::SetOut(ArrayLayout::Grid), "Array in a grid…", ICON_GRID_VIEW, [],
        "Copies of the selected objects in rows of rows on the ground";
    Edit C::SetOut(ArrayLayout::Ring), "Array in a ring…", ICON_TRIP_ORIGIN, [],
        "Copies of the selected objects around the first one";
    Edit C::SetOut(ArrayLayout::Random), "Array at random…", ICON_SCATTER_PLOT, [],
        "Copies of the selected objects anywhere near";
    Edit C::Delete, "Delete", ICON_DELETE, [key(Key::Delete)],
        "Take the selected objects out of the scene, with the expectations that name them";
    Edit C::CopyObjects, "Copy objects as text", ICON_CONTENT_PASTE, [],
        "The selected objects as they stand in a scene's text: paste them here, in an editor or in a report (Ctrl+C)";
    Edit C::SelectAll, "Select every object", ICON_SELECT_ALL, [ctrl(Key::A)],
        "Select every object of the scene";

    Edit C::UseTool(Tool::Select), "Select tool", ICON_ARROW_SELECTOR_TOOL, [key(Key::Q)],
        "Click selects, drags turn the view; nothing is moved";
    Edit C::UseTool(Tool::Move), "Move tool", ICON_OPEN_WITH, [key(Key::W)],
        "Arrows move what is selected; its velocity and its corners can be dragged, too";
    Edit C::UseTool(Tool::Turn), "Turn tool", ICON_3D_ROTATION, [key(Key::E)],
        "Rings turn what is selected";
    Edit C::UseTool(Tool::Scale), "Scale tool", ICON_OPEN_IN_FULL, [key(Key::R)],
        "Make the shapes of what is selected larger or smaller";
    Edit C::ToggleLocal, "Own axes", ICON_VIEW_IN_AR, [key(Key::X)],
        "Move and turn along the object's own axes, or along the world's";
    Edit C::SnapTo(Snap::Grid), "Snap to the grid", ICON_GRID_ON, [],
        "What is dragged goes in whole steps, lengths and angles; Ctrl while dragging says the opposite";
    Edit C::SnapTo(Snap::Surface), "Snap to surfaces", ICON_VERTICAL_ALIGN_BOTTOM, [],
        "What is dragged freely is put onto the surface under the pointer, touching it";
    Edit C::SnapTo(Snap::Contact), "Snap to contact", ICON_ALIGN_HORIZONTAL_RIGHT, [],
        "What is dragged stops where it just touches the first thing in its way";
    Edit C::PutTouching, "Put just touching", ICON_JOIN_INNER, [],
        "Move the selected object until it just touches the nearest other; of two selected ones the first to the second";
    Edit C::AskTag(true), "Group by tag…", ICON_SELL, [ctrl_shift(Key::G)],
        "Give the selected objects a word that they share, or select everybody who has it";
    Edit C::SelectTagged, "Select the group", ICON_GESTURE_SELECT, [alt(Key::G)],
        "Select everybody who shares a tag with what is selected";
    Edit C::SetKeyframe, "Set a keyframe", ICON_DIAMOND, [shift(Key::K)],
        "The selected objects have a keyframe at the playhead, where they are seen; what had none is moved by keyframes then";

    Add C::AddShape(NewShape::Sphere), "Sphere", ICON_CIRCLE, [],
        "Add a ball beside what is selected";
    Add C::AddShape(NewShape::Box), "Box", ICON_DEPLOYED_CODE, [],
        "Add a box beside what is selected";
    Add C::AddShape(NewShape::Capsule), "Capsule", ICON_PILL, [],
        "Add a segment with a radius beside what is selected";
    Add C::AddShape(NewShape::Cylinder), "Cylinder", ICON_DATABASE, [],
        "Add an upright cylinder beside what is selected";
    Add C::AddShape(NewShape::Cone), "Cone", ICON_DETAILS, [],
        "Add an upright cone beside what is selected";
    Add C::AddShape(NewShape::RoundedBox), "Rounded box", ICON_ROUNDED_CORNER, [],
        "Add a box with a radius around it beside what is selected";
    Add C::AddShape(NewShape::ConvexHull), "Convex hull", ICON_HEXAGON, [],
        "Add an octahedron, the hull of six points that stand in the text";
    Add C::AddShape(NewShape::Compound), "Compound", ICON_CATEGORY, [],
        "Add a dumbbell: convex parts that are one, to which more can be added";
    Add C::AddShape(NewShape::Segment), "Segment", ICON_HORIZONTAL_RULE, [],
        "Add a line between two points";
    Add C::AddShape(NewShape::Triangle), "Triangle", ICON_CHANGE_HISTORY, [],
        "Add a triangle, seen from both sides until you say otherwise";
    Add C::AddShape(NewShape::Plane), "Plane", ICON_FLOOR, [],
        "Add an endless floor, solid below";
    Add C::AddShape(NewShape::Mesh), "Mesh", ICON_POLYLINE, [],
        "Add a tetrahedron, whose corners stand in the text";
    Add C::AddCamera, "A camera", ICON_VIDEOCAM, [],
        "A camera with a probe that holds it off surfaces; the Inspector has its fields while nothing is selected";

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

    Time C::NextImpact, "Next impact", ICON_KEYBOARD_TAB, [key(Key::N)],
        "Go to the next moment at which something begins to touch: the selected pair, the selected object, else anything";
    Time C::PreviousImpact, "Previous impact", ICON_KEYBOARD_TAB_RTL, [shift(Key::N)],
        "Go to the moment before at which something begins to touch";
    Time C::AddBookmark, "Bookmark", ICON_BOOKMARK_ADD, [key(Key::B), key(Key::M)],
        "Mark this moment; the scene's file keeps it";
    Time C::AddBookmarkWithNote, "Bookmark with a note…", ICON_BOOKMARK_FLAG, [shift(Key::B), shift(Key::M)],
        "Mark this moment, and write why";
    Time C::NextBookmark, "Next bookmark", ICON_ARROW_FORWARD, [key(Key::F4)],
        "Go to the next bookmark";
    Time C::PreviousBookmark, "Previous bookmark", ICON_ARROW_BACK, [shift(Key::F4)],
        "Go to the bookmark before";
    Time C::FitTime, "All of time", ICON_FIT_WIDTH, [key(Key::Z)],
        "Show every frame on the timeline and in the plots";
    Time C::ZoomTimeIn, "Zoom time in", ICON_ZOOM_IN, [shift(Key::ArrowUp)],
        "Show fewer frames around the playhead";
    Time C::ZoomTimeOut, "Zoom time out", ICON_ZOOM_OUT, [shift(Key::ArrowDown)],
        "Show more frames around the playhead";

    Findings C::OpenFind, "Find a frame…", ICON_MANAGE_SEARCH, [ctrl_shift(Key::F)],
        "Look for the next frame where something holds: a touch, a depth, a speed, a number that is not finite";
    Findings C::FindNext, "Next match", ICON_SEARCH_CHECK, [key(Key::F3)],
        "Look forward from the playhead for what the panel Find asks";
    Findings C::FindPrevious, "Previous match", ICON_SEARCH_CHECK_2, [shift(Key::F3)],
        "Look backward from the playhead for what the panel Find asks";
    Findings C::StopFind, "Stop the search", ICON_CANCEL, [],
        "Stop looking for a frame";
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
    Findings C::ResetWhatIf, "Recorded values", ICON_RESTART_ALT, [],
        "Put the sliders of What if back to the values of the level";
    Findings C::CopyWhatIf, "Copy what if as text", ICON_CONTENT_COPY, [],
        "Put the values of What if, before and after, with all that follows from them on the clipboard";

    Camera C::ToggleWalk, "Walk", ICON_DIRECTIONS_WALK, [alt(Key::W)],
        "Walk through the level with the probe: W A S D and E Q move, the mouse looks, Shift runs, Esc ends";
    Camera C::SaveWalkAs, "Save the walk…", ICON_SAVE, [],
        "Save the last walk as a recording with the camera, and open it";
    Camera C::ShuffleProbe, "Shuffle the triangles", ICON_SHUFFLE, [],
        "Give the probe its triangles in another order, and see what that changes";
    Camera C::CopyProbe, "Copy the camera as RON", ICON_CONTENT_COPY, [],
        "Put the camera with the edited probe on the clipboard, as a scene writes it";
    Camera C::ResetProbe, "The scene's probe", ICON_RESTART_ALT, [],
        "Lines and mode as the scene has them";

    Compare C::CompareDetection, "Compare with the other detection", ICON_COMPARE, [ctrl_shift(Key::D)],
        "Hold the scene against itself stepped with overlap tests instead of sweeps, or the other way round";
    Compare C::CompareFile, "Compare with a file…", ICON_FILE_OPEN, [],
        "Hold the level against another scene or log, with one playhead";
    Compare C::CompareRunBefore, "Compare with the run before", ICON_HISTORY, [],
        "Hold the level against itself as it was saved last, or before it was checked again: before and after an edit";
    Compare C::StopComparing, "Stop comparing", ICON_CANCEL_PRESENTATION, [],
        "Let go of the other replay";

    Selection C::FocusFilter, "Filter objects…", ICON_FILTER_LIST, [ctrl(Key::F)],
        "Type a part of an object's name";
    Selection C::TogglePin, "Pin", ICON_KEEP, [key(Key::P)],
        "Keep the numbers and the lane of the selected pair or object in sight, whatever is selected next";
    Selection C::UnpinAll, "Unpin everything", ICON_KEEP_OFF, [shift(Key::P)],
        "Let go of every pin";
    Selection C::SelectNothing, "Select nothing", ICON_DESELECT, [key(Key::Escape)],
        "Clear the selection";

    View C::FrameSelection, "Frame the selection", ICON_CENTER_FOCUS_STRONG, [key(Key::F)],
        "Move the view to what is selected";
    View C::FrameAll, "Frame everything", ICON_FIT_SCREEN, [shift(Key::F)],
        "Move the view so that the whole level is seen";
    View C::ToggleRuler, "Ruler", ICON_STRAIGHTEN, [shift(Key::R)],
        "Measure between the nearest points of the two selected objects, or of the selected one and the one under the pointer";
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
    View C::TogglePane(Pane::WhatIf), "What if, live", ICON_EXPERIMENT, [alt(Key::Num8)],
        "The selected finding with its dt, speed and sizes changed by hand";
    View C::TogglePane(Pane::Camera), "Camera probe", ICON_VIDEOCAM, [alt(Key::Num9)],
        "The lines of the camera's probe, and what each of them meets";
    View C::TogglePane(Pane::Timeline), "Timeline", ICON_VIEW_TIMELINE, [alt(Key::Num7)],
        "Playing, frames and phases";
    View C::TogglePane(Pane::Text), "Text", ICON_DESCRIPTION, [alt(Key::T)],
        "The scene as text, beside the picture: change either";
    View C::TogglePane(Pane::History), "History", ICON_HISTORY, [alt(Key::H)],
        "Every change of the scene, to go back to";
    View C::TogglePane(Pane::Find), "Find", ICON_MANAGE_SEARCH, [alt(Key::F)],
        "The next frame where something holds";
    View C::TogglePane(Pane::Plots), "Plots", ICON_MULTILINE_CHART, [alt(Key::L)],
        "Gap, depth, speed, pushes, dt and what the log carries, over time";
    View C::TogglePane(Pane::Pinned), "Pinned", ICON_KEEP, [alt(Key::P)],
        "The numbers of what is pinned, at the playhead";
    View C::TogglePane(Pane::Bookmarks), "Bookmarks", ICON_BOOKMARKS, [alt(Key::B)],
        "Moments with notes";
    View C::ExportCsv, "Save plots as a table…", ICON_CSV, [],
        "Every point of every line of the plots, as CSV";
    View C::ExportPng, "Save plots as a picture…", ICON_IMAGE, [],
        "The plots as they are seen, as PNG";
    View C::TogglePane(Pane::Compare), "Comparison", ICON_COMPARE_ARROWS, [alt(Key::C)],
        "What differs between this level and another replay, from which frame on and by how much";
    View C::TogglePane(Pane::Messages), "Messages", ICON_NOTES, [alt(Key::Num0)],
        "Everything that was said since the window opened";
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
    Help C::ShowHints, "Show the hints", ICON_LIGHTBULB, [],
        "The three hints of the first start, again";
    Help C::DismissAllMessages, "Dismiss all messages", ICON_DONE_ALL, [],
        "Every message was read";
    Help C::ClearLog, "Clear the log of messages", ICON_DELETE_SWEEP, [],
        "Forget what was said so far";
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
