//! The context menus of findings and objects.

use super::command::Command;
use super::entry::unavailable;
use super::model::Model;
use super::{text, widget};
use crate::core::edit::NewShape;
use crate::core::replay::ObjectId;
use egui::accesskit::Role;
use egui::{Button, ScrollArea, Ui, WidgetInfo};
use egui_material_icons::{MaterialIcon, icons};

/// The most findings that the menu of an object lists.
const MAX_FINDINGS: usize = 30;

/// Draws the menu of a finding, by its index. Its commands select the finding first.
pub fn finding(ui: &mut Ui, model: &Model, index: usize, commands: &mut Vec<Command>) {
    let Some(finding) = model
        .document()
        .and_then(|document| document.findings().get(index))
    else {
        return;
    };
    let select = Command::SelectFinding(index);
    let go_to = "Go to the finding";
    item(
        ui,
        icons::ICON_MY_LOCATION,
        go_to,
        [select.clone()],
        commands,
    );
    let only = format!("List only {}", finding.kind.name());
    let only_kind = [Command::OnlyKind(finding.kind)];
    item(ui, icons::ICON_FILTER_LIST, &only, only_kind, commands);
    let explain = format!("Explain {}", finding.cause.id());
    let page = [Command::Help(super::help_topics::HelpPage::Cause(
        finding.cause,
    ))];
    item(ui, icons::ICON_HELP, &explain, page, commands);
    ui.separator();
    let copied = [Command::CopyText(text::finding(finding, model.units()))];
    item(
        ui,
        icons::ICON_CONTENT_COPY,
        "Copy as text",
        copied,
        commands,
    );
    let save = [select.clone(), Command::SaveFrameAs];
    let icon = icons::ICON_MOVIE;
    item(ui, icon, "Save as minimal scene…", save, commands);
    // No finding has to be selected yet: only the lack of a scene matters.
    let why_not = unavailable(&Command::ShowTagPrompt(true), model);
    let expect = [select, Command::ExpectFinding];
    let icon = icons::ICON_FACT_CHECK;
    item_unless(ui, icon, "Add as expectation", why_not, expect, commands);
}

/// Draws the menu of an object.
pub fn object(ui: &mut Ui, model: &Model, id: ObjectId, commands: &mut Vec<Command>) {
    let Some((document, object)) = model
        .document()
        .and_then(|document| Some((document, document.replay().objects().get(id as usize)?)))
    else {
        return;
    };
    let select = Command::Select(Some(id));
    let icon = icons::ICON_ARROW_SELECTOR_TOOL;
    item(ui, icon, "Select", [select.clone()], commands);
    let frame = [select.clone(), Command::FrameSelection];
    let icon = icons::ICON_CENTER_FOCUS_STRONG;
    item(ui, icon, "Select and frame", frame, commands);
    let why = [select.clone(), Command::WhyHere];
    item(ui, icons::ICON_HELP, "Why is it here?", why, commands);
    let rename = [select.clone(), Command::Rename];
    let why_not = unavailable(&Command::AddShape(NewShape::Sphere), model);
    item_unless(ui, icons::ICON_EDIT, "Rename…", why_not, rename, commands);
    let copied = [Command::CopyText(object.name.clone())];
    item(ui, icons::ICON_CONTENT_COPY, "Copy name", copied, commands);
    ui.separator();
    // The object does not have to be selected yet.
    for command in [
        Command::HideSelected,
        Command::IsolateSelected,
        Command::LockSelected,
        Command::ToggleFollow,
    ] {
        if let Some(entry) = command.entry() {
            let pushed = [select.clone(), command];
            item(ui, entry.icon, entry.text, pushed, commands);
        }
    }
    widget::menu_item(ui, &Command::ShowAllObjects, model, commands);
    ui.separator();
    let is_of = |finding: &crate::core::diagnose::Finding| {
        [finding.object_a, finding.object_b].contains(&Some(id))
    };
    let findings = document.findings().iter().enumerate();
    let findings: Vec<_> = findings.filter(|(_, finding)| is_of(finding)).collect();
    let title = match findings.len() {
        0 => "No findings".to_owned(),
        count => text::count(count, "finding"),
    };
    ui.add_enabled_ui(!findings.is_empty(), |ui| {
        let menu = ui.menu_button(
            (icons::ICON_FACT_CHECK.rich_text().size(15.0), &*title),
            widget::content(|ui| {
                ScrollArea::vertical().max_height(400.0).show(ui, |ui| {
                    for (index, finding) in findings.into_iter().take(MAX_FINDINGS) {
                        let text = format!(
                            "Frame {}: {} {}",
                            finding.number(),
                            finding.kind.name(),
                            finding.title()
                        );
                        if ui.button(text).clicked() {
                            commands.push(Command::SelectFinding(index));
                            ui.close();
                        }
                    }
                });
            }),
        );
        menu.response
            .widget_info(|| WidgetInfo::labeled(Role::MenuItem, true, &title));
    });
}

/// An item that pushes commands.
fn item<const N: usize>(
    ui: &mut Ui,
    icon: MaterialIcon,
    text: &str,
    pushed: [Command; N],
    commands: &mut Vec<Command>,
) {
    item_unless(ui, icon, text, None, pushed, commands);
}

/// The same, disabled with a reason.
fn item_unless<const N: usize>(
    ui: &mut Ui,
    icon: MaterialIcon,
    text: &str,
    why_not: Option<&str>,
    pushed: [Command; N],
    commands: &mut Vec<Command>,
) {
    let button = Button::new((icon.rich_text().size(15.0), text));
    let response = ui.add_enabled(why_not.is_none(), button);
    response.widget_info(|| WidgetInfo::labeled(Role::MenuItem, why_not.is_none(), text));
    widget::describe(&response, why_not.unwrap_or_default());
    if response
        .on_disabled_hover_text(why_not.unwrap_or_default())
        .clicked()
    {
        commands.extend(pushed);
        ui.close();
    }
}
