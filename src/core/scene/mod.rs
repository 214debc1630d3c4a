//! Scenes as text (RON).
//!
//! [`parse`] reads a [`Scene`], or returns every problem with line and column; [`write()`] is its inverse. Meshes are files
//! in the scene's [`Folder`]; paths cannot leave it.
//!
//! Reading: `parse` (limits, version, RON to `raw`), then `validate` (checks, conversion to metres and Y up by the schema);
//! `spans` finds the line and column of a problem. Writing: `write`, formatted by `layout`. [`edit_text`] edits the text
//! of a scene only where the scene changed (`patch`).

mod cached_folder;
mod folder;
mod format_preserving_edit;
mod incremental_parse;
mod item_positions;
mod layout;
mod mesh_file;
mod parse;
mod patch;
mod raw;
mod scene_text;
mod shared_list;
mod spans;
mod syntax;
mod to_doc;
mod tokens;
mod types;
mod validate;
mod write;

pub use super::schema::{
    Axis, LengthName, MeshSource, Units, UserUnits, angle_of, euler_from_rotation,
    rotation_from_euler,
};
pub use cached_folder::CachedFolder;
pub use folder::{DiskFolder, Folder, MemoryFolder, ObservedFolder, relative_path};
pub use format_preserving_edit::{edit_text, edited};
pub use item_positions::{ItemPositions, item_positions};
pub use mesh_file::read_mesh;
pub use scene_text::{open_scene_text, scene_text};
pub use shared_list::SharedList;
pub use types::{
    Bookmark, Camera, CameraMovement, Detection, Engine, Exemption, Expectation, Expected,
    Keyframe, Lens, Movement, Object, Objects, Probe, Response, Scene,
};
pub(super) use types::{ignore_pairs, is_direction};
pub use validate::{CAMERA, FINDING_KINDS};

use super::problem::{Problem, Problems};

/// Reads a scene: version peeked leniently, then strictly, then validated; all semantic errors at once.
///
/// `file` names the text in errors. Units are converted to metres and Y up here; meshes are loaded from `folder`.
///
/// # Errors
/// Every problem found, in the order of the text.
pub fn parse(text: &str, file: &str, folder: &dyn Folder) -> Result<Scene, Problems> {
    // Editors may put a byte order mark before the text.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let (raw, problems) = parse::read(text, file)?;
    validate::scene(raw, problems, text, file, folder)
}

/// The log that a scene replays, as its text names it; `None` for a text that is no scene.
pub fn recording_of(text: &str) -> Option<String> {
    let (raw, _) = parse::read(text.strip_prefix('\u{FEFF}').unwrap_or(text), "").ok()?;
    raw.head.recording
}

/// Writes a scene as RON that [`parse`] reads back to an equal scene; line ends are `\n`.
///
/// Lengths and axes are written in the scene's own units. Fields at their default are left out; comments of a text the scene
/// was read from are not kept.
pub fn write(scene: &Scene) -> String {
    write::write(scene)
}

/// The text of a scene made from other data, to be saved as `file` in `folder`: as [`write()`], but only if [`parse`]
/// reads it back and it has content.
///
/// # Errors
/// What a scene file cannot hold.
pub fn write_valid(scene: &Scene, file: &str, folder: &dyn Folder) -> Result<String, Problems> {
    if scene.objects.is_empty() && scene.recording.is_none() {
        let what = "the scene would have no objects";
        return Err(Problem::new(file, what, "choose another part of the input").into());
    }
    let text = write(scene);
    let Err(Problems(mut problems)) = parse(&text, file, folder) else {
        return Ok(text);
    };
    let lines: Vec<&str> = text.lines().collect();
    for problem in problems.iter_mut().filter(|problem| problem.file == file) {
        // The text is not saved, so the line is quoted.
        if let Some(place) = problem.at.take() {
            let line = lines.get(place.line - 1).map_or("", |line| line.trim());
            let quote: String = line.chars().take(QUOTED).collect();
            problem.what = format!("a scene cannot hold this, {}: {quote}", problem.what);
            problem.help = "correct the input, or choose another part of it".to_owned();
        }
    }
    Err(Problems(problems))
}

/// Characters of a line that a problem quotes.
const QUOTED: usize = 160;

/// Writes objects alone, as in the list of a scene with these units.
pub fn write_objects<'o>(objects: impl IntoIterator<Item = &'o Object>, units: Units) -> String {
    write::objects_text(objects, units)
}

/// Reads objects alone: as [`write_objects`] writes them, a list in brackets, or those of a whole scene.
///
/// # Errors
/// Every problem found; lines are counted from the text's own first line.
pub fn parse_objects(text: &str, units: Units, folder: &dyn Folder) -> Result<Objects, Problems> {
    const FILE: &str = "the pasted text";
    let text = text.trim();
    let code = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with("//"));
    let (before, after) = match code.unwrap_or_default() {
        code if code.starts_with("Scene") => return Ok(parse(text, FILE, folder)?.objects),
        code if code.starts_with('[') => ("", ""),
        code if code.starts_with('(') => ("[", "\n]"),
        _ => {
            let help = "copy objects of a scene, as `(name: \"ball\", shape: Sphere(radius: 0.5))`, or a whole scene";
            return Err(Problem::new(FILE, "this is not an object of a scene", help).into());
        }
    };
    let Units {
        length, up, flat, ..
    } = units;
    let before = format!(
        "Scene(version: 1, name: \"pasted\", flat: {flat}, units: (length: {length:?}, up: {up:?}), dt: 1.0, frames: 1, objects: {before}"
    );
    let parsed = parse(&format!("{before}{text}{after})"), FILE, folder);
    let mut problems = match parsed {
        Ok(scene) => return Ok(scene.objects),
        Err(problems) => problems,
    };
    // Positions are those of the pasted text.
    let shift = before.chars().count();
    for place in problems.0.iter_mut().filter_map(|one| one.at.as_mut()) {
        if place.line == 1 {
            place.column = place.column.saturating_sub(shift).max(1);
        }
    }
    Err(problems)
}

/// A camera as scene text, `camera: (..)`, in the scene's units.
pub fn write_camera(camera: &Camera, units: Units) -> String {
    write::write_camera(camera, units)
}
