//! Saving a part of a level as a scene, and a finding as a program of an engine.

use super::job::{Excerpt, JobDone, JobKind};
use super::messages::Operation;
use super::{Model, Session};
use crate::core::diagnose::{self, Finding, SceneSelection};
use crate::core::level::Level;
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use crate::core::replay::ObjectId;
use crate::core::repro::{Engine, program_of};
use crate::core::scene;
use crate::save::save_atomic;
use std::path::{Path, PathBuf};

/// The part of a level that becomes a scene.
#[derive(Clone, Debug)]
enum Part {
    /// The objects of a finding, in its frame.
    Finding(Box<Finding>),
    /// Two objects in a frame.
    Pair(ObjectId, ObjectId, u32),
    /// All objects near a frame's findings.
    Frame(u32),
}

/// Saves a part of a level as a scene; references to mesh files stay only in the level's own `folder`. Returns notices
/// about data that the scene lacks.
fn save(
    level: &Level,
    part: &Part,
    folder: Option<&Path>,
    path: &Path,
    progress: &dyn Progress,
) -> Result<Vec<Problem>, Problem> {
    let (frame, choice) = match part {
        Part::Finding(finding) => (finding.frame, SceneSelection::Finding(finding)),
        Part::Pair(a, b, frame) => (*frame, SceneSelection::Pair(*a, *b)),
        Part::Frame(frame) => (*frame, SceneSelection::Neighbourhood),
    };
    let file = path.display().to_string();
    let made = diagnose::minimal_scene(level, frame, choice, progress);
    let (mut scene, notices) =
        made.map_err(|what| Problem::new(file, what, "choose another frame"))?;
    if folder.is_none() || folder != path.parent() {
        diagnose::inline_meshes(&mut scene);
    }
    save_atomic(path, scene::write(&scene).as_bytes())?;
    Ok(notices)
}

/// Saves a finding as a program of an engine, of the smallest log that has it.
fn save_program(
    level: &Level,
    finding: &Finding,
    engine: &Engine,
    path: &Path,
    progress: &dyn Progress,
) -> Result<Vec<Problem>, Problem> {
    let program = program_of(level, finding, engine, progress).map_err(|what| {
        let help = "save the frame as a test scene, or choose another engine";
        Problem::new(path.display().to_string(), what, help)
    })?;
    save_atomic(path, program.text.as_bytes())?;
    Ok(Vec::new())
}

impl Model {
    /// Saves the selected finding as a program of an engine.
    pub fn save_reproduction(&mut self, engine: &'static Engine, path: PathBuf) {
        let Some((document, finding)) = self.document().zip(self.selected_finding()) else {
            return;
        };
        let (level, finding) = (document.level.clone(), finding.clone());
        self.jobs.start(JobKind::SaveExcerpt, move |job| {
            let saved = save_program(&level, &finding, engine, &path, job);
            JobDone::SaveExcerpt(Excerpt::Program, path, saved)
        });
    }

    /// Saves the selected finding as a scene, else the selected pair in the shown frame, else that frame.
    pub fn save_scene(&mut self, path: PathBuf) {
        let Some(Session { document, .. }) = &self.session else {
            return;
        };
        let part = match (self.selected_finding(), self.selection.pair()) {
            (Some(finding), _) => Part::Finding(Box::new(finding.clone())),
            (None, Some((a, b))) => Part::Pair(a, b, document.frame().number),
            (None, None) => Part::Frame(document.frame().number),
        };
        let (level, folder) = (document.level.clone(), document.folder());
        self.jobs.start(JobKind::SaveExcerpt, move |job| {
            let saved = save(&level, &part, folder.as_deref(), &path, job);
            JobDone::SaveExcerpt(Excerpt::Scene, path, saved)
        });
    }

    /// Returns true while a part of the level is saved.
    pub fn is_saving_excerpt(&self) -> bool {
        self.jobs.is_running(JobKind::SaveExcerpt)
    }

    pub(super) fn take_excerpt(
        &mut self,
        what: Excerpt,
        path: &Path,
        outcome: Result<Vec<Problem>, Problem>,
    ) {
        match outcome {
            Ok(notices) => {
                self.messages.succeeded(Operation::Export);
                self.show_warnings(notices);
                // The latest message, as only the latest few are shown.
                match what {
                    Excerpt::Scene => self.messages.saved(path, "the scene is saved", true),
                    Excerpt::Program => self.messages.saved(path, "the program is saved", false),
                }
            }
            Err(problem) => self.messages.failed(Operation::Export, problem),
        }
    }
}
