//! The text, tooltip, keys and icon of each command without an argument.

use super::{
    ArrayLayout, ColorBy, CompareView, Drawn, Export, MeshView, NewShape, Output, Pane, Side, Snap,
    Template, Tool,
};
use super::{Command, Entry, Group, HelpPage};
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

/// Every command without an argument, in the order of the menus.
#[rustfmt::skip]
pub static TABLE: &[Entry] = table![
    File C::OpenDialog, "Open…", ICON_FOLDER_OPEN, [ctrl(Key::O)],
        "Open a scene (.ron), a log (.jsonl, .csv, .parquet, .ovd), an animation (.gltf, .glb) or a mesh (.obj)";
    File C::Save, "Save", ICON_SAVE, [ctrl(Key::S)],
        "Save the scene to its file; comments and formatting are kept";
    File C::SaveAs, "Save as…", ICON_SAVE_AS, [ctrl_alt(Key::S)],
        "Save the scene to another file and edit that file from then on";
    File C::ImportDialog, "Import…", ICON_INPUT, [],
        "Add a mesh file (.obj, .gltf, .glb) to the scene: as one mesh, by its parts, or its colliders";
    File C::ChooseReadOptions, "Reading options…", ICON_VIEW_COLUMN, [],
        "Choose what the columns of the open table are and its units, or one of its animations, and read it again";
    File C::Reload, "Reload", ICON_REFRESH, [key(Key::F5)],
        "Read the file again and diagnose it again";
    File C::Listen, "Listen", ICON_SENSORS, [],
        "Receive recordings from games that run on this machine, and show them as they arrive (port 9740)";
    File C::ExportDialog(Export::Image), "Save image…", ICON_PHOTO_CAMERA, [key(Key::F12)],
        "Save the viewport as a PNG image";
    File C::ExportDialog(Export::Loop), "Save loop as clip…", ICON_MOVIE, [],
        "Save the loop, or the whole level, as an animated GIF at the playback speed";
    File C::ExportDialog(Export::Frame), "Save frame as clip…", ICON_SLOW_MOTION_VIDEO, [],
        "Save the current frame from start to end as an animated GIF in slow motion";
    File C::OutputDialog(Output::Report), "Save report…", ICON_SUMMARIZE, [],
        "Save the findings as one HTML page with plots and drawings, to attach to a bug";
    File C::OutputDialog(Output::Findings), "Export findings…", ICON_DATA_OBJECT, [],
        "Save the findings as JSON, or for CI as SARIF or JUnit XML";
    File C::OutputDialog(Output::Recording), "Save recording as…", ICON_SWAP_HORIZ, [],
        "Save the recording as JSON Lines or CSV, or as a scene that names it";
    File C::StopJob, "Stop", ICON_CANCEL, [],
        "Stop the background job: loading, diagnosis or export";
    File C::CloseLevel, "Start page", ICON_HOME, [ctrl(Key::W)],
        "Close the level and return to the start page";
    File C::Quit, "Quit", ICON_LOGOUT, [ctrl(Key::Q)],
        "Close the window";

    New C::New(Template::Empty), "New scene", ICON_NOTE_ADD, [ctrl(Key::N)],
        "Create an empty scene";
    New C::New(Template::BulletAndWall), "Bullet and wall", ICON_TARGET, [],
        "A fast ball and a thin wall: too fast for an overlap test";
    New C::New(Template::Room), "Room", ICON_CROP_SQUARE, [],
        "A floor, four walls, and a ball that bounces between them";
    New C::New(Template::Ramp), "Ramp", ICON_SIGNAL_CELLULAR_4_BAR, [],
        "A ball that slides down a rotated box";
    New C::New(Template::Corridor), "Corridor", ICON_SPLITSCREEN, [],
        "A capsule that moves down a corridor to its end";
    New C::New(Template::PoolTable), "Pool table", ICON_TABLE_RESTAURANT, [],
        "A table with cushions, six balls and a cue ball";
    New C::New(Template::Flat), "Flat level (2D)", ICON_FILTER_NONE, [],
        "A bullet, a crate and tiles in the plane";
    New C::New(Template::CameraWalk), "Camera walk", ICON_VIDEOCAM, [],
        "A camera with a line probe that moves along walls";

    Edit C::Undo, "Undo", ICON_UNDO, [ctrl(Key::Z)],
        "Undo the latest change";
    Edit C::Redo, "Redo", ICON_REDO, [ctrl_shift(Key::Z), ctrl(Key::Y)],
        "Redo the change that was undone";
    Edit C::Duplicate, "Duplicate", ICON_COPY_ALL, [ctrl(Key::D)],
        "Duplicate the selected objects under new names";
    Edit C::ShowArrayForm(ArrayLayout::Row), "Array in a row…", ICON_VIEW_COLUMN, [],
        "Add copies of the selected objects at equal distances";
    Edit C::ShowArrayForm(ArrayLayout::Grid), "Array in a grid…", ICON_GRID_VIEW, [],
        "Add copies of the selected objects in rows and columns on the ground";
    Edit C::ShowArrayForm(ArrayLayout::Ring), "Array in a ring…", ICON_TRIP_ORIGIN, [],
        "Add copies of the selected objects in a circle around the first one";
    Edit C::ShowArrayForm(ArrayLayout::Random), "Array at random…", ICON_SCATTER_PLOT, [],
        "Add copies of the selected objects at random positions nearby";
    Edit C::Delete, "Delete", ICON_DELETE, [key(Key::Delete)],
        "Delete the selected objects and the expectations that name them";
    Edit C::CopyObjects, "Copy objects as text", ICON_CONTENT_PASTE, [],
        "Copy the selected objects as scene text, to paste here, in an editor or in a report (Ctrl+C)";
    Edit C::SelectAll, "Select all", ICON_SELECT_ALL, [ctrl(Key::A)],
        "Select all objects of the scene";

    Edit C::UseTool(Tool::Select), "Select tool", ICON_ARROW_SELECTOR_TOOL, [key(Key::Q)],
        "Click to select, drag to orbit the view; objects do not move";
    Edit C::UseTool(Tool::Move), "Move tool", ICON_OPEN_WITH, [key(Key::W)],
        "Drag the arrows to move the selected objects; velocities and vertices can be dragged too";
    Edit C::UseTool(Tool::Rotate), "Rotate tool", ICON_3D_ROTATION, [key(Key::E)],
        "Drag the rings to rotate the selected objects";
    Edit C::UseTool(Tool::Scale), "Scale tool", ICON_OPEN_IN_FULL, [key(Key::R)],
        "Make the shapes of the selected objects larger or smaller";
    Edit C::UseTool(Tool::Draw(Drawn::Circle)), "Draw circles", ICON_CIRCLE, [],
        "Drag from the centre to the rim, in a flat scene";
    Edit C::UseTool(Tool::Draw(Drawn::Box)), "Draw boxes", ICON_CROP_SQUARE, [],
        "Drag from corner to corner, in a flat scene";
    Edit C::UseTool(Tool::Draw(Drawn::Polygon)), "Draw polygons", ICON_HEXAGON, [],
        "Click on the corners, in a flat scene; Enter, a double click or a click on the first corner ends it, Esc drops it";
    Edit C::UseTool(Tool::Draw(Drawn::Chain)), "Draw chains", ICON_POLYLINE, [],
        "Click on the points, in a flat scene; Enter or a double click ends it, a click on the first point closes it, Esc drops it";
    Edit C::ToggleLocal, "Local axes", ICON_VIEW_IN_AR, [key(Key::X)],
        "Move and rotate along the object's local axes instead of the world's";
    Edit C::ToggleSnap(Snap::Grid), "Grid snapping", ICON_GRID_ON, [],
        "Drag in whole steps of length and angle; hold Ctrl while dragging to invert";
    Edit C::ToggleSnap(Snap::Surface), "Surface snapping", ICON_VERTICAL_ALIGN_BOTTOM, [],
        "Place objects that are dragged freely in contact with the surface under the pointer";
    Edit C::ToggleSnap(Snap::Contact), "Contact snapping", ICON_ALIGN_HORIZONTAL_RIGHT, [],
        "Stop dragged objects at the first contact along their path";
    Edit C::SnapToContact, "Snap to contact", ICON_JOIN_INNER, [],
        "Move the selected object into contact with the nearest other; with two selected, the first to the second";
    Edit C::Rename, "Rename", ICON_EDIT, [key(Key::F2)],
        "Enter another name for the selected object in the inspector";
    Edit C::ShowTagPrompt(true), "Group by tag…", ICON_SELL, [ctrl_shift(Key::G)],
        "Give the selected objects a common tag, or select all objects with a tag";
    Edit C::SelectTagged, "Select group", ICON_GESTURE_SELECT, [alt(Key::G)],
        "Select all objects that share a tag with the selected ones";
    Edit C::SetKeyframe, "Set keyframe", ICON_DIAMOND, [shift(Key::K)],
        "Set a keyframe of the selected objects at the playhead, with their current pose; objects without keyframes are moved by keyframes from then on";

    Add C::AddShape(NewShape::Sphere), "Sphere", ICON_CIRCLE, [],
        "Add a sphere beside the selected object";
    Add C::AddShape(NewShape::Box), "Box", ICON_DEPLOYED_CODE, [],
        "Add a box beside the selected object";
    Add C::AddShape(NewShape::Capsule), "Capsule", ICON_PILL, [],
        "Add a capsule (a segment with a radius) beside the selected object";
    Add C::AddShape(NewShape::Cylinder), "Cylinder", ICON_DATABASE, [],
        "Add an upright cylinder beside the selected object";
    Add C::AddShape(NewShape::Cone), "Cone", ICON_DETAILS, [],
        "Add an upright cone beside the selected object";
    Add C::AddShape(NewShape::RoundedBox), "Rounded box", ICON_ROUNDED_CORNER, [],
        "Add a box with rounded edges beside the selected object";
    Add C::AddShape(NewShape::ConvexHull), "Convex hull", ICON_HEXAGON, [],
        "Add an octahedron, the convex hull of six points; edit the points in the Text panel";
    Add C::AddShape(NewShape::Compound), "Compound", ICON_CATEGORY, [],
        "Add a dumbbell, a compound of convex parts; more parts can be added";
    Add C::AddShape(NewShape::Segment), "Segment", ICON_HORIZONTAL_RULE, [],
        "Add a line segment between two points";
    Add C::AddShape(NewShape::Triangle), "Triangle", ICON_CHANGE_HISTORY, [],
        "Add a triangle, two-sided by default";
    Add C::AddShape(NewShape::Plane), "Plane", ICON_FLOOR, [],
        "Add an infinite floor, solid below";
    Add C::AddShape(NewShape::Mesh), "Mesh", ICON_POLYLINE, [],
        "Add a tetrahedron; edit its vertices in the Text panel";
    Add C::AddCamera, "Camera", ICON_VIDEOCAM, [],
        "Add a camera with a probe that keeps it away from surfaces; the Inspector shows its fields while nothing is selected";

    Time C::TogglePlay, "Play or pause", ICON_PLAY_ARROW, [key(Key::Space)],
        "Play the level or pause it";
    Time C::PlayBackward, "Play backward", ICON_FAST_REWIND, [key(Key::J)],
        "Play the level backward";
    Time C::Pause, "Pause", ICON_PAUSE, [key(Key::K)],
        "Stop at the current time";
    Time C::PlayForward, "Play forward", ICON_FAST_FORWARD, [key(Key::L)],
        "Play the level forward";
    Time C::NextFrame, "Next frame", ICON_CHEVRON_RIGHT, [key(Key::Period), key(Key::ArrowRight)],
        "Go to the start of the next frame";
    Time C::PreviousFrame, "Previous frame", ICON_CHEVRON_LEFT, [key(Key::Comma), key(Key::ArrowLeft)],
        "Go to the start of this frame, then of the previous one";
    Time C::TenFramesForward, "Ten frames forward", ICON_KEYBOARD_DOUBLE_ARROW_RIGHT, [shift(Key::ArrowRight)],
        "Go ten frames forward";
    Time C::TenFramesBack, "Ten frames back", ICON_KEYBOARD_DOUBLE_ARROW_LEFT, [shift(Key::ArrowLeft)],
        "Go ten frames back";
    Time C::NextPhase, "Next phase", ICON_ARROW_RIGHT, [alt(Key::Period), alt(Key::ArrowRight)],
        "Go to the next phase of the frame: sweep, impact, push, end";
    Time C::PreviousPhase, "Previous phase", ICON_ARROW_LEFT, [alt(Key::Comma), alt(Key::ArrowLeft)],
        "Go to the previous phase of the frame";
    Time C::GoToStart, "First frame", ICON_SKIP_PREVIOUS, [key(Key::Home)],
        "Go to the start of the level";
    Time C::GoToEnd, "Last frame", ICON_SKIP_NEXT, [key(Key::End)],
        "Go to the end of the level";
    Time C::FocusFrameField, "Go to frame…", ICON_PIN, [ctrl(Key::G)],
        "Enter a frame number";
    Time C::Faster, "Faster", ICON_SPEED, [key(Key::ArrowUp)],
        "Select the next faster speed";
    Time C::Slower, "Slower", ICON_SLOW_MOTION_VIDEO, [key(Key::ArrowDown)],
        "Select the next slower speed";
    Time C::ToggleHitstop, "Hitstop", ICON_TIMER_PAUSE, [ctrl(Key::H)],
        "Freeze playback briefly at each impact and finding";
    Time C::ToggleLoop, "Loop", ICON_REPEAT, [ctrl(Key::L)],
        "Restart at the end of the loop";
    Time C::LoopIn, "Set loop start", ICON_LINE_START, [key(Key::I)],
        "Start the loop at the playhead";
    Time C::LoopOut, "Set loop end", ICON_LINE_END, [key(Key::O)],
        "End the loop at the playhead";
    Time C::ClearLoop, "Loop whole level", ICON_CLEAR_ALL, [shift(Key::I)],
        "Extend the loop to the whole level";

    Time C::NextImpact, "Next impact", ICON_KEYBOARD_TAB, [key(Key::N)],
        "Go to the next impact of the selected pair, else of the selected object, else of any object";
    Time C::PreviousImpact, "Previous impact", ICON_KEYBOARD_TAB_RTL, [shift(Key::N)],
        "Go to the previous impact of the selected pair, else of the selected object, else of any object";
    Time C::AddBookmark, "Bookmark", ICON_BOOKMARK_ADD, [key(Key::B), key(Key::M)],
        "Bookmark the playhead; a scene stores its bookmarks in its file";
    Time C::AddBookmarkWithNote, "Bookmark with note…", ICON_BOOKMARK_FLAG, [shift(Key::B), shift(Key::M)],
        "Bookmark the playhead and write a note";
    Time C::NextBookmark, "Next bookmark", ICON_ARROW_FORWARD, [key(Key::F4)],
        "Go to the next bookmark";
    Time C::PreviousBookmark, "Previous bookmark", ICON_ARROW_BACK, [shift(Key::F4)],
        "Go to the previous bookmark";
    Time C::FitTime, "Show all frames", ICON_FIT_WIDTH, [key(Key::Z)],
        "Show all frames on the timeline and in the plots";
    Time C::ZoomTimeIn, "Zoom time in", ICON_ZOOM_IN, [shift(Key::ArrowUp)],
        "Show fewer frames around the playhead";
    Time C::ZoomTimeOut, "Zoom time out", ICON_ZOOM_OUT, [shift(Key::ArrowDown)],
        "Show more frames around the playhead";

    Findings C::OpenFind, "Find frame…", ICON_MANAGE_SEARCH, [ctrl_shift(Key::F)],
        "Search for a frame by a condition: a touch, a depth, a speed, a value that is not finite";
    Findings C::FindNext, "Next match", ICON_SEARCH_CHECK, [key(Key::F3)],
        "Search forward from the playhead for the condition of the Find panel";
    Findings C::FindPrevious, "Previous match", ICON_SEARCH_CHECK_2, [shift(Key::F3)],
        "Search backward from the playhead for the condition of the Find panel";
    Findings C::StopFind, "Stop search", ICON_CANCEL, [],
        "Stop the search for a frame";
    Findings C::TogglePane(Pane::PairHistory), "Pair history", ICON_TABLE_ROWS, [],
        "Every frame of the selected pair: gap, depth, speed, contact and push";
    Findings C::SavePairHistoryAs, "Save pair history as table…", ICON_CSV, [],
        "Save every frame of the selected pair as CSV";
    Findings C::NextFinding, "Next finding", ICON_ARROW_DOWNWARD, [key(Key::CloseBracket)],
        "Select the next finding and go to it";
    Findings C::PreviousFinding, "Previous finding", ICON_ARROW_UPWARD, [key(Key::OpenBracket)],
        "Select the previous finding and go to it";
    Findings C::CopyFinding, "Copy finding as text", ICON_CONTENT_COPY, [ctrl_shift(Key::C)],
        "Copy the finding and its numbers to the clipboard";
    Findings C::ToggleHeatMap, "Heat map of findings", ICON_BLUR_ON, [],
        "Show in the view where the listed findings are, and how many in each place";
    Findings C::SaveFrameAs, "Save frame as test scene…", ICON_NOTE_ADD, [ctrl_shift(Key::S)],
        "Save the two objects of the finding in this frame as a scene that expects the finding; without a finding, the selected pair, or all objects";
    Findings C::ExpectFinding, "Add as expectation", ICON_FACT_CHECK, [ctrl(Key::E)],
        "Add the finding to the expectations in the scene's file, so that hitstop check fails when it changes";
    Findings C::ResetWhatIf, "Recorded values", ICON_RESTART_ALT, [],
        "Reset the What-if sliders to the values of the level";
    Findings C::CopyWhatIf, "Copy what-if as text", ICON_CONTENT_COPY, [],
        "Copy the what-if values and their results, before and after, to the clipboard";

    Camera C::ToggleWalk, "Walk", ICON_DIRECTIONS_WALK, [alt(Key::W)],
        "Walk through the level with the probe: W A S D and E Q move, the mouse turns the camera, Shift runs, Esc ends";
    Camera C::SaveWalkAs, "Save walk…", ICON_SAVE, [],
        "Save the last walk as a recording with the camera, and open it";
    Camera C::ShuffleProbe, "Shuffle triangles", ICON_SHUFFLE, [],
        "Test the triangles in a random order and show how the probe's result changes";
    Camera C::CopyProbe, "Copy camera as RON", ICON_CONTENT_COPY, [],
        "Copy the camera with the edited probe to the clipboard as scene text";
    Camera C::ResetProbe, "The scene's probe", ICON_RESTART_ALT, [],
        "Lines and mode as the scene has them";

    Compare C::CompareDetection, "Compare with other detection", ICON_COMPARE, [ctrl_shift(Key::D)],
        "Compare with the same scene run with the other collision detection (overlap or sweep)";
    Compare C::CompareFile, "Compare with another file…", ICON_FILE_OPEN, [],
        "Compare with another scene or log, with one playhead";
    Compare C::CompareRunBefore, "Compare with previous run", ICON_HISTORY, [],
        "Compare with the level as it was last saved, or before it was reloaded";
    Compare C::CompareView(CompareView::Overlaid), "Overlay A and B", ICON_LAYERS, [],
        "Show the other replay in the viewport where it differs";
    Compare C::CompareView(CompareView::SideBySide), "A and B side by side", ICON_SPLITSCREEN_RIGHT, [],
        "Show both replays beside each other, with one camera";
    Compare C::CompareView(CompareView::Wipe), "Wipe between A and B", ICON_COMPARE, [],
        "Show this level left of a divider and the other replay right of it; drag the divider";
    Compare C::StopComparing, "Close comparison", ICON_CANCEL_PRESENTATION, [],
        "Close the comparison and hide the other replay";

    Selection C::FocusFilter, "Filter objects…", ICON_FILTER_LIST, [ctrl(Key::F)],
        "Enter a part of an object's name";
    Selection C::TogglePin, "Pin", ICON_KEEP, [key(Key::P)],
        "Keep the numbers and the lane of the selected pair or object visible when the selection changes";
    Selection C::UnpinAll, "Unpin all", ICON_KEEP_OFF, [shift(Key::P)],
        "Remove all pins";
    Selection C::SelectNothing, "Select nothing", ICON_DESELECT, [key(Key::Escape)],
        "Clear the selection";

    View C::FrameSelection, "Frame selection", ICON_CENTER_FOCUS_STRONG, [key(Key::F)],
        "Move the view to the finding or the selected objects";
    View C::FrameAll, "Frame all", ICON_FIT_SCREEN, [shift(Key::F)],
        "Show the level without what flew away, and at once more with it";
    View C::ViewFrom(Side::Front), "Front view", ICON_FLIP_TO_FRONT, [key(Key::Num1)],
        "Look at the level from the front";
    View C::ViewFrom(Side::Back), "Back view", ICON_FLIP_TO_BACK, [ctrl(Key::Num1)],
        "Look at the level from behind";
    View C::ViewFrom(Side::Right), "Right view", ICON_ALIGN_HORIZONTAL_RIGHT, [key(Key::Num3)],
        "Look at the level from the right";
    View C::ViewFrom(Side::Left), "Left view", ICON_ALIGN_HORIZONTAL_LEFT, [ctrl(Key::Num3)],
        "Look at the level from the left";
    View C::ViewFrom(Side::Top), "Top view", ICON_VERTICAL_ALIGN_TOP, [key(Key::Num7)],
        "Look at the level from above";
    View C::ViewFrom(Side::Bottom), "Bottom view", ICON_VERTICAL_ALIGN_BOTTOM, [ctrl(Key::Num7)],
        "Look at the level from below";
    View C::ToggleOrthographic, "Orthographic or perspective", ICON_VIEW_IN_AR, [key(Key::Num5)],
        "Switch between parallel and perspective projection";
    View C::ToggleSplitView, "Two viewports", ICON_SPLITSCREEN_RIGHT, [ctrl(Key::Backslash)],
        "Show the level in two viewports side by side, each with its own camera";
    View C::ToggleRuler, "Ruler", ICON_STRAIGHTEN, [shift(Key::R)],
        "Measure between the closest points of the two selected objects, or of the selected one and the one under the pointer";
    View C::ToggleMeasure, "Measure", ICON_SQUARE_FOOT, [key(Key::D)],
        "Click two points on surfaces to measure their distance";
    View C::HideSelected, "Hide", ICON_VISIBILITY_OFF, [key(Key::H)],
        "Hide the selected objects in the viewport; they still collide";
    View C::IsolateSelected, "Isolate", ICON_FILTER_CENTER_FOCUS, [shift(Key::H)],
        "Hide all objects except the selected ones in the viewport";
    View C::ShowAllObjects, "Show all objects", ICON_VISIBILITY, [ctrl_shift(Key::H)],
        "Show the hidden objects again";
    View C::LockSelected, "Lock", ICON_LOCK, [],
        "Ignore clicks on the selected objects in the viewport; the list still selects them";
    View C::UnlockAll, "Unlock all objects", ICON_LOCK_OPEN, [],
        "React to clicks on the locked objects again";
    View C::ToggleFollow, "Follow object", ICON_MY_LOCATION, [key(Key::T)],
        "Move the view with the selected object";
    View C::ToggleCutOpen, "Cut open at findings", ICON_CONTENT_CUT, [],
        "Cut open what covers the selected finding";
    View C::ToggleClip, "Clipping plane", ICON_VERTICAL_SPLIT, [key(Key::C)],
        "Hide what is in front of a plane that faces the view; drag its slider to move it";
    View C::ColorBy(ColorBy::Role), "Color by role", ICON_PALETTE, [],
        "Objects have their own colors, else those of fixed and moving ones";
    View C::ColorBy(ColorBy::Layer), "Color by layer", ICON_LAYERS, [],
        "Objects of one collision layer have one color";
    View C::ColorBy(ColorBy::Speed), "Color by speed", ICON_SPEED, [],
        "Faster objects have stronger colors";
    View C::ColorBy(ColorBy::State), "Color by engine state", ICON_BEDTIME, [],
        "Objects that are awake and asleep in the recorded engine have different colors";
    View C::ColorBy(ColorBy::Tag), "Color by tag", ICON_SELL, [],
        "Objects with the same first tag have one color";
    View C::MeshView(MeshView::Solid), "Solid meshes", ICON_VIEW_IN_AR, [],
        "Draw the faces of meshes";
    View C::MeshView(MeshView::Wireframe), "Wireframe meshes", ICON_GRID_3X3, [],
        "Draw only the edges of the triangles of meshes";
    View C::MeshView(MeshView::XRay), "X-ray meshes", ICON_OPACITY, [],
        "Draw the edges of meshes, and their faces translucent";
    View C::MeshView(MeshView::BackFaces), "Back faces of meshes", ICON_FLIP, [],
        "Draw the back faces of meshes in another color, to check their winding";
    View C::ToggleMeshDefects, "Mesh defects", ICON_REPORT_PROBLEM, [],
        "Mark the boundary edges and the slivers of meshes";
    View C::ResetLayers, "Default layers", ICON_LAYERS_CLEAR, [],
        "Reset the layers to the defaults";
    View C::TogglePane(Pane::Outliner), "Objects", ICON_LIST, [alt(Key::Num1)],
        "List of all objects";
    View C::TogglePane(Pane::Findings), "Findings list", ICON_FACT_CHECK, [alt(Key::Num2)],
        "List of the findings and of the scene's expectations";
    View C::TogglePane(Pane::Inspector), "Inspector", ICON_TUNE, [alt(Key::Num3)],
        "Numbers of the selected finding, pair and objects";
    View C::TogglePane(Pane::Explain), "Explanation", ICON_HELP, [alt(Key::Num4)],
        "Every step of the selected pair's test, in sentences";
    View C::TogglePane(Pane::Candidates), "Candidates", ICON_RULE, [alt(Key::Num5)],
        "Every other object of the frame, and why it does or does not collide with the selected one";
    View C::TogglePane(Pane::GapPlot), "Gap plot", ICON_SHOW_CHART, [alt(Key::Num6)],
        "Distance of the selected pair over the frame";
    View C::TogglePane(Pane::WhatIf), "What if", ICON_EXPERIMENT, [alt(Key::Num8)],
        "The selected finding with other values of dt, speed and size";
    View C::TogglePane(Pane::Camera), "Camera probe", ICON_VIDEOCAM, [alt(Key::Num9)],
        "Lines of the camera's probe, and what each of them hits";
    View C::TogglePane(Pane::Timeline), "Timeline", ICON_VIEW_TIMELINE, [alt(Key::Num7)],
        "Playback controls, frames and phases";
    View C::TogglePane(Pane::Text), "Text", ICON_DESCRIPTION, [alt(Key::T)],
        "The scene as text beside the viewport; both can be edited";
    View C::TogglePane(Pane::History), "History", ICON_HISTORY, [alt(Key::H)],
        "List of the changes to the scene; click one to go back to it";
    View C::TogglePane(Pane::Find), "Find", ICON_MANAGE_SEARCH, [alt(Key::F)],
        "Search for a frame by a condition";
    View C::TogglePane(Pane::Plots), "Plots", ICON_MULTILINE_CHART, [alt(Key::L)],
        "Gap, depth, speed, pushes, dt and the log's values over time";
    View C::TogglePane(Pane::Pinned), "Pinned", ICON_KEEP, [alt(Key::P)],
        "Numbers of the pinned objects and pairs at the playhead";
    View C::TogglePane(Pane::Bookmarks), "Bookmarks", ICON_BOOKMARKS, [alt(Key::B)],
        "List of bookmarks with their notes";
    View C::ExportCsv, "Save plots as table…", ICON_CSV, [],
        "Save every point of the plots as CSV";
    View C::ExportPng, "Save plots as image…", ICON_IMAGE, [],
        "Save the visible plots as a PNG image";
    View C::TogglePane(Pane::Compare), "Comparison", ICON_COMPARE_ARROWS, [alt(Key::C)],
        "Differences between this level and another replay, with the first frame and the amount";
    View C::TogglePane(Pane::Messages), "Messages", ICON_NOTES, [alt(Key::Num0)],
        "All messages since the window opened";
    View C::TogglePanels, "Hide panels", ICON_FULLSCREEN_PORTRAIT, [key(Key::F6)],
        "Hide all panels except the viewport, or show them again";
    View C::ResetPanels, "Default panels", ICON_RESET_TV, [],
        "Reset the layout of the panels";
    View C::UseTheme(ThemePreference::Dark), "Dark", ICON_DARK_MODE, [],
        "Light text on a dark background";
    View C::UseTheme(ThemePreference::Light), "Light", ICON_LIGHT_MODE, [],
        "Dark text on a light background";
    View C::UseTheme(ThemePreference::System), "System theme", ICON_CONTRAST, [],
        "Dark or light, following the system's setting";
    View C::ZoomIn, "Larger", ICON_ZOOM_IN, [ctrl(Key::Plus), ctrl(Key::Equals)],
        "Make text and controls larger";
    View C::ZoomOut, "Smaller", ICON_ZOOM_OUT, [ctrl(Key::Minus)],
        "Make text and controls smaller";
    View C::ZoomReset, "Normal size", ICON_SEARCH, [ctrl(Key::Num0)],
        "Reset text and controls to the size of the screen's scale";
    View C::ToggleFullscreen, "Full screen", ICON_FULLSCREEN, [key(Key::F11)],
        "Switch between full screen and a window";

    Help C::TogglePalette, "Find anything…", ICON_SEARCH, [ctrl(Key::K), ctrl(Key::P)],
        "Search for a command, an object, a finding or a level by a few letters";
    Help C::ToggleCheatSheet, "Keyboard and mouse", ICON_KEYBOARD, [key(Key::F1), key(Key::Questionmark)],
        "Show all keyboard shortcuts and mouse actions";
    Help C::Help(HelpPage::Guide), "Guide", ICON_MENU_BOOK, [],
        "From a log of your engine to a fixed bug, step by step";
    Help C::Help(HelpPage::Causes), "Causes of findings", ICON_FACT_CHECK, [],
        "The kinds and causes of findings: what they mean, their evidence and their fixes";
    Help C::Help(HelpPage::About), "About Hitstop", ICON_INFO, [],
        "Version, licence, renderer, and where files are kept";
    Help C::ShowHints, "Show hints", ICON_LIGHTBULB, [],
        "Show the three hints of the first start again";
    Help C::DismissAllMessages, "Dismiss all messages", ICON_DONE_ALL, [],
        "Hide all notifications; the Messages panel keeps them";
    Help C::ClearLog, "Clear message log", ICON_DELETE_SWEEP, [],
        "Delete all messages from the log";
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
    fn every_command_has_one_entry_with_a_tooltip() {
        for (index, entry) in TABLE.iter().enumerate() {
            assert!(!entry.text.is_empty() && !entry.tooltip.is_empty());
            assert!(
                TABLE[..index].iter().all(|other| other.text != entry.text),
                "{} is listed twice",
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
