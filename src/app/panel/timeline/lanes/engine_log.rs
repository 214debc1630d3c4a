//! The lane of what matches the filter of the engine log, over the whole recording.

use super::{NamedLane, PICK_RADIUS, paint};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::text::moment_text;
use crate::app::theme::Palette;
use crate::app::time_map::{TimeMap, seek_to};
use crate::core::replay::engine_log::EngineLog;
use egui::{Color32, Ui};

/// Rows that the tooltip of a mark shows.
const IN_TOOLTIP: usize = 4;

/// Draws a mark at each state with an entry; a click chooses its row. Returns the time under the pointer.
pub fn lane(
    ui: &mut Ui,
    ruler: &TimeMap,
    model: &Model,
    list: &EngineLog,
    commands: &mut Vec<Command>,
) -> Option<f64> {
    let palette = Palette::of(ui.visuals());
    let help = "What matches the filter of the engine log, over time";
    let NamedLane {
        rect,
        map,
        response,
    } = NamedLane::show(
        ui,
        ruler,
        model,
        ("Engine log", "Lane of the engine log"),
        help,
    );
    map.zoom_and_pan(ui, &response, commands);
    let near = response
        .hover_pos()
        .and_then(|at| nearest(list, &map, at.x));
    let rows_of = |state: u32| {
        let first = list.rows.partition_point(|row| row.state < state);
        (
            first,
            list.rows[first..]
                .iter()
                .take_while(move |row| row.state == state),
        )
    };
    match near {
        Some(state) if response.clicked() => {
            // A state after the listed rows has none.
            let (first, mut rows) = rows_of(state);
            commands.push(match rows.next() {
                Some(_) => Command::ShowEngineLogRow(first),
                None => seek_to(f64::from(state), model.playback.frames()),
            });
        }
        _ => map.seek(ui, &response, model, near.is_none(), commands),
    }
    let warning = ui.visuals().warn_fg_color;
    if ui.is_rect_visible(rect) {
        let marks = columns(list, &map);
        let marks = marks.map(|(at, kinds)| (at, color(kinds, palette, warning)));
        paint::ticks(ui, rect, &map, model, marks);
    }
    let pointed = response.hover_pos().map(|at| map.position(at.x));
    if let (Some(state), Some(document)) = (near, model.document()) {
        let (_, rows) = rows_of(state);
        let mut lines = vec![moment_text(document.replay(), f64::from(state))];
        lines.extend(rows.take(IN_TOOLTIP).map(|row| row.text.clone()));
        if lines.len() == 1 {
            let kinds = names(list.kinds[state as usize]);
            lines.push(format!("{kinds}\nNot in the list: narrow the filter."));
        }
        response.on_hover_text_at_pointer(lines.join("\n"));
    }
    pointed
}

/// The state with a row that is drawn nearest to an x, within the pick radius.
fn nearest(list: &EngineLog, map: &TimeMap, x: f32) -> Option<u32> {
    let [from, to] = [x - PICK_RADIUS, x + PICK_RADIUS].map(|x| map.position(x));
    let near = states(list, from.ceil(), to.floor() + 1.0);
    let distance = |state: &u32| (map.x(f64::from(*state)) - x).abs();
    near.map(|(state, _)| state)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// The states with a row in a range, and their kinds.
fn states(list: &EngineLog, from: f64, end: f64) -> impl Iterator<Item = (u32, u8)> {
    let end = (end.max(0.0) as usize).min(list.kinds.len());
    let from = (from.max(0.0) as usize).min(end);
    let states = (from as u32..).zip(&list.kinds[from..end]);
    states
        .map(|(state, kinds)| (state, *kinds))
        .filter(|(_, kinds)| *kinds != 0)
}

/// The visible states, each with its kinds; those that are too close to be drawn apart are one.
fn columns(list: &EngineLog, map: &TimeMap) -> impl Iterator<Item = (f64, u8)> {
    let column = |state: u32| (map.x(f64::from(state)) / paint::APART).floor();
    let mut states = states(list, map.from.floor(), map.to().ceil() + 1.0).peekable();
    std::iter::from_fn(move || {
        let (first, mut kinds) = states.next()?;
        while let Some((_, more)) = states.next_if(|(state, _)| column(*state) == column(first)) {
            kinds |= more;
        }
        Some((f64::from(first), kinds))
    })
}

/// The names of kinds, the most important first.
fn names(kinds: u8) -> String {
    let names = [
        "Queries", "Lines", "States", "Marks", "Moves", "Warnings", "Errors",
    ];
    let named = names.iter().enumerate().rev();
    let named = named.filter(|(bit, _)| kinds >> bit & 1 == 1);
    let named: Vec<&str> = named.map(|(_, name)| *name).collect();
    named.join(" · ")
}

/// The colour of the most important of some kinds.
fn color(kinds: u8, palette: &Palette, warning: Color32) -> Color32 {
    match kinds.checked_ilog2() {
        Some(6) => palette.bad,
        Some(4 | 5) => warning,
        Some(3) => palette.probe,
        Some(0) => palette.swept,
        _ => palette.text_weak,
    }
}

#[cfg(test)]
mod tests {
    use super::super::LANE;
    use super::*;
    use crate::core::replay::NoteLevel;
    use crate::core::replay::engine_log::EngineLogKind;
    use egui::{Rect, pos2, vec2};

    /// 100,000 states with a query each, and one error far after the 20,000 rows that are listed.
    #[test]
    fn the_lane_has_what_is_after_the_rows_in_few_marks() {
        let (query, error) = (
            EngineLogKind::Query(0).bit(),
            EngineLogKind::Line(NoteLevel::Error).bit(),
        );
        let mut kinds = vec![query; 100_000];
        kinds[90_000] |= error;
        let list = EngineLog {
            kinds,
            ..EngineLog::default()
        };
        let map = TimeMap {
            rect: Rect::from_min_size(pos2(100.0, 0.0), vec2(600.0, LANE)),
            from: 0.0,
            span: 100_000.0,
        };
        let marks: Vec<(f64, u8)> = columns(&list, &map).collect();
        assert!((200..=202).contains(&marks.len()), "{}", marks.len());
        let errors = marks.iter().filter(|(_, kinds)| kinds & error != 0);
        let errors: Vec<f64> = errors.map(|(at, _)| *at).collect();
        assert_eq!(errors.len(), 1);
        assert!((errors[0] - 90_000.0).abs() <= 500.0, "{errors:?}");
        let at = map.x(90_000.0);
        assert_eq!(nearest(&list, &map, at), Some(90_000));
        assert_eq!(nearest(&list, &map, map.x(100_050.0)), Some(99_999));
        assert_eq!(nearest(&list, &map, map.x(100_000.0) + 6.0), None);
        assert_eq!(names(query | error), "Errors · Queries");
    }
}
