//! The system's file dialogs, each on its own thread.

use super::command::Command;
use super::command::arguments::{Export, Output};
use super::jobs::RequestRepaint;
use super::model::{Dialog, PlotsAs};
use super::widget;
use egui::{Context, Id, Key, Modal, RichText, TextEdit};
use std::mem::discriminant;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::{Duration, Instant};

/// The options of a dialog for saving.
struct SaveOptions {
    title: &'static str,
    /// The suggested name.
    name: String,
    /// The name of the file type.
    kind: &'static str,
    /// The extensions of the file type, the usual one first.
    extensions: Vec<&'static str>,
    folder: Option<PathBuf>,
}

/// The options of a dialog for opening: the title, the name of the file type, and its extensions.
type OpenOptions = (&'static str, (&'static str, &'static [&'static str]));

impl Dialog {
    /// The command for the chosen file.
    fn command(self, path: PathBuf) -> Command {
        match self {
            Self::Open => Command::Open(path),
            Self::Import => Command::Import(path),
            Self::Compare => Command::CompareWith(path),
            Self::Frame(_) => Command::SaveFrameTo(path),
            Self::Reproduction(engine, _) => Command::SaveReproduction(engine, path),
            Self::Scene(..) => Command::SaveTo(path),
            Self::Walk(_) => Command::SaveWalk(path),
            Self::Plots(PlotsAs::Csv, _) => Command::SaveCsv(path),
            Self::Plots(PlotsAs::PairHistory, _) => Command::SavePairHistory(path),
            Self::Plots(PlotsAs::Png, _) => Command::SavePng(path),
            Self::Output(output, ..) => Command::WriteOutput(output, path),
            Self::View(what, _) => Command::Export(what, path),
        }
    }

    /// The options of a dialog for opening; `None` for one that saves.
    fn open_options(&self) -> Option<OpenOptions> {
        let levels = (
            "Scenes and logs",
            &[
                "ron", "jsonl", "ndjson", "csv", "parquet", "ovd", "gz", "zst", "gltf", "glb",
                "obj",
            ][..],
        );
        match self {
            Self::Open => Some(("Open a scene or a log", levels)),
            Self::Compare => Some(("Compare with a scene or a log", levels)),
            Self::Import => Some((
                "Import a mesh file",
                ("Meshes", &["obj", "gltf", "glb"][..]),
            )),
            _ => None,
        }
    }

    /// The options of a dialog for saving; `None` for one that opens.
    fn save_options(&self) -> Option<SaveOptions> {
        let of =
            |title, name: String, kind, extensions: &[_], folder: &Option<PathBuf>| SaveOptions {
                title,
                name,
                kind,
                extensions: extensions.to_vec(),
                folder: folder.clone(),
            };
        Some(match self {
            Self::Open | Self::Compare | Self::Import => return None,
            Self::Frame(folder) => of(
                "Save this frame as a test scene",
                "frame.ron".to_owned(),
                "Scenes",
                &["ron"],
                folder,
            ),
            Self::Reproduction(engine, folder) => of(
                "Save a reproduction as code",
                format!("repro.{}", engine.ending()),
                "Programs",
                &[engine.ending()],
                folder,
            ),
            Self::Scene(folder, name) => {
                of("Save the scene", name.clone(), "Scenes", &["ron"], folder)
            }
            Self::Walk(folder) => of(
                "Save the walk as a recording",
                "walk.jsonl".to_owned(),
                "Recordings",
                &["jsonl"],
                folder,
            ),
            Self::Plots(plots, folder) => {
                let (title, kind, name, extensions) = match plots {
                    PlotsAs::Csv => ("Save the plots as a table", "Tables", "plots", &["csv"]),
                    PlotsAs::Png => ("Save the plots as an image", "Images", "plots", &["png"]),
                    PlotsAs::PairHistory => (
                        "Save the pair history as a table",
                        "Tables",
                        "pair",
                        &["csv"],
                    ),
                };
                let name = format!("{name}.{}", extensions[0]);
                of(title, name, kind, extensions, folder)
            }
            Self::Output(output, folder, name) => {
                let (title, kind, extensions) = match output {
                    Output::Report => ("Save the report", "Web pages", &["html"][..]),
                    Output::ReplayPage => ("Save the replay page", "Web pages", &["html"][..]),
                    Output::Findings => (
                        "Export the findings as JSON, SARIF or JUnit XML",
                        "Findings",
                        &["json", "sarif", "xml"][..],
                    ),
                    Output::Recording => (
                        "Convert the recording to JSON Lines, CSV, Parquet, glTF or a scene",
                        "Recordings and scenes",
                        &["jsonl", "csv", "parquet", "glb", "ron", "zst", "gz"][..],
                    ),
                    Output::Shots => (
                        "Save the shots as a recording",
                        "Recordings",
                        &["jsonl", "csv", "parquet", "zst", "gz"][..],
                    ),
                };
                let name = format!("{}.{}", file_name(name), extensions[0]);
                of(title, name, kind, extensions, folder)
            }
            Self::View(what, name) => {
                let (title, kind, extensions) = match what {
                    Export::Image => ("Save an image of the viewport", "Images", &["png"]),
                    Export::Loop | Export::Frame => {
                        ("Save a clip of the viewport", "Clips", &["gif"])
                    }
                };
                let name = format!("{}.{}", file_name(name), extensions[0]);
                of(title, name, kind, extensions, &None)
            }
        })
    }

    /// Shows the dialog and waits; `None` if it was cancelled, and on Linux also if there is no dialog service.
    fn show(&self) -> Option<PathBuf> {
        match (self.open_options(), self.save_options()) {
            (Some(options), _) => open(options),
            (None, Some(options)) => save(options),
            (None, None) => None,
        }
    }
}

fn open((title, (kind, extensions)): OpenOptions) -> Option<PathBuf> {
    rfd::FileDialog::new()
        .set_title(title)
        .add_filter(kind, extensions)
        .add_filter("All files", &["*"])
        .pick_file()
}

fn save(options: SaveOptions) -> Option<PathBuf> {
    let mut dialog = rfd::FileDialog::new()
        .set_title(options.title)
        .set_file_name(options.name)
        .add_filter(options.kind, &options.extensions);
    if let Some(folder) = options.folder {
        dialog = dialog.set_directory(folder);
    }
    let mut path = dialog.save_file()?;
    if path.extension().is_none() {
        path.set_extension(options.extensions[0]);
    }
    Some(path)
}

/// A dialog that closes within this time was never shown: the system has no file dialogs.
const TOO_FAST: Duration = Duration::from_millis(500);

/// An open dialog of the system.
struct OpenDialog {
    dialog: Dialog,
    answer: Receiver<Option<PathBuf>>,
    since: Instant,
}

/// The open dialogs.
#[derive(Default)]
pub struct Dialogs {
    open: Vec<OpenDialog>,
    path_prompt: Option<PathPrompt>,
}

impl Dialogs {
    /// Shows a dialog, unless one of the same kind is open.
    pub fn show(&mut self, dialog: Dialog, request_repaint: RequestRepaint) {
        let kind = discriminant(&dialog);
        if self
            .open
            .iter()
            .any(|one| discriminant(&one.dialog) == kind)
        {
            return;
        }
        let (sender, answer) = mpsc::channel();
        let shown = dialog.clone();
        std::thread::spawn(move || {
            // It fails only when the window was closed.
            let _ = sender.send(shown.show());
            request_repaint();
        });
        self.open.push(OpenDialog {
            dialog,
            answer,
            since: Instant::now(),
        });
    }

    /// Pushes the commands of the files that were chosen since the last pass. If the system has no file dialogs, shows a prompt
    /// for the path.
    pub fn take(&mut self, commands: &mut Vec<Command>) {
        let path_prompt = &mut self.path_prompt;
        self.open.retain(|one| match one.answer.try_recv() {
            Err(TryRecvError::Empty) => true,
            answer => {
                match answer.ok().flatten() {
                    Some(path) => commands.push(one.dialog.clone().command(path)),
                    None if one.since.elapsed() < TOO_FAST => {
                        *path_prompt = Some(PathPrompt::of(one.dialog.clone()));
                    }
                    None => {}
                }
                false
            }
        });
    }

    /// Draws the prompt for a path, if it is open.
    pub fn ui(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        if let Some(prompt) = &mut self.path_prompt
            && prompt.ui(ctx, commands)
        {
            self.path_prompt = None;
        }
    }
}

/// A prompt for a path, for systems without file dialogs.
struct PathPrompt {
    dialog: Dialog,
    title: &'static str,
    path: String,
    saves: bool,
    focused: bool,
}

impl PathPrompt {
    fn of(dialog: Dialog) -> Self {
        let save = dialog.save_options();
        let title = save.as_ref().map(|save| save.title);
        let title = title.or(dialog.open_options().map(|(title, _)| title));
        let path = save.as_ref().map(|save| {
            let folder = save.folder.clone();
            let folder = folder.or_else(|| std::env::current_dir().ok());
            let path = folder.unwrap_or_default().join(&save.name);
            path.display().to_string()
        });
        Self {
            title: title.unwrap_or_default(),
            path: path.unwrap_or_default(),
            saves: save.is_some(),
            focused: false,
            dialog,
        }
    }

    /// Draws the prompt. Returns true when it was answered.
    fn ui(&mut self, ctx: &Context, commands: &mut Vec<Command>) -> bool {
        let mut done = false;
        let modal = Modal::new(Id::unique("path prompt")).show(ctx, |ui| {
            ui.set_width(520.0);
            ui.label(RichText::new(self.title).strong().size(16.0));
            let help = "This system has no file dialogs. Enter the path.";
            ui.label(RichText::new(help).weak());
            let field = TextEdit::singleline(&mut self.path)
                .desired_width(f32::INFINITY)
                .margin(egui::vec2(8.0, 6.0));
            let field = ui.add(field);
            ui.ctx()
                .accesskit_node_builder(field.id, |node| node.set_label("Path"));
            let field = field.on_hover_text("Enter confirms, Esc cancels");
            if !self.focused {
                self.focused = true;
                field.request_focus();
            }
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            widget::dialog_buttons(ui, |ui| {
                let path = self.path.trim();
                let label = match (self.saves, Path::new(path).exists()) {
                    (true, true) => "Replace the file",
                    (true, false) => "Save",
                    (false, _) => "Open",
                };
                let confirm = ui.add_enabled(!path.is_empty(), widget::primary_button(ui, label));
                let confirm = confirm.on_hover_text("Use this path").clicked();
                if (confirm || entered) && !path.is_empty() {
                    commands.push(self.dialog.clone().command(PathBuf::from(path)));
                    done = true;
                }
                let cancel = ui.button("Cancel").on_hover_text("Close without a file");
                done |= cancel.clicked();
            });
        });
        done || modal.should_close()
    }
}

/// A text as a file name. Characters that some system forbids become spaces.
fn file_name(text: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '+');
    let name: String = text
        .chars()
        .map(|c| if allowed(c) { c } else { ' ' })
        .take(80)
        .collect();
    let name = name.trim().trim_matches('.').trim();
    if name.is_empty() {
        "hitstop".to_owned()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_title_gives_a_valid_file_name() {
        assert_eq!(file_name("Bullet: a/b\\c?"), "Bullet  a b c");
        assert_eq!(file_name("..//.."), "hitstop");
        assert_eq!(file_name("Kugel durch Wände"), "Kugel durch Wände");
        assert!(file_name(&"x".repeat(500)).len() <= 80);
    }

    #[test]
    fn the_path_prompt_suggests_the_same_path_as_the_dialog() {
        let folder = PathBuf::from("levels");
        let prompt = PathPrompt::of(Dialog::Walk(Some(folder.clone())));
        let suggested = folder.join("walk.jsonl").display().to_string();
        assert_eq!((prompt.path, prompt.saves), (suggested, true));
        let image = PathPrompt::of(Dialog::View(Export::Image, "a/b".to_owned()));
        assert!(image.path.ends_with("a b.png"), "{}", image.path);
        let open = PathPrompt::of(Dialog::Open);
        assert!(open.path.is_empty() && !open.saves && !open.title.is_empty());
    }
}
