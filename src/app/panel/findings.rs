//! What diagnosis found, and what became of the scene's expectations.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::style;
use crate::app::theme::Palette;
use crate::app::widget;
use crate::core::diagnose::{ExpectationResult, Finding, Kind};
use egui::accesskit::Role;
use egui::{
    Align2, Button, Color32, FontId, Rect, RichText, ScrollArea, Sense, TextStyle, Ui, WidgetInfo,
    pos2, vec2,
};
use egui_material_icons::icons;

const ROW: f32 = 40.0;

/// Draws the findings list.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(document) = &model.document else {
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
            kinds(ui, model, findings, commands);
            list(ui, model, document, &report.expectations, commands);
        }
    }
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
    let listed: Vec<(usize, &Finding)> = document
        .findings()
        .iter()
        .enumerate()
        .filter(|(_, finding)| !model.look.hidden_kinds.contains(&finding.kind))
        .collect();
    // The list gets what it needs, the expectations the rest.
    let room = ui.available_height();
    let wanted = listed.len() as f32 * (ROW + 2.0) + 8.0;
    let kept = (expectations.len() as f32 * 22.0 + 30.0).min(room * 0.45);
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
                .auto_shrink([false, true])
                .show_rows(ui, ROW, listed.len(), |ui, range| {
                    for &(index, finding) in &listed[range] {
                        row(ui, model, index, finding, commands);
                    }
                });
        });
    }
    if !expectations.is_empty() {
        expected(ui, expectations);
    }
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
}

fn row(ui: &mut Ui, model: &Model, index: usize, finding: &Finding, commands: &mut Vec<Command>) {
    let selected = model.finding == Some(index);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let name = format!(
        "{}: {}, frame {}",
        finding.kind.name(),
        pair_name(finding),
        finding.frame
    );
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, selected, &name));
    paint_row(ui, rect, response.hovered(), selected, finding);
    if response.on_hover_text(&finding.text).clicked() {
        commands.push(Command::SelectFinding(index));
    }
}

fn pair_name(finding: &Finding) -> String {
    if finding.b.is_empty() {
        finding.a.clone()
    } else {
        format!("{} \u{2192} {}", finding.a, finding.b)
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
    cut(when, upper, &pair_name(finding), body, strong);
    let mut cause = format!("{} {}", finding.cause.id(), finding.cause.title());
    if finding.expected {
        cause.push_str("  ·  expected");
    }
    let weak = if selected { strong } else { palette.text_weak };
    cut(badge, lower, &cause, small, weak);
}

fn expected(ui: &mut Ui, expectations: &[ExpectationResult]) {
    let palette = Palette::of(ui.visuals());
    let passed = expectations.iter().filter(|one| one.passed).count();
    ui.add_space(4.0);
    widget::heading(ui, "Expectations", |ui| {
        ui.label(RichText::new(format!("{passed} of {} hold", expectations.len())).weak());
    });
    ScrollArea::vertical()
        .id_salt("expectations")
        .auto_shrink([false, true])
        .show(ui, |ui| {
            for one in expectations {
                ui.horizontal(|ui| {
                    let (icon, color, word) = if one.passed {
                        (icons::ICON_CHECK, palette.good, "holds")
                    } else {
                        (icons::ICON_CLOSE, palette.bad, "failed")
                    };
                    ui.label(icon.rich_text().size(15.0).color(color));
                    let text = RichText::new(&one.text).monospace();
                    ui.add(egui::Label::new(text).truncate())
                        .on_hover_text(format!("{}\n{word}: {}", one.text, one.got));
                });
            }
        });
}
