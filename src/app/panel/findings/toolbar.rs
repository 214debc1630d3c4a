//! The filter, the order and the kinds of the listed findings.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::finding_list::OfReport;
use crate::app::theme::Palette;
use crate::app::view_state::{GroupBy, SortBy};
use crate::app::{edited_fields, style, text, widget};
use crate::core::diagnose::Kind;
use egui::accesskit::Role;
use egui::{Button, RichText, Ui, WidgetInfo};
use egui_material_icons::icons;

const HELP: &str = "All words must fit: a part of a name, a cause or a kind (wall, C01, Tunnels), a whole name in quotes (\"wall\"), \
    frame 60..90, a depth (>0.2m), selected, new, expected; a minus sign excludes (-wall)";

/// Draws the filter, for many findings, and a button for each kind.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    if model.has_many_findings() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let buttons = 2.0 * 30.0;
            let width = ui.available_width() - buttons;
            ui.allocate_ui(egui::vec2(width, 26.0), |ui| filter(ui, model, commands));
            only_selected(ui, model, commands);
            options(ui, model, commands);
        });
    }
    if let Some(list) = model.finding_list() {
        kinds(ui, model, &list.of_report, commands);
        count(ui, list.order.len(), list.of_report.moments.len());
    }
}

fn filter(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let known = &model.ui_state.findings.filter;
    let mut text = known.clone();
    let hint = "Filter: wall, C01, frame 60..90";
    let response = edited_fields::filter(ui, &mut text, "Filter findings", hint);
    response.on_hover_text(HELP);
    if text != *known {
        commands.push(Command::FilterFindings(text));
    }
}

/// A button that adds the token `selected` to the filter, or removes it.
fn only_selected(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let known = &model.ui_state.findings.filter;
    let words: Vec<&str> = known.split_whitespace().collect();
    let on = words.contains(&"selected");
    let (name, help) = (
        "Only of the selection",
        "List only findings of the selected objects",
    );
    if widget::icon_button(ui, icons::ICON_FILTER_CENTER_FOCUS, name, help, on).clicked() {
        let text = match on {
            true => {
                let others = words.into_iter().filter(|word| *word != "selected");
                others.collect::<Vec<_>>().join(" ")
            }
            false => format!("{} selected", known.trim()).trim().to_owned(),
        };
        commands.push(Command::FilterFindings(text));
    }
}

/// The menu of groups and orders.
fn options(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let chosen = &model.ui_state.findings;
    let icon = icons::ICON_ACCOUNT_TREE.rich_text().size(17.0);
    let menu = ui.menu_button(
        icon,
        widget::content(|ui| {
            widget::outlined(ui, |ui| {
                ui.label(RichText::new("Group by").weak());
                for group in GroupBy::ALL {
                    if ui.radio(chosen.group == group, group.name()).clicked() {
                        commands.push(Command::GroupFindings(group));
                    }
                }
                ui.separator();
                ui.label(RichText::new("Sort by").weak());
                for sort in SortBy::ALL {
                    if ui.radio(chosen.sort == sort, sort.name()).clicked() {
                        commands.push(Command::SortFindings(sort));
                    }
                }
            });
        }),
    );
    let name = "Groups and order";
    menu.response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let now = format!("{name}: {}, {}", chosen.group.name(), chosen.sort.name());
    menu.response.on_hover_text(now);
}

/// How many are listed, while not all are.
fn count(ui: &mut Ui, listed: usize, all: usize) {
    if listed < all {
        let text = format!(
            "{} of {}",
            text::grouped(listed),
            text::count(all, "finding")
        );
        ui.label(RichText::new(text).font(style::small()).weak());
    }
}

/// A button for each kind that occurs, with its colour and count, which lists only that kind.
fn kinds(ui: &mut Ui, model: &Model, findings: &OfReport, commands: &mut Vec<Command>) {
    let occurring = Kind::ALL.map(|kind| (kind, findings.counts[kind as usize]));
    if occurring.iter().filter(|(_, count)| *count > 0).count() < 2 {
        return;
    }
    let palette = Palette::of(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (kind, count) in occurring.into_iter().filter(|(_, count)| *count > 0) {
            let on = !model.ui_state.findings.hidden_kinds.contains(&kind);
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
