//! The start page: open a file, the bundled levels, and the recent files.

use crate::app::command::Command;
use crate::app::list_row::ListRow;
use crate::app::model::Model;
use crate::app::theme::{Palette, Surfaces};
use crate::app::{edited_fields, text, widget};
use crate::bundled::Entry;
use egui::accesskit::Role;
use egui::{
    Button, FontId, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};
use egui_material_icons::icons;
use std::path::PathBuf;

const WIDTH: f32 = 980.0;
const CARD: f32 = 58.0;

/// The state of the start page.
#[derive(Default)]
pub struct StartPage {
    path: String,
}

impl StartPage {
    /// Draws the start page.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let margin = ((ui.available_width() - WIDTH) * 0.5).max(16.0);
            let column = ui.available_rect_before_wrap().shrink2(vec2(margin, 0.0));
            let page = egui::UiBuilder::new().max_rect(column);
            ui.scope_builder(page, |ui| self.page(ui, model, commands));
        });
    }

    fn page(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        ui.add_space(28.0);
        title(ui);
        ui.add_space(18.0);
        self.open_row(ui, model, commands);
        ui.add_space(18.0);
        if let Some((name, progress)) = model.loading() {
            ui.horizontal(|ui| {
                ui.spinner();
                let percent = progress.map(|progress| format!(", {:.0} %", progress * 100.0));
                ui.label(format!("Loading {name}{}", percent.unwrap_or_default()));
            });
            ui.add_space(10.0);
        }
        if let Some((first, rest)) = model.bundle.split_first() {
            ui.label(RichText::new("Start here").strong());
            let height = CARD + 8.0;
            level_card(ui, first, ui.available_width(), height, true, commands);
            ui.add_space(14.0);
            ui.label(RichText::new("Examples").strong());
            let column = (ui.available_width() - 8.0) / 2.0;
            for pair in rest.chunks(2) {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 8.0;
                    for entry in pair {
                        level_card(ui, entry, column, CARD, false, commands);
                    }
                });
            }
        }
        ui.add_space(14.0);
        recent(ui, model, commands);
        ui.add_space(24.0);
    }

    fn open_row(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        ui.horizontal(|ui| {
            let open = Button::new((icons::ICON_FOLDER_OPEN.rich_text().size(16.0), "Open file…"));
            let response = ui.add(open.min_size(vec2(0.0, 28.0)));
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Open file…"));
            let help = "A scene (.ron) or a log of your engine (.jsonl, .csv)";
            if response.on_hover_text(help).clicked() {
                commands.push(Command::OpenDialog);
            }
            let name = "Path of a scene or a log";
            let hint = "Path of a scene (.ron) or a log (.jsonl, .csv)";
            let response = edited_fields::line(ui, &mut self.path, name, hint, 380.0);
            let response = response.on_hover_text("Enter a path and press Enter");
            let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            let go = ui.add_enabled(
                !self.path.trim().is_empty(),
                Button::new("Open").min_size(vec2(0.0, 28.0)),
            );
            let go = go
                .on_hover_text("Open the file at this path")
                .on_disabled_hover_text("Enter a path first");
            if (entered || go.clicked()) && !self.path.trim().is_empty() {
                commands.push(Command::Open(PathBuf::from(self.path.trim())));
            }
            if model.loading().is_none() {
                ui.label(RichText::new("or drop it anywhere in the window").weak());
            }
        });
    }
}

fn title(ui: &mut Ui) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(44.0, 44.0), Sense::hover());
        logo(ui, rect);
        ui.vertical(|ui| {
            ui.add_space(2.0);
            ui.label(RichText::new("Hitstop").size(22.0).strong());
            ui.label(
                RichText::new(
                    "Find the collisions that your engine missed inside a frame, and why.",
                )
                .weak(),
            );
        });
    });
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

fn level_card(
    ui: &mut Ui,
    entry: &Entry,
    width: f32,
    height: f32,
    first: bool,
    commands: &mut Vec<Command>,
) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &entry.title));
    let response = response.on_hover_text(&entry.line);
    if ui.is_rect_visible(rect) {
        let surfaces = Surfaces::of(ui.visuals());
        let palette = Palette::of(ui.visuals());
        let lit = response.hovered() || response.has_focus();
        let fill = if lit {
            surfaces.widget
        } else {
            surfaces.raised
        };
        let line = match (first, lit) {
            (true, _) => Stroke::new(1.5, palette.playhead),
            (_, true) => Stroke::new(1.0, surfaces.link),
            _ => Stroke::new(1.0, surfaces.line),
        };
        ui.painter().rect(rect, 6.0, fill, line, StrokeKind::Inside);
        let width = rect.width() - 24.0;
        let line = |y: f32, text: &str, size: f32, color| {
            let at = pos2(rect.left() + 12.0, rect.center().y + y);
            widget::line(
                ui.painter(),
                at,
                width,
                text,
                FontId::proportional(size),
                color,
            );
        };
        line(-10.0, &entry.title, 14.5, palette.text);
        line(10.0, &entry.line, 13.0, palette.text_weak);
    }
    if response.clicked() {
        commands.push(Command::OpenBundled(entry.file.to_owned()));
    }
}

fn recent(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let recent = &model.settings.recent;
    if recent.is_empty() {
        let help = "Opened files are listed here. docs/guide.md explains how to get from a log of your engine to a fixed bug.";
        ui.label(RichText::new(help).weak());
        return;
    }
    widget::heading(ui, "Recent files", |ui| {
        ui.label(RichText::new(text::count(recent.len(), "file")).weak());
    });
    for path in recent {
        let name = path
            .file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy();
        let row = ListRow {
            text: &name,
            aside: (&path.display().to_string(), None),
            ..ListRow::default()
        };
        let help = format!("Open {}", path.display());
        if row.show(ui).on_hover_text(help).clicked() {
            commands.push(Command::Open(path.clone()));
        }
    }
}
