//! The start page: new and recent files on the left, the bundled levels on the right.

mod examples;
mod thumbnails;

use crate::app::command::Command;
use crate::app::entry::{Group, TABLE};
use crate::app::list_row::{ListRow, TALL_ROW};
use crate::app::model::Model;
use crate::app::theme::{Palette, Surfaces};
use crate::app::{keyboard_focus, text, widget};
use crate::core::edit::Template;
use egui::accesskit::Role;
use egui::containers::menu::MenuButton;
use egui::{
    Align, Button, Frame, Layout, Margin, Panel, Rect, RichText, ScrollArea, Sense, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};
use egui_material_icons::{MaterialIcon, icons};
use std::path::Path;
use std::time::SystemTime;

/// Width of the left column, points.
const LEFT: f32 = 330.0;

/// The state of the start page.
#[derive(Default)]
pub struct StartPage {
    examples: examples::Examples,
}

impl StartPage {
    /// Draws the start page.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let surfaces = Surfaces::of(ui.visuals());
        let frame = Frame::new().inner_margin(Margin::symmetric(18, 16));
        Panel::left("recent files")
            .resizable(false)
            .exact_size(LEFT.min(ui.available_width() * 0.4))
            .frame(frame.fill(surfaces.sunken))
            .show(ui, |ui| left(ui, model, commands));
        egui::CentralPanel::no_frame().show(ui, |ui| self.examples.ui(ui, model, commands));
    }
}

fn left(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    title(ui);
    ui.add_space(14.0);
    wide_button(ui, &Command::OpenDialog, true, commands);
    wide_button(ui, &Command::New(Template::Empty), false, commands);
    templates(ui, model, commands);
    wide_button(ui, &Command::Connect, false, commands);
    wide_button(ui, &Command::Listen, false, commands);
    ui.add_space(4.0);
    match model.loading() {
        Some((text, progress)) => {
            ui.horizontal(|ui| {
                // A spinner would draw the window without end while no game connects.
                if !model.is_listening() {
                    ui.spinner();
                }
                let percent = progress.map(|progress| format!(", {:.0} %", progress * 100.0));
                ui.label(format!("{text}{}", percent.unwrap_or_default()));
            });
        }
        None => {
            ui.label(RichText::new("or drop a scene or a log anywhere in the window").weak());
        }
    }
    ui.add_space(14.0);
    recent(ui, model, commands);
}

fn title(ui: &mut Ui) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(44.0, 44.0), Sense::hover());
        logo(ui, rect);
        ui.label(RichText::new("Hitstop").size(22.0).strong());
    });
    let line = "Find the collisions that your engine missed inside a frame, and why.";
    ui.label(RichText::new(line).weak());
}

/// Draws a ball that passes through a wall: at the start, at the impact and at the end.
fn logo(ui: &Ui, rect: Rect) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter();
    let y = rect.center().y;
    let at = |fraction: f32| pos2(rect.left() + fraction * rect.width(), y);
    let wall = Rect::from_center_size(at(0.56), vec2(3.0, rect.height() * 0.9));
    painter.line_segment([at(0.1), at(0.9)], Stroke::new(1.5, palette.text_weak));
    painter.rect_filled(wall, 1.0, palette.fixed);
    painter.circle_stroke(at(0.13), 5.0, Stroke::new(1.5, palette.ghost_start));
    painter.circle_filled(at(0.42), 6.0, palette.ghost_impact);
    painter.circle_stroke(at(0.88), 5.0, Stroke::new(1.5, palette.ghost_end));
}

/// The button of a command, as wide as the column.
fn wide_button(ui: &mut Ui, command: &Command, is_primary: bool, commands: &mut Vec<Command>) {
    let Some(entry) = command.entry() else {
        return;
    };
    let mut button = labeled(entry.icon, entry.text);
    if is_primary {
        button = button.fill(ui.visuals().selection.bg_fill);
    }
    let response = ui.add(button.min_size(vec2(ui.available_width(), 30.0)));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, entry.text));
    if response.on_hover_text(entry.tooltip).clicked() {
        commands.push(command.clone());
    }
}

fn labeled(icon: MaterialIcon, text: &str) -> Button<'_> {
    Button::new((icon.rich_text().size(16.0), text))
}

/// The menu of the templates that are not empty.
fn templates(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let text = "New from a template";
    let button = labeled(icons::ICON_STACKS, text).min_size(vec2(ui.available_width(), 30.0));
    let (response, _) = MenuButton::from_button(button).ui(
        ui,
        widget::content(|ui| {
            let entries = TABLE.iter().filter(|entry| entry.group == Group::New);
            for entry in entries.filter(|entry| entry.command != Command::New(Template::Empty)) {
                widget::menu_item(ui, &entry.command, model, commands);
            }
        }),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, text));
    response.on_hover_text("Create a scene with objects to start from");
}

fn recent(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let recent = &model.settings.recent;
    widget::heading(ui, "Recent files", |ui| {
        if !recent.is_empty() {
            ui.label(RichText::new(text::count(recent.len(), "file")).weak());
        }
    });
    if recent.is_empty() {
        let help = "Opened files are listed here. The guide explains how to get from a log of your engine to a fixed bug.";
        ui.label(RichText::new(help).weak());
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for path in recent {
            recent_row(ui, model, path, commands);
        }
        keyboard_focus::follow(ui);
    });
}

fn recent_row(ui: &mut Ui, model: &Model, path: &Path, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    let folder = path.parent().unwrap_or(path).display().to_string();
    let (aside, color) = match model.recent.get(path) {
        Some(Some(changed)) => (format!("changed {}", age(*changed)), None),
        Some(None) => ("missing".to_owned(), Some(palette.bad)),
        None => (String::new(), None),
    };
    let is_missing = color.is_some();
    let size = vec2(ui.available_width(), TALL_ROW);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        let forget = format!("Remove {name} from the list");
        let help = "The file itself is kept";
        if widget::icon_button(ui, icons::ICON_CLOSE, &forget, help, false).clicked() {
            commands.push(Command::ForgetRecent(path.to_owned()));
        }
        let accessible = if is_missing {
            format!("{name}, missing")
        } else {
            name.to_string()
        };
        let row = ListRow {
            text: &name,
            name: Some(&accessible),
            dimmed: is_missing,
            aside: (&aside, color),
            below: Some([(&folder, None), ("", None)]),
            ..ListRow::default()
        };
        let response = row.show(ui).on_hover_text(path.display().to_string());
        if response.clicked() {
            commands.push(Command::Open(path.to_owned()));
        }
    });
}

/// The time since a change: `5 min ago`, `3 days ago`.
fn age(changed: SystemTime) -> String {
    let seconds = changed.elapsed().map_or(0, |age| age.as_secs());
    match seconds {
        0..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} ago", text::count((seconds / 86_400) as usize, "day")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn an_age_has_one_unit() {
        for (seconds, wanted) in [
            (5, "just now"),
            (150, "2 min ago"),
            (7_300, "2 h ago"),
            (90_000, "1 day ago"),
            (864_500, "10 days ago"),
        ] {
            assert_eq!(
                age(SystemTime::now() - Duration::from_secs(seconds)),
                wanted
            );
        }
        assert_eq!(
            age(SystemTime::now() + Duration::from_secs(90)),
            "just now",
            "a clock that was set back"
        );
    }
}
