//! The system's dialogs for files, each on a thread of its own.

use super::command::Command;
use super::command::arguments::Export;
use super::jobs::RequestRepaint;
use super::model::{Dialog, PlotsAs};
use super::widget;
use egui::{Context, Id, Key, Modal, RichText, TextEdit};
use std::mem::discriminant;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::{Duration, Instant};

/// What a dialog for saving asks for.
struct SaveAs {
    title: &'static str,
    /// The name that it suggests.
    name: String,
    /// What such files are called.
    kind: &'static str,
    /// How their names end.
    ending: &'static str,
    folder: Option<PathBuf>,
}

/// A title, and what may be opened: what such files are called, and how their names end.
type Opens = (&'static str, (&'static str, &'static [&'static str]));

impl Dialog {
    /// What follows when a file was chosen.
    fn command(self, path: PathBuf) -> Command {
        match self {
            Self::Open => Command::Open(path),
            Self::Import => Command::Import(path),
            Self::Compare => Command::CompareWith(path),
            Self::Frame(_) => Command::SaveScene(path),
            Self::Scene(..) => Command::SaveTo(path),
            Self::Walk(_) => Command::SaveWalk(path),
            Self::Plots(PlotsAs::Csv, _) => Command::SaveCsv(path),
            Self::Plots(PlotsAs::Png, _) => Command::SavePng(path),
            Self::View(what, _) => Command::Export(what, path),
        }
    }

    /// For a file that is read: its title, what such files are called, and how their names end.
    fn opens(&self) -> Option<Opens> {
        let levels = ("Scenes and logs", &["ron", "jsonl", "ndjson", "csv"][..]);
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

    /// What a dialog for saving asks for; `None` for one that opens.
    fn saves(&self) -> Option<SaveAs> {
        let of = |title, name: String, kind, ending, folder: &Option<PathBuf>| SaveAs {
            title,
            name,
            kind,
            ending,
            folder: folder.clone(),
        };
        Some(match self {
            Self::Open | Self::Compare | Self::Import => return None,
            Self::Frame(folder) => of(
                "Save this frame as a scene",
                "frame.ron".to_owned(),
                "Scenes",
                "ron",
                folder,
            ),
            Self::Scene(folder, name) => {
                of("Save the scene", name.clone(), "Scenes", "ron", folder)
            }
            Self::Walk(folder) => of(
                "Save the walk as a recording",
                "walk.jsonl".to_owned(),
                "Recordings",
                "jsonl",
                folder,
            ),
            Self::Plots(plots, folder) => {
                let (title, kind, ending) = match plots {
                    PlotsAs::Csv => ("Save the plots as a table", "Tables", "csv"),
                    PlotsAs::Png => ("Save the plots as a picture", "Pictures", "png"),
                };
                of(title, format!("plots.{ending}"), kind, ending, folder)
            }
            Self::View(what, name) => {
                let ending = what.extension();
                let (title, kind) = match what {
                    Export::Picture => ("Save a picture of the view", "Pictures"),
                    Export::Loop | Export::Inside => ("Save a clip of the view", "Clips"),
                };
                let name = format!("{}.{ending}", file_name(name));
                of(title, name, kind, ending, &None)
            }
        })
    }

    /// Shows it, and waits; `None` when nothing was chosen, and on Linux also when there is no dialog service.
    fn show(&self) -> Option<PathBuf> {
        match (self.opens(), self.saves()) {
            (Some(what), _) => open(what),
            (None, Some(what)) => save(what),
            (None, None) => None,
        }
    }
}

fn open((title, (kind, endings)): Opens) -> Option<PathBuf> {
    rfd::FileDialog::new()
        .set_title(title)
        .add_filter(kind, endings)
        .add_filter("All files", &["*"])
        .pick_file()
}

fn save(what: SaveAs) -> Option<PathBuf> {
    let mut dialog = rfd::FileDialog::new()
        .set_title(what.title)
        .set_file_name(what.name)
        .add_filter(what.kind, &[what.ending]);
    if let Some(folder) = what.folder {
        dialog = dialog.set_directory(folder);
    }
    let mut path = dialog.save_file()?;
    if path.extension().is_none() {
        path.set_extension(what.ending);
    }
    Some(path)
}

/// An answer that comes sooner than a person can give it says that the system has no such dialog.
const AT_ONCE: Duration = Duration::from_millis(500);

/// A dialog that the system shows.
struct Standing {
    dialog: Dialog,
    answer: Receiver<Option<PathBuf>>,
    since: Instant,
}

/// The dialogs that stand open.
#[derive(Default)]
pub struct Dialogs {
    open: Vec<Standing>,
    by_hand: Option<ByHand>,
}

impl Dialogs {
    /// Opens one; of a sort that is open already there is no second one.
    pub fn ask(&mut self, dialog: Dialog, wake: RequestRepaint) {
        let sort = discriminant(&dialog);
        if self
            .open
            .iter()
            .any(|one| discriminant(&one.dialog) == sort)
        {
            return;
        }
        let (sender, answer) = mpsc::channel();
        let shown = dialog.clone();
        std::thread::spawn(move || {
            // Nobody listens when the window was closed meanwhile.
            let _ = sender.send(shown.show());
            wake();
        });
        self.open.push(Standing {
            dialog,
            answer,
            since: Instant::now(),
        });
    }

    /// What was answered since the last pass; a dialog that answered, or that is gone, is let go. Where the system has none, the
    /// window asks for the path itself.
    pub fn take(&mut self, commands: &mut Vec<Command>) {
        let by_hand = &mut self.by_hand;
        self.open.retain(|one| match one.answer.try_recv() {
            Err(TryRecvError::Empty) => true,
            answer => {
                match answer.ok().flatten() {
                    Some(path) => commands.push(one.dialog.clone().command(path)),
                    None if one.since.elapsed() < AT_ONCE => {
                        *by_hand = Some(ByHand::of(one.dialog.clone()));
                    }
                    None => {}
                }
                false
            }
        });
    }

    /// Asks for the path in the window, where the system has no dialog for it.
    pub fn ui(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        if let Some(asked) = &mut self.by_hand
            && asked.ui(ctx, commands)
        {
            self.by_hand = None;
        }
    }
}

/// A path that is typed, for want of a dialog.
struct ByHand {
    dialog: Dialog,
    title: &'static str,
    path: String,
    saves: bool,
    begun: bool,
}

impl ByHand {
    fn of(dialog: Dialog) -> Self {
        let save = dialog.saves();
        let title = save.as_ref().map(|save| save.title);
        let title = title.or(dialog.opens().map(|(title, _)| title));
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
            begun: false,
            dialog,
        }
    }

    /// True when it was answered.
    fn ui(&mut self, ctx: &Context, commands: &mut Vec<Command>) -> bool {
        let mut done = false;
        let modal = Modal::new(Id::unique("path by hand")).show(ctx, |ui| {
            ui.set_width(520.0);
            ui.label(RichText::new(self.title).strong().size(16.0));
            let help = "This system has no dialog for files: type or paste the path.";
            ui.label(RichText::new(help).weak());
            let field = TextEdit::singleline(&mut self.path)
                .desired_width(f32::INFINITY)
                .margin(egui::vec2(8.0, 6.0));
            let field = ui.add(field);
            ui.ctx()
                .accesskit_node_builder(field.id, |node| node.set_label("Path"));
            let field = field.on_hover_text("Enter takes it, Esc leaves it");
            if !self.begun {
                self.begun = true;
                field.request_focus();
            }
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            widget::answers(ui, |ui| {
                let word = if self.saves { "Save" } else { "Open" };
                let path = self.path.trim();
                let take = ui.add_enabled(!path.is_empty(), widget::main_answer(ui, word));
                let take = take.on_hover_text("Take this path").clicked();
                if (take || entered) && !path.is_empty() {
                    commands.push(self.dialog.clone().command(PathBuf::from(path)));
                    done = true;
                }
                let leave = ui.button("Cancel").on_hover_text("Leave it");
                done |= leave.clicked();
            });
        });
        done || modal.should_close()
    }
}

/// A text as the name of a file: what some system forbids becomes a space.
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
    fn any_title_is_the_name_of_a_file() {
        assert_eq!(file_name("Bullet: a/b\\c?"), "Bullet  a b c");
        assert_eq!(file_name("..//.."), "hitstop");
        assert_eq!(file_name("Kugel durch Wände"), "Kugel durch Wände");
        assert!(file_name(&"x".repeat(500)).len() <= 80);
    }

    #[test]
    fn a_path_asked_for_by_hand_begins_with_what_the_dialog_would_suggest() {
        let folder = PathBuf::from("levels");
        let asked = ByHand::of(Dialog::Walk(Some(folder.clone())));
        let suggested = folder.join("walk.jsonl").display().to_string();
        assert_eq!((asked.path, asked.saves), (suggested, true));
        let picture = ByHand::of(Dialog::View(Export::Picture, "a/b".to_owned()));
        assert!(picture.path.ends_with("a b.png"), "{}", picture.path);
        let open = ByHand::of(Dialog::Open);
        assert!(open.path.is_empty() && !open.saves && !open.title.is_empty());
    }
}
