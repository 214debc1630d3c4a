//! Mesh files beside a scene, each read once.

use super::folder::{Folder, relative_path};
use crate::core::import::{read_geometry, read_obj};
use crate::core::problem::Problem;
use crate::core::schema::Units;
use crate::core::shape::{Facing, Mesh};
use std::collections::HashMap;
use std::sync::Arc;

/// The meshes of a scene.
pub(super) struct MeshFiles<'f> {
    folder: &'f dyn Folder,
    units: Units,
    /// By path and facing; failures are not read again.
    known: HashMap<(String, Facing), Result<Arc<Mesh>, Problem>>,
}

impl<'f> MeshFiles<'f> {
    pub(super) fn new(folder: &'f dyn Folder, units: Units) -> Self {
        Self {
            folder,
            units,
            known: HashMap::new(),
        }
    }

    /// The mesh of a file, in metres and Y up. A problem with a position is in the mesh file's text, one without is about the file.
    pub(super) fn mesh(&mut self, path: &str, facing: Facing) -> Result<Arc<Mesh>, Problem> {
        let key = (path.to_owned(), facing);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if let Some(cached) = self.folder.cached_mesh(path, facing, self.units) {
            self.known.insert(key, Ok(Arc::clone(&cached)));
            return Ok(cached);
        }
        let other = match facing {
            Facing::Both => Facing::Front,
            Facing::Front => Facing::Both,
        };
        let mesh = match self.known.get(&(path.to_owned(), other)) {
            // Already read with the other facing.
            Some(Ok(twin)) => turned(twin, facing, path),
            Some(Err(problem)) => Err(problem.clone()),
            None => read_mesh(self.folder, path, facing, self.units),
        };
        let mesh = mesh.map(Arc::new);
        if let Ok(mesh) = &mesh {
            self.folder.cache_mesh(path, facing, self.units, mesh);
        }
        self.known.insert(key, mesh.clone());
        mesh
    }
}

fn turned(twin: &Mesh, facing: Facing, path: &str) -> Result<Mesh, Problem> {
    Mesh::new(
        twin.vertices().collect(),
        twin.triangles().collect(),
        facing,
    )
    .map_err(|what| Problem::new(path, what, ""))
}

/// Reads a mesh file beside a scene or log; the coordinates of an OBJ file are in the given units, those of glTF in its own.
///
/// A glTF file gives all triangles in their poses or, if it marks colliders, those alone.
///
/// # Errors
/// When there is no such file, its kind is not known, or its content is faulty (then with a line, of the mesh file itself).
pub fn read_mesh(
    folder: &dyn Folder,
    path: &str,
    facing: Facing,
    units: Units,
) -> Result<Mesh, Problem> {
    relative_path(path)?;
    let ending = path.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    match ending.as_str() {
        "obj" => read_obj(&folder.read(path)?, &folder.shown(path), facing, units),
        "glb" | "gltf" => {
            let geometry = read_geometry(folder, path, units)?;
            let mesh = geometry.one_mesh(facing);
            mesh.map_err(|what| Problem::new(folder.shown(path), what, "export it with its meshes"))
        }
        _ => Err(Problem::new(
            path,
            "unsupported mesh format",
            "meshes are OBJ or glTF files, ending in .obj, .gltf or .glb",
        )),
    }
}
