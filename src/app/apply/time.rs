//! Where in time, and what is shown over all of it.

use crate::app::dock::Pane;
use crate::app::model::document::Document;
use crate::app::model::find::Outcome;
use crate::app::model::playback::Playback;
use crate::app::model::{Dialog, PlotsAs};
use crate::app::model::{Effect, Field, Model};
use crate::core::replay::search_query::SearchQuery;
use std::path::PathBuf;

/// Moves the playhead, or changes how it moves.
pub(super) fn change(model: &mut Model, change: impl FnOnce(&mut Playback)) {
    change(&mut model.playback);
    model.touch();
    model.show_frame();
}

/// The same, by the moments of the frame's phases.
pub(super) fn in_phases(model: &mut Model, step: impl FnOnce(&mut Playback, &[f64])) {
    let phases = phase_fractions(model.document());
    change(model, |time| step(time, &phases));
}

/// Stands on a moment of the frame by its number.
pub(super) fn go_to_phase(model: &mut Model, index: usize) {
    in_phases(model, |time, phases| {
        if let Some(&fraction) = phases.get(index) {
            time.go_to_phase(index, fraction);
        }
    });
}

fn phase_fractions(document: Option<&Document>) -> Vec<f64> {
    let phases = document.map(|document| &document.frame().phases);
    phases
        .into_iter()
        .flatten()
        .map(|phase| phase.fraction())
        .collect()
}

/// Shows this part of time on the timeline and in the plots.
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

/// Puts the cursor into the field that takes the number of a frame.
pub(super) fn focus_frame_field(model: &mut Model) {
    model.show_pane(Pane::Timeline);
    model.effects.push(Effect::Focus(Field::Frame));
}

/// Looks for this from now on; what was found of another is forgotten.
pub(super) fn look_for(model: &mut Model, query: SearchQuery) {
    if let Some(session) = &mut model.session {
        session.find.query = query;
        session.find.outcome = Outcome::None;
    }
}

pub(super) fn ask_where_to_plot(model: &mut Model, plots: PlotsAs) {
    let folder = model.document().and_then(Document::folder);
    let dialog = Dialog::Plots(plots, folder);
    model.effects.push(Effect::Ask(dialog));
}

/// Saves the plots as they are seen, which they must be for it.
pub(super) fn save_picture_of_plots(model: &mut Model, path: PathBuf) {
    model.show_pane(Pane::Plots);
    model.effects.push(Effect::SavePlots(path));
}
