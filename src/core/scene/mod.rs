//! A level as text (RON): its types, and the way in and out.
//!
//! [`parse`] reads text into a [`Scene`] or says everything that is wrong with it, each with line and column. [`write()`] is
//! its inverse. Meshes are files beside the scene, fetched through a [`Folder`] that nothing can leave.
//!
//! The way in: `parse` (limits, version, RON to `raw`), `validate` (every value checked, converted to metres and Y up by
//! `units`), with `places` finding the line and column of what is wrong. The way out: `write`, laid out by `layout`.

mod edit;
mod folder;
mod layout;
mod mesh_file;
mod obj;
mod parse;
mod places;
mod polygon;
mod raw;
mod raw_value;
mod rotation;
mod save;
mod syntax;
mod tokens;
mod types;
mod units;
mod validate;
mod write;

pub use edit::{Outline, add_expectation, outline};
pub use folder::{DiskFolder, Folder, MemoryFolder, Opened, relative_path};
pub use mesh_file::read_mesh;
pub use parse::too_large;
pub use rotation::{euler_from_rotation, rotation_from_euler};
pub use save::save_atomic;
pub use types::{
    Axis, Bookmark, Camera, CameraMovement, Detection, Engine, Expectation, Expected, Keyframe,
    MeshSource, Movement, Object, Probe, Response, Scene, Units,
};
pub use validate::{CAMERA, FINDING_KINDS};

use super::problem::Problems;

/// Reads a scene: version peeked leniently, then strictly, then validated; all semantic errors at once.
///
/// `file` names the text in errors. Units are converted to metres and Y up here; meshes are loaded from `folder`.
///
/// # Errors
/// Every problem found, in the order of the text.
pub fn parse(text: &str, file: &str, folder: &dyn Folder) -> Result<Scene, Problems> {
    // Some editors put a byte order mark before the text.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let (raw, problems) = parse::read(text, file)?;
    validate::scene(raw, problems, text, file, folder)
}

/// Writes a scene as RON that [`parse`] reads back to an equal scene; line ends are `\n`.
///
/// Lengths and axes are written in the scene's own units. Fields at their default are left out; comments of a text the scene
/// was read from are not kept.
pub fn write(scene: &Scene) -> String {
    write::write(scene)
}
