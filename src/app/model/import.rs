//! Import of mesh files: read in the background, confirmed in a dialog, and added to the scene.

use super::Model;
use super::job::{JobDone, JobKind};
use crate::app::source::Source;
use crate::core::edit::{Edit, Template};
use crate::core::import::{Geometry, ImportAs, read_geometry};
use crate::core::problem::Problem;
use crate::core::scene::{DiskFolder, MeshSource, Units};
use crate::core::shape::Facing;
use std::path::{Path, PathBuf};

/// A mesh file that was read, with the options of the dialog.
pub struct Import {
    /// Path of the file.
    pub path: PathBuf,
    /// Its geometry.
    pub geometry: Geometry,
    /// What to import it as.
    pub wanted: ImportAs,
    /// The solid side of its triangles.
    pub facing: Facing,
}

/// Returns true if the path has the extension of a mesh file.
pub fn is_mesh_file(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| {
        ["obj", "gltf", "glb"].contains(&ending.to_ascii_lowercase().as_str())
    })
}

fn read(file: &Path, units: Units) -> Result<Geometry, Problem> {
    let root = file.parent().unwrap_or(Path::new("")).to_path_buf();
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| {
        let what = "the file name is not valid Unicode";
        Problem::new(file.display().to_string(), what, "rename the file")
    })?;
    read_geometry(&DiskFolder { root }, name, units)
}

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
        self.jobs.start(JobKind::Import, move |_| {
            let geometry = read(&path, units);
            JobDone::Import(path, geometry)
        });
    }

    /// Opens the dialog for a file that was read.
    pub(super) fn take_import(&mut self, path: PathBuf, outcome: Result<Geometry, Problem>) {
        match outcome {
            Ok(geometry) => {
                self.importing = Some(Import {
                    path,
                    wanted: geometry.usual(),
                    facing: Facing::Both,
                    geometry,
                });
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
        // A file in the scene's folder is referenced, not copied into the scene.
        if let (ImportAs::OneMesh, [object], Some(file)) = (
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
