//! Commands of the camera's probe and of the walk.

use crate::app::dock::Pane;
use crate::app::model::Dialog;
use crate::app::model::probe::Probe;
use crate::app::model::{Effect, Model, Session};

pub(super) fn edit_probe(model: &mut Model, edit: impl FnOnce(&mut Probe)) {
    if let Some(session) = &mut model.session {
        edit(&mut session.probe);
    }
}

/// Tests the triangles in a random order.
pub(super) fn shuffle(model: &mut Model) {
    edit_probe(model, Probe::shuffle);
    model.show_pane(Pane::Camera);
}

/// Copies the camera and its probe as scene text.
pub(super) fn copy_probe(model: &mut Model) {
    if let Some(Session {
        document, probe, ..
    }) = &model.session
    {
        let text = probe.as_ron(document.replay());
        model.effects.push(Effect::Copy(text));
    }
}

/// Starts a walk at the level's camera, else at the viewpoint; or ends it.
pub(super) fn toggle_walk(model: &mut Model) {
    if model.walking().is_some() {
        end_walk(model);
        return;
    }
    let Some(document) = model.document() else {
        return;
    };
    let camera = document.frame().camera;
    match camera.map(|(motion, _)| motion.start) {
        Some(pose) if pose.is_finite() => model.start_walk(pose),
        _ => model.effects.push(Effect::WalkFromView),
    }
}

pub(super) fn end_walk(model: &mut Model) {
    if let Some(Session {
        walk: Some(walk), ..
    }) = &mut model.session
    {
        walk.end();
    }
    // It has the results of the walk, and the button that saves it.
    model.show_pane(Pane::Camera);
}

/// Shows the dialog for saving the walk.
pub(super) fn show_walk_dialog(model: &mut Model) {
    if let Some(Session {
        document,
        walk: Some(_),
        ..
    }) = &model.session
    {
        let dialog = Dialog::Walk(document.folder());
        model.effects.push(Effect::OpenDialog(dialog));
    }
}
