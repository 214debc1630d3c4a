//! The prompts before something is lost.

use crate::app::autosave_file::Autosave;
use crate::app::command::Command;
use crate::app::command::arguments::PromptReply;
use crate::app::model::{Model, Prompt};
use crate::app::widget;
use egui::{Context, Id, Key, Modal, RichText, Ui};

/// Draws the open prompt.
pub fn show(ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
    let Some(prompt) = &model.prompt else {
        return;
    };
    let title = model
        .document()
        .map_or_else(String::new, |document| document.title());
    let (question, more, save, discard) = match prompt {
        Prompt::Unsaved(command) => (
            format!("Save the changes of {title}?"),
            match model.opened_name().filter(|_| **command == Command::ShowOpened) {
                Some(other) => format!("They are not in a file yet and would be lost: {other} takes their place."),
                None => "They are not in a file yet and would be lost.".to_owned(),
            },
            "Save the changes",
            "Discard the changes",
        ),
        Prompt::ChangedOutside(_) => (
            format!("{title} was changed by another program"),
            "The scene has unsaved changes. Keep them: a save asks before it overwrites the file. Or use the text of the file: undo restores your changes.".to_owned(),
            "Keep my changes",
            "Use the file",
        ),
        Prompt::Overwrite(path) => (
            format!("Overwrite the changes of another program in {title}?"),
            format!("{} has changed since it was read or saved here.", path.display()),
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
    let response = Modal::new(Id::unique("prompt")).show(ctx, |ui| {
        ui.set_width(420.0);
        ui.label(RichText::new(question).strong().size(16.0));
        ui.label(more);
        let meant = match prompt {
            Prompt::Unsaved(command) => matches!(**command, Command::CloseLevel | Command::Quit),
            Prompt::Recover(_) => true,
            Prompt::ChangedOutside(_) | Prompt::Overwrite(_) => false,
        };
        buttons(ui, [save, discard], meant, commands);
    });
    if response.should_close() || ctx.input(|input| input.key_pressed(Key::Escape)) {
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

/// The buttons. The first one is lit and Enter presses it in a prompt that follows from a command, or from the start of the program; other
/// prompts open at any time and take no key that was typed for something else.
fn buttons(ui: &mut Ui, [save, discard]: [&str; 2], meant: bool, commands: &mut Vec<Command>) {
    widget::dialog_buttons(ui, |ui| {
        for (text, reply) in [
            (save, PromptReply::Save),
            (discard, PromptReply::Discard),
            ("Cancel", PromptReply::Cancel),
        ] {
            let button = match reply {
                PromptReply::Save if meant => ui.add(widget::primary_button(ui, text)),
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
