//! The list of the objects that differ, in the order of their first differences.

use crate::app::command::Command;
use crate::app::list_row::{ListRow, TALL_ROW};
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::{edited_fields, text, widget};
use crate::core::replay::compare::{Comparison, ObjectDifference};
use egui::{RichText, ScrollArea, Ui};
use egui_material_icons::icons;
use std::sync::Arc;

/// The filter is shown from this number of objects on.
const FILTER_FROM: usize = 6;

/// The state of the list: the filter and the rows that pass it.
#[derive(Default)]
pub struct List {
    filter: String,
    listed: Vec<usize>,
    /// The comparison and filter that `listed` was made for.
    key: Option<(Arc<Comparison>, String)>,
}

impl List {
    /// Draws the list in the given height.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        height: f32,
        model: &Model,
        found: &Arc<Comparison>,
        commands: &mut Vec<Command>,
    ) {
        if found.objects.is_empty() {
            let help = "All objects have the same poses in both replays.";
            widget::empty_state(ui, icons::ICON_CHECK_CIRCLE, "No differences", help);
            return;
        }
        let top = ui.cursor().top();
        if found.objects.len() >= FILTER_FROM {
            edited_fields::filter(ui, &mut self.filter, "Filter differences", "Filter by name");
        }
        self.update_list(found);
        if self.listed.is_empty() {
            ui.label(RichText::new("No matches").weak());
            return;
        }
        let height = height - (ui.cursor().top() - top);
        let wanted = self.listed.len() as f32 * TALL_ROW + 4.0;
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ScrollArea::vertical()
                .id_salt("differences")
                .max_height(wanted.min(height.max(TALL_ROW)))
                .auto_shrink([false, false])
                .show_rows(ui, TALL_ROW, self.listed.len(), |ui, range| {
                    for &index in &self.listed[range] {
                        row(ui, model, index, &found.objects[index], commands);
                    }
                });
        });
    }

    /// Updates the rows if the comparison or the filter changed.
    fn update_list(&mut self, found: &Arc<Comparison>) {
        let filter = self.filter.trim().to_lowercase();
        if let Some((comparison, key)) = &self.key
            && Arc::ptr_eq(comparison, found)
            && *key == filter
        {
            return;
        }
        self.listed = (0..found.objects.len())
            .filter(|&index| found.objects[index].name.to_lowercase().contains(&filter))
            .collect();
        self.key = Some((Arc::clone(found), filter));
    }
}

fn row(
    ui: &mut Ui,
    model: &Model,
    index: usize,
    row: &ObjectDifference,
    commands: &mut Vec<Command>,
) {
    let session = model.session.as_ref();
    let selected = session.and_then(|session| session.compare.chosen());
    let first = row.first_text(model.units());
    let name = format!("{}, {first}", row.name);
    // `frame 12: 0.5 m apart`, split over the two lines of the row.
    let (frame, difference) = first.split_once(": ").unwrap_or(("", &first));
    let peak = row
        .largest_position
        .map(|peak| model.units().length(peak.value));
    let angle = row.largest_rotation.map(|peak| text::degrees(peak.value));
    let peak = peak.or(angle);
    let peak = peak.map_or(String::new(), |peak| format!("up to {peak}"));
    let other = Palette::of(ui.visuals()).other;
    let response = ListRow {
        text: &row.name,
        name: Some(&name),
        selected: selected == Some(row.subject),
        aside: (frame, None),
        below: Some([(difference, None), (&peak, Some(other))]),
        ..ListRow::default()
    }
    .show(ui);
    let mut help = first;
    let largest = row.largest_text(model.units());
    if !largest.is_empty() {
        help = format!("{help}\nLargest: {largest}");
    }
    if row.states > 0 {
        help = format!(
            "{help}\n{} differ",
            text::count(row.states as usize, "state")
        );
    }
    if let Some(frame) = row.motion_from {
        help = format!("{help}\nVelocity, spin or a flag differs from frame {frame} on");
    }
    if row.other_shape {
        help.push_str("\nThe shapes differ");
    }
    if response.on_hover_text(help).clicked() {
        commands.push(Command::SelectDifference(index));
    }
}
