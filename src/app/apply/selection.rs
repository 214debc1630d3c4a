//! Who is selected.

use super::camera;
use crate::app::dock::Pane;
use crate::app::model::{Effect, Field, Model};
use crate::app::selection::Selection;
use crate::core::replay::ObjectId;

/// Changes the selection; a finding whose pair is no longer selected is let go.
pub(super) fn change(model: &mut Model, change: impl FnOnce(&mut Selection)) {
    change(&mut model.selection);
    model.touch();
    let of_finding = model.selected_finding().map(|finding| {
        let mut objects = [finding.object_a, finding.object_b].into_iter().flatten();
        objects.all(|object| model.selection.contains(object))
    });
    let left = of_finding != Some(true) || model.selection.objects().is_empty();
    if let Some(session) = model.session.as_mut().filter(|_| left) {
        session.finding = None;
    }
    model.show_frame();
}

/// Selects everybody, in the order of creation.
pub(super) fn all(model: &mut Model) {
    let document = model.document();
    let objects = document.map_or(0, |document| document.replay().objects().len());
    change(model, |selected| selected.set(0..objects as u32));
}

/// Selects these, besides what was where there are to be more.
pub(super) fn many(model: &mut Model, objects: Vec<ObjectId>, more: bool) {
    change(model, |selected| {
        let before = if more {
            selected.objects().to_vec()
        } else {
            Vec::new()
        };
        selected.set(before.into_iter().chain(objects));
    });
}

/// Selects everybody with one of the tags of who is selected.
pub(super) fn same_tags(model: &mut Model) {
    let objects = model.tagged(&model.tags_of_selection());
    if !objects.is_empty() {
        change(model, |selected| selected.set(objects));
    }
}

/// Selects everybody with this tag.
pub(super) fn tagged(model: &mut Model, tag: String) {
    let objects = model.tagged(&[tag]);
    change(model, |selected| selected.set(objects));
}

/// What Escape does: the uppermost of what is open closes, and with nothing open nothing is selected any more.
pub(super) fn escape(model: &mut Model) {
    if model.walking().is_some() {
        camera::end_walk(model);
        return;
    }
    let look = &mut model.look;
    if look.palette {
        look.palette = false;
    } else if look.tagging {
        look.tagging = false;
    } else if look.cheat_sheet {
        look.cheat_sheet = false;
    } else if look.hint.is_some() {
        look.hint = None;
    } else {
        change(model, Selection::clear);
    }
}

/// Puts the cursor into the field that lists objects by a few letters.
pub(super) fn focus_filter(model: &mut Model) {
    model.show_pane(Pane::Outliner);
    model.effects.push(Effect::Focus(Field::Filter));
}

/// The pointer is on this object in a list.
pub(super) fn point_at(model: &mut Model, object: Option<ObjectId>) {
    if let Some(session) = &mut model.session {
        session.derived.pointed = object;
    }
}
