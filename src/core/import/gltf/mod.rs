//! glTF 2.0 and GLB files: triangles of nodes in world space, and the colliders they mark.
//!
//! Metres and Y up, as the format requires. Skins and materials are ignored. Files are not trusted: every
//! index, length and reference is checked.

mod animation;
mod buffers;
mod colliders;
mod document;
mod filters;
mod instances;
mod joints;
mod left_out;
mod nodes;
mod round_hull;
mod track;
mod world;

pub use animation::{Animation, AnimationClip};

use super::Content;
use crate::core::file::from_json;
use crate::core::problem::Problem;
use crate::core::scene::Folder;
use buffers::{Buffers, compressed};
use document::Document;
use std::collections::BTreeMap;

/// Supported required extensions; each is read, or has no effect on collision.
const KNOWN: [&str; 10] = [
    "EXT_mesh_gpu_instancing",
    "KHR_animation_pointer",
    "KHR_mesh_quantization",
    "KHR_implicit_shapes",
    "KHR_physics_rigid_bodies",
    "OMI_collider",
    "OMI_physics_body",
    "OMI_physics_joint",
    "OMI_physics_shape",
    "KHR_texture_transform",
];

/// All parts with geometry, their joints, and notices about unsupported ones.
///
/// # Errors
/// When it is no glTF, requires unsupported features, or refers outside itself and its folder.
pub(super) fn read_gltf(bytes: &[u8], path: &str, folder: &dyn Folder) -> Result<Content, Problem> {
    with_buffers(bytes, path, folder, nodes::content)
}

/// The motion of its nodes, of all animations or the named one; `None` without one.
///
/// # Errors
/// As [`read_gltf`], and when an animation is faulty.
pub(super) fn read_animation(
    bytes: &[u8],
    path: &str,
    folder: &dyn Folder,
    name: Option<&str>,
) -> Result<Option<Animation>, Problem> {
    with_buffers(bytes, path, folder, |buffers| {
        animation::animation(buffers, name)
    })
}

/// The animations of a file, and whether they are parts of one motion.
///
/// # Errors
/// As [`read_animation`].
pub(super) fn read_clips(
    bytes: &[u8],
    path: &str,
    folder: &dyn Folder,
) -> Result<(Vec<AnimationClip>, bool), Problem> {
    with_buffers(bytes, path, folder, animation::clips)
}

/// Calls `read` with the document of a file.
fn with_buffers<T>(
    bytes: &[u8],
    path: &str,
    folder: &dyn Folder,
    read: impl FnOnce(Buffers<'_>) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let (json, blob) = match bytes.starts_with(b"glTF") {
        true => split(bytes, path)?,
        false => (bytes, None),
    };
    let document: Document = from_json(json).map_err(|error| {
        let what = format!("this is not a glTF document: {error}");
        let problem = Problem::new(path, what, EXPORT);
        match blob {
            None if error.line() > 0 => problem.at(error.line(), error.column().max(1)),
            _ => problem,
        }
    })?;
    if !document.asset.version.starts_with("2.") {
        let what = format!("glTF {} is not read", document.asset.version);
        return Err(Problem::new(path, what, "export it as glTF 2.0"));
    }
    let required = &document.extensions_required;
    if let Some(name) = required.iter().find(|name| !KNOWN.contains(&name.as_str())) {
        let is_compression = name.ends_with("_compression");
        let harmless = name.starts_with("KHR_materials")
            || name.contains("_texture_")
            || name.contains("_lights_");
        if is_compression {
            return Err(compressed(path));
        }
        if !harmless {
            let what = format!("it needs the extension {name}, which is not read");
            return Err(Problem::new(path, what, "export it without"));
        }
    }
    let buffers = Buffers {
        path,
        document: &document,
        blob,
        folder,
        known: BTreeMap::new(),
        total: 0,
    };
    read(buffers)
}

const EXPORT: &str = "export it again, as glTF 2.0";

fn fault(path: &str, what: impl Into<String>) -> Problem {
    Problem::new(path, what, EXPORT)
}

/// The JSON and binary chunks of a GLB file.
fn split<'b>(bytes: &'b [u8], path: &str) -> Result<(&'b [u8], Option<&'b [u8]>), Problem> {
    let number = |at: usize| {
        let four = bytes.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    let version = number(4).unwrap_or(0);
    if version != 2 {
        let what = format!("GLB version {version} is not read");
        return Err(fault(path, what));
    }
    let length = u64::from(number(8).unwrap_or(0));
    if length != bytes.len() as u64 {
        let what = format!(
            "its header says {length} bytes, the file has {}",
            bytes.len()
        );
        return Err(fault(path, what));
    }
    let (mut text, mut blob, mut at) = (None, None, 12_usize);
    while let (Some(length), Some(kind)) = (number(at), number(at.saturating_add(4))) {
        let from = at + 8;
        let end = from.checked_add(length as usize);
        let chunk = end.and_then(|end| bytes.get(from..end));
        let chunk = chunk.ok_or_else(|| fault(path, "the file is truncated"))?;
        match &kind.to_le_bytes() {
            b"JSON" if text.is_none() => text = Some(chunk),
            b"BIN\0" if blob.is_none() => blob = Some(chunk),
            // Unknown chunks are ignored.
            _ => {}
        }
        at = from + length as usize;
    }
    let text = text.ok_or_else(|| fault(path, "the file is truncated"))?;
    Ok((text, blob))
}
