//! The bundled levels: one featured, the others by families of causes, with pictures and a filter.

use super::thumbnails::Thumbnails;
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::theme::{Palette, Surfaces};
use crate::app::{edited_fields, keyboard_focus, widget};
use crate::bundled::{self, Entry};
use crate::core::diagnose::Family;
use egui::accesskit::Role;
use egui::{
    FontId, Image, Rect, Response, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextureHandle,
    Ui, Vec2, WidgetInfo, vec2,
};

/// The largest width of the page, points.
const WIDTH: f32 = 1400.0;
/// The least width of a card, points.
const CARD: f32 = 290.0;
const CARD_HEIGHT: f32 = 90.0;
/// The size of a picture on a card, points.
const PICTURE: Vec2 = vec2(112.0, 70.0);
/// The height of the featured card, points.
const FEATURED: f32 = 170.0;
const GAP: f32 = 8.0;

/// The state of the list of examples.
#[derive(Default)]
pub struct Examples {
    filter: String,
    thumbnails: Thumbnails,
}

impl Examples {
    /// Draws the featured level, the filter and the levels of each family.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let margin = ((ui.available_width() - WIDTH) * 0.5).max(22.0);
            let column = ui.available_rect_before_wrap().shrink2(vec2(margin, 0.0));
            ui.scope_builder(egui::UiBuilder::new().max_rect(column), |ui| {
                ui.spacing_mut().item_spacing = vec2(GAP, GAP);
                ui.add_space(14.0);
                self.page(ui, model, commands);
                ui.add_space(24.0);
                keyboard_focus::follow(ui);
            });
        });
    }

    fn page(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        if let Some(first) = model.bundle.iter().find(|one| one.file == bundled::FIRST) {
            let is_new = model.settings.is_first_day();
            let heading = if is_new { "Start here" } else { "Featured" };
            ui.label(RichText::new(heading).strong());
            let picture = self.thumbnails.featured(ui.ctx());
            featured(ui, first, picture, is_new, commands);
        }
        ui.horizontal(|ui| {
            ui.label(RichText::new("Examples").strong());
            let hint = "Filter by name or description";
            let field = edited_fields::filter(ui, &mut self.filter, "Filter examples", hint);
            field.on_hover_text("List only examples with this text");
        });
        let wanted = self.filter.trim().to_lowercase();
        let is_listed = |entry: &&Entry| {
            let texts = [&entry.title, &entry.line, entry.family.title(), entry.file];
            let mut texts = texts.iter();
            entry.file != bundled::FIRST && texts.any(|text| text.to_lowercase().contains(&wanted))
        };
        let mut is_empty = true;
        for family in Family::ALL {
            let of_family = model.bundle.iter().filter(|entry| entry.family == family);
            let listed: Vec<&Entry> = of_family.filter(is_listed).collect();
            if !listed.is_empty() {
                is_empty = false;
                ui.add_space(6.0);
                let title = RichText::new(family.title()).weak();
                ui.label(title);
                self.cards(ui, &listed, commands);
            }
        }
        if is_empty && !model.bundle.is_empty() {
            ui.label(RichText::new("No example contains this text.").weak());
        }
    }

    fn cards(&mut self, ui: &mut Ui, entries: &[&Entry], commands: &mut Vec<Command>) {
        let width = ui.available_width();
        let columns = ((width + GAP) / (CARD + GAP)).floor().max(1.0);
        let size = vec2((width + GAP) / columns - GAP, CARD_HEIGHT);
        for row in entries.chunks(columns as usize) {
            ui.horizontal(|ui| {
                for entry in row {
                    let (rect, response) = card(ui, entry, size, false, commands);
                    // Only the pictures that are visible are made ready.
                    if ui.is_rect_visible(rect) {
                        let picture = self.thumbnails.of(ui.ctx(), entry.file);
                        let at = rect.left_center() + vec2(7.0, -PICTURE.y * 0.5);
                        let area = Rect::from_min_size(at, PICTURE);
                        paint(ui, picture, area);
                        let text = rect.with_min_x(area.right() + 12.0);
                        texts(ui, entry, text.shrink2(vec2(4.0, 7.0)), 14.0, &response);
                    }
                }
            });
        }
    }
}

/// The featured level, with a large picture.
fn featured(
    ui: &mut Ui,
    entry: &Entry,
    picture: Option<(&TextureHandle, Rect)>,
    is_new: bool,
    commands: &mut Vec<Command>,
) {
    let size = vec2(ui.available_width(), FEATURED);
    let (rect, response) = card(ui, entry, size, is_new, commands);
    if !ui.is_rect_visible(rect) {
        return;
    }
    let wide = (FEATURED - 16.0) * 1.6;
    let area = rect.shrink(8.0);
    let area = area.with_max_x(area.left() + wide.min(rect.width() * 0.55));
    paint(ui, picture, area);
    let text = rect.with_min_x(area.right() + 12.0);
    texts(ui, entry, text.shrink2(vec2(10.0, 24.0)), 20.0, &response);
}

/// The background of a card, which opens its level.
fn card(
    ui: &mut Ui,
    entry: &Entry,
    size: Vec2,
    is_marked: bool,
    commands: &mut Vec<Command>,
) -> (Rect, Response) {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &entry.title));
    widget::describe(&response, &entry.line);
    let surfaces = Surfaces::of(ui.visuals());
    let lit = response.hovered() || response.has_focus();
    let fill = if lit {
        surfaces.widget
    } else {
        surfaces.raised
    };
    let line = match (is_marked, lit) {
        (true, _) => Stroke::new(1.5, Palette::of(ui.visuals()).playhead),
        (_, true) => Stroke::new(1.0, surfaces.link),
        _ => Stroke::new(1.0, surfaces.line),
    };
    ui.painter().rect(rect, 6.0, fill, line, StrokeKind::Inside);
    if response.clicked() {
        commands.push(Command::OpenBundled(entry.file.to_owned()));
    }
    (rect, response)
}

/// Draws a part of a texture, cut to the proportions of the area.
fn paint(ui: &Ui, picture: Option<(&TextureHandle, Rect)>, area: Rect) {
    if let Some((texture, uv)) = picture {
        let image = Image::new((texture.id(), area.size())).uv(uv);
        image.corner_radius(4).paint_at(ui, area);
    }
}

/// The title and the description, wrapped; the whole description on hover if it is cut.
fn texts(ui: &Ui, entry: &Entry, area: Rect, size: f32, response: &Response) {
    let palette = Palette::of(ui.visuals());
    let mut top = area.top();
    let mut is_cut = false;
    for (text, size, color) in [
        (&entry.title, size, palette.text),
        (&entry.line, 13.0, palette.text_weak),
    ] {
        let font = FontId::proportional(size);
        let mut job = egui::text::LayoutJob::simple(text.clone(), font, color, area.width());
        let rows = ((area.bottom() - top) / (size * 1.3)).floor();
        job.wrap.max_rows = rows.max(1.0) as usize;
        let galley = ui.painter().layout_job(job);
        is_cut |= galley.elided;
        let at = egui::pos2(area.left(), top);
        top += galley.size().y + 3.0;
        ui.painter().galley(at, galley, color);
    }
    if is_cut {
        response.clone().on_hover_text(&entry.line);
    }
}
