//! Saving the scene.

use super::author::Ask;
use super::job::{JobDone, JobKind};
use super::messages::Deed;
use super::{Dialog, Effect, Model, Session};
use crate::app::command::Command;
use crate::app::source::Source;
use crate::core::edit::Edited;
use crate::core::problem::Problem;
use crate::core::scene::{self, Scene};
use crate::save::save_atomic;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How saving the scene ended.
pub enum Outcome {
    /// Its text is in the file.
    Written(Written),
    /// Another program wrote to the file since it was read or saved here; it is as it was.
    ChangedOutside(PathBuf),
}

/// A scene's text that was written to its file.
pub struct Written {
    /// The scene's place when it was saved.
    of: Source,
    path: PathBuf,
    text: Arc<str>,
}

/// Returns true for a file that holds neither of these texts; one that cannot be read may hold anything.
fn holds_another_text(path: &Path, known: [&str; 2]) -> bool {
    if path.try_exists().is_ok_and(|exists| !exists) {
        return false;
    }
    let text = scene::open_scene_text(path);
    !text.is_ok_and(|text| known.contains(&text.as_str()))
}

/// Writes a scene's text, unless the file holds another text than `saved`.
fn write(
    of: Source,
    path: PathBuf,
    text: Arc<str>,
    saved: Option<&str>,
) -> Result<Outcome, Problem> {
    if let Some(saved) = saved
        && holds_another_text(&path, [saved, &text])
    {
        return Ok(Outcome::ChangedOutside(path));
    }
    save_atomic(&path, text.as_bytes())?;
    Ok(Outcome::Written(Written { of, path, text }))
}

impl Model {
    /// Saves the scene to its file; asks where, when it has none.
    pub fn save(&mut self) {
        // That of an earlier save, whose dialog was closed.
        self.set_after_save(None);
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        match (&document.source, &document.authored) {
            (Source::File(path), Some(_)) => self.save_to(path.clone()),
            (_, Some(_)) => self.save_as(),
            (_, None) => {
                let name = document.source.name();
                self.refuse(&name, "a recording is not saved: it is as it was read");
            }
        }
    }

    /// Asks where to save the scene.
    pub fn save_as(&mut self) {
        self.set_after_save(None);
        self.ask_where_to_save();
    }

    /// The command that follows once the scene is saved.
    pub(super) fn set_after_save(&mut self, command: Option<Command>) {
        if let Some(session) = &mut self.session {
            session.after_save = command;
        }
    }

    pub(super) fn ask_where_to_save(&mut self) {
        if let Some(Session { document, .. }) = &self.session
            && document.authored.is_some()
        {
            let folder = document.folder();
            self.effects
                .push(Effect::Ask(Dialog::Scene(folder, document.file_name())));
        }
    }

    /// Saves the scene to a file, which is its own from then on. Meshes of other folders are taken into the scene. Before it
    /// overwrites what another program wrote to its own file, it asks.
    pub fn save_to(&mut self, path: PathBuf) {
        self.write_to(path, false);
    }

    /// Saves the scene over what another program wrote to its file.
    pub(super) fn overwrite(&mut self, path: PathBuf) {
        self.write_to(path, true);
    }

    fn write_to(&mut self, path: PathBuf, overwrite: bool) {
        // One after the other: of two at once the older text could come last.
        let writing = self.writing();
        self.finish_text();
        let Some(Session {
            document,
            save_next,
            ..
        }) = &mut self.session
        else {
            return;
        };
        if writing {
            *save_next = Some(path);
            return;
        }
        let Some(authored) = &document.authored else {
            return;
        };
        let of = document.source.clone();
        let elsewhere = document.folder().as_deref() != path.parent();
        if elsewhere && authored.scene.recording.is_some() {
            let what = "the scene names a recording beside it, and would not find it there";
            let help = "save it in its own folder, or copy the recording first";
            let name = path.display().to_string();
            self.messages
                .failed(Deed::Save, Problem::new(name, what, help));
            return;
        }
        if elsewhere && self.brings_meshes() {
            return;
        }
        let authored = self.authored();
        let Some((authored, text)) = authored.and_then(|one| Some((one, one.text()?))) else {
            return;
        };
        let text = Arc::clone(text);
        let own = of == Source::File(path.clone()) && !overwrite;
        let saved = authored.saved.clone().filter(|_| own);
        // What a check under way finds may be older than what is written now.
        self.jobs.drop(JobKind::CheckFile);
        self.jobs.start(JobKind::Save, move |_| {
            JobDone::Save(write(of, path, text, saved.as_deref()))
        });
    }

    /// Takes mesh files into the scene's own text; true when that could not be done.
    fn brings_meshes(&mut self) -> bool {
        let Some(Session { document, .. }) = &self.session else {
            return true;
        };
        let Some(authored) = &document.authored else {
            return true;
        };
        let mut scene = Scene::clone(&authored.scene);
        crate::core::diagnose::inline_meshes(&mut scene);
        if scene == *authored.scene {
            return false;
        }
        !self.record_rewritten(Edited {
            scene,
            name: "Take meshes in".to_owned(),
            select: None,
        })
    }

    /// Takes a file that was written, and does what was to follow.
    pub(super) fn take_written(&mut self, outcome: Result<Outcome, Problem>) {
        // The session may be another one by now.
        let mut session = self.session.as_mut();
        let next = session
            .as_mut()
            .map(|session| (session.save_next.take(), session.after_save.take()));
        let (save_next, after_save) = next.unwrap_or_default();
        match outcome {
            Ok(Outcome::ChangedOutside(path)) => {
                self.set_after_save(after_save);
                self.ask = Some(Ask::Overwrite(path));
            }
            Ok(Outcome::Written(Written { of, path, text })) => {
                if let Some(session) = session.filter(|session| session.document.source == of)
                    && let Some(authored) = &mut session.document.authored
                {
                    authored.mark_saved(text);
                    // A file that is deleted right after is one more change.
                    session.scene_file.seen = None;
                    session.document.move_to(path.clone());
                    self.messages.succeeded(Deed::Reread);
                }
                self.messages.succeeded(Deed::Save);
                self.messages.done(&path.display().to_string(), "saved");
                self.settings.remember(&path);
                self.save_settings();
                if let Some(path) = save_next {
                    self.set_after_save(after_save);
                    self.save_to(path);
                } else if let Some(command) = after_save {
                    self.queue.push(command);
                }
            }
            Err(problem) => self.messages.failed(Deed::Save, problem),
        }
    }

    /// True while the scene is written to its file.
    pub fn writing(&self) -> bool {
        self.jobs.is_running(JobKind::Save)
    }
}
