//! The form for the command with which a finding is tuned in the user's own build. It is shown before each run.

use super::import_form::confirm;
use crate::app::build_command::{BuildCommand, Faults, Field, all_fixes};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::{edited_fields, keyboard_focus, number_field, style, text, widget};
use crate::core::diagnose::Finding;
use crate::run::{Pattern, expected_runs, proposed_values};
use egui::accesskit::Role;
use egui::text::{CCursor, CCursorRange};
use egui::{
    Button, Context, Grid, Id, Key, Modal, Response, RichText, ScrollArea, TextEdit, Ui, WidgetInfo,
};

/// Width of the form, points.
const WIDTH: f32 = 640.0;
/// Width of the fields of values, points.
const VALUES: f32 = 170.0;
/// Most runs of a value, as on the command line.
const MOST_RUNS: u32 = 100_000;
/// Most runs at a time, as on the command line.
const MOST_AT_ONCE: u32 = 1024;
/// Longest time limit, seconds: a day.
const LONGEST: u32 = 86_400;

/// Draws the form while the command is asked for.
pub fn show(ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
    let (Some(command), Some(finding)) = (model.build_command(), model.selected_finding()) else {
        return;
    };
    let mut edited = command.clone();
    let (settings, faults) = match command.read(finding, String::new()) {
        Ok((_, settings)) => (Some(settings), Faults::new()),
        Err(faults) => (None, faults),
    };
    // Enter in a field ends the edit, and starts no program.
    let is_typing = ctx.memory(|memory| memory.focused().is_some());
    let answer = Modal::new(Id::unique("tune")).show(ctx, |ui| {
        ui.set_width(f32::min(WIDTH, ctx.content_rect().width() - 60.0));
        ui.label(RichText::new("Tune in my build").strong().size(16.0));
        ui.label(format!(
            "Your program is run again and again. Each log is judged for {}.",
            Pattern::of(finding).text()
        ));
        let height = ctx.content_rect().height() - 190.0;
        let area = ScrollArea::vertical().max_height(height);
        area.min_scrolled_height(height).show(ui, |ui| {
            ui.add_space(6.0);
            line(ui, &mut edited, finding, model, &faults);
            folder(ui, &mut edited, &faults);
            parameters(ui, &mut edited, &faults);
            numbers(ui, &mut edited);
            if let Some(settings) = settings {
                let runs = expected_runs(&settings);
                small(ui, &format!("About {}", text::count(runs, "run")));
            }
            preview(ui, command);
            keyboard_focus::follow(ui);
        });
        let help = match faults.is_empty() {
            true => "Run this command",
            false => "Complete the fields first",
        };
        let entered = ui.input(|input| input.key_pressed(Key::Enter));
        if let Some(runs) = confirm(ui, "Run", help, faults.is_empty())
            && !(runs && entered && is_typing)
        {
            commands.push(Command::CloseBuildCommand(runs));
        }
    });
    if edited != *command {
        commands.insert(0, Command::SetBuildCommand(edited));
    }
    if answer.should_close() {
        commands.push(Command::CloseBuildCommand(false));
    }
}

fn heading(ui: &mut Ui, title: &str) {
    ui.add_space(6.0);
    small(ui, title);
}

fn small(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(style::small()).weak());
}

fn fault(ui: &mut Ui, faults: &Faults, field: &Field) {
    if let Some(why) = faults.get(field) {
        let color = Palette::of(ui.visuals()).bad;
        ui.colored_label(color, why);
    }
}

fn line(ui: &mut Ui, edited: &mut BuildCommand, finding: &Finding, model: &Model, faults: &Faults) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        small(ui, "Command");
        earlier(ui, edited, finding, model);
    });
    let hint = "./game --headless --substeps {substeps} --record {log}";
    let width = ui.available_width() - 20.0;
    let is_empty = edited.line.is_empty();
    let response = edited_fields::line(ui, &mut edited.line, "Command", hint, width);
    if is_empty && ui.memory(|memory| memory.focused().is_none()) {
        response.request_focus();
    }
    // An empty field says by its hint what belongs there.
    if !is_empty {
        fault(ui, faults, &Field::Line);
    }
    let about = "{log} is the path of the log that a run writes, {port} a port that receives one; each other {name} is a parameter. The program also has them as variables: HITSTOP_LOG, HITSTOP_NAME. It is started without a shell.";
    small(ui, about);
    let proposed = all_fixes(finding).filter_map(|fix| {
        let values = proposed_values(fix, &finding.fixes, model.units())?;
        Some((fix.what.name(), values))
    });
    let proposed: Vec<_> = proposed.collect();
    if proposed.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label("Fixes of this finding:");
        for (name, values) in proposed {
            let place = format!("{{{name}}}");
            let is_new = !edited.line.contains(&place);
            let button = ui.add_enabled(is_new, Button::new(&place).small());
            let help = format!("Add it to the command, with the values {values}");
            if button.on_hover_text(help).clicked() {
                edited.line = format!("{} {place}", edited.line.trim_end());
                go_on_typing(&response, &edited.line);
            }
        }
    });
}

/// Draws the menu of the commands that were run before.
fn earlier(ui: &mut Ui, edited: &mut BuildCommand, finding: &Finding, model: &Model) {
    let mut all = model.earlier_build_commands().peekable();
    if all.peek().is_none() {
        return;
    }
    let menu = ui.menu_button(
        "Earlier commands",
        widget::content(|ui| {
            for earlier in all {
                let entry = Button::new(RichText::new(&earlier.line).monospace()).truncate();
                if ui.add(entry).on_hover_text(&earlier.folder).clicked() {
                    *edited = earlier.clone();
                    edited.forget_others(finding, model.units());
                    ui.close();
                }
            }
        }),
    );
    let response = menu.response;
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Earlier commands"));
}

/// Moves the focus into a field, to the end of its text.
fn go_on_typing(field: &Response, text: &str) {
    let mut state = TextEdit::load_state(&field.ctx, field.id).unwrap_or_default();
    let end = CCursorRange::one(CCursor::new(text.chars().count()));
    state.cursor.set_char_range(Some(end));
    state.store(&field.ctx, field.id);
    field.request_focus();
}

fn folder(ui: &mut Ui, edited: &mut BuildCommand, faults: &Faults) {
    heading(ui, "Folder in which it is run");
    let width = ui.available_width() - 20.0;
    edited_fields::line(ui, &mut edited.folder, "Folder", "", width);
    fault(ui, faults, &Field::Folder);
}

fn parameters(ui: &mut Ui, edited: &mut BuildCommand, faults: &Faults) {
    let names = edited.names();
    if names.is_empty() {
        return;
    }
    heading(ui, "Parameters");
    let table = Grid::new("parameters").min_col_width(VALUES);
    table.show(ui, |ui| {
        for name in names {
            ui.label(RichText::new(text::words(&name)).strong());
            let mut values = edited.values.get(&name).cloned().unwrap_or_default();
            let label = format!("Values of {name}");
            let hint = "1..64, 0.5..2:0.1 or a,b";
            let field = edited_fields::line(ui, &mut values, &label, hint, VALUES);
            if field.changed() || field.lost_focus() {
                edited.values.insert(name.clone(), values);
            }
            let mut is_start = edited.start.as_ref() == Some(&name);
            let start = widget::outlined(ui, |ui| ui.checkbox(&mut is_start, "start of a run"));
            let help = "It is not tuned: the runs of each value begin evenly over this range. Give that of one step, as whether a step lands in a wall depends on where it starts";
            if start.on_hover_text(help).changed() {
                edited.start = is_start.then(|| name.clone());
            }
            ui.end_row();
            let field = Field::Values(name);
            if faults.contains_key(&field) {
                ui.label("");
                ui.vertical(|ui| fault(ui, faults, &field));
                ui.end_row();
            }
        }
    });
}

fn numbers(ui: &mut Ui, edited: &mut BuildCommand) {
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        let fields = [
            ("Runs of each value", &mut edited.runs, MOST_RUNS),
            ("At a time", &mut edited.at_once, MOST_AT_ONCE),
            ("Time limit of a run, s", &mut edited.seconds, LONGEST),
        ];
        for (name, value, most) in fields {
            ui.label(name);
            number_field::whole(ui, name, value, 1, most);
            ui.add_space(8.0);
        }
    });
}

/// The words of the first run, as they were read.
fn preview(ui: &mut Ui, command: &BuildCommand) {
    let Ok(words) = command.words() else {
        return;
    };
    let words = words.iter().map(|word| {
        let quoted = shlex::try_quote(word).map(|quoted| quoted.into_owned());
        match word.contains(char::is_whitespace) {
            true => quoted.unwrap_or_else(|_| word.clone()),
            false => word.clone(),
        }
    });
    let words = words.collect::<Vec<_>>().join("  ");
    heading(ui, "Program and arguments, as they are read");
    ui.label(RichText::new(words).monospace());
}
