//! What diagnosis found, and what became of the scene's expectations.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::style;
use crate::app::theme::Palette;
use crate::app::{text, widget};
use crate::core::diagnose::{ExpectationResult, Finding, Group, Kind, NotJudged, group_of_each};
use egui::accesskit::Role;
use egui::{
    Align2, Button, CollapsingHeader, Color32, FontId, Frame, Id, Panel, Rect, RichText,
    ScrollArea, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2,
};
use egui_material_icons::icons;

const ROW: f32 = 40.0;
/// Height that the causes that could not be judged unfold to.
const UNJUDGED: f32 = 96.0;
/// Below this height the line of those causes is left out, points.
const LOW: f32 = 130.0;

/// Draws the findings list.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(document) = model.document() else {
        return;
    };
    let findings = document.findings();
    match &document.report {
        None if model.diagnosing().is_some() => {
            widget::empty_state(
                ui,
                icons::ICON_SEARCH_ACTIVITY,
                "Looking for findings",
                "Every pair is swept through every frame. You can look around meanwhile.",
            );
        }
        None => widget::empty_state(
            ui,
            icons::ICON_SEARCH_OFF,
            "Not checked",
            "The check was stopped. F5 checks again.",
        ),
        Some(report) => {
            unjudged(ui, &report.not_judged);
            kinds(ui, model, findings, commands);
            list(ui, model, document, &report.expectations, commands);
        }
    }
}

/// One quiet line at the bottom that unfolds: what the log does not carry, and what to log.
fn unjudged(ui: &mut Ui, not_judged: &[NotJudged]) {
    // A low panel has room for the findings alone.
    if not_judged.is_empty() || ui.available_height() < LOW {
        return;
    }
    let causes = not_judged.iter().filter(|one| one.cause.is_some()).count();
    let title = match (causes, not_judged.len()) {
        (0, _) => "Not judged: some pairs".to_owned(),
        (1, 1) => "1 cause could not be judged".to_owned(),
        (count, all) if count == all => format!("{count} causes could not be judged"),
        (count, _) => format!("{count} causes and some pairs could not be judged"),
    };
    let small = |text: String| RichText::new(text).font(style::small()).weak();
    Panel::bottom("not judged")
        .frame(Frame::NONE)
        .show_separator_line(false)
        .show(ui, |ui| {
            CollapsingHeader::new(small(title)).show(ui, |ui| {
                ScrollArea::vertical().max_height(UNJUDGED).show(ui, |ui| {
                    for one in not_judged {
                        ui.label(small(one.sentence()));
                    }
                });
            });
        });
}

/// One switch for each kind that occurs, with its colour and count.
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
            let on = !model.look.hidden_kinds.contains(&kind);
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
            let help = if on {
                "Leave these out"
            } else {
                "List these again"
            };
            if response.on_hover_text(help).clicked() {
                commands.push(Command::ShowKind(kind, !on));
            }
        }
    });
}

fn list(
    ui: &mut Ui,
    model: &Model,
    document: &Document,
    expectations: &[ExpectationResult],
    commands: &mut Vec<Command>,
) {
    let groups = document.report.as_ref();
    let groups = groups.map_or(&[][..], |report| &report.groups);
    let listed = rows(ui, model, document.findings(), groups);
    // The list gets what it needs, the expectations the rest.
    let room = ui.available_height();
    let wanted = listed.len() as f32 * (ROW + 2.0) + 8.0;
    let kept = (expectations.len() as f32 * 28.0 + 36.0).min(room * 0.4);
    let kept = if expectations.is_empty() { 0.0 } else { kept };
    let height = wanted.min(room - kept).max(60.0);
    if document.findings().is_empty() {
        nothing_found(ui);
    } else if listed.is_empty() {
        ui.label(RichText::new("Every finding is of a kind that is left out.").weak());
    } else {
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ScrollArea::vertical()
                .id_salt("findings")
                .max_height(height)
                .min_scrolled_height(ROW)
                .auto_shrink([false, true])
                .show_rows(ui, ROW, listed.len(), |ui, range| {
                    for listed in &listed[range] {
                        match *listed {
                            Row::One(index, finding) => row(ui, model, index, finding, commands),
                            Row::Many(group, open) => group_row(ui, group, open),
                        }
                    }
                });
        });
    }
    if !expectations.is_empty() {
        expected(ui, expectations);
    }
}

/// A line of the list.
enum Row<'r> {
    /// A finding, with its number.
    One(usize, &'r Finding),
    /// Many that say the same, and whether they are listed below.
    Many(&'r Group, bool),
}

/// The lines of every kind that is not left out; those of a group that is closed are its one line.
fn rows<'r>(ui: &Ui, model: &Model, findings: &'r [Finding], groups: &'r [Group]) -> Vec<Row<'r>> {
    let group_of = group_of_each(groups, findings.len());
    let mut rows = Vec::new();
    for (index, finding) in findings.iter().enumerate() {
        if model.look.hidden_kinds.contains(&finding.kind) {
            continue;
        }
        match group_of[index] {
            None => rows.push(Row::One(index, finding)),
            Some(group) if group.members.first() == Some(&index) => {
                // The chosen finding is always in sight.
                let chosen = model
                    .finding()
                    .is_some_and(|at| group.members.contains(&at));
                let open = chosen
                    || ui
                        .data(|data| data.get_temp(group_id(group)))
                        .unwrap_or(false);
                rows.push(Row::Many(group, open));
                let members = group.members.iter().filter(|_| open);
                rows.extend(members.map(|&member| Row::One(member, &findings[member])));
            }
            Some(_) => {}
        }
    }
    rows
}

/// Whether a group is open is the list's own affair.
fn group_id(group: &Group) -> Id {
    Id::unique(("group of findings", group.kind, group.cause, &group.b))
}

fn group_row(ui: &mut Ui, group: &Group, open: bool) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let count = text::grouped(group.count as u64);
    let met = match group.b.as_str() {
        "" => String::new(),
        b => format!(" \u{2192} {b}"),
    };
    let name = format!("{count} {}{met}", group.kind.name());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, open, &name));
    paint_group(ui, rect, response.hovered(), &name, group, open);
    let help = if open {
        "List them as one line"
    } else {
        "List each of them"
    };
    if response.on_hover_text(help).clicked() {
        ui.data_mut(|data| data.insert_temp(group_id(group), !open));
    }
}

fn paint_group(ui: &Ui, rect: Rect, hovered: bool, name: &str, group: &Group, open: bool) {
    if !ui.is_rect_visible(rect) {
        return;
    }
    let visuals = ui.visuals();
    let palette = Palette::of(visuals);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let ground = if hovered {
        visuals.widgets.hovered.bg_fill
    } else {
        visuals.faint_bg_color
    };
    painter.rect_filled(rect, 4.0, ground);
    let bar = Rect::from_min_size(rect.min, vec2(4.0, rect.height()));
    painter.rect_filled(bar, 2.0, palette.kind(group.kind));
    let arrow = if open {
        icons::ICON_EXPAND_MORE
    } else {
        icons::ICON_CHEVRON_RIGHT
    };
    painter.text(
        pos2(rect.left() + 17.0, rect.center().y),
        Align2::CENTER_CENTER,
        arrow.codepoint,
        FontId::new(18.0, arrow.font_family()),
        palette.text_weak,
    );
    let left = rect.left() + 30.0;
    let room = rect.right() - 8.0 - left;
    let body = TextStyle::Body.resolve(ui.style());
    let upper = pos2(left, rect.top() + 12.0);
    widget::line(&painter, upper, room, name, body, palette.text);
    let below = format!(
        "{} {}  \u{b7}  {}  \u{b7}  frames {} to {}",
        group.cause.id(),
        group.cause.title(),
        text::count(group.movers, "object"),
        group.frame,
        group.last_frame
    );
    let lower = pos2(left, rect.bottom() - 11.0);
    widget::line(
        &painter,
        lower,
        room,
        &below,
        style::small(),
        palette.text_weak,
    );
}

fn nothing_found(ui: &mut Ui) {
    let palette = Palette::of(ui.visuals());
    ui.horizontal(|ui| {
        ui.label(
            icons::ICON_CHECK_CIRCLE
                .rich_text()
                .size(18.0)
                .color(palette.good),
        );
        ui.label("Nothing was missed: no finding in this level.");
    });
    let help = "Select two objects (Ctrl+click adds the second) to see how they meet, and make that an expectation.";
    ui.add(egui::Label::new(RichText::new(help).weak()).wrap());
}

fn row(ui: &mut Ui, model: &Model, index: usize, finding: &Finding, commands: &mut Vec<Command>) {
    let selected = model.finding() == Some(index);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let name = format!(
        "{}: {}, frame {}",
        finding.kind.name(),
        finding.title(),
        finding.frame
    );
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, selected, &name));
    paint_row(ui, rect, response.hovered(), selected, finding);
    if response.on_hover_text(&finding.text).clicked() {
        commands.push(Command::SelectFinding(index));
    }
}

fn paint_row(ui: &Ui, rect: Rect, hovered: bool, selected: bool, finding: &Finding) {
    if !ui.is_rect_visible(rect) {
        return;
    }
    let visuals = ui.visuals();
    let palette = Palette::of(visuals);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let ground = match (selected, hovered) {
        (true, _) => visuals.selection.bg_fill,
        (false, true) => visuals.widgets.hovered.bg_fill,
        _ => visuals.faint_bg_color,
    };
    painter.rect_filled(rect, 4.0, ground);
    let kind = palette.kind(finding.kind);
    let bar = Rect::from_min_size(rect.min, vec2(4.0, rect.height()));
    painter.rect_filled(bar, 2.0, kind);
    let strong = if selected {
        visuals.selection.stroke.color
    } else {
        palette.text
    };
    let body = TextStyle::Body.resolve(ui.style());
    let line = |x: f32, y: f32, align: Align2, text: String, font: FontId, color: Color32| {
        painter.text(pos2(x, y), align, text, font, color)
    };
    let (left, right) = (rect.left() + 12.0, rect.right() - 8.0);
    let (upper, lower) = (rect.top() + 12.0, rect.bottom() - 11.0);
    let name = finding.kind.name().to_owned();
    let small = style::small();
    let when = format!("frame {} + {:.3}", finding.frame, finding.fraction);
    let when = line(
        right,
        upper,
        Align2::RIGHT_CENTER,
        when,
        small.clone(),
        palette.text_weak,
    );
    let badge = line(
        right,
        lower,
        Align2::RIGHT_CENTER,
        name,
        small.clone(),
        kind,
    );
    let cut = |end: Rect, y: f32, text: &str, font: FontId, color| {
        let room = end.left() - 8.0 - left;
        widget::line(&painter, pos2(left, y), room, text, font, color);
    };
    cut(when, upper, &finding.title(), body, strong);
    let mut cause = format!("{} {}", finding.cause.id(), finding.cause.title());
    if finding.expected {
        cause.push_str("  ·  expected");
    }
    let weak = if selected { strong } else { palette.text_weak };
    cut(badge, lower, &cause, small, weak);
}

fn expected(ui: &mut Ui, expectations: &[ExpectationResult]) {
    let passed = expectations.iter().filter(|one| one.passed).count();
    ui.add_space(4.0);
    widget::heading(ui, "Expectations", |ui| {
        let count = format!("{passed} of {} as they should be", expectations.len());
        // In a narrow panel it ends before the title.
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
