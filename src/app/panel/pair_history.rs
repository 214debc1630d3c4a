//! The Pair history panel: every frame of the selected pair as a table, with its findings marked.

use crate::app::command::Command;
use crate::app::export::pair_csv;
use crate::app::model::{Model, Session};
use crate::app::style::{self, ROW};
use crate::app::theme::Palette;
use crate::app::{text, widget};
use crate::core::diagnose::Kind;
use crate::core::replay::Replay;
use crate::core::replay::Subject;
use crate::core::replay::history::{History, PairFrame};
use crate::core::scene::UserUnits;
use egui::accesskit::Role;
use egui::{
    Align2, Color32, FontId, Rect, RichText, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;
use std::cmp::Ordering;
use std::ops::Range;
use std::path::Path;

/// A column of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Column {
    #[default]
    Frame,
    Gap,
    Depth,
    Speed,
    Contact,
    Push,
}

/// The greatest width of a column, points.
const MAX_COLUMN: f32 = 130.0;

impl Column {
    const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Frame, "frame", "The frame"),
        (Self::Gap, "gap", "Gap at the start of the frame"),
        (
            Self::Depth,
            "depth",
            "The greatest depth in the frame, before any push",
        ),
        (
            Self::Speed,
            "speed",
            "Relative travel in the frame over its seconds",
        ),
        (
            Self::Contact,
            "contact",
            "Whether they touch in the frame: exactly, and in the log",
        ),
        (
            Self::Push,
            "push",
            "Length of the pushes by each other in the frame",
        ),
    ];

    /// The SI unit.
    fn si(self) -> &'static str {
        match self {
            Self::Frame | Self::Contact => "",
            Self::Gap | Self::Depth | Self::Push => "m",
            Self::Speed => "m/s",
        }
    }

    fn text(self, row: &PairFrame, replay: &Replay) -> String {
        let shown = |value: f64| text::number(replay.units().value(value, self.si()));
        let known = |value: Option<f64>| value.map_or_else(|| "\u{2013}".to_owned(), shown);
        let positive = |value: f64| known((value > 0.0).then_some(value));
        match self {
            Self::Frame => replay.number(row.frame).to_string(),
            Self::Gap => known(row.gap),
            Self::Depth => positive(row.depth),
            Self::Speed => known(row.speed),
            Self::Contact => match (row.touches, row.logged) {
                (true, true) => "exact, logged",
                (true, false) => "exact",
                (false, true) => "logged",
                (false, false) => "\u{2013}",
            }
            .to_owned(),
            Self::Push => positive(row.push),
        }
    }

    /// The order of two rows; values that are not known come first.
    fn order(self, a: &PairFrame, b: &PairFrame) -> Ordering {
        let value = |row: &PairFrame| match self {
            Self::Frame => f64::from(row.frame),
            Self::Gap => row.gap.unwrap_or(f64::NEG_INFINITY),
            Self::Depth => row.depth,
            Self::Speed => row.speed.unwrap_or(f64::NEG_INFINITY),
            Self::Contact => f64::from(u8::from(row.touches) * 2 + u8::from(row.logged)),
            Self::Push => row.push,
        };
        value(a).total_cmp(&value(b))
    }
}

/// The state of the panel: the order of the rows.
#[derive(Default)]
pub struct PairHistory {
    column: Column,
    descending: bool,
    sorted: Vec<usize>,
    /// What `sorted` was made for: the pair, the version of its history, the column and the direction.
    of: Option<(Subject, u64, Column, bool)>,
    /// The frame of the playhead in the last pass.
    at: Option<u32>,
    /// The visible rows of the last pass.
    visible: Range<usize>,
}

impl PairHistory {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some((session, pair)) = model.session.as_ref().zip(model.selected_pair()) else {
            let help = "Select two objects (Ctrl+click adds one) or a finding to list the frames of the pair.";
            widget::empty_state(ui, icons::ICON_TABLE_ROWS, "No pair selected", help);
            return;
        };
        let histories = &session.derived.histories;
        let Some(track) = histories.get(pair) else {
            widget::empty_state(ui, icons::ICON_TABLE_ROWS, "Computing…", "");
            return;
        };
        let frames = session.document.replay().frames();
        widget::heading(ui, &model.subject_name(pair), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            widget::command_button(ui, &Command::SavePairHistoryAs, model, commands);
            copy_button(ui, session, &track.history, commands);
            if track.upto < frames {
                ui.label(RichText::new("Computing…").weak());
            }
        });
        self.sort(pair, histories.version(), &track.history.pair_frames);
        let kinds = finding_kinds(session, pair);
        ui.spacing_mut().item_spacing.y = 0.0;
        let width = (ui.available_width() / Column::ALL.len() as f32).min(MAX_COLUMN);
        self.header(ui, width, session.document.units());
        let rows = &track.history.pair_frames;
        let mut area = ScrollArea::vertical()
            .id_salt("pair history")
            .auto_shrink(false);
        let frame = model.playback.playhead().frame;
        if let Some(offset) = self.scroll_to(frame, rows, ui.available_height()) {
            area = area.vertical_scroll_offset(offset);
        }
        area.show_rows(ui, ROW, self.sorted.len(), |ui, range| {
            self.visible = range.clone();
            for &index in &self.sorted[range] {
                let row = &rows[index];
                let kind = kinds.iter().find(|(frame, _)| *frame == row.frame);
                show_row(ui, model, row, kind.map(|(_, kind)| *kind), width, commands);
            }
        });
    }

    /// The names of the columns; a click sorts by one, a second click in the other direction.
    fn header(&mut self, ui: &mut Ui, width: f32, units: UserUnits) {
        let palette = Palette::of(ui.visuals());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for (column, name, help) in Column::ALL {
                let on = self.column == column;
                let arrow = match (on, self.descending) {
                    (false, _) => "",
                    (true, false) => "\u{2191} ",
                    (true, true) => "\u{2193} ",
                };
                let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::click());
                let color = match on || response.hovered() {
                    true => palette.text,
                    false => palette.text_weak,
                };
                let unit = match column.si() {
                    "" => String::new(),
                    si => format!(" ({})", units.unit(si)),
                };
                let text = format!("{arrow}{name}{unit}");
                cell(ui, rect, &text, style::small(), color);
                let name = format!("Sort by {name}");
                response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, &name));
                if response.on_hover_text(help).clicked() {
                    self.descending = on && !self.descending;
                    self.column = column;
                }
            }
        });
    }

    /// Where to scroll to when the playhead has moved to a row that is not visible.
    fn scroll_to(&mut self, frame: u32, rows: &[PairFrame], height: f32) -> Option<f32> {
        let was_at = self.at.replace(frame);
        let mut sorted = self.sorted.iter();
        let row = sorted.position(|index| rows[*index].frame == frame)?;
        let is_hidden = was_at != Some(frame) && !self.visible.contains(&row);
        is_hidden.then(|| (row as f32 * ROW - 0.5 * height).max(0.0))
    }

    fn sort(&mut self, pair: Subject, version: u64, rows: &[PairFrame]) {
        let key = Some((pair, version, self.column, self.descending));
        if self.of == key {
            return;
        }
        self.sorted = (0..rows.len()).collect();
        let order = |a: &usize, b: &usize| self.column.order(&rows[*a], &rows[*b]);
        match self.descending {
            true => self.sorted.sort_by(|a, b| order(b, a)),
            false => self.sorted.sort_by(order),
        }
        self.of = key;
    }
}

/// The frames with findings of a pair, and their kinds.
fn finding_kinds(session: &Session, pair: Subject) -> Vec<(u32, Kind)> {
    let findings = session.document.findings().iter();
    let of_pair = findings.filter(|finding| {
        let objects = finding.object_a.zip(finding.object_b);
        objects.is_some_and(|(a, b)| Subject::Pair(a, b).sorted() == pair.sorted())
    });
    of_pair
        .map(|finding| (finding.frame, finding.kind))
        .collect()
}

fn copy_button(ui: &mut Ui, session: &Session, history: &History, commands: &mut Vec<Command>) {
    let help = "Copy every frame of the pair as CSV";
    let icon = icons::ICON_CONTENT_COPY;
    if widget::icon_button(ui, icon, "Copy pair history", help, false).clicked() {
        let replay = session.document.replay();
        let table = pair_csv(replay, &history.pair_frames, Path::new("clipboard"));
        let text = table.ok().and_then(|bytes| String::from_utf8(bytes).ok());
        commands.extend(text.map(Command::CopyText));
    }
}

/// Paints the text of a cell at its right edge.
fn cell(ui: &Ui, rect: Rect, text: &str, font: FontId, color: Color32) {
    let at = pos2(rect.right() - 10.0, rect.center().y);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.text(at, Align2::RIGHT_CENTER, text, font, color);
}

fn show_row(
    ui: &mut Ui,
    model: &Model,
    row: &PairFrame,
    kind: Option<Kind>,
    width: f32,
    commands: &mut Vec<Command>,
) {
    let size = vec2(ui.available_width(), ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let Some(document) = model.document() else {
        return;
    };
    let replay = document.replay();
    let cells = Column::ALL.map(|(column, name, _)| (name, column.text(row, replay)));
    let on = model.playback.playhead().frame == row.frame;
    response.widget_info(|| {
        let cells = cells.iter().map(|(name, text)| format!("{name} {text}"));
        let mut name = Vec::from_iter(cells).join(", ");
        if let Some(kind) = kind {
            name += &format!(", finding: {}", kind.name());
        }
        WidgetInfo::selected(Role::ListItem, true, on, name)
    });
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter();
    let (mut color, mut weak) = (palette.text, palette.text_weak);
    if on {
        painter.rect_filled(rect, 4.0, ui.visuals().selection.bg_fill);
        color = ui.visuals().selection.stroke.color;
        weak = color;
    } else if response.hovered() {
        painter.rect_filled(rect, 4.0, ui.visuals().faint_bg_color);
    }
    if let Some(kind) = kind {
        let bar = Rect::from_min_size(rect.min, vec2(4.0, rect.height()));
        painter.rect_filled(bar, 2.0, palette.kind(kind));
    }
    for ((index, (_, text)), (column, ..)) in cells.iter().enumerate().zip(Column::ALL) {
        let left = rect.left() + index as f32 * width;
        let column_rect = Rect::from_x_y_ranges(left..=left + width, rect.y_range());
        let color = if column == Column::Frame { weak } else { color };
        cell(ui, column_rect, text, style::mono(), color);
    }
    let help = format!("Go to frame {}", replay.number(row.frame));
    if response.on_hover_text(help).clicked() {
        let frame = row.frame;
        commands.push(Command::Seek {
            frame,
            fraction: 0.0,
        });
    }
}
