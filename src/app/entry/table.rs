//! Each command without an argument: its text, icon, keys, what it needs, its tooltip, and words that the palette also finds it by.

use super::{Entry, Group, needs};
use crate::app::authoring::{Drawn, Snap, Tool};
use crate::app::command::Command;
use crate::app::command::arguments::{Export, Output};
use crate::app::dock::Pane;
use crate::app::help_topics::HelpPage;
use crate::app::view_options::{ColorBy, CompareView, MeshView};
use crate::app::view_state::{Side, Switch};
use crate::core::edit::{ArrayLayout, NewShape, Template};
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
    ($($group:ident $command:expr, $text:literal, $icon:ident, [$($keys:expr),*], $needs:ident, $tooltip:literal, $words:literal;)*) => {
        &[$(Entry {
            command: $command,
            group: Group::$group,
            text: $text,
            tooltip: $tooltip,
            keys: &[$($keys),*],
            icon: icons::$icon,
            needs: needs::$needs,
            words: $words,
        }),*]
    };
}

use Command as C;

/// Every command without an argument, in the order of the menus.
#[rustfmt::skip]
pub static TABLE: &[Entry] = table![
    File C::OpenDialog, "Open…", ICON_FOLDER_OPEN, [ctrl(Key::O)], nothing,
        "Open a scene (.ron), a log (.jsonl, .csv, .parquet, .ovd), an animation (.gltf, .glb) or a mesh (.obj)", "load file";
    File C::Save, "Save", ICON_SAVE, [ctrl(Key::S)], scene,
        "Save the scene to its file; comments and formatting are kept", "";
    File C::SaveAs, "Save as…", ICON_SAVE_AS, [ctrl_alt(Key::S)], scene,
        "Save the scene to another file and edit that file from then on", "";
    File C::ImportDialog, "Import…", ICON_INPUT, [], nothing,
        "Add a mesh file (.obj, .gltf, .glb) to the scene: as one mesh, by its parts, or its colliders", "mesh model obj gltf glb load";
    File C::ChooseReadOptions, "Reading options…", ICON_VIEW_COLUMN, [], read_options,
        "Choose what the columns of the open table are and its units, or one of its animations, and read it again", "columns mapping csv parquet table unit up axis animation clip import";
    File C::Reload, "Reload", ICON_REFRESH, [key(Key::F5)], level,
        "Read the file again and diagnose it again", "check again refresh diagnose rerun";
    File C::Listen, "Listen", ICON_SENSORS, [], not_listening,
        "Receive recordings from games that run on this machine, and show them as they arrive (port 9740)", "live receive connect socket game engine stream follow";
    File C::Connect, "Connect your engine…", ICON_CABLE, [], nothing,
        "Listen, and show the lines that make your engine send its level, with what has arrived", "live receive record listen start own game unity unreal godot bevy jolt physx box2d box3d rapier mujoco pybullet matter phaser";
    File C::ExportDialog(Export::Image), "Save image…", ICON_PHOTO_CAMERA, [key(Key::F12)], level,
        "Save the viewport as a PNG image, as large as it is: hide the panels for a larger one", "screenshot picture view png";
    File C::ExportDialog(Export::Loop), "Save loop as clip…", ICON_MOVIE, [], level,
        "Save the loop, or the whole level, as an animated GIF at the playback speed", "gif video record animation";
    File C::ExportDialog(Export::Frame), "Save frame as clip…", ICON_SLOW_MOTION_VIDEO, [], level,
        "Save the current frame from start to end as an animated GIF in slow motion", "gif video record animation";
    File C::OutputDialog(Output::Report), "Save report…", ICON_SUMMARIZE, [], diagnosed,
        "Save the findings as one HTML page with plots and drawings, to attach to a bug", "html page bug export share";
    File C::OutputDialog(Output::ReplayPage), "Save replay page…", ICON_SLIDESHOW, [], diagnosed,
        "Save one HTML page that plays the level, or its loop, with the findings: for a colleague without this program", "html web share send export browser";
    File C::OutputDialog(Output::Findings), "Export findings…", ICON_DATA_OBJECT, [], diagnosed,
        "Save the findings as JSON, or for CI as SARIF or JUnit XML", "json sarif junit xml save ci";
    File C::OutputDialog(Output::Recording), "Save recording as…", ICON_SWAP_HORIZ, [], recording,
        "Save the recording as JSON Lines, CSV, Parquet or glTF, or as a scene that names it", "save as export jsonl csv parquet gltf glb log format";
    File C::StopJob, "Stop", ICON_CANCEL, [], job,
        "Stop the background job: loading, diagnosis or export", "";
    File C::CloseLevel, "Start page", ICON_HOME, [ctrl(Key::W)], level,
        "Close the level and return to the start page", "home welcome close";
    File C::Quit, "Quit", ICON_LOGOUT, [ctrl(Key::Q)], nothing,
        "Close the window", "exit";

    New C::New(Template::Empty), "New scene", ICON_NOTE_ADD, [ctrl(Key::N)], nothing,
        "Create an empty scene", "template create example";
    New C::New(Template::BulletAndWall), "Bullet and wall", ICON_TARGET, [], nothing,
        "A fast ball and a thin wall: too fast for an overlap test", "template create example";
    New C::New(Template::Room), "Room", ICON_CROP_SQUARE, [], nothing,
        "A floor, four walls, and a ball that bounces between them", "template create example";
    New C::New(Template::Ramp), "Ramp", ICON_SIGNAL_CELLULAR_4_BAR, [], nothing,
        "A ball that slides down a rotated box", "template create example";
    New C::New(Template::Corridor), "Corridor", ICON_SPLITSCREEN, [], nothing,
        "A capsule that moves down a corridor to its end", "template create example";
    New C::New(Template::PoolTable), "Pool table", ICON_TABLE_RESTAURANT, [], nothing,
        "A table with cushions, six balls and a cue ball", "template create example";
    New C::New(Template::Flat), "Flat level (2D)", ICON_FILTER_NONE, [], nothing,
        "A bullet, a crate and tiles in the plane", "template create example";
    New C::New(Template::CameraWalk), "Camera walk", ICON_VIDEOCAM, [], nothing,
        "A camera with a line probe that moves along walls", "template create example";

    Edit C::Undo, "Undo", ICON_UNDO, [ctrl(Key::Z)], undo,
        "Undo the latest change", "back revert";
    Edit C::Redo, "Redo", ICON_REDO, [ctrl_shift(Key::Z), ctrl(Key::Y)], redo,
        "Redo the change that was undone", "again repeat";
    Edit C::Duplicate, "Duplicate", ICON_COPY_ALL, [ctrl(Key::D)], selected_objects,
        "Duplicate the selected objects under new names", "copy clone";
    Edit C::ShowArrayForm(ArrayLayout::Row), "Array in a row…", ICON_VIEW_COLUMN, [], selected_objects,
        "Add copies of the selected objects at equal distances", "copies repeat pattern many clone duplicate scatter circle";
    Edit C::ShowArrayForm(ArrayLayout::Grid), "Array in a grid…", ICON_GRID_VIEW, [], selected_objects,
        "Add copies of the selected objects in rows and columns on the ground", "copies repeat pattern many clone duplicate scatter circle";
    Edit C::ShowArrayForm(ArrayLayout::Ring), "Array in a ring…", ICON_TRIP_ORIGIN, [], selected_objects,
        "Add copies of the selected objects in a circle around the first one", "copies repeat pattern many clone duplicate scatter circle";
    Edit C::ShowArrayForm(ArrayLayout::Random), "Array at random…", ICON_SCATTER_PLOT, [], selected_objects,
        "Add copies of the selected objects at random positions nearby", "copies repeat pattern many clone duplicate scatter circle";
    Edit C::Delete, "Delete", ICON_DELETE, [key(Key::Delete)], selected_objects,
        "Delete the selected objects and the expectations that name them", "remove erase";
    Edit C::CopyObjects, "Copy objects as text", ICON_CONTENT_PASTE, [], selected_in_scene,
        "Copy the selected objects as scene text, to paste here, in an editor or in a report (Ctrl+C)", "";
    Edit C::SelectAll, "Select all", ICON_SELECT_ALL, [ctrl(Key::A)], level,
        "Select all objects of the scene", "";

    Edit C::UseTool(Tool::Select), "Select tool", ICON_ARROW_SELECTOR_TOOL, [key(Key::Q)], level,
        "Click to select, drag to orbit the view; objects do not move", "";
    Edit C::UseTool(Tool::Move), "Move tool", ICON_OPEN_WITH, [key(Key::W)], level,
        "Drag the arrows to move the selected objects; velocities and vertices can be dragged too", "";
    Edit C::UseTool(Tool::Rotate), "Rotate tool", ICON_3D_ROTATION, [key(Key::E)], level,
        "Drag the rings to rotate the selected objects", "";
    Edit C::UseTool(Tool::Scale), "Scale tool", ICON_OPEN_IN_FULL, [key(Key::R)], level,
        "Make the shapes of the selected objects larger or smaller", "";
    Edit C::UseTool(Tool::Draw(Drawn::Circle)), "Draw circles", ICON_CIRCLE, [], flat_scene,
        "Drag from the centre to the rim, in a flat scene", "";
    Edit C::UseTool(Tool::Draw(Drawn::Box)), "Draw boxes", ICON_CROP_SQUARE, [], flat_scene,
        "Drag from corner to corner, in a flat scene", "";
    Edit C::UseTool(Tool::Draw(Drawn::Polygon)), "Draw polygons", ICON_HEXAGON, [], flat_scene,
        "Click on the corners, in a flat scene; Enter, a double click or a click on the first corner ends it, Esc drops it", "";
    Edit C::UseTool(Tool::Draw(Drawn::Chain)), "Draw chains", ICON_POLYLINE, [], flat_scene,
        "Click on the points, in a flat scene; Enter or a double click ends it, a click on the first point closes it, Esc drops it", "";
    Edit C::ToggleLocal, "Local axes", ICON_VIEW_IN_AR, [key(Key::X)], level,
        "Move and rotate along the object's local axes instead of the world's", "local world space gizmo";
    Edit C::ToggleSnap(Snap::Grid), "Grid snapping", ICON_GRID_ON, [], level,
        "Drag in whole steps of length and angle; hold Ctrl while dragging to invert", "magnet align grid";
    Edit C::ToggleSnap(Snap::Surface), "Surface snapping", ICON_VERTICAL_ALIGN_BOTTOM, [], level,
        "Place objects that are dragged freely in contact with the surface under the pointer", "magnet align grid";
    Edit C::ToggleSnap(Snap::Contact), "Contact snapping", ICON_ALIGN_HORIZONTAL_RIGHT, [], level,
        "Stop dragged objects at the first contact along their path", "magnet align grid";
    Edit C::SnapToContact, "Snap to contact", ICON_JOIN_INNER, [], selected_objects,
        "Move the selected object into contact with the nearest other; with two selected, the first to the second", "drop place rest touch";
    Edit C::Rename, "Rename", ICON_EDIT, [key(Key::F2)], selected_objects,
        "Enter another name for the selected object in the inspector", "";
    Edit C::ShowTagPrompt(true), "Group by tag…", ICON_SELL, [ctrl_shift(Key::G)], scene,
        "Give the selected objects a common tag, or select all objects with a tag", "label group name";
    Edit C::SelectTagged, "Select group", ICON_GESTURE_SELECT, [alt(Key::G)], level,
        "Select all objects that share a tag with the selected ones", "";
    Edit C::SetKeyframe, "Set keyframe", ICON_DIAMOND, [shift(Key::K)], level,
        "Set a keyframe of the selected objects at the playhead, with their current pose; objects without keyframes are moved by keyframes from then on", "animate key path";

    Add C::AddShape(NewShape::Sphere), "Sphere", ICON_CIRCLE, [], shape,
        "Add a sphere beside the selected object", "new object create insert";
    Add C::AddShape(NewShape::Box), "Box", ICON_DEPLOYED_CODE, [], shape,
        "Add a box beside the selected object", "new object create insert";
    Add C::AddShape(NewShape::Capsule), "Capsule", ICON_PILL, [], shape,
        "Add a capsule (a segment with a radius) beside the selected object", "new object create insert";
    Add C::AddShape(NewShape::Cylinder), "Cylinder", ICON_DATABASE, [], shape,
        "Add an upright cylinder beside the selected object", "new object create insert";
    Add C::AddShape(NewShape::Cone), "Cone", ICON_DETAILS, [], shape,
        "Add an upright cone beside the selected object", "new object create insert";
    Add C::AddShape(NewShape::RoundedBox), "Rounded box", ICON_ROUNDED_CORNER, [], shape,
        "Add a box with rounded edges beside the selected object", "new object create insert";
    Add C::AddShape(NewShape::ConvexHull), "Convex hull", ICON_HEXAGON, [], shape,
        "Add an octahedron, the convex hull of six points; edit the points in the Text panel", "new object create insert";
    Add C::AddShape(NewShape::Compound), "Compound", ICON_CATEGORY, [], shape,
        "Add a dumbbell, a compound of convex parts; more parts can be added", "new object create insert";
    Add C::AddShape(NewShape::Segment), "Segment", ICON_HORIZONTAL_RULE, [], shape,
        "Add a line segment between two points", "new object create insert";
    Add C::AddShape(NewShape::Triangle), "Triangle", ICON_CHANGE_HISTORY, [], shape,
        "Add a triangle, two-sided by default", "new object create insert";
    Add C::AddShape(NewShape::Plane), "Plane", ICON_FLOOR, [], shape,
        "Add an infinite floor, solid below", "new object create insert";
    Add C::AddShape(NewShape::Mesh), "Mesh", ICON_POLYLINE, [], shape,
        "Add a tetrahedron; edit its vertices in the Text panel", "new object create insert";
    Add C::AddCamera, "Camera", ICON_VIDEOCAM, [], no_camera,
        "Add a camera with a probe that keeps it away from surfaces; the Inspector shows its fields while nothing is selected", "";

    Time C::TogglePlay, "Play or pause", ICON_PLAY_ARROW, [key(Key::Space)], level,
        "Play the level or pause it", "";
    Time C::PlayBackward, "Play backward", ICON_FAST_REWIND, [key(Key::J)], level,
        "Play the level backward", "";
    Time C::Pause, "Pause", ICON_PAUSE, [key(Key::K)], level,
        "Stop at the current time", "";
    Time C::PlayForward, "Play forward", ICON_FAST_FORWARD, [key(Key::L)], level,
        "Play the level forward", "";
    Time C::NextFrame, "Next frame", ICON_CHEVRON_RIGHT, [key(Key::Period), key(Key::ArrowRight)], level,
        "Go to the start of the next frame", "";
    Time C::PreviousFrame, "Previous frame", ICON_CHEVRON_LEFT, [key(Key::Comma), key(Key::ArrowLeft)], level,
        "Go to the start of this frame, then of the previous one", "";
    Time C::TenFramesForward, "Ten frames forward", ICON_KEYBOARD_DOUBLE_ARROW_RIGHT, [shift(Key::ArrowRight)], level,
        "Go ten frames forward", "";
    Time C::TenFramesBack, "Ten frames back", ICON_KEYBOARD_DOUBLE_ARROW_LEFT, [shift(Key::ArrowLeft)], level,
        "Go ten frames back", "";
    Time C::NextPhase, "Next phase", ICON_ARROW_RIGHT, [alt(Key::Period), alt(Key::ArrowRight)], level,
        "Go to the next phase of the frame: sweep, impact, push, end", "";
    Time C::PreviousPhase, "Previous phase", ICON_ARROW_LEFT, [alt(Key::Comma), alt(Key::ArrowLeft)], level,
        "Go to the previous phase of the frame", "";
    Time C::GoToStart, "First frame", ICON_SKIP_PREVIOUS, [key(Key::Home)], level,
        "Go to the start of the level", "";
    Time C::GoToEnd, "Last frame", ICON_SKIP_NEXT, [key(Key::End)], level,
        "Go to the end of the level", "";
    Time C::FocusFrameField, "Go to frame…", ICON_PIN, [ctrl(Key::G)], level,
        "Enter a frame number", "";
    Time C::Faster, "Faster", ICON_SPEED, [key(Key::ArrowUp)], level,
        "Select the next faster speed", "";
    Time C::Slower, "Slower", ICON_SLOW_MOTION_VIDEO, [key(Key::ArrowDown)], level,
        "Select the next slower speed", "";
    Time C::ToggleHitstop, "Hitstop", ICON_TIMER_PAUSE, [ctrl(Key::H)], level,
        "Freeze playback briefly at findings and at impacts of the selected pair; where there are many it goes on", "freeze pause impact break";
    Time C::ToggleLoop, "Loop", ICON_REPEAT, [ctrl(Key::L)], level,
        "Restart at the end of the loop", "repeat cycle";
    Time C::LoopIn, "Set loop start", ICON_LINE_START, [key(Key::I)], level,
        "Start the loop at the playhead", "in point begin";
    Time C::LoopOut, "Set loop end", ICON_LINE_END, [key(Key::O)], level,
        "End the loop at the playhead", "out point end";
    Time C::ClearLoop, "Loop whole level", ICON_CLEAR_ALL, [shift(Key::I)], loop_bounds,
        "Extend the loop to the whole level", "";

    Time C::NextImpact, "Next impact", ICON_KEYBOARD_TAB, [key(Key::N)], level,
        "Go to the next impact of the selected pair, else of the selected object, else of any object", "hit contact collision touch";
    Time C::PreviousImpact, "Previous impact", ICON_KEYBOARD_TAB_RTL, [shift(Key::N)], level,
        "Go to the previous impact of the selected pair, else of the selected object, else of any object", "hit contact collision touch";
    Time C::AddBookmark, "Bookmark", ICON_BOOKMARK_ADD, [key(Key::B), key(Key::M)], level,
        "Bookmark the playhead; a scene stores its bookmarks in its file", "marker mark note";
    Time C::AddBookmarkWithNote, "Bookmark with note…", ICON_BOOKMARK_FLAG, [shift(Key::B), shift(Key::M)], level,
        "Bookmark the playhead and write a note", "marker mark note";
    Time C::NextBookmark, "Next bookmark", ICON_ARROW_FORWARD, [key(Key::F4)], bookmarks,
        "Go to the next bookmark", "";
    Time C::PreviousBookmark, "Previous bookmark", ICON_ARROW_BACK, [shift(Key::F4)], bookmarks,
        "Go to the previous bookmark", "";
    Time C::FitTime, "Show all frames", ICON_FIT_WIDTH, [key(Key::Z)], zoomed_time,
        "Show all frames on the timeline and in the plots", "";
    Time C::ZoomTimeIn, "Zoom time in", ICON_ZOOM_IN, [shift(Key::ArrowUp)], level,
        "Show fewer frames around the playhead", "";
    Time C::ZoomTimeOut, "Zoom time out", ICON_ZOOM_OUT, [shift(Key::ArrowDown)], level,
        "Show more frames around the playhead", "";

    Findings C::OpenFind, "Find frame…", ICON_MANAGE_SEARCH, [ctrl_shift(Key::F)], level,
        "Search for a frame by a condition: a touch, a depth, a speed, a value that is not finite", "search query";
    Findings C::FindNext, "Next match", ICON_SEARCH_CHECK, [key(Key::F3)], level,
        "Search forward from the playhead for the condition of the Find panel", "";
    Findings C::FindPrevious, "Previous match", ICON_SEARCH_CHECK_2, [shift(Key::F3)], level,
        "Search backward from the playhead for the condition of the Find panel", "";
    Findings C::StopFind, "Stop search", ICON_CANCEL, [], search,
        "Stop the search for a frame", "";
    Findings C::TogglePane(Pane::PairHistory), "Pair history", ICON_TABLE_ROWS, [], level,
        "Every frame of the selected pair: gap, depth, speed, contact and push", "panel";
    Findings C::SavePairHistoryAs, "Save pair history as table…", ICON_CSV, [], pair,
        "Save every frame of the selected pair as CSV", "";
    Findings C::NextFinding, "Next finding", ICON_ARROW_DOWNWARD, [key(Key::CloseBracket)], findings,
        "Select the next finding and go to it", "";
    Findings C::PreviousFinding, "Previous finding", ICON_ARROW_UPWARD, [key(Key::OpenBracket)], findings,
        "Select the previous finding and go to it", "";
    Findings C::CopyFinding, "Copy finding as text", ICON_CONTENT_COPY, [ctrl_shift(Key::C)], finding,
        "Copy the finding and its numbers to the clipboard", "";
    Findings C::Toggle(Switch::HeatMap), "Heat map of findings", ICON_BLUR_ON, [], findings,
        "Show in the view where the listed findings are, and how many in each place", "density leaky places hot spots";
    Findings C::LookForLeaks, "Look for leaks", ICON_TROUBLESHOOT, [], level,
        "Search the places where a mover passes the fixed surfaces of the level, at up to its speed", "holes gaps walls safe before players fuzz";
    Findings C::SaveFrameAs, "Save frame as test scene…", ICON_NOTE_ADD, [ctrl_shift(Key::S)], level,
        "Save the two objects of the finding in this frame as a scene that expects the finding; without a finding, the selected pair, or all objects", "make extract repro reproduce bug report";
    Findings C::TuneInBuild, "Tune in my build…", ICON_LABS, [], finding_to_tune,
        "Run your own program with each value of a fix, judge its logs, and show the value that is confirmed beside the one that holds", "confirm fix verify run program game command substeps parameter value search bisect";
    Findings C::StopTuning, "Stop tuning", ICON_CANCEL, [], tuning,
        "Stop the runs of your program; what is known so far stays", "cancel runs program";
    Findings C::ExpectFinding, "Add as expectation", ICON_FACT_CHECK, [ctrl(Key::E)], finding_in_scene,
        "Add the finding to the expectations in the scene's file, so that hitstop check fails when it changes", "assert test claim";
    Findings C::ResetWhatIf, "Recorded values", ICON_RESTART_ALT, [], changed_values,
        "Reset the What-if sliders to the values of the level", "";
    Findings C::CopyWhatIf, "Copy what-if as text", ICON_CONTENT_COPY, [], level,
        "Copy the what-if values and their results, before and after, to the clipboard", "";

    Camera C::ToggleWalk, "Walk", ICON_DIRECTIONS_WALK, [alt(Key::W)], level,
        "Walk through the level with the probe: W A S D and E Q move, the mouse turns the camera, Shift runs, Esc ends", "fly first person camera";
    Camera C::SaveWalkAs, "Save walk…", ICON_SAVE, [], walk,
        "Save the last walk as a recording with the camera, and open it", "";
    Camera C::Toggle(Switch::ThroughCamera), "Look through the camera", ICON_VIDEOCAM, [], camera,
        "Show what the level's camera sees in a second viewport", "view recorded picture player sees first person";
    Camera C::ShuffleProbe, "Shuffle triangles", ICON_SHUFFLE, [], triangles,
        "Test the triangles in a random order and show how the probe's result changes", "random order triangles probe line";
    Camera C::CopyProbe, "Copy camera as RON", ICON_CONTENT_COPY, [], level,
        "Copy the camera with the edited probe to the clipboard as scene text", "camera probe line";
    Camera C::ResetProbe, "The scene's probe", ICON_RESTART_ALT, [], changed_probe,
        "Lines and mode as the scene has them", "camera probe line";

    Compare C::CompareDetection, "Compare with other detection", ICON_COMPARE, [ctrl_shift(Key::D)], stepped,
        "Compare with the same scene run with the other collision detection (overlap or sweep)", "diff difference";
    Compare C::CompareFile, "Compare with another file…", ICON_FILE_OPEN, [], level,
        "Compare with another scene or log, with one playhead", "diff difference";
    Compare C::CompareRunBefore, "Compare with previous run", ICON_HISTORY, [], run_before,
        "Compare with the level as it was last saved, or before it was reloaded", "diff difference";
    Compare C::CompareView(CompareView::Overlaid), "Overlay A and B", ICON_LAYERS, [], comparison,
        "Show the other replay in the viewport where it differs", "compare split slider difference before after";
    Compare C::CompareView(CompareView::SideBySide), "A and B side by side", ICON_SPLITSCREEN_RIGHT, [], comparison,
        "Show both replays beside each other, with one camera", "compare split slider difference before after";
    Compare C::CompareView(CompareView::Wipe), "Wipe between A and B", ICON_COMPARE, [], comparison,
        "Show this level left of a divider and the other replay right of it; drag the divider", "compare split slider difference before after";
    Compare C::StopComparing, "Close comparison", ICON_CANCEL_PRESENTATION, [], comparison,
        "Close the comparison and hide the other replay", "";

    Selection C::FocusFilter, "Filter objects…", ICON_FILTER_LIST, [ctrl(Key::F)], level,
        "Enter a part of an object's name", "";
    Selection C::WhyHere, "Why is it here?", ICON_HELP, [key(Key::Y)], selected,
        "Show what changed the motion of the selected object, back from the playhead: gravity, contacts, pushes, joints", "explain cause moved history who pushed";
    Selection C::TogglePin, "Pin", ICON_KEEP, [key(Key::P)], selected,
        "Keep the numbers and the lane of the selected pair or object visible when the selection changes", "watch keep";
    Selection C::UnpinAll, "Unpin all", ICON_KEEP_OFF, [shift(Key::P)], pins,
        "Remove all pins", "watch keep";
    Selection C::SelectNothing, "Select nothing", ICON_DESELECT, [key(Key::Escape)], nothing,
        "Clear the selection", "deselect clear none";

    View C::FrameSelection, "Frame selection", ICON_CENTER_FOCUS_STRONG, [key(Key::F)], level,
        "Move the view to the finding or the selected objects", "focus zoom center view fit";
    View C::FrameAll, "Frame all", ICON_FIT_SCREEN, [shift(Key::F)], level,
        "Show the level without what flew away, and at once more with it", "focus zoom center view fit";
    View C::ViewFrom(Side::Front), "Front view", ICON_FLIP_TO_FRONT, [key(Key::Num1)], level,
        "Look at the level from the front", "camera side axis look numpad";
    View C::ViewFrom(Side::Back), "Back view", ICON_FLIP_TO_BACK, [ctrl(Key::Num1)], level,
        "Look at the level from behind", "camera side axis look numpad";
    View C::ViewFrom(Side::Right), "Right view", ICON_ALIGN_HORIZONTAL_RIGHT, [key(Key::Num3)], level,
        "Look at the level from the right", "camera side axis look numpad";
    View C::ViewFrom(Side::Left), "Left view", ICON_ALIGN_HORIZONTAL_LEFT, [ctrl(Key::Num3)], level,
        "Look at the level from the left", "camera side axis look numpad";
    View C::ViewFrom(Side::Top), "Top view", ICON_VERTICAL_ALIGN_TOP, [key(Key::Num7)], level,
        "Look at the level from above", "camera side axis look numpad";
    View C::ViewFrom(Side::Bottom), "Bottom view", ICON_VERTICAL_ALIGN_BOTTOM, [ctrl(Key::Num7)], level,
        "Look at the level from below", "camera side axis look numpad";
    View C::ToggleOrthographic, "Orthographic or perspective", ICON_VIEW_IN_AR, [key(Key::Num5)], level,
        "Switch between parallel and perspective projection", "ortho parallel projection camera";
    View C::ToggleSplitView, "Two viewports", ICON_SPLITSCREEN_RIGHT, [ctrl(Key::Backslash)], level,
        "Show the level in two viewports side by side, each with its own camera", "split screen second camera quad view";
    View C::Toggle(Switch::Ruler), "Ruler", ICON_STRAIGHTEN, [shift(Key::R)], level,
        "Measure between the closest points of the two selected objects, or of the selected one and the one under the pointer", "measure distance gap depth length nearest";
    View C::Toggle(Switch::Measure), "Measure", ICON_SQUARE_FOOT, [key(Key::D)], level,
        "Click two points on surfaces to measure their distance", "distance length dx dy dz points tape";
    View C::HideSelected, "Hide", ICON_VISIBILITY_OFF, [key(Key::H)], selected,
        "Hide the selected objects in the viewport; they still collide", "hide invisible";
    View C::IsolateSelected, "Isolate", ICON_FILTER_CENTER_FOCUS, [shift(Key::H)], selected,
        "Hide all objects except the selected ones in the viewport", "solo local view only hide others";
    View C::ShowAllObjects, "Show all objects", ICON_VISIBILITY, [ctrl_shift(Key::H)], hidden,
        "Show the hidden objects again", "unhide visible";
    View C::LockSelected, "Lock", ICON_LOCK, [], selected,
        "Ignore clicks on the selected objects in the viewport; the list still selects them", "freeze unselectable click through";
    View C::UnlockAll, "Unlock all objects", ICON_LOCK_OPEN, [], locked,
        "React to clicks on the locked objects again", "freeze unselectable click through";
    View C::ToggleFollow, "Follow object", ICON_MY_LOCATION, [key(Key::T)], followable,
        "Move the view with the selected object", "track camera lock";
    View C::Toggle(Switch::CutOpen), "Cut open at findings", ICON_CONTENT_CUT, [], level,
        "Cut open what covers the selected finding", "section slice cutaway clip";
    View C::ToggleClip, "Clipping plane", ICON_VERTICAL_SPLIT, [key(Key::C)], level,
        "Hide what is in front of a plane that faces the view; drag its slider to move it", "section slice cutaway clip";
    View C::ColorBy(ColorBy::Role), "Color by role", ICON_PALETTE, [], level,
        "Objects have their own colors, else those of fixed and moving ones", "colour hue islands sleeping tags layers";
    View C::ColorBy(ColorBy::Layer), "Color by layer", ICON_LAYERS, [], level,
        "Objects of one collision layer have one color", "colour hue islands sleeping tags layers";
    View C::ColorBy(ColorBy::Speed), "Color by speed", ICON_SPEED, [], level,
        "Each shade is a speed, up to that of the fastest object", "colour hue islands sleeping tags layers";
    View C::ColorBy(ColorBy::State), "Color by engine state", ICON_BEDTIME, [], engine_state,
        "Objects that are awake and asleep in the recorded engine have different colors", "colour hue islands sleeping tags layers";
    View C::ColorBy(ColorBy::Island), "Color by island", ICON_WORKSPACES, [], engine_state,
        "Objects that the recorded engine solves together, where the log has its islands, have one color", "colour hue islands sleeping tags layers";
    View C::ColorBy(ColorBy::Findings), "Color by findings", ICON_LOCAL_FIRE_DEPARTMENT, [], findings,
        "Color every object by the number of the listed findings that it has", "heat map surfaces leaky worst";
    View C::ColorBy(ColorBy::Cause), "Color by cause", ICON_RULE, [], findings,
        "Color every object by the cause of its worst listed finding", "why";
    View C::ColorBy(ColorBy::Tag), "Color by tag", ICON_SELL, [], level,
        "Objects with the same first tag have one color", "colour hue islands sleeping tags layers";
    View C::MeshView(MeshView::Solid), "Solid meshes", ICON_VIEW_IN_AR, [], level,
        "Draw the faces of meshes", "wire triangles normals winding transparent mesh view";
    View C::MeshView(MeshView::Wireframe), "Wireframe meshes", ICON_GRID_3X3, [], level,
        "Draw only the edges of the triangles of meshes", "wire triangles normals winding transparent mesh view";
    View C::MeshView(MeshView::XRay), "X-ray meshes", ICON_OPACITY, [], level,
        "Draw the edges of meshes, and their faces translucent", "wire triangles normals winding transparent mesh view";
    View C::MeshView(MeshView::BackFaces), "Back faces of meshes", ICON_FLIP, [], level,
        "Draw the back faces of meshes in another color, to check their winding", "wire triangles normals winding transparent mesh view";
    View C::Toggle(Switch::MeshDefects), "Mesh defects", ICON_REPORT_PROBLEM, [], level,
        "Mark the boundary edges and the slivers of meshes", "boundary open edges slivers holes triangles";
    View C::Toggle(Switch::ContactShading), "Contact shading", ICON_TONALITY, [], level,
        "Darken surfaces where they are near each other; slow without a graphics card", "ambient occlusion shadow ground light";
    View C::ResetLayers, "Default layers", ICON_LAYERS_CLEAR, [], level,
        "Reset the layers to the defaults", "";
    View C::TogglePane(Pane::Outliner), "Objects", ICON_LIST, [alt(Key::Num1)], level,
        "List of all objects", "outliner hierarchy tree list";
    View C::TogglePane(Pane::Findings), "Findings list", ICON_FACT_CHECK, [alt(Key::Num2)], level,
        "List of the findings and of the scene's expectations", "panel";
    View C::TogglePane(Pane::Inspector), "Inspector", ICON_TUNE, [alt(Key::Num3)], level,
        "Numbers of the selected finding, pair and objects", "properties form fields";
    View C::TogglePane(Pane::Explain), "Explanation", ICON_HELP, [alt(Key::Num4)], level,
        "Every step of the selected pair's test, in sentences", "panel";
    View C::TogglePane(Pane::Candidates), "Candidates", ICON_RULE, [alt(Key::Num5)], level,
        "Every other object of the frame, and why it does or does not collide with the selected one", "panel";
    View C::TogglePane(Pane::GapPlot), "Gap plot", ICON_SHOW_CHART, [alt(Key::Num6)], level,
        "Distance of the selected pair over the frame", "panel";
    View C::TogglePane(Pane::WhatIf), "What if", ICON_EXPERIMENT, [alt(Key::Num8)], level,
        "The selected finding with other values of dt, speed and size", "panel";
    View C::TogglePane(Pane::Camera), "Camera probe", ICON_VIDEOCAM, [alt(Key::Num9)], level,
        "Lines of the camera's probe, and what each of them hits", "line probe rays";
    View C::TogglePane(Pane::Timeline), "Timeline", ICON_VIEW_TIMELINE, [alt(Key::Num7)], level,
        "Playback controls, frames and phases", "panel";
    View C::TogglePane(Pane::Text), "Text", ICON_DESCRIPTION, [alt(Key::T)], level,
        "The scene as text beside the viewport; both can be edited", "source ron editor";
    View C::TogglePane(Pane::History), "History", ICON_HISTORY, [alt(Key::H)], level,
        "List of the changes to the scene; click one to go back to it", "panel";
    View C::TogglePane(Pane::Find), "Find", ICON_MANAGE_SEARCH, [alt(Key::F)], level,
        "Search for a frame by a condition", "panel";
    View C::TogglePane(Pane::Plots), "Plots", ICON_MULTILINE_CHART, [alt(Key::L)], level,
        "Gap, depth, speed, pushes, dt and the log's values over time", "panel";
    View C::TogglePane(Pane::Pinned), "Pinned", ICON_KEEP, [alt(Key::P)], level,
        "Numbers of the pinned objects and pairs at the playhead", "panel";
    View C::TogglePane(Pane::Bookmarks), "Bookmarks", ICON_BOOKMARKS, [alt(Key::B)], level,
        "List of bookmarks with their notes", "panel";
    View C::TogglePane(Pane::Leaks), "Leaks", ICON_TROUBLESHOOT, [], level,
        "Where movers pass the fixed surfaces of the level, and up to which speed they are held", "panel holes gaps walls";
    View C::TogglePane(Pane::EngineLog), "Engine log", ICON_TERMINAL, [alt(Key::E)], level,
        "Queries of the engine, and lines, states and marks of the program, over the whole recording", "panel queries rays sweeps log lines values marks events console search wheel ground";
    View C::TogglePane(Pane::GamePicture), "Game picture", ICON_PHOTO_CAMERA, [alt(Key::I)], level,
        "The picture that the game has logged at or before the playhead", "panel screenshot image frame video";
    View C::ExportCsv, "Save plots as table…", ICON_CSV, [], level,
        "Save every point of the plots as CSV", "";
    View C::ExportPng, "Save plots as image…", ICON_IMAGE, [], level,
        "Save the visible plots as a PNG image", "";
    View C::TogglePane(Pane::Compare), "Comparison", ICON_COMPARE_ARROWS, [alt(Key::C)], level,
        "Differences between this level and another replay, with the first frame and the amount", "panel";
    View C::TogglePane(Pane::Messages), "Messages", ICON_NOTES, [alt(Key::Num0)], level,
        "All messages since the window opened", "log console output";
    View C::TogglePanels, "Hide panels", ICON_FULLSCREEN_PORTRAIT, [key(Key::F6)], level,
        "Hide all panels except the viewport, or show them again", "zen viewport only";
    View C::ResetPanels, "Default panels", ICON_RESET_TV, [], level,
        "Reset the layout of the panels", "layout";
    View C::UseTheme(ThemePreference::Dark), "Dark", ICON_DARK_MODE, [], nothing,
        "Light text on a dark background", "theme color mode";
    View C::UseTheme(ThemePreference::Light), "Light", ICON_LIGHT_MODE, [], nothing,
        "Dark text on a light background", "theme color mode";
    View C::UseTheme(ThemePreference::System), "System theme", ICON_CONTRAST, [], nothing,
        "Dark or light, following the system's setting", "theme color mode";
    View C::ZoomIn, "Larger", ICON_ZOOM_IN, [ctrl(Key::Plus), ctrl(Key::Equals)], nothing,
        "Make text and controls larger", "scale font size zoom";
    View C::ZoomOut, "Smaller", ICON_ZOOM_OUT, [ctrl(Key::Minus)], nothing,
        "Make text and controls smaller", "scale font size zoom";
    View C::ZoomReset, "Normal size", ICON_SEARCH, [ctrl(Key::Num0)], nothing,
        "Reset text and controls to the size of the screen's scale", "scale font size zoom";
    View C::ToggleFullscreen, "Full screen", ICON_FULLSCREEN, [key(Key::F11)], nothing,
        "Switch between full screen and a window", "";

    Help C::TogglePalette, "Find anything…", ICON_SEARCH, [ctrl(Key::K), ctrl(Key::P)], nothing,
        "Search for a command, an object, a finding or a level by a few letters", "";
    Help C::ToggleCheatSheet, "Keyboard and mouse", ICON_KEYBOARD, [key(Key::F1), key(Key::Questionmark)], nothing,
        "Show all keyboard shortcuts and mouse actions", "shortcuts keys help bindings";
    Help C::Help(HelpPage::Guide), "Guide", ICON_MENU_BOOK, [], nothing,
        "From a log of your engine to a fixed bug, step by step", "manual documentation docs reference version licence license";
    Help C::Help(HelpPage::Causes), "Causes of findings", ICON_FACT_CHECK, [], nothing,
        "The kinds and causes of findings: what they mean, their evidence and their fixes", "manual documentation docs reference version licence license";
    Help C::Help(HelpPage::Tour), "Fix the causes…", ICON_SCHOOL, [], nothing,
        "A level for each cause that can be fixed here: change it until its finding is gone", "tutorial learn practice exercise student course tour lesson";
    Help C::Help(HelpPage::About), "About Hitstop", ICON_INFO, [], nothing,
        "Version, licence, renderer, and where files are kept", "manual documentation docs reference version licence license";
    Help C::ShowHints, "Show hints", ICON_LIGHTBULB, [], level,
        "Show the three hints of the first start again", "";
    Help C::DismissAllMessages, "Dismiss all messages", ICON_DONE_ALL, [], messages,
        "Hide all notifications; the Messages panel keeps them", "";
    Help C::ClearLog, "Clear message log", ICON_DELETE_SWEEP, [], log,
        "Delete all messages from the log", "";
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
