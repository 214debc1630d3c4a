//! Edits of the scene, undo and redo, and the prompts that confirm a loss of changes.

use super::job::JobKind;
use super::messages::Severity;
use super::{Derived, Effect, Model, Session};
use crate::app::authoring::Tool;
use crate::app::autosave_file::{Autosave, remove};
use crate::app::command::Command;
use crate::app::command::arguments::PromptReply;
use crate::core::edit::{Edit, EditableScene, NewShape, ObjectMatching, position_beside};
use crate::core::problem::{Problem, Problems};
use crate::core::replay::ObjectId;
use crate::core::scene::{self, Objects, Scene};
use glam::DVec3;
use std::path::PathBuf;
use std::sync::Arc;

/// A modal prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum Prompt {
    /// The scene has unsaved changes, which this command would discard.
    Unsaved(Box<Command>),
    /// Another program changed the file while the scene has unsaved changes: the text of the file.
    ChangedOutside(String),
    /// Another program changed this file, which the scene is to be saved to.
    Overwrite(PathBuf),
    /// An earlier run ended without saving: the path of its autosave, and the autosave.
    Recover((PathBuf, Autosave)),
}

impl Model {
    /// The open scene with its text and undo history; `None` for a recording.
    pub fn scene_doc(&self) -> Option<&EditableScene> {
        self.document()?.scene_doc.as_ref()
    }

    /// Returns true if the scene has unsaved changes.
    pub fn has_unsaved(&self) -> bool {
        self.scene_doc().is_some_and(EditableScene::is_changed)
    }

    /// Applies an edit to the scene; adds a message if the level cannot be edited.
    pub fn edit(&mut self, edit: Edit) {
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        let name = document.source.name();
        let Some(scene_doc) = &document.scene_doc else {
            self.refuse(&name, "recordings are read-only");
            return;
        };
        let scene = &scene_doc.scene;
        if scene.recording.is_some() && edit.changes_objects() {
            self.refuse(
                &name,
                "the objects of this scene are driven by its recording",
            );
            return;
        }
        let edited = edit.apply(scene);
        let Some(mut edited) = edited.filter(|edited| edited.scene != **scene) else {
            return;
        };
        if edited.is_valid(scene, &*document.meshes()) {
            self.record_ahead(edited);
        } else {
            self.record_rewritten(edited);
        }
    }

    /// Replaces the scene's text. While it does not parse, it is stored as a draft and the scene stays.
    pub fn edit_text(&mut self, text: String) {
        self.finish_text();
        let Some(Session { document, .. }) = &mut self.session else {
            return;
        };
        let (name, folder) = (document.source.name(), document.meshes());
        let Some(scene_doc) = &mut document.scene_doc else {
            return;
        };
        match scene::parse(&text, &name, &*folder) {
            Ok(scene) if scene.recording != scene_doc.scene.recording => {
                let what = "the recording of an open scene cannot be changed";
                let problem = Problem::new(name, what, "save the scene and open it again");
                scene_doc.draft = Some((text, vec![problem]));
            }
            Ok(scene) => self.record("Edit the text".to_owned(), text, scene, None),
            Err(problems) => scene_doc.draft = Some((text, problems.0)),
        }
    }

    pub(super) fn refuse(&mut self, name: &str, what: &str) {
        let help = "extract this frame to edit it: Findings > Save frame as test scene";
        self.messages
            .add(Severity::Notice, Problem::new(name, what, help));
    }

    /// Shows the first problem only: an edit of one value has one cause.
    pub(super) fn first_of(&mut self, problems: Problems) {
        if let Some(problem) = problems.0.into_iter().next() {
            self.messages.add(Severity::Error, problem);
        }
    }

    /// Shows an edited scene, and records the edit for undo.
    pub(super) fn record(
        &mut self,
        name: String,
        text: String,
        scene: Scene,
        select: Option<Vec<ObjectId>>,
    ) {
        let gesture = self.gesture;
        self.store_run();
        let Some(scene_doc) = self.scene_doc_mut() else {
            return;
        };
        scene_doc.record(name, text, scene, gesture);
        self.scene_changed(select);
    }

    /// Before the first edit since the last save: stores the present run, to compare with.
    pub(super) fn store_run(&mut self) {
        let has_unsaved = self.has_unsaved();
        if let Some(session) = self.session.as_mut().filter(|_| !has_unsaved) {
            session.compare.store_run(session.document.replay());
        }
    }

    pub(super) fn scene_doc_mut(&mut self) -> Option<&mut EditableScene> {
        self.session.as_mut()?.document.scene_doc.as_mut()
    }

    /// Undoes the latest edit.
    pub fn undo(&mut self) {
        self.finish_text();
        if self.scene_doc_mut().is_some_and(EditableScene::undo) {
            self.reload_meshes();
            self.scene_changed(None);
        }
    }

    /// Redoes the edit that was undone last.
    pub fn redo(&mut self) {
        self.finish_text();
        if self.scene_doc_mut().is_some_and(EditableScene::redo) {
            self.reload_meshes();
            self.scene_changed(None);
        }
    }

    /// Undoes or redoes until this many edits are applied.
    pub fn go_in_history(&mut self, done: usize) {
        self.finish_text();
        let Some(scene_doc) = self.scene_doc_mut() else {
            return;
        };
        while scene_doc.history.names().1 > done && scene_doc.undo() {}
        while scene_doc.history.names().1 < done && scene_doc.redo() {}
        self.reload_meshes();
        self.scene_changed(None);
    }

    /// Steps the edited scene and diagnoses it in the background; playhead and selection stay.
    pub(super) fn scene_changed(&mut self, select: Option<Vec<ObjectId>>) {
        let diagnosing = self.diagnosing().is_some();
        let Some(session) = &mut self.session else {
            return;
        };
        let document = &mut session.document;
        let Some(scene) = document
            .scene_doc
            .as_ref()
            .map(|one| Arc::clone(&one.scene))
        else {
            return;
        };
        let old = Arc::clone(document.replay());
        document.replace(scene);
        let new = Arc::clone(document.replay());
        let matching = ObjectMatching::new(old.objects(), new.objects());
        let selected = select.unwrap_or_else(|| {
            let kept = self.selection.objects().iter();
            kept.filter_map(|&id| matching.after(id)).collect()
        });
        let same_names = matching.is_identity();
        if !same_names {
            document.report = None;
            session.finding = None;
        }
        // While the shown frame is of the scene before, so is the pair's explanation.
        let is_behind = document.is_behind() && same_names;
        let pair = session.derived.pair.take().filter(|_| is_behind);
        session.derived = Derived {
            pair,
            ..Derived::default()
        };
        self.jobs.drop_where(JobKind::ends_with_scene);
        let ordinal = |id| matching.after(id);
        session.find.remap_objects(ordinal);
        session.visibility.remap_objects(ordinal);
        session.pins.remap_objects(ordinal);
        session.compare.scene_changed(&new, &mut self.jobs);
        session.probe.scene_changed(&new);
        session.user_navigated = true;
        self.selection.set(selected);
        self.playback.resize(new.frames());
        // Restarting on every step of a drag would never finish a diagnosis: the one that is running continues, and
        // another follows it.
        let continues = self.gesture.is_some() && diagnosing && same_names;
        session.diagnose_again = continues;
        if !continues {
            self.diagnose_soon();
        }
        self.load_bookmarks();
        self.show_frame();
    }

    /// Steps and diagnoses the scene again.
    pub(in crate::app) fn restep(&mut self) {
        self.scene_changed(None);
    }

    /// Adds a shape next to the selected object.
    pub fn add_shape(&mut self, shape: NewShape) {
        let objects = self.scene_doc().map(|one| &one.scene.objects);
        let selected = self.selection.objects().last();
        // Without a selection: next to the object that was added last.
        let neighbour = match selected {
            Some(&id) => objects.and_then(|objects| objects.get(id as usize)),
            None => objects.and_then(Objects::last),
        };
        let at = match shape {
            NewShape::Plane => DVec3::ZERO,
            _ => position_beside(neighbour),
        };
        // A new object is usually moved next.
        if self.settings.tools.tool == Tool::Select {
            self.settings.tools.tool = Tool::Move;
        }
        self.edit(Edit::AddShape(shape, at));
    }

    /// Copies the selected objects as text.
    pub fn copy_objects(&mut self) {
        let Some(scene_doc) = self.scene_doc() else {
            return;
        };
        let ids = self.selection.objects().iter();
        let objects: Vec<_> = ids
            .filter_map(|&id| scene_doc.scene.objects.get(id as usize).cloned())
            .collect();
        if !objects.is_empty() {
            let text = scene::write_objects(&objects, scene_doc.scene.units);
            self.effects.push(Effect::Copy(text));
        }
    }

    /// Adds the objects of a copied text.
    pub fn paste_objects(&mut self, text: &str) {
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        let units = document
            .scene_doc
            .as_ref()
            .map_or_else(scene::Units::default, |scene_doc| scene_doc.scene.units);
        match scene::parse_objects(text, units, &*document.meshes()) {
            Ok(objects) => self.edit(Edit::Add(objects.iter().cloned().collect())),
            Err(problems) => self.first_of(problems),
        }
    }

    /// Returns the command, or `None` if it would discard unsaved changes: then a prompt opens first.
    pub(in crate::app) fn confirm_unsaved(&mut self, command: Command) -> Option<Command> {
        // Those that open another level ask when it is read.
        let leaves = matches!(command, Command::CloseLevel | Command::Quit);
        if leaves && self.has_unsaved() {
            self.prompt = Some(Prompt::Unsaved(Box::new(command)));
            return None;
        }
        Some(command)
    }

    /// Carries out the reply to the open prompt.
    pub fn reply(&mut self, reply: PromptReply) {
        let Some(prompt) = self.prompt.take() else {
            return;
        };
        let is_other = !matches!(prompt, Prompt::Unsaved(_));
        match (prompt, reply) {
            // A later save opens a prompt before it overwrites the file.
            (Prompt::ChangedOutside(_), PromptReply::Save) => {}
            (Prompt::ChangedOutside(text), PromptReply::Discard) => self.take_file_text(text),
            (Prompt::Overwrite(_), PromptReply::Save) => self.open_save_dialog(),
            (Prompt::Overwrite(path), PromptReply::Discard) => self.overwrite(path),
            (Prompt::Overwrite(_), PromptReply::Cancel) => self.run_after_save(None),
            (Prompt::Recover((path, autosave)), PromptReply::Save) => self.recover(path, autosave),
            (Prompt::Recover((path, _)), PromptReply::Discard) => remove(&path),
            (Prompt::Recover(_) | Prompt::ChangedOutside(_), PromptReply::Cancel) => {}
            (Prompt::Unsaved(_), PromptReply::Cancel) => self.drop_opened(),
            (Prompt::Unsaved(command), PromptReply::Save) => {
                self.save();
                self.run_after_save(Some(*command));
            }
            (Prompt::Unsaved(command), PromptReply::Discard) => {
                self.finish_text();
                if let Some(scene_doc) = self.scene_doc_mut() {
                    scene_doc.discard_changes();
                }
                self.queue.push(*command);
            }
        }
        if is_other {
            self.confirm_waiting();
        }
    }
}
