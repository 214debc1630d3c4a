//! The dialog for what a file does not say itself: the columns of a table, or which animation.

use super::import_form::{confirm, units};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::asking::Asking;
use crate::app::theme::Palette;
use crate::app::{text, widget};
use crate::core::import::AnimationClip;
use crate::core::level::{FileChoice, ReadOptions};
use crate::core::log::{Column, TablePreview};
use crate::core::scene::Units;
use egui::accesskit::Role;
use egui::{ComboBox, Context, Grid, Id, Key, Modal, RichText, ScrollArea, Ui, WidgetInfo};

/// Columns of a table that are shown.
const COLUMNS: usize = 100;
/// Points that what the rows are read as takes.
const OUTCOME: f32 = 84.0;
/// Letters of a cell that are shown.
const LETTERS: usize = 24;

/// Draws the dialog while there is a question.
pub fn show(ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
    let Some(asking) = model.asking() else {
        return;
    };
    let answer = Modal::new(Id::unique("read options")).show(ctx, |ui| {
        let name = asking.path.file_name().unwrap_or_default();
        let title = format!("Open {}", name.display());
        let width = match &asking.choice {
            FileChoice::Animation { .. } => 420.0,
            FileChoice::Columns(_) => 760.0,
        };
        ui.set_width(f32::min(width, ctx.content_rect().width() - 60.0));
        ui.label(RichText::new(title).strong().size(16.0));
        ui.add_space(4.0);
        match &asking.choice {
            FileChoice::Animation { clips, are_parts } => {
                animations(ui, clips, *are_parts, &asking.options, commands);
            }
            FileChoice::Columns(preview) => table(ui, preview, asking, commands),
        }
        let (tooltip, enabled) = match asking.outcome {
            Ok(_) => (
                "Read the file (Enter); the answer is kept for this file",
                true,
            ),
            Err(_) => ("Choose the columns first", false),
        };
        if let Some(answered) = confirm(ui, "Open", tooltip, enabled) {
            commands.push(Command::CloseReadOptions(answered));
        }
    });
    if answer.should_close() || ctx.input(|input| input.key_pressed(Key::Escape)) {
        commands.push(Command::CloseReadOptions(false));
    }
}

fn animations(
    ui: &mut Ui,
    clips: &[AnimationClip],
    are_parts: bool,
    options: &ReadOptions,
    commands: &mut Vec<Command>,
) {
    ui.label("The file has several animations. Which one is the motion of its objects?");
    ui.add_space(4.0);
    let mut option = |ui: &mut Ui, words: String, wanted: Option<&String>| {
        let on = options.animation.as_ref() == wanted;
        if widget::outlined(ui, |ui| ui.radio(on, words)).clicked() {
            commands.push(Command::SetReadOptions(ReadOptions {
                animation: wanted.cloned(),
                ..options.clone()
            }));
        }
    };
    let height = ui.ctx().content_rect().height() - 260.0;
    ScrollArea::vertical().max_height(height).show(ui, |ui| {
        for clip in clips {
            let length = text::number(clip.seconds);
            option(ui, format!("{}, {length} s", clip.name), Some(&clip.name));
        }
    });
    ui.add_space(4.0);
    option(ui, "All of them together".to_owned(), None);
    let about = match are_parts {
        true => "Each moves other objects, so they may be parts of one motion.",
        false => "Some move the same object: of these the first is taken.",
    };
    ui.label(RichText::new(about).weak());
}

fn table(ui: &mut Ui, preview: &TablePreview, asking: &Asking, commands: &mut Vec<Command>) {
    ui.label("What is each column? Needed are px, py, pz, and frame or time; and name where there are several objects.");
    let chosen = preview.chosen(&asking.options);
    let shown = chosen.len().min(COLUMNS);
    let set = |columns| {
        Command::SetReadOptions(ReadOptions {
            columns,
            ..asking.options.clone()
        })
    };
    ui.add_space(4.0);
    ScrollArea::horizontal().id_salt("columns").show(ui, |ui| {
        Grid::new("preview").striped(true).show(ui, |ui| {
            for column in 0..shown {
                if let Some(wanted) = choose(ui, preview, column, &chosen) {
                    let mut chosen = chosen.clone();
                    if wanted.is_some() {
                        // One column of each.
                        let is_other = |other: &&mut Option<Column>| **other == wanted;
                        chosen
                            .iter_mut()
                            .filter(is_other)
                            .for_each(|other| *other = None);
                    }
                    chosen[column] = wanted;
                    commands.push(set(preview.names(&chosen)));
                }
            }
            ui.end_row();
            if let Some(headings) = preview.headings() {
                headings.take(shown).for_each(|heading| {
                    ui.label(RichText::new(shortened(heading)).strong());
                });
                ui.end_row();
            }
            for row in preview.rows() {
                row.take(shown).for_each(|cell| {
                    ui.label(shortened(cell));
                });
                ui.end_row();
            }
        });
    });
    if shown < chosen.len() {
        let text = format!("The first {shown} of {} columns are shown.", chosen.len());
        ui.label(RichText::new(text).weak());
    }
    ui.add_space(4.0);
    if let Some(Units { length, up, .. }) = units(ui, asking.units(), None) {
        let default = Units::default();
        commands.push(Command::SetReadOptions(ReadOptions {
            unit: (length != default.length).then_some(length),
            up: (up != default.up).then_some(up),
            ..asking.options.clone()
        }));
    }
    ui.add_space(4.0);
    outcome(ui, asking);
}

/// What a column is; returns another choice.
fn choose(
    ui: &mut Ui,
    preview: &TablePreview,
    column: usize,
    chosen: &[Option<Column>],
) -> Option<Option<Column>> {
    // A heading that is chosen elsewhere says nothing here.
    let known = preview
        .known(column)
        .filter(|known| !chosen.contains(&Some(*known)));
    let by_heading = known.map_or("not read", Column::name);
    let chosen = chosen[column];
    let selected = chosen.map_or(by_heading, Column::name);
    let mut wanted = None;
    let combo = ComboBox::from_id_salt(("column", column))
        .selected_text(selected)
        .width(84.0)
        .show_ui(ui, |ui| {
            let as_is = ui.selectable_label(chosen.is_none(), by_heading);
            if as_is.on_hover_text("As its heading says").clicked() {
                wanted = Some(None);
            }
            for (other, name) in Column::ALL {
                if ui.selectable_label(chosen == Some(other), name).clicked() {
                    wanted = Some(Some(other));
                }
            }
        });
    let label = format!("Column {}: {selected}", column + 1);
    combo
        .response
        .widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &label));
    wanted
}

/// What the rows are read as, or why they cannot be; always as high.
fn outcome(ui: &mut Ui, asking: &Asking) {
    let (state, problems) = match &asking.outcome {
        Ok((objects, frames, notices)) => {
            let objects = text::count(*objects, "object");
            let frames = text::count(*frames, "frame");
            let state = format!("The first rows have {objects} in {frames}.");
            (RichText::new(state), notices)
        }
        Err(problems) => {
            let colour = Palette::of(ui.visuals()).bad;
            (
                RichText::new("It cannot be read like this:").color(colour),
                &problems.0,
            )
        }
    };
    ScrollArea::vertical()
        .id_salt("outcome")
        .max_height(OUTCOME)
        .min_scrolled_height(OUTCOME)
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.label(state);
            for problem in problems {
                ui.label(&problem.what);
            }
        });
}

fn shortened(cell: &str) -> String {
    match cell.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell.to_owned(),
    }
}
