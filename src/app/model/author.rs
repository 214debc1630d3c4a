//! Changing the scene: every change, back and forth, and what must be asked first.

use super::job::JobKind;
use super::messages::Severity;
use super::{Derived, Effect, Model, Session};
use crate::app::authoring::Tool;
use crate::app::autosave_file::{Autosave, remove};
use crate::app::command::Command;
use crate::app::command::arguments::PromptReply;
use crate::app::view_state::Playhead;
use crate::core::edit::{Edit, EditableScene, NewShape, ObjectMatching, position_beside};
use crate::core::problem::{Problem, Problems};
use crate::core::replay::ObjectId;
use crate::core::scene::{self, Scene};
use glam::DVec3;
use std::path::PathBuf;
use std::sync::Arc;

/// A question that stands over the window until it is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// The scene has changes that no file holds; this command would lose them.
    Unsaved(Box<Command>),
    /// The file was changed by another program, and the scene here: the other's text.
    ChangedOutside(String),
    /// This file, which the scene is to be saved to, was changed by another program.
    Overwrite(PathBuf),
    /// A run of the program ended without saving this; it lies there.
    Recover((PathBuf, Autosave)),
}

impl Model {
    /// The scene that can be changed.
    pub fn authored(&self) -> Option<&EditableScene> {
        self.document()?.authored.as_ref()
    }

    /// Are there changes that no file holds?
    pub fn has_unsaved(&self) -> bool {
        self.authored().is_some_and(EditableScene::is_changed)
    }

    /// Changes the scene; says why where it cannot be.
    pub fn edit(&mut self, edit: Edit) {
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        let name = document.source.name();
        let Some(authored) = &document.authored else {
            self.refuse(
                &name,
                "a recording is not changed here: it is what happened",
            );
            return;
        };
        let scene = &authored.scene;
        if scene.recording.is_some() && edit.changes_objects() {
            self.refuse(&name, "this scene's objects move as its recording says");
            return;
        }
        let gesture = self
            .gesture
            .filter(|_| edit.is_valid_in_place(scene, &*document.meshes()));
        let Some(edited) = edit.apply(scene) else {
            return;
        };
        match gesture.filter(|&gesture| authored.can_defer_text(&edited.name, gesture)) {
            Some(gesture) => self.record_ahead(edited, gesture),
            None => {
                self.record_rewritten(edited);
            }
        }
    }

    /// The scene's text was typed: it is the scene once it can be read, and is kept as it is until then.
    pub fn edit_text(&mut self, text: String) {
        self.finish_text();
        let Some(Session { document, .. }) = &mut self.session else {
            return;
        };
        let (name, folder) = (document.source.name(), document.meshes());
        let Some(authored) = &mut document.authored else {
            return;
        };
        match scene::parse(&text, &name, &*folder) {
            Ok(scene) if scene.recording != authored.scene.recording => {
                let what = "another recording is read when the file is opened anew";
                let problem = Problem::new(name, what, "save, and open the scene again");
                authored.draft = Some((text, vec![problem]));
            }
            Ok(scene) => self.record("Edit the text".to_owned(), text, scene, None),
            Err(problems) => authored.draft = Some((text, problems.0)),
        }
    }

    pub(super) fn refuse(&mut self, name: &str, what: &str) {
        let help = "save a frame as a scene: Findings > Save frame as test scene";
        self.messages
            .add(Severity::Notice, Problem::new(name, what, help));
    }

    /// One problem is enough where a person changed one thing.
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
        self.keep_run();
        let Some(authored) = self.authored_mut() else {
            return;
        };
        authored.record(name, text, scene, gesture);
        self.follow(select);
    }

    /// Before the first edit since the scene was saved: keeps the run to compare with.
    pub(super) fn keep_run(&mut self) {
        let has_unsaved = self.has_unsaved();
        if let Some(session) = self.session.as_mut().filter(|_| !has_unsaved) {
            session.compare.keep_run(session.document.replay());
        }
    }

    pub(super) fn authored_mut(&mut self) -> Option<&mut EditableScene> {
        self.session.as_mut()?.document.authored.as_mut()
    }

    /// Takes the latest change back.
    pub fn undo(&mut self) {
        self.finish_text();
        if self.authored_mut().is_some_and(EditableScene::undo) {
            self.reload_meshes();
            self.follow(None);
        }
    }

    /// Makes the change that was taken back last again.
    pub fn redo(&mut self) {
        self.finish_text();
        if self.authored_mut().is_some_and(EditableScene::redo) {
            self.reload_meshes();
            self.follow(None);
        }
    }

    /// Goes to where this many changes are done.
    pub fn go_in_history(&mut self, done: usize) {
        self.finish_text();
        let Some(authored) = self.authored_mut() else {
            return;
        };
        while authored.history.names().1 > done && authored.undo() {}
        while authored.history.names().1 < done && authored.redo() {}
        self.reload_meshes();
        self.follow(None);
    }

    /// Steps the scene as it is now, and looks for findings in the background; playhead and selection stay.
    pub(super) fn follow(&mut self, select: Option<Vec<ObjectId>>) {
        let diagnosing = self.diagnosing().is_some();
        let Some(session) = &mut self.session else {
            return;
        };
        let document = &mut session.document;
        let Some(scene) = document.authored.as_ref().map(|one| Arc::clone(&one.scene)) else {
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
        // While its frame is still that of the scene before, so is what the pair did in it.
        let behind = document.is_behind() && same_names;
        let pair = session.derived.pair.take().filter(|_| behind);
        session.derived = Derived {
            pair,
            ..Derived::default()
        };
        self.jobs.drop_where(JobKind::ends_with_scene);
        let ordinal = |id| matching.after(id);
        session.find.follow(ordinal);
        session.pins.follow(ordinal);
        session.compare.scene_changed(&new, &mut self.jobs);
        session.probe.follow(&new);
        session.touched = true;
        self.selection.set(selected);
        let Playhead { frame, fraction } = self.playback.playhead();
        if self.playback.frames() != new.frames() {
            self.playback = super::Playback::new(new.frames());
            self.playback.seek(frame, fraction);
        }
        // A drag would never let a diagnosis end: findings of the scene on the way are shown, and then looked for again.
        let goes_on = self.gesture.is_some() && diagnosing && same_names;
        session.look_again = goes_on;
        if !goes_on {
            self.diagnose_soon();
        }
        self.recall_bookmarks();
        self.show_frame();
    }

    /// Looks for findings again in what stands here.
    pub(in crate::app) fn follow_again(&mut self) {
        self.follow(None);
    }

    /// Adds a shape where the view looks, or beside what is selected.
    pub fn add_shape(&mut self, shape: NewShape) {
        let objects = self.authored().map_or(&[][..], |one| &one.scene.objects);
        let selected = self.selection.objects().last();
        // Without a selection beside the object that was added last.
        let neighbour = match selected {
            Some(&id) => objects.get(id as usize),
            None => objects.last(),
        };
        let at = match shape {
            NewShape::Plane => DVec3::ZERO,
            _ => position_beside(neighbour),
        };
        // What is new is put into its place next.
        if self.settings.tools.tool == Tool::Select {
            self.settings.tools.tool = Tool::Move;
        }
        self.edit(Edit::AddShape(shape, at));
    }

    /// The selected objects as text, to paste elsewhere.
    pub fn copy_objects(&mut self) {
        let Some(authored) = self.authored() else {
            return;
        };
        let ids = self.selection.objects().iter();
        let objects: Vec<_> = ids
            .filter_map(|&id| authored.scene.objects.get(id as usize).cloned())
            .collect();
        if !objects.is_empty() {
            let text = scene::write_objects(&objects, authored.scene.units);
            self.effects.push(Effect::Copy(text));
        }
    }

    /// Adds the objects that a text holds.
    pub fn paste_objects(&mut self, text: &str) {
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        let units = document
            .authored
            .as_ref()
            .map_or_else(scene::Units::default, |authored| authored.scene.units);
        match scene::parse_objects(text, units, &*document.meshes()) {
            Ok(objects) => self.edit(Edit::Add(objects)),
            Err(problems) => self.first_of(problems),
        }
    }

    /// Would this command lose changes? Then it is asked about first, and none is given back.
    pub(in crate::app) fn guarded(&mut self, command: Command) -> Option<Command> {
        let leaves = matches!(
            command,
            Command::Open(_)
                | Command::OpenAndCompare(..)
                | Command::OpenBundled(_)
                | Command::New(_)
                | Command::CloseLevel
                | Command::Quit
        );
        if leaves && self.has_unsaved() {
            self.ask = Some(Ask::Unsaved(Box::new(command)));
            return None;
        }
        Some(command)
    }

    /// A question was answered.
    pub fn reply(&mut self, reply: PromptReply) {
        let Some(ask) = self.ask.take() else {
            return;
        };
        match (ask, reply) {
            // Saving over the other's text is asked about when it comes to that.
            (Ask::ChangedOutside(_), PromptReply::Save) => {}
            (Ask::ChangedOutside(text), PromptReply::Discard) => self.take_outside(text),
            (Ask::Overwrite(_), PromptReply::Save) => self.ask_where_to_save(),
            (Ask::Overwrite(path), PromptReply::Discard) => self.overwrite(path),
            (Ask::Overwrite(_), PromptReply::Cancel) => self.set_after_save(None),
            (Ask::Recover((path, autosave)), PromptReply::Save) => self.recover(path, autosave),
            (Ask::Recover((path, _)), PromptReply::Discard) => remove(&path),
            (_, PromptReply::Cancel) => {}
            (Ask::Unsaved(command), PromptReply::Save) => {
                self.save();
                self.set_after_save(Some(*command));
            }
            (Ask::Unsaved(command), PromptReply::Discard) => {
                self.finish_text();
                if let Some(authored) = self.authored_mut() {
                    authored.discard_changes();
                }
                self.queue.push(*command);
            }
        }
    }
}
