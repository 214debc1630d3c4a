//! The help: the guide, the causes of findings, the log format, and the program, with a search.

mod connected;
mod film;
mod markdown;
mod tour;

use crate::app::command::Command;
use crate::app::edited_fields;
use crate::app::help_topics::{
    ABOUT, CONNECT, HelpPage, LICENCE_LINES, LICENCES, TOPICS, TOUR, Topic,
};
use crate::app::list_row::ListRow;
use crate::app::model::Model;
use crate::bundled;
use crate::core::diagnose::Cause;
use egui::{Context, Label, Panel, RichText, ScrollArea, TextStyle, Ui, Window, vec2};
use film::FilmPlayer;

const SIZE: egui::Vec2 = vec2(900.0, 620.0);

/// The state of the help window.
#[derive(Default)]
pub struct Help {
    search: String,
    /// The topic of the last pass.
    shown: Option<usize>,
    film: FilmPlayer,
}

impl Help {
    /// Draws the help if it is open.
    pub fn ui(&mut self, ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
        let before = std::mem::replace(&mut self.shown, model.ui_state.help);
        let Some(index) = model.ui_state.help else {
            return;
        };
        let mut open = true;
        let space = ctx.content_rect().size() - vec2(40.0, 80.0);
        Window::new("Help")
            .open(&mut open)
            .collapsible(false)
            .default_size(SIZE.min(space))
            .default_pos(ctx.content_rect().center() - SIZE.min(space) * 0.5)
            .show(ctx, |ui| {
                Panel::left("topics")
                    .resizable(false)
                    .exact_size(270.0)
                    .show(ui, |ui| self.topics(ui, index, commands));
                egui::CentralPanel::default().show(ui, |ui| {
                    let topic = &TOPICS[index];
                    let mut area = ScrollArea::new([topic.title == LICENCES, true]);
                    area = area.auto_shrink(false);
                    if before != Some(index) {
                        area = area.vertical_scroll_offset(0.0);
                        self.film = FilmPlayer::default();
                    }
                    if topic.title == LICENCES {
                        licences(ui, area);
                    } else {
                        area.show(ui, |ui| page(ui, model, topic, &mut self.film, commands));
                    }
                });
            });
        if !open {
            commands.push(Command::CloseHelp);
        }
    }

    /// The list of the topics that contain the searched text.
    fn topics(&mut self, ui: &mut Ui, index: usize, commands: &mut Vec<Command>) {
        let field = edited_fields::filter(ui, &mut self.search, "Search the help", "Search");
        field.on_hover_text("List only topics with this text");
        let wanted = self.search.trim().to_lowercase();
        let is_listed = |topic: &Topic| {
            let mut texts = [topic.book, topic.title, topic.text].into_iter();
            texts.any(|text| text.to_lowercase().contains(&wanted))
        };
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let mut book = "";
            for (number, topic) in TOPICS.iter().enumerate() {
                if !is_listed(topic) {
                    continue;
                }
                if topic.book != book {
                    book = topic.book;
                    ui.add_space(6.0);
                    ui.label(RichText::new(book).weak());
                }
                let row = ListRow {
                    text: topic.title,
                    selected: number == index,
                    ..ListRow::default()
                };
                if row.show(ui).on_hover_text(topic.title).clicked() {
                    commands.push(Command::Help(HelpPage::Topic(number)));
                }
            }
            if book.is_empty() {
                ui.label(RichText::new("No topic contains this text.").weak());
            }
        });
    }
}

/// Only the lines in view are laid out.
fn licences(ui: &mut Ui, area: ScrollArea) {
    let height = ui.text_style_height(&TextStyle::Monospace);
    area.show_rows(ui, height, LICENCE_LINES.len(), |ui, shown| {
        for line in &LICENCE_LINES[shown] {
            ui.add(Label::new(RichText::new(*line).monospace()).extend());
        }
    });
}

fn page(
    ui: &mut Ui,
    model: &Model,
    topic: &Topic,
    film: &mut FilmPlayer,
    commands: &mut Vec<Command>,
) {
    ui.label(RichText::new(topic.title).strong().size(20.0));
    ui.add_space(6.0);
    if topic.title == ABOUT {
        markdown::show(ui, &about(model));
        if ui
            .link("Licences of the crates that are built in")
            .clicked()
        {
            commands.push(Command::Help(HelpPage::Licences));
        }
        return;
    }
    if topic.title == TOUR {
        return tour::show(ui, model, commands);
    }
    if topic.book == CONNECT {
        connected::show(ui, model, commands);
    }
    let id = topic.title.split(' ').next().unwrap_or_default();
    let cause = Cause::from_id(id);
    // Of a cause, its meaning is above its drawing.
    let picture = topic.text.find("![").filter(|_| cause.is_some());
    let (meaning, text) = topic.text.split_at(picture.unwrap_or(0));
    markdown::show(ui, meaning);
    // Always there, so that what is below keeps its ids when the drawing comes.
    ui.vertical(|ui| match cause.and_then(|cause| model.cause_film(cause)) {
        Some(shown) => film.ui(ui, shown),
        None if cause.is_some() && model.is_drawing_cause() => {
            ui.weak("Drawing the level…");
        }
        None => {}
    });
    markdown::show(ui, text);
    if let Some(cause) = cause {
        examples(ui, model, cause, commands);
    }
}

/// Buttons that open the bundled levels of a cause.
fn examples(ui: &mut Ui, model: &Model, cause: Cause, commands: &mut Vec<Command>) {
    let shows = |entry: &&bundled::Entry| entry.causes.contains(&cause);
    let mut of_cause = model.bundle.iter().filter(shows).peekable();
    if of_cause.peek().is_none() {
        return;
    }
    ui.label(RichText::new("Examples").strong());
    ui.horizontal_wrapped(|ui| {
        for entry in of_cause {
            if ui.button(&entry.title).on_hover_text(&entry.line).clicked() {
                commands.push(Command::OpenBundled(entry.file.to_owned()));
            }
        }
    });
}

/// The text about the program.
fn about(model: &Model) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let licence = env!("CARGO_PKG_LICENSE").replace(" OR ", " or ");
    let renderer = model.renderer.as_deref().unwrap_or("none");
    let path = |path: Option<std::path::PathBuf>| {
        path.map_or_else(|| "not saved".to_owned(), |path| path.display().to_string())
    };
    let settings = path(model.settings.file().map(Into::into));
    let recovery = path(model.settings.recovery_folder());
    format!(
        "The collision replay debugger.\n\n\
         - Version: {version}\n- Licence: {licence}\n- Renderer: {renderer}\n\
         - Settings: `{settings}`\n- Unsaved changes: `{recovery}`\n\n\
         Units are metres, seconds and radians in files; the window shows angles in degrees. Y is up."
    )
}
