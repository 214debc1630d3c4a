//! Import of mesh files: read in the background, confirmed in a dialog, and added to the scene.

use super::Model;
use super::import::{Import, read};
use super::job::{JobDone, JobKind};
use crate::app::source::Source;
use crate::core::edit::{Edit, Template};
use crate::core::import::ImportAs;
use crate::core::problem::Problem;
use crate::core::scene::{MeshSource, Units};
use crate::core::shape::Facing;
use std::path::{Path, PathBuf};

impl Model {
    /// The mesh file of the import dialog.
    pub fn import(&self) -> Option<&Import> {
        self.scene_doc()?;
        self.importing.as_ref()
    }

    /// Reads a mesh file and opens the import dialog; creates a new scene if no level is open.
    pub fn start_import(&mut self, path: PathBuf) {
        let units = match self.document() {
            None => {
                self.open(Source::New(Template::Empty));
                Units::default()
            }
            Some(document) => match &document.scene_doc {
                Some(scene_doc) if scene_doc.scene.recording.is_none() => scene_doc.scene.units,
                _ => {
                    let name = document.source.name();
                    self.refuse(&name, "objects cannot be added to a recording");
                    return;
                }
            },
        };
        self.importing = None;
        self.read_import(path, units);
    }

    fn read_import(&mut self, path: PathBuf, units: Units) {
        self.jobs.start(JobKind::Import, move |_| {
            JobDone::Import(read(path, units).map(Box::new))
        });
    }

    /// Reads the file of the dialog again, in other units.
    pub fn set_import_units(&mut self, units: Units) {
        if let Some(import) = &self.importing {
            let path = import.path.clone();
            self.read_import(path, units);
        }
    }

    /// Opens the dialog for a file that was read.
    pub(super) fn take_import(&mut self, outcome: Result<Box<Import>, Problem>) {
        match outcome {
            Ok(mut import) => {
                // The options stay when the file was read in other units.
                let before = self.importing.take();
                if let Some(before) = before.filter(|one| one.path == import.path) {
                    (import.wanted, import.facing) = (before.wanted, before.facing);
                }
                self.importing = Some(*import);
            }
            Err(problem) => self.show_errors(problem.into()),
        }
    }

    /// Sets the options of the import.
    pub fn choose_import(&mut self, wanted: ImportAs, facing: Facing) {
        if let Some(import) = &mut self.importing {
            (import.wanted, import.facing) = (wanted, facing);
        }
    }

    /// Closes the dialog; adds the geometry to the scene if `take`.
    pub fn end_import(&mut self, take: bool) {
        let Some(import) = self.importing.take().filter(|_| take) else {
            return;
        };
        let mut objects = import.geometry.objects(import.wanted, import.facing);
        // A file in the scene's folder and units is referenced, not copied into the scene.
        let units = self.scene_doc().map(|one| one.scene.units);
        if let (true, ImportAs::OneMesh, [object], Some(file)) = (
            units == Some(import.units),
            import.wanted,
            objects.as_mut_slice(),
            self.path_in_scene_folder(&import.path),
        ) {
            object.mesh = Some(MeshSource::File(file));
        }
        self.edit(Edit::Add(objects));
    }

    /// The path relative to the scene's folder, if the file is inside it.
    fn path_in_scene_folder(&self, path: &Path) -> Option<String> {
        let Source::File(scene) = &self.document()?.source else {
            return None;
        };
        let folder = std::path::absolute(scene).ok()?;
        let file = std::path::absolute(path).ok()?;
        let inside = file.strip_prefix(folder.parent()?).ok()?;
        let names: Option<Vec<&str>> = inside.iter().map(|name| name.to_str()).collect();
        Some(names?.join("/"))
    }
}
