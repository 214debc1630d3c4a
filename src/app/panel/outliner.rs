//! The Objects panel: all objects of the level, also those not present at this frame.

use crate::app::command::Command;
use crate::app::list_row::ListRow;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::style::ROW;
use crate::app::theme::Palette;
use crate::app::{context_menu, edited_fields, text, widget};
use crate::core::replay::ObjectId;
use egui::{RichText, ScrollArea, Ui};
use egui_material_icons::icons;

/// The state of the panel: the filter and the listed objects.
#[derive(Default)]
pub struct Outliner {
    filter: String,
    listed: Vec<ObjectId>,
    /// The revision and filter that `listed` was made for.
    key: Option<(u64, String)>,
    focus: bool,
    /// The object that the list was last scrolled to.
    scrolled_to: Option<ObjectId>,
}

impl Outliner {
    /// Focuses the filter.
    pub fn focus_filter(&mut self) {
        self.focus = true;
    }

    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(document) = model.document() else {
            return;
        };
        self.update_list(document);
        let total = document.replay().objects().len();
        self.filter_field(ui);
        if self.listed.len() != total {
            let count = format!("{} of {}", self.listed.len(), text::grouped(total));
            ui.label(RichText::new(count).weak());
        }
        ui.add_space(2.0);
        if total == 0 {
            let help = "This level has no objects. Add objects to the scene, or log them in the header and reload (F5).";
            widget::empty_state(ui, icons::ICON_LIST, "No objects", help);
            return;
        }
        if self.listed.is_empty() {
            let help = "No object's name, shape or tag contains this text.";
            widget::empty_state(ui, icons::ICON_FILTER_LIST_OFF, "No matches", help);
            return;
        }
        self.rows(ui, model, document, commands);
    }

    fn filter_field(&mut self, ui: &mut Ui) {
        let name = "Filter objects";
        let hint = "Filter by name, shape or tag";
        let response = edited_fields::filter(ui, &mut self.filter, name, hint);
        if std::mem::take(&mut self.focus) {
            response.request_focus();
        }
        response.on_hover_text("List only objects with this text in their name, shape or tags");
    }

    /// Updates the list if the level or the filter changed.
    fn update_list(&mut self, document: &Document) {
        let objects = document.replay().objects();
        let key = Some((document.revision, self.filter.trim().to_lowercase()));
        if self.key == key {
            return;
        }
        let filter = key.as_ref().map_or("", |(_, filter)| filter.as_str());
        self.listed = (0..)
            .zip(objects)
            .filter(|(_, object)| {
                let mut tags = object.tags.iter().map(String::as_str);
                filter.is_empty()
                    || object.name.to_lowercase().contains(filter)
                    || object.shape.kind_name().to_lowercase().contains(filter)
                    || tags.any(|tag| tag.to_lowercase().contains(filter))
            })
            .map(|(id, _)| id)
            .collect();
        self.key = key;
    }

    fn rows(
        &mut self,
        ui: &mut Ui,
        model: &Model,
        document: &Document,
        commands: &mut Vec<Command>,
    ) {
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::vertical().auto_shrink(false);
        // Scrolls once to an object that was selected elsewhere.
        let latest = model.selection.objects().last().copied();
        if self.scrolled_to != latest {
            self.scrolled_to = latest;
            let row = latest.and_then(|id| self.listed.iter().position(|&listed| listed == id));
            if let Some(row) = row {
                let offset = row as f32 * ROW - ui.available_height() * 0.5;
                area = area.vertical_scroll_offset(offset.max(0.0));
            }
        }
        area.show_rows(ui, ROW, self.listed.len(), |ui, range| {
            for &id in &self.listed[range] {
                row(ui, model, document, id, commands);
            }
        });
    }
}

fn row(ui: &mut Ui, model: &Model, document: &Document, id: ObjectId, commands: &mut Vec<Command>) {
    let object = &document.replay().objects()[id as usize];
    let selected = model.selection.contains(id);
    let frame = document.frame();
    let present = frame.start.body(id).is_some();
    let row = ListRow {
        text: &object.name,
        selected,
        dimmed: !present,
        dot: Some(Palette::of(ui.visuals()).object(object)),
        icon: Some((widget::shape_icon(&object.shape), None)),
        ..ListRow::default()
    };
    let response = row.show(ui);
    let mut tip = format!("{}, {}", object.name, object.shape.kind_name());
    if !present {
        tip.push_str("\nNot present at this frame");
    }
    let response = response.on_hover_text(tip);
    response.context_menu(widget::content(|ui| {
        context_menu::object(ui, model, id, commands)
    }));
    if response.double_clicked() {
        commands.extend([Command::Select(Some(id)), Command::FrameSelection]);
    } else if response.clicked() {
        let adds = ui.input(|input| input.modifiers.command || input.modifiers.shift);
        commands.push(if adds {
            Command::ToggleSelect(id)
        } else {
            Command::Select(Some(id))
        });
    }
}
