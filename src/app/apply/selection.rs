//! Commands of the selection.

use super::camera;
use crate::app::dock::Pane;
use crate::app::model::{Effect, Field, Model};
use crate::app::selection::Selection;
use crate::core::replay::ObjectId;

/// Changes the selection; a finding stays selected with its whole pair, or a part of it alone.
pub(super) fn change(model: &mut Model, change: impl FnOnce(&mut Selection)) {
    change(&mut model.selection);
    if let Some(session) = &mut model.session {
        session.derived.motion.unask();
    }
    model.mark_navigated();
    let stays = model.selected_finding().is_some_and(|finding| {
        let pair = [finding.object_a, finding.object_b];
        let selected = model.selection.objects();
        let is_whole = pair
            .iter()
            .flatten()
            .all(|object| selected.contains(object));
        let is_part = selected.iter().all(|object| pair.contains(&Some(*object)));
        is_whole || is_part
    });
    let left = !stays || model.selection.objects().is_empty();
    if let Some(session) = model.session.as_mut().filter(|_| left) {
        session.deselect_finding();
    }
    model.show_frame();
}

/// Selects all objects, in the order of creation.
pub(super) fn all(model: &mut Model) {
    let document = model.document();
    let objects = document.map_or(0, |document| document.replay().objects().len());
    change(model, |selected| selected.set(0..objects as u32));
}

/// Selects these objects, or adds them to the selection.
pub(super) fn many(model: &mut Model, objects: Vec<ObjectId>, add: bool) {
    change(model, |selected| {
        let before = if add {
            selected.objects().to_vec()
        } else {
            Vec::new()
        };
        selected.set(before.into_iter().chain(objects));
    });
}

/// Selects all objects that share a tag with the selected ones.
pub(super) fn with_same_tags(model: &mut Model) {
    let objects = model.tagged(&model.tags_of_selection());
    if !objects.is_empty() {
        change(model, |selected| selected.set(objects));
    }
}

/// Selects all objects with this tag.
pub(super) fn with_tag(model: &mut Model, tag: String) {
    let objects = model.tagged(&[tag]);
    change(model, |selected| selected.set(objects));
}

/// Handles Escape: ends the walk, else closes the topmost window, else clears the selection.
pub(super) fn escape(model: &mut Model) {
    if model.walking().is_some() {
        camera::end_walk(model);
        return;
    }
    let ui_state = &mut model.ui_state;
    if ui_state.palette {
        ui_state.palette = false;
    } else if ui_state.tagging {
        ui_state.tagging = false;
    } else if ui_state.help.is_some() {
        ui_state.help = None;
    } else if ui_state.cheat_sheet {
        ui_state.cheat_sheet = false;
    } else if ui_state.hint.is_some() {
        ui_state.hint = None;
    } else {
        change(model, Selection::clear);
    }
}

/// Focuses the filter of the object list.
pub(super) fn focus_filter(model: &mut Model) {
    model.show_pane(Pane::Outliner);
    model.effects.push(Effect::Focus(Field::Filter));
}

/// Sets the object under the pointer in a list.
pub(super) fn point_at(model: &mut Model, object: Option<ObjectId>) {
    if let Some(session) = &mut model.session {
        session.derived.pointed = object;
    }
}
