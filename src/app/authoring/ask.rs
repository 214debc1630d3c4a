//! What is asked before something is lost.

use crate::app::autosave_file::Autosave;
use crate::app::command::Command;
use crate::app::command::arguments::PromptReply;
use crate::app::model::{Model, Prompt};
use crate::app::widget;
use egui::{Context, Id, Key, Modal, RichText, Ui};

/// Draws the question, if there is one.
pub fn show(ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
    let Some(ask) = &model.prompt else {
        return;
    };
    let title = model
        .document()
        .map_or_else(String::new, |document| document.title());
    let (question, more, save, discard) = match ask {
        Prompt::Unsaved(_) => (
            format!("Save the changes of {title}?"),
            "They are in no file yet, and would be lost.".to_owned(),
            "Save the changes",
            "Discard the changes",
        ),
        Prompt::ChangedOutside(_) => (
            format!("{title} was changed by another program"),
            "It was changed here, too. What is here can be kept: before it is saved over the file, you are asked. What is taken from the file can be undone.".to_owned(),
            "Keep what is here",
            "Take what is in the file",
        ),
        Prompt::Overwrite(path) => (
            format!("Overwrite the changes of another program in {title}?"),
            format!("{} is not as it was read or saved here last.", path.display()),
            "Save elsewhere…",
            "Overwrite the file",
        ),
        Prompt::Recover((_, autosave)) => (
            "Recover unsaved changes?".to_owned(),
            unsaved_changes(autosave),
            "Recover",
            "Discard the changes",
        ),
    };
    let answer = Modal::new(Id::unique("ask")).show(ctx, |ui| {
        ui.set_width(420.0);
        ui.label(RichText::new(question).strong().size(16.0));
        ui.label(more);
        let meant = matches!(ask, Prompt::Unsaved(_));
        buttons(ui, [save, discard], meant, commands);
    });
    if answer.should_close() || ctx.input(|input| input.key_pressed(Key::Escape)) {
        commands.push(Command::Reply(PromptReply::Cancel));
    }
}

fn unsaved_changes(autosave: &Autosave) -> String {
    let path = autosave.file.as_ref();
    let name = path.map(|path| path.display().to_string());
    let name = name.or_else(|| autosave.bundled.clone());
    let name = name.unwrap_or_else(|| "a new scene".to_owned());
    let place = match path {
        Some(path) if path.is_relative() => " Its folder is not known: it opens as a new scene.",
        _ => "",
    };
    format!("The program ended before the changes of {name} were saved.{place}")
}

/// The answers. Where a person's own command led here, Enter means the first; a question that comes by itself never takes a
/// key that was meant for something else.
fn buttons(ui: &mut Ui, [save, discard]: [&str; 2], meant: bool, commands: &mut Vec<Command>) {
    widget::dialog_buttons(ui, |ui| {
        for (text, reply) in [
            (save, PromptReply::Save),
            (discard, PromptReply::Discard),
            ("Cancel", PromptReply::Cancel),
        ] {
            let button = match reply {
                PromptReply::Save => ui.add(widget::primary_button(ui, text)),
                _ => ui.button(text),
            };
            if meant && reply == PromptReply::Save && ui.memory(|memory| memory.focused().is_none())
            {
                button.request_focus();
            }
            if button.clicked() {
                commands.push(Command::Reply(reply));
            }
        }
    });
}
