//! Which commands can be carried out now, and which are checked: menus, toolbars, the palette and keys use it.

use super::authoring::Tool;
use super::command::Command;
use super::command::arguments::Output;
use super::model::{JobKind, Model, Session};
use super::source::Source;
use super::view_options::ColorBy;
use crate::core::level::FileChoice;

const NO_LEVEL: &str = "No level is open";
const READ_ONLY: &str = "Recordings are read-only: use Save frame as test scene to edit a frame";
const NOTHING_SELECTED: &str = "Nothing is selected";

/// The reason why a command without an argument cannot be carried out now; `None` when it can.
pub fn unavailable(command: &Command, model: &Model) -> Option<&'static str> {
    use Command as C;
    let unless = |is: bool, reason| (!is).then_some(reason);
    let level = || unless(model.session.is_some(), NO_LEVEL);
    let session = |is: fn(&Session) -> bool, reason| {
        level().or_else(|| unless(model.session.as_ref().is_some_and(is), reason))
    };
    let scene = || level().or_else(|| unless(model.scene_doc().is_some(), READ_ONLY));
    // Those of a scene with a recording move as it was recorded.
    let objects = || {
        let recording = model
            .scene_doc()
            .and_then(|one| one.scene.recording.as_ref());
        scene().or_else(|| unless(recording.is_none(), READ_ONLY))
    };
    let selected = || unless(!model.selection.objects().is_empty(), NOTHING_SELECTED);
    let finding = || unless(model.selected_finding().is_some(), "No finding is selected");
    let history = || model.scene_doc().map(|scene_doc| &scene_doc.history);
    match command {
        C::OpenDialog
        | C::ImportDialog
        | C::New(_)
        | C::Quit
        | C::UseTheme(_)
        | C::ZoomIn
        | C::ZoomOut
        | C::ZoomReset
        | C::ToggleFullscreen
        | C::TogglePalette
        | C::ToggleCheatSheet
        | C::Help(_)
        | C::SelectNothing => None,
        C::StopJob => unless(
            model.shown_jobs().next().is_some(),
            "No background job is running",
        ),
        C::StopFind => unless(model.jobs.is_running(JobKind::Find), "No search is running"),
        C::DismissAllMessages => unless(!model.messages.shown().is_empty(), "No message is shown"),
        C::ClearLog => unless(!model.messages.log().is_empty(), "The log is empty"),
        C::Save | C::SaveAs => scene(),
        C::Undo => scene().or_else(|| {
            let step = history().and_then(|history| history.undoes());
            unless(step.is_some(), "There is nothing to undo")
        }),
        C::Redo => scene().or_else(|| {
            let step = history().and_then(|history| history.redoes());
            unless(step.is_some(), "There is nothing to redo")
        }),
        C::CopyObjects => scene().or_else(selected),
        C::Duplicate | C::Delete | C::ShowArrayForm(_) | C::SnapToContact | C::Rename => {
            objects().or_else(selected)
        }
        // With nothing selected it lists the tags to select by.
        C::ShowTagPrompt(_) => scene(),
        C::UseTool(Tool::Draw(_)) => objects().or_else(|| {
            let is_flat = model.scene_doc().is_some_and(|one| one.scene.units.flat);
            unless(is_flat, "Only a flat scene is drawn in")
        }),
        C::AddShape(shape) => objects().or_else(|| {
            let is_flat = model.scene_doc().is_some_and(|one| one.scene.units.flat);
            let is_there = !is_flat || shape.flat_shape().is_some();
            unless(is_there, "A flat level does not have this shape")
        }),
        C::AddCamera => objects().or_else(|| {
            let camera = model.scene_doc().and_then(|one| one.scene.camera.as_ref());
            unless(camera.is_none(), "The scene has a camera")
        }),
        C::SavePairHistoryAs => {
            level().or_else(|| unless(model.selection.pair().is_some(), "No pair is selected"))
        }
        C::CopyFinding => level().or_else(finding),
        C::ExpectFinding => scene().or_else(finding),
        C::ChooseReadOptions => session(
            |one| matches!(&one.document.source, Source::File(path) if FileChoice::is_possible(path)),
            "Only tables (.csv, .parquet) and animations (.gltf, .glb) have reading options",
        ),
        C::OutputDialog(Output::Recording) => session(
            |one| one.document.replay().recording().is_some(),
            "Only recordings can be converted; Save as writes a scene",
        ),
        C::Listen => unless(!model.is_listening(), "It is listening already"),
        C::OutputDialog(_) => session(
            |one| one.document.is_diagnosed(),
            "The level is not diagnosed yet",
        ),
        C::NextFinding | C::PreviousFinding | C::ToggleHeatMap => session(
            |one| !one.document.findings().is_empty(),
            "There are no findings",
        ),
        C::NextBookmark | C::PreviousBookmark => session(
            |one| !one.bookmarks.list().is_empty(),
            "There are no bookmarks",
        ),
        C::FitTime => level().or_else(|| unless(model.time.is_zoomed(), "All of it is shown")),
        C::ClearLoop => {
            level().or_else(|| unless(model.playback.has_loop_bounds(), "No loop is set"))
        }
        C::HideSelected | C::IsolateSelected | C::LockSelected => level().or_else(selected),
        C::ShowAllObjects => session(|one| one.visibility.hidden() > 0, "No object is hidden"),
        C::UnlockAll => session(|one| one.visibility.locked() > 0, "No object is locked"),
        C::ToggleFollow => session(|one| one.visibility.followed.is_some(), NOTHING_SELECTED)
            .and_then(|_| selected()),
        C::ColorBy(ColorBy::State) => session(
            |one| one.document.replay().recording().is_some(),
            "Only recordings have the state of the engine",
        ),
        C::TogglePin => level().or_else(selected),
        C::UnpinAll => session(|one| !one.pins.list().is_empty(), "Nothing is pinned"),
        C::CompareDetection => session(
            |one| one.document.replay().recording().is_none(),
            "A recording cannot be re-run; only scenes have a detection mode",
        ),
        C::CompareRunBefore => session(
            |one| one.compare.has_run_before(),
            "There is no earlier run: change the scene or reload its file",
        ),
        C::StopComparing | C::CompareView(_) => session(
            |one| one.compare.against().is_some(),
            "No comparison is open",
        ),
        C::ResetProbe => session(|one| one.probe.is_changed(), "The probe is not changed"),
        C::ShuffleProbe => {
            let near = model.probe_test().map(|test| test.near.triangles.len());
            level().or_else(|| {
                unless(
                    near.is_some_and(|count| count > 1),
                    "Fewer than two triangles are within reach",
                )
            })
        }
        C::ResetWhatIf => session(
            |one| {
                let what_if = one.derived.what_if.as_ref();
                let state = what_if.and_then(|what_if| what_if.ready());
                state.is_some_and(|state| state.is_changed())
            },
            "No value is changed",
        ),
        C::SaveWalkAs => session(
            |one| (one.walk.as_ref()).is_some_and(|walk| !walk.steps().is_empty()),
            "Nothing was walked",
        ),
        _ => level(),
    }
}

/// Returns true when what a command switches on is on.
pub fn checked(command: &Command, model: &Model) -> bool {
    use Command as C;
    let tools = &model.settings.tools;
    match command {
        C::TogglePane(pane) => model.dock.is_shown(*pane),
        C::TogglePanels => model.ui_state.panels_hidden,
        C::ToggleLoop => model.playback.looping(),
        C::ToggleHitstop => model.ui_state.hitstop,
        C::ToggleRuler => model.layers.ruler,
        C::ToggleMeasure => model.layers.measure,
        C::ToggleCutOpen => model.layers.cut_open,
        C::ToggleClip => model.layers.clip.is_some(),
        C::ColorBy(property) => model.layers.color_by == *property,
        C::MeshView(look) => model.layers.mesh_view == *look,
        C::CompareView(view) => model.layers.compare_view == *view,
        C::ToggleSplitView => model.settings.view_layout.split,
        C::ToggleHeatMap => model.layers.heat_map,
        C::ToggleMeshDefects => model.layers.mesh_defects,
        C::ToggleFollow => {
            (model.session.as_ref()).is_some_and(|session| session.visibility.followed.is_some())
        }
        C::ToggleWalk => model.walking().is_some(),
        C::UseTheme(theme) => model.ui_state.theme == *theme,
        C::UseTool(tool) => tools.tool == *tool,
        C::ToggleLocal => tools.local,
        C::ToggleSnap(snap) => tools.snapping && tools.snap == *snap,
        _ => false,
    }
}
