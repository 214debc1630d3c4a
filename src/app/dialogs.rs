//! The system's dialogs for files, each on a thread of its own.

use super::command::Command;
use super::jobs::Wake;
use super::viewport::export::Export;
use std::mem::discriminant;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, TryRecvError};

/// What the system asks a person for.
#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// A level to open.
    Open,
    /// A mesh file to take into the scene.
    Import,
    /// Another one to compare with.
    Compare,
    /// Where to save a frame as a scene, beginning in this folder.
    Frame(Option<PathBuf>),
    /// Where to save the level's own scene, beginning in this folder with this name.
    Scene(Option<PathBuf>, String),
    /// Where to save a walk, beginning in this folder.
    Walk(Option<PathBuf>),
    /// Where to save the plots, beginning in this folder.
    Plots(PlotsAs, Option<PathBuf>),
    /// Where to save a picture or a clip of the view, beginning with this name.
    View(Export, String),
}

/// What plots are saved as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotsAs {
    /// A table.
    Csv,
    /// A picture.
    Png,
}

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

    /// Shows it, and waits; `None` when nothing was chosen.
    ///
    /// On Linux `None` may also mean that there is no dialog service: the start page has a field for the path.
    fn show(self) -> Option<PathBuf> {
        match self {
            Self::Open => open("Open a scene or a log"),
            Self::Import => rfd::FileDialog::new()
                .set_title("Import a mesh file")
                .add_filter("Meshes", &["obj", "gltf", "glb"])
                .add_filter("All files", &["*"])
                .pick_file(),
            Self::Compare => open("Compare with a scene or a log"),
            Self::Frame(folder) => save(SaveAs {
                title: "Save this frame as a scene",
                name: "frame.ron".to_owned(),
                kind: "Scenes",
                ending: "ron",
                folder,
            }),
            Self::Scene(folder, name) => save(SaveAs {
                title: "Save the scene",
                name,
                kind: "Scenes",
                ending: "ron",
                folder,
            }),
            Self::Walk(folder) => save(SaveAs {
                title: "Save the walk as a recording",
                name: "walk.jsonl".to_owned(),
                kind: "Recordings",
                ending: "jsonl",
                folder,
            }),
            Self::Plots(plots, folder) => {
                let (title, kind, ending) = match plots {
                    PlotsAs::Csv => ("Save the plots as a table", "Tables", "csv"),
                    PlotsAs::Png => ("Save the plots as a picture", "Pictures", "png"),
                };
                save(SaveAs {
                    title,
                    name: format!("plots.{ending}"),
                    kind,
                    ending,
                    folder,
                })
            }
            Self::View(what, name) => {
                let ending = what.extension();
                let (title, kind) = match what {
                    Export::Picture => ("Save a picture of the view", "Pictures"),
                    Export::Loop | Export::Inside => ("Save a clip of the view", "Clips"),
                };
                save(SaveAs {
                    title,
                    name: format!("{}.{ending}", file_name(&name)),
                    kind,
                    ending,
                    folder: None,
                })
            }
        }
    }
}

fn open(title: &str) -> Option<PathBuf> {
    rfd::FileDialog::new()
        .set_title(title)
        .add_filter("Scenes and logs", &["ron", "jsonl", "ndjson", "csv"])
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

/// The dialogs that stand open.
#[derive(Default)]
pub struct Dialogs {
    open: Vec<(Dialog, Receiver<Option<PathBuf>>)>,
}

impl Dialogs {
    /// Opens one; of a sort that is open already there is no second one.
    pub fn ask(&mut self, dialog: Dialog, wake: Wake) {
        let sort = discriminant(&dialog);
        if self.open.iter().any(|(one, _)| discriminant(one) == sort) {
            return;
        }
        let (sender, answer) = mpsc::channel();
        let shown = dialog.clone();
        std::thread::spawn(move || {
            // Nobody listens when the window was closed meanwhile.
            let _ = sender.send(shown.show());
            wake();
        });
        self.open.push((dialog, answer));
    }

    /// What was answered since the last pass; a dialog that answered, or that is gone, is let go.
    pub fn take(&mut self, commands: &mut Vec<Command>) {
        self.open
            .retain(|(dialog, answer)| match answer.try_recv() {
                Err(TryRecvError::Empty) => true,
                answer => {
                    let path = answer.ok().flatten();
                    commands.extend(path.map(|path| dialog.clone().command(path)));
                    false
                }
            });
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
}
