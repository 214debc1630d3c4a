//! The Findings panel: what would fix most, the findings, and the results of the scene's expectations.

mod level_card;

use crate::app::command::Command;
use crate::app::list_row::{ListRow, TALL_ROW};
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::style;
use crate::app::theme::Palette;
use crate::app::{context_menu, text, widget};
use crate::core::diagnose::{ExpectationResult, Finding, Group, Kind, NotJudged, group_of_each};
use egui::accesskit::Role;
use egui::{
    Button, CollapsingHeader, Frame, Id, IdSet, Panel, RichText, ScrollArea, Ui, WidgetInfo,
};
use egui_material_icons::icons;

/// Height of the unfolded list of causes that were not checked, points.
const NOT_CHECKED: f32 = 96.0;
/// In a panel lower than this that list is hidden, points.
const LOW: f32 = 130.0;

/// The findings panel.
#[derive(Default)]
pub struct FindingsPanel {
    /// The ids of the open groups.
    open: IdSet,
}

impl FindingsPanel {
    /// Draws the findings list.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(document) = model.document() else {
            return;
        };
        let findings = document.findings();
        match &document.report {
            None if model.diagnosing().is_some() => {
                widget::empty_state(
                    ui,
                    icons::ICON_SEARCH_ACTIVITY,
                    "Diagnosing…",
                    "Every pair is swept in every frame. The level can be used meanwhile.",
                );
            }
            None => widget::empty_state(
                ui,
                icons::ICON_SEARCH_OFF,
                "Not diagnosed",
                "The diagnosis was stopped. F5 starts it again.",
            ),
            Some(report) => {
                // Low panels show only the card and the findings.
                let height = ui.available_height() - level_card::height(model);
                if height >= LOW {
                    not_checked(ui, &report.not_judged);
                }
                level_card::show(ui, model, commands);
                kinds(ui, model, findings, commands);
                self.list(ui, model, document, &report.expectations, commands);
            }
        }
    }

    fn list(
        &mut self,
        ui: &mut Ui,
        model: &Model,
        document: &Document,
        expectations: &[ExpectationResult],
        commands: &mut Vec<Command>,
    ) {
        let groups = document.report.as_ref();
        let groups = groups.map_or(&[][..], |report| &report.groups);
        let listed = rows(&self.open, model, document.findings(), groups);
        // The list has the height that it needs, the expectations the rest.
        let available = ui.available_height();
        let wanted = listed.len() as f32 * (TALL_ROW + 2.0) + 8.0;
        let reserved = (expectations.len() as f32 * 28.0 + 36.0).min(available * 0.4);
        let reserved = if expectations.is_empty() {
            0.0
        } else {
            reserved
        };
        let height = wanted.min(available - reserved).max(60.0);
        if document.findings().is_empty() {
            no_findings(ui, document.replay().objects().is_empty());
        } else if listed.is_empty() {
            ui.label(
                RichText::new("All findings are of hidden kinds, or fixed by the chosen change.")
                    .weak(),
            );
        } else {
            ui.scope(|ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ScrollArea::vertical()
                    .id_salt("findings")
                    .max_height(height)
                    .min_scrolled_height(TALL_ROW)
                    .auto_shrink([false, true])
                    .show_rows(ui, TALL_ROW, listed.len(), |ui, range| {
                        for listed in &listed[range] {
                            match *listed {
                                Row::One(index, finding) => {
                                    row(ui, model, index, finding, commands)
                                }
                                Row::Many(group, open) => {
                                    group_row(&mut self.open, ui, group, open)
                                }
                            }
                        }
                    });
            });
        }
        if !expectations.is_empty() {
            expectation_list(ui, expectations);
        }
    }
}

/// A line at the bottom that unfolds: the causes that were not checked, and the data to log for them.
fn not_checked(ui: &mut Ui, not_judged: &[NotJudged]) {
    if not_judged.is_empty() {
        return;
    }
    let causes = not_judged.iter().filter(|one| one.cause.is_some()).count();
    let title = match (causes, not_judged.len()) {
        (0, _) => "Some pairs not judged".to_owned(),
        (1, 1) => "1 cause not checked".to_owned(),
        (count, all) if count == all => format!("{count} causes not checked"),
        (1, _) => "1 cause not checked, some pairs not judged".to_owned(),
        (count, _) => format!("{count} causes not checked, some pairs not judged"),
    };
    let small = |text: String| RichText::new(text).font(style::small()).weak();
    Panel::bottom("not checked")
        .frame(Frame::NONE)
        .show_separator_line(false)
        .show(ui, |ui| {
            CollapsingHeader::new(small(title)).show(ui, |ui| {
                let area = ScrollArea::vertical().max_height(NOT_CHECKED);
                area.show(ui, |ui| {
                    for one in not_judged {
                        ui.label(small(one.sentence()));
                    }
                });
            });
        });
}

/// A button for each kind that occurs, with its colour and count, which lists only that kind.
fn kinds(ui: &mut Ui, model: &Model, findings: &[Finding], commands: &mut Vec<Command>) {
    let occurring = Kind::ALL.map(|kind| {
        let count = findings.iter().filter(|found| found.kind == kind).count();
        (kind, count)
    });
    if occurring.iter().filter(|(_, count)| *count > 0).count() < 2 {
        return;
    }
    let palette = Palette::of(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (kind, count) in occurring.into_iter().filter(|(_, count)| *count > 0) {
            let on = !model.ui_state.hidden_kinds.contains(&kind);
            let color = if on {
                palette.kind(kind)
            } else {
                palette.text_weak.gamma_multiply(0.5)
            };
            let label = RichText::new(format!("{} {count}", kind.name()))
                .font(style::small())
                .color(color);
            let response = ui.add(Button::new(label).small());
            let name = format!("List {}", kind.name());
            response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &name));
            let help = "List only these; a second click lists all. Ctrl+click adds or hides them";
            if response.on_hover_text(help).clicked() {
                commands.push(match ui.input(|input| input.modifiers.command) {
                    true => Command::ShowKind(kind, !on),
                    false => Command::OnlyKind(kind),
                });
            }
        }
    });
}

/// A row of the list.
enum Row<'r> {
    /// A finding, with its index.
    One(usize, &'r Finding),
    /// A group of similar findings; true if it is open.
    Many(&'r Group, bool),
}

/// The rows of the listed kinds. A closed group is one row.
fn rows<'r>(
    opened: &IdSet,
    model: &Model,
    findings: &'r [Finding],
    groups: &'r [Group],
) -> Vec<Row<'r>> {
    let group_of = group_of_each(groups, findings.len());
    let mut rows = Vec::new();
    // A group stands where its first listed member is.
    let mut shown = IdSet::default();
    for (index, finding) in findings.iter().enumerate() {
        if !model.lists(index, finding) {
            continue;
        }
        match group_of[index] {
            None => rows.push(Row::One(index, finding)),
            Some(group) if !shown.insert(group_id(group)) => {}
            Some(group) => {
                // The group of the selected finding is always open.
                let selected = model
                    .finding()
                    .is_some_and(|at| group.members.contains(&at));
                let open = selected || opened.contains(&group_id(group));
                rows.push(Row::Many(group, open));
                let members = group.members.iter().filter(|_| open);
                let members = members.map(|&member| (member, &findings[member]));
                let listed = members.filter(|&(member, finding)| model.lists(member, finding));
                rows.extend(listed.map(|(member, finding)| Row::One(member, finding)));
            }
        }
    }
    rows
}

/// The id of a group, also after another diagnosis.
fn group_id(group: &Group) -> Id {
    Id::unique((group.kind, group.cause, &group.b))
}

fn group_row(opened: &mut IdSet, ui: &mut Ui, group: &Group, open: bool) {
    let count = text::grouped(group.count);
    let other = match group.b.as_str() {
        "" => String::new(),
        b => format!(" \u{2192} {b}"),
    };
    let title = format!("{count} {}{other}", group.kind.name());
    let below = format!(
        "{} {}  \u{b7}  {}  \u{b7}  frames {} to {}",
        group.cause.id(),
        group.cause.title(),
        text::count(group.movers, "object"),
        group.frame,
        group.last_frame
    );
    let (arrow, help) = match open {
        true => (icons::ICON_EXPAND_MORE, "Collapse"),
        false => (icons::ICON_CHEVRON_RIGHT, "List each finding"),
    };
    let row = ListRow {
        text: &title,
        bar: Some(Palette::of(ui.visuals()).kind(group.kind)),
        icon: Some((arrow, None)),
        below: Some([(&below, None), ("", None)]),
        ..ListRow::default()
    };
    let response = row.show(ui).on_hover_text(help);
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_expanded(open));
    if response.clicked() {
        if open {
            opened.remove(&group_id(group));
        } else {
            opened.insert(group_id(group));
        }
    }
}

fn no_findings(ui: &mut Ui, is_empty_level: bool) {
    if is_empty_level {
        ui.label("This scene is empty.");
        return;
    }
    let palette = Palette::of(ui.visuals());
    ui.horizontal(|ui| {
        ui.label(
            icons::ICON_CHECK_CIRCLE
                .rich_text()
                .size(18.0)
                .color(palette.good),
        );
        ui.label("No findings in this level.");
    });
    let help = "Select two objects (Ctrl+click adds the second) to explain their collision or to add it as an expectation.";
    ui.add(egui::Label::new(RichText::new(help).weak()).wrap());
}

fn row(ui: &mut Ui, model: &Model, index: usize, finding: &Finding, commands: &mut Vec<Command>) {
    let (kind, title) = (finding.kind, finding.title());
    let color = Palette::of(ui.visuals()).kind(kind);
    let expected = if finding.expected {
        "  \u{b7}  expected"
    } else {
        ""
    };
    let cause = format!("{} {}{expected}", finding.cause.id(), finding.cause.title());
    let row = ListRow {
        text: &title,
        name: Some(&format!(
            "{}: {title}, frame {}",
            kind.name(),
            finding.frame
        )),
        selected: model.finding() == Some(index),
        bar: Some(color),
        aside: (
            &format!("frame {} + {:.3}", finding.frame, finding.fraction),
            None,
        ),
        below: Some([(&cause, None), (kind.name(), Some(color))]),
        ..ListRow::default()
    };
    let response = row.show(ui).on_hover_text(&finding.text);
    response.context_menu(|ui| context_menu::finding(ui, model, index, commands));
    if response.clicked() {
        commands.push(Command::SelectFinding(index));
    }
}

fn expectation_list(ui: &mut Ui, expectations: &[ExpectationResult]) {
    let passed = expectations.iter().filter(|one| one.passed).count();
    ui.add_space(4.0);
    widget::heading(ui, "Expectations", |ui| {
        let count = format!("{passed} of {} passed", expectations.len());
        // Truncated in a narrow panel, so that it does not cover the title.
        ui.add(egui::Label::new(RichText::new(count).weak()).truncate());
    });
    ScrollArea::vertical()
        .id_salt("expectations")
        .min_scrolled_height(0.0)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for one in expectations {
                widget::expectation(ui, one);
            }
        });
}
