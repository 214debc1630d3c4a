//! Commands of the view, the panels, the theme and the size of the interface.

use crate::app::dock::{Dock, Pane};
use crate::app::model::{Effect, Model, Session};
use crate::app::selection::Selection;
use crate::app::view_options::ViewLayout;
use crate::core::replay::ObjectId;
use crate::core::scene::Movement;
use egui::ThemePreference;

/// Moves the view to the finding, else to the selected objects.
pub(super) fn frame_selection(model: &mut Model) {
    model.effects.push(match model.finding() {
        Some(_) => Effect::LookAtFinding,
        None => Effect::LookAtSelection,
    });
}

/// Brings a panel to the front, or closes it. Does nothing on the start page, where no panel is visible.
pub(super) fn toggle_pane(model: &mut Model, pane: Pane) {
    if model.session.is_none() {
        return;
    }
    model.ui_state.panels_hidden = false;
    model.dock.toggle(pane);
    model.save_panels();
}

/// Brings a panel to the front.
pub(super) fn show_pane(model: &mut Model, pane: Pane) {
    if model.ui_state.panels_hidden || !model.dock.is_shown(pane) {
        model.ui_state.panels_hidden = false;
        if !model.dock.is_shown(pane) {
            toggle_pane(model, pane);
        }
    }
}

/// Changes the number of viewports or their divider.
pub(super) fn change_layout(model: &mut Model, change: impl FnOnce(&mut ViewLayout)) {
    change(&mut model.settings.view_layout);
    model.save_settings();
}

/// Resets the layout of the panels and viewports.
pub(super) fn reset_panels(model: &mut Model) {
    model.dock = Dock::of(model.height);
    model.settings.layout = None;
    model.settings.view_layout = ViewLayout::default();
    model.save_settings();
}

pub(super) fn use_theme(model: &mut Model, theme: ThemePreference) {
    model.ui_state.theme = theme;
    model.settings.theme = match theme {
        ThemePreference::Dark => Some("dark".into()),
        ThemePreference::Light => Some("light".into()),
        ThemePreference::System => None,
    };
    model.save_settings();
}

pub(super) fn zoom(model: &mut Model, by: f32) {
    // Whole tenths, so that zooming in and out again restores the size.
    let zoom = ((model.ui_state.zoom + by) * 10.0).round() / 10.0;
    model.ui_state.zoom = zoom.clamp(0.5, 3.0);
    model.settings.zoom = Some(model.ui_state.zoom);
    model.save_settings();
}

/// Resets the size of the interface.
pub(super) fn reset_zoom(model: &mut Model) {
    let back = 1.0 - model.ui_state.zoom;
    zoom(model, back);
}

pub(super) fn toggle_clip(model: &mut Model) {
    model.layers.clip = match model.layers.clip {
        None => Some(0.0),
        Some(_) => None,
    };
}

/// Hides the selected objects, which are then not selected.
pub(super) fn hide_selected(model: &mut Model) {
    if let Some(session) = &mut model.session {
        session.visibility.hide(model.selection.objects());
    }
    super::selection::change(model, Selection::clear);
}

/// Locks the selected objects and selects nothing: their handles would take the next click.
pub(super) fn lock_selected(model: &mut Model) {
    if let Some(session) = &mut model.session {
        session.visibility.lock(model.selection.objects());
    }
    super::selection::change(model, Selection::clear);
}

pub(super) fn unlock_all(model: &mut Model) {
    if let Some(session) = &mut model.session {
        session.visibility.unlock_all();
    }
}

/// Hides all objects except the selected ones.
pub(super) fn isolate_selected(model: &mut Model) {
    if let Some(session) = &mut model.session {
        let count = session.document.replay().objects().len();
        let selected = model.selection.objects();
        session.visibility.isolate(selected, count);
    }
}

pub(super) fn show_all_objects(model: &mut Model) {
    if let Some(session) = &mut model.session {
        session.visibility.show_all();
    }
}

/// Follows the object that was selected last, of a pair the one that can move, or none if it is followed.
pub(super) fn toggle_follow(model: &mut Model) {
    let moves = |id: &&ObjectId| {
        let objects = model.document().map(|it| it.replay().objects());
        let object = objects.and_then(|all| all.get(**id as usize));
        object.is_some_and(|object| object.movement != Movement::Fixed)
    };
    let selected = model.selection.objects();
    let last = selected.iter().rev().find(moves).or(selected.last());
    let last = last.copied();
    if let Some(Session { visibility, .. }) = &mut model.session {
        visibility.followed = last.filter(|_| visibility.followed != last);
    }
}
