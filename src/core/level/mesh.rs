//! Opens a mesh file as a scene of its objects.

use crate::core::import::read_geometry;
use crate::core::log::ReadOptions;
use crate::core::problem::Problem;
use crate::core::scene::{Folder, Scene};
use crate::core::schema::Units;
use crate::core::shape::Facing;

/// The scene of a mesh file of a folder (`.obj`, `.gltf`, `.glb`): its colliders if it marks any, else its parts. With notices of what is left
/// out.
///
/// # Errors
/// When it cannot be read.
pub fn scene_of_mesh(
    folder: &dyn Folder,
    name: &str,
    options: &ReadOptions,
) -> Result<(Scene, Vec<Problem>), Problem> {
    let geometry = read_geometry(folder, name, options.units(Units::default()))?;
    let wanted = geometry.usual();
    let objects = geometry.objects(wanted, Facing::Both);
    let mut notices = geometry.notices.clone();
    notices.extend(geometry.unmarked(wanted, &folder.shown(name)));
    Ok((Scene::new(geometry.name, objects), notices))
}
