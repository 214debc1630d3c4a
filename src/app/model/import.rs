//! A mesh file that is imported, with the options of the dialog.

use crate::core::import::{Geometry, ImportAs, read_geometry};
use crate::core::problem::Problem;
use crate::core::scene::{DiskFolder, Units};
use crate::core::shape::Facing;
use glam::DVec3;
use std::path::{Path, PathBuf};

/// A mesh file that was read, with the options of the dialog.
pub struct Import {
    /// Path of the file.
    pub path: PathBuf,
    /// Its geometry.
    pub geometry: Geometry,
    /// The units that it was read in.
    pub units: Units,
    /// Its extents, metres; `None` without a bounded object.
    pub size: Option<DVec3>,
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

/// Reads a mesh file in these units.
pub(super) fn read(path: PathBuf, units: Units) -> Result<Import, Problem> {
    let geometry = geometry(&path, units)?;
    Ok(Import {
        wanted: geometry.usual(),
        facing: Facing::Both,
        size: geometry.size(),
        geometry,
        units,
        path,
    })
}

fn geometry(file: &Path, units: Units) -> Result<Geometry, Problem> {
    let root = file.parent().unwrap_or(Path::new("")).to_path_buf();
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| {
        let what = "the file name is not valid Unicode";
        Problem::new(file.display().to_string(), what, "rename the file")
    })?;
    read_geometry(&DiskFolder { root }, name, units)
}
