//! The panel of what the program and its engine logged: queries, lines, states, marks and stopped moves of the whole recording.

use crate::app::command::Command;
use crate::app::list_row::ListRow;
use crate::app::logged_values::logged_values;
use crate::app::model::Model;
use crate::app::model::Session;
use crate::app::style::ROW;
use crate::app::theme::Palette;
use crate::app::{edited_fields, style, text, widget};
use crate::core::diagnose::{Finding, Source};
use crate::core::replay::NoteLevel;
use crate::core::replay::engine_log::{EngineLogKind, EngineLogRow};
use egui::{Color32, Label, RichText, ScrollArea, Ui};
use egui_material_icons::{MaterialIcon, icons};
use std::collections::HashSet;

/// Height of the values of the frame, points.
const VALUES: f32 = 80.0;

/// State of the panel.
#[derive(Default)]
pub struct EngineLogPanel {
    filter: String,
    /// The state at the playhead when the list was last scrolled to it.
    state: Option<u32>,
    /// Queries with a finding, and the revision and number of findings they were taken from.
    wrong: HashSet<usize>,
    of: (u64, usize),
}

impl EngineLogPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(Session {
            document,
            derived,
            engine_log_filter,
            ..
        }) = &model.session
        else {
            return;
        };
        let totals = document
            .replay()
            .recording()
            .map(|recording| recording.data.totals())
            .unwrap_or_default();
        if totals.queries + totals.notes == 0 {
            let help = "A frame of a log can have the queries of the engine, and log lines, values, marks and moves of the program.";
            widget::empty_state(ui, icons::ICON_TERMINAL, "Nothing is logged", help);
            return;
        }
        self.filter.clone_from(engine_log_filter);
        edited_fields::filter(
            ui,
            &mut self.filter,
            "Filter the engine log",
            "ground, ray -nothing, warning, \"a text\"",
        );
        if self.filter != *engine_log_filter {
            commands.push(Command::FilterEngineLog(self.filter.clone()));
        }
        if totals.notes > 0 {
            let area = ScrollArea::vertical().id_salt("values of the level");
            area.max_height(VALUES).show(ui, |ui| {
                widget::facts(ui, "values of the level", |ui| {
                    logged_values(ui, document, None);
                });
            });
        }
        let Some(list) = derived.engine_log.list() else {
            widget::empty_state(ui, icons::ICON_SEARCH_ACTIVITY, "Reading…", "");
            return;
        };
        if list.rows.is_empty() {
            ui.weak(match self.filter.trim() {
                "" => "Only numbers are logged: they are above, and in Plots.",
                _ => "No matches",
            });
            return;
        }
        if list.more > 0 {
            let more = text::grouped(list.more);
            ui.weak(format!(
                "{more} more match. Narrow the filter to list them."
            ));
        }
        for reason in &derived.engine_log.reasons {
            let reason = RichText::new(format!("It hits nothing: {reason}.")).font(style::small());
            ui.add(Label::new(reason).wrap());
        }
        self.find_wrong(document.revision, document.findings());
        // The states at both ends of the frame at the playhead: its data is that of the second.
        let shown = document.frame().number + 1;
        let first = list.rows.partition_point(|row| row.state < shown);
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::vertical()
            .id_salt("engine log")
            .auto_shrink(false);
        if self.state != Some(shown) {
            self.state = Some(shown);
            let visible = ui.available_height();
            let top = first as f32 * ROW;
            let scrolled = (top - visible * 0.4).max(0.0);
            // A click on a row that is visible does not move the list.
            let is_chosen = derived
                .engine_log
                .chosen
                .is_some_and(|chosen| list.rows.get(chosen).is_some_and(|row| row.state == shown));
            if !is_chosen {
                area = area.vertical_scroll_offset(scrolled);
            }
        }
        area.show_rows(ui, ROW, list.rows.len(), |ui, range| {
            for index in range {
                let is_chosen = derived.engine_log.chosen == Some(index);
                let entry = &list.rows[index];
                let number = document.replay().number(entry.state);
                let response = self.row(ui, entry, number, (is_chosen, entry.state == shown));
                if response.clicked() {
                    commands.push(Command::ShowEngineLogRow(index));
                }
            }
        });
    }

    fn find_wrong(&mut self, revision: u64, findings: &[Finding]) {
        let of = (revision, findings.len());
        if self.of != of {
            self.of = of;
            let wrong = findings.iter().filter_map(|finding| match finding.source {
                Source::Query(number) => Some(number),
                _ => None,
            });
            self.wrong = wrong.collect();
        }
    }

    fn row(
        &self,
        ui: &mut Ui,
        entry: &EngineLogRow,
        number: u64,
        (is_chosen, is_shown): (bool, bool),
    ) -> egui::Response {
        let palette = Palette::of(ui.visuals());
        let (icon, color) = icon(entry.kind, palette, ui.visuals().warn_fg_color);
        let is_wrong =
            matches!(entry.kind, EngineLogKind::Query(number) if self.wrong.contains(&number));
        let frame = number.to_string();
        let mut label = format!("Frame {frame}: {}", entry.text);
        let mut aside = (frame, None);
        if is_wrong {
            label += ", which is wrong";
            aside = (format!("wrong  {}", aside.0), Some(palette.bad));
        }
        let row = ListRow {
            text: &entry.text,
            sentence: true,
            name: Some(&label),
            selected: is_chosen,
            bar: is_shown.then_some(palette.selected),
            icon: Some((icon, color)),
            aside: (&aside.0, aside.1),
            ..ListRow::default()
        };
        row.show(ui).on_hover_text(&label)
    }
}

fn icon(
    kind: EngineLogKind,
    palette: &Palette,
    warning: Color32,
) -> (MaterialIcon, Option<Color32>) {
    match kind {
        EngineLogKind::Query(_) => (icons::ICON_ARROW_OUTWARD, None),
        EngineLogKind::Line(NoteLevel::Error) => (icons::ICON_ERROR, Some(palette.bad)),
        EngineLogKind::Line(NoteLevel::Warning) => (icons::ICON_WARNING, Some(warning)),
        EngineLogKind::Line(_) => (icons::ICON_NOTES, None),
        EngineLogKind::State => (icons::ICON_TOGGLE_ON, None),
        EngineLogKind::Mark => (icons::ICON_LOCATION_ON, None),
        EngineLogKind::Move => (icons::ICON_DIRECTIONS_WALK, None),
    }
}
