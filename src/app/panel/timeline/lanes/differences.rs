//! The lane of the states at which a compared replay differs.

use super::{NamedLane, paint};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::time_map::TimeMap;
use crate::core::replay::compare::Comparison;
use egui::Ui;
use std::sync::Arc;

/// Draws a mark at each state at which an object differs. Returns the time under the pointer.
pub fn lane(
    ui: &mut Ui,
    ruler: &TimeMap,
    model: &Model,
    (name, found): &(Option<String>, Arc<Comparison>),
    commands: &mut Vec<Command>,
) -> Option<f64> {
    let help = "The states at which an object differs from the other replay";
    let label = match name {
        Some(name) => format!("Lane of the differences to {name}"),
        None => "Lane of the differences".to_owned(),
    };
    let name = name.as_deref().unwrap_or("Differences");
    let lane = NamedLane::show(ui, ruler, model, (name, &label), help);
    lane.map.zoom_and_pan(ui, &lane.response, commands);
    lane.map.seek(ui, &lane.response, model, true, commands);
    if ui.is_rect_visible(lane.rect) {
        let color = Palette::of(ui.visuals()).bad;
        let (from, to) = (
            lane.map.from.max(0.0) as usize,
            lane.map.to().ceil() as usize,
        );
        let states = found.differing.iter().enumerate();
        let shown = states.skip(from).take(to.saturating_sub(from) + 2);
        let marks = shown.filter(|(_, differs)| **differs);
        let marks = marks.map(|(state, _)| (state as f64, color));
        paint::ticks(ui, lane.rect, &lane.map, model, marks);
    }
    let at = lane.response.hover_pos();
    at.map(|at| lane.map.position(at.x))
}
