//! Commands of the playback, the time axis, the search and the plots.

use crate::app::dock::Pane;
use crate::app::model::document::Document;
use crate::app::model::find::Outcome;
use crate::app::model::playback::Playback;
use crate::app::model::playback::stops::Stop;
use crate::app::model::{Dialog, PlotsAs};
use crate::app::model::{Effect, Field, Model};
use crate::core::replay::search_query::SearchQuery;
use std::path::PathBuf;

/// Changes the playback, for example the playhead or the speed.
pub(super) fn change(model: &mut Model, change: impl FnOnce(&mut Playback)) {
    change(&mut model.playback);
    model.mark_navigated();
    model.show_frame();
}

/// Changes the playback, given the stops of the frame.
pub(super) fn change_phase(model: &mut Model, step: impl FnOnce(&mut Playback, &[Stop])) {
    let stops = model.stops();
    change(model, |time| step(time, &stops));
}

/// Goes to a stop of the frame, by its index.
pub(super) fn go_to_stop(model: &mut Model, index: usize) {
    change_phase(model, |time, stops| {
        if let Some(stop) = stops.get(index) {
            time.go_to_stop(*stop);
        }
    });
}

/// Shows this range of frames on the timeline and in the plots.
pub(super) fn show(model: &mut Model, from: f64, span: f64) {
    let frames = model.playback.frames();
    model.time.show(from, span, frames);
}

pub(super) fn zoom(model: &mut Model, closer: bool) {
    let (around, frames) = (
        model.playback.playhead().position(),
        model.playback.frames(),
    );
    model.time.zoom(closer, around, frames);
}

/// Focuses the field with the frame number.
pub(super) fn focus_frame_field(model: &mut Model) {
    model.show_pane(Pane::Timeline);
    model.effects.push(Effect::Focus(Field::Frame));
}

/// Sets the condition to search for, and clears the result of the previous search.
pub(super) fn set_query(model: &mut Model, query: SearchQuery) {
    if let Some(session) = &mut model.session {
        session.find.query = query;
        session.find.outcome = Outcome::None;
    }
}

pub(super) fn show_plots_dialog(model: &mut Model, plots: PlotsAs) {
    let folder = model.document().and_then(Document::folder);
    let dialog = Dialog::Plots(plots, folder);
    model.effects.push(Effect::OpenDialog(dialog));
}

/// Saves the plots as an image; shows them first.
pub(super) fn save_plots_image(model: &mut Model, path: PathBuf) {
    model.show_pane(Pane::Plots);
    model.effects.push(Effect::SavePlots(path));
}
