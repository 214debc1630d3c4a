//! The Bookmarks panel: the bookmarks with their notes.

use crate::app::authoring::forms;
use crate::app::command::Command;
use crate::app::model::bookmarks::Home;
use crate::app::model::{Model, Session};
use crate::app::style;
use crate::app::widget;
use crate::core::scene::Bookmark;
use egui::accesskit::Role;
use egui::{Button, RichText, ScrollArea, Ui, WidgetInfo};
use egui_material_icons::icons;

const ROW: f32 = 26.0;

/// The state of the panel.
#[derive(Default)]
pub struct Bookmarks {
    /// The note at the playhead gets the focus.
    focus: bool,
}

impl Bookmarks {
    /// Focuses the note of the bookmark at the playhead.
    pub fn focus_note(&mut self) {
        self.focus = true;
    }

    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(Session { bookmarks, .. }) = &model.session else {
            return;
        };
        widget::heading(ui, "Bookmarks", |ui| {
            for command in [
                Command::AddBookmark,
                Command::NextBookmark,
                Command::PreviousBookmark,
            ] {
                widget::command_button(ui, &command, model, commands);
            }
        });
        self.home(ui, bookmarks.home(), commands);
        if bookmarks.list().is_empty() {
            let help = "B bookmarks the playhead; Shift+B adds a note too.";
            widget::empty_state(ui, icons::ICON_BOOKMARKS, "No bookmarks", help);
            return;
        }
        self.rows(ui, model, bookmarks.list(), commands);
    }

    /// A note on where the bookmarks are stored, if not in the level's file.
    fn home(&self, ui: &mut Ui, home: Home, commands: &mut Vec<Command>) {
        if home == Home::Scene {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            let text = "Stored in the settings, because a log has no bookmarks. A scene stores them in its file.";
            ui.label(RichText::new(text).font(style::small()).weak());
            if let Some(entry) = Command::SaveFrameAs.entry() {
                let label = RichText::new(entry.text).font(style::small());
                let response = ui.add(Button::new(label).small());
                if response.on_hover_text(entry.tooltip).clicked() {
                    commands.push(Command::SaveFrameAs);
                }
            }
        });
    }

    fn rows(&mut self, ui: &mut Ui, model: &Model, list: &[Bookmark], commands: &mut Vec<Command>) {
        let playhead = model.playback.playhead();
        let here =
            |one: &Bookmark| (one.frame, one.fraction) == (playhead.frame, playhead.fraction);
        let focused = std::mem::take(&mut self.focus)
            .then(|| list.iter().position(here))
            .flatten();
        let mut area = ScrollArea::vertical()
            .id_salt("bookmarks")
            .auto_shrink(false);
        if let Some(row) = focused {
            let offset = row as f32 * ROW - ui.available_height() * 0.5;
            area = area.vertical_scroll_offset(offset.max(0.0));
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        area.show_rows(ui, ROW, list.len(), |ui, range| {
            for index in range {
                let focus = focused == Some(index);
                ui.push_id(index, |ui| {
                    row(
                        ui,
                        model,
                        &list[index],
                        (here(&list[index]), focus),
                        commands,
                    );
                });
            }
        });
    }
}

fn row(
    ui: &mut Ui,
    model: &Model,
    bookmark: &Bookmark,
    (here, focus): (bool, bool),
    commands: &mut Vec<Command>,
) {
    let Some(document) = model.document() else {
        return;
    };
    ui.horizontal(|ui| {
        ui.set_height(ROW);
        ui.spacing_mut().item_spacing.x = 4.0;
        let number = document.replay().number(bookmark.frame);
        let when = format!("frame {number} + {:.4}", bookmark.fraction);
        let label = RichText::new(&when).font(style::mono());
        let response = ui.add(Button::selectable(here, label));
        let name = format!("Go to {when}");
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, here, &name));
        if response.on_hover_text("Go to this time").clicked() {
            let (frame, fraction) = (bookmark.frame, bookmark.fraction);
            commands.push(Command::Seek { frame, fraction });
        }
        let width = (ui.available_width() - 30.0).max(40.0);
        ui.scope(|ui| {
            ui.set_max_width(width);
            note(ui, bookmark, &when, focus, commands);
        });
        let name = format!("Remove {when}");
        if widget::icon_button(ui, icons::ICON_DELETE, &name, "", false).clicked() {
            commands.push(Command::RemoveBookmark(bookmark.clone()));
        }
    });
}

/// The field of a bookmark's note.
fn note(ui: &mut Ui, bookmark: &Bookmark, when: &str, focus: bool, commands: &mut Vec<Command>) {
    let mut note = bookmark.note.clone();
    let response = forms::text_or(ui, &format!("Note of {when}"), &mut note, "Note", false);
    if focus {
        response.request_focus();
    }
    if note != bookmark.note {
        let new = Bookmark {
            note,
            ..bookmark.clone()
        };
        commands.push(Command::ReplaceBookmark(bookmark.clone(), new));
    }
}
