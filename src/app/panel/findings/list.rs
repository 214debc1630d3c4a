//! The list of the findings, in groups that open and close.

use super::FindingsPanel;
use crate::app::command::Command;
use crate::app::context_menu;
use crate::app::keyboard_focus;
use crate::app::list_row::{ListRow, TALL_ROW};
use crate::app::model::Model;
use crate::app::model::finding_list::{FindingList, Node};
use crate::app::text;
use crate::app::theme::Palette;
use crate::app::widget;
use crate::core::diagnose::Finding;
use crate::core::replay::Replay;
use egui::{Id, RichText, ScrollArea, Ui};
use egui_material_icons::icons;

/// In a list narrower than this a finding has only the number of its frame, points.
const NARROW: f32 = 220.0;
/// Space between rows, points.
const GAP: f32 = 2.0;

/// A row of the list.
enum Row<'r> {
    /// A finding, by its index in the report, and the number of groups around it.
    One(usize, usize),
    /// A group; true if it is open.
    Many(&'r Node, bool),
}

impl FindingsPanel {
    /// Draws the listed findings in a list of at most this height.
    pub(super) fn list(
        &mut self,
        ui: &mut Ui,
        model: &Model,
        height: f32,
        commands: &mut Vec<Command>,
    ) {
        let Some((list, document)) = model.finding_list().zip(model.document()) else {
            return;
        };
        if list.order.is_empty() {
            let options = &model.ui_state.findings;
            let is_fixed = model
                .derived()
                .is_some_and(|derived| derived.stays_with.is_some());
            let fixes_all =
                is_fixed && options.filter.is_empty() && options.hidden_kinds.is_empty();
            let text = match (fixes_all, document.findings().len()) {
                (true, 1) => "This change fixes it.".to_owned(),
                (true, count) => format!("This change fixes all {count} findings."),
                (false, _) => "No finding fits: all are of hidden kinds, excluded by the filter, or fixed by the chosen change.".to_owned(),
            };
            ui.label(RichText::new(text).weak());
            return;
        }
        let selected = model.finding();
        let rows = self.rows(list, selected);
        let mut area = ScrollArea::vertical()
            .id_salt("findings")
            .max_height(height)
            .min_scrolled_height(TALL_ROW)
            .auto_shrink([false, true]);
        // A finding that was selected elsewhere is scrolled to.
        if self.shown != selected {
            self.shown = selected;
            let is_selected =
                |row: &Row<'_>| matches!(row, Row::One(at, _) if Some(*at) == selected);
            if let Some(place) = rows.iter().position(is_selected) {
                let middle = (height - TALL_ROW) / 2.0;
                let top = place as f32 * (TALL_ROW + GAP);
                area = area.vertical_scroll_offset((top - middle).max(0.0));
            }
        }
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = GAP;
            area.show_rows(ui, TALL_ROW, rows.len(), |ui, range| {
                for listed in &rows[range] {
                    match *listed {
                        Row::One(index, depth) => {
                            let finding = &document.findings()[index];
                            row(ui, model, (index, depth), finding, commands);
                        }
                        Row::Many(group, open) => self.group(ui, group, open, document.replay()),
                    }
                }
                keyboard_focus::follow(ui);
            });
        });
    }

    /// The rows of the list. A closed group is one row.
    fn rows<'r>(&self, list: &'r FindingList, selected: Option<usize>) -> Vec<Row<'r>> {
        // The groups of the selected finding are always open.
        let selected = list.order.iter().position(|index| Some(*index) == selected);
        let mut rows = Vec::new();
        let mut place = 0;
        self.add_rows(list, 0..list.groups.len(), selected, &mut place, &mut rows);
        rows.extend(list.order[place..].iter().map(|&index| Row::One(index, 0)));
        rows
    }

    /// Adds the rows of some groups, and of the findings before each that are in none of them.
    fn add_rows<'r>(
        &self,
        list: &'r FindingList,
        groups: std::ops::Range<usize>,
        selected: Option<usize>,
        place: &mut usize,
        rows: &mut Vec<Row<'r>>,
    ) {
        let mut at = groups.start;
        while at < groups.end {
            let group = &list.groups[at];
            let single = |range: std::ops::Range<usize>, depth, rows: &mut Vec<Row<'r>>| {
                rows.extend(
                    list.order[range]
                        .iter()
                        .map(|&index| Row::One(index, depth)),
                );
            };
            single(*place..group.members.start, group.depth, rows);
            *place = group.members.start;
            let is_around = selected.is_some_and(|selected| group.members.contains(&selected));
            let open = is_around || self.open.contains(&group.id);
            rows.push(Row::Many(group, open));
            if open {
                self.add_rows(list, at + 1..group.end, selected, place, rows);
                single(*place..group.members.end, group.depth + 1, rows);
            }
            *place = group.members.end;
            at = group.end;
        }
    }

    fn group(&mut self, ui: &mut Ui, group: &Node, open: bool, replay: &Replay) {
        let palette = Palette::of(ui.visuals());
        let number = text::grouped(group.members.len());
        let (first, last) = group.frames;
        let [first, last] = [first, last].map(|frame| replay.number(frame));
        let frames = match first == last {
            true => format!("frame {first}"),
            false => format!("frames {first} to {last}"),
        };
        let below = format!("{}  \u{b7}  {frames}", text::count(group.movers, "mover"));
        let (arrow, help) = match open {
            true => (icons::ICON_EXPAND_MORE, "Collapse"),
            false => (icons::ICON_CHEVRON_RIGHT, "List what is in it"),
        };
        let row = ListRow {
            text: &group.title,
            name: Some(&format!("{}: {number}", group.title)),
            bar: Some(
                group
                    .kind
                    .map_or(palette.text_weak, |kind| palette.kind(kind)),
            ),
            icon: Some((arrow, None)),
            aside: (&number, Some(palette.text)),
            below: Some([(&below, None), ("", None)]),
            histogram: &group.histogram,
            depth: group.depth,
            ..ListRow::default()
        };
        let response = row.show(ui);
        let title = format!(
            "{}\n{help}; the columns are the findings over time",
            group.title
        );
        let response = response.on_hover_text(title);
        ui.ctx()
            .accesskit_node_builder(response.id, |node| node.set_expanded(open));
        if response.clicked() {
            match open {
                true => self.open.remove(&group.id),
                false => self.open.insert(group.id),
            };
        }
    }
}

fn row(
    ui: &mut Ui,
    model: &Model,
    (index, depth): (usize, usize),
    finding: &Finding,
    commands: &mut Vec<Command>,
) {
    let (kind, title) = (finding.kind, finding.title());
    let color = Palette::of(ui.visuals()).kind(kind);
    let expected = if finding.expected {
        "  \u{b7}  expected"
    } else {
        ""
    };
    let cause = format!("{} {}{expected}", finding.cause.id(), finding.cause.title());
    // In a narrow list the names need the room.
    let when = match ui.available_width() < NARROW {
        true => finding.number().to_string(),
        false => format!("frame {} + {:.3}", finding.number(), finding.fraction),
    };
    let row = ListRow {
        text: &title,
        name: Some(&format!(
            "{}: {title}, frame {}",
            kind.name(),
            finding.number()
        )),
        selected: model.finding() == Some(index),
        bar: Some(color),
        aside: (&when, None),
        below: Some([(&cause, None), (kind.name(), Some(color))]),
        depth,
        id: Some(Id::unique(("finding", index))),
        ..ListRow::default()
    };
    let response = row.show(ui).on_hover_text(text::prose(&finding.text));
    response.context_menu(widget::content(|ui| {
        context_menu::finding(ui, model, index, commands)
    }));
    if response.clicked() {
        commands.push(Command::SelectFinding(index));
    }
}
