//! Mesh files on their way into the scene: read beside the window, asked about, and added.

use super::Model;
use super::job::{JobDone, JobKind};
use crate::app::source::Source;
use crate::core::edit::{Edit, Template};
use crate::core::import::{Geometry, ImportAs, read_geometry};
use crate::core::problem::Problem;
use crate::core::scene::{DiskFolder, MeshSource, Units};
use crate::core::shape::Facing;
use std::path::{Path, PathBuf};

/// A mesh file that was read, and what it shall become.
pub struct Import {
    /// Where it lies.
    pub path: PathBuf,
    /// What is in it.
    pub geometry: Geometry,
    /// What it becomes.
    pub wanted: ImportAs,
    /// From which side its triangles are solid.
    pub facing: Facing,
}

/// Is it a mesh file, by its ending?
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
        let what = "the file's name is no text";
        Problem::new(file.display().to_string(), what, "give it another name")
    })?;
    read_geometry(&DiskFolder { root }, name, units)
}

impl Model {
    /// The mesh file that is asked about.
    pub fn import(&self) -> Option<&Import> {
        self.authored()?;
        self.importing.as_ref()
    }

    /// Reads a mesh file, to be asked about; where no level is open, into a new scene.
    pub fn start_import(&mut self, path: PathBuf) {
        let units = match self.document() {
            None => {
                self.open(Source::New(Template::Empty));
                Units::default()
            }
            Some(document) => match &document.authored {
                Some(authored) if authored.scene.recording.is_none() => authored.scene.units,
                _ => {
                    let name = document.source.name();
                    self.refuse(&name, "a recording takes no other objects");
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

    /// Takes what was read.
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
            Err(problem) => self.complain(problem.into()),
        }
    }

    /// It shall become something else.
    pub fn choose_import(&mut self, wanted: ImportAs, facing: Facing) {
        if let Some(import) = &mut self.importing {
            (import.wanted, import.facing) = (wanted, facing);
        }
    }

    /// Adds what was read to the scene, or lets it go.
    pub fn end_import(&mut self, take: bool) {
        let Some(import) = self.importing.take().filter(|_| take) else {
            return;
        };
        let mut objects = import.geometry.objects(import.wanted, import.facing);
        // In the scene's own folder a file stays a file.
        if let (ImportAs::OneMesh, [object], Some(file)) = (
            import.wanted,
            objects.as_mut_slice(),
            self.beside_scene(&import.path),
        ) {
            object.mesh = Some(MeshSource::File(file));
        }
        self.edit(Edit::Add(objects));
    }

    /// The path of a file from the scene's folder, where it lies in that.
    fn beside_scene(&self, path: &Path) -> Option<String> {
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
