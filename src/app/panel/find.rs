//! The Find panel: the search for a frame by a condition, and its result.

use crate::app::command::Command;
use crate::app::model::document::Document;
use crate::app::model::find::{Find, Outcome};
use crate::app::model::{JobKind, Model, Session};
use crate::app::number_field::{Kind, number_field, short};
use crate::app::text::moment_text;
use crate::app::theme::Palette;
use crate::app::{edited_fields, style, widget};
use crate::core::replay::ObjectId;
use crate::core::replay::search_query::{Condition, SearchQuery, not_found};
use crate::core::scene::UserUnits;
use egui::accesskit::Role;
use egui::{Button, ComboBox, ProgressBar, RichText, ScrollArea, Ui, WidgetInfo};
use egui_material_icons::icons;

/// The number of suggested names under a field.
const SUGGESTIONS: usize = 6;
const LABEL: f32 = 46.0;

/// The state of the panel: the names in the fields.
#[derive(Default)]
pub struct FindPanel {
    names: [String; 2],
    /// The objects that the names are of.
    objects: [Option<ObjectId>; 2],
    level: Option<String>,
    /// The revision of the level that the names are from.
    revision: Option<u64>,
}

impl FindPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(Session { document, find, .. }) = &model.session else {
            return;
        };
        self.update_names(document, &find.query);
        let mut query = find.query;
        ScrollArea::vertical()
            .id_salt("find")
            .auto_shrink(false)
            .show(ui, |ui| {
                widget::heading(ui, "Find a frame where", |_| {});
                condition(ui, &mut query);
                for which in 0..query.kind.objects() {
                    self.object(ui, document, &mut query, which);
                }
                limit(ui, &mut query, model.units());
                selected(ui, model, &mut query);
                ui.add_space(6.0);
                search(ui, model, &query, commands);
                outcome(ui, find, document, commands);
            });
        if query != find.query {
            commands.push(Command::SetQuery(query));
        }
    }

    /// Updates the names in the fields when the query or the level changes.
    fn update_names(&mut self, document: &Document, query: &SearchQuery) {
        let level = Some(document.source.name());
        let new_level = self.level != level;
        self.level = level;
        let revision = Some(document.revision);
        let changed = self.revision != revision;
        self.revision = revision;
        for (which, object) in [query.a, query.b].into_iter().enumerate() {
            if new_level || changed || self.objects[which] != object {
                self.objects[which] = object;
                let known = object.and_then(|id| document.replay().objects().get(id as usize));
                if let Some(known) = known {
                    self.names[which].clone_from(&known.name);
                } else if new_level {
                    self.names[which].clear();
                }
            }
        }
    }

    fn object(&mut self, ui: &mut Ui, document: &Document, query: &mut SearchQuery, which: usize) {
        let two = query.kind.objects() == 2;
        let (word, label) = match (two, which) {
            (true, 0) => ("a", "Object a"),
            (true, _) => ("b", "Object b"),
            (false, _) => ("object", "Object"),
        };
        let any = query.kind.of_any();
        let hint = if any { "Any, or a name" } else { "Name" };
        let field = |ui: &mut Ui, name: &mut String| {
            let response = edited_fields::line(ui, name, label, hint, f32::INFINITY);
            response.on_hover_text("Enter a part of the object's name")
        };
        let name = &mut self.names[which];
        let response = ui
            .horizontal(|ui| {
                caption(ui, word);
                field(ui, name)
            })
            .inner;
        let slot = if which == 0 {
            &mut query.a
        } else {
            &mut query.b
        };
        let replay = document.replay();
        if response.changed() {
            *slot = replay.object_named(name.trim());
            self.objects[which] = *slot;
        }
        let typed = self.names[which].trim().to_lowercase();
        if typed.is_empty() || slot.is_some() {
            return;
        }
        // The search for names ends with the last suggestion.
        let objects = (0..).zip(replay.objects());
        let suggestions: Vec<(ObjectId, &str)> = objects
            .map(|(id, object)| (id, object.name.as_str()))
            .filter(|(_, name)| name.to_lowercase().contains(&typed))
            .take(SUGGESTIONS)
            .collect();
        ui.horizontal_wrapped(|ui| {
            ui.add_space(LABEL);
            if suggestions.is_empty() {
                let color = ui.visuals().warn_fg_color;
                ui.colored_label(color, "No object with this name");
            }
            for (id, name) in suggestions {
                let button = Button::new(RichText::new(name).font(style::small())).small();
                let response = ui.add(button);
                let label = format!("Use {name}");
                response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
                if response.on_hover_text(label.clone()).clicked() {
                    *slot = Some(id);
                }
            }
        });
    }
}

fn caption(ui: &mut Ui, word: &str) {
    let size = egui::vec2(LABEL - ui.spacing().item_spacing.x, 22.0);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(size.x);
        ui.label(RichText::new(word).weak());
    });
}

fn condition(ui: &mut Ui, query: &mut SearchQuery) {
    let response = ComboBox::from_id_salt("condition")
        .selected_text(query.kind.label())
        .width(ui.available_width())
        .show_ui(ui, |ui| {
            for offered in Condition::ALL {
                let on = offered == query.kind;
                if ui.selectable_label(on, offered.label()).clicked() && !on {
                    query.kind = offered;
                    query.limit = offered.limit().map_or(0.0, |(limit, _)| limit);
                }
            }
        })
        .response;
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, "Condition");
        info.current_text_value = Some(query.kind.label().to_owned());
        info
    });
    response.on_hover_text("The condition for the frame");
}

fn limit(ui: &mut Ui, query: &mut SearchQuery, units: UserUnits) {
    let Some((_, unit)) = query.kind.limit() else {
        return;
    };
    ui.horizontal(|ui| {
        caption(ui, "limit");
        let most = if query.kind == Condition::HitBefore {
            1.0
        } else {
            f64::MAX
        };
        let mut limit = units.value(query.limit, unit);
        let before = limit;
        let speed = (limit.abs() * 0.01).max(1e-5);
        let kind = Kind::between(0.0, most)
            .with_unit(units.unit(unit))
            .with_speed(speed);
        let at_rest = |limit| kind.with_its_unit(&short(limit, 12));
        number_field(ui, "Limit", &mut limit, kind, at_rest)
            .on_hover_text("Drag, or click to edit");
        // Only a change, as the conversion rounds.
        if limit != before {
            query.limit = units.si(limit, unit);
        }
    });
}

/// A button that searches for the selected objects, if they are not in the query.
fn selected(ui: &mut Ui, model: &Model, query: &mut SearchQuery) {
    let objects = model.selection.objects();
    let (a, b) = match (query.kind.objects(), model.selection.pair()) {
        (2, Some((a, b))) => (Some(a), Some(b)),
        (1, _) if !objects.is_empty() => (objects.last().copied(), query.b),
        _ => return,
    };
    if (a, b) == (query.a, query.b) {
        return;
    }
    ui.horizontal(|ui| {
        ui.add_space(LABEL);
        let text = "Use selection";
        let icon = icons::ICON_ARROW_SELECTOR_TOOL.rich_text().size(15.0);
        let response = ui.add(Button::new((icon, text)).small());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, text));
        if response
            .on_hover_text("Search for the selected objects")
            .clicked()
        {
            (query.a, query.b) = (a, b);
        }
    });
}

fn search(ui: &mut Ui, model: &Model, query: &SearchQuery, commands: &mut Vec<Command>) {
    if let Some(share) = model.jobs.progress(JobKind::Find) {
        ui.horizontal(|ui| {
            widget::command_button(ui, &Command::StopFind, model, commands);
            let bar = match share {
                Some(share) => ProgressBar::new(share).text(format!("{:.0} %", share * 100.0)),
                None => ProgressBar::new(0.0).animate(true),
            };
            ui.add(bar.desired_height(16.0));
        });
        return;
    }
    let missing = query.condition().err();
    ui.horizontal(|ui| {
        for command in [Command::FindPrevious, Command::FindNext] {
            let Some(entry) = command.entry() else {
                continue;
            };
            let button = Button::new((entry.icon.rich_text().size(15.0), entry.text));
            let response = ui.add_enabled(missing.is_none(), button);
            let enabled = missing.is_none();
            response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, entry.text));
            let keys = widget::shortcut(ui, entry).unwrap_or_default();
            let help = format!("{}  ·  {keys}", entry.tooltip);
            if response.on_hover_text(help).clicked() {
                commands.push(command);
            }
        }
    });
    if let Some(missing) = missing {
        ui.label(RichText::new(missing).weak());
    }
}

fn outcome(ui: &mut Ui, find: &Find, document: &Document, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    ui.add_space(4.0);
    match find.outcome {
        Outcome::None => {}
        Outcome::Stopped => {
            ui.label(RichText::new("The search was stopped.").weak());
        }
        Outcome::NotFound { from, direction } => {
            ui.horizontal_wrapped(|ui| {
                let icon = icons::ICON_SEARCH_OFF.rich_text().size(17.0);
                ui.label(icon.color(palette.text_weak));
                ui.label(not_found(
                    "frame",
                    (document.replay().number(from.0), from.1),
                    direction,
                ));
            });
        }
        Outcome::Found(found) => {
            let at = f64::from(found.frame) + found.fraction;
            widget::card(ui, |ui| {
                let link = ui.link(RichText::new(moment_text(document.replay(), at)).strong());
                if link.on_hover_text("Go there again").clicked() {
                    let (frame, fraction) = (found.frame, found.fraction);
                    commands.push(Command::Seek { frame, fraction });
                }
                ui.label(find.query.answer(&found, document.replay()));
            });
        }
    }
}
