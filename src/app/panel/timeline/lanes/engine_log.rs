//! The lane of the rows that the engine log lists.

use super::{NamedLane, PICK_RADIUS, paint};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::text::moment_text;
use crate::app::theme::Palette;
use crate::app::time_map::TimeMap;
use crate::core::replay::NoteLevel;
use crate::core::replay::engine_log::{EngineLog, EngineLogKind};
use egui::{Color32, Ui};

/// Rows that the tooltip of a mark shows.
const IN_TOOLTIP: usize = 4;

/// Draws a mark at each state with a row; a click chooses the row. Returns the time under the pointer.
pub fn lane(
    ui: &mut Ui,
    ruler: &TimeMap,
    model: &Model,
    list: &EngineLog,
    commands: &mut Vec<Command>,
) -> Option<f64> {
    let palette = Palette::of(ui.visuals());
    let help = "The listed rows of the engine log over time";
    let NamedLane {
        rect,
        map,
        response,
    } = NamedLane::show(ui, ruler, model, "Engine log", help);
    map.zoom_and_pan(ui, &response, commands);
    let near = response.hover_pos().and_then(|at| {
        let x = |index: usize| map.x(f64::from(list.rows[index].state));
        let after = list
            .rows
            .partition_point(|row| map.x(f64::from(row.state)) < at.x);
        let around = [after.checked_sub(1), Some(after)];
        let around = around
            .into_iter()
            .flatten()
            .filter(|index| *index < list.rows.len());
        let near = around.min_by(|a, b| (x(*a) - at.x).abs().total_cmp(&(x(*b) - at.x).abs()))?;
        ((x(near) - at.x).abs() <= PICK_RADIUS).then(|| {
            let state = list.rows[near].state;
            list.rows.partition_point(|row| row.state < state)
        })
    });
    match near {
        Some(index) if response.clicked() => commands.push(Command::ShowEngineLogRow(index)),
        _ => map.seek(ui, &response, model, near.is_none(), commands),
    }
    let warning = ui.visuals().warn_fg_color;
    if ui.is_rect_visible(rect) {
        // Those outside of the axis would be shapes that nobody sees.
        let upto = |at: f64| list.rows.partition_point(|row| f64::from(row.state) < at);
        let shown = list.rows[upto(map.from.floor())..upto(map.to().ceil() + 1.0)].iter();
        let marks = shown.map(|row| (f64::from(row.state), color(row.kind, palette, warning)));
        paint::ticks(ui, rect, &map, model, marks);
    }
    let pointed = response.hover_pos().map(|at| map.position(at.x));
    if let (Some(first), Some(document)) = (near, model.document()) {
        let state = list.rows[first].state;
        let rows = list.rows[first..]
            .iter()
            .take_while(|row| row.state == state);
        let lines: Vec<&str> = rows.take(IN_TOOLTIP).map(|row| row.text.as_str()).collect();
        let moment = moment_text(document.replay(), f64::from(state));
        response.on_hover_text_at_pointer(format!("{moment}\n{}", lines.join("\n")));
    }
    pointed
}

fn color(kind: EngineLogKind, palette: &Palette, warning: Color32) -> Color32 {
    match kind {
        EngineLogKind::Line(NoteLevel::Error) => palette.bad,
        EngineLogKind::Line(NoteLevel::Warning) => warning,
        EngineLogKind::Query(_) => palette.swept,
        EngineLogKind::Mark => palette.probe,
        EngineLogKind::Move => warning,
        EngineLogKind::Line(_) | EngineLogKind::State => palette.text_weak,
    }
}
