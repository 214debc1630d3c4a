//! What commands need to be carried out: each row of the table names one of these.

use super::Reason;
use crate::app::command::Command;
use crate::app::model::{JobKind, Model, Session};
use crate::app::source::Source;
use crate::app::view_options::CompareView;
use crate::core::edit::EditableScene;
use crate::core::level::FileChoice;

const NO_LEVEL: &str = "No level is open";
const READ_ONLY: &str = "Recordings are read-only: use Save frame as test scene to edit a frame";
const NOTHING_SELECTED: &str = "Nothing is selected";
const NO_FINDING: &str = "No finding is selected";

fn unless(is: bool, reason: &'static str) -> Reason {
    (!is).then_some(reason)
}

fn session(model: &Model, is: impl FnOnce(&Session) -> bool, reason: &'static str) -> Reason {
    match &model.session {
        Some(session) => unless(is(session), reason),
        None => Some(NO_LEVEL),
    }
}

fn editable(
    model: &Model,
    is: impl FnOnce(&EditableScene) -> bool,
    reason: &'static str,
) -> Reason {
    let read_only = session(model, |one| one.document.scene_doc.is_some(), READ_ONLY);
    read_only.or_else(|| unless(model.scene_doc().is_some_and(is), reason))
}

/// Objects that can be edited: those of a scene with a recording move as it was recorded.
fn objects(model: &Model) -> Reason {
    editable(model, |one| one.scene.recording.is_none(), READ_ONLY)
}

fn selection(model: &Model) -> Reason {
    unless(!model.selection.objects().is_empty(), NOTHING_SELECTED)
}

fn recorded(model: &Model, reason: &'static str) -> Reason {
    session(
        model,
        |one| one.document.replay().recording().is_some(),
        reason,
    )
}

fn finding_selected(model: &Model) -> Reason {
    unless(model.selected_finding().is_some(), NO_FINDING)
}

fn is_flat(model: &Model) -> bool {
    model.scene_doc().is_some_and(|one| one.scene.units.flat)
}

/// A function for each need.
macro_rules! needs {
    ($($name:ident($command:pat, $model:pat) => $reason:expr;)*) => {
        $(pub(super) fn $name($command: &Command, $model: &Model) -> Reason { $reason })*
    };
}

#[rustfmt::skip]
needs! {
    nothing(_, _) => None;
    level(_, model) => session(model, |_| true, NO_LEVEL);
    job(_, model) => unless(model.shown_jobs().next().is_some(), "No background job is running");
    search(_, model) => unless(model.jobs.is_running(JobKind::Find), "No search is running");
    messages(_, model) => unless(!model.messages.shown().is_empty(), "No message is shown");
    log(_, model) => unless(!model.messages.log().is_empty(), "The log is empty");
    not_listening(_, model) => unless(!model.is_listening(), "It is listening already");

    scene(_, model) => editable(model, |_| true, READ_ONLY);
    undo(_, model) => editable(model, |one| one.history.undoes().is_some(), "There is nothing to undo");
    redo(_, model) => editable(model, |one| one.history.redoes().is_some(), "There is nothing to redo");
    selected_in_scene(command, model) => scene(command, model).or_else(|| selection(model));
    selected_objects(_, model) => objects(model).or_else(|| selection(model));
    flat_scene(_, model) => objects(model).or_else(|| unless(is_flat(model), "Only a flat scene is drawn in"));
    shape(command, model) => objects(model).or_else(|| {
        let is_there = match command {
            Command::AddShape(shape) => !is_flat(model) || shape.flat_shape().is_some(),
            _ => true,
        };
        unless(is_there, "A flat level does not have this shape")
    });
    no_camera(_, model) => objects(model)
        .or_else(|| editable(model, |one| one.scene.camera.is_none(), "The scene has a camera"));

    selected(command, model) => level(command, model).or_else(|| selection(model));
    camera(_, model) => session(model, |one| one.document.replay().has_camera(), "The level has no camera").or_else(|| {
        let is_apart = model.layers.compare_view == CompareView::Overlaid;
        session(model, |one| is_apart || one.compare.other().is_none(), "The two replays are shown with one view")
    });
    pair(_, model) => session(model, |_| model.selection.pair().is_some(), "No pair is selected");
    followable(command, model) => match &model.session {
        Some(session) if session.visibility.followed.is_some() => None,
        _ => selected(command, model),
    };
    pins(_, model) => session(model, |one| !one.pins.list().is_empty(), "Nothing is pinned");
    hidden(_, model) => session(model, |one| one.visibility.hidden() > 0, "No object is hidden");
    locked(_, model) => session(model, |one| one.visibility.locked() > 0, "No object is locked");

    finding(command, model) => level(command, model).or_else(|| finding_selected(model));
    finding_to_tune(command, model) => finding(command, model).or_else(|| {
        unless(!model.jobs.is_running(JobKind::Tune), "Your program is being run: stop that first")
    });
    tuning(_, model) => unless(model.jobs.is_running(JobKind::Tune), "Your program is not being run");
    finding_in_scene(command, model) => scene(command, model).or_else(|| finding_selected(model));
    findings(_, model) => session(model, |one| !one.document.findings().is_empty(), "There are no findings");
    diagnosed(_, model) => session(model, |one| one.document.is_diagnosed(), "The level is not diagnosed yet");
    bookmarks(_, model) => session(model, |one| !one.bookmarks.list().is_empty(), "There are no bookmarks");
    zoomed_time(_, model) => session(model, |_| model.time.is_zoomed(), "All of it is shown");
    loop_bounds(_, model) => session(model, |_| model.playback.has_loop_bounds(), "No loop is set");

    recording(_, model) => recorded(model, "Only recordings can be converted; Save as writes a scene");
    engine_state(_, model) => recorded(model, "Only recordings have the state of the engine");
    read_options(_, model) => session(
        model,
        |one| matches!(&one.document.source, Source::File(path) if FileChoice::is_possible(path)),
        "Only tables (.csv, .parquet) and animations (.gltf, .glb) have reading options",
    );
    stepped(_, model) => session(
        model,
        |one| one.document.replay().recording().is_none(),
        "A recording cannot be re-run; only scenes have a detection mode",
    );
    run_before(_, model) => session(
        model,
        |one| one.compare.has_run_before(),
        "There is no earlier run: change the scene or reload its file",
    );
    comparison(_, model) => session(model, |one| one.compare.against().is_some(), "No comparison is open");
    changed_probe(_, model) => session(model, |one| one.probe.is_changed(), "The probe is not changed");
    triangles(_, model) => session(
        model,
        |_| model.probe_test().is_some_and(|test| test.near.triangles.len() > 1),
        "Fewer than two triangles are within reach",
    );
    changed_values(_, model) => session(
        model,
        |one| {
            let state = one.derived.what_if.as_ref().and_then(|what_if| what_if.ready());
            state.is_some_and(|state| state.is_changed())
        },
        "No value is changed",
    );
    walk(_, model) => session(
        model,
        |one| one.walk.as_ref().is_some_and(|walk| !walk.steps().is_empty()),
        "Nothing was walked",
    );
}
